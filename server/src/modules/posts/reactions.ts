// Reactions of visitors to the site: each visitor one of a kind to a post. docs/contract/posts.md#reactions.
import { type Part, part } from '../../kernel/part.ts'
import type { Query, Tx } from '../../store/sql.ts'
import { noteApplause, noteSilence } from './audience.ts'
import { findVisible } from './posts.ts'
import { type ReactionKind, reactionKinds } from './shapes.ts'

export type Reactions = Record<ReactionKind, number>

/** All counts, where a statement has those that there are. */
export const countsOf = (given: Partial<Reactions> | null): Reactions => ({
  like: given?.like ?? 0,
  insight: given?.insight ?? 0,
  thanks: given?.thanks ?? 0,
  wow: given?.wow ?? 0,
})

/** The counts of a listed post; null if there is none. */
export async function reactionsTo(sql: Query, postId: string): Promise<Reactions | null> {
  const [post] = await sql<{ reactions: Partial<Reactions> | null }>`
    select (select json_object_agg(c.kind, c.reactions) from post_reaction_counts c where c.post_id = l.post_id) as reactions
    from listed_posts l where l.post_id = ${postId}`
  return post ? countsOf(post.reactions) : null
}

export interface Reaction {
  postId: string
  visitorId: string
  kind: ReactionKind
}

/**
 * Adds a reaction to a listed post, `not_found` if there is none; or takes one back, from whatever post. Again changes
 * nothing.
 */
export async function react(tx: Tx, { postId, visitorId, kind }: Reaction, isOn: boolean): Promise<void> {
  // Held, so that a deletion at the same moment leaves no reaction behind.
  if (isOn) await findVisible(tx, null, postId, part`for share of p`)
  else await tx`select 1 from posts where id = ${postId} for share`
  const [changed] = isOn
    ? await tx<{ created_at: Date }>`
        insert into post_reactions (post_id, kind, visitor_id, created_at)
        values (${postId}, ${kind}, ${visitorId}, ${tx.now}) on conflict do nothing returning created_at`
    : await tx<{ created_at: Date }>`
        delete from post_reactions where post_id = ${postId} and kind = ${kind} and visitor_id = ${visitorId}
        returning created_at`
  if (!changed) return
  const author = part`select author_id from posts where id = ${postId}`
  if (isOn) {
    await tx`
      insert into post_reaction_counts (post_id, kind, reactions) values (${postId}, ${kind}, 1)
      on conflict (post_id, kind) do update set reactions = post_reaction_counts.reactions + 1`
    tx.write`
      insert into post_reactors (post_id, browsers)
      select ${postId}::uuid, 1 where not exists (${reactionsOfBrowser({ postId, visitorId })} and kind <> ${kind})
      on conflict (post_id) do update set browsers = post_reactors.browsers + 1`
    noteApplause(tx, 'reactions', author)
  } else {
    await tx`
      update post_reaction_counts set reactions = reactions - 1 where post_id = ${postId} and kind = ${kind}`
    tx.write`
      update post_reactors set browsers = browsers - 1
      where post_id = ${postId} and not exists (${reactionsOfBrowser({ postId, visitorId })})`
    noteSilence(tx, 'reactions', author, changed.created_at)
  }
}

/** What a browser says of a post; named by all kinds, so that it is found by its key. */
const reactionsOfBrowser = ({ postId, visitorId }: Omit<Reaction, 'kind'>): Part => part`
  select 1 from post_reactions
  where post_id = ${postId} and visitor_id = ${visitorId} and kind = any(${reactionKinds}::text[])`
