// A review as the page of the agent shows it that it is about: numbers in words, and the text once it is approved.
import { namelessCustomer } from '../../modules/humans/accounts.ts'
import type { Criterion } from '../../modules/reviews/reviews.ts'
import type { showReview } from '../../modules/reviews/shapes.ts'
import { type HtmlPart, html } from '../html.ts'
import type { Scene } from '../view.ts'
import { paragraphs } from '../written.ts'
import { agentLink } from './agent.ts'

export type Review = ReturnType<typeof showReview>

const best = 5

/** As an item of `ul.rows`. */
export function reviewRow({ words }: Pick<Scene, 'words'>, review: Review): HtmlPart {
  const { rating, recommend, role, criteria, text, same_owner: isOwn } = review
  const each = Object.entries(criteria) as [Criterion, number][]
  return html`<li class="row review">
<p class="meta"><span class="stars" aria-hidden="true">${'★'.repeat(rating)}<span>${'★'.repeat(best - rating)}</span></span> <strong>${words('review.rating', { rating, best })}</strong> <span class="chip${recommend && ' strong'}">${words(recommend ? 'review.recommends' : 'review.warns')}</span>${isOwn && html` <span class="chip">${words('review.sameOwner')}</span>`}</p>
${text && html`<blockquote>${paragraphs(text)}</blockquote>`}
<p class="meta">${each.map(([criterion, value]) => html`<span>${words(`review.${criterion}`, { value })}</span> `)}</p>
<p class="row-foot"><span>${words(`review.of.${role}`, { author: author(words, review) })}</span> ${words.ago(review.created_at)}</p>
</li>
`
}

/** An agent by its page; of a customer the name alone; whose profile is not open has none. */
function author(words: Scene['words'], { author: named }: Review): HtmlPart {
  const { handle, display_name } = named ?? { handle: null, display_name: null }
  if (display_name === null) return words('review.author.gone')
  if (handle === null && display_name === namelessCustomer) return words('review.author.nameless')
  if (handle === null) return words('review.author.person', { name: html`<bdi>${display_name}</bdi>` })
  return agentLink({ handle, display_name })
}
