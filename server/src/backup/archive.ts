// The file itself: written under a temporary name, synced and renamed, so that FILE is whole or not there; read as a
// stream of entries, each at most one part long.
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createReadStream } from 'node:fs'
import { link, lstat, open, rename, rm, stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import tar from 'tar-stream'
import { minutes, systemClock } from '../kernel/clock.ts'
import {
  type ArchivePart,
  BackupError,
  digestOf,
  formatVersion,
  longestManifest,
  longestPart,
  type Mark,
  manifestName,
  markName,
  unreadable,
} from './format.ts'

/** Bytes that go through a stream at once: with Node's 16 KiB reading takes twice as long. */
const chunkSize = 256 * 1024

export interface Archive {
  /** Adds an entry; resolves once there is room for the next. */
  add(name: string, bytes: Buffer): Promise<ArchivePart>
  /** Ends the file, syncs it and gives it its name. */
  commit(): Promise<void>
  /** Removes what is not committed. */
  discard(): Promise<void>
}

const reasons: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full (ENOSPC)',
  EDQUOT: 'the quota of the disk is used up (EDQUOT)',
  ENOENT: 'its folder does not exist (ENOENT)',
  ENOTDIR: 'its folder is a file (ENOTDIR)',
  EACCES: 'this user may not write there (EACCES)',
  EPERM: 'this user may not change it (EPERM)',
  EFBIG: 'the file system takes no file of this size (EFBIG)',
  EROFS: 'the file system is read-only (EROFS)',
}

const taken = (path: string) => new BackupError(`${path} already exists: a backup never overwrites a file`)

/** Why a file cannot be written or removed, by the code of its error. */
export const reasonFor = (code: string | undefined): string | undefined => reasons[code ?? ''] ?? code

/** Refuses a name that something has, before anything is done for it. */
export async function requireFree(path: string): Promise<void> {
  if (await isThere(path)) throw taken(resolve(path))
}

const isThere = (path: string): Promise<boolean> =>
  lstat(path).then(
    () => true,
    () => false,
  )

/** Gives a file its name if nobody has it by now. */
async function name(temporary: string, final: string): Promise<void> {
  try {
    await link(temporary, final)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST' || (await isThere(final))) throw taken(final)
    // A file system without links.
    return rename(temporary, final)
  }
  await rm(temporary, { force: true })
}

export async function createArchive(path: string, installation?: string): Promise<Archive> {
  const final = resolve(path)
  const temporary = `${final}.${randomBytes(6).toString('hex')}.part`
  /** Why a write failed: the streams before it fail in ways of their own then. */
  let cause: NodeJS.ErrnoException | undefined
  const unwritable = (error: NodeJS.ErrnoException): never => {
    const { code, message } = cause ?? error
    throw new BackupError(`${final} cannot be written: ${reasonFor(code) ?? message}`)
  }
  const file = await open(temporary, 'wx', 0o600).catch(unwritable)
  // However long it waits for its next bytes, it is younger than what a killed backup left.
  const beat = setInterval(() => {
    const now = systemClock.now()
    file.utimes(now, now).catch(() => {})
  }, minutes(1)).unref()
  const pack = tar.pack()
  // Most of it is ciphertext, which no level makes smaller.
  const gzip = createGzip({ level: 4, chunkSize })
  const sink = new Writable({
    write(chunk: Buffer, _encoding, done) {
      // In as many writes as it takes: a disk that fills takes a part of one, and says why with the next.
      file.writeFile(chunk).then(
        () => done(),
        (error) => {
          cause = error
          done(error)
        },
      )
    },
  })
  const written = pipeline(pack, gzip, sink).catch(unwritable)
  const failed = written.then(() => new Promise<never>(() => {}))
  // The disk may fill while nobody adds anything: the next one who does is told.
  failed.catch(() => {})

  const self: Archive = {
    async add(name, bytes) {
      await Promise.race([
        failed,
        new Promise<void>((done, fail) => {
          const header = { name, size: bytes.length, mode: 0o600, mtime: new Date(0) }
          const entry = pack.entry(header, bytes, (error) => (error ? fail(error) : done()))
          // It is told above too; an error that nobody listens to would end the process.
          entry.on('error', () => {})
        }),
      ]).catch(unwritable)
      return { name, bytes: bytes.length, sha256: digestOf(bytes) }
    },
    async commit() {
      pack.finalize()
      await written
      clearInterval(beat)
      try {
        await file.sync()
        await file.close()
        await name(temporary, final)
        const folder = await open(dirname(final), 'r')
        await folder.sync().finally(() => folder.close())
      } catch (error) {
        if (error instanceof BackupError) throw error
        unwritable(error as NodeJS.ErrnoException)
      }
    },
    async discard() {
      clearInterval(beat)
      pack.destroy()
      await written.catch(() => {})
      await file.close().catch(() => {})
      await rm(temporary, { force: true })
    },
  }
  try {
    const mark: Mark = { format: formatVersion, ...(installation !== undefined && { installation }) }
    await self.add(markName, Buffer.from(`${JSON.stringify(mark)}\n`))
  } catch (error) {
    await self.discard()
    throw error
  }
  return self
}

/**
 * The entries after the mark, in their order; `told` gets how many bytes of the file are read. Throws a {@link BackupError}
 * where the file is not a backup, or is damaged.
 */
export async function* readArchive(
  path: string,
  told: (done: number, total: number) => void = () => {},
  marked: (mark: Mark) => void = () => {},
): AsyncGenerator<{ name: string; bytes: Buffer }> {
  // Before the streams: entries of one that has failed already are waited for without end.
  const { size: total } = await stat(path).catch(() => ({ size: 0 }))
  const extract = tar.extract()
  const source = createReadStream(path, { highWaterMark: chunkSize })
  const gunzip = createGunzip({ chunkSize })
  const reading = pipeline(source, gunzip, extract)
  reading.catch(() => {})
  let isMarked = false
  try {
    for await (const entry of extract) {
      told(source.bytesRead, total)
      const { name, size = 0, type } = entry.header
      if (!isMarked && name !== markName) throw new BackupError(`${path} is not a backup of this service`)
      if (type !== 'file' || size > (name === manifestName ? longestManifest : longestPart)) {
        throw new BackupError(`${path} is damaged: it has an unknown entry`)
      }
      const bytes = Buffer.concat(await Array.fromAsync(entry as AsyncIterable<Buffer>))
      if (isMarked) yield { name, bytes }
      else marked(requireFormat(path, bytes))
      isMarked = true
    }
    await reading
  } catch (error) {
    if (error instanceof BackupError) throw error
    if (['ENOENT', 'EACCES', 'EISDIR', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? '')) {
      throw unreadable(path, error)
    }
    throw new BackupError(isMarked ? `${path} is damaged or incomplete` : `${path} is not a backup of this service`)
  } finally {
    source.destroy()
    gunzip.destroy()
    extract.destroy()
    if (!source.closed) await once(source, 'close').catch(() => {})
  }
  if (!isMarked) throw new BackupError(`${path} is not a backup of this service`)
}

function requireFormat(path: string, bytes: Buffer): Mark {
  let mark: Partial<Mark> = {}
  try {
    mark = JSON.parse(bytes.toString()) as Partial<Mark>
  } catch {
    // Said below.
  }
  const { format, installation } = mark
  if (format !== formatVersion) {
    throw new BackupError(`${path} has backup format ${String(format)}; this version reads format ${formatVersion}`)
  }
  return { format, ...(installation !== undefined && { installation }) }
}
