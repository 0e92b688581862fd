// Signing in: by a code to an email, for 30 days, in as many browsers as a customer has; and out again.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { askCode, cookieOf, fromHere, requestCode, signedIn, signIn, verifyCode } from '../../../test/humans.ts'
import { refusedFields, retryAfter, wrongCode } from '../../../test/owner.ts'
import { beforehand, story } from '../../../test/story.ts'
import { type Answer, code, keyPair, race, type World } from '../../../test/world.ts'
import { days, hours, minutes, seconds } from '../../kernel/clock.ts'
import { sha256 } from '../../secrets.ts'

const { w } = story()
const node = beforehand(() => w.node())

const wrong = '400 invalid_email_verification'
const accounts = async (email: string): Promise<number> =>
  (await w.sql`select 1 from humans where email = ${email}`).length

test('Hilda signs in for the first time and gets an account, a wallet with the grant, and a session', async () => {
  const { challenge_id, code: digits, mail } = await askCode(w, ' HILDA@Example.ORG ', 'hilda@example.org')
  assert.equal(mail.link, undefined)
  const early = await verifyCode(w, { challenge_id, code: digits })
  assert.deepEqual([code(early), refusedFields(early)], ['400 invalid_input', ['documents_confirmed']])
  assert.equal(await accounts('hilda@example.org'), 0)
  for (const documents_confirmed of Array<boolean>(6).fill(false))
    assert.equal(code(await verifyCode(w, { challenge_id, code: digits, documents_confirmed })), '400 invalid_input')
  const answer = await verifyCode(w, { challenge_id, code: digits, documents_confirmed: true, display_name: ' Hilda ' })
  assert.equal(answer.status, 201, 'neither used up nor counted as a guess')
  const { human, csrf_token: token } = answer.body
  assert.deepEqual(human, {
    id: human.id,
    display_name: 'Hilda',
    email: 'hilda@example.org',
    created_at: human.created_at,
    notices: true,
    sessions: 1,
  })
  const hilda = signedIn(w, answer)
  const me = await hilda.request('GET', '/human/me')
  assert.deepEqual(me.body, { human, csrf_token: token })
  const { wallet } = (await hilda.request('GET', '/human/wallet')).body
  assert.deepEqual([wallet.available_minor, wallet.reserved_minor, wallet.granted_minor], [500_000, 0, 500_000])
  const { entries } = (await hilda.request('GET', '/human/wallet/history')).body
  assert.deepEqual([entries.length, entries[0].kind, entries[0].amount_minor], [1, 'grant', 500_000])
  const [kept] = await w.sql`select confirmed_documents, documents_confirmed_at from humans where id = ${human.id}`
  const { documents } = (await w.request('GET', '/registration/requirements')).body
  const asked = documents.map(({ name, version, sha256 }: Record<string, string>) => ({ name, version, sha256 }))
  assert.deepEqual(kept?.['confirmed_documents'], asked)
  assert.equal(code(await verifyCode(w, { challenge_id, code: digits, documents_confirmed: true })), wrong, 'once')
})

test('a later sign-in changes neither name nor confirmation, and grants nothing', async () => {
  const first = await signIn(w, 'gil@example.org')
  assert.equal(first.answer.body.human.display_name, 'Customer', 'never taken from the email')
  const row = () =>
    w.sql`select display_name, confirmed_documents, documents_confirmed_at from humans where id = ${first.id}`
  const before = await row()
  w.travel(minutes(2))
  const second = await signIn(w, 'gil@example.org', { display_name: 'Other', documents_confirmed: false })
  assert.equal(second.id, first.id)
  assert.deepEqual([second.answer.body.human.display_name, second.answer.body.human.sessions], ['Customer', 2])
  assert.deepEqual(await row(), before)
  assert.equal((await second.request('GET', '/human/wallet')).body.wallet.granted_minor, 500_000)
  w.travel(minutes(2))
  const { challenge_id, code: digits } = await askCode(w, 'gil@example.org')
  assert.equal(code(await verifyCode(w, { challenge_id, code: digits })), '201', 'nothing is to be confirmed again')
})

