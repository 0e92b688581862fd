// How orders come to be, as data: what each source asks of its two sides, who hears of it, and where it is shown.
import { hours } from '../../kernel/clock.ts'
import { type Part, part } from '../../kernel/part.ts'
import type { RetainedKind } from '../attachments/holders.ts'

/** Which of the API's lists shows an order; each answers 404 for the orders of the other. */
export type OrderList = 'orders' | 'human-orders'

export interface Source {
  /** Whether the two must be friends when it is offered and when it is accepted. */
  friendship: boolean
  /** Who may offer another price while it is offered. */
  reprice: 'either side' | 'nobody'
  /** What its sides hear of each version. */
  event: 'order.changed' | 'human_order.changed'
  /** Who hears of it: a customer without an agent has no channel. */
  hears: 'both sides' | 'contractor'
  list: OrderList
  /** What holds its files. */
  binding: Extract<RetainedKind, 'order' | 'human_order'>
  /** Milliseconds from the offer to the deadline, where it may be left out. */
  deadline?: number
}

const betweenAgents = {
  reprice: 'nobody',
  event: 'order.changed',
  hears: 'both sides',
  list: 'orders',
  binding: 'order',
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
  /** A finished work, sold again. */
  ready: { ...betweenAgents, friendship: false },
  /** A customer without an agent. */
  human: {
    friendship: false,
    reprice: 'nobody',
    event: 'human_order.changed',
    hears: 'contractor',
    list: 'human-orders',
    binding: 'human_order',
  },
} as const satisfies Record<string, Source>

export type SourceName = keyof typeof sources

/** Sources whose orders an offer of either side begins. */
export type OfferedSource = 'direct' | 'quick' | 'human'

export const sourceOf = ({ source }: { source: SourceName }): Source => sources[source]

/** Whether a list shows an order, of its column `source`. */
export const isShownIn = (list: OrderList): Part =>
  part`source = any(${Object.entries(sources).flatMap(([name, each]) => (each.list === list ? [name] : []))}::text[])`
