// Turns a schema into a check that canonicalises values and names each field that it refuses.
import { Ajv, type ErrorObject } from 'ajv'
import type { Problem } from '../kernel/refuse.ts'
import { type TObject, type TSchema, uuidPattern } from '../kernel/schema.ts'
import { base64Length, canonicalText, isVisible } from '../kernel/text.ts'
import { parseTime } from '../kernel/time.ts'

const ajv = new Ajv({
  allErrors: true,
  // Errors bring the schema that they are about, which says what a text must be.
  verbose: true,
  strict: false,
  removeAdditional: false,
  coerceTypes: false,
  useDefaults: false,
  // It takes as long as the rest of compiling, and what it makes is no faster.
  code: { optimize: false },
  formats: { uuid: uuidPattern, 'date-time': (text: string) => parseTime(text) !== undefined, uri: true },
})

/** The canonical form of a value at a path; a value without one is reported and left unchanged. */
type Canonicalise = (value: unknown, path: string, problems: Problem[]) => unknown

/** Checks an object in place; returns its problems, an empty list if there are none. */
export type Check = (value: Record<string, unknown>) => Problem[]

/** Compiles on first use, so that the start does not pay for every route. */
export function checker(schema: TObject): Check {
  const canonicalise = canonicaliser(schema)
  let validate: ReturnType<typeof ajv.compile> | undefined
  return (value) => {
    const problems: Problem[] = []
    canonicalise?.(value, '', problems)
    validate ??= ajv.compile(schema)
    if (!validate(value)) problems.push(...problemsOf(validate.errors ?? []))
    return problems
  }
}

interface Marked {
  'x-text'?: 'line' | 'multiline'
  'x-canonical'?: string
  'x-bytes'?: [number, number]
  minLength?: number
  anyOf?: TSchema[]
  properties?: Record<string, TSchema>
  items?: TSchema
  maxItems?: number
}

/** How values of a schema become canonical, at any depth; undefined if nothing in it has a canonical form. */
function canonicaliser(schema: TSchema): Canonicalise | undefined {
  const marked = schema as Marked
  const { 'x-text': kind, 'x-bytes': bytes } = marked
  if (kind === 'line' && marked.minLength) return ofText(visibleLine)
  if (kind) return ofText((value) => canonicalText(value, kind))
  if (marked['x-canonical'] === 'uuid') return ofText((value) => ({ value: value.toLowerCase() }))
  if (bytes) return ofText((value) => ofBytes(value, bytes))
  if (marked.properties) return ofObject(marked.properties)
  if (marked.items) return ofArray(marked.items, marked.maxItems)
  // Each leaves values of another type unchanged.
  const options = (marked.anyOf ?? []).flatMap((option) => canonicaliser(option) ?? [])
  if (options.length === 0) return undefined
  return (value, path, problems) => options.reduce((given, option) => option(given, path, problems), value)
}

type Outcome = { value: string } | { problem: string }

const ofText =
  (canonical: (value: string) => Outcome): Canonicalise =>
  (value, path, problems) => {
    if (typeof value !== 'string') return value
    const result = canonical(value)
    if ('value' in result) return result.value
    problems.push({ path, problem: result.problem })
    return value
  }

/** A line that must not be empty; its length already reports an empty one. */
function visibleLine(value: string): Outcome {
  const result = canonicalText(value, 'line')
  const isBlank = 'value' in result && result.value !== '' && !isVisible(result.value)
  return isBlank ? { problem: 'needs a visible character' } : result
}

function ofBytes(value: string, [min, max]: [number, number]): Outcome {
  const length = base64Length(value)
  if (length === undefined) return { problem: 'must be canonical base64' }
  if (length >= min && length <= max) return { value }
  return { problem: min === max ? `must be ${min} bytes` : `must be ${min}-${max} bytes` }
}

function ofObject(properties: Record<string, TSchema>): Canonicalise | undefined {
  const fields = Object.entries(properties).flatMap(([key, property]) => {
    const canonicalise = canonicaliser(property)
    return canonicalise ? [[key, canonicalise] as const] : []
  })
  if (fields.length === 0) return undefined
  return (value, path, problems) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
    const object = value as Record<string, unknown>
    for (const [key, canonicalise] of fields) {
      if (Object.hasOwn(object, key)) {
        object[key] = canonicalise(object[key], path === '' ? key : `${path}.${key}`, problems)
      }
    }
    return object
  }
}

/** A list that is too long is reported as such, and only the allowed entries are checked. */
function ofArray(items: TSchema, most = Number.POSITIVE_INFINITY): Canonicalise | undefined {
  const canonicalise = canonicaliser(items)
  if (!canonicalise && most === Number.POSITIVE_INFINITY) return undefined
  return (value, path, problems) => {
    if (!Array.isArray(value)) return value
    if (value.length > most) problems.push({ path, problem: `at most ${most} ${most === 1 ? 'entry' : 'entries'}` })
    const looked = value.length > most ? value.slice(0, most) : value
    return canonicalise ? looked.map((item, at) => canonicalise(item, `${path}.${at}`, problems)) : looked
  }
}

