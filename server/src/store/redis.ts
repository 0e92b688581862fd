// What holds for every Redis client, whatever it is used for: how it appears in the log and the metrics, and that nobody
// waits for a silent Redis twice.
import type { Logger } from 'pino'
import { minutes, seconds } from '../kernel/clock.ts'
import { safeError } from '../log.ts'
import type { Metrics } from '../metrics.ts'
import { Late, within } from './within.ts'

interface Client {
  readonly isReady: boolean
  on(event: 'ready' | 'error' | 'end' | 'reconnecting' | 'ping-interval', listener: (error?: unknown) => void): unknown
  sendCommand(command: string[]): Promise<unknown>
}

interface WatchOptions {
  log: Logger
  metrics: Metrics
  /** How many milliseconds an answer may take. */
  patience: number
  /** How many milliseconds a refusal counts that is not repeated; only tests have a reason to change it. */
  refusalLasts?: number
}

interface WatchedRedis {
  /** Whether it is connected, and did the last thing it was asked for. */
  isUsable(): boolean
  /** Asks it; rejects if it refuses, or does not answer in time ({@link answeredWithin}). */
  ask<T>(work: () => Promise<T>): Promise<T>
}

/** How often a connection to a replica is replaced, and how soon after a refusal a success counts. */
const leaveEvery = seconds(10)
const refusedFor = seconds(1)

/**
 * Reports whether Redis does what it is asked for: one that is full, or only a replica, is connected and of no use. A
 * replica is left, because its address may lead to the new primary by now.
 */
export function watchRedis(client: Client, use: string, options: WatchOptions): WatchedRedis {
  const { log, metrics, patience, refusalLasts = minutes(1) } = options
  const answered = answeredWithin(patience)
  let refusal: { error: unknown; at: number } | undefined
  let leftAt = Number.NEGATIVE_INFINITY
  const isUsable = (): boolean => client.isReady && refusal === undefined
  const look = (): void => metrics.redisConnected.set({ use }, isUsable() ? 1 : 0)
  // Without a listener an error would end the process.
  client.on('error', (error) => log.warn({ error: safeError(error) }, 'Redis is not reachable'))
  client.on('ready', () => {
    if (refusal?.error instanceof Late) refusal = undefined
  })
  // After each answered PING of the client's `pingInterval`. Otherwise a refusal would count all night if nobody asks again.
  client.on('ping-interval', () => {
    if (refusal?.error instanceof Late) recovered()
    else if (refusal && performance.now() - refusal.at >= refusalLasts) {
      refusal = undefined
      look()
    }
  })
  for (const event of ['ready', 'error', 'end', 'reconnecting'] as const) client.on(event, look)
  look()

  function done(): void {
    // Near its limit of memory some commands pass.
    if (refusal && performance.now() - refusal.at >= refusedFor) recovered()
  }

  function recovered(): void {
    refusal = undefined
    look()
    log.info({ use }, 'Redis does what it is asked for again')
  }

  function refused(error: unknown): void {
    // A connection that is gone is reported above.
    if (!client.isReady) return
    if (!refusal) log.warn({ use, error: safeError(error) }, 'Redis does not do what it is asked for')
    refusal = { error, at: performance.now() }
    look()
    // Redis 6 puts it behind the name of the script.
    if (!(error instanceof Error && /\bREADONLY\b/.test(error.message))) return
    if (refusal.at - leftAt < leaveEvery) return
    leftAt = refusal.at
    // It closes the connection, and the client connects again.
    client.sendCommand(['QUIT']).catch(() => {})
  }

  return {
    isUsable,
    async ask(work) {
      try {
        const answer = await answered(work)
        done()
        return answer
      } catch (error) {
        refused(error)
        throw error
      }
    },
  }
}

/**
 * Options of a client that replaces a connection whose other end says nothing for so long, in milliseconds, though it is
 * asked: the kernel would keep it for a quarter of an hour. By default the client itself does not connect again after that.
 */
export const watchful = (silence: number = seconds(15)) => ({
  pingInterval: (silence * 2) / 3,
  socket: {
    socketTimeout: silence,
    reconnectStrategy: (retries: number): number => Math.min(50 * 2 ** retries, 2000) + Math.random() * 200,
  },
})

/**
 * Returns a function that asks Redis and rejects if it does not answer in time; from then on it rejects at once, until
 * that answer comes or the connection ends. So only those who ask at the same moment wait for a Redis that hangs.
 */
export function answeredWithin(milliseconds: number): <T>(ask: () => Promise<T>) => Promise<T> {
  let late = 0
  return async (ask) => {
    if (late > 0) throw new Late('Redis does not answer')
    const answer = ask()
    try {
      return await within(milliseconds, answer, 'Redis does not answer')
    } catch (error) {
      if (error instanceof Late) {
        late += 1
        const settled = (): void => {
          late -= 1
        }
        answer.then(settled, settled)
      }
      throw error
    }
  }
}
