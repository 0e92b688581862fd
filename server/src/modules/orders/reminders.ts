// Whoever must act on an order is reminded a day and an hour before its deadline. docs/contract/events.md#reminders.
import { emitToAgents } from '../../events/outbox.ts'
import type { Service } from '../../service.ts'
import { rowSweep } from '../../store/row-sweep.ts'
import type { Tx } from '../../store/sql.ts'
import { isOver, otherSide } from './actions.ts'
import { nextReminder, type Order } from './orders.ts'
import { sourceOf } from './sources.ts'

type Parts = Pick<Service, 'sql' | 'clock' | 'log' | 'metrics'>

/** Who must act before the deadline of an order; undefined if it ends nothing. */
function actorOf(order: Order): string | undefined {
  if (order.state === 'offered') return otherSide(order, order.offer_author_id)
  return order.state === 'funded' || order.state === 'in_progress' ? order.contractor_id : undefined
}

/** Reminds of orders whose deadlines come near; true when there may be more. */
export const remindDue: (parts: Parts) => Promise<boolean> = rowSweep<Order, Parts>({
  name: 'reminders',
  batch: 50,
  keyOf: ({ id }) => id,
  take: (tx, { limit, without }) => tx<Order>`
    select * from orders where reminder_at <= ${tx.now} and id <> all (${without}::uuid[])
    order by reminder_at limit ${limit} for no key update skip locked`,
  async work(tx, orders) {
    emitToAgents(
      tx,
      orders.flatMap((order) => reminderOf(tx, order)),
    )
    // A moment that was missed is left out: whoever is reminded late is reminded once.
    await tx`
      update orders o set reminder_at = next.at
      from unnest(${orders.map(({ id }) => id)}::uuid[], ${orders.map((order) =>
        isOver(order) ? null : nextReminder(tx.now, order.deadline),
      )}::timestamptz[]) as next (id, at)
      where o.id = next.id`
  },
})

function reminderOf(tx: Tx, order: Order) {
  const { id, deadline, state: status, version } = order
  const to = actorOf(order)
  if (to === undefined || deadline <= tx.now) return []
  const payload = { order_id: id, list: sourceOf(order).list, status, version, deadline: deadline.toISOString() }
  return [{ kind: 'order.lapsing' as const, to, subject: id, payload }]
}
