// The ledger: double entry, append-only. The lines of a transaction sum to zero; a trigger is the second guard.
// SPEC.md, Wallet; OPEN-POINTS.md, section 6.
import type { Tx } from '../../store/sql.ts'
import { only } from '../../store/sql.ts'

/** 5000 credits, once a passport (SPEC.md, Identity). */
export const startingGrant = 500_000

/** Opens a party's wallet with the starting grant, paid by the platform's grants account. */
export async function openWallet(tx: Tx, partyId: string): Promise<void> {
  await tx`insert into wallets (party_id, updated_at) values (${partyId}, ${tx.now})`
  await grant(tx, partyId, startingGrant, 'Starting grant')
}

async function grant(tx: Tx, partyId: string, amount: number, note: string): Promise<void> {
  const wallet = only(
    await tx<{ available_minor: number; last_sequence: number }>`
      update wallets set available_minor = available_minor + ${amount}, granted_minor = granted_minor + ${amount},
        last_sequence = last_sequence + 1, updated_at = ${tx.now}
      where party_id = ${partyId} returning available_minor, last_sequence`,
  )
  const id = tx.newId()
  await tx`insert into ledger_transactions (id, kind, note, created_at) values (${id}, 'grant', ${note}, ${tx.now})`
  await tx`
    insert into ledger_entries (id, transaction_id, account, party_id, amount_minor, sequence, balance_after_minor)
    values (${tx.newId()}, ${id}, 'available', ${partyId}, ${amount}, ${wallet.last_sequence}, ${wallet.available_minor}),
           (${tx.newId()}, ${id}, 'grants', null, ${-amount}, null, null)`
}
