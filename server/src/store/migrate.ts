// Plain SQL migrations: forward only, each in a transaction, checked by digest, one node at a time.
import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type pg from 'pg'
import type { Clock } from '../kernel/clock.ts'
import { mayTakeLong } from './deadlines.ts'
import type { Sql } from './sql.ts'
import type { MigrationsRow } from './tables.ts'

const folder = fileURLToPath(new URL('../../migrations', import.meta.url))

export interface Migration {
  name: string
  sql: string
  digest: string
}

/** The migrations that this version ships, in their order. */
export async function shippedMigrations(): Promise<Migration[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort()
  return Promise.all(
    names.map(async (name) => {
      const sql = await readFile(`${folder}/${name}`, 'utf8')
      return { name, sql, digest: createHash('sha256').update(sql).digest('hex') }
    }),
  )
}

/** A migration applied by another version of the service, or from a changed file: the start must stop. */
class MigrationError extends Error {}

/** The advisory lock of the migrating node. Any number that no other program uses: 'kith' in ASCII. */
export const migrationLock = 0x6b697468

/**
 * Brings the database to this version; returns the names of the migrations it applied. Waits for another node that is
 * migrating. Throws {@link MigrationError} when an applied migration is unknown here or differs by a byte.
 */
export async function migrate(sql: Sql, clock: Clock, migrations?: readonly Migration[]): Promise<string[]> {
  const shipped = migrations ?? (await shippedMigrations())
  const client = await sql.pool.connect()
  let isChanged = false
  try {
    if (await hasRecord(client)) {
      const pending = await pendingMigrations(client, shipped)
      if (pending.length === 0) return []
    }
    isChanged = true
    mayTakeLong(client)
    await client.query('set statement_timeout = 0')
    await client.query('select pg_advisory_lock($1)', [migrationLock])
    try {
      await createRecord(client)
      const pending = await pendingMigrations(client, shipped)
      for (const migration of pending) {
        await client.query('begin')
        try {
          await apply(client, migration, clock.now())
          await client.query('commit')
        } catch (error) {
          await client.query('rollback').catch(() => {})
          throw error
        }
      }
      return pending.map(({ name }) => name)
    } finally {
      await client.query('select pg_advisory_unlock($1)', [migrationLock]).catch(() => {})
    }
  } finally {
    // Where the session's time-out was changed, it does not go back to the pool.
    client.release(isChanged)
  }
}

/** The table of applied migrations, which makes an empty database one of Kith. Throws {@link MigrationError} if it cannot be one. */
export async function createRecord(client: pg.ClientBase): Promise<void> {
  if (!(await hasRecord(client))) {
    const reason = await reasonAgainst(client)
    if (reason) throw new MigrationError(reason)
  }
  await client.query(
    'create table if not exists migrations (name text primary key, digest text not null, applied_at timestamptz not null)',
  )
}

/** Other applications have tables of this name too. */
async function hasRecord(client: pg.ClientBase): Promise<boolean> {
  const { rows } = await client.query(
    `select 1 from pg_attribute where attrelid = to_regclass('migrations') and attname = 'digest'`,
  )
  return rows.length > 0
}

/** Why nothing of Kith can be made in a database: docs/operating.md#when-it-does-not-start. */
async function reasonAgainst(client: pg.ClientBase): Promise<string | undefined> {
  const { rows } = await client.query<{ encoding: string; schema: string | null; role: string; mayCreate: boolean }>(
    `select pg_encoding_to_char(encoding) as encoding, current_schema() as schema, current_user as role,
       has_schema_privilege(current_schema(), 'create') as "mayCreate"
     from pg_database where datname = current_database()`,
  )
  const [{ encoding, schema, role, mayCreate }] = rows as [(typeof rows)[number]]
  // A server that was set up without a locale makes databases of SQL_ASCII, which count bytes and take any.
  if (encoding !== 'UTF8')
    return `The database has the encoding ${encoding}, and Kith needs UTF8: create it with encoding 'UTF8' template template0`
  if (schema === null)
    return `The search_path of the role ${role} names no schema of the database: create it, or reset it`
  if (!mayCreate)
    return `The role ${role} may create nothing in the schema ${schema}: make it the owner of the database`
  const others = await relationsIn(client, 4)
  if (others.length === 0) return undefined
  const named = others.length > 3 ? `${others.slice(0, 3).join(', ')} and more` : others.join(', ')
  return `The database is not empty (${named}), and Kith needs one of its own: create one, and name it in DATABASE_URL`
}

/** At most so many names of what is in the schema that Kith would use, without what extensions have put there. */
export async function relationsIn(client: pg.ClientBase, most: number): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select relname as name from pg_class c where relnamespace = current_schema()::regnamespace
       and not exists (select 1 from pg_depend where classid = 'pg_class'::regclass and objid = c.oid and deptype = 'e')
       and relkind in ('r', 'p', 'v', 'm', 'f', 'S') order by relname limit $1`,
    [most],
  )
  return rows.map(({ name }) => name)
}

/** Applies one migration in the caller's transaction, which the caller rolls back on failure. */
export async function apply(client: pg.ClientBase, { name, sql, digest }: Migration, now: Date): Promise<void> {
  try {
    await client.query(sql)
  } catch (error) {
    // The server's hint says what to do, as about a full disk.
    const { message, hint } = error as pg.DatabaseError
    throw new MigrationError(`Migration ${name} failed: ${message}${hint ? `. ${hint}` : ''}`, { cause: error })
  }
  await client.query('insert into migrations (name, digest, applied_at) values ($1, $2, $3)', [name, digest, now])
}

async function pendingMigrations(client: pg.ClientBase, shipped: readonly Migration[]): Promise<Migration[]> {
  const { rows } = await client.query<MigrationsRow>('select name, digest, applied_at from migrations order by name')
  const applied = new Map(rows.map((row) => [row.name, row.digest]))
  for (const { name, digest } of rows) {
    const ours = shipped.find((migration) => migration.name === name)
    if (!ours) throw unknownMigration(rows, shipped)
    if (ours.digest !== digest) throw new MigrationError(`Migration ${name} differs from the one that was applied`)
  }
  return shipped.filter(({ name }) => !applied.has(name))
}

/** Says what a newer version left, and the two ways on: docs/several-nodes.md#upgrading. */
function unknownMigration(applied: readonly MigrationsRow[], shipped: readonly Migration[]): MigrationError {
  const unknown = applied.filter(({ name }) => !shipped.some((migration) => migration.name === name))
  const [{ name, applied_at: since }] = unknown as [MigrationsRow]
  const more = unknown.length > 1 ? ` and ${unknown.length - 1} more` : ''
  return new MigrationError(
    `The database has migration ${name}${more}, which this version does not know: a newer version was started on it at ` +
      `${since.toISOString()}. Start that version, or restore the backup that was made before the upgrade`,
  )
}
