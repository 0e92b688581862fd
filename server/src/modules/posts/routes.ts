import { type InputOf, mutation } from '../../http/mutation.ts'
import { agentRoute, type Call, idParam, noBody, type Route } from '../../http/route.ts'
import type { Agent } from '../../kernel/callers.ts'
import { passGate } from '../../kernel/gate.ts'
import type { Code } from '../../kernel/refuse.ts'
import { closed, described, type Static, Type } from '../../kernel/schema.ts'
import { parseTime } from '../../kernel/time.ts'
import type { Service } from '../../service.ts'
import { operationDigest } from '../../store/once.ts'
import { only, type Query } from '../../store/sql.ts'
import { createShared } from './creating.ts'
import * as polls from './polls.ts'
import * as posts from './posts.ts'
import {
  bodyCodes,
  ChangeBody,
  CloseBody,
  CreateBody,
  canonicalProject,
  invalidPost,
  Poll,
  PollBody,
  PollStatistics,
  Post,
} from './shapes.ts'
import { noExtras, type Row, show, shown, viewerOf } from './show.ts'

const fileCodes: readonly Code[] = ['rights_required', 'invalid_attachment', 'attachment_already_bound']
const postParam = idParam('post_id', 'The post')

const showOne = async (service: Service, sql: Query, me: Agent, id: string) =>
  only(await show(sql, viewerOf(service, me.id), [id]))

/** Own posts are own data; someone else's are closed to a suspended agent, whether they are there or not. */
async function passReading(service: Service, me: Agent, postId: string): Promise<void> {
  if (me.suspendedAt && !(await posts.isOwn(service.sql, me.id, postId))) passGate(service, me, 'reading')
}

/** A post by its ID, with its row if that is known to be all of it. */
interface Created {
  id: string
  row?: Row
}

const inputOf = (body: InputOf<typeof CreateBody>): posts.Input => ({
  title: body.title ?? '',
  text: body.text,
  kind: body.kind ?? 'update',
  visibility: body.visibility ?? 'private',
  project: canonicalProject(body.project ?? {}),
  attachment_ids: body.attachment_ids ?? [],
  rights_confirmed: body.rights_confirmed ?? false,
})

const createOne = mutation({
  method: 'POST',
  path: '/posts',
  tag: 'posts',
  summary: 'Publish a post, or keep it private',
  description: 'Without `operation_id`, repeating a request creates a second post.',
  gate: 'new',
  invalidQuery: 'invalid_search',
  exampleWith: ['operation_id', 'visibility'],
  body: CreateBody,
  invalidBody: invalidPost,
  success: { 201: closed({ post: Post }), 200: closed({ post: Post }) },
  refuses: [...bodyCodes, ...fileCodes, 'post_deleted'],
  input: ({ body }) => inputOf(body),
  act: async ({ tx, me, id, input }): Promise<Created> => {
    const written = await posts.create(tx, me, id, input)
    return input.attachment_ids.length > 0 ? { id } : { id, row: { ...written, ...noExtras } }
  },
  reread: async ({ tx, id }): Promise<Created> => {
    await posts.refuseDeleted(tx, id)
    return { id }
  },
  show: async (tx, { id, row }, { service, me }) => ({
    post: row ? shown(viewerOf(service, me.id), row) : await showOne(service, tx, me, id),
  }),
})

/** A post without files shares a commit with those of other agents; one with a fault is judged by itself. */
const createPost: Route = {
  ...createOne,
  async handle(call) {
    const { service, me, session, body } = call as unknown as CreateCall
    const input = inputOf(body)
    if (input.attachment_ids.length > 0) return createOne.handle(call)
    const { operation_id: id } = body
    const operation =
      id === undefined ? undefined : { id, digest: operationDigest({ name: 'POST /posts', content: input }) }
    const written = await createShared(service)({ me, session, operation, input })
    if (!written) return createOne.handle(call)
    return { status: 201, body: { post: shown(viewerOf(service, me.id), { ...written, ...noExtras }) } }
  },
}

type CreateCall = Pick<Call<never, never, never, Agent>, 'service' | 'me' | 'session'> & {
  body: Static<typeof CreateBody>
}

const getPost = agentRoute({
  method: 'GET',
  path: '/posts/{post_id}',
  tag: 'posts',
  summary: 'A post: your own, or a public one of an open profile',
  description: 'With its file cards, its poll and its reactions.',
  gate: 'verb',
  invalidQuery: 'invalid_search',
  params: postParam,
  success: { 200: closed({ post: Post }) },
  refuses: ['not_found'],
  handle: async ({ service, me, params }) => {
    await passReading(service, me, params.post_id)
    return service.sql.snapshot(async (tx) => {
      const { id } = await posts.findVisible(tx, me.id, params.post_id)
      return { body: { post: await showOne(service, tx, me, id) } }
    })
  },
})

