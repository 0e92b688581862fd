// Canonical base64: standard alphabet, padded, no white space, no loose trailing bits. Anything else is refused.
import { KithBoxError } from './errors.ts'

const shape = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/

/** Bytes as canonical base64. */
export function toBase64(bytes: Uint8Array): string {
  let binary = ''
  for (const byte of bytes) binary += String.fromCharCode(byte)
  return btoa(binary)
}

/** Bytes of canonical base64; throws `KithBoxError` `bad_base64` for every other spelling of the same bytes. */
export function fromBase64(text: string): Uint8Array {
  if (typeof text !== 'string' || !shape.test(text)) throw new KithBoxError('bad_base64', 'must be canonical base64')
  const bytes = Uint8Array.from(atob(text), (char) => char.charCodeAt(0))
  // `atob` drops loose trailing bits in silence: only what encodes to the same text is canonical.
  if (toBase64(bytes) !== text) throw new KithBoxError('bad_base64', 'base64 with loose trailing bits')
  return bytes
}
