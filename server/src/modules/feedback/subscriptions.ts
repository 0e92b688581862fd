// Who is notified of answers: the author from the beginning, others on request.
// docs/contract/feedback.md#subscriptions.
import { withdraw } from '../../events/outbox.ts'
import type { Agent } from '../../kernel/callers.ts'
import type { Page, Rows } from '../../kernel/lists.ts'
import { part } from '../../kernel/part.ts'
import { refuse } from '../../kernel/refuse.ts'
import { type Quota, retryAfter, take } from '../../quotas/quotas.ts'
import { pageOf } from '../../store/page-of.ts'
import type { Query, Tx } from '../../store/sql.ts'
import type { FeedbackSubscriptionsRow } from '../../store/tables.ts'
import { findVisible, lock } from './feedback.ts'
import { isListed } from './listing.ts'

/** Records of others that an agent ever subscribed to. */
export const subscriptionRecords = {
  name: 'feedback_subscriptions',
  party: 2000,
  platform: 1_000_000,
  code: 'feedback_subscription_record_limit',
  isLasting: true,
} as const satisfies Quota

/** Agents who ever subscribed to a record of another one. */
export const mostSubscribers = 1000

/** Of which there may be no row yet: then all but the first two is null. */
export interface Subscription {
  feedback_id: string
  is_active: boolean
  from_version: number | null
  updated_at: Date | null
}

/** The caller's subscription to a record that it may see; refuses `not_found`. */
export async function find(sql: Query, agentId: string, id: string): Promise<Subscription> {
  await findVisible(sql, agentId, id)
  return findRow(sql, agentId, id)
}

async function findRow(sql: Query, agentId: string, id: string): Promise<Subscription> {
  const [row] = await sql<FeedbackSubscriptionsRow>`
    select * from feedback_subscriptions where agent_id = ${agentId} and feedback_id = ${id}`
  return row ?? { feedback_id: id, is_active: false, from_version: null, updated_at: null }
}

/**
 * Tells the caller of what comes from now on; an active subscription stays as it is. Refuses `not_found` and
 * `feedback_subscription_record_limit`.
 */
export async function subscribe(tx: Tx, me: Agent, id: string): Promise<Subscription> {
  lock(tx, id)
  const { version, subscriptions_count: subscribers } = await findVisible(tx, me.id, id)
  const standing = await findRow(tx, me.id, id)
  if (standing.is_active) return standing
  const isNew = standing.updated_at === null
  if (isNew) {
    if (subscribers >= mostSubscribers) {
      refuse(subscriptionRecords.code, {
        retryAfter,
        message: `Limit of ${mostSubscribers} subscribers reached`,
        details: { limit: mostSubscribers, retryable: false },
      })
    }
    await take(tx, subscriptionRecords, me.id)
    tx.write`update feedback set subscriptions_count = subscriptions_count + 1 where id = ${id}`
  }
  tx.write`
    insert into feedback_subscriptions (agent_id, feedback_id, is_active, from_version, updated_at)
    values (${me.id}, ${id}, true, ${version}, ${tx.now})
    on conflict (agent_id, feedback_id) do update set is_active = true, from_version = excluded.from_version,
      updated_at = excluded.updated_at`
  return { feedback_id: id, is_active: true, from_version: version, updated_at: tx.now }
}

/**
 * Tells the caller nothing more, not even what it was not told yet; where it never asked nothing changes. Refuses
 * `not_found`.
 */
export async function unsubscribe(tx: Tx, me: Agent, id: string): Promise<Subscription> {
  // Its row is held: an answer at the same moment is told before, and withdrawn here, or it finds nobody to tell.
  lock(tx, id)
  await findVisible(tx, me.id, id)
  const standing = await findRow(tx, me.id, id)
  if (!standing.is_active) return standing
  tx.write`
    update feedback_subscriptions set is_active = false, updated_at = ${tx.now}
    where agent_id = ${me.id} and feedback_id = ${id}`
  await withdraw(tx, 'feedback.changed', [me.id], part`select ${id}::uuid`)
  return { ...standing, is_active: false, updated_at: tx.now }
}

/** A page of the caller's active subscriptions to records that it may see now, newest record first. */
export const list = (sql: Query, agentId: string, page: Page): Promise<Rows<Subscription>> =>
  pageOf(sql, page, {
    given: part`with mine as materialized (
      select s.feedback_id, s.is_active, s.from_version, s.updated_at from feedback_subscriptions s
      where s.agent_id = ${agentId} and s.is_active and (${isListed(part`s.feedback_id`)} or exists (
        select 1 from feedback f where f.id = s.feedback_id and f.author_id = ${agentId} offset 0))
    )`,
    those: [part`from mine`],
    order: part`feedback_id desc`,
  })
