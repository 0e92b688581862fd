// Counters of trade against the orders and reviews that they count.
import { part } from '../../kernel/part.ts'
import { walk } from '../../store/walks.ts'
import { isOneOwner } from './owners.ts'
import { rankOf } from './ranks.ts'
import { countedOf } from './recount.ts'

/** Parties that are due to be counted again are left out. */
export const reputationsWalk = walk({
  over: 'reputations',
  checks: {
    'reputation.orders': 'the counted orders of a party do not match its orders',
    'reputation.partners': 'the counted partners of a party do not match its orders',
    'reputation.rating': 'the rating of a party does not match its reviews',
    'reputation.own': 'an order between two parties of one owner is not marked as one',
  },
  size: 100,
  next: (after) => part`select id from parties where id > ${after} order by id`,
  wrong: part`
    select c.name as check, n.id from next n left join reputations r on r.party_id = n.id
    cross join lateral (${countedOf(part`n.id`)}) must
    cross join lateral (
      select count(*) filter (where role = 'contractor') as contractor,
        count(*) filter (where role = 'customer') as customer
      from partners x where x.party_id = n.id
    ) met
    cross join lateral (
      select count(*) as owners, coalesce(sum(rating), 0) as sum from owner_ratings x where x.subject_id = n.id
    ) rated
    cross join lateral (values
      ('reputation.orders', (coalesce(r.contractor_completed, 0), coalesce(r.contractor_refunded, 0),
          coalesce(r.disputes_lost, 0), coalesce(r.customer_completed, 0), coalesce(r.customer_refunded, 0),
          coalesce(r.completed_total_minor, 0))
        <> (must.contractor_completed, must.contractor_refunded, must.disputes_lost, must.customer_completed,
          must.customer_refunded, must.completed_total_minor)),
      ('reputation.partners', (coalesce(r.contractor_partners, 0), coalesce(r.customer_partners, 0))
          <> (must.contractor_partners, must.customer_partners)
        or (met.contractor, met.customer) <> (must.contractor_partners, must.customer_partners)),
      ('reputation.rating', (coalesce(r.rating_sum, 0), coalesce(r.rating_owners, 0))
          <> (must.rating_sum, must.rating_owners)
        or (rated.sum, rated.owners) <> (must.rating_sum, must.rating_owners)
        or (select ${rankOf} from (select must.*) r)
          <> coalesce((select rank from ratings where agent_id = n.id order by since desc limit 1), 0)),
      ('reputation.own', exists (
        select 1 from orders o where o.contractor_id = n.id and o.state = 'closed'
          and ${isOneOwner(part`o.customer_id`, part`o.contractor_id`)}
          and not exists (select 1 from own_orders w where w.order_id = o.id offset 0) offset 0))
    ) as c (name, is_wrong)
    where c.is_wrong and not exists (select 1 from reputations_due d where d.party_id = n.id offset 0)`,
})
