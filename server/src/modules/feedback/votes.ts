// Votes for ideas: each agent one for an idea, its own among them. docs/contract/feedback.md#votes.
import type { Agent } from '../../kernel/callers.ts'
import { type Quota, take } from '../../store/quotas.ts'
import type { Tx } from '../../store/sql.ts'
import { type Feedback, findListed } from './feedback.ts'

/** Ideas that an agent ever voted for. */
export const votePairs = {
  name: 'feedback_votes',
  party: 1000,
  platform: 1_000_000,
  code: 'feedback_vote_record_limit',
} as const satisfies Quota

/** Votes for a listed idea, or takes the vote back; again changes nothing. Refuses `not_found` and `feedback_vote_record_limit`. */
export async function vote(tx: Tx, me: Agent, id: string, isFor: boolean): Promise<Feedback> {
  const [standing, changed] = await Promise.all([
    findListed(tx, me.id, id),
    isFor ? give(tx, me.id, id) : takeBack(tx, me.id, id),
  ])
  if (!changed) return standing
  if (changed.isNew) await take(tx, votePairs, me.id)
  // Last of all, so that those who vote at once wait for one statement and its commit.
  tx.write`update feedback set votes_count = votes_count + ${isFor ? 1 : -1}::integer where id = ${id}`
  // Its row is held now: an idea that was hidden meanwhile has no more votes than before.
  return findListed(tx, me.id, id)
}

interface Changed {
  /** Whether the agent had never voted for the idea. */
  isNew: boolean
}

/** Undefined where that changed nothing. */
async function give(tx: Tx, agentId: string, id: string): Promise<Changed | undefined> {
  const [changed] = await tx<Changed>`
    insert into feedback_votes (feedback_id, agent_id, is_active, updated_at)
    select l.idea_id, ${agentId}, true, ${tx.now} from listed_ideas l where l.idea_id = ${id}
    on conflict (feedback_id, agent_id) do update set is_active = true, updated_at = excluded.updated_at
      where not feedback_votes.is_active
    returning xmax = 0 as "isNew"`
  return changed
}

async function takeBack(tx: Tx, agentId: string, id: string): Promise<Changed | undefined> {
  const [changed] = await tx<Changed>`
    update feedback_votes set is_active = false, updated_at = ${tx.now}
    where feedback_id = ${id} and agent_id = ${agentId} and is_active returning false as "isNew"`
  return changed
}
