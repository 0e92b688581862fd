// Signing in: an email, and then the code that came to it. It says the same whatever is known of the email, so what is needed the
// first time alone is asked of everyone. docs/contract/site.md#signing-in.
import { randomUUID } from 'node:crypto'
import { bodyCheck } from '../../http/checks.ts'
import { begunHumanSession, findHuman, humanSessionOf } from '../../http/humans.ts'
import type { FormSubmission, LivePage, Redirect, Shown } from '../../http/page.ts'
import { limitByAddress } from '../../http/writes.ts'
import { humanSessionLifetime } from '../../kernel/callers.ts'
import { earlier, minutes } from '../../kernel/clock.ts'
import { Refusal } from '../../kernel/refuse.ts'
import { signIn } from '../../modules/humans/sessions.ts'
import { RequestBody, SignInBody } from '../../modules/humans/shapes.ts'
import { canSendMail, requestSession } from '../../modules/identity/challenges.ts'
import { startingGrant } from '../../modules/wallet/wallet.ts'
import { sha256 } from '../../secrets.ts'
import type { Service } from '../../service.ts'
import { type HtmlPart, html } from '../html.ts'
import type { View } from '../layout.ts'
import {
  type Attempt,
  agreement,
  attemptOf,
  entry,
  hiddenFields,
  problemNote,
  statusOf,
  untried,
} from '../parts/form.ts'
import { currentPapers, paper, paperNames } from '../parts/papers.ts'
import { pathOfSite } from '../paths.ts'
import { isCanonicalId } from '../text.ts'
import { type Scene, sceneOf, shownAs, signInPath } from '../view.ts'

const path = '/sign-in'

export const signInPage: LivePage = {
  path,
  summary: 'Where a customer signs in, by a code to their email',
  caller: 'anyone',
  cache: 'never',
  knows: 'customer',
  query: ['to', 'left'],
  show: async (visit) => {
    const to = pathOfSite(visit.query['to'], visit.service.publicUrl)
    if (visit.customer) return { to: to ?? afterwards }
    const scene = sceneOf(visit)
    return shownAs(scene, emailView(scene, untried({ ...(to !== undefined && { to }) })))
  },
  form: {
    guard: 'session',
    fields: ['to', 'operation_id', 'email', 'challenge_id', 'code', 'display_name', 'documents_confirmed'],
    limit: 16_384,
    send: (sent) => (sent.fields['code'] === undefined ? sendCode(sent) : takeCode(sent)),
  },
}

/** Where it leads who came from nowhere. */
const afterwards = '/orders'

const checkRequest = bodyCheck(RequestBody)
const checkSignIn = bodyCheck(SignInBody)

const operationOf = ({ fields }: FormSubmission): string => {
  const given = fields['operation_id'] ?? ''
  return isCanonicalId(given) ? given : randomUUID()
}

/** The first step; again from the second one, where another code is asked for. */
async function sendCode(sent: FormSubmission): Promise<Shown> {
  const { service, address, fields, languages } = sent
  const scene = sceneOf(sent)
  try {
    await limitByAddress(service, 'mail', address)
    const { email } = checkRequest({ email: fields['email'] ?? '' })
    const form = operationOf(sent)
    const { challenge_id } = await service.sql.transaction((tx) =>
      requestSession(tx, service, { email, form }, languages),
    )
    return shownAs(scene, codeView(scene, untried({ ...keptOf(sent), email: email.trim(), challenge_id })))
  } catch (error) {
    if (error instanceof Refusal && error.code === 'verification_setup_pending') return shownAs(scene, emailView(scene))
    const attempt = attemptOf(scene, error, { values: fields, problems: { email: 'signIn.email.problem' } })
    // The code that came before is as good as it was.
    const isKept = isCanonicalId(fields['challenge_id'] ?? '')
    return shownAs(scene, isKept ? codeView(scene, attempt) : emailView(scene, attempt))
  }
}

/** The second step. */
async function takeCode(sent: FormSubmission): Promise<Shown | Redirect> {
  const { service, fields, reply } = sent
  const { challenge_id = '', code: typed = '', display_name: name = '' } = fields
  const code = typed.replace(/\s+/g, '')
  const secret = secretOf(service, { form: operationOf(sent), challengeId: challenge_id, code })
  const to = pathOfSite(fields['to'], service.publicUrl) ?? afterwards
  const done: Redirect = { to, cookies: [begunHumanSession(service, secret).cookie] }
  try {
    const body = checkSignIn({
      challenge_id,
      code,
      documents_confirmed: fields['documents_confirmed'] === 'true',
      ...(name.trim() !== '' && { display_name: name }),
    })
    const former = humanSessionOf(service, reply.request.headers.cookie)
    await signIn(service, body, { former, secret, languages: sent.languages })
    return done
  } catch (error) {
    if (await hasBegun(service, secret)) return done
    const scene = sceneOf(sent)
    const attempt = attemptOf(scene, error, {
      values: fields,
      problems: {
        code: 'signIn.code.problem',
        display_name: 'signIn.name.problem',
        documents_confirmed: 'signIn.documents.problem',
      },
    })
    return shownAs(scene, codeView(scene, attempt))
  }
}

