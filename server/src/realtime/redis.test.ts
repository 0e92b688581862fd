// Two nodes that tell each other by Redis, which may go away and come back. docs/contract/events.md#delivery. Runs
// where redis-server (or valkey-server) is installed.
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'
import { isDeepStrictEqual } from 'node:util'
import pg from 'pg'
import { freePort } from '../../test/launch.ts'
import { find, lacks, needing } from '../../test/programs.ts'
import { type Agent, eventually, type World, world } from '../../test/world.ts'
import { redisLimiter } from '../http/redis-limiter.ts'
import { seconds, systemClock } from '../kernel/clock.ts'
import { createMetrics } from '../metrics.ts'
import { watchful, watchRedis } from '../store/redis.ts'
import { Late } from '../store/within.ts'
import { channelOf } from './wakeups-postgres.ts'

const binary = find('redis-server') ?? find('valkey-server')
const { after, before, test } = needing(lacks('redis-server', binary !== undefined))

let port: number
let redis: ChildProcess | undefined
let w: World
let other: World
let serial = 0

const listens = (): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.on('connect', () => resolve(true))
    socket.on('error', () => resolve(false))
    socket.on('close', () => resolve(false))
    socket.on('connect', () => socket.destroy())
  })

async function startRedis(): Promise<void> {
  const options = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no', '--dir', '/tmp']
  redis = spawn(binary as string, options, { stdio: 'ignore' })
  await eventually(async () => (await listens()) || undefined, 'Redis')
}

async function stopRedis(): Promise<void> {
  if (!redis) return
  const gone = once(redis, 'exit')
  redis.kill('SIGKILL')
  await gone
  redis = undefined
}

before(async () => {
  port = await freePort()
  // The first node starts before its Redis.
  w = await world({ env: { REDIS_URL: `redis://127.0.0.1:${port}` } })
  await startRedis()
  other = await w.node()
})
after(async () => {
  await w.close()
  await stopRedis()
})

async function talk(count: number): Promise<void> {
  serial += 1
  const [ann, bob] = (await w.friends(`ann_${serial}`, `bob_${serial}`)) as unknown as [Agent, Agent]
  await w.sql`delete from events`
  const there = await bob.events(10, other)
  for (let i = 0; i < count; i++) {
    const { message } = (await ann.send(bob)).body
    const event = await there.next('message.created')
    assert.equal(event.payload.id, message.id)
    await there.acked(event)
  }
  await there.close()
}

/** Says something to Redis by another connection. */
async function command(...words: string[]): Promise<unknown> {
  const { createClient } = await import('@redis/client')
  const client = createClient({ url: `redis://127.0.0.1:${port}` })
  client.on('error', () => {})
  await client.connect()
  try {
    return await client.sendCommand(words)
  } finally {
    client.destroy()
  }
}
const subscribers = async (): Promise<number> => {
  const [, count] = (await command('PUBSUB', 'NUMSUB', 'kith_events')) as [string, number]
  return Number(count)
}
/** What this node's metrics say of Redis, by use; and how often it was done without. */
async function told(): Promise<{ connected: Record<string, number>; failures: number }> {
  const { redisConnected, redisFailures } = w.service.metrics
  const connected = (await redisConnected.get()).values.map(({ labels, value }) => [labels.use, value])
  const failures = (await redisFailures.get()).values.reduce((sum, { value }) => sum + value, 0)
  return { connected: Object.fromEntries(connected), failures }
}
const says = (connected: 0 | 1) =>
  eventually(
    async () =>
      isDeepStrictEqual((await told()).connected, { limits: connected, hints: connected, subscription: connected }),
    `metrics with ${connected}`,
  )
const both = async () => (await subscribers()) === 2 || undefined

