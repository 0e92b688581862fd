// Lists of posts, newest first: the feed, the caller's own, those of an author, and search results.
// docs/contract/posts.md#lists-and-search.
import { offsetOf, type Page, type Rows, withRows } from '../../kernel/lists.ts'
import { type Part, part } from '../../kernel/part.ts'
import { searchWords } from '../../search/grams.ts'
import { alongside } from '../../store/once.ts'
import { pageOf } from '../../store/page-of.ts'
import { only, type Query, type Sql } from '../../store/sql.ts'
import { isHidden } from '../moderation/hidden.ts'
import { type Start, seek } from './blocks.ts'
import { listedSum, listedTotal, type OwnTotals, ownTotals, totalsOf } from './listing.ts'
import { hasWords } from './search-text.ts'
import type { Kind } from './shapes.ts'
import { type Post, postOf, type Row, show, shown, type Viewer } from './show.ts'

export interface Filter extends Page {
  kind: Kind | undefined
  q: string
  author: string | undefined
  mine: boolean
}

/**
 * A page of what the viewer may see, of one state of the database; totals are exact. `confirm` is asked along with it, and
 * what it refuses goes before anything that is found. Without a passport there are no own posts.
 */
export function feed(
  sql: Sql,
  viewer: Viewer,
  filter: Filter,
  confirm: (sql: Query) => Promise<void> = async () => {},
): Promise<Rows<Post>> {
  if (isShallow(filter)) return sql.together((one) => alongside(confirm(one), firstPages(one, viewer, filter)))
  const words = searchWords(filter.q)
  const find = async (tx: Query): Promise<Rows<Post>> => {
    const found = await (words.length > 0 ? search(tx, viewer.id, words, filter) : browse(tx, viewer.id, filter))
    return withRows(found, (ids) => show(tx, viewer, ids))
  }
  return sql.snapshot((tx) => alongside(confirm(tx), find(tx)))
}

/** The newest public works of an author as everyone sees them, in one statement. */
export const newestPosts = (
  sql: Query,
  viewer: Viewer & { id: null },
  author: string,
  most: number,
): Promise<Rows<Post>> =>
  firstPages(sql, viewer, { author, kind: undefined, q: '', mine: false, page: 1, page_size: most })

export interface AuthorFilter extends Page {
  kind: Kind | undefined
}

/** A page of an author's public works, as everyone sees them: none of a closed profile, not even for its owner. */
export async function postsOfAuthor(
  sql: Query,
  viewer: Viewer,
  authorId: string,
  filter: AuthorFilter,
): Promise<Rows<Post>> {
  const found = await pageFrom(sql, await listedOf(sql, authorId, filter.kind), filter)
  return withRows(found, (ids) => show(sql, viewer, ids))
}

/** Rows (id, created_at) that an index has in order, and how many they are. */
interface Source {
  total: number
  rows: Part
}

const newestFirst = part`order by created_at desc, id desc`
const oldestFirst = part`order by created_at, id`

/**
 * The ids of a page by the indexes alone, from its nearer end, so that a deep page reads no row that it does not show;
 * none beyond the end.
 */
async function page(sql: Query, sources: readonly Source[], skip: number, size: number): Promise<string[]> {
  const total = sources.reduce((sum, source) => sum + source.total, 0)
  const shown = Math.min(size, total - skip)
  const [one, two] = sources.filter((source) => source.total > 0)
  if (!one || shown <= 0) return []
  const behind = total - skip - shown
  const isBackwards = behind < skip
  const order = isBackwards ? oldestFirst : newestFirst
  // Each in order by itself, so that the two are merged and neither is sorted, whatever the plan is made for.
  const inOrder = ({ rows }: Source): Part => part`(select id, created_at from (${rows}) r ${order})`
  const hits = await sql<{ id: string }>`
    select id from (${inOrder(one)} ${two ? part`union all ${inOrder(two)}` : part``}) hit ${order}
    limit ${shown} offset ${isBackwards ? behind : skip}`
  const ids = hits.map(({ id }) => id)
  return isBackwards ? ids.reverse() : ids
}

async function pageFrom(sql: Query, source: Source, at: Page): Promise<Rows<string>> {
  return { rows: await page(sql, [source], offsetOf(at), at.page_size), total: source.total }
}

/** So many of the newest are passed over one by one: fewer than a block has. */
const shallow = 1000

/** A page that is not deep, in one statement: totals, posts and all that is shown of them. */
async function firstPages(sql: Query, viewer: Viewer, filter: Filter): Promise<Rows<Post>> {
  const lines = await sql<Partial<Row> & { total: number; place: number }>`
    ${newestPages(whoseOf(viewer.id, filter), filter.kind, [{ viewerId: viewer.id, filter }])}
    select own.total, page.place, post.* from own
    left join (page cross join lateral ${postOf(part`page.viewer`, viewer.now, part`page.id`)} post) on page.turn = own.turn`
  lines.sort((a, b) => a.place - b.place)
  const rows = lines.flatMap(({ total: _, place: __, ...row }) => (row.id ? [shown(viewer, row as Row)] : []))
  return { rows, total: lines[0]?.total ?? 0 }
}

