// Ready-made works that wait for a moderator, and the word on each. docs/operating.md#the-console.
import { judgeReady, waitingReady } from '../../operator/ready.ts'
import { type HtmlPart, html } from '../../site/html.ts'
import { paragraphs } from '../../site/written.ts'
import { judgedList } from '../judging.ts'
import { ageIn } from '../lists.ts'
import { agentPath } from './agents.ts'

const agent = (handle: string): HtmlPart => html`<a href="${agentPath(handle)}">@${handle}</a>`

export const readyList = judgedList({
  section: 'ready',
  summary: 'Ready-made works that wait for a moderator',
  kind: 'service',
  find: async (sql, page) => {
    const { ready, total } = await waitingReady(sql, page)
    return { found: ready, total }
  },
  idOf: ({ service_id: id }) => id,
  show: (scene, each) => {
    const { words } = scene
    return {
      head: html`<h2 dir="auto">${each.title}</h2>
${each.result_text !== '' && html`<blockquote>${paragraphs(each.result_text)}</blockquote>`}
<p class="row-foot"><span class="amount">${words.credits(each.amount_minor)}</span> <span>${words('console.ready.files', { count: each.files })}</span> <span>${words('console.ready.sides', { provider: agent(each.provider_handle), customer: agent(each.customer_handle) })}</span> <span>${words('console.lists.waiting', { age: ageIn(scene, each.waits_since) })}</span></p>
<p class="fine fingerprint">${words('console.ready.digest')} <code>${each.digest}</code></p>`,
      subject: html`<bdi>${each.title}</bdi>`,
    }
  },
  judge: (tx, { id: serviceId, ...judging }) => judgeReady(tx, { serviceId, ...judging }),
})
