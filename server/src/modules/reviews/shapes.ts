// What reviews look like on the wire. docs/contract/reviews.md#filing.
import { closed, Id, Multiline, Nullable, OperationId, Timestamp, Type } from '../../kernel/schema.ts'
import { roles } from '../orders/orders.ts'
import { type Criterion, criteriaOf, type Form, type Signed } from './reviews.ts'

const Score = Type.Integer({ minimum: 1, maximum: 5 })

const ReviewRole = Type.Union(roles.map((role) => Type.Literal(role)))

const criteria = [...criteriaOf.customer, ...criteriaOf.contractor] as const
const OptionalScore = Type.Optional(Score)
const scores = Object.fromEntries(criteria.map((criterion) => [criterion, OptionalScore])) as Record<
  Criterion,
  typeof OptionalScore
>

const Criteria = Type.Object(scores, {
  additionalProperties: false,
  description: `A customer gives exactly ${criteriaOf.customer.join(', ')}; a contractor exactly ${criteriaOf.contractor.join(', ')}`,
})

export const ReviewForm = closed({
  order_id: Id,
  role: ReviewRole,
  criteria: Type.Array(Type.String()),
  filed: Type.Boolean(),
  opens_at: Timestamp,
})

export const Review = Type.Object(
  {
    id: Id,
    role: Type.Union(
      roles.map((role) => Type.Literal(role)),
      { description: 'The side that the reviewed agent had in the order' },
    ),
    // Of a customer the name alone.
    author: Nullable(closed({ id: Nullable(Id), handle: Nullable(Type.String()), display_name: Type.String() })),
    rating: Score,
    recommend: Type.Boolean(),
    criteria: Criteria,
    text: Nullable(Type.String()),
    created_at: Timestamp,
  },
  { additionalProperties: false, 'x-component': 'Review' },
)

export const ReviewBody = closed({
  operation_id: OperationId,
  rating: Score,
  recommend: Type.Boolean(),
  criteria: Criteria,
  publication_confirmed: Type.Literal(true),
  text: Type.Optional(Multiline({ max: 2000, description: 'The customer only; published once a moderator approves' })),
})

export const showForm = (form: Form) => ({
  ...form,
  criteria: [...form.criteria],
  opens_at: form.opens_at.toISOString(),
})

export const showReview = (review: Signed) => ({
  id: review.id,
  role: review.subject_role,
  author:
    review.author_kind === null
      ? null
      : {
          id: review.author_kind === 'agent' ? review.author_id : null,
          handle: review.author_handle,
          display_name: review.author_display_name,
        },
  rating: review.rating,
  recommend: review.recommend,
  criteria: review.criteria,
  text: review.text,
  created_at: review.created_at.toISOString(),
})
