// One case: what it is about, what was said of it, what was decided, and what can be decided now. docs/operating.md#the-console.
import type { LivePage } from '../../http/page.ts'
import { invalid } from '../../kernel/refuse.ts'
import { sidesOf } from '../../modules/attachments/cards.ts'
import {
  type Decision,
  decisionNames,
  decisions,
  type ReasonCode,
  reportCodes,
} from '../../modules/moderation/machine.ts'
import { type Material, showJudged } from '../../modules/staff/material.ts'
import { actorOf } from '../../operator/accounts/sessions.ts'
import {
  decideModerationCase,
  findModerationCase,
  lookAtModerationCase,
  lookAtPreview,
  reasonless,
  type WaitingModerationCase,
  type WholeModerationCase,
} from '../../operator/moderation.ts'
import { OperatorError } from '../../operator/operator.ts'
import type { Precedent } from '../../operator/precedents.ts'
import { shownToAll } from '../../operator/shown.ts'
import { type HtmlPart, html } from '../../site/html.ts'
import type { Attempt } from '../../site/parts/form.ts'
import { sizeIn } from '../../site/parts/measures.ts'
import { isCanonicalId } from '../../site/text.ts'
import type { Key } from '../../site/words.ts'
import { paragraphs } from '../../site/written.ts'
import { actionName } from '../action-name.ts'
import { codeEntry } from '../codes.ts'
import { ageIn, agoIn } from '../lists.ts'
import { admitted } from '../own.ts'
import { type ConsoleScene, consolePage, type Input } from '../page.ts'
import { actionForm, facts, outcomeNote, toForms } from '../parts.ts'
import { auditLink } from './audit.ts'
import { dealingsOf } from './dealings.ts'
import { partiesIn } from './dispute.ts'
import { casesOf, kindOf, moderationPath, nameOf, statusChip, statusName } from './moderation.ts'

export const moderationCase = consolePage({
  path: `${moderationPath}/{case_id}`,
  summary: 'One case, and its decision',
  section: 'moderation',
  async view(scene) {
    const { service, params, words } = scene
    const id = params['case_id'] ?? ''
    const found = isCanonicalId(id) ? await findModerationCase(service.sql, id) : undefined
    if (!found) return undefined
    const { case: each } = found
    const [material, shown, party] = await Promise.all([
      lookAtModerationCase(service, id, actorOf(scene.operator)),
      shownToAll(service.sql, [each.subject.id]),
      partiesIn(scene, [each.owner.id]),
    ])
    const kind = words.text(`console.moderation.kind.${kindOf(each)}`)
    return {
      title: words.text('console.case.title', { kind, name: nameOf(each) }),
      width: 'page',
      body: html`<div class="page-head"><p class="eyebrow"><a href="${moderationPath}">${words('console.nav.moderation')}</a></p>
<h1>${kind}: <bdi>${nameOf(each)}</bdi></h1>
<p class="meta">${statusChip(words, each)}${(each.status === 'pending' || found.is_appealed) && html` <span>${words('console.lists.waiting', { age: ageIn(scene, each.waits_since) })}</span>`}</p>
${found.possible.length > 0 && toForms(scene, 'decide', 'console.case.decide')}</div>
${outcomeNote(scene, found.possible.map(formOf))}
<div class="beside"><div>
${aboutCase(scene, each, { owner: party(each.owner), material, isShown: shown.has(each.subject.id) })}
${appealOf(scene, found)}
${decisionOf(scene, each)}
${history(scene, found)}
${alike(scene, 'of-owner', found.alike.ofOwner)}
${alike(scene, 'of-kind', found.alike.ofKind)}</div>
<div><section class="part decide" aria-labelledby="decide"><h2 id="decide">${words('console.case.decide')}</h2>${decideForms(scene, found)}</section>
<section class="part" aria-labelledby="dealings"><h2 id="dealings">${words('console.dealings')}</h2>${dealingsOf(words, found.owner)}
<p><a href="${casesOf(each.owner.handle ?? each.owner.id)}">${words('console.case.all')}</a></p></section></div></div>`,
    }
  },
  actions: {
    decide: {
      fields: ['decision', 'reason_code', 'expected_version'],
      problems: { reason_code: 'console.code.problem' },
      unstated: ({ decision }) => (decision === 'approve' ? reasonless.approve : undefined),
      run: (tx, { actor, params, fields, reason }: Input) =>
        decideModerationCase(tx, { actor, caseId: caseIdOf(params), reason, ...verdictOf(fields) }),
    },
  },
})

