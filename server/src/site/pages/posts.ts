// Works, newest first: everyone's, of a kind, or with the words that somebody seeks. docs/contract/site.md#works.

import type { LivePage } from '../../http/page.ts'
import { type Page, withRows } from '../../kernel/lists.ts'
import { part } from '../../kernel/part.ts'
import { feed, newestListed } from '../../modules/posts/feed.ts'
import { listedAmong } from '../../modules/posts/listing.ts'
import { type Kind, kinds } from '../../modules/posts/shapes.ts'
import { type Post, show, viewerOf } from '../../modules/posts/show.ts'
import type { Service } from '../../service.ts'
import { brandOf } from '../brand/brand.ts'
import { type Discovered, discovered } from '../discovered.ts'
import { withFaces } from '../faced.ts'
import { catalogueOf } from '../frame.ts'
import { type HtmlPart, html } from '../html.ts'
import type { View } from '../layout.ts'
import { addressOf, empty, hasPage, lastPage, pager, pageSize, partialNote, places, searchForm } from '../parts/list.ts'
import { type ListQuery, listQuery, listTitle } from '../parts/list-query.ts'
import { postCard, postsPath } from '../parts/post.ts'
import { mostInFeed, worksFeed } from '../parts/post-feed.ts'
import { type Scene, sitePage } from '../view.ts'

const feedPath = '/posts.xml'
const longestSearch = 160
/** So many cards stand above the fold of a wide screen. */
const firstSeen = 4

export const postList = sitePage({
  path: postsPath,
  summary: 'Works, newest first, and the search for them',
  query: ['kind', 'q', 'page'],
  view: async (scene) => {
    const { service, query } = scene
    const kind = kinds.find((each) => each === query['kind'])
    const wanted = listQuery(scene, longestSearch, lastPage)
    if (!wanted || kind !== query['kind']) return undefined
    const { q, page } = wanted
    if (wanted.problem !== undefined) return refusedView(scene, kind, wanted)
    const found = await worksFound(service, { kind, q, page, page_size: pageSize })
    if (!found.partial && !hasPage(page, found.total)) return undefined
    const authors = found.rows.map(({ author }) => author)
    return listView(await withFaces(scene, service.sql, authors), { kind, q, page }, found)
  },
})

async function worksFound(
  service: Service,
  { kind, q, ...page }: Page & { kind: Kind | undefined; q: string },
): Promise<Discovered<Post>> {
  const viewer = viewerOf(service, null)
  if (q === '') return feed(service.sql, viewer, { kind, q, author: undefined, mine: false, ...page })
  const further = kind && part`exists (select 1 from posts p where p.id = d.id and p.kind = ${kind} offset 0)`
  const found = await discovered(service, { q, kind: 'works', ...(further && { further }), ...page })
  // Of one state of the database: what became private since it was found is not shown.
  return withRows(found, (ids) => service.sql.snapshot(async (tx) => show(tx, viewer, await listedAmong(tx, ids))))
}

type Listed = Pick<ListQuery, 'q' | 'page'> & { kind: Kind | undefined }

function listView(scene: Scene, { kind, q, page }: Listed, { rows: posts, total, partial }: Discovered<Post>): View {
  const { words } = scene
  const stretch = { path: postsPath, filter: { kind, q }, page, total }
  const name = q === '' ? words.text(kind ? `works.kind.${kind}` : 'nav.works') : words.text('works.found.title', { q })
  return {
    title: listTitle(scene, name, { page }),
    description: words.text('works.lead'),
    section: 'works',
    width: 'page',
    ...places(stretch),
    feed: { title: words.text('nav.works'), href: feedPath },
    isUnlisted: q !== '',
    sharing: { kind: 'website' },
    body: html`${head(scene, kind, q)}
${partialNote(scene, partial)}
${
  total === 0
    ? partial
      ? undefined
      : q === ''
        ? empty(scene, kind ? 'works.none.kind' : 'works.none', 'works.none.text')
        : empty(scene, 'search.none', 'works.found.none.text')
    : html`<h2 class="list-head">${words(q === '' ? 'works.count' : 'works.found', { count: total })}</h2>
<ul class="works">
${posts.map((post, at) => postCard(scene, post, { heading: 3, isEager: at < firstSeen }))}</ul>
${pager(scene, stretch)}
<p class="fine"><a href="${feedPath}">${words('agent.feed.link')}</a></p>`
}`,
  }
}

/** The page with the search as it was typed, and what is wrong with it. */
function refusedView(scene: Scene, kind: Kind | undefined, { typed, problem }: ListQuery): View {
  const { words } = scene
  return {
    title: words.text('nav.works'),
    status: 400,
    section: 'works',
    width: 'page',
    isUnlisted: true,
    canonical: addressOf({ path: postsPath, filter: { kind } }, 1),
    body: head(scene, kind, typed, problem),
  }
}

function head(scene: Scene, kind: Kind | undefined, typed: string, problem?: string): HtmlPart {
  const { words } = scene
  // What cannot be sought is not carried on.
  const q = problem === undefined ? typed : ''
  const link = (each: Kind | undefined): HtmlPart =>
    html`<a href="${addressOf({ path: postsPath, filter: { kind: each, q } }, 1)}"${each === kind && html` aria-current="true"`}>${words(each ? `works.kind.${each}` : 'works.kind.all')}</a>`
  return html`<div class="page-head"><h1>${words('nav.works')}</h1>
<p class="lead">${words('works.lead')}</p></div>
<div class="list-tools">${searchForm(scene, { path: postsPath, typed, label: 'works.search', problem, keep: { kind } })}
<nav class="filters" aria-label="${words.text('works.kinds')}">${[undefined, ...kinds].map(link)}</nav></div>`
}

export const postFeed: LivePage = {
  path: feedPath,
  summary: 'The feed of all public works, RSS 2.0',
  caller: 'anyone',
  cache: 'revalidated',
  show: async ({ service }) => {
    const viewer = { ...viewerOf(service, null), id: null }
    const posts = await service.sql.snapshot((tx) => newestListed(tx, viewer, mostInFeed))
    // The same for every reader, whose program asks for no language.
    const words = catalogueOf(service).of([])
    const about = {
      title: words.text('works.feed', { name: brandOf(service).name }),
      link: postsPath,
      self: feedPath,
      description: words.text('works.lead'),
    }
    return worksFeed(service, words, about, posts)
  },
}
