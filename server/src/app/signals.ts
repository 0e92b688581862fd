// What a signal means. A terminal's Ctrl-C, and a manager that signals a whole group, reach npm and this process, and npm
// passes its own on: the same wish arrives twice.

/** Milliseconds that a whole stop may take. */
export const stopLimit = 10_000

const sameWithin = 1000

/** SIGHUP is a terminal that was closed. */
export const endingSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/** Calls `first` for the first of them and `again` for each later one that is no echo of the one before. */
export function onSignals(first: (name: NodeJS.Signals) => void, again: (name: NodeJS.Signals) => void): void {
  let countedAt: number | undefined
  const hear = (name: NodeJS.Signals): void => {
    const now = performance.now()
    if (countedAt !== undefined && now - countedAt < sameWithin) return
    const isFirst = countedAt === undefined
    countedAt = now
    if (isFirst) first(name)
    else again(name)
  }
  for (const name of endingSignals) process.on(name, hear)
}
