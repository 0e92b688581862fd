// Orders as the contract has them, said again in few words: what an order must be after the actions of its history, and
// what it moved. SPEC.md, States and transitions (Order); nothing here is taken from the service.
import { ensure } from './violation.ts'

export type State =
  | 'offered'
  | 'funded'
  | 'in_progress'
  | 'delivered'
  | 'disputed'
  | 'closed'
  | 'cancelled'
  | 'rejected'

export interface Step {
  action: string
  /** Null where it was support. */
  actor: string | null
  /** The new reward of a reprice. */
  amount?: number
  reason?: string
}

export interface Model {
  state: State
  version: number
  customer: string
  contractor: string
  author: string
  quick: boolean
  amount: number
  outcome: 'accepted' | 'refunded' | null
  updates: number
  /** The latest dispute. */
  dispute?: {
    status: 'open' | 'escalated' | 'resolved'
    version: number
    openedBy: string
    refundProposedBy: string | null
    /** The state that support may resume. */
    from: State
    decision: 'refund' | 'resume' | null
    decisionReason: string | null
  }
  /** Movements of credits in their order. */
  money: ('reserve' | 'capture' | 'refund')[]
}

export interface Price {
  amount: number
  fee: number
  total: number
}

/** The fee is 10% on top, rounded half up. */
export function priceOf(amount: number): Price {
  const fee = Number((BigInt(amount) * 1000n * 2n + 10_000n) / 20_000n)
  return { amount, fee, total: amount + fee }
}

export const isOver = (state: State): boolean => ['closed', 'cancelled', 'rejected'].includes(state)

/** Whether credits of the customer are set aside. */
export const isReserved = (state: State): boolean => ['funded', 'in_progress', 'delivered', 'disputed'].includes(state)

type Rule = (order: Model, actor: string | null) => State | undefined

const from =
  (states: readonly State[], to: State, by: (order: Model, actor: string | null) => boolean): Rule =>
  (order, actor) =>
    states.includes(order.state) && by(order, actor) ? to : undefined

const underWay: readonly State[] = ['funded', 'in_progress', 'delivered']
const either = (order: Model, actor: string | null): boolean => actor === order.customer || actor === order.contractor
const author = (order: Model, actor: string | null): boolean => actor === order.author
const recipient = (order: Model, actor: string | null): boolean => either(order, actor) && actor !== order.author
const customer = (order: Model, actor: string | null): boolean => actor === order.customer
const contractor = (order: Model, actor: string | null): boolean => actor === order.contractor
const support = ({ dispute }: Model, actor: string | null): boolean => actor === null && dispute?.status === 'escalated'

/** The state that an action leads to, or undefined where it is not allowed. */
export const rules: Readonly<Record<string, Rule>> = {
  accept: from(['offered'], 'funded', recipient),
  reject: from(['offered'], 'rejected', recipient),
  cancel: from(['offered'], 'cancelled', author),
  reprice: from(['offered'], 'offered', (order, actor) => order.quick && either(order, actor)),
  start: from(['funded'], 'in_progress', contractor),
  deliver: from(['funded', 'in_progress'], 'delivered', contractor),
  complete: from(['delivered'], 'closed', customer),
  dispute: from(underWay, 'disputed', either),
  'propose-refund': from(underWay, 'disputed', either),
  'approve-refund': from(['disputed'], 'closed', (order, actor) => {
    const proposer = order.dispute?.refundProposedBy ?? null
    return either(order, actor) && proposer !== null && proposer !== actor
  }),
  'escalate-dispute': from(['disputed'], 'disputed', (order, actor) => {
    return either(order, actor) && order.dispute?.status === 'open'
  }),
  update: (order, actor) =>
    either(order, actor) && (isReserved(order.state) || order.outcome === 'accepted') ? order.state : undefined,
  'decide-refund': from(['disputed'], 'closed', support),
  'decide-resume': (order, actor) =>
    order.state === 'disputed' && support(order, actor) ? order.dispute?.from : undefined,
}

/** Does one action; what the contract does not allow ends the run. */
export function apply(order: Model, { action, actor, amount, reason = '' }: Step): void {
  const to = rules[action]?.(order, actor)
  ensure(to !== undefined, `the history has a ${action} that the contract does not allow`, order, actor)
  const { dispute, state: before } = order
  order.state = to
  order.version += 1
  if (action === 'reprice') Object.assign(order, { author: actor, amount })
  if (action === 'update') order.updates += 1
  if (action === 'accept') order.money.push('reserve')
  if (action === 'complete') Object.assign(order, { outcome: 'accepted', money: [...order.money, 'capture'] })
  if (action === 'dispute' || action === 'propose-refund') {
    const refundProposedBy = action === 'dispute' ? null : actor
    // A later dispute of the same order goes on counting, so that no version means two things.
    const version = (dispute?.version ?? 0) + 1
    const opened = { status: 'open', version, openedBy: actor as string, refundProposedBy, from: before } as const
    order.dispute = { ...opened, decision: null, decisionReason: null }
  }
  if (action === 'escalate-dispute' && dispute)
    Object.assign(dispute, { status: 'escalated', version: dispute.version + 1 })
  if (!dispute || !['approve-refund', 'decide-refund', 'decide-resume'].includes(action)) return
  const decision = action === 'decide-resume' ? 'resume' : 'refund'
  const decisionReason = actor === null ? reason : null
  Object.assign(dispute, { status: 'resolved', version: dispute.version + 1, decision, decisionReason })
  if (decision === 'refund') Object.assign(order, { outcome: 'refunded', money: [...order.money, 'refund'] })
}
