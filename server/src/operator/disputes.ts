// What the operator does where support would, or nobody else is: sees the disputes and decides them.

import type { Config } from '../config.ts'
import { earlier } from '../kernel/clock.ts'
import { showCase } from '../modules/orders/show.ts'
import { decide, overdueAfter, type Verdict } from '../modules/orders/support.ts'
import { type Dispute, list } from '../modules/staff/disputes.ts'
import type { Sql, Tx } from '../store/sql.ts'
import { checkReason, OperatorError } from './operator.ts'

/** Escalated ones that wait longer than a day are overdue. */
export type Waiting = Dispute & { overdue: boolean }

export interface Disputes {
  disputes: Waiting[]
  /** Of which so many are shown, the oldest first. */
  total: number
}

const most = 200

/** The cases that wait for support, and with `all` those that are with their two sides, in one state of the database. */
export function disputes(sql: Sql, all: boolean): Promise<Disputes> {
  return sql.snapshot(async (tx) => {
    const page = { page: 1, page_size: most }
    const escalated = await list(tx, 'escalated', page)
    const open = all ? await list(tx, 'open', page) : { disputes: [], total: 0 }
    const limit = earlier(tx.now, overdueAfter).toISOString()
    const isOverdue = ({ dispute_case: { escalated_at: at } }: Dispute): boolean => at !== null && at <= limit
    const found = [...escalated.disputes, ...open.disputes]
    return {
      disputes: found.map((dispute) => ({ overdue: isOverdue(dispute), ...dispute })),
      total: escalated.total + open.total,
    }
  })
}

export interface Decided {
  dispute_case: ReturnType<typeof showCase>
}

/** Decides the escalated case of an order. */
export async function decideDispute(tx: Tx, actor: string, verdict: Verdict, config: Config): Promise<Decided> {
  const reason = checkReason(verdict.reason)
  const [disputed] = await tx`select 1 from dispute_cases where order_id = ${verdict.orderId} limit 1`
  if (!disputed) throw new OperatorError(`There is no dispute about an order ${verdict.orderId}`)
  return { dispute_case: showCase(await decide(tx, { actor }, { ...verdict, reason }, config)) }
}
