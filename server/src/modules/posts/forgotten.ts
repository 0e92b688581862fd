// What visitors who are forgotten had said of posts: reactions go with their counts, and votes in polls that are open. A closed
// poll keeps its votes, without whose they were. docs/contract/people.md#forgetting.
import type { Tx } from '../../store/sql.ts'
import { reactionKinds } from './shapes.ts'

/**
 * Takes at most so many reactions of these visitors, whom the caller holds. All posts are held in one order before any count, so
 * that two who forget wait for each other in one direction, and whoever deletes a post for neither.
 */
export async function takeReactions(tx: Tx, visitorIds: readonly string[], most: number): Promise<void> {
  const found = await tx<{ post_id: string; kind: string; visitor_id: string }>`
    select r.post_id, r.kind, r.visitor_id from unnest(${visitorIds}::uuid[]) as v (id)
    cross join lateral (
      select post_id, kind, visitor_id from post_reactions where visitor_id = v.id offset 0
    ) r limit (select ${most}::int)`
  if (found.length === 0) return
  const posts = found.map((each) => each.post_id)
  const kinds = found.map(({ kind }) => kind)
  await holdPosts(tx, posts)
  const taken = await tx<{ post_id: string; kind: string; reactions: number }>`
    with gone as (
      delete from post_reactions r
      using unnest(${posts}::uuid[], ${kinds}::text[], ${found.map((each) => each.visitor_id)}::uuid[])
        as those (post_id, kind, visitor_id)
      where (r.post_id, r.kind, r.visitor_id) = (those.post_id, those.kind, those.visitor_id)
      returning r.post_id, r.kind
    )
    select post_id, kind, count(*)::int as reactions from gone group by post_id, kind`
  const of = [taken.map((each) => each.post_id), taken.map(({ kind }) => kind)] as const
  await tx`
    select 1 from unnest(${of[0]}::uuid[], ${of[1]}::text[]) as those (post_id, kind)
    join post_reaction_counts c on (c.post_id, c.kind) = (those.post_id, those.kind)
    order by c.post_id, c.kind for update of c`
  await tx`
    update post_reaction_counts c set reactions = c.reactions - those.reactions
    from unnest(${of[0]}::uuid[], ${of[1]}::text[], ${taken.map(({ reactions }) => reactions)}::int[])
      as those (post_id, kind, reactions)
    where (c.post_id, c.kind) = (those.post_id, those.kind)`
  await takeBrowsers(tx, found)
}

/** Counts those of these browsers no longer that have no reaction left to a post. */
async function takeBrowsers(tx: Tx, found: readonly { post_id: string; visitor_id: string }[]): Promise<void> {
  const posts = found.map((each) => each.post_id)
  await tx`
    select 1 from post_reactors where post_id = any(${posts}::uuid[]) order by post_id for no key update`
  await tx`
    update post_reactors b set browsers = b.browsers - silent.browsers from (
      select post_id, count(*)::int as browsers from (
        select distinct * from unnest(${posts}::uuid[], ${found.map((each) => each.visitor_id)}::uuid[])
          as those (post_id, visitor_id)
      ) those
      where not exists (
        select 1 from post_reactions r where r.post_id = those.post_id and r.visitor_id = those.visitor_id
          and r.kind = any(${reactionKinds}::text[]) offset 0)
      group by post_id
    ) silent where b.post_id = silent.post_id`
}

/** Takes at most so many votes of these visitors, whom the caller holds; those in closed polls stay as numbers. */
export async function takeVotes(tx: Tx, visitorIds: readonly string[], most: number): Promise<void> {
  const found = await tx<{ poll_id: string; visitor_id: string; post_id: string }>`
    select p.poll_id, p.visitor_id, q.post_id from unnest(${visitorIds}::uuid[]) as v (id)
    cross join lateral (select poll_id, visitor_id from poll_votes where visitor_id = v.id offset 0) p
    join polls q on q.id = p.poll_id limit (select ${most}::int)`
  if (found.length === 0) return
  // Who closes a poll, or deletes it, holds its post.
  const posts = found.map((each) => each.post_id)
  await holdPosts(tx, posts)
  const kept = await tx<{ option_id: string; votes: number }>`
    with gone as (
      delete from poll_votes p
      using unnest(${found.map((each) => each.poll_id)}::uuid[], ${found.map((each) => each.visitor_id)}::uuid[])
        as those (poll_id, visitor_id)
      where (p.poll_id, p.visitor_id) = (those.poll_id, those.visitor_id)
      returning p.poll_id, p.option_id
    )
    select gone.option_id, count(*)::int as votes from gone join polls q on q.id = gone.poll_id
    where q.closed_at is not null or q.closes_at <= ${tx.now} group by gone.option_id`
  const options = kept.map((each) => each.option_id)
  await tx`select 1 from poll_options where id = any(${options}::uuid[]) order by id for no key update`
  await tx`
    update poll_options o set kept_votes = o.kept_votes + those.votes
    from unnest(${options}::uuid[], ${kept.map(({ votes }) => votes)}::int[]) as those (id, votes) where o.id = those.id`
}

async function holdPosts(tx: Tx, ids: readonly string[]): Promise<void> {
  await tx`select 1 from posts where id = any(${[...new Set(ids)]}::uuid[]) order by id for share`
}
