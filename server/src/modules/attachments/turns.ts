// Turns at something of which only so many may run at once, in the order of asking.

export interface Turns {
  /** Waits for a turn; resolves with what ends it. Rejects with the signal's reason when that fires first. */
  take(key: string, signal: AbortSignal): Promise<() => void>
}

interface Waiter {
  key: string
  start: () => void
}

/** At most `limit` at once, and of one key at most `limitOfKey`; one that may not go yet lets others pass. */
export function createTurns(limit: number, limitOfKey: number = limit): Turns {
  const running = new Map<string, number>()
  let total = 0
  const queue: Waiter[] = []

  const mayGo = (key: string): boolean => total < limit && (running.get(key) ?? 0) < limitOfKey

  function begin(key: string): () => void {
    total++
    running.set(key, (running.get(key) ?? 0) + 1)
    let ended = false
    return () => {
      if (ended) return
      ended = true
      total--
      const left = (running.get(key) ?? 1) - 1
      if (left === 0) running.delete(key)
      else running.set(key, left)
      next()
    }
  }

  function next(): void {
    for (let at = 0; at < queue.length && total < limit; ) {
      const waiter = queue[at] as Waiter
      if (!mayGo(waiter.key)) at++
      else {
        queue.splice(at, 1)
        waiter.start()
      }
    }
  }

  return {
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
