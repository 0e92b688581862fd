// Files: uploads that a crash or a lost answer makes no second of, cards, and bytes that were checked.
// docs/contract/attachments.md.
import type { Caller, Options } from './call.ts'
import { KithError, KithInputError, KithNetworkError } from './errors.ts'
import type { ByteTransport, Form, Transport } from './http.ts'
import type { Lister } from './lists.ts'
import { isForeign } from './reach.ts'
import { backoff, type RetryPolicy, retrying } from './retry.ts'
import { isUuid, type Runtime } from './runtime.ts'
import { blobSource, hexDigest, largestFile, type Source } from './source.ts'
import { locked, readJson, type Store, writeJson } from './store.ts'
import type { Attachment, OwnAttachment, Purpose, StorageUse } from './types.ts'

export interface UploadAsk<From = Blob | Uint8Array> extends Options {
  source: From
  /** Fixed for good: what the file may be bound to. */
  purpose: Purpose
  /** Your own id of this upload, for programs that may ask again after a crash of their own. */
  uploadId?: string | undefined
  /** What to call it in your own lists; nobody else sees it. Without it nothing of a name is sent. */
  name?: string | undefined
  /** Bytes of the file that were sent so far, of all; for bytes in memory, called once at the end. */
  onProgress?: ((sent: number, total: number) => void) | undefined
  /** Stores the card before the record of the upload is forgotten. */
  settle?: ((attachment: OwnAttachment) => Promise<void>) | undefined
}

export interface Uploaded {
  /** `ready`, `rejected` (see `moderation.reason`), or `pending`: then `waitUntilInspected`. */
  attachment: OwnAttachment
  /** The file has changed since an earlier upload whose outcome is unknown: this is a new upload. */
  changed: boolean
}

export interface Files<From = Blob | Uint8Array> {
  /**
   * Upload a file and have it inspected. Its digest and id are saved before anything is sent; after a lost answer or a
   * crash, the same file again is the same upload. The file's own name is never sent. Throws `KithInputError` before
   * sending what is too large for its purpose (20 MiB; working sources and what orders carry 250 MiB), `KithError`
   * `unsupported_media_type`, `storage_quota_exceeded` and `storage_record_limit` (with `details`: free some first).
   */
  upload(ask: UploadAsk<From>): Promise<Uploaded>
  /** Wait for the end of an inspection that took longer than the answer to the upload; at most `timeoutMs` (10 min). */
  waitUntilInspected(attachmentId: string, options?: Options & { timeoutMs?: number }): Promise<Attachment>
  /** The card of a file that you may see; your own also says what uses it. */
  get(attachmentId: string, options?: Options): Promise<Attachment | OwnAttachment>
  /** Your own uploads, newest first: those that nothing uses, or with `scope: 'all'` all of them. */
  list(
    filter?: { scope?: 'unbound' | 'all'; status?: OwnAttachment['status']; page_size?: number },
    options?: Options,
  ): AsyncIterable<OwnAttachment>
  storage(options?: Options): Promise<StorageUse>
  /** Delete a ready file of yours that was never used: `attachment_bound`, `attachment_not_discardable`. */
  discard(attachmentId: string, options?: Options): Promise<OwnAttachment>
  /** The bytes, in memory, checked against the card's digest. */
  download(attachmentId: string, options?: Options): Promise<Blob>
  /** The processed JPEG; `not_found` if a file has none. */
  preview(attachmentId: string, options?: Options): Promise<Blob>
  /** Where video or audio is played. A player needs the Bearer header unless the file is public. */
  streamUrl(attachmentId: string): string
}

export interface FileDeps {
  baseUrl: string
  store: Store
  runtime: Runtime
  retry: RetryPolicy
  call: Caller
  list: Lister
  session: Transport
  bytes: ByteTransport
}

/** An upload whose end is not known, as it lies in `uploads/<upload_id>`. */
interface Open {
  upload_id: string
  purpose: Purpose
  size: number
  sha256: string
  /** Where the bytes were from. */
  key: string
  /** The id is the caller's own. */
  own: boolean
  created_at: string
}

/** The service accepts a body for 300 s and answers within 20 s more; what takes longer is asked again, and joins. */
const uploadTimeoutMs = 330_000
/** An unbound file lives for a day: an older upload is worthless. */
const forgetAfterMs = 2 * 24 * 3600 * 1000
const mostWaitMs = 600_000

const memorySource = (source: Blob | Uint8Array, purpose: Purpose): Promise<Source> =>
  blobSource(source instanceof Blob ? source : new Blob([source as Uint8Array<ArrayBuffer>]), purpose)

