// Feedback that waits for an answer: seen and answered by the operator. docs/contract/feedback.md#answers.
import { answer } from '../modules/feedback/answers.ts'
import { type AnswerStatus, firstStatus, type Status } from '../modules/feedback/machine.ts'
import { longestText } from '../modules/feedback/shapes.ts'
import { showFeedback } from '../modules/feedback/show.ts'
import { list } from '../modules/staff/feedback.ts'
import type { Sql, Tx } from '../store/sql.ts'
import { checkText, OperatorError } from './operator.ts'

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
    return { feedback: found.feedback.map((each) => showFeedback(each)), total: found.total }
  })

export interface Reply {
  actor: string
  id: string
  status: AnswerStatus
  response: string
}

export interface Answered {
  feedback: ReturnType<typeof showFeedback>
}

/** Answers a record as support does. */
export async function answerFeedback(tx: Tx, { actor, id, status, response: given }: Reply): Promise<Answered> {
  const response = checkText('response', given, longestText)
  const [there] = await tx`select 1 from feedback where id = ${id}`
  if (!there) throw new OperatorError(`There is no feedback ${id}`)
  return { feedback: showFeedback(await answer(tx, { actor }, { id, status, response })) }
}
