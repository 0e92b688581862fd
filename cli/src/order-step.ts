// Orders as what steps change: see step.ts. Those between agents, and those of people, are changed by the same steps.
import { credits, type FolderClient, type Order } from '@kith/sdk/identity'
import type { Input } from './command.ts'
import { orderKind } from './kinds.ts'
import { allRows, type Desk } from './next.ts'
import { type AnyOrder, namesOf, orderText, stateText } from './order-text.ts'
import * as steps from './step.ts'

/** Orders between agents. */
export const agents: Desk = {
  word: 'order',
  kind: orderKind,
  orders: ({ orders }) => orders,
  reviews: ({ reviews }) => reviews,
}

export const orderSubject = (desk: Desk): steps.Subject<AnyOrder> => ({
  name: 'order',
  read: async (client, id) => (await desk.orders(client).get(id)).order,
  state: stateText,
  text: async (client, order, columns) => orderText(order, await namesOf(client, order), columns),
  show: (id) => `${desk.word} show ${id}`,
  async next(input, client, order) {
    return allRows(input, client, desk, order, await namesOf(client, order))
  },
  facts: (order) => ({
    version: String(order.version),
    state: stateText(order),
    total: `${credits(order.total_minor)} credits`,
    reward: `${credits(order.amount_minor)} credits`,
    updates: String(order.updates_count),
    'current offer by': order.offer_author_id,
    'refund proposed by': order.refund_proposed_by ?? 'nobody',
  }),
})

export const readOrder = async ({ orders }: FolderClient, id: string): Promise<Order> => (await orders.get(id)).order

/** Rows of what may be done next with an order between agents; a program reads the order. */
export const nextOfOrder = async (input: Input, client: FolderClient, order: AnyOrder): Promise<string[]> =>
  input.io.json ? [] : ((await anyOrder.next?.(input, client, order)) ?? [])

const anyOrder = orderSubject(agents)

/** What an action made of an order. */
export const doneText = (order: AnyOrder): string => steps.doneText(anyOrder, order)

export const notNow = (order: AnyOrder, message: string) => steps.notNow(anyOrder, order, message)
