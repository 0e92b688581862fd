// Articles: a list of them, and their feed. docs/contract/editorial.md#the-site-and-its-feed.
import type { LivePage } from '../../http/page.ts'
import { feedState, newest, newestPage, type PublicEntry } from '../../modules/editorial/reading.ts'
import { articlePath } from '../../modules/editorial/show.ts'
import type { Service } from '../../service.ts'
import { brandOf } from '../brand/brand.ts'
import { withFaces } from '../faced.ts'
import { catalogueOf } from '../frame.ts'
import { type HtmlPart, html } from '../html.ts'
import type { View } from '../layout.ts'
import { byline } from '../parts/agent.ts'
import { empty, hasPage, pageAsked, pager, pageSize, places } from '../parts/list.ts'
import { listTitle } from '../parts/list-query.ts'
import { rss, rssType } from '../rss.ts'
import { teaser } from '../text.ts'
import { type Scene, sitePage } from '../view.ts'

export const articlesPath = '/articles'
const feedPath = '/feed.xml'

/** What programs follow instead of the pages of articles. */
export const feedOf = ({ words }: Pick<Scene, 'words'>) => ({ title: words.text('nav.articles'), href: feedPath })

const mostInFeed = 50

export const articleList = sitePage({
  path: articlesPath,
  summary: 'Articles, the newest first',
  query: ['page'],
  async view(scene) {
    const { service, query } = scene
    const page = pageAsked(query['page'])
    if (page === undefined) return undefined
    const { total, shown } = await service.sql.snapshot(async (tx) => {
      const { articles: total } = await feedState(tx)
      return { total, shown: await newestPage(tx, total, { page, page_size: pageSize }) }
    })
    if (!hasPage(page, total)) return undefined
    return listView(await withFaces(scene, service.sql, authorsOf(shown)), { page, total, shown })
  },
})

interface Listed {
  page: number
  total: number
  shown: readonly PublicEntry[]
}

function listView(scene: Scene, { page, total, shown }: Listed): View {
  const { words } = scene
  const stretch = { path: articlesPath, page, total }
  const feed = feedOf(scene)
  return {
    title: listTitle(scene, feed.title, { page }),
    description: words.text('articles.description', { name: scene.frame.name }),
    section: 'articles',
    width: 'listing',
    ...places(stretch),
    feed,
    sharing: { kind: 'website' },
    body: html`<div class="page-head"><h1>${feed.title}</h1>
<p class="lead">${words('articles.lead')}</p>
${total > 0 && html`<p class="fine">${words('articles.total', { total, feed: (inner) => html`<a href="${feedPath}">${inner}</a>` })}</p>`}</div>
${total === 0 ? empty(scene, 'articles.none', 'articles.none.text') : articleRows(scene, shown, 2)}
${pager(scene, stretch)}`,
  }
}

/** Who wrote these articles. */
export const authorsOf = (articles: readonly Pick<PublicEntry, 'author_id'>[]) =>
  articles.map(({ author_id: id }) => ({ id }))

export const articleRows = (scene: Scene, articles: readonly PublicEntry[], heading: 2 | 3): HtmlPart =>
  html`<ul class="rows">
${articles.map((article) => row(scene, article, heading))}</ul>`

function row(scene: Scene, article: PublicEntry, heading: 2 | 3): HtmlPart {
  const { id, language, summary, beginning } = article
  const link = html`<a href="${articlePath(id)}">${article.title}</a>`
  return html`<li class="row">${heading === 2 ? html`<h2 dir="auto" lang="${language}">${link}</h2>` : html`<h3 dir="auto" lang="${language}">${link}</h3>`}
<p dir="auto" lang="${language}">${teaser(summary || beginning)}</p>
<p class="row-foot">${about(scene, article)}</p></li>
`
}

/** What kind of article, by whom, and since when. */
export const about = (scene: Scene, article: Omit<PublicEntry, 'beginning'>): HtmlPart =>
  html`<span class="chip">${scene.words(`articles.kind.${article.kind}`)}</span> ${byline(scene, { ...article, id: article.author_id })} ${scene.words.ago(article.published_at)}`

export const articleFeed: LivePage = {
  path: feedPath,
  summary: 'The feed of articles, RSS 2.0',
  caller: 'anyone',
  cache: 'revalidated',
  show: ({ service }) =>
    service.sql.snapshot(async (tx) => {
      const [{ changed_at: changedAt }, shown] = await Promise.all([feedState(tx), newest(tx, mostInFeed)])
      // A date that is still to come is told neither here nor in the document.
      const told = changedAt && changedAt <= service.clock.now() ? changedAt : null
      return { bytes: Buffer.from(renderFeed(service, told, shown)), contentType: rssType, changedAt: told }
    }),
}

/** The same for every reader, whose program asks for no language. */
function renderFeed(service: Service, changedAt: Date | null, articles: readonly PublicEntry[]): string {
  const { publicUrl } = service
  const words = catalogueOf(service).of([])
  const { name } = brandOf(service)
  return rss({
    title: words.text('articles.feed', { name }),
    link: `${publicUrl}${articlesPath}`,
    self: `${publicUrl}${feedPath}`,
    description: words.text('articles.description', { name }),
    changedAt,
    items: articles.map((article) => ({
      title: article.title,
      link: `${publicUrl}${articlePath(article.id)}`,
      description: article.summary || teaser(article.beginning),
      category: article.kind,
      creator: article.display_name,
      language: article.language,
      publishedAt: article.published_at,
    })),
  })
}
