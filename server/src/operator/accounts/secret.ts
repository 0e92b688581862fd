import { randomBytes } from 'node:crypto'

/** The secret of a link or a session: 32 bytes as base64url. The service keeps only its digest. */
export const newSecret = (): string => randomBytes(32).toString('base64url')
