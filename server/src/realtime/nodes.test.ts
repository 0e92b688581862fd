// Two nodes on one database: events reach sockets wherever they are, whatever breaks in between.
// docs/contract/events.md#delivery.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import pg from 'pg'
import { breaking } from '../../test/breaking.ts'
import { quietFriends } from '../../test/heard.ts'
import { beforehand, story } from '../../test/story.ts'
import { type Agent, code, connectEvents, type EventSocket, eventually, race } from '../../test/world.ts'
import { createHub, type PushedEvent } from '../events/hub.ts'
import { sinceOf } from '../events/kinds.ts'
import { after, minutes, newId, seconds } from '../kernel/clock.ts'
import type { Service } from '../service.ts'
import type { Query } from '../store/sql.ts'
import { type ChannelOptions, createChannel } from './channel.ts'
import { joinWakeups, type Note, type Siblings } from './wakeups.ts'
import { channelOf } from './wakeups-postgres.ts'

const { w } = story()
const other = beforehand(() => w.node())
const friends = quietFriends(w)

test('an event written on one node reaches the socket on the other, and the acknowledgement returns', async () => {
  const [ann, bob] = await friends()
  const [here, there] = [await ann.events(), await bob.events(10, other)]
  for (let i = 0; i < 10; i++) {
    const { message } = (await ann.send(bob)).body
    const event = await there.next('message.created')
    assert.deepEqual(event.payload, message)
    await there.acked(event)
    assert.deepEqual((await here.next()).payload, { message_id: message.id, version: 2 })
  }
  await Promise.all([here.close(), there.close()])
})

test('unreadable hints are ignored', async () => {
  const [ann, bob] = await friends()
  const there = await bob.events(10, other)
  for (const text of [
    '',
    '{',
    'null',
    '7',
    '[]',
    '{"from":1,"wake":7}',
    '{"from":1,"wake":["x"]}',
    '{"from":1,"probe":"x"}',
    '{"from":1,"hello":true}',
    '{"from":1,"blocked":["x","y",1]}',
    '{"from":"x","blocked":7}',
    '{"from":"x","known":1}',
  ]) {
    await w.sql`select pg_notify('kith_events', ${text})`
  }
  const { message } = (await ann.send(bob)).body
  assert.equal((await there.next()).payload.id, message.id)
  await there.close()
})

test('a hint that was long on its way does not bring back what an earlier connection acknowledged', async () => {
  const [ann, bob] = await friends()
  const there = await ann.events(10, other)
  const tell = async (): Promise<void> => {
    const { message } = (await bob.send(ann)).body
    const next = await there.next()
    assert.equal(next.payload.id, message.id)
    await there.acked(next)
  }
  await tell()
  // By the ID of a node whose clock is a minute ahead, the event is newer than the connection.
  const payload = { message_id: randomUUID(), version: 2 }
  const kind = 'message.status_changed'
  const event = [ann.id, sinceOf(kind), newId(after(w.now(), minutes(1))), kind, payload]
  const note = JSON.stringify({ from: randomUUID(), events: [event] })
  await w.sql`select pg_notify(${channelOf(other.service.nodeId)}, ${note})`
  await tell()
  await there.close()
})

test('without hints the poll delivers everything', async (t) => {
  const [ann, bob] = await friends()
  const there = await bob.events(10, other)
  const mend = await breaking(t, w, 'kith wake-ups', 20)
  const sent: string[] = []
  for (let i = 0; i < 20; i++) sent.push((await ann.send(bob)).body.message.id)
  const got: string[] = []
  for (const _ of sent) got.push((await there.next()).payload.id)
  await mend()
  // What a hint brings may overtake an event whose own hint was lost; none is lost, and none comes twice.
  assert.deepEqual(got.toSorted(), sent.toSorted())
  await there.close()
})

test('a database that drops connections costs at most a 503, and the same request replays', async (t) => {
  const [ann, bob] = await friends()
  const mend = await breaking(t, w, 'kith', 30)
  const envelopes = Array.from({ length: 60 }, () => ann.envelope(bob))
  const codes = new Set<string>()
  const send = async (index: number) => {
    for (;;) {
      const node = index % 2 ? w : other
      const answer = await node.request('POST', '/messages', { token: ann.token, json: envelopes[index] })
      codes.add(code(answer))
      if (answer.status < 400) return answer
      assert.equal(code(answer), '503 service_unavailable')
      assert.ok(answer.headers.get('retry-after'))
    }
  }
  const answers = await race(envelopes.length, send)
  await mend()
  const ids = new Set(answers.map(({ body }) => body.message.id))
  assert.equal(ids.size, envelopes.length)
  const again = await race(envelopes.length, send)
  assert.deepEqual(
    again.map((answer) => [answer.status, answer.body.message]),
    answers.map(({ body }) => [200, body.message]),
  )
  const [stored] = await w.sql<{ messages: number; events: number }>`
    select (select count(*)::int from messages where sender_id = ${ann.id}) as messages,
      (select count(*)::int from events where recipient_id = ${bob.id}) as events`
  assert.deepEqual({ ...stored }, { messages: envelopes.length, events: envelopes.length })
})

