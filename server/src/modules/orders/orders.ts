// Orders: how one is made, changed and found. Every version comes with a line of history and the events of both sides.
// docs/contract/orders.md.

import { type Emission, emitting } from '../../events/outbox.ts'
import { earlier, hours } from '../../kernel/clock.ts'
import { offsetOf, type Page, type Rows } from '../../kernel/lists.ts'
import { listed, type Part, part } from '../../kernel/part.ts'
import { refuse } from '../../kernel/refuse.ts'
import { gathered, inPlaces } from '../../store/gather.ts'
import type { Query, Tx } from '../../store/sql.ts'
import type { OrdersRow } from '../../store/tables.ts'
import type { Price } from '../wallet/price.ts'
import { type Payout, reserve } from '../wallet/wallet.ts'
import type { Beside } from './beside.ts'
import { type State, states } from './machine.ts'
import { isShownIn, type OrderList, type SourceName, sourceOf } from './sources.ts'

export interface Order extends OrdersRow {
  state: State
  source: SourceName
  outcome: 'accepted' | 'refunded' | null
  /** What a change found beside it. */
  beside?: Beside
}

export const roles = ['customer', 'contractor'] as const
export type Role = (typeof roles)[number]

/** An order as it comes to be: what was agreed, between whom, and how far it is at once. */
export interface Made extends Price {
  id: string
  source: SourceName
  title: string
  description: string
  deadline: Date
  customerId: string
  contractorId: string
  authorId: string
  hasFiles: boolean
  /** Beyond `offered` the customer's credits are reserved with it. */
  state: 'offered' | 'funded' | 'delivered'
  /** What its history calls the beginning. */
  action: string
  workflow?: 'ready'
  /** `{service, quantity, parameters, input_attachment_ids}` of what came from the catalogue. */
  serviceSnapshot?: object
  quoteId?: string
  requestId?: string
  resultText?: string
  /** Whom the reward goes to; all of it to the contractor when undefined. */
  payouts?: readonly Payout[]
  /** What else is written in the same statement: further parts of its `with`, each after a comma. */
  along?: Part
}

/**
 * Makes an order, with the first line of its history, whom it will pay, an event to its sides and, beyond an offer, the
 * reserve; refuses `insufficient_funds`. Files are bound by its id, before or after.
 */
export async function make(tx: Tx, actorId: string, made: Made): Promise<Order> {
  const order = orderOf(tx.now, made)
  if (order.state !== 'offered') await reserve(tx, order.id, order.customer_id, order.total_minor)
  const payouts = made.payouts ?? [{ party_id: made.contractorId, kind: 'payout', amount_minor: made.amount_minor }]
  const snapshot = made.serviceSnapshot ? JSON.stringify(made.serviceSnapshot) : null
  tx.write`
    with noted as (
      insert into order_history (order_id, version, action, actor_id, to_state, created_at)
      values (${order.id}, 1, ${made.action}, ${actorId}, ${order.state}, ${tx.now})
    ), owed as (
      insert into order_payouts (order_id, party_id, kind, amount_minor)
      values ${listed(payouts.map(({ party_id, kind, amount_minor }) => part`(${order.id}, ${party_id}, ${kind}, ${amount_minor})`))}
    ), told as (${emitting(tx, changed(order))}) ${made.along ?? part``}
    insert into orders (id, state, source, workflow, title, description, deadline, customer_id, contractor_id,
      offer_author_id, amount_minor, fee_bps, fee_minor, total_minor, service_snapshot, source_service_quote_id,
      source_service_request_id, result_text, has_files, delivered_at, reminder_at, created_at,
      updated_at)
    values (${order.id}, ${order.state}, ${order.source}, ${order.workflow}, ${order.title}, ${order.description},
      ${order.deadline}, ${order.customer_id}, ${order.contractor_id}, ${order.offer_author_id}, ${order.amount_minor},
      ${order.fee_bps}, ${order.fee_minor}, ${order.total_minor}, ${snapshot}::json, ${order.source_service_quote_id},
      ${order.source_service_request_id}, ${order.result_text}, ${order.has_files}, ${order.delivered_at},
      ${order.reminder_at}, ${tx.now}, ${tx.now})`
  return order
}

/** How long before the deadline of an order whoever must act is reminded, the longest first. */
const remindedBefore = [hours(24), hours(1)]

/** When an order with this deadline needs a reminder next; null once nothing is left to say. */
export const nextReminder = (now: Date, deadline: Date): Date | null =>
  remindedBefore.map((time) => earlier(deadline, time)).find((at) => at > now) ?? null

