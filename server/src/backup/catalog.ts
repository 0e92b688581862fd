// What there is to back up, read from the database's own catalog: a new table needs no line here.
import type pg from 'pg'
import { only } from '../store/sql.ts'

export interface Table {
  name: string
  /** Those that hold data of their own: a generated column is computed again. */
  columns: string[]
  /** Its rows lie in its partitions. */
  partitioned: boolean
}

/** Known from the migrations, or true only while a node runs: the tables come back empty. */
const withoutData = ['migrations', 'nodes', 'connections']

/**
 * The tables of the service's schema by name, a partitioned one once and its partitions never.
 */
export async function readTables(client: pg.ClientBase): Promise<Table[]> {
  const { rows } = await client.query<Table>(
    `select c.relname as name,
       (select coalesce(array_agg(a.attname::text order by a.attnum), '{}') from pg_attribute a
        where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '') as columns,
       c.relkind = 'p' as partitioned
     from pg_class c
     where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
       and c.relpersistence = 'p' and c.relname <> all ($1)
     order by c.relname collate "C"`,
    [withoutData],
  )
  return rows
}

export async function readSequences(client: pg.ClientBase) {
  const { rows } = await client.query<{ name: string }>(
    `select c.relname as name from pg_class c
     where c.relnamespace = current_schema()::regnamespace and c.relkind = 'S' order by c.relname collate "C"`,
  )
  const sequences: { name: string; value: string; called: boolean }[] = []
  for (const { name } of rows) {
    const state = await client.query<{ value: string; called: boolean }>(
      `select last_value::text as value, is_called as called from ${quote(name)}`,
    )
    sequences.push({ name, ...only(state.rows) })
  }
  return sequences
}

/** Whether the schema has anything in it at all. */
export async function isEmpty(client: pg.ClientBase): Promise<boolean> {
  const { rows } = await client.query(
    'select 1 from pg_class where relnamespace = current_schema()::regnamespace limit 1',
  )
  return rows.length === 0
}

const onOnly = /^(CREATE (?:UNIQUE )?INDEX (?:"(?:[^"]|"")*"|\S+) ON) ONLY /

interface Named {
  table: string
  name: string
  definition: string
}

/** Told how many of the indexes and references are there again. */
type Told = (done: number, total: number) => void

/**
 * Takes away what makes loading slow or stops it: triggers are off, and foreign keys, unique keys and indexes are dropped,
 * for building an index over all rows is several times faster than keeping it row by row. Needs no rights but the
 * owner's. Returns what makes all of it again as it was, and thereby checks every key.
 */
export async function setAside(client: pg.ClientBase): Promise<(told?: Told) => Promise<void>> {
  const triggers = await client.query<{ table: string; name: string }>(
    `select c.relname as table, t.tgname as name from pg_trigger t join pg_class c on c.oid = t.tgrelid
     where c.relnamespace = current_schema()::regnamespace and not t.tgisinternal and t.tgenabled = 'O'
       and t.tgparentid = 0`,
  )
  const constraints = await client.query<Named & { foreign: boolean }>(
    `select r.relname as table, c.conname as name, pg_get_constraintdef(c.oid) as definition, c.contype = 'f' as foreign
     from pg_constraint c join pg_class r on r.oid = c.conrelid
     where r.relnamespace = current_schema()::regnamespace and c.contype in ('p', 'u', 'x', 'f') and c.conparentid = 0
     order by c.contype = 'f', r.relname, c.conname`,
  )
  const indexes = await client.query<Named>(
    `select r.relname as table, i.relname as name, pg_get_indexdef(i.oid) as definition
     from pg_index x join pg_class i on i.oid = x.indexrelid join pg_class r on r.oid = x.indrelid
     where r.relnamespace = current_schema()::regnamespace and not i.relispartition
       and not exists (select from pg_constraint c where c.conindid = i.oid and c.contype in ('p', 'u', 'x'))
     order by r.relname, i.relname`,
  )
  for (const { table, name } of triggers.rows) {
    await client.query(`alter table ${quote(table)} disable trigger ${quote(name)}`)
  }
  // Foreign keys come last, and go first: a unique key cannot go while one refers to it.
  for (const { table, name } of constraints.rows.toReversed()) {
    await client.query(`alter table ${quote(table)} drop constraint ${quote(name)}`)
  }
  for (const { name } of indexes.rows) await client.query(`drop index ${quote(name)}`)

  const add = ({ table, name, definition }: Named): string =>
    `alter table ${quote(table)} add constraint ${quote(name)} ${definition}`
  const again = [
    ...constraints.rows.filter(({ foreign }) => !foreign).map(add),
    // The definition of a partitioned table's index leaves its partitions out.
    ...indexes.rows.map(({ definition }) => definition.replace(onOnly, '$1 ')),
    ...constraints.rows.filter(({ foreign }) => foreign).map(add),
  ]
  return async (told = () => {}) => {
    for (const [done, statement] of again.entries()) {
      told(done, again.length)
      await client.query(statement)
    }
    for (const { table, name } of triggers.rows) {
      await client.query(`alter table ${quote(table)} enable trigger ${quote(name)}`)
    }
  }
}

export const quote = (name: string): string => `"${name.replaceAll('"', '""')}"`
