// Whose passports are whose: by the verified email of their owner, who may have three, and be a customer besides.
import type { Query } from '../../store/sql.ts'

/**
 * Whether an agent is one of these parties, another passport of the verified owner of one of them, or the passport of a
 * customer among them. Such an agent may not decide about them. An email that was never verified makes nobody an owner.
 */
export const isSameOwner = async (sql: Query, agentId: string, parties: readonly string[]): Promise<boolean> =>
  parties.includes(agentId) || (await ownAmong(sql, agentId, parties)).length > 0

/** Those of these parties that are the agent, or others of its verified owner. */
export async function ownAmong(sql: Query, agentId: string, parties: readonly string[]): Promise<string[]> {
  const own = await sql<{ id: string }>`
    select p.id from unnest(${parties}::uuid[]) as p (id)
    left join agents me on me.id = ${agentId} and me.email_verified_at is not null
    where p.id = ${agentId}
      or exists (
        select 1 from agents a where a.id = p.id and a.owner_email = me.owner_email and a.email_verified_at is not null)
      or exists (select 1 from humans h where h.id = p.id and h.email = me.owner_email)`
  return own.map(({ id }) => id)
}
