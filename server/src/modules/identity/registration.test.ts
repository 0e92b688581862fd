import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { test } from 'node:test'
import {
  acceptDocuments,
  askForCode,
  type Candidate,
  candidate,
  provenBody,
  refusedFields,
  verifyCode,
} from '../../../test/owner.ts'
import { story } from '../../../test/story.ts'
import { type Answer, agentOf, code, eventually, keyPair, race, type World, world } from '../../../test/world.ts'
import { days, minutes, seconds } from '../../kernel/clock.ts'

const { w } = story({ env: { OWNER_EMAIL_GATE: 'on' } })

const register = (json: unknown, at: World = w): Promise<Answer> => at.request('POST', '/bots/register', { json })

/** How many passports, tokens, grants and passports of emails there are: what no replay may change. */
const holdings = async () => {
  const [row] = await w.sql`
    select (select count(*)::int from agents) as agents, (select count(*)::int from tokens) as tokens,
      (select count(*)::int from ledger_transactions) as grants, (select sum(passports)::int from owners) as passports,
      (select count(*)::int from challenges where used_at is not null) as used`
  return { ...row }
}

const proven = async (handle: string, fields?: Record<string, unknown>) => {
  const who = candidate(handle, `${handle}@example.org`)
  return { who, body: await provenBody(w, who, fields) }
}

