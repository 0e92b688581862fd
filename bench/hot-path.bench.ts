import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { openHttp } from './http-client.ts'
import { endToEnd, type Result, sendsOnly } from './load.ts'
import type { Line } from './main.ts'
import { median } from './statistics.ts'
import { type Floor, kithTarget, startFloor, startKith } from './targets.ts'

const pairs = 16
const rounds = Number(process.env.ROUNDS ?? 3)
const seconds = Number(process.env.SECONDS ?? 4)

/** A message of 1 KiB with all checks, durable, against the floor and the bare statement, round by round. */
export async function hotPath(): Promise<Line[]> {
  const [kith, floor] = [await startKith(), await startFloor(pairs)]
  try {
    const target = await kithTarget(kith.url, pairs)
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
    const hello = await helloRatio(kith.url, floor.target.url)
    return [
      {
        measure: 'end to end, 16 pairs with 4 in flight',
        kith: show(loaded, 0),
        against: `floor ${show(loaded, 1)}`,
        ratio: `${ratioOf(loaded, (r) => r.perSecond).toFixed(2)}x`,
        reach: 'at least 1.5x',
      },
      {
        measure: 'one pair, one in flight, p50',
        kith: show(single, 0),
        against: `floor ${show(single, 1)}`,
        ratio: `${ratioOf(single, (r) => r.p50).toFixed(2)}x`,
        reach: 'at most 1.3x',
      },
      {
        measure: 'sends only, 64 in flight',
        kith: `${median(sends).toFixed(0)}/s`,
        against: bare.every(Number.isNaN)
          ? 'pgbench is not installed'
          : `pgbench, bare statement ${median(bare).toFixed(0)}/s`,
        ratio: `${median(sends.map((value, round) => value / (bare[round] as number))).toFixed(2)}x`,
        reach: 'at least 0.6x',
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

/** pgbench's best of several numbers of clients, in statements a second. */
async function bareStatement({ embedded }: Floor): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'kith-pgbench-'))
  const file = join(folder, 'send.sql')
  await writeFile(file, script)
  const { host, port, user, database } = embedded.connection
  let best = Number.NaN
  try {
    for (const clients of [8, 16, 32]) {
      const { stdout } = await promisify(execFile)('pgbench', [
        ...['-n', '-M', 'prepared', '-f', file, '-c', String(clients), '-j', '2', '-T', String(seconds)],
        ...['-h', host, '-p', String(port), '-U', user, database],
      ])
      const perSecond = Number(/tps = ([\d.]+)/.exec(stdout)?.[1])
      if (!(best >= perSecond)) best = perSecond
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  } finally {
    await rm(folder, { recursive: true })
  }
  return best
}

/** What the HTTP kernel costs over bare node:http, on its cheapest path. */
async function helloRatio(kith: string, floor: string): Promise<Line> {
  const [ours, theirs] = [await gets(kith, '/health/live'), await gets(floor, '/')]
  return {
    measure: 'GET /health/live, 16 in flight',
    kith: `${ours.toFixed(0)}/s`,
    against: `node:http hello ${theirs.toFixed(0)}/s`,
    ratio: `${(ours / theirs).toFixed(2)}x`,
    reach: '',
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