/**
 * What the cookie will hold: a form that is sent twice in a hurry, and only it, leads to the same session, for the browser throws
 * the first answer away.
 */
const secretOf = (
  { secrets }: Service,
  { form, challengeId, code }: { form: string; challengeId: string; code: string },
): string => secrets.mac('session of a form', JSON.stringify([form, challengeId, code])).toString('base64url')

/** Whether the form was taken a moment ago. */
async function hasBegun(service: Service, secret: string): Promise<boolean> {
  const found = await findHuman(service, sha256(secret))
  const begun = found && earlier(found.session.expiresAt, humanSessionLifetime)
  return begun !== undefined && begun > earlier(service.clock.now(), minutes(1))
}

const keptOf = ({ service, fields }: FormSubmission): Record<string, string> => {
  const to = pathOfSite(fields['to'], service.publicUrl)
  return to === undefined ? {} : { to }
}

function emailView(scene: Scene, attempt: Attempt = untried()): View {
  const { words, service, query } = scene
  const canSend = canSendMail(service)
  const left = query['left']
  return {
    title: words.text('signIn.title'),
    description: words.text('signIn.lead'),
    section: 'mine',
    isUnlisted: true,
    canonical: path,
    ...onward(scene, attempt),
    ...(canSend ? statusOf(attempt) : { status: 503 }),
    body: html`<header class="page-head"><h1>${words('signIn.title')}</h1>
<p class="lead">${words('signIn.lead')}</p></header>
${(left === 'here' || left === 'everywhere') && html`<p class="callout" role="status">${words(`signIn.left.${left}`)}</p>`}
${
  canSend
    ? html`${problemNote(attempt)}
<form method="post" action="${path}">${hiddenFields(scene, attempt)}${toField(scene, attempt)}
${entry(attempt, { name: 'email', label: words('signIn.email'), hint: words('signIn.email.hint'), type: 'email', isRequired: true, maxLength: 320, autocomplete: 'email', inputMode: 'email', isFirst: true })}
<button class="button" type="submit">${words('signIn.send')}</button></form>
<div class="prose own-notes"><p>${words('signIn.first', { grant: words.credits(startingGrant) })}</p>
<p>${words('signIn.agents', { a: (inner) => html`<a href="/#join">${inner}</a>` })}</p></div>`
    : html`<p class="callout problem">${words('signIn.noMail')}</p>`
}`,
  }
}

/** What it is done for stays known through all steps. */
function toField(scene: Scene, attempt: Attempt): HtmlPart {
  const to = toOf(scene, attempt)
  return to !== undefined && html`<input type="hidden" name="to" value="${to}">`
}

const toOf = ({ service }: Scene, { values }: Attempt): string | undefined =>
  pathOfSite(values['to'], service.publicUrl)

/** The same for whoever chooses another language. */
function onward(scene: Scene, attempt: Attempt): Pick<View, 'here'> {
  const to = toOf(scene, attempt)
  return to === undefined ? {} : { here: signInPath(to) }
}

function codeView(scene: Scene, attempt: Attempt): View {
  const { words, service } = scene
  const { email = '', challenge_id = '' } = attempt.values
  const papers = currentPapers(service)
  const kept = html`${toField(scene, attempt)}<input type="hidden" name="email" value="${email}"><input type="hidden" name="challenge_id" value="${challenge_id}">`
  return {
    title: words.text('signIn.code.title'),
    section: 'mine',
    isUnlisted: true,
    ...onward(scene, attempt),
    ...statusOf(attempt),
    body: html`<header class="page-head"><h1>${words('signIn.code.title')}</h1>
<p class="lead">${words('signIn.code.lead', { email: html`<bdi class="own-email">${email}</bdi>` })}</p></header>
${problemNote(attempt)}
<form method="post" action="${path}">${hiddenFields(scene, attempt)}${kept}
${entry(attempt, { name: 'code', label: words('signIn.code'), hint: words('signIn.code.hint'), isRequired: true, maxLength: 20, inputMode: 'numeric', autocomplete: 'one-time-code', isFirst: true })}
<fieldset class="once"><legend>${words('signIn.once')}</legend>
<p class="fine">${words('signIn.once.text')}</p>
${papers.map((each) => paper(words, each, 2))}
${agreement(attempt, { name: 'documents_confirmed', label: words('signIn.documents', { documents: paperNames(words, papers) }) })}
${entry(attempt, { name: 'display_name', label: words('signIn.name'), hint: words('signIn.name.hint'), maxLength: 80, autocomplete: 'nickname' })}
</fieldset>
<button class="button large" type="submit">${words('nav.signIn')}</button></form>
<section class="own-notes" aria-labelledby="no-code"><h2 id="no-code">${words('signIn.none')}</h2>
<p>${words('signIn.none.text')}</p>
<div class="actions"><form method="post" action="${path}">${hiddenFields(scene)}${kept}<button class="button quiet" type="submit">${words('signIn.again')}</button></form>
<a class="button quiet" href="${signInPath(toOf(scene, attempt))}">${words('signIn.other')}</a></div></section>`,
  }
}
