// Acknowledgements: one statement for all that wait deletes the events, writes what the rooms add, and puts the
// resulting events into the outbox. It is the other half of the hot path (docs/decisions/0004-hot-path.md).
import type { Acknowledged } from '../events/acknowledged.ts'
import type { PushedEvent } from '../events/hub.ts'
import { type EventKind, sinceOf } from '../events/kinds.ts'
import { newId } from '../kernel/clock.ts'
import { type Part, part } from '../kernel/part.ts'
import type { Service } from '../service.ts'

export interface Acknowledgement {
  recipientId: string
  minVersion: number
  eventId: string
}

/** Acknowledges events; one that is already gone (a block, retention, another connection) changes nothing. */
export type Acknowledge = (given: readonly Acknowledgement[]) => Promise<void>

/** Folds what the rooms add into the statement. */
export function createAcknowledge(service: Service, rooms: readonly Acknowledged[]): Acknowledge {
  const nothing = part`
    select null::uuid as id, null::uuid as recipient_id, null::text as kind, 0 as min_version, null::uuid as subject_id,
      null::json as payload where false`
  const news = rooms.reduce<Part>(
    (all, room) => part`${all}
      union all
      select id, recipient_id, ${room.tells}, ${sinceOf(room.tells)}::int, subject_id, payload from (${room.news}) t`,
    nothing,
  )
  return async (given) => {
    const [now, begunAt] = [service.clock.now(), performance.now()]
    // Two nodes that remove the same events lock them in the same order.
    const acks = given.toSorted((a, b) => (a.eventId < b.eventId ? -1 : 1))
    const column = (of: (ack: Acknowledgement) => string | number): string => acks.map(of).join(',')
    const writes = rooms.reduce<Part>((all, room) => part`${all}${room.writes(now)},`, part``)
    const told = await service.hot<{ id: string; recipient_id: string; kind: EventKind; payload: object }>`
      with input as materialized (
        select * from unnest(
          string_to_array(${column(({ recipientId }) => recipientId)}, ',')::uuid[],
          string_to_array(${column(({ minVersion }) => minVersion)}, ',')::smallint[],
          string_to_array(${column(({ eventId }) => eventId)}, ',')::uuid[],
          string_to_array(${column(() => newId(now))}, ',')::uuid[]
        ) as t (recipient_id, min_version, event_id, news_id)
      ),
      gone as (
        delete from events e using input i
        where e.recipient_id = i.recipient_id and e.min_version = i.min_version and e.id = i.event_id
        returning e.kind, e.subject_id, i.news_id
      ),
      ${writes}
      news as (${news}),
      emitted as (
        insert into events (recipient_id, min_version, id, kind, subject_id, payload, created_at)
        select recipient_id, min_version, id, kind, subject_id, payload, ${now} from news
      )
      select id, recipient_id, kind, payload from news`
    service.metrics.eventsAcknowledged.inc(acks.length)
    service.hub.push(
      told.map(
        ({ id, recipient_id: recipientId, kind, payload }) =>
          ({ id, recipientId, kind, payload, begunAt }) as PushedEvent,
      ),
    )
  }
}
