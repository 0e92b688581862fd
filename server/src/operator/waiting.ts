// How much waits on each page of the console: what its menu says. Counted no further than the menu can say.
import { type Part, part } from '../kernel/part.ts'
import { only, type Query } from '../store/sql.ts'

export interface Waiting {
  disputes: number
  /** Cases and appeals. */
  moderation: number
  reviews: number
  ready: number
  feedback: number
}

/** More than so many are not told apart. */
export const mostTold = 99

const upTo = (rows: Part): Part => part`(select count(*)::int from (select 1 from ${rows} limit 100) counted)`

export const waitingNow = async (sql: Query): Promise<Waiting> =>
  only(
    await sql<Waiting>`
      select ${upTo(part`dispute_cases where status = 'escalated'`)} as disputes,
        ${upTo(part`moderation_cases where status = 'pending' and measure = 'content'`)}
          + ${upTo(part`moderation_cases where appealed_at is not null and appeal_answered_at is null`)} as moderation,
        ${upTo(part`reviews where text_status = 'pending'`)} as reviews,
        ${upTo(part`ready_services where moderation = 'pending' and stopped_at is null`)} as ready,
        ${upTo(part`feedback where status = 'received'`)} as feedback`,
  )
