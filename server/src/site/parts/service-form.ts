// The form of a service as a page shows it, and what was typed into it as the API takes it. An answer's entry is named by
// its place, and the form says which key is at which place: it may have changed since. docs/contract/site.md#services.
import { formats } from '../../inspect/formats.ts'
import { type Field, type Form, maxFields, type Parameters } from '../../modules/catalog/form.ts'
import { maxQuantity } from '../../modules/catalog/shapes.ts'
import { type HtmlPart, html } from '../html.ts'
import type { Scene } from '../view.ts'
import type { Words } from '../words.ts'
import { type Attempt, choices, entry } from './form.ts'
import type { FileCard } from './order-files.ts'

const answerName = (at: number): string => `answer_${at}`
/** Of an answer that has several values. */
const chosenName = (at: number): string => `chosen_${at}`
/** The keys of all questions in their order, with spaces between. */
export const keysField = 'keys'
const places = Array.from({ length: maxFields }, (_, at) => at)

export const answerFields: readonly string[] = places.map(answerName)
export const answerLists: readonly string[] = places.map(chosenName)

/** A form as it was sent. */
export interface GivenAnswers {
  values: Attempt['values']
  lists: Readonly<Record<string, readonly string[]>>
}

/** What was sent, each answer at the place that its key has in this form. */
export function aligned(form: Form, { values, lists }: GivenAnswers): GivenAnswers {
  const keys = (values[keysField] ?? '').split(' ')
  const isAnswer = (name: string): boolean => answerFields.includes(name)
  const others = Object.entries(values).filter(([name]) => !isAnswer(name))
  const placed = form.fields.map(({ key }, at) => ({ at, from: keys.indexOf(key) })).filter(({ from }) => from >= 0)
  const moved = placed.flatMap(({ at, from }) => {
    const value = values[answerName(from)]
    return value === undefined ? [] : [[answerName(at), value] as const]
  })
  const chosen = placed.map(({ at, from }) => [chosenName(at), lists[chosenName(from)] ?? []] as const)
  return {
    values: Object.fromEntries([...others, ...moved]),
    lists: { ...lists, ...Object.fromEntries(places.map((at) => [chosenName(at), []])), ...Object.fromEntries(chosen) },
  }
}

/** The answers that were typed; an empty one is left out, unless the form needs it, so that it is refused as such. */
export function parametersOf({ fields }: Form, { values, lists }: GivenAnswers): Parameters {
  const answers = fields.map((field, at) => {
    if (field.type === 'multi_choice') return [field, lists[chosenName(at)] ?? []] as const
    return [field, answerOf(field, values[answerName(at)] ?? '')] as const
  })
  const isGiven = (value: unknown): boolean => (Array.isArray(value) ? value.length > 0 : value !== '')
  return Object.fromEntries(
    answers.flatMap(([field, value]) => (isGiven(value) || field.required ? [[field.key, value]] : [])),
  )
}

function answerOf({ type }: Field, text: string): unknown {
  if (type === 'integer') return /^\s*[-+\u2212]?\d{1,15}\s*$/.test(text) ? Number(text.replace('\u2212', '-')) : text
  if (type === 'boolean') return text === 'true' ? true : text === 'false' ? false : text
  return text
}

/** The files that the answers name. */
export const filesOf = ({ fields }: Form, parameters: Parameters): string[] =>
  fields.flatMap(({ key, type }) => (type === 'attachment' && parameters[key] ? [parameters[key] as string] : []))

/** What is wrong with answers, in words, by the entry of each. */
export const answerProblems = (
  words: Words,
  { form: { fields }, sent: { values, lists } }: { form: Form; sent: GivenAnswers },
  problems: readonly { path: string }[],
): Record<string, string> =>
  Object.fromEntries(
    problems.flatMap(({ path }) => {
      const key = /^parameters\.(\w+)/.exec(path)?.[1]
      const at = fields.findIndex((field) => field.key === key)
      const field = fields[at]
      if (!field) return []
      const isMissing = (values[answerName(at)] ?? '').trim() === '' && !lists[chosenName(at)]?.length
      const told = isMissing ? 'service.answer.missing' : 'service.answer.problem'
      return [[answerName(at), words.text(told, { rule: ruleOf(words, field) })]]
    }),
  )

/** What an answer must be. */
function ruleOf(words: Words, field: Field): string {
  const bounded = (name: 'integer' | 'chosen', least: number | undefined, most: number | undefined): string => {
    if (name === 'chosen' && least !== undefined && least === most) {
      return words.text('service.rule.chosen.exactly', { count: least })
    }
    if (least !== undefined && most !== undefined) return words.text(`service.rule.${name}.between`, { least, most })
    if (least !== undefined) return words.text(`service.rule.${name}.least`, { least })
    return most === undefined ? words.text(`service.rule.${name}`) : words.text(`service.rule.${name}.most`, { most })
  }
  switch (field.type) {
    case 'short_text':
    case 'long_text': {
      const most = field.max_length ?? (field.type === 'short_text' ? 500 : 8000)
      const least = field.min_length ?? 0
      if (least > 1 && least === most) return words.text('service.rule.text.exactly', { count: most })
      return least > 1
        ? words.text('service.rule.text.between', { least, most })
        : words.text('service.rule.text', { most })
    }
    case 'integer':
      return bounded('integer', field.min, field.max)
    case 'boolean':
      return words.text('service.rule.boolean')
    case 'choice':
      return words.text('service.rule.choice')
    case 'multi_choice': {
      const least = Math.max(field.min_items ?? 0, field.required ? 1 : 0)
      return bounded('chosen', least > 0 ? least : undefined, field.max_items)
    }
    case 'attachment':
      return words.text('service.rule.attachment', { kinds: kindsOf(field) })
  }
}

