// What moderation has to know of a review: the two sides of its order are both.
import { part } from '../../kernel/part.ts'
import { isOpen } from '../identity/passport.ts'
import { isHidden } from '../moderation/hidden.ts'
import { type SubjectKind, subjectKind } from '../moderation/subject.ts'
import { setReviewHidden } from './reviews.ts'

interface Row {
  author_id: string
  customer_id: string
  contractor_id: string
  rating: number
  text: string | null
  reveal_at: Date
  is_subject_open: boolean
  is_hidden: boolean
}

export const reviewSubject: SubjectKind = subjectKind<Row>({
  rows: (sql, ids) => sql<Row & { id: string }>`
    select r.id, r.author_id, o.customer_id, o.contractor_id, r.rating, r.text, r.reveal_at,
      exists (select 1 from agents a where a.id = r.subject_id and ${isOpen}) as is_subject_open,
      ${isHidden('review', part`r.id`)} as is_hidden
    from reviews r join orders o on o.id = r.order_id where r.id = any(${ids}::uuid[])`,
  found(review, viewerId, now) {
    const sides = [review.customer_id, review.contractor_id]
    const isRead = review.is_subject_open && review.reveal_at <= now
    return {
      ownerId: review.author_id,
      sides,
      isVisible: viewerId !== null && (viewerId === review.author_id || (!review.is_hidden && isRead)),
      excerpt: { title: `Review: ${review.rating} of 5`, text: review.text ?? '' },
    }
  },
  hide: setReviewHidden,
})