/** What the other node is told by PostgreSQL from now on. */
async function notifications(): Promise<{ told: string[]; end: () => Promise<void> }> {
  const client = new pg.Client({ connectionString: w.databaseUrl })
  const told: string[] = []
  client.on('notification', ({ payload }) => told.push(String(payload)))
  await client.connect()
  await client.query(`listen ${channelOf(other.service.nodeId)}`)
  return { told, end: () => client.end() }
}

test('events cross nodes through Redis, by polling without it, and through Redis again', async () => {
  await eventually(both, 'two subscribed nodes')
  await says(1)
  await talk(10)
  await stopRedis()
  await says(0)
  const { failures } = await told()
  await talk(1)
  assert.ok((await told()).failures > failures, 'what was done without it is counted')
  await startRedis()
  await says(1)
  await eventually(both, 'two subscribed nodes again')
  await talk(10)
})

test('when Redis is gone or silent NOTIFY takes over at once', async () => {
  await eventually(both, 'two subscribed nodes')
  const [ann, bob] = (await w.friends('ann_told', 'bob_told')) as unknown as [Agent, Agent]
  await w.sql`delete from events`
  const there = await bob.events(10, other)
  // From here on the first node knows where bob is.
  await there.acked((await ann.send(bob)) && (await there.next('message.created')))
  await eventually(
    async () => (await w.sql`select 1 from connections where agent_id = ${bob.id}`).length || undefined,
    'a lease',
  )
  const { told, end } = await notifications()
  const isTold = async (what: string): Promise<void> => {
    const { message } = (await ann.send(bob)).body
    assert.equal((await there.next('message.created')).payload.id, message.id)
    await eventually(() => told.find((text) => text.includes(message.id)), what)
  }
  redis?.kill('SIGSTOP')
  await isTold('a notification while Redis is silent')
  redis?.kill('SIGCONT')
  await stopRedis()
  await isTold('a notification while Redis is gone')
  await startRedis()
  await eventually(both, 'two subscribed nodes again')
  await end()
  await there.close()
  await talk(10)
})

/** Leads to Redis, unless it is silent, and counts who comes. */
async function frontOf(isSilent: () => boolean): Promise<{ url: string; came: () => number; close: () => void }> {
  let came = 0
  const front = createServer((near) => {
    came += 1
    near.on('error', () => {})
    if (isSilent()) return void near.resume()
    const far = connect(port, '127.0.0.1')
    far.on('error', () => near.destroy())
    far.on('close', () => near.destroy())
    near.on('close', () => far.destroy())
    near.pipe(far).pipe(near)
  }).listen(0, '127.0.0.1')
  await once(front, 'listening')
  const url = `redis://127.0.0.1:${(front.address() as AddressInfo).port}`
  return { url, came: () => came, close: () => void front.close() }
}

test('nodes whose clocks are seconds apart share a limit: none of them begins the window of another again', async () => {
  const { log } = w.service
  const metrics = createMetrics()
  const limiters = await Promise.all(
    [seconds(5), 0].map((ahead) => {
      const clock = { now: () => new Date(w.now().getTime() + ahead) }
      return redisLimiter(`redis://127.0.0.1:${port}`, { clock, log, metrics })
    }),
  )
  try {
    // Where Redis answered too late a limiter has counted for itself.
    const taken = await eventually(async () => {
      const key = randomUUID()
      const failures = async () => (await metrics.redisFailures.get()).values.map(({ value }) => value)
      const before = await failures()
      const found = []
      for (const limiter of [...limiters, ...limiters]) found.push(await limiter.take(key, 3, 60))
      return isDeepStrictEqual(await failures(), before) ? found : undefined
    }, 'four uses that Redis counted')
    assert.deepEqual(
      taken.map(({ remaining }) => remaining),
      [2, 1, 0, 0],
    )
    assert.equal(taken.at(-1)?.allowed, false)
    assert.ok(taken.every(({ resetSeconds }) => resetSeconds <= 60))
  } finally {
    for (const limiter of limiters) await limiter.close()
  }
})

