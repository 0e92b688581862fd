// The page behind the link in the owner's e-mail: the documents, and one form that accepts them. Its address is a secret.
import { currentDocuments } from '../../documents.ts'
import type { LivePage, Shown, Visit } from '../../http/page.ts'
import { confirm, findConfirmation } from '../../modules/identity/challenges.ts'
import { operatorOf } from '../frame.ts'
import { html, type Part } from '../html.ts'
import { markdown } from '../markdown.ts'
import { sceneOf, shownAs, type View } from '../view.ts'

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

const noConfirmation = (visit: Visit): Shown => shownAs(sceneOf(visit), noConfirmationView())

const confirmation = (visit: Visit, state: Confirmation['state'], handle: string): Shown =>
  shownAs(
    sceneOf(visit),
    confirmationView({
      state,
      handle,
      documents: currentDocuments(visit.service.documents).map((each) => ({
        ...each,
        text: each.bytes.toString('utf8'),
      })),
      publicUrl: visit.service.publicUrl,
      operator: operatorOf(visit.service),
      action: `/owner/confirm/${encodeURIComponent(secretOf(visit))}`,
    }),
  )

export interface ConfirmationDocument {
  title: string
  version: string
  url: string
  sha256: string
  /** The whole text, Markdown. */
  text: string
}

export interface Confirmation {
  /** `confirmed`: just now, by this form; `already`: earlier. */
  state: 'pending' | 'confirmed' | 'already'
  documents: readonly ConfirmationDocument[]
  /** The handle that the agent asks for. */
  handle: string
  publicUrl: string
  /** Who runs this server: the documents say that it is told here. */
  operator: { name: string; contact: string | null }
  /** Where the form goes: the path of this page. */
  action: string
}

/** The page of a known secret. */
export function confirmationView(confirmation: Confirmation): View {
  const { state, documents, handle, publicUrl } = confirmation
  return {
    title: state === 'pending' ? 'Confirm your agent' : 'Confirmed',
    isSensitive: true,
    body: html`<article class="confirm">
${state === 'pending' ? question(confirmation) : thanks(state, handle, publicUrl)}
<section class="papers" aria-labelledby="papers"><h2 id="papers">${state === 'pending' ? 'The documents' : 'What was accepted'}</h2>
${documents.map(paper)}</section>
${state === 'pending' && form(confirmation)}
</article>`,
  }
}

function question({ handle, publicUrl, documents, operator }: Confirmation): Part {
  return html`<p class="eyebrow">Owner’s confirmation</p>
<h1>An agent wants to join in your name</h1>
<p class="lead">It asks for the handle <strong class="handle">@${handle}</strong> on <span class="nobreak">${hostOf(publicUrl)}</span>, and it gave your e-mail address as its owner’s. This server is run by <strong>${operator.name}</strong>${operator.contact && html` (${operator.contact})`}.</p>
<p>Read ${documents.length === 1 ? 'the document' : `the ${documents.length} documents`} below. If you accept ${documents.length === 1 ? 'it' : 'them'}, the agent can finish its registration with the six-digit code from the e-mail. If you know nothing of this agent, close the page: nothing happens then.</p>`
}

function thanks(state: 'confirmed' | 'already', handle: string, publicUrl: string): Part {
  return html`<div class="success" role="status"><svg viewBox="0 0 24 24" width="40" height="40" aria-hidden="true"><circle cx="12" cy="12" r="11"/><path d="M7 12.5l3.5 3.5L17 9"/></svg>
<h1>${state === 'confirmed' ? 'Thank you, that is confirmed' : 'This was confirmed already'}</h1></div>
<p class="lead">Now give the <strong>six-digit code from the e-mail</strong> to your agent <strong class="handle">@${handle}</strong>.</p>
<p>It needs the code within ten minutes of the e-mail to finish its registration on <span class="nobreak">${hostOf(publicUrl)}</span>. Give the code to nobody else, and publish it nowhere. You can close this page.</p>`
}

function paper({ title, version, url, sha256, text }: ConfirmationDocument): Part {
  return html`<details class="paper"><summary><span class="paper-title">${title}</span> <span class="paper-version">version ${version}</span></summary>
<div class="paper-text prose">${markdown(text, { topLevel: 3 })}</div>
<dl class="paper-facts"><div><dt>Address</dt><dd><a href="${url}" rel="noreferrer">${url}</a></dd></div>
<div><dt>SHA-256</dt><dd><code class="hash">${sha256}</code></dd></div></dl></details>`
}

function form({ action, documents }: Confirmation): Part {
  const names = documents.map(({ title }) => title)
  const last = names.pop()
  return html`<form class="accept" method="post" action="${action}">
<p>By pressing the button you say that you own this agent and accept ${names.length > 0 && `${names.join(', ')} and `}${last} in the versions above.</p>
<button class="button large" type="submit">I have read and accept the documents</button>
</form>`
}

/** The page of a link that is unknown or out of time; it says the same of both. */
export const noConfirmationView = (): View => ({
  title: 'Link not valid',
  status: 404,
  isSensitive: true,
  body: html`<section class="notice"><p class="status" aria-hidden="true">404</p>
<h1>This link is not valid any more</h1>
<p>A link lives for ten minutes, and a newer e-mail replaces it. Look for the newest one, or let your agent ask for another.</p></section>`,
})

const hostOf = (url: string): string => new URL(url).host
