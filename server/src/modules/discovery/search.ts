// What somebody finds among all that its lists show, the best first. The work is bounded: so many candidates, each by an
// index, within so much time. docs/contract/discovery.md.
import { type Part, part } from '../../kernel/part.ts'
import { type FindableKind, findableKinds, lots } from '../../search/findable.ts'
import { kindMark, modeMark, tagMark } from '../../search/finding.ts'
import type { Query, Sql } from '../../store/sql.ts'
import { rankAt, ranksAt } from '../reputation/ranks.ts'
import { kindsOf, type Sort } from './shapes.ts'
import { type Frequency, frequencyOf, lexeme, type Term, type Tier, termsWanted, tiersOf } from './terms.ts'
import { fits } from './visible.ts'
import type { Wanted } from './wanted.ts'

/** Something found, with what it is sorted by: the highest first, then the newest; of rated agents one after the other. */
export interface Hit {
  id: string
  kind: FindableKind
  agent_id: string
  rank: number
}

export interface Hits {
  /** From the wanted place on. */
  hits: Hit[]
  /** Whether there may be more that was not looked at. */
  partial: boolean
}

/** The last that its reader has seen. */
export type Place = Pick<Hit, 'rank' | 'id' | 'agent_id'>

/** How far a search goes. */
export interface Bounds {
  /** Milliseconds. */
  time: number
  /** With so many found no looser query is asked; and no more than so many are sorted. */
  enough: number
  /** So many of the newest are looked at one by one before the index of a tag is asked. */
  window: number
  /** So many things with the rarest of some words are read to find those with all of them. */
  most: number
}

export const bounds: Bounds = { time: 1000, enough: 200, window: 1000, most: 20_000 }

interface Searching {
  sql: Sql
  now: Date
  wanted: Wanted
  /** Of what follows `behind` so many are to be given, with one more where there is one. */
  limit: number
  behind: Place | undefined
  /** As agents were rated then. */
  asOf: Date
  bounds: Bounds
}

export interface Reading {
  limit: number
  behind?: Place | undefined
  asOf?: Date
  bounds?: Bounds
}

/** The hits behind a place, in order: one more than the limit where there are more. */
export async function search(
  sql: Sql,
  now: Date,
  wanted: Wanted,
  { limit, behind, asOf = now, bounds: within = bounds }: Reading,
): Promise<Hits> {
  const searching = { sql, now, wanted, limit, behind, asOf, bounds: within }
  if (wanted.q === undefined) return browse(searching)
  const terms = await termsWanted(sql, wanted.q)
  if (terms.length === 0) return { hits: [], partial: false }
  const { hits, partial } = await collect(searching, async (ask) => {
    if (terms.length === 1) return tiersOf(terms)
    const { most } = searching.bounds
    return tiersOf(terms, await ask((tx) => frequenciesOf(tx, terms, most)), most)
  })
  return sorted(searching, hits, partial)
}

/** What a search names as a whole: a thing by its ID, an agent by its handle. */
async function namedBy(tx: Query, q: string, wanted: Wanted, now: Date): Promise<Hit[]> {
  const name = q.toLowerCase().replace(/^@/, '')
  const isNamed = isId(name) ? part`d.id = ${name}::uuid` : part`d.id = (select id from agents where handle = ${name})`
  return tx<Hit>`
    select d.id, d.kind, d.agent_id, ${beyondRanks}::int as rank from findable d
    where ${isNamed} ${isOfKind(wanted)} and ${fits(wanted, now)} ${hasMarks(wanted)}`
}

const isId = (text: string): boolean => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)

/** Without words: as an index has it, where one has. */
async function browse(searching: Searching): Promise<Hits> {
  const { wanted, bounds, limit } = searching
  const sort = wanted.sort === 'relevance' ? 'newest' : wanted.sort
  if (wanted.tag === undefined) return walk(searching, sort)
  if (sort === 'newest') {
    const near = await walk(searching, sort, bounds.window)
    if (near.hits.length > limit) return near
  }
  const { hits, partial } = await collect(searching, async () => [{ query: '', terms: [], things: 0 }])
  return hits.length < bounds.enough ? sorted(searching, hits, partial) : walk(searching, sort)
}

