// One anonymous connection that sends requests without end and without waiting for answers, and others who go on.
import { connect } from 'node:net'
import { openHttp } from './http-client.ts'
import type { Line } from './main.ts'
import { atMost } from './reach.ts'
import { quantile } from './statistics.ts'
import { type BenchAgent, registerAgents, residentMiB, startKith } from './targets.ts'

const requests = 20_000
const others = 4
const roundMilliseconds = 4000
const rounds = 3

export async function flood(): Promise<Line[]> {
  const kith = await startKith()
  try {
    const agents = await registerAgents(kith.url, others, 'patient')
    const before = await residentMiB(kith.pid)
    let most = before
    const alone: number[] = []
    const beside: number[] = []
    let answered = 0
    await readFor(kith.url, agents, roundMilliseconds / 2)
    for (let round = 0; round < rounds; round++) {
      alone.push(...(await readFor(kith.url, agents, roundMilliseconds)))
      const flooding = startFlood(kith.url)
      const watch = setInterval(() => {
        void residentMiB(kith.pid).then((now) => {
          most = Math.max(most, now)
        })
      }, 100)
      beside.push(...(await readFor(kith.url, agents, roundMilliseconds)))
      clearInterval(watch)
      answered += flooding.stop()
    }
    const p99 = (times: readonly number[]): number => quantile(times, 0.99)
    const show = (times: readonly number[]): string =>
      `p50 ${quantile(times, 0.5).toFixed(2)} ms, p99 ${p99(times).toFixed(1)} ms`
    return [
      {
        measure: `reads of ${others} agents beside a connection with ${requests.toLocaleString('en')} requests unanswered, p99`,
        kith: show(beside),
        against: `alone ${show(alone)}`,
        ratio: `${(p99(beside) / p99(alone)).toFixed(2)}x`,
        reach: atMost(5, p99(beside) / p99(alone)),
      },
      {
        measure: 'the process meanwhile',
        kith: `${most.toFixed(0)} MiB`,
        against: `${before.toFixed(0)} MiB before; ${Math.round((answered / (rounds * roundMilliseconds)) * 1000)}/s of the flood answered`,
        ratio: '',
      },
    ]
  } finally {
    await kith.stop()
    await kith.remove()
  }
}

/** Each agent reads its passport, one request after another. */
async function readFor(url: string, agents: readonly BenchAgent[], milliseconds: number): Promise<number[]> {
  const http = await openHttp(url, agents.length)
  const times: number[] = []
  const ends = performance.now() + milliseconds
  await Promise.all(
    agents.map(async ({ token }) => {
      while (performance.now() < ends) {
        const began = performance.now()
        const { status } = await http.request('GET', '/api/v1/bots/me', token)
        if (status !== 200) throw new Error(`${status}`)
        times.push(performance.now() - began)
      }
    }),
  )
  http.close()
  return times
}

/** Half of the requests have a token that nobody has, half have none. */
function startFlood(url: string): { stop(): number } {
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
    stop() {
      socket.destroy()
      return answers
    },
  }
}
