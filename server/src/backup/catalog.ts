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

const onOnly = /^(CREATE (?:UNIQUE )?INDEX (?:"(?:[^"]|"")*"|\S+) ON) ONLY /

/** A statement that makes something of a table again. */
export interface Step {
  table: string
  sql: string
}

/** What {@link setAside} took away, as the statements that make it again as it was. */
export interface SetAside {
  /** In any order, and several at once; those over the words of a text take by far the longest. */
  indexes: (Step & { slow: boolean })[]
  /** Unique keys, once the indexes of their table are there. */
  keys: Step[]
  /** References, once all keys are there; one after the other, for each locks two tables. */
  references: Step[]
  /** Check the references of large tables; several at once. */
  checks: Step[]
  triggers: Step[]
}

interface Constraint {
  table: string
  name: string
  kind: 'p' | 'u' | 'x' | 'f'
  definition: string
  index: string | null
  /** Not valid, or of a partitioned table. */
  plain: boolean
}

/**
 * Takes away what makes loading slow or stops it: triggers are off, foreign keys are dropped, and so are the unique keys and
 * indexes of large tables, for building an index over all rows is several times faster than keeping it row by row. Needs
 * no rights but the owner's. Making all of it again checks every key.
 */
export async function setAside(client: pg.ClientBase, isLarge: (table: string) => boolean): Promise<SetAside> {
  const triggers = await client.query<{ table: string; name: string }>(
    `select c.relname as table, t.tgname as name from pg_trigger t join pg_class c on c.oid = t.tgrelid
     where c.relnamespace = current_schema()::regnamespace and not t.tgisinternal and t.tgenabled = 'O'
       and t.tgparentid = 0`,
  )
  const constraints = await client.query<Constraint>(
    `select r.relname as table, c.conname as name, c.contype as kind, pg_get_constraintdef(c.oid) as definition,
       case when c.contype in ('p', 'u') and r.relkind = 'r' and not c.condeferrable then pg_get_indexdef(c.conindid) end
         as index,
       r.relkind = 'p' or not c.convalidated as plain
     from pg_constraint c join pg_class r on r.oid = c.conrelid
     where r.relnamespace = current_schema()::regnamespace and c.contype in ('p', 'u', 'x', 'f') and c.conparentid = 0
     order by r.relname, c.conname`,
  )
  const indexes = await client.query<{ table: string; name: string; definition: string; slow: boolean }>(
    `select r.relname as table, i.relname as name, pg_get_indexdef(i.oid) as definition, a.amname = 'gin' as slow
     from pg_index x join pg_class i on i.oid = x.indexrelid join pg_class r on r.oid = x.indrelid
       join pg_am a on a.oid = i.relam
     where r.relnamespace = current_schema()::regnamespace and not i.relispartition
       and not exists (select from pg_constraint c where c.conindid = i.oid and c.contype in ('p', 'u', 'x'))
     order by r.relname, i.relname`,
  )
  const foreign = constraints.rows.filter(({ kind }) => kind === 'f')
  const unique = constraints.rows.filter(({ kind, table }) => kind !== 'f' && isLarge(table))
  const large = indexes.rows.filter(({ table }) => isLarge(table))
  const drop = ({ table, name }: Constraint) => `alter table ${quote(table)} drop constraint ${quote(name)}`
  // Foreign keys first: a unique key cannot go while one refers to it.
  await all(client, [
    ...triggers.rows.map(({ table, name }) => `alter table ${quote(table)} disable trigger ${quote(name)}`),
    ...foreign.map(drop),
    ...unique.map(drop),
    ...large.map(({ name }) => `drop index ${quote(name)}`),
  ])

  const add = ({ table, name }: Constraint, definition: string): Step => ({
    table,
    sql: `alter table ${quote(table)} add constraint ${quote(name)} ${definition}`,
  })
  const checked = (each: Constraint): boolean => !each.plain && isLarge(each.table)
  return {
    indexes: [
      ...unique.flatMap(({ table, index }) => (index === null ? [] : [{ table, sql: index, slow: false }])),
      // The definition of a partitioned table's index leaves its partitions out.
      ...large.map(({ table, definition, slow }) => ({ table, sql: definition.replace(onOnly, '$1 '), slow })),
    ],
    keys: unique.map((each) => {
      if (each.index === null) return add(each, each.definition)
      return add(each, `${each.kind === 'p' ? 'primary key' : 'unique'} using index ${quote(each.name)}`)
    }),
    references: foreign.map((each) => add(each, `${each.definition}${checked(each) ? ' not valid' : ''}`)),
    checks: foreign
      .filter(checked)
      .map(({ table, name }) => ({ table, sql: `alter table ${quote(table)} validate constraint ${quote(name)}` })),
    triggers: triggers.rows.map(({ table, name }) => ({
      table,
      sql: `alter table ${quote(table)} enable trigger ${quote(name)}`,
    })),
  }
}

/** Runs statements that give nothing, in one go. */
export async function all(client: pg.ClientBase, statements: readonly string[]): Promise<void> {
  if (statements.length > 0) await client.query(statements.join(';\n'))
}

export const quote = (name: string): string => `"${name.replaceAll('"', '""')}"`
