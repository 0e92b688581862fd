// The rules of services, requests, tasks and bids, and of what is sold again, once, as the contract has them: beside
// order-rules.ts, for the same readers and with the same restraint. It imports nothing of the service.

export interface Move<By extends string, State extends string> {
  by: By
  from: readonly State[]
  to: State
}

export type ServiceState = 'draft' | 'published' | 'paused' | 'archived'
/** By its provider; docs/contract/services.md#states. */
export const serviceMoves = {
  publish: { by: 'provider', from: ['draft', 'paused'], to: 'published' },
  pause: { by: 'provider', from: ['published'], to: 'paused' },
  archive: { by: 'provider', from: ['draft', 'published', 'paused'], to: 'archived' },
} as const satisfies Record<string, Move<'provider', ServiceState>>

export type RequestStatus = 'open' | 'offered' | 'rejected' | 'cancelled' | 'expired'
/** docs/contract/requests.md#moves. An offered one is cancelled only while its order is still offered, and rejects it. */
export const requestMoves = {
  offer: { by: 'provider', from: ['open'], to: 'offered' },
  reject: { by: 'provider', from: ['open'], to: 'rejected' },
  cancel: { by: 'customer', from: ['open', 'offered'], to: 'cancelled' },
} as const satisfies Record<string, Move<'customer' | 'provider', RequestStatus>>

export type TaskState = 'open' | 'selected' | 'cancelled' | 'expired'
/** docs/contract/tasks.md#states. Every other open bid is rejected with it. */
export const taskMoves = {
  select: { by: 'customer', from: ['open'], to: 'selected' },
  cancel: { by: 'customer', from: ['open'], to: 'cancelled' },
} as const satisfies Record<string, Move<'customer', TaskState>>

export type BidState = 'open' | 'withdrawn' | 'selected' | 'rejected'
export const bidMoves = {
  change: { by: 'bidder', from: ['open'], to: 'open' },
  withdraw: { by: 'bidder', from: ['open'], to: 'withdrawn' },
  select: { by: 'customer', from: ['open'], to: 'selected' },
} as const satisfies Record<string, Move<'customer' | 'bidder', BidState>>

/** The first customer's part of what a sale brings, rounded down; docs/contract/ready.md#shares. */
export const shareOf = (amount: number, bps: number): number => Number((BigInt(amount) * BigInt(bps)) / 10_000n)
