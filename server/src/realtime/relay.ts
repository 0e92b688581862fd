// From the outbox to the sockets of this node: the backlog oldest first, then what is pushed or woken; at most 256 in
// flight a connection; acknowledgements written together. A wake-up is a hint, the poll is the guarantee.

import type { EventListener, PushedEvent } from '../events/hub.ts'
import { sinceOf } from '../events/kinds.ts'
import { seconds } from '../kernel/clock.ts'
import { Refusal } from '../kernel/refuse.ts'
import { safeError } from '../log.ts'
import type { Service } from '../service.ts'
import { coalesce } from '../store/coalesce.ts'
import type { Acknowledge, Acknowledgement } from './acknowledge.ts'
import { eventsByKey, type OutboxEvent, oldestEvents, stillThere, withEvents } from './backlog.ts'
import { type Connection, markAcknowledged, wasSent, window } from './connection.ts'
import type { ToldEvent } from './wakeups.ts'

const pollEvery = seconds(3)
const pollChunk = 1000
/** Events of a read: what a full socket does not take of them is read again, for a block may come in between. */
const readAtOnce = 64
/** Of the first read of a connection: its first event must not wait for a backlog to be read. */
const readFirst = 4
/** Bytes that may wait in a socket before no more events are written to it. */
const maxBuffered = 512 * 1024

export interface Relay extends EventListener {
  add(connection: Connection): void
  remove(connection: Connection): void
  of(agentId: string): readonly Connection[]
  all(): Iterable<Connection>
  readonly size: number
  /** Takes an acknowledgement; answers `acked` once it is durable, `unknown_ack` for what was not sent here. */
  acknowledge(connection: Connection, eventId: string): void
  /** Sends on what a full window or a full socket held back. */
  resume(connection: Connection): void
  /** Sends events that another node wrote: what is due here of them is read by one statement for all that wait. */
  deliver(events: readonly ToldEvent[]): void
  /** Looks at once whether anything was missed. */
  pollNow(): void
  stop(): void
}

export interface RelayOptions {
  service: Service
  acknowledge: Acknowledge
  /** Tells the other nodes of events, where their recipients are. */
  tellOthers: (events: readonly PushedEvent[]) => void
}

