// How often something may happen in a window that moves with the clock: counted from the newest rows of what happened,
// so that there is no separate counter, and exact across nodes. docs/contract/limits.md.
import { after, clocksApart } from '../kernel/clock.ts'
import { type Part, part } from '../kernel/part.ts'
import { type Code, refuse } from '../kernel/refuse.ts'
import type { Tx } from '../store/sql.ts'

export interface Window {
  /** Milliseconds. */
  period: number
  /** How often within it; 0 for no limit. */
  most: number
}

export interface Rate {
  name: string
  /** The refusal beyond the limit. */
  code: Code
  windows: readonly Window[]
}

/** The newest moments that count, at most so many: not those from before the clock was set back, or the wait would be as long. */
export const counted = (newest: Part, now: Date, most: number): Part => part`
  select newest.at from (${newest}) as newest (at) where newest.at <= ${after(now, clocksApart)} limit ${most}`

/**
 * Refuses one more if a window is full, with the seconds until there is room. `newest` selects the moments (one column)
 * of the party's actions, newest first and without a limit, through an index of its own. Other counts for the party
 * wait until this transaction ends.
 */
export async function requireRate(tx: Tx, { name, code, windows }: Rate, partyId: string, newest: Part): Promise<void> {
  const limits = windows.filter(({ most }) => most > 0)
  if (limits.length === 0) return
  const deepest = Math.max(...limits.map(({ most }) => most))
  // Two statements of one flight: a single one that waited would count a stale state.
  const [, rows] = await Promise.all([
    tx`select pg_advisory_xact_lock(hashtextextended(${`rate ${name} ${partyId}`}, 0))`,
    tx<{ at: Date }>`${counted(newest, tx.now, deepest)}`,
  ])
  const waits = limits.map(({ period, most }) => {
    const last = rows[most - 1]
    return last ? last.at.getTime() + period - tx.now.getTime() : 0
  })
  const wait = Math.max(...waits)
  if (wait > 0)
    refuse(code, { retryAfter: Math.ceil(wait / 1000), message: 'Too many in a short time; wait, then try again' })
}