/** Pages that one statement finds. */
export const alike = (asks: readonly Ask[]): readonly (readonly Ask[])[] => [
  ...Map.groupBy(asks, ({ viewerId, filter }) => `${whoseOf(viewerId, filter)} ${filter.kind}`).values(),
]

/** Whose posts: the public ones of an author, all of the viewer's own, everyone's, or these and the viewer's own. */
type Whose = 'author' | 'own' | 'everyone' | 'all'

export function whoseOf(viewerId: string | null, { author, mine }: Filter): Whose {
  if (author !== undefined && author !== viewerId) return 'author'
  if (mine || author !== undefined) return 'own'
  return viewerId === null ? 'everyone' : 'all'
}

export interface Ask {
  viewerId: string | null
  filter: Filter
}

/** Whether a page can be found with {@link newestPages}. */
export const isShallow = (filter: Filter): boolean =>
  searchWords(filter.q).length === 0 && offsetOf(filter) + filter.page_size <= shallow

/**
 * The beginning of a statement that finds several pages of the same kind (`whose`). `own` has a row for each page (`turn`,
 * `viewer`, `total`), and `page` one for each of its posts (`turn`, `viewer`, `place`, `id`).
 */
export function newestPages(whose: Whose, kind: Kind | undefined, asks: readonly Ask[]): Part {
  const { total, rows } = newest(whose, kind)
  const viewers = asks.map(({ viewerId }) => viewerId)
  const authors = asks.map(({ viewerId, filter }) => filter.author ?? viewerId)
  const skips = asks.map(({ filter }) => offsetOf(filter))
  const sizes = asks.map(({ filter }) => filter.page_size)
  // Lists that the planner does not look into: one plan serves any number of pages.
  return part`
    with asked as materialized (
      select * from unnest((select ${viewers}::uuid[]), (select ${authors}::uuid[]), (select ${skips}::int[]),
        (select ${sizes}::int[])) with ordinality as asked (viewer, author, skip, size, turn)
    ), own as materialized (
      select asked.*, totals.*, (${total})::int as total
      from asked left join lateral (${ownTotals(part`asked.author`, kind)}) totals on true
    ), page as materialized (
      -- Beside the limit: numbered beneath it the lists would be sorted whole before they are cut.
      select own.turn, own.viewer, hit.id, row_number() over ()::int as place
      from own cross join lateral (
        select id from (${rows}) hit ${newestFirst} limit own.size offset own.skip
      ) hit
    )`
}

/** How many posts there are, beside `totals` of their author, and their rows, newest first, beside `own`. */
function newest(whose: Whose, kind: Kind | undefined): { total: Part; rows: Part } {
  const all = part`coalesce(totals.private + totals.public + totals.hidden, 0)`
  const viewer = part`own.viewer`
  if (whose === 'author') {
    return {
      total: part`coalesce(case when totals."isOpen" then totals.public end, 0)`,
      rows: listedOfRows(part`own.author`, kind),
    }
  }
  if (whose === 'own') return { total: all, rows: ownRows(viewer, kind, part`true`) }
  if (whose === 'everyone') return { total: listedSum(kind), rows: listedRows(kind) }
  const unlisted = part`p.visibility = 'public' and (not own."isOpen" or own.hidden > 0)
    and (not own."isOpen" or ${isHidden('post', part`p.id`)})`
  const each = [listedRows(kind), ownRows(viewer, kind, isPrivate), ownRows(viewer, kind, unlisted)]
  // None gives more than the page goes to: told so, the planner takes an index that has them in order, and sorts nothing.
  const [listed, ...unseen] = each.map(
    (rows) => part`(select id, created_at from (${rows}) r ${newestFirst} limit own.skip + own.size)`,
  )
  return {
    total: part`(${listedSum(kind)}) + case when totals."isOpen" then totals.private + totals.hidden else ${all} end`,
    rows: part`${listed} union all ${unseen[0]} union all ${unseen[1]}`,
  }
}

async function browse(sql: Query, viewerId: string | null, filter: Filter): Promise<Rows<string>> {
  const { kind, author } = filter
  if (author !== undefined && author !== viewerId) return pageFrom(sql, await listedOf(sql, author, kind), filter)
  const own = await totalsOf(sql, viewerId, kind)
  if (filter.mine || author !== undefined) return pageFrom(sql, ownOf(viewerId, own, kind), filter)
  return everyones(sql, own.isOpen ? unlistedOf(viewerId, own, kind) : ownOf(viewerId, own, kind), filter)
}

