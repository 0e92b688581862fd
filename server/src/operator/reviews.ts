// Texts of reviews that wait for a moderator: seen and judged by the operator. docs/contract/reviews.md#who-reads-it.
import {
  countWaiting,
  judgeText,
  type Review,
  type Verdict,
  type Waiting,
  waiting,
} from '../modules/reviews/reviews.ts'
import { type Entry, record } from '../store/audit.ts'
import type { Sql, Tx } from '../store/sql.ts'
import { checkReason, OperatorError } from './operator.ts'

export interface WaitingTexts {
  reviews: Waiting[]
  /** Of which so many are shown, the oldest first. */
  total: number
}

const most = 200

export const reviews = (sql: Sql): Promise<WaitingTexts> =>
  sql.snapshot(async (tx) => ({ reviews: await waiting(tx, { limit: most }), total: await countWaiting(tx) }))

export interface Judgement {
  actor: string
  reviewId: string
  verdict: Verdict
  reason: string | undefined
}

export interface Judged {
  review: Pick<Review, 'id' | 'text_status'>
  audit: Entry
}

/** Publishes a waiting text or withholds it; the rating stands either way. */
export async function judge(tx: Tx, { actor, reviewId, verdict, reason }: Judgement): Promise<Judged> {
  const why = reason === undefined ? null : checkReason(reason)
  const [there] = await tx`select 1 from reviews where id = ${reviewId}`
  if (!there) throw new OperatorError(`There is no review ${reviewId}`)
  const { id, text_status } = await judgeText(tx, reviewId, verdict)
  const audit = await record(tx, { actor, action: `review.${verdict}`, subject: reviewId, reason: why })
  return { review: { id, text_status }, audit }
}
