// Hints by Redis or Valkey: cheaper than NOTIFY, and never needed.
import type { Logger } from 'pino'
import { seconds } from '../kernel/clock.ts'
import type { Metrics } from '../metrics.ts'
import { watchRedis } from '../store/redis.ts'
import { type Bus, channel, channelOf } from './wakeups-postgres.ts'

const answerWithin = seconds(1)

interface RedisOptions {
  nodeId: string
  receive: (text: string) => void
  peers: () => number
  log: Logger
  metrics: Metrics
}

export async function joinRedis(url: string, { nodeId, receive, peers, log, metrics }: RedisOptions): Promise<Bus> {
  const { createClient } = await import('@redis/client')
  // A hint that cannot be given now is worth nothing later.
  const publisher = createClient({ url, disableOfflineQueue: true })
  const subscriber = createClient({ url, pingInterval: seconds(10) })
  for (const [use, client] of Object.entries({ hints: publisher, subscription: subscriber })) {
    watchRedis(client, use, { log, metrics })
    // Both go on trying by themselves: a Redis that is away does not keep the service from starting.
    client.connect().catch(() => {})
  }
  subscriber.subscribe([channel, channelOf(nodeId)], receive).catch(() => {})
  return {
    async publish(text, to) {
      if (!publisher.isReady) throw new Error('Redis is away')
      let timer: NodeJS.Timeout | undefined
      const late = new Promise<never>((_, reject) => {
        timer = setTimeout(() => reject(new Error('Redis is silent')), answerWithin)
      })
      try {
        const heard = await Promise.race([publisher.publish(to === undefined ? channel : channelOf(to), text), late])
        // One that does not listen here (it may not reach Redis, or not yet again) is told by the other way. What all
        // are told this node hears itself.
        if (heard < (to === undefined ? peers() + 1 : 1)) throw new Error('not every node listens')
      } finally {
        clearTimeout(timer)
      }
    },
    async close() {
      publisher.destroy()
      subscriber.destroy()
    },
  }
}
