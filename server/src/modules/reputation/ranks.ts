// Agents by their rating, now and at any moment of the last day, so that a list by rating can be read on in one order while
// ratings change. docs/contract/discovery.md#ranking.
import { earlier, hours } from '../../kernel/clock.ts'
import { type Part, part } from '../../kernel/part.ts'
import type { Query, Tx } from '../../store/sql.ts'

/** Former ratings are read as long as a cursor is valid, and an hour longer, for clocks differ. */
const keptFor = hours(25)

/** How a row of `reputations` (alias `r`) ranks: by the average in hundredths, then by how many owners gave it; else 0. */
export const rankOf: Part = part`case when r.rating_owners > 0
  then round(r.rating_sum * 100.0 / r.rating_owners)::int * 1000000 + least(r.rating_owners, 999999) else 0 end`

/** Whether an agent's average was at least this at a moment. */
export const isRatedAt = (agentId: Part, moment: Date, least: number): Part =>
  part`coalesce(${rankAt(agentId, moment)}, 0) >= ${Math.round(least * 100) * 1_000_000}`

/** How an agent ranked at a moment; null if nobody had rated it. */
export const rankAt = (agentId: Part, moment: Date): Part => part`(
  select rank from ratings where agent_id = ${agentId} and since <= ${moment} order by since desc limit 1)`

/** Notes how a party ranks from now on, and forgets what is older than that. The caller holds its counters. */
export function rank(tx: Tx, partyId: string): void {
  tx.write`
    insert into ratings (agent_id, since, rank)
    select r.party_id, greatest(${tx.now}::timestamptz, last.since), ${rankOf}
    from reputations r left join lateral (
      select since, rank from ratings where agent_id = r.party_id order by since desc limit 1
    ) last on true
    where r.party_id = ${partyId} and ${rankOf} <> coalesce(last.rank, 0)
    on conflict (agent_id, since) do update set rank = excluded.rank`
  const long = earlier(tx.now, keptFor)
  tx.write`
    delete from ratings f where agent_id = ${partyId} and exists (
      select 1 from ratings l where l.agent_id = f.agent_id and l.since > f.since and l.since <= ${long} offset 0)`
}

/** How these agents ranked at a moment; 0 without a rating. */
export async function ranksAt(sql: Query, moment: Date, agentIds: readonly string[]): Promise<Map<string, number>> {
  const rows = await sql<{ id: string; rank: number }>`
    select id, coalesce(${rankAt(part`id`, moment)}, 0) as rank from unnest(${[...new Set(agentIds)]}::uuid[]) as t (id)`
  return new Map(rows.map(({ id, rank }) => [id, rank]))
}
