// Frames of the client: acknowledgements, and what closes a connection. docs/contract/events.md#frames.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { orderChanged } from '../../test/events.ts'
import { story } from '../../test/story.ts'
import { type Agent, type EventSocket, eventually } from '../../test/world.ts'
import { days } from '../kernel/clock.ts'

let serial = 0
const { w } = story()

const pair = (): Promise<[Agent, Agent, string]> => {
  serial += 1
  return w.friends(`ann_${serial}`, `bob_${serial}`)
}

const answerTo = async (socket: EventSocket, id: string): Promise<string> => {
  const before = socket.frames.length
  socket.ack(id)
  const frame = await eventually(
    () => socket.frames.slice(before).find(({ type }) => type !== 'event'),
    'an answer to the acknowledgement',
  )
  if (frame.type === 'error') {
    assert.deepEqual(frame, { type: 'error', error: { code: 'unknown_ack' } })
    return 'unknown_ack'
  }
  assert.deepEqual(frame, { type: 'acked', event_id: id.toLowerCase() })
  return 'acked'
}

test('an event has exactly four fields, and its acknowledgement is answered, even when repeated', async () => {
  const [ann, bob] = await pair()
  const { message } = (await ann.send(bob)).body
  const socket = await bob.events()
  await socket.next('contact.requested')
  const event = await socket.next('message.created')
  assert.deepEqual(event, { type: 'event', event_id: event.event_id, kind: 'message.created', payload: message })
  assert.match(String(event.event_id), /^[0-9a-f-]{36}$/)
  assert.equal(await answerTo(socket, String(event.event_id)), 'acked')
  assert.equal(await answerTo(socket, String(event.event_id)), 'acked')
  assert.equal(await answerTo(socket, String(event.event_id).toUpperCase()), 'acked')
  assert.equal((await w.sql`select 1 from events where id = ${event.event_id}`).length, 0, 'durable when it is said')
  assert.equal(await answerTo(socket, randomUUID()), 'unknown_ack')
  await socket.close()

  const again = await bob.events()
  assert.equal((await again.next()).kind, 'contact.requested', 'what was not acknowledged comes again')
  assert.equal(await answerTo(again, String(event.event_id)), 'unknown_ack', 'not sent on this connection')
  assert.deepEqual(
    again.frames.filter(({ type }) => type === 'event').map(({ kind }) => kind),
    ['contact.requested'],
  )
  await again.close()
})

test('nobody can acknowledge for another agent', async () => {
  const [ann, bob] = await pair()
  await ann.send(bob)
  const [own, foreign] = [await bob.events(), await ann.events()]
  const event = await own.next('message.created')
  assert.equal(await answerTo(foreign, String(event.event_id)), 'unknown_ack')
  assert.equal((await w.sql`select 1 from events where id = ${event.event_id}`).length, 1)
  await Promise.all([own.close(), foreign.close()])
})

test('an event removed by a block, retention or the other connection can still be acknowledged', async () => {
  const [ann, bob, contact] = await pair()
  await ann.send(bob)
  await ann.send(bob)
  await ann.send(bob)
  const [one, two] = [await bob.events(), await bob.events(1)]
  const events = [
    await one.next('message.created'),
    await one.next('message.created'),
    await one.next('message.created'),
  ]
  for (const event of events) assert.equal((await two.next('message.created')).event_id, event.event_id)
  const [first, second, third] = events.map(({ event_id }) => String(event_id)) as [string, string, string]
  assert.equal(await answerTo(two, first), 'acked')
  assert.equal(await answerTo(one, first), 'acked')
  await w.sql`delete from events where id = ${second}`
  assert.equal(await answerTo(one, second), 'acked')
  await ann.post(`/contacts/${contact}/block`)
  assert.equal(await answerTo(one, third), 'acked')
  assert.equal(await answerTo(two, third), 'acked')
  const status = async (nth: number) => {
    const { messages } = (await ann.get('/messages')).body
    return (await ann.get(`/messages/${messages.at(-1 - nth).id}/status`)).body.status.delivery_status
  }
  assert.deepEqual([await status(0), await status(2)], ['delivered', 'not_confirmed'])
  await Promise.all([one.close(), two.close()])
})

