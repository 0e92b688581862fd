// A small pure model of orders between friends: states, versions, disputes and credits, and what each request is answered.
// Written from the contract, not from the service: SPEC.md, States and transitions (Order); OPEN-POINTS.md, section 6.
import { hours } from '../src/kernel/clock.ts'
import { type ActionName, totalOf } from './orders.ts'

export interface ModelOrder {
  customer: number
  contractor: number
  author: number
  isQuick: boolean
  amount: number
  deadline: number
  state: string
  version: number
  outcome: string | null
  /** When the two are asked for their reviews; null before an acceptance, and once that is done. */
  asks: number | null
  /** The latest dispute; version 0 where there was none. */
  dispute: {
    version: number
    status: string
    decision: string | null
    proposer: number | null
    due: number
    from: string
  }
}

export interface Model {
  /** Orders by the operation id of their offer. */
  orders: Record<string, ModelOrder>
  available: number[]
  reserved: number[]
  fees: number
  /** Pairs of agents, the smaller index first, that are friends no more. */
  blocked: string[]
}

export const newModel = (agents: number, grant: number): Model => ({
  orders: {},
  available: Array(agents).fill(grant),
  reserved: Array(agents).fill(0),
  fees: 0,
  blocked: [],
})

export const pairOf = (one: number, two: number): string => `${Math.min(one, two)}-${Math.max(one, two)}`

export interface Offering {
  key: string
  by: number
  to: number
  asCustomer: boolean
  isQuick: boolean
  amount: number
  confirmed: number | undefined
  deadline: number
}

export function offering(model: Model, { key, by, to, asCustomer, amount, confirmed, ...rest }: Offering): string {
  if (by === to) return '400 invalid_input'
  if (model.blocked.includes(pairOf(by, to))) return '403 friendship_required'
  if (confirmed !== undefined && confirmed !== totalOf(amount)) return '409 state_conflict'
  const [customer, contractor] = asCustomer ? [by, to] : [to, by]
  const dispute = { version: 0, status: 'none', decision: null, proposer: null, due: 0, from: '' }
  const { isQuick, deadline } = rest
  const begun = { state: 'offered', version: 1, outcome: null, asks: null, dispute }
  model.orders[key] = { customer, contractor, author: by, isQuick, amount, deadline, ...begun }
  return '201'
}

export interface Acting {
  key: string
  who: number
  action: ActionName
  expected: number
  /** The total that an acceptance or a new price confirms. */
  confirmed: number
  /** The new price. */
  amount: number
  now: number
}

const underWay = ['funded', 'in_progress', 'delivered']
const from: Record<ActionName, readonly string[]> = {
  accept: ['offered'],
  reject: ['offered'],
  cancel: ['offered'],
  reprice: ['offered'],
  start: ['funded'],
  deliver: ['funded', 'in_progress'],
  complete: ['delivered'],
  dispute: underWay,
  'propose-refund': underWay,
  'approve-refund': ['disputed'],
  'escalate-dispute': ['disputed'],
}
export const actionNames = Object.keys(from) as ActionName[]

/** What an action is answered; changes the model where it is taken. */
export function acting(model: Model, { key, who, action, expected, confirmed, amount, now }: Acting): string {
  const order = model.orders[key] as ModelOrder
  const { customer, contractor, author, dispute } = order
  if (who !== customer && who !== contractor) return '404 not_found'
  const isDisputed = order.state === 'disputed'
  const wrong: Partial<Record<ActionName, boolean>> = {
    accept: who === author,
    reject: who === author,
    cancel: who !== author,
    start: who !== contractor,
    deliver: who !== contractor,
    complete: who !== customer,
    'approve-refund': isDisputed && dispute.proposer === who,
  }
  if (wrong[action]) return '403 forbidden'
  const isAgreement = action === 'accept' || action === 'reprice'
  if (isAgreement && model.blocked.includes(pairOf(customer, contractor))) return '403 friendship_required'
  if (expected !== order.version) return '409 version_conflict'
  if (!from[action].includes(order.state)) return '409 invalid_state'
  const refusal = effects[action]?.(model, order, { who, confirmed, amount, now })
  if (refusal) return refusal
  order.version += 1
  return '200'
}

