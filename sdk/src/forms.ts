// A service's form: parameters are checked here as the service checks them, before anything is sent, and a form can be
// filled in field by field. docs/contract/services.md.
import { type FieldProblem, KithFormError, KithInputError } from './errors.ts'

export type FieldType = 'short_text' | 'long_text' | 'integer' | 'boolean' | 'choice' | 'multi_choice' | 'attachment'

/** A field of a form. Label, description and options are words of the provider: data, never an instruction. */
export interface FormField {
  key: string
  type: FieldType
  label: string
  description?: string
  required?: boolean
  min_length?: number
  max_length?: number
  min?: number
  max?: number
  options?: readonly string[]
  min_items?: number
  max_items?: number
  media_types?: readonly string[]
}

export interface Form {
  version: 1
  fields: readonly FormField[]
}

/** What one field may hold; of an attachment the id of an own upload. */
export type FieldValue = string | number | boolean | readonly string[]
/** By the keys of the form. An optional field is left out, never null; false and 0 are values. */
export type Parameters = Readonly<Record<string, FieldValue>>

/** The longest text of each type, in characters. */
export const longest = { short_text: 500, long_text: 8000 } as const
/** The greatest integer either way. */
export const farthest = 10 ** 12

const mostOptions = 50

/**
 * What is wrong with the parameters, by path and in the service's words; empty if the service would take them. `files`
 * are the uploads that are sent along as `input_attachment_ids`, among which every file of a parameter has to be. Whether
 * a file is your own, ready and of a type that the form takes only the service knows.
 */
export function formProblems(form: Form, parameters: unknown, files: readonly string[] = []): FieldProblem[] {
  if (typeof parameters !== 'object' || parameters === null || Array.isArray(parameters))
    return [{ path: 'parameters', problem: 'must be an object' }]
  const given = parameters as Record<string, unknown>
  const known = new Set(form.fields.map(({ key }) => key))
  const unknown = Object.keys(given).filter((key) => !known.has(key))
  return [
    ...unknown.map((key) => ({ path: `parameters.${key}`, problem: 'unknown field' })),
    ...form.fields.flatMap((field) => {
      const problem = fieldProblem(field, Object.hasOwn(given, field.key) ? given[field.key] : undefined, files)
      return problem === undefined ? [] : [{ path: `parameters.${field.key}`, problem }]
    }),
  ]
}

/** Throws `KithFormError` with every problem. */
export function checkForm(form: Form, parameters: unknown, files: readonly string[] = []): void {
  const problems = formProblems(form, parameters, files)
  if (problems.length > 0) throw new KithFormError(problems)
}

/** The files that parameters name, which have to be sent along as `input_attachment_ids`. */
export const formFiles = (form: Form, parameters: Readonly<Record<string, unknown>>): string[] =>
  form.fields.flatMap(({ key, type }) => {
    const id = Object.hasOwn(parameters, key) ? parameters[key] : undefined
    return type === 'attachment' && typeof id === 'string' ? [id] : []
  })

/** What is wrong with one value; undefined if it will do. Left out it is undefined. */
export function fieldProblem(field: FormField, value: unknown, files?: readonly string[]): string | undefined {
  if (value === undefined) return field.required ? 'required' : undefined
  switch (field.type) {
    case 'short_text':
    case 'long_text':
      return textProblem(field, field.type, value)
    case 'integer':
      return integerProblem(field, value)
    case 'boolean':
      return typeof value === 'boolean' ? undefined : 'must be true or false'
    case 'choice':
      return isOption(field, value) ? undefined : 'must be one of the options'
    case 'multi_choice':
      return choicesProblem(field, value)
    case 'attachment':
      return attachmentProblem(value, files)
  }
}

/** As the service takes a text: without white space at its edges, CRLF as LF; one that it refuses stays what it is. */
function canonical(value: string): string {
  const text = value.replaceAll('\r\n', '\n')
  return controls.long_text.test(text) || loneSurrogate.test(text) ? value : text.trim()
}

const isOption = ({ options = [] }: FormField, value: unknown): value is string =>
  typeof value === 'string' && options.includes(canonical(value))

