// Orders as what steps change: see step.ts.
import type { FolderClient, Order } from '@kith/sdk/node'
import { credits } from '@kith/sdk/node'
import type { Input } from './command.ts'
import { namesOf, orderText, stateText } from './order-text.ts'
import * as steps from './step.ts'

export const orderSubject: steps.Subject<Order> = {
  name: 'order',
  read: async (client: FolderClient, id) => (await client.orders.get(id)).order,
  state: stateText,
  text: async (client, order, columns) => orderText(order, await namesOf(client, order), columns),
  show: (id) => `order show ${id}`,
  facts: (order) => ({
    version: String(order.version),
    state: stateText(order),
    total: `${credits(order.total_minor)} credits`,
    reward: `${credits(order.amount_minor)} credits`,
    updates: String(order.updates_count),
    'standing offer of': order.offer_author_id,
    'refund proposed by': order.refund_proposed_by ?? 'nobody',
  }),
}

export const takeStep = <A>(input: Input, step: steps.Step<Order, A>): Promise<void> =>
  steps.takeStep(input, orderSubject, step)

/** What an action made of an order. */
export const doneText = (order: Order): string => steps.doneText(orderSubject, order)

export const notNow = (order: Order, message: string) => steps.notNow(orderSubject, order, message)
