// The metrics of all workers as one: counters and histograms added up, what each sees of the same thing once. What a worker
// counted that has ended stays counted, as it was when it was last read.
import {
  AggregatorRegistry,
  collectDefaultMetrics,
  type MetricObjectWithValues,
  type MetricValue,
  type Registry,
} from 'prom-client'
import type { Config } from '../../config.ts'
import { seconds } from '../../kernel/clock.ts'
import type { Metrics } from '../../metrics.ts'
import { openMetrics } from '../metrics-server.ts'
import type { Undo } from '../undo.ts'
import type { Crew } from './crew.ts'

type Read = readonly MetricObjectWithValues<MetricValue<string>>[]

/** A worker that is busy for longer is shown as it was. */
const answerWithin = seconds(1)

interface Gathered {
  /** Serves them when METRICS_PORT is set. */
  serve(config: Config, undo: Undo[]): Promise<void>
}

export function gatherMetrics(crew: Crew, metrics: Metrics): Gathered {
  const last = new Map<string, Read>()
  let former: Read = []
  let looking: Promise<string> | undefined

  async function look(): Promise<string> {
    const members = crew.members()
    await Promise.all(
      members.map(async ({ nodeId, line }) => {
        const read = await line.ask('metrics', null, answerWithin).catch(() => undefined)
        if (read) last.set(nodeId, read)
      }),
    )
    metrics.workers.set(crew.members().filter(({ readyAt }) => readyAt !== undefined).length)
    const living = new Set(crew.members().map(({ nodeId }) => nodeId))
    for (const [nodeId, read] of last) {
      if (living.has(nodeId)) continue
      last.delete(nodeId)
      former = await together([former, read.filter(({ type }) => isCounted(String(type)))]).getMetricsAsJSON()
    }
    return together([former, ...last.values(), await metrics.registry.getMetricsAsJSON()]).metrics()
  }

  return {
    async serve(config, undo) {
      if (config.metricsPort === undefined) return
      collectDefaultMetrics({ register: metrics.registry })
      await openMetrics(config, undo, () => {
        // Of two looks at once one would miss what the other is just adding to the counts of former workers.
        looking ??= look().finally(() => {
          looking = undefined
        })
        return looking
      })
    },
  }
}

const together = (reads: readonly Read[]): Registry => AggregatorRegistry.aggregate([...reads])

const isCounted = (type: string): boolean => type === 'counter' || type === 'histogram'
