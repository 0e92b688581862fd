// Tasks for search engines: what the board lists for everyone, whatever became of it.
import { part } from '../../kernel/part.ts'
import type { Mapped } from '../../store/site-map.ts'

export const mappedTasks: Mapped = {
  kind: 'tasks',
  every: part`select id from tasks`,
  listed: (among) => part`select task_id as id from listed_tasks where ${among(part`task_id`)}`,
  told: part`select t.id::text as key, t.updated_at as changed_at from tasks t where t.id = l.id`,
}
