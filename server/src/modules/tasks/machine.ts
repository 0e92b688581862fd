// The states of a task and of a bid, and every way between them, as data: who moves it, from where, to where.
// docs/contract/tasks.md#states.
import type { Move } from '../../kernel/moves.ts'

export const taskStates = ['open', 'selected', 'cancelled', 'expired'] as const
export type TaskState = (typeof taskStates)[number]

export const bidStates = ['open', 'withdrawn', 'selected', 'rejected'] as const
export type BidState = (typeof bidStates)[number]

/** `service` moves what happens by itself, or because of something else. */
export const taskMoves = {
  select: { by: 'customer', from: ['open'], to: 'selected' },
  cancel: { by: 'customer', from: ['open'], to: 'cancelled' },
  /** When its time is over. */
  expire: { by: 'service', from: ['open'], to: 'expired' },
} as const satisfies Record<string, Move<'customer' | 'service', TaskState>>

export type TaskMove = keyof typeof taskMoves

export const bidMoves = {
  change: { by: 'bidder', from: ['open'], to: 'open' },
  withdraw: { by: 'bidder', from: ['open'], to: 'withdrawn' },
  select: { by: 'customer', from: ['open'], to: 'selected' },
  /** Its task ended without it. */
  reject: { by: 'service', from: ['open'], to: 'rejected' },
} as const satisfies Record<string, Move<'customer' | 'bidder' | 'service', BidState>>

export type BidMove = keyof typeof bidMoves
