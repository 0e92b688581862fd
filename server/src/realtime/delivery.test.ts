// Delivery: at least once, oldest first, at most 256 in flight, kinds by version. docs/contract/events.md#delivery.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { orderChanged, samplePayload } from '../../test/events.ts'
import { filed } from '../../test/feedback.ts'
import { story } from '../../test/story.ts'
import { publish } from '../../test/tasks.ts'
import { type Agent, befriend, type EventSocket, eventually, race } from '../../test/world.ts'
import { type EventKind, eventKinds, sinceOf } from '../events/kinds.ts'
import { minutes } from '../kernel/clock.ts'
import type { Query } from '../store/sql.ts'
import { oldestEvents } from './backlog.ts'

let serial = 0
const { w } = story()

const eventsOf = ({ frames }: EventSocket) => frames.filter(({ type }) => type === 'event')
const idsOf = (socket: EventSocket) => eventsOf(socket).map(({ event_id }) => String(event_id))
const count = (socket: EventSocket, wanted: number) =>
  eventually(
    () => eventsOf(socket).length >= wanted || undefined,
    `${wanted} events, there are ${eventsOf(socket).length}`,
  )

const agent = (): Promise<Agent> => {
  serial += 1
  return w.agent(`agent_${serial}`)
}

/** Events of a kind in the outbox, their ids in order. */
async function fill(to: Agent, howMany: number, kind: EventKind = 'order.changed'): Promise<string[]> {
  const rows = await w.sql<{ id: string }>`
    insert into events (recipient_id, min_version, id, kind, subject_id, payload, created_at)
    select ${to.id}, ${sinceOf(kind)}, (lpad(to_hex(n + 4096 * ${serial}), 8, '0') || '-0000-7000-8000-' || lpad(to_hex(${sinceOf(kind)}::int), 12, '0'))::uuid, ${kind}, gen_random_uuid(),
      ${JSON.stringify(samplePayload(kind))}, ${w.now()}
    from generate_series(1, ${howMany}) n returning id`
  return rows.map(({ id }) => id).sort()
}

test('an event whose write was answered late does not come again after it was acknowledged', async () => {
  const bob = await agent()
  const ada = await agent()
  await befriend(ada, bob)
  const former = await bob.events()
  const told = async (socket: EventSocket) => {
    const { body } = await ada.send(bob)
    const event = await socket.next('message.created')
    assert.equal(event.payload.id, body.message.id)
    await socket.acked(event)
    return event
  }
  const begunAt = performance.now()
  const { event_id: id = '', payload } = await told(former)
  await former.close()
  // The clock is as it was, or is set back, so that the connection seems older than the event.
  for (const jump of [0, minutes(-1)]) {
    w.travel(jump)
    const socket = await bob.events()
    await told(socket)
    // As when the database committed it, another node delivered it, and only then the answer came to the node that wrote it.
    w.service.hub.push([{ id, recipientId: bob.id, kind: 'message.created', payload, begunAt }])
    await told(socket)
    await socket.close()
  }
})

test('each version gets the event kinds it knows, oldest first; the others wait for a newer connection', async () => {
  const bob = await agent()
  const kinds = Object.keys(eventKinds) as EventKind[]
  // Newest kinds first, so that age and version disagree.
  const made = [...kinds].reverse()
  // What these are about has to be there for him.
  const task = await publish(w, await agent())
  const subjects: Partial<Record<EventKind, string>> = {
    'task.available': task.id,
    'task.changed': task.id,
    'feedback.changed': (await filed(bob, 'problem')).id,
  }
  for (const [at, kind] of made.entries()) {
    await w.sql`
      insert into events (recipient_id, min_version, id, kind, subject_id, payload, created_at)
      values (${bob.id}, ${sinceOf(kind)}, ${`00000000-0000-7000-8000-${String(at).padStart(12, '0')}`}, ${kind},
        ${subjects[kind] ?? randomUUID()}, ${JSON.stringify(samplePayload(kind))}, ${w.now()})`
  }
  await w.sql`delete from events where kind = 'message.created'`
  for (let version = 1; version <= 10; version++) {
    const expected = made.filter((kind) => sinceOf(kind) <= version && kind !== 'message.created')
    const socket = await bob.events(version)
    await count(socket, expected.length)
    // A second read of the outbox brings nothing that was not due.
    w.service.hub.wake([bob.id])
    socket.ack('00000000-0000-7000-8000-ffffffffffff')
    await eventually(() => socket.frames.find(({ type }) => type === 'error'), 'an answer')
    assert.deepEqual(
      eventsOf(socket).map(({ kind }) => kind),
      expected,
      `version ${version}`,
    )
    await socket.close()
  }
})

