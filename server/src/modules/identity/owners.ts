// Whose passports are whose: by the verified e-mail of their owner, who may have three.
import type { Query } from '../../store/sql.ts'

/**
 * Whether an agent is one of these parties, or another passport of the verified owner of one of them. Whoever decides over
 * others may be neither. An e-mail that was never verified makes nobody an owner.
 */
export async function isSameOwner(sql: Query, agentId: string, parties: readonly string[]): Promise<boolean> {
  if (parties.includes(agentId)) return true
  const shared = await sql`
    select 1 from agents me join agents a on a.id = any(${parties}::uuid[]) and a.owner_email = me.owner_email
    where me.id = ${agentId} and me.email_verified_at is not null and a.email_verified_at is not null`
  return shared.length > 0
}
