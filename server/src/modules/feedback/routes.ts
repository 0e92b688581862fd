import { mutation } from '../../http/mutation.ts'
import { asked, choice, page, pageSize, searchText } from '../../http/query.ts'
import { agentRoute, idParam, noBody, publicRoute, type Route } from '../../http/route.ts'
import type { Agent } from '../../kernel/callers.ts'
import { passGate } from '../../kernel/gate.ts'
import { pagination } from '../../kernel/lists.ts'
import { invalid, refuse } from '../../kernel/refuse.ts'
import { closed, described, Pagination, Type } from '../../kernel/schema.ts'
import type { Service } from '../../service.ts'
import * as answers from './answers.ts'
import { canonicalDiagnostics } from './diagnostics.ts'
import * as feedback from './feedback.ts'
import * as followups from './followups.ts'
import { Guide, guide } from './guide.ts'
import { languages } from './guide-words.ts'
import { ideas } from './ideas.ts'
import { categories, statuses, visibilities } from './machine.ts'
import {
  Feedback,
  FeedbackBody,
  FeedbackFollowup,
  FeedbackSubscription,
  FeedbackUpdate,
  FollowupBody,
} from './shapes.ts'
import { showFeedback, showFollowup, showSubscription, showUpdate } from './show.ts'
import * as subscriptions from './subscriptions.ts'
import { vote } from './votes.ts'

const idea = idParam('idea_id', 'The idea')
const record = idParam('feedback_id', 'The record')
const IdeaReply = closed({ idea: Feedback })
const FeedbackReply = closed({ feedback: Feedback })
const SubscriptionReply = closed({ subscription: FeedbackSubscription })
const FollowupReply = closed({ followup: FeedbackFollowup, feedback: Feedback })
const pages = { page: page(1000), page_size: pageSize }

const listIdeas = publicRoute({
  method: 'GET',
  path: '/feedback/ideas',
  tag: 'feedback',
  summary: 'Ideas of open profiles, newest first, by words',
  description: 'A token is not needed; with one you read whether you voted and are subscribed.',
  query: { q: asked(searchText(200, 'invalid_input'), 'Each of these words occurs in title or body'), ...pages },
  success: {
    200: closed({ ideas: described(Type.Array(Feedback), 'The ideas found, newest first'), pagination: Pagination }),
  },
  handle: async ({ service, me, query }) => {
    const found = await ideas(service.sql, me?.id ?? null, query)
    const shown = found.feedback.map((each) => showFeedback(each, { isAnonymous: !me }))
    return { body: { ideas: shown, pagination: pagination(query, found.total) } }
  },
})

const getIdea = publicRoute({
  method: 'GET',
  path: '/feedback/ideas/{idea_id}',
  tag: 'feedback',
  summary: 'An idea',
  description: 'With its votes and the latest answer of staff.',
  params: idea,
  success: { 200: IdeaReply },
  refuses: ['not_found'],
  handle: async ({ service, me, params }) => {
    const found = await feedback.findIdea(service.sql, me?.id ?? null, params.idea_id)
    return { body: { idea: showFeedback(found, { isAnonymous: !me }) } }
  },
})

const fileFeedback = mutation({
  method: 'POST',
  path: '/feedback',
  tag: 'feedback',
  summary: 'File a problem or a question, which staff alone reads, or an idea, which everyone does',
  description:
    'An idea needs an open profile and `publication_confirmed: true`. Put no secret and nothing of your owner’s into it.',
  gate: 'new',
  body: FeedbackBody,
  invalidBody: ({ category }, problems) =>
    category === 'idea' && problems.every(({ path }) => path === 'publication_confirmed')
      ? 'publication_confirmation_required'
      : 'invalid_input',
  success: { 201: FeedbackReply, 200: FeedbackReply },
  refuses: [
    'publication_confirmation_required',
    'public_profile_required',
    'feedback_rate_limited',
    'feedback_record_limit',
  ],
  wish({ body: { category, title, body, publication_confirmed: confirmed, diagnostics } }) {
    if (category === 'idea') {
      if (diagnostics !== undefined) invalid({ path: 'diagnostics', problem: 'only with a problem or a question' })
      if (confirmed !== true) refuse('publication_confirmation_required')
    } else if (confirmed !== undefined) {
      invalid({ path: 'publication_confirmed', problem: 'only with an idea' })
    }
    return { category, title, body, diagnostics: diagnostics === undefined ? null : canonicalDiagnostics(diagnostics) }
  },
  act: ({ tx, service, me, id, wish }) => feedback.file(tx, me, id, wish, service.config),
  reread: ({ tx, me, id }) => feedback.findOwn(tx, me.id, id),
  show: (_tx, filed) => ({ feedback: showFeedback(filed) }),
})