test('an older connection gets no newer kind live, and acknowledged events do not come again', async () => {
  serial += 1
  const [ann, bob] = await w.friends(`ann_${serial}`, `bob_${serial}`)
  const old = await ann.events(4)
  await old.acked(await old.next('contact.accepted'))
  const { message } = (await ann.send(bob)).body
  await bob.post(`/messages/${message.id}/processing`, { status: 'queued' })
  await bob.send(ann)
  await old.acked(await old.next('message.created'))
  assert.deepEqual(
    eventsOf(old).map(({ kind }) => kind),
    ['contact.accepted', 'message.created'],
  )
  const fresh = await ann.events(5)
  const waited = await fresh.next()
  assert.deepEqual([waited.kind, waited.payload], ['message.status_changed', { message_id: message.id, version: 2 }])
  await bob.post(`/messages/${message.id}/processing`, { status: 'processed' })
  assert.deepEqual((await fresh.next()).payload, { message_id: message.id, version: 3 })
  assert.equal(eventsOf(old).length, 2)
  await Promise.all([old.close(), fresh.close()])
})

test('unacknowledged events are redelivered in the same order, on every connection', async () => {
  const bob = await agent()
  const ids = await fill(bob, 100)
  for (let round = 0; round < 3; round++) {
    const socket = await bob.events()
    await count(socket, ids.length)
    assert.deepEqual(idsOf(socket), ids)
    // Every third is acknowledged.
    const done = ids.filter((_, index) => index % 3 === 0)
    for (const id of done) socket.ack(id)
    await eventually(
      () => socket.frames.filter(({ type }) => type === 'acked').length === done.length || undefined,
      'acked',
    )
    for (const id of done) ids.splice(ids.indexOf(id), 1)
    if (round % 2) socket.socket.terminate()
    else await socket.close()
  }
})

test('256 events are in flight, one more per acknowledgement, and all 1,500 arrive in order', async () => {
  const bob = await agent()
  const ids = await fill(bob, 1500)
  const socket = await bob.events()
  await count(socket, 256)
  socket.ack('00000000-0000-7000-8000-ffffffffffff')
  await eventually(() => socket.frames.find(({ type }) => type === 'error'), 'an answer')
  assert.deepEqual(idsOf(socket), ids.slice(0, 256))
  await socket.acked(ids[200] as string)
  await count(socket, 257)
  const seen = new Set<string>([ids[200] as string])
  while (seen.size < ids.length) {
    const fresh = idsOf(socket).filter((id) => !seen.has(id))
    const unacknowledged = eventsOf(socket).length - seen.size
    assert.ok(unacknowledged <= 256, `${unacknowledged} in flight`)
    for (const id of fresh) {
      seen.add(id)
      socket.ack(id)
    }
    await new Promise((resolve) => setTimeout(resolve, 1))
  }
  assert.deepEqual(idsOf(socket), ids)
  await eventually(
    async () => (await w.sql`select 1 from events where recipient_id = ${bob.id}`).length === 0,
    'all gone',
  )
  await socket.close()
})

test('a connection that never acknowledges advances when the other one acknowledges, on any node', async () => {
  const other = await w.node()
  for (const node of [w, other]) {
    const bob = await agent()
    const first = await fill(bob, 300)
    const [listening, receiving] = [await bob.events(), await bob.events(10, node)]
    await Promise.all([count(listening, 256), count(receiving, 256)])
    for (const id of first.slice(0, 256)) receiving.ack(id)
    // What was not sent there yet cannot be acknowledged there.
    await Promise.all([count(listening, 300), count(receiving, 300)])
    assert.deepEqual(idsOf(listening), first)
    for (const id of first.slice(256)) await receiving.acked(id)
    for (const id of first) listening.ack(id)
    await eventually(() => listening.frames.filter(({ type }) => type === 'acked').length === 300 || undefined, 'acked')
    await Promise.all([listening.close(), receiving.close()])
  }
})

