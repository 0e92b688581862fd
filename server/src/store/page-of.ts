// A page of a list and the number of its rows in one statement, so that both are of one moment.
import { offsetOf, type Page, type Rows } from '../kernel/lists.ts'
import { type Part, part } from '../kernel/part.ts'
import { only, type Query } from './sql.ts'

interface Listing {
  /** How the statement begins: `with … as materialized (…)`. */
  given?: Part
  /**
   * What is listed: `from … where …`. Several share no row, and an index has each in this order, so that they are merged
   * rather than sorted.
   */
  those: readonly Part[]
  /** By columns that a row has when it is read, and when it is shown; newest first by default. */
  order?: Part
  /** What is read of each row. */
  columns?: Part
  /** Each of `those` is counted no further. */
  most?: number
  /** What is shown of the rows of a page. */
  shown?: (rows: Part) => Part
}

const joined = (parts: readonly Part[], between: Part): Part =>
  parts.reduce((all, each) => part`${all} ${between} ${each}`)

export async function pageOf<T extends object>(
  sql: Query,
  page: Page,
  { given = part``, those, order = part`id desc`, columns = part`*`, most, shown = (rows) => rows }: Listing,
): Promise<Rows<T>> {
  const offset = offsetOf(page)
  const counts = those.map((each) =>
    most === undefined
      ? part`(select count(*) ${each})`
      : part`(select count(*) from (select 1 ${each} limit (select ${most}::int)) counted)`,
  )
  const newest = those.map(
    (each) => part`(select ${columns} ${each} order by ${order} limit (select ${offset + page.page_size}::int))`,
  )
  const all = newest.length === 1 ? part`select ${columns} ${those[0]}` : joined(newest, part`union all`)
  const rows = part`select * from (${all}) r
    order by ${order} limit (select ${page.page_size}::int) offset (select ${offset}::int)`
  const found = await sql<T & { total: number; is_row: true | null }>`
    ${given} select (${joined(counts, part`+`)})::int as total, shown.*
    from (select 1) one left join (select true as is_row, p.* from (${shown(rows)}) p) shown on true
    order by ${order}`
  return {
    rows: found.flatMap(({ total: _, is_row: isRow, ...row }) => (isRow ? [row as unknown as T] : [])),
    total: only(found.slice(0, 1)).total,
  }
}