test('an acknowledgement that was not saved is not answered, and its event comes again', async (t) => {
  const [ann, bob] = await friends()
  await ann.send(bob)
  const first = await bob.events()
  const event = await first.next()
  const mend = await breaking(t, w, 'kith', 0)
  first.ack(event)
  let isOver = false
  const outcome = await Promise.race([
    first.closed,
    eventually(() => first.frames.find(({ type }) => type === 'acked') ?? (isOver || undefined), 'acked'),
  ])
  isOver = true
  await mend()
  const left = await w.sql`select 1 from events where id = ${event.event_id}`
  if (typeof outcome === 'number') {
    assert.equal(outcome, 1013)
    const second = await eventually(() => bob.events().catch(() => undefined), 'a new connection')
    if (left.length > 0) assert.equal((await second.next()).event_id, event.event_id)
    await second.close()
  } else {
    assert.deepEqual(left, [], 'said only once it is durable')
    await first.close()
  }
})

test('two receivers on two nodes acknowledge the same events in opposite order without a deadlock', async () => {
  const [ann, bob] = await friends()
  const [here, there] = [await bob.events(), await bob.events(10, other)]
  const sent = (await race(100, () => ann.send(bob))).map(({ body }) => body.message.id)
  const events = await Promise.all(
    [here, there].map(async (socket) => {
      const all: string[] = []
      for (const _ of sent) all.push(String((await socket.next()).event_id))
      return all
    }),
  )
  for (const id of events[0] as string[]) here.ack(id)
  for (const id of (events[1] as string[]).toReversed()) there.ack(id)
  for (const socket of [here, there]) {
    await eventually(
      () => socket.frames.filter(({ type }) => type === 'acked').length === sent.length || undefined,
      'acked',
    )
  }
  const [told] = await w.sql<{ count: number }>`
    select count(*)::int as count from events where recipient_id = ${ann.id} and kind = 'message.status_changed'`
  assert.equal(told?.count, sent.length, 'each delivered once')
  await Promise.all([here.close(), there.close()])
})

/** A node beside `w`, and where to connect to it; by itself it is told nothing. */
async function openNode(nodeId: string, options: Partial<ChannelOptions>, parts: Partial<Service> = {}) {
  const service = { ...w.service, nodeId, hub: createHub(), ...parts }
  const none = { connection: undefined, redisUrl: undefined, acknowledged: [] }
  const channel = createChannel(service, { ...none, alone: false, listensOn: nodeId, ...options })
  await channel.start()
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  channel.attach(server)
  return {
    hub: service.hub,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      await channel.stop()
      server.close()
    },
  }
}

/** Two workers beside `w`: one where messages are written, one with the socket of `bob`. What each tells is handed over one by one. */
async function twoWorkers(bob: Agent) {
  const untold: { note: Note; hand: () => void }[] = []
  const hearing = new Map<string, (note: Note) => void>()
  const ids = [randomUUID(), randomUUID()] as const
  const open = (own: string, peer: string) => {
    const siblings: Siblings = {
      has: (id) => id === peer,
      ids: () => [peer],
      tell(note) {
        const entry = {
          note,
          hand() {
            untold.splice(untold.indexOf(entry), 1)
            hearing.get(peer)?.(structuredClone(note))
          },
        }
        untold.push(entry)
      },
      listen: (hear) => void hearing.set(own, hear),
    }
    return openNode(own, { siblings })
  }
  const [writer, holder] = [await open(ids[0], ids[1]), await open(ids[1], ids[0])]
  const told = (what: keyof Note) => eventually(() => untold.find(({ note }) => what in note), `a note: ${what}`)
  const socket = await connectEvents(holder.url, bob.token)
  ;(await told('came')).hand()
  return {
    hub: writer.hub,
    told,
    socket,
    push: (kind: 'message.created' | 'message.status_changed', payload: unknown) => {
      const event = { id: newId(w.now()), recipientId: bob.id, kind, payload, begunAt: performance.now() }
      writer.hub.push([event as PushedEvent])
    },
    async close() {
      await socket.close()
      await Promise.all([writer.close(), holder.close()])
    },
  }
}