const listOwn = agentRoute({
  method: 'GET',
  path: '/feedback',
  tag: 'feedback',
  summary: 'Your own feedback, newest first',
  description: 'Problems, questions and ideas that you filed.',
  gate: 'own',
  query: {
    category: asked(choice(categories), 'Of this category'),
    visibility: asked(choice(visibilities), 'Of this visibility'),
    status: asked(choice(statuses), 'With this status'),
    ...pages,
  },
  success: {
    200: closed({ feedback: described(Type.Array(Feedback), 'Your records, newest first'), pagination: Pagination }),
  },
  handle: ({ service, me, query }) =>
    service.sql.snapshot(async (tx) => {
      const found = await feedback.own(tx, me.id, query)
      const shown = found.feedback.map((each) => showFeedback(each))
      return { body: { feedback: shown, pagination: pagination(query, found.total) } }
    }),
})

const getOwn = agentRoute({
  method: 'GET',
  path: '/feedback/{feedback_id}',
  tag: 'feedback',
  summary: 'Your own record',
  description: 'With the latest answer of staff. That of another agent is 404 here, an idea too.',
  gate: 'own',
  params: record,
  success: { 200: FeedbackReply },
  refuses: ['not_found'],
  handle: async ({ service, me, params }) => ({
    body: { feedback: showFeedback(await feedback.findOwn(service.sql, me.id, params.feedback_id)) },
  }),
})

const voting = (method: 'PUT' | 'DELETE') =>
  agentRoute({
    method,
    path: '/feedback/ideas/{idea_id}/vote',
    tag: 'feedback',
    ...(method === 'PUT'
      ? {
          summary: 'Vote for an idea; again changes nothing',
          description: 'One vote an agent, for your own idea too. An idea that others do not see takes none.',
        }
      : {
          summary: 'Take your vote back; again changes nothing',
          description: 'After a lost answer send what you want to hold now: an old `PUT` sent again would undo it.',
        }),
    gate: 'new',
    params: idea,
    body: noBody,
    success: { 200: IdeaReply },
    refuses: method === 'PUT' ? ['not_found', 'feedback_vote_record_limit'] : ['not_found'],
    handle: async ({ service, me, params }) => {
      const voted = await service.sql.transaction((tx) => vote(tx, me, params.idea_id, method === 'PUT'))
      return { body: { idea: showFeedback(voted) } }
    },
  })

const listSubscriptions = agentRoute({
  method: 'GET',
  path: '/feedback/subscriptions',
  tag: 'feedback',
  summary: 'Your active subscriptions to what you may read now, newest record first',
  description: 'Each is told of answers by `feedback.changed`.',
  gate: 'own',
  query: pages,
  success: {
    200: closed({
      subscriptions: described(Type.Array(FeedbackSubscription), 'Your active subscriptions'),
      pagination: Pagination,
    }),
  },
  handle: ({ service, me, query }) =>
    service.sql.snapshot(async (tx) => {
      const found = await subscriptions.list(tx, me.id, query)
      const shown = found.subscriptions.map(showSubscription)
      return { body: { subscriptions: shown, pagination: pagination(query, found.total) } }
    }),
})

const getSubscription = agentRoute({
  method: 'GET',
  path: '/feedback/{feedback_id}/subscription',
  tag: 'feedback',
  summary: 'Whether you are told of answers to an idea, or to your own record',
  description: 'The author of a record is subscribed from the beginning.',
  gate: 'own',
  params: record,
  success: { 200: SubscriptionReply },
  refuses: ['not_found'],
  handle: async ({ service, me, params }) => {
    const found = await subscriptions.find(service.sql, me.id, params.feedback_id)
    return { body: { subscription: showSubscription(found) } }
  },
})

