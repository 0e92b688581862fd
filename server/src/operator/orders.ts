// An order as an operator looks it up: its sides, its credits and its course. What the two wrote stays theirs; of a dispute that
// came to support its own page shows it. docs/contract/site.md#the-search.

import type { Page } from '../kernel/lists.ts'
import { part } from '../kernel/part.ts'
import type { State } from '../modules/orders/machine.ts'
import { longestHistory } from '../modules/orders/orders.ts'
import { type PartyName, partyNames } from '../modules/parties/names.ts'
import { isOperators } from '../modules/staff/disputes.ts'
import { pageOf } from '../store/page-of.ts'
import type { Query, Sql } from '../store/sql.ts'
import type { OrdersRow } from '../store/tables.ts'

type Facts = Pick<
  OrdersRow,
  'id' | 'source' | 'deadline' | 'amount_minor' | 'fee_minor' | 'total_minor' | 'created_at' | 'closed_at'
>

interface OrderCard extends Facts {
  state: State
  customer: PartyName
  contractor: PartyName
  /** Whether it has a dispute that an operator reads. */
  is_disputed: boolean
  /** The oldest first, without reasons. */
  history: { action: string; actor_id: string | null; created_at: Date }[]
}

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

export const orderSides = ['customer', 'contractor'] as const

export interface ListedOrder extends Pick<OrdersRow, 'id' | 'total_minor' | 'created_at'> {
  state: State
  customer: PartyName
  contractor: PartyName
}

interface ListedOrders {
  orders: ListedOrder[]
  /** Up to {@link mostOrdersListed}. */
  total: number
  isCut: boolean
}

/** So many are listed, the newest; any other is found by its ID. */
const mostOrdersListed = 1000

/** A page of a party's orders on either side, or on one of them, the newest first. */
export async function ordersOf(
  sql: Query,
  partyId: string,
  { side, state, ...page }: Page & { side?: (typeof orderSides)[number] | undefined; state?: State | undefined },
): Promise<ListedOrders> {
  const inState = state === undefined ? part`` : part`and state = ${state}`
  const those = orderSides
    .filter((each) => side === undefined || each === side)
    .map((each) => part`from orders where ${sideColumns[each]} = ${partyId} ${inState}`)
  const { rows, total } = await pageOf<ListedOrder & { customer_id: string; contractor_id: string }>(sql, page, {
    those,
    columns: part`id, state, total_minor, created_at, customer_id, contractor_id`,
    most: mostOrdersListed + 1,
  })
  const named = await namesOf(
    sql,
    rows.flatMap((row) => [row.customer_id, row.contractor_id]),
  )
  const orders = rows.map(({ customer_id: customer, contractor_id: contractor, ...row }) => ({
    ...row,
    customer: named(customer),
    contractor: named(contractor),
  }))
  return { orders, total: Math.min(total, mostOrdersListed), isCut: total > mostOrdersListed }
}

const sideColumns = { customer: part`customer_id`, contractor: part`contractor_id` }

async function namesOf(sql: Query, ids: readonly string[]): Promise<(id: string) => PartyName> {
  const names = await sql<PartyName>`
    select n.id, n.handle, n.display_name from ${partyNames} n where n.id = any(${[...new Set(ids)]}::uuid[])`
  return (id) => names.find((each) => each.id === id) as PartyName
}
