// Two nodes behind each proxy of hosting/, by the very file that is shipped: pages, API, an event socket and an upload
// through it; a node restarted under load and nobody sees a failed request; a node killed and no read fails; nothing that
// changes something is sent twice; and no client's broken requests take a node from the others. KITH_ROLLING_RESTARTS
// says how many times each of the two nodes is restarted (`npm run rolling`: ten); KITH_ROLLING_FROM names a checkout of
// the version that both nodes start with, so that the first restart of each is its upgrade.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { request } from 'node:https'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import tls from 'node:tls'
import { certificate, deafNode, frozenNode, proxies, vanishingNode } from './balanced.ts'
import { wav } from './corpus-media.ts'
import { emptyDatabase, freshDatabase } from './database.ts'
import { dataFolder, type Folder, freePort, type Service, serve } from './launch.ts'
import { befriendAt, history, register } from './process.ts'
import { lacks, needing } from './programs.ts'
import { leavings, rudeRequests, sendRudely } from './rude.ts'
import { around, filePart, formType, usualFields } from './upload.ts'
import { type Agent, connectEvents, eventually } from './world.ts'

/** How many times a node is stopped, in turn. */
const stops = 2 * Number(process.env['KITH_ROLLING_RESTARTS'] ?? 0.5)
const mebibytes = Number(process.env['KITH_TEST_UPLOAD_MEBIBYTES'] ?? 12)
// The first of Node 22 and 24 that Kith runs on cannot be told of another authority while they run.
const old = 'setDefaultCACertificates' in tls ? false : 'this Node is older than 22.19 or 24.5'
const from = process.env['KITH_ROLLING_FROM']
const { after, before, test } = needing(lacks('openssl') || old)

let folder: Folder
let pem: string
let port: number
let url: string
const ports: [number, number] = [0, 0]
const metricsPorts: [number, number] = [0, 0]
const nodes: Service[] = []
let database: Awaited<ReturnType<typeof freshDatabase>>
let ada: Agent
let bob: Agent

const begin = async (node: 0 | 1, checkout?: string): Promise<void> => {
  nodes[node] = await serve(join(folder.root, `node${node}`), {
    checkout,
    env: {
      PORT: String(ports[node]),
      PUBLIC_URL: url,
      DATABASE_URL: database.url,
      SECRET_KEY: 'a secret key for restarts, of enough characters',
      STORAGE_URL: `file:${join(folder.root, 'files')}`,
      TRUSTED_PROXIES: '127.0.0.1',
      // So that a page is refused with 503, as any client may ask for it.
      MAIL_URL: 'none',
      METRICS_PORT: String(metricsPorts[node]),
      // What haproxy and Caddy need to see it, and a busy machine.
      DRAIN_DELAY_SECONDS: '6',
    },
  })
}

before(async () => {
  folder = await dataFolder()
  database = await (from === undefined ? freshDatabase() : emptyDatabase())
  for (const node of [0, 1] as const) [ports[node], metricsPorts[node]] = [await freePort(), await freePort()]
  port = await freePort()
  url = `https://localhost:${port}`
  const cert = await certificate(folder.root)
  tls.setDefaultCACertificates([await readFile(cert, 'utf8')])
  pem = join(folder.root, 'kith.pem')
  await writeFile(pem, (await readFile(cert, 'utf8')) + (await readFile(join(folder.root, 'key.pem'), 'utf8')))
  await Promise.all([begin(0, from), begin(1, from)])
  const here = nodes[0]?.url as string
  ada = await register(here, 'ada')
  bob = await register(here, 'bob')
  await befriendAt(here, ada, bob)
})

after(async () => {
  for (const node of nodes) node.kill('SIGKILL')
  await Promise.all(nodes.map(({ ended }) => ended))
  await database.drop()
  await folder.remove()
})

interface Ask {
  json?: object
  token?: string
  from?: string
  headers?: Record<string, string>
}

interface Reply {
  status: number
  id: string
  text: string
}

