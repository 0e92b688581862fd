// What there is to back up, read from the database's own catalog: a new table needs no line here.
import type pg from 'pg'
import { only } from '../store/sql.ts'

export interface Table {
  name: string
  /** Those that hold data of their own: a generated column is computed again. */
  columns: string[]
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
        where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '') as columns
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

/**
 * Holds back what acts on inserts while tables are loaded as they were: the triggers of the schema are off, and its
 * foreign keys wait for the end, so that the order of loading does not matter and circles do no harm. Needs no rights
 * but the owner's. Returns what undoes it, and thereby checks every foreign key.
 */
export async function holdBack(client: pg.ClientBase): Promise<() => Promise<void>> {
  const triggers = await client.query<{ table: string; name: string }>(
    `select c.relname as table, t.tgname as name from pg_trigger t join pg_class c on c.oid = t.tgrelid
     where c.relnamespace = current_schema()::regnamespace and not t.tgisinternal and t.tgenabled = 'O'
       and t.tgparentid = 0`,
  )
  const keys = await client.query<{ table: string; name: string; deferrable: boolean; deferred: boolean }>(
    `select r.relname as table, c.conname as name, c.condeferrable as deferrable, c.condeferred as deferred
     from pg_constraint c join pg_class r on r.oid = c.conrelid
     where r.relnamespace = current_schema()::regnamespace and c.contype = 'f' and c.conparentid = 0`,
  )
  for (const { table, name } of triggers.rows) {
    await client.query(`alter table ${quote(table)} disable trigger ${quote(name)}`)
  }
  for (const { table, name } of keys.rows) {
    await client.query(`alter table ${quote(table)} alter constraint ${quote(name)} deferrable initially deferred`)
  }
  return async () => {
    await client.query('set constraints all immediate')
    for (const { table, name, deferrable, deferred } of keys.rows) {
      const mode = deferrable ? `deferrable initially ${deferred ? 'deferred' : 'immediate'}` : 'not deferrable'
      await client.query(`alter table ${quote(table)} alter constraint ${quote(name)} ${mode}`)
    }
    for (const { table, name } of triggers.rows) {
      await client.query(`alter table ${quote(table)} enable trigger ${quote(name)}`)
    }
  }
}

export const quote = (name: string): string => `"${name.replaceAll('"', '""')}"`
