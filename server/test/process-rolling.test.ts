// Rolling restarts behind haproxy, which asks each node for its readiness once a second: nobody sees a failed request.
// KITH_ROLLING_RESTARTS says how many times each of the two nodes is restarted (`npm run rolling`: ten).
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { freshDatabase } from './database.ts'
import { dataFolder, freePort, type Service, serve, startProgram } from './launch.ts'
import { befriendAt, history, register } from './process.ts'
import { connectEvents, eventually } from './world.ts'

const rounds = Number(process.env['KITH_ROLLING_RESTARTS'] ?? 1)
const hasHaproxy = ['/usr/sbin', '/usr/bin', '/usr/local/sbin'].some((folder) => existsSync(join(folder, 'haproxy')))
const noHaproxy = !hasHaproxy && 'haproxy is not installed'

const configuration = (at: number, nodes: readonly number[]): string => `
defaults
  mode http
  timeout connect 5s
  timeout client 60s
  timeout server 60s
  timeout tunnel 1h
  timeout check 10s
  # A request that failed is not tried again: the drain must do without.
  retries 0
frontend all
  bind 127.0.0.1:${at}
  stats enable
  stats uri /haproxy
  default_backend nodes
backend nodes
  balance roundrobin
  option httpchk GET /health/ready
  http-check expect status 200
  default-server inter 1s fall 1 rise 1
${nodes.map((port, index) => `  server node${index} 127.0.0.1:${port} check`).join('\n')}
`

test('rolling restarts of two nodes under load: not one request fails', {
  skip: noHaproxy,
  timeout: 120_000 + rounds * 120_000,
}, async () => {
  const database = await freshDatabase()
  const folders = [await dataFolder(), await dataFolder()] as const
  const ports = [await freePort(), await freePort()] as const
  const at = await freePort()
  const url = `http://127.0.0.1:${at}`
  const begin = (node: 0 | 1): Promise<Service> =>
    serve(folders[node].dataDir, {
      env: {
        PORT: String(ports[node]),
        DATABASE_URL: database.url,
        SECRET_KEY: 'a secret key for restarts, of enough characters',
        // Longer than a busy machine's balancer needs to ask.
        DRAIN_DELAY_SECONDS: '6',
      },
    })
  const nodes: Service[] = [await begin(0), await begin(1)]
  const file = join(folders[0].dataDir, '..', 'haproxy.cfg')
  await writeFile(file, configuration(at, ports))
  const balancer = startProgram(['haproxy', '-db', '-f', file], { env: process.env })
  const up = async (): Promise<string[]> => {
    const answer = await fetch(`${url}/haproxy;csv`).catch(() => undefined)
    const lines = ((await answer?.text()) ?? '').split('\n').map((line) => line.split(','))
    return lines
      .filter(([, name = '', ...rest]) => name.startsWith('node') && rest[15] === 'UP')
      .map(([, name]) => name!)
  }
  const allUp = () => eventually(async () => (await up()).length === 2, 'both nodes take requests')
  let stopped = false
  try {
    await allUp()
    const [ada, bob] = [await register(url, 'ada'), await register(url, 'bob')]
    await befriendAt(url, ada, bob)

    const failures: string[] = []
    const sent = new Set<string>()
    let answered = 0
    const ask = async (path: string, json?: object): Promise<void> => {
      try {
        const answer = await fetch(`${url}/api/v1${path}`, {
          ...(json && { method: 'POST', body: JSON.stringify(json) }),
          headers: { authorization: `Bearer ${ada.token}`, 'content-type': 'application/json' },
        })
        const text = await answer.text()
        if (answer.ok) answered += 1
        else failures.push(`${path}: ${answer.status} ${text.slice(0, 200)}`)
        if (json && answer.ok) sent.add(JSON.parse(text).message.id)
      } catch (error) {
        failures.push(`${path}: ${(error as Error).cause ?? error}`)
      }
    }
    const closes: number[] = []
    const listen = async (): Promise<void> => {
      while (!stopped) {
        const socket = await connectEvents(url, bob.token).catch(() => undefined)
        if (!socket) await sleep(100)
        else if (stopped) await socket.close()
        else closes.push(await socket.closed)
      }
    }
    const work = async (worker: number): Promise<void> => {
      for (let turn = worker; !stopped; turn++) {
        if (turn % 3 === 0) await ask('/messages', ada.envelope(bob))
        else await ask(turn % 3 === 1 ? '/bots/me' : '/contacts')
        await sleep(5)
      }
    }
    const workers = Array.from({ length: 6 }, (_, worker) => work(worker))
    void listen()
    await eventually(() => answered > 50, 'a load')
    for (let round = 0; round < rounds; round++) {
      for (const node of [0, 1] as const) {
        nodes[node]?.kill('SIGTERM')
        assert.equal(await nodes[node]?.ended, 0, nodes[node]?.output() ?? '')
        nodes[node] = await begin(node)
        await allUp()
      }
    }
    const before = answered
    await eventually(() => answered > before + 50, 'the load goes on')
    stopped = true
    await Promise.all(workers)
    console.log(`# ${answered} answers over ${rounds * 2} restarts, ${failures.length} failures`)
    assert.deepEqual(failures, [])
    assert.ok(closes.length > 0 && closes.every((code) => code === 1001), `sockets: ${closes}`)
    const found = new Set((await history(url, bob, ada)).map(({ id }) => id as string))
    for (const id of sent) assert.ok(found.has(id), 'a message that was acknowledged')
  } finally {
    stopped = true
    for (const node of nodes) node.kill('SIGKILL')
    balancer.kill('SIGKILL')
    await Promise.all([...nodes, balancer].map(({ ended }) => ended))
    await database.drop()
    for (const { remove } of folders) await remove()
  }
})
