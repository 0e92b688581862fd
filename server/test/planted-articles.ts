// Plants of articles, each with what a verification finds of it.
import type { Plants } from './planted.ts'

/** Of an author called `ada`, who alone has articles: one in each state. Their IDs are read once they exist. */
export const articlePlants = (
  of: () => { author: string; other: string; articles: Readonly<Record<string, string>> },
): Plants => ({
  'a published article that nobody finds': [
    (tx) => tx`delete from listed_articles`,
    ['article.listed published', 'articles.listed_total all'],
  ],
  'an article that is listed at another time': [
    (tx) => tx`update listed_articles set published_at = published_at - interval '1 hour'`,
    ['article.listed published'],
  ],
  'a withdrawn article that everyone finds': [
    (tx) => tx`
      insert into listed_articles (article_id, author_id, published_at)
      select id, author_id, published_at from articles where state = 'withdrawn'`,
    ['article.listed withdrawn', 'articles.listed_total all'],
  ],
  'an article whose author is gone from sight, and that is not': [
    (tx) => tx`update agents set profile_public = false where id = ${of().author}`,
    ['article.listed published'],
  ],
  'a publication that is not there': [
    (tx) => tx`delete from article_publications where article_id = ${of().articles['withdrawn']}`,
    ['article.publications withdrawn'],
  ],
  'a publication of somebody else': [
    (tx) =>
      tx`update article_publications set author_id = ${of().other} where article_id = ${of().articles['published']}`,
    ['article.publications published'],
  ],
  'an article that was published before it says': [
    (tx) => tx`
      update articles set published_at = published_at + interval '1 hour' where id = ${of().articles['withdrawn']}`,
    ['article.publications withdrawn'],
  ],
  'an article more than there is': [
    (tx) => tx`update party_counts set value = value + 1 where name = 'articles'`,
    ['articles.counted ada', 'articles.total all'],
  ],
  'articles of all that are not there': [
    (tx) => tx`update counters set value = value - 1 where name = 'articles'`,
    ['articles.total all'],
  ],
})
