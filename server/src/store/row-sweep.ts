// A sweep over single rows: a row that throws goes last and is counted, so that it does not hold up those behind it.
import type { Logger } from 'pino'
import { after, type Clock, hours, minutes, seconds } from '../kernel/clock.ts'
import { safeError } from '../log.ts'
import type { Metrics } from '../metrics.ts'
import { isUnavailable, type Sql, type Tx } from './sql.ts'

interface RowSweep<R, P> {
  /** The sweep's name in the metric and the log. */
  name: string
  batch: number
  keyOf: (row: R) => string
  /** Locks and returns due rows, at most `limit`, without the keys in `without`. */
  take: (tx: Tx, ask: { limit: number; without: readonly string[] }, parts: P) => Promise<R[]>
  work: (tx: Tx, rows: readonly R[], parts: P) => Promise<void>
}

interface RowSweepParts {
  sql: Sql
  clock: Clock
  log: Logger
  metrics: Metrics
}

interface Failed {
  times: number
  /** Until then the others go first. */
  until: Date
}

/** How long a row rests after its first failure, twice as long after each further one, up to a limit. */
const firstRest = seconds(30)
const longestRest = minutes(10)
/** If this many rows fail, the rows are not the cause. */
const mostFailed = 1000
/** How long after its rest a row that did not come up again is forgotten: another node handled it, or it is gone. */
const forgottenAfter = hours(1)

/** Returns a function that handles one batch, in one transaction; true when there may be more. */
export function rowSweep<R, P extends RowSweepParts>(sweep: RowSweep<R, P>): (parts: P) => Promise<boolean> {
  const { name, batch, keyOf, take, work } = sweep
  /** By database: the rows that failed in this process. */
  const failures = new WeakMap<Sql, Map<string, Failed>>()

  return async (parts) => {
    const { sql, clock, log, metrics } = parts
    const failed = failures.get(sql) ?? new Map<string, Failed>()
    failures.set(sql, failed)
    for (const [key, { until }] of failed) if (after(until, forgottenAfter) < clock.now()) failed.delete(key)

    /** Handles up to `limit` rows and returns how many there were; `taken` gets them first. */
    const attempt = (limit: number, taken: (rows: readonly R[]) => void): Promise<number> =>
      sql.transaction(async (tx) => {
        // A longer rest began before the clock was set back.
        const longest = after(tx.now, longestRest)
        const without = [...failed].flatMap(([key, { until }]) => (until > tx.now && until <= longest ? [key] : []))
        const rows = await take(tx, { limit, without }, parts)
        taken(rows)
        if (rows.length > 0) await work(tx, rows, parts)
        return rows.length
      })

    const setAside = (row: R, error: unknown): void => {
      const key = keyOf(row)
      const times = (failed.get(key)?.times ?? 0) + 1
      failed.delete(key)
      failed.set(key, { times, until: after(clock.now(), Math.min(firstRest * 2 ** (times - 1), longestRest)) })
      metrics.sweepRowFailures.inc({ sweep: name })
      log.warn(
        { sweep: name, row: key, error: safeError(error) },
        'a row of a sweep failed and moves behind the others',
      )
    }

    let rows: readonly R[] = []
    const noted = (taken: readonly R[]): void => {
      rows = taken
    }
    try {
      const done = await attempt(batch, noted)
      for (const row of rows) failed.delete(keyOf(row))
      return done === batch
    } catch (error) {
      const [row, ...others] = rows
      if (row === undefined || isUnavailable(error) || failed.size >= mostFailed) throw error
      if (others.length === 0) {
        setAside(row, error)
        return true
      }
    }
    // One of them failed, or several: running each alone shows which.
    const { length } = rows
    for (let n = 0; n < length; n++) {
      rows = []
      try {
        if ((await attempt(1, noted)) === 0) return false
        for (const row of rows) failed.delete(keyOf(row))
      } catch (error) {
        const [row] = rows
        if (row === undefined || isUnavailable(error)) throw error
        setAside(row, error)
      }
    }
    return true
  }
}
