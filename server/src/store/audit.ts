// The audit log: every action of an operator or of staff, with who, what, whom, why and when. Nothing in it ever changes.
import type { Query, Tx } from './sql.ts'
import type { AuditLogRow } from './tables.ts'

/** `subject` is a handle, or the id of what the action was about; `details` is what the action was given besides. */
export interface Entry extends AuditLogRow {
  details: Record<string, string | number> | null
}

type Given = Omit<Entry, 'id' | 'details' | 'created_at'> & { details?: Entry['details'] }

/** Writes an entry in the transaction of the action itself: neither is there without the other. */
export async function record(tx: Tx, { details = null, ...given }: Given): Promise<Entry> {
  const written = { id: tx.newId(), ...given, details, created_at: tx.now }
  await tx`
    insert into audit_log (id, actor, action, subject, reason, details, created_at)
    values (${written.id}, ${written.actor}, ${written.action}, ${written.subject}, ${written.reason},
      ${details && JSON.stringify(details)}::json, ${tx.now})`
  return written
}

export const longestPage = 1000

/** Entries newest first, before the entry of an id where one is given. */
export async function entries(
  sql: Query,
  { limit, before }: { limit: number; before?: string | undefined },
): Promise<{ entries: Entry[]; next_before: string | null }> {
  const rows = await sql<Entry>`
    select id, actor, action, subject, reason, details, created_at from audit_log
    where id < ${before ?? 'ffffffff-ffff-ffff-ffff-ffffffffffff'}
    order by id desc limit ${limit + 1}`
  const page = rows.slice(0, limit)
  return { entries: page, next_before: rows.length > limit ? (page.at(-1) as Entry).id : null }
}
