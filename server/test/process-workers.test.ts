// WORKERS: several processes behind one port that are one service to everybody outside.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { Agent as Connections, request as send } from 'node:http'
import { type AddressInfo, connect, createServer } from 'node:net'
import { after, before, test } from 'node:test'
import { dataFolder, type Folder, freePort, launch, serve, workersOf } from './launch.ts'
import { befriendAt, call, history, postgresOf, register } from './process.ts'
import { type Agent, connectEvents, eventually, type Frame } from './world.ts'

const skip = process.platform !== 'linux' && 'it looks into /proc'

/** A request on a connection of its own, which another worker may get than the one before. */
function fresh(url: string, path: string, { token }: Agent, json?: unknown) {
  const body = json === undefined ? undefined : JSON.stringify(json)
  return new Promise<{ status: number; rest: string }>((resolve, reject) => {
    const headers = { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) }
    const agent = new Connections({ keepAlive: false })
    const signal = AbortSignal.timeout(60_000)
    const options = { method: body ? 'POST' : 'GET', headers, agent, signal }
    const sent = send(`${url}/api/v1${path}`, options, (response) => {
      response.resume().once('end', () => {
        const rest = /r=(\d+)/.exec(String(response.headers['ratelimit']))?.[1] ?? ''
        resolve({ status: response.statusCode ?? 0, rest })
      })
    })
    sent.once('error', reject)
    sent.end(body)
  })
}

/** A connection with a request, which ends with its answer or without one. */
async function held(url: string): Promise<{ ended: Promise<unknown> }> {
  const socket = connect(Number(new URL(url).port), new URL(url).hostname)
  socket.on('error', () => {})
  await once(socket, 'connect')
  socket.write('GET /health/live HTTP/1.1\r\nhost: kith\r\nconnection: close\r\n\r\n')
  return { ended: new Promise((resolve) => socket.resume().once('close', resolve)) }
}

type Metrics = Map<string, number>

/** Samples by their names with labels. */
async function metricsAt(port: number): Promise<Metrics> {
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
  const samples = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  return new Map(samples.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.split(' ').at(-1))]))
}

const sumOf = (metrics: Metrics, name: string): number =>
  [...metrics].reduce((sum, [sample, value]) => (sample.startsWith(`${name}{`) ? sum + value : sum), 0)

/** One for all: what a story leaves is what the next one starts from. */
let folder: Folder
before(async () => {
  folder = await dataFolder({ migrated: true })
})
after(() => folder?.remove())

