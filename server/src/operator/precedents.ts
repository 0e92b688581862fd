// What helps to decide: how both sides have dealt so far, and what was decided of the like. Each list is short, and read by an index.
import { part } from '../kernel/part.ts'
import type { HiddenKind } from '../modules/moderation/hidden.ts'
import type { ReasonCode, Status } from '../modules/moderation/machine.ts'
import type { Query } from '../store/sql.ts'

/** What is counted of a party's dealings. */
export interface Dealings {
  id: string
  completed: number
  refunded: number
  lost: number
  /** As a customer. */
  bought: number
  returned: number
  /** What of its own is removed now, up to {@link mostCounted}. */
  removed: number
}

export const mostCounted = 99

export async function dealingsOf(sql: Query, ids: readonly string[]): Promise<ReadonlyMap<string, Dealings>> {
  const rows = await sql<Dealings>`
    select p.id, coalesce(r.contractor_completed, 0) as completed, coalesce(r.contractor_refunded, 0) as refunded,
      coalesce(r.disputes_lost, 0) as lost, coalesce(r.customer_completed, 0) as bought,
      coalesce(r.customer_refunded, 0) as returned,
      (select count(*)::int from (
        select 1 from moderation_cases c where c.owner_id = p.id and c.status = 'removed' and c.measure = 'content'
        limit ${mostCounted}) counted) as removed
    from unnest(${ids}::uuid[]) as p (id) left join reputations r on r.party_id = p.id`
  return new Map(rows.map((each) => [each.id, each]))
}

/** A case that was decided before. */
export interface Precedent {
  id: string
  subject_kind: HiddenKind
  measure: 'content' | 'suspension'
  status: Status
  reason_code: ReasonCode
  reason: string
  decided_at: Date
}

const few = 5

type Compared = { id: string; owner_id: string; subject_kind: HiddenKind; measure: 'content' | 'suspension' }

/** What was decided of the same owner, and of the like: things of the same kind, or suspensions; the newest first. */
export async function casesAlike(
  sql: Query,
  { id, owner_id: ownerId, subject_kind: kind, measure }: Compared,
): Promise<{ ofOwner: Precedent[]; ofKind: Precedent[] }> {
  // Written out, for the planner to see.
  const like =
    measure === 'content' ? part`subject_kind = ${kind} and measure = 'content'` : part`measure = 'suspension'`
  const [ofOwner, ofKind] = await Promise.all([
    sql<Precedent>`
      select id, subject_kind, measure, status, reason_code, reason, decided_at from moderation_cases
      where owner_id = ${ownerId} and id <> ${id} and status <> 'pending'
      order by id desc limit (select ${few}::int)`,
    sql<Precedent>`
      select c.id, c.subject_kind, c.measure, c.status, c.reason_code, c.reason, c.decided_at
      from unnest(array['approved', 'removed', 'rejected', 'restored']) as s (status), lateral (
        select * from moderation_cases where status = s.status and ${like}
        order by id desc limit (select ${few}::int)) c
      where c.owner_id <> ${ownerId} order by c.decided_at desc, c.id limit (select ${few}::int)`,
  ])
  return { ofOwner, ofKind }
}

/** A dispute that support or an operator decided. */
export interface DecidedDispute {
  order_id: string
  decision: 'refund' | 'resume'
  decision_reason: string
  decided_at: Date
}

/** The latest decisions on disputes of other orders. */
export const disputesAlike = (sql: Query, orderId: string): Promise<DecidedDispute[]> => sql<DecidedDispute>`
  select order_id, decision, decision_reason, decided_at from (
    select * from dispute_cases where status = 'resolved' and escalated_at is not null
    order by escalated_at desc, id desc limit 50) newest
  where decision_reason is not null and order_id <> ${orderId}
  order by escalated_at desc, id desc limit (select ${few}::int)`
