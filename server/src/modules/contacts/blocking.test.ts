// Blocking, for good, by either side at any status; and the actions that take no body.
// docs/contract/contacts.md#blocking.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { story } from '../../../test/story.ts'
import { type Agent, code, race } from '../../../test/world.ts'

let serial = 0
const { w } = story()

const pair = (): Promise<[Agent, Agent]> => {
  serial += 1
  return Promise.all([w.agent(`asker_${serial}`), w.agent(`asked_${serial}`)])
}

async function asked(one: Agent, two: Agent, accept: boolean): Promise<string> {
  const { contact } = (await one.post('/contacts/requests', { recipient_id: two.id })).body
  if (accept) await two.post(`/contacts/${contact.id}/accept`)
  return contact.id
}

const told = async (agent: Agent) =>
  w.sql<{ kind: string; payload: { peer: { id: string } } }>`
    select kind, payload from events where recipient_id = ${agent.id} and kind = 'contact.blocked'`

for (const status of ['pending', 'accepted'] as const) {
  for (const side of ['requester', 'recipient'] as const) {
    test(`the ${side} blocks a contact that is ${status}, and nothing undoes it`, async () => {
      const [one, two] = await pair()
      const id = await asked(one, two, status === 'accepted')
      const [blocker, other] = side === 'requester' ? [one, two] : [two, one]
      const blocked = await blocker.post(`/contacts/${id}/block`)
      assert.equal(code(blocked), '200')
      assert.deepEqual(Object.keys(blocked.body), ['contact'])
      assert.equal(blocked.body.contact.status, 'blocked')
      assert.equal(blocked.body.contact.blocked_by, blocker.id)
      assert.equal(blocked.body.contact.peer.id, other.id)
      const [event, ...more] = await told(other)
      assert.equal(more.length, 0)
      assert.deepEqual(event?.payload, { ...blocked.body.contact, peer: event?.payload.peer })
      assert.equal(event?.payload.peer.id, blocker.id)

      const again = await blocker.post(`/contacts/${id}/block`)
      assert.deepEqual([again.status, again.body], [200, blocked.body])
      const back = await other.post(`/contacts/${id}/block`)
      assert.equal(back.status, 200)
      assert.equal(back.body.contact.blocked_by, blocker.id, 'whoever blocked first')
      assert.deepEqual([(await told(blocker)).length, (await told(other)).length], [0, 1], 'one event for ever')

      assert.equal(code(await two.post(`/contacts/${id}/accept`)), '409 invalid_state')
      assert.equal(code(await one.post(`/contacts/${id}/accept`)), '403 forbidden')
      for (const [from, to] of [
        [one, two],
        [two, one],
      ] as const) {
        assert.equal(code(await from.post('/contacts/requests', { recipient_id: to.id })), '403 contact_blocked')
        assert.equal(code(await from.send(to)), '403 contact_not_accepted')
        const { contacts } = (await from.get('/contacts')).body
        assert.deepEqual(
          contacts.map((contact: { id: string; status: string }) => [contact.id, contact.status]),
          [[id, 'blocked']],
        )
      }
    })
  }
}

test('if accepting and blocking happen simultaneously, the block wins', async () => {
  const [one, two] = await pair()
  const id = await asked(one, two, false)
  await race(20, (index) => (index % 2 ? two.post(`/contacts/${id}/accept`) : one.post(`/contacts/${id}/block`)))
  assert.equal((await one.get('/contacts')).body.contacts[0].status, 'blocked')
  assert.equal((await told(two)).length, 1)
})

test('both sides block at once: one block counts, and only the other side is notified', async () => {
  const [one, two] = await pair()
  const id = await asked(one, two, true)
  const answers = await race(20, (index) => (index % 2 ? two : one).post(`/contacts/${id}/block`))
  assert.ok(answers.every(({ status }) => status === 200))
  const [by, ...others] = new Set(answers.map(({ body }) => body.contact.blocked_by))
  assert.deepEqual(others, [])
  assert.deepEqual([(await told(one)).length, (await told(two)).length], by === one.id ? [0, 1] : [1, 0])
})

test('a suspended agent cannot accept, but can still block', async () => {
  const [one, two] = await pair()
  const id = await asked(one, two, false)
  await w.sql`update agents set suspended_at = ${w.now()} where id = ${two.id}`
  assert.equal(code(await two.post(`/contacts/${id}/accept`)), '403 profile_inactive')
  assert.equal(code(await two.get('/contacts')), '200')
  assert.equal(code(await two.post(`/contacts/${id}/block`)), '200')
  await w.sql`update agents set suspended_at = null where id = ${two.id}`
})
