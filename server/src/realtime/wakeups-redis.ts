// Hints through Redis or Valkey: cheaper than NOTIFY, and never required.
import type { Logger } from 'pino'
import { seconds } from '../kernel/clock.ts'
import type { Metrics } from '../metrics.ts'
import { watchful, watchRedis } from '../store/redis.ts'
import { type Bus, channel, channelOf } from './wakeups-postgres.ts'

const patience = seconds(1)

interface RedisOptions {
  nodeId: string
  receive: (text: string) => void
  peers: () => number
  log: Logger
  metrics: Metrics
}

export async function joinRedis(url: string, { nodeId, receive, peers, log, metrics }: RedisOptions): Promise<Bus> {
  const { createClient } = await import('@redis/client')
  // A hint that cannot be sent now is worthless later.
  const publisher = createClient({ url, disableOfflineQueue: true, ...watchful() })
  const subscriber = createClient({ url, ...watchful() })
  const redis = watchRedis(publisher, 'hints', { log, metrics, patience })
  watchRedis(subscriber, 'subscription', { log, metrics, patience })
  // Both keep retrying: an unavailable Redis does not keep the service from starting.
  for (const client of [publisher, subscriber]) client.connect().catch(() => {})
  subscriber.subscribe([channel, channelOf(nodeId)], receive).catch(() => {})
  return {
    async publish(text, to) {
      if (!publisher.isReady) throw new Error('Redis is down')
      const heard = await redis.ask(() => publisher.publish(to === undefined ? channel : channelOf(to), text))
      // A node that does not listen here (Redis is unreachable for it, or not yet back) is told through the other
      // channel. This node hears itself what all are told.
      if (heard < (to === undefined ? peers() + 1 : 1)) throw new Error('not every node is listening')
    },
    async close() {
      publisher.destroy()
      subscriber.destroy()
    },
  }
}
