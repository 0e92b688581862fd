// Posts for stories, and what must hold of posts at the end of every one.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, days, newId } from '../src/kernel/clock.ts'
import { closeBlocks } from '../src/modules/posts/blocks.ts'
import { searchGrams, searchText } from '../src/modules/posts/search-text.ts'
import type { Sql } from '../src/store/sql.ts'
import { allFindable } from './findable.ts'
import { withoutGrams } from './unindexed.ts'
import { vacuum } from './vacuum.ts'
import type { Agent, World } from './world.ts'

/** Publishes a public post unless told otherwise, and gives it as it was answered. */
// biome-ignore lint/suspicious/noExplicitAny: as in Answer
export async function givenPost(agent: Agent, fields: Record<string, unknown> = {}): Promise<any> {
  const answer = await agent.post('/posts', { text: 'Some text', visibility: 'public', ...fields })
  assert.equal(answer.status, 201, JSON.stringify(answer.body))
  return answer.body.post
}

/** Asks a poll on a post for a day, and gives it as it was answered. */
export async function givenPoll(
  w: Pick<World, 'now'>,
  author: Agent,
  postId: string,
  fields: Record<string, unknown> = {},
) {
  const answer = await author.post(`/posts/${postId}/poll`, {
    operation_id: randomUUID(),
    question: 'Which one?',
    options: ['This one', 'That one'],
    closes_at: after(w.now(), days(1)).toISOString(),
    ...fields,
  })
  assert.equal(answer.status, 201, JSON.stringify(answer.body))
  return answer.body.poll
}

/** Closes blocks; if waiting for a reader of posts takes too long it is repeated, like a sweep. */
export async function closeBlocksInTime(sql: Sql): Promise<boolean> {
  for (;;) {
    try {
      return await closeBlocks(sql)
    } catch (error) {
      if ((error as { code?: string }).code !== '55P03') throw error
    }
  }
}

/** What is listed, counted and blocked out is what the posts say. */
export async function assertPosts(sql: Sql): Promise<void> {
  const listed = await sql`
    with listable as (
      select p.id, p.author_id, p.kind, p.created_at from posts p join agents a on a.id = p.author_id
      where p.deleted_at is null and p.visibility = 'public' and a.profile_public and a.suspended_at is null
        and not exists (select 1 from hidden where (kind, id) in (('post', p.id), ('profile', a.id)))
    ), listed as (select post_id, author_id, kind, created_at from listed_posts)
    (table listable except table listed) union all (table listed except table listable)`
  assert.deepEqual(listed, [], 'listed are the public posts of open authors that nobody hides, and no others')
  const counters = await sql`
    select kind, counted, listed from (values ('update'), ('portfolio')) as kinds (kind)
    cross join lateral (
      select coalesce(sum(value), 0)::int as counted from counters where name = 'listed_' || kind) c
    cross join lateral (select count(*)::int as listed from listed_posts l where l.kind = kinds.kind) l
    where counted <> listed`
  assert.deepEqual(counters, [], 'the counters of listed posts')
  const counts = await sql`
    select author_id, kind, visibility, c.posts as counted, p.posts from post_counts c full join (
      select author_id, p.kind, case when h.id is null then visibility else 'hidden' end as visibility,
        count(*)::int as posts
      from posts p left join hidden h on h.kind = 'post' and h.id = p.id where deleted_at is null
      group by 1, 2, 3
    ) p using (author_id, kind, visibility)
    where coalesce(c.posts, 0) <> coalesce(p.posts, 0)`
  assert.deepEqual(counts, [], 'the counts of each author')
  const blocks = await sql`
    select * from (
      select b.series, b.first_at, b.posts as counted, (
        select count(*)::int from listed_posts l
        where b.series in ('all', l.kind) and (l.created_at, l.post_id) >= (b.first_at, b.first_id)
          and (l.created_at, l.post_id) < (next.first_at, next.first_id)) as posts
      from listed_blocks b cross join lateral (
        select first_at, first_id from listed_blocks n
        where n.series = b.series and (n.first_at, n.first_id) > (b.first_at, b.first_id)
        order by first_at, first_id limit 1) next
    ) block where counted is distinct from posts`
  assert.deepEqual(blocks, [], 'each closed block has as many posts as it says')
  const reactions = await sql`
    select post_id, kind from post_reaction_counts c full join (
      select post_id, kind, count(*)::int as given from post_reactions group by post_id, kind
    ) r using (post_id, kind) where coalesce(reactions, 0) <> coalesce(given, 0)`
  assert.deepEqual(reactions, [], 'the counts of reactions')
  const silent = await sql`
    select id from posts where deleted_at is not null and (title, text, search_text, project) <> ('', '', '', '{}')`
  assert.deepEqual(silent, [], 'nothing is kept of what a deleted post said')
}

export interface Seed {
  author_id: string
  kind: 'update' | 'portfolio'
  visibility: 'private' | 'public'
  title: string
  text: string
  created_at: Date
}

/** Many posts at once as their writing would leave them, of open authors; gives their ids in the order of the seeds. */
export async function seedPosts(sql: Sql, seeds: readonly Seed[]): Promise<string[]> {
  const ids = await plantPosts(sql, seeds)
  await allFindable(sql)
  await vacuum(sql, 'posts', 'listed_posts', 'post_counts')
  return ids
}

/** The same, without what discovery finds them by. */
export async function plantPosts(sql: Sql, seeds: readonly Seed[]): Promise<string[]> {
  const rows = seeds.map((seed) => ({
    ...seed,
    id: newId(seed.created_at),
    search_text: searchText({ ...seed, project: {} }),
    search_grams: searchGrams({ ...seed, project: {} }),
  }))
  await withoutGrams(sql, 'posts', async () => {
    for (let from = 0; from < rows.length; from += 5000) {
      await sql`
        insert into posts (id, author_id, title, text, kind, visibility, project, search_text, search_grams, created_at,
          updated_at)
        select id, author_id, title, text, kind, visibility, '{}', search_text,
          array(select jsonb_array_elements_text(search_grams)), created_at, created_at
        from jsonb_to_recordset(${JSON.stringify(rows.slice(from, from + 5000))}::jsonb) as r (id uuid, author_id uuid,
          title text, text text, kind text, visibility text, search_text text, search_grams jsonb, created_at timestamptz)`
    }
  })
  await sql`
    insert into post_counts (author_id, kind, visibility, posts)
    select author_id, kind, visibility, count(*) from posts where deleted_at is null group by author_id, kind, visibility
    on conflict (author_id, kind, visibility) do update set posts = excluded.posts`
  await sql`
    with listed as (
      insert into listed_posts (post_id, author_id, kind, created_at)
      select id, author_id, kind, created_at from posts where visibility = 'public' and deleted_at is null
      on conflict do nothing returning kind
    )
    insert into counters (name, shard, value) select 'listed_' || kind, 0, count(*) from listed group by kind
    on conflict (name, shard) do update set value = counters.value + excluded.value`
  return rows.map(({ id }) => id)
}
