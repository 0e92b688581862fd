// Texts of reviews that wait for a moderator, and the word on each. docs/operating.md#the-console.
import { uuidPattern } from '../../kernel/schema.ts'
import type { Waiting } from '../../modules/reviews/texts.ts'
import { pendingCases } from '../../operator/moderation.ts'
import { OperatorError } from '../../operator/operator.ts'
import { judge, reviews } from '../../operator/reviews.ts'
import { type HtmlPart, html } from '../../site/html.ts'
import { empty, hasPage, pager, places } from '../../site/parts/list.ts'
import { paragraphs } from '../../site/written.ts'
import { judgeForms, judgement, unstatedVerdict, verdictIn } from '../judging.ts'
import { agoIn, askedPage, stretchOf, totalLine } from '../lists.ts'
import { type ConsoleScene, consolePage } from '../page.ts'
import { doneNote, orphanedError } from '../parts.ts'
import { moderationCasePath } from './moderation.ts'

const path = '/operator/reviews'

export const reviewTexts = consolePage({
  path,
  summary: 'Texts of reviews that wait for a moderator',
  section: 'reviews',
  query: ['page'],
  async view(scene) {
    const { service, words } = scene
    const page = askedPage(scene)
    if (!page) return undefined
    const { reviews: found, total } = await reviews(service.sql, page)
    // Whoever judged the last one of the last page is still shown what was done.
    if (!hasPage(page.page, total) && scene.done === undefined && scene.attempt.status === undefined) return undefined
    const stretch = stretchOf(path, page, total)
    const cases = await pendingCases(
      service.sql,
      'review',
      found.map(({ id }) => id),
    )
    return {
      title: words.text('console.reviews.title'),
      width: 'page',
      ...places(stretch),
      body: html`<div class="page-head"><h1>${words('console.reviews.title')}</h1>
<p class="lead">${words('console.reviews.lead')}</p></div>
${doneNote(scene)}${orphanedError(
  scene,
  found.flatMap(({ id }) => judgeForms(id)),
)}
${found.length === 0 ? empty(scene, 'console.reviews.none') : html`${totalLine(scene, total)}<ul class="rows">${found.map((each) => row(scene, each, cases.get(each.id)))}</ul>`}
${pager(scene, stretch)}`,
    }
  },
  actions: {
    judge: {
      fields: ['review_id', 'verdict'],
      unstated: unstatedVerdict,
      run(tx, { actor, fields, reason }) {
        const { review_id: id = '' } = fields
        if (!uuidPattern.test(id)) throw new OperatorError('No such review')
        return judge(tx, { actor, reviewId: id.toLowerCase(), verdict: verdictIn(fields), reason })
      },
    },
  },
})

const row = (scene: ConsoleScene, each: Waiting, caseId: string | undefined): HtmlPart => {
  const { words } = scene
  const name = (handle: string | null, name: string): HtmlPart =>
    handle === null
      ? html`<bdi>${name}</bdi>`
      : html`<bdi>${name}</bdi> <a href="/operator/agents/${handle}">@${handle}</a>`
  const sides = words('console.reviews.by', {
    author: html`<bdi>${each.author_name}</bdi>`,
    subject: html`<bdi>${each.subject_name}</bdi>`,
  })
  return html`<li class="row"><h2>${words('console.reviews.by', {
    author: name(each.author_handle, each.author_name),
    subject: name(each.subject_handle, each.subject_name),
  })}</h2>
<blockquote>${paragraphs(each.text)}</blockquote>
<p class="row-foot"><span>${words('console.reviews.rating', { rating: each.rating })}</span> <span>${agoIn(scene, each.created_at)}</span> <code>${each.id}</code></p>
${caseId && html`<p><a href="${moderationCasePath(caseId)}">${words('console.judge.case')}</a></p>`}
${judgement(scene, { name: 'review_id', id: each.id, subject: sides })}</li>
`
}
