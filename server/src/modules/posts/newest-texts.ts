// Pages of the newest posts as JSON. One statement finds the pages that are asked for at the same time, and names the
// version of each post; the JSON of a post is made once for each version.
// docs/decisions/0008-feeds.md.
import { type Page, pagination } from '../../kernel/lists.ts'
import { type Part, part } from '../../kernel/part.ts'
import { perService, type Service } from '../../service.ts'
import { gathered } from '../../store/gather.ts'
import { only, type Query, type Tx } from '../../store/sql.ts'
import { type Ask, type AuthorFilter, alike, isShallow, newestPages, postsOfAuthor, whoseOf } from './feed.ts'
import { createMemory, type Memory } from './memory.ts'
import { type Written, writtenColumns } from './posts.ts'
import { type Extras, extrasColumns, extrasShown, noExtras, shown, type Viewer, viewerOf } from './show.ts'

/** A page of posts as JSON, and how many posts there are. */
export interface Texts {
  posts: string[]
  total: number
}

/** Characters of JSON: as many bytes if all are Latin, else twice as many. */
const mostRemembered = 8_000_000

export const memoryOf = perService(() => createMemory(mostRemembered))

/** The members of a response that are a page of posts. */
export const pageText = ({ posts, total }: Texts, page: Page): string =>
  `"posts":[${posts.join(',')}],"pagination":${JSON.stringify(pagination(page, total))}`

/** {@link postsOfAuthor} as JSON, in a snapshot. */
export async function textsOfAuthor(
  tx: Tx,
  service: Service,
  viewerId: string,
  author: string,
  filter: AuthorFilter,
): Promise<Texts> {
  const ask = { viewerId, filter: { ...filter, author, q: '', mine: false } }
  // With the reader's own posts that statement would show what is not listed.
  if (viewerId !== author && isShallow(ask.filter)) return only(await authorsPages(tx, [ask], service))
  const { rows, total } = await postsOfAuthor(tx, viewerOf(service, viewerId), author, filter)
  return { posts: rows.map((post) => JSON.stringify(post)), total }
}

const authorsPages = gathered((tx, asks: readonly Ask[], service: Service) =>
  readPages(tx, viewerOf(service, null), memoryOf(service), asks).then(unchanged),
)

/** The pages that were read in a snapshot. */
export function unchanged(pages: Texts[] | undefined): Texts[] {
  if (!pages) throw new Error('a post has changed within a snapshot')
  return pages
}

/** The pages in their order; undefined if a post was changed while they were read. */
export async function readPages(
  sql: Query,
  viewer: Viewer,
  memory: Memory,
  asks: readonly Ask[],
): Promise<Texts[] | undefined> {
  const groups = alike(asks)
  const found = await Promise.all(groups.map((group) => findPages(sql, viewer.now, group)))
  const pages = new Map(groups.flatMap((group, at) => group.map((ask, turn) => [ask, found[at]?.[turn] as Found])))
  const texts = await textsOf(
    sql,
    viewer,
    memory,
    [...pages.values()].flatMap(({ posts }) => posts),
  )
  if (!texts) return undefined
  return asks.map((ask) => {
    const { posts, total } = pages.get(ask) as Found
    return { posts: posts.map((post) => texts.get(post) as string), total }
  })
}

interface Found {
  total: number
  posts: FoundPost[]
}

/** A post as one reader gets it. */
interface FoundPost {
  id: string
  /** Of the post and the names of its author. */
  version: string
  isAuthor: boolean
  /** {@link Extras} as JSON; undefined if it has none. */
  extras: string | undefined
}

/** The transaction that wrote a post `p`, and when: a database that takes over may use a number again. */
const written: Part = part`concat_ws(' ', p.xmin, p.updated_at)`

const versionOf = (rowWritten: string, handle: string, displayName: string): string =>
  `${rowWritten} ${handle} ${displayName}`

interface Line {
  what: 'page' | 'post' | 'author' | 'extras'
  turn: number
  total: number
  id: string
  one: string
  two: string
}