function caseIdOf({ case_id: id = '' }: Input['params']): string {
  if (!isCanonicalId(id)) throw new OperatorError('No such case')
  return id
}

function verdictOf({ decision: wanted, reason_code: code, expected_version: version }: Input['fields']) {
  const decision = decisionNames.find((each) => each === wanted)
  // What lets a thing be has one code that fits.
  const reasonCode = decision && isLenient(decision) ? 'ok' : reportCodes.find((each) => each === code)
  const problems = [
    ...(decision ? [] : [{ path: 'decision', problem: 'must be one of the choices' }]),
    ...(reasonCode ? [] : [{ path: 'reason_code', problem: 'must be one of the choices' }]),
    ...(/^[1-9]\d{0,8}$/.test(version ?? '') ? [] : [{ path: 'expected_version', problem: 'must be a version' }]),
  ]
  if (problems.length > 0) invalid(...problems)
  return { decision: decision as Decision, reasonCode: reasonCode as ReasonCode, expectedVersion: Number(version) }
}

/** Where everyone reads things of a kind, while they are shown. */
const publicPaths: Partial<Record<WaitingModerationCase['subject']['kind'], string>> = {
  post: '/posts',
  service: '/services',
  task: '/tasks',
  idea: '/ideas',
  article: '/articles',
  project_case: '/cases',
}

function aboutCase(
  { words, ...scene }: ConsoleScene,
  each: WaitingModerationCase,
  { owner, material, isShown }: { owner: HtmlPart; material: Material | undefined; isShown: boolean },
): HtmlPart {
  const { subject, waiting_text: waits, excerpt, reports, reports_count: count } = each
  const folder = isShown && publicPaths[subject.kind]
  const said = material?.text ?? waits ?? excerpt?.text ?? ''
  return html`<section class="part" aria-labelledby="about"><h2 id="about">${words('console.audit.subject')}</h2>
${facts({ words }, [
  ['console.search.owner', owner],
  [
    'console.agent.id',
    html`<code>${subject.id}</code>${folder && html` <a href="${folder}/${subject.id}">${words('console.case.open')}</a>`}`,
  ],
  ['console.case.opened', agoIn({ words, ...scene }, each.created_at)],
])}
${said !== '' && html`<h3>${words(waits === null ? 'console.moderation.said' : 'console.case.waiting')}</h3><blockquote>${paragraphs(said)}</blockquote>`}
${!excerpt && waits === null && html`<p class="fine">${words('console.case.nothing')}</p>`}
${filesOf({ words, ...scene }, each, material?.files ?? [])}
<h3>${words('console.case.reports')}</h3>
${
  reports.length === 0
    ? html`<p class="fine">${words('console.case.reports.none')}</p>`
    : html`${count > reports.length && html`<p class="fine">${words('console.case.reports.newest', { shown: reports.length, count })}</p>`}<ul class="rows">${reports.map(
        ({ reason_code: code, text, created_at: at }) =>
          html`<li class="row">${paragraphs(text)}<p class="row-foot"><span class="chip">${words(`console.code.${code}`)}</span> <span>${agoIn({ words, ...scene }, at)}</span></p></li>`,
      )}</ul>`
}</section>`
}

/**
 * Each is loaded once it is seen, and the look at it is written down then. Nobody sees by chance what was reported as adult
 * content or illegal: that is opened first.
 */
