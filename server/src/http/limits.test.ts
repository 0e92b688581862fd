// The limits on writes of an agent and on registrations of an address, in one process and shared through Redis.

import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { test } from 'node:test'
import { MessageChannel } from 'node:worker_threads'
import { freePort } from '../../test/launch.ts'
import { lacks } from '../../test/programs.ts'
import { story } from '../../test/story.ts'
import { askSession } from '../../test/visitors.ts'
import { type Agent, type Answer, code, eventually, keyPair, race, type World, world } from '../../test/world.ts'
import { seconds } from '../kernel/clock.ts'
import { memoryLimiter } from '../kernel/limits.ts'
import type { Service } from '../service.ts'
import { answeredWithin } from '../store/redis.ts'
import { addressOf, limitAddress } from './address.ts'

const { w } = story({ env: { WRITE_LIMIT_PER_MINUTE: '5' } })

const limitOf = (answer: Answer) => ({
  policy: answer.headers.get('ratelimit-policy'),
  left: Number(/^"writes";r=(\d+);t=\d+$/.exec(answer.headers.get('ratelimit') ?? '')?.[1] ?? 'NaN'),
  resets: Number(/;t=(\d+)$/.exec(answer.headers.get('ratelimit') ?? '')?.[1] ?? 'NaN'),
})

test('writes are limited per agent; refusals and replays count, reads do not', async () => {
  const me = await w.agent('writer')
  const other = await w.agent('other_writer')
  const first = await me.patch('/bots/me', { bio: 'x' })
  assert.deepEqual([first.status, limitOf(first).policy, limitOf(first).left], [200, '"writes";q=5;w=60', 4])
  assert.ok(limitOf(first).resets > 0 && limitOf(first).resets <= 60)
  // The same request again, a malformed one, a refused one.
  assert.equal(limitOf(await me.patch('/bots/me', { bio: 'x' })).left, 3)
  assert.equal(limitOf(await w.request('PATCH', '/bots/me', { token: me.token, raw: '{' })).left, 2)
  assert.equal(limitOf(await me.post('/contacts/no-id/accept')).left, 1)
  assert.equal(limitOf(await me.post(`/contacts/${randomUUID()}/accept`)).left, 0)
  for (const answer of await race(5, () => me.get('/bots/me'))) {
    assert.equal(answer.status, 200)
    assert.equal(answer.headers.get('ratelimit'), null)
  }
  const over = await me.patch('/bots/me', { bio: 'y' })
  assert.equal(code(over), '429 write_limited')
  assert.match(over.headers.get('retry-after') ?? '', /^[1-9]\d?$/)
  assert.deepEqual([limitOf(over).policy, limitOf(over).left], ['"writes";q=5;w=60', 0])
  assert.equal((await me.get('/bots/me')).status, 200)
  assert.equal((await other.patch('/bots/me', { bio: 'z' })).status, 200, 'another agent has a limit of its own')

  w.travel(seconds(Number(over.headers.get('retry-after'))))
  assert.equal(limitOf(await me.patch('/bots/me', { bio: 'y' })).left, 4, 'a new window')
})

test('exactly the limit of parallel writes passes', async () => {
  const me = await w.agent('parallel')
  const answers = await race(20, () => me.patch('/bots/me', { bio: 'x' }))
  assert.equal(answers.filter(({ status }) => status === 200).length, 5)
  assert.equal(answers.filter((answer) => code(answer) === '429 write_limited').length, 15)
})

test("a revoked token does not use up its agent's write limit, even through messages", async () => {
  const me = await w.agent('robbed')
  const peer = await w.agent('robbed_peer')
  const stolen = me.token
  await me.send(peer)
  me.token = (await me.post('/tokens/rotate')).body.token
  const tries = await race(10, () => w.request('POST', '/messages', { token: stolen, json: {} }))
  for (const answer of tries) assert.equal(code(answer), '401 unauthorized')
  w.travel(seconds(61))
  for (let i = 0; i < 6; i++) {
    assert.equal(
      code(await w.request('POST', '/messages', { token: stolen, json: me.envelope(peer) })),
      '401 unauthorized',
    )
  }
  assert.equal((await me.patch('/bots/me', { bio: 'mine' })).status, 200)
})

test('without a limit there are no rate limit headers', async () => {
  const free = await w.node({ WRITE_LIMIT_PER_MINUTE: '0' })
  const me = await free.agent('free')
  const answers = await race(30, () => me.patch('/bots/me', { bio: 'x' }))
  assert.ok(answers.every(({ status, headers }) => status === 200 && headers.get('ratelimit') === null))
})

// Registration, by address.

