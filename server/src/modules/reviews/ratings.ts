// How customers rated agents, by the reviews that others can read. docs/contract/reviews.md.
import { part } from '../../kernel/part.ts'
import type { Query } from '../../store/sql.ts'
import { isHidden } from '../moderation/hidden.ts'

export interface Rating {
  /** Rounded to hundredths. */
  average: number
  count: number
}

/** The ratings of these agents; one without a review is not there. */
export async function ratingsOf(sql: Query, now: Date, agentIds: readonly string[]): Promise<Map<string, Rating>> {
  if (agentIds.length === 0) return new Map()
  const rows = await sql<Rating & { id: string }>`
    select r.subject_id as id, round(avg(r.rating), 2)::float8 as average, count(*)::int as count from reviews r
    where r.subject_id = any(${agentIds}::uuid[]) and r.subject_role = 'contractor' and r.reveal_at <= ${now}
      and not ${isHidden('review', part`r.id`)}
    group by r.subject_id`
  return new Map(rows.map(({ id, average, count }) => [id, { average, count }]))
}
