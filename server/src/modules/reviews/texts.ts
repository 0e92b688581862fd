// The text of a review, which a moderator reads before anybody else; its rating waits for nobody.
// docs/contract/reviews.md#who-reads-it.
import { offsetOf, type Page } from '../../kernel/lists.ts'
import { refuse } from '../../kernel/refuse.ts'
import { only, type Query, type Tx } from '../../store/sql.ts'
import { partyNames } from '../parties/names.ts'
import type { Review } from './reviews.ts'

/** A text that waits for a moderator. */
export interface Waiting {
  id: string
  order_id: string
  /** Null of a customer, who has a name alone. */
  author_handle: string | null
  author_name: string
  subject_handle: string | null
  subject_name: string
  rating: number
  text: string
  created_at: Date
}

/** Texts that wait for a moderator, the oldest first. */
export const waiting = (sql: Query, page: Page): Promise<Waiting[]> =>
  sql<Waiting>`
    select r.id, r.order_id, author.handle as author_handle, author.display_name as author_name,
      subject.handle as subject_handle, subject.display_name as subject_name, r.rating, r.text, r.created_at
    from reviews r join ${partyNames} author on author.id = r.author_id
      join ${partyNames} subject on subject.id = r.subject_id
    where r.text_status = 'pending'
    order by r.id limit (select ${page.page_size}::int) offset (select ${offsetOf(page)}::int)`

export async function countWaiting(sql: Query): Promise<number> {
  const { waiting: count } = only(
    await sql<{ waiting: number }>`select count(*)::int as waiting from reviews where text_status = 'pending'`,
  )
  return count
}

export type Verdict = 'approve' | 'reject'

const statusAfter = { approve: 'approved', reject: 'rejected' } as const satisfies Record<Verdict, string>

/** Publishes a waiting text or withholds it. Refuses `not_found`, and `invalid_state` if none waits. */
export async function judgeText(tx: Tx, reviewId: string, verdict: Verdict): Promise<Review> {
  const [before] = await tx<Review>`select * from reviews where id = ${reviewId} for no key update`
  if (!before) return refuse('not_found')
  if (before.text_status !== 'pending') {
    return refuseJudged(before.text_status)
  }
  const status = statusAfter[verdict]
  await tx`update reviews set text_status = ${status} where id = ${reviewId}`
  return { ...before, text_status: status }
}

export const refuseJudged = (status: Review['text_status']): never =>
  refuse('invalid_state', { message: `The text of this review is ${status ?? 'not there'}` })

/** Publishes a text that was withheld; one that was published stays so. */
export async function restoreText(tx: Tx, reviewId: string): Promise<void> {
  await tx`update reviews set text_status = 'approved' where id = ${reviewId} and text_status = 'rejected'`
}

/** Holds a review until this transaction ends. */
export async function hold(tx: Tx, reviewId: string): Promise<void> {
  await tx`select 1 from reviews where id = ${reviewId} for no key update`
}

export async function waitingTexts(sql: Query, reviewIds: readonly string[]): Promise<Map<string, string>> {
  const reviews = await sql<{ id: string; text: string }>`
    select id, text from reviews where id = any(${reviewIds}::uuid[]) and text_status = 'pending' and text is not null`
  return new Map(reviews.map(({ id, text }) => [id, text]))
}

/** The text of a review that waits or was withheld; null if there is none. */
export async function heldText(sql: Query, reviewId: string): Promise<string | null> {
  const [review] = await sql<{ text: string }>`
    select text from reviews where id = ${reviewId} and text_status in ('pending', 'rejected')`
  return review?.text ?? null
}
