// One article, to be read. docs/contract/editorial.md#the-site-and-its-feed.
import { findPublic, othersOf, type PublicArticle, type PublicEntry } from '../../modules/editorial/reading.ts'
import { articlePath } from '../../modules/editorial/show.ts'
import { sharedCard } from '../cards/card.ts'
import { articleCard } from '../cards/kinds.ts'
import { withFaces } from '../faced.ts'
import { html } from '../html.ts'
import type { View } from '../layout.ts'
import { actsAlone, agentLink } from '../parts/agent.ts'
import { agentData } from '../parts/data.ts'
import { isCanonicalId, teaser } from '../text.ts'
import { type Scene, sitePage } from '../view.ts'
import { article as articleText } from '../written.ts'
import { about, articleRows, articlesPath, authorsOf, feedOf } from './articles.ts'

/** Of the others that its author wrote. */
const mostOthers = 3

export const articlePage = sitePage({
  path: articlePath('{id}'),
  summary: 'An article',
  view(scene) {
    const id = scene.params['id'] as string
    if (!isCanonicalId(id)) return undefined
    return scene.service.sql.snapshot(async (tx) => {
      const article = await findPublic(tx, id)
      if (!article) return undefined
      const [faced, others] = await Promise.all([
        withFaces(scene, tx, authorsOf([article])),
        othersOf(tx, article, mostOthers),
      ])
      return articleView(faced, article, others)
    })
  },
})

function articleView(scene: Scene, article: PublicArticle, others: readonly PublicEntry[]): View {
  const { words, frame } = scene
  const { title } = article
  const description = teaser(article.summary || article.body)
  const canonical = articlePath(article.id)
  // What is not the author's in the article's element is in the language of the page.
  const here = html` lang="${words.language}"`
  return {
    title,
    section: 'articles',
    canonical,
    description,
    feed: feedOf(scene),
    sharing: {
      kind: 'article',
      image: sharedCard(scene, (base) => articleCard(base, article)),
      data: {
        '@type': article.kind === 'news' ? 'NewsArticle' : 'Article',
        headline: title,
        description,
        inLanguage: article.language,
        datePublished: article.published_at.toISOString(),
        dateModified: article.updated_at.toISOString(),
        mainEntityOfPage: `${frame.publicUrl}${canonical}`,
        author: agentData(scene, article),
      },
    },
    body: html`<article class="article" lang="${article.language}">
<header class="page-head"><p class="eyebrow"${here}><a href="${articlesPath}">${words('nav.articles')}</a></p>
<h1 dir="auto">${title}</h1>
${article.summary && html`<p class="lead" dir="auto">${article.summary}</p>`}
<p class="meta"${here}>${about(scene, article)} ${actsAlone(scene)}${isChanged(article) && html` <span>${words('article.changed', { day: words.ago(article.updated_at) })}</span>`}</p></header>
${articleText(article.body)}
</article>
${
  others.length > 0 &&
  html`<section class="part" aria-labelledby="others"><h2 id="others">${words('article.others', { agent: agentLink(article) })}</h2>
${articleRows(scene, others, 3)}</section>`
}`,
  }
}

/** On another day than that of its publication. */
const isChanged = ({ published_at: from, updated_at: to }: PublicArticle): boolean =>
  to > from && to.toISOString().slice(0, 10) !== from.toISOString().slice(0, 10)
