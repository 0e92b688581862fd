// The unacknowledged events of a recipient, read as they are delivered: a message's envelope is joined then.

import type { Logger } from 'pino'
import type { EventKind } from '../events/kinds.ts'
import { type Clock, earlier, minutes } from '../kernel/clock.ts'
import { type Part, part } from '../kernel/part.ts'
import { stretchByStretch } from '../kernel/stretches.ts'
import { safeError } from '../log.ts'
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

/** A connection, as seen by reads of the outbox. */
export interface Receiver {
  recipientId: string
  version: number
  /** What it has in flight. */
  sent: readonly string[]
}

/** Receivers as rows `asked (recipient_id, version, most, at)`; `at` counts from 1. */
function rowsOf(receivers: readonly (Receiver & { most: number })[]): Part {
  const recipients = receivers.map(({ recipientId }) => recipientId)
  const versions = receivers.map(({ version }) => version)
  return part`unnest(${recipients}::uuid[], ${versions}::int[], ${receivers.map(({ most }) => most)}::int[])
    with ordinality as asked (recipient_id, version, most, at)`
}

/**
 * Whether an event `e` may be sent to a receiver `asked`, which does not have it in flight. The list is hashed once.
 */
function isMissing(receivers: readonly Receiver[], now: Date): Part {
  const ats = receivers.flatMap(({ sent }, index) => sent.map(() => index + 1))
  const ids = receivers.flatMap(({ sent }) => sent)
  return part`(asked.at, e.id) not in (select s.at, s.id from unnest(${ats}::bigint[], ${ids}::uuid[]) as s (at, id))
    and ${isDeliverable(now)}`
}

/**
 * For each receiver its oldest events that its version knows and that it does not have in flight, at most `most`. Each
 * minimum version is an index range of its own, so a backlog of unknown kinds costs nothing.
 */
export async function oldestEvents(
  sql: Query,
  now: Date,
  receivers: readonly (Receiver & { most: number })[],
): Promise<OutboxEvent[][]> {
  const rows = await sql<Row & { at: number }>`
    select asked.at, ${eventColumns}
    from ${rowsOf(receivers)} cross join lateral (
      select known.* from generate_series(1, asked.version) as v (version)
      cross join lateral (
        select e.id, e.min_version, e.kind, e.payload, e.subject_id from events e
        where e.recipient_id = asked.recipient_id and e.min_version = v.version and ${isMissing(receivers, now)}
        order by e.id limit asked.most
      ) known
      order by known.id limit asked.most
    ) e
    ${withMessages}
    order by asked.at, e.id`
  const found = receivers.map((): OutboxEvent[] => [])
  for (const row of rows) found[row.at - 1]?.push(eventOf(row))
  return found
}

const byKey = (keys: readonly EventKey[]): Part => part`
  unnest(${keys.map(([recipientId]) => recipientId)}::uuid[], ${keys.map(([, minVersion]) => minVersion)}::smallint[],
    ${keys.map(([, , id]) => id)}::uuid[]) as k (recipient_id, min_version, id)
  join events e on e.recipient_id = k.recipient_id and e.min_version = k.min_version and e.id = k.id`

/** Those of these events that are still to be delivered, in any order. */
export async function eventsByKey(sql: Query, now: Date, keys: readonly EventKey[]): Promise<OutboxEvent[]> {
  const rows = await sql<Row>`
    select ${eventColumns}
    from ${byKey(keys)}
      and ${isDeliverable(now)}
    ${withMessages}`
  return rows.map(eventOf)
}

/** The IDs of those of these events that are neither acknowledged nor withdrawn. */
export async function stillThere(sql: Query, keys: readonly EventKey[]): Promise<Set<string>> {
  const rows = await sql<{ id: string }>`select e.id from ${byKey(keys)}`
  return new Set(rows.map(({ id }) => id))
}

/** Which of these receivers miss an event that they could get: the poll behind the wake-ups. */
export async function missing<R extends Receiver>(sql: Query, now: Date, receivers: readonly R[]): Promise<R[]> {
  const asked = receivers.map(({ recipientId, version, sent }) => ({ recipientId, version, sent, most: 1 }))
  const rows = await sql<{ at: number }>`
    select asked.at from ${rowsOf(asked)} cross join lateral (
      select from events e
      where e.recipient_id = asked.recipient_id and e.min_version <= asked.version and ${isMissing(asked, now)}
      limit 1
    ) missed`
  return rows.map(({ at }) => receivers[at - 1] as R)
}

/** How many events are unacknowledged, counted up to `most`. */
export async function countUnacknowledged(sql: Query, most: number): Promise<number> {
  const [row] = await sql<{ waiting: number }>`
    select count(*)::int as waiting from (select from events limit ${most}) as waiting`
  return row?.waiting ?? 0
}

/** At most so often all events are read to find the oldest one. */
const searchEvery = minutes(10)

/**
 * Returns a function that says how long the oldest event has been unacknowledged, in seconds; 0 if the outbox is empty, undefined
 * if no search has succeeded yet. It reads all events only once the last one that it found is gone, and seldom; until then it goes on
 * from the time of that one. No index says which is the oldest.
 */
export function oldestAgeIn({ sql, log }: OldestParts): (now: Date) => Promise<number | undefined> {
  let oldest: Oldest | 'none' | undefined
  let searchedAt = Number.NEGATIVE_INFINITY
  return async (now) => {
    const at = now.getTime()
    // A clock that was set back must not end the search.
    if (Math.abs(at - searchedAt) >= searchEvery) {
      const isThere = typeof oldest === 'object' && (await stillThere(sql, [oldest.key])).size > 0
      if (!isThere) {
        searchedAt = at
        try {
          oldest = (await findOldest(sql)) ?? 'none'
        } catch (error) {
          log.warn({ error: safeError(error) }, 'the oldest event could not be found')
        }
      }
    }
    if (oldest === 'none') return 0
    return oldest && Math.max(0, (at - oldest.at.getTime()) / 1000)
  }
}

interface OldestParts {
  sql: Query
  log: Pick<Logger, 'warn'>
}

interface Oldest {
  key: EventKey
  at: Date
}

async function findOldest(sql: Query): Promise<Oldest | undefined> {
  const [row] = await sql<{ recipient_id: string; min_version: number; id: string; created_at: Date }>`
    select recipient_id, min_version, id, created_at from events order by created_at limit 1`
  return row && { key: [row.recipient_id, row.min_version, row.id], at: row.created_at }
}

/** Removes events older than 90 days. Begins at the start of the table; each call goes on behind the last. */
export const eventsForgetting = (sql: Query, clock: Clock): (() => Promise<boolean>) => {
  const forgetNext = stretchByStretch('events')
  return () => forgetNext(sql, earlier(clock.now(), eventRetention))
}
