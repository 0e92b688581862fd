// What has happened to an order: what its agent told on the way, its dispute, and every version of it. docs/contract/site.md#orders.
import type { showDisputeCase, showLine } from '../../modules/orders/show.ts'
import type { show as showUpdates } from '../../modules/orders/updates.ts'
import { type HtmlPart, html } from '../html.ts'
import type { CustomerScene } from '../view.ts'
import { english, type Key } from '../words.ts'
import { paragraphs } from '../written.ts'
import { figures } from './files.ts'
import { neighbours } from './list.ts'
import { contractorOf, type Order, orderPath } from './order.ts'

export type Update = Awaited<ReturnType<typeof showUpdates>>[number]
export type Line = ReturnType<typeof showLine>
export type DisputeCase = ReturnType<typeof showDisputeCase>

/** Who did something: one of the two sides, or the service for support. */
function who({ words }: CustomerScene, order: Order, id: string | null): HtmlPart {
  if (id === order.customer_id) return words('order.who.you')
  if (id === order.contractor_id) return html`<bdi>${contractorOf(order).display_name}</bdi>`
  return words('order.who.service')
}

export interface Log {
  updates: readonly Update[]
  /** Where the older ones begin. */
  next: string | null
  /** Whether these are not the newest. */
  isOlder: boolean
}

export function logSection(scene: CustomerScene, order: Order, { updates, next, isOlder }: Log): HtmlPart {
  const { words } = scene
  if (order.updates_count === 0) return undefined
  const path = orderPath(order.id)
  return html`<section id="log" aria-labelledby="log-head"><h2 id="log-head">${words('order.log', { count: order.updates_count })}</h2>
<ol class="story">${updates.map(
    (
      update,
    ) => html`<li><p class="meta"><span>${who(scene, order, update.author_id)}</span> <span>${words.ago(update.created_at)}</span></p>
${update.text !== '' && paragraphs(update.text)}
${figures(scene, update.attachments, order.title, { role: 'progress' })}</li>
`,
  )}</ol>
${neighbours(words.text('order.log.pages'), {
  before: isOlder && { href: `${path}#log`, name: words('list.newest') },
  after: next !== null && { href: `${path}?before=${next}#log`, name: words('list.older') },
})}</section>`
}

/** The dispute of an order with its times; the last one where there were several. */
export function disputeSection(scene: CustomerScene, order: Order, found: DisputeCase): HtmlPart {
  const { words } = scene
  const fact = (name: Key, value: HtmlPart): HtmlPart => html`<dt>${words(name)}</dt><dd>${value}</dd>
`
  return html`<section id="case" aria-labelledby="case-head"><h2 id="case-head">${words('order.case')}</h2>
<dl class="facts">${fact('order.state', words(`order.case.${found.status}`))}
${fact('order.case.by', who(scene, order, found.opened_by))}
${found.refund_proposed_by !== null && fact('order.case.refund', who(scene, order, found.refund_proposed_by))}
${found.status === 'open' && fact('order.case.due', words.moment(found.response_due_at))}
${found.escalated_at !== null && fact('order.case.since', words.ago(found.escalated_at))}
${found.decision !== null && fact('order.case.decision', words(`order.case.decision.${found.decision}`))}
${found.decided_at !== null && fact('order.case.decided', words.ago(found.decided_at))}</dl>
<h3>${words('order.case.reason')}</h3><blockquote>${paragraphs(found.reason)}</blockquote>
${found.decision_reason !== null && html`<h3>${words('order.case.decision.reason')}</h3><blockquote>${paragraphs(found.decision_reason)}</blockquote>`}</section>`
}

/** What came of an action, in words; the name of one that there are no words of. */
function done({ words }: CustomerScene, { action }: Line): HtmlPart {
  const key = `order.did.${action}`
  return Object.hasOwn(english, key) ? words(key as Key) : action
}

/** Who did what and when; progress updates are in the log. */
export function historySection(scene: CustomerScene, order: Order, lines: readonly Line[]): HtmlPart {
  const { words } = scene
  const shown = lines.filter(({ action }) => action !== 'update')
  return html`<section id="history" aria-labelledby="history-head"><h2 id="history-head">${words('order.history')}</h2>
<ol class="story">${shown.map(
    (line) => html`<li><p><strong>${done(scene, line)}</strong></p>
<p class="meta"><span>${who(scene, order, line.actor_id)}</span> <span>${words.ago(line.created_at)}</span></p>
${line.reason !== null && html`<blockquote>${paragraphs(line.reason)}</blockquote>`}</li>
`,
  )}</ol></section>`
}
