// The event receiver against a channel that breaks: stored before acknowledged, handed over at least once, reconnected.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { generateKeyPair } from '../src/box.ts'
import { KithBusyError, KithReceiverError, KithTokenLostError } from '../src/errors.ts'
import { connectSocket } from '../src/node/socket.ts'
import { openFolder, openIdentity, type Receiver, type ReceiverOptions, type ReceiverStatus } from '../src/node.ts'
import type { End } from '../src/receiver.ts'
import type { KithEvent } from '../src/types.ts'
import { temporaryFolder, world } from './fixtures.ts'
import { attachSocket } from './standin-socket.ts'

const event = (n: number): KithEvent => ({
  event_id: `0198c000-0000-7000-8000-${String(n).padStart(12, '0')}`,
  kind: 'order.changed',
  payload: { order_id: '0198c000-0000-7000-8000-000000000001', status: 'funded', version: n },
})

async function channel(t: TestContext) {
  const receivers: Receiver[] = []
  // Registered first, so that it runs before the folder goes.
  t.after(() => Promise.all(receivers.map((receiver) => receiver.close())))
  const here = await world(t, { store: await openFolder(await temporaryFolder(t)) })
  const socket = attachSocket(here.service.server, here.service.tokens)
  const folder = (here.store as Awaited<ReturnType<typeof openFolder>>).path
  const statuses: ReceiverStatus[] = []
  const agent = await openIdentity(folder, { runtime: here.runtime })
  const receive = async (options: ReceiverOptions = {}) => {
    const receiver = await agent.receive({ onStatus: (status) => statuses.push(status), ...options })
    receivers.push(receiver)
    return receiver
  }
  return { ...here, agent, socket, folder, receive, statuses }
}

async function take(receiver: Receiver, count: number): Promise<KithEvent[]> {
  const taken: KithEvent[] = []
  const events = receiver[Symbol.asyncIterator]()
  while (taken.length < count) {
    const next = await events.next()
    if (next.done) break
    taken.push(next.value)
  }
  return taken
}

async function until(met: () => boolean): Promise<void> {
  // Longer than anything takes on a machine whose cores are all busy.
  for (const deadline = performance.now() + 240_000; !met() && performance.now() < deadline; ) await sleep(5)
  assert.ok(met())
}

test('events arrive in order over the highest version, with the token only in the header', async (t) => {
  const { socket, receive } = await channel(t)
  socket.events.push(event(1), event(2))
  const receiver = await receive()
  assert.deepEqual(await take(receiver, 2), [event(1), event(2)])
  socket.emit(event(3))
  assert.deepEqual(await take(receiver, 1), [event(3)])
  await until(() => socket.events.length === 0)
  assert.deepEqual(
    socket.acks,
    [event(1), event(2), event(3)].map((each) => each.event_id),
  )
  const [handshake] = socket.handshakes
  assert.equal(handshake!.protocol, 'platform.events.v11')
  assert.match(handshake!.authorization!, /^Bearer kith_/)
  assert.equal(handshake!.url, '/ws/v1/events/')
})

test('an older version can be chosen, even none', async (t) => {
  for (const [protocol, header] of [
    ['platform.events.v4', 'platform.events.v4'],
    ['legacy', undefined],
  ] as const) {
    const { socket, receive } = await channel(t)
    await receive({ protocol })
    await until(() => socket.handshakes.length === 1)
    assert.equal(socket.handshakes[0]!.protocol, header)
  }
})

test('an unfinished event is redelivered by the next receiver, and is not acknowledged twice', async (t) => {
  const { socket, receive } = await channel(t)
  socket.events.push(event(1), event(2))
  const first = await receive()
  for (const each of await take(first, 2)) if (each.event_id === event(1).event_id) await first.done(each)
  await until(() => socket.events.length === 0)
  await first.close()
  const second = await receive()
  assert.deepEqual(await take(second, 1), [event(2)])
  assert.equal(socket.acks.length, 2)
})

test('a repeated event is acknowledged again, but not delivered again', async (t) => {
  const { socket, receive } = await channel(t)
  socket.deaf = true
  socket.events.push(event(1))
  const receiver = await receive()
  await receiver.done((await take(receiver, 1))[0]!)
  await until(() => socket.acks.length === 1)
  socket.deaf = false
  for (const open of socket.open) open.close(1001)
  await until(() => socket.events.length === 0)
  socket.emit(event(2))
  assert.deepEqual(await take(receiver, 1), [event(2)])
})

