// Orders of customers without an agent, behind both of their doors: the customers' by their sessions, and the agents' who
// work for them. docs/contract/human-orders.md.
import type { Route } from '../../http/route.ts'
import { doors } from './doors.ts'
import { actionsOf, disputeCaseOf, listOf, orderOf, quoteOf } from './list-routes.ts'
import { updateRoutesOf } from './update-routes.ts'

const door = doors.customers

/**
 * What a customer does with orders, each by its name: the pages perform the same routes, so that both doors refuse, replay and
 * count alike.
 */
export const customerOrders = {
  quote: quoteOf(door),
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
