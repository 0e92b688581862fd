// The ledger's transactions: each sums to zero and has the entries of its kind.

import { part } from '../../kernel/part.ts'
import { walk } from '../../store/walks.ts'

/** A grant comes from the platform, a capture may leave it a fee, and all else moves in one wallet. */
export const transactionsWalk = walk({
  over: 'transactions',
  checks: {
    'transaction.sum': 'the entries of a transaction do not sum to zero, or there are none',
    'transaction.entries': 'a transaction has entries that its kind does not have',
    'transaction.order': 'a transaction is about an order that does not exist',
  },
  size: 1000,
  next: (after) => part`select * from ledger_transactions where id > ${after} order by id`,
  wrong: part`
    select c.name as check, next.id from next
    cross join lateral (
      select sum(e.amount_minor) as sum,
        count(*) filter (where e.account = 'grants' and e.amount_minor < 0 and e.kind = next.kind) as grants,
        count(*) filter (where e.account = 'fees' and e.amount_minor > 0 and e.kind = next.kind) as fees,
        count(*) filter (where e.party_id is null) as platform,
        count(*) filter (where e.party_id is not null) as party,
        coalesce(bool_and(e.kind = next.kind or next.kind = 'capture' and e.kind in ('payout', 'ready_share')), true)
          as has_its_kinds
      from ledger_entries e where e.transaction_id = next.id
    ) line
    cross join lateral (values
      ('transaction.sum', line.sum is distinct from 0),
      ('transaction.entries', line.platform + line.party > 0 and not (line.has_its_kinds and case
        when next.kind in ('grant', 'profile_bonus', 'review_bonus')
          then line.grants = 1 and line.platform = 1 and line.party = 1
        when next.kind = 'capture' then line.platform = line.fees and line.fees <= 1 and line.party >= 2
        else line.platform = 0 and line.party = 2 end)),
      ('transaction.order', next.order_id is not null
        and not exists (select 1 from orders o where o.id = next.order_id))
    ) as c (name, is_wrong)
    where c.is_wrong`,
})
