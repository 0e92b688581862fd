// Pages of search results by grams, newest first. If few rows match, all are found by their grams, and counted; if many
// match, only the page is read, from the newest on.
import { offsetOf, type Page, type Rows } from '../kernel/lists.ts'
import { type Part, part } from '../kernel/part.ts'
import { only, type Sql } from '../store/sql.ts'
import { within } from './bounded.ts'

export interface Search {
  /** The IDs (column `id`) of all hits, by their grams. */
  hits: Part
  /** The IDs (column `id`) of everything that is searched, in the order of an index. */
  rows: Part
  /** Whether the row with the ID `r.id` is a hit, as a statement that gives a row or none; uses no gram index. */
  fitting: Part
}

/** Up to this many hits all are read, and counted exactly; written out below, for the planner to see. */
export const few = 10_000
const atMostFew = part`10000`
const moreThanFew = part`10001`
/**
 * How long a search may take, and how long the search for few hits before it is done as one for many, in milliseconds.
 */
const searchLimit = 2000
const fewLimit = 1500

/** The IDs of a page of the hits; of more than are read the total is a minimum. A search that takes too long fails with 57014, which `isUnavailable` knows. */
export async function search(sql: Sql, wanted: Search, page: Page): Promise<Rows<string>> {
  const began = performance.now()
  const found = await amongFew(sql, wanted, page)
  if (found) return found
  return amongMany(
    sql,
    wanted,
    page,
    Math.max(searchLimit - fewLimit, Math.floor(searchLimit - (performance.now() - began))),
  )
}

/** Page and total in one evaluation; undefined if there are too many hits, or candidates, to read. */
async function amongFew(sql: Sql, { hits }: Search, page: Page): Promise<Rows<string> | undefined> {
  try {
    // The limit is in a step of its own, planned as if all of it were read.
    const rows = await within(
      sql,
      fewLimit,
      (tx) => tx<{ id: string | null; total: number; many: boolean }>`
        with matching as materialized (${hits}),
        hit as materialized (select id from matching limit ${moreThanFew})
        select all_hits.total, all_hits.many, shown.id from (
          select count(*)::int as total, count(*) > ${atMostFew} as many from hit
        ) all_hits
        left join (
          select id from hit order by id desc limit ${page.page_size} offset ${offsetOf(page)}
        ) shown on true
        order by shown.id desc`,
    )
    const { many, total } = only(rows.slice(0, 1))
    return many ? undefined : { rows: rows.flatMap(({ id }) => id ?? []), total }
  } catch (error) {
    if ((error as { code?: string }).code === '57014') return undefined
    throw error
  }
}

/**
 * Only the page, from the newest on; the total is what is known. Frequent hits are found within `limit` milliseconds: a
 * search that exceeds this too is given up.
 */
async function amongMany(sql: Sql, { rows, fitting }: Search, page: Page, limit: number): Promise<Rows<string>> {
  const offset = offsetOf(page)
  // One row more than is shown tells whether the page is the last.
  const found = await within(
    sql,
    limit,
    (tx) => tx<{ id: string }>`
      select r.id from (${rows}) r cross join lateral (${fitting} offset 0) fitting
      order by r.id desc limit ${page.page_size + 1} offset ${offset}`,
  )
  const ids = found.slice(0, page.page_size).map(({ id }) => id)
  const isLast = found.length > 0 && found.length === ids.length
  return {
    rows: ids,
    total: isLast ? offset + ids.length : Math.max(few + 1, found.length > 0 ? offset + found.length : 0),
  }
}
