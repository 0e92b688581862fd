import { addLedgerEntries, databaseOf } from './data.ts'
import { atLeast, atMost, type Line } from './goal.ts'
import { type HttpClient, openHttp } from './http-client.ts'
import { acceptScript, cycleScript, plantBare } from './orders-bare.ts'
import { median, quantile } from './statistics.ts'
import { startKith } from './targets.ts'
import { bare, lanes, offer, type Pair, perSecond, rounds, step, total, tradingPairs } from './trading.ts'

const entries = Number(process.env['KITH_BENCH_ENTRIES'] ?? 1_000_000)

/** Whole orders and accepts on one wallet, against the bare statements; and the same with a million ledger entries. */
export async function orders(): Promise<Line[]> {
  const kith = await startKith()
  const db = await databaseOf(kith)
  try {
    await plantBare(db, lanes)
    const pairs = await tradingPairs(kith, lanes)
    const [lone] = pairs as [Pair]
    const http = await openHttp(kith.url, lanes)

    const cycles: [number, number][] = []
    const accepts: [number, number][] = []
    for (let round = 0; round < rounds; round++) {
      cycles.push([await cyclesPerSecond(http, pairs), await bare(db, cycleScript)])
      accepts.push([await acceptsPerSecond(http, lone), await bare(db, acceptScript)])
    }
    const small = { accept: median(accepts.map(([ours]) => ours)), read: await readLatency(http, lone) }
    await addLedgerEntries(db, lone.customer.id, lone.contractor.id, entries)
    const large = {
      accept: median(await repeat(rounds, () => acceptsPerSecond(http, lone))),
      cycle: median(await repeat(rounds, () => cyclesPerSecond(http, pairs))),
      read: await readLatency(http, lone),
    }
    http.close()
    const cycle = median(cycles.map(([ours]) => ours))
    const ratioOf = (of: readonly [number, number][]): number => median(of.map(([ours, theirs]) => ours / theirs))
    const ratio = (value: number): string => `${value.toFixed(2)}x`
    const rate = (value: number): string => `${value.toFixed(0)}/s`
    const million = `${entries.toLocaleString('en')} ledger entries`
    return [
      {
        measure: 'order cycles (offer, accept, start, deliver, complete), 16 in parallel',
        kith: rate(cycle),
        against: `pgbench, bare statements ${rate(median(cycles.map(([, theirs]) => theirs)))}`,
        ratio: ratio(ratioOf(cycles)),
        goal: atLeast(0.7, ratioOf(cycles)),
      },
      {
        measure: 'accepts on one wallet, 16 in parallel',
        kith: rate(small.accept),
        against: `pgbench, bare statements ${rate(median(accepts.map(([, theirs]) => theirs)))}`,
        ratio: ratio(ratioOf(accepts)),
      },
      {
        measure: `order cycles with ${million}`,
        kith: rate(large.cycle),
        against: `without ${rate(cycle)}`,
        ratio: ratio(cycle / large.cycle),
        goal: atMost(1.3, cycle / large.cycle),
      },
      {
        measure: `accepts on one wallet with ${million}`,
        kith: rate(large.accept),
        against: `without ${rate(small.accept)}`,
        ratio: ratio(small.accept / large.accept),
        goal: atMost(1.3, small.accept / large.accept),
      },
      {
        measure: `GET orders/{id} with ${million}, p50`,
        kith: `${large.read.toFixed(2)} ms`,
        against: `without ${small.read.toFixed(2)} ms`,
        ratio: ratio(large.read / small.read),
        goal: atMost(1.3, large.read / small.read),
      },
    ]
  } finally {
    await db.end()
    await kith.stop()
    await kith.remove()
  }
}

const repeat = async <T>(times: number, run: () => Promise<T>): Promise<T[]> => {
  const results: T[] = []
  for (let n = 0; n < times; n++) results.push(await run())
  return results
}

async function cycle(http: HttpClient, pair: Pair): Promise<string> {
  const id = await offer(http, pair)
  await step(http, pair.customer, id, 'accept', 1, { confirmed_total_minor: total })
  await step(http, pair.contractor, id, 'start', 2)
  await step(http, pair.contractor, id, 'deliver', 3, { result_text: 'Done' })
  await step(http, pair.customer, id, 'complete', 4)
  return id
}

const cyclesPerSecond = (http: HttpClient, pairs: readonly Pair[]): Promise<number> =>
  perSecond((lane) => cycle(http, pairs[lane] as Pair))

/** The offers are there before; only accepting them is counted. */
async function acceptsPerSecond(http: HttpClient, pair: Pair): Promise<number> {
  const offers = await Promise.all(Array.from({ length: 3000 }, () => offer(http, pair)))
  let next = 0
  const began = performance.now()
  await Promise.all(
    Array.from({ length: lanes }, async () => {
      for (let id = offers[next++]; id !== undefined; id = offers[next++]) {
        await step(http, pair.customer, id, 'accept', 1, { confirmed_total_minor: total })
      }
    }),
  )
  return offers.length / ((performance.now() - began) / 1000)
}

/** Median milliseconds of one request at a time, of an order that went its whole way. */
async function readLatency(http: HttpClient, pair: Pair): Promise<number> {
  const id = await cycle(http, pair)
  const latencies: number[] = []
  for (let n = 0; n < 600; n++) {
    const began = performance.now()
    const response = await http.request('GET', `/api/v1/orders/${id}`, pair.customer.token)
    if (response.status !== 200) throw new Error(response.body)
    if (n >= 100) latencies.push(performance.now() - began)
  }
  return quantile(latencies, 0.5)
}