function filesOf({ words }: ConsoleScene, each: WaitingModerationCase, files: Material['files']): HtmlPart {
  if (files.length === 0) return undefined
  const isShown = !each.reports.some(({ reason_code: code }) => code === 'adult' || code === 'illegal')
  const name = (file: Material['files'][number]): HtmlPart =>
    words('console.case.file', { format: file.file_format.toUpperCase(), size: sizeIn(words.locale, file.bytes) })
  return html`<h3>${words('console.agent.files')}</h3>
<ul class="rows">${files.map((file) => {
    const { preview_url: url } = showJudged(file, previewPath(each.id, file.id))
    const sides = sidesOf(file)
    return html`<li class="row">${
      url === null
        ? html`<p>${name(file)} <code>${file.id}</code></p><p class="fine">${words(file.status === 'purged' ? 'files.gone' : 'console.case.file.none')}</p>`
        : html`<details${isShown && html` open`}><summary>${name(file)}</summary><p class="judged"><img src="${url}" alt="${words.text('console.case.file.alt')}"${sides && html` width="${sides.width}" height="${sides.height}"`} loading="lazy" decoding="async"></p></details>`
    }</li>`
  })}</ul>`
}

const previewPath = (caseId: string, fileId: string): string => `${moderationPath}/${caseId}/files/${fileId}`

/** The preview of a file of a case, for operators alone. */
export const casePreview: LivePage = {
  path: previewPath('{case_id}', '{file_id}'),
  summary: 'The preview of a file that a case is about',
  caller: 'anyone',
  cache: 'never',
  knows: 'operator',
  async show(visit) {
    const operator = admitted(visit)
    if ('to' in operator) return operator
    const { case_id: caseId = '', file_id: fileId = '' } = visit.params
    if (!isCanonicalId(caseId) || !isCanonicalId(fileId)) return undefined
    const { service } = visit
    const { object, mimeType } = await lookAtPreview(service, { caseId, fileId, actor: actorOf(operator) })
    async function* bytes(): AsyncGenerator<Buffer> {
      yield* await service.storage.open(object)
    }
    return { chunks: bytes, contentType: mimeType }
  },
}

const appealOf = (
  { words, ...scene }: ConsoleScene,
  { case: each, is_appealed: waits }: WholeModerationCase,
): HtmlPart =>
  each.appeal &&
  html`<section class="part" aria-labelledby="appeal"><h2 id="appeal">${words('console.moderation.appealed')}</h2>
<blockquote>${paragraphs(each.appeal.text)}</blockquote>
<p class="meta">${agoIn({ words, ...scene }, each.appeal.created_at)} <span class="chip${waits && ' strong'}">${words(waits ? 'console.case.appeal.waits' : 'console.case.appeal.answered')}</span></p></section>`

const decisionOf = (
  { words, ...scene }: ConsoleScene,
  { reason, reason_code: code, decided_at: at }: WaitingModerationCase,
): HtmlPart =>
  reason !== null &&
  html`<section class="part" aria-labelledby="decision"><h2 id="decision">${words('console.case.last')}</h2>
<blockquote>${paragraphs(reason)}</blockquote>
<p class="meta">${code && html`<span class="chip">${words(`console.code.${code}`)}</span>`} ${at && html`<span>${agoIn({ words, ...scene }, at)}</span>`}</p></section>`

const history = (
  { words, ...scene }: ConsoleScene,
  { case: { id, measure }, history: entries }: WholeModerationCase,
): HtmlPart =>
  entries.length > 0 &&
  html`<section class="part" aria-labelledby="history"><h2 id="history">${words('console.dispute.history')}</h2>
<ul class="rows">${entries.map(
    ({ action, actor, reason, created_at: at }) =>
      html`<li class="row"><p><strong>${wordFor(words, measure, action)}</strong> <bdi>${actor}</bdi></p>${reason !== null && paragraphs(reason)}<p class="fine">${agoIn({ words, ...scene }, at)}</p></li>`,
  )}</ul>${auditLink(words, id)}</section>`

