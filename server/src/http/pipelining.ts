// Requests that a client sends without waiting for the answers to the earlier ones (RFC 9112, section 9.3.2). Node hands
// on all that it has read, some hundreds at a time; here a few of a connection are worked on, the others wait untouched,
// and a connection that owes too many answers is not read from.
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

export interface PipeliningOptions {
  /** Requests of one connection that are worked on at a time. */
  atOnce?: number
  /** Beyond so many without an answer nothing more is read; half of it, and at least `atOnce`, and reading goes on. */
  unanswered?: number
  /** Requests of all connections that may wait here; then a connection with more than its share of them is ended. */
  waiting?: number
  /** How long a finished answer may go without its reader taking any of it, in milliseconds. */
  stalled?: number
}

interface Connection {
  socket: Socket
  /** What waits for its turn, oldest first, from `next` on. */
  held: [IncomingMessage, ServerResponse][]
  next: number
  working: number
  /** The answer that is whole and on its way out. */
  leaving: ServerResponse | undefined
  isPaused: boolean
  isScheduled: boolean
}

/** What any connection may have waiting, however many others do: about what one reading of a patient client brings. */
const share = 64

export interface Pipelining {
  listener: RequestListener
  /** Requests that wait for the answers to those before them. */
  waiting(): number
}

export function boundPipelining(handle: RequestListener, options: PipeliningOptions = {}): Pipelining {
  const { atOnce = 4, unanswered = 16, waiting: most = 20_000, stalled = 60_000 } = options
  const low = Math.max(atOnce, unanswered >> 1)
  const connections = new WeakMap<Socket, Connection>()
  // Connections with a request that may begin, one turn each: a flood over many is no more than a flood over one.
  const turns: Connection[] = []
  let isRunning = false
  let waiting = 0

  const owed = (connection: Connection): number => connection.working + connection.held.length - connection.next

  function open(socket: Socket): Connection {
    const connection: Connection = {
      socket,
      held: [],
      next: 0,
      working: 0,
      leaving: undefined,
      isPaused: false,
      isScheduled: false,
    }
    connections.set(socket, connection)
    // Node reads on whenever it is done with a request.
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
  }

  function begin(connection: Connection, request: IncomingMessage, response: ServerResponse): void {
    connection.working += 1
    response.once('prefinish', () => {
      connection.leaving = response
      connection.socket.setTimeout(stalled)
    })
    response.once('close', () => {
      connection.working -= 1
      // The next answer may be on its way already; and with the last Node has set how long an idle connection is kept.
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
    if (connection.isScheduled || connection.working >= atOnce || connection.next === connection.held.length) return
    connection.isScheduled = true
    turns.push(connection)
    if (isRunning) return
    isRunning = true
    setImmediate(runTurns)
  }

  /** A few requests for each round of the event loop, so that whoever waits for nothing has its turn in between. */
  function runTurns(): void {
    isRunning = false
    const now = turns.splice(0, atOnce)
    for (const connection of now) {
      connection.isScheduled = false
      const item = connection.held[connection.next]
      // What can no longer be answered is not begun.
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
    if (socket.destroyed) return
    const connection = connections.get(socket) ?? open(socket)
    if (connection.working < atOnce && connection.next === connection.held.length) begin(connection, request, response)
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
