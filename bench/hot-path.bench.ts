import { atLeast, atMost, type Line } from './goal.ts'
import { openHttp } from './http-client.ts'
import { endToEnd, type Result, sendsOnly } from './load.ts'
import { pgbench } from './pgbench.ts'
import { median } from './statistics.ts'
import { type Floor, kithTarget, startFloor, startKith } from './targets.ts'

const pairs = 16
const rounds = Number(process.env.ROUNDS ?? 3)
const seconds = Number(process.env.SECONDS ?? 4)

/** A message of 1 KiB with all checks, durable, against the floor and the bare statement, round by round. */
export async function hotPath(): Promise<Line[]> {
  const [kith, floor] = [await startKith(), await startFloor(pairs)]
  try {
    const target = await kithTarget(kith, pairs)
    const compare = async (run: (side: typeof target) => Promise<Result>): Promise<[Result, Result][]> => {
      const results: [Result, Result][] = []
      for (let round = 0; round < rounds; round++) results.push([await run(target), await run(floor.target)])
      return results
    }
    const loaded = await compare((side) => endToEnd(side, pairs, 4, seconds))
    const single = await compare((side) => endToEnd(side, 1, 1, seconds))
    const sends: number[] = []
    const bare: number[] = []
    for (let round = 0; round < rounds; round++) {
      sends.push((await sendsOnly(target, 64, seconds)).perSecond)
      bare.push(await bareStatement(floor))
    }
    const ratioOf = (results: [Result, Result][], of: (result: Result) => number): number =>
      median(results.map(([ours, theirs]) => of(ours) / of(theirs)))
    const show = (results: [Result, Result][], side: 0 | 1): string => {
      const of = results.map((pair) => pair[side])
      return `${median(of.map((r) => r.perSecond)).toFixed(0)}/s, p50 ${median(of.map((r) => r.p50)).toFixed(2)} ms, p99 ${median(of.map((r) => r.p99)).toFixed(1)} ms`
    }
    const sendRatio = median(sends.map((value, round) => value / (bare[round] as number)))
    const [loadedRatio, singleRatio] = [ratioOf(loaded, (r) => r.perSecond), ratioOf(single, (r) => r.p50)]
    const hello = await helloRatio(kith.url, floor.target.url)
    return [
      {
        measure: 'end to end, 16 pairs with 4 in flight',
        kith: show(loaded, 0),
        against: `floor ${show(loaded, 1)}`,
        ratio: `${loadedRatio.toFixed(2)}x`,
        goal: atLeast(1.5, loadedRatio),
      },
      {
        measure: 'one pair, one in flight, p50',
        kith: show(single, 0),
        against: `floor ${show(single, 1)}`,
        ratio: `${singleRatio.toFixed(2)}x`,
        goal: atMost(1.3, singleRatio),
      },
      {
        measure: 'sends only, 64 in flight',
        kith: `${median(sends).toFixed(0)}/s`,
        against: `pgbench, bare statement ${median(bare).toFixed(0)}/s`,
        ratio: `${sendRatio.toFixed(2)}x`,
        goal: atLeast(0.6, sendRatio),
      },
      hello,
    ]
  } finally {
    await kith.stop()
    await kith.remove()
    await floor.stop()
  }
}

const script = `\\set s random(1,10000)
\\set r random(1,10000)
with m as (insert into floor_msg (client_id, sender, rcpt, body)
  values (gen_random_uuid(), :s, :r, decode(repeat('ab', 520), 'hex') || decode(repeat('cd', 520), 'hex')) returning id)
insert into floor_evt (agent, kind, msg) select :r, 'message', id from m;
`

/** The best of several numbers of clients, in statements a second. */
async function bareStatement({ embedded: { connection } }: Floor): Promise<number> {
  const results: number[] = []
  for (const clients of [8, 16, 32]) results.push(await pgbench(script, { ...connection, clients, seconds }))
  return Math.max(...results)
}

/** What the HTTP kernel costs over bare node:http, on its cheapest path. */
async function helloRatio(kith: string, floor: string): Promise<Line> {
  const [ours, theirs] = [await gets(kith, '/health/live'), await gets(floor, '/')]
  return {
    measure: 'GET /health/live, 16 in flight',
    kith: `${ours.toFixed(0)}/s`,
    against: `node:http hello ${theirs.toFixed(0)}/s`,
    ratio: `${(ours / theirs).toFixed(2)}x`,
  }
}

async function gets(url: string, path: string): Promise<number> {
  const http = await openHttp(url, 16)
  let done = 0
  let stopped = false
  const work = Array.from({ length: 16 }, async () => {
    while (!stopped) {
      await http.request('GET', path)
      done += 1
    }
  })
  await new Promise((resolve) => setTimeout(resolve, 2000))
  stopped = true
  await Promise.all(work)
  http.close()
  return done / 2
}
