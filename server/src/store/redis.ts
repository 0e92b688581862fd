// What holds for every Redis client, whatever it is used for: how it appears in the log and the metrics, and that nobody
// waits for a silent Redis twice.
import type { Logger } from 'pino'
import { seconds } from '../kernel/clock.ts'
import { safeError } from '../log.ts'
import type { Metrics } from '../metrics.ts'

interface Client {
  readonly isReady: boolean
  on(event: 'ready' | 'error' | 'end' | 'reconnecting', listener: (error?: unknown) => void): unknown
}

/** Without a listener an error would end the process. */
export function watchRedis(client: Client, use: string, { log, metrics }: { log: Logger; metrics: Metrics }): void {
  const look = (): void => metrics.redisConnected.set({ use }, client.isReady ? 1 : 0)
  client.on('error', (error) => log.warn({ error: safeError(error) }, 'Redis is not reachable'))
  for (const event of ['ready', 'error', 'end', 'reconnecting'] as const) client.on(event, look)
  look()
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
    if (late > 0) throw new Error('Redis does not answer')
    const answer = ask()
    let timer: NodeJS.Timeout | undefined
    const limit = new Promise<never>((_, reject) => {
      timer = afterReading(() => {
        late += 1
        const settled = (): void => {
          late -= 1
        }
        answer.then(settled, settled)
        reject(new Error('Redis does not answer'))
      }, milliseconds)
    })
    try {
      return await Promise.race([answer, limit])
    } finally {
      clearTimeout(timer)
    }
  }
}

/** After a turn of the loop, because a process that was blocked has not read the answers yet. */
function afterReading(work: () => void, milliseconds: number): NodeJS.Timeout {
  return setTimeout(() => setImmediate(work), milliseconds)
}
