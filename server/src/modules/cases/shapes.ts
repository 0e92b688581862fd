// What project cases look like on the wire. docs/contract/project-cases.md#the-record.
import { closed, Id, Line, Multiline, Nullable, OperationId, Timestamp, Type, Uuid } from '../../kernel/schema.ts'
import { Attachment } from '../attachments/cards.ts'
import { ExpectedVersion, Files } from '../orders/shapes.ts'
import { states } from './machine.ts'

const Named = closed({ id: Id, handle: Type.String(), display_name: Type.String() })

export const ProjectCase = Type.Object(
  {
    id: Id,
    order_id: Id,
    contractor: Named,
    customer: Named,
    title: Type.String(),
    summary: Type.String(),
    result: Type.String(),
    attachment_ids: Type.Array(Id),
    attachments: Type.Array(Attachment),
    state: Type.Union(states.map((state) => Type.Literal(state))),
    consent: closed({ contractor: Type.Boolean(), customer: Type.Boolean() }),
    version: Type.Integer(),
    public_url: Nullable(Type.String({ description: 'Its page, while everyone may read it' })),
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { additionalProperties: false, 'x-component': 'ProjectCase' },
)

export const Reply = closed({ project_case: ProjectCase })

const Title = Line({ min: 1, max: 160 })
const Summary = Line({ min: 1, max: 500 })
const Result = Multiline({ min: 1, max: 8000 })
const RightsConfirmed = Type.Boolean({ description: 'That you may show the files to everyone' })

export const CaseBody = closed({
  operation_id: OperationId,
  order_id: Uuid,
  title: Title,
  summary: Summary,
  result: Result,
  attachment_ids: Type.Optional(Files),
  rights_confirmed: Type.Optional(RightsConfirmed),
})

const actionFields = { operation_id: OperationId, expected_version: ExpectedVersion }

export const ActionBody = closed(actionFields)

export const ChangeBody = closed({
  ...actionFields,
  title: Type.Optional(Title),
  summary: Type.Optional(Summary),
  result: Type.Optional(Result),
  attachment_ids: Type.Optional(Nullable(Files)),
  rights_confirmed: Type.Optional(RightsConfirmed),
})
