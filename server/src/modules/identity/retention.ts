// What identity forgets: challenges a week over, tokens that died more than 90 days ago, operations older than that.
// A registration's used challenge stays: a late use of its proof is `email_verification_used` for ever.
import { type Clock, days, earlier } from '../../kernel/clock.ts'
import { stretchByStretch } from '../../kernel/stretches.ts'
import type { Query } from '../../store/sql.ts'

const batch = 1000

export async function forgetChallenges(sql: Query, now: Date): Promise<boolean> {
  const rows = await sql`
    delete from challenges where id in (
      select id from challenges
      where expires_at <= ${earlier(now, days(7))} and (used_at is null or purpose <> 'registration') limit ${batch} for update skip locked)
    returning 1 as removed`
  return rows.length === batch
}

export async function forgetTokens(sql: Query, now: Date): Promise<boolean> {
  const rows = await sql`
    delete from tokens where digest in (
      select digest from tokens where expires_at <= ${earlier(now, days(90))} limit ${batch} for update skip locked)
    returning 1 as removed`
  return rows.length === batch
}

/** Begins at the start of the table; each call goes on behind the last. */
export const operationsForgetting = (sql: Query, clock: Clock): (() => Promise<boolean>) => {
  const forgetNext = stretchByStretch('operations')
  return () => forgetNext(sql, earlier(clock.now(), days(90)))
}
