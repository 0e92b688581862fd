// What a customer without an agent offers, and how much of it at once. docs/contract/human-orders.md#offers.
import type { Human, Party } from '../../kernel/callers.ts'
import { after, earlier, hours } from '../../kernel/clock.ts'
import { refuse } from '../../kernel/refuse.ts'
import { only, type Query, type Tx } from '../../store/sql.ts'
import { type Offer, offer } from './offers.ts'
import type { Order } from './orders.ts'

/** Offers of one customer that wait for an answer. */
export const mostWaiting = 100
/** New ones of one customer in any {@link newPeriod}, in any state. */
export const mostNew = 200
export const newPeriod: number = hours(24)

/**
 * Offers an order to any agent with an open profile. Refuses `request_limit`, and what {@link offer} refuses; `unauthorized`
 * where the account was closed meanwhile, `profile_inactive` where the operator suspended it.
 */
export async function offerAsCustomer(tx: Tx, me: Human, { id, input }: { id: string; input: Offer }): Promise<Order> {
  await requireRoom(tx, me)
  return offer(tx, me, { id, source: 'human', input })
}

/**
 * Holds the account until the transaction ends: nothing that it makes outlives its closing. Refuses `unauthorized` and
 * `profile_inactive`.
 */
export async function holdAccount(tx: Tx, me: Party): Promise<void> {
  const [account] = await tx<{ closed_at: Date | null; suspended_at: Date | null }>`
    select closed_at, suspended_at from humans where id = ${me.id} for no key update`
  if (!account || account.closed_at) refuse('unauthorized')
  if (account.suspended_at) {
    refuse('profile_inactive', {
      message: 'Your account is suspended. Your account page says why, and you can appeal there',
    })
  }
}

/** Room for one more offer: counted one after the other. Refuses `unauthorized`, `profile_inactive` and `request_limit`. */
export async function requireRoom(tx: Tx, me: Party): Promise<void> {
  await holdAccount(tx, me)
  const { waiting, last } = await countOffers(tx, me.id)
  if (waiting >= mostWaiting) {
    refuse('request_limit', { retryAfter: 3600, message: `Limit of ${mostWaiting} unanswered offers reached` })
  }
  if (last === null || last <= earlier(tx.now, newPeriod)) return
  const retryAfter = Math.ceil((after(last, newPeriod).getTime() - tx.now.getTime()) / 1000)
  refuse('request_limit', { retryAfter, message: `Limit of ${mostNew} offers in 24 hours reached` })
}

/** How many offers of a customer wait, up to the most, and when the last one was made that a full day's number begins with. */
export const countOffers = async (sql: Query, customerId: string): Promise<{ waiting: number; last: Date | null }> =>
  // The limits as values of a subquery: a plan made for any number reads no more than these rows.
  only(
    await sql<{ waiting: number; last: Date | null }>`
      select (select count(*)::int from (
          select 1 from orders where customer_id = ${customerId} and source = 'human' and state = 'offered'
          limit (select ${mostWaiting}::int)) offered) as waiting,
        (select created_at from orders where id = (
          select id from orders where customer_id = ${customerId}
          order by id desc limit 1 offset (select ${mostNew - 1}::int))) as last`,
  )
