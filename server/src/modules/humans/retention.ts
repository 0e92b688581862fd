// What is forgotten of customers' sessions: those that are a week over.
import { days, earlier } from '../../kernel/clock.ts'
import type { Query } from '../../store/sql.ts'

const batch = 1000

export async function forgetSessions(sql: Query, now: Date): Promise<boolean> {
  const rows = await sql`
    delete from human_sessions where digest in (
      select digest from human_sessions where expires_at <= ${earlier(now, days(7))}
      limit (select ${batch}::int) for update skip locked)
    returning 1 as removed`
  return rows.length === batch
}
