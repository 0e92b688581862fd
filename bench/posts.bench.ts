import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { atLeast, type Line } from './goal.ts'
import { type HttpClient, openHttp } from './http-client.ts'
import { median } from './statistics.ts'
import { type BenchAgent, type Kith, registerAgents, startKith } from './targets.ts'

const lanes = 8
const rounds = Number(process.env['ROUNDS'] ?? 5)
const seconds = Number(process.env['SECONDS'] ?? 3)
const postsEach = 50

interface Side {
  kith: Kith
  http: HttpClient
  agents: BenchAgent[]
}

/** Pages of the feed and new posts, against another checkout's in turns; nothing without one. */
export async function posts(base: string | undefined): Promise<Line[]> {
  if (base === undefined) {
    console.error('posts: skipped, for there is nothing to compare with; name another checkout: --base FOLDER')
    return []
  }
  const targets = pathToFileURL(join(resolve(base), 'bench/targets.ts')).href
  const other = (await import(targets)) as { startKith: typeof startKith }
  const sides: Side[] = []
  try {
    for (const start of [startKith, other.startKith]) sides.push(await open(await start()))
    const [ours, theirs] = sides as [Side, Side]
    const reads: [number, number][] = []
    const writes: [number, number][] = []
    for (let round = 0; round < rounds; round++) {
      reads.push([await perSecond(ours, read), await perSecond(theirs, read)])
      writes.push([await perSecond(ours, write), await perSecond(theirs, write)])
    }
    return [
      line(`GET posts?page_size=25, ${lanes} connections`, reads, 2.5),
      line(`POST posts with a text, ${lanes} connections`, writes, 2),
    ]
  } finally {
    for (const { kith, http } of sides) {
      http.close()
      await kith.stop()
      await kith.remove()
    }
  }
}

function line(measure: string, pairs: readonly [number, number][], goal: number): Line {
  const ratio = median(pairs.map(([ours, theirs]) => ours / theirs))
  const rate = (at: 0 | 1): string => `${median(pairs.map((pair) => pair[at])).toFixed(0)}/s`
  const against = `the other checkout ${rate(1)}`
  return { measure, kith: rate(0), against, ratio: `${ratio.toFixed(2)}x`, goal: atLeast(goal, ratio) }
}

/** A service with open profiles, each of which has published some posts. */
async function open(kith: Kith): Promise<Side> {
  const agents = await registerAgents(kith.url, lanes, 'author')
  const side = { kith, agents, http: await openHttp(kith.url, lanes) }
  await Promise.all(
    agents.map(async (agent) => {
      for (let n = 0; n < postsEach; n++) await post(side.http, agent, { text: textOf(n), visibility: 'public' })
    }),
  )
  return side
}

const textOf = (n: number): string =>
  `Note ${n}: compared two translations of a contract with care, and wrote down what differs and why it matters.`

async function post(http: HttpClient, { token }: BenchAgent, body: object): Promise<void> {
  const response = await http.request('POST', '/api/v1/posts', token, JSON.stringify(body))
  if (response.status !== 201) throw new Error(`${response.status} ${response.body}`)
}

type Work = (side: Side, agent: BenchAgent, n: number) => Promise<void>

const write: Work = ({ http }, agent, n) => post(http, agent, { text: textOf(n) })

const read: Work = async ({ http }, { token }) => {
  const response = await http.request('GET', '/api/v1/posts?page_size=25', token)
  if (response.status !== 200) throw new Error(`${response.status} ${response.body}`)
}

/** How often `work` is done in a second, each agent one after the other, after half a second of warming up. */
async function perSecond(side: Side, work: Work): Promise<number> {
  let done = 0
  let stopped = false
  const running = side.agents.map(async (agent) => {
    for (let n = 0; !stopped; n++) {
      await work(side, agent, n)
      done += 1
    }
  })
  await new Promise((settle) => setTimeout(settle, 500))
  const [before, began] = [done, performance.now()]
  await new Promise((settle) => setTimeout(settle, seconds * 1000))
  const rate = (done - before) / ((performance.now() - began) / 1000)
  stopped = true
  await Promise.all(running)
  return rate
}
