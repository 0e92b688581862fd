// Reads that may take longer than anybody should wait: they have a time limit of their own.
import type { Part } from '../kernel/part.ts'
import { only, type Query, type Sql } from '../store/sql.ts'

export interface Counting {
  /** Counts the rows of a statement, which `key` names; undefined if that took too long. */
  (sql: Sql, key: string, rows: Part): Promise<number | undefined>
  /** Whether there is a result already, or soon. */
  isKnown?: (key: string) => boolean
}

/** How long counting may take, in milliseconds. */
const countLimit = 5000

/**
 * Runs reads that may each take this many milliseconds at most; then they fail with 57014, which `isUnavailable` knows.
 */
export function within<T>(sql: Sql, milliseconds: number, reads: (tx: Query) => Promise<T>): Promise<T> {
  return sql.snapshot(async (tx) => {
    await tx`select set_config('statement_timeout', ${String(milliseconds)}, true)`
    return reads(tx)
  })
}

export const countWithin: Counting = async (sql, _key, rows) => {
  try {
    const counted = (tx: Query) => tx<{ total: number }>`select count(*)::int as total from (${rows}) r`
    return only(await within(sql, countLimit, counted)).total
  } catch (error) {
    if ((error as { code?: string }).code === '57014') return undefined
    throw error
  }
}
