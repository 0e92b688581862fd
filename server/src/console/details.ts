// The details of an entry of the audit log, in words. What another version recorded shows as it is.
import { type HtmlPart, html } from '../site/html.ts'
import { english, type Key, type Words } from '../site/words.ts'
import type { Entry } from '../store/audit.ts'

/** How the words for a value begin, by its name, or where actions differ by the beginning of their names too. */
const values: ReadonlyMap<string, string> = new Map([
  ['by', 'console.audit.detail.by'],
  ['dispute.decision', 'console.dispute'],
  ['feedback.status', 'console.feedback.is'],
  ['mail.kind', 'console.queues.kind'],
  ['measure', 'console.moderation.kind'],
  ['moderation.kind', 'console.moderation.kind'],
  ['moderation.status', 'console.moderation.is'],
  ['reason_code', 'console.code'],
  ['role', 'console.agents.role'],
  ['sought', 'console.audit.detail.sought'],
])

export function detailsIn(words: Words, { action, details }: Pick<Entry, 'action' | 'details'>): HtmlPart {
  const topic = action.slice(0, action.indexOf('.'))
  const said = (key: string): string | undefined => (Object.hasOwn(english, key) ? words.text(key as Key) : undefined)
  const labelOf = (name: string): HtmlPart =>
    said(`console.audit.detail.${topic}.${name}`) ?? said(`console.audit.detail.${name}`) ?? html`<code>${name}</code>`
  const valueIn = (name: string, value: string | number): HtmlPart => {
    if (name === 'amount_minor') return words.credits(Number(value))
    if (typeof value === 'number') return words.number(value)
    if (name === 'status' && value === 'removed' && details?.['measure'] === 'suspension')
      return words('console.agents.suspended')
    const prefix = values.get(`${topic}.${name}`) ?? values.get(name)
    return said(`${prefix}.${value}`) ?? html`<bdi>${value}</bdi>`
  }
  return Object.entries(details ?? {}).map(
    ([name, value]) => html`<div>${labelOf(name)}: ${valueIn(name, value)}</div>`,
  )
}
