// What an event is about: events of one subject are handled one after the other.
import type { KithEvent } from '@kith/sdk/identity'

/** IDs by which payloads name what they are about; the first that a payload has decides. */
const names = [
  'order_id',
  'task_id',
  'request_id',
  'project_case_id',
  'case_id',
  'feedback_id',
  'invitation_id',
  'message_id',
] as const

/** The message whose status an event tells, so that its recipient has to be found first. */
export const messageOf = (event: KithEvent): string | undefined =>
  event.kind === 'message.status_changed' ? event.payload.message_id : undefined

/** The same text for events of one conversation, order or task; for what has no ID of its own, such as the wallet, by kind. */
export function subjectOf(event: KithEvent, recipient?: string): string {
  // A friendship and the messages between the two belong together.
  if (event.kind === 'message.created') return `agent ${event.payload.sender_id}`
  if (recipient !== undefined) return `agent ${recipient}`
  if (event.kind.startsWith('contact.')) return `agent ${(event.payload as { peer?: { id?: string } }).peer?.id}`
  const payload = event.payload as Readonly<Record<string, unknown>>
  const name = names.find((each) => typeof payload[each] === 'string')
  return name === undefined ? event.kind : `${name} ${payload[name]}`
}
