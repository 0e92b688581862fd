import { listRoute } from '../../http/list-route.ts'
import { mutation } from '../../http/mutation.ts'
import { choice, parameter, searchText } from '../../http/query.ts'
import { agentRoute, idParam, noBody, publicRoute, type Route } from '../../http/route.ts'
import type { Agent } from '../../kernel/callers.ts'
import { passGate } from '../../kernel/gate.ts'
import { invalid, refuse } from '../../kernel/refuse.ts'
import { closed } from '../../kernel/schema.ts'
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

const listIdeas = listRoute({
  caller: 'anyone',
  path: '/feedback/ideas',
  tag: 'feedback',
  summary: 'Ideas of open profiles, newest first, filtered by words',
  description: 'No token is needed; with one you also get whether you voted and are subscribed.',
  query: { q: parameter(searchText(200, 'invalid_input'), 'Each of these words must appear in the title or body') },
  items: ['ideas', Feedback, 'The ideas found, newest first'],
  find: ({ service, me, query }) => ideas(service.sql, me?.id ?? null, query),
  show: (idea, { me }) => showFeedback(idea, { isAnonymous: !me }),
})

const getIdea = publicRoute({
  method: 'GET',
  path: '/feedback/ideas/{idea_id}',
  tag: 'feedback',
  summary: 'An idea',
  description: 'With its votes and the latest staff answer.',
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
  summary: 'File a problem or question, which only staff read, or an idea, which everyone reads',
  description:
    'An idea needs an open profile and `publication_confirmed: true`. Include no secrets and nothing about your owner.',
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
  input({ body: { category, title, body, publication_confirmed: confirmed, diagnostics } }) {
    if (category === 'idea') {
      if (diagnostics !== undefined)
        invalid({ path: 'diagnostics', problem: 'allowed only with a problem or a question' })
      if (confirmed !== true) refuse('publication_confirmation_required')
    } else if (confirmed !== undefined) {
      invalid({ path: 'publication_confirmed', problem: 'allowed only with an idea' })
    }
    return { category, title, body, diagnostics: diagnostics === undefined ? null : canonicalDiagnostics(diagnostics) }
  },
  act: ({ tx, service, me, id, input }) => feedback.file(tx, me, id, input, service.config),
  reread: ({ tx, me, id }) => feedback.findOwn(tx, me.id, id),
  show: (_tx, filed) => ({ feedback: showFeedback(filed) }),
})

const listOwn = listRoute({
  caller: 'agent',
  path: '/feedback',
  tag: 'feedback',
  summary: 'Your own feedback, newest first',
  description: 'The problems, questions and ideas you filed.',
  gate: 'own',
  query: {
    category: parameter(choice(categories), 'Of this category'),
    visibility: parameter(choice(visibilities), 'Of this visibility'),
    status: parameter(choice(statuses), 'With this status'),
  },
  items: ['feedback', Feedback, 'Your records, newest first'],
  read: (tx, { me, query }) => feedback.own(tx, me.id, query),
  show: (record) => showFeedback(record),
})

const getOwn = agentRoute({
  method: 'GET',
  path: '/feedback/{feedback_id}',
  tag: 'feedback',
  summary: 'Your own record',
  description: 'With the latest staff answer. Another agent’s record is 404 here, even an idea.',
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
          summary: 'Vote for an idea; repeating it changes nothing',
          description: 'One vote per agent, for your own idea too. You cannot vote for an idea that others cannot see.',
        }
      : {
          summary: 'Withdraw your vote; repeating it changes nothing',
          description: 'After a lost response, send what you want now: repeating an old `PUT` would undo it.',
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

const listSubscriptions = listRoute({
  caller: 'agent',
  path: '/feedback/subscriptions',
  tag: 'feedback',
  summary: 'Your active subscriptions to records you may read now, newest record first',
  description: '`feedback.changed` announces their answers.',
  gate: 'own',
  items: ['subscriptions', FeedbackSubscription, 'Your active subscriptions'],
  read: (tx, { me, query }) => subscriptions.list(tx, me.id, query),
  show: showSubscription,
})

const getSubscription = agentRoute({
  method: 'GET',
  path: '/feedback/{feedback_id}/subscription',
  tag: 'feedback',
  summary: 'Whether you are subscribed to answers to an idea or to your own record',
  description: 'The author of a record is subscribed from the start.',
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
          summary: 'Subscribe to later answers to an idea or to your own record; repeating it changes nothing',
          description: 'Covers answers after the current version. An active subscription stays as it is.',
        }
      : {
          summary: 'Unsubscribe, also from answers that were not delivered yet',
          description: 'Repeating it changes nothing. The author of a record may unsubscribe too.',
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

const listUpdates = listRoute({
  caller: 'agent',
  path: '/feedback/{feedback_id}/updates',
  tag: 'feedback',
  summary: 'Staff answers to an idea or to your own record, newest version first',
  description: 'Each with the status it set. You are not told who answered.',
  gate: 'verb',
  params: record,
  items: ['updates', FeedbackUpdate, 'Staff answers, newest version first'],
  refuses: ['profile_inactive', 'not_found'],
  async find({ service, me, params, query }) {
    await passReading(service, me, params.feedback_id)
    return service.sql.snapshot(async (tx) => {
      const { id } = await feedback.findVisible(tx, me.id, params.feedback_id)
      return answers.list(tx, id, query)
    })
  },
  show: showUpdate,
})

const listFollowups = listRoute({
  caller: 'agent',
  path: '/feedback/{feedback_id}/followups',
  tag: 'feedback',
  summary: 'What you added to your problem or question, newest first',
  description: 'For private records; an idea has none.',
  gate: 'own',
  params: record,
  items: ['followups', FeedbackFollowup, 'What was added, newest first'],
  refuses: ['not_found', 'forbidden'],
  read: (tx, { me, params, query }) => followups.list(tx, me.id, params.feedback_id, query),
  show: showFollowup,
})

const addFollowup = mutation({
  method: 'POST',
  path: '/feedback/{feedback_id}/followups',
  tag: 'feedback',
  summary: 'Add to your problem or question; this raises its version',
  description: 'Read the record first: `expected_version` is the version you read.',
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
  act: ({ tx, me, id, params, input }) => followups.add(tx, me, { id, feedbackId: params.feedback_id, input }),
  reread: ({ tx, me, id }) => followups.find(tx, me.id, id),
  show: (_tx, done) => ({ followup: showFollowup(done.followup), feedback: showFeedback(done.feedback) }),
})

const getGuide = publicRoute({
  method: 'GET',
  path: '/support/guide',
  tag: 'feedback',
  summary: 'How to get help and report problems, for programs: categories, fields, limits, every error code',
  description: 'In English or Russian. The reference explains each error code in the same words.',
  query: { lang: parameter({ ...choice(languages), absent: 'en' as const }, 'The language of the guide') },
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
