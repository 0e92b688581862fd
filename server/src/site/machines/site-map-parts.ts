// Public pages in files for search engines, each for a range of IDs: `mapped.ts` says what exists, and this file cuts
// the ranges. They are cut among everything that could ever be listed, not only what is, so none grows when a profile
// reopens. docs/contract/site.md#for-search-engines.
import { type Part, part } from '../../kernel/part.ts'
import type { Query, Sql } from '../../store/sql.ts'

/** Things of one kind, each with its own page. */
export interface Mapped {
  kind: string
  /** Rows (id) of everything, public or not; none is ever removed, and new ones come last, except for late commits. */
  every: Part
  /** Rows (id) of public things, with an ID among these, in no order. */
  listed: (among: Among) => Part
  /**
   * For the listed thing with the ID of the row `l`, a row (key, changed_at): its name in the address, and when it last
   * changed.
   */
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

/** Per file of a site map: sitemaps.org allows five times as many. */
export const mostEntries = 10_000
/** Room in a part for IDs created before it was cut, and committed after. */
const late = 1000
const partSize = mostEntries - late
/** Entries read by one statement: more at once would hold up everyone else while they are parsed. */
const step = 500
/** Parts that one batch of the sweep cuts. */
const maxCuts = 20

const first = '00000000-0000-0000-0000-000000000000'
const beyond = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

interface Cut {
  number: number
  from: string
  /** The first ID of the next one. */
  before: string
}

/** The parts from the last recorded one on, at most this many; the rest is not cut yet. */
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

/** The numbers of non-empty parts, in order. */
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

/** The entries of a part, in the order of the IDs, in batches; nothing if there is no such part. */
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

/** Records where full parts end, so that no reader counts their rows again. True when there may be more to do. */
export async function cutParts(sql: Sql, mapped: Mapped): Promise<boolean> {
  // Another node may cut the same ones at this moment, one late row further; either result is fine.
  const cut = await sql`
    insert into site_map_parts (kind, number, first_id)
    select ${mapped.kind}, number, first_id from (${uncut(mapped, part`${maxCuts}::int`)}) u where depth > 0
    on conflict do nothing returning 1`
  return cut.length === maxCuts
}
