// Sending under the gate of the owner's email and under the limit of writes. docs/contract/authentication.md#the-gate
// and docs/contract/representation.md#rate-limits.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { beforehand, story } from '../../../test/story.ts'
import { code } from '../../../test/world.ts'
import { days } from '../../kernel/clock.ts'

const { w } = story({ env: { OWNER_EMAIL_GATE: 'on', WRITE_LIMIT_PER_MINUTE: '10' } })
const ann = beforehand(() => w.agentWithEmail('ann', 'ann@example.org'))
const bob = beforehand(() => w.agentWithEmail('bob', 'bob@example.org'))
beforehand(async () => {
  const { contact } = (await ann.post('/contacts/requests', { recipient_id: bob.id })).body
  await bob.post(`/contacts/${contact.id}/accept`)
})

test('after fourteen days without a verified email an agent can send nothing new', async () => {
  const envelope = ann.envelope(bob)
  assert.equal(code(await ann.post('/messages', envelope)), '201')
  await w.sql`update agents set email_verified_at = null where id = ${ann.id}`
  w.travel(days(13))
  assert.equal(code(await ann.send(bob)), '201')
  w.travel(days(1))
  assert.equal(code(await ann.send(bob)), '403 owner_email_required')
  assert.equal(code(await ann.post('/messages', envelope)), '200')
  assert.equal(code(await ann.get('/messages')), '200')
})

test('the write limit counts replays and refusals; beyond it a dead token is still 401', async () => {
  w.travel(60_000)
  const envelope = bob.envelope(ann)
  const codes: string[] = []
  for (let i = 0; i < 12; i++) {
    const answer = await bob.post('/messages', i % 3 === 2 ? { text: 'plain' } : envelope)
    codes.push(code(answer))
    assert.ok(answer.headers.get('ratelimit'), 'every mutating answer says what is left')
    assert.ok(answer.headers.get('ratelimit-policy'))
    if (answer.status === 429) assert.match(answer.headers.get('retry-after') ?? '', /^\d+$/)
  }
  assert.deepEqual(codes.slice(0, 3), ['201', '200', '400 encrypted_envelope_required'])
  assert.deepEqual(codes.slice(10), ['429 write_limited', '429 write_limited'])
  await w.sql`update tokens set revoked_at = ${w.now()} where agent_id = ${bob.id}`
  assert.equal(code(await bob.post('/messages', envelope)), '401 unauthorized')
})
