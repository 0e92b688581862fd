// A receiver's acknowledgement: the event goes, a message becomes delivered, its sender is told, in one statement.
// It writes the rows of the outbox too, for this is the other half of the hot path (docs/decisions/0004-hot-path.md).

import { eventKinds } from '../../events/outbox.ts'
import { newId } from '../../kernel/clock.ts'
import type { Service } from '../../service.ts'

export interface Acknowledgement {
  recipientId: string
  minVersion: number
  eventId: string
}

/** Acknowledges events; one that is gone already (a block, retention, another connection) changes nothing. */
export async function acknowledge(service: Service, given: readonly Acknowledgement[]): Promise<void> {
  const now = service.clock.now()
  // Two nodes that remove the same events lock them in the same order.
  const acks = given.toSorted((a, b) => (a.eventId < b.eventId ? -1 : 1))
  const column = (of: (ack: Acknowledgement) => string | number): string => acks.map(of).join(',')
  const told = await service.hot<{ id: string; recipient_id: string; message_id: string; version: number }>`
    with input as materialized (
      select * from unnest(
        string_to_array(${column(({ recipientId }) => recipientId)}, ',')::uuid[],
        string_to_array(${column(({ minVersion }) => minVersion)}, ',')::smallint[],
        string_to_array(${column(({ eventId }) => eventId)}, ',')::uuid[],
        string_to_array(${column(() => newId(now))}, ',')::uuid[]
      ) as t (recipient_id, min_version, event_id, status_event_id)
    ),
    gone as (
      delete from events e using input i
      where e.recipient_id = i.recipient_id and e.min_version = i.min_version and e.id = i.event_id
      returning e.kind, e.subject_id, i.status_event_id
    ),
    delivered as (
      insert into message_receipts as t (message_id, delivered_at, version)
      select subject_id, ${now}, 2 from gone where kind = 'message.created' order by subject_id
      on conflict (message_id) do update set delivered_at = excluded.delivered_at, version = t.version + 1
      where t.delivered_at is null
      returning message_id, version
    ),
    told as (
      select g.status_event_id as id, m.sender_id as recipient_id, d.message_id, d.version
      from delivered d join gone g on g.subject_id = d.message_id and g.kind = 'message.created'
        join messages m on m.id = d.message_id
    ),
    emitted as (
      insert into events (recipient_id, min_version, id, kind, subject_id, payload, created_at)
      select recipient_id, ${eventKinds['message.status_changed']}, id, 'message.status_changed', message_id,
        json_build_object('message_id', message_id, 'version', version), ${now}
      from told
    )
    select id, recipient_id, message_id, version::int from told`
  service.metrics.eventsAcknowledged.inc(acks.length)
  service.hub.push(
    told.map((row) => ({
      id: row.id,
      recipientId: row.recipient_id,
      minVersion: eventKinds['message.status_changed'],
      kind: 'message.status_changed' as const,
      payload: { message_id: row.message_id, version: row.version },
    })),
  )
}
