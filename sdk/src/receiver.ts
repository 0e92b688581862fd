// The event receiver: store durably, then acknowledge, then hand over; reconnect for as long as that can help. Delivery
// is at least once (docs/contract/events.md#delivery): an event that was handed over and not called done comes again.
import { KithBusyError, KithInputError, KithReceiverError, KithTokenLostError } from './errors.ts'
import { newestSubprotocol } from './generated/events.ts'
import type { Inbox } from './inbox.ts'
import { unreachable } from './reach.ts'
import { backoff, isPassing } from './retry.ts'
import { isUuid, type Runtime } from './runtime.ts'
import type { Tokens } from './tokens.ts'
import type { EventProtocol, KithEvent } from './types.ts'

/** How a connection ended. */
export type End =
  | { kind: 'closed'; code: number; reason: string }
  /** The handshake was answered with an HTTP status instead of the upgrade; `isForeign`: by something in between. */
  | { kind: 'refused'; status: number; isForeign: boolean; retryAfter: number | undefined }
  /** To whoever watches the status the cause is a `KithNetworkError` or `KithError`, whose message says why. */
  | { kind: 'failed'; cause: unknown }

export interface Connection {
  send(frame: string): void
  close(): void
}

/** Opens a WebSocket. `end` is called exactly once, and nothing after it. */
export type Connect = (
  target: { url: string; token: string; protocol: string | undefined; silenceMs: number },
  on: { open(): void; frame(text: string): void; end(end: End): void },
) => Connection

/** What the receiver is doing, for logs and people. */
export type ReceiverStatus =
  | { state: 'connecting' }
  | { state: 'open' }
  | { state: 'waiting'; delayMs: number; end: End }
  | { state: 'ignored_frame'; why: string }

export interface ReceiverOptions {
  /** Version of the channel; the highest unless told. `legacy` asks for the five first kinds. */
  protocol?: EventProtocol
  /** First and highest ceiling of the reconnection back-off, in ms. */
  backoff?: { baseMs: number; capMs: number }
  /** Stored events that are not done, at most; beyond it nothing more is acknowledged until some are. */
  maxPending?: number
  /** False leaves every event with the service, which sends it again to the next receiver; nothing is stored either. */
  acknowledge?: boolean
  onStatus?: (status: ReceiverStatus) => void
}

/**
 * Events in the order of their storing. The loop ends after `close`; it throws `KithTokenLostError`,
 * `KithReceiverError` (4400, 4403 or a final refusal of the handshake), or what the disk said.
 */
export interface Receiver extends AsyncIterable<KithEvent> {
  /**
   * The event needs no more attention. Without this call it is handed over again after the next start. Once the receiver has ended
   * nothing can be stored: it throws what ended it.
   */
  done(event: Pick<KithEvent, 'event_id'>): Promise<void>
  close(): Promise<void>
}

/** The service pings every 30 seconds: two and a half silent rounds mean that nobody is there. */
const silenceMs = 75_000
/** A connection that lasted this long proves that the service is well: the back-off starts over. */
const steadyMs = 30_000
const connectionLimitWaitMs = 30_000
/** A proxy on a bad day may ask for a year, and a timer of Node takes anything beyond 24 days for none at all. */
const longestWaitMs = 3_600_000
/** The service has no more in flight. */
const mostHeld = 256
const tokenCheckMs = 3_600_000
const deepest = 100