test('the cookie is for this origin, unreadable to scripts, for 30 days; only its digest is stored', async () => {
  const { answer, id } = await signIn(w, 'cookie@example.org')
  const [header] = answer.headers.getSetCookie() as [string]
  const [, secret] =
    /^kith_session=([A-Za-z0-9_-]{43}); Path=\/; Max-Age=2592000; HttpOnly; SameSite=Lax$/.exec(header) ?? []
  assert.ok(secret, header)
  const kept = await w.sql<{ digest: Buffer }>`select digest from human_sessions where human_id = ${id}`
  assert.deepEqual(
    kept.map(({ digest }) => digest.toString('hex')),
    [sha256(secret).toString('hex')],
  )
  const stolen = (kept[0] as { digest: Buffer }).digest.toString('base64url')
  const thief = await w.request('GET', '/human/me', { headers: { cookie: `kith_session=${stolen}` } })
  assert.equal(code(thief), '401 unauthorized', 'who reads the table cannot come in')
  assert.ok(!JSON.stringify(answer.body).includes(secret))
})

test('every sign-in sets a new secret: a cookie planted earlier is useless', async () => {
  const planted = `kith_session=${'A'.repeat(43)}`
  const mia = await signIn(w, 'mia@example.org', {}, { cookie: planted })
  assert.notEqual(mia.headers.cookie, planted)
  assert.equal(code(await w.request('GET', '/human/me', { headers: { cookie: planted } })), '401 unauthorized')
  // A thief signs in and plants the living session of an account of their own.
  const thief = await signIn(w, 'thief@example.org')
  w.travel(minutes(2))
  const again = await signIn(w, 'mia@example.org', {}, { cookie: thief.headers.cookie })
  assert.equal(again.id, mia.id)
  assert.equal(code(await thief.request('GET', '/human/me')), '401 unauthorized', 'it ended where she came in')
  assert.equal((await mia.request('GET', '/human/me')).body.human.sessions, 2, 'her other browser goes on')
  w.travel(minutes(2))
  const third = await signIn(w, 'mia@example.org', {}, { cookie: again.headers.cookie })
  assert.equal(code(await again.request('GET', '/human/me')), '401 unauthorized')
  assert.equal((await third.request('GET', '/human/me')).body.human.sessions, 2)
})

test('one of twenty simultaneous right codes signs in', async () => {
  const { challenge_id, code: digits } = await askCode(w, 'twins@example.org')
  const answers = await race(20, (n) =>
    verifyCode(n % 2 === 0 ? w : node, { challenge_id, code: digits, documents_confirmed: true }),
  )
  assert.deepEqual(answers.map(code).sort(), ['201', ...Array(19).fill(wrong)])
  assert.equal(await accounts('twins@example.org'), 1)
  const winner = signedIn(w, answers.find(({ status }) => status === 201) as Answer)
  assert.equal((await winner.request('GET', '/human/me')).body.human.sessions, 1)
})

test('five of any number of parallel guesses are judged, and then the right code fails too', async () => {
  const { challenge_id, mail, code: digits } = await askCode(w, 'guessed@example.org')
  const answers = await race(20, (n) =>
    verifyCode(n % 2 === 0 ? w : node, { challenge_id, code: wrongCode(mail), documents_confirmed: true }),
  )
  assert.deepEqual([...new Set(answers.map(code))], [wrong])
  const [row] = await w.sql`select attempts from challenges where id = ${challenge_id}`
  assert.equal(row?.['attempts'], 5)
  assert.equal(code(await verifyCode(w, { challenge_id, code: digits, documents_confirmed: true })), wrong)
  assert.equal(await accounts('guessed@example.org'), 0)
})

test('ten minutes or a newer request end a code, and it works for no other purpose', async () => {
  const confirmed = { documents_confirmed: true }
  const one = await askCode(w, 'eve@example.org')
  w.travel(minutes(10))
  assert.equal(code(await verifyCode(w, { ...pick(one), ...confirmed })), wrong, 'over')
  const two = await askCode(w, 'eve@example.org')
  const [row] = await w.sql`select created_at from challenges where id = ${two.challenge_id}`
  const until = new Date(Number(row?.['created_at']) + seconds(60))
  const soon = await retryAfter(w, until, () => requestCode(w, 'eve@example.org'))
  assert.equal(code(soon), '429 registration_limited')
  w.travel(seconds(61))
  const three = await askCode(w, 'eve@example.org')
  assert.equal(code(await verifyCode(w, { ...pick(two), ...confirmed })), wrong, 'replaced')
  assert.equal(
    code(await verifyCode(w, { ...pick(three), challenge_id: randomUUID(), ...confirmed })),
    wrong,
    'unknown',
  )
  assert.equal(code(await w.request('POST', '/registration/email/verify', { json: pick(three) })), wrong)
  assert.equal(code(await verifyCode(w, { ...pick(three), ...confirmed })), '201')
})

