// Deep pages of the feed: how many listed posts each block of a thousand neighbours has, so that a page is sought among
// blocks and only the last steps are taken post by post. Without blocks every page is still right, and slower.

import { type Part, part } from '../../kernel/part.ts'
import { only, type Query, type Sql } from '../../store/sql.ts'
import type { Kind } from './shapes.ts'

const blockSize = 1000
/** Blocks that one batch of the sweep closes; while it runs nobody lists a post. */
const maxBlocks = 50

/** The advisory lock that whoever lists or hides posts shares, and the sweep has alone. */
const lockId: Part = part`hashtextextended('listed blocks', 0)`

/** To be selected before the statement that lists or hides: no block is closed until this transaction ends. */
export const holdBlocks: Part = part`pg_advisory_xact_lock_shared(${lockId})`

/**
 * An update by `by` of the blocks of the posts in `changed` (kind, created_at, post_id), for a `with` of the same statement. It
 * runs where its rows are read, or else after that statement.
 */
export const shiftBlocks = (by: 1 | -1): Part => part`
  update listed_blocks b set posts = b.posts + shift.posts * ${by}::int
  from (
    select block.series, block.first_at, block.first_id, count(*)::int as posts
    from changed c
    cross join lateral (values ('all'), (c.kind)) as of (series)
    cross join lateral (
      select s.series, s.first_at, s.first_id from listed_blocks s
      where s.series = of.series and (s.first_at, s.first_id) <= (c.created_at, c.post_id)
      order by s.first_at desc, s.first_id desc limit 1
    ) block
    group by block.series, block.first_at, block.first_id
    order by block.series, block.first_at, block.first_id
  ) shift
  where b.series = shift.series and b.first_at = shift.first_at and b.first_id = shift.first_id
    and b.posts is not null
  returning 1`

export interface Start {
  /** Exactly as the database has it, microseconds included. */
  at: string
  id: string
  /** The listed posts that come before this place, from the newest on. */
  newer: number
}

/**
 * The last begin of a block with at most `offset` listed posts before it, from the newest on: what follows is older than
 * it. Undefined if the way from the newest is the shortest.
 */
export async function seek(
  sql: Query,
  kind: Kind | undefined,
  { offset, total }: { offset: number; total: number },
): Promise<Start | undefined> {
  if (offset < blockSize) return undefined
  const [start] = await sql<Start>`
    select first_at::text as at, first_id as id, ${total}::int - older as newer from (
      select b.first_at, b.first_id, (coalesce(sum(b.posts) over (
        order by b.first_at, b.first_id rows between unbounded preceding and 1 preceding), 0))::int as older
      from listed_blocks b where b.series = ${kind ?? 'all'}
    ) start
    where older >= ${total - offset} order by first_at, first_id limit 1`
  return start
}

/**
 * Closes the oldest of the newest block's posts into blocks, as long as a block's worth of newer ones is left. True when
 * there may be more to do.
 */
export async function closeBlocks(sql: Sql): Promise<boolean> {
  let more = false
  for (const series of ['all', 'update', 'portfolio'] as const) more = (await closeSeries(sql, series)) || more
  return more
}

function closeSeries(sql: Sql, series: 'all' | Kind): Promise<boolean> {
  return sql.transaction(async (tx) => {
    // Who lists posts now is waited for, but not for long, since whoever comes next waits behind.
    await tx`set local lock_timeout = '1s'`
    await tx`select pg_advisory_xact_lock(${lockId})`
    await tx`
      insert into listed_blocks (series, first_at, first_id)
      select ${series}, '-infinity', '00000000-0000-0000-0000-000000000000'
      where not exists (select 1 from listed_blocks where series = ${series})`
    const { closed } = only(
      await tx<{ closed: number }>`
        with newest as (
          select series, first_at, first_id from listed_blocks where series = ${series} and posts is null
        ),
        numbered as materialized (
          select l.created_at, l.post_id, row_number() over (order by l.created_at, l.post_id) as place
          from listed_posts l
          where (l.created_at, l.post_id) >= (select first_at, first_id from newest)
            ${series === 'all' ? part`` : part`and l.kind = ${series}`}
          order by l.created_at, l.post_id limit ${(maxBlocks + 1) * blockSize}
        ),
        start as (
          select created_at, post_id, place + ${blockSize} > max(place) over () as is_newest from numbered
          where place > 1 and place % ${blockSize} = 1 and place + ${blockSize - 1} <= (select max(place) from numbered)
        ),
        ended as (
          update listed_blocks b set posts = ${blockSize} from newest n
          where (b.series, b.first_at, b.first_id) = (n.series, n.first_at, n.first_id) and exists (select 1 from start)
        ),
        begun as (
          insert into listed_blocks (series, first_at, first_id, posts)
          select ${series}, created_at, post_id, case when not is_newest then ${blockSize}::int end from start
          returning 1
        )
        select count(*)::int as closed from begun`,
    )
    return closed === maxBlocks
  })
}
