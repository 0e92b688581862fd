// A receiver that does not read. docs/contract/events.md#closing; the limit of 30 seconds is a shorter one here.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { beforehand, story } from '../../test/story.ts'
import { connectEvents, eventually } from '../../test/world.ts'
import { acknowledged } from '../app/modules.ts'
import { createHub } from '../events/hub.ts'
import type { Service } from '../service.ts'
import { type Channel, createChannel } from './channel.ts'

let server: Server
let channel: Channel
let url: string
const { w } = story()
beforehand(async () => {
  const connection = { connectionString: w.databaseUrl }
  server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const hub = createHub()
  const service: Service = { ...w.service, publicUrl: url, nodeId: randomUUID(), hub }
  channel = createChannel(service, {
    acknowledged,
    connection,
    redisUrl: undefined,
    alone: false,
    listensOn: randomUUID(),
    stallMilliseconds: 1000,
  })
  channel.attach(server)
  await channel.start()
})
after(async () => {
  await channel.stop()
  server.close()
})

const closedWith = async (code: number): Promise<number> => {
  const { values } = await w.service.metrics.socketsClosed.get()
  return values.find(({ labels }) => labels.code === code)?.value ?? 0
}

test('a stalled socket is closed with 1013, its queue is bounded, and everything arrives on the next connection', async () => {
  const bob = await w.agent('bob')
  const size = 60_000
  await w.sql`
    insert into events (recipient_id, min_version, id, kind, subject_id, payload, created_at)
    select ${bob.id}, 1, gen_random_uuid(), 'order.changed', gen_random_uuid(),
      jsonb_build_object('order_id', gen_random_uuid(), 'version', n, 'status', repeat('x', ${size})), ${w.now()}
    from generate_series(1, 400) n`
  const lazy = await connectEvents(url, bob.token)
  lazy.socket.pause()
  await eventually(async () => (await closedWith(1013)) === 1 || undefined, 'the close')
  lazy.socket.resume()
  // Where it takes longer than the closing handshake may, the connection just ends.
  assert.ok([1013, 1006].includes(await lazy.closed))
  assert.ok(lazy.frames.length < 256, 'no more is read for it than it takes')

  const reading = await connectEvents(url, bob.token)
  reading.socket.on('message', (data) => {
    const { type, event_id } = JSON.parse(String(data))
    if (type === 'event') reading.ack(event_id)
  })
  for (const { event_id } of [...reading.frames]) reading.ack(String(event_id))
  await eventually(
    async () => (await w.sql`select 1 from events where recipient_id = ${bob.id}`).length === 0 || undefined,
    'all read and acknowledged',
  )
  assert.equal(reading.frames.filter(({ type }) => type === 'event').length, 400)
  await reading.close()
})
