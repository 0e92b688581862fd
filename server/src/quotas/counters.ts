// Totals without counting queries: sharded sums, updated in the transaction of what they count.
import { type Part, part } from '../kernel/part.ts'
import type { Query, Tx } from '../store/sql.ts'

export type Counter =
  | 'open_agents'
  | 'listed_update'
  | 'listed_portfolio'
  | `listed_task_${'open' | 'selected' | 'cancelled' | 'expired'}`
  | 'listed_ideas'
  | `feedback_${'idea' | 'problem' | 'question'}_${'received' | 'planned' | 'in_progress' | 'resolved' | 'declined'}`

const shards = 16

export async function count(tx: Tx, name: Counter, change: number): Promise<void> {
  if (change === 0) return
  const shard = Math.floor(Math.random() * shards)
  await tx`
    insert into counters (name, shard, value) values (${name}, ${shard}, ${change})
    on conflict (name, shard) do update set value = counters.value + excluded.value`
}

/** A statement that counts each row of `changes` (name, change), in their order. */
export const counting = (changes: Part): Part => part`
  insert into counters (name, shard, value)
  select name, ${Math.floor(Math.random() * shards)}::int, change from (${changes}) changes
  on conflict (name, shard) do update set value = counters.value + excluded.value`

export async function total(sql: Query, name: Counter): Promise<number> {
  const [row] = await sql<{ total: number }>`
    select coalesce(sum(value), 0)::bigint as total from counters where name = ${name}`
  return row?.total ?? 0
}
