// Orders as somebody was told of them last: those that something may still become of, and some that were accepted.
import { isOver, type State } from '../server/test/order-rules.ts'
import type { Reply } from './client.ts'
import type { Actor } from './ledger.ts'

export interface Known {
  id: string
  state: State
  version: number
  customer: string
  contractor: string
  author: string
  quick: boolean
  amount: number
  total: number
  outcome: string | null
  /** Of a finished work that was bought: ready. */
  workflow: string | null
  refundProposedBy: string | null
}

export interface Book {
  readonly live: ReadonlyMap<string, Known>
  /** Those that were accepted last. */
  readonly accepted: readonly Known[]
  /** Notes an order that was read or answered. */
  learn(order: Reply['body'], quick?: boolean): void
}

const keptAccepted = 10

export function openBook(): Book {
  const quickOrders = new Set<string>()
  const latest = new Map<string, number>()
  const live = new Map<string, Known>()
  const accepted: Known[] = []
  return {
    live,
    accepted,
    learn(order, quick = false) {
      if (quick) quickOrders.add(order.id)
      if ((latest.get(order.id) ?? 0) >= order.version) return
      latest.set(order.id, order.version)
      const fresh: Known = {
        id: order.id,
        state: order.state,
        version: order.version,
        customer: order.customer_id,
        contractor: order.contractor_id,
        author: order.offer_author_id,
        quick: quickOrders.has(order.id),
        amount: order.amount_minor,
        total: order.total_minor,
        outcome: order.outcome,
        workflow: order.workflow,
        refundProposedBy: order.refund_proposed_by,
      }
      if (!isOver(fresh.state)) return void live.set(fresh.id, fresh)
      live.delete(fresh.id)
      if (fresh.outcome !== 'accepted') return
      const others = accepted.filter(({ id }) => id !== fresh.id)
      accepted.splice(0, accepted.length, ...[fresh, ...others].slice(0, keptAccepted))
    },
  }
}

/** Which of the API's lists of orders one is on, for one of its sides: a person has a list of its own, and so has its contractor. */
export type List = '/orders' | '/human-orders' | '/human/orders'

/** The list on which a side finds an order; `people` are the customers without an agent. */
export function listOf(
  { customer }: Pick<Known, 'customer'>,
  by: Pick<Actor, 'id'>,
  people: ReadonlyMap<string, unknown>,
): List {
  if (!people.has(customer)) return '/orders'
  return by.id === customer ? '/human/orders' : '/human-orders'
}
