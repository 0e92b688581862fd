// A base copy: the files of the embedded database, copied while it runs, from which the log of changes goes on. It is a tar,
// compressed and cut into parts; its manifest comes last, and without one it is no copy.
import { constants, type FileHandle, open, readdir } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createZstdCompress, constants as zlib } from 'node:zlib'
import type pg from 'pg'
import tar from 'tar-stream'
import { openClient } from '../backup/backup.ts'
import { digestOf, inParts } from '../backup/format.ts'
import { dataFolderOf } from '../embedded/cluster.ts'
import { supplyFolder, takenFolder } from '../embedded/settings.ts'
import type { Clock } from '../kernel/clock.ts'
import { deriveSecrets } from '../secrets.ts'
import { orMissing } from '../storage/folders.ts'
import { type Connection, only } from '../store/sql.ts'
import { keyOfLogFile, labelOf, manifestOf, partOf, timelineOf } from './names.ts'
import type { Place } from './place.ts'

export interface BaseManifest {
  format: 1
  label: string
  system_identifier: string
  /** Of the server that made it: only one of the same major version can read it. */
  postgres: string
  /** The segments that make it whole. */
  start_segment: string
  stop_segment: string
  started_at: string
  /** From then on a moment can be restored. */
  finished_at: string
  /** Before compression. */
  bytes: number
  parts: { bytes: number; sha256: string }[]
  secret: { key: string; fingerprint: string }
}

interface BaseOptions {
  place: Place
  /** The folder of the embedded server. */
  folder: string
  connection: Connection
  secretKey: string
  clock: Clock
  signal: AbortSignal
}

