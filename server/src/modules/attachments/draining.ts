// What the end of the process means to uploads that wait: a little more patience, then they are told.

/** What begins at once is still inspected, and answered as pending where it then takes longer. Milliseconds. */
const patience = 2000

interface Draining {
  readonly isUnderWay: boolean
  begin(): void
  /** Runs `work` with a signal that fires, with `reason()`, a moment after the drain has begun, or after now in one. */
  during<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T>
}

export function createDraining(reason: () => Error): Draining {
  const waiting = new Set<() => void>()
  let isUnderWay = false
  return {
    get isUnderWay() {
      return isUnderWay
    },
    begin() {
      isUnderWay = true
      for (const start of waiting) start()
    },
    during(work) {
      const end = new AbortController()
      const start = (): void => void setTimeout(() => end.abort(reason()), patience).unref()
      if (isUnderWay) start()
      else waiting.add(start)
      return work(end.signal).finally(() => waiting.delete(start))
    },
  }
}
