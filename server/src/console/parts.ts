// What the pages of the console are put together from.
import { type HtmlPart, html } from '../site/html.ts'
import { type Attempt, entry, hiddenFields, problemNote, untried } from '../site/parts/form.ts'
import { typedNote } from '../site/parts/unsent.ts'
import type { Key } from '../site/words.ts'
import type { ConsoleScene } from './page.ts'

/** What was sent of one of the forms of a page; each has ids of its own. */
const attemptAt = ({ attempt }: ConsoleScene, form: string, action: string): Attempt => ({
  ...(attempt.values['action'] === action && (attempt.values['form'] ?? form) === form ? attempt : untried()),
  form,
})

interface ActionForm {
  /** Of the page's actions. */
  action: string
  /** Where a page has it several times: which one this is; it is sent along as `form`. */
  form?: string
  /** What is done, in words: on the button. */
  button: Key
  /** What the form is called, if its button says too little. */
  label?: Key
  /** Takes something away from somebody. */
  isSevere?: boolean
  /** It needs no reason: its button is all of it. */
  isPlain?: boolean
  /** What it is about, where a page has several: seen beside the button, and said to those who only hear it. */
  subject?: HtmlPart
  /** Entries beside the reason. */
  entries?: (attempt: Attempt) => HtmlPart
  /** What is sent along unseen. */
  hidden?: Readonly<Record<string, string>>
}

/** What a button is about, for those who only hear it. */
export const heard = (subject: HtmlPart): HtmlPart => subject && html`<span class="heard"> ${subject}</span>`

/** In a narrow window what can be done comes after everything else on a page: the way there. */
export const toForms = ({ words }: Pick<ConsoleScene, 'words'>, id: string, name: Key): HtmlPart =>
  html`<p class="to-forms"><a href="#${id}">${words(name)}</a></p>`

/** A form of an action, with its reason. */
export function actionForm(
  scene: ConsoleScene,
  { action, form = action, button, label = button, isSevere, isPlain, subject, entries, hidden = {} }: ActionForm,
): HtmlPart {
  const { words } = scene
  const attempt = attemptAt(scene, form, action)
  // Several reasons are on one page: the name of its form tells each from the others. With a subject that is its button's.
  const isByButton = !isPlain && subject !== undefined
  const name = isByButton ? html` aria-labelledby="${form}-send"` : html` aria-label="${words.text(label)}"`
  return html`<form class="act-form" method="post"${!isPlain && name}>${hiddenFields(scene, attempt)}<input type="hidden" name="action" value="${action}">${form !== action && html`<input type="hidden" name="form" value="${form}">`}${Object.entries(hidden).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
${problemNote(attempt)}
${entries?.(attempt)}
${!isPlain && entry(attempt, { name: 'reason', label: words('console.reason'), rows: 2, isRequired: true, maxLength: 2000 })}
<button class="button${isSevere && ' severe'}" type="submit"${isByButton && html` id="${form}-send"`}>${words(button)}${heard(subject)}</button></form>`
}

/**
 * That what was asked for is done; or what is wrong with a form that the page no longer has, for what it was about has changed
 * meanwhile, and the reason typed into it. `forms` are those that it has.
 */
export function outcomeNote({ words, done, attempt }: ConsoleScene, forms: readonly string[]): HtmlPart {
  const { action, form = action, reason = '' } = attempt.values
  return [
    done !== undefined && html`<p class="callout done" role="status">${words('console.done')}</p>`,
    form !== undefined &&
      !forms.includes(form) && [problemNote(attempt), typedNote(words, reason === '' ? [] : [reason])],
  ]
}

/** A form behind a line that names it: what it does is told before it can be sent. It is open where it was just refused. */
export function act(scene: ConsoleScene, { id, name, about, ...given }: Act): HtmlPart {
  const { action, form = action } = given
  const isOpen = attemptAt(scene, form, action).problem !== undefined
  return html`<details class="panel act-panel"${id && html` id="${id}"`}${isOpen && html` open`}><summary>${scene.words(name)}${heard(given.subject)}</summary>
<p>${about}</p>
${actionForm(scene, { label: name, ...given })}</details>`
}

export interface Act extends ActionForm {
  /** Where a link of the page leads. */
  id?: string
  name: Key
  /** What it does. */
  about: HtmlPart
}

export type Fact = readonly [name: Key, value: HtmlPart]

/** What is known of one thing, each with its name. */
export const facts = ({ words }: Pick<ConsoleScene, 'words'>, rows: readonly (Fact | false | null)[]): HtmlPart =>
  html`<dl class="facts">${rows.map(
    (row) =>
      row &&
      html`<dt>${words(row[0])}</dt><dd>${row[1]}</dd>
`,
  )}</dl>`

/** The choices of a list, each a list of its own. */
export const filterLinks = (
  { words }: Pick<ConsoleScene, 'words'>,
  label: Key,
  links: readonly { href: string; name: Key; isHere: boolean }[],
): HtmlPart =>
  html`<nav class="filters" aria-label="${words.text(label)}">${links.map(
    ({ href, name, isHere }) => html`<a href="${href}"${isHere && html` aria-current="true"`}>${words(name)}</a>`,
  )}</nav>`
