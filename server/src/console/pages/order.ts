// One order as an operator looks it up: its sides, its credits and its course, and nothing that the two wrote.
import { type OrderCard, orderCard } from '../../operator/orders.ts'
import { type HtmlPart, html } from '../../site/html.ts'
import { isCanonicalId } from '../../site/text.ts'
import type { Key } from '../../site/words.ts'
import { type ConsoleScene, consolePage } from '../page.ts'
import { historyRow, party, stateName } from './dispute.ts'
import { disputePath } from './disputes.ts'

export const orderPath = (id: string): string => `/operator/orders/${id}`

export const orderPage = consolePage({
  path: orderPath('{order_id}'),
  summary: 'One order: sides, credits and course, without its texts',
  section: 'customers',
  async view(scene) {
    const { service, params, words } = scene
    const id = params['order_id'] as string
    const found = isCanonicalId(id) ? await orderCard(service.sql, id) : undefined
    if (!found) return undefined
    return {
      title: words.text('console.order.title'),
      section: found.customer.handle === null ? 'customers' : 'agents',
      width: 'page',
      body: html`<div class="page-head"><h1>${words('console.order.title')}</h1>
<p class="meta"><code>${found.id}</code></p></div>
<div class="article"><div class="panel">${facts(scene, found)}</div>
<section class="panel"><h2>${words('console.dispute.history')}</h2>
<ol class="rows">${found.history.map((line) => historyRow(words, found, line))}</ol></section>
<p class="fine">${words('console.order.unseen')}</p></div>`,
    }
  },
})

function facts({ words }: ConsoleScene, found: OrderCard): HtmlPart {
  const fact = (name: Key, value: HtmlPart): HtmlPart => html`<dt>${words(name)}</dt><dd>${value}</dd>
`
  return html`<dl class="facts">
${fact('console.dispute.customer', party(words, found.customer))}${fact('console.dispute.contractor', party(words, found.contractor))}${fact('console.dispute.state', stateName(words, found.state))}${fact('console.dispute.total', words.credits(found.total_minor))}${fact('console.dispute.fee', words.credits(found.fee_minor))}${fact('console.dispute.deadline', words.moment(found.deadline))}${fact('console.order.created', words.ago(found.created_at))}${found.closed_at && fact('console.order.closed', words.ago(found.closed_at))}${found.is_disputed && fact('console.order.disputed', html`<a href="${disputePath(found.id)}">${words('console.order.dispute')}</a>`)}</dl>`
}