export function createReceiver(
  deps: {
    baseUrl: string
    tokens: Pick<Tokens, 'current' | 'reload'>
    inbox: Inbox
    connect: Connect
    runtime: Runtime
    handle?: string
    /** Runs before an event is handed over. */
    prepare?: (event: KithEvent) => Promise<void>
    /** Runs once when everything has ended. */
    release?: () => Promise<void>
  },
  options: ReceiverOptions = {},
): Receiver {
  const { inbox, tokens, runtime } = deps
  const { protocol = newestSubprotocol, maxPending = 1_000, acknowledge = true, onStatus = () => {} } = options
  const pace = options.backoff ?? { baseMs: 500, capMs: 60_000 }
  const url = `${deps.baseUrl.replace(/^http/, 'ws')}/ws/v1/events/`

  /** Stored and waiting for the consumer. */
  const ready: KithEvent[] = inbox.pending()
  /** Everything stored or being stored that is not done. */
  const open = new Set(ready.map((event) => event.event_id))
  /** Came in while too many were open. */
  const held: (() => void)[] = []
  const stop = new AbortController()
  let connection: Connection | undefined
  let failure: { error: unknown } | undefined
  const waiters: (() => void)[] = []
  const wake = () => {
    for (const waiter of waiters.splice(0)) waiter()
  }

  const fail = (error: unknown) => {
    if (stop.signal.aborted) return
    failure = { error }
    stop.abort()
    connection?.close()
    wake()
  }

  /** Store, then acknowledge: the order that makes an acknowledgement mean safe receipt. */
  async function take(event: KithEvent, from: Connection): Promise<void> {
    const known = open.has(event.event_id)
    if (!known && open.size >= maxPending) {
      if (held.length < mostHeld) held.push(() => void take(event, from).catch(fail))
      return
    }
    open.add(event.event_id)
    const fresh = await inbox.add(event)
    if (fresh) ready.push(event)
    else if (!known) open.delete(event.event_id)
    if (acknowledge && from === connection) from.send(JSON.stringify({ type: 'ack', event_id: event.event_id }))
    if (fresh) wake()
  }

  function onFrame(text: string, from: Connection): void {
    const frame = read(text)
    if (frame?.type === 'event') take(frame.event, from).catch(fail)
    else if (frame?.type === 'acked') inbox.acked(frame.event_id)
    else
      onStatus({ state: 'ignored_frame', why: frame?.type === 'error' ? frame.code : 'not a frame of this contract' })
  }

  /** One connection from start to end. */
  function connectOnce(token: string): Promise<End> {
    return new Promise((resolve) => {
      onStatus({ state: 'connecting' })
      const on = {
        open: () => onStatus({ state: 'open' }),
        frame: (text: string) => onFrame(text, mine),
        end: (end: End) => {
          if (connection === mine) connection = undefined
          // What was held was never acknowledged: it comes again.
          held.length = 0
          resolve(end)
        },
      }
      const mine = deps.connect({ url, token, protocol: protocol === 'legacy' ? undefined : protocol, silenceMs }, on)
      connection = mine
      if (stop.signal.aborted) mine.close()
    })
  }

  async function run(): Promise<void> {
    let failures = 0
    while (!stop.signal.aborted) {
      const began = runtime.now()
      let end: End
      try {
        const { token } = await tokens.current()
        end = await connectOnce(token)
        if (stop.signal.aborted) return
        if (end.kind === 'failed') end = { kind: 'failed', cause: unreachable(deps.baseUrl, end.cause) }
        if (saysBadToken(end)) {
          // Rotated, perhaps by another process: the new token opens the channel at once.
          if ((await tokens.reload()).token === token) throw new KithTokenLostError('refused', deps.handle)
          continue
        }
      } catch (cause) {
        // Another process may be rotating for longer than anybody waits for its lock.
        if (!isPassing(cause) && !(cause instanceof KithBusyError)) throw cause
        end = { kind: 'failed', cause }
      }
      if (runtime.now() - began >= steadyMs) failures = 0
      const delayMs = delayAfter(end, backoff(pace, failures++, runtime.random()))
      onStatus({ state: 'waiting', delayMs, end })
      await runtime.sleep(delayMs, stop.signal).catch(() => {})
    }
  }

  // A connection may outlast the token's month: looking at it rotates it in time, and the channel reconnects.
  const tokenCheck = setInterval(() => void tokens.current().catch(() => {}), tokenCheckMs)
  const ended = run()
    .catch(fail)
    .finally(async () => {
      clearInterval(tokenCheck)
      await inbox.close()
      await deps.release?.()
    })

  async function close(): Promise<void> {
    stop.abort()
    connection?.close()
    wake()
    await ended
  }

  async function next(): Promise<IteratorResult<KithEvent, undefined>> {
    for (;;) {
      const event = stop.signal.aborted && !failure ? undefined : ready.shift()
      if (event) {
        try {
          await deps.prepare?.(event)
        } catch (error) {
          ready.unshift(event)
          throw error
        }
        return { done: false, value: event }
      }
      if (failure) {
        await ended
        throw failure.error
      }
      if (stop.signal.aborted) return { done: true, value: undefined }
      await new Promise<void>((resolve) => waiters.push(resolve))
    }
  }

  return {
    async done({ event_id }) {
      if (!isUuid(event_id)) throw new KithInputError('the ID of an event must be a lower-case UUID')
      await inbox.done(event_id).catch((error) => {
        throw failure ? failure.error : error
      })
      open.delete(event_id)
      if (open.size < maxPending) held.shift()?.()
    },
    close,
    [Symbol.asyncIterator]: () => ({
      next,
      // Leaving the loop early means that nobody is listening.
      return: async () => {
        await close()
        return { done: true, value: undefined }
      },
    }),
  }
}

function saysBadToken(end: End): boolean {
  return (
    (end.kind === 'closed' && end.code === 4401) || (end.kind === 'refused' && end.status === 401 && !end.isForeign)
  )
}

/** Ms to wait before the next connection; throws `KithReceiverError` where none can help. */
function delayAfter(end: End, jitter: number): number {
  if (end.kind === 'closed') {
    if (end.code === 4400)
      throw new KithReceiverError(4400, `the service refused a frame: ${end.reason || 'format error'}`)
    if (end.code === 4403)
      throw new KithReceiverError(4403, `the service forbids the channel: ${end.reason || 'forbidden'}`)
    return end.code === 4429 ? connectionLimitWaitMs + jitter : jitter
  }
  if (end.kind === 'refused') {
    // A 403 before the upgrade passes, and what something in between says is no verdict.
    if (!end.isForeign && (end.status === 400 || end.status === 404 || end.status === 426))
      throw new KithReceiverError(
        end.status,
        `the handshake was refused with ${end.status}: this version of the channel is not served`,
      )
    return Math.min((end.retryAfter ?? 0) * 1000, longestWaitMs) + jitter
  }
  return jitter
}

type Frame = { type: 'event'; event: KithEvent } | { type: 'acked'; event_id: string } | { type: 'error'; code: string }

function read(text: string): Frame | undefined {
  let frame: Record<string, unknown>
  try {
    frame = JSON.parse(text)
  } catch {
    return undefined
  }
  if (typeof frame !== 'object' || frame === null || !isShallow(frame)) return undefined
  const { type, event_id, kind, payload, error } = frame
  if (type === 'error') return { type, code: String((error as { code?: unknown } | undefined)?.code) }
  if (typeof event_id !== 'string' || !isUuid(event_id)) return undefined
  if (type === 'acked') return { type, event_id }
  if (type !== 'event' || typeof kind !== 'string' || typeof payload !== 'object' || payload === null) return undefined
  return { type, event: { event_id, kind, payload } as KithEvent }
}

/** Whether every program can write it and read it again: Python gives up at 1,000 levels, and no event has a hundred. */
function isShallow(value: object): boolean {
  let level: unknown[] = [value]
  for (let depth = 0; level.length > 0; depth++) {
    if (depth === deepest) return false
    level = level.flatMap((each) => (typeof each === 'object' && each !== null ? Object.values(each) : []))
  }
  return true
}
