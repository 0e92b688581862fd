// Lists of services, newest first: what everyone sees, by filters and words, and the caller's own.
// docs/contract/services.md#search.
import { type Part, part } from '../../kernel/part.ts'
import { within } from '../../search/bounded.ts'
import { containing, fold, searchWords, wordGrams } from '../../search/grams.ts'
import { alongside } from '../../store/once.ts'
import type { Query, Sql } from '../../store/sql.ts'
import type { PriceMode, State } from './shapes.ts'
import { type Service, serviceColumns } from './show.ts'

export interface Filter {
  q: string
  provider_id: string | undefined
  state: State | undefined
  price_mode: PriceMode | undefined
  unit_label: string
  min_total_minor: number | undefined
  max_total_minor: number | undefined
  limit: number
}

/** A page, and whether there is more behind it. */
export interface FoundServices {
  services: Service[]
  more: boolean
}

/** How far each step of a search goes. */
export interface Looks {
  /** So many of the newest are looked at one by one first, where words are asked for, and where none are. */
  withWords: number
  without: number
  /** So many that an index finds are judged and sorted; where there are more, hits are dense. */
  few: number
  /** So many of the newest are looked at before all hits are sorted, however many they are. */
  dense: number
}

const usual: Looks = { withWords: 200, without: 1000, few: 4000, dense: 20_000 }
/** How long the search among all may take, in milliseconds. */
const searchLimit = 5000

/** Where a list goes on, and how it is read. */
export interface Reading {
  behind?: string | undefined
  looks?: Looks
  /** Is asked along with the first statement; what it refuses goes before anything that is found. */
  confirm?: (sql: Query) => Promise<void>
}

/** A page of what everyone sees, behind a service of that list or from the newest. */
export async function search(
  sql: Sql,
  viewerId: string,
  filter: Filter,
  { behind, looks = usual, confirm = async () => {} }: Reading = {},
): Promise<FoundServices> {
  const wanted = { ...wantedOf(filter, behind), looks }
  const first = wanted.isExact ? listed(viewerId, wanted) : newestOrFew(viewerId, wanted)
  const rows = await sql.together((one) => alongside(confirm(one), one<Row>`${first}`))
  if (rows[0]?.is_whole ?? true) return pageOf(rows, filter)
  const dense = await sql<Row>`${fromNewest(viewerId, wanted)}`
  if (servicesOf(dense).length > filter.limit) return pageOf(dense, filter)
  return pageOf(await within(sql, searchLimit, (tx) => tx<Row>`${amongAll(viewerId, wanted)}`), filter)
}

/** A filter as conditions on a listed service (alias `l`) and its words. */
interface Wanted {
  words: readonly string[]
  ordered: Ordered | undefined
  further: readonly Part[]
  behind: string | undefined
  /** Whether an index has the hits, all of them and nothing else, in order. */
  isExact: boolean
  /** One more than a page has, which tells whether there is another one. */
  rows: number
  looks: Looks
}

function wantedOf(filter: Filter, behind: string | undefined): Omit<Wanted, 'looks'> {
  const words = searchWords(filter.q)
  const { ordered, further } = conditionsOf(filter)
  const isExact = words.length === 0 && further.length === 0
  return { words, ordered, further, behind, isExact, rows: filter.limit + 1 }
}

const listed = (viewerId: string, { ordered, behind, rows }: Wanted): Part => part`
  with hit as materialized (
    select l.service_id from listed_services l where ${newestFirst(ordered, behind)} limit ${count(rows)}
  )
  ${shown(viewerId, part`true`)}`

/** The hits among the newest; where these give no page, and few have what is asked for, those among these few. */
function newestOrFew(viewerId: string, wanted: Wanted): Part {
  const { words, ordered, further, behind, rows, looks } = wanted
  const near = words.length > 0 ? looks.withWords : looks.without
  return part`
    with probe as materialized (
      select l.* from listed_services l where ${newestFirst(ordered, behind)} limit ${count(near)}
    ), near as materialized (
      select l.service_id from probe l where ${and([...further, hasWords(words)])}
      order by l.service_id desc limit ${count(rows)}
    ), told as materialized (
      select (select count(*) from probe) < ${near} or (select count(*) from near) = ${rows} as is_enough
    ), every as materialized (
      -- Read no further than is asked for, and planned as if it were.
      ${candidates(wanted, part`not (select is_enough from told)`)}
    ), candidate as materialized (
      select * from every limit ${count(looks.few + 1)}
    ), counted as materialized (
      select is_enough, is_enough or (select count(*) from candidate) <= ${looks.few} as is_whole from told
    ), few as materialized (
      select c.service_id from candidate c
      where (select is_whole and not is_enough from counted) and ${judged(wanted)}
      order by c.service_id desc limit ${count(rows)}
    ), hit as materialized (
      select service_id from few union all select service_id from near where (select is_enough from counted)
    )
    ${shown(viewerId, part`(select is_whole from counted)`)}`
}

/** A page where many have what is asked for: from the newest on, as far as it takes. */
function fromNewest(viewerId: string, { words, ordered, further, behind, rows, looks }: Wanted): Part {
  const order = ordered ? part`${ordered.column} desc, l.service_id desc` : part`l.service_id desc`
  return part`
    with hit as materialized (
      select l.service_id from (
        select l.* from listed_services l where ${newestFirst(ordered, behind)} limit ${count(looks.dense)}
      ) l where ${and([...further, hasWords(words)])} order by ${order} limit ${count(rows)}
    )
    ${shown(viewerId, part`true`)}`
}

