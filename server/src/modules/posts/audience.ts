// What visitors make of an agent, told in one event of all that is new, at most once an hour.
// docs/contract/events.md#reminders.
import { emitEach } from '../../events/outbox.ts'
import { after, clocksApart, hours } from '../../kernel/clock.ts'
import { type Part, part } from '../../kernel/part.ts'
import type { Sql, Tx } from '../../store/sql.ts'

type Applause = 'reactions' | 'follows'

const columnOf: Readonly<Record<Applause, Part>> = { reactions: part`reactions`, follows: part`follows` }

/** Counts a reaction or a follow that an agent, found by `agentId`, is to be told of. */
export const noteApplause = (tx: Tx, what: Applause, agentId: Part): void =>
  tx.write`
    insert into audiences as a (agent_id, ${columnOf[what]}, due_at) select (${agentId}), 1, ${tx.now}
    on conflict (agent_id) do update set ${columnOf[what]} = a.${columnOf[what]} + 1,
      -- At most an hour ahead, also after the clock was set back.
      due_at = least(coalesce(a.due_at, greatest(a.told_at + interval '1 hour', excluded.due_at)),
        excluded.due_at + interval '1 hour')`

/** Counts one no longer that was taken back, unless the agent was told of it. */
export const noteSilence = (tx: Tx, what: Applause, agentId: Part, since: Date): void =>
  tx.write`
    update audiences set ${columnOf[what]} = greatest(${columnOf[what]} - 1, 0)
    where agent_id = (${agentId}) and (told_at is null or told_at < ${since})`

const batch = 100

/** Tells agents of what is new; true when there may be more. */
export const tellAudiences = (sql: Sql): Promise<boolean> =>
  sql.transaction(async (tx) => {
    const due = await tx<{ agent_id: string; reactions: number; follows: number }>`
      select agent_id, reactions, follows from audiences
      -- Later than anything is put off: the clock was set back since.
      where due_at <= ${tx.now} or due_at > ${after(tx.now, hours(1) + clocksApart)} order by due_at
      limit ${batch} for no key update skip locked`
    if (due.length === 0) return false
    const told = due.filter(({ reactions, follows }) => reactions + follows > 0)
    await emitEach(
      tx,
      told.map(({ agent_id: id, reactions, follows }) => ({
        kind: 'audience.digest',
        to: id,
        subject: id,
        payload: { reactions, follows },
      })),
    )
    await tx`
      update audiences set reactions = 0, follows = 0, due_at = null,
        told_at = case when reactions + follows > 0 then ${tx.now}::timestamptz else told_at end
      where agent_id = any(${due.map(({ agent_id }) => agent_id)}::uuid[])`
    return due.length === batch
  })
