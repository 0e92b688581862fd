import { mutation } from '../../http/mutation.ts'
import type { Route } from '../../http/route.ts'
import type { Code } from '../../kernel/refuse.ts'
import { order as orderByQuote } from '../catalog/quotes.ts'
import { payablePrice, reprice } from './actions.ts'
import { doors } from './doors.ts'
import {
  actionsOf,
  disputeCaseOf,
  fileCodes,
  isQuoted,
  listOf,
  moveCodes,
  offerInput,
  orderInput,
  orderOf,
  orderParam,
  quoteCodes,
  quoteOf,
  replyOf,
  showReply,
  withQuote,
} from './list-routes.ts'
import { reprice as repriceMove } from './machine.ts'
import * as offers from './offers.ts'
import * as orders from './orders.ts'
import { OrderBody, QuickBody, RepriceBody } from './shapes.ts'
import { updateRoutesOf } from './update-routes.ts'

const door = doors.agents
const Reply = replyOf(door)

const offerCodes: readonly Code[] = ['not_found', 'friendship_required', 'state_conflict', ...fileCodes]

const confirmation =
  'Name the other side as `customer_id` or `contractor_id`; a customer confirms the full price. Nothing is reserved yet.'

const offerOrder = mutation({
  method: 'POST',
  path: '/orders',
  tag: 'orders',
  summary: 'Offer an order to a friend, or order a service with a quote',
  description: `${confirmation} ${withQuote}`,
  gate: 'new',
  exampleWith: ['contractor_id', 'amount_minor', 'confirmed_total_minor'],
  body: OrderBody,
  success: { 201: Reply, 200: Reply },
  refuses: [...offerCodes, ...quoteCodes],
  input: ({ me, body }) => orderInput(me, body),
  validateAt: (now, { deadline }) => void (deadline && offers.requireFuture(now, deadline)),
  act: ({ tx, me, id, input }) =>
    isQuoted(input) ? orderByQuote(tx, me, id, input) : offers.offer(tx, me, { id, source: 'direct', input }),
  reread: ({ tx, me, id }) => orders.find(tx, me.id, id),
  show: showReply,
})

const offerQuickOrder = mutation({
  method: 'POST',
  path: '/orders/quick',
  tag: 'orders',
  summary: 'Offer a quick order: due in 24 hours by default, and its price can be renegotiated',
  description: confirmation,
  gate: 'new',
  exampleWith: ['contractor_id', 'confirmed_total_minor'],
  body: QuickBody,
  success: { 201: Reply, 200: Reply },
  refuses: offerCodes,
  input: ({ me, body }) => offerInput(me, body),
  validateAt: (now, { deadline }) => void (deadline && offers.requireFuture(now, deadline)),
  act: ({ tx, me, id, input }) => offers.offer(tx, me, { id, source: 'quick', input }),
  reread: ({ tx, me, id }) => orders.find(tx, me.id, id),
  show: showReply,
})

const repriceOrder = mutation({
  method: 'POST',
  path: '/orders/{order_id}/reprice',
  tag: 'orders',
  summary: 'Offer a quick order at another price, for the other side to accept',
  description:
    'For either side while it is offered, at most 99 times: the offer is then yours. A customer confirms the full price.',
  gate: repriceMove.gate,
  params: orderParam,
  exampleWith: ['confirmed_total_minor'],
  body: RepriceBody,
  success: { 200: Reply },
  refuses: [...moveCodes, 'friendship_required', 'state_conflict'],
  changes: 'order_id',
  input({ body }) {
    payablePrice(body)
    return body
  },
  act: ({ tx, me, id, input }) => reprice(tx, me, { orderId: id, ask: input }),
  reread: ({ tx, me, id }) => orders.find(tx, me.id, id),
  show: showReply,
})

export const orderRoutes: readonly Route[] = [
  quoteOf(door),
  offerOrder,
  offerQuickOrder,
  listOf(door),
  orderOf(door),
  ...Object.values(actionsOf(door)),
  repriceOrder,
  disputeCaseOf(door),
  ...updateRoutesOf(door),
]
