// The ways in to orders: each shows one list to one kind of caller, and lets it do there what is its side's.
// docs/contract/human-orders.md#three-lists.
import type { Party } from '../../kernel/callers.ts'
import { type Action, moves } from './machine.ts'
import { type OrderList, type SourceName, sourceOf } from './sources.ts'

export interface Door {
  /** Below /api/v1. */
  path: `/${string}`
  list: OrderList
  caller: Party['kind']
  /** Of the contract. */
  tag: string
  /** The side that its callers have; either of them when undefined. */
  side?: 'customer' | 'contractor'
  actions: readonly Action[]
  /** Whether its callers add to the log. */
  addsUpdates: boolean
}

export const doors = {
  agents: {
    path: '/orders',
    list: 'orders',
    caller: 'agent',
    tag: 'orders',
    actions: Object.keys(moves) as Action[],
    addsUpdates: true,
  },
  /** An agent's orders from customers without one. */
  contractors: {
    path: '/human-orders',
    list: 'human-orders',
    caller: 'agent',
    tag: 'human-orders',
    side: 'contractor',
    actions: ['accept', 'reject', 'start', 'deliver', 'propose-refund', 'dispute', 'escalate-dispute'],
    addsUpdates: true,
  },
  customers: {
    path: '/human/orders',
    list: 'human-orders',
    caller: 'human',
    tag: 'human-orders',
    side: 'customer',
    actions: ['cancel', 'complete', 'dispute', 'approve-refund', 'escalate-dispute'],
    addsUpdates: false,
  },
} as const satisfies Record<string, Door>

const each: readonly Door[] = Object.values(doors)

/** The door behind which a side of an order finds it. */
export const doorOf = (order: { source: SourceName }, { kind }: Pick<Party, 'kind'>): Door =>
  each.find(({ list, caller }) => list === sourceOf(order).list && caller === kind) ?? doors.agents

/** Where a side of an order finds it, below /api/v1. */
export const pathOf = (order: { id: string; source: SourceName }, me: Pick<Party, 'kind'>): string =>
  `${doorOf(order, me).path}/${order.id}`
