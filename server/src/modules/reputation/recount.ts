// Counting a party's trade again from its orders and reviews: after the owner of a passport became known, or an account was
// closed. A queue, because a partner may have many orders. docs/contract/reviews.md#owners.
import { type Part, part } from '../../kernel/part.ts'
import type { Sql, Tx } from '../../store/sql.ts'
import { hold, isRating, leastCounted } from './counters.ts'
import { dropOwner, isOneOwner, noteOwner } from './owners.ts'
import { rank } from './ranks.ts'

/** Notes the owner of a passport that may have traded before: it and its partners are counted again. */
export async function linkOwner(tx: Tx, partyId: string, email: string): Promise<void> {
  // An order that ends at this moment waits and then finds the owner, or it ended before and is counted again.
  hold(tx, [partyId])
  await noteOwner(tx, partyId, email)
  await queueAround(tx, partyId)
}

/** Forgets the owner of a closed account: its partners are counted without it from now on. */
export async function forgetOwner(tx: Tx, partyId: string): Promise<void> {
  hold(tx, [partyId])
  if (await dropOwner(tx, partyId)) await queueAround(tx, partyId)
}

async function queueAround(tx: Tx, partyId: string): Promise<void> {
  await tx`
    insert into reputations_due (party_id)
    select id from (
      select contractor_id as id from orders where customer_id = ${partyId}
      union select customer_id from orders where contractor_id = ${partyId}
      union select ${partyId}::uuid
    ) around order by id on conflict do nothing`
}

/** The closed orders of a party that count, from its side: `role, other_id, is_completed, is_lost, total_minor`. */
const countedOrders = (partyId: Part): Part => part`
  select side.role, side.other_id, side.outcome = 'accepted' as is_completed, side.total_minor,
    side.outcome = 'refunded' and exists (
      select 1 from dispute_cases c
      where c.order_id = side.id and c.decision = 'refund' and c.decision_reason is not null offset 0) as is_lost
  from (
    select id, 'contractor' as role, customer_id as other_id, outcome, total_minor from orders
    where contractor_id = ${partyId} and state = 'closed'
    union all
    select id, 'customer', contractor_id, outcome, total_minor from orders
    where customer_id = ${partyId} and state = 'closed'
  ) side
  where side.total_minor >= ${leastCounted}
    and not exists (select 1 from own_orders w where w.order_id = side.id offset 0)`

/** The owners with whom a party completed orders that count: `role, owner_id`. */
const countedPartners = (partyId: Part): Part => part`
  select distinct o.role, p.owner_id from (${countedOrders(partyId)}) o join party_owners p on p.party_id = o.other_id
  where o.is_completed`

/** The ratings of a party that count: `owner_id, id, rating`. */
const countedRatings = (partyId: Part): Part => part`
  select distinct on (p.owner_id) p.owner_id, r.id, r.rating
  from reviews r join party_owners p on p.party_id = r.author_id
  where r.subject_id = ${partyId} and ${isRating} order by p.owner_id, r.id desc`

/** What the counters of a party must be, in the order of the columns of its row. */
export const countedOf = (partyId: Part): Part => part`
  select bought.*, partners.*, ratings.* from (
    select count(*) filter (where role = 'contractor' and is_completed)::int as contractor_completed,
      count(*) filter (where role = 'contractor' and not is_completed)::int as contractor_refunded,
      count(*) filter (where role = 'contractor' and is_lost)::int as disputes_lost,
      count(*) filter (where role = 'customer' and is_completed)::int as customer_completed,
      count(*) filter (where role = 'customer' and not is_completed)::int as customer_refunded,
      coalesce(sum(total_minor) filter (where role = 'contractor' and is_completed), 0)::bigint as completed_total_minor
    from (${countedOrders(partyId)}) o
  ) bought, (
    select count(*) filter (where role = 'contractor')::int as contractor_partners,
      count(*) filter (where role = 'customer')::int as customer_partners
    from (${countedPartners(partyId)}) p
  ) partners, (
    select coalesce(sum(rating), 0)::bigint as rating_sum, count(*)::int as rating_owners
    from (${countedRatings(partyId)}) r
  ) ratings`

const batch = 20

/** Counts the next of the queue again, one in each transaction; true when there may be more. */
export async function recountDue(sql: Sql): Promise<boolean> {
  for (let done = 0; done < batch; done++) if (!(await sql.transaction(recountNext))) return false
  return true
}

async function recountNext(tx: Tx): Promise<boolean> {
  const [due] = await tx<{ party_id: string }>`
    delete from reputations_due where party_id = (
      select party_id from reputations_due order by party_id limit 1 for update skip locked) returning party_id`
  if (!due) return false
  await recount(tx, due.party_id)
  return true
}

async function recount(tx: Tx, partyId: string): Promise<void> {
  const party = part`${partyId}::uuid`
  hold(tx, [partyId])
  tx.write`
    insert into own_orders (order_id)
    select id from orders o where ${party} in (customer_id, contractor_id) and state = 'closed'
      and ${isOneOwner(part`o.customer_id`, part`o.contractor_id`)} on conflict do nothing`
  tx.write`delete from partners where party_id = ${partyId}`
  tx.write`
    insert into partners (party_id, role, owner_id)
    select ${partyId}::uuid, role, owner_id from (${countedPartners(party)}) p`
  tx.write`delete from owner_ratings where subject_id = ${partyId}`
  tx.write`
    insert into owner_ratings (subject_id, owner_id, review_id, rating)
    select ${partyId}::uuid, owner_id, id, rating from (${countedRatings(party)}) r`
  tx.write`
    update reputations r set contractor_completed = c.contractor_completed, contractor_refunded = c.contractor_refunded,
      disputes_lost = c.disputes_lost, customer_completed = c.customer_completed,
      customer_refunded = c.customer_refunded, completed_total_minor = c.completed_total_minor,
      contractor_partners = c.contractor_partners, customer_partners = c.customer_partners,
      rating_sum = c.rating_sum, rating_owners = c.rating_owners
    from (${countedOf(party)}) c where r.party_id = ${partyId}`
  rank(tx, partyId)
}
