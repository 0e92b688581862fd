// The secrets of links and sessions: 32 random bytes as base64url, of which the service keeps the digest alone.
import { randomBytes } from 'node:crypto'
import { sha256 } from '../../secrets.ts'

export const newSecret = (): string => randomBytes(32).toString('base64url')

/** By what a secret is found; undefined for what is none. */
export const secretDigest = (given: string): Buffer | undefined =>
  /^[A-Za-z0-9_-]{43}$/.test(given) ? sha256(given) : undefined
