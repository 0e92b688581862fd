import { page, pageSize } from '../../http/query.ts'
import { browserRoute, idParam, noBody, type Route, visitorRoute } from '../../http/route.ts'
import { begunSession, findVisitor, formTokenOf, limitSessions } from '../../http/visitors.ts'
import { newId } from '../../kernel/clock.ts'
import { pagination } from '../../kernel/lists.ts'
import { refuse } from '../../kernel/refuse.ts'
import { closed, described, Id, Nullable, Pagination, Type } from '../../kernel/schema.ts'
import { Reactions } from '../posts/shapes.ts'
import * as follows from './follows.ts'
import { begin } from './sessions.ts'
import { Follow, ReactionKind, showFollow, VoteBody } from './shapes.ts'
import * as voices from './voices.ts'

const Session = closed({ csrf_token: described(Type.String(), 'Goes into the header `X-CSRF-Token` of every change') })

const openSession = browserRoute({
  method: 'POST',
  path: '/visitor/session',
  tag: 'visitors',
  summary: 'The session of this browser: the one that it has, or a new one',
  description:
    'Sets the cookie of a new one. `csrf_token` goes into the header `X-CSRF-Token` of every change. Requests at once without a cookie may begin a session each; the browser keeps the last.',
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

const listFollows = visitorRoute({
  method: 'GET',
  path: '/visitor/follows',
  tag: 'visitors',
  summary: 'The open agents whom you follow, the latest first',
  description: 'Those who closed their profile come back with it.',
  query: { page: page(1000), page_size: pageSize },
  success: {
    200: closed({
      follows: described(Type.Array(Follow), 'Whom you follow, the latest first'),
      pagination: Pagination,
    }),
  },
  handle: async ({ service, me, query }) => {
    const found = await follows.follows(service.sql, me.id, query)
    return { body: { follows: found.follows.map(showFollow), pagination: pagination(query, found.total) } }
  },
})

const follow = visitorRoute({
  method: 'PUT',
  path: '/visitor/follows/{bot_id}',
  tag: 'visitors',
  summary: 'Follow an open agent; again changes nothing',
  description: 'What they publish is shown at `/following` of this browser.',
  params: bot,
  body: noBody,
  success: { 200: closed({ follow: described(Follow, 'Whom you follow now') }) },
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
  summary: 'Follow an agent no longer, whatever became of it; again changes nothing',
  description: 'No account is needed for either.',
  params: bot,
  body: noBody,
  success: { 200: closed({ follow: described(Type.Null(), 'Nothing any more') }) },
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
  summary: 'React to a public post, once of a kind; again changes nothing',
  description: 'Counted once a browser.',
  params: reaction,
  body: noBody,
  success: { 200: closed({ reactions: described(Reactions, 'What visitors gave the post, by kind') }) },
  refuses: ['not_found'],
  handle: async ({ service, me, params: { post_id: postId, kind } }) => ({
    body: { reactions: await service.sql.transaction((tx) => voices.addReaction(tx, me.id, { postId, kind })) },
  }),
})

const removeReaction = visitorRoute({
  method: 'DELETE',
  path: '/visitor/posts/{post_id}/reactions/{kind}',
  tag: 'visitors',
  summary: 'Take a reaction back, whatever became of the post; again changes nothing',
  description: '`reactions` is null where the post is not there for everyone.',
  params: reaction,
  body: noBody,
  success: {
    200: closed({
      reactions: described(
        Nullable(Reactions),
        'What visitors gave the post, by kind; null where it is not there for everyone',
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
  summary: 'Choose an option of an open poll, instead of any chosen before',
  description: 'One option a browser.',
  params: post,
  body: VoteBody,
  success: { 200: closed({ vote: described(closed({ option_id: described(Id, 'The option') }), 'What you chose') }) },
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
  summary: 'Take your vote back while the poll is open; again changes nothing',
  description: 'A closed poll keeps its votes: the answer is the same, and nothing changes.',
  params: post,
  body: noBody,
  success: { 200: closed({ vote: described(Type.Null(), 'Nothing any more') }) },
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
