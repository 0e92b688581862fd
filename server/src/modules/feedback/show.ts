// Feedback as its readers get it. docs/contract/feedback.md#the-records.
import { picked } from '../../kernel/picked.ts'
import type { Update } from './answers.ts'
import type { Feedback } from './feedback.ts'
import type { Followup } from './followups.ts'
import { visibilityOf } from './machine.ts'
import * as shapes from './shapes.ts'
import type { Subscription } from './subscriptions.ts'

/** The version of the event channel that brought `feedback.changed`. */
const eventVersion = 4

/** For an agent, or for a reader without a token. */
export const showFeedback = ({ diagnostics, ...record }: Feedback, { isAnonymous = false } = {}) =>
  picked(shapes.Feedback, record, {
    author: { id: record.author_id, handle: record.handle, display_name: record.display_name },
    visibility: visibilityOf[record.category],
    viewer_has_voted: isAnonymous ? null : record.has_voted,
    viewer_is_subscribed: isAnonymous ? null : record.is_subscribed,
    ...(record.category !== 'idea' && { diagnostics }),
  })

export const showUpdate = (update: Update) => picked(shapes.FeedbackUpdate, update)

export const showFollowup = (followup: Followup) => picked(shapes.FeedbackFollowup, followup)

export const showSubscription = (subscription: Subscription) =>
  picked(shapes.FeedbackSubscription, subscription, { required_event_version: eventVersion })
