import { mutation, type WishOf } from '../../http/mutation.ts'
import { choice, page, pageSize } from '../../http/query.ts'
import { agentRoute, idParam, type Route } from '../../http/route.ts'
import type { Party } from '../../kernel/callers.ts'
import { pagination } from '../../kernel/lists.ts'
import { type Code, invalid } from '../../kernel/refuse.ts'
import { closed, Pagination, Type } from '../../kernel/schema.ts'
import { parseTime } from '../../kernel/time.ts'
import type { Tx } from '../../store/sql.ts'
import * as quotes from '../catalog/quotes.ts'
import { feeRule, minorPerCredit, priceOf } from '../wallet/price.ts'
import { type Ask, act, payablePrice, reprice } from './actions.ts'
import { findLatest } from './disputes.ts'
import { type Action, moves, reprice as repriceMove, states } from './machine.ts'
import * as orders from './orders.ts'
import {
  actionBodies,
  DisputeCase,
  HistoryLine,
  Order,
  OrderBody,
  QuickBody,
  QuoteBody,
  RepriceBody,
} from './shapes.ts'
import { show, showCase, showLine, showOne } from './show.ts'
import { updateRoutes } from './update-routes.ts'

const orderParam = idParam('order_id')
const Reply = closed({ order: Order })
const reply = async (tx: Tx, order: orders.Order, { me }: { me: Party }) => ({
  order: await showOne(tx, me.id, tx.now, order),
})
const fileCodes: readonly Code[] = ['invalid_attachment', 'attachment_already_bound']
const moveCodes: readonly Code[] = ['not_found', 'forbidden', 'version_conflict', 'invalid_state']

const quoteOrder = agentRoute({
  method: 'POST',
  path: '/orders/quote',
  tag: 'orders',
  summary: 'What an order would cost: the reward, the fee on top and the full price',
  gate: 'reading',
  body: QuoteBody,
  success: {
    200: closed({
      quote: closed({
        amount_minor: Type.Integer(),
        fee_bps: Type.Integer(),
        fee_minor: Type.Integer(),
        total_minor: Type.Integer(),
        minor_per_credit: Type.Literal(minorPerCredit),
        fee_rule: Type.Literal(feeRule),
      }),
    }),
  },
  handle: async ({ body }) => {
    const price = priceOf(body.amount_minor)
    orders.requirePayable(price.total_minor)
    return { body: { quote: { ...price, minor_per_credit: minorPerCredit, fee_rule: feeRule } } }
  },
})

const offerCodes: readonly Code[] = ['not_found', 'friendship_required', 'state_conflict', ...fileCodes]

const confirmation =
  'Name the other side as `customer_id` or `contractor_id`; a customer confirms the full price. Nothing is reserved.'

/** An offer with its defaults spelled out; refuses `invalid_input` for terms that cannot be. */
function offerWish(
  me: Party,
  { deadline, input_attachment_ids = [], description = '', ...rest }: OfferGiven,
): orders.Offer {
  const wish = {
    ...rest,
    description,
    deadline: deadline === undefined ? undefined : (parseTime(deadline) as Date),
    input_attachment_ids,
  }
  orders.termsOf(me, wish)
  return wish
}

type OfferGiven = WishOf<typeof QuickBody>

/** An order by a quote has nothing of its own but words and a deadline. */
function quotedWish(quoteId: string, given: Omit<WishOf<typeof OrderBody>, 'service_quote_id'>): quotes.OrderWish {
  const { title, description, deadline, confirmed_total_minor: total, ...settled } = given
  const [path] = Object.keys(settled)
  if (path !== undefined) invalid({ path, problem: 'not with service_quote_id' })
  if (total === undefined) return invalid({ path: 'confirmed_total_minor', problem: 'required' })
  const due = parseTime(deadline) as Date
  return { service_quote_id: quoteId, title, description, deadline: due, confirmed_total_minor: total }
}

const isQuoted = (wish: orders.Offer | quotes.OrderWish): wish is quotes.OrderWish => 'service_quote_id' in wish

const offerOrder = mutation({
  method: 'POST',
  path: '/orders',
  tag: 'orders',
  summary: 'Offer an order to a friend, or order by a quote of a service',
  description:
    `${confirmation} By a quote: \`service_quote_id\`, \`title\`, \`description\`, \`deadline\` and ` +
    '`confirmed_total_minor`, and no other field.',
  gate: 'new',
  body: OrderBody,
  success: { 201: Reply, 200: Reply },
  refuses: [...offerCodes, 'quote_expired', 'quote_already_used', 'service_not_orderable'],
  wish({ me, body: { service_quote_id: quoteId, ...body } }): orders.Offer | quotes.OrderWish {
    if (quoteId !== undefined) return quotedWish(quoteId, body)
    const { amount_minor, ...rest } = body
    if (amount_minor === undefined) return invalid({ path: 'amount_minor', problem: 'required' })
    return offerWish(me, { ...rest, amount_minor })
  },
  timely: (now, { deadline }) => void (deadline && orders.requireFuture(now, deadline)),
  act: ({ tx, me, id, wish }) =>
    isQuoted(wish) ? quotes.order(tx, me, id, wish) : orders.offer(tx, me, { id, source: 'direct', wish }),
  reread: ({ tx, me, id }) => orders.find(tx, me.id, id),
  show: reply,
})

