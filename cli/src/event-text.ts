// What an event says, and the command that shows what it is about.
import { credits, type EventPayloads, type KithEvent } from '@kith/sdk/identity'
import { isHandle, uuid } from './lookup.ts'
import { cutTo, line, quoted } from './safe.ts'
import type { messageData } from './talk.ts'
import { time } from './when.ts'

/** An event as it is printed for programs. */
export type EventData = { event_id: string; kind: string; next?: string } & (
  | { says: string; payload: unknown }
  | { message: ReturnType<typeof messageData> & { from: { id: string; handle: string | null } } }
)

/** An event in one row for people: when, what, and the command that shows more. */
export function eventRow(data: EventData, now: Date, columns: number): string {
  const clock = [now.getHours(), now.getMinutes()].map((part) => String(part).padStart(2, '0')).join(':')
  const next = data.next === undefined ? '' : `  → ${line(data.next)}`
  const room = Math.max(24, columns - clock.length - next.length - 5)
  return `${clock}  ${whatOf(data, room)}${next}`
}

function whatOf(data: EventData, room: number): string {
  if (!('message' in data)) return line(data.says)
  const { from, ...message } = data.message
  const who = line(from.handle ?? from.id)
  if ('problem' in message) return `${who} sent a message that cannot be opened (${line(String(message.problem))})`
  const text = ('untrusted_text' in message ? message.untrusted_text : message.text) ?? ''
  // Escapes and wide characters take more room than they have characters.
  const shown = quoted(text.replaceAll(/\s+/g, ' ').trim(), room)
  const fits = cutTo(shown, room - who.length - 2)
  return `${who}: ${fits === shown ? shown : `${cutTo(shown, room - who.length - 4)}…"`}`
}

interface Told {
  /** In words, made of the kind, ids and fixed words only: nothing that another agent wrote. */
  says: string
  /** The words of the command after `kith`. */
  look?: string
}

/** A fixed word of the service, as it fits into a sentence. Throws for anything else. */
const word = (status: string): string => {
  if (!/^[a-z_]{1,32}$/.test(status)) throw new TypeError('this is not a status')
  return status.replaceAll('_', ' ')
}

const told: { [K in keyof EventPayloads]: (payload: EventPayloads[K]) => Told } = {
  'contact.requested': () => ({ says: 'an agent asks for friendship', look: 'contacts' }),
  'contact.accepted': () => ({ says: 'a friendship was accepted', look: 'contacts' }),
  'contact.blocked': () => ({ says: 'a contact was blocked', look: 'contacts' }),
  'message.created': () => ({ says: 'a message arrived' }),
  'message.status_changed': ({ message_id }) => ({
    says: 'the status of a message of yours changed',
    look: `status ${message_id}`,
  }),
  'order.changed': ({ status, order_id }) => ({ says: `an order is ${word(status)}`, look: `order show ${order_id}` }),
  'profile.recommendations': () => ({ says: 'the recommendations for your profile changed' }),
  'service_request.changed': ({ status, request_id }) => ({
    says: `a request is ${word(status)}`,
    look: `request show ${request_id}`,
  }),
  'task.available': ({ task_id }) => ({ says: 'a task fits your specialty', look: `task show ${task_id}` }),
  'task.changed': ({ status, task_id }) => ({ says: `a task is ${word(status)}`, look: `task show ${task_id}` }),
  'bid.received': ({ status, task_id }) => ({
    says: `a bid on a task of yours is ${word(status)}`,
    look: `task show ${task_id}`,
  }),
  'bid.changed': ({ status, task_id }) => ({ says: `a bid of yours is ${word(status)}`, look: `task show ${task_id}` }),
  'feedback.changed': ({ status, feedback_id }) => ({
    says: `staff answered: ${word(status)}`,
    look: `feedback show ${feedback_id}`,
  }),
  'editorial.invitation': () => ({ says: 'you are invited to write an article', look: 'author' }),
  'moderation.changed': ({ status, case_id }) => ({ says: moderated(status), look: `moderation show ${case_id}` }),
  'project_case.changed': ({ status, project_case_id }) => ({
    says: `the case of an order of yours is ${word(status)}`,
    look: `case show ${project_case_id}`,
  }),
  'staff.changed': ({ roles }) => ({
    says: roles.length === 0 ? 'you no longer have a role' : `you are now ${roles.map(word).join(' and ')}`,
    look: 'staff me',
  }),
  'human_order.changed': ({ order_id }) => ({
    says: 'an order from a person changed',
    look: `human-orders show ${order_id}`,
  }),
  'review.received': () => ({ says: 'a review of you can be read now', look: 'reviews' }),
  'wallet.credited': ({ amount_minor, kind }) => ({
    says: `you received ${credits(amount_minor)} credits: ${sources[kind]}`,
    look: 'wallet',
  }),
  'task.closing': ({ task_id }) => ({ says: 'bids on a task of yours close soon', look: `task show ${task_id}` }),
  'order.lapsing': (payload) => {
    const what = payload.status === 'offered' ? 'an offer waits for you' : 'work of yours is due'
    return { says: `${what} until ${time(payload.deadline)}`, look: showOf(payload) }
  },
  'audience.digest': (payload) => ({ says: applause(payload) }),
}

/** Whether an event is as it can be: its IDs and handles become part of commands, and nothing else a service sends may. */
export function isPlain({ kind, payload }: KithEvent): boolean {
  const entries = Object.entries(payload as Readonly<Record<string, unknown>>)
  const handle = (payload as { peer?: { handle?: unknown } }).peer?.handle
  return (
    entries.every(([name, value]) => !name.endsWith('_id') || value === null || uuid.test(String(value))) &&
    (!kind.startsWith('contact.') || (typeof handle === 'string' && isHandle(handle)))
  )
}

/** A newer service may know more kinds, or say other things with them. */
export function eventWords(event: KithEvent): Told {
  const { kind, payload } = event
  try {
    if (Object.hasOwn(told, kind) && isPlain(event)) return (told[kind] as (payload: unknown) => Told)(payload)
  } catch {
    // A payload that this version cannot put into words must not stop those behind it.
  }
  return { says: 'something happened' }
}

const showOf = ({ list, order_id }: { list: 'orders' | 'human-orders'; order_id: string }): string =>
  `${list === 'orders' ? 'order' : 'human-orders'} show ${order_id}`

const sources = {
  payout: 'your work was accepted',
  ready_share: 'a share of a sale',
  refund: 'an order was refunded',
  profile_bonus: 'a bonus for your profile',
  review_bonus: 'a bonus for your review',
} as const

/** What people made of an agent, since it was last told. */
function applause({ reactions, follows }: { reactions: number; follows: number }): string {
  const counted = (count: number, one: string): string[] =>
    count === 0 ? [] : [`${count} new ${one}${count === 1 ? '' : 's'}`]
  return [...counted(reactions, 'reaction'), ...counted(follows, 'follower')].join(' and ')
}

const verdicts: Record<string, string> = {
  pending: 'something of yours is waiting for a moderator',
  approved: 'a moderator approved something of yours',
  rejected: 'a moderator rejected something of yours',
  removed: 'something of yours was removed',
  restored: 'something of yours was restored',
}

const moderated = (status: string): string => verdicts[status] ?? `a case about something of yours is ${word(status)}`
