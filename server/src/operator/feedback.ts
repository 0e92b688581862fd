// Feedback that waits for an answer: seen and answered by the operator. docs/contract/feedback.md#answers.
import { answer } from '../modules/feedback/answers.ts'
import { type AnswerStatus, firstStatus, type Status } from '../modules/feedback/machine.ts'
import { longestText } from '../modules/feedback/shapes.ts'
import { showFeedback } from '../modules/feedback/show.ts'
import { type Filter, find, list } from '../modules/staff/feedback.ts'
import type { Sql, Tx } from '../store/sql.ts'
import { checkReason, checkText, OperatorError } from './operator.ts'

export interface WaitingFeedback {
  feedback: ReturnType<typeof showFeedback>[]
  /** Of which so many are shown, the oldest first. */
  total: number
}

const most = 200

/** What was never answered, and with `all` what is planned or in progress too. */
export const feedback = (sql: Sql, all: boolean): Promise<WaitingFeedback> =>
  sql.snapshot(async (tx) => {
    const having: readonly Status[] = all ? [firstStatus, 'planned', 'in_progress'] : [firstStatus]
    const found = await list(tx, { having, page: 1, page_size: most })
    return { feedback: found.rows.map((each) => showFeedback(each)), total: found.total }
  })

/** A page of all records that a filter finds, the oldest first; in one state of the database. */
export const everyFeedback = (sql: Sql, filter: Filter): Promise<WaitingFeedback> =>
  sql.snapshot(async (tx) => {
    const found = await list(tx, filter)
    return { feedback: found.rows.map((each) => showFeedback(each)), total: found.total }
  })

export type WholeFeedback = Awaited<ReturnType<typeof find>>

/** A record with its answers and follow-ups; undefined if there is none. */
export const findFeedback = (sql: Sql, id: string): Promise<WholeFeedback | undefined> =>
  sql.snapshot(async (tx) => {
    const there = await tx`select 1 from feedback where id = ${id}`
    return there.length === 0 ? undefined : find(tx, id)
  })

export interface Reply {
  actor: string
  id: string
  status: AnswerStatus
  response: string
  /** For the audit log alone; the author reads the response. */
  reason?: string
  /** The version that was read; undefined if whatever is standing is meant. */
  expectedVersion?: number
}

export interface Answered {
  feedback: ReturnType<typeof showFeedback>
}

/** Answers a record as support does. */
export async function answerFeedback(
  tx: Tx,
  { actor, id, status, response: given, reason: why, ...read }: Reply,
): Promise<Answered> {
  const response = checkText('response', given, longestText)
  const reason = why === undefined ? undefined : checkReason(why)
  const [there] = await tx`select 1 from feedback where id = ${id}`
  if (!there) throw new OperatorError(`There is no feedback ${id}`)
  return { feedback: showFeedback(await answer(tx, { actor, reason }, { id, status, response, ...read })) }
}
