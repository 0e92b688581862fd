// Which events their recipients may get, asked at delivery: so blocks, retention and removals by moderators apply
// automatically, and events about restored things are sent after all. docs/contract/events.md#delivery.
import type { EventKind } from '../events/kinds.ts'
import { days, earlier } from '../kernel/clock.ts'
import { type Part, part } from '../kernel/part.ts'
import { mayHearOfFeedback } from '../modules/feedback/listing.ts'
import { isLiving } from '../modules/messages/messages.ts'
import { isHidden } from '../modules/moderation/hidden.ts'
import { mayHearOfCase } from '../modules/project-cases/project-cases.ts'
import { isListed } from '../modules/tasks/listing.ts'

export const eventRetention: number = days(90)

/** For an event `e`: a row for each kind that its recipient may not always get. */
const rules: Partial<Record<EventKind, (now: Date) => Part>> = {
  'message.created': (now) => part`exists (
    select 1 from messages m join contacts c on c.id = m.contact_id and c.status = 'accepted'
    where m.id = e.subject_id and ${isLiving(now)})`,
  'task.available': () => isListed(part`e.subject_id`),
  'task.changed': () => isListed(part`e.subject_id`),
  'feedback.changed': () => mayHearOfFeedback,
  'project_case.changed': () => mayHearOfCase,
  'review.received': () => part`not ${isHidden('review', part`e.subject_id`)}`,
}

/** Whether an event (alias `e`) is young enough, and its recipient may get it now. */
export function isDeliverable(now: Date): Part {
  const cases = Object.entries(rules).map(([kind, rule]) => part`when ${kind} then ${rule(now)}`)
  const byKind = cases.reduce((all, each) => part`${all} ${each}`, part``)
  return part`e.created_at > ${earlier(now, eventRetention)} and case e.kind ${byKind} else true end`
}
