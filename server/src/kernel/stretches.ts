// Large tables whose old rows a sweep finds by reading all of it, a stretch of pages at a time. A BRIN index does not help
// there: it forgets nothing, so once new rows have taken the space of deleted ones it names every page for every question,
// and each batch would begin at the first one.
import { type Part, part } from './part.ts'

type Query = <T extends object>(strings: TemplateStringsArray, ...values: unknown[]) => Promise<T[]>

/** 2 MiB of pages, which hold up to 20,000 rows. */
const pagesAtOnce = 256

/**
 * Goes through a table, and all partitions of it side by side. Each call does `work` to the rows of the next pages; true
 * until the end, after which the next call begins again. Rows that move meanwhile are found the next time.
 */
export function stretchByStretch(
  table: 'events' | 'operations',
  work: (within: Part) => Promise<unknown>,
  atOnce: number = pagesAtOnce,
): (sql: Query) => Promise<boolean> {
  let next = 0
  return async (sql) => {
    const [from, to] = [next, next + atOnce]
    await work(part`ctid >= ${`(${from},0)`}::tid and ctid < ${`(${to},0)`}::tid`)
    const [size] = await sql<{ pages: number }>`
      select (max(pg_relation_size(id)) / current_setting('block_size')::int)::int as pages
      from (select ${table}::regclass::oid as id union all select inhrelid from pg_inherits where inhparent = ${table}::regclass) t`
    next = to < (size?.pages ?? 0) ? to : 0
    return next > 0
  }
}
