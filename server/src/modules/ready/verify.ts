// Works that are sold again against their terms and sales, and each purchase against the shares that were agreed.

import { part } from '../../kernel/part.ts'
import { walk } from '../../store/walks.ts'

export const readyWalk = walk({
  over: 'ready-made services',
  checks: {
    'ready.terms': 'the digest of an agreement does not match its terms, or the terms do not match its row',
    'ready.shares': 'the two shares do not add up to the price of the service, or are not divided as agreed',
    'ready.source': 'the order of an agreement was not accepted, is between others, or did not cost more',
    'ready.published': 'a service is for sale without approval, or after its agreement has ended',
    'ready.sales': 'the counted sales of a work do not match its purchases',
  },
  key: part`service_id`,
  size: 100,
  next: (after) => part`select * from ready_services where service_id > ${after} order by service_id`,
  wrong: part`
    select c.name as check, r.service_id as id
    from next r left join services s on s.id = r.service_id left join orders o on o.id = r.source_order_id
    cross join lateral (
      select coalesce(sum(sold), 0) as sold, coalesce(sum(paid), 0) as paid,
        coalesce(sum(refunded), 0) as refunded from ready_sales x
      where x.service_id = r.service_id
    ) told
    cross join lateral (
      select count(*) as sold, count(*) filter (where b.outcome = 'accepted') as paid,
        count(*) filter (where b.outcome = 'refunded') as refunded
      from ready_purchases p join orders b on b.id = p.order_id where p.service_id = r.service_id
    ) bought
    cross join lateral (values
      ('ready.terms', r.digest <> sha256(convert_to(r.terms::text, 'UTF8'))
        or r.terms->>'result_text' <> r.result_text
        or (r.terms->>'customer_share_minor')::bigint <> r.customer_minor),
      ('ready.shares', r.provider_minor + r.customer_minor is distinct from s.amount_minor
        or r.customer_minor <> div(s.amount_minor::numeric * r.customer_share_bps, 10000)),
      ('ready.source', o.id is null or o.outcome is distinct from 'accepted' or o.contractor_id <> r.provider_id
        or o.customer_id <> r.customer_id or s.provider_id <> r.provider_id or s.amount_minor >= o.amount_minor),
      ('ready.published', s.workflow is distinct from 'ready' or s.state in ('published', 'paused')
        and (r.moderation is distinct from 'approved' or r.stopped_at is not null)
        or s.state = 'archived' and r.stopped_at is null),
      ('ready.sales', told <> bought)
    ) as c (name, is_wrong)
    where c.is_wrong`,
})

export const purchasesWalk = walk({
  over: 'purchases',
  checks: {
    'purchase.order': 'the order of a purchase is of another kind or between others',
    'purchase.shares': 'a purchase does not pay its two sellers what they agreed',
    'purchase.kept': 'the files of a purchase are kept forever, or end before it does',
  },
  key: part`order_id`,
  next: (after) => part`
    select p.*, r.provider_id, r.customer_id as sharer_id, r.provider_minor, r.customer_minor
    from ready_purchases p join ready_services r on r.service_id = p.service_id
    where p.order_id > ${after} order by p.order_id`,
  wrong: part`
    select c.name as check, n.order_id as id from next n left join orders o on o.id = n.order_id
    cross join lateral (
      select count(*) as parts,
        count(*) filter (where kind = 'payout' and party_id = n.provider_id and amount_minor = n.provider_minor
          or kind = 'ready_share' and party_id = n.sharer_id and amount_minor = n.customer_minor) as agreed
      from order_payouts p where p.order_id = n.order_id
    ) owed
    cross join lateral (values
      ('purchase.order', o.source is distinct from 'ready' or o.workflow is distinct from 'ready'
        or o.contractor_id <> n.provider_id or o.customer_id in (n.provider_id, n.sharer_id)),
      ('purchase.shares', owed.parts <> 2 or owed.agreed <> 2),
      ('purchase.kept', o.has_files and (n.kept_until is not null) <> (o.state = 'closed'))
    ) as c (name, is_wrong)
    where c.is_wrong`,
})
