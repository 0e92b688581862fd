// Verification consists of walks over tables by their keys, one statement per batch, so that each batch sees one state
// of the database and may run beside writers.
import type { Query } from './sql.ts'

/** One difference. */
export interface Difference {
  /** One of the checks that its walk names. */
  check: string
  /** Of the party, transaction or order; null for the whole. */
  id: string | null
}

export interface Batch {
  /** The key of the last row, where the next batch begins; null if there was none. */
  last: string | null
  seen: number
  /** Whether there may be rows after `last`. */
  more: boolean
  /** What the rows add to the money identity, in minor units: it is zero over all. */
  minor: string
  wrong: Difference[]
}

export interface Walk {
  /** What it walks over, in the plural: `orders`. */
  over: string
  /** What can differ, and what that means. */
  checks: Readonly<Record<string, string>>
  /** The rows after a key. */
  next: (sql: Query, after: string) => Promise<Batch>
}
