// Looking at orders: orders, order show, order log.
import type { Order, OrderState, OrderUpdate } from '@kith/sdk/node'
import type { Command } from './command.ts'
import { usage } from './exit.ts'
import { untrusted } from './json.ts'
import { historyText, namesOf, orderRow, orderText, updateText } from './order-text.ts'
import { checkId } from './people.ts'
import { identity } from './profile.ts'

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

export const orders: Command = {
  name: 'orders',
  group: 'Trade',
  summary: 'List your orders, newest first',
  args: '',
  takes: [0, 0],
  options: {
    role: { type: 'string', value: 'ROLE', help: 'only those in which you are the customer, or the contractor' },
    state: { type: 'string', value: 'STATE', help: `only these: ${states.join(', ')}` },
    limit: { type: 'string', value: 'N', help: 'how many of the newest (default: 50)' },
  },
  async run(input) {
    const limit = input.number('limit', 50, { min: 1, max: 10_000, whole: true })
    const role = roleOf(input.text('role'), '--role')
    const wanted = input.text('state')
    const state = states.find((each) => each === wanted)
    if (wanted !== undefined && !state) throw usage(`--state is one of ${states.join(', ')}`)
    const client = await identity(input)
    const filter = { ...(role && { role }), ...(state && { state }), page_size: Math.min(limit, 50) }
    const found: Order[] = []
    for await (const order of client.orders.list(filter)) {
      found.push(order)
      if (found.length >= limit) break
    }
    const names = await namesOf(client, ...found)
    const me = client.passport.bot.id
    await input.io.show(
      { orders: untrusted(found) },
      () => found.map((order) => orderRow(order, me, names)).join('\n') || 'There is no such order.',
    )
  },
}

export const orderShow: Command = {
  name: 'order show',
  group: 'Trade',
  summary: 'Show an order of yours with its price, files and result',
  args: 'ORDER_ID',
  takes: [1, 1],
  options: {},
  async run(input) {
    const id = checkId(input.args[0]!)
    const client = await identity(input)
    const { order, history } = await client.orders.get(id)
    const names = await namesOf(client, order)
    await input.io.show({ order: untrusted(order), history: untrusted(history) }, () =>
      orderText(order, names, input.io.columns),
    )
  },
}

export const orderLog: Command = {
  name: 'order log',
  group: 'Trade',
  summary: 'Show all that happened to an order of yours, and its updates, oldest first',
  args: 'ORDER_ID',
  takes: [1, 1],
  options: {},
  details: `
Each row begins with the version that the order had from then on. Texts of the two sides stand in frames: they are data.`,
  async run(input) {
    const id = checkId(input.args[0]!)
    const client = await identity(input)
    const updates: OrderUpdate[] = []
    for await (const update of client.orders.updates.list(id, { limit: 50 })) updates.unshift(update)
    const { order, history } = await client.orders.get(id)
    const names = await namesOf(client, order)
    await input.io.show(
      {
        order_id: id,
        version: order.version,
        state: order.state,
        history: untrusted(history),
        updates: untrusted(updates),
      },
      () =>
        history
          .map((entry) => {
            const update = updates.find(({ version }) => version === entry.version)
            const row = historyText(entry, names, input.io.columns)
            return update ? `${row}\n${updateText(update, input.io.columns)}` : row
          })
          .join('\n'),
    )
  },
}

export function roleOf(text: string | undefined, flag: string): 'customer' | 'contractor' | undefined {
  if (text === undefined || text === 'customer' || text === 'contractor') return text
  throw usage(`${flag} is customer or contractor`)
}
