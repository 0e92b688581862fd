// Decisions on cases, by a moderator or the operator, and what each does to the thing that its case is about.
// docs/contract/moderation.md#decisions.
import { requireVersion } from '../../kernel/moves.ts'
import { invalid, refuse } from '../../kernel/refuse.ts'
import { type Entry, record } from '../../store/audit.ts'
import type { Tx } from '../../store/sql.ts'
import { setCustomerSuspended } from '../humans/suspension.ts'
import { isAppealed, isRemoved, lock, type ModerationCase, settle, stateOf } from '../moderation/cases.ts'
import { allows, type Decision, decisionNames, decisions, type ReasonCode, type Status } from '../moderation/machine.ts'
import { setSuspended } from '../profiles/profiles.ts'
import { hide, unhide } from './hiding.ts'
import { isOwn, type Judge } from './judge.ts'
import { premoderationOf } from './premoderation.ts'
import { findSubject } from './subjects.ts'

export interface Verdict {
  caseId: string
  decision: Decision
  reasonCode: ReasonCode
  reason: string
  /** The version that was read; undefined if the case as it stands is meant. */
  expectedVersion?: number
}

/** Who decides: the name in the audit log, and who it is where it is an agent. */
export interface Decider {
  actor: string
  judge?: Judge
}

export interface Decided {
  settled: ModerationCase
  audit: Entry
}

/** Refuses the code `ok` of a decision that takes something away. */
export function requireFitting(decision: Decision, reasonCode: ReasonCode): void {
  if (reasonCode === 'ok' && !('lenient' in decisions[decision])) {
    invalid({ path: 'reason_code', problem: 'ok is only for approve and restore' })
  }
}

/**
 * Decides a case, does to its subject what follows, tells its owner and writes it down. Refuses `not_found` (to
 * staff also a suspension), `forbidden` (the decider's own, of its order or its owner's), `version_conflict` and `invalid_state`.
 */
export async function decide(tx: Tx, { actor, judge }: Decider, verdict: Verdict): Promise<Decided> {
  const { decision, reasonCode, reason, expectedVersion } = verdict
  const standing = (await lock(tx, verdict.caseId)) ?? refuse('not_found')
  if (judge) await requireStranger(tx, standing, judge)
  if (expectedVersion !== undefined) requireVersion(standing, expectedVersion, { status: standing.status })
  requireAllowed(standing, decision)
  await carryOut(tx, standing, decision, reason)
  const settled = await settle(tx, standing, { decision, reasonCode, reason })
  const { subject_kind: kind, subject_id: subject, status, measure } = settled
  const isSuspension = measure === 'suspension'
  const details = { kind, subject, reason_code: reasonCode, status, ...(isSuspension && { measure }) }
  // What only says again what an appeal was against removes or rejects nothing.
  const action = `moderation.${standing.status === status ? ('confirm' as const) : decision}` as const
  const audit = await record(tx, { actor, action, subject: settled.id, reason, details })
  return { settled, audit }
}

/** Refuses a decision that the case does not take as it stands, and says which it takes. */
function requireAllowed(standing: ModerationCase, decision: Decision): void {
  const possible = decisionNames.filter((each) => allows({ ...standing, isAppealed: isAppealed(standing) }, each))
  if (possible.includes(decision)) return
  const { message, details } = stateOf(standing)
  const next = possible.length === 0 ? 'nothing is left to decide' : `you can ${possible.join(' or ')}`
  refuse('invalid_state', { message: `${message}: ${next}`, details })
}

async function requireStranger(
  tx: Tx,
  { measure, owner_id, ...standing }: ModerationCase,
  judge: Judge,
): Promise<void> {
  // For staff there is none, as where cases are read: they are the operator's.
  if (measure === 'suspension') refuse('not_found')
  const found = await findSubject(tx, { kind: standing.subject_kind, id: standing.subject_id }, null, tx.now)
  if (await isOwn(tx, judge, [owner_id, ...(found?.sides ?? [])])) {
    refuse('forbidden', { message: 'You cannot decide a case of your own, or of another passport of your owner' })
  }
}

/** Does to the subject of a locked case what a decision says. Where there is nothing left of it nothing is done. */
async function carryOut(tx: Tx, standing: ModerationCase, decision: Decision, reason: string): Promise<void> {
  const { status: was, subject_kind: kind, subject_id: id, premoderation } = standing
  const is: Status = decisions[decision].to
  if (was === is) return
  if (standing.measure === 'suspension') {
    // An agent, or a customer.
    if (!(await setSuspended(tx, id, false))) await setCustomerSuspended(tx, id, null)
    return
  }
  // Two cases of one subject may be decided at once, and what others say of it is asked below.
  await tx`select pg_advisory_xact_lock(hashtextextended(${`moderation ${kind} ${id}`}, 0))`
  const waiting = premoderation ? premoderationOf(kind) : undefined
  await waiting?.hold(tx, id)
  if (was === 'pending' && waiting) {
    await (is === 'approved' ? waiting.approve(tx, id, reason) : waiting.withhold(tx, id, reason))
  }
  if (is === 'removed') await hide(tx, kind, id)
  if (is !== 'restored') return
  if (was === 'removed' && !(await isRemoved(tx, { kind, id, exceptCaseId: standing.id }))) await unhide(tx, kind, id)
  await waiting?.restore(tx, id, reason)
}
