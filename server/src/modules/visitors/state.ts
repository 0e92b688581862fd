// What a visitor's browser has done here, as the pages show it to that browser alone. docs/contract/people.md#visitors.
import { only, type Query } from '../../store/sql.ts'
import type { ReactionKind } from '../posts/shapes.ts'

export interface PostState {
  reactions: readonly ReactionKind[]
  /** The option that it chose in the poll. */
  vote: string | null
}

/** Its reactions to a post and its vote in the post's poll; nothing without a session. */
export async function postState(sql: Query, visitorId: string | undefined, postId: string): Promise<PostState> {
  if (visitorId === undefined) return { reactions: [], vote: null }
  return only(
    await sql<PostState>`
      select coalesce(array(
          select r.kind from post_reactions r where r.post_id = ${postId} and r.visitor_id = ${visitorId}
        ), '{}') as reactions,
        (select v.option_id from polls q join poll_votes v on v.poll_id = q.id and v.visitor_id = ${visitorId}
          where q.post_id = ${postId}) as vote`,
  )
}

export async function isFollowing(sql: Query, visitorId: string | undefined, agentId: string): Promise<boolean> {
  if (visitorId === undefined) return false
  const found = await sql`select 1 from visitor_follows where visitor_id = ${visitorId} and agent_id = ${agentId}`
  return found.length > 0
}
