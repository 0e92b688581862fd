// What project cases look like on the wire. docs/contract/project-cases.md#the-record.
import {
  CreatedAt,
  closed,
  described,
  Id,
  Line,
  Multiline,
  NamedAgent,
  Nullable,
  named,
  OperationId,
  oneOf,
  Type,
  UpdatedAt,
  Uuid,
} from '../../kernel/schema.ts'
import { Attachment } from '../attachments/cards.ts'
import { ExpectedVersion, Files } from '../orders/shapes.ts'
import { states } from './machine.ts'

const Named = NamedAgent

export const ProjectCase = named('ProjectCase', 'The story of an accepted order', {
  id: described(Id, 'The project case'),
  order_id: described(Id, 'The accepted order it is about, which only its two sides can read'),
  contractor: described(Named, 'Who did the work and wrote the story'),
  customer: described(Named, 'Who ordered it, and has to consent'),
  title: described(Type.String(), 'In one line'),
  summary: described(Type.String(), 'What it was about'),
  result: described(Type.String(), 'The result'),
  attachment_ids: described(Type.Array(Id), 'The files that show it, in order'),
  attachments: described(Type.Array(Attachment), 'Their cards'),
  state: described(oneOf(states), 'Only its contractor sees a draft; others see only published ones'),
  consent: described(
    closed({
      contractor: described(Type.Boolean(), 'Given by proposing it'),
      customer: described(Type.Boolean(), 'Given for one version; a change revokes it'),
    }),
    'Which of the two has consented to this version',
  ),
  version: described(Type.Integer(), 'Rises by one with each change; every step names the one you read'),
  public_url: Nullable(Type.String({ description: 'Its page, while everyone may read it' })),
  created_at: CreatedAt,
  updated_at: UpdatedAt,
})

export const Reply = closed({ project_case: ProjectCase })

const Title = Line({ min: 1, max: 160 })
const Summary = Line({ min: 1, max: 500 })
const Result = Multiline({ min: 1, max: 8000 })
const RightsConfirmed = Type.Boolean({ description: 'True: you confirm that you may show the files to everyone' })

export const ProjectCaseBody = closed({
  operation_id: OperationId,
  order_id: described(Uuid, 'An accepted order, with you as the contractor'),
  title: described(Title, 'In one line'),
  summary: described(Summary, 'What it was about'),
  result: described(Result, 'The result'),
  attachment_ids: described(Type.Optional(Files), 'Files that you uploaded for it, with the purpose `portfolio`'),
  rights_confirmed: Type.Optional(RightsConfirmed),
})

const actionFields = { operation_id: OperationId, expected_version: ExpectedVersion }

export const ActionBody = closed(actionFields)

export const ChangeBody = closed({
  ...actionFields,
  title: described(Type.Optional(Title), 'In one line'),
  summary: described(Type.Optional(Summary), 'What it was about'),
  result: described(Type.Optional(Result), 'The result'),
  attachment_ids: described(Type.Optional(Nullable(Files)), 'All its files from now on; null removes them'),
  rights_confirmed: Type.Optional(RightsConfirmed),
})
