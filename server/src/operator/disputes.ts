// What the operator does where support would, or nobody else is: sees the disputes and decides them.

import type { Config } from '../config.ts'
import { earlier } from '../kernel/clock.ts'
import type { Page } from '../kernel/lists.ts'
import { showDisputeCase } from '../modules/orders/show.ts'
import { decide, overdueAfter, type Verdict } from '../modules/orders/support.ts'
import { type Dispute, findNewest, list } from '../modules/staff/disputes.ts'
import type { Sql, Tx } from '../store/sql.ts'
import { checkReason, OperatorError } from './operator.ts'
import { type Dealings, type DecidedDispute, dealingsOf, disputesAlike } from './precedents.ts'

/** Escalated ones that wait longer than a day are overdue. */
export type Waiting = Dispute & { overdue: boolean }

export interface Disputes {
  disputes: Waiting[]
  /** Of which so many are shown, the oldest first. */
  total: number
}

const most = 200

const isOverdue = ({ dispute_case: { status, escalated_at: at } }: Dispute, now: Date): boolean =>
  status === 'escalated' && at !== null && at <= earlier(now, overdueAfter).toISOString()

/** The cases that wait for support, and with `all` those that are with their two sides, in one state of the database. */
export function disputes(sql: Sql, all: boolean): Promise<Disputes> {
  return sql.snapshot(async (tx) => {
    const page = { page: 1, page_size: most }
    const escalated = await list(tx, 'escalated', page)
    const open = all ? await list(tx, 'open', page) : { rows: [], total: 0 }
    const found = [...escalated.rows, ...open.rows]
    return {
      disputes: found.map((dispute) => ({ overdue: isOverdue(dispute, tx.now), ...dispute })),
      total: escalated.total + open.total,
    }
  })
}

export type Queue = 'escalated' | 'open' | 'resolved'

/** A page of the cases of a queue: what support has to decide, what is with its two sides, what support has decided. */
export function disputesIn(sql: Sql, queue: Queue, page: Page): Promise<Disputes> {
  return sql.snapshot(async (tx) => {
    const { rows, total } = await list(tx, queue === 'resolved' ? 'decided' : queue, page)
    return { disputes: rows.map((dispute) => ({ overdue: isOverdue(dispute, tx.now), ...dispute })), total }
  })
}

/** That case ({@link findNewest}) with what helps to decide it. */
export const disputeOf = (sql: Sql, orderId: string): Promise<WholeDispute | undefined> =>
  sql.snapshot(async (tx) => {
    const found = await findNewest(tx, orderId)
    if (!found) return undefined
    const { customer, contractor } = found.order
    const [dealings, alike] = await Promise.all([
      dealingsOf(tx, [customer.id, contractor.id]),
      disputesAlike(tx, orderId),
    ])
    return { ...found, dealings, alike }
  })

export type WholeDispute = Dispute & {
  /** Of both sides, by their IDs. */
  dealings: ReadonlyMap<string, Dealings>
  /** The latest decisions on others. */
  alike: DecidedDispute[]
}

export interface Decided {
  dispute_case: ReturnType<typeof showDisputeCase>
}

export async function decideDispute(tx: Tx, actor: string, verdict: Verdict, config: Config): Promise<Decided> {
  const reason = checkReason(verdict.reason)
  const [disputed] = await tx`select 1 from dispute_cases where order_id = ${verdict.orderId} limit 1`
  if (!disputed) throw new OperatorError(`There is no dispute about an order ${verdict.orderId}`)
  return { dispute_case: showDisputeCase(await decide(tx, { actor }, { ...verdict, reason }, config)) }
}
