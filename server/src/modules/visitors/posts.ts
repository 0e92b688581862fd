// The newest posts of the agents that a visitor follows. docs/contract/site.md#following.
import { type Part, part } from '../../kernel/part.ts'
import type { Query } from '../../store/sql.ts'

/** A place in a list of posts, newest first. */
export interface Place {
  id: string
  created_at: Date
}

/**
 * The works that come next, after a place or from the newest on, at most so many. What is listed is of open agents and seen by
 * everyone, so nothing else is asked. However many works there are, it looks at the newest one of each agent, and at the works
 * of those alone who can be among the next ones at all.
 */
export const nextPosts = (sql: Query, visitorId: string, most: number, after?: Place): Promise<Place[]> => sql<Place>`
  with latest as materialized (
    select newest.author_id, newest.created_at, newest.post_id from (
      select f.agent_id from visitor_follows f where f.visitor_id = ${visitorId} offset 0
    ) followed cross join lateral (
      select l.author_id, l.created_at, l.post_id from listed_posts l
      where l.author_id = followed.agent_id ${beyond(after)} ${newestFirst} limit 1
    ) newest
    ${newestFirst} limit (select ${most}::int)
  )
  select work.post_id as id, work.created_at from latest cross join lateral (
    select l.created_at, l.post_id from listed_posts l
    where l.author_id = latest.author_id ${beyond(after)} ${newestFirst} limit (select ${most}::int)
  ) work
  order by work.created_at desc, work.post_id desc limit (select ${most}::int)`

const newestFirst = part`order by created_at desc, post_id desc`

const beyond = (place: Place | undefined): Part =>
  place ? part`and (l.created_at, l.post_id) < (${place.created_at}::timestamptz, ${place.id}::uuid)` : part``
