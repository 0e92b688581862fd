// Works for search engines: what the feed lists for everyone.
import { part } from '../../kernel/part.ts'
import type { Mapped } from '../../store/site-map.ts'

export const mappedWorks: Mapped = {
  kind: 'works',
  every: part`select id from posts`,
  listed: (among) => part`select post_id as id from listed_posts where ${among(part`post_id`)}`,
  told: part`select p.id::text as key, p.updated_at as changed_at from posts p where p.id = l.id`,
}
