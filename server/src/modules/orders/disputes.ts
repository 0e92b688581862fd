// Disputes: a case beside the order, from its opening to the refund that both agree to or to what support decides.
// docs/contract/orders.md#disputes.
import { after, hours } from '../../kernel/clock.ts'
import { refuse } from '../../kernel/refuse.ts'
import type { Query, Tx } from '../../store/sql.ts'
import { only } from '../../store/sql.ts'
import type { DisputeCasesRow } from '../../store/tables.ts'
import type { Decision, State } from './machine.ts'
import type { Order } from './orders.ts'

export interface DisputeCase extends DisputeCasesRow {
  status: 'open' | 'escalated' | 'resolved'
  resume_state: State
  decision: Decision | null
}

/**
 * Opens the case of an order that is becoming disputed. Its versions go on from those of the order's last one, so that a
 * decision which was meant for that one can never hit this.
 */
export async function open(
  tx: Tx,
  order: Order,
  { openedBy, reason, proposesRefund }: { openedBy: string; reason: string; proposesRefund: boolean },
  { disputeResponseHours }: { disputeResponseHours: number },
): Promise<void> {
  await tx`
    insert into dispute_cases (id, order_id, status, version, opened_by, reason, refund_proposed_by, resume_state,
      response_due_at, created_at)
    values (${tx.newId()}, ${order.id}, 'open',
      1 + coalesce((select max(version) from dispute_cases where order_id = ${order.id}), 0),
      ${openedBy}, ${reason}, ${proposesRefund ? openedBy : null}, ${order.state},
      ${after(tx.now, hours(disputeResponseHours))}, ${tx.now})`
}

/** The case of a disputed order; its order is locked, and so is the case by that. */
export const findStanding = async (sql: Query, orderId: string): Promise<DisputeCase> =>
  only(await sql<DisputeCase>`select * from dispute_cases where order_id = ${orderId} and status <> 'resolved'`)

/** The same of many disputed orders, by order. */
export async function standingOf(sql: Query, orderIds: readonly string[]): Promise<Map<string, DisputeCase>> {
  if (orderIds.length === 0) return new Map()
  const cases = await sql<DisputeCase>`
    select * from dispute_cases where order_id = any(${orderIds}::uuid[]) and status <> 'resolved'`
  return new Map(cases.map((each) => [each.order_id, each]))
}

/** Hands a case to support. */
export async function escalate(tx: Tx, standing: DisputeCase): Promise<void> {
  await tx`
    update dispute_cases set status = 'escalated', escalated_at = ${tx.now}, version = version + 1
    where id = ${standing.id}`
}

/** Ends a case; without a reason where the two sides agreed. */
export async function resolve(tx: Tx, standing: DisputeCase, decision: Decision, reason: string | null): Promise<void> {
  await tx`
    update dispute_cases set status = 'resolved', decision = ${decision}, decision_reason = ${reason},
      decided_at = ${tx.now}, version = version + 1
    where id = ${standing.id}`
}

/** The latest case of an order; `not_found` if it was never disputed. */
export async function findLatest(sql: Query, orderId: string): Promise<DisputeCase> {
  const [latest] = await sql<DisputeCase>`
    select * from dispute_cases where order_id = ${orderId} order by version desc limit 1`
  return latest ?? refuse('not_found')
}

/** All that an order ever had, the first one first. */
export const disputeCasesOf = (sql: Query, orderId: string): Promise<DisputeCase[]> =>
  sql<DisputeCase>`select * from dispute_cases where order_id = ${orderId} order by version`

export const findDisputeCase = async (sql: Query, id: string): Promise<DisputeCase> =>
  only(await sql<DisputeCase>`select * from dispute_cases where id = ${id}`)
