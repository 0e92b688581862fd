// What a second node, or a second worker of one service, costs: processor time of all processes and of PostgreSQL for each
// message that was sent, delivered and acknowledged, with the news of it delivered to its sender, against one process.
import { randomBytes, randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { WebSocket } from 'ws'
import { startEmbedded } from '../server/src/embedded/embedded.ts'
import { atMost, type Line } from './goal.ts'
import { type HttpClient, openHttp } from './http-client.ts'
import type { Pair } from './load.ts'
import { processorTime } from './processor-time.ts'
import { median } from './statistics.ts'
import { type Kith, kithTarget, startKith } from './targets.ts'

const pairCount = 16
const rounds = Number(process.env.ROUNDS ?? 3)
const seconds = Number(process.env.SECONDS ?? 4)
const rates = (process.env.RATES ?? '200 600').split(' ').map(Number)

interface Cluster {
  nodes: Kith[]
  /** All of their processes come from these. */
  roots: number[]
  /** With the node that each sends by. */
  pairs: { pair: Pair; at: number }[]
  /** Messages that are acknowledged, and whose senders know. */
  done(): number
  stop(): Promise<void>
}

/** Which node the sender and the receiver of a pair are on. */
type Placement = (pair: number) => { sender: number; receiver: number }

const placements: Record<string, Placement> = {
  'senders on one, receivers on the other': () => ({ sender: 0, receiver: 1 }),
  'senders and receivers on both': (pair) => ({ sender: pair % 2, receiver: (pair >> 1) % 2 }),
}

export async function nodes(): Promise<Line[]> {
  const lines: Line[] = []
  for (const [name, placement] of Object.entries(placements)) {
    const starts = [() => startCluster(1, alone), () => startCluster(2, placement)] as const
    lines.push(...(await compare(...starts, { what: `two nodes: ${name}`, most: 1.5 })))
  }
  return [...lines, ...(await workers())]
}

/** Of a service that is one process, and of one with two workers. */
export async function workers(): Promise<Line[]> {
  return compare(
    () => startWorkers(1),
    () => startWorkers(2),
    { what: 'two workers', most: 1.15 },
  )
}

const alone: Placement = () => ({ sender: 0, receiver: 0 })

type Start = () => Promise<Cluster>

/** In turns at each pace; then both are stopped. */
async function compare(first: Start, second: Start, { what, most }: { what: string; most: number }): Promise<Line[]> {
  const running: Cluster[] = []
  try {
    const one = await first()
    running.push(one)
    const two = await second()
    running.push(two)
    const lines: Line[] = []
    for (const perSecond of rates) {
      const results: [number, number][] = []
      for (let round = 0; round < rounds; round++) {
        results.push([await costOf(one, perSecond), await costOf(two, perSecond)])
      }
      const show = (side: 0 | 1): string => `${median(results.map((result) => result[side])).toFixed(2)} ms a message`
      const ratio = median(results.map(([ofOne, ofTwo]) => ofTwo / ofOne))
      lines.push({
        measure: `processor time, ${perSecond} messages a second, ${what}`,
        kith: show(1),
        against: `one ${show(0)}`,
        ratio: `${ratio.toFixed(2)}x`,
        goal: atMost(most, ratio),
      })
    }
    return lines
  } finally {
    for (const each of running) await each.stop()
  }
}

async function startCluster(size: number, placement: Placement): Promise<Cluster> {
  const folder = await mkdtemp(join(tmpdir(), 'kith-nodes-'))
  const postgres = await startEmbedded({ folder: join(folder, 'postgres'), log: () => {} })
  const { host, port, user, database } = postgres.connection
  const settings = {
    DATABASE_URL: `postgresql://${user}@localhost:${port}/${database}?host=${encodeURIComponent(host)}`,
    SECRET_KEY: randomBytes(32).toString('hex'),
  }
  const started: Kith[] = []
  for (let at = 0; at < size; at++) started.push(await startKith(join(folder, `node-${at}`), settings))
  return listening(started, [...started.map(({ pid }) => pid), postgres.pid], placement, async () => {
    await postgres.stop()
    await rm(folder, { recursive: true, force: true })
  })
}

/** On the embedded database. */
async function startWorkers(count: number): Promise<Cluster> {
  const kith = await startKith(undefined, { WORKERS: String(count) })
  return listening([kith], [kith.pid], alone, () => kith.remove())
}

async function listening(
  started: Kith[],
  roots: number[],
  placement: Placement,
  remove: () => Promise<void>,
): Promise<Cluster> {
  const { pairs } = await kithTarget(started[0] as Kith, pairCount)
  const sockets: WebSocket[] = []
  let delivered = 0
  let told = 0
  const listen = async (at: number, headers: Record<string, string>): Promise<void> => {
    const url = `${(started[at] as Kith).url.replace('http', 'ws')}/ws/v1/events/`
    const socket = new WebSocket(url, ['platform.events.v10'], { headers, perMessageDeflate: false })
    await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject))
    socket.on('message', (data) => {
      const frame = JSON.parse(String(data)) as { type: string; event_id: string; kind?: string }
      if (frame.type !== 'event') return
      socket.send(JSON.stringify({ type: 'ack', event_id: frame.event_id }))
      if (frame.kind === 'message.created') delivered += 1
      if (frame.kind === 'message.status_changed') told += 1
    })
    sockets.push(socket)
  }
  for (const [index, pair] of pairs.entries()) {
    const { sender, receiver } = placement(index)
    await listen(receiver, pair.socketHeaders)
    await listen(sender, { authorization: `Bearer ${pair.token}` })
  }
  return {
    nodes: started,
    roots,
    pairs: pairs.map((pair, index) => ({ pair, at: placement(index).sender })),
    done: () => Math.min(delivered, told),
    async stop() {
      for (const socket of sockets) socket.terminate()
      for (const node of started) await node.stop()
      await remove()
    },
  }
}

/** Milliseconds of processor time a message, at a fixed pace. */
async function costOf(cluster: Cluster, perSecond: number): Promise<number> {
  await send(cluster, perSecond, 1)
  const [before, done] = [processorTime(cluster.roots), cluster.done()]
  await send(cluster, perSecond, seconds)
  return (processorTime(cluster.roots) - before) / (cluster.done() - done)
}

async function send({ nodes: started, pairs, done }: Cluster, perSecond: number, forSeconds: number): Promise<void> {
  // A connection that was idle between two rounds is closed by then.
  const clients = await Promise.all(started.map(({ url }) => openHttp(url, pairCount)))
  const ciphertext = randomBytes(1040).toString('base64')
  const goal = done() + perSecond * forSeconds
  const began = performance.now()
  const answers: Promise<void>[] = []
  for (let sent = 0; sent < perSecond * forSeconds; sent++) {
    const due = began + (sent * 1000) / perSecond
    while (performance.now() < due) await sleep(1)
    const { pair, at } = pairs[sent % pairs.length] as Cluster['pairs'][number]
    const http = clients[at] as HttpClient
    answers.push(
      http.request('POST', pair.path, pair.token, pair.body(randomUUID(), ciphertext)).then(({ status, body }) => {
        if (status !== 201) throw new Error(`${status} ${body}`)
      }),
    )
  }
  await Promise.all(answers)
  const deadline = performance.now() + 30_000
  while (done() < goal) {
    if (performance.now() > deadline) throw new Error(`${goal - done()} messages were not delivered`)
    await sleep(5)
  }
  for (const client of clients) client.close()
}