async function ask(at: World, forwarded?: string): Promise<string> {
  const name = `r${randomUUID().slice(0, 8)}`
  const answer = await at.request('POST', '/registration/email/request', {
    json: { email: `${name}@example.org`, handle: name, encryption_public_key: keyPair().publicKey },
    headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded },
  })
  if (answer.status === 429) assert.match(answer.headers.get('retry-after') ?? '', /^[1-9]\d{0,3}$/)
  return code(answer)
}
const full = '429 registration_limited'

test('registration emails are limited by address, and forwarded addresses are ignored by default', async () => {
  const plain = await w.node({ REGISTRATION_LIMIT_PER_HOUR: '2' })
  assert.deepEqual(
    [await ask(plain, '1.1.1.1'), await ask(plain, '2.2.2.2'), await ask(plain, '3.3.3.3')],
    ['202', '202', full],
  )
  w.travel(seconds(3601))
  assert.equal(await ask(plain), '202', 'a new hour')
})

test('behind a trusted proxy the rightmost non-proxy address counts, IPv6 by its /64', async () => {
  const at = await w.node({ REGISTRATION_LIMIT_PER_HOUR: '2', TRUSTED_PROXIES: '127.0.0.0/8, 10.0.0.0/8, ::1' })
  assert.deepEqual([await ask(at, '8.8.8.8'), await ask(at, '8.8.8.8'), await ask(at, '8.8.8.8')], ['202', '202', full])
  assert.equal(await ask(at, '9.9.9.9, 8.8.8.8'), full, 'what the caller wrote in front is not believed')
  assert.equal(await ask(at, '8.8.8.8, 10.1.2.3'), full, 'a trusted hop is passed over')
  assert.equal(await ask(at, '8.8.8.8:4711'), full, 'a port is no other address')
  assert.equal(await ask(at, '8.8.8.8, 7.7.7.7'), '202')
  assert.deepEqual(
    [await ask(at, '2001:db8:0:1::1'), await ask(at, '2001:DB8:0:1:ffff::2'), await ask(at, '2001:db8::1:0:0:0:3')],
    ['202', '202', full],
  )
  assert.equal(await ask(at, '2001:db8:0:2::1'), '202')
})

test('addresses are normalised for limits', () => {
  for (const [given, counted] of [
    ['192.0.2.1', '192.0.2.1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['::FFFF:c000:201', '192.0.2.1'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:db8::', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['64:ff9b::192.0.2.1', '64:ff9b:0:0::/64'],
  ] as const) {
    assert.equal(limitAddress(given), counted, given)
  }
})

test('of hops that a trusted proxy names the last that no proxy has counts, and what is no address is not believed', () => {
  const service = { config: { trustedProxies: ['10.0.0.0/8', 'fd00::/8'] } } as unknown as Service
  const counted = (remoteAddress: string, forwarded?: string): string => {
    const headers = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded }
    return addressOf(service, { socket: { remoteAddress }, headers } as unknown as IncomingMessage)
  }
  for (const [forwarded, address] of [
    [undefined, '10.0.0.1'],
    ['', '10.0.0.1'],
    [' , ,', '10.0.0.1'],
    ['1.1.1.1, 8.8.8.8', '8.8.8.8'],
    ['8.8.8.8,, ,\t10.0.0.2\t,', '8.8.8.8'],
    ['8.8.8.8:80, 10.0.0.2:4711, [fd00::2]:443, ::ffff:10.0.0.3, fd00::4%eth0', '8.8.8.8'],
    [Array(100).fill('10.0.0.2').join(','), '10.0.0.2'],
    [['8.8.8.8', ...Array(100).fill('10.0.0.2')].join(','), '8.8.8.8'],
    ['::ffff:8.8.8.8', '8.8.8.8'],
    ['[2001:db8:1:2::9]:443', '2001:db8:1:2::/64'],
    // Nobody can have limits of its own by a name, and these are no addresses although some programs read them so.
    ...['unknown', '_a', 'x'.repeat(9000), '10.1', '167772162', '0xa.0.0.2', '010.0.0.2', '8.8.8.8.', '"8.8.8.8"'].map(
      (name) => [`8.8.8.8, ${name}, 10.0.0.2`, '10.0.0.2'] as const,
    ),
    ['for=8.8.8.8', '10.0.0.1'],
  ] as const) {
    assert.equal(counted('10.0.0.1', forwarded), address, forwarded ?? 'none')
    assert.equal(counted('::ffff:10.0.0.1', forwarded), address, forwarded ?? 'none')
    assert.equal(counted('9.9.9.9', forwarded), '9.9.9.9', 'not from a proxy')
  }
})

