// Lists of services, newest first: what everyone sees, by filters and words, and one's own.
// docs/contract/services.md#search.
import { type Part, part } from '../../kernel/part.ts'
import { within } from '../../store/bounded.ts'
import { containing, fold, searchWords, wordGrams } from '../../store/grams.ts'
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
export interface Found {
  services: Service[]
  more: boolean
}

/** Of the newest ones so many are looked at one by one, before an index is asked for all that few have. */
const newest = { withWords: 200, without: 1000 }
/** How long the search among all may take, in milliseconds. */
const searchLimit = 5000

/** A page of what everyone sees, behind a service of that list or from the newest. */
export async function search(sql: Sql, viewerId: string, filter: Filter, behind?: string): Promise<Found> {
  const words = searchWords(filter.q)
  const { ordered, further } = conditionsOf(filter)
  const isExact = words.length === 0 && further.length === 0
  const looks = isExact ? filter.limit + 1 : words.length > 0 ? newest.withWords : newest.without
  const rows = await sql<Row>`
    with probe as materialized (
      select l.* from listed_services l where ${newestFirst(ordered, behind)} limit ${looks}
    ), hit as materialized (
      select l.service_id from probe l where ${and([...further, hasWords(words)])}
      order by l.service_id desc limit ${filter.limit + 1}
    )
    ${shown(viewerId, part`(select count(*)::int from probe)`)}`
  const isEnough = isExact || (rows[0]?.looked ?? 0) < looks || servicesOf(rows).length > filter.limit
  return pageOf(
    isEnough ? rows : await within(sql, searchLimit, (tx) => amongAll(tx, viewerId, filter, behind)),
    filter,
  )
}

/** The same by the indexes of what few have: all hits are found before the newest of them are shown. */
function amongAll(sql: Query, viewerId: string, filter: Filter, behind: string | undefined): Promise<Row[]> {
  const words = searchWords(filter.q)
  const { ordered, further } = conditionsOf(filter)
  const conditions = and([ordered && part`${ordered.column} = ${ordered.value}`, ...further, before(behind)])
  const all =
    words.length > 0
      ? // The grams find candidates by index, the text itself decides.
        part`
          select s.id as service_id from services s
          where s.search_grams @> ${wordGrams(words)}::text[]
            and s.search_text like all (${words.map(containing)}::text[])
            and (select true from listed_services l where l.service_id = s.id and ${conditions})`
      : part`select l.service_id from listed_services l where ${conditions}`
  return sql<Row>`
    with every as materialized (${all}), hit as materialized (
      select service_id from every order by service_id desc limit ${filter.limit + 1}
    )
    ${shown(viewerId, part`0`)}`
}

/** A page of an agent's own, of any state; it has a hundred at most. */
export async function mine(sql: Query, ownerId: string, filter: Filter, behind?: string): Promise<Found> {
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
    ${shown(ownerId, part`0`)}`
  return pageOf(rows, filter)
}

type Row = Service & { looked: number }

/** The hits with all that is shown of them, each by its keys; one row without an id where there is none. */
const shown = (viewerId: string, looked: Part): Part => part`
  select ${looked} as looked, found.*
  from (select 1) one left join hit on true left join lateral (
    -- Fenced: a plan for any number of hits would read all agents for their names.
    select ${serviceColumns(viewerId)} from services s join agents a on a.id = s.provider_id
    where s.id = hit.service_id offset 0
  ) found on true
  order by found.id desc`

const servicesOf = (rows: readonly Row[]): Service[] => rows.filter(({ id }) => id !== null)

function pageOf(rows: readonly Row[], { limit }: Filter): Found {
  const services = servicesOf(rows)
  return { services: services.slice(0, limit), more: services.length > limit }
}

/** A column of listed_services (alias `l`) that an index has with the newest services first, and the value to have there. */
interface Ordered {
  column: Part
  value: string
}

/** The conditions of a filter: the column of which the fewest are to be expected, and the rest. */
function conditionsOf(filter: Filter): { ordered: Ordered | undefined; further: Part[] } {
  const { min_total_minor: min, max_total_minor: max } = filter
  const [ordered, ...others] = [
    { column: part`l.provider_id`, value: filter.provider_id },
    { column: part`l.unit_label`, value: fold(filter.unit_label) || undefined },
    { column: part`l.price_mode`, value: filter.price_mode },
    { column: part`l.state`, value: filter.state },
  ].filter((each): each is Ordered => each.value !== undefined)
  const bounds = [
    min !== undefined && part`l.total_minor >= ${min}`,
    max !== undefined && part`l.total_minor <= ${max}`,
  ].filter((each) => each !== false)
  return { ordered, further: [...others.map(({ column, value }) => part`${column} = ${value}`), ...bounds] }
}

const beyondAll = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

/** What stands behind a service, from the newest on. */
const newestFirst = (ordered: Ordered | undefined, behind: string = beyondAll): Part =>
  ordered === undefined
    ? part`l.service_id < ${behind} order by l.service_id desc`
    : // Written as a range, so that the index of the column is the only one in this order.
      part`(${ordered.column}, l.service_id) < (${ordered.value}, ${behind}) and ${ordered.column} >= ${ordered.value}
        order by ${ordered.column} desc, l.service_id desc`

const before = (id: string | undefined): Part | undefined => (id === undefined ? undefined : part`l.service_id < ${id}`)

/** Whether a listed service (alias `l`) has every word. */
const hasWords = (words: readonly string[]): Part | undefined =>
  words.length === 0
    ? undefined
    : part`(select s.search_text like all (${words.map(containing)}::text[]) from services s where s.id = l.service_id)`

const and = (conditions: readonly (Part | undefined | false)[]): Part =>
  conditions.reduce<Part>((all, each) => (each ? part`${all} and ${each}` : all), part`true`)
