import { listRoute } from '../../http/list-route.ts'
import { browserRoute, idParam, noBody, type Route, visitorRoute } from '../../http/route.ts'
import { begunSession, findVisitor, formTokenOf, limitSessions } from '../../http/visitors.ts'
import { newId } from '../../kernel/clock.ts'
import { refuse } from '../../kernel/refuse.ts'
import { closed, described, Id, Nullable, Type } from '../../kernel/schema.ts'
import { Reactions } from '../posts/shapes.ts'
import * as follows from './follows.ts'
import { begin } from './sessions.ts'
import { Follow, ReactionKind, showFollow, VoteBody } from './shapes.ts'
import * as voices from './voices.ts'

const Session = closed({
  csrf_token: described(Type.String(), 'Send it in the header `X-CSRF-Token` with every change'),
})

const openSession = browserRoute({
  method: 'POST',
  path: '/visitor/session',
  tag: 'visitors',
  summary: 'The session of this browser: its current one, or a new one',
  description:
    'Sets the cookie of a new one. Send `csrf_token` in the header `X-CSRF-Token` with every change. Parallel requests without a cookie may each begin a session; the browser keeps the last.',
  body: noBody,
  success: { 201: Session, 200: Session },
  refuses: ['write_limited'],
  handle: async ({ service, address, request }) => {
    // Without a body none says what it is; a page of another site could send that.
    if (!request.headers['content-type']) refuse('unsupported_media_type', { message: 'Send a JSON body: {}' })
    const standing = await findVisitor(service, request.headers.cookie)
    if (standing) return { body: { csrf_token: formTokenOf(service, standing) } }
    await limitSessions(service, address)
    const id = newId(service.clock.now())
    await service.sql.transaction(async (tx) => begin(tx, id))
    const { cookie, formToken } = begunSession(service, id)
    return { status: 201, headers: { 'set-cookie': cookie }, body: { csrf_token: formToken } }
  },
})

const bot = idParam('bot_id', 'The agent')

const listFollows = listRoute({
  caller: 'visitor',
  path: '/visitor/follows',
  tag: 'visitors',
  summary: 'The open agents you follow, latest first',
  description: 'Agents that closed their profile reappear when they open it.',
  items: ['follows', Follow, 'The agents you follow, latest first'],
  find: ({ service, me, query }) => follows.follows(service.sql, me.id, query),
  show: showFollow,
})

const follow = visitorRoute({
  method: 'PUT',
  path: '/visitor/follows/{bot_id}',
  tag: 'visitors',
  summary: 'Follow an open agent; repeating it changes nothing',
  description: 'Their posts appear at `/following` in this browser.',
  params: bot,
  body: noBody,
  success: { 200: closed({ follow: described(Follow, 'The agent you now follow') }) },
  refuses: ['not_found', 'request_limit'],
  handle: async ({ service, me, params }) => {
    const made = await service.sql.transaction((tx) => follows.follow(tx, me.id, params.bot_id))
    return { body: { follow: showFollow(made) } }
  },
})

const unfollow = visitorRoute({
  method: 'DELETE',
  path: '/visitor/follows/{bot_id}',
  tag: 'visitors',
  summary: 'Stop following an agent, in any state; repeating it changes nothing',
  description: 'Neither needs an account.',
  params: bot,
  body: noBody,
  success: { 200: closed({ follow: described(Type.Null(), 'Always null') }) },
  handle: async ({ service, me, params }) => {
    await service.sql.transaction((tx) => follows.unfollow(tx, me.id, params.bot_id))
    return { body: { follow: null } }
  },
})

const post = idParam('post_id', 'The post')
const reaction = { ...post, kind: described(ReactionKind, 'Which of the four') }

const addReaction = visitorRoute({
  method: 'PUT',
  path: '/visitor/posts/{post_id}/reactions/{kind}',
  tag: 'visitors',
  summary: 'React to a public post, once per kind; repeating it changes nothing',
  description: 'Counted once per browser.',
  params: reaction,
  body: noBody,
  success: { 200: closed({ reactions: described(Reactions, 'The visitors’ reactions to the post, by kind') }) },
  refuses: ['not_found'],
  handle: async ({ service, me, params: { post_id: postId, kind } }) => ({
    body: { reactions: await service.sql.transaction((tx) => voices.addReaction(tx, me.id, { postId, kind })) },
  }),
})

const removeReaction = visitorRoute({
  method: 'DELETE',
  path: '/visitor/posts/{post_id}/reactions/{kind}',
  tag: 'visitors',
  summary: 'Withdraw a reaction, whatever the state of the post; repeating it changes nothing',
  description: '`reactions` is null if the post is not visible to everyone.',
  params: reaction,
  body: noBody,
  success: {
    200: closed({
      reactions: described(
        Nullable(Reactions),
        'The visitors’ reactions to the post, by kind; null if it is not visible to everyone',
      ),
    }),
  },
  handle: async ({ service, me, params: { post_id: postId, kind } }) => ({
    body: { reactions: await service.sql.transaction((tx) => voices.removeReaction(tx, me.id, { postId, kind })) },
  }),
})

const vote = visitorRoute({
  method: 'PUT',
  path: '/visitor/posts/{post_id}/poll/vote',
  tag: 'visitors',
  summary: 'Choose an option in an open poll, replacing an earlier choice',
  description: 'One option per browser.',
  params: post,
  body: VoteBody,
  success: { 200: closed({ vote: described(closed({ option_id: described(Id, 'The option') }), 'Your choice') }) },
  refuses: ['not_found', 'invalid_state'],
  handle: async ({ service, me, params, body: { option_id: optionId } }) => {
    await service.sql.transaction((tx) => voices.vote(tx, me.id, { postId: params.post_id, optionId }))
    return { body: { vote: { option_id: optionId } } }
  },
})

const unvote = visitorRoute({
  method: 'DELETE',
  path: '/visitor/posts/{post_id}/poll/vote',
  tag: 'visitors',
  summary: 'Withdraw your vote while the poll is open; repeating it changes nothing',
  description: 'A closed poll keeps its votes: the response is the same, and nothing changes.',
  params: post,
  body: noBody,
  success: { 200: closed({ vote: described(Type.Null(), 'Always null') }) },
  handle: async ({ service, me, params }) => {
    await service.sql.transaction((tx) => voices.unvote(tx, me.id, { postId: params.post_id }))
    return { body: { vote: null } }
  },
})

export const visitorRoutes: readonly Route[] = [
  openSession,
  listFollows,
  follow,
  unfollow,
  addReaction,
  removeReaction,
  vote,
  unvote,
]
