// Where the bytes of attachments lie: one small interface over a local folder or an S3-compatible service.
// docs/contract/settings.md.
import type { Readable } from 'node:stream'

/** An inclusive range of bytes, within the object. */
export interface ByteRange {
  start: number
  end: number
}

export interface StoredObject {
  key: string
  bytes: number
}

/** Objects are written once, whole, and never changed. A key is `<attachment id>/<name>`, by one of `objectNames`. */
export interface Storage {
  /**
   * A local folder for files, no folders, that are on their way: received, or derived, and not yet put. One that nobody
   * has written to for two hours is removed, for its process has ended.
   */
  readonly incoming: string
  /**
   * Takes over a file below `incoming`; once it resolves the object survives a power loss, and the file is gone. After
   * a rejection either may be there, and is the caller's to put again or to remove. An object of that key is replaced.
   */
  put(key: string, path: string): Promise<void>
  /**
   * The bytes of an object, to be read to the end or destroyed; rejects with {@link ObjectMissing} before the first one
   * if there is none, and with a RangeError where the range begins beyond it. An end beyond it is its end.
   */
  open(key: string, range?: ByteRange): Promise<Readable>
  /** Removes every object of an attachment; nothing to remove is no error. */
  remove(attachmentId: string): Promise<void>
  /** Every object, in the order of ids, of those after the attachment id `after`; for reconciliation with the database. */
  list(after?: string): AsyncIterable<StoredObject>
  /** Rejects when objects cannot be written or read now. */
  check(): Promise<void>
  close(): Promise<void>
}

export class ObjectMissing extends Error {
  constructor(key: string) {
    super(`no object ${key}`)
  }
}

/** The storage is away, full or broken: the caller may try again later. */
export class StorageFailed extends Error {
  constructor(operation: string, cause: unknown) {
    // The log shows this text alone. A local error's own text has a path in it, and its code says enough.
    const { code, message } = cause as NodeJS.ErrnoException
    super(`the storage failed: ${operation}: ${code ?? message}`, { cause })
  }
}

/** Whether it failed for want of room alone: deleting still works, and makes room. */
export const isFull = (error: unknown): boolean =>
  error instanceof StorageFailed && ['ENOSPC', 'EDQUOT'].includes(String((error.cause as NodeJS.ErrnoException).code))
