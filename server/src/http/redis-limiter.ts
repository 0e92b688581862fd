// Rate limits counted for all nodes in Redis; while it is unavailable or slow each node counts separately.
import type { Logger } from 'pino'
import { type Clock, clocksApart } from '../kernel/clock.ts'
import { allowance, memoryLimiter, type RateLimiter } from '../kernel/limits.ts'
import type { Metrics } from '../metrics.ts'
import { watchful, watchRedis } from '../store/redis.ts'

/**
 * One round trip: counts in a window that ends by the service's clock, like {@link memoryLimiter}; Redis's own time
 * only cleans up afterwards. Of nodes whose clocks are seconds apart, one must not take the window of another for one
 * from before its own clock was set back.
 */
const script = `
local now, span, apart = tonumber(ARGV[1]), tonumber(ARGV[2]), ${clocksApart}
local ends = tonumber(redis.call('hget', KEYS[1], 'ends'))
if not ends or ends <= now or ends > now + span + apart then
  ends = now + span
  redis.call('hset', KEYS[1], 'ends', ends, 'used', 0)
  redis.call('pexpire', KEYS[1], span)
end
return {redis.call('hincrby', KEYS[1], 'used', ARGV[3]), math.min(ends - now, span)}`

/** How many milliseconds a request, or the start, waits for Redis before it continues without. */
const patience = 500

interface Parts {
  clock: Clock
  log: Logger
  metrics: Metrics
}

interface ClosableLimiter extends RateLimiter {
  /** Whether Redis counts. */
  isUsable(): boolean
  close(): Promise<void>
}

export async function redisLimiter(url: string, { clock, log, metrics }: Parts): Promise<ClosableLimiter> {
  const { createClient } = await import('@redis/client')
  const client = createClient({ url, commandsQueueMaxLength: 10_000, disableOfflineQueue: true, ...watchful() })
  const redis = watchRedis(client, 'limits', { log, metrics, patience })
  // It keeps retrying: an unavailable Redis does not keep the service from starting.
  await redis.ask(() => client.connect()).catch(() => {})
  const local = memoryLimiter(clock)
  return {
    async take(key, limit, windowSeconds, uses = 1) {
      try {
        const given = [clock.now().getTime(), windowSeconds * 1000, uses].map(String)
        const count = () => client.eval(script, { keys: [`kith:limit:${key}`], arguments: given })
        const [used, left] = (await redis.ask(count)) as [number, number]
        return allowance(limit, used, left)
      } catch {
        metrics.redisFailures.inc({ use: 'limits' })
        return local.take(key, limit, windowSeconds, uses)
      }
    },
    isUsable: redis.isUsable,
    close: async () => client.destroy(),
  }
}