export function createRelay({ service, acknowledge, tellOthers }: RelayOptions): Relay {
  const connections = new Map<string, Connection[]>()
  let size = 0
  const none: readonly Connection[] = []
  const of = (agentId: string): readonly Connection[] => connections.get(agentId) ?? none

  const writeAck = coalesce<Acknowledgement, void>({
    write: async (acks) => {
      await acknowledge(acks)
      return []
    },
    maxBatch: 256,
    // An acknowledgement is in nobody's way: a little company spares the database most of its statements.
    lingerMilliseconds: 5,
    concurrency: 1,
    maxWaiting: 100_000,
    onFull: () => new Refusal('service_unavailable'),
  })

  function write(connection: Connection, event: Omit<OutboxEvent, 'payload'>, body: string): void {
    connection.inFlight.set(event.id, event.minVersion)
    service.metrics.eventsSent.inc({ kind: event.kind })
    const frame = `{"type":"event","event_id":"${event.id}","kind":"${event.kind}","payload":${body}}`
    // The frame that fills the socket goes on with the next ones once it is taken. A UTF-16 unit is at most 3 bytes.
    const fills = connection.socket.bufferedAmount + 3 * frame.length >= maxBuffered
    gather(connection, frame, fills ? () => resume(connection) : undefined)
  }

  const hasRoom = (connection: Connection): boolean =>
    connection.socket.readyState === connection.socket.OPEN &&
    connection.inFlight.size < window &&
    connection.socket.bufferedAmount < maxBuffered

  /** Reads the outbox until the connection is up to date or full. One reader a connection. */
  async function pump(connection: Connection): Promise<void> {
    if (connection.pumping) {
      connection.pumpAgain = true
      return
    }
    connection.pumping = true
    connection.behind = true
    let most = connection.acknowledged || connection.inFlight.size > 0 ? readAtOnce : readFirst
    try {
      do {
        connection.pumpAgain = false
        if (!hasRoom(connection)) return
        const limit = Math.min(most, window - connection.inFlight.size)
        const events = await oldestEvents(service.sql, service.clock.now(), {
          recipientId: connection.agent.id,
          version: connection.version,
          sent: [...connection.inFlight.keys()],
          limit,
        })
        most = readAtOnce
        for (const event of events) {
          if (!hasRoom(connection)) return
          // An acknowledgement may have come, and its row gone, since the outbox was read.
          if (!wasSent(connection, event.id)) write(connection, event, JSON.stringify(event.payload))
        }
        if (events.length === limit) connection.pumpAgain = true
        else if (!connection.pumpAgain) connection.behind = false
      } while (connection.pumpAgain)
    } catch (error) {
      // The database is away for a moment: the poll tries again.
      service.log.warn({ error: safeError(error) }, 'events could not be read')
    } finally {
      connection.pumping = false
    }
  }

  /**
   * Whether an event that is not read from the outbox may go straight to the socket. To a connection that is not up to
   * date, or full, it comes from there in its turn.
   */
  function isDue(connection: Connection, minVersion: number, eventId: string): boolean {
    if (connection.version < minVersion) return false
    if (connection.pumping) connection.pumpAgain = true
    else if (connection.behind || !hasRoom(connection)) connection.behind = true
    else return !wasSent(connection, eventId)
    return false
  }

  /** One batch at a time, so that the events of one hint never overtake those of the hint before. */
  const takeEvent = coalesce<ToldEvent, void>({
    write: async (told) => {
      const keys = told.filter((event) => event.length === 3)
      const read = keys.length === 0 ? [] : await eventsByKey(service.hot, service.clock.now(), keys)
      const events = new Map(read.map((event) => [event.id, event]))
      for (const [recipientId, minVersion, id, kind, payload] of told) {
        const event = kind === undefined ? events.get(id) : { id, minVersion, kind, payload }
        if (!event) continue
        for (const connection of of(recipientId)) {
          if (isDue(connection, minVersion, id)) write(connection, event, JSON.stringify(event.payload))
        }
      }
      return []
    },
    maxBatch: 256,
    concurrency: 1,
    maxWaiting: 10_000,
    onFull: () => new Refusal('service_unavailable'),
  })

  function resume(connection: Connection): void {
    if (connection.behind && !connection.pumping && hasRoom(connection)) void pump(connection)
  }

  /** Only one receiver of a passport acknowledges: what it did must not fill the window of the other. */
  function acknowledgedElsewhere(connection: Connection, eventId: string): void {
    for (const other of of(connection.agent.id)) {
      if (other === connection || !other.inFlight.has(eventId)) continue
      markAcknowledged(other, eventId, done)
      resume(other)
    }
  }

  /** The same for what was acknowledged on another node, or is gone by a block or retention. */
  async function forgetGone(connection: Connection): Promise<void> {
    const sent = new Map(connection.inFlight)
    const there = await stillThere(service.sql, connection.agent.id, sent)
    for (const id of sent.keys()) {
      if (!there.has(id) && connection.inFlight.has(id)) markAcknowledged(connection, id, done)
    }
    resume(connection)
  }

  async function poll(): Promise<void> {
    const ids = [...connections.keys()]
    for (let at = 0; at < ids.length; at += pollChunk) {
      for (const id of await withEvents(service.sql, ids.slice(at, at + pollChunk))) {
        for (const connection of of(id)) void pump(connection)
      }
    }
    for (const list of [...connections.values()]) {
      for (const connection of list) if (connection.inFlight.size >= window) await forgetGone(connection)
    }
  }
  let polling = false
  function pollNow(): void {
    if (polling || size === 0) return
    polling = true
    poll()
      .catch((error: unknown) => service.log.warn({ error: safeError(error) }, 'the poll for events failed'))
      .finally(() => {
        polling = false
      })
  }
  const timer = setInterval(pollNow, pollEvery)

  return {
    of,
    all: function* () {
      for (const list of connections.values()) yield* list
    },
    get size() {
      return size
    },
    add(connection) {
      const list = connections.get(connection.agent.id)
      if (list) list.push(connection)
      else connections.set(connection.agent.id, [connection])
      size += 1
      void pump(connection)
    },
    remove(connection) {
      const list = connections.get(connection.agent.id)
      const at = list?.indexOf(connection) ?? -1
      if (!list || at < 0) return
      list.splice(at, 1)
      if (list.length === 0) connections.delete(connection.agent.id)
      size -= 1
    },
    push(events) {
      if (events.length === 0) return
      for (const event of events) {
        let body: string | undefined
        const minVersion = sinceOf(event.kind)
        for (const connection of of(event.recipientId)) {
          if (!isDue(connection, minVersion, event.id)) continue
          body ??= JSON.stringify(event.payload)
          write(connection, { ...event, minVersion }, body)
        }
      }
      tellOthers(events)
    },
    deliver(events) {
      for (const event of events) {
        const [recipientId, minVersion, id] = event
        if (!of(recipientId).some((connection) => isDue(connection, minVersion, id))) continue
        // Where it cannot be read now, the poll finds it.
        takeEvent(event).catch(() => {
          for (const connection of of(recipientId)) connection.behind = true
        })
      }
    },
    pollNow,
    wake(agentIds) {
      for (const id of agentIds) for (const connection of of(id)) void pump(connection)
    },
    acknowledge(connection, eventId) {
      const minVersion = connection.inFlight.get(eventId)
      if (minVersion !== undefined) {
        // Of an event that is gone since, it is acknowledged all the same.
        const durable = writeAck({ recipientId: connection.agent.id, minVersion, eventId })
        markAcknowledged(connection, eventId, durable)
        durable.catch((error: unknown) => {
          service.log.warn({ error: safeError(error) }, 'acknowledgements could not be written')
          connection.socket.close(1013)
        })
      }
      const durable = connection.acknowledged?.get(eventId)
      if (durable === undefined) return gather(connection, unknownAck)
      // Where it fails it stays unanswered, and the event comes again on the next connection.
      durable.then(
        () => {
          gather(connection, acked(eventId))
          acknowledgedElsewhere(connection, eventId)
        },
        () => {},
      )
      resume(connection)
    },
    resume,
    stop: () => clearInterval(timer),
  }
}

const done = Promise.resolve()

const acked = (eventId: string): string => `{"type":"acked","event_id":"${eventId}"}`
const unknownAck = '{"type":"error","error":{"code":"unknown_ack"}}'

const corked = new Set<Connection>()

/** Frames of one turn of the event loop leave in one system call a socket. */
function gather(connection: Connection, frame: string, taken?: () => void): void {
  const { socket } = connection
  if (socket.readyState !== socket.OPEN) return
  const stream = (socket as unknown as { _socket: { cork(): void; uncork(): void } })._socket
  if (!corked.has(connection)) {
    if (corked.size === 0) setImmediate(uncorkAll)
    corked.add(connection)
    stream.cork()
  }
  socket.send(frame, taken)
}

function uncorkAll(): void {
  for (const connection of corked) {
    const stream = (connection.socket as unknown as { _socket: { uncork(): void } | null })._socket
    stream?.uncork()
  }
  corked.clear()
}
