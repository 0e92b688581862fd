// The end of a customer's account: what goes and what stays is named before, and afterwards there is one calm page.
// docs/contract/site.md#customers.
import { endedHumanSession } from '../../http/humans.ts'
import type { FormSubmission, Redirect } from '../../http/page.ts'
import { limitWrites } from '../../http/writes.ts'
import { Refusal } from '../../kernel/refuse.ts'
import { closeAccount, openOrders } from '../../modules/humans/closing.ts'
import { type HtmlPart, html } from '../html.ts'
import type { View } from '../layout.ts'
import { accountPath, customerBar } from '../parts/customer.ts'
import { type Attempt, agreement, attemptOf, problemNote, statusOf, untried } from '../parts/form.ts'
import { tokenField } from '../parts/visitor.ts'
import { type CustomerScene, customerPage, sitePage } from '../view.ts'
import type { Key } from '../words.ts'

export const closePath = `${accountPath}/close`
const closedPath = `${accountPath}/closed`

export const closeAccountPage = customerPage({
  path: closePath,
  summary: 'What goes and what stays when a customer closes the account, and the form that does it',
  view: (scene) => closeView(scene, untried()),
  form: { fields: ['confirmed'], limit: 1024, send: (scene) => close(scene) },
})

async function close(scene: CustomerScene & FormSubmission): Promise<View | Redirect> {
  const { service, customer, fields, reply } = scene
  if (fields['confirmed'] !== 'true') {
    const problems = { confirmed: scene.words.text('close.confirmed.problem') }
    return closeView(scene, { values: fields, problems, problem: scene.words.text('form.refused'), status: 400 })
  }
  try {
    await limitWrites(service, customer.human, reply)
    await service.sql.transaction((tx) => closeAccount(tx, service, customer.human.id))
  } catch (error) {
    // Pressed twice: the other press came first.
    if (!(error instanceof Refusal && error.code === 'unauthorized')) {
      return closeView(scene, attemptOf(scene, error, { values: fields, problems: {} }))
    }
  }
  return { to: closedPath, cookies: [endedHumanSession(service)] }
}

async function closeView(scene: CustomerScene, attempt: Attempt): Promise<View> {
  const { words, service, customer } = scene
  const open = await openOrders(service.sql, customer.human.id)
  return {
    title: words.text('close.title'),
    section: 'mine',
    isUnlisted: true,
    ...statusOf(attempt),
    body: html`${customerBar(scene, 'account', 'below')}
<header class="page-head"><h1>${words('close.title')}</h1>
<p class="lead">${words('close.lead')}</p></header>
${problemNote(attempt)}
${told(scene, 'goes')}${told(scene, 'stays')}${open > 0 ? stillOpen(scene, open) : form(scene, attempt)}`,
  }
}

const ends = {
  goes: ['sessions', 'email', 'name', 'files', 'credits'],
  stays: ['orders', 'reviews', 'ledger', 'grant'],
} as const

const told = ({ words }: CustomerScene, what: keyof typeof ends): HtmlPart =>
  html`<section class="own-part" aria-labelledby="${what}"><h2 class="own-head" id="${what}">${words(`close.${what}`)}</h2>
<div class="prose"><ul>${ends[what].map((each) => html`<li>${words(`close.${what}.${each}` as Key)}</li>`)}</ul></div></section>
`

const stillOpen = ({ words }: CustomerScene, count: number): HtmlPart =>
  html`<section class="own-part" aria-labelledby="open"><h2 class="own-head" id="open">${words('close.open', { count })}</h2>
<p>${words('close.open.text')}</p>
<p class="actions"><a class="button" href="/orders">${words('close.open.go')}</a></p></section>`

const form = (scene: CustomerScene, attempt: Attempt): HtmlPart => {
  const { words } = scene
  return html`<form class="own-part" method="post" action="${closePath}">${tokenField(scene)}
${agreement(attempt, { name: 'confirmed', label: words('close.confirmed') })}
<div class="actions"><button class="button severe" type="submit">${words('close.button')}</button><a class="button quiet" href="${accountPath}">${words('close.back')}</a></div></form>`
}

export const accountClosedPage = sitePage({
  path: closedPath,
  summary: 'What is said to a customer whose account was closed',
  view: ({ words }) => ({
    title: words.text('closed.title'),
    isUnlisted: true,
    body: html`<section class="notice"><h1>${words('closed.title')}</h1>
<p>${words('closed.text')}</p>
<p class="actions"><a class="button" href="/">${words('problem.start')}</a></p></section>`,
  }),
})