test('a Redis that takes no writes is of no use for limits, and a replica is left for what its address leads to', async () => {
  const front = await frontOf(() => false)
  const { log } = w.service
  const metrics = createMetrics()
  const limiter = await redisLimiter(front.url, { clock: systemClock, log, metrics })
  const usable = (expected: boolean) =>
    eventually(async () => {
      assert.equal((await limiter.take('ann', 1000, 60)).allowed, true)
      const [{ value = 0 } = {}] = (await metrics.redisConnected.get()).values
      return (limiter.isUsable() === expected && value === Number(expected)) || undefined
    }, `a Redis that counts: ${expected}`)
  try {
    await usable(true)
    await command('CONFIG', 'SET', 'maxmemory', '1')
    await usable(false)
    await command('CONFIG', 'SET', 'maxmemory', '0')
    await usable(true)
    const before = front.came()
    await command('REPLICAOF', '127.0.0.1', '1')
    await usable(false)
    await eventually(() => front.came() > before || undefined, 'another connection')
    await command('REPLICAOF', 'NO', 'ONE')
    await usable(true)
  } finally {
    await limiter.close()
    front.close()
  }
})

test('a replica is left if its refusal is behind the name of a script, as Redis 6 puts it', async () => {
  const front = await frontOf(() => false)
  const { createClient } = await import('@redis/client')
  const client = createClient({ url: front.url, ...watchful() })
  const redis = watchRedis(client, 'limits', { log: w.service.log, metrics: createMetrics(), patience: seconds(60) })
  try {
    await client.connect()
    const refusal = 'ERR Error running script (call to f_1): @user_script:1: -READONLY This is only a replica.'
    const refuse = () => client.eval('return redis.error_reply(ARGV[1])', { arguments: [refusal] })
    await assert.rejects(redis.ask(refuse), /READONLY/)
    await eventually(() => front.came() > 1 || undefined, 'another connection')
  } finally {
    client.destroy()
    front.close()
  }
})

test('without another request a late answer is forgotten with the next PING, and a refusal after a while', async () => {
  const { createClient } = await import('@redis/client')
  const client = createClient({ url: `redis://127.0.0.1:${port}`, pingInterval: 50 })
  const { log } = w.service
  const watched = (options: { patience: number; refusalLasts?: number }) => {
    const metrics = createMetrics()
    const redis = watchRedis(client, 'limits', { log, metrics, ...options })
    const isConnected = async () => (await metrics.redisConnected.get()).values[0]?.value
    return { ...redis, state: async () => [redis.isUsable(), await isConnected()] }
  }
  const hasty = watched({ patience: 50 })
  const steady = watched({ patience: seconds(60) })
  const forgetful = watched({ patience: seconds(60), refusalLasts: 0 })
  const { promise, resolve } = Promise.withResolvers<void>()
  try {
    await client.connect()
    await assert.rejects(
      hasty.ask(() => promise),
      Late,
    )
    assert.equal(hasty.isUsable(), false)
    resolve()
    await once(client, 'ping-interval')
    assert.deepEqual(await hasty.state(), [true, 1])
    const refuse = () => client.sendCommand(['NOSUCH'])
    for (const each of [steady, forgetful]) await assert.rejects(each.ask(refuse), /unknown command/)
    await once(client, 'ping-interval')
    assert.deepEqual(await steady.state(), [false, 0])
    assert.deepEqual(await forgetful.state(), [true, 1])
  } finally {
    client.destroy()
  }
})

test('a Redis that accepted a connection and said nothing is connected to again', async () => {
  let isSilent = true
  const front = await frontOf(() => isSilent)
  const { createClient } = await import('@redis/client')
  const client = createClient({ url: front.url, ...watchful(300) })
  try {
    client.on('error', () => {
      isSilent = false
    })
    client.connect().catch(() => {})
    await eventually(() => client.isReady || undefined, 'a connection that is answered')
  } finally {
    client.destroy()
    front.close()
  }
})
