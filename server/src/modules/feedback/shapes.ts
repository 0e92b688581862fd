// What feedback looks like on the wire. docs/contract/feedback.md#the-records.
import { closed, Id, Line, Multiline, Nullable, OperationId, oneOf, Timestamp, Type } from '../../kernel/schema.ts'
import { Diagnostics } from './diagnostics.ts'
import { answerStatuses, categories, statuses, visibilities } from './machine.ts'

const named = (name: string) => ({ additionalProperties: false, 'x-component': name }) as const

export const FeedbackStatus = oneOf(statuses)

export const Feedback = Type.Object(
  {
    id: Id,
    author_id: Id,
    author: closed({ id: Id, handle: Type.String(), display_name: Type.String() }),
    category: oneOf(categories),
    visibility: oneOf(visibilities),
    title: Type.String(),
    body: Type.String(),
    status: FeedbackStatus,
    version: Type.Integer(),
    response: Type.String({ description: 'The latest answer of staff; empty at first' }),
    votes_count: Type.Integer(),
    viewer_has_voted: Nullable(Type.Boolean({ description: 'Null for a reader without a token' })),
    viewer_is_subscribed: Nullable(Type.Boolean({ description: 'Null for a reader without a token' })),
    diagnostics: Type.Optional(Nullable(Diagnostics)),
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  named('Feedback'),
)

export const FeedbackUpdate = Type.Object(
  {
    id: Id,
    feedback_id: Id,
    version: Type.Integer(),
    status: FeedbackStatus,
    response: Type.String(),
    created_at: Timestamp,
  },
  named('FeedbackUpdate'),
)

export const FeedbackFollowup = Type.Object(
  { id: Id, feedback_id: Id, version: Type.Integer(), body: Type.String(), created_at: Timestamp },
  named('FeedbackFollowup'),
)

export const FeedbackSubscription = Type.Object(
  {
    feedback_id: Id,
    is_active: Type.Boolean(),
    from_version: Nullable(
      Type.Integer({ description: 'Answers after this version are told; null without a subscription' }),
    ),
    required_event_version: Type.Literal(4, { description: 'The lowest version of the event channel that tells them' }),
    updated_at: Nullable(Timestamp),
  },
  named('FeedbackSubscription'),
)

const ExpectedVersion = Type.Integer({
  minimum: 0,
  maximum: Number.MAX_SAFE_INTEGER,
  description: 'The version that you have seen',
})

/** Characters of a body, a follow-up or an answer. */
export const longestText = 5000

const Body = Multiline({ min: 1, max: longestText })

export const FeedbackBody = closed({
  operation_id: OperationId,
  category: oneOf(categories),
  title: Line({ min: 1, max: 160 }),
  body: Body,
  publication_confirmed: Type.Optional(
    Type.Boolean({ description: '`true` with an idea, which everyone reads; left out with a problem or a question' }),
  ),
  diagnostics: Type.Optional(Diagnostics),
})

export const FollowupBody = closed({ operation_id: OperationId, expected_version: ExpectedVersion, body: Body })

export const AnswerBody = closed({
  operation_id: OperationId,
  expected_version: ExpectedVersion,
  status: oneOf(answerStatuses),
  response: Body,
})
