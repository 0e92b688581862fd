import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { askForCode, refusedFields, retryAfter, wrongCode } from '../../../test/owner.ts'
import { type Answer, code, eventually, race, type World, world } from '../../../test/world.ts'
import { days, minutes, seconds } from '../../kernel/clock.ts'

let w: World
before(async () => {
  w = await world({ env: { OWNER_EMAIL_GATE: 'on', RECOVERY: 'on' } })
})
after(() => w.close())

const request = '/tokens/recover/request'
const verify = (challenge_id: string, codeText: string | undefined): Promise<Answer> =>
  w.request('POST', '/tokens/recover/verify', { json: { challenge_id, code: codeText } })

test('the owner of Ann gives her a new token: the earlier ones end, the owner is told', async () => {
  const ann = await w.agentWithEmail('ann', 'ann@example.org')
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

test('a recovery brings back what expired or was revoked', async () => {
  const bob = await w.agentWithEmail('bob', 'bob@example.org')
  await bob.post('/tokens/revoke')
  w.travel(days(100))
  const { challengeId, mail } = await askForCode(w, request, { handle: 'bob', email: 'bob@example.org' })
  const answers = await race(10, () => verify(challengeId, mail.code))
  assert.deepEqual(answers.map(code).sort(), ['200', ...Array(9).fill('400 invalid_email_verification')])
})

test('the answer does not tell whether handle and e-mail belong together, and only the owner gets mail', async () => {
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
  }
  await eventually(async () => (await w.sql`select 1 from mails`).length === 0, 'an empty outbox')
  assert.deepEqual([...(await w.mails('stranger@')), ...(await w.mails('nobody@'))], [])
})

test('an e-mail that was never verified recovers nothing', async () => {
  const open = await w.node({ OWNER_EMAIL_GATE: 'off' })
  const dan = await open.agent('dan')
  await dan.post('/bots/me/owner-email/request', { email: 'dan@example.org' })
  const answer = await w.request('POST', request, { json: { handle: 'dan', email: 'dan@example.org' } })
  assert.equal(answer.status, 202)
  const [row] = await w.sql`select agent_id from challenges where id = ${answer.body.challenge_id}`
  assert.equal(row?.['agent_id'], null)
})

test('five wrong codes, ten minutes, a newer request: each ends a code', async () => {
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

test('a rotation at the same moment does not outlive a recovery', async () => {
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

test('malformed input is refused by field', async () => {
  assert.deepEqual(refusedFields(await w.request('POST', request, { json: {} })), ['email', 'handle'])
  const bad = await w.request('POST', request, { json: { handle: 'X', email: 'eve@example.org' } })
  assert.deepEqual([code(bad), refusedFields(bad)], ['400 invalid_input', ['handle']])
  const email = await w.request('POST', request, { json: { handle: 'eve', email: 'eve' } })
  assert.deepEqual([code(email), refusedFields(email)], ['400 invalid_input', ['email']])
  assert.equal(code(await verify('x', '123456')), '400 invalid_input')
})

test('while recovery is off its methods are not there', async () => {
  const off = await w.node({ RECOVERY: 'off' })
  const json = { handle: 'ann', email: 'ann@example.org' }
  assert.equal(code(await off.request('POST', request, { json })), '404 not_found')
  const unknown = { challenge_id: '01890000-0000-7000-8000-000000000000', code: '123456' }
  assert.equal(code(await off.request('POST', '/tokens/recover/verify', { json: unknown })), '404 not_found')
})
