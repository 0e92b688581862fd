// Preparing what spends: read what it would cost and whether it is allowed now, and save it. The server learns nothing of it.
import { randomUUID } from 'node:crypto'
import {
  checkForm,
  credits,
  type FolderClient,
  formFiles,
  KithError,
  type Order,
  type Service,
} from '@kith/sdk/identity'
import { findOther } from '../lookup.ts'
import { dueIn } from '../order-from.ts'
import { readLimits } from './limits.ts'
import { refuse } from './refusal.ts'
import { invalid } from './schema.ts'
import { beyond, type Intent, lifetimeMs, spentMinor, sweep, writeIntent } from './spending.ts'
import { type AnyOrder, by } from './views.ts'

type Asked = Pick<Prepare, 'files' | 'parameters'>

export interface Prepare {
  action: 'order' | 'service_order' | 'purchase' | 'accept' | 'complete' | 'select_bid'
  to?: string
  title?: string
  description?: string
  deadline?: string
  amount_minor?: number
  files?: string[]
  service_id?: string
  quantity?: number
  parameters?: Record<string, never>
  order_id?: string
  task_id?: string
  bid_id?: string
}

/** What an action is to do, and why the server would refuse it now. */
type Draft = Pick<Intent, 'says' | 'total_minor' | 'route' | 'path' | 'body' | 'quote'> & {
  counts_minor?: number
  obstacle?: string | undefined
}

export async function prepareIntent(client: FolderClient, ask: Prepare) {
  const { folder } = client
  await sweep(client)
  const { obstacle, ...draft } = await drafts[ask.action](client, ask)
  const now = Date.now()
  const intent: Intent = {
    id: randomUUID(),
    action: ask.action,
    ...draft,
    counts_minor: draft.counts_minor ?? draft.total_minor,
    created_at: new Date(now).toISOString(),
    expires_at: new Date(now + lifetimeMs).toISOString(),
  }
  await writeIntent(folder, intent)
  const limit = beyond(await readLimits(folder), await spentMinor(folder), intent)
  const why = limit === undefined ? (obstacle ?? (await lackOf(client, intent))) : `spending_limit: ${limit}`
  return { intent, why }
}

/** What is reserved already has to be there no more. */
async function lackOf(client: FolderClient, { counts_minor }: Intent): Promise<string | undefined> {
  if (counts_minor === 0) return undefined
  const { available_minor } = await client.wallet.get()
  return available_minor < counts_minor
    ? `insufficient_funds: ${credits(available_minor)} credits are available`
    : undefined
}