test('many senders and an intermittent receiver: every message arrives, in order per sender', async () => {
  serial += 1
  const bob = await w.agent(`bob_${serial}`)
  const senders = await Promise.all(Array.from({ length: 6 }, (_, index) => w.agent(`sender_${index}`)))
  for (const sender of senders) {
    const { contact } = (await sender.post('/contacts/requests', { recipient_id: bob.id })).body
    await bob.post(`/contacts/${contact.id}/accept`)
  }
  await w.sql`delete from events`
  const sent = new Map<string, string[]>(senders.map(({ id }) => [id, []]))
  const perSender = 60
  let sending = true
  const all = race(senders.length, async (index) => {
    const sender = senders[index] as Agent
    let last = await sender.send(bob)
    sent.get(sender.id)?.push(last.body.message.id)
    for (let i = 1; i < perSender; i++) {
      last = await sender.send(bob)
      sent.get(sender.id)?.push(last.body.message.id)
    }
    return last
  }).finally(() => {
    sending = false
  })
  const first = new Map<string, string[]>(senders.map(({ id }) => [id, []]))
  const seen = new Set<string>()
  const total = senders.length * perSender
  while (seen.size < total) {
    const socket = await bob.events()
    const here: string[] = []
    socket.socket.on('message', (data) => {
      const frame = JSON.parse(String(data))
      if (frame.type !== 'event') return
      here.push(frame.event_id)
      if (!seen.has(frame.payload.id)) {
        seen.add(frame.payload.id)
        first.get(frame.payload.sender_id)?.push(frame.payload.id)
      }
      socket.ack(frame.event_id)
    })
    const wanted = Math.min(total, seen.size + 40)
    // While messages come, the receiver goes away again and again, sometimes without a word.
    await eventually(() => seen.size >= wanted || (!sending && seen.size === total) || undefined, 'more messages')
    assert.equal(new Set(here).size, here.length, 'nothing comes twice on one connection')
    if (wanted % 3) socket.socket.terminate()
    else await socket.close()
  }
  await all
  for (const { id } of senders) assert.deepEqual(first.get(id), sent.get(id), 'in the order of its sender')
})

test('among ten thousand unacknowledged events, half of unknown kinds, the first arrive at once', async () => {
  const bob = await agent()
  await w.sql`
    insert into events (recipient_id, min_version, id, kind, subject_id, payload, created_at)
    select ${bob.id}, case when n % 2 = 0 then 1 else 9 end, gen_random_uuid(),
      case when n % 2 = 0 then 'order.changed' else 'staff.changed' end, gen_random_uuid(),
      case when n % 2 = 0 then ${orderChanged}::json else ${JSON.stringify(samplePayload('staff.changed'))}::json end, ${w.now()}
    from generate_series(1, 10000) n`
  for (const version of [1, 5, 10]) {
    const socket = await bob.events(version)
    await count(socket, 256)
    assert.ok(eventsOf(socket).every(({ kind }) => version > 8 || kind === 'order.changed'))
    await socket.close()
  }
})

test('delivery reads a bounded amount: a window per version, whatever waits and whatever went before', async () => {
  const [bob, cid] = [await agent(), await agent()]
  await w.sql`
    insert into events (recipient_id, min_version, id, kind, subject_id, payload, created_at)
    select ${bob.id}, n % 10 + 1, gen_random_uuid(), 'order.changed', gen_random_uuid(), ${orderChanged}, ${w.now()}
    from generate_series(1, 10000) n`
  await w.sql`
    insert into events (recipient_id, min_version, id, kind, subject_id, payload, created_at)
    select ${cid.id}, 1, gen_random_uuid(), 'order.changed', gen_random_uuid(), ${orderChanged}, ${w.now()}
    from generate_series(1, 10000) n`
  await w.sql`delete from events where recipient_id = ${cid.id}`
  await fill(cid, 5)
  for (const [to, version, most] of [
    [bob, 1, 256],
    [bob, 10, 2560],
    [cid, 10, 5],
  ] as const) {
    const plans: Plan[] = []
    const explaining = (async (strings: TemplateStringsArray, ...values: unknown[]) => {
      const [first, ...rest] = strings as unknown as [string, ...string[]]
      const explained = [`explain (analyze, format json) ${first}`, ...rest]
      const [row] = await w.service.hot<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
        Object.assign(explained, { raw: explained }) as unknown as TemplateStringsArray,
        ...values,
      )
      plans.push((row as { 'QUERY PLAN': [{ Plan: Plan }] })['QUERY PLAN'][0].Plan)
      return []
    }) as unknown as Query
    await oldestEvents(explaining, w.now(), [{ recipientId: to.id, version, sent: [], most: 256 }])
    const scans = plans.flatMap(scansOf).filter((plan) => plan['Relation Name'] === 'events')
    assert.ok(scans.length > 0)
    for (const scan of scans) {
      assert.match(scan['Node Type'], /^Index (Only )?Scan$/)
      const rows = (scan['Actual Rows'] + (scan['Rows Removed by Filter'] ?? 0)) * scan['Actual Loops']
      assert.ok(rows <= most + 10, `${rows} rows for version ${version}`)
    }
  }
})

interface Plan {
  'Node Type': string
  'Relation Name'?: string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  Plans?: Plan[]
}

const scansOf = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(scansOf)]
