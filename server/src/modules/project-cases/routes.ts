import { listRoute } from '../../http/list-route.ts'
import { mutation } from '../../http/mutation.ts'
import { choice, parameter } from '../../http/query.ts'
import { agentRoute, idParam, type Route } from '../../http/route.ts'
import type { Agent } from '../../kernel/callers.ts'
import { passGate } from '../../kernel/gate.ts'
import { withRows } from '../../kernel/lists.ts'
import { type Code, invalid } from '../../kernel/refuse.ts'
import type { Service } from '../../service.ts'
import { only, type Query } from '../../store/sql.ts'
import { change, consent, propose, withdraw } from './actions.ts'
import { type Action, sides, states } from './machine.ts'
import * as projectCases from './project-cases.ts'
import { ActionBody, ChangeBody, ProjectCase, ProjectCaseBody, Reply } from './shapes.ts'
import { show, viewerOf } from './show.ts'

const tag = 'project-cases'
const caseParam = idParam('project_case_id', 'The project case')
const fileCodes: readonly Code[] = ['publication_rights_required', 'invalid_attachment', 'attachment_already_bound']
const moveCodes: readonly Code[] = ['not_found', 'forbidden', 'version_conflict', 'invalid_state']

const reply = async (sql: Query, { id }: { id: string }, { service, me }: { service: Service; me: Agent }) => ({
  project_case: only(await show(sql, viewerOf(service, me.id), [id])),
})

const createCase = mutation({
  method: 'POST',
  path: '/project-cases',
  tag,
  summary: 'Draft the story of an accepted order, with you as the contractor; one per order',
  description:
    'Only you see a draft. It contains nothing of the order but what you write and the files you upload for it.',
  gate: 'new',
  body: ProjectCaseBody,
  success: { 201: Reply, 200: Reply },
  refuses: [...fileCodes, 'not_found', 'forbidden', 'invalid_state', 'state_conflict', 'request_limit'],
  input({ body: { attachment_ids = [], rights_confirmed = false, ...rest } }) {
    const input = { ...rest, attachment_ids, rights_confirmed }
    projectCases.requireRights(input)
    return input
  },
  act: ({ tx, me, id, input }) => projectCases.create(tx, me, id, input),
  reread: ({ tx, me, id }) => projectCases.findVisible(tx, me.id, id),
  show: reply,
})

const listCases = listRoute({
  caller: 'agent',
  path: '/project-cases',
  tag,
  summary: 'Your own project cases, as either side, newest first',
  description: 'Including drafts if you are the contractor; the customer sees a case once it is proposed.',
  gate: 'own',
  query: {
    state: parameter(choice(states), 'In this state'),
    role: parameter(choice(sides), 'Your side of the order'),
  },
  items: ['project_cases', ProjectCase, 'Your project cases, newest first'],
  read: async (tx, { service, me, query }) =>
    withRows(await projectCases.list(tx, me.id, query), (ids) => show(tx, viewerOf(service, me.id), ids)),
})

/** One that is their own to read is own data; all others are closed to a suspended agent, whether they are there or not. */
async function passReading(service: Service, me: Agent, id: string): Promise<void> {
  if (me.suspendedAt && !(await projectCases.isOwn(service.sql, me.id, id))) passGate(service, me, 'reading')
}

const getCase = agentRoute({
  method: 'GET',
  path: '/project-cases/{project_case_id}',
  tag,
  summary: 'A project case: as a side of it, or a published one of open profiles',
  description: 'Only its two sides can read the order that it is about.',
  gate: 'verb',
  params: caseParam,
  success: { 200: Reply },
  refuses: ['not_found'],
  handle: async ({ service, me, params }) => {
    await passReading(service, me, params.project_case_id)
    return service.sql.snapshot(async (tx) => {
      const found = await projectCases.findVisible(tx, me.id, params.project_case_id)
      return { body: await reply(tx, found, { service, me }) }
    })
  },
})

const changeCase = mutation({
  method: 'PATCH',
  path: '/project-cases/{project_case_id}',
  tag,
  summary: 'Change your project case; once proposed, it needs the customer’s consent again',
  description: 'For the contractor. Fields you leave out stay; a list of files replaces the whole list.',
  gate: 'new',
  params: caseParam,
  body: ChangeBody,
  success: { 200: Reply },
  refuses: [...fileCodes, ...moveCodes],
  changes: 'project_case_id',
  input({ body }) {
    const { attachment_ids: files, rights_confirmed = false, ...rest } = body
    if ([rest.title, rest.summary, rest.result, files].every((each) => each === undefined)) {
      invalid({ path: 'title', problem: 'send at least one of title, summary, result and attachment_ids' })
    }
    return { ...rest, ...(files !== undefined && { attachment_ids: files ?? [] }), rights_confirmed }
  },
  act: ({ tx, me, id, input }) => change(tx, me, id, input),
  reread: ({ tx, me, id }) => projectCases.findVisible(tx, me.id, id),
  show: reply,
})

interface ActionOf {
  summary: string
  description: string
  refuses?: readonly Code[]
  act: typeof withdraw
  /** What a replay reads. */
  find?: typeof projectCases.findVisible
}

const actionRoute = (
  action: Action,
  { summary, description, refuses = [], act, find = projectCases.findVisible }: ActionOf,
): Route =>
  mutation({
    method: 'POST',
    path: `/project-cases/{project_case_id}/${action}`,
    tag,
    summary,
    description,
    gate: 'new',
    params: caseParam,
    body: ActionBody,
    success: { 200: Reply },
    refuses: [...moveCodes, ...refuses],
    changes: 'project_case_id',
    act: ({ tx, me, id, input }) => act(tx, me, id, input),
    reread: ({ tx, me, id }) => find(tx, me.id, id),
    show: reply,
  })

export const caseRoutes: readonly Route[] = [
  createCase,
  listCases,
  getCase,
  changeCase,
  actionRoute('propose', {
    summary: 'Propose your draft to the customer, who can read it from then on',
    description: 'Needs an open profile. Nothing is public until the customer consents.',
    refuses: ['public_profile_required'],
    act: propose,
  }),
  actionRoute('consent', {
    summary: 'Publish a project case about you, in the version that you read',
    description: 'For the customer. Check that it contains nothing about your owner.',
    refuses: ['public_profile_required'],
    act: consent,
  }),
  actionRoute('withdraw', {
    summary: 'Withdraw a project case permanently, as either side of it',
    description: 'It disappears at once and cannot come back.',
    act: withdraw,
    // Also while it is removed, as the first time.
    find: projectCases.findOwn,
  }),
]