/** What is named and the candidates of each query until they are enough, with how well each fits. */
async function collect(
  { sql, now, wanted, bounds }: Searching,
  tiers: (ask: Ask) => Promise<readonly Tier[]>,
): Promise<Hits> {
  const found = new Map<string, Hit>()
  const facets = facetsOf(wanted)
  const isIn = fits(wanted, now)
  const { q } = wanted
  const partial = await inTime(sql, bounds, async (ask) => {
    if (q !== undefined) for (const hit of await ask((tx) => namedBy(tx, q, wanted, now))) found.set(hit.id, hit)
    if (q !== undefined && isId(q) && found.size > 0) return false
    for (const tier of await tiers(ask)) {
      const query = [...(tier.query === '' ? [] : [`(${tier.query})`]), ...facets].join(' & ')
      const rest = { known: [...found.keys()], enough: bounds.enough - found.size, depth: depthFor(tier, bounds) }
      for (const row of await ask((tx) => tx<Hit>`${candidates(query, isIn, tier.terms, rest)}`)) found.set(row.id, row)
      if (found.size >= bounds.enough) return true
    }
    return false
  })
  return { hits: [...found.values()], partial }
}

/** The first lot has one thing of so many. */
const lotShare = 4 ** (lots - 1)
/** Of more than so many in the first lot nobody needs the number. */
const mostCounted = 256

/** How often each term occurs, by how many things of the first lot have it; not asked where there are no more than `most`. */
async function frequenciesOf(sql: Query, terms: readonly Term[], most: number): Promise<Frequency[]> {
  const queries = terms.map(frequencyOf)
  const having = (query: Part): Part => part`
    (select count(*) from (
      select 1 from findable d where d.lot = 0 and (d.words || d.near) @@ ${query}::tsquery
      limit case when (select reltuples from pg_class where oid = 'findable'::regclass) > ${most} then ${mostCounted}::int else 0 end
    ) known)::int * ${lotShare}::int`
  return sql<Frequency>`
    select ${having(part`t.exactly`)} as exactly, ${having(part`t.nearly`)} as nearly
    from unnest(${queries.map(({ exactly }) => exactly)}::text[], ${queries.map(({ nearly }) => nearly)}::text[])
      with ordinality as t (exactly, nearly, at) order by t.at`
}

/** How many lots are looked through: all of them, but where very many things have even the rarest words. */
function depthFor({ things }: Tier, { most }: Bounds): number {
  if (things <= most) return lots
  return Math.max(1, lots - Math.ceil(Math.log2(things / most) / 2))
}

/** Marks that every hit has. */
const facetsOf = ({ kind, price_mode: mode, tag }: Wanted): string[] => [
  ...(kindsOf[kind] ? [lexeme(kindMark(kindsOf[kind]))] : []),
  ...(mode === undefined ? [] : [lexeme(modeMark(mode))]),
  ...(tag === undefined ? [] : [lexeme(tagMark(tag))]),
]

/** What a query finds in one lot after the other beyond what is known, until it is enough, with the points of each. */
const candidates = (
  query: string,
  isIn: Part,
  terms: readonly Term[],
  { known, enough, depth }: { known: readonly string[]; enough: number; depth: number },
): Part => part`
  with wanted as materialized (
    select ${query}::tsquery as query, ${enough}::int as enough, ${known}::uuid[] as known, ${depth}::int as depth
  ),
  term as materialized (
    select word::tsquery, stem::tsquery, text_word::tsquery, text_stem::tsquery, near::tsquery, part::tsquery
    from unnest(${terms.map(({ word }) => word)}::text[], ${terms.map(({ stem }) => stem)}::text[],
      ${terms.map(({ textWord }) => textWord)}::text[], ${terms.map(({ textStem }) => textStem)}::text[],
      ${terms.map(({ near }) => near)}::text[], ${terms.map(({ part }) => part)}::text[])
      as t (word, stem, text_word, text_stem, near, part)
  ),
  ${Array.from({ length: lots }, (_, at) => lot(at, isIn)).reduce((all, each) => part`${all}, ${each}`)},
  hit as materialized (${cuts(lots).reduce((all, each) => part`${all} union all ${each}`)})
  select d.id, d.kind, d.agent_id, coalesce(given.points, 0)::int as rank
  from hit cross join lateral (
    -- Unpacked once for all terms.
    select f.id, f.kind, f.agent_id, strip(f.words) as words, f.near from findable f where f.id = hit.id offset 0
  ) d cross join lateral (
    select sum(case when points > 0 then 1000 + points else 0 end) as points from (
      select case when d.words @@ word then 60 when d.words @@ stem then 50 when d.words @@ text_word then 30
        when d.words @@ text_stem then 25 when d.near @@ near then 8
          when (d.words || d.near) @@ part then 5 else 0 end as points
      from term
    ) each
  ) given`

