// Files on the disk: uploads that are read as they are sent, and downloads that get their name only when they are whole.
import { createHash } from 'node:crypto'
import { constants, createReadStream } from 'node:fs'
import { access, type FileHandle, link, open, rename, rm } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { ReadableStream as NodeStream } from 'node:stream/web'
import { fileURLToPath } from 'node:url'
import { KithBusyError, KithInputError, KithNetworkError } from '../errors.ts'
import { createFilesFrom, type FileDeps, type Files, pathOf, requireCard } from '../files.ts'
import { retrying } from '../retry.ts'
import { blobSource, checkSize, headBytes, type Source } from '../source.ts'
import type { Store, Unlock } from '../store.ts'
import type { Attachment, Purpose } from '../types.ts'
import { isCode, syncFolder } from './disk.ts'

/** A path is read from the disk as it is sent, never whole into memory. */
export type FileSource = string | URL | Blob | Uint8Array | OpenFile

/** A file that is open already: its bytes are those of this handle, whatever the path names by now. */
export interface OpenFile {
  handle: OpenHandle
  path: string
}

/** What is used of a `FileHandle` of node:fs/promises; these types need none of Node's. */
export interface OpenHandle {
  stat(): Promise<{ size: number; isFile(): boolean }>
  read(into: Uint8Array, offset: number, length: number, position: number): Promise<{ bytesRead: number }>
  createReadStream(options: {
    start: number
    end: number
    highWaterMark: number
    autoClose: boolean
  }): AsyncIterable<Uint8Array>
}

export interface SaveOptions {
  /** Replace a file that is there. Without it that is a `KithInputError`. */
  overwrite?: boolean | undefined
  /** Permissions of the file; those of any new one unless given. */
  mode?: number | undefined
  onProgress?: ((received: number, total: number) => void) | undefined
  signal?: AbortSignal | undefined
}

export interface FolderFiles extends Files<FileSource> {
  /**
   * Download to a path. The bytes go to a hidden file beside it, which a later try goes on with after any interruption;
   * it gets its name once its digest is that of the card. Throws `KithNetworkError` where it broke off, and
   * `KithInputError` for a path that no file can have.
   */
  save(attachmentId: string, path: string, options?: SaveOptions): Promise<Attachment>
}

export function createFolderFiles(deps: FileDeps): FolderFiles {
  const files = createFilesFrom(deps, sourceOf)
  return {
    ...files,
    save: (id, path, options = {}) =>
      saved(deps, path, options, async () => ({ card: await files.get(id, options), door: pathOf(id, 'download') })),
  }
}

/** Save the bytes behind a door, which have to be those of a card, under a name that nothing has. */
export async function saved(
  deps: FileDeps,
  path: string,
  options: SaveOptions,
  find: () => Promise<{ card: Attachment; door: string }>,
): Promise<Attachment> {
  const to = resolve(path)
  if (!options.overwrite && (await isThere(to))) throw new KithInputError(`${to} already exists`)
  const { card, door } = await find()
  requireCard(card)
  const part = join(dirname(to), `.${card.id}.${card.sha256.slice(0, 16)}.part`)
  const unlock = await patientLock(deps.store, `download-${card.sha256.slice(0, 2)}`, options.signal)
  try {
    await fetchPart(deps, { card, door, part }, options)
    await giveName(part, to, options.overwrite === true)
  } finally {
    await unlock()
  }
  return card
}

/** A download of another file may hold it, for hours on a slow link; one that gets nothing ends by itself. */
async function patientLock(store: Store, name: string, signal: AbortSignal | undefined): Promise<Unlock> {
  for (;;) {
    signal?.throwIfAborted()
    try {
      return await store.lock(name)
    } catch (error) {
      if (!(error instanceof KithBusyError)) throw error
    }
  }
}

async function sourceOf(from: FileSource, purpose: Purpose): Promise<Source> {
  if (from instanceof Blob) return blobSource(from, purpose)
  if (from instanceof Uint8Array) return blobSource(new Blob([from as Uint8Array<ArrayBuffer>]), purpose)
  if (typeof from === 'object' && 'handle' in from) return openSource(from, purpose)
  const path = from instanceof URL ? fileURLToPath(from) : resolve(from)
  return fileSource(path, purpose)
}

async function fileSource(path: string, purpose: Purpose): Promise<Source> {
  const handle = await opened(path)
  try {
    const size = await checkFile({ handle, path }, purpose)
    return await bytesOf(path, size, (options) => createReadStream(path, options))
  } finally {
    await handle.close()
  }
}

async function openSource(file: OpenFile, purpose: Purpose): Promise<Source> {
  const size = await checkFile(file, purpose)
  return bytesOf(file.path, size, (options) => file.handle.createReadStream({ ...options, start: 0, autoClose: false }))
}

