// What waits for a moderator, and what was decided: each case with what it is about. docs/contract/staff.md#moderation.
import { type Page, type Rows, withRows } from '../../kernel/lists.ts'
import { part } from '../../kernel/part.ts'
import { pageOf } from '../../store/page-of.ts'
import { only, type Query } from '../../store/sql.ts'
import type { ModerationReportsRow } from '../../store/tables.ts'
import { type ModerationCase, show } from '../moderation/cases.ts'
import type { HiddenKind } from '../moderation/hidden.ts'
import type { ReportCode, Status } from '../moderation/machine.ts'
import type { Excerpt } from '../moderation/subject.ts'
import { type PartyName, partyNames } from '../parties/names.ts'
import { type Judge, ownAmong } from './judge.ts'
import { premoderationOf } from './premoderation.ts'
import { findSubjects } from './subjects.ts'

export interface Filter extends Page {
  /** Those that are pending where it is left out; and with `appealed`, those whose appeal waits for an answer. */
  status: Status | undefined
  kind: HiddenKind | undefined
  appealed: boolean | undefined
}

/** A case with what a moderator has to know of it. */
export interface Described {
  found: ModerationCase
  owner: Pick<PartyName, 'id' | 'handle' | 'display_name'>
  /** The newest, without who said so. */
  reports: readonly Reported[]
  waitingText: string | null
  excerpt: Excerpt | null
}

interface Reported extends Pick<ModerationReportsRow, 'case_id' | 'text' | 'created_at'> {
  reason_code: ReportCode
}

/**
 * A page of a queue of cases for a moderator, the longest waiting first. Suspensions are not among them: those are the
 * operator's to decide.
 */
export async function list(
  sql: Query,
  now: Date,
  viewer: Judge,
  { status, kind, appealed, ...page }: Filter,
): Promise<Rows<Described>> {
  const ofKind = kind === undefined ? part`` : part`and subject_kind = ${kind}`
  const isAppealed = appealed ? part`and appealed_at is not null` : part`and appealed_at is null`
  const unanswered = appealed === true && status === undefined
  const where = unanswered
    ? part`measure = 'content' and appealed_at is not null and appeal_answered_at is null ${ofKind}`
    : part`measure = 'content' and status = ${status ?? 'pending'} ${ofKind} ${appealed === undefined ? part`` : isAppealed}`
  const found = await pageOf<ModerationCase>(sql, page, {
    those: [part`from moderation_cases where ${where}`],
    order: unanswered ? part`appealed_at, id` : part`id`,
  })
  return withRows(found, (cases) => describe(sql, now, cases, viewer))
}

/** What waits for anybody's decision, suspensions whose agents appealed too: so many, the longest waiting first. */
export async function waiting(sql: Query, now: Date, limit: number): Promise<Described[]> {
  const cases = await sql<ModerationCase>`
    select * from (
      (select * from moderation_cases where status = 'pending' and measure = 'content'
        order by id limit (select ${limit}::int))
      union all
      (select * from moderation_cases where appealed_at is not null and appeal_answered_at is null
        order by appealed_at, id limit (select ${limit}::int))
    ) c order by coalesce(appealed_at, created_at), id limit (select ${limit}::int)`
  return describe(sql, now, cases)
}

/** So many reports of a case are shown, the newest. */
export const mostReports = 20

/** A case with what a moderator, or without one the operator, has to know of it. */
export const describeOne = async (sql: Query, now: Date, found: ModerationCase, viewer?: Judge): Promise<Described> =>
  only(await describe(sql, now, [found], viewer))

/** Cases with what a moderator, or without one the operator, has to know of them. */
export async function describe(
  sql: Query,
  now: Date,
  cases: readonly ModerationCase[],
  viewer?: Judge,
): Promise<Described[]> {
  if (cases.length === 0) return []
  const owners = [...new Set(cases.map(({ owner_id: id }) => id))]
  const [named, reports, texts, founds] = await Promise.all([
    sql<PartyName>`select n.id, n.handle, n.display_name from ${partyNames} n where n.id = any(${owners}::uuid[])`,
    reportsOf(sql, cases),
    waitingTexts(sql, cases),
    findSubjects(
      sql,
      cases.map(({ subject_kind: kind, subject_id: id }) => ({ kind, id })),
      now,
    ),
  ])
  const names = new Map(named.map((each) => [each.id, each]))
  const own = viewer ? await ownAmong(sql, viewer, owners) : []
  return cases.map((found, at) => ({
    found,
    owner: names.get(found.owner_id) as PartyName,
    // Reports of your own things stay hidden from you, also under another passport of the same owner.
    reports: own.includes(found.owner_id) ? [] : reports.filter(({ case_id: id }) => id === found.id),
    waitingText: texts.get(found.id) ?? null,
    excerpt: founds[at]?.excerpt ?? null,
  }))
}

const reportsOf = (sql: Query, cases: readonly ModerationCase[]): Promise<Reported[]> => {
  const reported = cases.filter(({ reports_count: count }) => count > 0).map(({ id }) => id)
  return reported.length === 0
    ? Promise.resolve([])
    : sql<Reported>`
        select r.case_id, r.reason_code, r.text, r.created_at from unnest(${reported}::uuid[]) as c (id), lateral (
          select * from moderation_reports where case_id = c.id order by id desc limit ${mostReports}) r
        order by r.case_id, r.id desc`
}

/** By case, one statement for each kind. */
async function waitingTexts(sql: Query, cases: readonly ModerationCase[]): Promise<Map<string, string>> {
  const waiting = cases.filter(({ premoderation, status }) => premoderation && status === 'pending')
  const kinds = [...new Set(waiting.map(({ subject_kind: kind }) => kind))]
  const texts = await Promise.all(
    kinds.map(async (kind) => {
      const ofKind = waiting.filter((each) => each.subject_kind === kind)
      const ids = ofKind.map(({ subject_id: id }) => id)
      const words = await premoderationOf(kind).words(sql, ids)
      return ofKind.flatMap(({ id, subject_id }): [string, string][] => {
        const text = words.get(subject_id)
        return text === undefined ? [] : [[id, text]]
      })
    }),
  )
  return new Map(texts.flat())
}

/** Of an excerpt, in code points. */
export const longestExcerpt = 2000

const cut = (text: string, most: number): string => {
  const points = [...text]
  return points.length <= most ? text : points.slice(0, most).join('')
}

/** A case as staff reads it. */
export const showDescribed = ({ found, owner, reports, waitingText, excerpt }: Described) => ({
  ...show(found),
  owner: { id: owner.id, handle: owner.handle, display_name: owner.display_name },
  reports: reports.map(({ reason_code, text, created_at }) => ({
    reason_code,
    text,
    created_at: created_at.toISOString(),
  })),
  reports_count: found.reports_count,
  waiting_text: waitingText,
  excerpt: excerpt && { title: excerpt.title, text: cut(excerpt.text, longestExcerpt) },
})
