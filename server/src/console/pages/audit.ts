// The audit log: who did what, to whom and why, newest first; narrowed, and taken away as a file. docs/operating.md#the-console.
import { after, days } from '../../kernel/clock.ts'
import { uuidPattern } from '../../kernel/schema.ts'
import { canonicalText } from '../../kernel/text.ts'
import { isHandle } from '../../modules/identity/shapes.ts'
import { type HtmlPart, html } from '../../site/html.ts'
import { addressOf, empty, neighbours } from '../../site/parts/list.ts'
import { isCanonicalId } from '../../site/text.ts'
import type { Words } from '../../site/words.ts'
import { paragraphs } from '../../site/written.ts'
import { actionsSeen, type Entry, entries, type Filter } from '../../store/audit.ts'
import { actionName } from '../action-name.ts'
import { detailsIn } from '../details.ts'
import { dataTable, filterForm } from '../lists.ts'
import { type ConsoleScene, consolePage } from '../page.ts'
import { heard } from '../parts.ts'
import { agentPath } from './agents.ts'
import { customerPath } from './customers.ts'
import { disputePath } from './disputes.ts'
import { feedbackPath } from './feedback.ts'
import { moderationCasePath } from './moderation.ts'

export const auditPath = '/operator/audit'
export const auditQuery = ['actor', 'action', 'subject', 'from', 'to'] as const

const pageSize = 50

/** Where the subjects of actions are looked at, by how the name of an action begins. */
const pagesOf: Readonly<Record<string, (subject: string) => string>> = {
  agent: agentPath,
  credits: agentPath,
  customer: customerPath,
  dispute: disputePath,
  editorial: agentPath,
  feedback: (id) => `${feedbackPath}/${id}`,
  moderation: moderationCasePath,
  staff: agentPath,
}

/** To what was done about something. */
export const auditLink = (words: Words, subject: string): HtmlPart =>
  html`<p><a href="${addressOf({ path: auditPath, filter: { subject } }, 1)}">${words('console.case.audit')}</a></p>`

export const auditLog = consolePage({
  path: auditPath,
  summary: 'The audit log, newest first',
  section: 'audit',
  query: [...auditQuery, 'before'],
  async view(scene) {
    const { service, query, words } = scene
    const { before } = query
    if (before !== undefined && !uuidPattern.test(before)) return undefined
    const { filter, problems } = auditFilter(scene)
    const isAsked = Object.keys(problems).length === 0
    const [actions, found] = await service.sql.snapshot((tx) =>
      Promise.all([
        actionsSeen(tx),
        isAsked ? entries(tx, { ...filter, before: before?.toLowerCase(), limit: pageSize }) : undefined,
      ]),
    )
    const typed = Object.fromEntries(auditQuery.map((name) => [name, query[name] ?? '']))
    const at = (folder: string): string => addressOf({ path: folder, filter: typed }, 1)
    const older =
      found?.next_before && addressOf({ path: auditPath, filter: { ...typed, before: found.next_before } }, 1)
    return {
      title: words.text('console.nav.audit'),
      width: 'page',
      ...(older && { next: older }),
      body: html`<div class="page-head"><h1>${words('console.nav.audit')}</h1>
<p class="lead">${words('console.audit.lead')}</p></div>
${sieve(scene, { actions, typed, problems })}
${
  found &&
  (found.entries.length === 0
    ? empty(scene, 'console.audit.none', 'console.audit.none.text')
    : html`${table(scene, found.entries)}
${neighbours(words.text('list.pages'), {
  before: before !== undefined && { href: at(auditPath), name: words('list.newest') },
  after: older ? { href: older, name: words('list.older') } : false,
})}
<p class="fine">${words('console.audit.export', {
        csv: (text) => html`<a href="${at(`${auditPath}.csv`)}" download>${text}</a>`,
        lines: (text) => html`<a href="${at(`${auditPath}.jsonl`)}" download>${text}</a>`,
      })}</p>`)
}`,
    }
  },
})

/** What the query asks for, and what is wrong with it in words. */
export function auditFilter({ query, words }: Pick<ConsoleScene, 'query' | 'words'>): {
  filter: Filter
  problems: Record<string, string>
} {
  const problems: Record<string, string> = {}
  const text = (name: 'actor' | 'action' | 'subject'): string | undefined => {
    const given = canonicalText(query[name] ?? '', 'line')
    if ('problem' in given || given.value.length > longest) problems[name] = words.text('console.audit.text.problem')
    return 'problem' in given || given.value === '' ? undefined : given.value
  }
  const day = (name: 'from' | 'to'): Date | undefined => {
    const given = query[name] ?? ''
    if (given === '') return undefined
    const found = dayOf(given)
    if (!found) problems[name] = words.text('console.audit.day.problem')
    return found
  }
  const to = day('to')
  return {
    filter: {
      actor: text('actor'),
      action: text('action'),
      subject: text('subject'),
      from: day('from'),
      until: to && after(to, days(1)),
    },
    problems,
  }
}

const longest = 300

/** The beginning of a day in UTC, of one that the calendar has. */
function dayOf(text: string): Date | undefined {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return undefined
  const day = new Date(`${text}T00:00:00Z`)
  return Number.isFinite(day.getTime()) && day.toISOString().startsWith(text) && day.getTime() >= 0 ? day : undefined
}

interface Typed {
  actions: readonly string[]
  typed: Readonly<Record<string, string>>
  problems: Readonly<Record<string, string>>
}

const sieve = (scene: ConsoleScene, { actions, typed, problems }: Typed): HtmlPart => {
  const { action = '' } = typed
  const known = action === '' || actions.includes(action) ? actions : [...actions, action]
  return filterForm(scene, {
    path: auditPath,
    values: typed,
    problems,
    sieves: [
      { name: 'actor', label: 'console.audit.actor', type: 'text', maxLength: longest },
      {
        name: 'action',
        label: 'console.audit.action',
        options: [
          { value: '', name: scene.words('console.lists.any') },
          ...known.map((value) => ({ value, name: actionName(scene.words, value) })),
        ],
      },
      { name: 'subject', label: 'console.audit.subject', type: 'text', maxLength: longest },
      { name: 'from', label: 'console.audit.from', type: 'date' },
      { name: 'to', label: 'console.audit.to', type: 'date' },
    ],
  })
}

const table = (scene: ConsoleScene, found: readonly Entry[]): HtmlPart =>
  dataTable(scene, {
    caption: 'console.audit.caption',
    columns: [
      'console.audit.when',
      'console.audit.actor',
      'console.audit.action',
      'console.reason',
      'console.audit.details',
    ],
    rows: found.map(({ created_at: at, actor, action, subject, reason, details }) => [
      scene.words.moment(at),
      html`<a href="${addressOf({ path: auditPath, filter: { actor } }, 1)}"><bdi>${actor}</bdi></a>`,
      html`${actionName(scene.words, action)}<br><a href="${addressOf({ path: auditPath, filter: { subject } }, 1)}"><bdi>${subject}</bdi></a>${placeOf(scene.words, action, subject)}`,
      reason === null ? '' : paragraphs(reason),
      detailsIn(scene.words, { action, details }),
    ]),
  })

/** To the page of what an entry is about. */
function placeOf(words: Words, action: string, subject: string): HtmlPart {
  const kind = action.slice(0, action.indexOf('.'))
  const isName = isHandle(subject) || isCanonicalId(subject)
  const path = isName && Object.hasOwn(pagesOf, kind) && pagesOf[kind]?.(subject)
  return path && html`<br><a href="${path}">${words('console.case.open')}${heard(subject)}</a>`
}