const offerQuickOrder = mutation({
  method: 'POST',
  path: '/orders/quick',
  tag: 'orders',
  summary: 'Offer a quick order: due in 24 hours unless it says otherwise, and its price may be renegotiated',
  description: confirmation,
  gate: 'new',
  body: QuickBody,
  success: { 201: Reply, 200: Reply },
  refuses: offerCodes,
  wish: ({ me, body }) => offerWish(me, body),
  timely: (now, { deadline }) => void (deadline && orders.requireFuture(now, deadline)),
  act: ({ tx, me, id, wish }) => orders.offer(tx, me, { id, source: 'quick', wish }),
  reread: ({ tx, me, id }) => orders.find(tx, me.id, id),
  show: reply,
})

const listOrders = agentRoute({
  method: 'GET',
  path: '/orders',
  tag: 'orders',
  summary: 'Your own orders, newest first',
  gate: 'own',
  query: {
    role: choice(orders.roles),
    state: choice(states),
    page: page(1000),
    page_size: pageSize,
  },
  success: { 200: closed({ orders: Type.Array(Order), pagination: Pagination }) },
  handle: ({ service, me, query }) =>
    service.sql.snapshot(async (tx) => {
      const found = await orders.list(tx, me.id, query)
      return {
        body: { orders: await show(tx, me.id, tx.now, found.orders), pagination: pagination(query, found.total) },
      }
    }),
})

const getOrder = agentRoute({
  method: 'GET',
  path: '/orders/{order_id}',
  tag: 'orders',
  summary: 'Your order and its history',
  gate: 'own',
  params: orderParam,
  success: { 200: closed({ order: Order, history: Type.Array(HistoryLine) }) },
  refuses: ['not_found'],
  handle: ({ service, me, params }) =>
    service.sql.snapshot(async (tx) => {
      const order = await orders.find(tx, me.id, params.order_id)
      const lines = await orders.history(tx, order.id)
      return { body: { order: await showOne(tx, me.id, tx.now, order), history: lines.map(showLine) } }
    }),
})

const summaries: Record<Action, string> = {
  accept: 'Accept an offer; the full price is reserved from the customer',
  reject: 'Reject an offer',
  cancel: 'Take your offer back',
  start: 'Start the work',
  deliver: 'Deliver the work: a text, files, or both; once',
  complete: 'Accept the work: the contractor is paid',
  dispute: 'Dispute an order; the reserve stays',
  'propose-refund': 'Propose to return the full price; the order is disputed at once',
  'approve-refund': 'Agree to the proposed refund: the full price goes back to the customer',
  'escalate-dispute': 'Ask support to decide a dispute',
}

const further: Partial<Record<Action, readonly Code[]>> = {
  accept: ['friendship_required', 'state_conflict', 'insufficient_funds'],
  deliver: fileCodes,
  complete: ['state_conflict'],
  'approve-refund': ['state_conflict'],
}

const actionRoutes = (Object.keys(moves) as Action[]).map((action) =>
  mutation({
    method: 'POST',
    path: `/orders/{order_id}/${action}`,
    tag: 'orders',
    summary: summaries[action],
    gate: moves[action].gate,
    params: orderParam,
    body: actionBodies[action],
    success: { 200: Reply },
    refuses: [...moveCodes, ...(further[action] ?? [])],
    changes: 'order_id',
    wish: ({ body }) => (action === 'deliver' ? delivery(body as Ask) : (body as Ask)),
    act: ({ tx, service, me, id, wish }) => act(tx, me, action, { orderId: id, ask: wish, terms: service.config }),
    reread: ({ tx, me, id }) => orders.find(tx, me.id, id),
    show: reply,
  }),
)

/** A delivery with its defaults spelled out; an empty one is refused. */
function delivery({ result_text = '', result_attachment_ids = [], ...ask }: Ask): Ask {
  if (result_text === '' && result_attachment_ids.length === 0) {
    invalid({ path: 'result_text', problem: 'a text or a file is needed' })
  }
  return { ...ask, result_text, result_attachment_ids }
}

const repriceOrder = mutation({
  method: 'POST',
  path: '/orders/{order_id}/reprice',
  tag: 'orders',
  summary: 'Offer a quick order at another price; the other side may accept it',
  gate: repriceMove.gate,
  params: orderParam,
  body: RepriceBody,
  success: { 200: Reply },
  refuses: [...moveCodes, 'friendship_required', 'state_conflict'],
  changes: 'order_id',
  wish({ body }) {
    payablePrice(body)
    return body
  },
  act: ({ tx, me, id, wish }) => reprice(tx, me, { orderId: id, ask: wish }),
  reread: ({ tx, me, id }) => orders.find(tx, me.id, id),
  show: reply,
})

const getDisputeCase = agentRoute({
  method: 'GET',
  path: '/orders/{order_id}/dispute-case',
  tag: 'orders',
  summary: 'The latest dispute of your order',
  gate: 'own',
  params: orderParam,
  success: { 200: closed({ dispute_case: DisputeCase }) },
  refuses: ['not_found'],
  handle: async ({ service, me, params }) => {
    await orders.find(service.sql, me.id, params.order_id)
    return { body: { dispute_case: showCase(await findLatest(service.sql, params.order_id)) } }
  },
})

export const orderRoutes: readonly Route[] = [
  quoteOrder,
  offerOrder,
  offerQuickOrder,
  listOrders,
  getOrder,
  ...actionRoutes,
  repriceOrder,
  getDisputeCase,
  ...updateRoutes,
]