/** The same by the indexes of what few have: all hits are found before the newest of them are shown. */
const amongAll = (viewerId: string, wanted: Wanted): Part => part`
  with candidate as materialized (${candidates(wanted)}), hit as materialized (
    select c.service_id from candidate c where ${judged(wanted)} order by c.service_id desc limit ${count(wanted.rows)}
  )
  ${shown(viewerId, part`true`)}`

/** What an index has of what is asked for: with words, all that has their grams. */
const candidates = ({ words, ordered, further, behind }: Wanted, when?: Part): Part =>
  words.length > 0
    ? part`select s.id as service_id from services s
        where ${and([when, behind !== undefined && part`s.id < ${uuid(behind)}`, part`s.search_grams @> (select ${wordGrams(words)}::text[])`])}`
    : part`select l.service_id from listed_services l
        where ${and([when, behind !== undefined && part`l.service_id < ${uuid(behind)}`, ordered && part`${ordered.column} = ${ordered.value}`, ...further])}`

/** Whether a candidate (alias `c`) is a hit: the grams find it, the text itself decides. */
const judged = ({ words, ordered, further }: Wanted): Part =>
  words.length === 0
    ? part`true`
    : part`(select ${and([ordered && part`${ordered.column} = ${ordered.value}`, ...further, hasWords(words)])}
        from listed_services l where l.service_id = c.service_id)`

/** A page of an agent's own, of any state; it has a hundred at most. */
export async function mine(sql: Query, ownerId: string, filter: Filter, behind?: string): Promise<FoundServices> {
  const words = searchWords(filter.q)
  const { provider_id, state, price_mode, min_total_minor: min, max_total_minor: max } = filter
  const rows = await sql<Row>`
    with hit as materialized (
      select s.id as service_id from services s
      where ${and([
        part`s.provider_id = ${ownerId}`,
        provider_id !== undefined && part`s.provider_id = ${provider_id}`,
        behind !== undefined && part`s.id < ${behind}`,
        state !== undefined && part`s.state = ${state}`,
        price_mode !== undefined && part`s.price_mode = ${price_mode}`,
        filter.unit_label !== '' && part`s.unit_folded = ${fold(filter.unit_label)}`,
        min !== undefined && part`s.total_minor >= ${min}`,
        max !== undefined && part`s.total_minor <= ${max}`,
        words.length > 0 && part`s.search_text like all (${words.map(containing)}::text[])`,
      ])}
      order by s.id desc limit ${filter.limit + 1}
    )
    ${shown(ownerId, part`true`)}`
  return pageOf(rows, filter)
}

/** `is_whole`: there is no hit but among these, or enough of them. */
type Row = Service & { is_whole: boolean }

/** The hits with all that is shown of them, each by its keys; one row without an id if there is none. */
const shown = (viewerId: string, isWhole: Part): Part => part`
  select ${isWhole} as is_whole, found.*
  from (select 1) one left join hit on true left join lateral (
    -- Fenced: a plan for any number of hits would read all agents for their names.
    select ${serviceColumns(viewerId)} from services s join agents a on a.id = s.provider_id
    where s.id = hit.service_id offset 0
  ) found on true
  order by found.id desc`

const servicesOf = (rows: readonly Row[]): Service[] => rows.filter(({ id }) => id !== null)

function pageOf(rows: readonly Row[], { limit }: Filter): FoundServices {
  const services = servicesOf(rows)
  return { services: services.slice(0, limit), more: services.length > limit }
}

// Values that the planner does not look into: one plan serves all of them, and is made once.
const count = (value: number): Part => part`(select ${value}::integer)`
const minor = (value: number): Part => part`(select ${value}::bigint)`
const text = (value: string): Part => part`(select ${value}::text)`
const uuid = (value: string): Part => part`(select ${value}::uuid)`

/** A column of listed_services (alias `l`) that an index has with the newest services first, and the value to have there. */
interface Ordered {
  column: Part
  value: Part
}

/** The conditions of a filter: the one that is expected to match least, and the rest. */
function conditionsOf(filter: Filter): { ordered: Ordered | undefined; further: Part[] } {
  const { provider_id, unit_label, price_mode, state, min_total_minor: min, max_total_minor: max } = filter
  const [ordered, ...others] = [
    provider_id !== undefined && { column: part`l.provider_id`, value: uuid(provider_id) },
    unit_label !== '' && { column: part`l.unit_label`, value: text(fold(unit_label)) },
    price_mode !== undefined && { column: part`l.price_mode`, value: text(price_mode) },
    state !== undefined && { column: part`l.state`, value: text(state) },
  ].filter((each) => each !== false)
  const bounds = [
    min !== undefined && part`l.total_minor >= ${minor(min)}`,
    max !== undefined && part`l.total_minor <= ${minor(max)}`,
  ].filter((each) => each !== false)
  return { ordered, further: [...others.map(({ column, value }) => part`${column} = ${value}`), ...bounds] }
}

const beyondAll = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

/** What stands behind a service, from the newest on. */
const newestFirst = (ordered: Ordered | undefined, behind: string = beyondAll): Part =>
  ordered === undefined
    ? part`l.service_id < ${uuid(behind)} order by l.service_id desc`
    : // Written as a range, so that the index of the column is the only one in this order.
      part`(${ordered.column}, l.service_id) < (${ordered.value}, ${uuid(behind)}) and ${ordered.column} >= ${ordered.value}
        order by ${ordered.column} desc, l.service_id desc`

/** Whether a listed service (alias `l`) has every word. */
const hasWords = (words: readonly string[]): Part | undefined =>
  words.length === 0
    ? undefined
    : part`(select s.search_text like all ((select ${words.map(containing)}::text[])::text[]) from services s where s.id = l.service_id)`

const and = (conditions: readonly (Part | undefined | false)[]): Part =>
  conditions.reduce<Part>((all, each) => (each ? part`${all} and ${each}` : all), part`true`)
