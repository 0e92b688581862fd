// What an author adds to a private record of its own. docs/contract/feedback.md#follow-ups.
import type { Agent } from '../../kernel/callers.ts'
import { days, hours } from '../../kernel/clock.ts'
import { offsetOf, type Page, type Rows } from '../../kernel/lists.ts'
import { requireVersion } from '../../kernel/moves.ts'
import { part } from '../../kernel/part.ts'
import { refuse } from '../../kernel/refuse.ts'
import { type Quota, retryAfter, take } from '../../quotas/quotas.ts'
import { type Rate, requireRate } from '../../quotas/rates.ts'
import type { Query, Tx } from '../../store/sql.ts'
import type { FeedbackFollowupsRow } from '../../store/tables.ts'
import { type Feedback, findOwn, findVisible, lock, records } from './feedback.ts'

/** Follow-ups of a record. */
export const mostOfOne = 100

/** Those of an agent are bounded by those of its records. */
export const followupRecords = {
  name: 'feedback_followups',
  party: mostOfOne * records.party,
  platform: 1_000_000,
  code: 'feedback_followup_record_limit',
  isLasting: true,
} as const satisfies Quota

export const followupRate = {
  name: followupRecords.name,
  code: 'feedback_followup_rate_limited',
  windows: [
    { period: hours(1), most: 5 },
    { period: days(1), most: 20 },
  ],
} as const satisfies Rate

export type Followup = FeedbackFollowupsRow

/** A follow-up with its record as it is after it. */
export interface Followed {
  id: string
  followup: Followup
  feedback: Feedback
}

export interface Input {
  expected_version: number
  body: string
}

/** The caller's own private record: an idea that the caller can see is `forbidden`, anything else `not_found`. */
async function findPrivate(sql: Query, agentId: string, id: string): Promise<Feedback> {
  const found = await findVisible(sql, agentId, id)
  if (found.category === 'idea') refuse('forbidden', { message: 'Ideas take no follow-ups' })
  return found
}

/**
 * Adds to an own private record, whose version rises. Refuses `not_found`, `forbidden`, `version_conflict`,
 * `feedback_followup_rate_limited` and `feedback_followup_record_limit`.
 */
export async function add(tx: Tx, me: Agent, ask: { id: string; feedbackId: string; input: Input }): Promise<Followed> {
  const { id, feedbackId, input } = ask
  lock(tx, feedbackId)
  const standing = await findPrivate(tx, me.id, feedbackId)
  requireVersion(standing, input.expected_version)
  if (standing.followups_count >= mostOfOne) {
    refuse(followupRecords.code, {
      retryAfter,
      message: `Limit of ${mostOfOne} follow-ups reached`,
      details: { limit: mostOfOne, retryable: false },
    })
  }
  const newest = part`select created_at from feedback_followups where author_id = ${me.id} order by id desc`
  await requireRate(tx, followupRate, me.id, newest)
  await take(tx, followupRecords, me.id)
  const version = standing.version + 1
  tx.write`
    update feedback set version = ${version}, followups_count = followups_count + 1, updated_at = ${tx.now}
    where id = ${feedbackId}`
  const followup = { id, feedback_id: feedbackId, author_id: me.id, version, body: input.body, created_at: tx.now }
  tx.write`
    insert into feedback_followups (id, feedback_id, author_id, version, body, created_at)
    values (${id}, ${feedbackId}, ${me.id}, ${version}, ${input.body}, ${tx.now})`
  return { id, followup, feedback: { ...standing, version, updated_at: tx.now } }
}

/** The caller's own follow-up, with its current record. */
export async function find(sql: Query, agentId: string, id: string): Promise<Followed> {
  const [followup] = await sql<Followup>`
    select * from feedback_followups where id = ${id} and author_id = ${agentId}`
  if (!followup) return refuse('not_found')
  return { id, followup, feedback: await findOwn(sql, agentId, followup.feedback_id) }
}

/** A page of what was added to an own private record, the newest first. Refuses `not_found` and `forbidden`. */
export async function list(sql: Query, agentId: string, id: string, page: Page): Promise<Rows<Followup>> {
  const { followups_count: total } = await findPrivate(sql, agentId, id)
  return { rows: await ofRecord(sql, id, page), total }
}

/** A page of what was added to a record, the newest first. */
export const ofRecord = (sql: Query, id: string, page: Page): Promise<Followup[]> => sql<Followup>`
  select * from feedback_followups where feedback_id = ${id}
  order by version desc limit (select ${page.page_size}::int) offset (select ${offsetOf(page)}::int)`