for (const [worker, name] of [
  ['answers', 'known'],
  ['is silent', 'silent'],
] as const) {
  test(`a message on its way between workers does not come after a block, if the other worker ${worker}`, async () => {
    const [ann, bob, contact] = await w.friends(`ann_${name}`, `bob_${name}`)
    const { hub, told, socket, push, close } = await twoWorkers(bob)
    const { message } = (await ann.send(bob)).body
    // Only told, so that nothing but the telling can bring it.
    const late = { ...message, id: randomUUID() }
    push('message.created', late)
    await told('events')
    // The node that answers would wait for this worker, which does not listen to it.
    await w.sql`delete from connections where agent_id = ${bob.id}`
    assert.equal(code(await bob.post(`/contacts/${contact}/block`)), '200')
    let isAnswered = false
    const answered = hub.blocked(ann.id, bob.id).then(() => {
      isAnswered = true
    })
    if (name === 'known') {
      ;(await told('blocked')).hand()
      const known = await told('known')
      assert.equal(isAnswered, false, 'the answer waits for the other worker')
      known.hand()
    }
    await answered
    ;(await told('events')).hand()
    // Told by the same way, and so delivered behind it.
    push('message.status_changed', { message_id: message.id, version: 2 })
    ;(await told('events')).hand()
    await socket.next('message.status_changed')
    const heard = socket.frames.flatMap(({ kind, payload }) => (kind === 'message.created' ? [payload.id] : []))
    assert.equal(heard.includes(late.id), false)
    await close()
  })
}

/** Reads of the outbox: once it is told to, those that found messages wait until they are let go. */
function heldReads() {
  let held: Promise<void> | undefined
  let letGo = (): void => {}
  const found = new Set<unknown>()
  const read = async (strings: TemplateStringsArray, ...values: unknown[]) => {
    const rows = await w.service.hot<{ event_id?: string; kind?: string }>(strings, ...values)
    const messages = rows.filter(({ kind }) => kind === 'message.created')
    for (const { event_id } of messages) found.add(event_id)
    if (messages.length > 0) await held
    return rows
  }
  const hot = read as Query
  return {
    hot: Object.assign(hot, { together: <T>(work: (sql: Query) => Promise<T>) => work(hot) }),
    hold() {
      held = new Promise((resolve) => (letGo = resolve))
    },
    found: (...ids: string[]) =>
      eventually(() => ids.every((id) => found.has(id)) || undefined, 'the messages to be read'),
    letGo() {
      held = undefined
      letGo()
    },
  }
}

/** Ann and Bob, who is connected there and up to date. */
async function connected(name: string, url: string) {
  const [ann, bob, contact] = await w.friends(`ann_${name}`, `bob_${name}`)
  const { message } = (await ann.send(bob)).body
  const socket = await connectEvents(url, bob.token)
  assert.equal((await socket.next('message.created')).payload.id, message.id)
  return { ann, bob, contact, socket }
}

const messagesTo = ({ frames }: EventSocket): number => frames.filter(({ kind }) => kind === 'message.created').length

test('a node sends no message that it read before a block, once that is answered on another node', async () => {
  const reads = heldReads()
  const node = await openNode(randomUUID(), { connection: { connectionString: w.databaseUrl } }, reads)
  const { ann, bob, contact, socket } = await connected('read', node.url)
  const answers: string[] = []
  const listener = new pg.Client({ connectionString: w.databaseUrl })
  listener.on('notification', ({ payload = '' }) => answers.push(payload))
  await listener.connect()
  await listener.query(`listen ${channelOf(w.service.nodeId)}`)
  reads.hold()
  await reads.found((await ann.send(bob)).body.message.id)
  assert.equal(code(await ann.post(`/contacts/${contact}/block`)), '200')
  await eventually(() => answers.some((text) => 'known' in JSON.parse(text)) || undefined, 'that node to know')
  await listener.end()
  reads.letGo()
  await socket.next('contact.blocked')
  assert.equal(messagesTo(socket), 1)
  await socket.close()
  await node.close()
})

test('a node that stood still while a block was answered reads again what it had read or written before', async () => {
  const reads = heldReads()
  let hear = (_note: Note): void => {}
  const siblings: Siblings = {
    has: () => false,
    ids: () => [],
    tell() {},
    listen(given) {
      hear = given
    },
  }
  const node = await openNode(randomUUID(), { siblings }, reads)
  const [woken, told, written, calm] = await Promise.all([
    connected('woken', node.url),
    connected('told', node.url),
    connected('written', node.url),
    connected('calm', node.url),
  ])
  reads.hold()
  await w.sql`
    insert into events (recipient_id, min_version, id, kind, subject_id, payload, created_at)
    select ${calm.bob.id}, 1, ${newId(w.now())}, 'order.changed', id,
      jsonb_build_object('order_id', id, 'version', 1, 'status', 'offered'), ${w.now()}
    from gen_random_uuid() as id`
  const kept = (await calm.ann.send(calm.bob)).body.message
  const begunAt = performance.now()
  const all = [woken, told, written]
  const sent = await Promise.all(all.map(async ({ ann, bob }) => (await ann.send(bob)).body.message))
  node.hub.wake([woken.bob.id, calm.bob.id])
  hear({ from: randomUUID(), events: [[told.bob.id, sinceOf('message.created'), sent[1].id]] })
  await reads.found(sent[0].id, sent[1].id, kept.id)
  const blocked = await Promise.all(all.map(({ ann, contact }) => ann.post(`/contacts/${contact}/block`)))
  assert.deepEqual(blocked.map(code), ['200', '200', '200'])
  reads.letGo()
  reads.hold()
  await calm.socket.next('order.changed')
  assert.equal(messagesTo(calm.socket), 1, 'only the message is read again')
  reads.letGo()
  const { id } = sent[2]
  node.hub.push([{ id, recipientId: written.bob.id, kind: 'message.created', payload: sent[2], begunAt }])
  for (const { socket } of all) {
    await socket.next('contact.blocked')
    assert.equal(messagesTo(socket), 1)
    await socket.close()
  }
  await eventually(() => messagesTo(calm.socket) === 2 || undefined, 'the message that nothing ended')
  await calm.socket.close()
  await node.close()
})