const lotNumbers = [part`0`, part`1`, part`2`, part`3`, part`4`, part`5`] as const
/** What was taken of so many lots. */
const cuts = (count: number): Part[] => lotNumbers.slice(0, count).map((number) => part`select id from cut_${number}`)

/**
 * The newest of a lot that a query finds, if it is to be looked through and fewer than enough are found before it. Written out,
 * for its own index.
 */
function lot(at: number, isIn: Part): Part {
  const number = lotNumbers[at] as Part
  const before = cuts(at).reduce(
    (all, each) => part`${all} union all ${each}`,
    part`select null::uuid as id where false`,
  )
  return part`
    lot_${number} as materialized (
      -- A step of its own: an order in it would have the index of ids read, and all rows.
      select d.id, d.kind, d.agent_id, d.total_minor from findable d
      where d.lot = ${number} and (d.words || d.near) @@ (select query from wanted)
        and ${number} < (select depth from wanted)
        and (select count(*) from (${before}) taken) < (select enough from wanted)
    ), cut_${number} as materialized (
      -- Who sees it is asked of no more than it takes.
      select d.id from (select * from lot_${number} order by id desc offset 0) d
      where d.id <> all(select unnest(known) from wanted) and ${isIn} limit (select enough from wanted)
    )`
}

/** As an index has them; the first `window` of it where that is given. */
async function walk(searching: Searching, sort: Exclude<Sort, 'relevance'>, window?: number): Promise<Hits> {
  const { sql, bounds, limit, behind } = searching
  const hits: Hit[] = []
  const partial = await inTime(sql, bounds, async (ask) => {
    if (sort === 'newest') hits.push(...(await ask((tx) => newest(tx, searching, window))))
    else {
      const last = sort === 'rating' ? unrated : unpriced
      const isFirst = !behind || behind.rank !== last
      if (isFirst) {
        hits.push(...(await ask((tx) => (sort === 'rating' ? rated(tx, searching) : priced(tx, searching, sort)))))
      }
      if (hits.length > limit) return false
      // What names no price, or nobody rated, comes last.
      const rest = { ...searching, behind: isFirst ? undefined : behind, limit: limit - hits.length }
      const others = await ask((tx) => newest(tx, rest, undefined, part`and ${hasNone(sort, searching)}`))
      hits.push(...others.map((hit) => ({ ...hit, rank: last })))
    }
    return false
  })
  return { hits, partial }
}

const unpriced = -(2 ** 52)
const unrated = 0
const beyondAll = 'ffffffff-ffff-ffff-ffff-ffffffffffff'
const beyondRanks = 2 ** 31 - 1

const hasNone = (sort: Sort, { asOf }: Searching): Part =>
  sort === 'rating' ? part`coalesce(${rankAt(part`d.agent_id`, asOf)}, 0) = 0` : part`d.total_minor is null`

function newest(tx: Query, { wanted, now, limit, behind }: Searching, window?: number, also = part``): Promise<Hit[]> {
  const inOrder = part`d.id < ${behind?.id ?? beyondAll}::uuid ${isOfKind(wanted)} ${also}`
  const isIn = part`${fits(wanted, now)} ${hasMarks(wanted)}`
  if (window === undefined) {
    return tx<Hit>`
      select d.id, d.kind, d.agent_id, 0 as rank from findable d
      where ${inOrder} and ${isIn} order by d.id desc limit ${limit + 1}`
  }
  return tx<Hit>`
    select d.id, d.kind, d.agent_id, 0 as rank from (
      select * from findable d where ${inOrder} order by d.id desc limit ${window}
    ) d where ${isIn} order by d.id desc limit ${limit + 1}`
}

function priced(tx: Query, { wanted, now, limit, behind }: Searching, sort: 'price' | 'price_desc'): Promise<Hit[]> {
  const at = { total: Math.abs(behind?.rank ?? 0), id: behind?.id ?? beyondAll }
  const where = part`d.total_minor is not null and ${fits(wanted, now)} ${isOfKind(wanted)} ${hasMarks(wanted)}`
  if (sort === 'price') {
    return tx<Hit>`
      select d.id, d.kind, d.agent_id, -d.total_minor as rank from findable d
      where d.total_minor >= ${at.total} and (d.total_minor > ${at.total} or d.id < ${at.id}::uuid) and ${where}
      order by d.total_minor, d.id desc limit ${limit + 1}`
  }
  return tx<Hit>`
    select d.id, d.kind, d.agent_id, d.total_minor as rank from findable d
    where (d.total_minor, d.id) < (${behind ? at.total : Number.MAX_SAFE_INTEGER}, ${at.id}::uuid) and ${where}
    order by d.total_minor desc, d.id desc limit ${limit + 1}`
}

