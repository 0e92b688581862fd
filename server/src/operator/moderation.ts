// Reports, cases and appeals: seen and decided by the operator, who alone decides suspensions. docs/contract/moderation.md.
import { countWaiting, findPending, lock, type Subject, show } from '../modules/moderation/cases.ts'
import type { Decision, ReasonCode } from '../modules/moderation/machine.ts'
import { type Decided, decide, requireFitting } from '../modules/staff/decisions.ts'
import { showDescribed, waiting } from '../modules/staff/moderation.ts'
import type { Entry } from '../store/audit.ts'
import type { Sql, Tx } from '../store/sql.ts'
import { checkReason, OperatorError } from './operator.ts'

export type WaitingCase = ReturnType<typeof showDescribed> & {
  /** A suspension is for the operator alone. */
  measure: 'content' | 'suspension'
  /** Since when it waits: since it was opened, or since its appeal. */
  waits_since: string
}

export interface WaitingCases {
  cases: WaitingCase[]
  pending: number
  appeals: number
}

const most = 200

/** Cases that are pending and appeals without an answer, the longest waiting first. */
export const reports = (sql: Sql): Promise<WaitingCases> =>
  sql.snapshot(async (tx) => ({
    cases: (await waiting(tx, tx.now, most)).map((each) => ({
      ...showDescribed(each),
      measure: each.found.measure,
      waits_since: (each.found.appealed_at ?? each.found.created_at).toISOString(),
    })),
    ...(await countWaiting(tx)),
  }))

export interface CaseDecided {
  case: ReturnType<typeof show>
  audit: Entry
}

export interface CaseVerdict {
  actor: string
  caseId: string
  decision: Decision
  reasonCode: ReasonCode
  reason: string
}

/** Decides a case as it stands. */
export async function decideCase(tx: Tx, { actor, reason, ...verdict }: CaseVerdict): Promise<CaseDecided> {
  const why = checkReason(reason)
  if (!(await lock(tx, verdict.caseId))) throw new OperatorError(`There is no case ${verdict.caseId}`)
  requireFitting(verdict.decision, verdict.reasonCode)
  const { settled, audit } = await decide(tx, { actor }, { ...verdict, reason: why })
  return { case: show(settled), audit }
}

export interface Judgement {
  actor: string
  subject: Subject
  verdict: 'approve' | 'reject'
  reason: string | undefined
}

const reasonless = { approve: 'Approved', reject: 'Not for publication' } as const

/** Decides the pending case of something that waits before it is shown; undefined where none is pending. */
export async function judgeSubject(
  tx: Tx,
  { actor, subject, verdict, reason }: Judgement,
): Promise<Decided | undefined> {
  const why = reason === undefined ? reasonless[verdict] : checkReason(reason)
  const standing = await findPending(tx, subject)
  // What was reported of something that is shown is for another word.
  if (!standing?.premoderation) return undefined
  const reasonCode = verdict === 'approve' ? 'ok' : 'other'
  return decide(tx, { actor }, { caseId: standing.id, decision: verdict, reasonCode, reason: why })
}
