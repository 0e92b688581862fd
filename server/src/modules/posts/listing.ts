// What everyone sees, and how much of it there is: the rows of listed_posts and the totals over posts, written in the
// transaction of what they tell. docs/contract/posts.md#visibility.

import { type Part, part } from '../../kernel/part.ts'
import { type Counter, count, counting } from '../../quotas/counters.ts'
import { only, type Query, type Tx } from '../../store/sql.ts'
import { isOpen, isOpenByRow } from '../identity/passport.ts'
import { findHidden, isHidden, note } from '../moderation/hidden.ts'
import { holdBlocks, shiftBlocks } from './blocks.ts'
import { type Kind, kinds, type Visibility } from './shapes.ts'

/** Of a post: what decides where it is listed and counted. */
export interface Place {
  id: string
  author_id: string
  kind: Kind
  visibility: Visibility
  created_at: Date
}

const counterOf = (kind: Kind): Counter => `listed_${kind}`

/**
 * Whether the row of an author says that it is open; until this transaction ends it stays so, for whoever closes or hides
 * a profile waits. What is hidden is asked where something is listed.
 */
export async function lockAuthor(tx: Tx, authorId: string): Promise<{ isOpen: boolean }> {
  // The row first and the blocks then, in the order of whoever closes a profile.
  return only(
    await tx<{ isOpen: boolean }>`
      with author as materialized (
        select ${isOpenByRow} as "isOpen" from agents a where a.id = ${authorId} for share
      )
      select "isOpen", ${holdBlocks} from author`,
  )
}

/** {@link lockAuthor} for several authors, in the order of their IDs, which is one for all nodes. */
export const lockAuthors = (sql: Query, authorIds: readonly string[]): Promise<unknown> => sql`
  with author as materialized (
    select 1 from unnest((select ${authorIds.toSorted()}::uuid[])) as asked (id)
    cross join lateral (select 1 from agents a where a.id = asked.id for share) locked
  )
  select ${holdBlocks} from (select count(*) from author) locked`

/**
 * Counts new posts among those of their authors: those of them that were written by an earlier statement. None of them is
 * hidden yet.
 */
export const countNew = (sql: Query, ids: readonly string[]): Promise<unknown> => sql`
  insert into post_counts (author_id, kind, visibility, posts)
  select p.author_id, p.kind, p.visibility, count(*)::int
  from unnest((select ${ids}::uuid[])) as written (id)
  cross join lateral (select author_id, kind, visibility from posts where id = written.id offset 0) p
  group by p.author_id, p.kind, p.visibility order by p.author_id, p.kind, p.visibility
  on conflict (author_id, kind, visibility) do update set posts = post_counts.posts + excluded.posts`

/** Lists and counts new public posts of authors that are open by their rows, which are locked: those that were written. */
export const listNew = (sql: Query, ids: readonly string[]): Promise<unknown> => sql`
  with changed as (${inserting(part`p.id = any((select ${ids}::uuid[])::uuid[])
    and (select ${isOpenByRow} from agents a where a.id = p.author_id)`)}),
  shifted as (${shiftBlocks(1)})
  -- The blocks before the counters, and updates before portfolio posts, in the same order as every other writer: so they
  -- wait for each other in one direction.
  ${counting(part`
    select 'listed_' || kind as name, count(*) as change from changed, (select count(*) from shifted) shifted
    group by kind order by kind desc`)}`

/**
 * Lists and counts a post as it is from now on instead of as it was; undefined for one that was not there before, or is
 * no more. The author is locked, and the post itself is written.
 */
export async function move(
  tx: Tx,
  author: { isOpen: boolean },
  was: Place | undefined,
  is: Place | undefined,
): Promise<void> {
  if (was && is && was.kind === is.kind && was.visibility === is.visibility) return
  const isHiddenPost = was !== undefined && (await findHidden(tx, 'post', was.id))
  recount(tx, was && shelved(was, isHiddenPost), is && shelved(is, isHiddenPost))
  if (!author.isOpen) return
  const gone = was?.visibility === 'public' ? await unlist(tx, part`post_id = ${was.id}`) : []
  const shown = is?.visibility === 'public' ? await list(tx, part`p.id = ${is.id}`) : []
  await countListed(tx, shown, gone)
}

/** Where a post counts among those of its author; a hidden one is neither private nor public. */
type Shelf = Pick<Place, 'author_id' | 'kind'> & { visibility: Visibility | 'hidden' }

const shelved = ({ author_id, kind, visibility }: Place, isHiddenPost: boolean): Shelf => ({
  author_id,
  kind,
  visibility: isHiddenPost ? 'hidden' : visibility,
})

/** Counts a post of an author where it is from now on instead of where it was. */
function recount(tx: Tx, was: Shelf | undefined, is: Shelf | undefined): void {
  const changes = [...(was ? [{ shelf: was, by: -1 }] : []), ...(is ? [{ shelf: is, by: 1 }] : [])]
  // Always in one order, so that two changes of an author's posts wait for each other in one direction.
  changes.sort((a, b) => (keyOf(a.shelf) < keyOf(b.shelf) ? -1 : 1))
  for (const { shelf, by } of changes) countOwn(tx, shelf, by)
}

const keyOf = ({ kind, visibility }: Shelf): string => `${kind} ${visibility}`

function countOwn(tx: Tx, { author_id, kind, visibility }: Shelf, by: number): void {
  if (by > 0) {
    tx.write`
      insert into post_counts (author_id, kind, visibility, posts) values (${author_id}, ${kind}, ${visibility}, ${by})
      on conflict (author_id, kind, visibility) do update set posts = post_counts.posts + excluded.posts`
  } else {
    tx.write`
      update post_counts set posts = posts + ${by}
      where author_id = ${author_id} and kind = ${kind} and visibility = ${visibility}`
  }
}

