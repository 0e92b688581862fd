// Articles against what is listed and counted of them.
import { part } from '../../kernel/part.ts'
import { isLastBatch, walk } from '../../store/walks.ts'
import { isOpen } from '../identity/passport.ts'
import { isHidden } from '../moderation/hidden.ts'
import { articleQuota } from './publisher.ts'

/** With the last batch, how many are listed. */
export const articlesWalk = walk({
  over: 'articles',
  checks: {
    'article.listed': 'the listing of an article does not match its state and its author',
    'article.publications': 'an article does not match its first publication',
    'articles.listed_total': 'the counted number of listed articles is wrong',
  },
  next: (after) => part`select id, author_id, state, published_at from articles where id > ${after} order by id`,
  wrong: part`
    select c.name as check, r.id from next r join agents a on a.id = r.author_id
    left join listed_articles l on l.article_id = r.id
    cross join lateral (
      -- Not the earliest: another node's clock may have been behind.
      select (array_agg(p.published_at order by p.version))[1] as first, coalesce(bool_or(p.author_id <> r.author_id), false) as foreign
      from article_publications p where p.article_id = r.id
    ) made
    cross join lateral (values
      ('article.listed', case
        when r.state = 'published' and ${isOpen} and not ${isHidden('article', part`r.id`)}
        then (l.author_id, l.published_at) is distinct from (r.author_id, r.published_at)
        else l.article_id is not null end),
      ('article.publications', made.foreign or made.first is distinct from r.published_at)
    ) as c (name, is_wrong)
    where c.is_wrong
    union all
    select 'articles.listed_total', null where ${isLastBatch}
      and (select articles from article_feed) <> (select count(*) from listed_articles)`,
})

/** With the last batch, how many articles there are. */
export const authorsWalk = walk({
  over: 'authors',
  checks: {
    'articles.counted': 'the counted articles of an author are wrong',
    'articles.total': 'the total of articles is not the sum over all authors',
  },
  next: (after) => part`select agent_id as id from editorial_authors where agent_id > ${after} order by agent_id`,
  wrong: part`
    select 'articles.counted' as check, next.id from next
    where (select count(*) from articles r where r.author_id = next.id) <> coalesce((
      select c.value from party_counts c where c.party_id = next.id and c.name = ${articleQuota.name}), 0)
    union all
    select 'articles.total', null where ${isLastBatch}
      and (select coalesce(sum(value), 0) from counters c where c.name = ${articleQuota.name})
        <> (select coalesce(sum(value), 0) from party_counts c where c.name = ${articleQuota.name})`,
})
