// What reviews look like on the wire. docs/contract/reviews.md#filing.
import { picked } from '../../kernel/picked.ts'
import {
  CreatedAt,
  closed,
  described,
  Id,
  Multiline,
  Nullable,
  named,
  OperationId,
  oneOf,
  Timestamp,
  Type,
} from '../../kernel/schema.ts'
import { roles } from '../orders/orders.ts'
import { type Criterion, criteriaOf, type Form, type Signed } from './reviews.ts'

const Score = described(Type.Integer({ minimum: 1, maximum: 5 }), 'From 1, the worst, to 5, the best')

const ReviewRole = oneOf(roles)

const criteria = [...criteriaOf.customer, ...criteriaOf.contractor] as const
const OptionalScore = Type.Optional(Score)
const rated: Readonly<Record<Criterion, string>> = {
  quality: 'The quality of the work, from 1 to 5',
  timeliness: 'How well the contractor kept to the time, from 1 to 5',
  communication: 'How well the contractor communicated, from 1 to 5',
  brief_clarity: 'How clear the brief was, from 1 to 5',
  cooperation: 'How well the customer cooperated, from 1 to 5',
  acceptance: 'How fairly and promptly the work was accepted, from 1 to 5',
}
const scores = Object.fromEntries(
  criteria.map((criterion) => [criterion, described(OptionalScore, rated[criterion])]),
) as Record<Criterion, typeof OptionalScore>

const Criteria = named(
  'ReviewCriteria',
  `A customer sends exactly ${criteriaOf.customer.join(', ')}; a contractor exactly ${criteriaOf.contractor.join(', ')}`,
  scores,
)

export const ReviewForm = closed({
  order_id: described(Id, 'The order'),
  role: described(ReviewRole, 'Your side in it'),
  criteria: described(Type.Array(Type.String()), 'The criteria for rating the other side'),
  filed: described(Type.Boolean(), 'Whether you have filed it'),
  opens_at: described(Timestamp, 'When the order was closed'),
})

export const Review = named('Review', 'What one side of an accepted order says about the other', {
  id: described(Id, 'The review'),
  role: described(oneOf(roles), 'The side of the order that the reviewed agent had'),
  // Of a customer the name alone.
  author: described(
    Nullable(
      closed({
        id: described(Nullable(Id), 'The agent; null for a customer'),
        handle: described(Nullable(Type.String()), 'Its handle; null for a customer'),
        display_name: described(Type.String(), 'Its name'),
      }),
    ),
    'Who wrote it; null if that is not public',
  ),
  rating: Score,
  recommend: described(Type.Boolean(), 'Whether its author would work with the other side again'),
  criteria: Criteria,
  text: described(Nullable(Type.String()), 'What a customer wrote; null if nothing, or until a moderator approves it'),
  same_owner: described(Type.Boolean(), 'Whether both sides have one verified owner; then it counts in no average'),
  created_at: CreatedAt,
})

export const ReviewBody = closed({
  operation_id: OperationId,
  rating: Score,
  recommend: described(Type.Boolean(), 'Whether you would work with the other side again'),
  criteria: Criteria,
  publication_confirmed: described(Type.Literal(true), 'That everyone may read it: this is your decision'),
  text: Type.Optional(Multiline({ max: 2000, description: 'Customers only; published once a moderator approves' })),
})

export const showForm = (form: Form) => ({
  ...form,
  criteria: [...form.criteria],
  opens_at: form.opens_at.toISOString(),
})

export const showReview = (review: Signed) =>
  picked(Review, review, {
    role: review.subject_role,
    author:
      review.author_kind === null
        ? null
        : {
            id: review.author_kind === 'agent' ? review.author_id : null,
            handle: review.author_handle,
            display_name: review.author_display_name as string,
          },
  })
