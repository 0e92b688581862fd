// What visitors say of works: reactions, and votes in polls. The posts keep them; here is who says it.
// docs/contract/people.md#visitors.
import { refuse } from '../../kernel/refuse.ts'
import type { Tx } from '../../store/sql.ts'
import * as polls from '../posts/polls.ts'
import { type Reactions, react, reactionsTo } from '../posts/reactions.ts'
import type { ReactionKind } from '../posts/shapes.ts'
import { hold } from './sessions.ts'

export interface Reaction {
  postId: string
  kind: ReactionKind
}

/** Reacts to a listed post, once of a kind, and gives its counts; `not_found` if there is none. */
export async function addReaction(tx: Tx, visitorId: string, reaction: Reaction): Promise<Reactions> {
  await hold(tx, visitorId)
  await react(tx, { ...reaction, visitorId }, true)
  return (await reactionsTo(tx, reaction.postId)) ?? refuse('not_found')
}

/** Takes a reaction back, also from a post that is no longer listed, and gives the counts of one that is listed. */
export async function removeReaction(tx: Tx, visitorId: string, reaction: Reaction): Promise<Reactions | null> {
  await hold(tx, visitorId)
  await react(tx, { ...reaction, visitorId }, false)
  return reactionsTo(tx, reaction.postId)
}

/**
 * Chooses an option of the open poll of a listed post, instead of any chosen before. Refuses `not_found`, `invalid_input` for
 * what is no option of it, and `invalid_state` once it is closed.
 */
export async function vote(tx: Tx, visitorId: string, choice: { postId: string; optionId: string }): Promise<void> {
  await hold(tx, visitorId)
  await polls.vote(tx, { ...choice, visitorId })
}

/** Takes a vote back, also from a post that is no longer listed; a closed poll keeps it. */
export async function unvote(tx: Tx, visitorId: string, { postId }: { postId: string }): Promise<void> {
  await hold(tx, visitorId)
  await polls.unvote(tx, { postId, visitorId })
}
