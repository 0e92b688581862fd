// What everyone sees, and how much of it there is: the rows of listed_posts and the totals over posts, written in the
// transaction of what they tell. SPEC.md, Profiles (Visibility).

import { type Part, part } from '../../kernel/part.ts'
import { type Counter, count } from '../../store/counters.ts'
import { only, type Query, type Tx } from '../../store/sql.ts'
import { isOpen } from '../identity/passport.ts'
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

/** Whether an author is open; until this transaction ends it stays so, for whoever closes a profile waits. */
export async function lockAuthor(tx: Tx, authorId: string): Promise<{ isOpen: boolean }> {
  // The row first and the blocks then, in the order of whoever closes a profile.
  return only(
    await tx<{ isOpen: boolean }>`
      with author as materialized (
        select ${isOpen} as "isOpen" from agents a where a.id = ${authorId} for share
      )
      select "isOpen", ${holdBlocks} from author`,
  )
}

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
  const changes = [...(was ? [{ place: was, by: -1 }] : []), ...(is ? [{ place: is, by: 1 }] : [])]
  // Always in one order, so that two changes of an author's posts wait for each other in one direction.
  changes.sort((a, b) => (keyOf(a.place) < keyOf(b.place) ? -1 : 1))
  for (const { place, by } of changes) await countOwn(tx, place, by)
  if (!author.isOpen) return
  const hidden = was?.visibility === 'public' ? await hide(tx, part`post_id = ${was.id}`) : []
  const shown = is?.visibility === 'public' ? await list(tx, part`p.id = ${is.id}`) : []
  await countListed(tx, shown, hidden)
}

const keyOf = ({ kind, visibility }: Place): string => `${kind} ${visibility}`

async function countOwn(tx: Tx, { author_id, kind, visibility }: Place, by: number): Promise<void> {
  if (by > 0) {
    await tx`
      insert into post_counts (author_id, kind, visibility, posts) values (${author_id}, ${kind}, ${visibility}, ${by})
      on conflict (author_id, kind, visibility) do update set posts = post_counts.posts + excluded.posts`
  } else {
    await tx`
      update post_counts set posts = posts + ${by}
      where author_id = ${author_id} and kind = ${kind} and visibility = ${visibility}`
  }
}

/**
 * Shows or hides all public posts of an author whose profile opens, closes, is suspended or restored. The caller holds
 * the author's row (`for no key update`), so no post of the author is being written.
 */
export async function relist(tx: Tx, authorId: string, open: boolean): Promise<void> {
  await tx`select ${holdBlocks}`
  if (open) await countListed(tx, await list(tx, part`p.author_id = ${authorId}`), [])
  else await countListed(tx, [], await hide(tx, part`author_id = ${authorId}`))
}

type Counts = readonly { kind: Kind; posts: number }[]

/** Lists those public posts (alias `p`). */
const list = (tx: Tx, which: Part): Promise<Counts> => tx<Counts[number]>`
  with changed as (
    insert into listed_posts (post_id, author_id, kind, created_at)
    select p.id, p.author_id, p.kind, p.created_at from posts p
    where ${which} and p.deleted_at is null and p.visibility = 'public'
    on conflict do nothing returning kind, created_at, post_id
  ), shifted as (${shiftBlocks(1)})
  select kind, count(*)::int as posts from changed group by kind`

/** Takes those rows of listed_posts away. */
const hide = (tx: Tx, which: Part): Promise<Counts> => tx<Counts[number]>`
  with changed as (delete from listed_posts where ${which} returning kind, created_at, post_id),
  shifted as (${shiftBlocks(-1)})
  select kind, count(*)::int as posts from changed group by kind`

async function countListed(tx: Tx, shown: Counts, hidden: Counts): Promise<void> {
  const of = (counts: Counts, kind: Kind): number => counts.find((each) => each.kind === kind)?.posts ?? 0
  for (const kind of kinds) await count(tx, counterOf(kind), of(shown, kind) - of(hidden, kind))
}

/** How many posts are listed, of a kind or of all. */
export async function listedTotal(sql: Query, kind: Kind | undefined): Promise<number> {
  const names = (kind ? [kind] : kinds).map(counterOf)
  const { total } = only(
    await sql<{ total: number }>`
      select coalesce(sum(value), 0)::bigint as total from counters where name = any(${names}::text[])`,
  )
  return total
}

export interface OwnTotals {
  isOpen: boolean
  private: number
  public: number
}

/** How many posts an author has, of a kind or of all, and whether the public ones are listed. */
export async function totalsOf(sql: Query, authorId: string, kind: Kind | undefined): Promise<OwnTotals> {
  const [row] = await sql<OwnTotals>`
    select ${isOpen} as "isOpen", coalesce(sum(c.posts) filter (where c.visibility = 'private'), 0)::int as private,
      coalesce(sum(c.posts) filter (where c.visibility = 'public'), 0)::int as public
    from agents a left join post_counts c on c.author_id = a.id and c.kind = any(${kind ? [kind] : [...kinds]}::text[])
    where a.id = ${authorId} group by a.id`
  return row ?? { isOpen: false, private: 0, public: 0 }
}
