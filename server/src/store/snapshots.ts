// Connections between two snapshots: the commit of one travels with the beginning of the next, so that under load a
// snapshot needs no round trip for its end. docs/decisions/0011-round-trips.md.
import type pg from 'pg'
import { fixed } from './statement.ts'

export const beginReading = fixed('begin isolation level repeatable read read only')
export const commit = fixed('commit')

/** A connection for one snapshot after the other. */
interface Lent {
  client: pg.PoolClient
  /** Whether the last snapshot has not been committed. */
  isOpen: boolean
  /** Snapshots so far, this one included. */
  turns: number
}

export interface Snapshots {
  borrow(): Promise<Lent>
  /** After a snapshot that succeeded. */
  giveBack(lent: Lent): void
}

/** After so many snapshots a connection goes back, so that its pool can lend it to others, or end it. */
const mostTurns = 8

/** Milliseconds. Under load the next snapshot begins sooner, and nobody else notices one that ends so much later. */
const keptFor = 1

/**
 * A connection that is given back with an open snapshot may be borrowed for the next one for a moment. Then its snapshot is
 * committed and its pool has it again; at once if somebody waits for a connection.
 */
export function snapshotsOf(pool: pg.Pool): Snapshots {
  let between: Lent[] = []

  function release({ client, isOpen }: Lent): void {
    // Nobody waits for the answer: whoever borrows the connection next sends its statements behind it.
    if (isOpen) void client.query(commit.text).catch(() => {})
    client.release()
  }

  function releaseAll(): void {
    const left = between
    between = []
    for (const lent of left) release(lent)
  }

  return {
    async borrow() {
      // Whoever waits for a connection came first.
      if (pool.waitingCount > 0) releaseAll()
      const lent = between.pop()
      return lent ? { ...lent, turns: lent.turns + 1 } : { client: await pool.connect(), isOpen: false, turns: 1 }
    },
    giveBack(lent) {
      const isKept = lent.isOpen && lent.turns < mostTurns && pool.waitingCount === 0
      if (!isKept) return release(lent)
      if (between.length === 0) setTimeout(releaseAll, keptFor)
      between.push(lent)
    },
  }
}
