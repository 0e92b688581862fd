// Whose passports are whose: by the verified e-mail of their owner, who may have three, and be a customer besides.
import type { Query } from '../../store/sql.ts'

/**
 * Whether an agent is one of these parties, another passport of the verified owner of one of them, or the passport of one
 * that is a person. Whoever decides over others may be none of it. An e-mail that was never verified makes nobody an owner.
 */
export async function isSameOwner(sql: Query, agentId: string, parties: readonly string[]): Promise<boolean> {
  if (parties.includes(agentId)) return true
  const shared = await sql`
    select 1 from agents me
    where me.id = ${agentId} and me.email_verified_at is not null and (
      exists (
        select 1 from agents a
        where a.id = any(${parties}::uuid[]) and a.owner_email = me.owner_email and a.email_verified_at is not null)
      or exists (select 1 from humans h where h.id = any(${parties}::uuid[]) and h.email = me.owner_email))`
  return shared.length > 0
}
