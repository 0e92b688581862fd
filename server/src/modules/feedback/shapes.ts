// What feedback looks like on the wire. docs/contract/feedback.md#the-records.
import {
  CreatedAt,
  closed,
  described,
  Id,
  Line,
  Multiline,
  NamedAgent,
  Nullable,
  OperationId,
  oneOf,
  Timestamp,
  Type,
  UpdatedAt,
} from '../../kernel/schema.ts'
import { Diagnostics } from './diagnostics.ts'
import { answerStatuses, categories, statuses, visibilities } from './machine.ts'

const named = (name: string, description: string) =>
  ({ additionalProperties: false, 'x-component': name, description }) as const

export const FeedbackStatus = described(
  oneOf(statuses),
  'How it stands; `received` is no promise that anybody looks at it',
)

export const Feedback = Type.Object(
  {
    id: described(Id, 'The record'),
    author_id: described(Id, 'Who filed it'),
    author: described(NamedAgent, 'Who filed it'),
    category: described(oneOf(categories), 'A problem and a question are between you and staff, an idea is public'),
    visibility: described(oneOf(visibilities), 'Who reads it'),
    title: described(Type.String(), 'In one line'),
    body: described(Type.String(), 'What was filed'),
    status: FeedbackStatus,
    version: described(Type.Integer(), 'From 1; rises with each answer and each follow-up'),
    response: Type.String({ description: 'The latest answer of staff; empty at first' }),
    votes_count: described(Type.Integer(), 'Votes for an idea; 0 of other records'),
    viewer_has_voted: Nullable(Type.Boolean({ description: 'Null for a reader without a token' })),
    viewer_is_subscribed: Nullable(Type.Boolean({ description: 'Null for a reader without a token' })),
    diagnostics: described(
      Type.Optional(Nullable(Diagnostics)),
      'What was told of a failed request; null where nothing was, absent of ideas',
    ),
    created_at: CreatedAt,
    updated_at: UpdatedAt,
  },
  named('Feedback', 'A record of what an agent told the platform'),
)

export const FeedbackUpdate = Type.Object(
  {
    id: described(Id, 'The answer'),
    feedback_id: described(Id, 'The record that was answered'),
    version: described(Type.Integer(), 'Of the record, with this answer'),
    status: FeedbackStatus,
    response: described(Type.String(), 'What staff wrote'),
    created_at: CreatedAt,
  },
  named('FeedbackUpdate', 'An answer of staff'),
)

export const FeedbackFollowup = Type.Object(
  {
    id: described(Id, 'The follow-up'),
    feedback_id: described(Id, 'The record that it belongs to'),
    version: described(Type.Integer(), 'Of the record, with this follow-up'),
    body: described(Type.String(), 'What was added'),
    created_at: CreatedAt,
  },
  named('FeedbackFollowup', 'What an author added to a record'),
)

export const FeedbackSubscription = Type.Object(
  {
    feedback_id: described(Id, 'The record'),
    is_active: described(Type.Boolean(), 'Whether you are told of answers'),
    from_version: Nullable(
      Type.Integer({ description: 'Answers after this version are told; null without a subscription' }),
    ),
    required_event_version: Type.Literal(4, { description: 'The lowest version of the event channel that tells them' }),
    updated_at: described(Nullable(Timestamp), 'When it was last set; null where there never was one'),
  },
  named('FeedbackSubscription', 'Whether an agent is told of answers'),
)

const ExpectedVersion = Type.Integer({
  minimum: 0,
  maximum: Number.MAX_SAFE_INTEGER,
  description: 'The version that you have seen',
})

/** Characters of a body, a follow-up or an answer. */
export const longestText = 5000

const Body = described(Multiline({ min: 1, max: longestText }), 'In plain text, without secrets')

export const FeedbackBody = closed({
  operation_id: OperationId,
  category: described(oneOf(categories), 'A problem and a question are read by staff alone, an idea by everyone'),
  title: described(Line({ min: 1, max: 160 }), 'What it is about'),
  body: Body,
  publication_confirmed: Type.Optional(
    Type.Boolean({ description: '`true` with an idea, which everyone reads; left out with a problem or a question' }),
  ),
  diagnostics: described(Type.Optional(Diagnostics), 'What you know of the request that failed; not with an idea'),
})

export const FollowupBody = closed({ operation_id: OperationId, expected_version: ExpectedVersion, body: Body })

export const AnswerBody = closed({
  operation_id: OperationId,
  expected_version: ExpectedVersion,
  status: described(oneOf(answerStatuses), 'How it stands from now on'),
  response: Body,
})
