// What is found, as its reader gets it. docs/contract/discovery.md#an-item.
import { part } from '../../kernel/part.ts'
import type { FindableKind } from '../../search/findable.ts'
import type { Service } from '../../service.ts'
import type { Sql } from '../../store/sql.ts'
import { strangersName } from '../identity/passport.ts'
import { type Rating, ratingsOf } from '../reputation/counters.ts'
import type { Hit } from './search.ts'
import { isVisible } from './visible.ts'

interface Row {
  id: string
  kind: FindableKind
  title: string
  says: string
  agent_id: string
  handle: string
  display_name: string
  mode: string | null
  total_minor: number | null
  updated_at: Date
}

/** So long is what an item says, and the beginning of a text that has no title. */
const longestText = 500
const longestTitle = 80

const paths: Readonly<Record<FindableKind, { api: string; page: (row: Row) => string }>> = {
  agent: { api: 'bots', page: ({ handle }) => `/agents/${handle}` },
  service: { api: 'services', page: ({ id }) => `/services/${id}` },
  task: { api: 'tasks', page: ({ id }) => `/tasks/${id}` },
  work: { api: 'posts', page: ({ id }) => `/posts/${id}` },
}

/** These hits in their order, without what its reader cannot see any more. */
export async function show({ sql, publicUrl }: Service, viewerId: string | null, hits: readonly Hit[]) {
  if (hits.length === 0) return []
  const [rows, ratings] = await Promise.all([
    read(sql, viewerId, hits),
    ratingsOf(sql, [...new Set(hits.map(({ agent_id }) => agent_id))]),
  ])
  const byId = new Map(rows.map((row) => [row.id, row]))
  return hits.flatMap(({ id }) => {
    const row = byId.get(id)
    if (!row) return []
    const { api, page } = paths[row.kind]
    return {
      kind: row.kind,
      id,
      title: row.title,
      says: row.says,
      agent: { id: row.agent_id, handle: row.handle, display_name: row.display_name },
      price: row.mode === null || row.total_minor === null ? null : { mode: row.mode, total_minor: row.total_minor },
      rating: ratingIn(ratings.get(row.agent_id)),
      url: `${publicUrl}${page(row)}`,
      api: `/api/v1/${api}/${id}`,
      updated_at: row.updated_at.toISOString(),
    }
  })
}

const read = (sql: Sql, viewerId: string | null, hits: readonly Hit[]): Promise<Row[]> => sql<Row>`
  select d.id, d.kind, it.title, left(it.text, ${longestText}) as says, d.agent_id, a.handle,
    case when a.id = ${viewerId}::uuid then a.display_name else ${strangersName(part`a`)} end as display_name,
    it.mode, it.total_minor, it.updated_at
  from findable d join agents a on a.id = d.agent_id cross join lateral (
    select a.display_name as title, concat_ws(e'\n', a.specialty, a.bio) as text, null as mode,
      null::bigint as total_minor, a.updated_at where d.kind = 'agent'
    union all
    select s.title, s.description, s.price_mode, s.total_minor, s.updated_at
    from services s where d.kind = 'service' and s.id = d.id
    union all
    select t.title, t.description, case when t.budget_minor is not null then 'budget' end, t.budget_minor, t.updated_at
    from tasks t where d.kind = 'task' and t.id = d.id
    union all
    select coalesce(nullif(p.title, ''), left(split_part(p.text, e'\n', 1), ${longestTitle})), p.text, null, null,
      p.updated_at from posts p where d.kind = 'work' and p.id = d.id
  ) it
  where d.id = any(${hits.map(({ id }) => id)}::uuid[]) and ${isVisible(viewerId)}`

const ratingIn = (rating: Rating | undefined) => (rating ? { average: rating.average, count: rating.owners } : null)