test('the in-process counter is bounded', async () => {
  let now = 0
  const limiter = memoryLimiter({ now: () => new Date(now) })
  for (let i = 0; i < 100_010; i++) limiter.take(`key ${i}`, 1, 60)
  assert.equal((await limiter.take('key 100009', 1, 60)).allowed, false)
  now = 61_000
  assert.equal((await limiter.take('key 100009', 1, 60)).allowed, true)
})

// Shared by nodes.

const redis = (port: number): ChildProcess =>
  spawn('redis-server', ['--port', String(port), '--save', '', '--appendonly', 'no', '--bind', '127.0.0.1'], {
    stdio: 'ignore',
  })

/** Again, if a busy machine kept a node from Redis for so long that it counted by itself: then it shows nothing. */
async function withRedis(nodes: readonly World[], story: () => Promise<void>): Promise<void> {
  const alone = async (): Promise<number> => {
    const all = await Promise.all(nodes.map(({ service }) => service.metrics.redisFailures.get()))
    return all.flatMap(({ values }) => values).reduce((sum, { value }) => sum + value, 0)
  }
  const before = await alone()
  try {
    await story()
  } catch (error) {
    if ((await alone()) === before) throw error
    await withRedis(nodes, story)
  }
}

test('with Redis two nodes share a limit, and each counts alone while Redis is away or hangs', {
  skip: lacks('redis-server'),
}, async () => {
  const port = await freePort()
  const child = redis(port)
  const limits = { WRITE_LIMIT_PER_MINUTE: '6', VISITOR_LIMIT_PER_HOUR: '4' }
  const shared = await world({ env: { ...limits, REDIS_URL: `redis://127.0.0.1:${port}` } })
  try {
    const second = await shared.node()
    // Until both have found it each may count for itself.
    await eventually(async () => {
      const probe = await shared.agent(`p${randomUUID().slice(0, 8)}`)
      await probe.patch('/bots/me', { bio: 'x' })
      const seen = await second.request('PATCH', '/bots/me', { token: probe.token, json: { bio: 'y' } })
      return limitOf(seen).left === 4 || undefined
    }, 'a limit that both nodes share')
    const me = await shared.agent('twice')
    const [paused, gone] = [await shared.agent('paused'), await shared.agent('gone')]
    const patch = (who: Agent, at = shared) => at.request('PATCH', '/bots/me', { token: who.token, json: { bio: 'x' } })
    await withRedis([shared, second], async () => {
      shared.travel(seconds(3600))
      const answers = await race(20, (i) => patch(me, i % 2 ? shared : second))
      assert.equal(answers.filter(({ status }) => status === 200).length, 6)
      const over = answers.find(({ status }) => status === 429) as Answer
      assert.match(over.headers.get('retry-after') ?? '', /^[1-9]\d?$/)
      const sessions = await race(20, (i) => askSession(i % 2 ? shared : second))
      assert.equal(
        sessions.filter(({ status }) => status === 201).length,
        4,
        'nor has an address more of them on two nodes',
      )
    })
    shared.travel(seconds(60))
    assert.equal((await patch(me)).status, 200, 'the window is one of the service’s clock')

    child.kill('SIGSTOP')
    const during = await race(8, () => patch(paused))
    assert.equal(during.filter(({ status }) => status === 200).length, 6)
    child.kill('SIGKILL')
    const without = await race(8, () => patch(gone))
    assert.equal(without.filter(({ status }) => status === 200).length, 6)
    const late = await shared.node()
    assert.equal((await patch(me, late)).status, 200)
  } finally {
    child.kill('SIGKILL')
    await shared.close()
  }
})

test('an answer that came while the process was busy is in time', async () => {
  const { port1, port2 } = new MessageChannel()
  const answer = answeredWithin(10)(() => new Promise((resolve) => port1.once('message', resolve)))
  port2.postMessage('here already')
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50)
  assert.equal(await answer, 'here already')
  port1.close()
})

test('those who ask a Redis that hangs wait once, until it answers again', async () => {
  const answered = answeredWithin(10)
  const { promise: hangs, resolve: answersAtLast } = Promise.withResolvers<string>()
  const silent = { message: 'Redis does not answer' }
  await assert.rejects(
    answered(() => hangs),
    silent,
  )
  await assert.rejects(
    answered(() => assert.fail('it was asked meanwhile')),
    silent,
  )
  answersAtLast('late')
  await hangs
  assert.equal(await answered(async () => 'in time'), 'in time')
  const lost = Promise.withResolvers<string>()
  await assert.rejects(
    answered(() => lost.promise),
    silent,
  )
  lost.reject(new Error('the connection ended'))
  await lost.promise.catch(() => {})
  assert.equal(await answered(async () => 'in time'), 'in time')
})
