// Requests against the orders that were offered on them, and what is counted of them against the rows.
import { part } from '../../kernel/part.ts'
import { isLastBatch, walk } from '../../store/walks.ts'
import { openOnes, records } from './requests.ts'

/** A customer's counts are checked with its first request, those of all with the last batch. */
export const requestsWalk = walk({
  over: 'service requests',
  checks: {
    'request.order': 'the order of a request is between others, or was not made from it',
    'request.offer': 'a request does not name the order made from it, or names another',
    'request.cancelled': 'a cancelled request has an order that was not rejected',
    'request.counts': 'the counted requests, of a customer or in total, are wrong',
  },
  next: (after) => part`select * from service_requests where id > ${after} order by id`,
  wrong: part`
    select c.name as check, r.id from next r
    left join lateral (select * from orders o where o.id = r.order_id offset 0) o on true
    cross join lateral (values
      ('request.order', r.order_id is not null and (o.source is distinct from 'request'
        or o.source_service_request_id is distinct from r.id or o.customer_id <> r.customer_id
        or o.contractor_id <> r.provider_id)),
      ('request.offer', (r.order_id is null) = exists (
        select 1 from orders made where made.source_service_request_id = r.id offset 0)),
      ('request.cancelled', r.status = 'cancelled' and o.state <> 'rejected')
    ) as c (name, is_wrong)
    where c.is_wrong
    union all
    select 'request.counts', first.customer_id from next first
    cross join lateral (
      select count(*) as records, count(*) filter (where r.status = 'open') as open
      from service_requests r where r.customer_id = first.customer_id offset 0
    ) rows
    where not exists (
        select 1 from service_requests earlier
        where earlier.customer_id = first.customer_id and earlier.id < first.id offset 0)
      and (rows.records, rows.open) is distinct from (
        coalesce((select value from party_counts where party_id = first.customer_id and name = ${records.name}), 0),
        coalesce((select value from party_counts where party_id = first.customer_id and name = ${openOnes.name}), 0))
    union all
    select 'request.counts', null
    where ${isLastBatch} and (
      (select count(*) from service_requests), (select count(*) from service_requests where status = 'open')
    ) is distinct from (
      (select coalesce(sum(value), 0) from counters where name = ${records.name}),
      (select coalesce(sum(value), 0) from counters where name = ${openOnes.name}))`,
})
