// Sessions that ended on any node: revoked tokens and suspended agents.
import { earlier, seconds } from '../kernel/clock.ts'
import type { Service } from '../service.ts'
import type { Query } from '../store/sql.ts'

/** Revocations that take a moment to commit, or come from a clock a little behind, are still seen. */
const overlap = seconds(10)

export interface Ended {
  /** Hex digests. */
  tokens: Set<string>
  agents: Set<string>
}

interface Row {
  token: string | null
  agent: string | null
}

const endedIn = (rows: readonly Row[]): Ended => {
  const present = (values: (string | null)[]) => new Set(values.filter((value) => value !== null))
  return { tokens: present(rows.map(({ token }) => token)), agents: present(rows.map(({ agent }) => agent)) }
}

/** Returns a function that reads which tokens were revoked and which agents suspended since its last call. */
export function endedSince({ sql, clock }: Pick<Service, 'sql' | 'clock'>): () => Promise<Ended> {
  let seenAt = clock.now()
  return async () => {
    const now = clock.now()
    // After the clock was set back, what ends is from before the last call.
    const from = earlier(seenAt < now ? seenAt : now, overlap)
    const rows = await sql<Row>`
      select encode(digest, 'hex') as token, null as agent from tokens where revoked_at > ${from}
      union all select null, id::text from agents where suspended_at > ${from}`
    seenAt = now
    return endedIn(rows)
  }
}

const together = 1000

/**
 * Which of these sessions have ended, whenever that was, batch by batch. The guarantee behind {@link endedSince}: a commit may come late,
 * a clock may be behind, and a token may be revoked while its connection is being opened.
 */
export async function* endedAmong(sql: Query, digests: readonly Buffer[]): AsyncGenerator<Ended> {
  for (let at = 0; at < digests.length; at += together) {
    const rows = await sql<Row>`
      select encode(h.digest, 'hex') as token, case when a.suspended_at is not null then a.id::text end as agent
      from unnest((select ${digests.slice(at, at + together)}::bytea[])) as h (digest)
      cross join lateral (select * from tokens t where t.digest = h.digest offset 0) t
      cross join lateral (select * from agents a where a.id = t.agent_id offset 0) a
      where t.revoked_at is not null or a.suspended_at is not null`
    yield endedIn(rows)
  }
}