test('the receiver reconnects after every close that is temporary', async (t) => {
  const { socket, receive, statuses } = await channel(t)
  socket.closeWith.push(1001, 1013, 1006, 1011)
  socket.refuse.push({ status: 503 }, { status: 403 }, { status: 500 })
  // As a proxy says them that asks for a login, or knows no such path.
  for (const status of [401, 400, 404, 426]) socket.refuse.push({ status, isForeign: true })
  socket.events.push(event(1))
  const receiver = await receive()
  assert.deepEqual(await take(receiver, 1), [event(1)])
  assert.equal(statuses.filter(({ state }) => state === 'waiting').length, 11)
})

test('delays grow with jitter, and honour Retry-After and the connection limit', async (t) => {
  const { socket, receive, runtime } = await channel(t)
  socket.refuse.push({ status: 503 }, { status: 503 }, { status: 503, headers: { 'retry-after': '120' } })
  // A year is more than a proxy may ask for, and a date is not of the contract.
  for (const wait of ['31536000', '999999999', '-1', 'Fri, 31 Dec 2999 23:59:59 GMT', '1e9'])
    socket.refuse.push({ status: 503, isForeign: true, headers: { 'retry-after': wait } })
  socket.closeWith.push(4429)
  const receiver = await receive({ backoff: { baseMs: 1_000, capMs: 4_000 } })
  socket.emit(event(1))
  await take(receiver, 1)
  const [hour, jitter] = [3_602_000, 2_000]
  assert.deepEqual(runtime.slept, [500, 1_000, 122_000, hour, hour, jitter, jitter, jitter, 32_000])
})

test('the receiver stops when reconnecting cannot help', async (t) => {
  for (const [code, arrange] of [
    [4400, 'close'],
    [4403, 'close'],
    [400, 'refuse'],
    [404, 'refuse'],
  ] as const) {
    const { socket, receive } = await channel(t)
    if (arrange === 'close') socket.closeWith.push(code)
    else socket.refuse.push({ status: code })
    await assert.rejects(take(await receive(), 1), (error) => error instanceof KithReceiverError && error.code === code)
    assert.equal(socket.handshakes.length, 1)
  }
})

test('a rotated token reopens the channel at once; a dead token stops it with a typed error', async (t) => {
  const { socket, receive, agent, service, runtime } = await channel(t)
  const receiver = await receive()
  await until(() => socket.open.size === 1)
  await agent.tokens.rotate()
  for (const open of socket.open) open.close(4401)
  socket.events.push(event(1))
  assert.deepEqual(await take(receiver, 1), [event(1)])
  assert.deepEqual(runtime.slept, [])
  service.tokens.clear()
  for (const open of socket.open) open.close(4401)
  await assert.rejects(take(receiver, 1), KithTokenLostError)
  await assert.rejects(receiver.done(event(1)), KithTokenLostError, 'too late: it comes again')
})

test('a rotation by another process that takes longer than the wait for its lock does not end the receiver', async (t) => {
  const { socket, receive, agent, store, statuses } = await channel(t)
  const receiver = await receive()
  await until(() => socket.open.size === 1)
  await agent.tokens.rotate()
  socket.events.push(event(1))
  const { lock } = agent.folder
  agent.folder.lock = (name) => lock(name, 0)
  const unlock = await store.lock('token')
  for (const open of socket.open) open.close(4401)
  assert.deepEqual(await take(receiver, 1), [event(1)])
  assert.ok(statuses.some((status) => status.state === 'waiting'))
  await unlock()
})

test('two receivers of one identity do not run at once', async (t) => {
  const { folder, receive } = await channel(t)
  const receiver = await receive()
  await assert.rejects((await openIdentity(folder)).receive(), KithBusyError)
  await receiver.close()
  await (await (await openIdentity(folder)).receive()).close()
})

test('too many unfinished events hold back the acknowledgements', async (t) => {
  const { socket, receive } = await channel(t)
  socket.events.push(...[1, 2, 3, 4, 5].map(event))
  const receiver = await receive({ maxPending: 2 })
  const [one, two] = await take(receiver, 2)
  await until(() => socket.acks.length >= 2)
  await sleep(50)
  assert.equal(socket.acks.length, 2)
  await receiver.done(one!)
  await receiver.done(two!)
  const rest = await take(receiver, 2)
  assert.deepEqual(rest, [event(3), event(4)])
  for (const each of rest) await receiver.done(each)
  assert.deepEqual(await take(receiver, 1), [event(5)])
})

