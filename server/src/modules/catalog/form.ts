// The form of a service: what its provider asks of a customer, and the judge of what a customer gives. Pure.
// docs/contract/services.md#the-form.
import { invalid, type Problem } from '../../kernel/refuse.ts'
import { uuidPattern } from '../../kernel/schema.ts'
import { canonicalText, isVisible } from '../../kernel/text.ts'

export const fieldTypes = [
  'short_text',
  'long_text',
  'integer',
  'boolean',
  'choice',
  'multi_choice',
  'attachment',
] as const
export type FieldType = (typeof fieldTypes)[number]

export const mediaTypes = [
  'image/jpeg',
  'image/png',
  'application/pdf',
  'image/vnd.adobe.photoshop',
  'image/svg+xml',
  'application/postscript',
  'image/vnd.dwg',
  'audio/mpeg',
  'audio/wav',
  'video/mp4',
  'application/zip',
] as const
export type MediaType = (typeof mediaTypes)[number]

/** A field of a form; which of the last eight it has is a matter of its type. */
export interface Field {
  key: string
  type: FieldType
  label: string
  description?: string
  required: boolean
  min_length?: number
  max_length?: number
  min?: number
  max?: number
  options?: string[]
  min_items?: number
  max_items?: number
  media_types?: MediaType[]
}

export interface Form {
  version: 1
  fields: Field[]
}

export type FieldGiven = Omit<Field, 'required'> & { required?: boolean }
export interface FormGiven {
  version: 1
  fields: FieldGiven[]
}

export type Parameters = Record<string, unknown>

/** Of the form as JSON without spaces, every character beyond ASCII written as `\uXXXX`. */
export const maxFormBytes = 32_768
export const maxFields = 20
export const maxOptions = 50
export const maxInteger = 1_000_000_000_000
export const keyPattern = '^[a-z][a-z0-9_]{0,39}$'
const longest: Partial<Record<FieldType, number>> = { short_text: 500, long_text: 8000 }

/** What no field may be called: credentials, and what the requests of the service itself carry. */
export const reservedKeys: ReadonlySet<string> = new Set(
  `access_token amount_minor api_key authorization confirmed_total_minor contractor_id cookie customer_id
   expected_version fee_bps fee_minor input_attachment_ids operation_id order_id parameters password private_key
   provider_id secret service_id service_quote_id token total_minor`.split(/\s+/),
)

export const emptyForm = (): Form => ({ version: 1, fields: [] })

const common = ['key', 'type', 'label', 'description', 'required']
const own: Readonly<Record<FieldType, readonly string[]>> = {
  short_text: ['min_length', 'max_length'],
  long_text: ['min_length', 'max_length'],
  integer: ['min', 'max'],
  boolean: [],
  choice: ['options'],
  multi_choice: ['options', 'min_items', 'max_items'],
  attachment: ['media_types'],
}

/** A form of the right shape with its defaults spelled out; refuses `invalid_input` for what no form may say. */
export function canonicalForm(given: FormGiven): Form {
  const problems: Problem[] = []
  const tell = (path: string, problem: string): void => void problems.push({ path: `input_schema${path}`, problem })
  if (asciiBytes(given) > maxFormBytes) tell('', `must be at most ${maxFormBytes} bytes`)
  const seen = new Set<string>()
  given.fields.forEach((field, at) => {
    const below = (key: string, problem: string): void => tell(`.fields.${at}.${key}`, problem)
    if (seen.has(field.key)) below('key', 'is used twice')
    if (reservedKeys.has(field.key)) below('key', 'is reserved')
    seen.add(field.key)
    for (const key of Object.keys(field)) {
      if (!common.includes(key) && !own[field.type].includes(key)) below(key, 'unknown field')
    }
    boundsOf(field, below)
  })
  if (problems.length > 0) invalid(...problems)
  return { version: 1, fields: given.fields.map(({ required = false, ...field }) => ({ ...field, required })) }
}

type Tell = (key: string, problem: string) => void

function boundsOf(field: FieldGiven, tell: Tell): void {
  const { min_length, max_length, min, max, options, min_items, max_items } = field
  const most = longest[field.type]
  if (most !== undefined) {
    if ((min_length ?? 0) > most) tell('min_length', `must be at most ${most}`)
    if ((max_length ?? 0) > most) tell('max_length', `must be at most ${most}`)
    if ((min_length ?? 0) > (max_length ?? most)) tell('min_length', 'must be at most max_length')
  }
  if (field.type === 'integer' && (min ?? -maxInteger) > (max ?? maxInteger)) tell('min', 'must be at most max')
  if ((field.type === 'choice' || field.type === 'multi_choice') && options === undefined) tell('options', 'required')
  if (field.type === 'multi_choice' && options) {
    if ((min_items ?? 0) > options.length) tell('min_items', 'must be at most the number of options')
    if ((min_items ?? 0) > (max_items ?? options.length)) tell('min_items', 'must be at most max_items')
  }
  if (field.type === 'attachment' && field.media_types === undefined) tell('media_types', 'required')
}

function asciiBytes(value: unknown): number {
  const text = JSON.stringify(value)
  let bytes = text.length
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) > 0x7f) bytes += 5
  return bytes
}

