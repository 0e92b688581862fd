// An order as its customer reads it, of one state of the database: its status and next step, what can be done now, what
// was ordered and delivered, and its history. docs/contract/site.md#orders.
import { ownNames } from '../../modules/attachments/files.ts'
import { whyWithheld } from '../../modules/moderation/cases.ts'
import { findLatest } from '../../modules/orders/disputes.ts'
import { find, history } from '../../modules/orders/orders.ts'
import { mayAccept } from '../../modules/orders/relations.ts'
import { showDisputeCase, showLine, showOne } from '../../modules/orders/show.ts'
import { list as listUpdates, show as showUpdates } from '../../modules/orders/updates.ts'
import { findOpenByHandle } from '../../modules/profiles/profiles.ts'
import { type Filed, findFiled } from '../../modules/reviews/reviews.ts'
import { findWallet } from '../../modules/wallet/wallet.ts'
import type { Tx } from '../../store/sql.ts'
import { type HtmlPart, html } from '../html.ts'
import type { View } from '../layout.ts'
import { customerBar } from '../parts/customer.ts'
import { figures, type OwnNames } from '../parts/files.ts'
import type { Attempt } from '../parts/form.ts'
import { problemNote, statusOf } from '../parts/form.ts'
import {
  contractorOf,
  isYourTurn,
  type Order,
  orderPath,
  price,
  standingChip,
  standingOf,
  turnChip,
  worker,
} from '../parts/order.ts'
import { actForms, isAct } from '../parts/order-acts.ts'
import { reviewSection } from '../parts/order-review.ts'
import { orderedFrom } from '../parts/order-service.ts'
import {
  type DisputeCase,
  disputeSection,
  historySection,
  type Line,
  type Log,
  logSection,
} from '../parts/order-story.ts'
import { isCanonicalId } from '../text.ts'
import { type CustomerScene, customerPage } from '../view.ts'
import { paragraphs } from '../written.ts'

const mostUpdates = 20

export const orderPage = customerPage({
  path: orderPath('{id}'),
  summary: 'An order of a customer',
  query: ['before', 'done'],
  view: (scene) => orderView(scene),
})

/** What was tried with an order and not taken. */
export interface Tried {
  /** The action, or `reviews`. */
  act: string
  attempt: Attempt
}

/** The page of an order in its current state; undefined if it is not this customer's. */
export async function orderView(scene: CustomerScene, tried?: Tried): Promise<View | undefined> {
  const { service, params, query } = scene
  const id = params['id'] as string
  const before = query['before']
  if (!isCanonicalId(id) || (before !== undefined && !isCanonicalId(before))) return undefined
  return view(scene, await service.sql.snapshot((tx) => read(tx, scene, id, before)), tried)
}

interface Found {
  order: Order
  isWorkerOpen: boolean
  /** Whether the agent may accept what it is offered. */
  isWorkerAble: boolean
  available: number
  lines: readonly Line[]
  log: Log
  dispute: DisputeCase | undefined
  filed: Filed | undefined
  withheld: string | null
  /** What this customer's own files were called. */
  names: OwnNames
}

async function read(
  tx: Tx,
  { service, customer: { human } }: CustomerScene,
  id: string,
  before: string | undefined,
): Promise<Found> {
  const row = await find(tx, human.id, id, 'human-orders')
  const [order, lines, updates, wallet, filed] = await Promise.all([
    showOne(tx, { me: human, service }, tx.now, row),
    history(tx, id),
    listUpdates(tx, id, { before, limit: mostUpdates }),
    findWallet(tx, human.id),
    row.outcome === 'accepted' ? findFiled(tx, human.id, id) : undefined,
  ])
  const isDisputed = lines.some(({ to_state: state }) => state === 'disputed')
  const [shown, dispute, agent, isWorkerAble, withheld, names] = await Promise.all([
    showUpdates(tx, human, updates.rows),
    isDisputed ? findLatest(tx, id) : undefined,
    findOpenByHandle(tx, contractorOf(order).handle),
    row.state !== 'offered' || mayAccept(tx, service, row.contractor_id),
    filed && (filed.is_hidden || filed.text_status === 'rejected')
      ? whyWithheld(tx, human.id, { kind: 'review', id: filed.id })
      : null,
    ownNames(
      tx,
      human.id,
      order.input_attachments.map(({ id }) => id),
    ),
  ])
  return {
    order,
    isWorkerOpen: agent !== undefined,
    isWorkerAble,
    available: wallet.available_minor,
    lines: lines.map(showLine),
    log: { updates: shown, next: updates.next_before, isOlder: before !== undefined },
    dispute: dispute && showDisputeCase(dispute),
    filed,
    withheld,
    names,
  }
}

