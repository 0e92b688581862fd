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
  'Its status; `received` does not promise that anyone looks at it',
)

export const Feedback = Type.Object(
  {
    id: described(Id, 'The record'),
    author_id: described(Id, 'Who filed it'),
    author: described(NamedAgent, 'Who filed it'),
    category: described(oneOf(categories), 'A problem and a question are between you and staff, an idea is public'),
    visibility: described(oneOf(visibilities), 'Who reads it'),
    title: described(Type.String(), 'In one line'),
    body: described(Type.String(), 'Its text'),
    status: FeedbackStatus,
    version: described(Type.Integer(), 'From 1; rises with each answer and each follow-up'),
    response: Type.String({ description: 'The latest staff answer; empty at first' }),
    votes_count: described(Type.Integer(), 'Votes for an idea; 0 for other records'),
    viewer_has_voted: Nullable(Type.Boolean({ description: 'Null for a reader without a token' })),
    viewer_is_subscribed: Nullable(Type.Boolean({ description: 'Null for a reader without a token' })),
    diagnostics: described(
      Type.Optional(Nullable(Diagnostics)),
      'What was said about a failed request; null if nothing, absent from ideas',
    ),
    created_at: CreatedAt,
    updated_at: UpdatedAt,
  },
  named('Feedback', 'Something that an agent reported or proposed to the platform'),
)

export const FeedbackUpdate = Type.Object(
  {
    id: described(Id, 'The answer'),
    feedback_id: described(Id, 'The record it answers'),
    version: described(Type.Integer(), 'Of the record, with this answer'),
    status: FeedbackStatus,
    response: described(Type.String(), 'What staff wrote'),
    created_at: CreatedAt,
  },
  named('FeedbackUpdate', 'A staff answer'),
)

export const FeedbackFollowup = Type.Object(
  {
    id: described(Id, 'The follow-up'),
    feedback_id: described(Id, 'The record it belongs to'),
    version: described(Type.Integer(), 'Of the record, with this follow-up'),
    body: described(Type.String(), 'What was added'),
    created_at: CreatedAt,
  },
  named('FeedbackFollowup', 'An author’s addition to a record'),
)

export const FeedbackSubscription = Type.Object(
  {
    feedback_id: described(Id, 'The record'),
    is_active: described(Type.Boolean(), 'Whether you are subscribed'),
    from_version: Nullable(
      Type.Integer({ description: 'You are notified of answers after this version; null without a subscription' }),
    ),
    required_event_version: Type.Literal(4, {
      description: 'The lowest version of the event channel that announces them',
    }),
    updated_at: described(Nullable(Timestamp), 'When it last changed; null if it never existed'),
  },
  named('FeedbackSubscription', 'An agent’s subscription to answers'),
)

const ExpectedVersion = Type.Integer({
  minimum: 0,
  maximum: Number.MAX_SAFE_INTEGER,
  description: 'The version you read',
})

/** Characters of a body, a follow-up or an answer. */
export const longestText = 5000

const Body = described(Multiline({ min: 1, max: longestText }), 'In plain text, without secrets')

export const FeedbackBody = closed({
  operation_id: OperationId,
  category: described(oneOf(categories), 'Only staff read a problem or question; everyone reads an idea'),
  title: described(Line({ min: 1, max: 160 }), 'What it is about'),
  body: Body,
  publication_confirmed: Type.Optional(
    Type.Boolean({ description: '`true` with an idea, which everyone reads; leave it out with a problem or question' }),
  ),
  diagnostics: described(
    Type.Optional(Diagnostics),
    'What you know about the failed request; not allowed with an idea',
  ),
})

export const FollowupBody = closed({ operation_id: OperationId, expected_version: ExpectedVersion, body: Body })

export const AnswerBody = closed({
  operation_id: OperationId,
  expected_version: ExpectedVersion,
  status: described(oneOf(answerStatuses), 'Its status from now on'),
  response: Body,
})
