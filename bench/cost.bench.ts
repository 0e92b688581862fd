// What a request costs: processor time of the service and its database together, and rate and latency beside it, each
// against the least Node code that does the same, in turns. docs/performance.md.
import { Agent } from 'node:http'
import { atLeast, atMost, type Line } from './goal.ts'
import { openHttp } from './http-client.ts'
import { endToEnd, type Result, requests, type Target } from './load.ts'
import { startMeter } from './processor-time.ts'
import { median, quantile } from './statistics.ts'
import { type BenchAgent, type Kith, kithTarget, registerAgents, startFloor, startKith, startOther } from './targets.ts'
import { call, offer, type Pair, tradingPairs } from './trading.ts'
import { type Purpose, perSecond, photo, upload, whole } from './uploads.ts'

const rounds = Number(process.env['ROUNDS'] ?? 3)
const seconds = Number(process.env['SECONDS'] ?? 4)
const pairs = 16
/** With one message in flight each, as many as {@link pairs} have with four. */
const manyPairs = 64
const connections = 32
/** For so long the slowed floor computes before each response, in microseconds. */
const computing = 50
const images = 100

type Compared = readonly (readonly [kith: Result, floor: Result])[]

/** The two in turns, so that both meet the same moods of the machine. */
async function alternately(ours: () => Promise<Result>, theirs: () => Promise<Result>): Promise<Compared> {
  const results: [Result, Result][] = []
  for (let round = 0; round < rounds; round++) results.push([await ours(), await theirs()])
  return results
}

const ratio = (results: Compared, of: keyof Result): number =>
  median(results.map(([ours, theirs]) => ours[of] / theirs[of]))

function show(results: Compared, side: 0 | 1): string {
  const at = (of: keyof Result): number => median(results.map((result) => result[side][of]))
  return `${at('cost').toFixed(0)} µs of CPU, ${at('perSecond').toFixed(0)}/s, p50 ${at('p50').toFixed(2)} ms, p95 ${at('p95').toFixed(1)} ms`
}

export async function cost(): Promise<Line[]> {
  const kith = await startKith()
  try {
    return [...(await messages(kith)), ...(await reads(kith)), ...(await uploads(kith))]
  } finally {
    await kith.stop()
    await kith.remove()
  }
}

async function messages(kith: Kith): Promise<Line[]> {
  const floor = await startFloor(manyPairs)
  try {
    const target = await kithTarget(kith, manyPairs)
    const compare = (count: number, inFlight: number): Promise<Compared> => {
      const run = (side: Target) => () => endToEnd(side, count, inFlight, seconds)
      return alternately(run(target), run(floor.target))
    }
    const loaded = await compare(pairs, 4)
    const many = await compare(manyPairs, 1)
    const single = await compare(1, 1)
    const line = (measure: string, results: Compared, value: number, goal: Line['goal']): Line => ({
      measure,
      kith: show(results, 0),
      against: `floor ${show(results, 1)}`,
      ratio: `${value.toFixed(2)}x`,
      ...(goal && { goal }),
    })
    const [used, rate, latency] = [ratio(loaded, 'cost'), ratio(loaded, 'perSecond'), ratio(loaded, 'p50')]
    const [alone, wide] = [ratio(single, 'p50'), ratio(many, 'perSecond')]
    return [
      line('a message end to end, 16 pairs with 4 in flight: CPU', loaded, used, atMost(0.8, used)),
      line('the same: rate', loaded, rate, atLeast(1.3, rate)),
      line('the same: p50', loaded, latency, atMost(0.8, latency)),
      line('64 pairs, one in flight each: rate', many, wide, atLeast(1.3, wide)),
      line('one pair, one in flight: p50', single, alone, atMost(1.3, alone)),
    ]
  } finally {
    await floor.stop()
  }
}

const textOf = (n: number): string =>
  `Note ${n}: compared two translations of a contract with care, and wrote down what differs and why it matters.`

