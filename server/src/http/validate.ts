// Turns a schema into a check that canonicalises what it takes and names each field that it refuses.
import { Ajv, type ErrorObject } from 'ajv'
import type { Problem } from './refuse.ts'
import { type TObject, type TSchema, uuidPattern } from './schema.ts'

const ajv = new Ajv({
  allErrors: true,
  strict: false,
  removeAdditional: false,
  coerceTypes: false,
  useDefaults: false,
  formats: { uuid: uuidPattern, 'date-time': (text: string) => parseTime(text) !== undefined, uri: true },
})

/** The canonical form of a value at a path; what cannot have one is told and left as it is. */
type Canonicalise = (value: unknown, path: string, problems: Problem[]) => unknown

/** Checks an object in place; returns what is wrong with it, an empty list when nothing is. */
export type Check = (value: Record<string, unknown>) => Problem[]

/** Compiles on first use, so that the start does not pay for every route. */
export function checker(schema: TObject): Check {
  const canonicalise = canonicaliser(schema)
  let validate: ReturnType<typeof ajv.compile> | undefined
  return (value) => {
    const problems: Problem[] = []
    canonicalise?.(value, '', problems)
    validate ??= ajv.compile(schema)
    if (!validate(value)) problems.push(...(validate.errors ?? []).filter(isTelling).map(problem))
    return problems
  }
}

/** Checks any value against a schema, without canonicalising: for the answers in tests. */
export function conforms(schema: TSchema, value: unknown): string[] {
  const validate = ajv.compile(schema)
  return validate(value) ? [] : (validate.errors ?? []).map((error) => `${error.instancePath} ${error.message}`)
}

interface Marked {
  'x-text'?: 'line' | 'multiline'
  'x-canonical'?: string
  'x-bytes'?: [number, number]
  anyOf?: TSchema[]
  properties?: Record<string, TSchema>
  items?: TSchema
}

/** How values of a schema become canonical, at any depth; undefined where nothing in it has a form to take. */
function canonicaliser(schema: TSchema): Canonicalise | undefined {
  const marked = schema as Marked
  const { 'x-text': kind, 'x-bytes': bytes } = marked
  if (kind) return ofText((value) => canonicalText(value, kind))
  if (marked['x-canonical'] === 'uuid') return ofText((value) => ({ value: value.toLowerCase() }))
  if (bytes) return ofText((value) => ofBytes(value, bytes))
  if (marked.properties) return ofObject(marked.properties)
  if (marked.items) return ofArray(marked.items)
  // Each leaves values of another type as they are.
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

function ofBytes(value: string, [min, max]: [number, number]): Outcome {
  const length = base64Length(value)
  if (length === undefined) return { problem: 'not canonical base64' }
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

function ofArray(items: TSchema): Canonicalise | undefined {
  const canonicalise = canonicaliser(items)
  return (
    canonicalise &&
    ((value, path, problems) =>
      Array.isArray(value) ? value.map((item, at) => canonicalise(item, `${path}.${at}`, problems)) : value)
  )
}

// Controls C0 and C1 (tab and line feed stay in the second) and DEL; a lone surrogate has its own check.
const lineControls = /[\u0000-\u001f\u007f-\u009f]/
const multilineControls = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/

/** Text as it is stored: edge white space gone, CRLF made LF, controls and lone surrogates refused. */
export function canonicalText(value: string, kind: 'line' | 'multiline'): { value: string } | { problem: string } {
  const text = kind === 'multiline' ? value.replaceAll('\r\n', '\n') : value
  if ((kind === 'line' ? lineControls : multilineControls).test(text)) return { problem: 'has control characters' }
  if (!text.isWellFormed()) return { problem: 'has a lone surrogate' }
  return { value: text.trim() }
}

/** The number of bytes that canonical base64 stands for; undefined where it is not canonical. */
export function base64Length(text: string): number | undefined {
  if (text.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(text)) return undefined
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0
  if (padding > 0) {
    // The bits after the last byte must be zero.
    const last = alphabet.indexOf(text[text.length - padding - 1] as string)
    if ((last & (padding === 1 ? 0b11 : 0b1111)) !== 0) return undefined
  }
  return (text.length / 4) * 3 - padding
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'

const iso = /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2})(?::(\d{2})(?:\.\d{1,9})?)?(Z|[+-](\d{2}):?(\d{2}))$/i

/** An ISO 8601 time with a zone; undefined where it is none, names a day that does not exist, or lies beyond 9999 in UTC. */
export function parseTime(text: string): Date | undefined {
  const match = iso.exec(text)
  if (!match) return undefined
  const [, year, month, day, hour, minute, second = '0', , zoneHour = '0', zoneMinute = '0'] = match
  const daysInMonth = new Date(Date.UTC(Number(year), Number(month), 0)).getUTCDate()
  if (Number(month) < 1 || Number(month) > 12 || Number(day) < 1 || Number(day) > daysInMonth) return undefined
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return undefined
  if (Number(zoneHour) > 23 || Number(zoneMinute) > 59) return undefined
  const withZone = text.toUpperCase().replace(/([+-]\d{2})(\d{2})$/, '$1:$2')
  const time = new Date(withZone)
  return time.getUTCFullYear() >= 0 && time.getUTCFullYear() <= 9999 ? time : undefined
}

/** A union repeats itself ("must match a schema in anyOf"): the branches' own errors tell more. */
const isTelling = (error: ErrorObject): boolean => error.keyword !== 'anyOf'

function problem(error: ErrorObject): Problem {
  const path = error.instancePath.slice(1).replaceAll('/', '.')
  const below = (key: string): string => (path === '' ? key : `${path}.${key}`)
  switch (error.keyword) {
    case 'additionalProperties':
      return { path: below(error.params['additionalProperty'] as string), problem: 'unknown field' }
    case 'required':
      return { path: below(error.params['missingProperty'] as string), problem: 'required' }
    default:
      return { path, problem: error.message ?? error.keyword }
  }
}
