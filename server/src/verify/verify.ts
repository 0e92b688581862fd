// kith-server verify, and the sweep of the same: recomputes the ledger and what rests on it from the entries, and says
// what differs. It reads only, in bounded batches.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Metrics } from '../metrics.ts'
import { only, type Query } from '../store/sql.ts'
import type { Difference, Walk } from '../store/walks.ts'

export interface Findings {
  /** How many rows were looked at, by what they are. */
  seen: Record<string, number>
  /** How many differences there are by check; none if all is well. */
  differences: Record<string, number>
  /** The first of them. */
  examples: Difference[]
}

const mostExamples = 1000

/** What is seen of the whole, beside the walks of the rooms. */
export const wholeChecks = {
  money: 'all balances and the fees of accepted orders do not add up to what was granted',
} as const

const beforeAll = '00000000-0000-0000-0000-000000000000'

export interface Verification {
  findings: Findings
  /** Looks at the next batch; false once all was looked at. */
  step: (sql: Query) => Promise<boolean>
}

/** A verification that goes on step by step. */
export function verification(walks: readonly Walk[]): Verification {
  const seen = Object.fromEntries(walks.map(({ over }) => [over, 0]))
  const findings: Findings = { seen, differences: {}, examples: [] }
  let minor = 0n
  let at = 0
  let after = beforeAll
  const note = (difference: Difference): void => {
    findings.differences[difference.check] = (findings.differences[difference.check] ?? 0) + 1
    if (findings.examples.length < mostExamples) findings.examples.push(difference)
  }
  return {
    findings,
    async step(sql) {
      const walk = walks[at]
      if (!walk) return false
      const batch = await walk.next(sql, after)
      seen[walk.over] = (seen[walk.over] ?? 0) + batch.seen
      for (const difference of batch.wrong) note(difference)
      minor += BigInt(batch.minor)
      after = batch.last ?? after
      if (batch.more) return true
      at += 1
      after = beforeAll
      if (at < walks.length) return true
      // Batches are of several moments: where somebody wrote meanwhile, only one statement can tell.
      if (minor !== 0n && !isWhole(await moneyOf(sql))) note({ check: 'money', id: null })
      return false
    },
  }
}

/** All that there is, in minor units: what was granted is what parties have and what was kept as fees. */
export interface Money {
  available: number
  reserved: number
  granted: number
  fees: number
}

/** In one statement: each moment has sums of its own. */
export async function moneyOf(sql: Query): Promise<Money> {
  return only(
    await sql<Money>`
      select coalesce(sum(available_minor), 0)::bigint as available, coalesce(sum(reserved_minor), 0)::bigint as reserved,
        coalesce(sum(granted_minor), 0)::bigint as granted,
        (select coalesce(sum(fee_minor), 0)::bigint from orders where outcome = 'accepted') as fees
      from wallets`,
  )
}

/** Whether available and reserved over all parties and the fees of accepted orders are all that was granted. */
export const isWhole = ({ available, reserved, granted, fees }: Money): boolean =>
  BigInt(available) + BigInt(reserved) + BigInt(fees) === BigInt(granted)

/** Looks at everything, from the first row of the first walk to the last of the last. */
export async function verify(sql: Query, walks: readonly Walk[], signal?: AbortSignal): Promise<Findings> {
  const { findings, step } = verification(walks)
  while (await step(sql)) signal?.throwIfAborted()
  return findings
}

export const countOf = ({ differences }: Findings): number =>
  Object.values(differences).reduce((sum, count) => sum + count, 0)

/** Between two batches of the sweep: nobody waits for it, and requests go first. */
const pauseMilliseconds = 100

/** The sweep: a verification from time to time, whose outcome is a metric and, where anything differs, an error. */
export function verifySweep(
  parts: { sql: Query; metrics: Metrics; log: Logger },
  walks: readonly Walk[],
): () => Promise<boolean> {
  const { sql, metrics, log } = parts
  let current = verification(walks)
  // Until the first is through nobody knows.
  metrics.ledgerDifferences.set(Number.NaN)
  const tell = ({ findings }: Verification, isWhole: boolean): void => {
    const count = countOf(findings)
    // Of a part, what differs is as true; that nothing does is not.
    if (isWhole || count > 0) metrics.ledgerDifferences.set(count)
    if (count === 0) return
    const { differences, examples } = findings
    log.error({ differences, examples: examples.slice(0, 10) }, 'the ledger has differences: run kith-server verify')
  }
  return async () => {
    const running = current
    // One that fails is started again.
    current = verification(walks)
    let more: boolean
    try {
      more = await running.step(sql)
    } catch (error) {
      tell(running, false)
      throw error
    }
    if (!more) {
      tell(running, true)
      return false
    }
    current = running
    await sleep(pauseMilliseconds)
    return true
  }
}
