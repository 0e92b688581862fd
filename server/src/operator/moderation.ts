// Reports, cases and appeals: seen and decided by the operator, who alone decides suspensions. docs/contract/moderation.md.
import type { PreviewWidth } from '../inspect/formats.ts'
import { refuse } from '../kernel/refuse.ts'
import { uuidPattern } from '../kernel/schema.ts'
import { previewAt } from '../modules/attachments/cards.ts'
import { isHandle } from '../modules/identity/shapes.ts'
import { countWaiting, findPending, isAppealed, lock, type Subject, show } from '../modules/moderation/cases.ts'
import { allows, type Decision, decisionNames } from '../modules/moderation/machine.ts'
import { partyNames } from '../modules/parties/names.ts'
import * as all from '../modules/staff/all-cases.ts'
import { type Decided, decide, requireFitting, type Verdict } from '../modules/staff/decisions.ts'
import { look, lookAction, lookAtFile, type Material } from '../modules/staff/material.ts'
import { type Described, describeOne, showDescribed, waiting } from '../modules/staff/moderation.ts'
import type { Service } from '../service.ts'
import { type Entry, entries } from '../store/audit.ts'
import type { Query, Sql, Tx } from '../store/sql.ts'
import { checkReason, OperatorError } from './operator.ts'
import { casesAlike, type Dealings, dealingsOf, type Precedent } from './precedents.ts'

export type WaitingModerationCase = ReturnType<typeof showDescribed> & {
  /** A suspension is for the operator alone. */
  measure: 'content' | 'suspension'
  /** Since when it waits: since it was opened, or since its appeal. */
  waits_since: string
}

type Parts = Pick<Service, 'sql' | 'clock'>

export interface WaitingModerationCases {
  cases: WaitingModerationCase[]
  pending: number
  appeals: number
}

const most = 200

/** Cases that are pending and appeals without an answer, the longest waiting first. */
export const reports = (sql: Sql): Promise<WaitingModerationCases> =>
  sql.snapshot(async (tx) => ({ cases: (await waiting(tx, tx.now, most)).map(shown), ...(await countWaiting(tx)) }))

/** Whom an operator names by a handle or an ID: an agent, or a customer; undefined if there is nobody. */
export async function partyNamed(sql: Query, text: string): Promise<string | undefined> {
  const name = text.trim().replace(/^@/, '').toLowerCase()
  if (uuidPattern.test(name))
    return (await sql<{ id: string }>`select n.id from ${partyNames} n where n.id = ${name}`)[0]?.id
  return isHandle(name) ? (await sql<{ id: string }>`select id from agents where handle = ${name}`)[0]?.id : undefined
}

const shown = (each: Described): WaitingModerationCase => ({
  ...showDescribed(each),
  measure: each.found.measure,
  waits_since: (each.found.appealed_at ?? each.found.created_at).toISOString(),
})

/** A page of all cases that a filter finds, suspensions too; in one state of the database. */
export const cases = (sql: Sql, filter: all.Filter): Promise<{ cases: WaitingModerationCase[]; total: number }> =>
  sql.snapshot(async (tx) => {
    const found = await all.list(tx, tx.now, filter)
    return { cases: found.rows.map(shown), total: found.total }
  })

export interface WholeModerationCase {
  case: WaitingModerationCase
  /** Whether an appeal waits for its answer. */
  is_appealed: boolean
  /** What can be decided as it stands. */
  possible: Decision[]
  /** What was decided, newest first: so many at most. */
  history: Entry[]
  owner: Dealings
  /** What was decided of the same owner, and of the like. */
  alike: { ofOwner: Precedent[]; ofKind: Precedent[] }
}

const mostDecisions = 50

/** A case with its history; undefined if there is none. */
export const findModerationCase = (sql: Sql, id: string): Promise<WholeModerationCase | undefined> =>
  sql.snapshot(async (tx) => {
    const found = await all.find(tx, id)
    if (!found) return undefined
    const described = await describeOne(tx, tx.now, found)
    const standing = { ...found, isAppealed: isAppealed(found) }
    const [history, dealings, alike] = await Promise.all([
      historyOf(tx, described),
      dealingsOf(tx, [found.owner_id]),
      casesAlike(tx, found),
    ])
    return {
      case: shown(described),
      is_appealed: standing.isAppealed,
      possible: decisionNames.filter((each) => allows(standing, each)),
      history,
      owner: dealings.get(found.owner_id) as Dealings,
      alike,
    }
  })

/** What an operator looks at in a case, which is written down where nobody else sees it; undefined if there is none. */
export async function lookAtModerationCase(service: Parts, id: string, actor: string): Promise<Material | undefined> {
  const found = await all.find(service.sql, id)
  return found && look(service, found, { actor })
}

/** The preview of a file of a case, as wide as its page; refuses `not_found`. */
export async function lookAtPreview(
  service: Parts,
  { caseId, fileId, actor }: { caseId: string; fileId: string; actor: string },
): Promise<{ object: string; mimeType: string }> {
  const found = (await all.find(service.sql, caseId)) ?? refuse('not_found')
  const file = await lookAtFile(service, found, fileId, { actor })
  const { object, mimeType } = previewAt(file, widest) ?? refuse('not_found')
  return { object: `${file.id}/${object}`, mimeType }
}

const widest: PreviewWidth = 1080

/** A suspension begins, and may end, as an action on its agent or customer. */
async function historyOf(tx: Tx, { found, owner }: Described): Promise<Entry[]> {
  const own = await entries(tx, { subject: found.id, exceptAction: lookAction, limit: mostDecisions })
  if (found.measure === 'content') return own.entries
  const subject = owner.handle ?? owner.id
  const [begun, ended] = await Promise.all(
    ['suspend', 'restore'].map((verb) =>
      entries(tx, { subject, action: `${owner.handle === null ? 'customer' : 'agent'}.${verb}`, limit: mostDecisions }),
    ),
  )
  const ofCase = [...(begun?.entries ?? []), ...(ended?.entries ?? [])].filter(
    ({ details }) => details?.['case_id'] === found.id,
  )
  return [...own.entries, ...ofCase].sort((one, other) => (one.id < other.id ? 1 : -1))
}

/** The pending cases of things of a kind, by the IDs of the things. */
export async function pendingCases(
  sql: Query,
  kind: Subject['kind'],
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await sql<{ id: string; subject_id: string }>`
    select id, subject_id from moderation_cases
    where subject_kind = ${kind} and subject_id = any(${ids}::uuid[]) and status = 'pending'`
  return new Map(rows.map(({ id, subject_id }) => [subject_id, id]))
}

/** The latest case of something that waits before it is shown. */
export async function latestCase(sql: Query, kind: 'review' | 'service', id: string): Promise<string | undefined> {
  const [found] = await sql<{ id: string }>`
    select id from moderation_cases
    where owner_id = (
        select author_id from reviews where id = ${id} union all select provider_id from services where id = ${id})
      and subject_kind = ${kind} and subject_id = ${id}
    order by id desc limit 1`
  return found?.id
}

export interface CaseDecided {
  case: ReturnType<typeof show>
  audit: Entry
}

interface CaseVerdict extends Verdict {
  actor: string
}

export async function decideModerationCase(tx: Tx, { actor, reason, ...verdict }: CaseVerdict): Promise<CaseDecided> {
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

export const reasonless = { approve: 'Approved', reject: 'Not for publication' } as const

/** Decides the pending case of something that waits before it is shown; undefined if none is pending. */
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