/** A request by a connection of its own, as a client that comes for the first time. */
async function ask(path: string, { json, token, from, headers }: Ask = {}): Promise<Reply> {
  const sent = request(`${url}${path}`, {
    method: json ? 'POST' : 'GET',
    agent: false,
    // Its addresses are all of the loopback.
    family: 4,
    ...(from && { localAddress: from }),
    timeout: 30_000,
    headers: {
      ...(token && { authorization: `Bearer ${token}` }),
      ...(json && { 'content-type': 'application/json' }),
      ...headers,
    },
  })
  sent.once('timeout', () => sent.destroy(new Error('no answer within 30 s')))
  sent.end(json && JSON.stringify(json))
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  const text = (await response.setEncoding('utf8').toArray()).join('')
  return { status: response.statusCode as number, id: String(response.headers['x-request-id']), text }
}

const status = (path: string, options?: Ask): Promise<number | undefined> =>
  ask(path, options).then(
    ({ status }) => status,
    () => undefined,
  )

const metricsOf = async (node: 0 | 1): Promise<string> =>
  (await fetch(`http://127.0.0.1:${metricsPorts[node]}/metrics`)).text()

/** How many reads of the load this node has answered since it started. */
async function readsOf(node: 0 | 1): Promise<number> {
  const text = await metricsOf(node).catch(() => '')
  return Number(/kith_http_requests_total\{[^}]*route="\/bots\/me"[^}]*\} (\d+)/.exec(text)?.[1] ?? 0)
}

/** How many requests for an own profile came to a node, whatever it answered. */
async function askedOf(node: 0 | 1): Promise<number> {
  const counts = (await metricsOf(node)).matchAll(/^kith_http_requests_total\{[^}]*route="\/bots\/me"[^}]*\} (\d+)/gm)
  return [...counts].reduce((sum, [, count]) => sum + Number(count), 0)
}

/** The same of both nodes, once the proxy repeats no earlier request. */
const askedOfAll = (): Promise<number> =>
  eventually(async () => {
    const before = (await askedOf(0)) + (await askedOf(1))
    await sleep(1000)
    return (await askedOf(0)) + (await askedOf(1)) === before ? before : undefined
  }, 'the end of earlier requests')

/** The proxy sends reads to this node; asked until it does. */
async function serves(node: 0 | 1): Promise<void> {
  const had = await readsOf(node)
  await eventually(async () => {
    await Promise.all([1, 2, 3, 4].map(() => status('/api/v1/bots/me', { token: ada.token })))
    return (await readsOf(node)) > had
  }, `node ${node} is asked`)
}

interface Load {
  failures: string[]
  sent: Set<string>
  answered(): number
  /** Sends no more messages. */
  readOnly(): void
  stop(): Promise<void>
}

/** Reads and messages, from several at once, until it is stopped. */
function load(): Load {
  const failures: string[] = []
  const sent = new Set<string>()
  let answered = 0
  let [writing, stopped] = [true, false]
  const attempt = async (path: string, json?: object): Promise<void> => {
    const token = ada.token
    try {
      const reply = await ask(`/api/v1${path}`, { token, ...(json && { json }) })
      if (reply.status < 300) answered += 1
      else failures.push(`${path}: ${reply.status} ${reply.text.slice(0, 200)}`)
      if (json && reply.status < 300) sent.add(JSON.parse(reply.text).message.id)
    } catch (error) {
      failures.push(`${path}: ${error}`)
    }
  }
  const work = async (worker: number): Promise<void> => {
    for (let turn = worker; !stopped; turn++) {
      if (turn % 3 === 0 && writing) await attempt('/messages', ada.envelope(bob))
      else await attempt(turn % 3 === 1 ? '/bots/me' : '/contacts')
      await sleep(50)
    }
  }
  const workers = Array.from({ length: 4 }, (_, worker) => work(worker))
  return {
    failures,
    sent,
    answered: () => answered,
    readOnly: () => {
      writing = false
    },
    async stop() {
      stopped = true
      await Promise.all(workers)
    },
  }
}

