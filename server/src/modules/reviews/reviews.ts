// Reviews: what the two sides of an accepted order say of each other, once each, readable when both have spoken or the
// time for it is over. docs/contract/reviews.md.

import type { Party } from '../../kernel/callers.ts'
import { after, clocksApart, days, earlier, hours } from '../../kernel/clock.ts'
import type { Page, Rows } from '../../kernel/lists.ts'
import { type Part, part } from '../../kernel/part.ts'
import { invalid, refuse } from '../../kernel/refuse.ts'
import { byId, gathered } from '../../store/gather.ts'
import { pageOf } from '../../store/page-of.ts'
import { only, type Query, type Sql, type Tx } from '../../store/sql.ts'
import type { ReviewsRow } from '../../store/tables.ts'
import { isOpen } from '../identity/passport.ts'
import { openPremoderation } from '../moderation/cases.ts'
import { isHidden, note } from '../moderation/hidden.ts'
import { otherSide, reviewRequestAfter } from '../orders/actions.ts'
import { advance, find, findLocked, type Order, type Role } from '../orders/orders.ts'
import { stateOf } from '../orders/permitted.ts'
import type { OrderList } from '../orders/sources.ts'
import { type PartyName, partyNames } from '../parties/names.ts'
import { rerate } from '../reputation/counters.ts'
import { award } from '../wallet/wallet.ts'
import { reveal } from './revealing.ts'

/** What each side rates the other by. */
export const criteriaOf = {
  customer: ['quality', 'timeliness', 'communication'],
  contractor: ['brief_clarity', 'cooperation', 'acceptance'],
} as const satisfies Record<Role, readonly string[]>

export type Criterion = (typeof criteriaOf)[Role][number]

/**
 * From the request for reviews on: then what one side said is readable without the other's
 * (docs/contract/reviews.md#who-reads-it).
 */
const revealAfter = days(7)

/** 10 credits for a filed form (docs/contract/reviews.md#the-bonus), at most so many in any 24 hours. */
export const reviewBonus = 1000
const mostBonuses = 3
const bonusPeriod = hours(24)

export interface Review extends ReviewsRow {
  subject_role: Role
  criteria: Partial<Record<Criterion, number>>
  text_status: 'pending' | 'approved' | 'rejected' | null
}

/** What is read of a review, with what names its author: null if its profile is not open. */
export interface Signed
  extends Pick<
    Review,
    'id' | 'author_id' | 'subject_role' | 'rating' | 'recommend' | 'criteria' | 'text' | 'created_at'
  > {
  /** Whether it is between two passports of one owner. */
  same_owner: boolean
  author_kind: PartyName['kind'] | null
  author_handle: string | null
  author_display_name: string | null
}

/** Of an author as `n`, of {@link partyNames}. */
const authorColumns = part`n.kind as author_kind, n.handle as author_handle, n.display_name as author_display_name`

const sideOf = (order: Order, partyId: string): Role => (order.customer_id === partyId ? 'customer' : 'contractor')

const requireAccepted = (order: Order): Date =>
  order.outcome === 'accepted' && order.closed_at ? order.closed_at : refuse('invalid_state', stateOf(order))

export interface Form {
  order_id: string
  role: Role
  criteria: readonly Criterion[]
  filed: boolean
  opens_at: Date
}

/**
 * The caller's form of an order, which may be filed from its closing on. Refuses `not_found`, and `invalid_state` before
 * the acceptance.
 */
export async function findForm(sql: Query, meId: string, orderId: string, list?: OrderList): Promise<Form> {
  const order = await find(sql, meId, orderId, list)
  const opensAt = requireAccepted(order)
  const role = sideOf(order, meId)
  const filed = await sql`select 1 from reviews where order_id = ${orderId} and author_id = ${meId}`
  return { order_id: orderId, role, criteria: criteriaOf[role], filed: filed.length > 0, opens_at: opensAt }
}

export interface Filing {
  rating: number
  recommend: boolean
  criteria: Partial<Record<Criterion, number>>
  /** The customer's only; an empty one counts as no comment. */
  text?: string
}

/** A filing in its canonical form; refuses `invalid_input` for criteria or a text that are nobody's. */
export function canonicalFiling({ text: given, ...ratings }: Filing) {
  const side = sideRatedBy(ratings.criteria)
  const text = given || null
  if (text !== null && side === 'contractor') invalid({ path: 'text', problem: 'only a customer may write one' })
  return { ...ratings, text }
}

