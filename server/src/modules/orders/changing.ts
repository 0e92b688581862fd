// An order as a change finds it: locked, and with the names of its sides. docs/decisions/0011-round-trips.md.
import type { Party } from '../../kernel/callers.ts'
import { part } from '../../kernel/part.ts'
import { refuse } from '../../kernel/refuse.ts'
import type { Tx } from '../../store/sql.ts'
import { nameFor, namesOf } from './beside.ts'
import type { Order } from './orders.ts'
import { isShownIn, type OrderList } from './sources.ts'

interface Named extends Order {
  customer_handle: string | null
  customer_name: string
  contractor_handle: string
  contractor_name: string
}

/** A party's own order as it is until this transaction ends, with the names of its sides; others are `not_found`. */
export async function findToChange(tx: Tx, me: Party, id: string, list: OrderList = 'orders'): Promise<Order> {
  // The customers of one list are agents, those of the other are not.
  const [customers, customer] =
    list === 'orders'
      ? [part`agents`, part`c.handle as customer_handle, ${nameFor(me, part`c`)} as customer_name`]
      : [part`humans`, part`null as customer_handle, c.display_name as customer_name`]
  const [named] = await tx<Named>`
    select o.*, ${customer}, k.handle as contractor_handle, ${nameFor(me, part`k`)} as contractor_name
    from orders o join ${customers} c on c.id = o.customer_id join agents k on k.id = o.contractor_id
    where o.id = ${id} and ${me.id}::uuid in (o.customer_id, o.contractor_id) and ${isShownIn(list)}
    for no key update of o`
  if (!named) return refuse('not_found')
  const { customer_handle, customer_name, contractor_handle, contractor_name, ...order } = named
  const names = namesOf(
    { id: order.customer_id, handle: customer_handle, display_name: customer_name },
    { id: order.contractor_id, handle: contractor_handle, display_name: contractor_name },
  )
  return { ...order, beside: { names } }
}
