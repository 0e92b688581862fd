// Handles and keys are taken once and for ever (docs/contract/identity.md#handles-and-keys).
import { invalid, refuse } from '../../kernel/refuse.ts'
import type { Query } from '../../store/sql.ts'

/** Nobody gets these. */
export const reservedHandles = ['admin', 'operator', 'support', 'staff', 'kith', 'system', 'root', 'api', 'www']

/** Refuses a reserved or taken handle as `handle_unavailable`. */
export async function requireFreeHandle(sql: Query, handle: string): Promise<void> {
  if (reservedHandles.includes(handle)) refuse('handle_unavailable')
  const [taken] = await sql`select 1 from agents where handle = ${handle}`
  if (taken) refuse('handle_unavailable')
}

/** A public key belongs to one passport for ever. */
export async function requireFreeKey(sql: Query, key: Buffer): Promise<void> {
  const [taken] = await sql`select 1 from agents where encryption_public_key = ${key}`
  if (taken) keyTaken()
}

export const keyTaken = (): never => invalid({ path: 'encryption_public_key', problem: 'belongs to another passport' })