/** Its bytes, read twice: for their digest, and as they are sent. */
async function bytesOf(
  path: string,
  size: number,
  read: (options: { end: number; highWaterMark: number }) => AsyncIterable<Uint8Array>,
): Promise<Source> {
  const options = { end: size - 1, highWaterMark: 256 * 1024 }
  const hash = createHash('sha256')
  for await (const chunk of read(options)) hash.update(chunk)
  const sha256 = hash.digest('hex')
  return {
    size,
    sha256,
    key: path,
    between: (head, tail, { onProgress, onFault }) => {
      async function* bytes(): AsyncGenerator<Uint8Array> {
        const seen = createHash('sha256')
        let sent = 0
        try {
          yield head
          for await (const chunk of read(options)) {
            seen.update(chunk)
            yield chunk
            sent += chunk.length
            onProgress?.(sent, size)
          }
          // The end is what makes an upload of it: without it the service keeps nothing.
          if (seen.digest('hex') !== sha256) throw new KithInputError(`${path} changed while it was sent; try again`)
        } catch (error) {
          onFault(error)
          throw error
        }
        yield tail
      }
      return NodeStream.from(bytes()) as unknown as ReadableStream<Uint8Array>
    },
  }
}

async function opened(path: string): Promise<FileHandle> {
  try {
    return await open(path, 'r')
  } catch (error) {
    if (isCode(error, 'ENOENT')) throw new KithInputError(`there is no file ${path}`)
    if (isCode(error, 'EACCES')) throw new KithInputError(`${path} cannot be read`)
    throw error
  }
}

/** The size of a file that can be uploaded. */
async function checkFile({ handle, path }: OpenFile, purpose: Purpose): Promise<number> {
  const found = await handle.stat()
  if (!found.isFile()) throw new KithInputError(`${path} is not a file`)
  const head = Buffer.alloc(headBytes)
  const { bytesRead } = await handle.read(head, 0, headBytes, 0)
  checkSize(found.size, head.subarray(0, bytesRead), purpose)
  return found.size
}

/** Fewer bytes than this are no progress: a service that gives them a few at a time is not asked for ever. */
const progressBytes = 64 * 1024

/** The whole of a file into `part`, from where it broke off before; its digest is right when this resolves. */
async function fetchPart(
  deps: FileDeps,
  { card, door, part }: { card: Attachment; door: string; part: string },
  options: SaveOptions,
): Promise<void> {
  // Nobody follows a link that another user of the folder put there.
  const flags = constants.O_RDWR | constants.O_CREAT | constants.O_APPEND | constants.O_NOFOLLOW
  const out = await open(part, flags, options.mode).catch((error) => {
    const folder = dirname(part)
    if (isCode(error, 'ENOENT') || isCode(error, 'ENOTDIR')) throw new KithInputError(`there is no folder ${folder}`)
    if (isCode(error, 'EACCES') || isCode(error, 'EROFS')) throw new KithInputError(`${folder} cannot be written`)
    if (isCode(error, 'ELOOP')) throw new KithInputError(`${part} is a link`)
    throw error
  })
  let have = (await out.stat()).size
  try {
    const attempt = async () => {
      const before = have
      try {
        await piece()
      } catch (error) {
        // What came so far counts as a beginning, not as a failure.
        if (!(error instanceof KithNetworkError) || have - before < progressBytes) throw error
      }
    }
    const empty = async () => {
      await out.truncate(0)
      have = 0
    }
    const piece = async () => {
      if (have > card.size) await empty()
      const range = have > 0 ? { range: `bytes=${have}-`, 'if-range': `"${card.sha256}"` } : undefined
      const { status, headers, chunks, cancel } = await deps.bytes({
        method: 'GET',
        path: door,
        headers: { 'accept-encoding': 'identity', ...range },
        signal: options.signal,
      })
      if (status === 206 && !headers.get('content-range')?.startsWith(`bytes ${have}-`)) {
        cancel()
        await empty()
        throw new KithNetworkError('the response is not the part that was requested')
      }
      if (status !== 206) await empty()
      for await (const chunk of chunks) {
        if (have + chunk.length > card.size) {
          await empty()
          throw new KithNetworkError(`more bytes arrived than the card of ${card.id} says`)
        }
        await out.appendFile(chunk)
        have += chunk.length
        options.onProgress?.(have, card.size)
      }
      if (have < card.size) throw new KithNetworkError(`the download of ${card.id} was cut off`)
    }
    while (have !== card.size) await retrying(deps.runtime, deps.retry, attempt, options.signal)
    await out.sync()
  } finally {
    await out.close()
    if (have === 0) await rm(part, { force: true })
  }
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(part)) hash.update(chunk as Buffer)
  if (hash.digest('hex') === card.sha256) return
  await rm(part, { force: true })
  throw new KithNetworkError(`the bytes of ${card.id} did not match its card and were discarded; try again`)
}

async function giveName(part: string, to: string, overwrite: boolean): Promise<void> {
  if (overwrite) await rename(part, to)
  else {
    try {
      // Unlike rename, link refuses an existing name.
      await link(part, to)
    } catch (error) {
      if (isCode(error, 'EEXIST')) throw new KithInputError(`${to} already exists`)
      // Not every file system has links; there the name is taken first.
      const taken = await open(to, 'wx').catch((cause) => {
        throw isCode(cause, 'EEXIST') ? new KithInputError(`${to} already exists`) : cause
      })
      await taken.close()
      await rename(part, to)
    }
    await rm(part, { force: true })
  }
  await syncFolder(dirname(to))
}

async function isThere(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    (error) => {
      if (isCode(error, 'ENAMETOOLONG')) throw new KithInputError(`the name is too long: ${path}`)
      return false
    },
  )
}
