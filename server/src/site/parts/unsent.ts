// A form that was not taken because its session had ended or the service could not answer: what was typed stays on the page, and
// can be sent again. docs/contract/site.md#forms.
import type { Unsent } from '../../http/page.ts'
import { mayHaveFocus } from '../focus.ts'
import type { Frame } from '../frame.ts'
import { type HtmlPart, html } from '../html.ts'
import type { Header, View } from '../layout.ts'
import type { Key, Words } from '../words.ts'
import { paragraphs } from '../written.ts'

/** What pages fill in by themselves, and what a sign-in asks: a form with nothing else is soon filled in again. */
export const filledIn: ReadonlySet<string> = new Set([
  'action',
  'answer',
  'challenge_id',
  'code',
  'confirmed',
  'confirmed_total_minor',
  'contractor',
  'csrf_token',
  'decision',
  'documents_confirmed',
  'email',
  'everywhere',
  'expected_version',
  'file',
  'filter',
  'form',
  'id',
  'keys',
  'kind',
  'mail_id',
  'operation_id',
  'option_id',
  'quote_operation_id',
  'review_id',
  'role',
  'service_id',
  'service_quote_id',
  'session',
  'to',
  'upload_id',
  'verdict',
  'version',
])

const typedIn = ({ fields }: Unsent): string[] =>
  Object.entries(fields).flatMap(([name, value]) => (filledIn.has(name) || value.trim() === '' ? [] : [value]))

/** Whether somebody would have to type something again. */
export const isTyped = (unsent: Unsent): boolean => typedIn(unsent).length > 0

/** Words and sentences; a number, a code or a choice goes along unseen. */
const isText = (value: string): boolean => /\s|[^\x21-\x7e]/.test(value.trim())

interface Told {
  title: Key
  text: Key
  /** What the text is filled with. */
  values?: Readonly<Record<string, HtmlPart>>
  /** What the button says that sends it. */
  send: Key
  status: number
  retryAfter?: number | undefined
  /** What to do before it is sent again. */
  first?: HtmlPart
  header?: Header | undefined
}

/** A page that says why, with what was typed and the button that sends it. */
export function unsentView({ words, frame }: { words: Words; frame: Frame }, told: Told, unsent: Unsent): View {
  const { title, text, values, send, status, retryAfter, first, header } = told
  const { sentTo, from, fields, lists } = unsent
  const shown = typedIn(unsent).filter(isText)
  const token = frame.formToken ?? fields['csrf_token']
  const sent = [
    ...Object.entries({ ...fields, csrf_token: token, came_from: from }),
    ...Object.entries(lists).flatMap(([name, values]) => values.map((value) => [name, value] as const)),
  ]
  return {
    title: words.text(title),
    status,
    ...(retryAfter !== undefined && { retryAfter }),
    ...(header && { header }),
    isUnlisted: true,
    body: html`<section class="notice"><p class="status" aria-hidden="true">${status}</p>
<h1${mayHaveFocus('problem')}>${words(title)}</h1>
<p>${words(text, values)}</p>
<form method="post" action="${sentTo}">${sent.map(([name, value]) => value !== undefined && html`<input type="hidden" name="${name}" value="${value}">`)}
<p class="actions">${first}<button class="button${first && ' quiet'}" type="submit">${words(send)}</button></p></form></section>
${typedNote(words, shown)}`,
  }
}

/** What somebody typed in vain, to copy. */
export const typedNote = (words: Words, texts: readonly string[]): HtmlPart =>
  texts.length > 0 &&
  html`<section aria-labelledby="typed"><div class="section-head"><h2 id="typed">${words('unsent.typed')}</h2></div>${texts.map((each) => html`<blockquote>${paragraphs(each.replaceAll('\r\n', '\n'))}</blockquote>`)}</section>`