interface NewReview {
  id: string
  orderId: string
  filing: ReturnType<typeof canonicalFiling>
  /** Where the author has the order from. */
  list?: OrderList
  /** Whether its author is to have a bonus for it. */
  earnsBonus: boolean
}

/**
 * Files the caller's review of the other side under an id, and pays its bonus. Refuses `invalid_input` (criteria that are
 * not this side's), `not_found`, `invalid_state` (not accepted) and `state_conflict` (this side has filed).
 */
export async function file(tx: Tx, me: Party, { id, orderId, list, filing, earnsBonus }: NewReview): Promise<Signed> {
  const { text, ...ratings } = filing
  const side = sideRatedBy(ratings.criteria)
  const order = await findLocked(tx, me.id, orderId, list)
  if (sideOf(order, me.id) !== side) refuseCriteria()
  const closedAt = requireAccepted(order)
  const standing = await tx<{ author_id: string }>`select author_id from reviews where order_id = ${orderId}`
  if (standing.some(({ author_id }) => author_id === me.id)) {
    refuse('state_conflict', { message: 'You have already reviewed this order' })
  }
  const lastReveal = after(closedAt, reviewRequestAfter + revealAfter)
  const isSecond = standing.length > 0
  const revealAt = isSecond && tx.now < lastReveal ? tx.now : lastReveal
  if (isSecond) await tx`update reviews set reveal_at = ${revealAt} where order_id = ${orderId}`
  const bonus = earnsBonus && (await payBonus(tx, me, orderId)) ? reviewBonus : 0
  await tx`
    insert into reviews (id, order_id, author_id, subject_id, subject_role, rating, recommend, criteria, text,
      text_status, bonus_minor, reveal_at, created_at)
    values (${id}, ${orderId}, ${me.id}, ${otherSide(order, me.id)},
      ${side === 'customer' ? 'contractor' : 'customer'}, ${ratings.rating}, ${ratings.recommend},
      ${JSON.stringify(ratings.criteria)}, ${text}, ${text === null ? null : 'pending'}, ${bonus}, ${revealAt},
      ${tx.now})`
  if (revealAt <= tx.now) await reveal(tx, part`r.order_id = ${orderId}`)
  const isCustomer = side === 'customer'
  tx.write`
    update orders set customer_reviewed = customer_reviewed or ${isCustomer},
      contractor_reviewed = contractor_reviewed or ${!isCustomer}
    where id = ${orderId}`
  if (text !== null) await openPremoderation(tx, { kind: 'review', id }, me.id)
  return findOwn(tx, id)
}

/** The side whose criteria these are, all of them and no others. */
function sideRatedBy(criteria: Filing['criteria']): Role {
  const given = Object.keys(criteria)
  const isOf = (side: Role): boolean => given.length === 3 && criteriaOf[side].every((key) => given.includes(key))
  return isOf('customer') ? 'customer' : isOf('contractor') ? 'contractor' : refuseCriteria()
}

const refuseCriteria = (): never =>
  invalid({
    path: 'criteria',
    problem: `a customer sends exactly ${criteriaOf.customer.join(', ')}; a contractor exactly ${criteriaOf.contractor.join(', ')}`,
  })

/** Pays the author of a review, if it has not had its bonuses of this day and its wallet has room. */
async function payBonus(tx: Tx, me: Party, orderId: string): Promise<boolean> {
  // Several orders may be reviewed at once: who counts holds the wallet, so that the next one counts this bonus too.
  await tx`select 1 from wallets where party_id = ${me.id} for no key update`
  const { recent } = only(
    await tx<{ recent: number }>`
      select count(*)::int as recent from reviews
      where author_id = ${me.id} and bonus_minor > 0 and created_at > ${earlier(tx.now, bonusPeriod)}
        and created_at <= ${after(tx.now, clocksApart)}`,
  )
  const note = `Review of order ${orderId}`
  return recent < mostBonuses && award(tx, me.id, { kind: 'review_bonus', amount: reviewBonus, note, orderId })
}

const ratingColumns = part`r.id, r.author_id, r.subject_role, r.rating, r.recommend, r.criteria, r.created_at,
  exists (select 1 from own_orders w where w.order_id = r.order_id offset 0) as same_owner`

/**
 * A review as its author reads it: with its text even if it was withheld, and with the name even if the profile is
 * private.
 */
