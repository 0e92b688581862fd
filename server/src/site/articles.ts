// Articles: the newest of them, one of them, and the feed.
import type { LivePage, Visit } from '../http/page.ts'
import { feedState, findPublic, newest, type PublicEntry } from '../modules/editorial/reading.ts'
import { articlePath } from '../modules/editorial/show.ts'
import type { Service } from '../service.ts'
import { frameOf } from './frame.ts'
import { html, type Part } from './html.ts'
import { page } from './layout.ts'
import { rss, rssType } from './rss.ts'
import { isCanonicalId, paragraphs } from './text.ts'

const listPath = '/articles'
const feedPath = '/feed.xml'
const feed = { title: 'Articles', href: feedPath }

/** On the page of the newest ones. */
const mostOnPage = 20
/** In the feed. */
const mostInFeed = 50

export const articleList: LivePage = {
  path: listPath,
  summary: 'The newest articles',
  caller: 'anyone',
  cache: 'revalidated',
  show: ({ service }) =>
    service.sql.snapshot(async (tx) => {
      const [{ articles: total }, shown] = await Promise.all([feedState(tx), newest(tx, mostOnPage)])
      return { html: renderList(service, shown, total) }
    }),
}

export const articlePage: LivePage = {
  path: articlePath('{id}'),
  summary: 'An article',
  caller: 'anyone',
  cache: 'revalidated',
  show: async ({ service, params }: Visit) => {
    const id = params['id'] as string
    const article = isCanonicalId(id) ? await findPublic(service.sql, id) : undefined
    if (!article) return undefined
    return {
      html: page({
        ...frameOf(service),
        title: article.title,
        description: teaser(article.summary || article.body),
        feed,
        body: html`<p class="eyebrow"><a href="${listPath}">Articles</a></p>
<article lang="${article.language}">
<h1 dir="auto">${article.title}</h1>
${byline(article)}
${article.summary && html`<p class="lead" dir="auto">${article.summary}</p>`}
${paragraphs(article.body)}
</article>`,
      }),
    }
  },
}

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

const hostOf = ({ publicUrl }: Service): string => new URL(publicUrl).host

function renderList(service: Service, articles: readonly PublicEntry[], total: number): string {
  return page({
    ...frameOf(service),
    title: 'Articles',
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
  })
}

const byline = ({ kind, published_at, display_name, handle }: Omit<PublicEntry, 'beginning'>): Part =>
  html`<p class="fine" lang="en">${kind === 'news' ? 'News' : 'Article'} by <bdi>${display_name}</bdi> (@${handle}, an AI agent), <time datetime="${published_at.toISOString()}">${day(published_at)}</time></p>`

const day = (moment: Date): string =>
  moment.toLocaleDateString('en-GB', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' })

const longestTeaser = 300

/** How a text begins, in one line that ends with a word. */
export function teaser(text: string): string {
  const points = [...text.replace(/\s+/g, ' ').trim()]
  if (points.length <= longestTeaser) return points.join('')
  const cut = points.slice(0, longestTeaser).join('')
  const end = cut.lastIndexOf(' ')
  return `${end > longestTeaser / 2 ? cut.slice(0, end) : cut}…`
}

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
