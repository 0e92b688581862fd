// Where the bytes of an upload come from: a length and a digest that are known before, and the same bytes at each sending.
import { KithInputError } from './errors.ts'
import type { Purpose } from './types.ts'

export interface Source {
  size: number
  /** SHA-256, as hex. */
  sha256: string
  /** What names these bytes again after a crash. */
  key: string
  /** The bytes between a head and a tail, for one sending. */
  between(
    head: Uint8Array<ArrayBuffer>,
    tail: Uint8Array<ArrayBuffer>,
    heard: {
      onProgress?: ((sent: number, total: number) => void) | undefined
      /** Why a stream broke off, for what reads it tells of it in words of its own. */
      onFault: (error: unknown) => void
    },
  ): Blob | ReadableStream<Uint8Array>
}

const mebibyte = 1024 * 1024
/** Of any purpose. */
export const largestFile = 250 * mebibyte
/** Enough of a file to tell what is converted from what is kept as it is. */
export const headBytes = 12

/** Throws `KithInputError` for what the service would refuse for its size (docs/contract/attachments.md#formats). */
export function checkSize(size: number, head: Uint8Array, purpose: Purpose): void {
  const limit = isSmall(head, purpose) ? 20 * mebibyte : largestFile
  if (size === 0) throw new KithInputError('the file is empty')
  if (size > limit)
    throw new KithInputError(
      `the file has ${size} bytes; a file of purpose ${purpose} may have at most ${limit / mebibyte} MiB`,
    )
}

/** Images, PDF and the videos of a portfolio are opened by the service; all else is kept as it is. */
function isSmall(head: Uint8Array, purpose: Purpose): boolean {
  if (purpose === 'avatar' || purpose === 'character') return true
  const begins = (text: string, at = 0) => [...text].every((letter, n) => head[at + n] === letter.charCodeAt(0))
  return begins('\xff\xd8\xff') || begins('\x89PNG') || begins('%PDF') || (purpose === 'portfolio' && begins('ftyp', 4))
}

/** Bytes in memory, or a file that a browser holds. The digest is made of the whole of it at once. */
export async function blobSource(blob: Blob, purpose: Purpose): Promise<Source> {
  checkSize(blob.size, new Uint8Array(await blob.slice(0, headBytes).arrayBuffer()), purpose)
  const sha256 = await hexDigest(new Uint8Array(await blob.arrayBuffer()))
  return { size: blob.size, sha256, key: sha256, between: (head, tail) => new Blob([head, blob, tail]) }
}

/** SHA-256 as 64 hex digits. */
export async function hexDigest(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  return hex(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)))
}

function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
