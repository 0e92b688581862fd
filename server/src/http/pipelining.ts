// Requests that a client sends without waiting for earlier responses (RFC 9112, section 9.3.2). Node passes on
// everything it has read, some hundreds at a time; here a few per connection are processed, the others wait untouched,
// and a connection that is owed too many responses is not read from.
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { stalledReader } from './stalled.ts'

export interface PipeliningOptions {
  /** Requests of one connection that are processed at a time. */
  atOnce?: number
  /** With this many unanswered nothing more is read; at half of it, and at least `atOnce`, reading continues. */
  unanswered?: number
  /** Requests of all connections that may wait here; beyond it a connection with more than its share is closed. */
  waiting?: number
  /** How long a finished response may wait without its reader taking any of it, in milliseconds. */
  stalled?: number
}

interface Connection {
  socket: Socket
  /** Waiting requests, oldest first, from `next` on. */
  held: [IncomingMessage, ServerResponse][]
  next: number
  working: Set<ServerResponse>
  /** The response that is complete and being sent. */
  leaving: ServerResponse | undefined
  isPaused: boolean
  isScheduled: boolean
}

/** What any connection may have waiting, however many others do: about as much as one read of a patient client. */
const share = 64

export interface Pipelining {
  listener: RequestListener
  /** Requests waiting for the responses before them. */
  waiting(): number
}

export function boundPipelining(handle: RequestListener, options: PipeliningOptions = {}): Pipelining {
  const { atOnce = 4, unanswered = 16, waiting: most = 20_000, stalled = stalledReader } = options
  const low = Math.max(atOnce, unanswered >> 1)
  const connections = new WeakMap<Socket, Connection>()
  // Connections with a request that may start, one turn each: a flood over many is no more than a flood over one.
  const turns: Connection[] = []
  let isRunning = false
  let waiting = 0

  const owed = (connection: Connection): number => connection.working.size + connection.held.length - connection.next

  function open(socket: Socket): Connection {
    const connection: Connection = {
      socket,
      held: [],
      next: 0,
      working: new Set(),
      leaving: undefined,
      isPaused: false,
      isScheduled: false,
    }
    connections.set(socket, connection)
    // Node resumes reading whenever it is done with a request.
    socket.on('resume', () => {
      if (connection.isPaused) socket.pause()
    })
    socket.once('close', () => drop(connection))
    return connection
  }

  function drop(connection: Connection): void {
    waiting -= connection.held.length - connection.next
    connection.held = []
    connection.next = 0
    // Node closes only the response whose turn it is. Those behind it would never end, nor would what they read from.
    for (const response of connection.working) {
      if (response.socket) continue
      response.destroyed = true
      response.emit('close')
    }
  }

  function begin(connection: Connection, request: IncomingMessage, response: ServerResponse): void {
    connection.working.add(response)
    response.once('prefinish', () => {
      // The kernel has taken all of it, as it does with nearly every response.
      if (connection.socket.writableLength === 0) return
      connection.leaving = response
      connection.socket.setTimeout(stalled)
    })
    response.once('close', () => {
      connection.working.delete(response)
      // The next response may already be on its way; and with the last one Node has set how long an idle connection is
      // kept.
      if (connection.leaving === response) {
        connection.leaving = undefined
        if (owed(connection) > 0) connection.socket.setTimeout(0)
      }
      if (connection.isPaused && owed(connection) <= low) {
        connection.isPaused = false
        connection.socket.resume()
      }
      schedule(connection)
    })
    handle(request, response)
  }

  function schedule(connection: Connection): void {
    if (connection.isScheduled || connection.working.size >= atOnce || connection.next === connection.held.length)
      return
    connection.isScheduled = true
    turns.push(connection)
    if (isRunning) return
    isRunning = true
    setImmediate(runTurns)
  }

  /** A few requests for each round of the event loop, so that others get their turn in between. */
  function runTurns(): void {
    isRunning = false
    const now = turns.splice(0, atOnce)
    for (const connection of now) {
      connection.isScheduled = false
      const item = connection.held[connection.next]
      // A request that can no longer be answered is not started.
      if (item && connection.socket.writable) {
        connection.next += 1
        waiting -= 1
        if (connection.next === connection.held.length) {
          connection.held = []
          connection.next = 0
        }
        begin(connection, ...item)
      }
      if (connection.socket.writable) schedule(connection)
    }
    if (turns.length > 0 && !isRunning) {
      isRunning = true
      setImmediate(runTurns)
    }
  }

  const listener: RequestListener = (request, response) => {
    const { socket } = request
    // Behind the last response of its connection, it could not be answered.
    if (!socket.writable) return
    const connection = connections.get(socket) ?? open(socket)
    if (connection.working.size < atOnce && connection.next === connection.held.length)
      begin(connection, request, response)
    else {
      connection.held.push([request, response])
      waiting += 1
      schedule(connection)
    }
    if (!connection.isPaused && owed(connection) > unanswered) {
      connection.isPaused = true
      socket.pause()
    }
    if (waiting > most && connection.held.length - connection.next > share) socket.destroy()
  }
  return { listener, waiting: () => waiting }
}
