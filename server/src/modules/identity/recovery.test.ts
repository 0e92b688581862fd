import assert from 'node:assert/strict'
import { test } from 'node:test'
import { askForCode, refusedFields, retryAfter, wrongCode } from '../../../test/owner.ts'
import { story } from '../../../test/story.ts'
import { workOf } from '../../../test/work.ts'
import { type Answer, code, eventually, race } from '../../../test/world.ts'
import { days, minutes, seconds } from '../../kernel/clock.ts'
import { requestRecovery } from './challenges.ts'

const { w } = story({ env: { OWNER_EMAIL_GATE: 'on', RECOVERY: 'on' } })

const request = '/tokens/recover/request'
const verify = (challenge_id: string, codeText: string | undefined): Promise<Answer> =>
  w.request('POST', '/tokens/recover/verify', { json: { challenge_id, code: codeText } })

test("Ann's owner recovers a token: the earlier tokens and sockets end, and the owner is notified", async () => {
  const ann = await w.agentWithEmail('ann', 'ann@example.org')
  const socket = await ann.events()
  const { answer, challengeId, mail } = await askForCode(
    w,
    request,
    { handle: 'ann', email: ' ANN@example.org' },
    { mailedTo: 'ann@example.org' },
  )
  assert.equal(answer.body.owner_confirmation_required, false)
  assert.equal(mail.link, undefined)
  assert.equal((await ann.get('/bots/me')).status, 200, 'asking alone changes nothing')
  const granted = await verify(challengeId, mail.code)
  assert.equal(granted.status, 200)
  assert.deepEqual(Object.keys(granted.body).sort(), ['token', 'token_expires_at'])
  const life = Date.parse(granted.body.token_expires_at) - w.now().getTime()
  assert.ok(life > days(30) - minutes(1) && life <= days(30))
  assert.notEqual(granted.body.token, ann.token)
  assert.equal(code(await ann.get('/bots/me')), '401 unauthorized')
  assert.equal(await socket.closed, 4401)
  const me = await w.request('GET', '/bots/me', { token: granted.body.token })
  assert.equal(me.body.bot.id, ann.id)
  assert.equal(me.body.bot.encryption_public_key, ann.publicKey)
  const told = await eventually(
    async () => (await w.mails('ann@example.org')).find(({ subject }) => /was recovered/.test(subject)),
    'the mail that it happened',
  )
  assert.ok(!told.text.includes(granted.body.token) && told.code === undefined)
  assert.equal(code(await verify(challengeId, mail.code)), '400 invalid_email_verification', 'a code works once')
})

test('a recovery replaces an expired or revoked token', async () => {
  const bob = await w.agentWithEmail('bob', 'bob@example.org')
  await bob.post('/tokens/revoke')
  w.travel(days(100))
  const { challengeId, mail } = await askForCode(w, request, { handle: 'bob', email: 'bob@example.org' })
  // A suspension is no obstacle, and lasts.
  await w.operator('agent', 'suspend', 'bob', '--reason', 'He asked', '--code', 'spam')
  const answers = await race(10, () => verify(challengeId, mail.code))
  assert.deepEqual(answers.map(code).sort(), ['200', ...Array(9).fill('400 invalid_email_verification')])
  const { token } = answers.find(({ status }) => status === 200)?.body ?? {}
  assert.equal((await w.request('GET', '/bots/me', { token })).status, 200)
  assert.equal(code(await w.request('POST', '/posts', { token, json: { text: 'x' } })), '403 profile_inactive')
})

