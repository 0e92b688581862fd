// Posts and polls as they are sent and shown. docs/contract/posts.md#the-record.
import type { Code, Problem } from '../../kernel/refuse.ts'
import {
  closed,
  Id,
  Line,
  Multiline,
  Nullable,
  OperationId,
  type Static,
  Timestamp,
  Type,
  Uuid,
} from '../../kernel/schema.ts'
import { Attachment } from '../attachments/cards.ts'

export const kinds = ['update', 'portfolio'] as const
export type Kind = (typeof kinds)[number]
export type Visibility = 'private' | 'public'
export const reactionKinds = ['like', 'insight', 'thanks', 'wow'] as const
export type ReactionKind = (typeof reactionKinds)[number]

const Kind = Type.Union([Type.Literal('update'), Type.Literal('portfolio')])
const Visibility = Type.Union([Type.Literal('private'), Type.Literal('public')])

const Told = Type.Optional(Line({ max: 500 }))
const Tool = Line({ max: 80 })

const ProjectBody = closed({
  task: Told,
  result: Told,
  role: Told,
  tools: Type.Optional(Type.Union([Type.Array(Tool, { maxItems: 20 }), Tool])),
})

export interface Project {
  task?: string
  result?: string
  role?: string
  tools?: string[]
}

/** One form for what says the same: empty texts left out, one tool as a list of it, keys in one order. */
export function canonicalProject(given: Static<typeof ProjectBody>): Project {
  const tools = [given.tools ?? []].flat().filter((tool) => tool !== '')
  return {
    ...(given.task && { task: given.task }),
    ...(given.result && { result: given.result }),
    ...(given.role && { role: given.role }),
    ...(tools.length > 0 && { tools }),
  }
}

const Text = Multiline({ min: 1, max: 8000 })
const Title = Line({ max: 160 })
const Files = Type.Array(Uuid, { maxItems: 10, uniqueItems: true })

export const CreateBody = closed({
  operation_id: Type.Optional(OperationId),
  text: Text,
  title: Type.Optional(Title),
  kind: Type.Optional(Kind),
  visibility: Type.Optional(Visibility),
  attachment_ids: Type.Optional(Files),
  rights_confirmed: Type.Optional(Type.Boolean()),
  project: Type.Optional(ProjectBody),
})

export const ChangeBody = closed({
  text: Type.Optional(Text),
  title: Type.Optional(Nullable(Title)),
  kind: Type.Optional(Kind),
  visibility: Type.Optional(Visibility),
  attachment_ids: Type.Optional(Nullable(Files)),
  rights_confirmed: Type.Optional(Type.Boolean()),
  project: Type.Optional(Nullable(ProjectBody)),
})

export const PollBody = closed({
  operation_id: OperationId,
  question: Line({ min: 1, max: 200 }),
  options: Type.Array(Line({ min: 1, max: 80 }), { minItems: 2, maxItems: 10, uniqueItems: true }),
  closes_at: Timestamp,
})

export const CloseBody = closed({ operation_id: OperationId })

const codes: Readonly<Record<string, Code>> = {
  text: 'invalid_text',
  title: 'invalid_title',
  kind: 'invalid_kind',
  visibility: 'invalid_visibility',
}

/** Every code that {@link invalidPost} gives. */
export const bodyCodes: readonly Code[] = ['unknown_fields', ...Object.values(codes), 'invalid_field']

/** A malformed post is refused by its first wrong field, in the order of {@link bodyCodes}. */
export function invalidPost(body: Record<string, unknown>, problems: readonly Problem[]): Code {
  if (problems.some(({ path, problem }) => problem === 'unknown field' && Object.hasOwn(body, path))) {
    return 'unknown_fields'
  }
  const wrong = new Set(problems.map(({ path }) => path.split('.', 1)[0]))
  return Object.entries(codes).find(([field]) => wrong.has(field))?.[1] ?? 'invalid_field'
}

const pollFields = { id: Id, question: Type.String() }
const pollTimes = { closes_at: Timestamp, closed_at: Nullable(Timestamp) }
const optionFields = { id: Id, text: Type.String() }

export const Poll = Type.Object(
  { ...pollFields, options: Type.Array(closed(optionFields)), ...pollTimes },
  { additionalProperties: false, 'x-component': 'Poll' },
)

export const PollStatistics = Type.Object(
  {
    ...pollFields,
    options: Type.Array(closed({ ...optionFields, votes: Type.Integer() })),
    ...pollTimes,
    total_votes: Type.Integer(),
  },
  { additionalProperties: false, 'x-component': 'PollStatistics' },
)

export const Reactions = closed({
  like: Type.Integer(),
  insight: Type.Integer(),
  thanks: Type.Integer(),
  wow: Type.Integer(),
})

export const Post = Type.Object(
  {
    id: Id,
    author: closed({ id: Id, handle: Type.String(), display_name: Type.String() }),
    title: Type.String(),
    text: Type.String(),
    kind: Kind,
    visibility: Visibility,
    project: closed({
      task: Type.Optional(Type.String()),
      result: Type.Optional(Type.String()),
      role: Type.Optional(Type.String()),
      tools: Type.Optional(Type.Array(Type.String())),
    }),
    public_url: Nullable(Type.String()),
    attachments: Type.Array(Attachment),
    poll: Nullable(Poll),
    reactions: Reactions,
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { additionalProperties: false, 'x-component': 'Post' },
)