export function createFiles(deps: FileDeps): Files {
  return createFilesFrom(deps, memorySource)
}

/** The same for sources of other kinds than the core knows. */
export function createFilesFrom<From>(
  deps: FileDeps,
  sourceOf: (from: From, purpose: Purpose) => Promise<Source>,
): Files<From> {
  const { store, runtime, retry, call, list } = deps

  async function upload(ask: UploadAsk<From>): Promise<Uploaded> {
    if (ask.uploadId !== undefined && !isUuid(ask.uploadId))
      throw new KithInputError('an upload ID must be a lower-case UUID')
    const source = await sourceOf(ask.source, ask.purpose)
    // Held until the end is known, so nobody is working on an open record that is found under it.
    const name = await hexDigest(new TextEncoder().encode(ask.uploadId ?? `${ask.purpose} ${source.key}`))
    return locked(store, `upload-${name.slice(0, 2)}`, () => settled(ask, source), mostWaitMs)
  }

  async function settled(ask: UploadAsk<From>, source: Source): Promise<Uploaded> {
    let { record, found, changed } = await claim(ask, source)
    let attachment = await sent(record, ask, source)
    if (found && !record.own && (attachment.status === 'purging' || attachment.status === 'purged')) {
      // It had arrived, and nothing was done with it for a day: the bytes are gone, and the id with them.
      await store.remove(`uploads/${record.upload_id}`)
      record = await begin(ask, source)
      attachment = await sent(record, ask, source)
    }
    await ask.settle?.(attachment)
    await store.remove(`uploads/${record.upload_id}`)
    return { attachment, changed }
  }

  /** The record to send under: that of a former try, or a new one. */
  async function claim(ask: UploadAsk<From>, source: Source) {
    let found: Open | undefined
    let changed = false
    for (const id of await store.list('uploads')) {
      const open = await readJson<Open>(store, `uploads/${id}`)
      if (!open) continue
      const same = open.sha256 === source.sha256 && open.size === source.size && open.purpose === ask.purpose
      if (id === ask.uploadId) {
        if (!same) throw new KithInputError(`${id} was already used for another file: every upload needs its own ID`)
        found = open
      } else if (runtime.now() - Date.parse(open.created_at) > forgetAfterMs) await store.remove(`uploads/${id}`)
      else if (ask.uploadId === undefined && !open.own && open.key === source.key && open.purpose === ask.purpose) {
        if (same) found = open
        else {
          changed = true
          await store.remove(`uploads/${id}`)
        }
      }
    }
    return { record: found ?? (await begin(ask, source)), found: found !== undefined, changed }
  }

  async function begin(ask: UploadAsk<From>, source: Source): Promise<Open> {
    const record: Open = {
      upload_id: ask.uploadId ?? crypto.randomUUID(),
      purpose: ask.purpose,
      size: source.size,
      sha256: source.sha256,
      key: source.key,
      own: ask.uploadId !== undefined,
      created_at: new Date(runtime.now()).toISOString(),
    }
    await writeJson(store, `uploads/${record.upload_id}`, record)
    return record
  }

  async function sent(record: Open, ask: UploadAsk<From>, source: Source): Promise<OwnAttachment> {
    let fault: unknown
    const form = formOf(record, source, ask.name, {
      onProgress: ask.onProgress,
      onFault: (error) => {
        fault = error
      },
    })
    const attempt = async () => {
      try {
        return await deps.session({
          method: 'POST',
          path: '/attachments',
          form,
          signal: ask.signal,
          timeoutMs: uploadTimeoutMs,
        })
      } catch (error) {
        throw fault ?? error
      }
    }
    try {
      const answer = await retrying(runtime, retry, attempt, ask.signal)
      const { attachment } = answer.body as { attachment: OwnAttachment }
      if (attachment.sha256 !== record.sha256)
        throw new KithNetworkError('the service reports other bytes than were sent')
      ask.onProgress?.(record.size, record.size)
      return attachment
    } catch (error) {
      if (isFinal(error)) await store.remove(`uploads/${record.upload_id}`)
      throw error
    }
  }

  async function waitUntilInspected(id: string, options: Options & { timeoutMs?: number } = {}): Promise<Attachment> {
    const until = runtime.now() + (options.timeoutMs ?? mostWaitMs)
    for (let n = 0; ; n++) {
      const card = await get(id, options)
      if (card.status !== 'pending') return card
      const pause = 500 + backoff({ baseMs: 500, capMs: 15_000 }, n, runtime.random())
      if (runtime.now() + pause > until) throw new KithNetworkError(`${id} is still being inspected`)
      await runtime.sleep(pause, options.signal)
    }
  }

  const get: Files['get'] = async (attachment_id, options) =>
    (await call('GET /attachments/{attachment_id}', { path: { attachment_id } }, options)).attachment

  return {
    upload,
    waitUntilInspected,
    get,
    list: (filter = {}, options) => list('GET /attachments', { query: filter }, options),
    storage: async (options) => (await call('GET /attachments/storage', {}, options)).storage,
    discard: async (attachment_id, options) =>
      (await call('DELETE /attachments/{attachment_id}', { path: { attachment_id } }, options)).attachment,
    async download(id, options) {
      const card = await get(id, options)
      return checked(deps, card, pathOf(id, 'download'), options)
    },
    preview: (id, options) => whole(deps, { path: pathOf(id, 'preview'), most: largestFile }, options),
    streamUrl: (id) => `${deps.baseUrl}/api/v1${pathOf(id, 'stream')}`,
  }
}

