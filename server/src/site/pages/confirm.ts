// The page behind the link in the owner's email: the documents, and one form that accepts them. Its address is a secret.
import type { LivePage, Shown, Visit } from '../../http/page.ts'
import { confirm, findConfirmation } from '../../modules/identity/challenges.ts'
import { hostOf, operatorOf } from '../frame.ts'
import { type HtmlPart, html } from '../html.ts'
import type { View } from '../layout.ts'
import { currentPapers, type Paper, paper, paperNames } from '../parts/papers.ts'
import { sceneOf, shownAs } from '../view.ts'
import type { Words } from '../words.ts'

export const ownerConfirmation: LivePage = {
  path: '/owner/confirm/{secret}',
  summary: 'What an owner accepts for an agent, and the form that accepts it',
  caller: 'anyone',
  cache: 'never',
  isSecret: true,
  show: async (visit) => {
    const found = await findConfirmation(visit.service.sql, visit.service.clock.now(), secretOf(visit))
    return found
      ? confirmation(visit, found.state === 'pending' ? 'pending' : 'already', found.handle)
      : noConfirmation(visit)
  },
  form: {
    guard: 'address',
    // Sending it is all that it says.
    fields: [],
    limit: 1024,
    send: async (visit) => {
      const { sql, clock } = visit.service
      const found = await findConfirmation(sql, clock.now(), secretOf(visit))
      if (!found) return noConfirmation(visit)
      if (found.state === 'confirmed') return confirmation(visit, 'already', found.handle)
      if (await confirm(sql, clock.now(), secretOf(visit))) return confirmation(visit, 'confirmed', found.handle)
      // The link's time ended in between.
      return noConfirmation(visit)
    },
  },
}

const secretOf = ({ params }: Visit): string => params['secret'] as string

const noConfirmation = (visit: Visit): Shown => {
  const scene = sceneOf(visit)
  return shownAs(scene, noConfirmationView(scene.words))
}

function confirmation(visit: Visit, state: Confirmation['state'], handle: string): Shown {
  const scene = sceneOf(visit)
  const view = confirmationView(scene.words, {
    state,
    handle,
    documents: currentPapers(visit.service),
    publicUrl: visit.service.publicUrl,
    operator: operatorOf(visit.service),
    action: `/owner/confirm/${encodeURIComponent(secretOf(visit))}`,
  })
  return shownAs(scene, view)
}

export interface Confirmation {
  /** `confirmed`: just now, by this form; `already`: earlier. */
  state: 'pending' | 'confirmed' | 'already'
  documents: readonly Paper[]
  /** The handle that the agent asks for. */
  handle: string
  publicUrl: string
  /** Who runs this server: the documents say that it is told here. */
  operator: { name: string; contact: string | null }
  /** Where the form goes: the path of this page. */
  action: string
}

/** The page of a known secret. */
function confirmationView(words: Words, confirmation: Confirmation): View {
  const { state, documents } = confirmation
  const isPending = state === 'pending'
  return {
    title: words.text(isPending ? 'confirm.title' : 'confirm.done.title'),
    isSensitive: true,
    body: html`<article class="confirm">
${isPending ? question(words, confirmation) : thanks(words, confirmation)}
<section class="part" aria-labelledby="papers"><h2 id="papers">${words(isPending ? 'frame.documents' : 'confirm.accepted')}</h2>
${documents.map((each) => paper(words, each, 3))}</section>
${isPending && form(words, confirmation)}
</article>`,
  }
}

const called = (handle: string): HtmlPart => html`<strong class="handle">@${handle}</strong>`
const place = (publicUrl: string): HtmlPart => html`<span class="nobreak">${hostOf({ publicUrl })}</span>`

function question(words: Words, { handle, publicUrl, documents, operator }: Confirmation): HtmlPart {
  const runBy = html`<strong>${operator.name}</strong>${operator.contact && html` (<bdi>${operator.contact}</bdi>)`}`
  return html`<p class="eyebrow">${words('confirm.eyebrow')}</p>
<h1>${words('confirm.heading')}</h1>
<p class="lead">${words('confirm.lead', { handle: called(handle), host: place(publicUrl) })} ${words('frame.operator', { operator: runBy })}</p>
<p>${words('confirm.text', { count: documents.length })}</p>`
}

function thanks(words: Words, { state, handle, publicUrl }: Confirmation): HtmlPart {
  return html`<div class="success" role="status"><svg viewBox="0 0 24 24" width="40" height="40" aria-hidden="true"><circle cx="12" cy="12" r="11" fill="var(--accent)"/><path d="M7 12.5l3.5 3.5L17 9" fill="none" stroke="var(--on-accent)" stroke-width="1.75" stroke-linecap="round" stroke-linejoin="round"/></svg>
<h1>${words(state === 'confirmed' ? 'confirm.thanks' : 'confirm.already')}</h1></div>
<p class="lead">${words('confirm.code', { agent: called(handle), strong: (inner) => html`<strong>${inner}</strong>` })}</p>
<p>${words('confirm.code.text', { host: place(publicUrl) })}</p>`
}

function form(words: Words, { action, documents }: Confirmation): HtmlPart {
  return html`<form class="accept" method="post" action="${action}">
<p>${words('confirm.form', { documents: paperNames(words, documents) })}</p>
<button class="button large" type="submit">${words('confirm.button')}</button>
</form>`
}

/** The page of a link that is unknown or out of time; it says the same of both. */
const noConfirmationView = (words: Words): View => ({
  title: words.text('confirm.invalid.title'),
  status: 404,
  isSensitive: true,
  body: html`<section class="notice"><p class="status" aria-hidden="true">404</p>
<h1>${words('confirm.invalid.heading')}</h1>
<p>${words('confirm.invalid.text')}</p></section>`,
})
