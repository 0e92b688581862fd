// How many things of a kind a party may have, exactly, and all parties together, exactly unless a transaction is
// stalled while five hundred others pass: counted in the transaction of what they count, without a row that everybody
// waits for. docs/contract/limits.md.
import { type Part, part } from '../kernel/part.ts'
import type { Code } from '../kernel/refuse.ts'
import { refuse } from '../kernel/refuse.ts'
import { only, type Query, type Tx } from '../store/sql.ts'

export interface Quota {
  name: string
  party: number
  /** The limit in all; undefined if only a party's own limit applies. */
  platform?: number
  /** The refusal beyond the limit. */
  code: Code
  /** Whether nothing that ends makes room again: waiting does not help then. */
  isLasting?: true
}

/** Whole seconds after which asking again may help: only the end of something else makes room. */
export const retryAfter = 3600

/** This close to the platform's limit, transactions take turns: more than all nodes could have open at once. */
const margin = 500

/** Counts one more thing of a party; refuses the quota's code beyond the limit. */
export async function take(tx: Tx, { name, party, platform, code, isLasting }: Quota, partyId: string): Promise<void> {
  const counts = only(await tx<{ own: number; all: number }>`${adding(name, partyId, 1)}`)
  const lasting = isLasting ? { retryable: false } : {}
  if (counts.own > party) {
    refuse(code, { retryAfter, message: `Limit of ${party} reached`, details: { limit: party, ...lasting } })
  }
  if (platform === undefined || counts.all <= platform - margin) return
  await tx`select pg_advisory_xact_lock(hashtextextended(${`quota ${name}`}, 0))`
  // Everything taken before is committed: this statement sees it.
  if ((await totalOf(tx, name)) > platform) {
    refuse(code, { retryAfter, message: 'The server’s limit is reached', ...(isLasting && { details: lasting }) })
  }
}

/** Gives back things of a party that no longer exist: with the next statement, or the commit. */
export function giveBack(tx: Tx, { name }: Pick<Quota, 'name'>, partyId: string, things = 1): void {
  if (things > 0) tx.write`${adding(name, partyId, -things)}`
}

/** How many things of a kind there are of all parties. */
export async function totalOf(sql: Query, name: string): Promise<number> {
  const { all } = only(
    await sql<{ all: number }>`select coalesce(sum(value), 0)::bigint as all from counters where name = ${name}`,
  )
  return all
}

/** How many things of a kind a party has. */
export async function countOf(sql: Query, { name }: Pick<Quota, 'name'>, partyId: string): Promise<number> {
  const [found] = await sql<{ value: number }>`
    select value from party_counts where party_id = ${partyId} and name = ${name}`
  return found?.value ?? 0
}

/** The statement of {@link Counts} after a change. */
function adding(name: string, partyId: string, change: number): Part {
  // Whatever is given back was taken, so its row exists.
  const own =
    change > 0
      ? part`
          insert into party_counts (party_id, name, value) values (${partyId}, ${name}, ${change}::integer)
          on conflict (party_id, name) do update set value = party_counts.value + excluded.value returning value`
      : part`
          update party_counts set value = value + ${change}::integer
          where party_id = ${partyId} and name = ${name} returning value`
  return part`
    with own as (${own}), shared as (
      -- A shard of each connection's own: nobody waits for another one's commit.
      insert into counters (name, shard, value)
      select ${name}, pg_backend_pid() % 64, ${change}::bigint from own
      on conflict (name, shard) do update set value = counters.value + excluded.value
    )
    select own.value as own, ${change}::bigint + coalesce((
      select sum(value) from counters where name = ${name}), 0)::bigint as all
    from own`
}