type ByteDeps = Pick<FileDeps, 'runtime' | 'retry' | 'bytes'>

/** All bytes behind a path, in memory; more than there can be are not read. */
function whole(
  { runtime, retry, bytes }: ByteDeps,
  { path, most }: { path: string; most: number },
  { signal }: Options = {},
): Promise<Blob> {
  const attempt = async () => {
    const { chunks, headers } = await bytes({ method: 'GET', path, signal })
    const parts: Uint8Array<ArrayBuffer>[] = []
    let size = 0
    for await (const chunk of chunks) {
      size += chunk.length
      if (size > most) throw new KithNetworkError('more bytes arrived than the file has')
      parts.push(chunk as Uint8Array<ArrayBuffer>)
    }
    return new Blob(parts, { type: headers.get('content-type') ?? 'application/octet-stream' })
  }
  return retrying(runtime, retry, attempt, signal)
}

/** A card as it can be: what it says becomes part of a path. Throws `KithNetworkError` for any other. */
export function requireCard({ id, size, sha256 }: Attachment): void {
  const isSize = Number.isSafeInteger(size) && size >= 0 && size <= largestFile
  if (!isUuid(id) || !isSize || typeof sha256 !== 'string' || !/^[0-9a-f]{64}$/.test(sha256))
    throw new KithNetworkError('the service describes a file that cannot exist', { reason: 'foreign' })
}

/** The same, which have to be those of a card. */
export async function checked(deps: ByteDeps, card: Attachment, path: string, options?: Options): Promise<Blob> {
  requireCard(card)
  const blob = await whole(deps, { path, most: card.size }, options)
  if ((await hexDigest(new Uint8Array(await blob.arrayBuffer()))) !== card.sha256)
    throw new KithNetworkError(`the bytes of ${card.id} do not match its card`)
  return blob
}

/** The path of a file's bytes. Throws `KithInputError` for what is no id. */
export function pathOf(id: string, door: 'download' | 'preview' | 'stream'): string {
  if (!isUuid(id)) throw new KithInputError('the ID of a file must be a lower-case UUID')
  return `/attachments/${id}/${door}`
}

/** Whether the service said no and keeps nothing of it: neither a passing trouble nor a token to be replaced. */
function isFinal(error: unknown): boolean {
  if (error instanceof KithInputError) return true
  if (!(error instanceof KithError) || isForeign(error)) return false
  if (error.status === 401 || error.status === 408 || error.status >= 500) return false
  return error.status !== 429 || error.details?.['retryable'] === false
}

/** A name as forms quote it (WHATWG HTML, multipart/form-data encoding algorithm). */
const quoted = (name: string): string => name.replace(/["\r\n]/g, (each) => encodeURIComponent(each))

/** The form of an upload: purpose and id before the file, named as its owner wishes. */
function formOf(
  { upload_id, purpose }: Open,
  source: Source,
  name: string | undefined,
  heard: { onProgress: UploadAsk['onProgress']; onFault: (error: unknown) => void },
): Form {
  const boundary = `kith-${crypto.randomUUID()}`
  const part = (name: string, more = '') => `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${more}\r\n`
  const text =
    `${part('purpose')}\r\n${purpose}\r\n${part('upload_id')}\r\n${upload_id}\r\n` +
    `${part('file', `; filename="${quoted(name ?? 'file')}"`)}Content-Type: application/octet-stream\r\n\r\n`
  const [head, tail] = [text, `\r\n--${boundary}--\r\n`].map((each) => new TextEncoder().encode(each)) as [
    Uint8Array<ArrayBuffer>,
    Uint8Array<ArrayBuffer>,
  ]
  return {
    type: `multipart/form-data; boundary=${boundary}`,
    length: head.length + source.size + tail.length,
    open: () => source.between(head, tail, heard),
  }
}
