// The states of an order and every way between them, as data: who may act, from where, to where, and what the gate
// makes of it. docs/contract/orders.md#moves. That picture is drawn from this.
import type { Gate } from '../../kernel/gate.ts'

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

/** States in which the customer's credits are set aside. */
export const reservedStates = ['funded', 'in_progress', 'delivered', 'disputed'] as const satisfies readonly State[]

/**
 * Whose an action is. Author and recipient are the side that made the standing offer and the other one; `answerer` is
 * the side to which a refund was proposed.
 */
export type Side = 'author' | 'recipient' | 'customer' | 'contractor' | 'either' | 'answerer'

/** What becomes of the customer's credits. */
export type Money = 'reserve' | 'capture' | 'refund'

export interface Move {
  by: Side
  from: readonly State[]
  to: State
  /** `own` stays open to restricted and suspended agents: it ends what was begun. */
  gate: Gate
  money?: Money
}

const underWay = ['funded', 'in_progress', 'delivered'] as const

export const moves = {
  accept: { by: 'recipient', from: ['offered'], to: 'funded', gate: 'new', money: 'reserve' },
  reject: { by: 'recipient', from: ['offered'], to: 'rejected', gate: 'own' },
  cancel: { by: 'author', from: ['offered'], to: 'cancelled', gate: 'own' },
  start: { by: 'contractor', from: ['funded'], to: 'in_progress', gate: 'own' },
  deliver: { by: 'contractor', from: ['funded', 'in_progress'], to: 'delivered', gate: 'own' },
  complete: { by: 'customer', from: ['delivered'], to: 'closed', gate: 'own', money: 'capture' },
  dispute: { by: 'either', from: underWay, to: 'disputed', gate: 'own' },
  'propose-refund': { by: 'either', from: underWay, to: 'disputed', gate: 'own' },
  'approve-refund': { by: 'answerer', from: ['disputed'], to: 'closed', gate: 'own', money: 'refund' },
  'escalate-dispute': { by: 'either', from: ['disputed'], to: 'disputed', gate: 'own' },
} as const satisfies Record<string, Move>

export type Action = keyof typeof moves

/** Of quick orders only: another price, which makes its sender the author of the standing offer. */
export const reprice = { by: 'either', from: ['offered'], to: 'offered', gate: 'new' } as const satisfies Move

/** What support decides of an escalated case; a resumed order returns to the state that it was disputed from. */
export const decisions = {
  refund: { from: 'disputed', to: 'closed', money: 'refund' },
  resume: { from: 'disputed', to: 'where it was' },
} as const

export type Decision = keyof typeof decisions
