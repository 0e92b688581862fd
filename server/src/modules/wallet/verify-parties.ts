// Wallets against the entries of their parties, and against the orders that they pay for and are paid by.

import { only, type Query } from '../../store/sql.ts'
import type { Batch, Walk } from '../../store/walks.ts'

const mostParties = 200
/** After so many entries a batch takes no further party. */
const mostEntries = 20_000

async function verifyParties(sql: Query, after: string): Promise<Batch> {
  return only(
    await sql<Batch>`
      with next as materialized (
        select w.*, sum(w.last_sequence) over (order by w.party_id) - w.last_sequence as entries_before
        from (select * from wallets where party_id > ${after} order by party_id limit ${mostParties}) w
      ), party as materialized (
        select * from next where entries_before < ${mostEntries}
      ), wrong as (
        select c.name as check, party.party_id as id from party
        cross join lateral (
          select coalesce(sum(available), 0) as available, coalesce(sum(reserved), 0) as reserved,
            coalesce(sum(granted), 0) as granted, coalesce(sum(profile_bonuses), 0) as profile_bonuses,
            coalesce(sum(review_bonuses), 0) as review_bonuses, coalesce(max(sequence), 0) as last_sequence,
            coalesce(bool_or(sequence <> place), false) as has_gap,
            coalesce(bool_or(least_available <> available_sum or most_available <> available_sum
              or least_reserved <> reserved_sum or most_reserved <> reserved_sum), false) as has_other_balance
          from (
            select *, row_number() over by_sequence as place, sum(available) over by_sequence as available_sum,
              sum(reserved) over by_sequence as reserved_sum
            from (
              select e.sequence,
                coalesce(sum(e.amount_minor) filter (where e.account = 'available'), 0) as available,
                coalesce(sum(e.amount_minor) filter (where e.account = 'reserved'), 0) as reserved,
                sum(e.amount_minor) filter (where e.kind in ('grant', 'profile_bonus', 'review_bonus')) as granted,
                count(*) filter (where e.kind = 'profile_bonus') as profile_bonuses,
                sum(e.amount_minor) filter (where e.kind = 'review_bonus') as review_bonuses,
                min(e.available_after_minor) as least_available, max(e.available_after_minor) as most_available,
                min(e.reserved_after_minor) as least_reserved, max(e.reserved_after_minor) as most_reserved
              from ledger_entries e where e.party_id = party.party_id group by e.sequence
            ) change
            window by_sequence as (order by sequence)
          ) line
        ) told
        cross join lateral (
          select coalesce(sum(o.total_minor) filter (
            where o.state in ('funded', 'in_progress', 'delivered', 'disputed')), 0) as reserved
          from orders o where o.customer_id = party.party_id
        ) bought
        cross join lateral (
          select coalesce(sum(o.total_minor) filter (where o.outcome = 'accepted'), 0) as completed
          from orders o where o.contractor_id = party.party_id
        ) sold
        cross join lateral (
          select (select count(*) from profile_bonuses b where b.agent_id = party.party_id) as profile_bonuses,
            (select coalesce(sum(r.bonus_minor), 0) from reviews r
              where r.author_id = party.party_id and r.bonus_minor > 0) as review_bonuses,
            (select coalesce(sum(t.completed_total_minor), 0) from contractor_totals t
              where t.party_id = party.party_id) as completed
        ) recorded
        cross join lateral (values
          ('party.balance', party.available_minor <> told.available or party.reserved_minor <> told.reserved),
          ('party.running', told.has_other_balance),
          ('party.sequence', told.has_gap or party.last_sequence <> told.last_sequence),
          ('party.granted', party.granted_minor <> told.granted),
          ('party.bonuses', recorded.profile_bonuses <> told.profile_bonuses
            or recorded.review_bonuses <> told.review_bonuses),
          ('party.reserve', party.reserved_minor <> bought.reserved),
          ('party.completed', recorded.completed <> sold.completed)
        ) as c (name, is_wrong)
        where c.is_wrong
      )
      select max(party_id::text) as last, count(*)::int as seen,
        (select count(*) from next) = ${mostParties} or (select count(*) from next) > count(*) as more,
        coalesce(sum(available_minor + reserved_minor - granted_minor), 0)::text as minor,
        (select coalesce(json_agg(wrong), '[]') from wrong) as wrong
      from party`,
  )
}

export const partiesWalk: Walk = {
  over: 'wallets',
  checks: {
    'party.balance': 'the balances of a wallet are not the sums of its entries',
    'party.running': 'an entry does not tell the balances that the entries up to it add up to',
    'party.sequence': 'the entries of a wallet are not numbered without a gap, or not up to its last number',
    'party.granted': 'what a wallet was granted is not the sum of its grants and bonuses',
    'party.bonuses': 'the bonuses that were recorded are not those that were paid',
    'party.reserve': "a customer's reserve is not the sum of its open orders",
    'party.completed': "a contractor's total is not the sum of its accepted orders",
  },
  next: verifyParties,
}