/** A union repeats itself ("must match a schema in anyOf"): the branches' own errors say more. */
const isTelling = ({ keyword, instancePath }: ErrorObject, _at: number, errors: readonly ErrorObject[]): boolean =>
  keyword !== 'anyOf' &&
  // What is no UUID at all is told so, and nothing of its version.
  (keyword !== 'pattern' || !errors.some((each) => each.keyword === 'format' && each.instancePath === instancePath))

/** Each branch of a union says what it takes: together they are one problem, with all words and null. */
function problemsOf(errors: readonly ErrorObject[]): Problem[] {
  const telling = errors.filter(isTelling)
  const words = Map.groupBy(
    telling.filter(({ keyword }) => keyword === 'const'),
    ({ instancePath }) => instancePath,
  )
  const nullable = new Set(telling.filter(isOfNull).map(({ instancePath }) => instancePath))
  // A list with a wrong entry has a problem below it.
  const others = new Set(
    telling.filter((error) => !isOfNull(error)).flatMap(({ instancePath }) => upFrom(instancePath)),
  )
  return telling.flatMap((error) => {
    const { instancePath: at } = error
    if (isOfNull(error)) return others.has(at) ? [] : [problem(error)]
    const known = words.get(at) ?? []
    // The words say what it must be, once for all branches.
    if (known.length > 0 && (error.keyword === 'const' ? known[0] !== error : error.keyword === 'type')) return []
    const told = problem(error)
    const text = error.keyword === 'const' ? wordsText(known) : told.problem
    // About a field or an entry of what may be null.
    const isInside = ['required', 'additionalProperties', 'uniqueItems'].includes(error.keyword)
    return [{ ...told, problem: nullable.has(at) && !isInside ? `${text}, or null` : text }]
  })
}

/** A path with those that it is below. */
function upFrom(path: string): string[] {
  const parts = path.split('/')
  return parts.map((_, at) => parts.slice(0, at + 1).join('/'))
}

const isOfNull = ({ keyword, params }: ErrorObject): boolean => keyword === 'type' && params['type'] === 'null'

function wordsText(errors: readonly ErrorObject[]): string {
  const words = [...new Set(errors.map(({ params }) => String(params['allowedValue'])))]
  return `must be ${words.length === 1 ? '' : 'one of '}${words.join(', ')}`
}

function problem(error: ErrorObject): Problem {
  const path = error.instancePath.slice(1).replaceAll('/', '.')
  const below = (key: string): string => (path === '' ? key : `${path}.${key}`)
  switch (error.keyword) {
    case 'additionalProperties':
      return { path: below(error.params['additionalProperty'] as string), problem: 'unknown field' }
    case 'required':
      return { path: below(error.params['missingProperty'] as string), problem: 'required' }
    case 'uniqueItems': {
      const [first, second] = [error.params['i'] as number, error.params['j'] as number].sort((a, b) => a - b)
      return { path, problem: `${below(String(second))} is the same as ${below(String(first))}` }
    }
    default:
      return { path, problem: limitText(error) ?? error.message ?? error.keyword }
  }
}

const types: Readonly<Record<string, string>> = {
  string: 'must be a string',
  integer: 'must be an integer',
  number: 'must be a number',
  boolean: 'must be true or false',
  array: 'must be a list',
  object: 'must be an object',
  null: 'must be null',
}

const formats: Readonly<Record<string, string>> = {
  uuid: 'must be a UUID',
  'date-time': 'must be an ISO 8601 time with a time zone',
}

/** A bound in words that follow the name of a field. */
function limitText({ keyword, params, parentSchema }: ErrorObject): string | undefined {
  const limit: unknown = params['limit']
  const counted = (one: string, many: string) => `${String(limit)} ${limit === 1 ? one : many}`
  switch (keyword) {
    case 'maxLength':
      return `at most ${counted('character', 'characters')}`
    case 'minLength':
      return `at least ${counted('character', 'characters')}`
    case 'maxItems':
      return `at most ${counted('entry', 'entries')}`
    case 'minItems':
      return `at least ${counted('entry', 'entries')}`
    case 'maximum':
      return `at most ${String(limit)}`
    case 'minimum':
      return `at least ${String(limit)}`
    case 'type':
      return types[params['type'] as string]
    case 'format':
      return formats[params['format'] as string]
    case 'pattern':
      return parentSchema?.['x-problem']
    case 'enum':
      return `must be one of ${(params['allowedValues'] as unknown[]).join(', ')}`
    default:
      return undefined
  }
}
