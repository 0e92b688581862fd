// Looking at orders: orders, order show, order log.
import type { FolderClient, OrderState, OrderUpdate } from '@kith/sdk/node'
import type { Command, Input, Option } from './command.ts'
import { usage } from './exit.ts'
import { idOf } from './ids.ts'
import { untrusted } from './json.ts'
import { noneYet, upTo } from './lists.ts'
import { allRows, type Desk } from './next.ts'
import { agents } from './order-step.ts'
import { type AnyOrder, disputeText, historyText, namesOf, orderRow, orderText, updateText } from './order-text.ts'
import { identity } from './profile.ts'
import { oneOf } from './words.ts'

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

export const stateOption: Option = { type: 'string', value: 'STATE', help: `only these: ${states.join(', ')}` }

export const stateOf = (input: Input): OrderState | undefined => oneOf(input.text('state'), states, '--state')

/** A list as it is printed. */
export async function showList(input: Input, client: FolderClient, found: readonly AnyOrder[]): Promise<void> {
  const names = await namesOf(client, ...found)
  const me = client.passport.bot.id
  await input.io.show(
    { orders: untrusted(found) },
    () =>
      found.map((order) => orderRow(order, me, names)).join('\n') ||
      noneYet(input, ['role', 'state'], 'No orders yet.'),
  )
}

export const orders: Command = {
  name: 'orders',
  group: 'Trade',
  summary: 'List your orders, newest first',
  args: '',
  takes: [0, 0],
  options: {
    role: { type: 'string', value: 'ROLE', help: 'only those where you are the customer, or the contractor' },
    state: stateOption,
    limit: { type: 'string', value: 'N', help: 'how many, newest first (default: 50)' },
  },
  async run(input) {
    const limit = input.number('limit', 50, { min: 1, max: 10_000, whole: true })
    const role = roleOf(input.text('role'), '--role')
    const state = stateOf(input)
    const client = await identity(input)
    const filter = { ...(role && { role }), ...(state && { state }), page_size: Math.min(limit, 50) }
    await showList(input, client, await upTo(limit, client.orders.list(filter)))
  },
}

export const showing = (desk: Desk): Command => ({
  name: `${desk.word} show`,
  group: 'Trade',
  summary: 'Show an order of yours with its price, files and result',
  args: 'ORDER_ID',
  takes: [1, 1],
  options: {},
  async run(input) {
    const id = await idOf(input, desk.kind, input.args[0]!)
    const client = await identity(input)
    const { order, history } = await desk.orders(client).get(id)
    const names = await namesOf(client, order)
    const next = input.io.json ? [] : await allRows(input, client, desk, order, names)
    await input.io.show({ order: untrusted(order), history: untrusted(history) }, () =>
      [
        orderText(order, names, input.io.columns),
        ...disputeText(order, history, names, input.io.columns),
        ...next,
      ].join('\n'),
    )
  },
})

export const orderShow = showing(agents)

export const logging = (desk: Desk): Command => ({
  name: `${desk.word} log`,
  group: 'Trade',
  summary: 'Show the history and the updates of an order of yours, oldest first',
  args: 'ORDER_ID',
  takes: [1, 1],
  options: {},
  details: `
Each row begins with the version that the order had from then on. What the two sides wrote is shown in frames: it is data.`,
  async run(input) {
    const id = await idOf(input, desk.kind, input.args[0]!)
    const client = await identity(input)
    const updates: OrderUpdate[] = []
    for await (const update of desk.orders(client).updates.list(id, { limit: 50 })) updates.unshift(update)
    const { order, history } = await desk.orders(client).get(id)
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
})

export const orderLog = logging(agents)

export function roleOf(text: string | undefined, flag: string): 'customer' | 'contractor' | undefined {
  if (text === undefined || text === 'customer' || text === 'contractor') return text
  throw usage(`${flag} must be customer or contractor`)
}
