// What waits in queues, how the sweeps of this node go, and the emails that wait: to whom as far as a domain, never what they say.
// docs/operating.md#the-console.
import { uuidPattern } from '../../kernel/schema.ts'
import type { WaitingMail } from '../../mail/waiting.ts'
import { dropMail, mails, retryMail } from '../../operator/mails.ts'
import { OperatorError } from '../../operator/operator.ts'
import { processOf } from '../../operator/process.ts'
import { look } from '../../operator/queues.ts'
import { type HtmlPart, html, join } from '../../site/html.ts'
import { empty, hasPage, pager, places } from '../../site/parts/list.ts'
import { english, type Key } from '../../site/words.ts'
import type { SweepState } from '../../store/sweeps.ts'
import { ageIn, agoIn, askedPage, dataTable, spanIn, stretchOf, totalLine } from '../lists.ts'
import { type ConsoleScene, consolePage, type Input } from '../page.ts'
import { actionForm, heard, outcomeNote } from '../parts.ts'

const path = '/operator/queues'

const mailIdOf = ({ mail_id: id = '' }: Input['fields']): string => {
  if (!uuidPattern.test(id)) throw new OperatorError('No such email')
  return id.toLowerCase()
}

export const queuesPage = consolePage({
  path,
  summary: 'Queues, sweeps and emails that wait',
  section: 'queues',
  query: ['page'],
  async view(scene) {
    const { service, words } = scene
    const page = askedPage(scene)
    if (!page) return undefined
    const { queues, sweeps } = processOf(service)
    const [{ json }, waiting, running] = await Promise.all([
      look(service.sql, queues),
      mails(service.sql, page),
      sweeps(),
    ])
    const { total } = waiting
    if (!hasPage(page.page, total) && scene.done === undefined && scene.attempt.status === undefined) return undefined
    const stretch = { ...stretchOf(path, page, total), anchor: 'mails', label: 'console.queues.mails.pages' as const }
    return {
      title: words.text('console.queues.title'),
      width: 'page',
      ...places(stretch),
      body: html`<div class="page-head"><h1>${words('console.queues.title')}</h1>
<p class="lead">${words('console.queues.lead')}</p></div>
${outcomeNote(
  scene,
  waiting.mails.flatMap(({ id }) => [`retry-${id}`, `drop-${id}`]),
)}
<section class="part" aria-labelledby="waits"><h2 id="waits">${words('console.queues.waits')}</h2>${queueTable(scene, json)}</section>
<section class="part" aria-labelledby="mails"><h2 id="mails">${words('console.queues.mails')}</h2>
<p class="fine">${words('console.queues.mails.text')}</p>
${total === 0 ? empty(scene, 'console.queues.mails.none') : html`${totalLine(scene, total)}<ul class="rows">${waiting.mails.map((each) => mailRow(scene, each))}</ul>`}
${pager(scene, stretch)}</section>
<section class="part" aria-labelledby="sweeps"><h2 id="sweeps">${words('console.queues.sweeps')}</h2>
<p class="fine">${words('console.queues.sweeps.text')}</p>${sweepTable(scene, running)}</section>`,
    }
  },
  actions: {
    retry: {
      fields: ['mail_id'],
      subject: (_, fields) => fields['mail_id'],
      async run(tx, { service, actor, fields, reason }) {
        await retryMail(tx, { actor, mailId: mailIdOf(fields), reason })
        tx.afterCommit(() => service.mailer.kick())
      },
    },
    drop: {
      fields: ['mail_id'],
      subject: (_, fields) => fields['mail_id'],
      run: (tx, { actor, fields, reason }) => dropMail(tx, { actor, mailId: mailIdOf(fields), reason }),
    },
  },
})

/** The whole of a queue in a row: how many of what, and since when. */
const queueTable = (scene: ConsoleScene, queues: Readonly<Record<string, object>>): HtmlPart =>
  dataTable(scene, {
    caption: 'console.queues.waits.caption',
    columns: ['console.queues.queue', 'console.queues.found'],
    rows: Object.entries(queues).map(([name, found]) => [
      said(scene, `console.queues.of.${name}`, name),
      Array.isArray(found)
        ? scene.words.number(found.reduce((sum, { open }) => sum + open, 0))
        : join(
            Object.entries(found)
              // When emails are tried next is said of each below.
              .filter(([what, value]) => value !== null && what !== 'next_attempt_at')
              .map(
                ([what, value]) =>
                  html`${said(scene, `console.queues.what.${what}`, what)}: ${value instanceof Date ? ageIn(scene, value) : scene.words.number(value)}`,
              ),
            ', ',
          ),
    ]),
  })

