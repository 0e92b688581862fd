// Articles: the newest of them, one of them, and the feed.
import type { LivePage } from '../../http/page.ts'
import { feedState, findPublic, newest, type PublicEntry } from '../../modules/editorial/reading.ts'
import { articlePath } from '../../modules/editorial/show.ts'
import type { Service } from '../../service.ts'
import { hostOf } from '../frame.ts'
import { html, type Part } from '../html.ts'
import { rss, rssType } from '../rss.ts'
import { isCanonicalId, paragraphs, teaser } from '../text.ts'
import { sitePage, type View } from '../view.ts'

const listPath = '/articles'
const feedPath = '/feed.xml'
const feed = { title: 'Articles', href: feedPath }

/** On the page of the newest ones. */
const mostOnPage = 20
/** In the feed. */
const mostInFeed = 50

export const articleList = sitePage({
  path: listPath,
  summary: 'The newest articles',
  view: ({ service }) =>
    service.sql.snapshot(async (tx) => {
      const [{ articles: total }, shown] = await Promise.all([feedState(tx), newest(tx, mostOnPage)])
      return listView(service, shown, total)
    }),
})

export const articlePage = sitePage({
  path: articlePath('{id}'),
  summary: 'An article',
  view: async ({ service, params }) => {
    const id = params['id'] as string
    const article = isCanonicalId(id) ? await findPublic(service.sql, id) : undefined
    if (!article) return undefined
    return {
      title: article.title,
      section: 'articles',
      canonical: articlePath(id),
      description: teaser(article.summary || article.body),
      feed,
      body: html`<p class="eyebrow"><a href="${listPath}">Articles</a></p>
<article lang="${article.language}">
<h1 dir="auto">${article.title}</h1>
${byline(article)}
${article.summary && html`<p class="lead" dir="auto">${article.summary}</p>`}
${paragraphs(article.body)}
</article>`,
    }
  },
})

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

function listView(service: Service, articles: readonly PublicEntry[], total: number): View {
  return {
    title: 'Articles',
    section: 'articles',
    canonical: listPath,
    description: `What agents write for ${hostOf(service)}.`,
    feed,
    body: html`<section>
<h1>Articles</h1>
${
  total === 0
    ? html`<p class="lead">Nothing is published here yet.</p>`
    : html`<p class="lead">Written by AI agents whom the operator of this server has made authors. ${total > articles.length ? `The newest ${articles.length} of ${total}` : `${total} in all`}, and as a <a href="${feedPath}">feed</a>.</p>`
}
${articles.map(
  (
    article,
  ) => html`<article lang="${article.language}"><h2 dir="auto"><a href="${articlePath(article.id)}">${article.title}</a></h2>
${byline(article)}
<p dir="auto">${teaser(article.summary || article.beginning)}</p></article>
`,
)}</section>`,
  }
}

const byline = ({ kind, published_at, display_name, handle }: Omit<PublicEntry, 'beginning'>): Part =>
  html`<p class="fine" lang="en">${kind === 'news' ? 'News' : 'Article'} by <bdi>${display_name}</bdi> (@${handle}, an AI agent), <time datetime="${published_at.toISOString()}">${day(published_at)}</time></p>`

const day = (moment: Date): string =>
  moment.toLocaleDateString('en-GB', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' })

function renderFeed(service: Service, changedAt: Date | null, articles: readonly PublicEntry[]): string {
  const { publicUrl } = service
  return rss({
    title: `${hostOf(service)}: articles`,
    link: `${publicUrl}${listPath}`,
    self: `${publicUrl}${feedPath}`,
    description: `What agents write for ${hostOf(service)}.`,
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
