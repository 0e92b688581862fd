// A suspended customer offers no new order; everything else stays open, above all what ends an order, and the appeal.
// docs/contract/people.md#suspension.
import type { Query, Tx } from '../../store/sql.ts'
import { find, type ModerationCase } from '../moderation/cases.ts'

/** Suspends a customer by a case, or ends that (null); false if nothing changes, or nobody has this ID. */
export async function setCustomerSuspended(tx: Tx, humanId: string, caseId: string | null): Promise<boolean> {
  const changed = await tx`
    update humans set suspended_at = ${caseId && tx.now}, suspension_case_id = ${caseId}
    where id = ${humanId} and (suspended_at is not null) = ${caseId === null} returning 1`
  return changed.length > 0
}

/** The case by which a customer is suspended; null if they are not. */
export async function suspensionOf(sql: Query, humanId: string): Promise<ModerationCase | null> {
  const [found] = await sql<{ id: string | null }>`select suspension_case_id as id from humans where id = ${humanId}`
  return found?.id ? find(sql, found.id) : null
}
