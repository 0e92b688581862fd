// Orders against the ledger, their payouts, their history and what is counted of them.

import { only, type Query } from '../../store/sql.ts'
import type { Batch, Walk } from '../../store/walks.ts'

const size = 500

async function verifyOrders(sql: Query, after: string): Promise<Batch> {
  return only(
    await sql<Batch>`
      with next as materialized (
        select * from orders where id > ${after} order by id limit ${size}
      ), due as (
        select o.id, line.* from next o
        cross join lateral (values
          ('reserve', 'reserve', 'available', o.customer_id, -o.total_minor),
          ('reserve', 'reserve', 'reserved', o.customer_id, o.total_minor)
        ) as line (transaction_kind, kind, account, party_id, amount_minor)
        where o.state in ('funded', 'in_progress', 'delivered', 'disputed', 'closed')
        union all
        select o.id, line.* from next o
        cross join lateral (values
          ('refund', 'refund', 'available', o.customer_id, o.total_minor),
          ('refund', 'refund', 'reserved', o.customer_id, -o.total_minor)
        ) as line (transaction_kind, kind, account, party_id, amount_minor)
        where o.outcome = 'refunded'
        union all
        select o.id, line.* from next o
        cross join lateral (
          values ('capture', 'capture', 'reserved', o.customer_id, -o.total_minor),
            ('capture', 'capture', 'fees', null::uuid, o.fee_minor)
          union all
          select 'capture', p.kind, 'available', p.party_id, p.amount_minor from order_payouts p where p.order_id = o.id
        ) as line (transaction_kind, kind, account, party_id, amount_minor)
        where o.outcome = 'accepted' and line.amount_minor <> 0
      ), posted as (
        select o.id, line.* from next o
        cross join lateral (
          select t.kind as transaction_kind, e.kind, e.account, e.party_id, e.amount_minor
          from ledger_transactions t join ledger_entries e on e.transaction_id = t.id
          where t.order_id = o.id and t.kind in ('reserve', 'capture', 'refund') offset 0
        ) line
      ), uneven as (
        select distinct id from (
          select id from (select *, 1 as side from due union all select *, -1 from posted) line
          group by id, transaction_kind, kind, account, party_id, amount_minor having sum(side) <> 0
        ) of_order
      ), wrong as (
        select c.name as check, o.id from next o left join uneven using (id)
        cross join lateral (
          select count(*) as lines, max(version) as last_version,
            (array_agg(to_state order by version desc))[1] as last_state,
            bool_or(from_state is distinct from state_before) as has_leap
          from (
            select version, from_state, to_state, lag(to_state) over (order by version) as state_before
            from order_history h where h.order_id = o.id
          ) step
        ) history
        cross join lateral (values
          ('order.ledger', uneven.id is not null),
          ('order.payouts', o.amount_minor is distinct from
            (select sum(p.amount_minor) from order_payouts p where p.order_id = o.id)),
          ('order.history', history.lines <> o.version or history.last_version is distinct from o.version
            or history.last_state is distinct from o.state or history.has_leap),
          ('order.updates', o.updates_count <> (select count(*) from order_updates u where u.order_id = o.id)),
          ('order.sides', (o.source = 'human') <> exists (
            select 1 from parties p where p.id = o.customer_id and p.kind = 'human' offset 0)
            or not exists (select 1 from parties p where p.id = o.contractor_id and p.kind = 'agent' offset 0)),
          ('order.notices', exists (
            select 1 from customer_notices n
            where n.order_id = o.id and (o.source <> 'human' or n.version > o.version) offset 0)),
          ('order.dispute', (o.state = 'disputed')
            <> exists (select 1 from dispute_cases d where d.order_id = o.id and d.status <> 'resolved')),
          ('order.reviews', (o.customer_reviewed, o.contractor_reviewed) <> (select
            coalesce(bool_or(r.author_id = o.customer_id), false), coalesce(bool_or(r.author_id = o.contractor_id), false)
            from reviews r where r.order_id = o.id))
        ) as c (name, is_wrong)
        where c.is_wrong
      )
      select max(id::text) as last, count(*)::int as seen, count(*) = ${size} as more,
        coalesce(sum(fee_minor) filter (where outcome = 'accepted'), 0)::text as minor,
        (select coalesce(json_agg(wrong), '[]') from wrong) as wrong
      from next`,
  )
}

export const ordersWalk: Walk = {
  over: 'orders',
  checks: {
    'order.ledger': 'the ledger does not match the state of an order: its reserve, payouts, fee or refund',
    'order.payouts': 'the payouts of an order do not add up to its reward',
    'order.history': 'the history of an order does not lead to its version and state',
    'order.updates': 'an order has a wrong number of updates',
    'order.sides': 'an order from a person is not between a person and an agent, or another order is',
    'order.notices': 'a customer is due an email about a version that does not exist, or about an order between agents',
    'order.dispute': 'an order is disputed without an open case, or has one without being disputed',
    'order.reviews': 'what an order says of its reviews does not match them: its agenda would ask again, or not at all',
  },
  next: verifyOrders,
}
