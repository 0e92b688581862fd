// Rate limits counted for all nodes in Redis; while it is away each node counts for itself.
import type { Logger } from 'pino'
import type { Clock } from '../clock.ts'
import { safeError } from '../log.ts'
import { allowance, memoryLimiter, type RateLimiter } from './limits.ts'

/** One round trip: count, and give a new window its end. */
const script = `
local used = redis.call('incr', KEYS[1])
if used == 1 then redis.call('pexpire', KEYS[1], ARGV[1]) end
return {used, redis.call('pttl', KEYS[1])}`

export interface ClosableLimiter extends RateLimiter {
  close(): Promise<void>
}

export async function redisLimiter(url: string, clock: Clock, log: Logger): Promise<ClosableLimiter> {
  const { createClient } = await import('@redis/client')
  const client = createClient({ url, commandsQueueMaxLength: 10_000, disableOfflineQueue: true })
  client.on('error', (error: unknown) => log.warn({ error: safeError(error) }, 'Redis is not reachable'))
  await client.connect()
  const local = memoryLimiter(clock)
  return {
    async take(key, limit, windowSeconds) {
      try {
        const [used, left] = (await client.eval(script, {
          keys: [`kith:limit:${key}`],
          arguments: [String(windowSeconds * 1000)],
        })) as [number, number]
        return allowance(limit, used, left)
      } catch {
        return local.take(key, limit, windowSeconds)
      }
    },
    close: async () => client.destroy(),
  }
}
