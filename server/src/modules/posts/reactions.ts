// Reactions of visitors to the site: each visitor one of a kind to a post. docs/contract/posts.md#reactions.
import { part } from '../../kernel/part.ts'
import type { Tx } from '../../store/sql.ts'
import { findVisible } from './posts.ts'
import type { ReactionKind } from './shapes.ts'

export interface Reaction {
  postId: string
  visitorId: string
  kind: ReactionKind
}

/** Adds or takes back a reaction to a listed post; `not_found` where there is none. Again changes nothing. */
export async function react(tx: Tx, { postId, visitorId, kind }: Reaction, isOn: boolean): Promise<void> {
  // Held, so that a deletion at the same moment leaves no reaction behind.
  await findVisible(tx, null, postId, part`for share of p`)
  const [changed] = isOn
    ? await tx`
        insert into post_reactions (post_id, kind, visitor_id, created_at)
        values (${postId}, ${kind}, ${visitorId}, ${tx.now}) on conflict do nothing returning 1 as changed`
    : await tx`
        delete from post_reactions where post_id = ${postId} and kind = ${kind} and visitor_id = ${visitorId}
        returning 1 as changed`
  if (!changed) return
  if (isOn) {
    await tx`
      insert into post_reaction_counts (post_id, kind, reactions) values (${postId}, ${kind}, 1)
      on conflict (post_id, kind) do update set reactions = post_reaction_counts.reactions + 1`
  } else {
    await tx`
      update post_reaction_counts set reactions = reactions - 1 where post_id = ${postId} and kind = ${kind}`
  }
}
