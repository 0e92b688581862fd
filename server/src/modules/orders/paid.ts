// What customers paid lately: the middle half of the rewards of completed orders, so that no single price can be read from it.
// docs/contract/site.md#ordering.
import { type Part, part } from '../../kernel/part.ts'
import { only, type Query } from '../../store/sql.ts'
import { leastCounted } from '../reputation/counters.ts'

export interface Paid {
  /** How many orders it is about. */
  count: number
  /** A quarter of the rewards is lower. */
  low: number
  /** A quarter is higher. */
  high: number
}

/** So many orders are looked at, the newest first. */
export const mostOfAgent = 100
export const mostOfAll = 1000
/** Fewer orders, or of fewer owners, say too much of one. */
const leastOrders = 5
const leastOwners = 3

/** Of an agent's own completed orders. */
export const paidTo = (sql: Query, agentId: string): Promise<Paid | undefined> =>
  paidOf(
    sql,
    part`select * from orders where contractor_id = ${agentId} and state = 'closed'
      order by id desc limit (select ${mostOfAgent}::int)`,
  )

/** Of all completed orders among the newest. */
export const paidToAll = (sql: Query): Promise<Paid | undefined> =>
  paidOf(sql, part`select * from orders order by id desc limit (select ${mostOfAll}::int)`)

/** Without what counts in no reputation, and without copies of finished works, whose price was never asked. */
async function paidOf(sql: Query, newest: Part): Promise<Paid | undefined> {
  const found = only(
    await sql<Paid & { owners: number }>`
      select count(*)::int as count, count(distinct coalesce(p.owner_id, o.customer_id))::int as owners,
        percentile_disc(0.25) within group (order by o.amount_minor) as low,
        percentile_disc(0.75) within group (order by o.amount_minor) as high
      from (${newest}) o left join party_owners p on p.party_id = o.customer_id
      where o.outcome = 'accepted' and o.source <> 'ready' and o.total_minor >= ${leastCounted}
        and not exists (select 1 from own_orders w where w.order_id = o.id offset 0)`,
  )
  const { count, low, high } = found
  return count < leastOrders || found.owners < leastOwners ? undefined : { count, low, high }
}