/** Hides a post from all but its author, or shows it again; false if there is none, or it was so already. */
export async function setPostHidden(tx: Tx, postId: string, hidden: boolean): Promise<boolean> {
  const [found] = await tx<{ author_id: string }>`select author_id from posts where id = ${postId}`
  if (!found) return false
  const author = await lockAuthor(tx, found.author_id)
  const post = only(
    await tx<Place & { deleted_at: Date | null }>`
      select id, author_id, kind, visibility, created_at, deleted_at from posts where id = ${postId} for no key update`,
  )
  if (!(await note(tx, 'post', postId, hidden))) return false
  if (post.deleted_at) return true
  recount(tx, shelved(post, !hidden), shelved(post, hidden))
  if (!author.isOpen) return true
  if (hidden) await countListed(tx, [], await unlist(tx, part`post_id = ${postId}`))
  else await countListed(tx, await list(tx, part`p.id = ${postId}`), [])
  return true
}

/**
 * Shows or hides all public posts of an author whose profile opens, closes, is suspended, hidden or restored. The caller holds
 * the author's row (`for no key update`), so no post of the author is being written.
 */
export async function relist(tx: Tx, authorId: string, open: boolean): Promise<void> {
  await tx`select ${holdBlocks}`
  if (open) await countListed(tx, await list(tx, part`p.author_id = ${authorId}`), [])
  else await countListed(tx, [], await unlist(tx, part`author_id = ${authorId}`))
}

/** Those of these posts that everyone sees, in their order. */
export async function listedAmong(sql: Query, ids: readonly string[]): Promise<string[]> {
  const rows = await sql<{ id: string }>`select post_id as id from listed_posts where post_id = any(${ids}::uuid[])`
  const listed = new Set(rows.map(({ id }) => id))
  return ids.filter((id) => listed.has(id))
}

type Counts = readonly { kind: Kind; posts: number }[]

const inserting = (which: Part): Part => part`
  insert into listed_posts (post_id, author_id, kind, created_at)
  select p.id, p.author_id, p.kind, p.created_at from posts p
  where ${which} and p.deleted_at is null and p.visibility = 'public'
    and not ${isHidden('post', part`p.id`)} and not ${isHidden('profile', part`p.author_id`)}
  on conflict do nothing returning kind, created_at, post_id`

/** Lists those public posts (alias `p`), but for what is hidden at this moment. */
const list = (tx: Tx, which: Part): Promise<Counts> => tx<Counts[number]>`
  with changed as (${inserting(which)}), shifted as (${shiftBlocks(1)})
  select kind, count(*)::int as posts from changed group by kind`

/** Takes those rows of listed_posts away. */
const unlist = (tx: Tx, which: Part): Promise<Counts> => tx<Counts[number]>`
  with changed as (delete from listed_posts where ${which} returning kind, created_at, post_id),
  shifted as (${shiftBlocks(-1)})
  select kind, count(*)::int as posts from changed group by kind`

async function countListed(tx: Tx, shown: Counts, gone: Counts): Promise<void> {
  const of = (counts: Counts, kind: Kind): number => counts.find((each) => each.kind === kind)?.posts ?? 0
  for (const kind of kinds) await count(tx, counterOf(kind), of(shown, kind) - of(gone, kind))
}

/** How many posts are listed, of a kind or of all, as a statement. */
export const listedSum = (kind: Kind | undefined): Part => part`
  select coalesce(sum(value), 0)::bigint from counters where name = any(${(kind ? [kind] : kinds).map(counterOf)}::text[])`

/** How many posts are listed, of a kind or of all. */
export async function listedTotal(sql: Query, kind: Kind | undefined): Promise<number> {
  return only(await sql<{ total: number }>`select (${listedSum(kind)}) as total`).total
}

export interface OwnTotals {
  isOpen: boolean
  private: number
  public: number
  /** By a moderator, whether they would be private or public. */
  hidden: number
}

/** {@link OwnTotals} of an author as a statement, which gives nothing for nobody. */
export const ownTotals = (authorId: string | null | Part, kind: Kind | undefined): Part => part`
  select ${isOpen} as "isOpen", coalesce(sum(c.posts) filter (where c.visibility = 'private'), 0)::int as private,
    coalesce(sum(c.posts) filter (where c.visibility = 'public'), 0)::int as public,
    coalesce(sum(c.posts) filter (where c.visibility = 'hidden'), 0)::int as hidden
  from agents a left join post_counts c on c.author_id = a.id and c.kind = any(${kind ? [kind] : [...kinds]}::text[])
  where a.id = ${authorId} group by a.id`

/** How many posts an author has, of a kind or of all, and whether the public ones are listed; nobody has none. */
export async function totalsOf(sql: Query, authorId: string | null, kind: Kind | undefined): Promise<OwnTotals> {
  const [row] = authorId === null ? [] : await sql<OwnTotals>`${ownTotals(authorId, kind)}`
  return row ?? { isOpen: false, private: 0, public: 0, hidden: 0 }
}

/** How many posts of each of these authors are public; who has none is not there. That they are open is for the caller to know. */
export async function publicPostsOf(sql: Query, authorIds: readonly string[]): Promise<Map<string, number>> {
  if (authorIds.length === 0) return new Map()
  const rows = await sql<{ author_id: string; posts: number }>`
    select author_id, sum(posts)::int as posts from post_counts
    where author_id = any(${authorIds}::uuid[]) and visibility = 'public' group by author_id`
  return new Map(rows.map(({ author_id: id, posts }) => [id, posts]))
}
