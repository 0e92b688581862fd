// Public keys of box-v1: X25519, 32 bytes, canonical base64, none of small order (OPEN-POINTS.md, section 3).
import { createPrivateKey, createPublicKey, diffieHellman } from 'node:crypto'
import { invalid } from '../../kernel/refuse.ts'
import { sha256 } from '../../secrets.ts'

// DER prefixes of RFC 8410 before the 32 bytes of a key.
const publicPrefix = Buffer.from('302a300506032b656e032100', 'hex')
const privatePrefix = Buffer.from('302e020100300506032b656e04220420', 'hex')
const probe = createPrivateKey({
  key: Buffer.concat([privatePrefix, sha256('kith small-order probe')]),
  format: 'der',
  type: 'pkcs8',
})

/** The 32 bytes of a key whose base64 was already checked; a point of small order is `invalid_input` at `path`. */
export function publicKeyBytes(base64: string, path: string): Buffer {
  const bytes = Buffer.from(base64, 'base64')
  if (isSmallOrder(bytes)) invalid({ path, problem: 'a point of small order' })
  return bytes
}

/** The shared secret with a point of small order is all zero, which OpenSSL refuses to give. */
export function isSmallOrder(bytes: Buffer): boolean {
  try {
    const publicKey = createPublicKey({ key: Buffer.concat([publicPrefix, bytes]), format: 'der', type: 'spki' })
    return diffieHellman({ privateKey: probe, publicKey }).every((byte) => byte === 0)
  } catch {
    return true
  }
}

export const keyFingerprint = (bytes: Buffer): string => sha256(bytes).toString('hex')
