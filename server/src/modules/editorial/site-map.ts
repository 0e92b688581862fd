// Articles for search engines: what is published for everyone.
import { part } from '../../kernel/part.ts'
import type { Mapped } from '../../store/site-map.ts'

export const mappedArticles: Mapped = {
  kind: 'articles',
  every: part`select id from articles`,
  listed: (among) => part`select article_id as id from listed_articles where ${among(part`article_id`)}`,
  told: part`select r.id::text as key, r.updated_at as changed_at from articles r where r.id = l.id`,
}