const frame = (fields: object): string => JSON.stringify({ type: 'ack', event_id: randomUUID(), ...fields })
const padded = (length: number): string => {
  const bare = frame({})
  return bare.replace('{', `{${' '.repeat(length - bare.length)}`)
}

const wrong: Record<string, string | Buffer> = {
  'no JSON': 'hello',
  'an empty frame': '',
  'an array': '[]',
  'a bare value': '7',
  null: 'null',
  'no type': JSON.stringify({ event_id: randomUUID() }),
  'another type': frame({ type: 'event' }),
  'a type of another case': frame({ type: 'ACK' }),
  'no event_id': JSON.stringify({ type: 'ack' }),
  'an event_id that is no uuid': frame({ event_id: 'x' }),
  'an event_id of as many other characters': frame({ event_id: 'x'.repeat(36) }),
  'an event_id that is a number': frame({ event_id: 7 }),
  'an extra key': frame({ note: 'x' }),
  'a repeated key': `{"type":"ack","type":"ack","event_id":"${randomUUID()}"}`,
  'a binary frame': Buffer.from(frame({})),
  '2049 bytes': padded(2049),
  '300,000 bytes': padded(300_000),
}

test('a malformed frame closes with 4400', async () => {
  serial += 1
  const bob = await w.agent(`bob_${serial}`)
  for (const [name, data] of Object.entries(wrong)) {
    const socket = await bob.events()
    socket.socket.send(data)
    assert.equal(await socket.closed, 4400, name)
  }
  const fits = await bob.events()
  const before = fits.frames.length
  fits.socket.send(padded(2048))
  await eventually(() => fits.frames[before], 'an answer to a frame of 2048 bytes')
  assert.deepEqual(fits.frames.slice(before), [{ type: 'error', error: { code: 'unknown_ack' } }])
  await fits.close()

  const notUtf8 = await bob.events()
  notUtf8.socket.send(Buffer.from([0x22, 0xff, 0x22]), { binary: false })
  assert.equal(await notUtf8.closed, 4400)
  const farewell = await bob.events()
  farewell.socket.close(1000, Buffer.from([0xff]))
  assert.equal(await farewell.closed, 4400, 'a reason that is not UTF-8')
  const fragments = await bob.events()
  for (let i = 0; i < 30; i++) fragments.socket.send(' '.repeat(100), { fin: false })
  assert.equal(await fragments.closed, 4400, 'a long message in many frames')
})

test('more than a thousand frames in ten seconds close with 4429', async () => {
  serial += 1
  const bob = await w.agent(`bob_${serial}`)
  const socket = await bob.events()
  for (let i = 0; i < 1000; i++) socket.ack(randomUUID())
  await eventually(() => socket.frames.length === 1000 || undefined, 'a thousand answers')
  socket.ack(randomUUID())
  assert.equal(await socket.closed, 4429)
  assert.equal(socket.frames.length, 1000)
})

test('a message may have up to 128 fragments; more close with 4400', async () => {
  serial += 1
  const bob = await w.agent(`bob_${serial}`)
  const inPieces = (socket: EventSocket, pieces: readonly string[]) =>
    pieces.forEach((piece, at) => void socket.socket.send(piece, { fin: at === pieces.length - 1 }))
  const socket = await bob.events()
  inPieces(socket, [...frame({})])
  await eventually(() => socket.frames.find(({ type }) => type === 'error'), 'an answer to a byte a fragment')
  inPieces(socket, [...frame({}), ...Array.from({ length: 129 }, () => '')])
  assert.equal(await socket.closed, 4400)
  const endless = await bob.events()
  for (let i = 0; i < 20_000 && endless.socket.readyState === endless.socket.OPEN; i++) {
    endless.socket.send('', { fin: false })
  }
  assert.equal(await endless.closed, 4400, 'a message without an end')
})

