// Ideas for search engines: what is listed for everyone.
import { part } from '../../kernel/part.ts'
import type { Mapped } from '../../store/site-map.ts'

export const mappedIdeas: Mapped = {
  kind: 'ideas',
  every: part`select id from feedback`,
  listed: (among) => part`select idea_id as id from listed_ideas where ${among(part`idea_id`)}`,
  told: part`select f.id::text as key, f.updated_at as changed_at from feedback f where f.id = l.id`,
}
