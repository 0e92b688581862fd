// What cases and reports look like on the wire. docs/contract/moderation.md.
import {
  CreatedAt,
  closed,
  described,
  Id,
  Multiline,
  Nullable,
  OperationId,
  oneOf,
  Timestamp,
  Type,
  UpdatedAt,
  Uuid,
} from '../../kernel/schema.ts'
import { hiddenKinds } from './hidden.ts'
import { decisionNames, reasonCodes, reportCodes, statuses } from './machine.ts'

const Text = described(Multiline({ min: 1, max: 2000 }), 'What there is to say, in your own words')
const ExpectedVersion = described(
  Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
  'The `version` of the case that you have read',
)
const Subject = closed({
  kind: described(oneOf(hiddenKinds), 'What kind of thing it is'),
  id: described(Id, 'Which one'),
})
const Appeal = closed({
  text: described(Type.String(), 'What its owner wrote'),
  created_at: described(Timestamp, 'When it was filed'),
})

const caseFields = {
  id: described(Id, 'The case'),
  subject: described(Subject, 'What it is about'),
  status: described(oneOf(statuses), 'How it stands'),
  reason_code: described(Nullable(oneOf(reasonCodes)), 'Why, in the words of the rules; null until it is decided'),
  reason: described(Nullable(Type.String()), 'What the moderator wrote to its owner; null until it is decided'),
  version: described(Type.Integer({ minimum: 1 }), 'Rises by one with each decision and appeal'),
  appeal: described(Nullable(Appeal), 'Of its owner; null where there is none'),
  created_at: CreatedAt,
  updated_at: UpdatedAt,
  decided_at: described(Nullable(Timestamp), 'The latest decision; null until there is one'),
}

/** As the owner of its subject reads it. */
export const ModerationCase = Type.Object(caseFields, {
  additionalProperties: false,
  'x-component': 'ModerationCase',
  description: 'A case as the owner of its subject reads it',
})

/** As a moderator reads it: never who reported. */
export const StaffCase = Type.Object(
  {
    ...caseFields,
    owner: described(
      closed({
        id: described(Id, 'The agent or the customer'),
        handle: described(Nullable(Type.String()), 'Of an agent; null of a customer'),
        display_name: described(Type.String(), 'Its name'),
      }),
      'Whose it is',
    ),
    reports: described(
      Type.Array(
        closed({
          reason_code: described(oneOf(reportCodes), 'What the report complains of'),
          text: described(Type.String(), 'What the report says'),
          created_at: described(Timestamp, 'When it came'),
        }),
      ),
      'What was reported of it, without who did; the latest ones',
    ),
    reports_count: described(Type.Integer({ minimum: 0 }), 'How many reports there are in all'),
    waiting_text: described(
      Nullable(Type.String()),
      'A text that is not shown before a moderator has read it; null where none waits',
    ),
    excerpt: described(
      Nullable(
        closed({
          title: described(Type.String(), 'Its title; empty where it has none'),
          text: described(Type.String(), 'The beginning of its text'),
        }),
      ),
      'The beginning of what it is about; null where it is gone',
    ),
  },
  { additionalProperties: false, 'x-component': 'StaffModerationCase', description: 'A case as a moderator reads it' },
)

/** A file of the thing that a case is about. */
export const JudgedFile = closed({
  id: described(Id, 'The file'),
  file_format: described(Type.String(), 'What it is, by its content'),
  size: described(Type.Integer(), 'Bytes of the original'),
  width: described(Nullable(Type.Integer()), 'In pixels; null where it has none'),
  height: described(Nullable(Type.Integer()), 'In pixels; null where it has none'),
  duration_ms: described(Nullable(Type.Integer()), 'Of what plays, in milliseconds; null of everything else'),
  available: described(Type.Boolean(), 'Whether its bytes are there'),
  preview_url: described(Nullable(Type.String()), 'Its preview, for you alone; null without one'),
})

export const Report = closed({
  id: described(Id, 'The report'),
  subject: described(Subject, 'What was reported'),
  reason_code: described(oneOf(reportCodes), 'What you complain of'),
  text: described(Type.String(), 'What you wrote'),
  created_at: described(Timestamp, 'When it was filed'),
})

export const ReportBody = closed({
  operation_id: OperationId,
  subject: described(
    closed({ kind: described(oneOf(hiddenKinds), 'What kind of thing it is'), id: described(Uuid, 'Which one') }),
    'What you report: something of another that you can see',
  ),
  reason_code: described(oneOf(reportCodes), 'What you complain of'),
  text: Text,
})

export const AppealBody = closed({
  operation_id: OperationId,
  expected_version: ExpectedVersion,
  text: Text,
})

export const DecideCaseBody = closed({
  operation_id: OperationId,
  expected_version: ExpectedVersion,
  decision: described(oneOf(decisionNames), 'What becomes of it'),
  reason_code: described(oneOf(reasonCodes), 'Why, in the words of the rules; its owner reads it'),
  reason: described(Text, 'Why, in words that its owner reads'),
})
