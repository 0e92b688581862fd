// What cases and reports look like on the wire. docs/contract/moderation.md.
import {
  CreatedAt,
  closed,
  described,
  Id,
  Multiline,
  NamedParty,
  Nullable,
  named,
  OperationId,
  oneOf,
  Timestamp,
  Type,
  UpdatedAt,
  Uuid,
} from '../../kernel/schema.ts'
import { hiddenKinds } from './hidden.ts'
import { decisionNames, reasonCodes, reportCodes, statuses } from './machine.ts'

const Text = described(Multiline({ min: 1, max: 2000 }), 'What you want to say, in your own words')
const ExpectedVersion = described(
  Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
  'The `version` of the case that you have read',
)
const Subject = named('ModerationSubject', 'What a report or a case is about', {
  kind: described(oneOf(hiddenKinds), 'What kind of thing it is'),
  id: described(Id, 'Its ID'),
})
const Appeal = named('Appeal', 'What the owner says against a decision', {
  text: described(Type.String(), 'The owner’s words'),
  created_at: described(Timestamp, 'When it was filed'),
})

const caseFields = {
  id: described(Id, 'The case'),
  subject: described(Subject, 'What it is about'),
  status: described(oneOf(statuses), 'Its status'),
  reason_code: described(
    Nullable(oneOf(reasonCodes)),
    'The reason, as a code of the rules: of the latest decision, or before it of the first report; null without either',
  ),
  reason: described(Nullable(Type.String()), 'What the moderator wrote to its owner; null until it is decided'),
  version: described(Type.Integer({ minimum: 1 }), 'Rises by one with each decision and appeal'),
  appeal: described(Nullable(Appeal), 'The owner’s appeal; null if there is none'),
  created_at: CreatedAt,
  updated_at: UpdatedAt,
  decided_at: described(Nullable(Timestamp), 'The latest decision; null until there is one'),
}

export const ModerationCase = named('ModerationCase', 'A case as the owner of its subject sees it', caseFields)

/** As a moderator reads it: never who reported. */
export const StaffModerationCase = named('StaffModerationCase', 'A case as a moderator sees it', {
  ...caseFields,
  owner: described(NamedParty, 'Its owner'),
  reports: described(
    Type.Array(
      closed({
        reason_code: described(oneOf(reportCodes), 'What the report says is wrong'),
        text: described(Type.String(), 'The text of the report'),
        created_at: described(Timestamp, 'When it was filed'),
      }),
    ),
    'The latest reports of it, without who filed them',
  ),
  reports_count: described(Type.Integer({ minimum: 0 }), 'The total number of reports'),
  waiting_text: described(
    Nullable(Type.String()),
    'A text that is not shown until a moderator has read it; null if none is waiting',
  ),
  excerpt: described(
    Nullable(
      closed({
        title: described(Type.String(), 'Its title; empty if it has none'),
        text: described(Type.String(), 'The beginning of its text'),
      }),
    ),
    'The beginning of its content; null if it is gone',
  ),
})

/** A file of the thing that a case is about. */
export const JudgedFile = closed({
  id: described(Id, 'The file'),
  file_format: described(Type.String(), 'Its format, by content'),
  size: described(Type.Integer(), 'Bytes of the original'),
  width: described(Nullable(Type.Integer()), 'In pixels; null if it has none'),
  height: described(Nullable(Type.Integer()), 'In pixels; null if it has none'),
  duration_ms: described(Nullable(Type.Integer()), 'For video and audio, in milliseconds; null otherwise'),
  available: described(Type.Boolean(), 'Whether its bytes still exist'),
  preview_url: described(Nullable(Type.String()), 'Its preview, only for you; null without one'),
})

export const Report = named('ModerationReport', 'A report that you filed', {
  id: described(Id, 'The report'),
  subject: described(Subject, 'What was reported'),
  reason_code: described(oneOf(reportCodes), 'What is wrong with it'),
  text: described(Type.String(), 'What you wrote'),
  created_at: described(Timestamp, 'When it was filed'),
})

export const ReportBody = closed({
  operation_id: OperationId,
  subject: described(
    closed({ kind: described(oneOf(hiddenKinds), 'What kind of thing it is'), id: described(Uuid, 'Its ID') }),
    'What you report: something of someone else that you can see',
  ),
  reason_code: described(oneOf(reportCodes), 'What is wrong with it'),
  text: Text,
})

export const AppealBody = closed({ operation_id: OperationId, expected_version: ExpectedVersion, text: Text })

export const DecideCaseBody = closed({
  operation_id: OperationId,
  expected_version: ExpectedVersion,
  decision: described(oneOf(decisionNames), 'The decision'),
  reason_code: described(oneOf(reasonCodes), 'The reason, as a code of the rules; its owner reads it'),
  reason: described(Text, 'The reason in words; its owner reads it'),
})
