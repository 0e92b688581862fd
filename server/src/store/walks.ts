// Verification consists of walks over tables by their keys, one statement per batch, so that each batch sees one state
// of the database and may run beside writers.
import { type Part, part } from '../kernel/part.ts'
import { only, type Query } from './sql.ts'

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

interface Steps extends Pick<Walk, 'over' | 'checks'> {
  /** The rows after a key, in its order: a batch of them is `next`. */
  next: (after: string) => Part
  /** The name of their key. */
  key?: Part
  size?: number
  /** Selects `check` and `id` of each difference. */
  wrong: Part
}

/** Rows of a batch, where a walk does not say. */
export const batchSize = 500

/** Whether a batch of the usual size is the last one, and the whole can be compared. */
export const isLastBatch: Part = part`(select count(*) from next) < ${batchSize}`

/** A walk whose rows add nothing to the money identity. */
export const walk = ({ over, checks, next, key = part`id`, size = batchSize, wrong }: Steps): Walk => ({
  over,
  checks,
  next: async (sql, after) =>
    only(
      await sql<Batch>`
        with next as materialized (${next(after)} limit ${size}), wrong as (${wrong})
        select max(${key}::text) as last, count(*)::int as seen, count(*) = ${size} as more, '0' as minor,
          (select coalesce(json_agg(wrong), '[]') from wrong) as wrong
        from next`,
    ),
})
