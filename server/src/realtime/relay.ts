// From the outbox to the sockets of this node: the backlog oldest first, then what is pushed or woken; at most 256 in
// flight per connection; acknowledgements written together. A wake-up is a hint, the poll is the guarantee.

import type { EventListener, PushedEvent } from '../events/hub.ts'
import { type EventKind, sinceOf } from '../events/kinds.ts'
import { seconds } from '../kernel/clock.ts'
import { Refusal } from '../kernel/refuse.ts'
import { safeError } from '../log.ts'
import type { Service } from '../service.ts'
import { coalesce } from '../store/coalesce.ts'
import type { Acknowledge, Acknowledgement } from './acknowledge.ts'
import { eventsByKey, type OutboxEvent } from './backlog.ts'
import { createBlocks } from './blocks.ts'
import { bufferedAmong, type Connection, hasRoom, markAcknowledged, type Share, wasSent, window } from './connection.ts'
import { behind, createReader, gone } from './reading.ts'
import { freshFor, readFor, type ToldEvent } from './wakeups.ts'

const pollEvery = seconds(3)

export interface Relay extends Pick<EventListener, 'push' | 'wake'> {
  add(connection: Connection): void
  remove(connection: Connection): void
  of(agentId: string): readonly Connection[]
  all(): Iterable<Connection>
  readonly size: number
  /** Takes an acknowledgement; replies `acked` once it is durable, `unknown_ack` if the event was not sent here. */
  acknowledge(connection: Connection, eventId: string): void
  /** Continues sending what a full window or a full socket held back. */
  resume(connection: Connection): void
  /**
   * Sends events that another node wrote, not before `begunAt` (`performance.now()`): one statement reads the deliverable
   * ones for all that wait.
   */
  deliver(events: readonly ToldEvent[], begunAt: number): void
  /** From now on sends no message between these two, however late it is told or read. */
  block(one: string, other: string): void
  /** Looks at once whether anything was missed. */
  pollNow(): void
  stop(): void
}

export interface RelayOptions {
  service: Service
  acknowledge: Acknowledge
  /** Announces events to the other nodes where their recipients are. */
  tellOthers: (events: readonly PushedEvent[]) => void
  /** No other node can exist. */
  alone: boolean
  /** After how long a message that was read is read again before it is sent; 5 s by default. */
  readMilliseconds?: number
}

