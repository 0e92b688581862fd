// The operator's answers for a person to read.

import { age, credits, until } from '../kernel/words.ts'
import { nameOf } from '../modules/parties/names.ts'
import type { Entry } from '../store/audit.ts'
import type { Decided, Disputes } from './disputes.ts'
import type { Answered, WaitingFeedback } from './feedback.ts'
import type { MailMoved, WaitingMails } from './mails.ts'
import type { CaseDecided, WaitingModerationCase, WaitingModerationCases } from './moderation.ts'
import type { Done, Granted, RolesOf } from './operator.ts'
import type { ReadyJudged, WaitingReady } from './ready.ts'
import type { Judged, WaitingTexts } from './reviews.ts'
import type { Storage } from './storage.ts'

export const done = ({ agent, audit }: Done): string =>
  `${agent.handle} is ${agent.state === 'suspended' ? 'suspended' : 'active again'}: ${oneLine(audit.reason ?? '')}`

export const roles = ({ agent, staff: { roles } }: RolesOf): string =>
  roles.length === 0
    ? `${agent.handle} no longer has a role`
    : `${agent.handle} has the ${roles.length === 1 ? 'role' : 'roles'} ${roles.join(' and ')}`

export const staff = (found: { handle: string; roles: string[] }[]): string =>
  found.length === 0
    ? 'Nobody has a role: disputes, feedback, reports and texts are yours to decide.'
    : table(
        ['Who', 'Roles'],
        found.map(({ handle, roles }) => [handle, roles.join(', ')]),
      ).join('\n')

export const granted = ({ agent, wallet, audit }: Granted): string =>
  `${agent.handle} was granted ${credits(Number(audit.details?.['amount_minor']))} credits and has ${credits(wallet.available_minor)} available`

/** An overdue case has a mark before it. */
export function disputes({ disputes, total }: Disputes, now: Date): string {
  if (total === 0) return 'No disputes waiting.'
  const rows = disputes.map(({ overdue, dispute_case: each, order }) => [
    overdue ? '!' : '',
    order.id,
    each.status,
    each.escalated_at === null ? `due ${until(each.response_due_at, now)}` : `for ${age(each.escalated_at, now)}`,
    nameOf(order.customer),
    nameOf(order.contractor),
    credits(order.total_minor),
    oneLine(`${order.title}: ${each.reason}`),
  ])
  const late = disputes.filter(({ overdue }) => overdue).length
  return [
    ...table(['', 'Order', 'Status', 'Waits', 'Customer', 'Contractor', 'Credits', 'What'], rows),
    ...(late > 0 ? ['', `! ${late} waiting for more than a day.`] : []),
    ...shownOf(disputes.length, total),
  ].join('\n')
}

export const decided = ({ dispute_case: each }: Decided): string =>
  each.decision === 'refund'
    ? `The full price of order ${each.order_id} was returned to its customer`
    : `Order ${each.order_id} resumes where it was disputed`

/** An appeal has its words instead of what was reported. */
export function reports({ cases, pending, appeals }: WaitingModerationCases, now: Date): string {
  if (cases.length === 0) return 'No cases waiting.'
  const rows = cases.map(({ id, subject, measure, owner, status, waits_since, ...found }) => [
    id,
    measure === 'suspension' ? 'suspension' : subject.kind,
    status === 'pending' ? status : `${status}, appealed`,
    age(waits_since, now),
    nameOf(owner),
    String(found.reports_count),
    wordsOf(found),
  ])
  return [
    ...table(['Case', 'About', 'Status', 'Waits', 'Owner', 'Reports', 'What'], rows),
    ...shownOf(cases.length, pending + appeals),
  ].join('\n')
}

type Words = Pick<WaitingModerationCase, 'appeal' | 'waiting_text' | 'reports' | 'excerpt'>

const wordsOf = ({ appeal, waiting_text, reports, excerpt }: Words): string =>
  [
    ...(appeal ? [`appeal: ${appeal.text}`] : reports.map(({ reason_code: code, text }) => `${code}: ${text}`)),
    ...(waiting_text === null ? [] : [`waits: ${waiting_text}`]),
    ...(excerpt && waiting_text === null ? [`it says: ${excerpt.title} ${excerpt.text}`] : []),
  ]
    .map((each) => shorten(oneLine(each)))
    .join(' | ')

const shorten = (text: string): string => {
  const points = [...text]
  return points.length <= 300 ? text : `${points.slice(0, 300).join('')}…`
}

export const caseDecided = ({ case: { id, subject, status } }: CaseDecided): string =>
  `The ${subject.kind} ${subject.id} of the case ${id} is ${status}`

export function reviews({ reviews, total }: WaitingTexts): string {
  if (total === 0) return 'No texts waiting.'
  const rows = reviews.map(({ id, created_at, rating, text, ...who }) => [
    id,
    created_at.toISOString(),
    nameOf({ handle: who.author_handle, display_name: who.author_name }),
    nameOf({ handle: who.subject_handle, display_name: who.subject_name }),
    String(rating),
    oneLine(text),
  ])
  return [...table(['Review', 'When', 'By', 'About', 'Rating', 'Text'], rows), ...shownOf(reviews.length, total)].join(
    '\n',
  )
}