test('Ann registers with the required fields and gets her passport, her token and 5000 credits', async () => {
  const { who, body } = await proven('ann')
  const answer = await register(body)
  assert.equal(answer.status, 201)
  const { bot, token, token_expires_at, ...rest } = answer.body
  assert.deepEqual(rest, {})
  const { id, created_at, updated_at, ...passport } = bot
  assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  assert.match(created_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  assert.equal(updated_at, created_at)
  assert.deepEqual(passport, {
    kind: 'ai_bot',
    handle: 'ann',
    display_name: 'ann',
    specialty: null,
    bio: null,
    character_description: null,
    country: null,
    city: null,
    preferred_language: null,
    profile_public: true,
    balance_public: false,
    encryption_public_key: who.keys.publicKey,
    encryption_key_fingerprint: createHash('sha256').update(Buffer.from(who.keys.publicKey, 'base64')).digest('hex'),
    avatar_attachment_id: null,
    character_attachment_id: null,
    visuals: { avatar: null, character: null },
  })
  assert.match(token, /^kith_[A-Za-z0-9_-]{43}$/)
  assert.equal(Date.parse(token_expires_at), Date.parse(created_at) + days(30))
  const entries = await w.sql`
    select e.account, e.amount_minor, t.kind from ledger_entries e join ledger_transactions t on t.id = e.transaction_id
    where t.id in (select transaction_id from ledger_entries where party_id = ${id}) order by e.amount_minor`
  assert.deepEqual(
    entries.map((entry) => ({ ...entry })),
    [
      { account: 'grants', amount_minor: -500_000, kind: 'grant' },
      { account: 'available', amount_minor: 500_000, kind: 'grant' },
    ],
  )
  assert.equal((await agentOf(w, who.keys, answer.body).get('/bots/me')).body.bot.id, id)
})

test('the owner’s mail contains passport, guide and documents, never the token or a private key', async () => {
  const fields = {
    display_name: 'Боб',
    specialty: 'Переводы',
    bio: 'First line\nsecond line',
    city: 'Köln',
    character_description: 'Calm',
  }
  const { who, body } = await proven('bob', fields)
  const answer = await register(body)
  const { text } = await eventually(
    async () => (await w.mails('bob@example.org')).find((mail) => /PASSPORT/.test(mail.text)),
    'the copy of the passport',
  )
  const { bot, token } = answer.body
  for (const wanted of [
    bot.id,
    'bob',
    ...Object.values(fields).flatMap((value) => value.split('\n')),
    bot.encryption_public_key,
    bot.encryption_key_fingerprint,
    'GUIDE',
  ]) {
    assert.ok(text.includes(wanted), wanted)
  }
  const { body: requirements } = await w.request('GET', '/registration/requirements')
  for (const { url, version, sha256, title } of requirements.documents) {
    for (const wanted of [url, version, sha256, title]) assert.ok(text.includes(wanted), wanted)
  }
  const secrets = [token, token.slice(5), who.keys.privateKey, body['owner_verification_token'] as string]
  for (const each of await w.mails('bob@example.org')) {
    for (const secret of secrets) assert.ok(!each.text.includes(secret) && !text.includes(secret))
  }
})

test('every registration field accepts its longest value, in code points', async () => {
  const { who, body } = await proven('cleo')
  const [line, several] = ['\u{1f600}'.repeat(80), '\u{1f600}'.repeat(4000)]
  const full = { display_name: line, specialty: line.repeat(2), character_description: several }
  const answer = await register({ ...body, ...full, bio: `\r\n${'a\r\n'.repeat(1999)}ab` })
  assert.equal(answer.status, 201, JSON.stringify(answer.body))
  const { bot } = answer.body
  assert.deepEqual({ ...bot, ...full }, bot)
  assert.equal(bot.bio, `${'a\n'.repeat(1999)}ab`)
  assert.equal(bot.handle, who.handle)
})

test('nobody registers without a complete proof', async () => {
  const { body } = await proven('dirk')
  const { owner_challenge_id, owner_verification_token, ...fields } = body
  assert.deepEqual(refusedFields(await register(fields)), ['owner_challenge_id', 'owner_verification_token'])
  assert.deepEqual(refusedFields(await register({ ...fields, owner_challenge_id })), ['owner_verification_token'])
  assert.deepEqual(refusedFields(await register({ ...fields, owner_verification_token })), ['owner_challenge_id'])
  const foreign = randomBytes(32).toString('base64url')
  assert.equal(code(await register({ ...body, owner_verification_token: foreign })), '400 invalid_email_verification')
  const unknown = '01890000-0000-7000-8000-000000000000'
  assert.equal(code(await register({ ...body, owner_challenge_id: unknown })), '400 invalid_email_verification')
  assert.equal((await register(body)).status, 201)
})

test('a proof is valid only for its handle and its key', async () => {
  const { body } = await proven('ewa')
  assert.equal(code(await register({ ...body, handle: 'ewa_two' })), '400 invalid_email_verification')
  const key = keyPair().publicKey
  assert.equal(code(await register({ ...body, encryption_public_key: key })), '400 invalid_email_verification')
  for (const invalid of [Buffer.alloc(32), Buffer.alloc(32, 0xff)]) {
    const answer = await register({ ...body, encryption_public_key: invalid.toString('base64') })
    assert.deepEqual([code(answer), refusedFields(answer)], ['400 invalid_input', ['encryption_public_key']])
  }
  const other = await proven('fred')
  const mixed = { ...body, owner_verification_token: other.body['owner_verification_token'] }
  assert.equal(code(await register(mixed)), '400 invalid_email_verification')
})

test('an exact replay returns the same 201, with the same token and expiry', async () => {
  const { body } = await proven('gus', { bio: 'a\r\nb', specialty: '  Poems ' })
  const first = await register(body)
  const held = await holdings()
  w.travel(minutes(20))
  const again = await register(body)
  assert.equal(again.status, 201)
  assert.deepEqual(again.body, first.body)
  // Key order, edge white space, line ends, upper case of ids and spelled-out defaults say the same.
  const same = [
    Object.fromEntries(Object.entries(body).reverse()),
    { ...body, display_name: ' gus ', bio: 'a\nb\n', specialty: 'Poems' },
    { ...body, owner_challenge_id: String(body['owner_challenge_id']).toUpperCase() },
    { ...body, profile_public: true, country: null, city: '', preferred_language: null, character_description: '  ' },
    { ...body, invitation: '' },
  ]
  for (const twin of same) assert.deepEqual((await register(twin)).body, first.body)
  assert.deepEqual(await holdings(), held)
})

test('20 identical simultaneous registrations create one passport and one grant', async () => {
  const { who, body } = await proven('hanna')
  const held = await holdings()
  const answers = await race(20, () => register(body))
  assert.deepEqual([...new Set(answers.map(code))], ['201'])
  assert.equal(new Set(answers.map((answer) => JSON.stringify(answer.body))).size, 1)
  const now = await holdings()
  for (const key of Object.keys(held)) assert.equal(now[key], Number(held[key]) + 1, key)
  await eventually(async () => (await w.sql`select 1 from mails`).length === 0, 'an empty outbox')
  const copies = (await w.mails(who.email)).filter(({ text }) => /PASSPORT/.test(text))
  assert.equal(copies.length, 1)
})

test('a used proof accepts no other fields while it lives, and nothing later', async () => {
  const { body } = await proven('igor')
  await register(body)
  const held = await holdings()
  const changed = [
    { display_name: 'Igor II' },
    { bio: 'more' },
    { profile_public: false },
    { country: 'Norway' },
    { handle: 'igor_two' },
    { encryption_public_key: keyPair().publicKey },
    { invitation: 'x' },
  ]
  for (const change of changed) {
    assert.equal(
      code(await register({ ...body, ...change })),
      '409 registration_replay_conflict',
      JSON.stringify(change),
    )
  }
  const other = randomBytes(32).toString('base64url')
  assert.equal(code(await register({ ...body, owner_verification_token: other })), '400 invalid_email_verification')
  w.travel(minutes(30))
  for (const late of [body, { ...body, bio: 'more' }, { ...body, handle: 'igor_two' }]) {
    assert.equal(code(await register(late)), '409 email_verification_used')
  }
  assert.deepEqual(await holdings(), held)
})

test('a used proof stays used, however late it returns', async () => {
  const { forgetChallenges } = await import('./retention.ts')
  const used = await proven('jana')
  const unused = await proven('jens')
  await register(used.body)
  w.travel(days(60))
  while (await forgetChallenges(w.sql, w.now()));
  assert.equal(code(await register(used.body)), '409 email_verification_used')
  assert.equal(code(await register(unused.body)), '400 invalid_email_verification')
  const left = await w.sql`select 1 from challenges where id = ${unused.body['owner_challenge_id']}`
  assert.equal(left.length, 0)
})

test('an unused proof is valid for 30 minutes', async () => {
  const late = await proven('karl')
  const inTime = await proven('kira')
  w.travel(minutes(29))
  assert.equal((await register(inTime.body)).status, 201)
  w.travel(minutes(1))
  assert.equal(code(await register(late.body)), '400 invalid_email_verification')
})

test('a replay does not revive a rotated or revoked token', async () => {
  const { who, body } = await proven('luca')
  const first = await register(body)
  const luca = agentOf(w, who.keys, first.body)
  const rotated = await luca.post('/tokens/rotate')
  const replay = await register(body)
  assert.deepEqual(
    [replay.status, replay.body.token, replay.body.token_expires_at],
    [201, luca.token, first.body.token_expires_at],
  )
  assert.equal(code(await luca.get('/bots/me')), '401 unauthorized')
  assert.equal((await w.request('GET', '/bots/me', { token: rotated.body.token })).status, 200)

  const { who: maya, body: mayaBody } = await proven('maya')
  const agent = agentOf(w, maya.keys, (await register(mayaBody)).body)
  assert.equal((await agent.post('/tokens/revoke')).status, 200)
  assert.equal((await register(mayaBody)).status, 201)
  assert.equal(code(await agent.get('/bots/me')), '401 unauthorized')
})

test('a handle and a key are unique, both on request and at registration', async () => {
  const first = await proven('nils')
  const rival = candidate('nils', 'rival@example.org')
  const rivalBody = await provenBody(w, rival)
  const thief = candidate('thief', 'thief@example.org', first.who.keys)
  const thiefBody = await provenBody(w, thief)
  assert.equal((await register(first.body)).status, 201)
  const asks = [
    candidate('nils', 'late@example.org').ask,
    { ...candidate('late', 'late@example.org').ask, encryption_public_key: first.who.keys.publicKey },
  ]
  const [handle, key] = await Promise.all(
    asks.map((json) => w.request('POST', '/registration/email/request', { json })),
  )
  assert.equal(code(handle as Answer), '409 handle_unavailable')
  assert.equal(code(key as Answer), '400 invalid_input')
  assert.deepEqual(refusedFields(key as Answer), ['encryption_public_key'])
  assert.equal(code(await register(rivalBody)), '409 handle_unavailable')
  const taken = await register(thiefBody)
  assert.equal(code(taken), '400 invalid_input')
  assert.deepEqual(refusedFields(taken), ['encryption_public_key'])
  // A refusal used up neither the proof nor one of the email's passports.
  const used = await w.sql`select 1 from owners where email in ('rival@example.org', 'thief@example.org')`
  assert.equal(used.length, 0)
})

test('one of eight simultaneous registrations gets the handle', async () => {
  const rivals = await Promise.all(
    Array.from({ length: 8 }, (_, n) => provenBody(w, candidate('olav', `olav${n}@example.org`))),
  )
  const answers = await Promise.all(rivals.map((body) => register(body)))
  assert.deepEqual(answers.map(code).sort(), ['201', ...Array(7).fill('409 handle_unavailable')])
})

test('one of eight simultaneous registrations gets the key', async () => {
  const keys = keyPair()
  const rivals = await Promise.all(
    Array.from({ length: 8 }, (_, n) => provenBody(w, candidate(`paula${n}`, `paula${n}@example.org`, keys))),
  )
  const answers = await Promise.all(rivals.map((body) => register(body)))
  assert.deepEqual(answers.map(code).sort(), ['201', ...Array(7).fill('400 invalid_input')])
})

test('an email owns at most three passports ever, in any spelling and at any speed', async () => {
  const five: Candidate[] = Array.from({ length: 5 }, (_, n) =>
    candidate(`quinn${n}`, n % 2 ? 'quinn@example.org' : ' QUINN@Example.ORG'),
  )
  const bodies: Record<string, unknown>[] = []
  for (const each of five) {
    const { challengeId, mail } = await askForCode(w, '/registration/email/request', each.ask, {
      mailedTo: 'quinn@example.org',
    })
    await acceptDocuments(mail)
    const proof = await verifyCode(w, challengeId, mail.code)
    bodies.push({
      handle: each.handle,
      display_name: 'Quinn',
      encryption_public_key: each.keys.publicKey,
      owner_challenge_id: challengeId,
      owner_verification_token: proof.body.verification_token,
    })
    w.travel(seconds(61))
  }
  const answers = await Promise.all(bodies.map((body) => register(body)))
  assert.deepEqual(answers.map(code).sort(), ['201', '201', '201', '409 owner_email_limit', '409 owner_email_limit'])
  w.travel(days(400))
  // The request tells nothing of it; the registration does.
  const late = candidate('quinn_late', 'quinn@example.org')
  assert.equal(code(await register(await provenBody(w, late))), '409 owner_email_limit')
})

test('where the operator requires an invitation, a wrong or missing one is refused', async (t) => {
  const invited = await world({ env: { INVITATION_CODES: 'spring-2026, ёлка' } })
  t.after(() => invited.close())
  const attempt = (handle: string, invitation?: unknown) =>
    register({ handle, display_name: handle, encryption_public_key: keyPair().publicKey, invitation }, invited)
  for (const wrong of [undefined, '', 'spring', 'SPRING-2026', 'spring-2026,', 'spring-2026, ёлка']) {
    assert.equal(code(await attempt('rita', wrong)), '403 invalid_invitation', String(wrong))
  }
  assert.equal(code(await attempt('rita', 5)), '400 invalid_input')
  assert.equal((await attempt('rita', ' spring-2026 ')).status, 201)
  assert.equal((await attempt('rudi', 'ёлка')).status, 201)
})

test('with the gate off no owner is needed, a second registration is no replay, and a proof still counts', async (t) => {
  const free = await world()
  t.after(() => free.close())
  assert.equal((await free.request('GET', '/registration/requirements')).body.owner_confirmation_required, false)
  const body = { handle: 'sven', display_name: 'Sven', encryption_public_key: keyPair().publicKey }
  assert.equal((await register(body, free)).status, 201)
  assert.equal(code(await register(body, free)), '409 handle_unavailable')
  assert.equal(code(await register({ ...body, handle: 'sven_two' }, free)), '400 invalid_input')
  assert.equal(code(await register({ ...body, handle: 'staff' }, free)), '409 handle_unavailable')
  const answers = await race(6, () =>
    register({ handle: 'tara', display_name: 'Tara', encryption_public_key: keyPair().publicKey }, free),
  )
  assert.deepEqual(answers.map(code).sort(), ['201', ...Array(5).fill('409 handle_unavailable')])

  const owned = candidate('ugo', 'ugo@example.org')
  const proof = await provenBody(free, owned)
  const first = await register(proof, free)
  assert.deepEqual((await register(proof, free)).body, first.body)
  const onboarding = await agentOf(free, owned.keys, first.body).get('/bots/me/onboarding')
  assert.equal(onboarding.body.onboarding.email_verification.verified, true)
})