test('unknown frames are skipped, and unknown event kinds are delivered', async (t) => {
  const { socket, receive, statuses } = await channel(t)
  const receiver = await receive()
  await until(() => socket.open.size === 1)
  for (const open of socket.open)
    for (const frame of [
      'nonsense',
      '[]',
      'null',
      '{"type":"event"}',
      // The second is not too deep for this program, but for one in Python that opens the same inbox.
      ...[60_000, 995].map((levels) =>
        JSON.stringify({ type: 'event', ...event(9), payload: 'deep' }).replace(
          '"deep"',
          `{"a":${'['.repeat(levels)}${']'.repeat(levels)}}`,
        ),
      ),
      '{"type":"error","error":{"code":"unknown_ack"}}',
    ])
      open.send(frame)
  const future = { ...event(1), kind: 'weather.changed' } as unknown as KithEvent
  socket.emit(future)
  assert.deepEqual(await take(receiver, 1), [future])
  assert.deepEqual(
    statuses.flatMap((status) => (status.state === 'ignored_frame' ? [status.why] : [])).at(-1),
    'unknown_ack',
  )
})

test("a new friend's key is pinned when the event is delivered", async (t) => {
  const { socket, receive, agent } = await channel(t)
  const peer = { id: crypto.randomUUID(), handle: 'eve', encryption_public_key: generateKeyPair().publicKey }
  // What cannot be pinned does not stop the events behind it.
  const odd = [undefined, null, 'eve', { ...peer, id: 'eve' }, { ...peer, encryption_public_key: 'AAAA' }, peer]
  for (const [n, each] of odd.entries())
    socket.events.push({ ...event(n), kind: 'contact.accepted', payload: { peer: each } } as unknown as KithEvent)
  await take(await receive(), odd.length)
  const pins = await agent.pins.all()
  assert.deepEqual(Object.keys(pins), [peer.id])
  assert.equal(pins[peer.id]!.public_key, peer.encryption_public_key)
})

test('an event whose key could not be pinned yet is handed over at the next try', async (t) => {
  const { socket, receive, agent, store } = await channel(t)
  const peer = { id: crypto.randomUUID(), handle: 'eve', encryption_public_key: generateKeyPair().publicKey }
  const accepted = { ...event(1), kind: 'contact.accepted', payload: { peer } } as unknown as KithEvent
  socket.events.push(accepted)
  const receiver = await receive()
  const { lock } = agent.folder
  agent.folder.lock = (name) => lock(name, 0)
  const unlock = await store.lock('pins')
  await assert.rejects(take(receiver, 1), KithBusyError)
  await unlock()
  assert.deepEqual(await take(receiver, 1), [accepted])
})

test('closing ends a waiting loop, and leaving the loop closes', async (t) => {
  const { socket, receive } = await channel(t)
  const receiver = await receive()
  const waiting = take(receiver, 1)
  await until(() => socket.open.size === 1)
  await receiver.close()
  assert.deepEqual(await waiting, [])
  socket.events.push(event(1))
  for await (const each of await receive()) {
    assert.deepEqual(each, event(1))
    break
  }
  await until(() => socket.open.size === 0)
  await (await receive()).close()
})

test('a silent service is abandoned; pings keep the channel open', async (t) => {
  const { socket, service } = await channel(t)
  const connect = (silenceMs: number) =>
    new Promise<End>((end) => {
      const url = `${service.url.replace('http', 'ws')}/ws/v1/events/`
      const [token] = service.tokens.keys()
      connectSocket({ url, token: token!, protocol: undefined, silenceMs }, { open() {}, frame() {}, end })
    })
  assert.deepEqual(await connect(200), { kind: 'closed', code: 1006, reason: '' })
  // Longer than a busy machine keeps this process from its pings.
  const pinged = connect(1_500)
  const pings = setInterval(() => {
    for (const open of socket.open) open.ping()
  }, 50)
  assert.equal(await Promise.race([pinged, sleep(3_000, 'alive')]), 'alive')
  clearInterval(pings)
  await pinged
})