const pick = ({ challenge_id, code: digits }: { challenge_id: string; code: string }) => ({
  challenge_id,
  code: digits,
})

test('an email gets ten codes in 24 hours, whoever asks, in any spelling', async () => {
  const spellings = ['ten@example.org', 'TEN@example.org', ' ten@EXAMPLE.org']
  for (let n = 0; n < 10; n++) {
    assert.equal(code(await requestCode(n % 2 === 0 ? w : node, spellings[n % 3])), '202')
    w.travel(seconds(61))
  }
  const over = await requestCode(w, 'ten@example.org')
  assert.equal(code(over), '429 registration_limited')
  assert.ok(Number(over.headers.get('retry-after')) > 80_000)
  w.travel(days(1))
  assert.equal(code(await requestCode(w, 'ten@example.org')), '202')
  const twins = await race(20, (n) => requestCode(n % 2 === 0 ? w : node, 'at.once@example.org'))
  assert.deepEqual(twins.map(code).sort(), ['202', ...Array(19).fill('429 registration_limited')])
})

test('a code is requested from a page of this site, as JSON, without a token', async () => {
  const ask = (headers: Record<string, string>) =>
    w.request('POST', '/human/session/request', { json: { email: 'x@example.org' }, headers })
  for (const origin of ['https://evil.example', 'null', `${w.service.publicUrl}.evil.example`, ''])
    assert.equal(code(await ask({ origin })), '403 csrf_failed', origin)
  assert.equal(code(await ask({})), '403 csrf_failed')
  const agent = await w.agent('ada')
  for (const authorization of [`Bearer ${agent.token}`, 'Bearer x', 'Basic eDp5'])
    assert.equal(code(await ask({ ...fromHere(w), authorization })), '403 forbidden')
  const form = await w.request('POST', '/human/session/request', {
    raw: 'email=x%40example.org',
    headers: { ...fromHere(w), 'content-type': 'application/x-www-form-urlencoded' },
  })
  assert.equal(code(form), '415 unsupported_media_type')
  for (const email of ['x@', 'a b@example.org', 'x@[127.0.0.1]']) {
    const answer = await requestCode(w, email)
    assert.deepEqual([code(answer), refusedFields(answer)], ['400 invalid_input', ['email']], email)
  }
  assert.deepEqual(await w.sql`select 1 from challenges where email = 'x@example.org'`, [])
})

test('an address may request a limited number of codes per hour, for any emails', async () => {
  const few = await w.node({ REGISTRATION_LIMIT_PER_HOUR: '3' })
  const answers = await race(10, (n) => requestCode(few, `of.address.${n}@example.org`))
  assert.deepEqual(answers.map(code).sort(), [...Array(3).fill('202'), ...Array(7).fill('429 registration_limited')])
  const registering = { email: 'x@example.org', handle: 'x_agent', encryption_public_key: keyPair().publicKey }
  const other = await few.request('POST', '/registration/email/request', { json: registering })
  assert.equal(code(other), '429 registration_limited', 'counted with all others that send mail')
  w.travel(hours(1))
  assert.equal(code(await requestCode(few, 'of.address.x@example.org')), '202')
})

test('without email nobody signs in', async () => {
  const mute = await w.node({ MAIL_URL: 'none', OWNER_EMAIL_GATE: 'off' })
  assert.equal(code(await requestCode(mute, 'mute@example.org')), '503 verification_setup_pending')
})

