// What is counted of each party's trade, in the transaction of what it counts, so that a card reads one row.
// docs/contract/reviews.md#reputation.
import { days, earlier } from '../../kernel/clock.ts'
import { type Part, part } from '../../kernel/part.ts'
import { byId, gathered } from '../../store/gather.ts'
import { only, type Query, type Tx } from '../../store/sql.ts'
import type { OrdersRow, ReviewsRow } from '../../store/tables.ts'
import { isHidden } from '../moderation/hidden.ts'
import { isOneOwner } from './owners.ts'
import { rank } from './ranks.ts'

/** Orders with a lower full price count nowhere in a reputation, in minor units. */
export const leastCounted = 100
/** How long a customer may leave a delivery unanswered before that shows. */
const answerTime: number = days(7)

type Sides = Pick<OrdersRow, 'id' | 'customer_id' | 'contractor_id' | 'total_minor'>

/** How an order ended: `lost` if support decided to refund it. */
export type Ending = 'completed' | 'refunded' | 'lost'

/**
 * Holds the counters of parties until this transaction ends, in one order. What follows reads owners and reviews in a later
 * statement, so it sees what anyone wrote who held them before.
 */
export function hold(tx: Tx, partyIds: readonly string[]): void {
  tx.write`
    insert into reputations (party_id) select distinct id from unnest(${partyIds}::uuid[]) as t (id) order by id
    on conflict (party_id) do update set party_id = excluded.party_id`
}

/** Counts an order that ends now, for both of its sides. */
export function settle(tx: Tx, order: Sides, ending: Ending): void {
  const { id, customer_id: customer, contractor_id: contractor } = order
  hold(tx, [customer, contractor])
  const isOwn = isOneOwner(part`${customer}::uuid`, part`${contractor}::uuid`)
  tx.write`insert into own_orders (order_id) select ${id}::uuid where ${isOwn}`
  if (order.total_minor < leastCounted) return
  const [completed, refunded, lost] = [ending === 'completed', ending !== 'completed', ending === 'lost'].map(Number)
  tx.write`
    update reputations r set
      contractor_completed = r.contractor_completed + is_contractor * ${completed}::int,
      contractor_refunded = r.contractor_refunded + is_contractor * ${refunded}::int,
      disputes_lost = r.disputes_lost + is_contractor * ${lost}::int,
      customer_completed = r.customer_completed + (1 - is_contractor) * ${completed}::int,
      customer_refunded = r.customer_refunded + (1 - is_contractor) * ${refunded}::int,
      completed_total_minor = r.completed_total_minor + is_contractor * ${completed}::int * ${order.total_minor}::bigint
    from (values (${contractor}::uuid, 1), (${customer}::uuid, 0)) as side (party_id, is_contractor)
    where r.party_id = side.party_id and not ${isOwn}`
  if (ending !== 'completed') return
  tx.write`
    with met as (
      insert into partners (party_id, role, owner_id)
      select side.party_id, side.role, o.owner_id
      from (values (${contractor}::uuid, 'contractor', ${customer}::uuid), (${customer}::uuid, 'customer', ${contractor}::uuid))
        as side (party_id, role, other_id)
      join party_owners o on o.party_id = side.other_id
      where not ${isOwn} on conflict do nothing returning party_id, role
    )
    update reputations r set contractor_partners = r.contractor_partners + (met.role = 'contractor')::int,
      customer_partners = r.customer_partners + (met.role = 'customer')::int
    from met where r.party_id = met.party_id`
}

/** Of reviews `r`: whether the rating counts if it is the newest of its owner. */
export const isRating: Part = part`r.subject_role = 'contractor' and r.revealed
  and not ${isHidden('review', part`r.id`)}
  and not exists (select 1 from own_orders w where w.order_id = r.order_id offset 0)
  and (select o.total_minor >= ${leastCounted} from orders o where o.id = r.order_id)`

/** Counts the rating of an author's owner again, after a review of it was revealed, hidden or shown again. */
export function rerate(tx: Tx, review: Pick<ReviewsRow, 'subject_id' | 'author_id' | 'subject_role'>): void {
  if (review.subject_role !== 'contractor') return
  const { subject_id: subject, author_id: author } = review
  hold(tx, [subject])
  tx.write`
    with owner as (select owner_id from party_owners where party_id = ${author}),
    newest as (
      select owner.owner_id, said.id, said.rating from owner cross join lateral (
        select r.id, r.rating from party_owners p cross join lateral (
          select r.id, r.rating from reviews r
          where r.subject_id = ${subject} and r.author_id = p.party_id and ${isRating} order by r.id desc limit 1
        ) r where p.owner_id = owner.owner_id order by r.id desc limit 1
      ) said
    ), former as (
      select f.rating from owner_ratings f join owner using (owner_id) where f.subject_id = ${subject}
    ), gone as (
      delete from owner_ratings f using owner where f.subject_id = ${subject} and f.owner_id = owner.owner_id
        and not exists (select 1 from newest)
    ), kept as (
      insert into owner_ratings (subject_id, owner_id, review_id, rating)
      select ${subject}::uuid, owner_id, id, rating from newest
      on conflict (subject_id, owner_id) do update set review_id = excluded.review_id, rating = excluded.rating
    )
    update reputations r set
      rating_sum = r.rating_sum + coalesce((select rating from newest), 0) - coalesce((select rating from former), 0),
      rating_owners = r.rating_owners + (select count(*) from newest)::int - (select count(*) from former)::int
    where r.party_id = ${subject}`
  rank(tx, subject)
}

