// The rules of an order, once, as the contract has them: what a test, a model or the torture holds the service against.
// An oracle: pure data and functions, written from docs/contract/orders.md, which import nothing of the service, or both
// would be wrong together. `P` is whatever a party is named by.

export const states = [
  'offered',
  'funded',
  'in_progress',
  'delivered',
  'disputed',
  'closed',
  'cancelled',
  'rejected',
] as const
export type State = (typeof states)[number]

/** Author and recipient: who made the standing offer, and the other one. Answerer: to whom a refund was proposed. */
export type Side = 'author' | 'recipient' | 'customer' | 'contractor' | 'either' | 'answerer'

export type Money = 'reserve' | 'capture' | 'refund'

interface Rule {
  by: Side
  from: readonly State[]
  /** Undefined if the state stays. */
  to?: State
  money?: Money
  /** A new obligation: for friends whose owners are verified. All else ends what was begun, and stays open to anyone. */
  obliges?: true
  /** Of quick orders only. */
  quick?: true
  dispute?: 'opens' | 'proposes a refund' | 'escalates' | 'resolves'
}

const underWay = ['funded', 'in_progress', 'delivered'] as const
const reserved = [...underWay, 'disputed'] as const

export const rules = {
  accept: { by: 'recipient', from: ['offered'], to: 'funded', money: 'reserve', obliges: true },
  reject: { by: 'recipient', from: ['offered'], to: 'rejected' },
  cancel: { by: 'author', from: ['offered'], to: 'cancelled' },
  reprice: { by: 'either', from: ['offered'], obliges: true, quick: true },
  start: { by: 'contractor', from: ['funded'], to: 'in_progress' },
  deliver: { by: 'contractor', from: ['funded', 'in_progress'], to: 'delivered' },
  complete: { by: 'customer', from: ['delivered'], to: 'closed', money: 'capture' },
  dispute: { by: 'either', from: underWay, to: 'disputed', dispute: 'opens' },
  'propose-refund': { by: 'either', from: underWay, to: 'disputed', dispute: 'proposes a refund' },
  'approve-refund': { by: 'answerer', from: ['disputed'], to: 'closed', money: 'refund', dispute: 'resolves' },
  'escalate-dispute': { by: 'either', from: ['disputed'], dispute: 'escalates' },
  // Of a closed order too, where it was accepted.
  update: { by: 'either', from: [...reserved, 'closed'] },
} as const satisfies Record<string, Rule>

/** Everything that a side does to an order. */
export type Act = keyof typeof rules
/** What is `POST orders/{id}/{action}`. */
export type Action = Exclude<Act, 'update'>
export const actions = Object.keys(rules).filter((name): name is Action => name !== 'update')

/** What each side of an order of a person finds behind its door: an agent is the contractor. Another action is 404 there. */
export const doorsOfPeople: Readonly<Record<'customer' | 'contractor', readonly Act[]>> = {
  customer: ['cancel', 'complete', 'dispute', 'approve-refund', 'escalate-dispute'],
  contractor: ['accept', 'reject', 'start', 'deliver', 'dispute', 'propose-refund', 'escalate-dispute', 'update'],
}

export type Decision = 'refund' | 'resume'

const hour = 3_600_000
/** From a dispute to support's turn, where the two do not settle it. */
const responsePeriod: number = 48 * hour
/** From an acceptance to the request for reviews. */
const reviewsAfter: number = 24 * hour

export const isOver = (state: State): boolean => ['closed', 'cancelled', 'rejected'].includes(state)

/** Whether credits of the customer are set aside. */
export const isReserved = (state: State): boolean => (reserved as readonly State[]).includes(state)

export interface Price {
  amount: number
  fee: number
  total: number
}

/** The fee is a tenth on top, rounded half up. */
export function priceOf(amount: number): Price {
  const fee = Number((BigInt(amount) * 1000n * 2n + 10_000n) / 20_000n)
  return { amount, fee, total: amount + fee }
}

/** What a customer pays for a reward. */
export const totalOf = (amount: number): number => priceOf(amount).total

export interface Line {
  kind: Money | 'payout' | 'ready_share'
  party: 'customer' | 'contractor' | 'sharer'
  available: number
  reserved: number
}

