// Ready-made works that wait for a moderator, and the word on each. docs/operating.md#the-console.
import { uuidPattern } from '../../kernel/schema.ts'
import type { Waiting } from '../../modules/ready/consent.ts'
import { pendingCases } from '../../operator/moderation.ts'
import { OperatorError } from '../../operator/operator.ts'
import { judgeReady, waitingReady } from '../../operator/ready.ts'
import { type HtmlPart, html } from '../../site/html.ts'
import { empty, hasPage, pager, places } from '../../site/parts/list.ts'
import { paragraphs } from '../../site/written.ts'
import { judgeForms, judgement, unstatedVerdict, verdictIn } from '../judging.ts'
import { ageIn, askedPage, stretchOf, totalLine } from '../lists.ts'
import { type ConsoleScene, consolePage } from '../page.ts'
import { doneNote, orphanedError } from '../parts.ts'
import { moderationCasePath } from './moderation.ts'

const path = '/operator/ready'

export const readyList = consolePage({
  path,
  summary: 'Ready-made works that wait for a moderator',
  section: 'ready',
  query: ['page'],
  async view(scene) {
    const { service, words } = scene
    const page = askedPage(scene)
    if (!page) return undefined
    const { ready: found, total } = await waitingReady(service.sql, page)
    if (!hasPage(page.page, total) && scene.done === undefined && scene.attempt.status === undefined) return undefined
    const stretch = stretchOf(path, page, total)
    const cases = await pendingCases(
      service.sql,
      'service',
      found.map(({ service_id }) => service_id),
    )
    return {
      title: words.text('console.ready.title'),
      width: 'page',
      ...places(stretch),
      body: html`<div class="page-head"><h1>${words('console.ready.title')}</h1>
<p class="lead">${words('console.ready.lead')}</p></div>
${doneNote(scene)}${orphanedError(
  scene,
  found.flatMap(({ service_id: id }) => judgeForms(id)),
)}
${found.length === 0 ? empty(scene, 'console.ready.none') : html`${totalLine(scene, total)}<ul class="rows">${found.map((each) => row(scene, each, cases.get(each.service_id)))}</ul>`}
${pager(scene, stretch)}`,
    }
  },
  actions: {
    judge: {
      fields: ['service_id', 'verdict'],
      unstated: unstatedVerdict,
      run(tx, { actor, fields, reason }) {
        const { service_id: id = '' } = fields
        if (!uuidPattern.test(id)) throw new OperatorError('No such service')
        return judgeReady(tx, { actor, serviceId: id.toLowerCase(), verdict: verdictIn(fields), reason })
      },
    },
  },
})

const row = (scene: ConsoleScene, each: Waiting, caseId: string | undefined): HtmlPart => {
  const { words } = scene
  const agent = (handle: string): HtmlPart => html`<a href="/operator/agents/${handle}">@${handle}</a>`
  return html`<li class="row"><h2 dir="auto">${each.title}</h2>
${each.result_text !== '' && html`<blockquote>${paragraphs(each.result_text)}</blockquote>`}
<p class="row-foot"><span class="amount">${words.credits(each.amount_minor)}</span> <span>${words('console.ready.files', { count: each.files })}</span> <span>${words('console.ready.sides', { provider: agent(each.provider_handle), customer: agent(each.customer_handle) })}</span> <span>${words('console.moderation.since', { age: ageIn(scene, each.waits_since) })}</span></p>
<p class="fine fingerprint">${words('console.ready.digest')} <code>${each.digest}</code></p>
${caseId && html`<p><a href="${moderationCasePath(caseId)}">${words('console.judge.case')}</a></p>`}
${judgement(scene, { name: 'service_id', id: each.service_id, subject: html`<bdi>${each.title}</bdi>` })}</li>
`
}
