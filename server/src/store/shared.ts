// Short reads of different requests in one snapshot: one write to the database and one answer for all of them, and one
// statement for what all of them look up (gather.ts). docs/decisions/0011-round-trips.md.
import { Refusal } from '../kernel/refuse.ts'
import { coalesce } from './coalesce.ts'
import { gatherIn } from './gather.ts'
import { PoolFull } from './pool.ts'
import { isUnavailable, type Sql, type Tx } from './sql.ts'

type Read<T> = (tx: Tx) => Promise<T>
type Outcome = PromiseSettledResult<unknown>

/** Reads in one snapshot, as many as have a turn at once (http/turns.ts); each of them waits for the slowest. */
const maxBatch = 32
/** Snapshots at once. Reads that come meanwhile wait, and go into the next one together. */
const concurrency = 4
/** Milliseconds. A snapshot costs nearly the same for one read as for many, so only a slow one is not waited for. */
const overtakeAfter = 5
const maxWaiting = 256

const sharing = new WeakMap<Sql, (read: Read<unknown>) => Promise<Outcome>>()

/**
 * Runs a few short reads by key in a snapshot that begins after they were requested, and shares it with those of others.
 * If one of them fails, it may be because of what another one asked for: those run again, each in a snapshot of its own.
 */
export async function readShared<T>(sql: Sql, read: Read<T>): Promise<T> {
  const share = sharing.get(sql) ?? shareSnapshots(sql)
  sharing.set(sql, share)
  const outcome = await share(read)
  if (outcome.status === 'rejected') throw outcome.reason
  return outcome.value as T
}

/** A refusal is what the read found by itself. */
const hasFailed = (outcome: Outcome): boolean => outcome.status === 'rejected' && !(outcome.reason instanceof Refusal)

function shareSnapshots({ snapshot }: Sql): (read: Read<unknown>) => Promise<Outcome> {
  const alone = async (read: Read<unknown>): Promise<Outcome> => (await Promise.allSettled([snapshot(read)]))[0]

  async function together(reads: readonly Read<unknown>[]): Promise<readonly Outcome[]> {
    let outcomes: readonly Outcome[] = []
    let failure: Error | undefined
    try {
      await snapshot(async (tx) => {
        gatherIn(tx)
        outcomes = await Promise.allSettled(reads.map((read) => read(tx)))
        failure = tx.failure()
        if (failure) throw failure
      })
    } catch (error) {
      if (!failure) throw error
    }
    // Without a database each would fail by itself too, and wait twice.
    if (isUnavailable(failure)) return outcomes
    return Promise.all(
      outcomes.map((outcome, at) => (hasFailed(outcome) ? alone(reads[at] as Read<unknown>) : outcome)),
    )
  }

  return coalesce<Read<unknown>, Outcome>({
    write: async (reads) => (reads.length === 1 ? [await alone(reads[0] as Read<unknown>)] : together(reads)),
    maxBatch,
    concurrency,
    overtakeAfter,
    maxWaiting,
    onFull: () => new PoolFull('too many wait for a snapshot'),
  })
}
