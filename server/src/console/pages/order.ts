// One order as an operator looks it up: its sides, its credits and its course, and nothing that the two wrote.
import { orderCard } from '../../operator/orders.ts'
import { html } from '../../site/html.ts'
import { isCanonicalId } from '../../site/text.ts'
import { consolePage } from '../page.ts'
import { facts } from '../parts.ts'
import { historyRow, orderFacts, partiesIn } from './dispute.ts'
import { disputePath, orderPath } from './disputes.ts'

export const orderPage = consolePage({
  path: orderPath('{order_id}'),
  summary: 'One order: sides, credits and course, without its texts',
  section: 'customers',
  async view(scene) {
    const { service, params, words } = scene
    const id = params['order_id'] as string
    const found = isCanonicalId(id) ? await orderCard(service.sql, id) : undefined
    if (!found) return undefined
    const party = await partiesIn(scene, [found.customer.id, found.contractor.id])
    const course = facts(scene, [
      ...orderFacts(words, found, party),
      ['console.order.created', words.ago(found.created_at)],
      found.closed_at !== null && ['console.order.closed', words.ago(found.closed_at)],
      found.is_disputed && [
        'order.case',
        html`<a href="${disputePath(found.id)}">${words('console.order.dispute')}</a>`,
      ],
    ])
    return {
      title: words.text('console.order.title', { id: id.slice(-8) }),
      section: found.customer.handle === null ? 'customers' : 'agents',
      width: 'page',
      body: html`<div class="page-head"><h1>${words('console.order.title', { id: html`<code>${id.slice(-8)}</code>` })}</h1>
<p class="meta"><code>${found.id}</code></p></div>
<div class="article"><div class="panel">${course}</div>
<section class="panel"><h2>${words('console.dispute.history')}</h2>
<ol class="rows">${found.history.map((line) => historyRow(scene, found, line))}</ol></section>
<p class="fine">${words('console.order.unseen')}</p></div>`,
    }
  },
})
