// One dispute: the order, what its two sides say, how it came to this, and what support may decide. It shows what staff sees of a
// dispute, and no more: what the two sent each other is theirs.
import { refuse } from '../../kernel/refuse.ts'
import type { Dispute } from '../../modules/staff/disputes.ts'
import { partyStates } from '../../operator/customers.ts'
import { decideDispute, disputeOf, type WholeDispute } from '../../operator/disputes.ts'
import { type HtmlPart, html } from '../../site/html.ts'
import { isCanonicalId } from '../../site/text.ts'
import { english, type Key, type Words } from '../../site/words.ts'
import { paragraphs } from '../../site/written.ts'
import { agoIn } from '../lists.ts'
import { type Action, type ConsoleScene, consolePage } from '../page.ts'
import { act, type Fact, facts, outcomeNote, toForms } from '../parts.ts'
import { agentPath } from './agents.ts'
import { auditLink } from './audit.ts'
import { customerPath } from './customers.ts'
import { dealingsOf } from './dealings.ts'
import { disputePath, disputesPath, orderPath, type Party, partyName, standing } from './disputes.ts'

type Order = Dispute['order']

const deciding = (decision: 'refund' | 'resume'): Action => ({
  fields: ['version'],
  run: (tx, { service, actor, params, fields, reason }) => {
    const expectedVersion = /^[1-9]\d{0,8}$/.test(fields['version'] ?? '') ? Number(fields['version']) : -1
    const orderId = params['order_id'] as string
    if (!isCanonicalId(orderId)) return refuse('not_found')
    const verdict = { orderId, decision, reason, expectedVersion }
    return decideDispute(tx, actor, verdict, service.config)
  },
})

export const disputePage = consolePage({
  path: `${disputesPath}/{order_id}`,
  summary: 'One dispute, and what may be decided of it',
  section: 'disputes',
  actions: { refund: deciding('refund'), resume: deciding('resume') },
  async view(scene) {
    const { service, params, words } = scene
    const id = params['order_id'] as string
    const found = isCanonicalId(id) ? await disputeOf(service.sql, id) : undefined
    if (!found) return undefined
    const { dispute_case: each, order } = found
    const isDecidable = each.status === 'escalated'
    const party = await partiesIn(scene, [order.customer.id, order.contractor.id])
    return {
      title: words.text('console.dispute.title', { title: order.title }),
      width: 'page',
      body: html`<p class="eyebrow"><a href="${disputesPath}">${words('console.nav.disputes')}</a></p>
<div class="page-head"><h1 dir="auto">${order.title}</h1>
<p class="lead">${standing(scene, each)}</p>
${isDecidable && toForms(scene, 'refund', 'console.case.decide')}</div>
${outcomeNote(scene, isDecidable ? ['refund', 'resume'] : [])}
<div class="beside"><div class="article">
${said(words, 'order.brief', order.description)}
${order.result_text !== null && order.result_text !== '' && said(words, 'console.dispute.result', order.result_text)}
${said(words, 'order.case.reason', each.reason)}
${each.decision_reason !== null && said(words, 'order.case.decision.reason', each.decision_reason)}
<h2>${words('console.dispute.history')}</h2>
<ol class="rows">${order.history.map((line) => historyRow(scene, order, line))}</ol>
${alike(words, found)}
${auditLink(words, order.id)}
<p class="fine">${words('console.dispute.unseen')}</p>
</div><aside>
<div class="panel"><h2>${words('console.dispute.order')}</h2>${disputeFacts(scene, found, party)}</div>
<div class="panel"><h2>${words('console.dealings')}</h2>${(['customer', 'contractor'] as const).map((side) => html`<h3>${sideName(words, side)}</h3>${dealingsOf(words, found.dealings.get(order[side].id))}`)}</div>
${isDecidable && decisions(scene, found)}
</aside></div>`,
    }
  },
})

const alike = (words: Words, { alike: found }: WholeDispute): HtmlPart =>
  found.length > 0 &&
  html`<h2>${words('console.dispute.alike')}</h2>
<ul class="rows">${found.map(
    ({ order_id: id, decision, decision_reason: reason, decided_at: at }) =>
      html`<li class="row"><p><a href="${disputePath(id)}">${words(`console.disputes.decided.${decision}`, { at: words.ago(at) })}</a></p>${paragraphs(reason)}</li>`,
  )}</ul>`

const said = (words: Words, heading: Key, text: string): HtmlPart =>
  html`<h2>${words(heading)}</h2>
${paragraphs(text)}`

