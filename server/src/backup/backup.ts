// kith-server backup FILE: one file with the database, the files and the key, taken while the service runs.
import { open, readdir, readFile } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import pg from 'pg'
import copy from 'pg-copy-streams'
import type { Logger } from 'pino'
import type { Config } from '../config.ts'
import type { Clock } from '../kernel/clock.ts'
import { deriveSecrets } from '../secrets.ts'
import { orMissing } from '../storage/folders.ts'
import { incomingName } from '../storage/local.ts'
import { keepAlive } from '../store/deadlines.ts'
import { reachExisting } from '../store/locate.ts'
import { migrationLock } from '../store/migrate.ts'
import { meaning, setAll } from '../store/session.ts'
import type { Connection } from '../store/sql.ts'
import { type Archive, createArchive, requireFree } from './archive.ts'
import { quote, readSequences, readTables } from './catalog.ts'
import {
  type ArchivePart,
  BackupError,
  type FilePart,
  formatVersion,
  inParts,
  type Manifest,
  manifestName,
  secretName,
  type TablePart,
} from './format.ts'
import type { Progress } from './progress.ts'

export interface CommandOptions {
  clock: Clock
  log: Logger
  signal?: AbortSignal
  progress?: Progress
}

export interface Summary {
  tables: number
  rows: number
  /** Undefined if the bytes lie in a storage of their own. */
  files: number | undefined
  bytes: number
}

