// Large tables whose old rows a sweep finds by reading all of it, a stretch of pages at a time. A BRIN index does not help
// there: it forgets nothing, so once new rows have taken the space of deleted ones it names every page for every question,
// and each batch would begin at the first one.
import { type Part, part } from './part.ts'

type Query = <T extends object>(strings: TemplateStringsArray, ...values: unknown[]) => Promise<T[]>

/** 2 MiB of pages, which hold up to 20,000 rows. */
const pagesAtOnce = 256

/** Where the next call goes on: in the first of these tables. */
interface Position {
  readonly tables: readonly Part[]
  readonly page: number
}

/**
 * Deletes the rows of a table, or of its partitions one after another, that are from then or before. Each call looks into the
 * next pages; true until the end, after which the next call begins again. Rows that move meanwhile, or that others have
 * locked, are found the next time.
 */
export function stretchByStretch(
  table: 'events' | 'operations',
  atOnce: number = pagesAtOnce,
): (sql: Query, until: Date) => Promise<boolean> {
  let next: Position | undefined
  return async (sql, until) => {
    const { tables, page } = next ?? { tables: await tablesOf(sql, table), page: 0 }
    const [here, ...others] = tables
    if (here === undefined) return false
    await deleteWithin(sql, here, [page, page + atOnce], until)
    const [size] = await sql<{ pages: number }>`
      select (pg_relation_size(${here.part[0]}::regclass) / current_setting('block_size')::int)::int as pages`
    if (page + atOnce < (size?.pages ?? 0)) next = { tables, page: page + atOnce }
    else next = others.length > 0 ? { tables: others, page: 0 } : undefined
    return next !== undefined
  }
}

/**
 * By where the rows are, and not by their keys: a join with the table would read all of one of its indexes for each stretch once
 * that holds many old rows.
 */
const deleteWithin = (sql: Query, table: Part, [from, to]: readonly [number, number], until: Date) => sql`
  delete from ${table} where ctid = any(array(
    select ctid from ${table}
    where ctid >= ${`(${from},0)`}::tid and ctid < ${`(${to},0)`}::tid and created_at <= ${until}
    for update skip locked))`

/** The table itself, or its partitions. */
async function tablesOf(sql: Query, table: string): Promise<Part[]> {
  const found = await sql<{ name: string }>`
    select id::regclass::text as name from (
      select inhrelid::oid as id from pg_inherits where inhparent = ${table}::regclass
      union all select ${table}::regclass::oid where not exists (select 1 from pg_inherits where inhparent = ${table}::regclass)) t
    order by id`
  return found.map(({ name }) => tableOf(name))
}

/** Statements are kept by their parts, so each table has one. */
const tableParts = new Map<string, Part>()

function tableOf(name: string): Part {
  const made = tableParts.get(name) ?? { ...part``, part: Object.assign([name], { raw: [name] }) }
  tableParts.set(name, made)
  return made
}
