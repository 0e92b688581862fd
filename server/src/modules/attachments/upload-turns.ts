// Turns at uploads and inspections. Only a limited number runs at once, and an agent with many leaves room for others.

export interface Turns {
  /** Waits for a turn; resolves with what ends it. Rejects with the signal's reason when that fires first. */
  take(key: string, signal: AbortSignal): Promise<() => void>
  /** The keys that wait because others hold the turns, once for each turn that they wait for. */
  waiting(): string[]
}

interface Waiter {
  key: string
  start: () => void
}

/**
 * At most `limit` at once, of one key at most `limitOfKey`, and the last `kept` only for keys that have none. Of those
 * that wait and may go, the key that has the fewest turns goes first, of those the one that had its last turn the longest
 * ago, and of one key whoever asked first.
 */
export function createTurns(limit: number, limitOfKey: number = limit, kept = 0): Turns {
  const running = new Map<string, number>()
  /** In which of the turns since somebody began to wait a key had its last one. */
  const served = new Map<string, number>()
  let turnsBegun = 0
  let total = 0
  const queue: Waiter[] = []

  const countOf = (key: string): number => running.get(key) ?? 0
  const mayGo = (key: string): boolean =>
    countOf(key) < limitOfKey && total < (countOf(key) === 0 ? limit : limit - kept)

  function begin(key: string): () => void {
    total++
    served.set(key, ++turnsBegun)
    running.set(key, countOf(key) + 1)
    let ended = false
    return () => {
      if (ended) return
      ended = true
      total--
      const left = countOf(key) - 1
      if (left === 0) running.delete(key)
      else running.set(key, left)
      next()
    }
  }

  function next(): void {
    for (;;) {
      const [first, ...others] = queue.filter(({ key }) => mayGo(key))
      if (first === undefined) break
      const after = ({ key: a }: Waiter, { key: b }: Waiter): number =>
        countOf(a) - countOf(b) || (served.get(a) ?? 0) - (served.get(b) ?? 0)
      const chosen = others.reduce((best, each) => (after(each, best) < 0 ? each : best), first)
      queue.splice(queue.indexOf(chosen), 1)
      chosen.start()
    }
    if (queue.length === 0) served.clear()
  }

  return {
    waiting: () => queue.map(({ key }) => key).filter((key) => countOf(key) < limitOfKey),
    async take(key, signal) {
      signal.throwIfAborted()
      if (queue.length === 0 && mayGo(key)) return begin(key)
      return new Promise((resolve, reject) => {
        const waiter: Waiter = {
          key,
          start() {
            signal.removeEventListener('abort', leave)
            resolve(begin(key))
          },
        }
        const leave = (): void => {
          queue.splice(queue.indexOf(waiter), 1)
          reject(signal.reason)
        }
        signal.addEventListener('abort', leave, { once: true })
        queue.push(waiter)
        next()
      })
    },
  }
}
