// The newest orders of an agent, on either side: a complaint begins with them, and who complains seldom knows an ID.
import { latestOrders } from '../../operator/orders.ts'
import { type HtmlPart, html } from '../../site/html.ts'
import { dataTable } from '../lists.ts'
import type { ConsoleScene } from '../page.ts'
import { party, stateName } from './dispute.ts'
import { orderPath } from './order.ts'

export async function agentOrders(scene: ConsoleScene, agentId: string): Promise<HtmlPart> {
  const { service, words } = scene
  const found = await latestOrders(service.sql, agentId)
  if (found.length === 0) return html`<p class="fine">${words('console.customer.orders.none')}</p>`
  return dataTable(scene, {
    caption: 'console.customer.orders',
    isTitled: true,
    columns: [
      'console.customer.order',
      'console.dispute.customer',
      'console.dispute.contractor',
      'console.dispute.total',
      'console.dispute.state',
    ],
    rows: found.map(({ id, customer, contractor, total_minor: total, state, created_at: at }) => [
      html`<a href="${orderPath(id)}">${words.day(at)}</a>`,
      party(words, customer),
      party(words, contractor),
      words.credits(total),
      stateName(words, state),
    ]),
  })
}