/** Agent by agent, the best rated first; of each the newest things. */
function rated(tx: Query, { wanted, now, limit, behind, asOf }: Searching): Promise<Hit[]> {
  const kind = kindsOf[wanted.kind]
  const at = behind ?? { rank: beyondRanks, agent_id: beyondAll, id: beyondAll }
  const place = part`(${at.rank}::int, ${at.agent_id}::uuid)`
  return tx<Hit>`
    select d.id, d.kind, r.agent_id, r.rank from ratings r cross join lateral (
      select d.* from unnest(${kind ? [kind] : findableKinds}::text[]) as each (kind) cross join lateral (
        select d.id, d.kind from findable d
        where d.agent_id = r.agent_id and d.kind = each.kind
          and d.id < case when (r.rank, r.agent_id) = ${place} then ${at.id}::uuid else ${beyondAll}::uuid end
          and ${fits(wanted, now)} ${hasMarks(wanted)}
        order by d.id desc limit ${limit + 1}
      ) d order by d.id desc limit ${limit + 1}
    ) d
    where r.rank > 0 and (r.rank, r.agent_id) <= ${place} and r.since <= ${asOf}
      and not exists (
        select 1 from ratings l where l.agent_id = r.agent_id and l.since > r.since and l.since <= ${asOf} offset 0)
    order by r.rank desc, r.agent_id desc, d.id desc limit ${limit + 1}`
}

const isOfKind = ({ kind }: Wanted): Part => (kindsOf[kind] ? part`and d.kind = ${kindsOf[kind]}` : part``)

function hasMarks(wanted: Wanted): Part {
  const marks = facetsOf({ ...wanted, kind: 'all' })
  return marks.length > 0 ? part`and d.words @@ ${marks.join(' & ')}::tsquery` : part``
}

/** What was collected in the order that is asked for, from behind a place on. */
async function sorted(searching: Searching, found: Hit[], cut: boolean): Promise<Hits> {
  const { wanted, limit, behind } = searching
  const ranks = await ranksBy(searching, found)
  const compare = (a: Place, b: Place): number =>
    b.rank - a.rank ||
    (wanted.sort === 'rating' && a.rank > unrated && descending(a.agent_id, b.agent_id)) ||
    descending(a.id, b.id)
  const hits = found
    .map((hit) => ({ ...hit, rank: ranks(hit) }))
    .sort(compare)
    .filter((hit) => !behind || compare(behind, hit) < 0)
  const isLast = hits.length <= limit
  return { hits: hits.slice(0, limit + 1), partial: cut && isLast }
}

const descending = (a: string, b: string): number => (a < b ? 1 : a > b ? -1 : 0)

async function ranksBy({ sql, asOf, wanted }: Searching, found: Hit[]): Promise<(hit: Hit) => number> {
  const { sort, q } = wanted
  if (sort === 'rating') {
    const ranks = await ranksAt(
      sql,
      asOf,
      found.map(({ agent_id }) => agent_id),
    )
    return ({ agent_id }) => ranks.get(agent_id) ?? unrated
  }
  if (sort === 'price' || sort === 'price_desc') {
    const rows = await sql<{ id: string; total_minor: number }>`
      select id, total_minor from findable where id = any(${found.map(({ id }) => id)}::uuid[]) and total_minor is not null`
    const totals = new Map(rows.map(({ id, total_minor }) => [id, total_minor]))
    return ({ id }) => {
      const total = totals.get(id)
      return total === undefined ? unpriced : sort === 'price' ? -total : total
    }
  }
  return sort === 'relevance' && q !== undefined ? ({ rank }) => rank : () => 0
}

type Ask = <T>(read: (tx: Query) => Promise<T>) => Promise<T>

/** Runs reads one after the other until their time is over; true where it was, or where they say so. */
async function inTime(sql: Sql, { time }: Bounds, reads: (ask: Ask) => Promise<boolean>): Promise<boolean> {
  const until = performance.now() + time
  try {
    return await sql.snapshot((tx) =>
      reads(async (read) => {
        const left = Math.floor(until - performance.now())
        if (left <= 0) throw new Late()
        const [, found] = await Promise.all([
          // One plan for all values: making one takes longer than most searches.
          tx`select set_config('statement_timeout', ${String(left)}, true),
            set_config('plan_cache_mode', 'force_generic_plan', true)`,
          read(tx),
        ])
        return found
      }),
    )
  } catch (error) {
    if (error instanceof Late || (error as { code?: string }).code === '57014') return true
    throw error
  }
}

class Late extends Error {}
