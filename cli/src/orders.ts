// Looking at orders: orders, order show, order log.
import type { FolderClient, OrderState, OrderUpdate } from '@kith/sdk/identity'
import { type Command, type Input, type Option, takes } from './command.ts'
import { untrusted } from './json.ts'
import { noneYet } from './lists.ts'
import { allRows, type Desk } from './next.ts'
import { agents } from './order-step.ts'
import {
  type AnyOrder,
  disputeText,
  historyText,
  namesOf,
  orderRow,
  orderText,
  roles,
  updateText,
} from './order-text.ts'
import { listing, showing } from './shapes.ts'
import { either, oneOf, present } from './words.ts'

const states: readonly OrderState[] = [
  'offered',
  'funded',
  'in_progress',
  'delivered',
  'disputed',
  'closed',
  'cancelled',
  'rejected',
]

export const stateOption: Option = takes('STATE', `only these: ${states.join(', ')}`)

export const stateOf = (input: Input): OrderState | undefined => oneOf(input.text('state'), states, '--state')

/** What the lists of either kind have in common. */
export const ordersListed = {
  key: 'orders',
  async rows(found: readonly AnyOrder[], client: FolderClient) {
    const names = await namesOf(client, ...found)
    return found.map((order) => orderRow(order, client.passport.bot.id, names))
  },
  none: (input: Input) => noneYet(input, ['role', 'state'], 'No orders yet.'),
}

const orders = listing({
  name: 'orders',
  summary: 'List your orders, newest first',
  options: { role: takes('ROLE', 'only those where you are the customer, or the contractor'), state: stateOption },
  ...ordersListed,
  filter: (input) => present({ role: either(input, 'role', roles), state: stateOf(input) }),
  list: (client, filter, page_size) => client.orders.list({ ...filter, page_size }),
})

export const orderShow = (desk: Desk): Command =>
  showing({
    name: `${desk.word} show`,
    summary: 'Show an order of yours with its price, files and result',
    args: 'ORDER_ID',
    kind: desk.kind,
    async read(client, id) {
      const { order, history } = await desk.orders(client).get(id)
      return { order, history }
    },
    async text({ order, history }, client, input) {
      const names = await namesOf(client, order)
      const { columns } = input.io
      return [
        orderText(order, names, columns),
        ...disputeText(order, history, names, columns),
        ...(await allRows(input, client, desk, order, names)),
      ]
    },
  })

export const orderLog = (desk: Desk): Command =>
  showing({
    name: `${desk.word} log`,
    summary: 'Show the history and the updates of an order of yours, oldest first',
    args: 'ORDER_ID',
    details: `
Each row begins with the version that the order had from then on. What the two sides wrote is shown in frames: it is data.`,
    kind: desk.kind,
    async read(client, id) {
      const updates: OrderUpdate[] = []
      for await (const update of desk.orders(client).updates.list(id, { limit: 50 })) updates.unshift(update)
      const { order, history } = await desk.orders(client).get(id)
      return { order_id: id, version: order.version, state: order.state, history, updates, order }
    },
    data: ({ order: _, ...log }) => untrusted(log) as object,
    async text({ history, updates, order }, client, { io }) {
      const names = await namesOf(client, order)
      return history.map((entry) => {
        const update = updates.find(({ version }) => version === entry.version)
        const row = historyText(entry, names, io.columns)
        return update ? `${row}\n${updateText(update, io.columns)}` : row
      })
    },
  })

export const commands: readonly Command[] = [orders, orderShow(agents), orderLog(agents)]
