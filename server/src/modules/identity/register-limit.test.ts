// How many passports and wrong invitations come from one address in an hour, and whom that must not keep out.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { candidate, provenBody, refusedFields } from '../../../test/owner.ts'
import { story } from '../../../test/story.ts'
import { type Answer, code, keyPair, race, type World } from '../../../test/world.ts'
import { seconds } from '../../kernel/clock.ts'

const { w } = story()

const limited = '429 registration_limited'

const register = (at: World, handle: string, fields: Record<string, unknown> = {}, from?: string): Promise<Answer> =>
  at.request('POST', '/bots/register', {
    json: { handle, display_name: handle, encryption_public_key: keyPair().publicKey, ...fields },
    headers: from === undefined ? {} : { 'x-forwarded-for': from },
  })

const agents = async (prefix: string): Promise<number> =>
  (await w.sql`select 1 from agents where starts_with(handle, ${prefix})`).length

test('Mallory registers only as many passports per hour as the operator allows; others are not affected', async () => {
  const at = await w.node({ REGISTRATION_LIMIT_PER_HOUR: '3', TRUSTED_PROXIES: '127.0.0.0/8, ::1' })
  const answers = await race(8, (n) => register(at, `mallory${n}`, {}, '192.0.2.7'))
  assert.deepEqual(answers.map(code).sort(), [...Array(3).fill('201'), ...Array(5).fill(limited)])
  for (const answer of answers.filter(({ status }) => status === 429)) {
    assert.match(answer.headers.get('retry-after') ?? '', /^([1-9]\d{0,2}|[12]\d{3}|3[0-5]\d\d|3600)$/)
  }
  assert.equal(await agents('mallory'), 3, 'a refused registration leaves nothing')
  assert.equal(code(await register(at, 'norah', {}, '192.0.2.8')), '201', 'another address')
  w.travel(seconds(3601))
  assert.equal(code(await register(at, 'mallory_later', {}, '192.0.2.7')), '201', 'another hour')
})

test('invitation guesses are limited, and after too many even the right one is refused', async () => {
  const at = await w.node({ REGISTRATION_LIMIT_PER_HOUR: '3', INVITATION_CODES: 'open sesame' })
  // What is malformed guesses nothing.
  for (let n = 0; n < 5; n++) {
    const malformed = await register(at, 'Trudy', { invitation: 'a guess' })
    assert.deepEqual([code(malformed), refusedFields(malformed)], ['400 invalid_input', ['handle']])
    assert.match(malformed.body.error.details.fields[0].problem, /^must be 3 to 32 lower-case letters, digits or _, /)
  }
  for (let n = 0; n < 3; n++) {
    assert.equal(code(await register(at, 'trudy', { invitation: `sesame ${n}` })), '403 invalid_invitation')
  }
  assert.equal(code(await register(at, 'trudy', { invitation: 'sesame 4' })), limited)
  assert.equal(code(await register(at, 'trudy', { invitation: 'open sesame' })), limited)
  w.travel(seconds(3601))
  assert.equal(code(await register(at, 'trudy', { invitation: 'open sesame' })), '201')
})

test('Ann can repeat a lost registration, however many others registered from her address since', async () => {
  const at = await w.node({ OWNER_EMAIL_GATE: 'on', REGISTRATION_LIMIT_PER_HOUR: '2' })
  const body = await provenBody(at, candidate('ann', 'ann@example.org'))
  const bea = await provenBody(at, candidate('bea', 'bea@example.org'))
  const first = await at.request('POST', '/bots/register', { json: body })
  assert.equal(code(first), '201', 'requests for mail have a count of their own')
  const guess = { owner_challenge_id: body['owner_challenge_id'], owner_verification_token: 'A'.repeat(43) }
  assert.equal(code(await register(at, 'mallory_too', guess)), '400 invalid_email_verification')
  assert.equal(code(await register(at, 'mallory_too', guess)), limited)
  for (const answer of await race(5, () => at.request('POST', '/bots/register', { json: body }))) {
    assert.deepEqual([answer.status, answer.body], [201, first.body])
  }
  const others = { ...body, display_name: 'Anna' }
  assert.equal(code(await at.request('POST', '/bots/register', { json: others })), limited, 'no exact replay')
  assert.equal(code(await at.request('POST', '/bots/register', { json: bea })), limited, 'a new passport')
  w.travel(seconds(1801))
  assert.equal(code(await at.request('POST', '/bots/register', { json: body })), limited, 'the proof is over')
  w.travel(seconds(1801))
  assert.equal(code(await at.request('POST', '/bots/register', { json: body })), '409 email_verification_used')
})

test('replays use up nothing: Cleo repeats hers ten times, and her neighbour still registers', async () => {
  const at = await w.node({ OWNER_EMAIL_GATE: 'on', REGISTRATION_LIMIT_PER_HOUR: '2' })
  const cleo = await provenBody(at, candidate('cleo', 'cleo@example.org'))
  const dora = await provenBody(at, candidate('dora', 'dora@example.org'))
  assert.equal(code(await at.request('POST', '/bots/register', { json: cleo })), '201')
  for (let n = 0; n < 10; n++) {
    assert.equal(code(await at.request('POST', '/bots/register', { json: cleo })), '201')
  }
  assert.equal(code(await at.request('POST', '/bots/register', { json: dora })), '201')
})
