// An operator's passkeys: the first one after a link, and then their names, another one, and the end of one.
import type { FormSubmission, LivePage, Redirect, Shown, SiteOperator, Visit } from '../http/page.ts'
import { refuse } from '../kernel/refuse.ts'
import { longestAnswer } from '../operator/accounts/answer.ts'
import { addPasskey, askPasskey } from '../operator/accounts/ceremonies.ts'
import {
  longestName,
  mostPasskeys,
  type Passkey,
  passkeys,
  removePasskey,
  renamePasskey,
} from '../operator/accounts/passkeys.ts'
import { waitingNow } from '../operator/waiting.ts'
import { brandOf } from '../site/brand/brand.ts'
import { type HtmlPart, html } from '../site/html.ts'
import { type Attempt, entry, problemNote, statusOf, untried } from '../site/parts/form.ts'
import { tokenField } from '../site/parts/visitor.ts'
import { isCanonicalId } from '../site/text.ts'
import { type Scene, sceneOf, shownAs } from '../site/view.ts'
import type { Key } from '../site/words.ts'
import { accountBar, begunCookie, doorHeader, paths, signInPath, turnedAway } from './own.ts'
import { heard } from './parts.ts'
import { passkeyForm, passkeyScript } from './passkey.ts'
import { searchField } from './search-field.ts'
import { consoleHeader } from './sections.ts'
import { consoleSheet } from './sheet.ts'

export const passkeysPage: LivePage = {
  path: paths.passkeys,
  summary: "An operator's passkeys, and the form that adds one",
  caller: 'anyone',
  cache: 'never',
  hasScript: true,
  knows: 'operator',
  query: ['done'],
  show: async (visit) => (visit.operator ? passkeysView(visit, visit.operator) : { to: signInPath(visit.here) }),
  form: {
    guard: 'session',
    fields: ['action', 'answer', 'name', 'id'],
    limit: 3 * longestAnswer + 4096,
    send: async (sent) => (sent.operator ? change(sent, sent.operator) : turnedAway(sent)),
  },
}

type Own = Scene & { operator: SiteOperator }

const done: ReadonlyMap<string | undefined, Key> = new Map([
  ['added', 'operator.passkeys.added'],
  ['renamed', 'operator.passkeys.renamed'],
  ['removed', 'operator.passkeys.removed'],
])

const problems = {
  name: 'operator.passkeys.name.problem',
  answer: 'operator.passkeys.refused',
  full: 'operator.passkeys.full',
  gone: 'operator.passkeys.gone',
  last: 'operator.passkeys.last',
} as const satisfies Record<string, Key>

const toDone = (what: string): Redirect => ({ to: `${paths.passkeys}?done=${what}` })

async function change(sent: FormSubmission, operator: SiteOperator): Promise<Shown | Redirect> {
  const { service, fields } = sent
  const { action = 'add', answer = '', name = '', id = '' } = fields
  if (action === 'add') {
    const made = await service.sql.transaction((tx) => addPasskey(tx, service, operator, { answer, name }))
    if ('problem' in made) return passkeysView(sent, operator, attemptOf(sent, made.problem))
    const cookies = made.secret === undefined ? [] : [begunCookie(service.publicUrl, made.secret)]
    return { ...toDone('added'), cookies }
  }
  // A link alone opens nothing but the way to a passkey.
  if (operator.level !== 'passkey') return refuse('forbidden')
  if (!isCanonicalId(id) || !(action === 'rename' || action === 'remove')) return refuse('invalid_input')
  const changed = await service.sql.transaction((tx) =>
    action === 'rename' ? renamePasskey(tx, operator, id, name) : removePasskey(tx, operator, id),
  )
  if ('problem' in changed) return passkeysView(sent, operator, attemptOf(sent, changed.problem))
  return toDone(action === 'rename' ? 'renamed' : 'removed')
}

/** What was sent, with what is wrong; ids of the form that it came from begin as {@link formOf} says. */
function attemptOf(sent: FormSubmission, problem: keyof typeof problems): Attempt {
  const text = sceneOf(sent).words.text(problems[problem])
  const { answer: _, ...values } = sent.fields
  const status = problem === 'name' || problem === 'answer' ? 400 : problem === 'gone' ? 404 : 409
  return problem === 'name'
    ? { values, problems: { name: text }, status }
    : { values, problems: {}, problem: text, status }
}

