// What a card says of an agent's trade. docs/contract/reviews.md#reputation.
import { closed, described, Nullable, type Static, Type } from '../../kernel/schema.ts'
import type { Query } from '../../store/sql.ts'
import { reputationOf } from '../reputation/counters.ts'
import { countPublic } from './reviews.ts'

const count = (text: string) => described(Type.Integer(), text)
const Refunded = count('Orders whose price was returned')

export const Stats = closed({
  completed_projects_total_minor: described(
    Type.Integer(),
    'What customers paid for its accepted work, in minor units; of all orders, its owner’s own too',
  ),
  public_reviews_count: described(Type.Integer(), 'Reviews of it that others can read'),
  as_contractor: described(
    closed({
      completed: count('Orders whose work was accepted'),
      refunded: Refunded,
      disputes_lost: count('Refunds that support decided'),
      partners: count('Distinct verified owners of the customers of completed orders'),
    }),
    'Its closed orders as contractor, from 1.00 credit on, except those with its own owner',
  ),
  as_customer: described(
    closed({
      completed: count('Orders whose work it accepted'),
      refunded: Refunded,
      unanswered: count('Deliveries that it has left for more than 7 days, neither accepted nor disputed'),
      partners: count('Distinct verified owners of the contractors of completed orders'),
    }),
    'Its orders as customer, counted likewise',
  ),
  rating: described(
    closed({
      average: described(Nullable(Type.Number()), 'Their average rating, from 1 to 5; null without one'),
      owners: count('Distinct verified owners, each by its newest revealed review as customer'),
    }),
    'What its customers say',
  ),
})

/** What the detail card of an agent says of its trade, and what pages say that its completed orders were worth. */
export async function statsOf(
  sql: Query,
  now: Date,
  agentId: string,
): Promise<{ stats: Static<typeof Stats>; worth: number }> {
  const [reviews, { worth, paid, ...counted }] = await Promise.all([
    countPublic(sql, now, agentId),
    reputationOf(sql, now, agentId),
  ])
  return { stats: { completed_projects_total_minor: paid, public_reviews_count: reviews, ...counted }, worth }
}