const drafts: Record<Prepare['action'], (client: FolderClient, ask: Prepare) => Promise<Draft>> = {
  async order(client, ask) {
    const { to, title, description, deadline, amount_minor } = need(
      ask,
      'to',
      'title',
      'description',
      'deadline',
      'amount_minor',
    )
    const agent = await findOther(client, to)
    if (agent.id === client.passport.bot.id) invalid('to', 'is yourself')
    const { total_minor, fee_minor } = await client.orders.quote(amount_minor)
    const said = { title, description, deadline, amount_minor, ...filesOf(ask) }
    return {
      says: `Order work from @${agent.handle} for ${price(total_minor)}: ${credits(amount_minor)} reward and ${credits(fee_minor)} fee, due ${deadline}. They are reserved when it accepts.`,
      total_minor,
      route: 'POST /orders',
      body: { ...said, contractor_id: agent.id, confirmed_total_minor: total_minor },
      obstacle: (await strangerTo(client, agent.id)) ?? late(deadline, await client.now()),
    }
  },
  async service_order(client, ask) {
    const { service_id } = need(ask, 'service_id')
    const { quantity = 1, parameters = {} } = ask
    const service = await client.services.get(service_id)
    if (service.ready)
      return refuse('price_mode_mismatch', 'this is a ready-made work', 'prepare {"action":"purchase",…} buys it.')
    if (service.price.mode === 'from')
      return refuse(
        'price_mode_mismatch',
        'its price depends on the case',
        'requests {"action":"create",…} asks for an offer.',
      )
    const files = filesWith(service, ask)
    checkForm(service.input_schema, parameters, files)
    const { total_minor, fee_minor } = await client.orders.quote(service.price.amount_minor * quantity)
    const {
      title = service.title,
      description = service.input_schema.fields.length > 0
        ? 'As answered in the form.'
        : 'As described in the service.',
      deadline = dueIn(await client.now(), service.estimated_duration_seconds ?? 0),
    } = ask
    const asked = { quantity, parameters, ...filesOf({ files }) }
    return {
      says: `Order ${quantity} of service ${service.id} from @${service.provider.handle} for ${price(total_minor)}, ${credits(fee_minor)} of it the fee, due ${deadline}. They are reserved when it accepts.`,
      total_minor,
      route: 'POST /orders',
      body: { title, description, deadline },
      quote: { service_id, body: { expected_version: service.version, ...asked } },
      obstacle: service.can_order
        ? ((await strangerTo(client, service.provider.id)) ?? late(deadline, await client.now()))
        : 'service_unavailable: it cannot be ordered now',
    }
  },
  async purchase(client, ask) {
    const { service_id } = need(ask, 'service_id')
    const service = await client.services.get(service_id)
    const { ready } = service
    if (!ready)
      return refuse(
        'price_mode_mismatch',
        'this is no ready-made work',
        'prepare {"action":"service_order",…} orders it.',
      )
    const { total_minor } = service.price
    return {
      says: `Buy the ready-made work ${service.id} of @${service.provider.handle} for ${price(total_minor)}.`,
      total_minor,
      route: 'POST /services/{service_id}/ready/purchase',
      path: { service_id },
      body: {
        expected_version: service.version,
        expected_digest: ready.digest,
        confirmed_total_minor: total_minor,
        license_code: ready.license_code,
      },
      obstacle: service.can_order ? undefined : 'service_unavailable: it cannot be bought now',
    }
  },
  async accept(client, ask) {
    const { order, list } = await orderOf(client, need(ask, 'order_id').order_id)
    const isMine = order.role === 'contractor'
    const total = order.total_minor
    const other = isMine ? by(order.customer as { handle?: string }) : by(order.contractor)
    return {
      says: isMine
        ? `Accept the work on order ${order.id} of ${other}, who pays ${price(total)} for it; ${credits(order.amount_minor)} are yours when it is completed.`
        : `Accept the offer of ${other} in order ${order.id}: ${price(total)} are reserved.`,
      total_minor: isMine ? 0 : total,
      route: `POST /${list}/{order_id}/accept`,
      path: { order_id: order.id },
      body: { expected_version: order.version, confirmed_total_minor: total },
      obstacle: cannot(order, 'accept'),
    }
  },
  async complete(client, ask) {
    const { order } = await orderOf(client, need(ask, 'order_id').order_id)
    return {
      says: `Accept the delivered work of order ${order.id} and pay ${price(order.total_minor)} to ${by(order.contractor)} for good.`,
      total_minor: order.total_minor,
      counts_minor: 0,
      route: 'POST /orders/{order_id}/complete',
      path: { order_id: order.id },
      body: { expected_version: order.version },
      obstacle: cannot(order, 'complete'),
    }
  },
  async select_bid(client, ask) {
    const { task_id, bid_id } = need(ask, 'task_id', 'bid_id')
    const task = await client.tasks.get(task_id)
    const bid = await bidOf(client, task_id, bid_id)
    return {
      says: `Select the bid of @${bid.bidder.handle} on task ${task.id}: ${price(bid.total_minor)} are reserved, due ${bid.deadline}.`,
      total_minor: bid.total_minor,
      route: 'POST /tasks/{task_id}/select',
      path: { task_id },
      body: {
        expected_version: task.version,
        bid_id,
        expected_bid_version: bid.version,
        confirmed_total_minor: bid.total_minor,
      },
      obstacle:
        task.state === 'open' && bid.state === 'open' ? undefined : 'invalid_state: the task or the bid is not open',
    }
  },
}

const price = (minor: number): string => `${credits(minor)} credits`

/** The files that are named, and those that only an answer in the form names. */
export const filesWith = ({ input_schema }: Service, { files = [], parameters = {} }: Asked): string[] => [
  ...new Set([...files, ...formFiles(input_schema, parameters)]),
]

export const filesOf = ({ files }: Asked) => (files?.length ? { input_attachment_ids: files } : {})

const late = (deadline: string, now: number): string | undefined =>
  Date.parse(deadline) > now ? undefined : 'invalid_input: the deadline has passed'

/** The fields that an action needs. */
function need<K extends keyof Prepare>(ask: Prepare, ...names: K[]): Prepare & Required<Pick<Prepare, K>> {
  for (const name of names) if (ask[name] === undefined) invalid(name, 'is missing')
  return ask as Prepare & Required<Pick<Prepare, K>>
}

async function strangerTo(client: FolderClient, botId: string): Promise<string | undefined> {
  const contact = await client.contacts.find(botId)
  return contact?.status === 'accepted' ? undefined : 'friendship_required: you are not friends'
}

const cannot = (order: AnyOrder, name: string): string | undefined =>
  order.actions.some((each) => each.name === name) ? undefined : `invalid_state: the order is ${order.state}`

/** An order of either list. */
export async function orderOf(client: FolderClient, orderId: string) {
  try {
    return { ...(await client.orders.get(orderId)), list: 'orders' as const }
  } catch (error) {
    if (!(error instanceof KithError) || error.code !== 'not_found') throw error
    return { ...(await client.humanOrders.get(orderId)), list: 'human-orders' as const }
  }
}

const mostBids = 500

async function bidOf(client: FolderClient, taskId: string, bidId: string) {
  let seen = 0
  for await (const bid of client.tasks.bids(taskId, { page_size: 50 })) {
    if (bid.id === bidId) return bid
    if (++seen >= mostBids) break
  }
  return refuse('not_found', 'this task has no such bid', 'tasks {"action":"show",…} lists the bids of a task.')
}

export type { Order }
