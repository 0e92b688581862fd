// box-v1: NaCl crypto_box (X25519, HSalsa20, XSalsa20-Poly1305) over one text (docs/contract/messages.md#the-envelope).
// Static keys: no forward secrecy, and both sides share one key, so each can open what either has sealed.
import { hsalsa, xsalsa20poly1305 } from '@noble/ciphers/salsa.js'
import { u8, u32 } from '@noble/ciphers/utils.js'
import { x25519 } from '@noble/curves/ed25519.js'
import { fromBase64, toBase64 } from './base64.ts'
import { KithBoxError } from './errors.ts'

export const limits = {
  keyBytes: 32,
  nonceBytes: 24,
  textCodePoints: 8000,
  textBytes: 15_000,
  ciphertextMinBytes: 16,
  ciphertextMaxBytes: 16_384,
} as const

/** A key pair as canonical base64 of 32 bytes each. The secret half never leaves the client. */
export interface KeyPair {
  publicKey: string
  secretKey: string
}

/** What box-v1 puts into a message, all canonical base64. */
export interface Sealed {
  nonce: string
  ciphertext: string
}

/** A new random key pair. */
export function generateKeyPair(): KeyPair {
  return keyPairOf(toBase64(crypto.getRandomValues(new Uint8Array(limits.keyBytes))))
}

/** The key pair of a secret key (canonical base64); throws `KithBoxError` `bad_base64` or `bad_key`. */
export function keyPairOf(secretKey: string): KeyPair {
  return { secretKey, publicKey: toBase64(x25519.getPublicKey(keyBytes(secretKey))) }
}

/** SHA-256 of the 32 key bytes as 64 hex digits: what people compare. Throws as `checkPublicKey`. */
export async function fingerprint(publicKey: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', keyBytes(publicKey) as Uint8Array<ArrayBuffer>)
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/**
 * Refuses what is no usable X25519 public key: not canonical base64 (`bad_base64`), not 32 bytes, or a point of small
 * order (`bad_key`), with which everybody could read along.
 */
export function checkPublicKey(publicKey: string): void {
  // Any clamped scalar meets a small-order point in the all-zero secret, so one fixed scalar finds them all.
  sharedSecret(new Uint8Array(limits.keyBytes).fill(0x55), keyBytes(publicKey))
}

/**
 * Seal a text for the owner of `publicKey` with a fresh random nonce.
 *
 * The text has 1-8000 code points and at most 15000 bytes of UTF-8, without lone surrogates: else `KithBoxError`
 * `bad_text`. Throws `bad_base64` or `bad_key` for unusable keys.
 */
export function seal(text: string, secretKey: string, publicKey: string): Sealed {
  return sealWithNonce(text, secretKey, publicKey, crypto.getRandomValues(new Uint8Array(limits.nonceBytes)))
}

/** `seal` under a given nonce. Only test vectors need it: a nonce used twice between two agents reveals both texts. */
export function sealWithNonce(text: string, secretKey: string, publicKey: string, nonce: Uint8Array): Sealed {
  checkText(text)
  const ciphertext = xsalsa20poly1305(boxKey(secretKey, publicKey), nonce).encrypt(new TextEncoder().encode(text))
  return { nonce: toBase64(nonce), ciphertext: toBase64(ciphertext) }
}

/**
 * Open a sealed text with your own secret key and the other side's public key, whichever of the two sealed it.
 *
 * Throws `KithBoxError`: `bad_base64`, `bad_key`, `bad_nonce`, `bad_ciphertext` for a malformed envelope, `not_authentic`
 * for a wrong key or altered bytes, `bad_text` where the sealed bytes are no text that box-v1 allows.
 */
export function open(sealed: Sealed, secretKey: string, publicKey: string): string {
  const parts = partsOf(sealed)
  return decrypted(parts, boxKey(secretKey, publicKey))
}

/** `open` with the key that two agents share, for many messages of the same two. */
export const openWith = (sealed: Sealed, key: Uint8Array): string => decrypted(partsOf(sealed), key)

interface Parts {
  nonce: Uint8Array
  ciphertext: Uint8Array
}

function partsOf(sealed: Sealed): Parts {
  const nonce = fromBase64(sealed.nonce)
  if (nonce.length !== limits.nonceBytes) throw new KithBoxError('bad_nonce', 'a nonce must have 24 bytes')
  const ciphertext = fromBase64(sealed.ciphertext)
  if (ciphertext.length < limits.ciphertextMinBytes || ciphertext.length > limits.ciphertextMaxBytes)
    throw new KithBoxError('bad_ciphertext', 'a ciphertext must have 16 to 16384 bytes')
  return { nonce, ciphertext }
}

function decrypted({ nonce, ciphertext }: Parts, key: Uint8Array): string {
  let plain: Uint8Array
  try {
    plain = xsalsa20poly1305(key, nonce).decrypt(ciphertext)
  } catch {
    throw new KithBoxError('not_authentic', 'the ciphertext cannot be opened: wrong key, or altered bytes')
  }
  return textOf(plain)
}

/** Refuses (`bad_text`) what no message may carry: nothing, too much, or a lone surrogate. */
export function checkText(text: string): void {
  if (!text.isWellFormed()) throw new KithBoxError('bad_text', 'a message must not contain lone surrogates')
  let points = 0
  for (const _ of text) points++
  if (points < 1 || points > limits.textCodePoints)
    throw new KithBoxError('bad_text', 'a message must have 1 to 8000 characters')
  if (new TextEncoder().encode(text).length > limits.textBytes)
    throw new KithBoxError('bad_text', 'a message must have at most 15000 bytes')
}

function textOf(plain: Uint8Array): string {
  let text: string
  try {
    // A leading U+FEFF is part of the text, not a mark to strip.
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(plain)
  } catch {
    throw new KithBoxError('bad_text', 'the sealed bytes are not UTF-8')
  }
  checkText(text)
  return text
}

const sigma = u32(new TextEncoder().encode('expand 32-byte k'))

/** crypto_box_beforenm: HSalsa20 of the X25519 secret, with a zero input block. */
export function boxKey(secretKey: string, publicKey: string): Uint8Array {
  const secret = sharedSecret(keyBytes(secretKey), keyBytes(publicKey))
  const key = new Uint32Array(8)
  hsalsa(sigma, u32(secret), new Uint32Array(4), key)
  return u8(key)
}

function sharedSecret(secretKey: Uint8Array, publicKey: Uint8Array): Uint8Array {
  let secret: Uint8Array
  try {
    secret = x25519.getSharedSecret(secretKey, publicKey)
  } catch {
    throw new KithBoxError('bad_key', 'a public key of small order')
  }
  // The library refuses these already; it is checked here too because everything rests on it.
  if (secret.every((byte) => byte === 0)) throw new KithBoxError('bad_key', 'a public key of small order')
  return secret
}

function keyBytes(key: string): Uint8Array {
  const bytes = fromBase64(key)
  if (bytes.length !== limits.keyBytes) throw new KithBoxError('bad_key', 'a key must have 32 bytes')
  return bytes
}
