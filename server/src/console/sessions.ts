// Where an operator is signed in, and how a session ends.
import type { FormSubmission, LivePage, Redirect, Shown, SiteOperator, Visit } from '../http/page.ts'
import { refuse } from '../kernel/refuse.ts'
import { endAllSessions, endSession, type SessionListed, sessions } from '../operator/accounts/sessions.ts'
import { waitingNow } from '../operator/waiting.ts'
import { type HtmlPart, html } from '../site/html.ts'
import { tokenField } from '../site/parts/visitor.ts'
import { isCanonicalId } from '../site/text.ts'
import { type Scene, sceneOf, shownAs } from '../site/view.ts'
import { accountBar, admitted, endedCookie, paths } from './own.ts'
import { heard } from './parts.ts'
import { searchField } from './search-field.ts'
import { consoleHeader } from './sections.ts'
import { consoleSheet } from './sheet.ts'

export const sessionsPage: LivePage = {
  path: paths.sessions,
  summary: "An operator's sessions, and the forms that end them",
  caller: 'anyone',
  cache: 'never',
  knows: 'operator',
  query: ['done'],
  show: async (visit) => {
    const operator = admitted(visit)
    return 'to' in operator ? operator : sessionsView(visit, operator)
  },
  form: {
    guard: 'session',
    fields: ['action', 'id'],
    limit: 4096,
    send: async (sent) => {
      const operator = admitted(sent)
      return 'to' in operator ? operator : end(sent, operator)
    },
  },
}

/** To end what is over already changes nothing. */
async function end({ service, fields }: FormSubmission, operator: SiteOperator): Promise<Redirect> {
  const { action, id = '' } = fields
  if (action === 'end_all') {
    await service.sql.transaction((tx) => endAllSessions(tx, operator))
    return { to: paths.signIn, cookies: [endedCookie(service.publicUrl)] }
  }
  if (action !== 'end' || !isCanonicalId(id)) return refuse('invalid_input')
  await service.sql.transaction((tx) => endSession(tx, operator, { id }))
  return { to: `${paths.sessions}?done=ended` }
}

type Own = Scene & { operator: SiteOperator }

async function sessionsView(visit: Visit, operator: SiteOperator): Promise<Shown> {
  const scene = { ...sceneOf(visit), operator }
  const { words, service, query } = scene
  const found = await sessions(service.sql, service.clock.now(), operator.id)
  return shownAs(scene, {
    title: words.text('operator.sessions.title'),
    header: consoleHeader(undefined, await waitingNow(service.sql)),
    sheet: consoleSheet.path,
    isUnlisted: true,
    body: html`${searchField(scene)}<div class="own"><header class="page-head"><h1>${words('operator.sessions.title')}</h1>
<p class="lead">${words('operator.sessions.text')}</p></header>
${query['done'] === 'ended' && html`<p class="callout done" role="status">${words('operator.sessions.ended')}</p>`}
<ul class="rows">${found.map((each) => row(scene, each))}</ul>
<form class="act-form" method="post" action="${paths.sessions}">${tokenField(scene)}<input type="hidden" name="action" value="end_all">
<p class="fine">${words('operator.sessions.end_all.text')}</p>
<button class="button severe" type="submit">${words('operator.sessions.end_all')}</button></form>
</div>${accountBar(scene)}`,
  })
}

function row(scene: Own, each: SessionListed): HtmlPart {
  const { words, operator } = scene
  const isThis = each.digest.equals(operator.session.digest)
  const end = html`<form method="post" action="${paths.sessions}">${tokenField(scene)}<input type="hidden" name="action" value="end"><input type="hidden" name="id" value="${each.id}"><button class="button quiet" type="submit">${words('operator.sessions.end')}${heard(words.moment(each.created_at))}</button></form>`
  return html`<li class="row"><h2>${by(scene, each)}${isThis && html` <span class="chip strong">${words('operator.sessions.this')}</span>`}</h2>
<p class="meta"><span>${words('operator.sessions.begun', { when: words.ago(each.created_at) })}</span> <span>${words('operator.sessions.used', { when: words.ago(each.used_at) })}</span> <span>${words('operator.sessions.ends', { when: words.moment(each.expires_at) })}</span></p>
${!isThis && end}</li>`
}

function by({ words }: Own, { level, passkey }: SessionListed): HtmlPart {
  if (level === 'link') return words('operator.sessions.link')
  return passkey === null
    ? words('operator.sessions.removed')
    : words('operator.sessions.passkey', { name: html`<bdi>${passkey}</bdi>` })
}
