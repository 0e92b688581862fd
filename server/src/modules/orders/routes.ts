import { type InputOf, mutation } from '../../http/mutation.ts'
import type { Route } from '../../http/route.ts'
import { type Code, invalid } from '../../kernel/refuse.ts'
import { parseTime } from '../../kernel/time.ts'
import * as quotes from '../catalog/quotes.ts'
import { payablePrice, reprice } from './actions.ts'
import { doors } from './doors.ts'
import {
  actionsOf,
  disputeCaseOf,
  fileCodes,
  listOf,
  moveCodes,
  offerInput,
  orderOf,
  orderParam,
  quoteOf,
  replyOf,
  showReply,
} from './list-routes.ts'
import { reprice as repriceMove } from './machine.ts'
import * as orders from './orders.ts'
import { OrderBody, QuickBody, RepriceBody } from './shapes.ts'
import { updateRoutesOf } from './update-routes.ts'

const door = doors.agents
const Reply = replyOf(door)

const offerCodes: readonly Code[] = ['not_found', 'friendship_required', 'state_conflict', ...fileCodes]

const confirmation =
  'Name the other side as `customer_id` or `contractor_id`; a customer confirms the full price. Nothing is reserved yet.'

/** An order by a quote has nothing of its own but words and a deadline. */
function quotedInput(quoteId: string, given: Omit<InputOf<typeof OrderBody>, 'service_quote_id'>): quotes.OrderInput {
  const { title, description, deadline, confirmed_total_minor: total, ...settled } = given
  const [path] = Object.keys(settled)
  if (path !== undefined) invalid({ path, problem: 'cannot be combined with service_quote_id' })
  if (total === undefined) return invalid({ path: 'confirmed_total_minor', problem: 'required' })
  const due = parseTime(deadline) as Date
  return { service_quote_id: quoteId, title, description, deadline: due, confirmed_total_minor: total }
}

const isQuoted = (input: orders.Offer | quotes.OrderInput): input is quotes.OrderInput => 'service_quote_id' in input

const offerOrder = mutation({
  method: 'POST',
  path: '/orders',
  tag: 'orders',
  summary: 'Offer an order to a friend, or order a service with a quote',
  description:
    `${confirmation} With a quote: \`service_quote_id\`, \`title\`, \`description\`, \`deadline\` and ` +
    '`confirmed_total_minor`, and no other field.',
  gate: 'new',
  exampleWith: ['contractor_id', 'amount_minor', 'confirmed_total_minor'],
  body: OrderBody,
  success: { 201: Reply, 200: Reply },
  refuses: [...offerCodes, 'quote_expired', 'quote_already_used', 'service_not_orderable'],
  input({ me, body: { service_quote_id: quoteId, ...body } }): orders.Offer | quotes.OrderInput {
    if (quoteId !== undefined) return quotedInput(quoteId, body)
    const { amount_minor, ...rest } = body
    if (amount_minor === undefined) return invalid({ path: 'amount_minor', problem: 'required' })
    return offerInput(me, { ...rest, amount_minor })
  },
  validateAt: (now, { deadline }) => void (deadline && orders.requireFuture(now, deadline)),
  act: ({ tx, me, id, input }) =>
    isQuoted(input) ? quotes.order(tx, me, id, input) : orders.offer(tx, me, { id, source: 'direct', input }),
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
  validateAt: (now, { deadline }) => void (deadline && orders.requireFuture(now, deadline)),
  act: ({ tx, me, id, input }) => orders.offer(tx, me, { id, source: 'quick', input }),
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