type Effect = (
  model: Model,
  order: ModelOrder,
  given: { who: number; confirmed: number; amount: number; now: number },
) => string | undefined

const enter =
  (state: string): Effect =>
  (_model, order) => {
    order.state = state
    return undefined
  }

function open(order: ModelOrder, proposer: number | null, now: number): undefined {
  const { version } = order.dispute
  order.dispute = {
    version: version + 1,
    status: 'open',
    decision: null,
    proposer,
    due: now + hours(48),
    from: order.state,
  }
  order.state = 'disputed'
}

function escalate(order: ModelOrder): undefined {
  order.dispute.status = 'escalated'
  order.dispute.version += 1
}

function decide(model: Model, order: ModelOrder, decision: 'refund' | 'resume'): undefined {
  const { dispute } = order
  order.dispute = { ...dispute, status: 'resolved', decision, version: dispute.version + 1 }
  if (decision === 'resume') {
    order.state = dispute.from
    return
  }
  const total = totalOf(order.amount)
  move(model, order.customer, total, -total)
  Object.assign(order, { state: 'closed', outcome: 'refunded' })
}

function move(model: Model, who: number, available: number, reserved: number): void {
  model.available[who] = (model.available[who] as number) + available
  model.reserved[who] = (model.reserved[who] as number) + reserved
}

const effects: Partial<Record<ActionName, Effect>> = {
  accept(model, order, { confirmed, now }) {
    const total = totalOf(order.amount)
    if (order.deadline <= now) return '409 invalid_state'
    if (confirmed !== total) return '409 state_conflict'
    if ((model.available[order.customer] as number) < total) return '409 insufficient_funds'
    move(model, order.customer, -total, total)
    order.state = 'funded'
    return undefined
  },
  reject: enter('rejected'),
  cancel: enter('cancelled'),
  reprice(_model, order, { who, confirmed, amount }) {
    if (!order.isQuick) return '409 invalid_state'
    if (who === order.customer && confirmed !== totalOf(amount)) return '409 state_conflict'
    Object.assign(order, { author: who, amount })
    return undefined
  },
  start: enter('in_progress'),
  deliver: enter('delivered'),
  complete(model, order, { now }) {
    const total = totalOf(order.amount)
    move(model, order.customer, 0, -total)
    move(model, order.contractor, order.amount, 0)
    model.fees += total - order.amount
    Object.assign(order, { state: 'closed', outcome: 'accepted', asks: now + hours(24) })
    return undefined
  },
  dispute: (_model, order, { now }) => open(order, null, now),
  'propose-refund': (_model, order, { who, now }) => open(order, who, now),
  'approve-refund'(model, order) {
    if (order.dispute.proposer === null) return '409 invalid_state'
    return decide(model, order, 'refund')
  },
  'escalate-dispute'(_model, order) {
    if (order.dispute.status === 'escalated') return '409 invalid_state'
    return escalate(order)
  },
}

export interface Deciding {
  key: string
  decision: 'refund' | 'resume'
  expected: number
}

export function deciding(model: Model, { key, decision, expected }: Deciding): string {
  const order = model.orders[key] as ModelOrder
  if (order.dispute.version === 0) return '404 not_found'
  if (expected !== order.dispute.version) return '409 version_conflict'
  if (order.dispute.status !== 'escalated') return '409 invalid_state'
  decide(model, order, decision)
  order.version += 1
  return '200'
}

/** What the platform does by itself: disputes whose response period is over go to support, the two are asked for reviews. */
export function passing(model: Model, now: number): void {
  for (const order of Object.values(model.orders)) {
    if (order.state === 'disputed' && order.dispute.status === 'open' && order.dispute.due <= now) {
      escalate(order)
      order.version += 1
    }
    if (order.asks !== null && order.asks <= now) {
      order.asks = null
      order.version += 1
    }
  }
}