function view(scene: CustomerScene, found: Found, tried: Tried | undefined): View {
  const { words } = scene
  const { order, isWorkerOpen, dispute, filed, withheld, names, lines, log } = found
  const { title } = order
  const isReview = tried?.act === 'reviews'
  const hasReview = order.outcome === 'accepted'
  // What can no longer be done has no form to say it beside.
  const hasForm = isReview ? hasReview && !filed : order.actions.some(({ name }) => name === tried?.act)
  return {
    title: words.text('order.title', { title }),
    section: 'mine',
    width: 'page',
    canonical: orderPath(order.id),
    isUnlisted: true,
    ...(tried && statusOf(tried.attempt)),
    body: html`${customerBar(scene, 'orders', 'below')}<div class="beside">
<article class="article order">
<header class="page-head"><h1 dir="auto">${title}</h1>
<p class="meta">${turnChip(scene, order)}${standingChip(scene, order)} <span>${words('order.by', { agent: worker(contractorOf(order), isWorkerOpen) })}</span> <span class="chip">${words('agent.is')}</span></p></header>
${tried ? !hasForm && problemNote(tried.attempt) : doneNote(scene, lines)}
<section id="now" class="now${isYourTurn(order) && ' turn'}" aria-labelledby="now-head"><h2 id="now-head">${words('order.state')}</h2>
${next(scene, found)}
${actForms(scene, { order, tried })}</section>
${result(scene, order)}
${dispute && disputeSection(scene, order, dispute)}
${hasReview && reviewSection(scene, { order, filed, withheld, attempt: isReview ? tried.attempt : undefined })}
<section id="brief" aria-labelledby="brief-head"><h2 id="brief-head">${words('order.brief')}</h2>
${orderedFrom(scene, order)}
${paragraphs(order.description)}
${figures(scene, order.input_attachments, title, { role: 'input', names })}</section>
${logSection(scene, order, log)}
${historySection(scene, order, lines)}
</article>
<aside><section class="panel" aria-labelledby="facts"><h2 id="facts">${words('order.facts')}</h2>${facts(scene, found)}</section></aside></div>`,
  }
}

/** What this customer has just done; nothing if something else has happened since. */
function doneNote({ words, query, customer }: CustomerScene, lines: readonly Line[]): HtmlPart {
  const last = lines.at(-1)
  const act = query['done'] ?? ''
  const isDone = isAct(act) && last?.action === act && last.actor_id === customer.human.id
  return isDone && html`<p class="callout" role="status">${words(`order.did.${act}`)}.</p>`
}

/** What comes next, and where the credits are meanwhile. */
function next(scene: CustomerScene, { order, isWorkerAble, available, dispute }: Found): HtmlPart {
  const { words, service } = scene
  const standing = standingOf(order)
  const values = {
    agent: html`<bdi>${contractorOf(order).display_name}</bdi>`,
    total: words.credits(order.total_minor),
    amount: words.credits(order.amount_minor),
    available: words.credits(available),
    due: dispute ? words.moment(dispute.response_due_at) : '',
    days: service.config.fileRetentionDays,
  }
  if (standing === 'disputed') {
    const stage = isYourTurn(order) ? 'disputed.refund' : 'disputed'
    const isEscalated = dispute?.status === 'escalated'
    return html`<p>${words(isEscalated ? `order.next.${stage}.escalated` : `order.next.${stage}`, values)}</p>`
  }
  if (standing === 'offered') {
    const isLate = new Date(order.deadline) <= service.clock.now()
    if (!isLate && !isWorkerAble)
      return html`<p class="callout problem">${words('order.next.offered.unable', values)}</p>`
    const isShort = available < order.total_minor
    return html`<p>${words(isLate ? 'order.next.offered.late' : 'order.next.offered', values)}</p>
${isShort && !isLate && html`<p class="callout problem">${words('order.next.offered.short', values)}</p>`}`
  }
  return html`<p>${words(`order.next.${standing}`, values)}</p>`
}

const result = (scene: CustomerScene, order: Order): HtmlPart =>
  order.result_text !== null &&
  html`<section id="result" aria-labelledby="result-head"><h2 id="result-head">${scene.words('order.result')}</h2>
${order.result_text !== '' && paragraphs(order.result_text)}
${figures(scene, order.result_attachments, order.title, { role: 'result' })}</section>`

function facts(scene: CustomerScene, { order, isWorkerOpen }: Found): HtmlPart {
  const { words } = scene
  const fact = (name: HtmlPart, value: HtmlPart): HtmlPart => html`<dt>${name}</dt><dd>${value}</dd>
`
  return html`<dl class="facts">
${fact(words('order.contractor'), worker(contractorOf(order), isWorkerOpen))}
${fact(words('order.state'), words(`orders.state.${standingOf(order)}`))}
${fact(words('order.deadline'), words.moment(order.deadline))}
${price(scene, order)}
${fact(words('order.created'), words.ago(order.created_at))}
${order.closed_at !== null && fact(words('order.closed'), words.ago(order.closed_at))}</dl>`
}
