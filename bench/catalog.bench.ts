import { addServices, databaseOf, searched } from './data.ts'
import { atMost, type Line } from './goal.ts'
import { type Asked, betweenSides, inTurns, type Side, type Times } from './sides.ts'
import { median } from './statistics.ts'
import { type BenchAgent, registerAgents, startKith } from './targets.ts'

/** `KITH_BENCH_SERVICES`: another size of the large table. */
const [few, many] = [10_000, Number(process.env['KITH_BENCH_SERVICES'] ?? 1_000_000)]
const named = (count: number): string => count.toLocaleString('en')
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
export const catalog = (): Promise<Line[]> =>
  betweenSides([few, many], open, async (small, large) => {
    const lines: Line[] = []
    for (const [name, { query, isFlat }] of Object.entries(queries)) {
      lines.push(line(name, await inTurns(small, large, (side) => found(side, query)), isFlat))
    }
    const deep = new Map<Reader, string>()
    for (const side of [small, large]) deep.set(side, await cursorOfPage(side, deepPages))
    const times = await inTurns(small, large, (side) => found(side, `&cursor=${deep.get(side)}`))
    return [...lines, line(`page ${deepPages}, by its cursor`, times, true)]
  })

interface Reader extends Side {
  token: string
}

async function open(count: number): Promise<Reader> {
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

function line(name: string, times: Times, isFlat: boolean): Line {
  const [small, large] = [median(times.small), median(times.large)]
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

async function get({ http, token }: Asked<Reader>, query: string): Promise<Page> {
  const response = await http.request('GET', `/api/v1/services?limit=20${query}`, token)
  if (response.status !== 200) throw new Error(`${query}: ${response.status} ${response.body}`)
  return JSON.parse(response.body) as Page
}

/** Walks from the first page to where another one begins. */
async function cursorOfPage(side: Asked<Reader>, page: number): Promise<string> {
  let cursor: string | null = null
  for (let at = 1; at < page; at++) {
    cursor = (await get(side, cursor === null ? '' : `&cursor=${cursor}`)).next_cursor
    if (cursor === null) throw new Error(`the list ends before page ${page}`)
  }
  return cursor as string
}

async function found(side: Asked<Reader>, query: string): Promise<void> {
  const { items } = await get(side, query)
  if (items.length === 0) throw new Error('nothing was found')
}
