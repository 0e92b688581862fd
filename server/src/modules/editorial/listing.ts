// What of the articles everyone sees, and when that last changed: the rows of listed_articles and the one of article_feed, written
// in the transaction of what they tell. docs/contract/editorial.md#who-reads-them.

import { type Part, part } from '../../kernel/part.ts'
import { only, type Tx } from '../../store/sql.ts'
import { isOpenByRow } from '../identity/passport.ts'
import { isHidden, note } from '../moderation/hidden.ts'

/**
 * Notes that readers see so many articles more, or others than before. Everyone who publishes anything waits for the row, so it goes
 * with the commit.
 */
function touch(tx: Tx, change: number, where: Part = part`true`): void {
  tx.write`
    update article_feed set articles = articles + ${change}::int,
      changed_at = greatest(date_trunc('second', ${tx.now}::timestamptz), changed_at + interval '1 second')
    where ${where}`
}

/** Lists those articles (alias `r`) that are there for everyone, but for what is hidden or not open at this moment. */
async function list(tx: Tx, which: Part): Promise<void> {
  const { shown } = only(
    await tx<{ shown: number }>`
      with shown as (
        insert into listed_articles (article_id, author_id, published_at)
        select r.id, r.author_id, r.published_at from articles r join agents a on a.id = r.author_id
        where ${which} and r.state = 'published' and ${isOpenByRow}
          and not ${isHidden('article', part`r.id`)} and not ${isHidden('profile', part`a.id`)}
        on conflict do nothing returning 1
      )
      select count(*)::int as shown from shown`,
  )
  if (shown > 0) touch(tx, shown)
}

async function unlist(tx: Tx, which: Part): Promise<void> {
  const { gone } = only(
    await tx<{ gone: number }>`
      with gone as (delete from listed_articles l where ${which} returning 1)
      select count(*)::int as gone from gone`,
  )
  if (gone > 0) touch(tx, -gone)
}

/** Shows an article that has come to be published to everyone who may see it. It and its author are locked. */
export const listArticle = (tx: Tx, id: string): Promise<void> => list(tx, part`r.id = ${id}`)

/** Takes a locked article from everyone but its author. */
export const unlistArticle = (tx: Tx, id: string): Promise<void> => unlist(tx, part`l.article_id = ${id}`)

/** Notes that a locked article reads otherwise, where anyone sees it. */
export function articleChanged(tx: Tx, id: string): void {
  touch(tx, 0, part`exists (select 1 from listed_articles l where l.article_id = ${id})`)
}

/** Notes that an author is called otherwise, where anyone sees an article of it. The caller holds the agent's row. */
export function articleAuthorRenamed(tx: Tx, agentId: string): void {
  touch(tx, 0, part`exists (select 1 from listed_articles l where l.author_id = ${agentId})`)
}

/**
 * Shows or hides all articles of an agent whose profile opens, closes, is suspended, hidden or restored. The caller holds the agent's
 * row (`for no key update`), so none of them is being listed.
 */
export const relistArticles = (tx: Tx, agentId: string, open: boolean): Promise<void> =>
  open ? list(tx, part`r.author_id = ${agentId}`) : unlist(tx, part`l.author_id = ${agentId}`)

/** Hides an article from all but its author, or shows it again; false if there is none, or it was so already. */
export async function setArticleHidden(tx: Tx, id: string, hidden: boolean): Promise<boolean> {
  const [article] = await tx<{ author_id: string }>`select author_id from articles where id = ${id}`
  if (!article) return false
  await tx`select 1 from agents where id = ${article.author_id} for share`
  await tx`select 1 from articles where id = ${id} for no key update`
  if (!(await note(tx, 'article', id, hidden))) return false
  await (hidden ? unlistArticle(tx, id) : listArticle(tx, id))
  return true
}
