// The way in by a passkey, and the way out. docs/contract/site.md#the-console.
import type { FormSubmission, FormTarget, LivePage, Redirect, Shown, Visit } from '../http/page.ts'
import { longestAnswer } from '../operator/accounts/answer.ts'
import { askSignIn, claimedBy, signIn } from '../operator/accounts/ceremonies.ts'
import { endSession } from '../operator/accounts/sessions.ts'
import { html } from '../site/html.ts'
import { problemNote } from '../site/parts/form.ts'
import { pathOfSite } from '../site/paths.ts'
import { sceneOf, shownAs } from '../site/view.ts'
import { countDone, countRefused, type Trying, tooOften } from './attempts.ts'
import { begunCookie, doorHeader, endedCookie, linkCommand, paths } from './own.ts'
import { passkeyForm, passkeyScript } from './passkey.ts'

/** What is wrong with what was sent. */
interface Problem {
  problem: string
  status: number
}

export const signInPage: LivePage = {
  path: paths.signIn,
  summary: 'The sign-in of an operator, by a passkey',
  caller: 'anyone',
  cache: 'never',
  hasScript: true,
  knows: 'operator',
  query: ['to'],
  show: async (visit) =>
    visit.operator?.level === 'passkey' ? { to: wantedOf(visit, visit.query) } : signInView(visit, visit.query),
  // Percent-encoded an answer may be three times as long.
  form: { guard: 'session', fields: ['answer', 'to'], limit: 3 * longestAnswer + 1024, send: enter },
}

/** The page of the console that somebody wanted first. */
function wantedOf({ service }: Visit, { to }: Readonly<Record<string, string>>): string {
  const path = pathOfSite(to, service.publicUrl)
  return path?.startsWith(`${paths.overview}/`) ? path : paths.overview
}

async function signInView(visit: Visit, given: Readonly<Record<string, string>>, refused?: Problem): Promise<Shown> {
  const scene = sceneOf(visit)
  const { words, service } = scene
  const wanted = wantedOf(visit, given)
  return shownAs(scene, {
    title: words.text('operator.sign_in.title'),
    header: doorHeader,
    isUnlisted: true,
    script: passkeyScript.path,
    ...(refused && { status: refused.status }),
    body: html`<div class="own"><header class="page-head"><h1>${words('operator.sign_in.title')}</h1>
<p class="lead">${words('operator.sign_in.text')}</p></header>
${refused && problemNote({ values: {}, problems: {}, problem: refused.problem })}
${passkeyForm(scene, paths.signIn, {
  kind: 'get',
  options: await askSignIn(service, service.clock.now()),
  button: 'operator.sign_in.button',
  entries: html`<input type="hidden" name="to" value="${wanted}">`,
})}
<p class="fine">${words('operator.sign_in.lost', { command: linkCommand })}</p>
<p class="fine">${words('operator.sign_in.elsewhere', { a: (inner) => html`<a href="${wanted}">${inner}</a>` })}</p></div>`,
  })
}

async function enter(sent: FormSubmission): Promise<Shown | Redirect> {
  const { service, address, fields } = sent
  const { answer = '' } = fields
  const trying: Trying = { by: 'passkey', address, operatorId: await claimedBy(service.sql, answer) }
  const signedIn = await service.sql.transaction((tx) => signIn(tx, service, answer, sent.operator))
  if (!signedIn) {
    const wait = await countRefused(service, trying)
    if (wait !== undefined) return signInView(sent, fields, { problem: tooOften(sent, wait), status: 429 })
    return signInView(sent, fields, { problem: sceneOf(sent).words.text('operator.sign_in.refused'), status: 403 })
  }
  countDone(service, trying)
  return { to: wantedOf(sent, fields), cookies: [begunCookie(service.publicUrl, signedIn.secret)] }
}

export const signOut: FormTarget = {
  path: paths.signOut,
  summary: 'An operator ends the session of this browser',
  caller: 'anyone',
  cache: 'never',
  knows: 'operator',
  fields: [],
  limit: 4096,
  send: async ({ service, operator }) => {
    if (operator) await service.sql.transaction((tx) => endSession(tx, operator, operator.session))
    return { to: paths.signIn, cookies: [endedCookie(service.publicUrl)] }
  },
}
