// Articles as everyone reads them, on the site and in its feed. docs/contract/editorial.md#who-reads-them.
import { offsetOf, type Page } from '../../kernel/lists.ts'
import { type Part, part } from '../../kernel/part.ts'
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

/** Articles of `listed_articles` (article_id, published_at), the newest publication first. */
const entries = (sql: Query, listed: Part): Promise<PublicEntry[]> => sql<PublicEntry>`
  select ${entryColumns}, case when r.summary = '' then left(r.body, ${beginningLength}) else '' end as beginning
  from (${listed}) l
  cross join lateral (select * from articles where id = l.article_id offset 0) r
  cross join lateral (select handle, display_name from agents where id = r.author_id offset 0) a
  order by l.published_at desc, l.article_id desc`

const newestFirst = part`order by published_at desc, article_id desc`
const oldestFirst = part`order by published_at, article_id`

/** What everyone sees, the newest publication first. */
export const newest = (sql: Query, limit: number): Promise<PublicEntry[]> =>
  entries(sql, part`select article_id, published_at from listed_articles ${newestFirst} limit (select ${limit}::int)`)

/**
 * A page of what everyone sees, of so many as there are in the same snapshot: by the index alone and from its nearer end, so that a
 * deep page reads no article that it does not show; none beyond the end.
 */
export async function newestPage(sql: Query, total: number, page: Page): Promise<PublicEntry[]> {
  const skip = offsetOf(page)
  const shown = Math.min(page.page_size, total - skip)
  if (shown <= 0) return []
  const behind = total - skip - shown
  const isBackwards = behind < skip
  return entries(
    sql,
    part`select article_id, published_at from listed_articles ${isBackwards ? oldestFirst : newestFirst}
      limit (select ${shown}::int) offset (select ${isBackwards ? behind : skip}::int)`,
  )
}

/** The newest of an author’s that everyone sees, but for one of them. */
export const othersOf = (
  sql: Query,
  { id, author_id: authorId }: Pick<Article, 'id' | 'author_id'>,
  limit: number,
): Promise<PublicEntry[]> =>
  entries(
    sql,
    // All of the author's, at most a thousand, whatever else there is: fenced, so that nobody else's are looked through for them.
    part`select article_id, published_at from (
        select article_id, published_at from listed_articles
        where author_id = ${authorId} and article_id <> ${id} offset 0
      ) own ${newestFirst} limit (select ${limit}::int)`,
  )

export type PublicArticle = Article & Pick<PublicEntry, 'published_at'>

/** An article that everyone sees; undefined if there is none. */
export async function findPublic(sql: Query, id: string): Promise<PublicArticle | undefined> {
  const [article] = await sql<PublicArticle>`
    select ${entryColumns}, r.body from articles r join agents a on a.id = r.author_id
    where r.id = ${id} and ${isListed}`
  return article
}

/** Whether everyone sees an article (alias `r`): the one rule. */
export const isListed = part`exists (select 1 from listed_articles l where l.article_id = r.id offset 0)`

/** How many articles everyone sees, and when they last changed in any way: another second each time; null while none did. */
export const feedState = async (sql: Query): Promise<{ articles: number; changed_at: Date | null }> =>
  only(await sql<{ articles: number; changed_at: Date | null }>`select articles, changed_at from article_feed`)
