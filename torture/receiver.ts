// An agent's receiver of events: notes each event before it acknowledges it, and is not spared when connections are cut.
import { setTimeout as sleep } from 'node:timers/promises'
import { WebSocket } from 'ws'
import type { Agent } from './ledger.ts'
import type { Random } from './random.ts'
import { ensure } from './violation.ts'

export interface Event {
  id: string
  kind: string
  // biome-ignore lint/suspicious/noExplicitAny: the checker says what it expects of a payload by reading it
  payload: any
  /** When the service said that it had heard the acknowledgement. */
  ackedAt: number | undefined
}

export interface Receiver {
  /** All that was ever received, by event id. */
  readonly events: ReadonlyMap<string, Event>
  /** How it stands with its connection, for a report. */
  describe(): object
  /** Acknowledges everything from now on and stays connected, or goes back to being careless. */
  careful(on: boolean): void
  close(): Promise<void>
}

interface Frame {
  type: string
  event_id?: string
  kind?: string
  payload?: unknown
  error?: { code: string }
}

/** Once in how many events one is left unacknowledged, or the receiver hangs up. */
const forgetful = 1 / 20
const hangUp = 1 / 200
/** After this many events without an acknowledgement it starts over on another connection. */
const mostForgotten = 40

/** Close codes that say come again; any other is a fault. */
const mayReturn = new Set([1000, 1001, 1005, 1006, 1013, 4429])

/** Receives at one of `urls` after the other until it is closed; what must not be is given to `fail`. */
export function openReceiver(
  agent: Agent,
  random: Random,
  urls: readonly string[],
  fail: (error: unknown) => void,
): Receiver {
  const events = new Map<string, Event>()
  let careful = false
  let closing = false
  let current: WebSocket | undefined
  let lastClosed: object | undefined
  /** Of the current connection. */
  let unacknowledged = new Set<string>()

  function take(socket: WebSocket, openedAt: number, forgotten: Set<string>, frame: Frame): void {
    const id = frame.event_id as string
    const known = events.get(id)
    if (frame.type === 'acked') {
      if (known) known.ackedAt ??= performance.now()
      return
    }
    ensure(frame.type === 'event', 'the channel answered an error', agent.handle, frame)
    const event: Event = known ?? { id, kind: frame.kind as string, payload: frame.payload, ackedAt: undefined }
    const isSame = event.kind === frame.kind && JSON.stringify(event.payload) === JSON.stringify(frame.payload)
    ensure(isSame, 'an event came again as another one', agent.handle, event, frame)
    const isOver = event.ackedAt !== undefined && event.ackedAt < openedAt
    ensure(!isOver, 'an event came again after its acknowledgement was confirmed', agent.handle, event)
    events.set(id, event)
    if (!careful && random.chance(hangUp)) socket.terminate()
    else if (careful || !random.chance(forgetful)) socket.send(acknowledgement(id))
    else if (forgotten.add(id).size > mostForgotten) socket.close()
  }

  async function connect(): Promise<void> {
    const socket = new WebSocket(`${random.pick(urls).replace('http', 'ws')}/ws/v1/events/`, ['platform.events.v10'], {
      headers: agent.credentials,
      perMessageDeflate: false,
      handshakeTimeout: 5_000,
    })
    current = socket
    const forgotten = new Set<string>()
    unacknowledged = forgotten
    const openedAt = performance.now()
    socket.on('error', () => {})
    socket.on('message', (data) => {
      try {
        take(socket, openedAt, forgotten, JSON.parse(String(data)) as Frame)
      } catch (error) {
        fail(error)
      }
    })
    const code = await new Promise<number>((resolve) => socket.once('close', resolve))
    lastClosed = { code, after: Math.round(performance.now() - openedAt) }
    ensure(mayReturn.has(code), `the channel closed with ${code}`, agent.handle)
  }

  const life = (async () => {
    while (!closing) {
      await connect()
      if (!closing) await sleep(20)
    }
  })().catch(fail)

  return {
    events,
    describe: () => ({
      agent: agent.handle,
      connection: current?.readyState,
      lastClosed,
      unacknowledged: unacknowledged.size,
      taken: events.size,
    }),
    careful(on) {
      careful = on
      if (!on || current?.readyState !== WebSocket.OPEN) return
      for (const id of unacknowledged) current.send(acknowledgement(id))
      unacknowledged.clear()
    },
    async close() {
      closing = true
      current?.terminate()
      await life
    },
  }
}

const acknowledgement = (id: string): string => JSON.stringify({ type: 'ack', event_id: id })