test('a block is answered in time even if the nodes that it concerns cannot be found', async (t) => {
  const { sql, log, metrics } = w.service
  const nobody = { peers: () => 0, nodesOf: () => [], holders: () => new Promise<never>(() => {}) }
  const none = { siblings: undefined, redisUrl: undefined }
  const listener = { wake() {}, events() {}, came() {}, probe() {}, hello() {}, blocked() {}, missed() {} }
  const connection = { connectionString: w.databaseUrl }
  const wakeups = await joinWakeups(
    { nodeId: randomUUID(), sql, connection, log, metrics, ...none, ...nobody },
    listener,
  )
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const answered = wakeups.blocked(randomUUID(), randomUUID())
  t.mock.timers.tick(seconds(10))
  t.mock.timers.reset()
  await answered
  await wakeups.close()
})

test('a message that was begun before its receiver got a place is not pushed to it', async () => {
  const node = await openNode(randomUUID(), {})
  const [ann, bob] = await w.friends('ann_early', 'bob_early')
  const holding = new pg.Client({ connectionString: w.databaseUrl })
  await holding.connect()
  await holding.query(`begin; select pg_advisory_xact_lock(hashtextextended('connections ${bob.id}', 0))`)
  const socket = await connectEvents(node.url, bob.token)
  const { message } = (await ann.send(bob)).body
  const begunAt = performance.now()
  await holding.query('commit')
  await holding.end()
  assert.equal((await socket.next('message.created')).payload.id, message.id)
  // Only told, so that nothing but a push can bring it.
  const push = (kind: 'message.created' | 'message.status_changed', payload: object, begunAt: number): void =>
    node.hub.push([{ id: newId(w.now()), recipientId: bob.id, kind, payload, begunAt } as PushedEvent])
  push('message.created', { ...message, id: randomUUID() }, begunAt)
  // A push must not fall into a read that is under way.
  await eventually(() => {
    push('message.status_changed', { message_id: message.id, version: 2 }, performance.now())
    return socket.frames.some(({ kind }) => kind === 'message.status_changed') || undefined
  }, 'a push')
  assert.equal(messagesTo(socket), 1)
  await socket.close()
  await node.close()
})

test('a check of sessions that takes long is not begun again meanwhile', async (t) => {
  const ann = await w.agent('ann_checked')
  const asked = { ended: 0, all: 0 }
  let letGo = (): void => {}
  const held = new Promise<void>((resolve) => (letGo = resolve))
  const query = async (strings: TemplateStringsArray, ...values: unknown[]) => {
    const text = strings.join()
    const what = text.includes('from tokens where revoked_at >')
      ? 'ended'
      : text.includes('h.digest')
        ? 'all'
        : undefined
    if (what) {
      asked[what] += 1
      await held
    }
    return w.service.sql(strings, ...values)
  }
  t.mock.timers.enable({ apis: ['setInterval'] })
  const node = await openNode(randomUUID(), {}, { sql: Object.assign(query as Query, w.service.sql) })
  const socket = await connectEvents(node.url, ann.token)
  const checks = (count: number) =>
    eventually(() => {
      t.mock.timers.tick(seconds(10))
      return (asked.ended >= count && asked.all >= count) || undefined
    }, `${count} checks of each kind`)
  // The checks use the connections to the database that a socket needs for its place.
  const places = () => w.sql`select 1 from connections where agent_id = ${ann.id}`
  await eventually(async () => (await places()).length || undefined, 'the place of the socket')
  await checks(1)
  for (let round = 0; round < 3; round++) t.mock.timers.tick(seconds(10))
  assert.deepEqual(asked, { ended: 1, all: 1 })
  letGo()
  await checks(2)
  await socket.close()
  await node.close()
})
