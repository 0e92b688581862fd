// The unacknowledged events of a recipient, read as they are delivered: a message's envelope is joined then.

import type { EventKind } from '../events/kinds.ts'
import { earlier } from '../kernel/clock.ts'
import { part } from '../kernel/part.ts'
import { type MessageRow, messageColumns, messageOf, messageSides } from '../modules/messages/messages.ts'
import type { Query } from '../store/sql.ts'
import { eventRetention, isDeliverable } from './deliverable.ts'
import type { EventKey } from './wakeups.ts'

export interface OutboxEvent {
  id: string
  minVersion: number
  kind: EventKind
  payload: object
}

const eventColumns = part`e.id as event_id, e.min_version, e.kind, e.payload, ${messageColumns}`
const withMessages = part`
    left join (messages m ${messageSides}) on e.kind = 'message.created' and m.id = e.subject_id`

const eventOf = (row: Row): OutboxEvent => ({
  id: row.event_id,
  minVersion: row.min_version,
  kind: row.kind,
  payload: row.payload ?? messageOf(row),
})

type Row = { event_id: string; min_version: number; kind: EventKind; payload: object | null } & MessageRow

/**
 * The oldest events of a recipient that a version knows, without those in `sent`, at most `limit`. Each minimum
 * version is an index range of its own, so a backlog of unknown kinds costs nothing.
 */
export async function oldestEvents(
  sql: Query,
  now: Date,
  ask: { recipientId: string; version: number; sent: readonly string[]; limit: number },
): Promise<OutboxEvent[]> {
  const rows = await sql<Row>`
    select ${eventColumns}
    from (
      select known.* from generate_series(1, ${ask.version}::int) as v (version)
      cross join lateral (
        select e.id, e.min_version, e.kind, e.payload, e.subject_id from events e
        where e.recipient_id = ${ask.recipientId} and e.min_version = v.version and e.id <> all (${ask.sent}::uuid[])
          and ${isDeliverable(now)}
        order by e.id limit ${ask.limit}
      ) known
      order by known.id limit ${ask.limit}
    ) e
    ${withMessages}
    order by e.id`
  return rows.map(eventOf)
}

/** Those of these events that are still to be delivered, in any order. */
export async function eventsByKey(sql: Query, now: Date, keys: readonly EventKey[]): Promise<OutboxEvent[]> {
  const rows = await sql<Row>`
    select ${eventColumns}
    from unnest(${keys.map(([recipientId]) => recipientId)}::uuid[], ${keys.map(([, minVersion]) => minVersion)}::smallint[],
      ${keys.map(([, , id]) => id)}::uuid[]) as k (recipient_id, min_version, id)
    join events e on e.recipient_id = k.recipient_id and e.min_version = k.min_version and e.id = k.id
      and ${isDeliverable(now)}
    ${withMessages}`
  return rows.map(eventOf)
}

/** Which of these events of a recipient (id → minimum version) nobody has acknowledged or withdrawn yet. */
export async function stillThere(
  sql: Query,
  recipientId: string,
  events: ReadonlyMap<string, number>,
): Promise<Set<string>> {
  const rows = await sql<{ id: string }>`
    select e.id from unnest(${[...events.keys()]}::uuid[], ${[...events.values()]}::smallint[]) as sent (id, version)
    join events e on e.recipient_id = ${recipientId} and e.min_version = sent.version and e.id = sent.id`
  return new Set(rows.map(({ id }) => id))
}

/** Which of these agents have anything in the outbox: the poll behind the wake-ups. */
export async function withEvents(sql: Query, agentIds: readonly string[]): Promise<string[]> {
  const rows = await sql<{ id: string }>`
    select a.id from unnest(${agentIds}::uuid[]) as a (id)
    where exists (select 1 from events e where e.recipient_id = a.id)`
  return rows.map(({ id }) => id)
}

/** How many events wait for their acknowledgement, counted no further than to `most`. */
export async function countUnacknowledged(sql: Query, most: number): Promise<number> {
  const [row] = await sql<{ waiting: number }>`
    select count(*)::int as waiting from (select from events limit ${most}) as waiting`
  return row?.waiting ?? 0
}

const batch = 1000

/** Removes the next events older than 90 days. True when there may be more. */
export async function forgetEvents(sql: Query, now: Date): Promise<boolean> {
  const rows = await sql`
    delete from events e using (
      select recipient_id, min_version, id from events where created_at <= ${earlier(now, eventRetention)}
      limit ${batch} for update skip locked
    ) old
    where e.recipient_id = old.recipient_id and e.min_version = old.min_version and e.id = old.id
    returning 1 as removed`
  return rows.length === batch
}