/** What is listed, and with it what of the viewer's own is not. */
async function everyones(sql: Query, own: Source, filter: Filter): Promise<Rows<string>> {
  const { kind } = filter
  const listed = await listedTotal(sql, kind)
  const total = listed + own.total
  const offset = offsetOf(filter)
  if (offset >= total) return { rows: [], total }
  const start = await seek(sql, kind, { offset: offset - own.total, total: listed })
  const older = (source: Part): Part =>
    start
      ? part`select id, created_at from (${source}) r where (created_at, id) < (${start.at}::timestamptz, ${start.id}::uuid)`
      : source
  const ownNewer = start && own.total > 0 ? await newerThan(sql, own, start) : 0
  const sources = [
    { total: listed - (start?.newer ?? 0), rows: older(listedRows(kind)) },
    { total: own.total - ownNewer, rows: older(own.rows) },
  ]
  return { rows: await page(sql, sources, offset - (start?.newer ?? 0) - ownNewer, filter.page_size), total }
}

async function newerThan(sql: Query, { rows }: Source, start: Start): Promise<number> {
  const { newer } = only(
    await sql<{ newer: number }>`
      select count(*)::int as newer from (${rows}) r
      where (created_at, id) >= (${start.at}::timestamptz, ${start.id}::uuid)`,
  )
  return newer
}

const listedRows = (kind: Kind | undefined): Part => part`
  select l.post_id as id, l.created_at from listed_posts l ${kind ? part`where l.kind = ${kind}` : part``}`

const ofKind = (kind: Kind | undefined): Part => (kind ? part`and p.kind = ${kind}` : part``)

const ownRows = (authorId: string | null | Part, kind: Kind | undefined, which: Part): Part => part`
  select p.id, p.created_at from posts p
  where p.author_id = ${authorId} and p.deleted_at is null and ${which} ${ofKind(kind)}`

const listedOfRows = (authorId: string | Part, kind: Kind | undefined): Part => part`
  select l.post_id as id, l.created_at from listed_posts l
  where l.author_id = ${authorId} ${kind ? part`and l.kind = ${kind}` : part``}`

const isPrivate = part`p.visibility = 'private'`

const ownOf = (authorId: string | null, totals: OwnTotals, kind: Kind | undefined): Source => ({
  total: totals.private + totals.public + totals.hidden,
  rows: ownRows(authorId, kind, part`true`),
})

/** What of an open author's own is not listed. */
const unlistedOf = (authorId: string | null, totals: OwnTotals, kind: Kind | undefined): Source => {
  // Hardly anyone has a hidden post, and the index of private ones knows nothing of it.
  const isUnlisted = totals.hidden === 0 ? isPrivate : part`(${isPrivate} or ${isHidden('post', part`p.id`)})`
  return { total: totals.private + totals.hidden, rows: ownRows(authorId, kind, isUnlisted) }
}

async function listedOf(sql: Query, authorId: string, kind: Kind | undefined): Promise<Source> {
  const totals = await totalsOf(sql, authorId, kind)
  return { total: totals.isOpen ? totals.public : 0, rows: listedOfRows(authorId, kind) }
}

/** What has every word: candidates by their grams, the visible ones of them; page and total are of one evaluation. */
async function search(
  sql: Query,
  viewerId: string | null,
  words: readonly string[],
  filter: Filter,
): Promise<Rows<string>> {
  const isListed = part`(select true from listed_posts l where l.post_id = p.id)`
  const { author, kind } = filter
  const isVisible =
    filter.mine || author === viewerId
      ? part`p.author_id = ${viewerId}`
      : author === undefined
        ? part`(p.author_id = ${viewerId} or ${isListed})`
        : part`p.author_id = ${author} and ${isListed}`
  const found = await pageOf<{ id: string }>(sql, filter, {
    given: part`with hit as materialized (
      select p.id, p.created_at from posts p where ${hasWords(words)} and ${isVisible} ${ofKind(kind)}
    )`,
    those: [part`from hit`],
    order: part`created_at desc, id desc`,
  })
  return withRows(found, (hits) => hits.map(({ id }) => id))
}

/** The newest works that everyone sees, in one statement. */
export async function newestListed(sql: Query, viewer: Viewer & { id: null }, most: number): Promise<Post[]> {
  const rows = await sql<Row>`
    select post.* from (
      select post_id, created_at from listed_posts order by created_at desc, post_id desc limit (select ${most}::int)
    ) l cross join lateral ${postOf(viewer.id, viewer.now, part`l.post_id`)} post
    order by l.created_at desc, l.post_id desc`
  return rows.map((row) => shown(viewer, row))
}
