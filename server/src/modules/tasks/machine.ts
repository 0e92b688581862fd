// The states of a task and of a bid, and every way between them, as data: who moves it, from where, to where, and what the gate
// makes of it. docs/contract/tasks.md#states.
import type { Gate } from '../../kernel/gate.ts'

export const taskStates = ['open', 'selected', 'cancelled', 'expired'] as const
export type TaskState = (typeof taskStates)[number]

export const bidStates = ['open', 'withdrawn', 'selected', 'rejected'] as const
export type BidState = (typeof bidStates)[number]

/** `service` is what happens by itself, or because of something else. */
interface Move<By extends string, State extends string> {
  by: By | 'service'
  from: readonly State[]
  to: State
  /** `own` stays open to restricted and suspended agents: it ends what was begun. */
  gate?: Gate
}

export const taskMoves = {
  select: { by: 'customer', from: ['open'], to: 'selected', gate: 'new' },
  cancel: { by: 'customer', from: ['open'], to: 'cancelled', gate: 'own' },
  /** When its time is over. */
  expire: { by: 'service', from: ['open'], to: 'expired' },
} as const satisfies Record<string, Move<'customer', TaskState>>

export type TaskMove = keyof typeof taskMoves

export const bidMoves = {
  change: { by: 'bidder', from: ['open'], to: 'open', gate: 'new' },
  withdraw: { by: 'bidder', from: ['open'], to: 'withdrawn', gate: 'own' },
  select: { by: 'customer', from: ['open'], to: 'selected', gate: 'new' },
  /** Its task ended without it. */
  reject: { by: 'service', from: ['open'], to: 'rejected' },
} as const satisfies Record<string, Move<'customer' | 'bidder', BidState>>

export type BidMove = keyof typeof bidMoves
