// Which things everyone may read on the public site: the console leads to the pages of these alone.
import { isPublicProjectCase } from '../modules/attachments/holders.ts'
import type { Query } from '../store/sql.ts'

/** Those of these works, services, tasks, ideas, articles and project cases that have a page for everyone. */
export async function shownToAll(sql: Query, ids: readonly string[]): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set()
  const shown = await sql<{ id: string }>`
    with asked as (select unnest(${ids}::uuid[]) as id)
    select l.post_id as id from asked join listed_posts l on l.post_id = asked.id
    union all select l.service_id from asked join listed_services l on l.service_id = asked.id
    union all select l.task_id from asked join listed_tasks l on l.task_id = asked.id
    union all select l.idea_id from asked join listed_ideas l on l.idea_id = asked.id
    union all select l.article_id from asked join listed_articles l on l.article_id = asked.id
    union all select c.id from asked join project_cases c on c.id = asked.id where ${isPublicProjectCase}`
  return new Set(shown.map(({ id }) => id))
}
