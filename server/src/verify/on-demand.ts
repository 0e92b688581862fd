// A verification that somebody asked this node for: one at a time, beside its requests, and its outcome is kept until the next.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { type Clock, minutes } from '../kernel/clock.ts'
import { safeError } from '../log.ts'
import type { Query } from '../store/sql.ts'
import type { Walk } from '../store/walks.ts'
import { type Findings, type Money, moneyOf, verification } from './verify.ts'

export interface Verifying {
  startedAt: Date
  /** Undefined while it runs. */
  endedAt: Date | undefined
  /** `late`: it took longer than it may, `failed`: it could not read; then the findings are of a part. */
  outcome: 'running' | 'through' | 'late' | 'failed'
  findings: Findings
  /** Of one moment, once all was looked at. */
  money: Money | undefined
}

export interface Verifier {
  /** The one that runs, or else the last. */
  current(): Verifying | undefined
  /**
   * Takes the turn of the next one; false while one runs, or somebody else has the turn. A node that does not begin
   * loses it.
   */
  claim(): boolean
  /** Begins one unless one runs. */
  begin(): void
  stop(): Promise<void>
}

/** Milliseconds between two batches: requests go first. */
const pause = 10
/** Milliseconds after which one is given up. */
const longest = minutes(10)
/** Milliseconds that a turn is kept: longer than the transaction takes that writes down who asked. */
const turn = minutes(1)

export function createVerifier(
  { sql, clock, log }: { sql: Query; clock: Clock; log: Logger },
  walks: () => readonly Walk[],
  limit: number = longest,
): Verifier {
  let last: Verifying | undefined
  let running: Promise<void> | undefined
  let claimedUntil = 0
  let stopped = false

  async function run(): Promise<void> {
    const { findings, step } = verification(walks())
    const verifying: Verifying = {
      startedAt: clock.now(),
      endedAt: undefined,
      outcome: 'running',
      findings,
      money: undefined,
    }
    last = verifying
    const until = performance.now() + limit
    try {
      while (await step(sql)) {
        if (stopped || performance.now() > until) {
          verifying.outcome = stopped ? 'failed' : 'late'
          return
        }
        await sleep(pause)
      }
      verifying.money = await moneyOf(sql)
      verifying.outcome = 'through'
    } catch (error) {
      verifying.outcome = 'failed'
      log.warn({ error: safeError(error) }, 'a verification that was asked for failed')
    } finally {
      verifying.endedAt = clock.now()
    }
  }

  return {
    current: () => last,
    claim() {
      const now = performance.now()
      if (running || now < claimedUntil) return false
      claimedUntil = now + turn
      return true
    },
    begin() {
      claimedUntil = 0
      if (stopped) return
      running ??= run().finally(() => {
        running = undefined
      })
    },
    async stop() {
      stopped = true
      await running
    },
  }
}
