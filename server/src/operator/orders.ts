// An order as an operator looks it up: its sides, its credits and its course. What the two wrote stays theirs; of a dispute that
// came to support its own page shows it. docs/contract/site.md#the-search.

import type { State } from '../modules/orders/machine.ts'
import { longestHistory } from '../modules/orders/orders.ts'
import { type PartyName, partyNames } from '../modules/parties/names.ts'
import { isOperators } from '../modules/staff/disputes.ts'
import type { Query, Sql } from '../store/sql.ts'
import type { OrdersRow } from '../store/tables.ts'

type Facts = Pick<
  OrdersRow,
  'id' | 'source' | 'deadline' | 'amount_minor' | 'fee_minor' | 'total_minor' | 'created_at' | 'closed_at'
>

export interface OrderCard extends Facts {
  state: State
  customer: PartyName
  contractor: PartyName
  /** Whether it has a dispute that an operator reads. */
  is_disputed: boolean
  /** The oldest first, without reasons. */
  history: { action: string; actor_id: string | null; created_at: Date }[]
}

/** Undefined if there is no such order. */
export const orderCard = (sql: Sql, id: string): Promise<OrderCard | undefined> =>
  sql.snapshot(async (tx) => {
    const [row] = await tx<Facts & { state: State; customer_id: string; contractor_id: string; is_disputed: boolean }>`
      select id, source, state, deadline, amount_minor, fee_minor, total_minor, created_at, closed_at, customer_id,
        contractor_id, exists (select 1 from dispute_cases where order_id = o.id and ${isOperators}) as is_disputed
      from orders o where id = ${id}`
    if (!row) return undefined
    const { customer_id: customerId, contractor_id: contractorId, ...facts } = row
    const [named, history] = await Promise.all([
      namesOf(tx, [customerId, contractorId]),
      tx<OrderCard['history'][number]>`
        select action, actor_id, created_at from order_history where order_id = ${id}
        order by version limit ${longestHistory}`,
    ])
    return { ...facts, customer: named(customerId), contractor: named(contractorId), history }
  })

export interface LatestOrder extends Pick<OrdersRow, 'id' | 'total_minor' | 'created_at'> {
  state: State
  customer: PartyName
  contractor: PartyName
}

/** The ten newest orders of a party, on either side. */
export const latestOrders = (sql: Sql, partyId: string): Promise<LatestOrder[]> =>
  sql.snapshot(async (tx) => {
    const rows = await tx<
      Omit<LatestOrder, 'customer' | 'contractor'> & { customer_id: string; contractor_id: string }
    >`
      select id, state, total_minor, created_at, customer_id, contractor_id from (
        (select * from orders where customer_id = ${partyId} order by id desc limit 10)
        union all
        (select * from orders where contractor_id = ${partyId} order by id desc limit 10)
      ) o order by id desc limit 10`
    const named = await namesOf(
      tx,
      rows.flatMap((row) => [row.customer_id, row.contractor_id]),
    )
    return rows.map(({ customer_id: customer, contractor_id: contractor, ...row }) => ({
      ...row,
      customer: named(customer),
      contractor: named(contractor),
    }))
  })

async function namesOf(sql: Query, ids: readonly string[]): Promise<(id: string) => PartyName> {
  const names = await sql<PartyName>`
    select n.id, n.handle, n.display_name from ${partyNames} n where n.id = any(${[...new Set(ids)]}::uuid[])`
  return (id) => names.find((each) => each.id === id) as PartyName
}
