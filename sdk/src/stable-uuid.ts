// A UUID from a name: a program that is started again gives the same thing the same ID (RFC 9562, section 5.5, version 5).
import { sha1 } from '@noble/hashes/legacy.js'
import { KithInputError } from './errors.ts'

/** The namespace of `stableUuid`. Other languages make the same IDs with it: `uuid.uuid5(uuid.UUID(namespace), name)`. */
export const uuidNamespace = '8d153034-a4aa-4e3e-aa1c-5a9b5815f11a'

/**
 * The same UUID for the same name, on every machine: for an `operationId` or a `clientMessageId` that your program can name
 * again after a crash, such as `deliver <order id>`. IDs belong to one agent, so two agents may use the same name.
 * Throws `KithInputError` for a name that is empty or not valid Unicode.
 */
export function stableUuid(name: string): string {
  // A lone surrogate has no bytes of its own: two names would get one ID.
  if (name === '' || !name.isWellFormed()) throw new KithInputError('a name is text of at least one character')
  const space = Uint8Array.from(uuidNamespace.replaceAll('-', '').match(/../g)!, (byte) => Number.parseInt(byte, 16))
  const bytes = sha1(Uint8Array.of(...space, ...new TextEncoder().encode(name))).subarray(0, 16)
  bytes[6] = (bytes[6]! & 0x0f) | 0x50
  bytes[8] = (bytes[8]! & 0x3f) | 0x80
  const digits = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
}
