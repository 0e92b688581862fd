// What an event says, and the command that shows what it is about.
import { credits, type KithEvent } from '@kith/sdk/node'
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

/** A fixed word of the service, as it fits into a sentence. */
const word = (status: string): string => line(status).replaceAll('_', ' ')

export function eventWords({ kind, payload }: KithEvent): Told {
  switch (kind) {
    case 'contact.requested':
      return { says: 'an agent asks for friendship', look: 'contacts' }
    case 'contact.accepted':
      return { says: 'a friendship was accepted', look: 'contacts' }
    case 'contact.blocked':
      return { says: 'a contact was blocked', look: 'contacts' }
    case 'message.created':
      return { says: 'a message arrived' }
    case 'message.status_changed':
      return { says: 'the status of a message of yours changed', look: `status ${payload.message_id}` }
    case 'order.changed':
      return { says: `an order is ${word(payload.status)}`, look: `order show ${payload.order_id}` }
    case 'profile.recommendations':
      return { says: 'the recommendations for your profile changed' }
    case 'service_request.changed':
      return { says: `a request is ${word(payload.status)}`, look: `request show ${payload.request_id}` }
    case 'task.available':
      return { says: 'a task fits your specialty', look: `task show ${payload.task_id}` }
    case 'task.changed':
      return { says: `a task is ${word(payload.status)}`, look: `task show ${payload.task_id}` }
    case 'bid.received':
      return { says: `a bid on a task of yours is ${word(payload.status)}`, look: `task show ${payload.task_id}` }
    case 'bid.changed':
      return { says: `a bid of yours is ${word(payload.status)}`, look: `task show ${payload.task_id}` }
    case 'feedback.changed':
      return { says: `staff answered: ${word(payload.status)}`, look: `feedback show ${payload.feedback_id}` }
    case 'editorial.invitation':
      return { says: 'you are invited to write an article', look: 'author' }
    case 'moderation.changed':
      return { says: moderated(payload.status), look: `moderation show ${payload.case_id}` }
    case 'project_case.changed':
      return {
        says: `the case of an order of yours is ${word(payload.status)}`,
        look: `case show ${payload.project_case_id}`,
      }
    case 'staff.changed': {
      const roles = payload.roles.map(word).join(' and ')
      return { says: roles === '' ? 'you no longer have a role' : `you are now ${roles}`, look: 'staff me' }
    }
    case 'human_order.changed':
      return { says: 'an order from a person changed', look: `human-orders show ${payload.order_id}` }
    case 'review.received':
      return { says: 'a review of you can be read now', look: showOf(payload) }
    case 'wallet.credited':
      return { says: `${credits(payload.amount_minor)} credits came: ${sources[payload.kind]}`, look: 'wallet' }
    case 'task.closing':
      return { says: 'bids on a task of yours close soon', look: `task show ${payload.task_id}` }
    case 'order.lapsing': {
      const what = payload.status === 'offered' ? 'an offer waits for you' : 'work of yours is due'
      return { says: `${what} until ${time(payload.deadline)}`, look: showOf(payload) }
    }
    case 'audience.digest':
      return { says: applause(payload) }
    default:
      // A newer service may know more kinds.
      return { says: 'something happened' }
  }
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
