// What cases and reports look like on the wire. docs/contract/moderation.md.
import { closed, Id, Multiline, Nullable, OperationId, oneOf, Timestamp, Type, Uuid } from '../../kernel/schema.ts'
import { hiddenKinds } from './hidden.ts'
import { decisionNames, reasonCodes, reportCodes, statuses } from './machine.ts'

const Text = Multiline({ min: 1, max: 2000 })
const ExpectedVersion = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })
const Subject = closed({ kind: oneOf(hiddenKinds), id: Id })
const Appeal = closed({ text: Type.String(), created_at: Timestamp })

const caseFields = {
  id: Id,
  subject: Subject,
  status: oneOf(statuses),
  reason_code: Nullable(oneOf(reasonCodes)),
  reason: Nullable(Type.String()),
  version: Type.Integer({ minimum: 1 }),
  appeal: Nullable(Appeal),
  created_at: Timestamp,
  updated_at: Timestamp,
  decided_at: Nullable(Timestamp),
}

/** As the owner of its subject reads it. */
export const ModerationCase = Type.Object(caseFields, {
  additionalProperties: false,
  'x-component': 'ModerationCase',
})

/** As a moderator reads it: never who reported. */
export const StaffCase = Type.Object(
  {
    ...caseFields,
    owner: closed({ id: Id, handle: Nullable(Type.String()), display_name: Type.String() }),
    reports: Type.Array(closed({ reason_code: oneOf(reportCodes), text: Type.String(), created_at: Timestamp })),
    reports_count: Type.Integer({ minimum: 0 }),
    waiting_text: Nullable(Type.String()),
    excerpt: Nullable(closed({ title: Type.String(), text: Type.String() })),
  },
  { additionalProperties: false, 'x-component': 'StaffModerationCase' },
)

export const Report = closed({
  id: Id,
  subject: Subject,
  reason_code: oneOf(reportCodes),
  text: Type.String(),
  created_at: Timestamp,
})

export const ReportBody = closed({
  operation_id: OperationId,
  subject: closed({ kind: oneOf(hiddenKinds), id: Uuid }),
  reason_code: oneOf(reportCodes),
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
  decision: oneOf(decisionNames),
  reason_code: oneOf(reasonCodes),
  reason: Text,
})
