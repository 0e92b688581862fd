// The database of a start: brought up or reached, migrated, and of the same key.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { type Config, ConfigError } from '../config.ts'
import { type EmbeddedPostgres, startEmbedded } from '../embedded/embedded.ts'
import { unreachable } from '../failure.ts'
import type { Clock } from '../kernel/clock.ts'
import type { Secrets } from '../secrets.ts'
import { connectionOf, embeddedFolderOf, serverSettings } from '../store/locate.ts'
import { requireSessions } from '../store/pooler.ts'
import { type Connection, isAway, only, type Sql } from '../store/sql.ts'
import { type Archiver, createArchiver } from '../wal/archiver.ts'
import { limited, type Undo } from './undo.ts'

/** Cleanly while there is time, then at once: what was acknowledged is on the disk. */
async function stopDatabase(embedded: EmbeddedPostgres, left: number): Promise<void> {
  const hurry = setTimeout(() => void embedded.stop('immediate'), Math.max(0, left))
  await embedded.stop().finally(() => clearTimeout(hurry))
}

export async function openDatabase(
  config: Config,
  { clock, log }: { clock: Clock; log: Logger },
  undo: Undo[],
): Promise<{
  connection: Connection
  embedded?: EmbeddedPostgres
  archiver?: Archiver | undefined
  isOwn?: undefined
}> {
  if (config.databaseUrl) return { connection: connectionOf(config.databaseUrl) }
  const archiver = createArchiver({ config, clock, log })
  const embedded = await startEmbedded({
    folder: embeddedFolderOf(config),
    log: (level, message) => log[level]({ from: 'postgresql' }, message),
    settings: { ...(await serverSettings(config, { byService: true })), ...settingsFor(config.workers) },
  })
  // The last changes are there once the database has stopped.
  if (archiver) undo.push((left) => archiver.finish(left))
  undo.push((left) => stopDatabase(embedded, left))
  await archiver?.begin(embedded.connection)
  if (archiver) undo.push(limited(() => archiver.quiet()))
  return { connection: embedded.connection, embedded, archiver }
}

/** What all workers together may open of PostgreSQL's usual 100 connections; commands and a backup need some too. */
const shared = 80
/** Enough for a worker that is not alone, however many there are. */
const least = { main: 7, messages: 3 }

/** Those of the process above the workers: it looks at one by another, for a pooler may be between ({@link requireSessions}). */
export const ofPrimary = 2

/** For the hints of other nodes, in each process. */
const ofHints = 1

/** The connections of a process's pools, one of so many workers. */
export function connectionsOf(workers: number): { main: number; messages: number } {
  const { main, messages } = least
  return { main: Math.max(main, Math.min(16, Math.floor(shared / workers) - messages)), messages }
}

export function settingsFor(workers: number): Record<string, string> {
  const { main, messages } = connectionsOf(workers)
  const needed = workers * (main + messages) + 20
  return needed > 100 ? { max_connections: String(needed) } : {}
}

const reachWithin = 8000

/** Waits for a primary that is only just starting, but not for long: the one who starts us reads the reason. */
export async function reach(sql: Sql, config: Config, signal: AbortSignal | undefined): Promise<void> {
  const deadline = performance.now() + reachWithin
  for (;;) {
    try {
      const { isReadOnly } = only(
        await sql<{ isReadOnly: boolean }>`select current_setting('transaction_read_only') = 'on' as "isReadOnly"`,
      )
      if (isReadOnly)
        throw new ConfigError(
          'The database is read only: set default_transaction_read_only = off, once its disk has room',
        )
      await requireSessions(sql)
      return
    } catch (error) {
      signal?.throwIfAborted()
      if (error instanceof ConfigError) throw error
      if (!isAway(error) || performance.now() > deadline) throw unreachable(config.databaseUrl, error)
      await sleep(250)
    }
  }
}

/** Logs that a server, or a limit of its role or database, gives fewer connections than this service may open: requests wait for them. */
export async function warnOfFewConnections(sql: Sql, config: Config, log: Logger): Promise<void> {
  if (!config.databaseUrl) return
  const { main, messages } = connectionsOf(config.workers)
  const needed = config.workers * (main + messages + ofHints) + (config.workers > 1 ? ofPrimary : 0)
  const [limit] = await sql<{ connections: number; of: string }>`
    select connections, whose as of from (
      select rolconnlimit, 'role ' || rolname from pg_roles where rolname = session_user and not rolsuper
      union all
      select datconnlimit, 'database ' || datname from pg_database where datname = current_database()
      union all
      select current_setting('max_connections')::int, 'server') limits (connections, whose)
    where connections between 0 and ${needed - 1} order by connections limit 1`
  if (limit) log.warn({ ...limit, needed }, 'the database allows fewer connections than this service may open')
}

/** Tokens, cursors and codes derive from the key: a node with another one would answer them wrongly. */
export async function requireSameSecret(sql: Sql, secrets: Secrets): Promise<void> {
  const [row] = await sql<{ value: string }>`
    insert into instance (name, value) values ('secret_fingerprint', ${secrets.fingerprint})
    on conflict (name) do update set value = instance.value returning value`
  if (row?.value !== secrets.fingerprint) {
    throw new ConfigError('SECRET_KEY is not the one this database was set up with')
  }
}
