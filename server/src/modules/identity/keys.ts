// Public keys of box-v1: X25519, 32 bytes, canonical base64, in the one encoding of their point and of no small order
// (docs/contract/identity.md).
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

/**
 * The 32 bytes of a new key whose base64 was already checked; another encoding of a point, and a point of small order,
 * are `invalid_input` at `path`. Keys of passports that stand are not asked: they stay as they are.
 */
export function publicKeyBytes(base64: string, path: string): Buffer {
  const bytes = Buffer.from(base64, 'base64')
  if (!isCanonical(bytes)) invalid({ path, problem: 'not the canonical encoding of a point' })
  if (isSmallOrder(bytes)) invalid({ path, problem: 'a point of small order' })
  return bytes
}

// 2^255 - 19, little-endian as keys are.
const fieldPrime = Buffer.concat([Buffer.of(0xed), Buffer.alloc(30, 0xff), Buffer.of(0x7f)])

/**
 * Whether the number is below 2^255 - 19. X25519 ignores bit 255 and reduces the rest, so that every other encoding is a
 * second name of some key: with it one key had two passports, and two fingerprints.
 */
function isCanonical(bytes: Buffer): boolean {
  for (let at = bytes.length - 1; at >= 0; at--) {
    const difference = (bytes[at] as number) - (fieldPrime[at] as number)
    if (difference !== 0) return difference < 0
  }
  return false
}

/** The shared secret with a point of small order is all zero, which OpenSSL refuses to give. */
function isSmallOrder(bytes: Buffer): boolean {
  try {
    const publicKey = createPublicKey({ key: Buffer.concat([publicPrefix, bytes]), format: 'der', type: 'spki' })
    return diffieHellman({ privateKey: probe, publicKey }).every((byte) => byte === 0)
  } catch {
    return true
  }
}

export const keyFingerprint = (bytes: Buffer): string => sha256(bytes).toString('hex')
