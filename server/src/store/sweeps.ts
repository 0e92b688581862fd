// Periodic work over state: each sweep compares columns with the process's clock, in bounded batches. A failed sweep is
// retried; two nodes may run one at once, because each takes the rows that the other has not locked. A sweep with much
// to do pauses between its batches, and leaves the rest to its next run: others need the database too.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { after, type Clock, seconds } from '../kernel/clock.ts'
import { safeError } from '../log.ts'
import type { Metrics } from '../metrics.ts'

export interface Sweep {
  name: string
  everyMilliseconds: number
  /** Whether it is about what this process has in memory, so that each worker runs it. */
  isOwn?: true
  /** Does one bounded batch; true when there may be more. */
  run: () => Promise<boolean>
}

/** The status of a sweep in this process. */
export interface SweepState {
  name: string
  everyMilliseconds: number
  isRunning: boolean
  /** When it starts next; while it runs, when it started. */
  dueAt: Date
  /** When it last ended, successfully or not, and how long it took; undefined if it never did. */
  last: { endedAt: Date; milliseconds: number } | undefined
  /** Since the start of the process. */
  failures: number
  /** A name or code of the last one, without anything a message may reveal. */
  failure: { at: Date; what: string } | undefined
}

export interface Sweeper {
  stop(): Promise<void>
  /** In the given order. */
  states(): readonly SweepState[]
}

const firstAfter = 1000
/** Between the first runs, so that a start does not open a connection for each. */
const apart = 50

/** How long a run works before it leaves the rest to the next one. */
const budget = seconds(10)
/** How soon the next run follows one that left something, at the latest. */
const followsAfter = seconds(30)
/** After each batch a run pauses for as long as that took, at most this long. */
const longestPause = seconds(1)

interface Pace {
  /** Milliseconds that only grow. */
  time: () => number
  pause: (milliseconds: number) => Promise<unknown>
  isStopped: () => boolean
}

/** Runs the batches of a sweep within its budget; true when there may be more. */
export async function runWithin({ run }: Pick<Sweep, 'run'>, { time, pause, isStopped }: Pace): Promise<boolean> {
  for (let worked = 0; worked < budget && !isStopped(); ) {
    const began = time()
    if (!(await run())) return false
    const took = time() - began
    worked += took
    await pause(Math.min(took, longestPause))
  }
  return true
}

interface Parts {
  log: Logger
  metrics: Metrics
  clock: Clock
}

/** Runs each sweep soon after the start and then at its interval, batch after batch until it is done. */
export function startSweeps(sweeps: readonly Sweep[], { log, metrics, clock }: Parts): Sweeper {
  const timers = new Map<Sweep, NodeJS.Timeout>()
  const running = new Set<Promise<void>>()
  const states = new Map<Sweep, SweepState>()

  const over = new AbortController()
  const pace: Pace = {
    time: () => performance.now(),
    pause: (milliseconds) => sleep(milliseconds, undefined, { signal: over.signal }).catch(() => {}),
    isStopped: () => over.signal.aborted,
  }
  const succeeded = (sweep: string): void => metrics.sweepSucceeded.set({ sweep }, clock.now().getTime() / 1000)

  /** How long until the next run. */
  async function once(sweep: Sweep, state: SweepState): Promise<number> {
    const began = performance.now()
    Object.assign(state, { isRunning: true, dueAt: clock.now() })
    let isLeft = false
    try {
      isLeft = await runWithin(sweep, pace)
      succeeded(sweep.name)
    } catch (error) {
      metrics.sweepFailures.inc({ sweep: sweep.name })
      log.warn({ sweep: sweep.name, error: safeError(error) }, 'a sweep failed and will be tried again')
      state.failures += 1
      state.failure = { at: clock.now(), what: kindOf(error) }
    } finally {
      const milliseconds = performance.now() - began
      metrics.sweepSeconds.observe({ sweep: sweep.name }, milliseconds / 1000)
      Object.assign(state, { isRunning: false, last: { endedAt: clock.now(), milliseconds } })
    }
    return isLeft ? Math.min(sweep.everyMilliseconds, followsAfter) : sweep.everyMilliseconds
  }

  function schedule(sweep: Sweep, state: SweepState, delay: number): void {
    if (over.signal.aborted) return
    state.dueAt = after(clock.now(), delay)
    const timer = setTimeout(() => {
      const run = once(sweep, state).then((next) => {
        running.delete(run)
        schedule(sweep, state, next)
      })
      running.add(run)
    }, delay)
    timer.unref()
    timers.set(sweep, timer)
  }

  for (const [index, sweep] of sweeps.entries()) {
    const { name, everyMilliseconds } = sweep
    const unseen = { last: undefined, failures: 0, failure: undefined }
    const state = { name, everyMilliseconds, isRunning: false, dueAt: clock.now(), ...unseen }
    states.set(sweep, state)
    metrics.sweepInterval.set({ sweep: name }, everyMilliseconds / 1000)
    // Before its first run, the time since it could have run counts.
    succeeded(name)
    schedule(sweep, state, firstAfter + index * apart)
  }
  return {
    async stop() {
      over.abort()
      for (const timer of timers.values()) clearTimeout(timer)
      await Promise.all(running)
    },
    states: () => [...states.values()],
  }
}

function kindOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown'
  const { code } = error as { code?: unknown }
  return typeof code === 'string' && /^\w{1,40}$/.test(code) ? `${error.name} ${code}` : error.name
}
