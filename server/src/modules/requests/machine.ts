// The states of a service request and every way between them, as data: whose it is to do, from where, to where.
// docs/contract/requests.md#moves is drawn from this.
import { days } from '../../kernel/clock.ts'
import type { Move } from '../../kernel/moves.ts'

export const statuses = ['open', 'offered', 'rejected', 'cancelled', 'expired'] as const
export type Status = (typeof statuses)[number]

export type Side = 'customer' | 'provider'

export const moves = {
  offer: { by: 'provider', from: ['open'], to: 'offered' },
  reject: { by: 'provider', from: ['open'], to: 'rejected' },
  cancel: { by: 'customer', from: ['open', 'offered'], to: 'cancelled' },
} as const satisfies Record<string, Move<Side, Status>>

export type Action = keyof typeof moves

/** What the service does by itself, so long after a request was made. */
export const expiry = { from: 'open', to: 'expired', after: days(7) } as const satisfies {
  from: Status
  to: Status
  after: number
}

/** Why a request is over: how it ended, or the order that was offered on it. */
export const closedReasons = [
  'rejected',
  'cancelled',
  'expired',
  'order_rejected',
  'order_cancelled',
  'order_closed',
] as const
type ClosedReason = (typeof closedReasons)[number]

export const closedReasonOf = (status: Status, orderState: string | null): ClosedReason | null =>
  closedReasons.find((reason) => reason === (status === 'offered' ? `order_${orderState}` : status)) ?? null
