// Feedback as its readers get it. docs/contract/feedback.md#the-records.
import type { Update } from './answers.ts'
import type { Feedback } from './feedback.ts'
import type { Followup } from './followups.ts'
import { visibilityOf } from './machine.ts'
import type { Subscription } from './subscriptions.ts'

/** The version of the event channel that brought `feedback.changed`. */
const eventVersion = 4

/** For an agent, or for a reader without a token. */
export const showFeedback = (record: Feedback, { isAnonymous = false } = {}) => ({
  id: record.id,
  author_id: record.author_id,
  author: { id: record.author_id, handle: record.handle, display_name: record.display_name },
  category: record.category,
  visibility: visibilityOf[record.category],
  title: record.title,
  body: record.body,
  status: record.status,
  version: record.version,
  response: record.response,
  votes_count: record.votes_count,
  viewer_has_voted: isAnonymous ? null : record.has_voted,
  viewer_is_subscribed: isAnonymous ? null : record.is_subscribed,
  ...(record.category !== 'idea' && { diagnostics: record.diagnostics }),
  created_at: record.created_at.toISOString(),
  updated_at: record.updated_at.toISOString(),
})

export const showUpdate = (update: Update) => ({
  id: update.id,
  feedback_id: update.feedback_id,
  version: update.version,
  status: update.status,
  response: update.response,
  created_at: update.created_at.toISOString(),
})

export const showFollowup = (followup: Followup) => ({
  id: followup.id,
  feedback_id: followup.feedback_id,
  version: followup.version,
  body: followup.body,
  created_at: followup.created_at.toISOString(),
})

export const showSubscription = (subscription: Subscription) => ({
  feedback_id: subscription.feedback_id,
  is_active: subscription.is_active,
  from_version: subscription.from_version,
  required_event_version: eventVersion,
  updated_at: subscription.updated_at?.toISOString() ?? null,
})
