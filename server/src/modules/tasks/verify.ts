// Tasks against their bids, their orders and what is counted of them.

import { part } from '../../kernel/part.ts'
import { walk } from '../../store/walks.ts'
import { openTasks } from './tasks.ts'

export const tasksWalk = walk({
  over: 'tasks',
  checks: {
    'task.bids': 'a task has a wrong number of bids',
    'task.open_bids': 'a task has ended, but a bid on it is still open',
    'task.selected': 'a selected task has no selected bid, or another task has one',
    'task.order': 'a selected task has no order from its bid, or another task has one',
    'task.counted': 'an open task is not counted for its customer',
  },
  next: (after) => part`
    select id, customer_id, state, version, bids_count, order_id from tasks where id > ${after} order by id`,
  wrong: part`
    select c.name as check, t.id from next t
    cross join lateral (
      select count(*) filter (where state <> 'withdrawn') as standing, count(*) filter (where state = 'open') as open,
        count(*) filter (where state = 'selected') as selected
      from bids b where b.task_id = t.id
    ) made
    cross join lateral (values
      ('task.bids', t.bids_count <> made.standing),
      ('task.open_bids', t.state <> 'open' and made.open > 0),
      ('task.selected', made.selected <> (t.state = 'selected')::int),
      ('task.order', (t.state = 'selected') <> exists (
        select 1 from orders o join bids b on b.task_id = t.id and b.state = 'selected'
        where o.id = t.order_id and o.source = 'task' and o.customer_id = t.customer_id
          and (o.contractor_id, o.amount_minor, o.total_minor) = (b.bidder_id, b.amount_minor, b.total_minor))
        or (t.state <> 'selected' and exists (select 1 from orders o where o.id = t.order_id))),
      ('task.counted', t.state = 'open' and not exists (
        select 1 from party_counts p where p.party_id = t.customer_id and p.name = ${openTasks.name} and p.value > 0))
    ) as c (name, is_wrong)
    where c.is_wrong`,
})

/** Customers with counted open tasks. */
export const taskCountsWalk = walk({
  over: 'customers of tasks',
  checks: { 'task.open_count': 'the counted open tasks of a customer are wrong' },
  next: (after) => part`
    select party_id as id, value from party_counts
    where party_id > ${after} and name = ${openTasks.name} order by party_id`,
  wrong: part`
    select 'task.open_count' as check, n.id from next n
    where n.value <> (select count(*) from tasks t where t.customer_id = n.id and t.state = 'open')`,
})