const orderOf = (now: Date, made: Made): Order => ({
  id: made.id,
  state: made.state,
  version: 1,
  source: made.source,
  workflow: made.workflow ?? null,
  title: made.title,
  description: made.description,
  deadline: made.deadline,
  customer_id: made.customerId,
  contractor_id: made.contractorId,
  offer_author_id: made.authorId,
  amount_minor: made.amount_minor,
  fee_bps: made.fee_bps,
  fee_minor: made.fee_minor,
  total_minor: made.total_minor,
  service_snapshot: made.serviceSnapshot ?? null,
  source_service_quote_id: made.quoteId ?? null,
  source_service_request_id: made.requestId ?? null,
  result_text: made.resultText ?? null,
  has_files: made.hasFiles,
  updates_count: 0,
  outcome: null,
  review_request_at: null,
  delivered_at: made.state === 'delivered' ? now : null,
  reminder_at: nextReminder(now, made.deadline),
  customer_reviewed: false,
  contractor_reviewed: false,
  created_at: now,
  updated_at: now,
  closed_at: null,
})

/** The event that the sides of an order get of every version. */
export function changed(
  order: Pick<Order, 'id' | 'source' | 'version' | 'state' | 'customer_id' | 'contractor_id'>,
): Emission {
  const { event, hears } = sourceOf(order)
  const told = {
    to: hears === 'contractor' ? [order.contractor_id] : [order.customer_id, order.contractor_id],
    subject: order.id,
  }
  const payload = { order_id: order.id, version: order.version }
  return event === 'human_order.changed'
    ? { ...told, kind: event, payload }
    : { ...told, kind: event, payload: { ...payload, status: order.state } }
}

/** A party's own order in a list; someone else's, or one of the other list, is `not_found`. */
export async function find(
  sql: Query,
  partyId: string,
  id: string,
  list: OrderList = 'orders',
  lock: Part = part``,
): Promise<Order> {
  const [order] = await sql<Order>`
    select * from orders
    where id = ${id} and ${partyId}::uuid in (customer_id, contractor_id) and ${isShownIn(list)} ${lock}`
  return order ?? refuse('not_found')
}

/** The same for a reader, together with those of others. */
export async function findShown(sql: Query, partyId: string, id: string, list: OrderList): Promise<Order> {
  const [order] = await ownOrders(sql, [[partyId, id]])
  return order && sourceOf(order).list === list ? order : refuse('not_found')
}

const ownOrders = gathered(async (sql, asked: readonly (readonly [partyId: string, orderId: string])[]) => {
  const [parties, ids] = [asked.map(([partyId]) => partyId), asked.map(([, id]) => id)]
  const rows = await sql<Order & { place: number }>`
    select o.*, asked.place::int
    from unnest((select ${parties}::uuid[]), (select ${ids}::uuid[])) with ordinality as asked (party_id, order_id, place)
    cross join lateral (select * from orders o where o.id = asked.order_id offset 0) o
    where asked.party_id in (o.customer_id, o.contractor_id)`
  return inPlaces(asked.length, rows)
})

/** The same, as it is until this transaction ends. */
export const findLocked = (tx: Tx, partyId: string, id: string, list?: OrderList): Promise<Order> =>
  find(tx, partyId, id, list, part`for no key update`)

/** An order whoever asks, locked: for support and for what the service does by itself. */
export async function lock(tx: Tx, id: string): Promise<Order> {
  const [order] = await tx<Order>`select * from orders where id = ${id} for no key update`
  return order ?? refuse('not_found')
}

/** What a version changes besides itself and the time. */
export type Change = Partial<
  Pick<
    Order,
    | 'state'
    | 'offer_author_id'
    | 'amount_minor'
    | 'fee_bps'
    | 'fee_minor'
    | 'total_minor'
    | 'result_text'
    | 'has_files'
    | 'updates_count'
    | 'outcome'
    | 'review_request_at'
    | 'closed_at'
  >
>

export interface Cause {
  action: string
  /** Null if the service acted by itself. */
  actorId: string | null
  reason?: string | undefined
}

/**
 * Raises the version of a locked order, with what changes, a line in its history, an event to both sides and what a customer
 * is to be written of it: one statement, so that none happens alone. What is written `along` with it are further parts of its
 * `with`, each after a comma.
 */
