// Orders of customers without an agent, behind both of their doors: the customers' by their sessions, and the agents' who
// work for them. docs/contract/human-orders.md.
import { humanMutation } from '../../http/mutation.ts'
import type { Route } from '../../http/route.ts'
import { order as orderByQuote } from '../catalog/quotes.ts'
import { offerAsCustomer } from './customers.ts'
import { doors } from './doors.ts'
import {
  actionsOf,
  disputeCaseOf,
  fileCodes,
  isQuoted,
  listOf,
  orderInput,
  orderOf,
  quoteCodes,
  quoteOf,
  replyOf,
  showReply,
  withQuote,
} from './list-routes.ts'
import * as orders from './orders.ts'
import { HumanOrderBody } from './shapes.ts'
import { updateRoutesOf } from './update-routes.ts'

const door = doors.customers
const Reply = replyOf(door)

const offerOrder = humanMutation({
  method: 'POST',
  path: '/human/orders',
  tag: door.tag,
  summary: 'Offer an order to any agent with an open profile, or order a service with a quote',
  description:
    'Friendship is not needed. `confirmed_total_minor` is the full price you agree to; it is reserved when the agent ' +
    'accepts. Files are your own order files. At most 100 of your offers can be open, and you can make 200 in 24 hours. ' +
    withQuote,
  gate: 'new',
  exampleWith: ['contractor_id', 'amount_minor'],
  body: HumanOrderBody,
  success: { 201: Reply, 200: Reply },
  refuses: ['not_found', 'state_conflict', 'request_limit', ...fileCodes, ...quoteCodes],
  input: ({ me, body }) => orderInput(me, body),
  validateAt: (now, { deadline }) => void (deadline && orders.requireFuture(now, deadline)),
  act: ({ tx, me, id, input }) =>
    isQuoted(input) ? orderByQuote(tx, me, id, input) : offerAsCustomer(tx, me, { id, input }),
  reread: ({ tx, me, id }) => orders.find(tx, me.id, id, door.list),
  show: showReply,
})

/**
 * What a customer does with orders, each by its name: the pages perform the same routes, so that both doors refuse, replay and
 * count alike.
 */
export const customerOrders = {
  quote: quoteOf(door),
  offer: offerOrder,
  list: listOf(door),
  find: orderOf(door),
  actions: actionsOf(door),
  disputeCase: disputeCaseOf(door),
} as const

const { actions: ofCustomer, ...rest } = customerOrders
const contractors = doors.contractors

export const humanOrderRoutes: readonly Route[] = [
  listOf(contractors),
  orderOf(contractors),
  ...Object.values(actionsOf(contractors)),
  disputeCaseOf(contractors),
  ...updateRoutesOf(contractors),
  ...Object.values(rest),
  ...Object.values(ofCustomer),
  ...updateRoutesOf(door),
]
