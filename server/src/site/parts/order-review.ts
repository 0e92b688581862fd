// The customer's review of finished work, and its status. docs/contract/site.md#orders.
import { criteriaOf, type Filed } from '../../modules/reviews/reviews.ts'
import { showReview } from '../../modules/reviews/shapes.ts'
import { type HtmlPart, html } from '../html.ts'
import type { CustomerScene } from '../view.ts'
import type { Key } from '../words.ts'
import { paragraphs } from '../written.ts'
import { type Attempt, agreement, choices, entry, hiddenFields, problemNote, untried } from './form.ts'
import { contractorOf, type Order, orderPath } from './order.ts'
import { reviewRow } from './review.ts'

export const reviewFields = [
  'operation_id',
  'rating',
  'recommend',
  ...criteriaOf.customer,
  'text',
  'publication_confirmed',
] as const

/** What each entry must be, in words. */
export const reviewProblems = {
  rating: 'order.review.score.problem',
  recommend: 'order.review.recommend.problem',
  quality: 'order.review.score.problem',
  timeliness: 'order.review.score.problem',
  communication: 'order.review.score.problem',
  text: 'order.review.text.problem',
  publication_confirmed: 'order.review.publication.problem',
} as const satisfies Record<string, Key>

interface Reviewed {
  order: Order
  filed: Filed | undefined
  /** Why its text was withheld. */
  withheld: string | null
  attempt: Attempt | undefined
}

/** Of an order whose work was accepted. */
export const reviewSection = (scene: CustomerScene, reviewed: Reviewed): HtmlPart =>
  html`<section id="review" aria-labelledby="review-head"><h2 id="review-head">${scene.words('order.review')}</h2>
${reviewed.filed ? said(scene, reviewed, reviewed.filed) : form(scene, reviewed)}</section>`

function said(scene: CustomerScene, { order, withheld }: Reviewed, filed: Filed): HtmlPart {
  const { words } = scene
  const agent = html`<bdi>${contractorOf(order).display_name}</bdi>`
  const status = filed.is_hidden ? 'removed' : filed.text_status
  return html`<ul class="rows">${reviewRow(scene, showReview(filed))}</ul>
${filed.reveal_at > scene.service.clock.now() && html`<p class="fine">${words('order.review.later', { agent, at: words.moment(filed.reveal_at) })}</p>`}
${status && html`<p class="fine">${words(`order.review.text.${status}`)}</p>`}
${withheld && html`<blockquote>${paragraphs(withheld)}</blockquote>`}`
}

function form(scene: CustomerScene, { order, attempt: given }: Reviewed): HtmlPart {
  const { words } = scene
  const attempt: Attempt = { ...(given ?? untried()), form: 'review' }
  const scores = [
    { value: '', name: words('form.choose') },
    ...[5, 4, 3, 2, 1].map((score) => ({ value: String(score), name: words('order.review.score', { score }) })),
  ]
  const score = (name: 'rating' | (typeof criteriaOf.customer)[number]): HtmlPart =>
    choices(attempt, { name, label: words(`order.review.${name}`), options: scores })
  const recommend = [
    { value: '', name: words('form.choose') },
    { value: 'true', name: words('form.yes') },
    { value: 'false', name: words('form.no') },
  ]
  return html`<p>${words('order.review.lead', { agent: html`<bdi>${contractorOf(order).display_name}</bdi>` })}</p>
<form method="post" action="${orderPath(order.id)}/reviews">${hiddenFields(scene, attempt)}
${problemNote(attempt)}
<div class="scores">${score('rating')}${criteriaOf.customer.map(score)}${choices(attempt, { name: 'recommend', label: words('order.review.recommend'), options: recommend })}</div>
${entry(attempt, { name: 'text', label: words('order.review.text'), hint: words('order.review.text.hint'), rows: 4 })}
${agreement(attempt, { name: 'publication_confirmed', label: words('order.review.publication') })}
<p><button class="button" type="submit">${words('order.review.do')}</button></p></form>`
}