/** What a word is called here; itself if nobody gave it a name. */
const said = ({ words }: ConsoleScene, key: string, itself: string): HtmlPart =>
  Object.hasOwn(english, key) ? words(key as Key) : itself

const mailRow = (scene: ConsoleScene, each: WaitingMail): HtmlPart => {
  const { words, service, attempt } = scene
  const left = each.next_attempt_at.getTime() - service.clock.now().getTime()
  const isOpen = attempt.values['form'] === `retry-${each.id}` || attempt.values['form'] === `drop-${each.id}`
  const kind = said(scene, `console.queues.kind.${each.kind}`, each.kind)
  const subject = html`<bdi>${each.recipient}</bdi> ${kind}`
  const form = (action: 'retry' | 'drop'): HtmlPart =>
    actionForm(scene, {
      action,
      form: `${action}-${each.id}`,
      button: `console.queues.mails.${action}`,
      isSevere: action === 'drop',
      subject,
      hidden: { mail_id: each.id },
    })
  return html`<li class="row"><h3><bdi>${each.recipient}</bdi> <span class="chip">${kind}</span></h3>
<p class="row-foot"><span>${words('console.queues.mails.age', { age: ageIn(scene, each.created_at) })}</span> <span>${words('console.queues.mails.attempts', { count: each.attempts })}</span> <span>${left <= 0 ? words('console.queues.mails.due') : words('console.queues.mails.next', { span: spanIn(scene, left) })}</span> ${each.last_failure !== null && html`<span>${words('console.queues.mails.failure', { code: html`<code>${each.last_failure}</code>` })}</span>`} ${each.expires_at && html`<span>${words('console.queues.mails.expires', { moment: words.moment(each.expires_at) })}</span>`}</p>
<details${isOpen && html` open`}><summary>${words('console.queues.mails.act')}${heard(subject)}</summary><p class="fine">${words('console.queues.mails.act.about')}</p><div class="pair">${form('retry')}${form('drop')}</div></details></li>
`
}

function sweepTable(scene: ConsoleScene, sweeps: readonly SweepState[]): HtmlPart {
  const { words, service } = scene
  const now = service.clock.now().getTime()
  const standing = (each: SweepState): HtmlPart => {
    if (each.isRunning) return html`<span class="chip">${words('console.queues.sweeps.running')}</span>`
    const late = now - each.dueAt.getTime()
    return late > tolerance
      ? html`<span class="chip strong">${words('console.queues.sweeps.late', { span: spanIn(scene, late) })}</span>`
      : words('console.queues.sweeps.due', { span: spanIn(scene, Math.max(0, -late)) })
  }
  return dataTable(scene, {
    caption: 'console.queues.sweeps.caption',
    columns: [
      'console.queues.sweeps.name',
      'console.queues.sweeps.every',
      'console.queues.sweeps.last',
      'console.queues.sweeps.took',
      'console.queues.sweeps.next',
      'console.queues.sweeps.failures',
    ],
    rows: sweeps.map((each) => [
      jobName(scene, each.name),
      spanIn(scene, each.everyMilliseconds),
      each.last ? agoIn(scene, each.last.endedAt) : words('console.queues.sweeps.never'),
      each.last ? words('console.queues.sweeps.milliseconds', { count: Math.round(each.last.milliseconds) }) : '',
      standing(each),
      each.failure
        ? html`${words.number(each.failures)} <code>${each.failure.what}</code> ${agoIn(scene, each.failure.at)}`
        : '',
    ]),
  })
}

/** What a job does, and its name in metrics and logs. */
function jobName({ words }: ConsoleScene, name: string): HtmlPart {
  const key = `console.queues.job.${name.replaceAll(' ', '_')}`
  const code = html`<code>${name}</code>`
  return Object.hasOwn(english, key) ? html`${words(key as Key)} ${code}` : code
}

/** A sweep that begins so much later than it should is no fault: a process does other things too. */
const tolerance = 5000
