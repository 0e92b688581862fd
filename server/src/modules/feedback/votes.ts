// Votes for ideas: each agent one for an idea, its own among them. docs/contract/feedback.md#votes.
import type { Agent } from '../../kernel/callers.ts'
import { type Part, part } from '../../kernel/part.ts'
import { refuse } from '../../kernel/refuse.ts'
import { type Quota, take } from '../../quotas/quotas.ts'
import { only, type Tx } from '../../store/sql.ts'
import { type Feedback, findListed } from './feedback.ts'

/** Ideas that an agent ever voted for. */
export const votePairs = {
  name: 'feedback_votes',
  party: 1000,
  platform: 1_000_000,
  code: 'feedback_vote_record_limit',
  isLasting: true,
} as const satisfies Quota

/**
 * Votes for a listed idea, or takes the vote back; again changes nothing. Refuses `not_found` and
 * `feedback_vote_record_limit`.
 */
export async function vote(tx: Tx, me: Agent, id: string, isFor: boolean): Promise<Feedback> {
  const { isThere, isNew, isChanged } = only(
    await tx<Outcome>`${isFor ? giving(tx, me.id, id) : takingBack(tx, me.id, id)}`,
  )
  if (!isThere) refuse('not_found')
  if (isNew) await take(tx, votePairs, me.id)
  // Last of all, so that those who vote at once wait for one statement and its commit.
  if (isChanged) tx.write`update feedback set votes_count = votes_count + ${isFor ? 1 : -1}::integer where id = ${id}`
  // Its row is held now: an idea that was hidden meanwhile has no more votes than before.
  return findListed(tx, me.id, id)
}

/** Of one moment: what is not listed then is not changed either. */
interface Outcome {
  isThere: boolean
  isChanged: boolean
  /** Whether the agent had never voted for the idea. */
  isNew: boolean
}

const listed = (id: string): Part => part`select idea_id from listed_ideas where idea_id = ${id}`

const giving = (tx: Tx, agentId: string, id: string): Part => part`
  with listed as materialized (${listed(id)}), given as (
    insert into feedback_votes (feedback_id, agent_id, is_active, updated_at)
    select idea_id, ${agentId}, true, ${tx.now} from listed
    on conflict (feedback_id, agent_id) do update set is_active = true, updated_at = excluded.updated_at
      where not feedback_votes.is_active
    returning xmax = 0 as is_new
  )
  select exists (select 1 from listed) as "isThere", exists (select 1 from given) as "isChanged",
    exists (select 1 from given where is_new) as "isNew"`

const takingBack = (tx: Tx, agentId: string, id: string): Part => part`
  with listed as materialized (${listed(id)}), taken as (
    update feedback_votes set is_active = false, updated_at = ${tx.now}
    where feedback_id in (select idea_id from listed) and agent_id = ${agentId} and is_active returning 1
  )
  select exists (select 1 from listed) as "isThere", exists (select 1 from taken) as "isChanged", false as "isNew"`
