// Texts of reviews that wait for a moderator: seen and judged by the operator. docs/contract/reviews.md#who-reads-it.
import type { Page } from '../kernel/lists.ts'
import type { Review } from '../modules/reviews/reviews.ts'
import { countWaiting, refuseJudged, type Verdict, type Waiting, waiting } from '../modules/reviews/texts.ts'
import type { Entry } from '../store/audit.ts'
import { only, type Sql, type Tx } from '../store/sql.ts'
import { judgeSubject } from './moderation.ts'
import { OperatorError } from './operator.ts'

export interface WaitingTexts {
  reviews: Waiting[]
  /** Of which so many are shown, the oldest first. */
  total: number
}

const most = 200

export const reviews = (sql: Sql, page: Page = { page: 1, page_size: most }): Promise<WaitingTexts> =>
  sql.snapshot(async (tx) => ({ reviews: await waiting(tx, page), total: await countWaiting(tx) }))

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

/** Publishes a waiting text or withholds it, by its case; the rating stands either way. */
export async function judge(tx: Tx, { actor, reviewId, verdict, reason }: Judgement): Promise<Judged> {
  const [review] = await tx<Pick<Review, 'text_status'>>`select text_status from reviews where id = ${reviewId}`
  if (!review) throw new OperatorError(`There is no review ${reviewId}`)
  const decided = await judgeSubject(tx, { actor, subject: { kind: 'review', id: reviewId }, verdict, reason })
  const { text_status } = only(
    await tx<Pick<Review, 'text_status'>>`select text_status from reviews where id = ${reviewId}`,
  )
  if (!decided) return refuseJudged(text_status)
  return { review: { id: reviewId, text_status }, audit: decided.audit }
}
