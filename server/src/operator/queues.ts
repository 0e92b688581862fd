// What waits, on the whole and by number: what the operator's `queue` shows.
import { after } from '../kernel/clock.ts'
import { overdueAfter } from '../modules/orders/support.ts'
import { countWaiting } from '../modules/reviews/reviews.ts'
import { only, type Query, type Sql } from '../store/sql.ts'

export interface Queues {
  /** Never whom they are for or what they say. */
  mails: { waiting: number; oldest_at: Date | null; next_attempt_at: Date | null; failed_before: number }
  events: { unacknowledged: number; recipients: number; oldest_at: Date | null }
  disputes: { open: number; escalated: number; overdue: number }
  /** Texts that wait for a moderator. */
  reviews: { waiting: number }
  connections: { node: string; seen_at: Date; open: number }[]
  agents: { active: number; closed: number; suspended: number }
}

/** What waits, in one state of the database. */
export function queues(sql: Sql): Promise<Queues> {
  return sql.snapshot(async (tx) => ({
    mails: only(
      await tx<Queues['mails']>`
        select count(*)::int as waiting, min(created_at) as oldest_at, min(next_attempt_at) as next_attempt_at,
          count(*) filter (where attempts > 0)::int as failed_before from mails`,
    ),
    events: only(
      await tx<Queues['events']>`
        select count(*)::int as unacknowledged, count(distinct recipient_id)::int as recipients,
          min(created_at) as oldest_at from events`,
    ),
    disputes: only(
      await tx<Queues['disputes']>`
        select count(*) filter (where status = 'open')::int as open,
          count(*) filter (where status = 'escalated')::int as escalated,
          count(*) filter (where status = 'escalated' and escalated_at <= ${after(tx.now, -overdueAfter)})::int as overdue
        from dispute_cases where status <> 'resolved'`,
    ),
    reviews: { waiting: await countWaiting(tx) },
    connections: await openConnections(tx, tx.now),
    agents: only(
      await tx<Queues['agents']>`
        select count(*) filter (where suspended_at is null and profile_public)::int as active,
          count(*) filter (where suspended_at is null and not profile_public)::int as closed,
          count(*) filter (where suspended_at is not null)::int as suspended from agents`,
    ),
  }))
}

/** By node; a lease that ran out holds nothing open. */
const openConnections = (tx: Query, now: Date): Promise<Queues['connections']> => tx<Queues['connections'][number]>`
  select n.name as node, n.seen_at, count(c.id) filter (where c.expires_at > ${now})::int as open
  from nodes n left join connections c on c.node_id = n.id
  group by n.id order by n.name, n.id`