/** The node sees bytes of it before all were sent. */
async function uploadInTwoHalves(): Promise<void> {
  const incoming = join(folder.root, 'files', '.incoming')
  const sizes = async (): Promise<number> => {
    const names = await readdir(incoming).catch(() => [])
    const all = await Promise.all(names.map((name) => stat(join(incoming, name)).catch(() => undefined)))
    return all.reduce((sum, found) => sum + (found?.size ?? 0), 0)
  }
  const bytes = wav((mebibytes * 1024 * 1024) / 2 / 48_000, 48_000)
  const { before, after } = around([...usualFields(), filePart(bytes)])
  const sent = request(`${url}/api/v1/attachments`, {
    method: 'POST',
    agent: false,
    family: 4,
    headers: {
      authorization: `Bearer ${ada.token}`,
      'content-type': formType,
      'content-length': before.length + bytes.length + after.length,
    },
  })
  const answer = once(sent, 'response') as Promise<[IncomingMessage]>
  sent.write(before)
  sent.write(bytes.subarray(0, bytes.length / 2))
  await eventually(async () => (await sizes()) > bytes.length / 4, 'the node has some of it')
  sent.write(bytes.subarray(bytes.length / 2))
  sent.end(after)
  const [response] = await answer
  const text = (await response.setEncoding('utf8').toArray()).join('')
  assert.equal(response.statusCode, 201, text)
  assert.equal(JSON.parse(text).attachment.status, 'ready', text)
}