/** Writes a backup of the installation that the settings name to `path`, whole or not at all. */
export async function backup(config: Config, path: string, { clock, log, signal }: CommandOptions): Promise<Summary> {
  await requireFree(path)
  const secretKey = config.secretKey ?? (await readGeneratedKey(config.dataDir))
  const reached = await reachExisting(config, log)
  try {
    const client = await openClient(reached.connection)
    try {
      const archive = await createArchive(path, deriveSecrets(secretKey).fingerprint)
      try {
        const manifest = await writeAll(client, archive, { config, secretKey, clock, signal })
        await archive.add(manifestName, Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`))
        signal?.throwIfAborted()
        await archive.commit()
        return summary(manifest)
      } catch (error) {
        await archive.discard()
        throw error
      }
    } finally {
      await client.end()
    }
  } finally {
    await reached.close()
  }
}

export const summary = ({ tables, files }: Manifest): Summary => ({
  tables: tables.length,
  rows: tables.reduce((sum, { rows }) => sum + rows, 0),
  files: files?.length,
  bytes: [...tables.flatMap(({ parts }) => parts), ...(files ?? [])].reduce((sum, { bytes }) => sum + bytes, 0),
})

const settings = setAll({
  ...meaning,
  client_encoding: 'UTF8',
  statement_timeout: '0',
  idle_in_transaction_session_timeout: '0',
})

/** A connection whose statements may take as long as they need, and whose texts do not depend on settings of the server. */
export async function openClient(connection: Connection): Promise<pg.Client> {
  const client = new pg.Client({
    ...connection,
    ...keepAlive,
    application_name: 'kith backup',
    connectionTimeoutMillis: 10_000,
  })
  // What breaks the connection is thrown by the query that it breaks.
  client.on('error', () => {})
  await client.connect()
  try {
    await client.query(settings)
  } catch (error) {
    await client.end()
    throw error
  }
  return client
}

interface Sources {
  config: Config
  secretKey: string
  clock: Clock
  signal: AbortSignal | undefined
}

/**
 * The files come first and once more at the end: bytes are there before a row that names them and never change, so
 * together they hold every file of the moment that the database shows.
 */
async function writeAll(client: pg.Client, archive: Archive, sources: Sources): Promise<Manifest> {
  const { config, secretKey, clock, signal } = sources
  const { storage } = config
  const files = storage.kind === 'file' ? new Map<string, FilePart>() : undefined
  const addFiles = async (): Promise<void> => {
    if (files && storage.kind === 'file') await writeFiles(archive, storage.folder, files, signal)
  }
  await addFiles()

  // Nobody migrates meanwhile: a table that is rewritten looks empty to a snapshot from before.
  await client.query('select pg_advisory_lock_shared($1)', [migrationLock])
  await client.query('begin isolation level repeatable read read only')
  const migrations = await readMigrations(client)
  const { fingerprint } = deriveSecrets(secretKey)
  const known = await client.query("select 1 from instance where name = 'secret_fingerprint' and value = $1", [
    fingerprint,
  ])
  if (known.rows.length === 0) throw new BackupError('SECRET_KEY is not the one this database was set up with')
  const tables: TablePart[] = []
  for (const { name, columns } of await readTables(client)) {
    tables.push(await writeTable(client, archive, { name, columns }, tables.length, signal))
  }
  // After the tables: a sequence stands outside the snapshot, and may only be ahead of them.
  const sequences = await readSequences(client)
  await client.query('commit')

  await addFiles()
  return {
    format: formatVersion,
    created_at: clock.now().toISOString(),
    migrations,
    tables,
    sequences,
    secret: { part: await archive.add(secretName, Buffer.from(`${secretKey}\n`)), fingerprint },
    files: files ? [...files.values()] : null,
  }
}

async function readMigrations(client: pg.Client): Promise<Manifest['migrations']> {
  const { rows } = await client.query<{ ready: boolean }>(`select to_regclass('migrations') is not null as ready`)
  if (!rows[0]?.ready) throw new BackupError('The database has no installation yet')
  const applied = await client.query<{ name: string; digest: string }>(
    'select name, digest from migrations order by name collate "C"',
  )
  return applied.rows
}

async function writeTable(
  client: pg.Client,
  archive: Archive,
  { name, columns }: { name: string; columns: string[] },
  index: number,
  signal: AbortSignal | undefined,
): Promise<TablePart> {
  const stream = client.query(copy.to(`copy (select ${columns.map(quote).join(', ')} from ${quote(name)}) to stdout`))
  const parts: ArchivePart[] = []
  for await (const bytes of inParts(stream)) {
    signal?.throwIfAborted()
    parts.push(await archive.add(`database/${String(index).padStart(3, '0')}-${name}/${parts.length}`, bytes))
  }
  // The stream ends with the last row; the count of the rows may arrive later, and is there once another statement is answered.
  await client.query('select')
  return { name, columns, rows: stream.rowCount, parts }
}

/** Adds what is below the folder and not in `known` yet; a file that goes away meanwhile is left out. */
async function writeFiles(
  archive: Archive,
  folder: string,
  known: Map<string, FilePart>,
  signal: AbortSignal | undefined,
): Promise<void> {
  const found = await readdir(folder, { recursive: true, withFileTypes: true }).catch(orMissing([]))
  for (const item of found) {
    const full = join(item.parentPath, item.name)
    const path = relative(folder, full).split(sep).join('/')
    // What is still on its way has no row yet.
    if (!item.isFile() || known.has(path) || path.startsWith(`${incomingName}/`)) continue
    const file = await open(full, 'r').catch(orMissing(undefined))
    if (!file) continue
    const parts: ArchivePart[] = []
    try {
      for await (const bytes of inParts(file.createReadStream({ autoClose: false, highWaterMark: 1024 * 1024 }))) {
        signal?.throwIfAborted()
        parts.push(await archive.add(`files/${known.size}/${parts.length}`, bytes))
      }
    } finally {
      await file.close()
    }
    known.set(path, { path, bytes: parts.reduce((sum, { bytes }) => sum + bytes, 0), parts })
  }
}

/** The key that the service made for itself; it is not made here. */
export async function readGeneratedKey(dataDir: string): Promise<string> {
  const text = await readFile(join(dataDir, 'secret-key'), 'utf8').catch(orMissing(''))
  if (text.trim() === '') throw new BackupError(`There is no installation in ${dataDir}: it has no secret-key`)
  return text.trim()
}
