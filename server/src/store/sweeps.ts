// Periodic work over state: each sweep compares columns with the process's clock, in bounded batches. A sweep that
// fails is tried again; two nodes may run one at once, for each takes the rows that the other has not locked.
import type { Logger } from 'pino'
import { safeError } from '../log.ts'
import type { Metrics } from '../metrics.ts'

export interface Sweep {
  name: string
  everyMilliseconds: number
  /** Does one bounded batch; true when there may be more. */
  run: () => Promise<boolean>
}

export interface Sweeper {
  stop(): Promise<void>
}

const firstAfter = 1000
/** Between the first runs, so that a start does not open a connection for each. */
const apart = 50

/** Runs each sweep soon after the start and then at its pace, one batch after another until it is through. */
export function startSweeps(sweeps: readonly Sweep[], { log, metrics }: { log: Logger; metrics: Metrics }): Sweeper {
  let stopped = false
  const timers = new Map<Sweep, NodeJS.Timeout>()
  const running = new Set<Promise<void>>()

  async function once(sweep: Sweep): Promise<void> {
    const began = performance.now()
    try {
      while (!stopped && (await sweep.run()));
    } catch (error) {
      metrics.sweepFailures.inc({ sweep: sweep.name })
      log.warn({ sweep: sweep.name, error: safeError(error) }, 'a sweep failed and will be tried again')
    } finally {
      metrics.sweepSeconds.observe({ sweep: sweep.name }, (performance.now() - began) / 1000)
    }
  }

  function schedule(sweep: Sweep, delay: number): void {
    if (stopped) return
    const timer = setTimeout(() => {
      const run = once(sweep).finally(() => {
        running.delete(run)
        schedule(sweep, sweep.everyMilliseconds)
      })
      running.add(run)
    }, delay)
    timer.unref()
    timers.set(sweep, timer)
  }

  for (const [index, sweep] of sweeps.entries()) schedule(sweep, firstAfter + index * apart)
  return {
    async stop() {
      stopped = true
      for (const timer of timers.values()) clearTimeout(timer)
      await Promise.all(running)
    },
  }
}
