// What has a page that everyone may read, in files for search engines, each of a part of the ids: a room says what there is, and
// here it is cut. Parts are cut among everything that could ever be listed and not among what is, so none grows when a profile
// opens again. docs/contract/site.md#for-search-engines.
import { type Part, part } from '../kernel/part.ts'
import type { Query, Sql } from './sql.ts'

/** What a room has, each on a page of its own. */
export interface Mapped {
  kind: string
  /** Rows (id) of all that there is, read or not; none is ever removed, and new ones come last, but for what commits late. */
  every: Part
  /** Rows (id) of those that everyone may read, with an id among these, in no order. */
  listed: (among: Among) => Part
  /** Of the listed one with the id of the row `l`, a row (key, changed_at): its name in its address, and when it last changed. */
  told: Part
}

/** A condition on an id, which a statement has as this. */
export type Among = (id: Part) => Part

/** An address of a part. */
export interface Entry {
  id: string
  key: string
  changed_at: Date
}

/** Of a file of a site map: sitemaps.org allows five times as many. */
export const mostEntries = 10_000
/** What is left free in a part for ids that were made before it was cut, and are committed after. */
const late = 1000
const partSize = mostEntries - late
/** Entries that one statement reads: more at once would hold up everyone else while they are taken apart. */
const step = 500
/** Parts that one batch of the sweep cuts. */
const maxCuts = 20

const first = '00000000-0000-0000-0000-000000000000'
const beyond = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

interface Cut {
  number: number
  from: string
  /** The first id of the next one. */
  before: string
}

/** The parts from the last one on that is written, whose rest nobody has cut yet, at most so many. */
const uncut = ({ kind, every }: Mapped, most: Part): Part => part`
  with recursive written as (
    select number, first_id, 0 as depth from (
      select number, first_id from site_map_parts where kind = ${kind}
      union all select 1, ${first}::uuid
    ) s order by number desc limit 1
  ),
  cut as (
    select number, first_id, depth from written
    union all
    select c.number + 1, next.id, c.depth + 1 from cut c
    cross join lateral (
      select e.id from (${every}) e where e.id >= c.first_id order by e.id limit 1 offset ${partSize}
    ) next
    where c.depth < ${most} and exists (
      select 1 from (select e.id from (${every}) e where e.id >= next.id order by e.id limit 1 offset ${late}) enough
    )
  )
  select number, first_id, depth from cut`

const all = part`1000000`

/** The numbers of the parts that have something in them, in order. */
export async function partsOf(sql: Query, mapped: Mapped): Promise<number[]> {
  const among: Among = (id) => part`${id} >= p.first_id and ${id} < p.before`
  const parts = await sql<{ number: number }>`
    select p.number from (
      select number, first_id, lead(first_id, 1, ${beyond}::uuid) over (order by number) as before from (
        select 1 as number, ${first}::uuid as first_id
        union all select number, first_id from site_map_parts where kind = ${mapped.kind}
        union all select number, first_id from (${uncut(mapped, all)}) u where depth > 0
      ) s
    ) p
    where exists (select 1 from (${mapped.listed(among)}) l offset 0)
    order by p.number`
  return parts.map(({ number }) => number)
}

async function cutAt(sql: Query, mapped: Mapped, number: number): Promise<Cut | undefined> {
  const written = await sql<{ number: number; first_id: string }>`
    select number, first_id from site_map_parts where kind = ${mapped.kind} and number in (${number}, ${number + 1})`
  const startOf = (rows: typeof written, at: number): string | undefined =>
    at === 1 ? first : rows.find((row) => row.number === at)?.first_id
  const from = startOf(written, number)
  const before = startOf(written, number + 1)
  if (from !== undefined && before !== undefined) return { number, from, before }
  const rest = await sql<{ number: number; first_id: string }>`select number, first_id from (${uncut(mapped, all)}) u`
  const start = from ?? startOf(rest, number)
  return start === undefined ? undefined : { number, from: start, before: startOf(rest, number + 1) ?? beyond }
}

/** What is in a part, in the order of the ids, some at a time; nothing where there is no such part. */
export async function* entriesOf(sql: Query, mapped: Mapped, number: number): AsyncGenerator<Entry[]> {
  const cut = await cutAt(sql, mapped, number)
  if (!cut) return
  let last: string | undefined
  for (let left = mostEntries; left > 0; left -= step) {
    const rest: Among = (id) => (last === undefined ? part`${id} >= ${cut.from}::uuid` : part`${id} > ${last}::uuid`)
    const entries: Entry[] = await sql<Entry>`
      select l.id, told.key, told.changed_at from (
        select id from (${mapped.listed((id) => part`${rest(id)} and ${id} < ${cut.before}::uuid`)}) m
        order by id limit ${step}
      ) l
      cross join lateral (${mapped.told} offset 0) told
      order by l.id`
    last = entries.at(-1)?.id
    if (last === undefined) return
    yield entries
  }
}

/** Writes down where parts that are full end, so that no reader counts their rows again. True when there may be more to do. */
export async function cutParts(sql: Sql, mapped: Mapped): Promise<boolean> {
  // Another node may cut the same ones at this moment, a late row further on: one of the two is as good as the other.
  const cut = await sql`
    insert into site_map_parts (kind, number, first_id)
    select ${mapped.kind}, number, first_id from (${uncut(mapped, part`${maxCuts}::int`)}) u where depth > 0
    on conflict do nothing returning 1`
  return cut.length === maxCuts
}
