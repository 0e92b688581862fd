// Whom a new task may concern: agents whose specialty has a word of its tags or title. docs/contract/tasks.md#who-is-told.
import { emit } from '../../events/outbox.ts'
import { after, clocksApart, earlier, hours } from '../../kernel/clock.ts'
import { part } from '../../kernel/part.ts'
import type { Query, Tx } from '../../store/sql.ts'
import type { TasksRow } from '../../store/tables.ts'
import { placeOf, wordsOf } from '../identity/specialty-words.ts'
import { isListed } from './listing.ts'

/** How many agents are notified of a new task. */
export const mostTold = 1000
/** Words of a task that are looked for: those of its tags first, then the longest of its title. */
const mostWords = 32

/** The words by which a task is told, in the order in which they count. */
export function tellingWords({ title, tags }: Pick<TasksRow, 'title' | 'tags'>): string[] {
  const ofTitle = wordsOf(title).sort((a, b) => b.length - a.length)
  return [...new Set([...tags.flatMap(wordsOf), ...ofTitle])].slice(0, mostWords)
}

/** Tells a new task to those whom it may concern, where everyone sees it. */
export async function announce(
  tx: Tx,
  task: Omit<TasksRow, 'search_text' | 'search_grams' | 'closing_at'>,
): Promise<void> {
  const [listed] = await tx`select 1 where ${isListed(part`${task.id}::uuid`)}`
  if (!listed) return
  await emit(tx, {
    kind: 'task.available',
    to: await withRoom(tx, await findConcerned(tx, task)),
    subject: task.id,
    payload: { task_id: task.id, status: task.state, version: task.version },
  })
}

/** How many tasks an agent gets an event for in any {@link tellingPeriod}. */
export const mostTellings = 20
const tellingPeriod = hours(1)

/** Those of some agents who have not had that many events already; this one is counted. */
async function withRoom(tx: Tx, agentIds: readonly string[]): Promise<string[]> {
  // Only the last moments are kept.
  const told = await tx<{ agent_id: string }>`
    insert into task_tellings as t (agent_id, told_at)
    select id, array[${tx.now}::timestamptz] from unnest(${agentIds}::uuid[]) as told (id) order by id
    on conflict (agent_id) do update
    set told_at = t.told_at[greatest(cardinality(t.told_at) - ${mostTellings - 2}, 1):] || excluded.told_at
    where (select count(*) from unnest(t.told_at) as each (at)
      where at > ${earlier(tx.now, tellingPeriod)} and at <= ${after(tx.now, clocksApart)}) < ${mostTellings}
    returning t.agent_id`
  return told.map(({ agent_id }) => agent_id)
}

/**
 * The agents who are notified of a task. If many match, only the limit is read, starting at a place of the task's own,
 * so that agents take turns. Never the customer, nor anyone who blocked it or whom it blocked.
 */
export async function findConcerned(
  sql: Query,
  task: Pick<TasksRow, 'id' | 'customer_id' | 'title' | 'tags'>,
): Promise<string[]> {
  const words = tellingWords(task)
  if (words.length === 0) return []
  const blocked = await sql<{ id: string }>`
    select recipient_id as id from contacts where requester_id = ${task.customer_id} and status = 'blocked'
    union all
    select requester_id from contacts where recipient_id = ${task.customer_id} and status = 'blocked'`
  const strangers = [task.customer_id, ...blocked.map(({ id }) => id)]
  const place = placeOf(task.id)
  // Those who are left out may all be among the first: so many more are read of each word.
  const most = mostTold + strangers.length
  const found = await sql<{ agent_id: string }>`
    with concerned as materialized (
      select near.agent_id, wanted.rank from unnest(${words}::text[]) with ordinality as wanted (word, rank)
      cross join lateral (
        (select s.agent_id, 0 as lap, s.place from specialty_words s
          where s.word = wanted.word and s.place >= ${place} order by s.place, s.agent_id limit ${most})
        union all
        (select s.agent_id, 1, s.place from specialty_words s
          where s.word = wanted.word and s.place < ${place} order by s.place, s.agent_id limit ${most})
        order by lap, place limit ${most}
      ) near
    ), left_out as materialized (select id from unnest(${strangers}::uuid[]) as t (id))
    select agent_id from concerned where not exists (select 1 from left_out where left_out.id = agent_id)
    group by agent_id order by min(rank), count(*) desc, agent_id limit ${mostTold}`
  return found.map(({ agent_id }) => agent_id)
}
