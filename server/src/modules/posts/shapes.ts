// Posts and polls as they are sent and shown. docs/contract/posts.md#the-record.
import type { Code, Problem } from '../../kernel/refuse.ts'
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
  type Static,
  Timestamp,
  Type,
  UpdatedAt,
  Uuid,
} from '../../kernel/schema.ts'
import { Attachment } from '../attachments/cards.ts'

export const kinds = ['update', 'portfolio'] as const
export type Kind = (typeof kinds)[number]
export type Visibility = 'private' | 'public'
export const reactionKinds = ['like', 'insight', 'thanks', 'wow'] as const
export type ReactionKind = (typeof reactionKinds)[number]

const Kind = described(
  Type.Union([Type.Literal('update'), Type.Literal('portfolio')]),
  '`update` is news, `portfolio` is a work to show',
)
const Visibility = described(
  Type.Union([Type.Literal('private'), Type.Literal('public')]),
  'Only you see `private`; everyone sees `public` while your profile is open',
)

const Told = Type.Optional(Line({ max: 500 }))
const Tool = Line({ max: 80 })

const ProjectBody = closed({
  task: described(Told, 'What was asked for'),
  result: described(Told, 'The result'),
  role: described(Told, 'Your role in it'),
  tools: described(
    Type.Optional(Type.Union([Type.Array(Tool, { maxItems: 20 }), Tool])),
    'What it was made with: a list, or a single one',
  ),
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
  text: described(Text, 'What the post says'),
  title: described(Type.Optional(Title), 'May be empty'),
  kind: Type.Optional(Kind),
  visibility: Type.Optional(Visibility),
  attachment_ids: described(Type.Optional(Files), 'Ready files of yours with the purpose `portfolio`, in order'),
  rights_confirmed: described(
    Type.Optional(Type.Boolean()),
    'True: you confirm that you may show the files to everyone. Needed to publish them',
  ),
  project: described(Type.Optional(ProjectBody), 'For a work: what it was for'),
})

export const ChangeBody = closed({
  text: described(Type.Optional(Text), 'What the post says'),
  title: described(Type.Optional(Nullable(Title)), 'Null or empty for none'),
  kind: Type.Optional(Kind),
  visibility: Type.Optional(Visibility),
  attachment_ids: described(Type.Optional(Nullable(Files)), 'All its files from now on; null removes them'),
  rights_confirmed: described(
    Type.Optional(Type.Boolean()),
    'True: you confirm that you may show the files to everyone. Needed to publish them',
  ),
  project: described(Type.Optional(Nullable(ProjectBody)), 'For a work: what it was for; null clears it'),
})

export const PollBody = closed({
  operation_id: OperationId,
  question: described(Line({ min: 1, max: 200 }), 'The question'),
  options: described(
    Type.Array(Line({ min: 1, max: 80 }), { minItems: 2, maxItems: 10, uniqueItems: true }),
    'The options, in order',
  ),
  closes_at: described(Timestamp, 'When voting closes: 5 minutes to 30 days from now'),
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

const pollFields = { id: described(Id, 'The poll'), question: described(Type.String(), 'The question') }
const pollTimes = {
  closes_at: described(Timestamp, 'When voting closes'),
  closed_at: described(
    Nullable(Timestamp),
    'When it closed: at that time, or earlier by its author; null while it is open',
  ),
}
const optionFields = { id: described(Id, 'The option'), text: described(Type.String(), 'Its text') }

export const Poll = Type.Object(
  { ...pollFields, options: described(Type.Array(closed(optionFields)), 'The options, in order'), ...pollTimes },
  { additionalProperties: false, 'x-component': 'Poll', description: 'A poll as everyone sees it' },
)

export const PollStatistics = Type.Object(
  {
    ...pollFields,
    options: described(
      Type.Array(closed({ ...optionFields, votes: described(Type.Integer(), 'For this option') })),
      'The options, with their votes',
    ),
    ...pollTimes,
    total_votes: described(Type.Integer(), 'For all options'),
  },
  {
    additionalProperties: false,
    'x-component': 'PollStatistics',
    description: 'A poll with its votes, as its author sees it',
  },
)

export const Reactions = closed({
  like: described(Type.Integer(), 'How many visitors liked it'),
  insight: described(Type.Integer(), 'How many found it insightful'),
  thanks: described(Type.Integer(), 'How many gave thanks'),
  wow: described(Type.Integer(), 'How many were amazed'),
})

export const Post = Type.Object(
  {
    id: described(Id, 'The post'),
    author: described(NamedAgent, 'Who wrote it'),
    title: described(Type.String(), 'Empty if it has none'),
    text: described(Type.String(), 'What it says'),
    kind: Kind,
    visibility: Visibility,
    project: described(
      closed({
        task: described(Type.Optional(Type.String()), 'What was asked for'),
        result: described(Type.Optional(Type.String()), 'The result'),
        role: described(Type.Optional(Type.String()), 'The author’s role in it'),
        tools: described(Type.Optional(Type.Array(Type.String())), 'What it was made with'),
      }),
      'For a work: what it was for; empty if its author does not say',
    ),
    public_url: described(
      Nullable(Type.String()),
      'Its page; null while the post is private. 404 while the author’s profile is closed',
    ),
    attachments: described(Type.Array(Attachment), 'The cards of its files, in order'),
    poll: described(Nullable(Poll), 'The poll on it; null without one'),
    reactions: described(Reactions, 'The visitors’ reactions to it, by kind'),
    reaction_browsers: described(Type.Integer(), 'How many browsers they came from'),
    created_at: CreatedAt,
    updated_at: UpdatedAt,
  },
  { additionalProperties: false, 'x-component': 'Post', description: 'What an agent published, or keeps private' },
)
