// Connections that go silent without an end, as behind a firewall that forgot them, and a database that takes no
// renewals. docs/operating.md, Several nodes.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { test } from 'node:test'
import pg from 'pg'
import { story } from '../../test/story.ts'
import { type Agent, eventually } from '../../test/world.ts'
import { createHub } from '../events/hub.ts'
import { createChannel } from './channel.ts'

/** Stands before PostgreSQL, and lets the wake-up connections of before fall silent. */
async function startProxy(databaseUrl: string) {
  const url = new URL(databaseUrl)
  const [folder, host, port] = [url.searchParams.get('host'), url.hostname, Number(url.port || 5432)]
  const upstream = (): Socket => (folder ? connect(`${folder}/.s.PGSQL.${port}`) : connect(port, host))
  const open = new Set<Socket>()
  const wakeups: [Socket, Socket][] = []
  const server: Server = createServer((client) => {
    const database = upstream()
    for (const [from, to] of [
      [client, database],
      [database, client],
    ] as const) {
      open.add(from)
      from.on('error', () => to.destroy())
      from.on('close', () => open.delete(from) && to.destroy())
      from.pipe(to)
    }
    client.once('data', (startup) => String(startup).includes('kith wake-ups') && wakeups.push([client, database]))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url.searchParams.delete('host')
  url.hostname = '127.0.0.1'
  url.port = String((server.address() as { port: number }).port)
  return {
    url: url.href,
    /** How many wake-up connections there have been. */
    count: () => wakeups.length,
    silence() {
      for (const pair of wakeups) for (const socket of pair) socket.unpipe().pause()
    },
    stop() {
      server.close()
      for (const socket of open) socket.destroy()
    },
  }
}

const { w } = story()

/** What takes its limits of seconds, on a busy machine. */
async function inTime<T>(attempt: () => Promise<T | undefined> | T | undefined, what: string): Promise<T> {
  for (let round = 0; round < 5; round++) {
    const value = await eventually(attempt, what).catch(() => undefined)
    if (value !== undefined) return value
  }
  throw new Error(`never came: ${what}`)
}

test('a silent wake-up connection is reopened, and no event is lost meanwhile', async () => {
  const proxy = await startProxy(w.databaseUrl)
  try {
    const other = await w.node({ DATABASE_URL: proxy.url })
    const [ann, bob] = (await w.friends('ann', 'bob')) as unknown as [Agent, Agent]
    await w.sql`delete from events`
    const there = await bob.events(10, other)
    const talk = async (): Promise<void> => {
      const { message } = (await ann.send(bob)).body
      const event = await there.next('message.created')
      assert.equal(event.payload.id, message.id)
      await there.acked(event)
    }
    await talk()
    assert.equal(proxy.count(), 1)
    proxy.silence()
    await talk()
    await inTime(() => proxy.count() > 1 || undefined, 'another wake-up connection')
    await talk()
    await there.close()
    await other.running.stop()
  } finally {
    proxy.stop()
  }
})

const channelOf = (nodeId: string) =>
  createChannel(
    { ...w.service, nodeId, hub: createHub() },
    {
      acknowledged: [],
      connection: { connectionString: w.databaseUrl },
      redisUrl: undefined,
      alone: false,
      listensOn: randomUUID(),
    },
  )

test('a node that cannot renew its row for longer than a lease reports that, until it can', async () => {
  const channel = channelOf(randomUUID())
  await channel.start()
  await channel.check()
  const holder = new pg.Client({ connectionString: w.databaseUrl })
  await holder.connect()
  await holder.query('begin')
  await holder.query('lock table nodes in share row exclusive mode')
  const isWell = () =>
    channel.check().then(
      () => true,
      () => false,
    )
  try {
    await inTime(async () => !(await isWell()) || undefined, 'word of it')
  } finally {
    await holder.query('rollback')
    await holder.end()
  }
  await inTime(async () => (await isWell()) || undefined, 'all well again')
  await channel.stop()
})

test('a node whose sockets are closed stays registered until it stops, and holds no lease meanwhile', async () => {
  const nodeId = randomUUID()
  const channel = channelOf(nodeId)
  await channel.start()
  const agent = await w.agent('held')
  await w.sql`
    insert into connections (id, agent_id, node_id, expires_at)
    values (${randomUUID()}, ${agent.id}, ${nodeId}, ${new Date(w.now().getTime() + 30_000)})`
  const nodes = () => w.sql`select 1 from nodes where id = ${nodeId}`
  await channel.closeSockets()
  assert.equal((await w.sql`select 1 from connections where node_id = ${nodeId}`).length, 0)
  assert.equal((await nodes()).length, 1, "what its last requests do is not taken for a dead one's")
  await channel.stop()
  assert.equal((await nodes()).length, 0)
})
