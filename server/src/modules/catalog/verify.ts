// What is counted and listed of services and quotes, against the rows themselves.
import { part } from '../../kernel/part.ts'
import { isLastBatch, walk } from '../../store/walks.ts'
import { isOpen } from '../identity/passport.ts'
import { isHidden } from '../moderation/hidden.ts'
import { quoteQuota } from './quotes.ts'
import { serviceQuota } from './services.ts'

/** What each party has; with the last batch, what all have. */
export const countsWalk = walk({
  over: 'parties with services and quotes',
  checks: {
    'services.counted': 'the counted services or quotes of an agent are wrong',
    'services.total': 'the total of services or quotes is not the sum over all agents',
  },
  next: (after) => part`select id from parties where id > ${after} order by id`,
  wrong: part`
    select 'services.counted' as check, next.id from next
    cross join lateral (values
      (${serviceQuota.name}, (select count(*) from services s where s.provider_id = next.id)),
      (${quoteQuota.name}, (select count(*) from service_quotes q where q.customer_id = next.id and q.order_id is null))
    ) as there (name, things)
    where there.things <> coalesce((
      select c.value from party_counts c where c.party_id = next.id and c.name = there.name), 0)
    union all
    select 'services.total', null from unnest(${[serviceQuota.name, quoteQuota.name]}::text[]) as each (name)
    where ${isLastBatch}
      and (select coalesce(sum(value), 0) from counters c where c.name = each.name)
        <> (select coalesce(sum(value), 0) from party_counts c where c.name = each.name)`,
})

export const servicesWalk = walk({
  over: 'services',
  checks: { 'service.listed': 'the listing of a service does not match its state and its provider' },
  next: (after) => part`select * from services where id > ${after} order by id`,
  wrong: part`
    select 'service.listed' as check, s.id from next s join agents a on a.id = s.provider_id
    left join listed_services l on l.service_id = s.id
    where case
      when s.state in ('published', 'paused') and ${isOpen} and not ${isHidden('service', part`s.id`)}
      then (l.provider_id, l.state, l.price_mode, l.unit_label, l.total_minor)
        is distinct from (s.provider_id, s.state, s.price_mode, s.unit_folded, s.total_minor)
      else l.service_id is not null end`,
})

export const quotesWalk = walk({
  over: 'quotes',
  checks: { 'quote.order': 'a quote does not match the order made with it, or its price' },
  next: (after) => part`select * from service_quotes where id > ${after} order by id`,
  wrong: part`
    select 'quote.order' as check, q.id from next q left join orders o on o.source_service_quote_id = q.id
    where (o.id, o.customer_id, o.contractor_id, o.total_minor)
      is distinct from (q.order_id, case when q.order_id is not null then q.customer_id end,
        case when q.order_id is not null then q.provider_id end,
        case when q.order_id is not null then q.total_minor end)`,
})
