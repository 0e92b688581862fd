// What agents ask for on the market: each write as it is noted and sent.
import { bidMoves, requestMoves, type serviceMoves } from '../server/test/market-rules.ts'
import { totalOf } from '../server/test/order-rules.ts'
import type { Asked, Made } from './ledger.ts'
import type { Bid, Quote, Ready, Request, Service, Task } from './market.ts'
import { agentOf, type Worker } from './worker.ts'

export const deadline = '2999-01-01T00:00:00Z'

const card = ({ world: { word } }: Worker, mode: Service['mode'], amount: number) => ({
  description: `Work in ${word}`,
  price: { mode, unit_label: '', amount_minor: amount },
  delivery_description: 'A text',
})

export function newService(worker: Worker, mode: Service['mode']): Asked {
  const { me, random } = worker
  const id = random.uuid()
  const body = { operation_id: id, title: id, ...card(worker, mode, random.integer(1, 3000)) }
  return { kind: 'service', by: me, path: '/services', body }
}

export type ServiceMove = keyof typeof serviceMoves | 'change'

export function serviceMove(worker: Worker, { id, version, mode }: Service, action: ServiceMove): Asked {
  const { me, random } = worker
  const operationId = random.uuid()
  const asked = { kind: 'service move', by: me, action, on: [{ thing: 'service', id, version }] } as const
  const body = { operation_id: operationId, expected_version: version }
  if (action !== 'change') return { ...asked, path: `/services/${id}/${action}`, body }
  const fields = { title: operationId, price: card(worker, mode, random.integer(1, 3000)).price }
  return { ...asked, method: 'PATCH', path: `/services/${id}`, body: { ...body, ...fields } }
}

export function orderByQuote({ me, random }: Worker, { id, provider, amount, total }: Quote): Asked {
  const title = random.uuid()
  const body = {
    operation_id: title,
    service_quote_id: id,
    title,
    description: 'Work',
    deadline,
    confirmed_total_minor: total,
  }
  const sides = { customer: me.id, contractor: provider, author: me.id }
  const makes: Made = { action: 'offer', state: 'offered', title, ...sides, quick: false, amount, quote: id }
  return { kind: 'order by quote', by: me, path: '/orders', body, makes }
}

export function requestMove({ world, random }: Worker, request: Request, action: keyof typeof requestMoves): Asked {
  const { id, version, customer, provider, title, minimum } = request
  const by = agentOf(world, request[requestMoves[action].by])
  const on = [{ thing: 'request', id, version }] as const
  const body = { operation_id: random.uuid(), expected_version: version }
  const asked = { kind: 'request move', by, action, path: `/service-requests/${id}/${action}`, on } as const
  if (action !== 'offer') return { ...asked, body }
  const amount = Math.max(1, minimum + (random.chance(0.04) ? -1 : random.integer(0, 500)))
  const sides = { customer, contractor: provider, author: provider }
  const makes: Made = { action: 'offer', state: 'offered', title, ...sides, quick: false, amount, request: id }
  return { ...asked, body: { ...body, amount_minor: amount, deadline }, makes }
}

export function bidMove({ world, random }: Worker, bid: Bid, action: 'change' | 'withdraw'): Asked {
  const { id, version } = bid
  const by = agentOf(world, bid[bidMoves[action].by])
  const body = { operation_id: random.uuid(), expected_version: version }
  const asked = { kind: 'bid move', by, action, on: [{ thing: 'bid', id, version }] } as const
  if (action === 'withdraw') return { ...asked, path: `/bids/${id}/withdraw`, body }
  return { ...asked, method: 'PATCH', path: `/bids/${id}`, body: { ...body, amount_minor: random.integer(1, 3000) } }
}

export function select({ me, random }: Worker, task: Task, bid: Bid): Asked {
  const body = {
    operation_id: random.uuid(),
    expected_version: task.version,
    bid_id: bid.id,
    expected_bid_version: bid.version,
    confirmed_total_minor: bid.total + (random.chance(0.03) ? 1 : 0),
  }
  const sides = { customer: me.id, contractor: bid.bidder, author: bid.bidder }
  const makes: Made = {
    action: 'select',
    state: 'funded',
    title: task.title,
    ...sides,
    quick: false,
    amount: bid.amount,
  }
  const on = [
    { thing: 'task', id: task.id, version: task.version },
    { thing: 'bid', id: bid.id, version: bid.version },
  ] as const
  return { kind: 'select', action: 'select', by: me, path: `/tasks/${task.id}/select`, body, makes, on }
}

export function cancelTask({ me, random }: Worker, { id, version }: Task): Asked {
  const body = { operation_id: random.uuid(), expected_version: version }
  const on = [{ thing: 'task', id, version }] as const
  return { kind: 'task move', action: 'cancel', by: me, path: `/tasks/${id}/cancel`, body, on }
}

/** Half of what it brings is the first customer's. */
export function proposal(worker: Worker, source: string, amount: number): Asked {
  const { world, me, random } = worker
  world.market.sources.add(source)
  const title = random.uuid()
  const body = {
    operation_id: title,
    source_order_id: source,
    service: { title, ...card(worker, 'fixed', amount) },
    customer_share_bps: shareBps,
    result_text: title,
  }
  return { kind: 'proposal', action: 'propose-resale', by: me, path: '/ready-services', body, source }
}

export const shareBps = 5000

export function consent({ world, random }: Worker, { id, digest, source }: Ready, side: string): Asked {
  const by = agentOf(world, side)
  const body = { operation_id: random.uuid(), expected_digest: digest, rights_confirmed: true }
  const path = `/services/${id}/ready/consent`
  return { kind: 'consent', action: 'consent-resale', by, path, body, work: id, source }
}

export function purchase({ world, me, random }: Worker, { id, provider, digest }: Ready): Asked {
  const { version, amount, title } = world.market.services.get(id) as Service
  const body = {
    operation_id: random.uuid(),
    expected_version: version,
    expected_digest: digest,
    confirmed_total_minor: totalOf(amount),
    license_code: 'nonexclusive-no-resale-v1',
  }
  const sides = { customer: me.id, contractor: provider, author: provider }
  const makes: Made = { action: 'purchase', state: 'delivered', title, ...sides, quick: false, amount, work: id }
  return { kind: 'purchase', by: me, path: `/services/${id}/ready/purchase`, body, makes }
}
