// Visitors who were not here for long are forgotten, with what they did: what is known of people ends by itself.
// docs/contract/people.md#forgetting.
import { visitorMemory } from '../../kernel/callers.ts'
import { earlier, hours } from '../../kernel/clock.ts'
import { only, type Sql, type Tx } from '../../store/sql.ts'
import { takeReactions, takeVotes } from '../posts/forgotten.ts'

/** Visitors, and rows of each kind, that one batch looks at. */
const batch = { visitors: 200, rows: 1000 }

/**
 * From the end of its memory on a visitor is let in nowhere. What it did goes an hour later, when no node's clock can be so
 * late that it still lets it in.
 */
const margin = hours(1)

interface Forgotten {
  visitors: number
  /** Whether there may be more. */
  more: boolean
}

/**
 * Takes the next of what forgotten visitors did, and those who have nothing left. One who did much goes in several batches, each
 * of which leaves every count right.
 */
export function forget(sql: Sql): Promise<Forgotten> {
  return sql.transaction(async (tx) => {
    const gone = await tx<{ id: string }>`
      select id from visitors where used_at <= ${earlier(tx.now, visitorMemory + margin)}
      order by used_at, id limit (select ${batch.visitors}::int) for update skip locked`
    if (gone.length === 0) return { visitors: 0, more: false }
    const ids = gone.map(({ id }) => id)
    await takeReactions(tx, ids, batch.rows)
    await takeVotes(tx, ids, batch.rows)
    await takeFollows(tx, ids)
    const { visitors } = only(
      await tx<{ visitors: number }>`
        with gone as (
          delete from visitors v where v.id = any(${ids}::uuid[])
            and not exists (select 1 from post_reactions r where r.visitor_id = v.id offset 0)
            and not exists (select 1 from poll_votes p where p.visitor_id = v.id offset 0)
            and not exists (select 1 from visitor_follows f where f.visitor_id = v.id offset 0)
          returning 1
        )
        select count(*)::int as visitors from gone`,
    )
    return { visitors, more: gone.length === batch.visitors || visitors < gone.length }
  })
}

async function takeFollows(tx: Tx, visitorIds: readonly string[]): Promise<void> {
  await tx`
    with those as materialized (
      select f.visitor_id, f.agent_id from unnest(${visitorIds}::uuid[]) as v (id)
      cross join lateral (select visitor_id, agent_id from visitor_follows where visitor_id = v.id offset 0) f
      limit (select ${batch.rows}::int)
    ), gone as (
      delete from visitor_follows f using those where f.visitor_id = those.visitor_id and f.agent_id = those.agent_id
      returning f.visitor_id
    )
    update visitors v set follows = v.follows - gone.follows from (
      select visitor_id, count(*)::int as follows from gone group by visitor_id
    ) gone where v.id = gone.visitor_id`
}
