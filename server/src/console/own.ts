// Pages of an operator's own account, and the doors to them: what they have in common.
import { setCookie } from '../http/cookies.ts'
import type { FormSubmission, Redirect, Shown, SiteOperator, Visit } from '../http/page.ts'
import { sessionLifetime } from '../operator/accounts/sessions.ts'
import { type HtmlPart, html } from '../site/html.ts'
import type { Header } from '../site/layout.ts'
import { tokenField } from '../site/parts/visitor.ts'
import { type Scene, signedOut } from '../site/view.ts'

/** Of whoever is not in yet: no part of the console opens for them. */
export const doorHeader: Header = { label: 'nav.console', home: '/', links: [] }

export const paths = {
  overview: '/operator',
  signIn: '/operator/sign-in',
  signOut: '/operator/sign-out',
  passkeys: '/operator/passkeys',
  sessions: '/operator/sessions',
} as const

/** Where somebody signs in, and is led on to a page of the console. */
export const signInPath = (to: string | undefined): string =>
  to === undefined || to === paths.overview ? paths.signIn : `${paths.signIn}?${new URLSearchParams({ to })}`

/** The operator of a page of the console; or where to go first. */
export function admitted({ operator, here }: Visit): SiteOperator | Redirect {
  if (!operator) return { to: signInPath(here) }
  return operator.level === 'passkey' ? operator : { to: paths.passkeys }
}

/** What a form of the console is answered whose sender is not in. */
export const turnedAway = (sent: FormSubmission): Shown | Redirect =>
  sent.operator ? { to: paths.passkeys } : signedOut(sent, signInPath(sent.unsent.from), sent.unsent, doorHeader)

/** The cookie of a session that begins. */
export const begunCookie = (publicUrl: string, secret: string): string =>
  setCookie('operator', publicUrl, secret, sessionLifetime / 1000)

/** Takes the cookie of a session back. */
export const endedCookie = (publicUrl: string): string => setCookie('operator', publicUrl, '', 0)

/** How the shell makes a link. */
export const linkCommand: HtmlPart = html`<code>npm run operator -- operator link EMAIL</code>`

/** At the end of each page: who is in, and the way to what is theirs. */
export const accountBar = (scene: Scene & { operator: SiteOperator }): HtmlPart => {
  const { words, operator } = scene
  const isWhole = operator.level === 'passkey'
  return html`<section class="account-bar" aria-label="${words.text('operator.account.label')}"><p>${words('operator.account.who', { email: html`<bdi>${operator.email}</bdi>` })}</p>
${isWhole && html`<a href="${paths.passkeys}">${words('operator.passkeys.title')}</a> <a href="${paths.sessions}">${words('operator.sessions.title')}</a>`}
<form method="post" action="${paths.signOut}">${tokenField(scene)}<button class="pressable" type="submit">${words('customer.out')}</button></form></section>`
}
