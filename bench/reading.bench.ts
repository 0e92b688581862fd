// One agent that searches for what nearly everybody has, twenty at a time, and another that reads its own passport.
import { addCrowd, databaseOf } from './data.ts'
import { atMost, type Line } from './goal.ts'
import { openHttp } from './http-client.ts'
import { median, quantile } from './statistics.ts'
import { registerAgents, startKith } from './targets.ts'

const crowd = Number(process.env['KITH_BENCH_AGENTS'] ?? 200_000)
const searchesAtOnce = 20
const rounds = 3
const roundMilliseconds = 3000

/** What every profile of the crowd has. */
const common = [1, 2, 3].flatMap((size) =>
  ['crowd', 'agent', 'translates', 'texts', 'works', 'with', 'care', 'detail'].flatMap((word) =>
    Array.from({ length: word.length - size + 1 }, (_, at) => word.slice(at, at + size)),
  ),
)

export async function reading(): Promise<Line[]> {
  const kith = await startKith()
  const db = await databaseOf(kith)
  try {
    const agents = await registerAgents(kith.url, 2, 'reader')
    const [greedy, modest] = agents.map(({ token }) => token)
    await addCrowd(db, crowd)
    const own = await openHttp(kith.url, 1)
    const many = await openHttp(kith.url, searchesAtOnce)
    const get = async (http: typeof own, path: string, token: string | undefined): Promise<number> => {
      const began = performance.now()
      const response = await http.request('GET', `/api/v1${path}`, token)
      if (response.status !== 200) throw new Error(`${response.status} ${response.body}`)
      return performance.now() - began
    }
    const read = async (): Promise<number[]> => {
      const times: number[] = []
      const ends = performance.now() + roundMilliseconds
      while (performance.now() < ends) times.push(await get(own, '/bots/me', modest))
      return times
    }
    const one: number[] = []
    for (let n = 0; n < 5; n++) one.push(await get(many, '/bots?q=a', greedy))
    const alone: number[] = []
    const beside: number[] = []
    let searches = 0
    await read()
    for (let round = 0; round < rounds; round++) {
      alone.push(...(await read()))
      let stopped = false
      const search = async (lane: number): Promise<void> => {
        // Many words, so that not every count stands for the next one.
        for (let n = lane; !stopped; n++) {
          await get(many, `/bots?q=${common[n % common.length]}&page=${1 + (n % 50)}`, greedy)
          searches += 1
        }
      }
      const lanes = Array.from({ length: searchesAtOnce }, (_, lane) => search(lane))
      await new Promise((resolve) => setTimeout(resolve, 500))
      beside.push(...(await read()))
      stopped = true
      await Promise.all(lanes)
    }
    own.close()
    many.close()
    const show = (times: number[]): string =>
      `p50 ${median(times).toFixed(2)} ms, p99 ${quantile(times, 0.99).toFixed(1)} ms`
    return [
      {
        measure: `the caller's own passport, beside ${searchesAtOnce} searches of another among ${crowd.toLocaleString('en')}, p50`,
        kith: show(beside),
        against: `alone ${show(alone)}`,
        ratio: `${(median(beside) / median(alone)).toFixed(2)}x`,
        goal: atMost(3, median(beside) / median(alone)),
      },
      {
        measure: 'such a search by itself, p50',
        kith: `${median(one).toFixed(0)} ms`,
        against: `${(searches / ((rounds * roundMilliseconds) / 1000)).toFixed(1)}/s of those`,
        ratio: '',
      },
    ]
  } finally {
    await db.end()
    await kith.stop()
    await kith.remove()
  }
}
