import { randomBytes } from 'node:crypto'

/** Of a link or a session: 32 bytes as base64url, of which the service keeps the digest alone. */
export const newSecret = (): string => randomBytes(32).toString('base64url')
