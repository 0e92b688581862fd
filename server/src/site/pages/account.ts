// A customer's account: the name that others see, emails, where one is signed in, one's data, and the way to the end of it.
// docs/contract/site.md#customers.
import { bodyCheck } from '../../http/checks.ts'
import type { FormSubmission, Redirect } from '../../http/page.ts'
import { limitWrites } from '../../http/writes.ts'
import { humanSessionLifetime } from '../../kernel/callers.ts'
import { earlier } from '../../kernel/clock.ts'
import {
  type Account,
  type AccountChange,
  changeAccount,
  findAccount,
  namelessCustomer,
} from '../../modules/humans/accounts.ts'
import { AccountBody } from '../../modules/humans/shapes.ts'
import { suspensionOf } from '../../modules/humans/suspension.ts'
import type { ModerationCase } from '../../modules/moderation/cases.ts'
import { type HtmlPart, html } from '../html.ts'
import type { View } from '../layout.ts'
import { accountPath, customerBar, signOutForm } from '../parts/customer.ts'
import { type Attempt, attemptOf, entry, problemNote, statusOf, untried } from '../parts/form.ts'
import { tokenField } from '../parts/visitor.ts'
import { type CustomerScene, customerPage } from '../view.ts'
import { closePath } from './close-account.ts'
import { appealAsCustomer, suspensionPart } from './suspended.ts'

export const accountPage = customerPage({
  path: accountPath,
  summary: "A customer's account: name, emails, sessions, data",
  query: ['done'],
  view: async (scene) => accountView(scene, await accountOf(scene)),
  form: {
    fields: ['action', 'display_name', 'text'],
    limit: 32 * 1024,
    send: (scene) => change(scene),
  },
})

const accountOf = async ({ service, customer: { human } }: CustomerScene): Promise<Known> => {
  const [account, suspension] = await Promise.all([
    findAccount(service.sql, service.clock.now(), human.id),
    suspensionOf(service.sql, human.id),
  ])
  return { ...account, suspension }
}

interface Known extends Account {
  suspension: ModerationCase | null
}

/** What the forms of the page ask for. */
const changes = {
  name: ({ display_name = '' }) => ({ display_name }),
  notices_on: () => ({ notices: true }),
  notices_off: () => ({ notices: false }),
} satisfies Record<string, (fields: Readonly<Record<string, string>>) => AccountChange>

type Change = keyof typeof changes

const isChange = (name: string): name is Change => Object.hasOwn(changes, name)

const checkChange = bodyCheck(AccountBody)

async function change(scene: CustomerScene & FormSubmission): Promise<View | Redirect | undefined> {
  const { service, customer, fields, reply } = scene
  const action = fields['action'] ?? ''
  if (!isChange(action) && action !== 'appeal') return undefined
  try {
    await limitWrites(service, customer.human, reply)
    if (action === 'appeal') await appealAsCustomer(scene, fields['text'] ?? '')
    else {
      const body = checkChange({ ...changes[action](fields) })
      await service.sql.transaction((tx) => changeAccount(tx, service, customer.human.id, body))
    }
    return { to: `${accountPath}?done=${action}` }
  } catch (error) {
    const attempt = attemptOf(scene, error, {
      values: fields,
      problems: { display_name: 'account.name.problem', text: 'account.appeal.problem' },
    })
    return accountView(scene, await accountOf(scene), attempt)
  }
}

function accountView(scene: CustomerScene, account: Known, attempt?: Attempt): View {
  const { words, query } = scene
  const done = query['done'] ?? ''
  const section = (name: 'name' | 'email' | 'sessions' | 'data' | 'close', body: HtmlPart): HtmlPart =>
    html`<section class="own-part" aria-labelledby="${name}"><h2 class="own-head" id="${name}">${words(`account.${name}`)}</h2>
${body}</section>
`
  return {
    title: words.text('customer.account'),
    section: 'mine',
    isUnlisted: true,
    ...(attempt && statusOf(attempt)),
    body: html`${customerBar(scene, 'account')}
<header class="page-head"><h1>${words('customer.account')}</h1></header>
${!attempt && (isChange(done) || done === 'appeal') && html`<p class="callout" role="status">${words(`account.done.${done}`)}</p>`}
${attempt && problemNote(attempt)}
${suspensionPart(scene, account.suspension, attempt?.values['action'] === 'appeal' ? attempt : undefined)}
${section('name', nameForm(scene, attempt?.values['action'] === 'name' ? attempt : untried({ display_name: account.display_name === namelessCustomer ? '' : account.display_name })))}
${section('email', email(scene, account))}
${section('sessions', sessions(scene, account))}
${section('data', html`<p>${words('account.data.text')}</p><p class="actions"><a class="button quiet" href="/api/v1/human/export" download>${words('account.data.download')}</a></p>`)}
${section('close', html`<p>${words('account.close.text')}</p><p class="actions"><a class="button quiet" href="${closePath}">${words('account.close.go')}</a></p>`)}`,
  }
}

const actionField = (action: Change): HtmlPart => html`<input type="hidden" name="action" value="${action}">`

const nameForm = (scene: CustomerScene, attempt: Attempt): HtmlPart =>
  html`<form method="post" action="${accountPath}">${tokenField(scene)}${actionField('name')}
${entry(attempt, { name: 'display_name', label: scene.words('account.name.label'), hint: scene.words('account.name.hint'), isRequired: true, maxLength: 80, autocomplete: 'nickname' })}
<button class="button" type="submit">${scene.words('account.name.save')}</button></form>`

function email(scene: CustomerScene, { email, notices }: Account): HtmlPart {
  const { words } = scene
  const action = notices ? 'notices_off' : 'notices_on'
  return html`<p><bdi class="own-email">${email}</bdi></p>
<p class="fine">${words('account.email.text')}</p>
<p>${words(notices ? 'account.notices.on' : 'account.notices.off')}</p>
<form class="actions" method="post" action="${accountPath}">${tokenField(scene)}${actionField(action)}<button class="button quiet" type="submit">${words(`account.${action}`)}</button></form>`
}

function sessions(scene: CustomerScene, { sessions }: Account): HtmlPart {
  const { words, customer } = scene
  const { expiresAt } = customer.session
  return html`<p>${words('account.session', { since: words.ago(earlier(expiresAt, humanSessionLifetime)), until: words.day(expiresAt) })}</p>
<p>${words('account.session.count', { count: sessions })}</p>
<div class="actions">${signOutForm(scene)}${signOutForm(scene, true)}</div>`
}
