// Group commit in the process: whatever arrives while a statement runs goes into the next one together.
import { isRetryable } from './sql.ts'

interface CoalesceOptions<I, O> {
  /**
   * Writes a batch with one statement; returns an outcome for each item, in order. If it loses to another statement
   * (40001, 40P01), which undoes all of it, its halves are written one after the other, down to single items. Each half
   * succeeds or fails by itself.
   */
  write: (items: readonly I[]) => Promise<readonly O[]>
  /** Runs after a batch, or a half of one, was written, before its items are resolved. */
  written?: (items: readonly I[], outcomes: readonly O[]) => void
  /**
   * How long the first item waits for others, if nobody waits for the outcome; otherwise a single item goes at once.
   */
  lingerMilliseconds?: number
  /** Items with a common key never share a batch, because a statement does not see its own inserts. */
  keys?: (item: I) => readonly string[]
  maxBatch: number
  /** Statements running at once. */
  concurrency: number
  /** Milliseconds that a statement must have run before another may begin beside it; 0 by default. */
  overtakeAfter?: number
  /** Waiting items beyond this are refused by `onFull`. */
  maxWaiting: number
  onFull: () => Error
  /**
   * Milliseconds, as long as requests wait for their turn unless told otherwise. An item that is still waiting after so
   * long when a batch ends is refused by `onFull`: behind a silent database each batch takes as long as a connection may,
   * and the last of a long queue would wait for all of them.
   */
  waitAtMost?: number
}

/** Of a single item. */
const maxAttempts = 4

/**
 * Returns a function that hands an item over and resolves with its outcome. A single item is written at once; under
 * load a batch is everything that came in while the previous ones were written.
 */
export function coalesce<I, O>(options: CoalesceOptions<I, O>): (item: I) => Promise<O> {
  const { write, written, lingerMilliseconds = 0, keys = () => [], maxBatch, concurrency, maxWaiting, onFull } = options
  const { waitAtMost = 10_000, overtakeAfter = 0 } = options
  interface Waiting {
    item: I
    keys: readonly string[]
    since: number
    resolve: (outcome: O) => void
    reject: (error: unknown) => void
  }
  let waiting: Waiting[] = []
  const busyKeys = new Set<string>()
  /** In the order of their beginning. */
  const running = new Set<{ since: number }>()
  let scheduled = false
  let isOvertaking = false

  function take(): Waiting[] {
    const batch: Waiting[] = []
    const left: Waiting[] = []
    for (const entry of waiting) {
      if (batch.length < maxBatch && !entry.keys.some((key) => busyKeys.has(key))) {
        for (const key of entry.keys) busyKeys.add(key)
        batch.push(entry)
      } else {
        left.push(entry)
      }
    }
    waiting = left
    return batch
  }

  /**
   * Writes a batch and returns what gives its items their outcomes. One that deadlocked as a whole would meet the same rows in
   * the same order again, whenever it gets to them before the winner. Each half locks less, and a single item waits without
   * holding anything.
   */
  async function attempt(batch: readonly Waiting[], count = 1): Promise<() => void> {
    if (batch.length === 0) return () => {}
    const items = batch.map(({ item }) => item)
    try {
      const outcomes = await write(items)
      return () => {
        written?.(items, outcomes)
        for (const [at, { resolve }] of batch.entries()) resolve(outcomes[at] as O)
      }
    } catch (error) {
      if (isRetryable(error) && batch.length > 1) {
        const half = Math.ceil(batch.length / 2)
        const settle = await attempt(batch.slice(0, half))
        // It is committed, or has failed, whatever happens to the other half.
        settle()
        return attempt(refuseLate(batch.slice(half)))
      }
      if (isRetryable(error) && count < maxAttempts) return attempt(batch, count + 1)
      return () => {
        for (const { reject } of batch) reject(error)
      }
    }
  }

  async function run(batch: readonly Waiting[]): Promise<void> {
    const own = { since: performance.now() }
    running.add(own)
    const settle = await attempt(batch)
    running.delete(own)
    for (const entry of batch) for (const key of entry.keys) busyKeys.delete(key)
    waiting = refuseLate(waiting)
    if (lingerMilliseconds > 0) schedule()
    else flush()
    // Only once the next statement has left, which takes a few ticks: database and process work at once.
    setImmediate(settle)
  }

  /** They are in the order of their arrival; returns those that have not waited for too long. */
  function refuseLate(entries: Waiting[]): Waiting[] {
    const since = performance.now() - waitAtMost
    const first = entries.findIndex((entry) => entry.since > since)
    const late = entries.splice(0, first < 0 ? entries.length : first)
    for (const { reject } of late) reject(onFull())
    return entries
  }

  /** In how many milliseconds the next batch may begin; undefined if only once one has ended. */
  function untilNext(): number | undefined {
    if (running.size >= concurrency) return undefined
    const [oldest] = running
    return oldest === undefined ? 0 : Math.max(0, oldest.since + overtakeAfter - performance.now())
  }

  function flush(): void {
    while (waiting.length > 0 && untilNext() === 0) {
      const batch = take()
      if (batch.length === 0) return
      void run(batch)
    }
    overtakeLater()
  }

  function overtakeLater(): void {
    const wait = untilNext()
    if (isOvertaking || waiting.length === 0 || wait === undefined || wait === 0) return
    isOvertaking = true
    setTimeout(() => {
      isOvertaking = false
      flush()
    }, wait)
  }

  // After the input of this turn of the event loop, so that requests that arrived together go together.
  function schedule(): void {
    if (scheduled || waiting.length === 0) return
    if (untilNext() !== 0) {
      overtakeLater()
      return
    }
    scheduled = true
    const begin = (): void => {
      scheduled = false
      flush()
    }
    if (lingerMilliseconds > 0) setTimeout(begin, lingerMilliseconds)
    else setImmediate(begin)
  }

  return (item) =>
    new Promise((resolve, reject) => {
      if (waiting.length >= maxWaiting) return reject(onFull())
      waiting.push({ item, keys: keys(item), since: performance.now(), resolve, reject })
      schedule()
    })
}
