// Ideas that everyone sees, newest first, and what is searched among them. docs/contract/feedback.md#ideas.
import { offsetOf, type Page, type Rows, withRows } from '../../kernel/lists.ts'
import { part } from '../../kernel/part.ts'
import { searchWords } from '../../search/grams.ts'
import { search } from '../../search/pages.ts'
import type { Query, Sql } from '../../store/sql.ts'
import { type Feedback, findAll } from './feedback.ts'
import { isListed, listedTotal } from './listing.ts'
import { fits, isFound } from './search-text.ts'

export interface Filter extends Page {
  q: string
}

/** A page of the ideas that everyone sees; the total is exact, but for a search with more hits than are read. */
export async function ideas(sql: Sql, viewerId: string | null, filter: Filter): Promise<Rows<Feedback>> {
  // Of what a search found a moment ago something may be gone.
  const shown = (on: Query, hits: Rows<string>): Promise<Rows<Feedback>> =>
    withRows(hits, (ids) => findAll(on, viewerId, ids, isListed(part`f.id`)))
  const words = searchWords(filter.q)
  if (words.length === 0) return sql.snapshot(async (tx) => shown(tx, await browse(tx, filter)))
  const hits = part`select f.id from feedback f where ${isFound(words)} and ${isListed(part`f.id`)}`
  const rows = part`select l.idea_id as id from listed_ideas l`
  const fitting = part`select 1 from feedback f where f.id = r.id and ${fits(words)}`
  return shown(sql, await search(sql, { hits, rows, fitting }, filter))
}

/** Ids first, by the index alone, so that a deep page reads no row that it does not show; none beyond the end. */
async function browse(sql: Query, filter: Filter): Promise<Rows<string>> {
  const total = await listedTotal(sql)
  const offset = offsetOf(filter)
  if (offset >= total) return { rows: [], total }
  const hits = await sql<{ id: string }>`
    select l.idea_id as id from listed_ideas l
    order by l.idea_id desc limit (select ${filter.page_size}::int) offset (select ${offset}::int)`
  return { rows: hits.map(({ id }) => id), total }
}