/**
 * The lines that a movement of an order's credits leaves in wallets; the platform keeps the fee of a capture. `share` is what
 * a finished work that is sold again brings to its first customer, out of the reward.
 */
export function linesOf(money: Money, { amount, total }: Price, share = 0): Line[] {
  if (money === 'reserve') return [{ kind: 'reserve', party: 'customer', available: -total, reserved: total }]
  if (money === 'refund') return [{ kind: 'refund', party: 'customer', available: total, reserved: -total }]
  return [
    { kind: 'capture', party: 'customer', available: 0, reserved: -total },
    { kind: 'payout', party: 'contractor', available: amount - share, reserved: 0 },
    ...(share > 0 ? [{ kind: 'ready_share', party: 'sharer', available: share, reserved: 0 } as const] : []),
  ]
}

export interface Dispute<P> {
  status: 'open' | 'escalated' | 'resolved'
  version: number
  openedBy: P
  refundProposedBy: P | null
  /** When the response period is over. */
  due: number
  /** The state that support may resume. */
  from: State
  decision: Decision | null
  decisionReason: string | null
}

export interface Parties<P> {
  customer: P
  contractor: P
  author: P
}

export interface Order<P> extends Parties<P> {
  quick: boolean
  /** Whether it is offered and accepted between friends alone. */
  friendly: boolean
  /** Whether its customer is a person without an agent. */
  ofPerson: boolean
  /** Who has a part of its reward besides the contractor. */
  share: { to: P; amount: number } | null
  amount: number
  /** Null if no test waits for it. */
  deadline: number | null
  state: State
  version: number
  outcome: 'accepted' | 'refunded' | null
  /** The latest one. */
  dispute: Dispute<P> | null
  updates: number
  /** Movements of its credits, in their order. */
  money: Money[]
  /** When the two are asked for their reviews; null before an acceptance, and once that is done. */
  asks: number | null
}

export type Offered<P> = Pick<Order<P>, 'customer' | 'contractor' | 'author' | 'quick' | 'amount'> &
  Partial<Pick<Order<P>, 'deadline' | 'friendly' | 'ofPerson' | 'share'>>

export const offered = <P>({
  deadline = null,
  ofPerson = false,
  friendly = !ofPerson,
  share = null,
  ...terms
}: Offered<P>): Order<P> => ({
  ...terms,
  deadline,
  friendly,
  ofPerson,
  share,
  state: 'offered',
  version: 1,
  outcome: null,
  dispute: null,
  updates: 0,
  money: [],
  asks: null,
})

/** An order that begins beyond its offer, whoever the two are to each other: what it costs is set aside with it. */
export const agreed = <P>(terms: Offered<P>, state: 'funded' | 'delivered'): Order<P> => ({
  ...offered({ ...terms, friendly: false }),
  state,
  money: ['reserve'],
})

const isParty = <P>({ customer, contractor }: Parties<P>, who: P): boolean => who === customer || who === contractor

/** Whether an action is this side's, whatever the state; `proposer` proposed the refund that stands. */
export function isFor<P>(action: Act, order: Parties<P>, who: P, proposer: P | null = null): boolean {
  const by: Side = rules[action].by
  if (!isParty(order, who)) return false
  if (by === 'either') return true
  if (by === 'answerer') return proposer !== who
  if (by === 'recipient') return who !== order.author
  return who === order[by]
}

export interface Asked<P> {
  who: P
  action: Act
  /** The version that it was asked on; the order's unless told. */
  expected?: number
  /** Whether the two are friends; they are unless told. */
  friends?: boolean
  /** The total that an acceptance or a new price confirms; the right one unless told. */
  confirmed?: number
  /** The new reward of a reprice. */
  amount?: number
  /** What the customer has; enough unless told. */
  available?: number
  now?: number
}