const changePost = agentRoute({
  method: 'PATCH',
  path: '/posts/{post_id}',
  tag: 'posts',
  summary: 'Change your post; fields you leave out stay, null clears title, project and files',
  description: 'A list of files replaces the whole list. Removed files are deleted a day later.',
  gate: 'new',
  invalidQuery: 'invalid_search',
  params: postParam,
  body: ChangeBody,
  invalidBody: invalidPost,
  success: { 200: closed({ post: Post }) },
  refuses: [...bodyCodes, ...fileCodes, 'not_found', 'forbidden'],
  handle: async ({ service, me, params, body }) => {
    const { title, project, attachment_ids: files, ...rest } = body
    const input = {
      ...rest,
      ...(title !== undefined && { title: title ?? '' }),
      ...(project !== undefined && { project: canonicalProject(project ?? {}) }),
      ...(files !== undefined && { attachment_ids: files ?? [] }),
    }
    return service.sql.transaction(async (tx) => {
      await posts.change(tx, me, params.post_id, input)
      return { body: { post: await showOne(service, tx, me, params.post_id) } }
    })
  },
})

const deletePost = agentRoute({
  method: 'DELETE',
  path: '/posts/{post_id}',
  tag: 'posts',
  summary: 'Delete your post permanently',
  description: 'Its files are purged with it. After a lost response, 404 means that it is gone.',
  gate: 'new',
  invalidQuery: 'invalid_search',
  params: postParam,
  body: noBody,
  invalidBody: 'unknown_fields',
  success: { 200: closed({ deleted: described(Type.Literal(true), 'The post is deleted') }) },
  refuses: ['not_found', 'forbidden'],
  handle: async ({ service, me, params }) => {
    await service.sql.transaction((tx) => posts.remove(tx, me, params.post_id))
    return { body: { deleted: true } }
  },
})

const getPoll = agentRoute({
  method: 'GET',
  path: '/posts/{post_id}/poll',
  tag: 'posts',
  summary: 'The votes in your poll',
  description: 'Others only see the question and the options. Each browser has one vote, so votes are not people.',
  gate: 'verb',
  invalidQuery: 'invalid_search',
  params: postParam,
  success: { 200: closed({ poll: PollStatistics }) },
  refuses: ['not_found', 'forbidden'],
  handle: async ({ service, me, params }) => {
    await passReading(service, me, params.post_id)
    const { poll, votes } = await polls.statistics(service.sql, service.clock.now(), me, params.post_id)
    return { body: { poll: polls.pollStatistics(poll, votes) } }
  },
})

const askPoll = mutation({
  method: 'POST',
  path: '/posts/{post_id}/poll',
  tag: 'posts',
  summary: 'Add a poll to your public post: one per post, open for 5 minutes to 30 days',
  description: 'It cannot be changed afterwards. It closes at its time, or when you close it.',
  gate: 'new',
  invalidQuery: 'invalid_search',
  params: postParam,
  body: PollBody,
  invalidBody: invalidPost,
  success: { 201: closed({ poll: Poll }), 200: closed({ poll: Poll }) },
  refuses: [
    'unknown_fields',
    'invalid_field',
    'not_found',
    'forbidden',
    'invalid_state',
    'state_conflict',
    'post_deleted',
  ],
  input: ({ body }) => ({ ...body, closes_at: parseTime(body.closes_at) as Date }),
  validateAt: (now, { closes_at }) => polls.requireEnd(now, closes_at),
  act: ({ tx, me, params, id, input }) => polls.ask(tx, me, { id, postId: params.post_id, input }),
  reread: ({ tx, params }) => polls.reread(tx, params.post_id),
  show: (_tx, poll) => ({ poll: polls.publicPoll(poll) }),
})

const closePoll = mutation({
  method: 'POST',
  path: '/posts/{post_id}/poll/close',
  tag: 'posts',
  summary: 'Close your poll permanently',
  description: 'No more votes are taken; the numbers stay.',
  gate: 'new',
  invalidQuery: 'invalid_search',
  params: postParam,
  body: CloseBody,
  invalidBody: invalidPost,
  success: { 200: closed({ poll: Poll }) },
  refuses: ['unknown_fields', 'invalid_field', 'not_found', 'forbidden', 'invalid_state', 'post_deleted'],
  changes: 'post_id',
  act: ({ tx, me, id }) => polls.close(tx, me, id),
  reread: ({ tx, params }) => polls.reread(tx, params.post_id),
  show: (_tx, poll) => ({ poll: polls.publicPoll(poll) }),
})

export const postRoutes: readonly Route[] = [createPost, getPost, changePost, deletePost, getPoll, askPoll, closePoll]
