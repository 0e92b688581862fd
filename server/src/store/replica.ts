// Reads that a replica of the database may answer. It is asked only if it has replayed all that was committed when the
// read began: what was written is there, and what was withdrawn is gone, as on the primary. docs/several-nodes.md#replicas.
import { setTimeout as sleep } from 'node:timers/promises'
import { isUnavailable, type Sql } from './sql.ts'
import { Late, within } from './within.ts'

export interface Replica {
  readonly sql: Sql
  /** Runs one of these: a replica that is behind or fails leaves the read to the primary, which may repeat it. */
  readonly read: <T>(onReplica: () => Promise<T>, onPrimary: () => Promise<T>) => Promise<T>
  /** False while reads go to the primary. */
  readonly isUsed: () => boolean
  readonly end: () => Promise<void>
}

/** Milliseconds that a read waits for the replica to catch up. */
const patience = 100
/** Milliseconds for the read itself, before the primary gets it. */
const readLimit = 3000
/** Milliseconds for which the primary gets all reads after the replica was late or failed. */
const pause = 1000
/** Milliseconds between two looks at how far the replica is. */
const lookEvery = 5

/** Makes `replica`, a pool of a hot standby of the server of `primary`, answer reads while it keeps up. */
export function openReplica({
  primary,
  replica,
  onRead,
}: {
  primary: Sql
  replica: Sql
  /** Called with what answered each read. */
  onRead: (by: 'replica' | 'primary') => void
}): Replica {
  let unusedUntil = 0
  let running: Promise<unknown> = Promise.resolve()
  let next: Promise<void> | undefined

  /** Everyone who asks before it begins shares the next look; one is under way at a time. */
  function caughtUp(): Promise<void> {
    next ??= running.then(() => {
      next = undefined
      const look = catchUp()
      running = look.catch(() => {})
      return look
    })
    return next
  }

  async function catchUp(): Promise<void> {
    // What was acknowledged was flushed. A standby that follows another history may be further on, so both are compared.
    const [at] = await primary<{ lsn: string; timeline: number }>`
      select pg_current_wal_flush_lsn()::text as lsn,
        ('x' || left(pg_walfile_name(pg_current_wal_flush_lsn()), 8))::bit(32)::int as timeline
      where not pg_is_in_recovery()`
    if (!at) throw new Late('the primary has become a replica')
    for (const deadline = performance.now() + patience; ; await sleep(lookEvery)) {
      const [state] = await within(
        patience,
        replica<{ isThere: boolean | null }>`
          select pg_last_wal_replay_lsn() >= ${at.lsn}::pg_lsn
            and (pg_control_recovery()).min_recovery_end_timeline = ${at.timeline} as "isThere"`,
      )
      if (state?.isThere) return
      if (performance.now() > deadline) throw new Late('the replica is behind')
    }
  }

  return {
    sql: replica,
    isUsed: () => performance.now() >= unusedUntil,
    end: () => replica.end(),
    async read(onReplica, onPrimary) {
      if (performance.now() < unusedUntil) {
        onRead('primary')
        return onPrimary()
      }
      try {
        await caughtUp()
        const found = await within(readLimit, onReplica())
        onRead('replica')
        return found
      } catch (error) {
        if (!(error instanceof Late) && !isUnavailable(error)) throw error
        unusedUntil = performance.now() + pause
        onRead('primary')
        return onPrimary()
      }
    },
  }
}
