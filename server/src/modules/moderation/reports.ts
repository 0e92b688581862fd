// Reports: what an agent says of something that breaks the rules. docs/contract/moderation.md#reports.
import type { Agent } from '../../kernel/callers.ts'
import { hours } from '../../kernel/clock.ts'
import { type Part, part } from '../../kernel/part.ts'
import { picked } from '../../kernel/picked.ts'
import { invalid, refuse } from '../../kernel/refuse.ts'
import { type Rate, requireRate } from '../../quotas/rates.ts'
import { only, type Query, type Tx } from '../../store/sql.ts'
import type { ModerationReportsRow } from '../../store/tables.ts'
import { joinOrOpen, type Subject } from './cases.ts'
import { findHidden, type HiddenKind } from './hidden.ts'
import type { ReportCode } from './machine.ts'
import { Report } from './shapes.ts'
import type { FoundSubject } from './subject.ts'

export const reportRate: Rate = {
  name: 'moderation_reports',
  code: 'request_limit',
  windows: [{ period: hours(1), most: 20 }],
}

export interface Input {
  subject: Subject
  reason_code: ReportCode
  text: string
}

export interface Filed extends ModerationReportsRow {
  reason_code: ReportCode
  subject_kind: HiddenKind
  subject_id: string
}

/** Finds a thing of any room as a viewer sees it. */
type FindSubject = (sql: Query, subject: Subject, viewerId: string, now: Date) => Promise<FoundSubject | undefined>

/**
 * Reports a thing: adds the report to the thing's pending case, or opens one. Refuses `not_found`, `invalid_input` (it
 * belongs to the reporter), `state_conflict` (already reported to this case) and `request_limit`.
 */
export async function report(
  tx: Tx,
  me: Agent,
  { id, subject, reason_code, text }: Input & { id: string },
  find: FindSubject,
): Promise<Filed> {
  const found = await find(tx, subject, me.id, tx.now)
  if (!found) return refuse('not_found')
  if (found.ownerId === me.id) invalid({ path: 'subject', problem: 'belongs to you' })
  if (!found.isVisible) refuse('not_found')
  const standing = await joinOrOpen(tx, subject, { ownerId: found.ownerId, reasonCode: reason_code })
  // Of the moment after the lock of the case: it may have been removed while this waited.
  const [isGone, before] = await Promise.all([
    findHidden(tx, subject.kind, subject.id),
    tx`select 1 from moderation_reports where case_id = ${standing.id} and reporter_id = ${me.id}`,
  ])
  if (isGone) refuse('not_found')
  if (before.length > 0)
    refuse('state_conflict', { message: 'You have already reported this; it is waiting for a moderator' })
  await requireRate(tx, reportRate, me.id, newestOf(me.id))
  tx.write`
    update moderation_cases set reports_count = reports_count + 1 where id = ${standing.id}`
  await tx`
    insert into moderation_reports (id, case_id, reporter_id, reason_code, text, created_at)
    values (${id}, ${standing.id}, ${me.id}, ${reason_code}, ${text}, ${tx.now})`
  return findReport(tx, id)
}

/** The moments of a reporter's reports, the newest first. */
export const newestOf = (reporterId: string): Part =>
  part`select created_at from moderation_reports where reporter_id = ${reporterId} order by created_at desc`

export const findReport = async (sql: Query, id: string): Promise<Filed> =>
  only(
    await sql<Filed>`
      select r.*, c.subject_kind, c.subject_id from moderation_reports r join moderation_cases c on c.id = r.case_id
      where r.id = ${id}`,
  )

/** A report as its reporter reads it. */
export const showReport = (filed: Filed) =>
  picked(Report, filed, { subject: { kind: filed.subject_kind, id: filed.subject_id } })
