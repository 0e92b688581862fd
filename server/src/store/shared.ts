// Short reads of different requests in one snapshot: one write to the database and one answer for all of them, and one
// statement for what all of them look up. docs/decisions/0011-round-trips.md.
import pg from 'pg'
import { coalesce } from './coalesce.ts'
import { gatherIn } from './gather.ts'
import { PoolFull } from './pool.ts'
import type { Tx } from './sql.ts'

type Read<T> = (tx: Tx) => Promise<T>
type Snapshot = <T>(read: Read<T>) => Promise<T>

/** Reads in one snapshot: the last of them waits for what all of them request. */
const maxBatch = 16
/** Snapshots at once: whatever comes meanwhile waits, and goes into the next one together. */
const concurrency = 4

/**
 * Runs each read in a snapshot that is taken after it was requested. If a statement fails, the reads that it stopped run
 * again, each in a snapshot of its own.
 */
export function shareSnapshots(snapshot: Snapshot, maxWaiting: number): Snapshot {
  const share = coalesce<Read<unknown>, PromiseSettledResult<unknown>>({
    maxBatch,
    concurrency,
    maxWaiting,
    onFull: () => new PoolFull('too many wait for a snapshot'),
    write: async (reads) => {
      const outcomes = await snapshot((tx) => {
        gatherIn(tx)
        return Promise.allSettled(reads.map((read) => read(tx)))
      })
      return Promise.all(
        outcomes.map((outcome, at) => (isStopped(outcome) ? again(reads[at] as Read<unknown>) : outcome)),
      )
    },
  })
  const again = async (read: Read<unknown>): Promise<PromiseSettledResult<unknown>> =>
    (await Promise.allSettled([snapshot(read)]))[0]
  return async <T>(read: Read<T>) => {
    const outcome = await share(read)
    if (outcome.status === 'rejected') throw outcome.reason
    return outcome.value as T
  }
}

/** By a statement that failed, whose ever it was; if the connection broke there is nothing to try again. */
const isStopped = (outcome: PromiseSettledResult<unknown>): boolean =>
  outcome.status === 'rejected' && outcome.reason instanceof pg.DatabaseError
