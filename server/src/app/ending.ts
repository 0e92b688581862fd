// What ends a process: a signal drains it, a second one stops at once, an error that nobody expected drains it too.
import type { Logger } from 'pino'
import { safeError } from '../log.ts'
import { stopLimit } from './signals.ts'

interface Ends {
  stop(): Promise<void>
  abort(): Promise<void>
}

export interface Ending {
  /** Aborted by what ends a start that is under way. */
  readonly signal: AbortSignal
  /** From now on there is something to drain. */
  from(running: Ends): void
  /** Drains, and the process fails in the end. */
  fail(): void
  code(): number
  stopped(status: number): never
}

interface EndingOptions {
  log: Logger
  /** What is said at the end, and nothing if undefined. */
  lastWord?: string
  /** Has the first function called for what drains, and the second one for what ends at once. */
  onEnd: (drain: () => void, atOnce: () => void) => void
}

/** Milliseconds for ending what the limit of the stop has cut off. */
const cutOffWithin = 2000
const abortLimit = 10_000
const mistakeLimit = 20_000

export function endWell(drainDelaySeconds: number, { log, lastWord, onEnd }: EndingOptions): Ending {
  const starting = new AbortController()
  let running: Ends | undefined
  let code = 0

  const stopped = (status: number): never => {
    if (lastWord) log.info(lastWord)
    process.exit(status)
  }
  const drain = (): void => {
    starting.abort()
    if (running) {
      setTimeout(() => process.exit(1), drainDelaySeconds * 1000 + stopLimit + cutOffWithin).unref()
      running.stop().then(
        () => stopped(code),
        () => process.exit(1),
      )
    } else {
      // A start that hangs has acknowledged nothing.
      setTimeout(() => running ?? stopped(code), stopLimit).unref()
    }
  }
  const atOnce = (): void => {
    setTimeout(() => process.exit(1), abortLimit).unref()
    Promise.resolve(running?.abort()).finally(() => process.exit(1))
  }
  const fail = (): void => {
    const first = code === 0
    code = 1
    if (!first) return
    setTimeout(atOnce, mistakeLimit).unref()
    drain()
  }
  onEnd(drain, atOnce)
  process.on('uncaughtException', (error, origin) => {
    log.fatal({ error: safeError(error), origin }, 'unexpected error: the service is stopping')
    fail()
  })
  return {
    signal: starting.signal,
    stopped,
    code: () => code,
    fail,
    from(started) {
      running = started
      if (starting.signal.aborted) drain()
    },
  }
}