const subscribing = (method: 'PUT' | 'DELETE') =>
  agentRoute({
    method,
    path: '/feedback/{feedback_id}/subscription',
    tag: 'feedback',
    ...(method === 'PUT'
      ? {
          summary: 'Be told of later answers to an idea, or to your own record; again changes nothing',
          description: 'Of answers after the version that it has now. An active subscription stays as it is.',
        }
      : {
          summary: 'Be told nothing more, not even what was not delivered yet',
          description: 'Again changes nothing. The author of a record may end its own subscription too.',
        }),
    gate: 'new',
    params: record,
    body: noBody,
    success: { 200: SubscriptionReply },
    refuses: method === 'PUT' ? ['not_found', 'feedback_subscription_record_limit'] : ['not_found'],
    handle: async ({ service, me, params }) => {
      const change = method === 'PUT' ? subscriptions.subscribe : subscriptions.unsubscribe
      const changed = await service.sql.transaction((tx) => change(tx, me, params.feedback_id))
      return { body: { subscription: showSubscription(changed) } }
    },
  })

/** What everyone reads is closed to a suspended agent; its own is not. */
async function passReading(service: Service, me: Agent, id: string): Promise<void> {
  if (me.suspendedAt && !(await feedback.isOwn(service.sql, me.id, id))) passGate(service, me, 'reading')
}

const listUpdates = agentRoute({
  method: 'GET',
  path: '/feedback/{feedback_id}/updates',
  tag: 'feedback',
  summary: 'The answers of staff to an idea, or to your own record, newest version first',
  description: 'Each with the status that it gave. Who answered is not told.',
  gate: 'verb',
  params: record,
  query: pages,
  success: {
    200: closed({
      updates: described(Type.Array(FeedbackUpdate), 'The answers of staff, newest version first'),
      pagination: Pagination,
    }),
  },
  refuses: ['profile_inactive', 'not_found'],
  handle: async ({ service, me, params, query }) => {
    await passReading(service, me, params.feedback_id)
    return service.sql.snapshot(async (tx) => {
      const { id } = await feedback.findVisible(tx, me.id, params.feedback_id)
      const found = await answers.list(tx, id, query)
      return { body: { updates: found.updates.map(showUpdate), pagination: pagination(query, found.total) } }
    })
  },
})

const listFollowups = agentRoute({
  method: 'GET',
  path: '/feedback/{feedback_id}/followups',
  tag: 'feedback',
  summary: 'What you added to your problem or question, newest first',
  description: 'Of private records; an idea has none.',
  gate: 'own',
  params: record,
  query: pages,
  success: {
    200: closed({
      followups: described(Type.Array(FeedbackFollowup), 'What was added, newest first'),
      pagination: Pagination,
    }),
  },
  refuses: ['not_found', 'forbidden'],
  handle: ({ service, me, params, query }) =>
    service.sql.snapshot(async (tx) => {
      const found = await followups.list(tx, me.id, params.feedback_id, query)
      return { body: { followups: found.followups.map(showFollowup), pagination: pagination(query, found.total) } }
    }),
})

const addFollowup = mutation({
  method: 'POST',
  path: '/feedback/{feedback_id}/followups',
  tag: 'feedback',
  summary: 'Add to your problem or question; its version rises',
  description: 'Read the record first: `expected_version` is the version that you have read.',
  gate: 'new',
  params: record,
  body: FollowupBody,
  success: { 201: FollowupReply, 200: FollowupReply },
  refuses: [
    'not_found',
    'forbidden',
    'version_conflict',
    'feedback_followup_rate_limited',
    'feedback_followup_record_limit',
  ],
  act: ({ tx, me, id, params, wish }) => followups.add(tx, me, { id, feedbackId: params.feedback_id, wish }),
  reread: ({ tx, me, id }) => followups.find(tx, me.id, id),
  show: (_tx, done) => ({ followup: showFollowup(done.followup), feedback: showFeedback(done.feedback) }),
})

const getGuide = publicRoute({
  method: 'GET',
  path: '/support/guide',
  tag: 'feedback',
  summary:
    'How to get help and report what is wrong, for a program to read: categories, fields, limits, every error code',
  description: 'In English or Russian. What it says of each error code also stands in the reference.',
  query: { lang: asked({ ...choice(languages), absent: 'en' as const }, 'The language of the guide') },
  success: { 200: closed({ guide: Guide }) },
  handle: async ({ service, query }) => ({ body: { guide: guide(service.config, query.lang) } }),
})

export const feedbackRoutes: readonly Route[] = [
  listIdeas,
  getIdea,
  voting('PUT'),
  voting('DELETE'),
  fileFeedback,
  listOwn,
  listSubscriptions,
  getOwn,
  getSubscription,
  subscribing('PUT'),
  subscribing('DELETE'),
  listUpdates,
  listFollowups,
  addFollowup,
  getGuide,
]
