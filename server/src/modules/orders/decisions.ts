// Orders that stand still until their customer says something: delivered work, and refunds that the agent proposes.
// docs/contract/site.md#orders.
import type { Query } from '../../store/sql.ts'
import type { Order } from './orders.ts'
import { isShownIn, type OrderList } from './sources.ts'

/** So many of each kind are sought, those ordered first; a customer who answers some sees the next. */
export const mostDecisions = 20

/** What waits for a customer, the longest waiting first. */
export const waitingFor = (sql: Query, customerId: string, where: OrderList): Promise<Order[]> => sql<Order>`
  with waiting as materialized (
    (select id from orders where customer_id = ${customerId} and state = 'delivered' and ${isShownIn(where)}
      order by id limit (select ${mostDecisions}::int))
    union all
    (select o.id from (
        select * from orders where customer_id = ${customerId} and state = 'disputed' and ${isShownIn(where)}
      ) o join dispute_cases d on d.order_id = o.id and d.status <> 'resolved' and d.refund_proposed_by = o.contractor_id
      order by o.id limit (select ${mostDecisions}::int))
  )
  select o.* from waiting join orders o using (id) order by o.updated_at, o.id`
