// One event connection: what was sent and not yet acknowledged, and whether the socket is up to date with the outbox.
import type { WebSocket } from 'ws'
import type { Admitted, Agent, Session } from '../kernel/callers.ts'

/** Events in flight, unacknowledged, on one connection (docs/contract/events.md#delivery). */
export const window = 256
/** Bytes that may wait in a socket before no more events are written to it, if there are few sockets. */
const mostBuffered = 512 * 1024
/** However many sockets there are: less would make a system call of each event. */
const leastBuffered = 32 * 1024
/** What may wait in all sockets of a node together, as long as each has its least. */
const bufferedInAll = 128 * 1024 * 1024

/** Bytes that may wait in each of so many sockets. */
export const bufferedAmong = (sockets: number): number =>
  Math.min(mostBuffered, Math.max(leastBuffered, Math.floor(bufferedInAll / sockets)))

/** What the sockets of a node share. */
export interface Share {
  /** Bytes that may wait in a socket before no more events are written to it. */
  maxBuffered: number
}
/** Acknowledged ids that a connection remembers, to answer a repeated acknowledgement. */
const remembered = 1024

export interface Connection {
  readonly socket: WebSocket
  share: Share
  /** The lease in PostgreSQL. IDs sort by time: a smaller one is of an event from before the connection. */
  readonly id: string
  /** When it got its place, by `performance.now()`. */
  openedAt: number
  readonly agent: Agent
  readonly session: Session
  readonly version: number
  /** Event id → its minimum version. */
  readonly inFlight: Map<string, number>
  /** The last acknowledged ids, oldest first, and when each is durable; made at the first. */
  acknowledged: Map<string, Promise<void>> | undefined
  /** The outbox holds, or may hold, unsent events: none may be pushed past them. */
  behind: boolean
  pumping: boolean
  /** Something new came after the outbox was read, or while it was. */
  pumpAgain: boolean
  pingAt: number
  awaitingPong: boolean
  pongAt: number
  /** Since when the socket has taken nothing of what waits; 0 if nothing waits. */
  stalledSince: number
  progress: number
  /** Frames that go with the next one, or a moment later. */
  readonly owed: string[]
  /** Counted frames of the window that began at `framesSince`. */
  frames: number
  framesSince: number
  /** Of the message that is arriving, or arrived last. */
  fragments: number
  /** Of the messages that arrived and were not handled yet. */
  readonly pieces: number[]
}

export function createConnection(
  socket: WebSocket,
  id: string,
  { caller: agent, session }: Admitted<Agent>,
  version: number,
  now: number,
): Connection {
  return {
    socket,
    share: { maxBuffered: bufferedAmong(1) },
    id,
    openedAt: now,
    agent,
    session,
    version,
    inFlight: new Map(),
    acknowledged: undefined,
    behind: true,
    pumping: false,
    pumpAgain: false,
    pingAt: now,
    awaitingPong: false,
    pongAt: now,
    stalledSince: 0,
    progress: 0,
    owed: [],
    frames: 0,
    framesSince: Number.NEGATIVE_INFINITY,
    fragments: 0,
    pieces: [],
  }
}

export function markAcknowledged(connection: Connection, eventId: string, durable: Promise<void>): void {
  connection.inFlight.delete(eventId)
  connection.acknowledged ??= new Map()
  connection.acknowledged.set(eventId, durable)
  if (connection.acknowledged.size > remembered) {
    connection.acknowledged.delete(connection.acknowledged.keys().next().value as string)
  }
}

/** Whether an event may be written to it now. */
export const hasRoom = ({ socket, inFlight, share }: Connection): boolean =>
  socket.readyState === socket.OPEN && inFlight.size < window && socket.bufferedAmount < share.maxBuffered

export const wasSent = (connection: Connection, eventId: string): boolean =>
  connection.inFlight.has(eventId) || (connection.acknowledged?.has(eventId) ?? false)

/** The part of a socket that shows how much of it was taken. */
interface Stream {
  bytesWritten: number
  _handle: { writeQueueSize: number } | null
}

/** For how many milliseconds a receiver has taken nothing of what waits for it; notes what it took. */
export function stalledFor(connection: Connection, now: number): number {
  const { socket } = connection
  const stream = (socket as unknown as { _socket: Stream | null })._socket
  // Whole writes, and what the kernel took of the one under way.
  const progress = (stream?.bytesWritten ?? 0) - socket.bufferedAmount - (stream?._handle?.writeQueueSize ?? 0)
  if (socket.bufferedAmount === 0) connection.stalledSince = 0
  else if (connection.stalledSince === 0 || progress !== connection.progress) connection.stalledSince = now
  connection.progress = progress
  return connection.stalledSince === 0 ? 0 : now - connection.stalledSince
}
