// Lists of what waits before it is shown, and the word on each: approved with one press, or rejected with a reason.
// docs/operating.md#the-console.
import type { Page } from '../kernel/lists.ts'
import { invalid } from '../kernel/refuse.ts'
import { uuidPattern } from '../kernel/schema.ts'
import { latestCase, pendingCases, reasonless } from '../operator/moderation.ts'
import { OperatorError } from '../operator/operator.ts'
import { type HtmlPart, html } from '../site/html.ts'
import { empty, hasPage, pager, places } from '../site/parts/list.ts'
import type { Sql, Tx } from '../store/sql.ts'
import { askedPage, stretchOf, totalLine } from './lists.ts'
import { type ConsoleScene, consolePage, type Input } from './page.ts'
import { actionForm, heard, outcomeNote } from './parts.ts'

const verdicts = ['approve', 'reject'] as const

type Verdict = (typeof verdicts)[number]

interface Judging {
  id: string
  actor: string
  verdict: Verdict
  reason: string
}

interface JudgedList<T> {
  section: 'reviews' | 'ready'
  summary: string
  /** What its cases are about. */
  kind: 'review' | 'service'
  find: (sql: Sql, page: Page) => Promise<{ found: readonly T[]; total: number }>
  idOf: (each: T) => string
  /** What it says of itself: its heading, what would be shown, and what it is called beside its forms. */
  show: (scene: ConsoleScene, each: T) => { head: HtmlPart; subject: HtmlPart }
  judge: (tx: Tx, judging: Judging) => Promise<unknown>
}

/** A page of what waits, the longest first. */
export const judgedList = <T>({ section, summary, kind, find, idOf, show, judge }: JudgedList<T>) => {
  const path = `/operator/${section}`
  const field = `${kind}_id`
  return consolePage({
    path,
    summary,
    section,
    query: ['page'],
    async view(scene) {
      const { service, words } = scene
      const page = askedPage(scene)
      if (!page) return undefined
      const { found, total } = await find(service.sql, page)
      // Whoever judged the last one of the last page is still shown what was done.
      if (!hasPage(page.page, total) && scene.done === undefined && scene.attempt.status === undefined) return undefined
      const stretch = stretchOf(path, page, total)
      const ids = found.map(idOf)
      const cases = await pendingCases(service.sql, kind, ids)
      const row = (each: T): HtmlPart => {
        const id = idOf(each)
        const { head, subject } = show(scene, each)
        const caseId = cases.get(id)
        return html`<li class="row">${head}
${caseId && html`<p><a href="/operator/moderation/${caseId}">${words('console.judge.case')}</a></p>`}
${judgement(scene, { name: field, id, subject })}</li>
`
      }
      return {
        title: words.text(`console.nav.${section}`),
        width: 'page',
        ...places(stretch),
        body: html`<div class="page-head"><h1>${words(`console.nav.${section}`)}</h1>
<p class="lead">${words(`console.${section}.lead`)}</p></div>
${outcomeNote(
  scene,
  ids.flatMap((id) => verdicts.map((verdict) => `${verdict}-${id}`)),
)}
${found.length === 0 ? empty(scene, `console.${section}.none`) : html`${totalLine(scene, total)}<ul class="rows">${found.map(row)}</ul>`}
${pager(scene, stretch)}`,
      }
    },
    actions: {
      judge: {
        fields: [field, 'verdict'],
        // Approving says all that there is to say.
        unstated: ({ verdict }) => (verdict === 'approve' ? reasonless.approve : undefined),
        subject: (sql, { [field]: id = '' }) => (uuidPattern.test(id) ? latestCase(sql, kind, id) : undefined),
        run(tx, { actor, fields, reason }) {
          const id = fields[field] ?? ''
          if (!uuidPattern.test(id)) throw new OperatorError(`No such ${kind}`)
          return judge(tx, { actor, id: id.toLowerCase(), verdict: verdictIn(fields), reason })
        },
      },
    },
  })
}

/** Both words; the form of the second is open where it was just refused. */
function judgement(
  scene: ConsoleScene,
  { name, id, subject }: { name: string; id: string; subject: HtmlPart },
): HtmlPart {
  const { words, attempt } = scene
  const form = (verdict: Verdict): HtmlPart =>
    actionForm(scene, {
      action: 'judge',
      form: `${verdict}-${id}`,
      button: `console.judge.${verdict}`,
      isPlain: verdict === 'approve',
      isSevere: verdict === 'reject',
      subject,
      hidden: { [name]: id, verdict },
    })
  return html`<div class="verdicts">${form('approve')}
<details${attempt.values['form'] === `reject-${id}` && html` open`}><summary>${words('console.judge.open')}${heard(subject)}</summary><p class="fine">${words('console.judge.reject.about')}</p>${form('reject')}</details></div>`
}

const verdictIn = ({ verdict }: Input['fields']): Verdict =>
  verdicts.find((each) => each === verdict) ?? invalid({ path: 'verdict', problem: 'must be one of the choices' })