/** Deliveries that each of these customers has left unanswered for too long; those without any are left out. */
export async function unansweredBy(
  sql: Query,
  now: Date,
  customerIds: readonly string[],
): Promise<Map<string, number>> {
  const unanswered = await unansweredOf(sql, customerIds, now)
  return new Map(unanswered.flatMap((each) => (each?.unanswered ? [[each.id, each.unanswered]] : [])))
}

const unansweredOf = gathered(async (sql, ids: readonly string[], now: Date) => {
  if (ids.length === 0) return []
  const rows = await sql<{ id: string; unanswered: number }>`
    select asked.id, ${countUnanswered(part`asked.id`, now)} as unanswered
    from unnest((select ${ids}::uuid[])) as asked (id)`
  return byId(ids, rows)
})

const countUnanswered = (customerId: Part, now: Date): Part => part`(
  select count(*)::int from orders o
  where o.customer_id = ${customerId} and o.state = 'delivered' and o.delivered_at < ${earlier(now, answerTime)}
    and o.total_minor >= ${leastCounted} and not ${isOneOwner(part`o.customer_id`, part`o.contractor_id`)})`

/** The same count for the customer of an order, if its contractor asks; undefined for anyone else. */
export async function unansweredIn(
  sql: Query,
  now: Date,
  { orderId, contractorId }: { orderId: string; contractorId: string },
): Promise<number | undefined> {
  const [found] = await sql<{ unanswered: number }>`
    select ${countUnanswered(part`asked.customer_id`, now)} as unanswered
    from orders asked where asked.id = ${orderId} and asked.contractor_id = ${contractorId}`
  return found?.unanswered
}

interface Reputation {
  as_contractor: { completed: number; refunded: number; disputes_lost: number; partners: number }
  as_customer: { completed: number; refunded: number; unanswered: number; partners: number }
  rating: { average: number | null; owners: number }
  /** What the completed orders of the contractor cost, in minor units. */
  worth: number
  /** The same of all its orders, its owner's own too. */
  paid: number
}

export interface Rating {
  /** Rounded to hundredths. */
  average: number
  owners: number
}

/** How the customers of these agents rated them; an agent without a rating is left out. */
export async function ratingsOf(sql: Query, agentIds: readonly string[]): Promise<Map<string, Rating>> {
  const trades = await tradesOf(sql, agentIds)
  return new Map([...trades].flatMap(([id, { rating }]) => (rating ? [[id, rating] as const] : [])))
}

/** What lists say of the trade of an agent. */
export interface Trade {
  completed: number
  rating: Rating | undefined
}

/** What these agents traded; one that traded nothing may be left out. */
export async function tradesOf(sql: Query, agentIds: readonly string[]): Promise<Map<string, Trade>> {
  if (agentIds.length === 0) return new Map()
  const rows = await sql<{ id: string; completed: number; average: number | null; owners: number }>`
    select party_id as id, contractor_completed as completed, rating_owners as owners,
      round(rating_sum::numeric / nullif(rating_owners, 0), 2)::float as average
    from reputations where party_id = any(${agentIds}::uuid[])`
  return new Map(
    rows.map(({ id, completed, average, owners }) => [
      id,
      { completed, rating: average === null ? undefined : { average, owners } },
    ]),
  )
}

/** What the trade of a party says of it. */
export async function reputationOf(sql: Query, now: Date, partyId: string): Promise<Reputation> {
  const counted = only(await countedOf(sql, [partyId], now))
  const { done, back, lost, met, bought, returned, sellers, unanswered, worth, paid, owners, average } = counted
  return {
    as_contractor: { completed: done, refunded: back, disputes_lost: lost, partners: met },
    as_customer: { completed: bought, refunded: returned, unanswered, partners: sellers },
    rating: { average, owners },
    worth,
    paid,
  }
}

const nothing = {
  ...{ done: 0, back: 0, lost: 0, met: 0, bought: 0, returned: 0, sellers: 0, worth: 0, owners: 0 },
  average: null as number | null,
}

const countedOf = gathered(async (sql, ids: readonly string[], now: Date) => {
  const rows = await sql<typeof nothing & { unanswered: number; paid: number }>`
    select trade.*, ${countUnanswered(part`asked.id`, now)} as unanswered,
      coalesce((select least(completed_total_minor, ${Number.MAX_SAFE_INTEGER}) from contractor_totals
        where party_id = asked.id), 0) as paid
    from unnest((select ${ids}::uuid[])) with ordinality as asked (id, place)
    left join lateral (
      select contractor_completed as done, contractor_refunded as back, disputes_lost as lost,
        contractor_partners as met, customer_completed as bought, customer_refunded as returned,
        customer_partners as sellers, rating_owners as owners,
        round(rating_sum::numeric / nullif(rating_owners, 0), 2)::float as average,
        least(completed_total_minor, ${Number.MAX_SAFE_INTEGER}) as worth
      from reputations where party_id = asked.id offset 0
    ) trade on true
    order by asked.place`
  return rows.map((row) => (row.done === null ? { ...row, ...nothing } : row))
})
