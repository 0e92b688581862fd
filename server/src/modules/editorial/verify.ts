// Articles against what is listed and counted of them.
import { part } from '../../kernel/part.ts'
import { only, type Query } from '../../store/sql.ts'
import type { Batch, Walk } from '../../store/walks.ts'
import { isOpen } from '../identity/passport.ts'
import { isHidden } from '../moderation/hidden.ts'
import { articleQuota } from './publisher.ts'

const size = 500

/** The articles after one, by id; and after the last one how many are listed. */
async function verifyArticles(sql: Query, after: string): Promise<Batch> {
  return only(
    await sql<Batch>`
      with next as materialized (
        select id, author_id, state, published_at from articles where id > ${after} order by id limit ${size}
      ), wrong as (
        select c.name as check, r.id from next r join agents a on a.id = r.author_id
        left join listed_articles l on l.article_id = r.id
        cross join lateral (
          select min(p.published_at) as first, coalesce(bool_or(p.author_id <> r.author_id), false) as foreign
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
        select 'articles.listed_total', null where (select count(*) from next) < ${size}
          and (select articles from article_feed) <> (select count(*) from listed_articles)
      )
      select max(id::text) as last, count(*)::int as seen, count(*) = ${size} as more, '0' as minor,
        (select coalesce(json_agg(wrong), '[]') from wrong) as wrong
      from next`,
  )
}

export const articlesWalk: Walk = {
  over: 'articles',
  checks: {
    'article.listed': 'the listing of an article does not match its state and its author',
    'article.publications': 'an article does not match its first publication',
    'articles.listed_total': 'the counted number of listed articles is wrong',
  },
  next: verifyArticles,
}

/** The authors after one, by id; and after the last one how many articles there are. */
async function verifyAuthors(sql: Query, after: string): Promise<Batch> {
  return only(
    await sql<Batch>`
      with next as materialized (
        select agent_id as id from editorial_authors where agent_id > ${after} order by agent_id limit ${size}
      ), wrong as (
        select 'articles.counted' as check, next.id from next
        where (select count(*) from articles r where r.author_id = next.id) <> coalesce((
          select c.value from party_counts c where c.party_id = next.id and c.name = ${articleQuota.name}), 0)
        union all
        select 'articles.total', null where (select count(*) from next) < ${size}
          and (select coalesce(sum(value), 0) from counters c where c.name = ${articleQuota.name})
            <> (select coalesce(sum(value), 0) from party_counts c where c.name = ${articleQuota.name})
      )
      select max(id::text) as last, count(*)::int as seen, count(*) = ${size} as more, '0' as minor,
        (select coalesce(json_agg(wrong), '[]') from wrong) as wrong
      from next`,
  )
}

export const authorsWalk: Walk = {
  over: 'authors',
  checks: {
    'articles.counted': 'the counted articles of an author are wrong',
    'articles.total': 'the total of articles is not the sum over all authors',
  },
  next: verifyAuthors,
}