/** What an action is answered, the checks in their order; a status alone where it is taken. */
export function answerTo<P>(order: Order<P>, asked: Asked<P>): string {
  const { who, action, expected = order.version, friends = true, confirmed, available, now = 0 } = asked
  const rule: Rule = rules[action]
  const standing = order.state === 'disputed' ? order.dispute : null
  if (!isParty(order, who)) return '404 not_found'
  if (order.ofPerson && !doorsOfPeople[who === order.customer ? 'customer' : 'contractor'].includes(action)) {
    return '404 not_found'
  }
  if (!isFor(action, order, who, standing?.refundProposedBy ?? null)) return '403 forbidden'
  if (rule.obliges && order.friendly && !friends) return '403 friendship_required'
  if (expected !== order.version) return '409 version_conflict'
  if (!rule.from.includes(order.state)) return '409 invalid_state'
  if (rule.quick && !order.quick) return '409 invalid_state'
  if (action === 'update') return order.state === 'closed' && order.outcome !== 'accepted' ? '409 invalid_state' : '201'
  if (action === 'approve-refund' && standing?.refundProposedBy === null) return '409 invalid_state'
  if (action === 'escalate-dispute' && standing?.status !== 'open') return '409 invalid_state'
  if (action === 'accept') {
    const total = totalOf(order.amount)
    if (order.deadline !== null && order.deadline <= now) return '409 invalid_state'
    if (confirmed !== undefined && confirmed !== total) return '409 state_conflict'
    if (available !== undefined && available < total) return '409 insufficient_funds'
  }
  if (action === 'reprice' && who === order.customer) {
    if (confirmed !== undefined && confirmed !== totalOf(asked.amount ?? order.amount)) return '409 state_conflict'
  }
  return '200'
}

/** Does an action that is taken, and says what it moved. */
export function take<P>(order: Order<P>, { who, action, amount, now = 0 }: Asked<P>): Money | undefined {
  const rule: Rule = rules[action]
  if (action === 'reprice') Object.assign(order, { author: who, amount: amount ?? order.amount })
  if (action === 'update') order.updates += 1
  if (rule.dispute === 'opens' || rule.dispute === 'proposes a refund') {
    order.dispute = {
      status: 'open',
      // A later dispute of the same order goes on counting, so that no version means two things.
      version: (order.dispute?.version ?? 0) + 1,
      openedBy: who,
      refundProposedBy: rule.dispute === 'opens' ? null : who,
      due: now + responsePeriod,
      from: order.state,
      decision: null,
      decisionReason: null,
    }
  }
  if (rule.dispute === 'escalates') escalate(order)
  if (rule.dispute === 'resolves') resolve(order, 'refund', null)
  order.state = rule.to ?? order.state
  order.version += 1
  settle(order, rule.money, now)
  return rule.money
}

/** The credits that move close the order, or set aside what it costs. */
function settle<P>(order: Order<P>, money: Money | undefined, now: number): void {
  if (!money) return
  order.money.push(money)
  if (money === 'capture') Object.assign(order, { outcome: 'accepted', asks: now + reviewsAfter })
  if (money === 'refund') order.outcome = 'refunded'
}

function escalate<P>({ dispute }: Order<P>): void {
  if (dispute) Object.assign(dispute, { status: 'escalated', version: dispute.version + 1 })
}

function resolve<P>({ dispute }: Order<P>, decision: Decision, decisionReason: string | null): void {
  if (dispute) Object.assign(dispute, { status: 'resolved', version: dispute.version + 1, decision, decisionReason })
}

/** What support is answered; `expected` is the version of the dispute. */
export function answerToDecision<P>({ dispute }: Order<P>, expected = dispute?.version): string {
  if (!dispute) return '404 not_found'
  if (expected !== dispute.version) return '409 version_conflict'
  return dispute.status === 'escalated' ? '200' : '409 invalid_state'
}

/** Does what support decides, and says what it moved. */
export function decide<P>(order: Order<P>, decision: Decision, reason: string | null = null): Money | undefined {
  resolve(order, decision, reason)
  order.version += 1
  order.state = decision === 'refund' ? 'closed' : (order.dispute?.from ?? order.state)
  const money = decision === 'refund' ? 'refund' : undefined
  settle(order, money, 0)
  return money
}

/** What the platform does by itself: support's turn once the response period is over, and the request for reviews. */
export function pass<P>(order: Order<P>, now: number): void {
  if (order.state === 'disputed' && order.dispute?.status === 'open' && order.dispute.due <= now) {
    escalate(order)
    order.version += 1
  }
  if (order.asks !== null && order.asks <= now) {
    order.asks = null
    order.version += 1
  }
}
