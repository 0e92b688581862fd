// Orders as their two sides read them: the one way from rows to what is answered.
import type { Party } from '../../kernel/callers.ts'
import { part } from '../../kernel/part.ts'
import { only, type Query } from '../../store/sql.ts'
import { card } from '../attachments/cards.ts'
import { isHidden } from '../moderation/hidden.ts'
import { type PartyName, partyNames } from '../parties/names.ts'
import { unansweredBy } from '../reputation/counters.ts'
import type { DisputeCase } from './disputes.ts'
import { pathOf } from './doors.ts'
import { filesOfOrders } from './files.ts'
import type { HistoryLine, Order } from './orders.ts'
import { proposalsOf, purchasedCards } from './resale.ts'
import { sourceOf } from './sources.ts'

interface Summary {
  count: number
  average: number | null
  revealed: boolean
}

/** Orders as a side reads them, with files, reviews and standing refund proposals: one statement each where any has some. */
export async function show(sql: Query, viewer: Party, now: Date, orders: readonly Order[]) {
  const idsOf = (which: (order: Order) => boolean): string[] => orders.filter(which).map(({ id }) => id)
  const files = await filesOfOrders(
    sql,
    viewer.id,
    // A purchase begins with no files, and what it hands over is the seller's.
    orders.filter((order) => order.has_files && order.source !== 'ready'),
  )
  const summaries = await reviewSummaries(
    sql,
    now,
    // None is there at the moment of closing.
    idsOf((order) => order.outcome === 'accepted' && isClosedBefore(order, now)),
  )
  const proposals = await refundProposals(
    sql,
    idsOf((order) => order.state === 'disputed'),
  )
  const purchased = await purchasedCards(
    sql,
    viewer.id,
    now,
    idsOf((order) => order.source === 'ready' && order.has_files),
  )
  const resales = await proposalsOf(
    sql,
    idsOf((order) => order.outcome === 'accepted' && sourceOf(order).resale && isClosedBefore(order, now)),
  )
  const names = await namesOf(
    sql,
    orders.filter((order) => sourceOf(order).list === 'human-orders'),
  )
  const unanswered = await unansweredBy(
    sql,
    now,
    orders.filter((order) => isToAccept(order, viewer)).map((order) => order.customer_id),
  )
  return orders.map((order) => ({
    id: order.id,
    state: order.state,
    version: order.version,
    workflow: order.workflow as 'ready' | null,
    title: order.title,
    description: order.description,
    deadline: order.deadline.toISOString(),
    customer_id: order.customer_id,
    contractor_id: order.contractor_id,
    customer_unanswered: isToAccept(order, viewer) ? (unanswered.get(order.customer_id) ?? 0) : null,
    offer_author_id: order.offer_author_id,
    amount_minor: order.amount_minor,
    fee_bps: order.fee_bps,
    fee_minor: order.fee_minor,
    total_minor: order.total_minor,
    service_snapshot: order.service_snapshot,
    source_service_quote_id: order.source_service_quote_id,
    source_service_request_id: order.source_service_request_id,
    input_attachments: (files.get(order.id)?.input ?? []).map((file) => card(file, 'original', viewer.kind)),
    result_text: order.result_text,
    result_attachments:
      purchased.get(order.id) ?? (files.get(order.id)?.result ?? []).map((file) => card(file, 'original', viewer.kind)),
    refund_proposed_by: proposals.get(order.id) ?? null,
    updates_count: order.updates_count,
    updates_url: `/api/v1${pathOf(order, viewer)}/updates`,
    review_summary: order.outcome === 'accepted' ? (summaries.get(order.id) ?? noReviews) : null,
    review_form_url: order.outcome === 'accepted' ? `/api/v1${pathOf(order, viewer)}/review-form` : null,
    ready_service_proposals: resales.get(order.id) ?? [],
    outcome: order.outcome,
    created_at: order.created_at.toISOString(),
    updated_at: order.updated_at.toISOString(),
    closed_at: order.closed_at?.toISOString() ?? null,
    ...(sourceOf(order).list === 'human-orders' && sidesOf(order, names)),
  }))
}

/** A contractor sees how its customer treats deliveries before it is bound to make one. */
const isToAccept = ({ state, contractor_id: id }: Order, viewer: Party): boolean =>
  state === 'offered' && id === viewer.id

type Names = ReadonlyMap<string, Name>
type Name = Pick<PartyName, 'id' | 'handle' | 'display_name'>

/**
 * The names of the sides of these orders, even if their profiles are private or gone: they know each other by the
 * order.
 */
async function namesOf(sql: Query, orders: readonly Order[]): Promise<Names> {
  if (orders.length === 0) return new Map()
  const ids = [...new Set(orders.flatMap(({ customer_id, contractor_id }) => [customer_id, contractor_id]))]
  const rows = await sql<Name>`
    select n.id, n.handle, n.display_name from ${partyNames} n where n.id = any(${ids}::uuid[])`
  return new Map(rows.map((row) => [row.id, row]))
}

/** A customer without an agent is known by a name alone. */
function sidesOf({ customer_id, contractor_id }: Order, names: Names) {
  const { id, handle, display_name } = names.get(contractor_id) as Name
  return {
    customer: { id: customer_id, display_name: names.get(customer_id)?.display_name as string },
    contractor: { id, handle: handle as string, display_name },
  }
}

const isClosedBefore = ({ closed_at: at }: Order, now: Date): boolean => at !== null && at < now

const noReviews: Summary = { count: 0, average: null, revealed: false }

export const showOne = async (sql: Query, viewer: Party, now: Date, order: Order) =>
  only(await show(sql, viewer, now, [order]))

/** How many reviews there are, and their average once the two may read each other's. */
async function reviewSummaries(sql: Query, now: Date, orderIds: readonly string[]): Promise<Map<string, Summary>> {
  if (orderIds.length === 0) return new Map()
  const rows = await sql<Summary & { order_id: string }>`
    select order_id, count(*)::int as count, bool_and(reveal_at <= ${now}) as revealed,
      case when bool_and(reveal_at <= ${now}) then round(avg(rating), 2)::float end as average
    from reviews r where order_id = any(${orderIds}::uuid[]) and not ${isHidden('review', part`r.id`)} group by order_id`
  return new Map(rows.map(({ order_id, ...summary }) => [order_id, summary]))
}

async function refundProposals(sql: Query, orderIds: readonly string[]): Promise<Map<string, string>> {
  if (orderIds.length === 0) return new Map()
  const rows = await sql<{ order_id: string; refund_proposed_by: string }>`
    select order_id, refund_proposed_by from dispute_cases
    where order_id = any(${orderIds}::uuid[]) and status <> 'resolved' and refund_proposed_by is not null`
  return new Map(rows.map((row) => [row.order_id, row.refund_proposed_by]))
}

export const showLine = ({ version, action, actor_id, from_state, to_state, reason, created_at }: HistoryLine) => ({
  version,
  action,
  actor_id,
  from: from_state,
  to: to_state,
  reason,
  created_at: created_at.toISOString(),
})

export const showDisputeCase = (dispute: DisputeCase) => ({
  id: dispute.id,
  order_id: dispute.order_id,
  status: dispute.status,
  opened_by: dispute.opened_by,
  reason: dispute.reason,
  refund_proposed_by: dispute.refund_proposed_by,
  response_due_at: dispute.response_due_at.toISOString(),
  escalated_at: dispute.escalated_at?.toISOString() ?? null,
  decision: dispute.decision,
  decision_reason: dispute.decision_reason,
  decided_at: dispute.decided_at?.toISOString() ?? null,
  version: dispute.version,
})
