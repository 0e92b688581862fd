// One customer: orders, credits, sessions, and a suspension with its appeal. docs/contract/site.md#customers-in-the-console.
import { refuse } from '../../kernel/refuse.ts'
import {
  type CustomerCard,
  customerCard,
  endCustomerSessions,
  restoreCustomer,
  suspendCustomer,
} from '../../operator/customers.ts'
import { type HtmlPart, html } from '../../site/html.ts'
import type { Attempt } from '../../site/parts/form.ts'
import { hasPage, pager, places } from '../../site/parts/list.ts'
import { isCanonicalId } from '../../site/text.ts'
import { codeEntry, codeIn } from '../codes.ts'
import { agoIn, askedPage, dataTable, stretchOf } from '../lists.ts'
import { type ConsoleScene, consolePage, type Input } from '../page.ts'
import { act, doneNote, orphanedError } from '../parts.ts'
import { suspensionNote } from './agent.ts'
import { agentPath } from './agents.ts'
import { auditLink } from './audit.ts'
import { customerPath, customersPath, standing } from './customers.ts'
import { dealingsOf } from './dealings.ts'
import { stateName } from './dispute.ts'
import { partyName } from './disputes.ts'
import { orderPath } from './order.ts'

const order = ({ actor, params, reason }: Input) => {
  const customerId = params['customer_id'] as string
  return isCanonicalId(customerId) ? { actor, customerId, reason } : refuse('not_found')
}

export const customerPage = consolePage({
  path: customerPath('{customer_id}'),
  summary: 'One customer, and what an operator may do about them',
  section: 'customers',
  query: ['page'],
  actions: {
    suspend: {
      fields: ['code'],
      problems: { code: 'console.code.problem' },
      run: (tx, input) => suspendCustomer(tx, { ...order(input), code: codeIn(input.fields) }),
    },
    restore: { fields: [], run: (tx, input) => restoreCustomer(tx, order(input)) },
    'end-session': {
      fields: ['session'],
      run: (tx, input) => endCustomerSessions(tx, { ...order(input), session: input.fields['session'] ?? '' }),
    },
    'end-sessions': { fields: [], run: (tx, input) => endCustomerSessions(tx, order(input)) },
  },
  async view(scene) {
    const { service, params, words } = scene
    const id = params['customer_id'] as string
    const page = askedPage(scene)
    const found = page && isCanonicalId(id) ? await customerCard(service.sql, service.clock.now(), id, page) : undefined
    if (!page || !found || !hasPage(page.page, found.orders_total)) return undefined
    const stretch = { ...stretchOf(customerPath(id), page, found.orders_total), anchor: 'orders' }
    const forms = formsFor(scene, found)
    return {
      title: words.text('console.customer.title'),
      width: 'page',
      ...places(stretch),
      body: html`<p class="eyebrow"><a href="${customersPath}">${words('console.customers.title')}</a></p>
<div class="page-head"><h1>${partyName(words, { handle: null, ...found })}</h1>
<p class="row-foot">${standing(scene, found)}<span>${words('console.agents.since', { day: words.day(found.created_at) })}</span></p></div>
${doneNote(scene)}${orphanedError(
  scene,
  forms.map(({ name }) => name),
)}
<div class="beside"><div class="article">
${found.suspension && suspensionNote(scene, found.suspension)}
<section class="panel"><h2>${words('console.customer.account')}</h2>${account(scene, found)}</section>
<section class="panel" id="orders"><h2>${words('console.customer.orders')}</h2>${orders(scene, found)}${pager(scene, stretch)}</section>
<section class="panel"><h2>${words('console.customer.sessions')}</h2>${sessions(scene, found)}</section>
<section class="panel"><h2>${words('console.dealings')}</h2>${dealingsOf(words, found.dealings)}</section>
${auditLink(words, id)}
</div><aside aria-label="${words.text('console.agent.actions')}">${forms.map(({ part }) => part)}</aside></div>`,
    }
  },
})

const account = ({ words }: ConsoleScene, { id, email, wallet }: CustomerCard): HtmlPart =>
  html`<dl class="facts"><dt>${words('console.customers.email')}</dt><dd>${email === null ? words('console.customers.closed') : html`<bdi>${email}</bdi>`}</dd>
<dt>${words('console.agent.available')}</dt><dd class="amount">${words.credits(wallet.available_minor)}</dd>
<dt>${words('console.agent.reserved')}</dt><dd>${words.credits(wallet.reserved_minor)}</dd>
<dt>${words('console.agent.granted')}</dt><dd>${words.credits(wallet.granted_minor)}</dd>
<dt>${words('console.agent.id')}</dt><dd><code>${id}</code></dd></dl>`

const orders = (scene: ConsoleScene, { orders: found }: CustomerCard): HtmlPart =>
  found.length === 0
    ? html`<p class="fine">${scene.words('console.customer.orders.none')}</p>`
    : dataTable(scene, {
        caption: 'console.customer.orders',
        isTitled: true,
        columns: [
          'console.customer.order',
          'console.dispute.contractor',
          'console.dispute.total',
          'console.dispute.state',
        ],
        rows: found.map(({ id, contractor, total_minor: total, state, created_at: at }) => [
          html`<a href="${orderPath(id)}">${scene.words.day(at)}</a>`,
          html`<a href="${agentPath(contractor)}">@${contractor}</a>`,
          scene.words.credits(total),
          stateName(scene.words, state),
        ]),
      })

const sessions = (scene: ConsoleScene, { sessions: found }: CustomerCard): HtmlPart =>
  found.length === 0
    ? html`<p class="fine">${scene.words('console.customer.sessions.none')}</p>`
    : html`<ul class="rows">${found.map(
        (
          each,
        ) => html`<li class="row"><p class="row-foot"><span>${scene.words('operator.sessions.begun', { when: agoIn(scene, each.created_at) })}</span> <span>${scene.words('operator.sessions.ends', { when: scene.words.moment(each.expires_at) })}</span></p>
${act(scene, {
  action: 'end-session',
  form: `end-${each.id}`,
  name: 'operator.sessions.end',
  about: scene.words('console.customer.end.about'),
  button: 'operator.sessions.end',
  isSevere: true,
  subject: scene.words.moment(each.created_at),
  hidden: { session: each.id },
})}</li>`,
      )}</ul>`

function formsFor(scene: ConsoleScene, found: CustomerCard): { name: string; part: HtmlPart }[] {
  const { words } = scene
  const offers = [
    found.suspension !== null && {
      action: 'restore',
      name: 'console.customer.restore' as const,
      about: words('console.customer.restore.about'),
      button: 'console.agent.restore.button' as const,
    },
    found.suspension === null &&
      found.closed_at === null && {
        action: 'suspend',
        name: 'console.customer.suspend' as const,
        about: words('console.customer.suspend.about'),
        button: 'console.agent.suspend.button' as const,
        isSevere: true,
        entries: (attempt: Attempt) => codeEntry(scene, attempt),
      },
    found.sessions.length > 0 && {
      action: 'end-sessions',
      name: 'operator.sessions.end_all' as const,
      about: words('console.customer.end.about'),
      button: 'operator.sessions.end_all' as const,
      isSevere: true,
    },
  ].filter((each) => each !== false)
  return [
    ...offers.map((given) => ({ name: given.action, part: act(scene, given) })),
    ...found.sessions.map(({ id }) => ({ name: `end-${id}`, part: undefined })),
  ]
}
