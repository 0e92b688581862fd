// A suspended customer offers no new order; everything else stays open, above all what ends an order, and the appeal.
// docs/contract/people.md#suspension.
import { record } from '../../store/audit.ts'
import type { Query, Tx } from '../../store/sql.ts'
import { find, type ModerationCase, openSuspension } from '../moderation/cases.ts'
import type { ReasonCode } from '../moderation/machine.ts'

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

/** Before an account is closed: another one of the same email begins as this one ends. */
export const rememberSuspension = (tx: Tx, humanId: string): Promise<unknown> => tx`
  update customer_grants g set suspension_case_id = h.suspension_case_id
  from humans h where h.id = ${humanId} and g.email_digest = h.grant_digest`

/** Suspends a new account if the last one of its email was suspended and still is: by a case of its own, with the same words. */
export async function inheritSuspension(tx: Tx, humanId: string): Promise<void> {
  const [former] = await tx<{ id: string; reason_code: ReasonCode; reason: string }>`
    select c.id, c.reason_code, c.reason
    from humans h join customer_grants g on g.email_digest = h.grant_digest
      join moderation_cases c on c.id = g.suspension_case_id and c.status = 'removed'
    where h.id = ${humanId}`
  if (!former) return
  const { reason_code: code, reason } = former
  const { id: caseId } = await openSuspension(tx, { partyId: humanId, reasonCode: code, reason })
  await setCustomerSuspended(tx, humanId, caseId)
  const details = { case_id: caseId, reason_code: code, former_case_id: former.id }
  await record(tx, { actor: 'service', action: 'customer.suspend', subject: humanId, reason, details })
}
