// What a verification is made of: walks over tables by their keys, one statement a batch, so that each batch is of one
// state of the database and right beside writers.
import type { Query } from '../store/sql.ts'

/** What can differ, and what that means. */
export const checks = {
  'party.balance': 'the balances of a wallet are not the sums of its entries',
  'party.running': 'an entry does not tell the balances that the entries up to it add up to',
  'party.sequence': 'the entries of a wallet are not numbered without a gap, or not up to its last number',
  'party.granted': 'what a wallet was granted is not the sum of its grants and bonuses',
  'party.bonuses': 'the bonuses that were recorded are not those that were paid',
  'party.reserve': "a customer's reserve is not the sum of its open orders",
  'party.completed': "a contractor's total is not the sum of its accepted orders",
  'transaction.sum': 'the entries of a transaction do not sum to zero, or there are none',
  'transaction.entries': 'a transaction has entries that its kind does not have',
  'transaction.order': 'a transaction is about an order that does not exist',
  'order.ledger': 'the ledger does not hold what the state of an order says: its reserve, payouts, fee or refund',
  'order.payouts': 'the payouts of an order do not sum to its reward',
  'order.history': 'the history of an order does not lead to its version and state step by step',
  'order.updates': 'the number of updates of an order is not what the order says',
  'order.dispute': 'an order is disputed without a standing case, or has one without being disputed',
  money: 'all balances and the fees of accepted orders are not what was granted',
} as const
export type Check = keyof typeof checks

/** One thing that is not as it should be. */
export interface Difference {
  check: Check
  /** Of the party, transaction or order; null for the whole. */
  id: string | null
}

export interface Batch {
  /** The key of the last row, where the next batch begins; null where there was none. */
  last: string | null
  seen: number
  /** Whether there may be rows after `last`. */
  more: boolean
  /** What the rows add to the money identity, in minor units: it is zero over all. */
  minor: string
  wrong: Difference[]
}

export type Walk = (sql: Query, after: string) => Promise<Batch>