export async function advance(
  tx: Tx,
  order: Order,
  { action, actorId, reason }: Cause,
  change: Change = {},
  along: Part = part``,
): Promise<Order> {
  const next: Order = { ...order, ...change, version: order.version + 1, updated_at: tx.now }
  if (next.state === 'delivered' && order.state !== 'delivered') next.delivered_at = tx.now
  const told = emitting(tx, changed(next))
  const kind = actorId === order.customer_id ? undefined : sourceOf(order).notices?.[action]
  const noticed =
    kind === undefined
      ? part``
      : part`, noticed as (
      insert into customer_notices (order_id, version, kind, created_at)
      values (${order.id}, ${next.version}, ${kind}, ${tx.now})
    )`
  tx.write`
    with noted as (
      insert into order_history (order_id, version, action, actor_id, from_state, to_state, reason, created_at)
      values (${order.id}, ${next.version}, ${action}, ${actorId}::uuid, ${order.state}, ${next.state}, ${reason ?? null},
        ${tx.now})
    ), told as (${told}) ${noticed} ${along}
    update orders set state = ${next.state}, version = ${next.version}, offer_author_id = ${next.offer_author_id},
      amount_minor = ${next.amount_minor}, fee_bps = ${next.fee_bps}, fee_minor = ${next.fee_minor},
      total_minor = ${next.total_minor}, result_text = ${next.result_text}, has_files = ${next.has_files},
      updates_count = ${next.updates_count}, outcome = ${next.outcome}, review_request_at = ${next.review_request_at},
      delivered_at = ${next.delivered_at}, closed_at = ${next.closed_at}, updated_at = ${tx.now}
    where id = ${order.id}`
  return next
}

export interface Filter extends Page {
  role: Role | undefined
  state: State | undefined
}

/** A party's own orders, newest first, with their exact number; without some of them where they are named. */
export async function list(
  sql: Query,
  partyId: string,
  filter: Filter & { without?: readonly string[] },
  where: OrderList = 'orders',
): Promise<Rows<Order>> {
  const offset = offsetOf(filter)
  const { without = [] } = filter
  const others = without.length === 0 ? part`` : part`and id <> all(${[...without]}::uuid[])`
  const shown = part`${isShownIn(where)} ${others}`
  const inState = filter.state === undefined ? part`` : part`and state = ${filter.state}`
  const asCustomer = part`from orders where customer_id = ${partyId} ${inState} and ${shown}`
  const asContractor = part`from orders where contractor_id = ${partyId} ${inState} and ${shown}`
  const lone = filter.role && { customer: asCustomer, contractor: asContractor }[filter.role]
  const each = (of: (side: Part) => Part, between: Part): Part =>
    lone ? of(lone) : part`${of(asCustomer)} ${between} ${of(asContractor)}`
  // An index has the newest of each side, in one state or in all.
  const mine = each(
    (side) => part`(select id ${side} order by id desc limit ${offset + filter.page_size})`,
    part`union all`,
  )
  const total = each((side) => part`(select count(*) ${side})`, part`+`)
  const rows = await sql<Order & { total: number }>`
    with mine as materialized (${mine}), shown as materialized (
      select id from mine order by id desc limit ${filter.page_size} offset ${offset}
    )
    select (${total})::int as total, o.*
    from (select 1) one left join shown on true left join orders o on o.id = shown.id order by o.id desc`
  return { rows: rows.filter(({ id }) => id !== null), total: rows[0]?.total ?? 0 }
}

/** The states in which a customer has orders: one look for each, however many there are. */
export async function statesOf(sql: Query, customerId: string, where: OrderList): Promise<Set<State>> {
  const rows = await sql<{ state: State }>`
    select s.state from unnest(${[...states]}::text[]) as s (state)
    where exists (select 1 from orders o where o.customer_id = ${customerId} and o.state = s.state and ${isShownIn(where)} offset 0)`
  return new Set(rows.map(({ state }) => state))
}

/** What a customer's orders are called, by their IDs; nothing of anybody else's. */
export async function titlesOf(
  sql: Query,
  customerId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (ids.length === 0) return new Map()
  const rows = await sql<{ id: string; title: string }>`
    select id, title from orders where id = any(${ids}::uuid[]) and customer_id = ${customerId}`
  return new Map(rows.map(({ id, title }) => [id, title]))
}

export interface HistoryLine {
  version: number
  action: string
  actor_id: string | null
  from_state: State | null
  to_state: State
  reason: string | null
  created_at: Date
}

/** The most lines that a history shows: the last ones. */
export const longestHistory = 1000

/** What happened to an order, in order of its versions; the last thousand lines where there are more. */
export const history = async (sql: Query, orderId: string): Promise<HistoryLine[]> =>
  (await histories(sql, [orderId]))[0] ?? []

const histories = gathered(async (sql, ids: readonly string[]) => {
  const lines = await sql<HistoryLine & { place: number }>`
    select asked.place::int, line.* from unnest((select ${ids}::uuid[])) with ordinality as asked (order_id, place)
    cross join lateral (
      select version, action, actor_id, from_state, to_state, reason, created_at from order_history h
      where h.order_id = asked.order_id order by version desc limit (select ${longestHistory}::int)
    ) line`
  const found = ids.map((): HistoryLine[] => [])
  for (const { place, ...line } of lines) found[place - 1]?.push(line)
  return found.map((each) => each.sort((a, b) => a.version - b.version))
})