test('the response does not reveal whether handle and email belong together, and only the owner gets an email', async () => {
  await w.agentWithEmail('cleo', 'cleo@example.org')
  const shape = ({ status, body }: Answer) => [
    status,
    Object.keys(body).sort(),
    body.retry_after,
    body.documents,
    body.owner_confirmation_required,
    typeof body.challenge_id,
  ]
  const { answer: match } = await askForCode(w, request, { handle: 'cleo', email: 'cleo@example.org' })
  const pairs = [
    { handle: 'cleo', email: 'stranger@example.org' },
    { handle: 'nobody', email: 'nobody@example.org' },
  ]
  for (const json of pairs) {
    const ask = () => w.request('POST', request, { json })
    const answer = await ask()
    assert.deepEqual(shape(answer), shape(match))
    assert.equal(code(await ask()), '429 registration_limited', 'limited as a match is')
    const guesses = await race(7, () => verify(answer.body.challenge_id, '000000'))
    assert.deepEqual([...new Set(guesses.map(code))], ['400 invalid_email_verification'])
    const left = guesses.flatMap(({ body }) => body.error.details?.attempts_left ?? [])
    assert.deepEqual(left.sort(), [0, 1, 2, 3, 4], 'counted as those of a match are')
  }
  await eventually(async () => (await w.sql`select 1 from mails`).length === 0, 'an empty outbox')
  assert.deepEqual([...(await w.mails('stranger@')), ...(await w.mails('nobody@'))], [])
})

test('an unverified email recovers nothing', async () => {
  const open = await w.node({ OWNER_EMAIL_GATE: 'off' })
  const dan = await open.agent('dan')
  await dan.post('/bots/me/owner-email/request', { email: 'dan@example.org' })
  const answer = await w.request('POST', request, { json: { handle: 'dan', email: 'dan@example.org' } })
  assert.equal(answer.status, 202)
  assert.deepEqual(await w.sql`select 1 from mails where kind = 'recovery_code'`, [], 'nothing waits to be sent')
  // Nor does the code that nobody was told.
  const id: string = answer.body.challenge_id
  const digest = w.service.secrets.mac('owner code', `${id} 123456`)
  await w.sql`update challenges set code_digest = ${digest} where id = ${id}`
  const right = await verify(id, '123456')
  assert.equal(code(right), '400 invalid_email_verification')
  assert.deepEqual(right.body.error.details, { attempts_left: 4 }, 'as a wrong one, or it would tell')
  assert.equal((await dan.get('/bots/me')).status, 200)
})

test('a match and a mismatch take the same work: the same statements on the same rows, every time', async () => {
  await w.agentWithEmail('gus', 'gus@example.org')
  const pairs = [
    { handle: 'gus', email: 'gus@example.org' },
    { handle: 'nobody_at_all', email: 'gus@example.org' },
    { handle: 'gus', email: 'elsewhere@example.org' },
    { handle: 'nobody_at_all', email: 'nowhere@example.org' },
  ]
  for (const round of ['first', 'second']) {
    const [match, ...others] = await Promise.all(
      pairs.map((ask) => workOf(w, (tx) => requestRecovery(tx, w.service, ask, []))),
    )
    const written = [
      ['challenges inserted', 1],
      ...(round === 'second' ? [['challenges updated', 1]] : []),
      ['mails inserted', 1],
    ]
    assert.deepEqual(match?.written, written)
    for (const other of others) assert.deepEqual(other, match, round)
    await eventually(async () => (await w.sql`select 1 from mails`).length === 0, 'an empty outbox')
    w.travel(seconds(61))
  }
  const codes = (await w.mails()).filter(({ to, code }) => code && /gus|elsewhere|nowhere/.test(to))
  assert.deepEqual(codes.map(({ to, subject }) => [to.slice(1, -1), /^Recover/.test(subject)]).slice(1), [
    ['gus@example.org', true],
    ['gus@example.org', true],
  ])
})

test('a full queue refuses everyone alike', async () => {
  await w.agentWithEmail('hal', 'hal@example.org')
  await w.sql`
    insert into mails (id, kind, recipient, subject, body, created_at, next_attempt_at)
    select gen_random_uuid(), 'waiting', 'x@example.org', '', '', ${w.now()}, ${new Date(w.now().getTime() + days(1))}
    from generate_series(1, 10000)`
  for (const handle of ['hal', 'nobody_at_all']) {
    const answer = await w.request('POST', request, { json: { handle, email: 'hal@example.org' } })
    assert.equal(code(answer), '429 owner_email_queue_full')
  }
  await w.sql`delete from mails where kind = 'waiting'`
})