export const findOwn = async (sql: Query, id: string): Promise<Signed> =>
  only(
    await sql<Signed>`
      select ${ratingColumns}, r.text, ${authorColumns}
      from reviews r join ${partyNames} n on n.id = r.author_id where r.id = ${id}`,
  )

/** A review with what is to become of it, and of its text. */
export interface Filed extends Signed, Pick<Review, 'text_status' | 'reveal_at'> {
  is_hidden: boolean
}

/** What somebody has said of an order; undefined if it has not. */
export async function findFiled(sql: Query, meId: string, orderId: string): Promise<Filed | undefined> {
  const [filed] = await sql<Filed>`
    select ${ratingColumns}, r.text, r.text_status, r.reveal_at, ${isHidden('review', part`r.id`)} as is_hidden,
      ${authorColumns}
    from reviews r join ${partyNames} n on n.id = r.author_id where r.order_id = ${orderId} and r.author_id = ${meId}`
  return filed
}

/** What a side reads of the reviews of its order: its own, and once they are revealed the other one. */
export const reviewsOf = (sql: Query, meId: string, now: Date, orderId: string): Promise<Signed[]> =>
  sql<Signed>`
    select ${ratingColumns}, case when r.author_id = ${meId} or r.text_status = 'approved' then r.text end as text,
      ${authorColumns}
    from reviews r left join ${partyNames} n on n.id = r.author_id and (n.is_open or n.id = ${meId})
    where r.order_id = ${orderId}
      and (r.author_id = ${meId} or (r.reveal_at <= ${now} and not ${isHidden('review', part`r.id`)}))
    order by r.id`

export interface Filter extends Page {
  /** The side that the reviewed agent had. */
  role: Role | undefined
}

/** The reviews of a party (alias `r`) that are revealed and not hidden: the one rule for what others can read. */
const revealed = (subjectId: string | Part, now: Date): Part =>
  part`r.subject_id = ${subjectId} and r.reveal_at <= ${now} and not ${isHidden('review', part`r.id`)}`

/** The reviews of an agent that others can read, newest first; texts once they are approved. */
export function list(sql: Query, now: Date, subjectId: string, filter: Filter): Promise<Rows<Signed>> {
  const inRole = filter.role === undefined ? part`` : part`and r.subject_role = ${filter.role}`
  return pageOf(sql, filter, {
    those: [part`from reviews r where ${revealed(subjectId, now)} ${inRole}`],
    // By the index alone, so that a deep page reads no row that it does not show.
    columns: part`r.id`,
    shown: (rows) => part`
      select ${ratingColumns}, case when r.text_status = 'approved' then r.text end as text, ${authorColumns}
      from (${rows}) shown join reviews r on r.id = shown.id
      left join ${partyNames} n on n.id = r.author_id and n.is_open`,
  })
}

/** How many reviews of an agent others can read: none while its profile is not open. */
export const countPublic = async (sql: Query, now: Date, subjectId: string): Promise<number> =>
  (await countsOf(sql, [subjectId], now))[0]?.count ?? 0

const countsOf = gathered(async (sql, ids: readonly string[], now: Date) => {
  const rows = await sql<{ id: string; count: number }>`
    select a.id, (select count(*)::int from reviews r where ${revealed(part`a.id`, now)}) as count
    from unnest((select ${ids}::uuid[])) as asked (id)
    cross join lateral (select * from agents a where a.id = asked.id offset 0) a where ${isOpen}`
  return byId(ids, rows)
})

const batch = 50

/** Asks both sides of orders that were accepted a day ago for their reviews; true when there may be more. */
export const requestDue = (sql: Sql): Promise<boolean> =>
  sql.transaction(async (tx) => {
    const orders = await tx<Order>`
      select * from orders where review_request_at <= ${tx.now}
      order by review_request_at limit ${batch} for no key update skip locked`
    for (const order of orders) {
      await advance(tx, order, { action: 'request-reviews', actorId: null }, { review_request_at: null })
    }
    return orders.length === batch
  })

/** Hides a review from all but its author, or shows it again; false if there is none, or it was so already. */
export async function setReviewHidden(tx: Tx, reviewId: string, hidden: boolean): Promise<boolean> {
  const [review] = await tx<Review>`select * from reviews where id = ${reviewId} for no key update`
  if (!review || !(await note(tx, 'review', reviewId, hidden))) return false
  rerate(tx, review)
  return true
}