/** Copies the database into the archive; resolves once the segments that it needs are there too. */
export async function copyBase({
  place,
  folder,
  connection,
  secretKey,
  clock,
  signal,
}: BaseOptions): Promise<BaseManifest> {
  const client = await openClient(connection)
  const end = (): void => void client.end().catch(() => {})
  signal.addEventListener('abort', end)
  try {
    const startedAt = clock.now()
    const { system_identifier, version } = only(
      (
        await client.query<{ system_identifier: string; version: string }>(
          `select system_identifier::text, current_setting('server_version') as version from pg_control_system()`,
        )
      ).rows,
    )
    // With a checkpoint at once: one that is spread would take minutes, however small the database.
    const start = await segmentOf(client, `pg_backup_start('kith', true)`)
    const label = labelOf(startedAt, timelineOf(start))
    const parts: BaseManifest['parts'] = []
    const pack = tar.pack()
    // Whoever reads or writes it is told what broke it; an error that nobody listens to would end the process.
    pack.on('error', () => {})
    const compressed = pack.pipe(createZstdCompress({ params: { [zlib.ZSTD_c_compressionLevel]: 3 } }))
    const writing = writeFiles(pack, client, dataFolderOf(folder), signal)
    writing.catch((error) => compressed.destroy(error))
    for await (const bytes of inParts(compressed)) {
      signal.throwIfAborted()
      await place.put(partOf(label, parts.length), bytes)
      parts.push({ bytes: bytes.length, sha256: digestOf(bytes) })
    }
    const { bytes, stop } = await writing
    const finishedAt = clock.now()
    await untilThere(place, stop, signal)
    const { fingerprint } = deriveSecrets(secretKey)
    const manifest: BaseManifest = {
      format: 1,
      label,
      system_identifier,
      postgres: version,
      start_segment: start,
      stop_segment: stop,
      started_at: startedAt.toISOString(),
      finished_at: finishedAt.toISOString(),
      bytes,
      parts,
      secret: { key: secretKey, fingerprint },
    }
    await place.put(manifestOf(label), Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`))
    return manifest
  } finally {
    signal.removeEventListener('abort', end)
    // A copy that is not stopped ends with its session.
    await client.end().catch(() => {})
  }
}

async function segmentOf(client: pg.Client, expression: string): Promise<string> {
  const { rows } = await client.query<{ segment: string }>(`select pg_walfile_name(${expression}) as segment`)
  return only(rows).segment
}

async function untilThere(place: Place, segment: string, signal: AbortSignal): Promise<void> {
  const key = keyOfLogFile(segment)
  for (;;) {
    for await (const each of place.list(key)) if (each.key === key) return
    await sleep(250, undefined, { signal })
  }
}

/** Their content is of this run of the server only, or is made again. */
const emptied = new Set([
  'pg_wal',
  'pg_replslot',
  'pg_dynshmem',
  'pg_notify',
  'pg_serial',
  'pg_snapshots',
  'pg_stat_tmp',
  'pg_subtrans',
  takenFolder,
  supplyFolder,
])
const leftOut =
  /^(postmaster\.(pid|opts)|pg_(hba|ident)\.conf(\.\w+)?|pg_internal\.init|backup_(label|manifest)(\.old)?|tablespace_map(\.old)?|pgsql_tmp.*)$/
const control = 'global/pg_control'

/** Ends the copy of the server after its last file but the control file, whose place that is. */
async function writeFiles(
  pack: tar.Pack,
  client: pg.Client,
  folder: string,
  signal: AbortSignal,
): Promise<{ bytes: number; stop: string }> {
  let bytes = 0
  for await (const { path, isFolder } of walk(folder, folder)) {
    signal.throwIfAborted()
    if (isFolder) await entry(pack, { name: path, type: 'directory', mode: 0o700 })
    else if (path !== control) bytes += await addFile(pack, join(folder, path), path)
  }
  bytes += await addControl(pack, join(folder, control))
  const { rows } = await client.query<{ lsn: string; labelfile: string }>(
    'select lsn::text, labelfile from pg_backup_stop(wait_for_archive => false)',
  )
  const { lsn, labelfile } = only(rows)
  await entry(pack, { name: 'backup_label', mode: 0o600 }, Buffer.from(labelfile))
  pack.finalize()
  return { bytes, stop: await segmentOf(client, `'${lsn}'::pg_lsn`) }
}

async function* walk(top: string, folder: string): AsyncGenerator<{ path: string; isFolder: boolean }> {
  for (const item of await readdir(folder, { withFileTypes: true }).catch(orMissing([]))) {
    if (leftOut.test(item.name)) continue
    const full = join(folder, item.name)
    const path = relative(top, full).split(sep).join('/')
    if (item.isFile()) yield { path, isFolder: false }
    if (!item.isDirectory() || path === takenFolder || path === supplyFolder) continue
    yield { path, isFolder: true }
    if (!emptied.has(path)) yield* walk(top, full)
  }
}

function entry(pack: tar.Pack, header: Partial<tar.Header> & { name: string }, bytes?: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    const told = (error?: unknown): void => (error ? reject(error) : resolve())
    pack.entry({ mtime: new Date(0), ...header }, bytes ?? '', told).on('error', told)
  })
}

const chunk = 256 * 1024

/** As long as it was when it was opened: the log of changes brings what was added or cut off meanwhile. */
async function addFile(pack: tar.Pack, full: string, name: string): Promise<number> {
  const file = await open(full, constants.O_RDONLY | constants.O_NOFOLLOW).catch(orMissing(undefined))
  if (!file) return 0
  try {
    const { size } = await file.stat()
    await new Promise<void>((resolve, reject) => {
      const sink = pack.entry({ name, size, mode: 0o600, mtime: new Date(0) }, (error) =>
        error ? reject(error) : resolve(),
      )
      sink.on('error', reject)
      void feed(file, size, sink).catch((error) => sink.destroy(error))
    })
    return size
  } finally {
    await file.close()
  }
}

async function feed(file: FileHandle, size: number, sink: NodeJS.WritableStream): Promise<void> {
  for (let at = 0; at < size; at += chunk) {
    const length = Math.min(chunk, size - at)
    const bytes = Buffer.alloc(length)
    // What is cut off meanwhile is zeros.
    for (let got = 0; got < length; ) {
      const { bytesRead } = await file.read(bytes, got, length - got, at + got)
      if (bytesRead === 0) break
      got += bytesRead
    }
    if (!sink.write(bytes)) await new Promise((resolve) => sink.once('drain', resolve))
  }
  sink.end()
}

/** Read until it is twice the same: the server may be writing it. */
async function addControl(pack: tar.Pack, full: string): Promise<number> {
  const read = async (): Promise<Buffer> => {
    const file = await open(full, constants.O_RDONLY | constants.O_NOFOLLOW)
    return file.readFile().finally(() => file.close())
  }
  for (let last = await read(); ; ) {
    await sleep(10)
    const bytes = await read()
    if (bytes.equals(last)) {
      await entry(pack, { name: control, mode: 0o600 }, bytes)
      return bytes.length
    }
    last = bytes
  }
}
