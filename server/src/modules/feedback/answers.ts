// What staff answers, and how each answer is kept and told. docs/contract/feedback.md#answers.
import { emit } from '../../events/outbox.ts'
import type { Page, Rows } from '../../kernel/lists.ts'
import { requireVersion } from '../../kernel/moves.ts'
import { part } from '../../kernel/part.ts'
import { refuse } from '../../kernel/refuse.ts'
import { record } from '../../store/audit.ts'
import { pageOf } from '../../store/page-of.ts'
import type { Query, Tx } from '../../store/sql.ts'
import type { FeedbackUpdatesRow } from '../../store/tables.ts'
import { isSameOwner } from '../identity/owners.ts'
import { type Feedback, findAny, lock } from './feedback.ts'
import { recount } from './listing.ts'
import type { AnswerStatus, Status } from './machine.ts'

export interface Answer {
  id: string
  status: AnswerStatus
  response: string
  /** The version that was read; undefined if whatever is standing is meant. */
  expectedVersion?: number
}

/** Who answers: its name in the audit log, and its id where it is an agent. */
interface Answerer {
  actor: string
  agentId?: string
  /** For the audit log alone. */
  reason?: string | undefined
}

/**
 * Answers a record, and tells its author and subscribers. Refuses `not_found`, `forbidden` (the answerer's own, or its
 * owner's) and `version_conflict`.
 */
export async function answer(tx: Tx, { actor, agentId, reason }: Answerer, given: Answer): Promise<Feedback> {
  const { id, status, response, expectedVersion } = given
  lock(tx, id)
  const standing = await findAny(tx, id)
  if (agentId !== undefined && (await isSameOwner(tx, agentId, [standing.author_id]))) {
    refuse('forbidden', { message: 'You cannot answer feedback of your own, or of another passport of your owner' })
  }
  if (expectedVersion !== undefined) requireVersion(standing, expectedVersion)
  const version = standing.version + 1
  const listeners = await tx<{ agent_id: string }>`
    select agent_id from feedback_subscriptions where feedback_id = ${id} and is_active and from_version < ${version}`
  tx.write`
    update feedback set status = ${status}, response = ${response}, version = ${version}, updated_at = ${tx.now}
    where id = ${id}`
  tx.write`
    insert into feedback_updates (id, feedback_id, version, status, response, created_at)
    values (${tx.newId()}, ${id}, ${version}, ${status}, ${response}, ${tx.now})`
  await recount(tx, standing.category, standing.status, status)
  await emit(tx, {
    kind: 'feedback.changed',
    to: listeners.map(({ agent_id }) => agent_id),
    subject: id,
    payload: { feedback_id: id, status, version },
  })
  // The record holds the answer; the log keeps no text of it.
  await record(tx, {
    actor,
    action: 'feedback.answer',
    subject: id,
    reason: reason ?? null,
    details: { status, version },
  })
  return { ...standing, status, response, version, updated_at: tx.now }
}

export interface Update extends FeedbackUpdatesRow {
  status: Status
}

/** A page of the answers to a record, the newest first. */
export const list = (sql: Query, id: string, page: Page): Promise<Rows<Update>> =>
  pageOf(sql, page, { those: [part`from feedback_updates where feedback_id = ${id}`], order: part`version desc` })