/** Pages of the same posts. */
async function findPages(sql: Query, now: Date, asks: readonly Ask[]): Promise<Found[]> {
  const [{ viewerId, filter }] = asks as readonly [Ask]
  const among = part`any((select ids from shown)::uuid[])`
  const lines = await sql<Line>`
    ${newestPages(whoseOf(viewerId, filter), filter.kind, asks)}, post as materialized (
      select post.* from (select distinct id from page) each cross join lateral (
        select p.id, p.author_id, ${written} as written from posts p where p.id = each.id offset 0
      ) post
    ), shown as materialized (
      select array_agg(id) as ids from post
    ), more as materialized (
      -- Most have none of these.
      select post_id, max(browsers) as browsers from (
        select subject_id as post_id, null::int as browsers from attachment_bindings
        where subject_id = ${among} and kind = 'portfolio' and active
        union all select post_id, null from polls where post_id = ${among}
        union all select post_id, browsers from post_reactors where post_id = ${among}
      ) each group by post_id
    )
    select 'page' as what, turn::int, total, null::uuid as id,
      (select string_agg(page.place || ' ' || page.id, ' ') from page where page.turn = own.turn) as one, null as two
    from own
    union all select 'post', null, null, id, written, author_id::text from post
    union all select 'author', null, null, a.id, a.handle, a.display_name
    from (select distinct author_id from post) each cross join lateral (
      select id, handle, display_name from agents where id = each.author_id offset 0
    ) a
    union all select 'extras', page.turn::int, null, page.id, (
      select row_to_json(extras)::text from (select ${extrasColumns(part`page.viewer`, now, part`page.id`)}) extras
    ), null from more b join page on page.id = b.post_id`
  return pagesOf(asks, lines)
}

function pagesOf(asks: readonly Ask[], lines: readonly Line[]): Found[] {
  const [pages, posts, authors] = [new Map<number, Line>(), new Map<string, Line>(), new Map<string, Line>()]
  const extras = new Map<string, string>()
  for (const line of lines) {
    if (line.what === 'page') pages.set(line.turn, line)
    else if (line.what === 'post') posts.set(line.id, line)
    else if (line.what === 'author') authors.set(line.id, line)
    else extras.set(`${line.turn} ${line.id}`, line.one)
  }
  return asks.map(({ viewerId }, at) => {
    const { turn, total, one } = pages.get(at + 1) as Line
    const found = inPlace(one).map((id) => {
      const { one: rowWritten, two: authorId } = posts.get(id) as Line
      const author = authors.get(authorId) as Line
      const version = versionOf(rowWritten, author.one, author.two)
      return { id, version, isAuthor: authorId === viewerId, extras: extras.get(`${turn} ${id}`) }
    })
    return { total, posts: found }
  })
}

/** IDs, each behind its place. */
function inPlace(pairs: string | null): string[] {
  const words = pairs?.split(' ') ?? []
  const found: { place: number; id: string }[] = []
  for (let at = 0; at < words.length; at += 2) found.push({ place: Number(words[at]), id: words[at + 1] as string })
  return found.sort((a, b) => a.place - b.place).map(({ id }) => id)
}

/** The JSON of each post; undefined if one of them has another version by now. */
async function textsOf(
  sql: Query,
  viewer: Viewer,
  memory: Memory,
  posts: readonly FoundPost[],
): Promise<Map<FoundPost, string> | undefined> {
  const texts = new Map<FoundPost, string>()
  const unknown: FoundPost[] = []
  for (const post of posts) {
    const text = remembered(memory, post)
    if (text === undefined) unknown.push(post)
    else texts.set(post, text)
  }
  if (unknown.length === 0) return texts
  const rows = await sql<Written & { written: string }>`
    select post.* from unnest((select ${[...new Set(unknown.map(({ id }) => id))]}::uuid[])) as asked (id)
    cross join lateral (
      select ${writtenColumns}, ${written} as written
      from posts p join agents a on a.id = p.author_id where p.id = asked.id offset 0
    ) post`
  const made = new Map(rows.map((row) => [row.id, row]))
  for (const post of unknown) {
    const row = made.get(post.id)
    if (!row || versionOf(row.written, row.handle, row.display_name) !== post.version) return undefined
    memory.keep(post.id, post.version, JSON.stringify(shown(viewer, { ...row, ...noExtras })))
    texts.set(post, remembered(memory, post) as string)
  }
  return texts
}

/** What is remembered of a post, with its extras. */
function remembered(memory: Memory, { id, version, extras, isAuthor }: FoundPost): string | undefined {
  if (extras === undefined) return memory.find(id, version)
  const [key, full] = [`${id} ${isAuthor}`, `${version} ${extras}`]
  const known = memory.find(key, full)
  if (known !== undefined) return known
  const plain = memory.find(id, version)
  if (plain === undefined) return undefined
  const text = JSON.stringify({ ...JSON.parse(plain), ...extrasShown(JSON.parse(extras), isAuthor) })
  memory.keep(key, full, text)
  return text
}