export const judged = ({ review: { id, text_status: status } }: Judged): string =>
  `The text of the review ${id} is ${status}`

export function ready({ ready: works, total }: WaitingReady): string {
  if (total === 0) return 'No works waiting.'
  const rows = works.map(({ service_id: id, waits_since: since, title, result_text: text, ...work }) => [
    id,
    since.toISOString(),
    work.provider_handle,
    work.customer_handle,
    credits(work.amount_minor),
    String(work.files),
    oneLine(text === '' ? title : `${title}: ${text}`),
  ])
  const head = ['Service', 'Since', 'Provider', 'First customer', 'Credits', 'Files', 'What']
  return [...table(head, rows), ...shownOf(works.length, total)].join('\n')
}

export const readyJudged = ({ service: { id, moderation, state } }: ReadyJudged): string =>
  `The work ${id} is ${moderation} and ${state}`

export function feedback({ feedback: records, total }: WaitingFeedback, now: Date): string {
  if (total === 0) return 'No feedback waiting.'
  const rows = records.map((each) => [
    each.id,
    age(each.created_at, now),
    each.category,
    each.status,
    each.author.handle,
    String(each.votes_count),
    oneLine(`${each.title}: ${each.body}`),
  ])
  const head = ['Feedback', 'Age', 'Category', 'Status', 'By', 'Votes', 'What']
  return [...table(head, rows), ...shownOf(records.length, total)].join('\n')
}

export const answered = ({ feedback: { id, category, status } }: Answered): string =>
  `The ${category} ${id} is ${status.replace('_', ' ')}`

/** To whom a mail goes is not shown further than its domain. */
export function mails({ mails: found, total }: WaitingMails, now: Date): string {
  if (total === 0) return 'No emails waiting.'
  const rows = found.map((each) => [
    each.id,
    each.kind,
    age(each.created_at, now),
    String(each.attempts),
    until(each.next_attempt_at, now),
    oneLine(each.last_failure ?? ''),
    oneLine(each.recipient),
  ])
  const head = ['Email', 'Kind', 'Age', 'Attempts', 'Next', 'Last failure', 'To']
  return [...table(head, rows), ...shownOf(found.length, total)].join('\n')
}

export const mailMoved = ({ mail: { id }, audit }: MailMoved): string =>
  audit.action === 'mail.retry' ? `Email ${id} will be tried again now` : `Email ${id} was dropped`

export function storage({ bytes, files, upload_records: records, states, purges, keepers }: Storage): string {
  const rows = keepers.map((each) => [
    oneLine(nameOf(each)),
    String(each.bytes),
    String(each.files),
    String(each.upload_records),
  ])
  return [
    `Bytes    ${bytes.used} of ${bytes.limit}`,
    `Files    ${files.used} of ${files.limit}; ${records} uploads ever`,
    ...states.map(({ status, ...kept }) => `  ${status}: ${kept.files} files, ${kept.bytes} bytes`),
    `Purges   ${purges.due} due, ${purges.purging} under way`,
    ...(rows.length === 0 ? [] : ['', ...table(['Largest users', 'Bytes', 'Files', 'Uploads'], rows)]),
  ].join('\n')
}

const shownOf = (shown: number, total: number): string[] => (total > shown ? ['', `Showing ${shown} of ${total}.`] : [])

export function audit({ entries, next_before }: { entries: Entry[]; next_before: string | null }): string {
  if (entries.length === 0) return 'The audit log has no entries.'
  const rows = entries.map(({ created_at, actor, action, subject, reason, details }) => [
    created_at.toISOString(),
    actor,
    action,
    [subject, ...Object.entries(details ?? {}).map(([name, value]) => `${name}=${value}`)].join(' '),
    oneLine(reason ?? ''),
  ])
  const more = next_before === null ? [] : ['', `More: npm run operator -- audit --before ${next_before}`]
  return [...table(['When', 'Who', 'What', 'Subject', 'Why'], rows), ...more].join('\n')
}

/** What turns a line, moves a cursor or shows nothing, but for the joiners that scripts need. */
const harmful = /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]/gu

/** Words of others in a row of a table: white space is one space, what would do something to the terminal shows by its number. */
export const oneLine = (text: string): string =>
  text.replace(/\s+/g, ' ').replace(harmful, (character) => `\\u{${(character.codePointAt(0) as number).toString(16)}}`)

/** Columns as wide as their widest cell, but for the last. */
export function table(head: string[], rows: string[][]): string[] {
  const widths = head.map((title, at) => Math.max(title.length, ...rows.map((row) => (row[at] as string).length)))
  return [head, ...rows].map((row) =>
    row.map((cell, at) => (at === row.length - 1 ? cell : cell.padEnd(widths[at] as number))).join('  '),
  )
}
