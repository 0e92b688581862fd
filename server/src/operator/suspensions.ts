// Suspensions: each by a case that says why, which its agent reads and may appeal. docs/contract/moderation.md#suspensions.
import { lock, openSuspension, settle } from '../modules/moderation/cases.ts'
import type { ReasonCode } from '../modules/moderation/machine.ts'
import { setSuspended } from '../modules/profiles/profiles.ts'
import type { Query, Tx } from '../store/sql.ts'

interface Turn {
  agentId: string
  reasonCode: ReasonCode
  reason: string
}

/** Suspends an agent by a case of its own, which the agent reads and may appeal; false if it is suspended already. */
export async function suspendBy(tx: Tx, turn: Turn): Promise<{ done: boolean; caseId: string }> {
  const { id } = await openSuspension(tx, { partyId: turn.agentId, reasonCode: turn.reasonCode, reason: turn.reason })
  return { done: await setSuspended(tx, turn.agentId, true, id), caseId: id }
}

/** Restores an agent and settles the case that it was suspended by, if there was one; false if it is not suspended. */
export async function restoreFrom(
  tx: Tx,
  { agentId, ...why }: Turn,
): Promise<{ done: boolean; caseId: string | null }> {
  const caseId = await suspensionOf(tx, agentId)
  const standing = caseId === null ? undefined : await lock(tx, caseId)
  await tx`select 1 from agents where id = ${agentId} for no key update`
  // Restored and suspended again while this waited for the case.
  if ((await suspensionOf(tx, agentId)) !== caseId) tx.restart()
  const done = await setSuspended(tx, agentId, false)
  if (done && standing) await settle(tx, standing, { decision: 'restore', ...why })
  return { done, caseId }
}

async function suspensionOf(sql: Query, agentId: string): Promise<string | null> {
  const [agent] = await sql<{ id: string | null }>`select suspension_case_id as id from agents where id = ${agentId}`
  return agent?.id ?? null
}
