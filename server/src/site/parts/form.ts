// Forms: labelled entries, what was typed kept, and each refusal in words, beside the entry that it is about.
// docs/contract/site.md#forms.
import { randomUUID } from 'node:crypto'
import { invalid, type Problem, Refusal } from '../../kernel/refuse.ts'
import { mayHaveFocus } from '../focus.ts'
import { type HtmlPart, html } from '../html.ts'
import type { View } from '../layout.ts'
import type { Scene } from '../view.ts'
import { english, type Key, type Words } from '../words.ts'
import { tokenField } from './visitor.ts'

/** What was typed, and what is wrong with it. */
export interface Attempt {
  values: Readonly<Record<string, string>>
  /** In words, by the name of the entry. */
  problems: Readonly<Record<string, string>>
  /** Of the whole form. */
  problem?: string
  status?: number
  /** When it may be tried again, in seconds. */
  retryAfter?: number
  /** Where a page has several forms: what the ids of this one begin with. */
  form?: string
}

const idOf = ({ form }: Attempt, name: string): string => (form === undefined ? name : `${form}-${name}`)

/** Nothing was sent yet; what its entries begin with. */
export const untried = (values: Attempt['values'] = {}): Attempt => ({ values, problems: {} })

/**
 * Why a form was not taken, in the reader's words; anything that is no refusal, or none that a form can be mended by, is thrown on.
 * `problems` says of each entry what it must be, by its name in the refusal's details.
 */
export function attemptOf(
  { words }: Pick<Scene, 'words'>,
  error: unknown,
  { values, problems }: { values: Attempt['values']; problems: Readonly<Record<string, Key>> },
): Attempt {
  if (!(error instanceof Refusal) || error.status >= 500 || error.status === 401) throw error
  const fields = (error.extras.details?.['fields'] ?? []) as readonly { path: string }[]
  const named = fields.flatMap(({ path }) => {
    const name = path.split(/[./[]/, 1)[0] as string
    const key = problems[name]
    return key ? [[name, words.text(key)] as const] : []
  })
  const isNamed = fields.length > 0 && named.length === fields.length
  return {
    values,
    problems: Object.fromEntries(named),
    problem: isNamed ? words.text('form.refused') : refusalText(words, error),
    status: error.status,
    ...(error.extras.retryAfter !== undefined && { retryAfter: error.extras.retryAfter }),
  }
}

/** Refuses `invalid_input` for everything that any of these checks refuses so, at once. */
export function together(...checks: readonly (() => unknown)[]): void {
  const problems = checks.flatMap((check) => {
    try {
      check()
      return []
    } catch (error) {
      const fields =
        error instanceof Refusal && error.code === 'invalid_input' ? error.extras.details?.['fields'] : undefined
      if (!fields) throw error
      return fields as readonly Problem[]
    }
  })
  if (problems.length > 0) invalid(...problems)
}

/** What a refusal says to a person. */
function refusalText(words: Words, { code, extras: { retryAfter } }: Refusal): string {
  const minutes = Math.max(1, Math.ceil((retryAfter ?? 60) / 60))
  const keys = [...(minutes > 120 ? [`form.refused.${code}.hours`] : []), `form.refused.${code}`, 'form.refused.other']
  const key = keys.find((each) => Object.hasOwn(english, each)) as Key
  return words.text(key, { minutes, hours: Math.ceil(minutes / 60) })
}

/** Of the view that shows a form again. */
export const statusOf = ({ status, retryAfter }: Attempt): Pick<View, 'status' | 'retryAfter'> => ({
  ...(status !== undefined && { status }),
  ...(retryAfter !== undefined && { retryAfter }),
})

/** What every form of a session carries: its token, and the id under which it is done once. */
export const hiddenFields = (scene: Pick<Scene, 'frame'>, attempt: Attempt = untried()): HtmlPart =>
  html`${tokenField(scene)}<input type="hidden" name="operation_id" value="${attempt.values['operation_id'] ?? randomUUID()}">`

/** What is wrong with the whole form, before its first entry. */
export const problemNote = ({ problem }: Attempt): HtmlPart =>
  problem !== undefined && html`<p class="form-problem" role="alert"${mayHaveFocus('problem')}>${problem}</p>`

export interface Entry {
  name: string
  label: HtmlPart
  hint?: HtmlPart
  type?: 'text' | 'email' | 'number' | 'date' | 'datetime-local' | 'search'
  /** More than one line, this many of them at first. */
  rows?: number
  isRequired?: boolean
  maxLength?: number
  /** Attributes of a number. */
  min?: string
  step?: string
  inputMode?: 'numeric' | 'decimal' | 'email'
  autocomplete?: string
  isFirst?: boolean
}

export function entry(attempt: Attempt, given: Entry): HtmlPart {
  const { name, label, hint, type = 'text', rows, isRequired = false, maxLength, min, step, inputMode } = given
  const problem = attempt.problems[name]
  const id = idOf(attempt, name)
  const told = [hint && `${id}-hint`, problem && `${id}-problem`].filter(Boolean).join(' ')
  const common = html`id="${id}" name="${name}"${isRequired && html` required`}${maxLength && html` maxlength="${maxLength}"`}${told && html` aria-describedby="${told}"`}${problem && html` aria-invalid="true"`}${given.autocomplete && html` autocomplete="${given.autocomplete}"`}${given.isFirst && mayHaveFocus('first')}`
  const value = attempt.values[name] ?? ''
  return html`<div class="entry"><label for="${id}">${label}</label>
${hint && html`<p class="fine" id="${id}-hint">${hint}</p>`}
${
  rows === undefined
    ? html`<input ${common} type="${type}" value="${value}"${(type === 'text' || type === 'search') && html` dir="auto"`}${min && html` min="${min}"`}${step && html` step="${step}"`}${inputMode && html` inputmode="${inputMode}"`}>`
    : html`<textarea ${common} rows="${rows}" dir="auto">
${value}</textarea>`
}
${problem && html`<p class="field-problem" id="${id}-problem">${problem}</p>`}</div>`
}

interface Choice extends Pick<Entry, 'name' | 'label' | 'hint' | 'isRequired'> {
  options: readonly { value: string; name: HtmlPart }[]
}

/** A choice among few. */
export function choices(attempt: Attempt, { name, label, hint, options, isRequired = false }: Choice): HtmlPart {
  const problem = attempt.problems[name]
  const id = idOf(attempt, name)
  const told = [hint && `${id}-hint`, problem && `${id}-problem`].filter(Boolean).join(' ')
  return html`<div class="entry"><label for="${id}">${label}</label>
${hint && html`<p class="fine" id="${id}-hint">${hint}</p>`}
<select id="${id}" name="${name}"${isRequired && html` required`}${told && html` aria-describedby="${told}"`}${problem && html` aria-invalid="true"`}>${options.map(
    ({ value, name: text }) =>
      html`<option value="${value}"${attempt.values[name] === value && html` selected`}>${text}</option>`,
  )}</select>
${problem && html`<p class="field-problem" id="${id}-problem">${problem}</p>`}</div>`
}

/** Something to agree to. */
export function agreement(attempt: Attempt, { name, label }: { name: string; label: HtmlPart }): HtmlPart {
  const problem = attempt.problems[name]
  const id = idOf(attempt, name)
  return html`<div class="entry agreement"><input id="${id}" name="${name}" type="checkbox" value="true"${attempt.values[name] === 'true' && html` checked`}${problem && html` aria-invalid="true" aria-describedby="${id}-problem"`}><label for="${id}">${label}</label>
${problem && html`<p class="field-problem" id="${id}-problem">${problem}</p>`}</div>`
}
