// What the pages of the console are put together from.
import { html, type Part } from '../site/html.ts'
import { type Attempt, entry, hiddenFields, problemNote, untried } from '../site/parts/form.ts'
import type { Key } from '../site/words.ts'
import type { ConsoleScene } from './page.ts'

/** What was sent of one of the forms of a page; each has ids of its own. */
export const attemptAt = ({ attempt }: ConsoleScene, form: string, action: string): Attempt => ({
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
  /** Takes something away from somebody. */
  isSevere?: boolean
  /** Entries beside the reason. */
  entries?: (attempt: Attempt) => Part
  /** What is sent along unseen. */
  hidden?: Readonly<Record<string, string>>
}

/** A form of an action, with the reason that each needs. */
export function actionForm(
  scene: ConsoleScene,
  { action, form = action, button, isSevere, entries, hidden = {} }: ActionForm,
): Part {
  const { words } = scene
  const attempt = attemptAt(scene, form, action)
  return html`<form class="act" method="post">${hiddenFields(scene, attempt)}<input type="hidden" name="action" value="${action}">${form !== action && html`<input type="hidden" name="form" value="${form}">`}${Object.entries(hidden).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
${problemNote(attempt)}
${entries?.(attempt)}
${entry(attempt, { name: 'reason', label: words('console.reason'), rows: 2, isRequired: true, maxLength: 2000 })}
<button class="button${isSevere && ' severe'}" type="submit">${words(button)}</button></form>`
}

/** That what was asked for is done. */
export const doneNote = ({ words, done }: ConsoleScene): Part =>
  done !== undefined && html`<p class="callout done" role="status">${words('console.done')}</p>`

/** Why something was refused of which there is no form any more: somebody else was faster. `forms` are those that the page has. */
export const strayNote = ({ attempt }: ConsoleScene, forms: readonly string[]): Part => {
  const { action, form = action } = attempt.values
  return form === undefined || forms.includes(form) ? undefined : problemNote(attempt)
}
