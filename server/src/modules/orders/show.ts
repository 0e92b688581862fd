// Orders as their two sides read them: the one way from rows to what is answered.
import type { Party } from '../../kernel/callers.ts'
import { part } from '../../kernel/part.ts'
import { picked } from '../../kernel/picked.ts'
import { only, type Query } from '../../store/sql.ts'
import { card } from '../attachments/cards.ts'
import { isHidden } from '../moderation/hidden.ts'
import { unansweredBy } from '../reputation/counters.ts'
import type { Name } from './beside.ts'
import { type DisputeCase, standingOf } from './disputes.ts'
import { pathOf } from './doors.ts'
import { filesOfOrders } from './files.ts'
import type { HistoryLine, Order } from './orders.ts'
import { relationsIn } from './relations.ts'
import { proposalsOf, purchasedCards } from './resale.ts'
import * as shapes from './shapes.ts'
import { actionsOn, bidsOf, namesOf, originOf, type Reader, showName } from './sides.ts'
import { sourceOf } from './sources.ts'

interface Summary {
  count: number
  average: number | null
  revealed: boolean
}

/** Orders as a side reads them: one statement for each thing that some of them have, all of them together. */
export async function show(sql: Query, reader: Reader, now: Date, orders: readonly Order[]) {
  const { me } = reader
  const idsOf = (which: (order: Order) => boolean): string[] => orders.filter(which).map(({ id }) => id)
  const isDisputed = ({ state }: Order): boolean => state === 'disputed'
  const isAccepted = ({ outcome, beside }: Order): boolean => outcome === 'accepted' && !beside?.hasJustEnded
  const [files, summaries, disputes, relations, purchased, resales, names, bids, unanswered] = await Promise.all([
    // A purchase begins with no files, and what it hands over is the seller's.
    filesOfOrders(
      sql,
      me.id,
      orders.filter((order) => order.has_files && order.source !== 'ready'),
    ),
    reviewSummaries(sql, now, idsOf(isAccepted)),
    standingOf(sql, idsOf(isDisputed)),
    relationsIn(
      sql,
      me.id,
      idsOf(({ state, beside }) => state === 'offered' && beside?.relation === undefined),
    ),
    purchasedCards(
      sql,
      me.id,
      now,
      idsOf((order) => order.source === 'ready' && order.has_files),
    ),
    proposalsOf(
      sql,
      idsOf((order) => isAccepted(order) && sourceOf(order).resale),
    ),
    namesOf(
      sql,
      me,
      orders.filter(({ beside }) => !beside),
    ),
    bidsOf(sql, orders),
    unansweredBy(
      sql,
      now,
      orders
        .filter((order) => isToAccept(order, me) && order.beside?.unanswered === undefined)
        .map((order) => order.customer_id),
    ),
  ])
  const nameOf = ({ beside }: Order, id: string): Name => (beside?.names ?? names).get(id) as Name
  return orders.map((order) => ({
    id: order.id,
    state: order.state,
    version: order.version,
    role: order.customer_id === me.id ? ('customer' as const) : ('contractor' as const),
    actions: actionsOn(reader, order, disputes.get(order.id), order.beside?.relation ?? relations.get(order.id)),
    customer: showName(nameOf(order, order.customer_id)),
    contractor: showName(nameOf(order, order.contractor_id)),
    origin: originOf(order, bids.get(order.id)),
    bid_text: bids.get(order.id)?.text ?? null,
    workflow: order.workflow as 'ready' | null,
    title: order.title,
    description: order.description,
    deadline: order.deadline.toISOString(),
    customer_id: order.customer_id,
    contractor_id: order.contractor_id,
    customer_unanswered: isToAccept(order, me)
      ? (order.beside?.unanswered ?? unanswered.get(order.customer_id) ?? 0)
      : null,
    offer_author_id: order.offer_author_id,
    amount_minor: order.amount_minor,
    fee_bps: order.fee_bps,
    fee_minor: order.fee_minor,
    total_minor: order.total_minor,
    service_snapshot: order.service_snapshot,
    source_service_quote_id: order.source_service_quote_id,
    source_service_request_id: order.source_service_request_id,
    input_attachments: (files.get(order.id)?.input ?? []).map((file) => card(file, 'original', me.kind)),
    result_text: order.result_text,
    result_attachments:
      purchased.get(order.id) ?? (files.get(order.id)?.result ?? []).map((file) => card(file, 'original', me.kind)),
    refund_proposed_by: disputes.get(order.id)?.refund_proposed_by ?? null,
    updates_count: order.updates_count,
    updates_url: `/api/v1${pathOf(order, me)}/updates`,
    review_summary: order.outcome === 'accepted' ? (summaries.get(order.id) ?? noReviews) : null,
    review_form_url: order.outcome === 'accepted' ? `/api/v1${pathOf(order, me)}/review-form` : null,
    ready_service_proposals: resales.get(order.id) ?? [],
    outcome: order.outcome,
    created_at: order.created_at.toISOString(),
    updated_at: order.updated_at.toISOString(),
    closed_at: order.closed_at?.toISOString() ?? null,
  }))
}

/** A contractor sees how its customer treats deliveries before it is bound to make one. */
const isToAccept = ({ state, contractor_id: id }: Order, viewer: Party): boolean =>
  state === 'offered' && id === viewer.id

const noReviews: Summary = { count: 0, average: null, revealed: false }

export const showOne = async (sql: Query, reader: Reader, now: Date, order: Order) =>
  only(await show(sql, reader, now, [order]))

/** How many reviews there are, and their average once the two may read each other's. */
async function reviewSummaries(sql: Query, now: Date, orderIds: readonly string[]): Promise<Map<string, Summary>> {
  if (orderIds.length === 0) return new Map()
  const rows = await sql<Summary & { order_id: string }>`
    select order_id, count(*)::int as count, bool_and(reveal_at <= ${now}) as revealed,
      case when bool_and(reveal_at <= ${now}) then round(avg(rating), 2)::float end as average
    from reviews r where order_id = any(${orderIds}::uuid[]) and not ${isHidden('review', part`r.id`)} group by order_id`
  return new Map(rows.map(({ order_id, ...summary }) => [order_id, summary]))
}

export const showLine = (line: HistoryLine) =>
  picked(shapes.HistoryLine, line, { from: line.from_state, to: line.to_state })

export const showDisputeCase = (dispute: DisputeCase) => picked(shapes.DisputeCase, dispute)