test("signing out ends this browser's session; signing out everywhere ends all, on every node", async () => {
  const one = await signIn(w, 'ivy@example.org')
  w.travel(minutes(2))
  const two = await signIn(w, 'ivy@example.org')
  w.travel(minutes(2))
  const three = await signIn(w, 'ivy@example.org')
  const stranger = await signIn(w, 'stranger@example.org')
  const at = (from: World, who: typeof one, method: string, path: string, headers = {}) =>
    from.request(method, path, { ...(method === 'POST' && { json: {} }), headers: { ...who.headers, ...headers } })
  for (const who of [one, two, three]) assert.equal(code(await at(node, who, 'GET', '/human/me')), '200')

  assert.equal(code(await at(w, one, 'POST', '/human/session/end')), '403 csrf_failed', 'no page of ours said so')
  const bare = await w.request('POST', '/human/session/end', { headers: { ...one.headers, ...fromHere(w) } })
  assert.equal(code(bare), '415 unsupported_media_type')
  const out = await at(w, one, 'POST', '/human/session/end', fromHere(w))
  assert.deepEqual([out.status, out.body], [200, { ended: true }])
  assert.deepEqual(out.headers.getSetCookie(), ['kith_session=; Path=/; Max-Age=0; HttpOnly; SameSite=Lax'])
  for (const from of [w, node]) {
    assert.equal(code(await at(from, one, 'GET', '/human/me')), '401 unauthorized')
    assert.equal(code(await at(from, one, 'POST', '/human/session/end', fromHere(w))), '401 unauthorized')
    assert.equal((await at(from, two, 'GET', '/human/me')).body.human.sessions, 2)
  }
  assert.equal(code(await at(node, two, 'POST', '/human/session/end-all', fromHere(node))), '200')
  for (const from of [w, node])
    for (const who of [two, three]) assert.equal(code(await at(from, who, 'GET', '/human/me')), '401 unauthorized')
  assert.equal(code(await at(node, stranger, 'GET', '/human/me')), '200')
})

test('a session lasts 30 days from the sign-in, regardless of use, and is deleted a week later', async () => {
  const { request, id } = await signIn(w, 'long@example.org')
  const [begun] = await w.sql<{ created_at: Date }>`select created_at from human_sessions where human_id = ${id}`
  const age = () => w.now().getTime() - (begun as { created_at: Date }).created_at.getTime()
  w.travel(days(30) - age() - hours(1))
  assert.equal(code(await request('GET', '/human/me')), '200')
  w.travel(hours(1))
  assert.equal(code(await request('GET', '/human/me')), '401 unauthorized')
  w.travel(minutes(2))
  const next = await signIn(w, 'long@example.org')
  assert.equal(next.answer.body.human.sessions, 1)
})

test('a form token belongs to one session; another token, none, or a foreign page change nothing', async () => {
  const [one, other] = [await signIn(w, 'kim@example.org'), await signIn(w, 'lea@example.org')]
  const rename = (headers: Record<string, string>) =>
    w.request('PATCH', '/human/me', { json: { display_name: 'Changed' }, headers })
  const { cookie } = one.headers
  const token = one.headers['x-csrf-token']
  assert.equal(code(await rename({})), '401 unauthorized')
  assert.equal(code(await rename({ 'x-csrf-token': token })), '401 unauthorized')
  for (const bad of [other.headers['x-csrf-token'], token.slice(1), '', 'x', `${token}, ${token}`])
    assert.equal(code(await rename({ cookie, 'x-csrf-token': bad })), '403 csrf_failed', bad)
  assert.equal(code(await rename({ cookie })), '403 csrf_failed')
  for (const origin of ['https://evil.example', 'null'])
    assert.equal(code(await rename({ ...one.headers, origin })), '403 csrf_failed')
  const two = `${cookie}; ${other.headers.cookie}`
  assert.equal(code(await rename({ cookie: two, 'x-csrf-token': token })), '401 unauthorized', 'nobody knows which')
  const agent = await w.agent('bob')
  assert.equal(code(await rename({ ...one.headers, authorization: `Bearer ${agent.token}` })), '403 forbidden')
  const { human } = (await one.request('GET', '/human/me')).body
  assert.equal(human.display_name, 'Customer')
  assert.equal((await rename({ ...one.headers, ...fromHere(w) })).body.human.display_name, 'Changed')
})

test('on HTTPS the cookie has the __Host- prefix, which no neighbour can set', async () => {
  const safe = await w.node({ PUBLIC_URL: 'https://kith.example' })
  const { challenge_id, code: digits } = await askCode(safe, 'safe@example.org')
  const answer = await verifyCode(safe, { challenge_id, code: digits, documents_confirmed: true })
  const cookie = cookieOf(answer)
  assert.match(
    answer.headers.getSetCookie()[0] ?? '',
    /^__Host-kith_session=\S+; Path=\/; Max-Age=2592000; HttpOnly; SameSite=Lax; Secure$/,
  )
  const read = (header: string) => safe.request('GET', '/human/me', { headers: { cookie: header } })
  assert.equal(code(await read(cookie)), '200')
  assert.equal(code(await read(cookie.replace('__Host-', ''))), '401 unauthorized')
  const secret = cookie.slice(cookie.indexOf('=') + 1)
  assert.equal(code(await read(`${cookie}; kith_session=${secret}`)), '200', 'a name of its own')
})
