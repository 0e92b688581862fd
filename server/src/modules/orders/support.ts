// What becomes of a dispute beyond its two sides: unanswered, it goes to support by itself; escalated, it is decided.
// docs/contract/orders.md#disputes.
import { earlier, hours } from '../../kernel/clock.ts'
import { requireVersion } from '../../kernel/moves.ts'
import { refuse } from '../../kernel/refuse.ts'
import type { Service } from '../../service.ts'
import { record } from '../../store/audit.ts'
import { rowSweep } from '../../store/row-sweep.ts'
import { only, type Query, type Tx } from '../../store/sql.ts'
import { isSameOwner } from '../identity/owners.ts'
import { isOver, moveCredits, type Terms } from './actions.ts'
import { type DisputeCase, escalate, findDisputeCase, findLatest, findStanding, resolve } from './disputes.ts'
import { retain } from './files.ts'
import { type Decision, decisions } from './machine.ts'
import { advance, lock, type Order } from './orders.ts'

type Parts = Pick<Service, 'sql' | 'clock' | 'log' | 'metrics'>

export interface Verdict {
  orderId: string
  decision: Decision
  reason: string
  /** The version of the case that was read; undefined if whoever is standing is meant. */
  expectedVersion?: number
}

/** Who decides: its name in the audit log, and its id where it is an agent. */
interface Decider {
  actor: string
  agentId?: string
}

/**
 * Decides an escalated case: a refund returns the whole price, otherwise the order resumes where it was disputed. Refuses
 * `not_found` (never disputed), `forbidden` (the decider's own, or its owner's), `version_conflict`, `invalid_state` (not escalated).
 */
export async function decide(
  tx: Tx,
  { actor, agentId }: Decider,
  { orderId, decision, reason, expectedVersion }: Verdict,
  terms: Pick<Terms, 'fileRetentionDays'>,
): Promise<DisputeCase> {
  const order = await lock(tx, orderId)
  const latest = await findLatest(tx, orderId)
  if (agentId !== undefined && (await isSameOwner(tx, agentId, [order.customer_id, order.contractor_id]))) {
    refuse('forbidden', { message: 'You cannot decide a case of your own, or of another passport of your owner' })
  }
  const { status } = latest
  if (expectedVersion !== undefined) requireVersion(latest, expectedVersion, { status })
  if (status !== 'escalated') refuse('invalid_state', { message: `The case is ${status}`, details: { status } })
  await resolve(tx, latest, decision, reason)
  const { refund } = decisions
  const moved = decision === 'refund' ? await moveCredits(tx, refund.money, order, { isDecided: true }) : undefined
  const change = { state: moved ? refund.to : latest.resume_state, ...moved?.change }
  // The two sides read that it was support; which agent, the audit log tells.
  const next = await advance(tx, order, { action: `decide-${decision}`, actorId: null, reason }, change, moved?.along)
  if (isOver(next)) await retain(tx, next, terms)
  const details = { decision, case_id: latest.id }
  await record(tx, { actor, action: `dispute.${decision}`, subject: orderId, reason, details })
  return findDisputeCase(tx, latest.id)
}

/** Hands cases to support whose response period is over; true when there may be more. */
export const escalateDue: (parts: Parts) => Promise<boolean> = rowSweep<Order, Parts>({
  name: 'disputes',
  batch: 50,
  keyOf: ({ id }) => id,
  // The order first, as every action does it; whoever has it at this moment moves the case, or leaves it to the next run.
  take: (tx, { limit, without }) => tx<Order>`
    select o.* from dispute_cases c join orders o on o.id = c.order_id
    where c.status = 'open' and c.response_due_at <= ${tx.now} and o.id <> all (${without}::uuid[])
    order by c.response_due_at limit ${limit} for no key update of o skip locked`,
  async work(tx, orders) {
    for (const order of orders) {
      // The row is as it is under the lock, the case has to be read again: an answer may have come just before.
      if (order.state !== 'disputed') continue
      const standing = await findStanding(tx, order.id)
      if (standing.status !== 'open' || standing.response_due_at > tx.now) continue
      await escalate(tx, standing)
      await advance(tx, order, { action: 'escalate-dispute', actorId: null })
    }
  },
})

/** How long support may take before a case is overdue. */
export const overdueAfter: number = hours(24)

/** How many cases wait for support too long. */
export async function countOverdue(sql: Query, now: Date): Promise<number> {
  const { overdue } = only(
    await sql<{ overdue: number }>`
      select count(*)::int as overdue from dispute_cases
      where status = 'escalated' and escalated_at <= ${earlier(now, overdueAfter)}`,
  )
  return overdue
}

/** How many cases wait for support. */
export async function countEscalated(sql: Query): Promise<number> {
  const { escalated } = only(
    await sql<{ escalated: number }>`
      select count(*)::int as escalated from dispute_cases where status = 'escalated'`,
  )
  return escalated
}

/** Since when the oldest case waits for support. */
export async function oldestEscalated(sql: Query): Promise<Date | null> {
  const [oldest] = await sql<{ escalated_at: Date }>`
    select escalated_at from dispute_cases where status = 'escalated' order by escalated_at, id limit 1`
  return oldest?.escalated_at ?? null
}

/** The sweep over disputes: what is due goes to support, what waits there too long is counted. */
export async function disputeSweep(parts: Parts): Promise<boolean> {
  if (await escalateDue(parts)) return true
  const { sql, clock, metrics } = parts
  metrics.disputesOverdue.set(await countOverdue(sql, clock.now()))
  return false
}
