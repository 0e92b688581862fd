// Group commit in the process: whatever arrives while a statement runs goes into the next one together.
import { isRetryable } from './sql.ts'

export interface CoalesceOptions<I, O> {
  /**
   * Writes a batch with one statement; returns an outcome for each item, in order. If it loses to another statement
   * (40001, 40P01), which undoes all of it, its halves are written one after the other, down to single items.
   */
  write: (items: readonly I[]) => Promise<readonly O[]>
  /** Runs after a batch was written, before its items are resolved. */
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
  const { waitAtMost = 10_000 } = options
  interface Waiting {
    item: I
    keys: readonly string[]
    since: number
    resolve: (outcome: O) => void
    reject: (error: unknown) => void
  }
  let waiting: Waiting[] = []
  const busyKeys = new Set<string>()
  let running = 0
  let scheduled = false

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

  // A batch that deadlocked as a whole would meet the same rows in the same order again, whenever it gets to them
  // before the winner. Each half locks less, and a single item waits without holding anything.
  async function attempt(items: readonly I[], count = 1): Promise<readonly O[]> {
    try {
      return await write(items)
    } catch (error) {
      if (!isRetryable(error) || (items.length === 1 && count === maxAttempts)) throw error
      if (items.length === 1) return attempt(items, count + 1)
      const half = Math.ceil(items.length / 2)
      return [...(await attempt(items.slice(0, half))), ...(await attempt(items.slice(half)))]
    }
  }

  async function run(batch: Waiting[]): Promise<void> {
    running += 1
    const items = batch.map(({ item }) => item)
    let settle: () => void
    try {
      const outcomes = await attempt(items)
      settle = () => {
        written?.(items, outcomes)
        for (const [at, entry] of batch.entries()) entry.resolve(outcomes[at] as O)
      }
    } catch (error) {
      settle = () => {
        for (const entry of batch) entry.reject(error)
      }
    }
    running -= 1
    for (const entry of batch) for (const key of entry.keys) busyKeys.delete(key)
    refuseLate()
    // The next statement is sent before this one's responses are written: database and process work at once.
    if (lingerMilliseconds > 0) schedule()
    else flush()
    settle()
  }

  /** They wait in the order of their arrival. */
  function refuseLate(): void {
    const since = performance.now() - waitAtMost
    const first = waiting.findIndex((entry) => entry.since > since)
    const late = waiting.splice(0, first < 0 ? waiting.length : first)
    for (const { reject } of late) reject(onFull())
  }

  function flush(): void {
    while (running < concurrency && waiting.length > 0) {
      const batch = take()
      if (batch.length === 0) return
      void run(batch)
    }
  }

  // After the input of this turn of the event loop, so that requests that arrived together go together.
  function schedule(): void {
    if (scheduled || running >= concurrency || waiting.length === 0) return
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
