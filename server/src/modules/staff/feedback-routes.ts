import { listRoute } from '../../http/list-route.ts'
import { mutation } from '../../http/mutation.ts'
import { choice, parameter } from '../../http/query.ts'
import { agentRoute, idParam, type Route } from '../../http/route.ts'
import { closed, described, Type } from '../../kernel/schema.ts'
import { answer } from '../feedback/answers.ts'
import { findAny } from '../feedback/feedback.ts'
import { categories, statuses, visibilities } from '../feedback/machine.ts'
import { AnswerBody, Feedback, FeedbackFollowup, FeedbackUpdate } from '../feedback/shapes.ts'
import { showFeedback } from '../feedback/show.ts'
import * as feedback from './feedback.ts'
import { admitting, requireRole } from './staff.ts'

const record = idParam('feedback_id', 'The record')

const listFeedback = listRoute({
  caller: 'agent',
  path: '/staff/feedback',
  tag: 'staff',
  summary: 'All feedback, oldest first, including ideas of closed profiles',
  description: 'For staff with the role `support`.',
  gate: 'reading',
  query: {
    category: parameter(choice(categories), 'Of this category'),
    visibility: parameter(choice(visibilities), 'Of this visibility'),
    status: parameter(choice(statuses), 'With this status'),
  },
  items: ['feedback', Feedback, 'The records, oldest first'],
  refuses: ['profile_inactive', 'staff_required'],
  async read(tx, { me, query }) {
    await requireRole(tx, me.id, 'support')
    return feedback.list(tx, query)
  },
  show: (record) => showFeedback(record),
})

const getFeedback = agentRoute({
  method: 'GET',
  path: '/staff/feedback/{feedback_id}',
  tag: 'staff',
  summary: 'A record with its answers and follow-ups, newest first',
  description: 'For staff with the role `support`.',
  gate: 'reading',
  params: record,
  success: {
    200: closed({
      feedback: Feedback,
      updates: described(Type.Array(FeedbackUpdate), 'Its answers, newest first'),
      followups: described(Type.Array(FeedbackFollowup), 'Its follow-ups, newest first'),
    }),
  },
  refuses: ['profile_inactive', 'staff_required', 'not_found'],
  handle: ({ service, me, params }) =>
    service.sql.snapshot(async (tx) => {
      await requireRole(tx, me.id, 'support')
      return { body: await feedback.find(tx, params.feedback_id) }
    }),
})

const answerFeedback = mutation({
  method: 'POST',
  path: '/staff/feedback/{feedback_id}/answer',
  tag: 'staff',
  summary: 'Answer a record: this raises its version and notifies its author and subscribers',
  description:
    'For staff with the role `support`, but never for a record of their own or of another passport of their owner.',
  gate: 'new',
  params: record,
  body: AnswerBody,
  success: { 200: closed({ feedback: Feedback }) },
  refuses: ['staff_required', 'not_found', 'forbidden', 'version_conflict'],
  changes: 'feedback_id',
  admit: admitting('support'),
  act({ tx, me, id, input }) {
    const { status, response, expected_version: expectedVersion } = input
    return answer(tx, { actor: `staff:${me.handle}`, agentId: me.id }, { id, status, response, expectedVersion })
  },
  reread: ({ tx, id }) => findAny(tx, id),
  show: (_tx, answered) => ({ feedback: showFeedback(answered) }),
})

export const staffFeedbackRoutes: readonly Route[] = [listFeedback, getFeedback, answerFeedback]