export function createRelay(options: RelayOptions): Relay {
  const { service, acknowledge, tellOthers, alone, readMilliseconds = readFor } = options
  const connections = new Map<string, Connection[]>()
  let size = 0
  const share: Share = { maxBuffered: bufferedAmong(1) }
  function resize(by: 1 | -1): void {
    size += by
    share.maxBuffered = bufferedAmong(Math.max(size, 1))
  }
  const none: readonly Connection[] = []
  function* all(): Iterable<Connection> {
    for (const list of connections.values()) yield* list
  }
  const of = (agentId: string): readonly Connection[] => connections.get(agentId) ?? none

  const writeAck = coalesce<Acknowledgement, void>({
    write: async (acks) => {
      await acknowledge(acks)
      return []
    },
    // As many as can come while the batch before waits and is written, or a load of several thousand a second never ends.
    maxBatch: 1024,
    // Nobody waits for an acknowledgement: batching them spares the database most of its statements. Of several nodes each
    // has its share of them, and waits longer for as many.
    lingerMilliseconds: alone ? 20 : 40,
    concurrency: 1,
    maxWaiting: 100_000,
    waitAtMost: Number.POSITIVE_INFINITY,
    onFull: () => new Refusal('service_unavailable'),
  })

  /** By kind: to find a counter by its label takes longer than to count. */
  const sent = new Map<string, { inc(): void }>()
  function countSent(kind: string): void {
    const counter = sent.get(kind) ?? service.metrics.eventsSent.labels({ kind })
    sent.set(kind, counter)
    counter.inc()
  }

  const blocks = createBlocks()

  function write(connection: Connection, event: OutboxEvent, body: string): void {
    if (blocks.end(event)) return
    connection.inFlight.set(event.id, event.minVersion)
    countSent(event.kind)
    const frame = `{"type":"event","event_id":"${event.id}","kind":"${event.kind}","payload":${body}}`
    // The frame that fills the socket continues with the next ones once it is taken. A UTF-16 unit is at most 3 bytes.
    const fills = connection.socket.bufferedAmount + 3 * frame.length >= connection.share.maxBuffered
    gather(connection, frame, fills ? () => resume(connection) : undefined)
  }

  const read = createReader(service)

  /**
   * Whether a message that was to be delivered at a moment must be read again before it is sent: if this process stood still
   * since, a block on another node may have been answered that this one was not told of.
   */
  const isOld = (kind: EventKind | undefined, at: number, after: number): boolean =>
    !alone && kind === 'message.created' && performance.now() - at > after

  /** Reads the outbox until the connection is up to date or full. One reader per connection. */
  async function pump(connection: Connection): Promise<void> {
    if (connection.pumping) {
      connection.pumpAgain = true
      return
    }
    connection.pumping = true
    connection.behind = true
    let wasLate = false
    try {
      while (hasRoom(connection)) {
        const found = await read(connection)
        // The database is unavailable, or the queue was full: the poll tries again.
        if (!found) return
        let isLate = false
        for (const event of found.events) {
          if (!hasRoom(connection)) return
          if (isOld(event.kind, found.readAt, readMilliseconds)) isLate = true
          // Since the outbox was read, an acknowledgement may have deleted the row.
          else if (!wasSent(connection, event.id)) write(connection, event, JSON.stringify(event.payload))
        }
        // At once only once: reads without a pause would keep a slow database slow. The poll tries again.
        if (isLate && wasLate) return
        wasLate = isLate
        if (isLate || !found.isAll || connection.pumpAgain) continue
        connection.behind = false
        return
      }
    } catch (error) {
      service.log.warn({ error: safeError(error) }, 'events could not be sent')
    } finally {
      connection.pumping = false
    }
  }

  /**
   * Whether an event that is not read from the outbox may go straight to the socket. If the connection is behind, or
   * full, it comes from the outbox in order.
   */
  function isDue(
    connection: Connection,
    { id, minVersion, kind }: Told,
    begunAt: number,
    oldAfter: number = freshFor,
  ): boolean {
    if (connection.version < minVersion) return false
    if (connection.pumping) connection.pumpAgain = true
    else if (connection.behind || !hasRoom(connection)) connection.behind = true
    // Told late, as when the answer to its write came late: an earlier connection may have acknowledged it meanwhile. IDs
    // alone do not tell: clocks jump, and differ between nodes.
    else if (begunAt < connection.openedAt || id < connection.id || isOld(kind, begunAt, oldAfter))
      void pump(connection)
    else return !wasSent(connection, id)
    return false
  }

  /** One batch at a time, so that the events of one hint never overtake those of the hint before. */
  const takeEvent = coalesce<{ event: ToldEvent; begunAt: number }, void>({
    write: async (all) => {
      const readAt = performance.now()
      const keys = all.flatMap(({ event }) => (event.length === 3 ? [event] : []))
      const read = keys.length === 0 ? [] : await eventsByKey(service.hot, service.clock.now(), keys)
      const events = new Map(read.map((event) => [event.id, event]))
      for (const { event: one, begunAt } of all) {
        const [recipientId, minVersion, id, kind, payload] = one
        const event = kind === undefined ? events.get(id) : { id, minVersion, kind, payload: payload as object }
        if (!event) continue
        const [since, oldAfter] = kind === undefined ? [readAt, readMilliseconds] : [begunAt, freshFor]
        for (const connection of of(recipientId)) {
          if (isDue(connection, event, since, oldAfter)) write(connection, event, JSON.stringify(event.payload))
        }
      }
      return []
    },
    maxBatch: 256,
    concurrency: 1,
    maxWaiting: 10_000,
    waitAtMost: Number.POSITIVE_INFINITY,
    onFull: () => new Refusal('service_unavailable'),
  })

  function resume(connection: Connection): void {
    if (connection.behind && !connection.pumping && hasRoom(connection)) void pump(connection)
  }

  /** Only one receiver of a passport acknowledges: that must also empty the other's window. */
  function acknowledgedElsewhere(connection: Connection, eventId: string): void {
    for (const other of of(connection.agent.id)) {
      if (other === connection || !other.inFlight.has(eventId)) continue
      markAcknowledged(other, eventId, done)
      resume(other)
    }
  }

  let polls = 0
  async function poll(): Promise<void> {
    for (const connection of await behind(service, [...all()])) void pump(connection)
    const full = [...all()].filter(({ inFlight }) => inFlight.size >= window)
    polls += 1
    for (const { connection, ids } of await gone(service.sql, full, polls)) {
      for (const id of ids) if (connection.inFlight.has(id)) markAcknowledged(connection, id, done)
      resume(connection)
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
    all,
    get size() {
      return size
    },
    add(connection) {
      const list = connections.get(connection.agent.id)
      if (list) list.push(connection)
      else connections.set(connection.agent.id, [connection])
      connection.share = share
      resize(1)
      void pump(connection)
    },
    remove(connection) {
      const list = connections.get(connection.agent.id)
      const at = list?.indexOf(connection) ?? -1
      if (!list || at < 0) return
      list.splice(at, 1)
      if (list.length === 0) connections.delete(connection.agent.id)
      resize(-1)
    },
    push(events) {
      if (events.length === 0) return
      for (const event of events) {
        let body: string | undefined
        const { id, kind, payload } = event
        const due = { id, kind, minVersion: sinceOf(kind), payload }
        for (const connection of of(event.recipientId)) {
          if (!isDue(connection, due, event.begunAt)) continue
          body ??= event.json ?? JSON.stringify(payload)
          write(connection, due, body)
        }
      }
      tellOthers(events)
    },
    deliver(events, begunAt) {
      const now = performance.now()
      for (const event of events) {
        const [recipientId, minVersion, id, kind] = event
        const since = kind === undefined ? now : begunAt
        if (!of(recipientId).some((connection) => isDue(connection, { id, minVersion, kind }, since))) continue
        // If it cannot be read now, the poll finds it.
        takeEvent({ event, begunAt }).catch(() => {
          for (const connection of of(recipientId)) connection.behind = true
        })
      }
    },
    block: blocks.add,
    pollNow,
    wake(agentIds) {
      for (const id of agentIds) for (const connection of of(id)) void pump(connection)
    },
    acknowledge(connection, eventId) {
      const minVersion = connection.inFlight.get(eventId)
      if (minVersion !== undefined) {
        // Even if the event has gone since, it counts as acknowledged.
        const durable = writeAck({ recipientId: connection.agent.id, minVersion, eventId })
        markAcknowledged(connection, eventId, durable)
        durable.catch((error: unknown) => {
          service.log.warn({ error: safeError(error) }, 'acknowledgements could not be written')
          connection.socket.close(1013)
        })
      }
      const durable = connection.acknowledged?.get(eventId)
      if (durable === undefined) return gather(connection, unknownAck)
      // On failure it stays unanswered, and the event comes again on the next connection.
      durable.then(
        () => {
          owe(connection, acked(eventId))
          acknowledgedElsewhere(connection, eventId)
        },
        () => {},
      )
      resume(connection)
    },
    resume,
    stop() {
      clearInterval(timer)
      payAll()
    },
  }
}

/** An event that is not read yet has no kind. */
type Told = Pick<OutboxEvent, 'id' | 'minVersion'> & { kind: EventKind | undefined }

const done = Promise.resolve()

const acked = (eventId: string): string => `{"type":"acked","event_id":"${eventId}"}`
const unknownAck = '{"type":"error","error":{"code":"unknown_ack"}}'

/** How long a frame waits for another one to go with. */
const holdMilliseconds = 50
const owing = new Set<Connection>()
let holding: NodeJS.Timeout | undefined

/**
 * Sends a frame that its receiver does not wait for: with the next event, because a system call costs as much as all else
 * of a frame.
 */
function owe(connection: Connection, frame: string): void {
  holding ??= setTimeout(payAll, holdMilliseconds)
  owing.add(connection)
  connection.owed.push(frame)
}

function payAll(): void {
  clearTimeout(holding)
  holding = undefined
  for (const connection of owing) pay(connection)
}

function pay(connection: Connection): void {
  owing.delete(connection)
  for (const frame of connection.owed.splice(0)) gather(connection, frame)
}

const corked = new Set<Connection>()

/** Frames that are written one after the other leave in one system call per socket, before the responses that follow them. */
function gather(connection: Connection, frame: string, taken?: () => void): void {
  const { socket } = connection
  if (socket.readyState !== socket.OPEN) return
  if (connection.owed.length > 0) pay(connection)
  const stream = (socket as unknown as { _socket: { cork(): void; uncork(): void } })._socket
  if (!corked.has(connection)) {
    if (corked.size === 0) queueMicrotask(uncorkAll)
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
