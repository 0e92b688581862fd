// Clients that ask without end, or take and never acknowledge, and others who go on: what these feel of it, in one run.
import { fork } from 'node:child_process'
import { connect } from 'node:net'
import { fileURLToPath } from 'node:url'
import { addEvents, databaseOf } from './data.ts'
import { atMost, type Line } from './goal.ts'
import { openHttp } from './http-client.ts'
import { quantile } from './statistics.ts'
import { type BenchAgent, type Kith, registerAgents, residentMiB, startKith } from './targets.ts'

const requests = 20_000
const others = 4
const stuck = 1000
const readers = 4
const roundMilliseconds = 4000
const rounds = 3

/** A client that keeps going until stopped, and then reports its results. */
type Attack = () => Promise<{ stop(): Promise<string> }>

export async function flood(): Promise<Line[]> {
  const kith = await startKith()
  try {
    const agents = await registerAgents(kith.url, others, 'patient')
    const pages = ['/docs', '/docs?q=order', '/sitemap.xml']
    return [
      ...(await beside(
        kith,
        agents,
        `a connection with ${requests.toLocaleString('en')} requests unanswered`,
        async () => startFlood(kith.url),
      )),
      ...(await beside(kith, agents, `${readers} anonymous connections at ${pages.join(', ')}`, () =>
        startReading(kith.url, pages),
      )),
      ...(await beside(
        kith,
        agents,
        `${stuck.toLocaleString('en')} sockets with an event that is never acknowledged`,
        await stuckSockets(kith),
      )),
    ]
  } finally {
    await kith.stop()
    await kith.remove()
  }
}

/** How agents read alone and beside an attack, in turn. */
async function beside(kith: Kith, agents: readonly BenchAgent[], name: string, attack: Attack): Promise<Line[]> {
  const before = await residentMiB(kith.pid)
  let most = before
  const [alone, attacked]: [Reads, Reads] = [
    { times: [], refused: 0 },
    { times: [], refused: 0 },
  ]
  const said: string[] = []
  await readFor(kith.url, agents, roundMilliseconds / 2, { times: [], refused: 0 })
  for (let round = 0; round < rounds; round++) {
    await readFor(kith.url, agents, roundMilliseconds, alone)
    const { stop } = await attack()
    const watch = setInterval(() => {
      void residentMiB(kith.pid).then((now) => {
        most = Math.max(most, now)
      })
    }, 100)
    await readFor(kith.url, agents, roundMilliseconds, attacked)
    clearInterval(watch)
    said.push(await stop())
  }
  const p99 = ({ times }: Reads): number => quantile(times, 0.99)
  const show = (reads: Reads): string =>
    `p50 ${quantile(reads.times, 0.5).toFixed(2)} ms, p99 ${p99(reads).toFixed(1)} ms, ${reads.refused} refused`
  const ratio = p99(attacked) / p99(alone)
  return [
    {
      measure: `reads of ${others} agents beside ${name}, p99`,
      kith: show(attacked),
      against: `alone ${show(alone)}`,
      ratio: `${ratio.toFixed(2)}x`,
      goal: atMost(5, attacked.refused > 0 ? Number.NaN : ratio),
    },
    {
      measure: 'the process meanwhile',
      kith: `${most.toFixed(0)} MiB`,
      against: `${before.toFixed(0)} MiB before; ${said.join(', ')} of the attack`,
      ratio: '',
    },
  ]
}

interface Reads {
  times: number[]
  /** Responses that are not a success. */
  refused: number
}

/** The agents are there before, and each has one event: what is measured is how they do nothing. */
async function stuckSockets(kith: Kith): Promise<Attack> {
  const idle = await registerAgents(kith.url, stuck, 'stuck')
  const db = await databaseOf(kith)
  await addEvents(
    db,
    idle.map(({ id }) => id),
    1,
  )
  await db.end()
  return async () => {
    const clients = fork(fileURLToPath(new URL('idle-clients.ts', import.meta.url)))
    const ended = new Promise((resolve) => clients.once('exit', resolve))
    const opened = new Promise((resolve) => clients.once('message', resolve))
    clients.send({ url: kith.url, tokens: idle.map(({ token }) => token) })
    await Promise.race([opened, ended])
    if (clients.exitCode !== null) throw new Error('the sockets were refused')
    return {
      async stop() {
        clients.kill()
        await ended
        return `${stuck} open`
      },
    }
  }
}

/** Several connections that each request one page after another. */
async function startReading(url: string, pages: readonly string[]): Promise<{ stop(): Promise<string> }> {
  const http = await openHttp(url, readers)
  let isOver = false
  let answers = 0
  const all = Promise.all(
    Array.from({ length: readers }, async (_, reader) => {
      for (let n = reader; !isOver; n++) {
        await http.request('GET', pages[n % pages.length] as string, undefined)
        answers += 1
      }
    }),
  )
  return {
    async stop() {
      isOver = true
      await all
      http.close()
      return `${Math.round((answers / roundMilliseconds) * 1000)}/s`
    },
  }
}

/** Each agent reads its passport, one request after another. */
async function readFor(url: string, agents: readonly BenchAgent[], milliseconds: number, reads: Reads): Promise<void> {
  const http = await openHttp(url, agents.length)
  const ends = performance.now() + milliseconds
  await Promise.all(
    agents.map(async ({ token }) => {
      while (performance.now() < ends) {
        const began = performance.now()
        const { status } = await http.request('GET', '/api/v1/bots/me', token)
        if (status !== 200) reads.refused += 1
        reads.times.push(performance.now() - began)
      }
    }),
  )
  http.close()
}

/** Half of the requests have a token that nobody has, half have none. */
function startFlood(url: string): { stop(): Promise<string> } {
  const { hostname, port, host } = new URL(url)
  const socket = connect({ host: hostname, port: Number(port) })
  const token = (n: number): string => `kith_${String(n).padStart(43, '0')}`
  const text = Array.from(
    { length: requests },
    (_, n) =>
      `GET /api/v1/bots/me HTTP/1.1\r\nHost: ${host}\r\n${n % 2 ? `Authorization: Bearer ${token(n)}\r\n` : ''}\r\n`,
  ).join('')
  let answers = 0
  socket.on('data', (bytes) => {
    answers += String(bytes).split('HTTP/1.1 ').length - 1
  })
  socket.on('error', () => {})
  const fill = (): void => {
    if (!socket.destroyed) socket.write(text, fill)
  }
  fill()
  return {
    async stop() {
      socket.destroy()
      return `${Math.round((answers / roundMilliseconds) * 1000)}/s answered`
    },
  }
}
