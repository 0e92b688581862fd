// What a restore puts into the database and the storage folder: the rows and bytes of a file that was checked.
import type { Writable } from 'node:stream'
import { finished } from 'node:stream/promises'
import type pg from 'pg'
import copy from 'pg-copy-streams'
import { readArchive } from './archive.ts'
import { quote, readTables, type SetAside, setAside, type Table } from './catalog.ts'
import type { WaitingFiles } from './files.ts'
import { BackupError, digestOf, type Manifest, partsOf, type TablePart } from './format.ts'
import { createLanes } from './lanes.ts'
import type { Progress } from './progress.ts'
import { createRebuild } from './rebuild.ts'

/** The connections to the database of a restore. */
export interface Target {
  clients: readonly [pg.Client, ...pg.Client[]]
  /** The caller has one transaction open for everything; otherwise each step has its own. */
  inOne: boolean
}

export interface Watching {
  signal: AbortSignal | undefined
  progress: Progress
}

interface LoadOptions extends Watching {
  /** Where the bytes of files go, if the backup has any. */
  files: WaitingFiles | undefined
}

/** Below this many bytes of rows a table keeps its indexes while it is loaded: dropping and making them takes longer. */
const largeFrom = 128 * 1024

const bytesOf = ({ parts }: TablePart): number => parts.reduce((sum, { bytes }) => sum + bytes, 0)

/** Work in a transaction: its own, unless all is one. */
export async function step<T>({ clients: [client], inOne }: Target, work: () => Promise<T>): Promise<T> {
  if (inOne) return work()
  await client.query('begin')
  const result = await work()
  await client.query('commit')
  return result
}

export interface Prepared {
  tables: Map<string, Table>
  aside: SetAside
}

/** Makes the tables that the migrations have made ready for rows. */
export async function prepare(client: pg.Client, manifest: Manifest): Promise<Prepared> {
  const tables = new Map((await readTables(client)).map((table) => [table.name, table]))
  for (const { name, columns } of manifest.tables) {
    const ours = tables.get(name)
    if (!ours || columns.some((column) => !ours.columns.includes(column))) {
      throw new BackupError(`The backup has a table ${name} that its migrations do not create`)
    }
  }
  const large = new Set(manifest.tables.filter((table) => bytesOf(table) >= largeFrom).map(({ name }) => name))
  const aside = await setAside(client, (table) => large.has(table))
  // What migrations put into tables is in the backup too, as it has become since.
  if (tables.size > 0) await client.query(`truncate ${[...tables.keys()].map(quote).join(', ')}`)
  return { tables, aside }
}

/**
 * Reads the file again, table after table and file after file, in the order in which they were written. A table that is
 * whole gets its indexes on another connection, if there is one, while the next is loaded.
 */
export async function load(
  target: Target,
  path: string,
  manifest: Manifest,
  { tables, aside }: Prepared,
  options: LoadOptions,
): Promise<void> {
  const { files, signal, progress } = options
  const [client, ...others] = target.clients
  const lanes = createLanes(others)
  const rebuild = createRebuild(aside, lanes, (done, total) => {
    signal?.throwIfAborted()
    progress('building indexes', done, total)
  })

  const sinks = new Map<string, () => Promise<Sink>>()
  for (const table of manifest.tables) {
    if (table.parts.length === 0) {
      requireRows(table, 0)
      rebuild.table(table.name, 0)
    }
    const frozen = tables.get(table.name)?.partitioned === false
    const open = shared(() => openTable(target, table, frozen, () => rebuild.table(table.name, bytesOf(table))))
    for (const part of table.parts) sinks.set(part.name, open)
  }
  for (const file of manifest.files ?? []) {
    if (!files) break
    const open = shared(async () => sinkOf(await files.open(file.path)))
    if (file.parts.length === 0) await (await open()).end()
    for (const part of file.parts) sinks.set(part.name, open)
  }
  const digests = new Map(partsOf(manifest).map(({ name, sha256 }) => [name, sha256]))
  let current: { open: () => Promise<Sink>; sink: Sink } | undefined
  try {
    for await (const { name, bytes } of ahead(readArchive(path, (done, total) => progress('loading', done, total)))) {
      signal?.throwIfAborted()
      lanes.check()
      const open = sinks.get(name)
      if (!open) continue
      if (digestOf(bytes) !== digests.get(name)) throw new BackupError(`${path} changed while it was read`)
      if (current?.open !== open) {
        await current?.sink.end()
        current = { open, sink: await open() }
      }
      await current.sink.write(bytes)
    }
    await current?.sink.end()
  } catch (error) {
    current?.sink.destroy()
    throw error
  }
  lanes.join(client)
  lanes.add(0, requireBalance)
  await rebuild.finish(client)
  for (const { name, value, called } of manifest.sequences) {
    await client.query('select setval($1::regclass, $2, $3)', [quote(name), value, called])
  }
}

/** Reads one more while one is worked on. */
async function* ahead<T>(source: AsyncGenerator<T, void>): AsyncGenerator<T> {
  let next = source.next()
  try {
    for (;;) {
      const { done, value } = await next
      if (done) return
      next = source.next()
      // It is thrown when its turn comes, if it does.
      next.catch(() => {})
      yield value
    }
  } finally {
    await next.catch(() => {})
    await source.return()
  }
}

interface Sink {
  write(bytes: Buffer): Promise<void>
  end(): Promise<void>
  destroy(): void
}

const shared = <T>(make: () => Promise<T>): (() => Promise<T>) => {
  let made: Promise<T> | undefined
  return () => (made ??= make())
}

function requireRows({ name, rows }: TablePart, found: number): void {
  if (found !== rows) throw new BackupError(`Table ${name} was not restored completely`)
}

/**
 * Rows that are `frozen` are as an early vacuum would leave them, which PostgreSQL cannot do in a partitioned table, and does
 * in a table that the same transaction has truncated.
 */
async function openTable(
  { clients: [client], inOne }: Target,
  table: TablePart,
  frozen: boolean,
  loaded: () => void,
): Promise<Sink> {
  const { name, columns } = table
  if (!inOne) await client.query('begin')
  await client.query(`truncate ${quote(name)}`)
  const into = `${quote(name)} (${columns.map(quote).join(', ')})`
  const stream = client.query(copy.from(`copy ${into} from stdin (freeze ${frozen})`))
  const sink = sinkOf(stream)
  return {
    ...sink,
    async end() {
      await sink.end()
      // A backup that was made before the count of its rows had arrived says 0; the digests show that it is whole.
      if (table.rows > 0) requireRows(table, stream.rowCount)
      if (!inOne) await client.query('commit')
      loaded()
    },
  }
}

function sinkOf(stream: Writable): Sink {
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

async function requireBalance(client: pg.Client): Promise<void> {
  const unbalanced = await client.query(
    'select 1 from ledger_entries group by transaction_id having sum(amount_minor) <> 0 limit 1',
  )
  if (unbalanced.rows.length > 0) throw new BackupError('The ledger of the backup does not sum to zero')
}