test('pongs, pings and fragments count towards the thousand frames', async () => {
  serial += 1
  const bob = await w.agent(`bob_${serial}`)
  const floods: Record<string, (socket: EventSocket) => unknown> = {
    pongs: ({ socket }) => socket.pong(),
    'long pongs': ({ socket }) => socket.pong('x'.repeat(125)),
    pings: ({ socket }) => socket.ping(),
  }
  for (const [name, flood] of Object.entries(floods)) {
    const socket = await bob.events()
    let pongs = 0
    socket.socket.on('pong', () => {
      pongs += 1
    })
    for (let i = 0; i < 999; i++) flood(socket)
    assert.equal(await answerTo(socket, randomUUID()), 'unknown_ack', name)
    assert.equal(pongs, name === 'pings' ? 999 : 0)
    flood(socket)
    assert.equal(await socket.closed, 4429, name)
  }
  // Another agent, whose connections are not those that are just being closed.
  const fragments = await (await w.agent(`cid_${serial}`)).events()
  const half = frame({}).length / 2
  const send = () => {
    const text = frame({})
    fragments.socket.send(text.slice(0, half), { fin: false })
    fragments.socket.send(text.slice(half))
  }
  for (let i = 0; i < 500; i++) send()
  await eventually(() => fragments.frames.length === 500 || undefined, 'five hundred answers')
  send()
  assert.equal(await fragments.closed, 4429, 'a thousand fragments and one')
})

test('fragments of acknowledgements in flight count too', async () => {
  const [ann, bob] = await pair()
  await ann.send(bob)
  const socket = await bob.events()
  const event = await socket.next('message.created')
  for (let i = 0; i < 999; i++) socket.socket.pong()
  const text = frame({ event_id: event.event_id })
  socket.socket.send(text.slice(0, 20), { fin: false })
  socket.socket.send(text.slice(20))
  assert.equal(await socket.closed, 4429)
})

test('a backlog of more than a thousand events may be acknowledged as fast as it arrives', async () => {
  serial += 1
  const bob = await w.agent(`bob_${serial}`)
  const count = 2500
  await w.sql`
    insert into events (recipient_id, min_version, id, kind, subject_id, payload, created_at)
    select ${bob.id}, 1, gen_random_uuid(), 'order.changed', gen_random_uuid(), ${orderChanged}, ${w.now()}
    from generate_series(1, ${count})`
  const socket = await bob.events()
  socket.socket.on('message', (data) => {
    const event = JSON.parse(String(data))
    if (event.type === 'event') socket.ack(event.event_id)
  })
  for (const { event_id, type } of [...socket.frames]) if (type === 'event') socket.ack(String(event_id))
  await eventually(
    () =>
      new Set(socket.frames.filter(({ type }) => type === 'acked').map(({ event_id }) => event_id)).size === count ||
      undefined,
    'every event acknowledged',
  )
  assert.equal((await w.sql`select 1 from events where recipient_id = ${bob.id}`).length, 0)
  await socket.close()
})

test('a token that ends closes its sockets with 4401, a suspension with 4403, on every node', async () => {
  const other = await w.node()
  const endings: [string, number, (agent: Agent) => Promise<unknown>][] = [
    ['rotation', 4401, (agent) => agent.post('/tokens/rotate')],
    ['revocation', 4401, (agent) => agent.post('/tokens/revoke')],
    [
      'expiry',
      4401,
      async (agent) => {
        // Only this one's token is old enough to end.
        await w.sql`update tokens set expires_at = ${new Date(w.now().getTime() + days(60))} where agent_id <> ${agent.id}`
        w.travel(days(30))
      },
    ],
    ['suspension', 4403, (agent) => w.sql`update agents set suspended_at = ${w.now()} where id = ${agent.id}`],
  ]
  for (const [name, expected, end] of endings) {
    const [agent, bystander] = [await w.agent(`ended_${name}`), await w.agent(`other_${name}`)]
    const sockets = [await agent.events(), await agent.events(10, other)]
    const kept = await bystander.events()
    // An answer shows that the connection is established.
    for (const socket of [...sockets, kept]) assert.equal(await answerTo(socket, randomUUID()), 'unknown_ack')
    await end(agent)
    assert.deepEqual(await Promise.all(sockets.map(({ closed }) => closed)), [expected, expected], name)
    if (name !== 'expiry') assert.equal(await answerTo(kept, randomUUID()), 'unknown_ack')
    kept.socket.terminate()
  }
  await w.sql`update agents set suspended_at = null`
})