// As the service has them: what one line may not hold, what several lines may not, and what shows nothing by itself.
const controls = { short_text: /[\u0000-\u001f\u007f-\u009f]/, long_text: /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/ }
const loneSurrogate = /\p{Cs}/u
const breakers = /[\u2028\u2029]/
const turners = /[\u202a-\u202e\u2066-\u2069]/
const invisible =
  /[\p{White_Space}\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}\p{Cs}\p{M}\p{Noncharacter_Code_Point}\u2800\u{13441}\u{13442}\u{1d159}]/gu

function textProblem(field: FormField, type: keyof typeof longest, value: unknown): string | undefined {
  if (typeof value !== 'string') return 'must be a string'
  const text = canonical(value)
  if (controls[type].test(text)) return 'contains control characters'
  if (loneSurrogate.test(text)) return 'contains a lone surrogate'
  if (type === 'short_text' && breakers.test(text)) return 'contains a line or paragraph separator'
  if (type === 'short_text' && turners.test(text)) return 'contains a bidirectional embedding, override or isolate'
  const length = [...text].length
  const least = Math.max(field.min_length ?? 0, field.required ? 1 : 0)
  if (length < least) return `must have at least ${least} characters`
  if (field.required && text.replace(invisible, '') === '') return 'needs a visible character'
  const most = field.max_length ?? longest[type]
  return length > most ? `must have at most ${most} characters` : undefined
}

function integerProblem({ min = -farthest, max = farthest }: FormField, value: unknown): string | undefined {
  if (typeof value !== 'number' || !Number.isInteger(value)) return 'must be an integer'
  return value >= min && value <= max ? undefined : `must be from ${min} to ${max}`
}

function choicesProblem(field: FormField, value: unknown): string | undefined {
  if (!Array.isArray(value) || !value.every((each) => isOption(field, each))) return 'must be a list of options'
  if (new Set(value.map(canonical)).size < value.length) return 'must name each option once'
  const least = Math.max(field.min_items ?? 0, field.required ? 1 : 0)
  if (value.length < least) return `must have at least ${least}`
  const most = field.max_items ?? mostOptions
  return value.length > most ? `must have at most ${most}` : undefined
}

function attachmentProblem(value: unknown, files: readonly string[] | undefined): string | undefined {
  if (typeof value !== 'string' || !/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(value))
    return 'must be the ID of a file'
  const among = files === undefined || files.some((id) => id.toLowerCase() === value.toLowerCase())
  return among ? undefined : 'must be among input_attachment_ids'
}

/** One question of a form. */
export interface Question {
  field: FormField
  /** Why the last answer would not do. */
  problem?: string
}

/**
 * Fill a form in field by field: `ask` answers one field at a time, undefined leaves an optional one out, and what would
 * be refused is asked again with its problem. Fields of `given` are not asked for; throws `KithFormError` where these
 * would be refused. Files are answered by the id of an upload, and have to be sent along as `input_attachment_ids`.
 */
export async function fillForm(
  form: Form,
  ask: (question: Question) => FieldValue | undefined | Promise<FieldValue | undefined>,
  given: Parameters = {},
): Promise<Parameters> {
  const isGiven = ({ key }: FormField) => Object.hasOwn(given, key)
  const fields = form.fields.map((field) => (isGiven(field) ? field : { ...field, required: false }))
  checkForm({ version: 1, fields }, given, formFiles(form, given))
  const filled: Record<string, FieldValue> = {}
  for (const field of form.fields) {
    let value = isGiven(field) ? given[field.key] : await ask({ field })
    for (let problem = fieldProblem(field, value); problem !== undefined; problem = fieldProblem(field, value))
      value = await ask({ field, problem })
    if (value !== undefined) filled[field.key] = value
  }
  return filled
}

/**
 * What a field holds, of words as people write them: an integer in digits, a boolean as yes or no, true or false, a
 * choice by its option, several choices one by one. Throws `KithInputError` for anything else.
 */
export function readField(field: FormField, words: readonly string[]): FieldValue {
  if (field.type === 'multi_choice') return words
  const [word = ''] = words
  if (words.length > 1) throw new KithInputError(`${field.key} takes one value`)
  if (field.type === 'integer') {
    if (!/^[+-]?\d{1,15}$/.test(word.trim())) throw new KithInputError(`${field.key} must be a whole number`)
    return Number(word)
  }
  if (field.type === 'boolean') {
    const said = word.trim().toLowerCase()
    if (/^(y|yes|true)$/.test(said)) return true
    if (/^(n|no|false)$/.test(said)) return false
    throw new KithInputError(`${field.key} must be yes or no`)
  }
  return word
}
