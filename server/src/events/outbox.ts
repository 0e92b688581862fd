// The outbox: events are rows written in the transaction of what they tell (docs/contract/events.md).
import { listed, type Part, part } from '../kernel/part.ts'
import type { Query, Tx } from '../store/sql.ts'
import { type EventKind, type PayloadOf, sinceOf } from './kinds.ts'

export type Emission = { [K in EventKind]: EmissionOf<K> }[EventKind]

/** The same to one agent. */
export type LoneEmission = { [K in EventKind]: Omit<EmissionOf<K>, 'to'> & { to: string } }[EventKind]

interface EmissionOf<K extends EventKind> {
  kind: K
  /** Agents who are told; the same payload to each. */
  to: readonly string[]
  /** The resource that the event is about. */
  subject: string
  payload: PayloadOf<K>
}

/** Writes an event for each recipient; their sockets are woken once the transaction is committed. */
export async function emit(tx: Tx, emission: Emission): Promise<void> {
  if (emission.to.length > 0) await tx`${emitting(tx, emission)}`
}

/** Up to so many rows travel as a list of values: it starts faster than arrays, and is a text of its own for each number. */
const mostListed = 2

/** The insert of {@link emit} as a piece of a larger statement, which must be run. */
export function emitting(tx: Tx, { kind, to, subject, payload }: Emission): Part {
  tx.wake(to)
  const ids = to.map(() => tx.newId())
  const rows =
    to.length > 0 && to.length <= mostListed
      ? part`(values ${listed(to.map((recipient, at) => part`(${recipient}::uuid, ${ids[at]}::uuid)`))})`
      : part`unnest(${to}::uuid[], ${ids}::uuid[])`
  return part`
    insert into events (recipient_id, min_version, id, kind, subject_id, payload, created_at)
    select recipient, ${sinceOf(kind)}, id, ${kind}, ${subject}::uuid, ${JSON.stringify(payload)}::json, ${tx.now}
    from ${rows} as t (recipient, id)`
}

/** Writes events that each have a subject, or a payload, of their own, in one statement. */
export async function emitEach(tx: Tx, emissions: readonly LoneEmission[]): Promise<void> {
  if (emissions.length > 0) await tx`${emittingEach(tx, emissions)}`
}

/** The insert of {@link emitEach} as a piece of a larger statement, which must be run; there is one event at least. */
export function emittingEach(tx: Tx, emissions: readonly LoneEmission[]): Part {
  const of = <T>(value: (emission: LoneEmission) => T): T[] => emissions.map(value)
  const recipients = of(({ to }) => to)
  tx.wake(recipients)
  const rows =
    emissions.length <= mostListed
      ? part`(values ${listed(
          of(
            ({ to, kind, subject, payload }) =>
              part`(${to}::uuid, ${sinceOf(kind)}::smallint, ${tx.newId()}::uuid, ${kind}, ${subject}::uuid,
                ${JSON.stringify(payload)}::json)`,
          ),
        )})`
      : part`unnest(${recipients}::uuid[], ${of(({ kind }) => sinceOf(kind))}::smallint[], ${of(() => tx.newId())}::uuid[],
          ${of(({ kind }) => kind)}::text[], ${of(({ subject }) => subject)}::uuid[],
          ${of(({ payload }) => JSON.stringify(payload))}::json[])`
  return part`
    insert into events (recipient_id, min_version, id, kind, subject_id, payload, created_at)
    select recipient, t.min_version, t.id, t.kind, t.subject, t.payload, ${tx.now}
    from ${rows} as t (recipient, min_version, id, kind, subject, payload)`
}

/** The same to those of the parties that are agents; to be run as a write of its own. */
export function emitToAgents(tx: Tx, emissions: readonly LoneEmission[]): void {
  if (emissions.length > 0) tx.write`${emittingEach(tx, emissions)} join agents a on a.id = t.recipient`
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
    where recipient_id = any(${recipients}::uuid[]) and min_version = ${sinceOf(kind)} and kind = ${kind}
      and subject_id in (${subjects})`
}