test('a stranger who knows the email but not the handle cannot lock its owner out', async () => {
  await w.agentWithEmail('ida', 'ida@example.org')
  const email = 'ida@example.org'
  const ask = async (handle: string): Promise<Answer> => w.request('POST', request, { json: { handle, email } })
  for (let n = 0; n < 10; n++) {
    for (const handle of ['wrong', `wrong_${n}`]) assert.equal(code(await ask(handle)), '202')
    w.travel(seconds(61))
  }
  const day = await ask('wrong')
  assert.equal(code(day), '429 registration_limited')
  assert.ok(Number(day.headers.get('retry-after')) > 80_000, 'ten a day')
  assert.equal(code(await ask('wrong_again')), '202')
  assert.equal(code(await ask('wrong_again')), '429 registration_limited', 'one a minute')
  // And nothing in the answers tells the right handle from the wrong ones: it has its own minute and its own ten.
  const { challengeId, mail } = await askForCode(w, request, { handle: 'ida', email })
  assert.equal(code(await ask('ida')), '429 registration_limited')
  assert.equal(code(await verify(challengeId, mail.code)), '200')
  for (let n = 1; n < 10; n++) {
    w.travel(seconds(61))
    assert.equal(code(await ask('ida')), '202')
  }
  w.travel(seconds(61))
  const last = await ask('ida')
  assert.equal(code(last), '429 registration_limited')
  assert.ok(Number(last.headers.get('retry-after')) > 80_000)
})

test('five wrong codes, ten minutes or a newer request end a code', async () => {
  const eve = await w.agentWithEmail('eve', 'eve@example.org')
  const ask = () => askForCode(w, request, { handle: 'eve', email: 'eve@example.org' })
  const one = await ask()
  for (let n = 0; n < 5; n++) await verify(one.challengeId, wrongCode(one.mail))
  assert.equal(code(await verify(one.challengeId, one.mail.code)), '400 invalid_email_verification')
  w.travel(seconds(61))
  const two = await ask()
  w.travel(minutes(10))
  assert.equal(code(await verify(two.challengeId, two.mail.code)), '400 invalid_email_verification')
  const three = await ask()
  const [row] = await w.sql`select created_at from challenges where id = ${three.challengeId}`
  const until = new Date(Number(row?.['created_at']) + seconds(60))
  await retryAfter(w, until, () => w.request('POST', request, { json: { handle: 'eve', email: 'eve@example.org' } }))
  w.travel(seconds(61))
  const four = await ask()
  assert.equal(code(await verify(three.challengeId, three.mail.code)), '400 invalid_email_verification')
  assert.equal((await eve.get('/bots/me')).status, 200)
  assert.equal((await verify(four.challengeId, four.mail.code)).status, 200)
})

test('a simultaneous rotation does not outlive a recovery', async () => {
  for (let n = 0; n < 5; n++) {
    const fay = await w.agentWithEmail(`fay${n}`, `fay${n}@example.org`)
    const { challengeId, mail } = await askForCode(w, request, { handle: fay.handle, email: `fay${n}@example.org` })
    const [rotated, recovered] = await Promise.all([fay.post('/tokens/rotate'), verify(challengeId, mail.code)])
    assert.equal(recovered.status, 200)
    const live = await w.sql`select 1 from tokens where agent_id = ${fay.id} and revoked_at is null`
    assert.equal(live.length, 1)
    if (rotated.status === 200) {
      assert.equal(code(await w.request('GET', '/bots/me', { token: rotated.body.token })), '401 unauthorized')
    }
  }
})

test('an invalid email is refused by name', async () => {
  const email = await w.request('POST', request, { json: { handle: 'eve', email: 'eve' } })
  assert.deepEqual([code(email), refusedFields(email)], ['400 invalid_input', ['email']])
})

test('while recovery is off its endpoints do not exist', async () => {
  const off = await w.node({ RECOVERY: 'off' })
  const json = { handle: 'ann', email: 'ann@example.org' }
  assert.equal(code(await off.request('POST', request, { json })), '404 not_found')
  const unknown = { challenge_id: '01890000-0000-7000-8000-000000000000', code: '123456' }
  assert.equal(code(await off.request('POST', '/tokens/recover/verify', { json: unknown })), '404 not_found')
})