async function reads(kith: Kith): Promise<Line[]> {
  const [floorUrl, floor] = await startAnswers()
  const [busyUrl, busy] = await startAnswers(computing)
  const http = await openHttp(kith.url, 8)
  try {
    const trading = await tradingPairs(kith, connections)
    const orders = await Promise.all(trading.map((pair) => offer(http, pair)))
    for (const { contractor } of trading) {
      await call(http, contractor, '/posts', { text: textOf(1), visibility: 'public' })
    }
    const things: Record<string, (lane: number) => [path: string, reader: BenchAgent]> = {
      'the card of an agent': (lane) => {
        const { customer, contractor } = trading[lane] as Pair
        return [`/bots/${contractor.id}`, customer]
      },
      'an order': (lane) => [`/orders/${orders[lane]}`, (trading[lane] as Pair).customer],
      'a list, posts': (lane) => ['/posts', (trading[lane] as Pair).customer],
    }
    const lines: Line[] = []
    for (const [name, of] of Object.entries(things)) {
      // The floors close what is idle for five seconds.
      const teachers = await Promise.all([floorUrl, busyUrl].map((url) => openHttp(url, 1)))
      for (let lane = 0; lane < connections; lane++) {
        const [path, { token }] = of(lane)
        const { status, body } = await http.request('GET', `/api/v1${path}`, token)
        if (status !== 200) throw new Error(`${path}: ${status} ${body}`)
        for (const teacher of teachers) await teacher.request('POST', `/api/v1${path}`, undefined, body)
      }
      for (const teacher of teachers) teacher.close()
      const run = (url: string, pid: number) => () =>
        requests({ url, pids: [pid] }, connections, seconds / 2, async (client, lane) => {
          const [path, { token }] = of(lane)
          const { status } = await client.request('GET', `/api/v1${path}`, token)
          if (status !== 200) throw new Error(`${path}: ${status}`)
        })
      const results = await alternately(run(kith.url, kith.pid), run(floorUrl, floor.pid))
      const rate = ratio(results, 'perSecond')
      lines.push({
        measure: `GET of ${name}, ${connections} connections`,
        kith: show(results, 0),
        against: `node:http with the same bytes ${show(results, 1)}`,
        ratio: `${rate.toFixed(2)}x`,
        goal: atLeast(0.35, rate),
      })
      // What computing costs does not depend on what is read.
      if (lines.length > 1) continue
      const slowed = await alternately(run(busyUrl, busy.pid), run(floorUrl, floor.pid))
      lines.push({
        measure: `the same from node:http after ${computing} µs of computing`,
        kith: show(slowed, 0),
        against: `node:http at once ${show(slowed, 1)}`,
        ratio: `${ratio(slowed, 'perSecond').toFixed(2)}x`,
      })
    }
    return lines
  } finally {
    http.close()
    await Promise.all([floor.stop(), busy.stop()])
  }
}

const startAnswers = (microseconds = 0) => startOther('answer-floor.ts', /ready at (http:\S+)\n/, String(microseconds))

/** Images of 200 to 400 KB, by an agent who is at it: one after the other, then four at once; then such as everyone sees. */
async function uploads(kith: Kith): Promise<Line[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: 4 })
  const meter = startMeter([kith.pid])
  try {
    const [owner] = (await registerAgents(kith.url, 1, 'painter')) as [BenchAgent]
    const photos = await Promise.all([800, 840, 880, 920, 960, 1000, 1040].map((width) => photo(width)))
    let next = 0
    const send = (purpose?: Purpose) =>
      upload(agent, kith.url, owner.token, whole(photos[next++ % photos.length] as Buffer), purpose)
    async function oneByOne(purpose?: Purpose): Promise<{ times: number[]; cost: number }> {
      for (let n = 0; n < photos.length; n++) await send(purpose)
      const times: number[] = []
      const before = meter.read()
      for (let n = 0; n < images; n++) {
        const began = performance.now()
        await send(purpose)
        times.push(performance.now() - began)
      }
      return { times, cost: (meter.read() - before) / images }
    }
    const { times, cost } = await oneByOne()
    const rate = await perSecond(images, 4, () => send())
    const shown = await oneByOne('portfolio')
    const sizes = photos.map(({ length }) => Math.round(length / 1000)).sort((a, b) => a - b)
    const [p50, p95] = [median(times), quantile(times, 0.95)]
    const line = (measure: string, figure: number, unit: string, goal?: Line['goal']): Line => ({
      measure,
      kith: `${figure.toFixed(1)}${unit}`,
      against: '',
      ratio: '',
      ...(goal && { goal }),
    })
    return [
      line(
        `an image of ${sizes[0]} to ${sizes.at(-1)} KB, upload to ready (${cost.toFixed(0)} ms of CPU), p50`,
        p50,
        ' ms',
        atMost(40, p50, ' ms'),
      ),
      line('the same: p95', p95, ' ms', atMost(100, p95, ' ms')),
      line('the same, 4 at once', rate, '/s', atLeast(40, rate, '/s')),
      line(`the same of a work, with WebP (${shown.cost.toFixed(0)} ms of CPU), p50`, median(shown.times), ' ms'),
    ]
  } finally {
    meter.stop()
    agent.destroy()
  }
}