function disputeFacts(scene: ConsoleScene, { dispute_case: each, order }: Dispute, party: Naming): HtmlPart {
  const { words } = scene
  const { refund_proposed_by: proposer } = each
  return facts(scene, [
    ...orderFacts(words, order, party),
    ['console.dispute.opened', sideName(words, sideOf(order, each.opened_by))],
    proposer !== null && ['order.case.refund', sideName(words, sideOf(order, proposer))],
    each.escalated_at !== null && ['console.dispute.escalated', agoIn(scene, each.escalated_at)],
    ['console.dispute.id', html`<a href="${orderPath(order.id)}"><code>${order.id}</code></a>`],
  ])
}

type Ordered = Pick<Order, 'state' | 'total_minor' | 'fee_minor'> & {
  customer: Party
  contractor: Party
  deadline: Date | string
}

/** Between whom an order is, and for how much. */
export const orderFacts = (words: Words, order: Ordered, party: Naming): Fact[] => [
  ['console.dispute.customer', party(order.customer)],
  ['console.dispute.contractor', party(order.contractor)],
  ['order.price.total', words.credits(order.total_minor)],
  ['console.dispute.fee', words.credits(order.fee_minor)],
  ['console.state', stateName(words, order.state)],
  ['order.deadline', words.moment(order.deadline)],
]

type Naming = (side: Party) => HtmlPart

/**
 * How each of these parties is named: an agent leads to its page, a customer without one is known by a name alone. It says who is
 * suspended, and whose account is closed.
 */
export async function partiesIn(
  { words, service }: Pick<ConsoleScene, 'words' | 'service'>,
  ids: readonly string[],
): Promise<Naming> {
  const states = await partyStates(service.sql, [...new Set(ids)])
  return (side) => {
    const { id, handle } = side
    const state = states.get(id)
    const name =
      handle === null
        ? html`<a href="${customerPath(id)}">${partyName(words, side)}</a> <span class="chip">${words('console.dispute.person')}</span>`
        : html`<a href="${agentPath(handle)}">${partyName(words, side)} <span class="handle">@${handle}</span></a>`
    return html`${name}${state && html` <span class="chip${state === 'suspended' && ' bad'}">${words(state === 'suspended' ? 'console.agents.suspended' : 'console.customers.closed')}</span>`}`
  }
}

type Side = 'customer' | 'contractor'

interface SidesOf {
  customer: { id: string }
}

const sideOf = (order: SidesOf, id: string): Side => (id === order.customer.id ? 'customer' : 'contractor')
const sideName = (words: Words, side: Side): HtmlPart => words(`console.dispute.${side}`)

export const stateName = (words: Words, state: Order['state']): HtmlPart => words(`console.dispute.state.${state}`)

/** Who does what neither side does. */
const doneBy: Readonly<Record<string, Key>> = {
  'approve-resale': 'console.dispute.moderator',
  'decide-refund': 'console.dispute.support',
  'decide-resume': 'console.dispute.support',
  'reject-resale': 'console.dispute.moderator',
  'request-reviews': 'console.dispute.automatic',
}

interface Line {
  action: string
  actor_id: string | null
  created_at: Date | string
  reason?: string | null
}

/** What was done with an order, by whom and when. */
export function historyRow(
  scene: ConsoleScene,
  order: SidesOf,
  { action, actor_id: actor, created_at: at, reason }: Line,
): HtmlPart {
  const { words } = scene
  const key = `console.dispute.action.${action}`
  const by = actor === null ? words(doneBy[action] ?? 'console.dispute.itself') : sideName(words, sideOf(order, actor))
  return html`<li class="row"><p><strong>${Object.hasOwn(english, key) ? words(key as Key) : html`<code>${action}</code>`}</strong></p>
<p class="row-foot"><span>${by}</span><span>${agoIn(scene, at)}</span></p>
${reason && paragraphs(reason)}</li>
`
}

function decisions(scene: ConsoleScene, { dispute_case: each, order }: Dispute): HtmlPart {
  const { words } = scene
  const hidden = { version: String(each.version) }
  const total = words.credits(order.total_minor)
  return [
    act(scene, {
      id: 'refund',
      action: 'refund',
      name: 'console.dispute.refund',
      about: words('console.dispute.refund.about', { total }),
      button: 'console.dispute.refund.button',
      isSevere: true,
      hidden,
    }),
    act(scene, {
      action: 'resume',
      name: 'console.dispute.resume',
      about: words('console.dispute.resume.about'),
      button: 'console.dispute.resume.button',
      hidden,
    }),
  ]
}