const kindsOf = ({ media_types: types = [] }: Field): string =>
  Object.entries(formats)
    .filter(([, { mimeType }]) => (types as readonly string[]).includes(mimeType))
    .map(([name]) => name.toUpperCase())
    .join(', ')

export interface Asking {
  form: Form
  attempt: Attempt
  lists: GivenAnswers['lists']
  /** The customer's own uploads; undefined for a reader who cannot have any. */
  cards?: readonly FileCard[] | undefined
}

/** Which question is at which place, as the form that answers them says. */
export const keysEntry = ({ fields }: Form): HtmlPart =>
  html`<input type="hidden" name="${keysField}" value="${fields.map(({ key }) => key).join(' ')}">`

/** The questions of a service, each as an entry. */
export const questions = (scene: Scene, asking: Asking): HtmlPart =>
  asking.form.fields.map((field, at) => {
    const { words } = scene
    const { attempt, lists, cards = [] } = asking
    const label = html`<bdi>${field.label}</bdi>${!field.required && html` <span class="optional">${words('service.optional')}</span>`}`
    const hint = html`${field.description && html`<span dir="auto">${field.description}</span><br>`}${ruleOf(words, field)}`
    const name = answerName(at)
    const none = { value: '', name: words('form.choose') }
    const chosen = (options: readonly { value: string; name: HtmlPart }[]): HtmlPart =>
      choices(attempt, { name, label, hint, options: [none, ...options], isRequired: field.required })
    switch (field.type) {
      case 'boolean':
        return chosen([
          { value: 'true', name: words('form.yes') },
          { value: 'false', name: words('form.no') },
        ])
      case 'choice':
        return chosen((field.options ?? []).map((value) => ({ value, name: value })))
      case 'multi_choice':
        return boxes(attempt, { field, at, label, hint, ticked: lists[chosenName(at)] ?? [] })
      case 'attachment':
        return chosen(
          fitting(field, cards).map((card) => ({
            value: card.id,
            name: card.original_name ?? card.file_format.toUpperCase(),
          })),
        )
      default: {
        const isNumber = field.type === 'integer'
        const rows = field.type === 'long_text' ? { rows: 5 } : {}
        const keys = isNumber ? { inputMode: 'numeric' as const } : {}
        return entry(attempt, { name, label, hint, isRequired: field.required, autocomplete: 'off', ...rows, ...keys })
      }
    }
  })

const fitting = ({ media_types: types = [] }: Field, cards: readonly FileCard[]): FileCard[] =>
  cards.filter(
    (card) => card.status === 'ready' && (types as readonly string[]).includes(formats[card.file_format].mimeType),
  )

/** The first question that takes a file of this kind and has none yet. */
export function placeFor(
  { fields }: Form,
  values: Attempt['values'],
  card: Pick<FileCard, 'file_format'>,
): string | undefined {
  const { mimeType } = formats[card.file_format]
  const at = fields.findIndex(
    ({ type, media_types: types = [] }, index) =>
      type === 'attachment' && !values[answerName(index)] && (types as readonly string[]).includes(mimeType),
  )
  return at < 0 ? undefined : answerName(at)
}

interface Boxes {
  field: Field
  at: number
  label: HtmlPart
  hint: HtmlPart
  ticked: readonly string[]
}

function boxes({ problems }: Attempt, { field, at, label, hint, ticked }: Boxes): HtmlPart {
  const name = answerName(at)
  const problem = problems[name]
  return html`<fieldset class="entry" aria-describedby="${name}-hint${problem && ` ${name}-problem`}"><legend>${label}</legend>
<p class="fine" id="${name}-hint">${hint}</p>
${(field.options ?? []).map((option, index) => html`<div class="agreement"><input id="${name}-${index}" name="${chosenName(at)}" type="checkbox" value="${option}"${ticked.includes(option) && html` checked`}${problem && index === 0 && html` aria-invalid="true" aria-describedby="${name}-problem"`}><label for="${name}-${index}"><bdi>${option}</bdi></label></div>`)}
${problem && html`<p class="field-problem" id="${name}-problem">${problem}</p>`}</fieldset>`
}

/** How much is wanted; what has no name is ordered as a whole, once or more often. */
export const quantityEntry = ({ words }: Scene, attempt: Attempt, unit: string): HtmlPart =>
  entry(attempt, {
    name: 'quantity',
    label: unit === '' ? words('service.quantity') : words('service.quantity.of', { unit: html`<bdi>${unit}</bdi>` }),
    hint: words('service.quantity.hint', { most: maxQuantity }),
    isRequired: true,
    inputMode: 'numeric',
    autocomplete: 'off',
  })