for (const name of Object.keys(proxies) as (keyof typeof proxies)[]) {
  const start = proxies[name]
  test(`two nodes work behind ${name}`, { skip: lacks(name), timeout: 900_000 + stops * 120_000 }, async () => {
    const own = join(folder.root, name)
    await mkdir(own)
    const { program, log, takeOut, putBack } = await start({ port, nodes: ports, folder: own, pem })
    let listening = true
    try {
      await eventually(async () => (await status('/health/ready')) === 200, `${name} is up`)
      for (const node of [0, 1] as const) await serves(node)
      for (const node of [0, 1] as const)
        await eventually(async () => /^kith_peers 1$/m.test(await metricsOf(node)), `node ${node} knows the other one`)

      assert.match((await ask('/')).text, /<html/)
      const socket = await connectEvents(url, ada.token)
      const sent = await ask('/api/v1/messages', { token: bob.token, json: bob.envelope(ada) })
      const told = await socket.next('message.created')
      assert.equal(told.payload.id, JSON.parse(sent.text).message.id)
      await socket.acked(told)
      await socket.close()
      await uploadInTwoHalves()
      // What a caller says of itself by its X-Request-Id is found in the log of the proxy, and of the node that refused.
      const secret = randomUUID()
      const refused = await ask(`/api/v1/bots/me?q=${secret}`, { token: `kith_${secret}` })
      const links = ['/owner/confirm/', '/operator/link/', '/unsubscribe/']
      const unknown = await Promise.all(links.map((link) => ask(link + secret)))
      for (const { id } of [refused, ...unknown])
        await eventually(async () => (await log()).includes(id), `the line of ${id} in the log of ${name}`)
      const lines = nodes.flatMap((node) =>
        node
          .output()
          .split('\n')
          .filter((line) => line.includes(refused.id)),
      )
      assert.match(lines.join('\n'), /"status":401,"code":"unauthorized"/)
      assert.ok(!(await log()).includes(secret), 'and nothing secret')

      // A node is stopped and started again under load.
      const closes: number[] = []
      const listen = async (): Promise<void> => {
        while (listening) {
          const socket = await connectEvents(url, bob.token).catch(() => undefined)
          if (!socket) await sleep(100)
          else if (!listening) await socket.close()
          else closes.push(await socket.closed)
        }
      }
      const busy = load()
      void listen()
      await eventually(() => busy.answered() > 20, 'a load')
      for (let turn = 0; turn < stops; turn++) {
        const node = (turn % 2) as 0 | 1
        await takeOut(node)
        nodes[node]?.kill('SIGTERM')
        assert.equal(await nodes[node]?.ended, 0, nodes[node]?.output() ?? '')
        await begin(node)
        await putBack(node)
        await serves(node)
      }
      const answered = busy.answered()
      await eventually(() => busy.answered() > answered + 20, 'the load goes on')
      listening = false
      assert.deepEqual(busy.failures, [])
      assert.ok(
        closes.every((code) => code === 1001),
        `sockets: ${closes}`,
      )

      // A node dies under load: no read fails.
      busy.readOnly()
      await sleep(200)
      await eventually(() => busy.answered() > answered + 40, 'reads alone')
      nodes[1]?.kill('SIGKILL')
      await nodes[1]?.ended
      const before = busy.answered()
      await eventually(() => busy.answered() > before + 20, 'the reads go on')
      await busy.stop()
      assert.deepEqual(busy.failures, [])
      console.log(`# ${name}: ${busy.answered()} answers, ${busy.failures.length} failures`)

      // Another one in its place hears all, and answers nothing: reads go to the other node, and nothing else is sent twice.
      const deaf = await deafNode(ports[1])
      try {
        const heardOf = (method: string) => deaf.heard.filter((request) => request.method === method)
        const headers = { 'x-forwarded-for': '203.0.113.9', 'x-forwarded-proto': 'gopher' }
        await eventually(async () => {
          const reply = await ask('/api/v1/bots/me', { token: ada.token, from: '127.0.0.7', headers })
          assert.equal(reply.status, 200, reply.text)
          return heardOf('GET').length > 0
        }, 'the deaf node is asked')
        for (const { headers } of heardOf('GET').filter(({ headers }) => headers['authorization'])) {
          assert.equal(headers['x-forwarded-for'], '127.0.0.7', 'nobody says for himself where he comes from')
          assert.equal(headers['x-forwarded-proto'], 'https')
          assert.match(headers.host ?? '', /^localhost(:\d+)?$/)
        }
        await eventually(async () => {
          const mark = randomUUID()
          const json = ada.envelope(bob)
          const reply = await ask('/api/v1/messages', { token: ada.token, json, headers: { 'x-mark': mark } })
          const heard = deaf.heard.filter(({ headers }) => headers['x-mark'] === mark).length
          assert.ok(heard <= 1, 'sent twice')
          assert.equal(reply.status < 300, heard === 0, `${reply.status}, and heard ${heard} times`)
          if (reply.status < 300) busy.sent.add(JSON.parse(reply.text).message.id)
          return heard > 0
        }, 'a message goes to the deaf node')

        // What the proxy says of such a failure has no secret of a link either.
        for (const link of links)
          await eventually(async () => {
            const reply = await ask(link + secret, { json: {}, from: '127.0.0.8' })
            return reply.status === 502
          }, `${link} goes to the deaf node`)
        const later = await ask('/api/v1/bots/me', { token: `kith_${secret}` })
        await eventually(async () => (await log()).includes(later.id), `the line of ${later.id} in the log of ${name}`)
        assert.ok(!(await log()).includes(secret), 'no secret of a link')
      } finally {
        await deaf.close()
      }
      await begin(1)
      const found = new Set((await history(nodes[0]?.url as string, bob, ada)).map(({ id }) => id as string))
      for (const id of busy.sent) assert.ok(found.has(id), 'a message that was acknowledged')
    } catch (error) {
      console.log(program.output().slice(-4000))
      throw error
    } finally {
      listening = false
      // nginx leaves its workers behind where it is killed.
      await program.stop()
    }
  })

  test(`no client takes a node from the others behind ${name}`, { skip: lacks(name), timeout: 300_000 }, async () => {
    const own = join(folder.root, `${name}-rude`)
    await mkdir(own)
    const { program } = await start({ port, nodes: ports, folder: own, pem })
    let isOver = false
    try {
      await eventually(async () => (await status('/health/ready')) === 200, `${name} is up`)
      for (const node of [0, 1] as const) await serves(node)
      // Mallory has an address for each kind of request, so no limit keeps them from the nodes.
      const send = async (text: string, at: number): Promise<void> => {
        for (const leaves of leavings) await sendRudely(port, text, `127.0.0.${20 + at}`, leaves)
      }
      await Promise.all(rudeRequests.map(send))
      for (const text of rudeRequests.filter((text) => text.startsWith('GET /api/v1/bots/me'))) {
        const asked = await askedOfAll()
        await sendRudely(port, text, '127.0.0.19', 'answered', 8_000)
        const times = (await askedOfAll()) - asked
        // Caddy repeats it twelve times; Go by itself each of them that came by a kept connection.
        assert.ok(times <= 26, `one request came to the nodes ${times} times: ${JSON.stringify(text)}`)
      }
      const had = [await readsOf(0), await readsOf(1)] as const
      const mallory = rudeRequests.map(async (text, at) => {
        while (!isOver) {
          await send(text, at)
          await sleep(250)
        }
      })
      const statuses: Record<string, number> = {}
      for (let turn = 0; turn < 10; turn++)
        for (const each of await Promise.all([1, 2, 3, 4].map(() => status('/api/v1/bots/me', { token: ada.token }))))
          statuses[String(each)] = (statuses[String(each)] ?? 0) + 1
      isOver = true
      await Promise.all(mallory)
      assert.deepEqual(statuses, { 200: 40 })
      for (const node of [0, 1] as const) assert.ok((await readsOf(node)) > had[node], `node ${node} goes on serving`)
    } catch (error) {
      console.log(program.output().slice(-4000))
      throw error
    } finally {
      isOver = true
      await program.stop()
    }
  })

  test(`requests go on where the machine of a node is gone behind ${name}`, {
    skip: lacks(name),
    timeout: 300_000,
  }, async () => {
    const own = join(folder.root, `${name}-gone`)
    await mkdir(own)
    const gone = await freePort()
    const other = await vanishingNode(gone)
    const { program } = await start({ port, nodes: [ports[0], gone], folder: own, pem })
    try {
      await eventually(async () => (await status('/health/ready')) === 200, `${name} is up`)
      const all = (): Promise<(number | undefined)[]> =>
        Promise.all(
          Array.from({ length: 24 }, (_, at) =>
            at % 2 === 0
              ? status('/api/v1/bots/me', { token: ada.token })
              : status('/api/v1/messages', { token: ada.token, json: ada.envelope(bob) }),
          ),
        )
      await eventually(async () => {
        await all()
        return other.wasAsked()
      }, 'both nodes are asked')
      other.vanish()
      const statuses = await all()
      const [reads, sends] = [0, 1].map((odd) => new Set(statuses.filter((_, at) => at % 2 === odd)))
      assert.deepEqual(reads, new Set([200]))
      // Caddy has closed the body by the time that it asks the other node: the client sends it again.
      if (name === 'caddy') sends?.delete(502)
      assert.deepEqual(sends, new Set([201]))
    } catch (error) {
      console.log(program.output().slice(-4000))
      throw error
    } finally {
      await Promise.all([program.stop(), other.stop()])
    }
  })

  test(`a node that is frozen behind ${name} keeps an upload, and no other request for long`, {
    skip: lacks(name),
    timeout: 120_000,
  }, async () => {
    const own = join(folder.root, `${name}-frozen`)
    await mkdir(own)
    const at = await freePort()
    const frozen = await frozenNode(at)
    const { program } = await start({ port, nodes: [at, at], folder: own, pem, patience: '2s' })
    try {
      await eventually(async () => (await status('/health/ready')) === 200, `${name} is up`)
      const form = { json: {}, token: ada.token, headers: { 'content-type': formType } }
      const uploads = ['/api/v1/attachments', '/orders/1/files'].map((path) => status(path, form))
      await eventually(() => frozen.waiting().length === 2, 'both uploads wait')
      const reads = await status('/api/v1/bots/me', { token: ada.token })
      const sends = await status('/api/v1/messages', { token: ada.token, json: ada.envelope(bob) })
      assert.deepEqual([reads, sends], [504, 504])
      await eventually(() => frozen.waiting().length === 2, 'nobody waits for the others')
      assert.deepEqual(frozen.waiting().sort(), ['/api/v1/attachments', '/orders/1/files'])
      frozen.thaw()
      assert.deepEqual(await Promise.all(uploads), [200, 200])
    } catch (error) {
      console.log(program.output().slice(-4000))
      throw error
    } finally {
      await Promise.all([program.stop(), frozen.close()])
    }
  })
}
