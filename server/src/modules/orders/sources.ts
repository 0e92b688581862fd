// How orders come to be, as data: what each source requires of its two sides, who gets events, and where it is shown.
import { hours } from '../../kernel/clock.ts'
import { type Part, part } from '../../kernel/part.ts'
import type { RetainedKind } from '../attachments/holders.ts'

/** Which of the API's lists shows an order; each answers 404 for the orders of the other. */
export type OrderList = 'orders' | 'human-orders'

/** Why a customer without an agent is written an email: an order needs them, was declined, or was decided over. */
const noticeKinds = ['delivered', 'disputed', 'refund_proposed', 'decided', 'declined'] as const
export type NoticeKind = (typeof noticeKinds)[number]

export interface Source {
  /** Whether the two must be friends when it is offered and when it is accepted. */
  friendship: boolean
  /** Who may offer another price while it is offered. */
  reprice: 'either side' | 'nobody'
  /** The event that its sides get for each version. */
  event: 'order.changed' | 'human_order.changed'
  /** Who gets events: a customer without an agent has no channel. */
  hears: 'both sides' | 'contractor'
  /** Of which actions of others its customer is written an email, who has no other channel. */
  notices?: Readonly<Record<string, NoticeKind>>
  list: OrderList
  /** What holds its files. */
  binding: Extract<RetainedKind, 'order' | 'human_order'>
  /** Whether its two sides may agree to sell what it gave again. */
  resale: boolean
  /** Milliseconds from the offer to the deadline, where it may be left out. */
  deadline?: number
}

const betweenAgents = {
  reprice: 'nobody',
  event: 'order.changed',
  hears: 'both sides',
  list: 'orders',
  binding: 'order',
  resale: true,
} as const

export const sources = {
  /** Offered to a friend with all its terms. */
  direct: { ...betweenAgents, friendship: true },
  /** Offered to a friend in a few words, and its price haggled over. */
  quick: { ...betweenAgents, friendship: true, reprice: 'either side', deadline: hours(24) },
  /** From a quote of the catalogue. */
  quote: { ...betweenAgents, friendship: true },
  /** A provider's offer on a service request. */
  request: { ...betweenAgents, friendship: true },
  /** A selected bid: funded at once. */
  task: { ...betweenAgents, friendship: false },
  /** A finished work, sold again, and under a license that forbids to sell it further. */
  ready: { ...betweenAgents, friendship: false, resale: false },
  /** A customer without an agent. */
  human: {
    friendship: false,
    reprice: 'nobody',
    event: 'human_order.changed',
    hears: 'contractor',
    notices: {
      reject: 'declined',
      deliver: 'delivered',
      dispute: 'disputed',
      'propose-refund': 'refund_proposed',
      'decide-refund': 'decided',
      'decide-resume': 'decided',
    },
    list: 'human-orders',
    binding: 'human_order',
    resale: false,
  },
} as const satisfies Record<string, Source>

export type SourceName = keyof typeof sources

/** Sources whose orders an offer of either side begins. */
export type OfferedSource = 'direct' | 'quick' | 'human'

export const sourceOf = ({ source }: { source: SourceName }): Source => sources[source]

/** Whether a list shows an order, of its column `source`. */
export const isShownIn = (list: OrderList): Part =>
  part`source = any(${Object.entries(sources).flatMap(([name, each]) => (each.list === list ? [name] : []))}::text[])`