test('two workers are one service: its limits, its events, its metrics, and its life', { skip }, async () => {
  const port = await freePort()
  const env = { WORKERS: '2', METRICS_PORT: String(port), WRITE_LIMIT_PER_MINUTE: '60', READ_LIMIT_PER_MINUTE: '90' }
  const running = await serve(folder.dataDir, { env })
  const { url } = running
  assert.equal(running.output().match(/Kith is ready/g)?.length, 1, 'one greeting')
  assert.equal(workersOf(running).length, 2)
  const [ada, bob, cyd] = [await register(url, 'ada'), await register(url, 'bob'), await register(url, 'cyd')]

  // What several connections use up is what one would, to the last request, and each answer says what is left.
  const reads = await Promise.all(Array.from({ length: 95 }, () => fresh(url, '/bots/me', cyd)))
  assert.deepEqual(
    reads.flatMap(({ status, rest }) => (status === 200 ? [Number(rest)] : [])).toSorted((a, b) => b - a),
    Array.from({ length: 90 }, (_, at) => 89 - at),
  )
  assert.equal(reads.filter(({ status }) => status === 429).length, 5)
  const writes = await Promise.all(
    Array.from({ length: 64 }, () => fresh(url, '/contacts/requests', cyd, { recipient_id: cyd.id })),
  )
  assert.deepEqual(
    writes.flatMap(({ status, rest }) => (status === 429 ? [] : [Number(rest)])).toSorted((a, b) => b - a),
    Array.from({ length: 60 }, (_, at) => 59 - at),
  )

  // Each of two agents listens on both workers, so whoever is told is told by the other one too.
  await befriendAt(url, ada, bob)
  const sockets = []
  for (const agent of [ada, ada, bob, bob]) sockets.push(await connectEvents(url, agent.token))
  const [ada1, ada2, bob1, bob2] = sockets
  // A connection has its place once it brings what waits: Bob's consent.
  for (const socket of [ada1, ada2]) await socket?.next()
  const third = await connectEvents(url, ada.token)
  assert.equal(await third.closed, 4429, 'two connections of a passport, wherever they are')
  const sent = await call(url, 'POST', '/messages', { token: ada.token, json: ada.envelope(bob) })
  const { id } = sent?.body.message ?? {}
  const arrived = []
  for (const socket of [bob1, bob2]) arrived.push((await socket?.next('message.created')) as Frame)
  assert.deepEqual(
    arrived.map(({ payload }) => payload.id),
    [id, id],
  )
  await bob1?.acked(arrived[0] as Frame)
  for (const socket of [ada1, ada2])
    assert.equal((await socket?.next('message.status_changed'))?.payload.message_id, id)
  for (const socket of sockets) await socket.close()

  // The metrics are of both; one worker alone runs the sweeps.
  const first = await eventually(async () => {
    const metrics = await metricsAt(port)
    // A busy worker is shown as it was.
    return sumOf(metrics, 'kith_refusals_total') >= 9 + 60 ? metrics : undefined
  }, 'the refusals of both workers')
  assert.equal(first.get('kith_workers'), 2)
  assert.equal(sumOf(first, 'kith_refusals_total'), 9 + 60, 'refusals of both workers')
  assert.equal(first.get('kith_workers_restarted_total'), 0)

  // A worker that dies is replaced; meanwhile the other one serves, and what was counted stays counted.
  const [victim] = workersOf(running) as [number]
  // The connections that are on their way to a worker that hangs end with it: nobody waits for an answer in vain.
  for (const pid of workersOf(running)) process.kill(pid, 'SIGSTOP')
  const ends = await Promise.all(Array.from({ length: 8 }, () => held(url)))
  for (const pid of workersOf(running)) process.kill(pid, pid === victim ? 'SIGKILL' : 'SIGCONT')
  await Promise.all(ends.map(({ ended }) => ended))
  await eventually(
    async () => (await metricsAt(port)).get('kith_workers_restarted_total') === 1 || undefined,
    'a restart',
  )
  await eventually(async () => (await metricsAt(port)).get('kith_workers') === 2 || undefined, 'two workers again')
  assert.ok(!workersOf(running).includes(victim))
  const second = await metricsAt(port)
  assert.ok(sumOf(second, 'kith_http_requests_total') >= sumOf(first, 'kith_http_requests_total'))
  assert.ok(
    [...second.keys()].some((sample) => sample.includes('sweep="messages"')),
    'somebody runs the sweeps',
  )
  assert.match(running.output(), /"worker":\d,"ending":"SIGKILL","msg":"a worker ended unexpectedly/)
  assert.deepEqual(
    (await history(url, bob, ada)).map((message) => message.id),
    [id],
  )

  // Ctrl-C, and a manager that signals every process, reach the workers too: one wish, and a clean end.
  const socket = await connectEvents(url, ada.token)
  for (const pid of [...workersOf(running), running.pid]) process.kill(pid, 'SIGTERM')
  assert.equal(await socket.closed, 1001)
  assert.equal(await running.ended, 0, running.output())
  assert.equal(running.output().match(/"msg":"draining/g)?.length, 1)
  assert.match(running.output(), /"msg":"stopped"\}\n$/)
  assert.doesNotMatch(running.output(), /"level":"fatal"/)
  assert.deepEqual(await postgresOf(folder.dataDir), [])
})

test('kill -9 of the process above the workers leaves nothing behind, and the next start serves at once', {
  skip,
}, async () => {
  const env = { WORKERS: '2' }
  const killed = await serve(folder.dataDir, { env })
  const eve = await register(killed.url, 'eve')
  const held = [await connectEvents(killed.url, eve.token), await connectEvents(killed.url, eve.token)]
  const workers = workersOf(killed)
  killed.kill('SIGKILL')
  await killed.ended
  for (const socket of held) await socket.closed
  const isThere = (pid: number): boolean => {
    try {
      return process.kill(pid, 0)
    } catch {
      return false
    }
  }
  await eventually(
    async () => !workers.some(isThere) && (await postgresOf(folder.dataDir)).length === 0,
    'nothing is left',
  )

  const running = await serve(folder.dataDir, { env })
  for (let again = 0; again < 2; again++) held.push(await connectEvents(running.url, eve.token))
  // Both are let in: neither place is taken by the run that was killed.
  for (const socket of held.slice(2)) await socket.close()

  // A worker that crashes again and again is no service, and nobody should think that it is.
  const crashing = (async () => {
    const known = new Set<number>()
    while (running.child.exitCode === null) {
      for (const pid of workersOf(running)) {
        if (known.has(pid)) continue
        known.add(pid)
        process.kill(pid, 'SIGKILL')
      }
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    return known.size
  })()
  assert.equal(await running.ended, 1, running.output())
  assert.ok((await crashing) >= 5)
  assert.match(running.output(), /"level":"fatal".*"workers crash again and again: the service is stopping"/)
  assert.deepEqual(await postgresOf(folder.dataDir), [])
})

test('what prevents the start of a worker is one line, and nothing is left running', { skip }, async () => {
  const blocker = createServer().listen(0, '127.0.0.1')
  await once(blocker, 'listening')
  const taken = String((blocker.address() as AddressInfo).port)
  for (const [env, reason] of [
    [{ WORKERS: 'many' }, /^kith-server: Malformed setting WORKERS: expected auto, or a whole number from 1 to 32\n$/],
    [
      { WORKERS: '2', SITE_LOGO: '/nowhere.svg' },
      /^kith-server: Malformed setting SITE_LOGO: the file cannot be read\n$/,
    ],
    [
      { WORKERS: '2', PORT: taken },
      /^kith-server: Cannot listen on 127\.0\.0\.1:\d+: another program is listening there/,
    ],
  ] as const) {
    const refused = launch(folder.dataDir, { env })
    assert.equal(await refused.ended, 1)
    assert.match(refused.err(), reason)
    assert.doesNotMatch(refused.output(), /^ {4}at /m)
    assert.deepEqual(await postgresOf(folder.dataDir), [])
  }
  blocker.close()
})
