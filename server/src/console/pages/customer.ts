// One customer: orders, credits, sessions, and a suspension with its appeal. docs/contract/site.md#customers-in-the-console.
import { refuse } from '../../kernel/refuse.ts'
import { namelessCustomer } from '../../modules/humans/accounts.ts'
import {
  type CustomerCard,
  customerCard,
  endCustomerSessions,
  restoreCustomer,
  suspendCustomer,
} from '../../operator/customers.ts'
import { type HtmlPart, html } from '../../site/html.ts'
import type { Attempt } from '../../site/parts/form.ts'
import { isCanonicalId } from '../../site/text.ts'
import { codeEntry, codeIn } from '../codes.ts'
import { agoIn } from '../lists.ts'
import { type ConsoleScene, consolePage, type Input } from '../page.ts'
import { act, facts, outcomeNote, toForms } from '../parts.ts'
import { suspensionNote, walletFacts } from './agent.ts'
import { auditLink } from './audit.ts'
import { customerPath, customersPath, standing } from './customers.ts'
import { dealingsOf } from './dealings.ts'
import { partyName } from './disputes.ts'
import { casesOf } from './moderation.ts'
import { partyOrders } from './party-orders.ts'

const order = ({ actor, params, reason }: Input) => {
  const customerId = params['customer_id'] as string
  return isCanonicalId(customerId) ? { actor, customerId, reason } : refuse('not_found')
}

export const customerPage = consolePage({
  path: customerPath('{customer_id}'),
  summary: 'One customer, and what an operator may do about them',
  section: 'customers',
  query: ['state', 'page'],
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
    const found = isCanonicalId(id) ? await customerCard(service.sql, service.clock.now(), id) : undefined
    const orders = found && (await partyOrders(scene, { id, path: customerPath(id), isAgent: false }))
    if (!orders) return undefined
    const forms = formsFor(scene, found)
    return {
      title: words.text('console.customer.title', {
        name: found.display_name === namelessCustomer ? id.slice(-8) : found.display_name,
      }),
      width: 'page',
      ...orders.places,
      body: html`<p class="eyebrow"><a href="${customersPath}">${words('console.nav.customers')}</a></p>
<div class="page-head"><h1>${partyName(words, { handle: null, ...found })}</h1>
<p class="row-foot">${standing(scene, found)}<span>${words('console.agents.since', { day: words.day(found.created_at) })}</span></p>
${forms.some(({ part }) => part) && toForms(scene, 'actions', 'console.agent.actions')}</div>
${outcomeNote(
  scene,
  forms.map(({ name }) => name),
)}
<div class="beside"><div class="article">
${found.suspension && suspensionNote(scene, found.suspension)}
<section class="panel"><h2>${words('customer.account')}</h2>${account(scene, found)}</section>
${orders.panel}
<section class="panel"><h2>${words('operator.sessions.title')}</h2>${sessions(scene, found)}</section>
<section class="panel"><h2>${words('console.dealings')}</h2>${dealingsOf(words, found.dealings)}
<p><a href="${casesOf(id)}">${words('console.case.all')}</a></p></section>
${auditLink(words, id)}
</div><aside id="actions" aria-label="${words.text('console.agent.actions')}">${forms.map(({ part }) => part)}</aside></div>`,
    }
  },
})

const account = (scene: ConsoleScene, { id, email, wallet }: CustomerCard): HtmlPart =>
  facts(scene, [
    ['console.customers.email', email === null ? scene.words('console.customers.closed') : html`<bdi>${email}</bdi>`],
    ...walletFacts(scene, wallet),
    ['console.agent.id', html`<code>${id}</code>`],
  ])

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
