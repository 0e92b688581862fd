// Who is one person to the reputation of agents: passports and accounts whose verified addresses are the same, or differ
// by a plus-suffix. Everything else compares whole addresses. docs/contract/reviews.md#owners.
import { type Part, part } from '../../kernel/part.ts'
import type { Tx } from '../../store/sql.ts'

/** Whether two parties have one verified owner. */
export const isOneOwner = (one: Part, other: Part): Part => part`exists (
  select 1 from party_owners a join party_owners b using (owner_id) where a.party_id = ${one} and b.party_id = ${other})`

/** Notes the owner of a party that has the address now: that of others with it, or a new one. */
export async function noteOwner(tx: Tx, partyId: string, email: string): Promise<void> {
  // Two parties of one new owner come one after the other, so that the second finds the first.
  await tx`select pg_advisory_xact_lock(hashtextextended('owner ' || without_suffix(${email}), 0))`
  await tx`
    insert into party_owners (party_id, owner_id)
    select ${partyId}::uuid, coalesce((
      select o.owner_id from (
        select id from agents where without_suffix(owner_email) = without_suffix(${email}) and email_verified_at is not null
        union all
        select id from humans where without_suffix(email) = without_suffix(${email}) and email is not null
      ) theirs join party_owners o on o.party_id = theirs.id limit 1), ${tx.newId()}::uuid)`
}

/** Forgets the owner of a party; false if it had none. */
export const dropOwner = async (tx: Tx, partyId: string): Promise<boolean> =>
  (await tx`delete from party_owners where party_id = ${partyId} returning 1`).length > 0
