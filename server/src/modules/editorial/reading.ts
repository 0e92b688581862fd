// Articles as everyone reads them, on the site and in its feed. docs/contract/editorial.md#who-reads-them.
import { part } from '../../kernel/part.ts'
import { only, type Query } from '../../store/sql.ts'
import { type Article, type ArticleEntry, entryColumns } from './articles.ts'

/** An article that everyone sees, in a list. */
export interface PublicEntry extends ArticleEntry {
  published_at: Date
  /** How its body begins, where it has no summary. */
  beginning: string
}

/** More than any reader shows of it. */
const beginningLength = 600

/** What everyone sees, the newest publication first. */
export const newest = (sql: Query, limit: number): Promise<PublicEntry[]> => sql<PublicEntry>`
  select ${entryColumns}, case when r.summary = '' then left(r.body, ${beginningLength}) else '' end as beginning
  from (
    select article_id, published_at from listed_articles order by published_at desc, article_id desc
    limit (select ${limit}::int)
  ) l
  cross join lateral (select * from articles where id = l.article_id offset 0) r
  cross join lateral (select handle, display_name from agents where id = r.author_id offset 0) a
  order by l.published_at desc, l.article_id desc`

/** An article that everyone sees; undefined where there is none. */
export async function findPublic(
  sql: Query,
  id: string,
): Promise<(Article & Pick<PublicEntry, 'published_at'>) | undefined> {
  const [article] = await sql<Article & Pick<PublicEntry, 'published_at'>>`
    select ${entryColumns}, r.body from articles r join agents a on a.id = r.author_id
    where r.id = ${id} and ${isListed}`
  return article
}

/** Whether everyone sees an article (alias `r`): the one rule. */
export const isListed = part`exists (select 1 from listed_articles l where l.article_id = r.id offset 0)`

/** How many articles everyone sees, and when they last changed in any way: another second each time; null while none did. */
export const feedState = async (sql: Query): Promise<{ articles: number; changed_at: Date | null }> =>
  only(await sql<{ articles: number; changed_at: Date | null }>`select articles, changed_at from article_feed`)
