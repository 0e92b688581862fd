import type pg from 'pg'
import { addServices, databaseOf, searched } from './data.ts'
import { atMost, type Line } from './goal.ts'
import { type HttpClient, openHttp } from './http-client.ts'
import { median } from './statistics.ts'
import { type BenchAgent, type Kith, registerAgents, startKith } from './targets.ts'

/** `KITH_BENCH_SERVICES`: another size of the large table. */
const [few, many] = [10_000, Number(process.env['KITH_BENCH_SERVICES'] ?? 1_000_000)]
const named = (count: number): string => count.toLocaleString('en')
const rounds = 300
const warmUp = 50
const deepPages = 100

/** What a page of the catalogue is asked with, and whether it is to be as fast among many. */
const queries = {
  'page 1': { query: '', isFlat: true },
  'page 1 of one price mode': { query: '&price_mode=fixed', isFlat: true },
  'ten hits of a rare word': { query: `&q=${searched.rare}`, isFlat: true },
  'ten hits of a rare word of common letters': { query: `&q=${searched.rareOfCommonGrams}`, isFlat: false },
  'a word of every hundredth': { query: `&q=${searched.hundredth}`, isFlat: false },
} as const

/** The same pages of the catalogue among 10,000 and among 1,000,000 services: of two processes, asked in turns. */
export async function catalog(): Promise<Line[]> {
  const sides: Side[] = []
  try {
    for (const count of [few, many]) sides.push(await open(count))
    // Only now: while the tables are filled a connection would be idle for too long.
    for (const side of sides) side.http = await openHttp(side.kith.url, 1)
    const [small, large] = sides as [Side, Side]
    const lines: Line[] = []
    for (const [name, { query, isFlat }] of Object.entries(queries)) {
      lines.push(line(name, await inTurns(small, large, () => query), isFlat))
    }
    const deep = new Map<Side, string>()
    for (const side of sides) deep.set(side, await cursorOfPage(side, deepPages))
    const times = await inTurns(small, large, (side) => `&cursor=${deep.get(side)}`)
    return [...lines, line(`page ${deepPages}, by its cursor`, times, true)]
  } finally {
    for (const { http, db, kith } of sides) {
      http?.close()
      await db.end()
      await kith.stop()
      await kith.remove()
    }
  }
}

interface Side {
  kith: Kith
  db: pg.Client
  http?: HttpClient
  token: string
}

async function open(count: number): Promise<Side> {
  const kith = await startKith()
  const db = await databaseOf(kith)
  const [reader, ...providers] = (await registerAgents(kith.url, 51, 'agent')) as [BenchAgent, ...BenchAgent[]]
  await addServices(
    db,
    providers.map(({ id }) => id),
    count,
    { hits: 10 },
  )
  return { kith, db, token: reader.token }
}

function line(name: string, { small, large }: { small: number; large: number }, isFlat: boolean): Line {
  return {
    measure: `services, ${name}, p50`,
    kith: `${large.toFixed(2)} ms among ${named(many)}`,
    against: `${small.toFixed(2)} ms among ${named(few)}`,
    ratio: `${(large / small).toFixed(2)}x`,
    ...(isFlat && { goal: atMost(1.3, large / small) }),
  }
}

interface Page {
  items: unknown[]
  next_cursor: string | null
}

async function get({ http, token }: Side, query: string): Promise<Page> {
  if (!http) throw new Error('there is no connection yet')
  const response = await http.request('GET', `/api/v1/services?limit=20${query}`, token)
  if (response.status !== 200) throw new Error(`${query}: ${response.status} ${response.body}`)
  return JSON.parse(response.body) as Page
}

/** Walks from the first page to where another one begins. */
async function cursorOfPage(side: Side, page: number): Promise<string> {
  let cursor: string | null = null
  for (let at = 1; at < page; at++) {
    cursor = (await get(side, cursor === null ? '' : `&cursor=${cursor}`)).next_cursor
    if (cursor === null) throw new Error(`the list ends before page ${page}`)
  }
  return cursor as string
}

/** Median milliseconds of both, of requests that take turns. */
async function inTurns(
  small: Side,
  large: Side,
  query: (side: Side) => string,
): Promise<{ small: number; large: number }> {
  const times = { small: [] as number[], large: [] as number[] }
  for (let round = 0; round < rounds; round++) {
    for (const [name, side] of [
      ['small', small],
      ['large', large],
    ] as const) {
      const began = performance.now()
      const { items } = await get(side, query(side))
      times[name].push(performance.now() - began)
      if (items.length === 0) throw new Error('nothing was found')
    }
  }
  return { small: median(times.small.slice(warmUp)), large: median(times.large.slice(warmUp)) }
}
