// How a Redis client appears in the log and the metrics, whatever it is used for.
import type { Logger } from 'pino'
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