/**
 * Parameters in the form by which a replay is compared, whatever form they are for: edge white space and CRLF are gone, and the ID
 * of a listed file is written as it is listed.
 */
export function canonicalParameters(parameters: Parameters, inputAttachmentIds: readonly string[]): Parameters {
  const canonical = (value: unknown): unknown => {
    if (typeof value === 'string') {
      const outcome = canonicalText(value, 'multiline')
      const text = 'value' in outcome ? outcome.value : value
      return inputAttachmentIds.find((id) => id === text.toLowerCase()) ?? text
    }
    if (Array.isArray(value)) return value.map(canonical)
    if (value === null || typeof value !== 'object') return value
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, canonical(inner)]))
  }
  return canonical(parameters) as Parameters
}

/**
 * What a customer gives, as it is stored, in the order of the form's fields; refuses `invalid_input`, naming
 * `parameters.<key>` and its problem. Of files only the form and that they are among `inputAttachmentIds`.
 */
export function judgeParameters(form: Form, parameters: Parameters, inputAttachmentIds: readonly string[]): Parameters {
  const { value, problems } = judge(form, parameters, inputAttachmentIds)
  if (problems.length > 0) invalid(...problems.map(({ path, problem }) => ({ path: `parameters.${path}`, problem })))
  return value
}

/** The same without refusing: all problems, by the key of their field. */
export function judge(
  form: Form,
  parameters: Parameters,
  inputAttachmentIds: readonly string[],
): { value: Parameters; problems: Problem[] } {
  const problems: Problem[] = []
  const value: Parameters = {}
  const keys = new Set(form.fields.map(({ key }) => key))
  for (const key of Object.keys(parameters)) if (!keys.has(key)) problems.push({ path: key, problem: 'unknown field' })
  for (const field of form.fields) {
    const { key } = field
    if (!Object.hasOwn(parameters, key)) {
      if (field.required) problems.push({ path: key, problem: 'required' })
      continue
    }
    const outcome = judges[field.type](field, parameters[key])
    if ('problem' in outcome) problems.push({ path: key, problem: outcome.problem })
    else if (field.type === 'attachment' && !inputAttachmentIds.includes(outcome.value as string)) {
      problems.push({ path: key, problem: 'must be among input_attachment_ids' })
    } else value[key] = outcome.value
  }
  return { value, problems }
}

type Outcome = { value: unknown } | { problem: string }

const judges: Readonly<Record<FieldType, (field: Field, value: unknown) => Outcome>> = {
  short_text: (field, value) => ofText(field, value, 'line'),
  long_text: (field, value) => ofText(field, value, 'multiline'),
  integer({ min = -maxInteger, max = maxInteger }, value) {
    if (typeof value !== 'number' || !Number.isInteger(value)) return { problem: 'must be an integer' }
    // One zero.
    return value >= min && value <= max ? { value: value + 0 } : { problem: `must be from ${min} to ${max}` }
  },
  boolean: (_field, value) => (typeof value === 'boolean' ? { value } : { problem: 'must be true or false' }),
  choice(field, value) {
    const option = optionOf(field, value)
    return option === undefined ? { problem: 'must be one of the options' } : { value: option }
  },
  multi_choice(field, value) {
    if (!Array.isArray(value)) return { problem: 'must be a list of options' }
    const chosen = value.map((each) => optionOf(field, each))
    if (chosen.includes(undefined)) return { problem: 'must be a list of options' }
    if (new Set(chosen).size < chosen.length) return { problem: 'must name each option once' }
    const least = Math.max(field.min_items ?? 0, field.required ? 1 : 0)
    if (chosen.length < least) return { problem: `must have at least ${least}` }
    const most = field.max_items ?? maxOptions
    return chosen.length > most ? { problem: `must have at most ${most}` } : { value: chosen }
  },
  attachment: (_field, value) =>
    typeof value === 'string' && uuidPattern.test(value)
      ? { value: value.toLowerCase() }
      : { problem: 'must be the ID of a file' },
}

function ofText(field: Field, value: unknown, kind: 'line' | 'multiline'): Outcome {
  if (typeof value !== 'string') return { problem: 'must be a string' }
  const text = canonicalText(value, kind)
  if ('problem' in text) return text
  const length = [...text.value].length
  const least = Math.max(field.min_length ?? 0, field.required ? 1 : 0)
  if (length < least) return { problem: `must have at least ${least} characters` }
  if (field.required && !isVisible(text.value)) return { problem: 'needs a visible character' }
  const most = field.max_length ?? (longest[field.type] as number)
  return length > most ? { problem: `must have at most ${most} characters` } : text
}

function optionOf({ options = [] }: Field, value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined
  const text = canonicalText(value, 'line')
  return 'value' in text && options.includes(text.value) ? text.value : undefined
}

/** The files that parameters name, each with the media types that its field takes. */
export function filesNamed(form: Form, parameters: Parameters): { key: string; id: string; mediaTypes: MediaType[] }[] {
  return form.fields.flatMap(({ key, type, media_types = [] }) =>
    type === 'attachment' && Object.hasOwn(parameters, key)
      ? [{ key, id: parameters[key] as string, mediaTypes: media_types }]
      : [],
  )
}
