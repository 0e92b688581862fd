// How many a search finds where that is many: one count of a caller at a time, two of all, and what took long to count is
// not counted again at once.
import { fairQueue, QueueFull } from '../../kernel/fair-queue.ts'
import { type Counting, countWithin } from '../../search/bounded.ts'
import { perService } from '../../service.ts'

interface Counted {
  /** By the process's own time, in milliseconds; for ever while it is being counted. */
  until: number
  total: Promise<number | undefined>
}

/** A count that took longer than this many milliseconds stands for the next ones, for so many milliseconds. */
const long = 100
const remembered = 10_000
const maxRemembered = 1000

/** Counts on behalf of a caller; undefined also where there is no turn for it within a second. */
export const countsFor = perService(() => {
  const queue = fairQueue({ total: 2, each: 1, waitingEach: 16, waitingTotal: 64, waitAtMost: 1000 })
  const recent = new Map<string, Counted>()
  const recall = (key: string): Counted | undefined => {
    const known = recent.get(key)
    return known && known.until > performance.now() ? known : undefined
  }
  return (caller: string): Counting => {
    const count: Counting = async (sql, key, rows) => {
      const known = recall(key)
      if (known) return known.total
      let began = Number.POSITIVE_INFINITY
      const inTurn = queue.run(caller, () => {
        began = performance.now()
        return countWithin(sql, key, rows)
      })
      const total = inTurn.catch((error: unknown) => {
        if (error instanceof QueueFull) return undefined
        throw error
      })
      const counted: Counted = { until: Number.POSITIVE_INFINITY, total }
      if (recent.size >= maxRemembered) recent.delete(recent.keys().next().value as string)
      recent.set(key, counted)
      try {
        const result = await total
        const now = performance.now()
        counted.until = now - began > long ? now + remembered : now
        return result
      } catch (error) {
        counted.until = 0
        throw error
      }
    }
    return Object.assign(count, { isKnown: (key: string) => recall(key) !== undefined })
  }
})
