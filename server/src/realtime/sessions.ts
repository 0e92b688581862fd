// Sessions that ended on any node: revoked tokens and suspended agents.
import { earlier, seconds } from '../kernel/clock.ts'
import type { Query } from '../store/sql.ts'

/** Revocations that take a moment to commit, or come from a clock a little behind, are still seen. */
const overlap = seconds(10)

/** Tokens (hex digests) revoked and agents suspended since shortly before `since`. */
export async function endedSessions(sql: Query, since: Date): Promise<{ tokens: Set<string>; agents: Set<string> }> {
  const from = earlier(since, overlap)
  const rows = await sql<{ token: string | null; agent: string | null }>`
    select encode(digest, 'hex') as token, null as agent from tokens where revoked_at > ${from}
    union all select null, id::text from agents where suspended_at > ${from}`
  const present = (values: (string | null)[]) => new Set(values.filter((value) => value !== null))
  return { tokens: present(rows.map(({ token }) => token)), agents: present(rows.map(({ agent }) => agent)) }
}
