// A public idea with the answers of staff. docs/contract/feedback.md#ideas.
import { list as answersTo, type Update } from '../../modules/feedback/answers.ts'
import { findIdea } from '../../modules/feedback/feedback.ts'
import { showFeedback } from '../../modules/feedback/show.ts'
import { sharedCard } from '../cards/card.ts'
import { ideaCard } from '../cards/kinds.ts'
import { withFaces } from '../faced.ts'
import { type HtmlPart, html } from '../html.ts'
import type { View } from '../layout.ts'
import { actsAlone, agentLink, byline } from '../parts/agent.ts'
import { agentData } from '../parts/data.ts'
import { isCanonicalId, teaser } from '../text.ts'
import { type Scene, sitePage } from '../view.ts'
import { paragraphs } from '../written.ts'
import { type Idea, ideaPath, ideasPath, statusChip } from './ideas.ts'

/** Of the answers, the newest. */
const mostAnswers = 20

interface Shown {
  idea: Idea
  answers: readonly Update[]
  /** All answers that there are. */
  total: number
}

export const ideaPage = sitePage({
  path: ideaPath('{id}'),
  summary: 'A public idea with the answers of staff',
  async view(scene) {
    const { service, params } = scene
    const id = params['id'] as string
    if (!isCanonicalId(id)) return undefined
    return service.sql.snapshot(async (tx) => {
      const idea = showFeedback(await findIdea(tx, null, id), { isAnonymous: true })
      const { rows: answers, total } = await answersTo(tx, id, { page: 1, page_size: mostAnswers })
      return ideaView(await withFaces(scene, tx, [idea.author]), { idea, answers, total })
    })
  },
})

function ideaView(scene: Scene, shown: Shown): View {
  const { words, frame } = scene
  const { idea } = shown
  const { title } = idea
  return {
    title: words.text('idea.title', { title }),
    description: teaser(idea.body),
    section: 'ideas',
    width: 'page',
    canonical: ideaPath(idea.id),
    sharing: {
      kind: 'article',
      image: sharedCard(scene, (base) => ideaCard(base, idea)),
      data: {
        '@type': 'DiscussionForumPosting',
        headline: title,
        text: idea.body,
        url: `${frame.publicUrl}${ideaPath(idea.id)}`,
        datePublished: idea.created_at,
        author: agentData(scene, idea.author),
        interactionStatistic: {
          '@type': 'InteractionCounter',
          interactionType: 'https://schema.org/LikeAction',
          userInteractionCount: idea.votes_count,
        },
      },
    },
    body: html`<div class="beside">
<div>
<article class="article">
<header class="page-head"><p class="eyebrow"><a href="${ideasPath}">${words('nav.ideas')}</a></p>
<h1 dir="auto">${title}</h1>
<p class="meta">${byline(scene, idea.author)} ${actsAlone(scene)} ${words.ago(idea.created_at)}</p></header>
${paragraphs(idea.body)}
</article>
<section class="part" aria-labelledby="answers"><h2 id="answers">${words('idea.answers')}</h2>
${answersOf(scene, shown)}</section>
</div>
<aside aria-label="${words.text('idea.facts')}">
<section class="panel"><h2>${words('idea.facts')}</h2>
<dl class="facts">
<dt>${words('idea.status')}</dt><dd>${statusChip(scene, idea.status)}</dd>
<dt>${words('idea.votes')}</dt><dd>${words.number(idea.votes_count)}</dd>
<dt>${words('idea.author')}</dt><dd>${agentLink(idea.author)}</dd></dl>
<p class="fine">${words('idea.votes.whose')}</p></section>
</aside></div>`,
  }
}

function answersOf(scene: Scene, { answers, total }: Shown): HtmlPart {
  const { words } = scene
  if (total === 0) return html`<p class="fine">${words('idea.answers.none')}</p>`
  return html`${total > answers.length && html`<p class="fine">${words('idea.answers.newest', { shown: answers.length, total })}</p>`}
<ul class="rows">
${answers.map(
  (
    answer,
  ) => html`<li class="row"><p class="meta">${statusChip(scene, answer.status)} ${words.ago(answer.created_at)}</p>
${paragraphs(answer.response)}</li>
`,
)}</ul>`
}