async function passkeysView(visit: Visit, operator: SiteOperator, attempt: Attempt = untried()): Promise<Shown> {
  const scene = { ...sceneOf(visit), operator }
  const { words, service, query } = scene
  const found = await passkeys(service.sql, operator.id)
  const isWhole = operator.level === 'passkey'
  const told = attempt.status === undefined ? done.get(query['done']) : undefined
  return shownAs(scene, {
    title: words.text('operator.passkeys.title'),
    header: isWhole ? consoleHeader(undefined, await waitingNow(service.sql)) : doorHeader,
    width: 'text',
    isUnlisted: true,
    ...(isWhole && { sheet: consoleSheet.path }),
    script: passkeyScript.path,
    ...statusOf(attempt),
    body: html`${isWhole && searchField(scene)}<div class="own"><header class="page-head"><h1>${words('operator.passkeys.title')}</h1>
<p class="lead">${words(isWhole ? 'operator.passkeys.text' : 'operator.passkeys.first')}</p></header>
${told && html`<p class="callout done" role="status">${words(told)}</p>`}
${isWhole && secondPasskeyNote(scene, found.length)}
${problemNote(attempt)}
${isWhole ? list(scene, found, attempt) : found.length > 0 && html`<p>${words('operator.passkeys.use', { a: (inner) => html`<a href="${paths.signIn}">${inner}</a>` })}</p>`}
${found.length < mostPasskeys ? await addForm(scene, found, attempt) : html`<p class="fine">${words('operator.passkeys.full')}</p>`}
</div>${accountBar(scene)}`,
  })
}

/** While there is but one. */
const secondPasskeyNote = ({ words }: Pick<Scene, 'words'>, count: number): HtmlPart =>
  count === 1 && html`<p class="callout">${words('operator.passkeys.second')}</p>`

const isOf = (attempt: Attempt, action: string, id = ''): boolean =>
  (attempt.values['action'] ?? 'add') === action && (attempt.values['id'] ?? '') === id

async function addForm(scene: Own, found: readonly Passkey[], sent: Attempt): Promise<HtmlPart> {
  const { words, service, operator } = scene
  const attempt =
    isOf(sent, 'add') && sent.status !== undefined
      ? sent
      : untried({ name: words.text('operator.passkeys.name.value', { number: found.length + 1 }) })
  const name = entry(
    { ...attempt, form: 'add' },
    {
      name: 'name',
      label: words('operator.passkeys.name'),
      hint: words('operator.passkeys.name.hint'),
      isRequired: true,
      maxLength: 2 * longestName,
    },
  )
  return html`<section aria-labelledby="add-heading"><h2 id="add-heading">${words('operator.passkeys.add')}</h2>
${passkeyForm(scene, paths.passkeys, {
  kind: 'create',
  options: await askPasskey(service, brandOf(service).name, service.sql, service.clock.now(), operator),
  button: 'operator.passkeys.add',
  entries: html`<input type="hidden" name="action" value="add">${name}`,
})}</section>`
}

const list = (scene: Own, found: readonly Passkey[], attempt: Attempt): HtmlPart =>
  html`<ul class="rows">${found.map((each) => row(scene, each, attempt, found.length > 1))}</ul>`

function row(scene: Own, { id, name, created_at, used_at }: Passkey, sent: Attempt, isRemovable: boolean): HtmlPart {
  const { words } = scene
  const attempt = isOf(sent, 'rename', id)
    ? { ...sent, form: `passkey-${id}` }
    : { ...untried({ name }), form: `passkey-${id}` }
  const hidden = (action: string): HtmlPart =>
    html`${tokenField(scene)}<input type="hidden" name="action" value="${action}"><input type="hidden" name="id" value="${id}">`
  const about = heard(html`<bdi>${name}</bdi>`)
  const rename = html`<form method="post" action="${paths.passkeys}">${hidden('rename')}${entry(attempt, { name: 'name', label: words('operator.passkeys.name'), isRequired: true, maxLength: 2 * longestName })}<button class="button quiet" type="submit">${words('operator.passkeys.rename')}${about}</button></form>`
  const remove = html`<form method="post" action="${paths.passkeys}">${hidden('remove')}<p class="fine">${words('operator.passkeys.remove.text')}</p><button class="button severe" type="submit">${words('operator.passkeys.remove')}${about}</button></form>`
  return html`<li class="row"><h2 dir="auto">${name}</h2>
<p class="meta"><span>${words('operator.passkeys.since', { when: words.ago(created_at) })}</span> <span>${used_at === null ? words('operator.passkeys.unused') : words('operator.passkeys.used', { when: words.ago(used_at) })}</span></p>
<details${attempt.status !== undefined && html` open`}><summary>${words('operator.passkeys.change')}${about}</summary>${rename}${isRemovable ? remove : html`<p class="fine">${words('operator.passkeys.last')}</p>`}</details></li>`
}
