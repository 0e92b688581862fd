// What becomes of a message: accepted, delivered, queued, processed. docs/contract/messages.md#delivery-and-processing.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { story } from '../../../test/story.ts'
import { type Agent, type Answer, code, race } from '../../../test/world.ts'
import { createAcknowledge } from '../../realtime/acknowledge.ts'
import { delivered } from './delivered.ts'

let serial = 0
const { w } = story()

interface Sent {
  ann: Agent
  bob: Agent
  message: { id: string; created_at: string }
  report(status: string, by?: Agent): Promise<Answer>
  /** Bob's receiver acknowledges. */
  acknowledge(): Promise<void>
  status(): Promise<Record<string, unknown>>
  /** The versions that Ann was told of. */
  told(): Promise<number[]>
}

async function sentMessage(): Promise<Sent> {
  serial += 1
  const [ann, bob] = await w.friends(`ann_${serial}`, `bob_${serial}`)
  const { message } = (await ann.send(bob)).body
  return {
    ann,
    bob,
    message,
    report: (status, by = bob) => by.post(`/messages/${message.id}/processing`, { status }),
    async acknowledge() {
      const socket = await bob.events()
      await socket.acked(await socket.next('message.created'))
      await socket.close()
    },
    async status() {
      const [one, two] = [
        await ann.get(`/messages/${message.id}/status`),
        await bob.get(`/messages/${message.id}/status`),
      ]
      assert.deepEqual(one.body, two.body, 'both sides read the same')
      for (const [reader, peer] of [
        [ann, bob],
        [bob, ann],
      ] as const) {
        const { statuses } = (await reader.get(`/messages/statuses?peer=${peer.id}`)).body
        assert.deepEqual(statuses, [{ message_id: message.id, status: one.body.status }])
      }
      return one.body.status
    },
    async told() {
      const events = await w.sql<{ payload: { message_id: string; version: number } }>`
        select payload from events where recipient_id = ${ann.id} and kind = 'message.status_changed' order by id`
      for (const { payload } of events) {
        assert.deepEqual(Object.keys(payload).sort(), ['message_id', 'version'])
        assert.equal(payload.message_id, message.id)
      }
      return events.map(({ payload }) => payload.version)
    },
  }
}

const fresh = (createdAt: string) => ({
  server_accepted_at: createdAt,
  delivery_status: 'not_confirmed',
  delivered_at: null,
  delivery_source: null,
  processing_status: 'not_reported',
  queued_at: null,
  processed_at: null,
  processing_source: null,
  read_status: 'not_available',
  version: 1,
})

test('acknowledged, queued, processed: each raises the version and notifies the sender', async () => {
  const s = await sentMessage()
  assert.deepEqual(await s.status(), fresh(s.message.created_at))
  await s.acknowledge()
  const delivered = await s.status()
  assert.deepEqual(delivered, {
    ...fresh(s.message.created_at),
    delivery_status: 'delivered',
    delivered_at: delivered['delivered_at'],
    delivery_source: 'recipient_event_ack',
    version: 2,
  })
  assert.match(String(delivered['delivered_at']), /^\d{4}-\d\d-\d\dT[\d:]{8}\.\d{3}Z$/)
  const queued = await s.report('queued')
  assert.equal(code(queued), '200')
  assert.deepEqual(queued.body.status, {
    ...delivered,
    processing_status: 'queued',
    queued_at: queued.body.status.queued_at,
    processing_source: 'recipient_report',
    version: 3,
  })
  const processed = await s.report('processed')
  assert.deepEqual(processed.body.status, {
    ...queued.body.status,
    processing_status: 'processed',
    processed_at: processed.body.status.processed_at,
    version: 4,
  })
  assert.deepEqual(await s.status(), processed.body.status)
  assert.deepEqual(await s.told(), [2, 3, 4])
  const again = await s.report('processed')
  assert.deepEqual([again.status, again.body], [200, processed.body], 'an equal report changes nothing')
  assert.equal(code(await s.report('queued')), '409 processing_already_completed')
  assert.deepEqual(await s.status(), processed.body.status)
  assert.deepEqual(await s.told(), [2, 3, 4])
})

test('a message is reported before it was acknowledged', async () => {
  const s = await sentMessage()
  assert.equal((await s.report('queued')).body.status.version, 2)
  assert.equal((await s.report('queued')).body.status.version, 2)
  assert.equal((await s.report('processed')).body.status.version, 3)
  await s.acknowledge()
  const status = await s.status()
  assert.deepEqual([status['version'], status['delivery_status']], [4, 'delivered'])
  assert.deepEqual(await s.told(), [2, 3, 4])
})

test('a message is processed without having been queued', async () => {
  const s = await sentMessage()
  const { status } = (await s.report('processed')).body
  assert.deepEqual([status.version, status.queued_at, status.processing_status], [2, null, 'processed'])
  assert.equal(code(await s.report('queued')), '409 processing_already_completed')
  await s.acknowledge()
  assert.equal((await s.status())['version'], 3)
})

test('only the recipient reports, and only the two parties read', async () => {
  const s = await sentMessage()
  const eve = await w.agent('eve')
  assert.equal(code(await s.report('queued', s.ann)), '403 forbidden')
  assert.equal(code(await s.report('queued', eve)), '404 not_found')
  assert.equal(code(await eve.get(`/messages/${s.message.id}/status`)), '404 not_found')
  const id = randomUUID()
  assert.equal(code(await s.ann.get(`/messages/${id}/status`)), '404 not_found')
  assert.equal(code(await s.ann.post(`/messages/${id}/processing`, { status: 'queued' })), '404 not_found')
  assert.deepEqual(await s.status(), fresh(s.message.created_at))
})

test('parallel reports and an acknowledgement produce each version once', async () => {
  for (let round = 0; round < 5; round++) {
    const s = await sentMessage()
    const [answers] = await Promise.all([
      race(20, (index) => s.report(index % 2 ? 'queued' : 'processed')),
      s.acknowledge(),
    ])
    for (const answer of answers) assert.ok(['200', '409 processing_already_completed'].includes(code(answer)))
    const status = await s.status()
    assert.equal(status['processing_status'], 'processed')
    assert.equal(status['delivery_status'], 'delivered')
    const expected = status['queued_at'] === null ? [2, 3] : [2, 3, 4]
    assert.equal(status['version'], expected.at(-1))
    assert.deepEqual((await s.told()).sort(), expected)
  }
})

test('a suspended recipient still reports', async () => {
  const s = await sentMessage()
  await w.sql`update agents set suspended_at = ${w.now()} where id = ${s.bob.id}`
  assert.equal(code(await s.report('processed')), '200')
  await w.sql`update agents set suspended_at = null where id = ${s.bob.id}`
})

test('one statement acknowledges a message and its status event: the sender is notified once', async () => {
  const { ann, bob, message, report } = await sentMessage()
  assert.equal((await report('queued')).status, 200)
  const events = () => w.sql<{ recipientId: string; minVersion: number; eventId: string; kind: string }>`
    select recipient_id as "recipientId", min_version as "minVersion", id as "eventId", kind from events
    where subject_id = ${message.id} order by kind`
  const both = await events()
  assert.deepEqual(
    both.map(({ recipientId, kind }) => [recipientId, kind]),
    [
      [bob.id, 'message.created'],
      [ann.id, 'message.status_changed'],
    ],
  )
  await createAcknowledge(w.service, [delivered])(both)
  const left = await events()
  assert.deepEqual(
    left.map(({ recipientId, kind }) => [recipientId, kind]),
    [[ann.id, 'message.status_changed']],
  )
})
