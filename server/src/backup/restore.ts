// kith-server restore FILE: a new installation from a backup, or nothing. Every digest is checked before anything is
// touched; the database then comes to be in one transaction, which is the last thing that happens.
import { createHash } from 'node:crypto'
import { mkdir, open, readdir, readFile, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { Writable } from 'node:stream'
import { finished } from 'node:stream/promises'
import type pg from 'pg'
import copy from 'pg-copy-streams'
import { type Config, ConfigError } from '../config.ts'
import { deriveSecrets, writeSecretKey } from '../secrets.ts'
import { incomingName } from '../storage/local.ts'
import { reachUnused } from '../store/locate.ts'
import { apply, createRecord, type Migration, migrationLock, shippedMigrations } from '../store/migrate.ts'
import { readArchive } from './archive.ts'
import { type CommandOptions, openClient, type Summary, summary } from './backup.ts'
import { isEmpty, quote, readTables, setAside } from './catalog.ts'
import { BackupError, digestOf, type Manifest, manifestName, type Part, type TablePart } from './format.ts'
import type { Progress } from './progress.ts'

type Undo = () => Promise<unknown>

/** Makes the installation that the settings name from the backup at `path`: an empty database, and no service on it. */
export async function restore(config: Config, path: string, options: CommandOptions): Promise<Summary> {
  const { clock, log, signal, progress = () => {} } = options
  const { manifest, secretKey } = await verify(path, { signal, progress })
  const migrations = await knownMigrations(manifest)
  const existing = await requireRoom(config, manifest, secretKey)

  const undo: Undo[] = []
  try {
    await makeFolder(config.dataDir, undo)
    const reached = await reachUnused(config, log)
    try {
      const client = await openClient(reached.connection)
      try {
        await client.query('begin')
        // Indexes are built by sorting: in memory as far as a machine for Kith has it.
        await client.query("set local maintenance_work_mem = '256MB'")
        // Who starts meanwhile waits here, and then finds everything done.
        await client.query('select pg_advisory_xact_lock($1)', [migrationLock])
        if (!(await isEmpty(client))) throw new BackupError('The database is not empty: restore into an empty one')
        await createRecord(client)
        for (const migration of migrations.recorded) await apply(client, migration, clock.now())
        await load(client, path, manifest, { config, undo, signal, progress })
        for (const migration of migrations.newer) await apply(client, migration, clock.now())
        await requireFingerprint(client, manifest)
        if (config.secretKey === undefined && existing === undefined) {
          undo.push(() => rm(join(config.dataDir, 'secret-key'), { force: true }))
          await writeSecretKey(config.dataDir, secretKey)
        }
        signal?.throwIfAborted()
        await client.query('commit')
        undo.length = 0
        // Without statistics the first plans would be guesses.
        await client.query('analyze').catch(() => {})
      } finally {
        await client.end().catch(() => {})
      }
    } finally {
      await reached.close()
    }
    return summary(manifest)
  } catch (error) {
    for (let step = undo.pop(); step; step = undo.pop()) await step().catch(() => {})
    throw error
  }
}

/** Reads the whole file once: every part there, each with its digest, nothing else. */
async function verify(
  path: string,
  { signal, progress }: Watching,
): Promise<{ manifest: Manifest; secretKey: string }> {
  const seen = new Map<string, { bytes: number; sha256: string }>()
  let text: Buffer | undefined
  let secretKey = ''
  const damaged = (): never => {
    throw new BackupError(`${path} is damaged or incomplete`)
  }
  for await (const { name, bytes } of readArchive(path, (done, total) =>
    progress('checking the backup', done, total),
  )) {
    signal?.throwIfAborted()
    if (text || seen.has(name)) damaged()
    if (name === manifestName) text = bytes
    else seen.set(name, { bytes: bytes.length, sha256: digestOf(bytes) })
    if (name === 'secret-key') secretKey = bytes.toString().trim()
  }
  if (!text) return damaged()
  let manifest: Manifest
  let parts: Part[]
  try {
    manifest = JSON.parse(text.toString()) as Manifest
    parts = partsOf(manifest)
  } catch {
    return damaged()
  }
  for (const part of parts) {
    const found = seen.get(part.name)
    if (found?.sha256 !== part.sha256 || found.bytes !== part.bytes) damaged()
  }
  if (parts.length !== seen.size) damaged()
  if (deriveSecrets(secretKey).fingerprint !== manifest.secret.fingerprint) damaged()
  for (const file of manifest.files ?? []) if (!isInside(file.path)) damaged()
  return { manifest, secretKey }
}

const partsOf = ({ tables, files, secret }: Manifest): Part[] => [
  ...tables.flatMap(({ parts }) => parts),
  ...(files ?? []).flatMap(({ parts }) => parts),
  secret.part,
]

/** A path below the storage folder, whoever wrote the file. */
const isInside = (path: string): boolean =>
  path.split('/').every((name) => name !== '' && name !== '.' && name !== '..' && !/[\\\0]/.test(name))

async function knownMigrations(manifest: Manifest): Promise<{ recorded: Migration[]; newer: Migration[] }> {
  const shipped = await shippedMigrations()
  const recorded = manifest.migrations.map(({ name, digest }) => {
    const ours = shipped.find((migration) => migration.name === name)
    if (!ours)
      throw new BackupError(`The backup has migration ${name}, which this version does not know: use a newer version`)
    if (ours.digest !== digest)
      throw new BackupError(`Migration ${name} of the backup differs from the one of this version`)
    return ours
  })
  return { recorded, newer: shipped.filter((migration) => !recorded.includes(migration)) }
}

/** Refuses a place that is taken, before anything is touched; returns the key that lies there already. */
async function requireRoom(config: Config, manifest: Manifest, secretKey: string): Promise<string | undefined> {
  if (config.secretKey !== undefined && config.secretKey !== secretKey) {
    throw new ConfigError('SECRET_KEY is not the one in the backup: see its entry secret-key')
  }
  const missing = (error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
    return undefined
  }
  const existing = (await readFile(join(config.dataDir, 'secret-key'), 'utf8').catch(missing))?.trim()
  if (config.secretKey === undefined && existing !== undefined && existing !== secretKey) {
    throw new BackupError(`${config.dataDir} has the secret-key of another installation: restore into a new folder`)
  }
  if (manifest.files?.length) {
    if (config.storage.kind !== 'file') {
      throw new BackupError('The backup contains files, but STORAGE_URL is not a folder')
    }
    const present = await readdir(config.storage.folder).catch(missing)
    if (present?.some((name) => name !== incomingName))
      throw new BackupError(`${config.storage.folder} is not empty: restore into an empty folder`)
  }
  return existing
}

async function makeFolder(folder: string, undo: Undo[]): Promise<void> {
  const made = await mkdir(folder, { recursive: true, mode: 0o700 })
  if (made !== undefined) undo.push(() => rm(made, { recursive: true, force: true }))
}

interface Watching {
  signal: AbortSignal | undefined
  progress: Progress
}

interface LoadOptions extends Watching {
  config: Config
  undo: Undo[]
}

/** Reads the file again, table after table and file after file, in the order in which they were written. */
async function load(client: pg.Client, path: string, manifest: Manifest, options: LoadOptions): Promise<void> {
  const { config, undo, signal, progress } = options
  const tables = new Map((await readTables(client)).map((table) => [table.name, table]))
  for (const { name, columns } of manifest.tables) {
    const ours = tables.get(name)
    if (!ours || columns.some((column) => !ours.columns.includes(column))) {
      throw new BackupError(`The backup has a table ${name} that its migrations do not create`)
    }
  }
  const rebuild = await setAside(client)
  // What migrations put into tables is in the backup too, as it has become since.
  if (tables.size > 0) await client.query(`truncate ${[...tables.keys()].map(quote).join(', ')} cascade`)

  const targets = new Map<string, () => Promise<Target>>()
  for (const table of manifest.tables) {
    const frozen = tables.get(table.name)?.partitioned === false
    const open = shared(() => openTable(client, table, frozen))
    for (const part of table.parts) targets.set(part.name, open)
  }
  for (const file of manifest.files ?? []) {
    if (config.storage.kind !== 'file') break
    const full = join(config.storage.folder, file.path)
    const open = shared(() => openFile(full, undo))
    if (file.parts.length === 0) await (await open()).end()
    for (const part of file.parts) targets.set(part.name, open)
  }
  const digests = new Map(partsOf(manifest).map(({ name, sha256 }) => [name, sha256]))
  let current: Target | undefined
  try {
    for await (const { name, bytes } of readArchive(path, (done, total) => progress('loading', done, total))) {
      signal?.throwIfAborted()
      const target = await targets.get(name)?.()
      if (!target) continue
      if (createHash('sha256').update(bytes).digest('hex') !== digests.get(name)) {
        throw new BackupError(`${path} changed while it was read`)
      }
      if (current && current !== target) await current.end()
      current = target
      await target.write(bytes)
    }
    await current?.end()
  } catch (error) {
    current?.destroy()
    throw error
  }
  for (const { name, value, called } of manifest.sequences) {
    await client.query('select setval($1::regclass, $2, $3)', [quote(name), value, called])
  }
  await rebuild((done, total) => progress('building indexes', done, total))
  await verifyLoaded(client, manifest)
}

interface Target {
  write(bytes: Buffer): Promise<void>
  end(): Promise<void>
  destroy(): void
}

const shared = <T>(make: () => Promise<T>): (() => Promise<T>) => {
  let made: Promise<T> | undefined
  return () => (made ??= make())
}

/** Rows that are `frozen` are as an early vacuum would leave them, which PostgreSQL cannot do in a partitioned table. */
async function openTable(client: pg.Client, { name, columns }: TablePart, frozen: boolean): Promise<Target> {
  const into = `${quote(name)} (${columns.map(quote).join(', ')})`
  const stream = client.query(copy.from(`copy ${into} from stdin (freeze ${frozen})`))
  return targetOf(stream)
}

async function openFile(path: string, undo: Undo[]): Promise<Target> {
  const made = await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  if (made !== undefined) undo.push(() => rm(made, { recursive: true, force: true }))
  const file = await open(path, 'wx', 0o600)
  undo.push(() => rm(path, { force: true }))
  return targetOf(
    new Writable({
      write: (chunk: Buffer, _encoding, done) => void file.appendFile(chunk).then(() => done(), done),
      final: (done) => void file.sync().then(() => done(), done),
      destroy: (error, done) => void file.close().then(() => done(error), done),
    }),
  )
}

function targetOf(stream: Writable): Target {
  const ended = finished(stream)
  ended.catch(() => {})
  return {
    write: (bytes) =>
      Promise.race([
        ended,
        new Promise<void>((done, fail) => {
          stream.write(bytes, (error) => (error ? fail(error) : done()))
        }),
      ]),
    end() {
      stream.end()
      return ended
    },
    destroy: () => void stream.destroy(),
  }
}

async function verifyLoaded(client: pg.Client, manifest: Manifest): Promise<void> {
  for (const { name, rows } of manifest.tables) {
    const counted = await client.query<{ count: string }>(`select count(*) from ${quote(name)}`)
    if (Number(counted.rows[0]?.count) !== rows) throw new BackupError(`Table ${name} was not restored completely`)
  }
  const unbalanced = await client.query(
    'select 1 from ledger_entries group by transaction_id having sum(amount_minor) <> 0 limit 1',
  )
  if (unbalanced.rows.length > 0) throw new BackupError('The ledger of the backup does not sum to zero')
}

async function requireFingerprint(client: pg.Client, { secret }: Manifest): Promise<void> {
  const { rows } = await client.query<{ value: string }>("select value from instance where name = 'secret_fingerprint'")
  if (rows[0]?.value !== secret.fingerprint) throw new BackupError('The key in the backup does not match its database')
}
