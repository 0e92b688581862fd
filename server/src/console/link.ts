// The page behind a link of the shell. To open it changes nothing, for programs open what they find in mails and chats; its button
// uses the link up. docs/contract/site.md#the-console.
import { findOperator } from '../http/operators.ts'
import type { FormSubmission, LivePage, Redirect, Shown, Visit } from '../http/page.ts'
import { findLink } from '../operator/accounts/accounts.ts'
import { enterByLink } from '../operator/accounts/entry.ts'
import { type Html, html } from '../site/html.ts'
import { sceneOf, shownAs } from '../site/view.ts'
import type { Key, Words } from '../site/words.ts'
import { countDone, countRefused, type Trying, tooOften } from './attempts.ts'
import { begunCookie, doorHeader, linkCommand, paths } from './own.ts'

export const signInLink: LivePage = {
  path: '/operator/link/{secret}',
  summary: 'What a sign-in link of the shell leads to, and the button that uses it',
  caller: 'anyone',
  cache: 'never',
  isSecret: true,
  show: async (visit) => {
    const { sql, clock } = visit.service
    const found = await findLink(sql, clock.now(), secretOf(visit))
    return found ? question(visit, found.email) : gone(visit)
  },
  form: { guard: 'address', fields: [], limit: 1024, send: enter },
}

const secretOf = ({ params }: Visit): string => params['secret'] as string

async function enter(sent: FormSubmission): Promise<Shown | Redirect> {
  const { service, address, reply } = sent
  const trying: Trying = { by: 'link', address }
  const until = await findOperator(service, reply.request.headers.cookie)
  const signedIn = await service.sql.transaction((tx) => enterByLink(tx, secretOf(sent), until))
  if (!signedIn) {
    const wait = await countRefused(service, trying)
    return wait === undefined ? gone(sent) : limited(sent, wait)
  }
  countDone(service, trying)
  return { to: paths.passkeys, cookies: [begunCookie(service.publicUrl, signedIn.secret)] }
}

/** A page of the door: what it says stands alone. */
function door(visit: Visit, title: Key, says: (words: Words) => Html, status = 200): Shown {
  const scene = sceneOf(visit)
  return shownAs(scene, {
    title: scene.words.text(title),
    status,
    header: doorHeader,
    isSensitive: true,
    body: html`<section class="notice">${says(scene.words)}</section>`,
  })
}

const question = (visit: Visit, email: string): Shown =>
  door(
    visit,
    'operator.sign_in.title',
    (words) => html`<h1>${words('operator.sign_in.title')}</h1>
<p>${words('operator.link.text', { email: html`<bdi>${email}</bdi>` })}</p>
<form class="actions" method="post" action="/operator/link/${secretOf(visit)}"><button class="button large" type="submit">${words('nav.signIn')}</button></form>`,
  )

/** Of a link that is not good. */
const limited = (sent: FormSubmission, seconds: number): Shown =>
  door(
    sent,
    'operator.sign_in.title',
    (words) => html`<h1>${words('operator.sign_in.title')}</h1>
<p>${tooOften(sent, seconds)}</p>`,
    429,
  )

/** The same for every link that is not good. */
const gone = (visit: Visit): Shown =>
  door(
    visit,
    'confirm.invalid.heading',
    (words) => html`<p class="status" aria-hidden="true">404</p>
<h1>${words('confirm.invalid.heading')}</h1>
<p>${words('operator.link.gone.text', { command: linkCommand })}</p>`,
    404,
  )
