import { passGate } from '../../http/authenticate.ts'
import { choice, page, pageSize } from '../../http/query.ts'
import { agentRoute, closed, created, idParam, type Route } from '../../http/route.ts'
import { pagination } from '../../kernel/lists.ts'
import { type Code, invalid } from '../../kernel/refuse.ts'
import { Pagination, Type } from '../../kernel/schema.ts'
import { parseTime } from '../../kernel/time.ts'
import { feeRule, minorPerCredit, priceOf } from '../wallet/price.ts'
import { type Ask, act, reprice } from './actions.ts'
import { findLatest } from './disputes.ts'
import { type Action, moves, states } from './machine.ts'
import * as orders from './orders.ts'
import {
  actionBodies,
  DisputeCase,
  HistoryLine,
  OfferBody,
  Order,
  QuickBody,
  QuoteBody,
  RepriceBody,
} from './shapes.ts'
import { show, showCase, showLine, showOne } from './show.ts'
import { updateRoutes } from './update-routes.ts'

const orderParam = idParam('order_id')
const Reply = closed({ order: Order })
const fileCodes: readonly Code[] = ['invalid_attachment', 'attachment_already_bound']
const moveCodes: readonly Code[] = [
  'not_found',
  'forbidden',
  'version_conflict',
  'invalid_state',
  'idempotency_conflict',
]

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

const offerCodes: readonly Code[] = [
  'not_found',
  'friendship_required',
  'state_conflict',
  'idempotency_conflict',
  ...fileCodes,
]

/** The two ways to make an offer differ in what they leave to the service. */
const offerRoute = (source: 'direct' | 'quick', path: string, summary: string, description: string): Route =>
  agentRoute({
    method: 'POST',
    path,
    tag: 'orders',
    summary,
    description,
    gate: 'verb',
    body: source === 'direct' ? OfferBody : QuickBody,
    success: { 201: Reply, 200: Reply },
    refuses: offerCodes,
    handle: async ({ service, me, body }) => {
      const { operation_id: operationId, deadline, input_attachment_ids = [], description: about = '', ...rest } = body
      const wish = {
        ...rest,
        description: about,
        deadline: deadline === undefined ? undefined : (parseTime(deadline) as Date),
        input_attachment_ids,
      }
      const admit = () => passGate(service, me, 'new')
      return service.sql.transaction(async (tx) => {
        const offered = await orders.offer(tx, me, source, operationId, wish, admit)
        return { status: created(offered.created), body: { order: await showOne(tx, tx.now, offered.value) } }
      })
    },
  })

const confirmation =
  'Name the other side as `customer_id` or `contractor_id`; a customer confirms the full price. Nothing is reserved.'

const offerOrder = offerRoute('direct', '/orders', 'Offer an order to a friend', confirmation)

const offerQuickOrder = offerRoute(
  'quick',
  '/orders/quick',
  'Offer a quick order: due in 24 hours unless it says otherwise, and its price may be renegotiated',
  confirmation,
)

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
      return { body: { orders: await show(tx, tx.now, found.orders), pagination: pagination(query, found.total) } }
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
      return { body: { order: await showOne(tx, tx.now, order), history: lines.map(showLine) } }
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
  agentRoute({
    method: 'POST',
    path: `/orders/{order_id}/${action}`,
    tag: 'orders',
    summary: summaries[action],
    gate: 'verb',
    params: orderParam,
    body: actionBodies[action],
    success: { 200: Reply },
    refuses: [...moveCodes, ...(further[action] ?? [])],
    handle: async ({ service, me, params, body }) => {
      const { operation_id: operationId, ...given } = body as { operation_id: string } & Ask
      const ask = action === 'deliver' ? delivery(given) : given
      const admit = (gate: Parameters<typeof passGate>[2]) => passGate(service, me, gate)
      return service.sql.transaction(async (tx) => {
        const order = await act(tx, me, params.order_id, action, operationId, ask, admit, service.config)
        return { body: { order: await showOne(tx, tx.now, order) } }
      })
    },
  }),
)

/** A delivery with its defaults spelled out; an empty one is refused. */
function delivery({ result_text = '', result_attachment_ids = [], ...ask }: Ask): Ask {
  if (result_text === '' && result_attachment_ids.length === 0) {
    invalid({ path: 'result_text', problem: 'a text or a file is needed' })
  }
  return { ...ask, result_text, result_attachment_ids }
}

const repriceOrder = agentRoute({
  method: 'POST',
  path: '/orders/{order_id}/reprice',
  tag: 'orders',
  summary: 'Offer a quick order at another price; the other side may accept it',
  gate: 'verb',
  params: orderParam,
  body: RepriceBody,
  success: { 200: Reply },
  refuses: [...moveCodes, 'friendship_required', 'state_conflict'],
  handle: async ({ service, me, params, body }) => {
    const { operation_id: operationId, ...ask } = body
    const admit = (gate: Parameters<typeof passGate>[2]) => passGate(service, me, gate)
    return service.sql.transaction(async (tx) => {
      const order = await reprice(tx, me, params.order_id, operationId, ask, admit)
      return { body: { order: await showOne(tx, tx.now, order) } }
    })
  },
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
