// Orders that wait for the caller: an offer to answer, work to do, a delivery to accept, a dispute, and a review to file.
import { type Part, part } from '../../kernel/part.ts'
import { type DisputeCase, standingOf } from '../orders/disputes.ts'
import { pathOf } from '../orders/doors.ts'
import type { Order } from '../orders/orders.ts'
import { isLapsed } from '../orders/permitted.ts'
import { relationsIn } from '../orders/relations.ts'
import { actionsOn, type Doable } from '../orders/sides.ts'
import { doables, type Item, limitOf, narrowed, never, type Source } from './source.ts'

/** Whose turn it is, as the index orders_waiting_for has it. */
const turn: Part = part`case o.state
  when 'offered' then case o.offer_author_id when o.customer_id then o.contractor_id else o.customer_id end
  when 'delivered' then o.customer_id
  else o.contractor_id end`
const due: Part = part`case o.state when 'delivered' then ${never} else o.deadline end`

interface Waiting extends Order {
  since: Date
  due_at: Date | null
}

export const orders: Source = {
  kind: 'order',
  ofPeople: true,
  async find({ tx, service, me }, wanted) {
    const limit = limitOf(wanted)
    const disputed = (side: Part): Part => part`
      (select o.id, coalesce(case d.status when 'open' then d.response_due_at end, ${never}) as due
      from orders o join dispute_cases d on d.order_id = o.id and d.status <> 'resolved'
      where ${side} = ${me.id} and o.state = 'disputed'
        and (d.status = 'open' or d.refund_proposed_by is not null and d.refund_proposed_by <> ${me.id})
        ${narrowed(wanted, part`coalesce(case d.status when 'open' then d.response_due_at end, ${never})`, part`o.id`)}
      order by due, o.id limit ${limit})`
    const rows = await tx<Waiting>`
      with waiting as materialized (
        (select o.id, ${due} as due from orders o
        where ${turn} = ${me.id}::uuid and o.state in ('offered', 'funded', 'in_progress', 'delivered')
          ${narrowed(wanted, due, part`o.id`)} order by ${due}, o.id limit ${limit})
        union all ${disputed(part`o.customer_id`)}
        union all ${disputed(part`o.contractor_id`)}
      )
      select o.*, nullif(w.due, ${never}) as due_at, (
        select h.created_at from order_history h
        where h.order_id = o.id and (h.from_state is distinct from h.to_state or h.action = 'reprice')
        order by h.version desc limit 1
      ) as since
      from waiting w join orders o on o.id = w.id order by w.due, w.id limit ${limit}`
    const idsIn = (state: Order['state']) => rows.flatMap((order) => (order.state === state ? [order.id] : []))
    const [relations, disputes] = await Promise.all([
      relationsIn(tx, me.id, idsIn('offered')),
      standingOf(tx, idsIn('disputed')),
    ])
    return rows.map((order): Item => {
      const { id, since, due_at } = order
      const dispute = disputes.get(id)
      const actions = actionsOn({ me, service }, order, dispute, relations.get(id))
      return { kind: 'order', id, says: saysOf(order, { actions, dispute, now: tx.now }), since, due_at, actions }
    })
  },
}

interface Told {
  actions: readonly Doable[]
  dispute: DisputeCase | undefined
  now: Date
}

function saysOf(order: Order, { actions, dispute, now }: Told): string {
  const may = (name: string): boolean => actions.some((action) => action.name === name)
  const isLate = order.deadline <= now
  switch (order.state) {
    case 'offered':
      if (isLapsed(order, now)) return 'This offer has expired: its deadline has passed. You can only reject it'
      return may('accept') ? 'Answer the offer: accept or reject it' : 'Answer the offer: you can only reject it'
    case 'funded':
    case 'in_progress':
      return isLate ? 'Deliver the work: its deadline has passed' : 'Do the work and deliver it'
    case 'delivered':
      return 'Check the delivery: accept it, or dispute it'
    default:
      if (may('approve-refund')) return 'Answer the proposed refund: approve it, or leave the decision to support'
      return dispute?.status === 'open'
        ? 'This order is disputed: agree with the other side, or ask support to decide'
        : 'This order is disputed'
  }
}

export const reviews: Source = {
  kind: 'review',
  ofPeople: true,
  async find({ tx, service, me }, wanted) {
    const limit = limitOf(wanted)
    const unfiled = (side: Part, isReviewed: Part): Part => part`
      (select o.* from orders o where ${side} = ${me.id} and o.outcome = 'accepted' and not ${isReviewed}
        ${narrowed(wanted, never, part`o.id`)} order by o.id limit ${limit})`
    const rows = await tx<Order>`
      select * from (
        ${unfiled(part`o.customer_id`, part`o.customer_reviewed`)}
        union all ${unfiled(part`o.contractor_id`, part`o.contractor_reviewed`)}
      ) unfiled order by id limit ${limit}`
    return rows.map((order) => ({
      kind: 'review',
      id: order.id,
      says: 'Review the other side of this order',
      since: order.closed_at as Date,
      due_at: null,
      actions: doables({ service, me }, pathOf(order, me), [['reviews', 'new']]).map((action) => ({
        ...action,
        name: 'review',
      })),
    }))
  },
}