/** A suspension begins and ends by an action of its own. */
function wordFor(words: ConsoleScene['words'], measure: Standing['measure'], action: string): HtmlPart {
  const verb = action.split('.')[1] ?? ''
  const decision = decisionNames.find((each) => each === verb)
  return decision ? words(statusName({ measure, status: decisions[decision].to })) : actionName(words, action)
}

/** What can be decided, each by a form of its own: what lets the thing be is one press, with a code that fits. */
function decideForms(scene: ConsoleScene, { case: each, possible }: WholeModerationCase): HtmlPart {
  const { words } = scene
  if (possible.length === 0) return html`<p>${words('console.case.settled')}</p>`
  return possible.map((decision) => [
    html`<p class="fine">${words(effectOf(decision, each, possible))}</p>`,
    actionForm(scene, {
      action: 'decide',
      form: formOf(decision),
      button: buttonOf(decision, each),
      isPlain: decision === 'approve',
      isSevere: !isLenient(decision),
      hidden: { expected_version: String(each.version), decision },
      ...(!isLenient(decision) && { entries: (attempt) => codes(scene, attempt, each) }),
    }),
  ])
}

type Standing = Pick<WaitingModerationCase, 'measure' | 'owner' | 'status'>

/** Whether a decision only says again what an appeal is against. */
const isConfirmed = (decision: Decision, { status }: Standing): boolean => decisions[decision].to === status

/** Of a suspension, the words of the page of whoever is suspended. */
const restoring = ({ owner }: Standing) =>
  owner.handle === null ? ('console.customer.restore' as const) : ('console.agent.restore' as const)

function buttonOf(decision: Decision, each: Standing): Key {
  if (isConfirmed(decision, each)) return 'console.case.confirm'
  return each.measure === 'suspension' ? restoring(each) : `console.case.decision.${decision}`
}

/** What a decision does, told before it is sent. */
function effectOf(decision: Decision, each: Standing, possible: readonly Decision[]): Key {
  if (isConfirmed(decision, each)) return 'console.case.about.confirm'
  if (each.measure === 'suspension') return `${restoring(each)}.about` satisfies Key
  const isWaiting = possible.includes('reject')
  return decision === 'approve' && isWaiting ? 'console.case.about.publish' : `console.case.about.${decision}`
}

/** What most reports say is chosen already. */
function codes(scene: ConsoleScene, attempt: Attempt, { reports }: WaitingModerationCase): HtmlPart {
  const reported = reports.map(({ reason_code: code }) => code)
  const [likely = ''] = reportCodes
    .filter((code) => reported.includes(code))
    .sort((one, other) => numberOf(reported, other) - numberOf(reported, one))
  return codeEntry(scene, { ...attempt, values: { reason_code: likely, ...attempt.values } }, 'reason_code')
}

const numberOf = (codes: readonly string[], code: string): number => codes.filter((each) => each === code).length

const formOf = (decision: Decision): string => `decide-${decision}`
const isLenient = (decision: Decision): boolean => 'lenient' in decisions[decision]

const alike = ({ words }: ConsoleScene, id: 'of-owner' | 'of-kind', found: readonly Precedent[]): HtmlPart =>
  found.length > 0 &&
  html`<section class="part" aria-labelledby="${id}"><h2 id="${id}">${words(`console.case.${id}`)}</h2>
<ul class="rows">${found.map(
    (each) =>
      html`<li class="row"><p><a href="${moderationPath}/${each.id}">${words(`console.moderation.kind.${each.measure === 'suspension' ? 'suspension' : each.subject_kind}`)}</a> ${statusChip(words, each)} <span class="chip">${words(`console.code.${each.reason_code}`)}</span> ${words.ago(each.decided_at)}</p>${paragraphs(each.reason)}</li>`,
  )}</ul></section>`
