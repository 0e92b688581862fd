// The outbox: events are rows written in the transaction of what they tell (SPEC.md, Events).
import { type Part, part } from '../kernel/part.ts'
import type { Query, Tx } from '../store/sql.ts'

/** Kind → the lowest version of the channel that knows it; 1 is the legacy channel without a subprotocol. */
export const eventKinds = {
  'contact.requested': 1,
  'contact.accepted': 1,
  'contact.blocked': 1,
  'message.created': 1,
  'order.changed': 1,
  'profile.recommendations': 2,
  'task.available': 2,
  'task.changed': 2,
  'bid.received': 2,
  'bid.changed': 2,
  'service_request.changed': 3,
  'feedback.changed': 4,
  'message.status_changed': 5,
  'editorial.invitation': 6,
  'moderation.changed': 7,
  'project_case.changed': 8,
  'staff.changed': 9,
  'human_order.changed': 10,
} as const

export type EventKind = keyof typeof eventKinds

export interface Emission {
  kind: EventKind
  /** Agents who are told; the same payload to each. */
  to: readonly string[]
  /** The resource that the event is about. */
  subject: string
  payload: object
}

/** Writes an event for each recipient; their sockets are woken once the transaction is committed. */
export async function emit(tx: Tx, emission: Emission): Promise<void> {
  if (emission.to.length > 0) await tx`${emitting(tx, emission)}`
}

/** The insert of {@link emit} as a piece of a larger statement, which must be run. */
export function emitting(tx: Tx, { kind, to, subject, payload }: Emission): Part {
  const ids = to.map(() => tx.newId())
  tx.wake(to)
  return part`
    insert into events (recipient_id, min_version, id, kind, subject_id, payload, created_at)
    select recipient, ${eventKinds[kind]}, id, ${kind}, ${subject}::uuid, ${JSON.stringify(payload)}::json, ${tx.now}
    from unnest(${to}::uuid[], ${ids}::uuid[]) as t (recipient, id)`
}

/** Removes what is left undelivered of a kind to a recipient about the given subjects. */
export async function withdraw(
  tx: Query,
  kind: EventKind,
  recipients: readonly string[],
  subjects: Part,
): Promise<void> {
  await tx`
    delete from events
    where recipient_id = any(${recipients}::uuid[]) and min_version = ${eventKinds[kind]} and kind = ${kind}
      and subject_id in (${subjects})`
}
