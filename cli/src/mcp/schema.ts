// What a tool takes: fields of the contract, inlined, and the few that only a tool has. Hosts reject references and
// unions, so a schema has neither.
import { fields } from '../generated/fields.ts'
import { uuid } from '../lookup.ts'
import { refuse } from './refusal.ts'

export interface Field {
  readonly type: string
  readonly description?: string
  readonly enum?: readonly string[]
  readonly format?: string
  readonly minLength?: number
  readonly maxLength?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly minItems?: number
  readonly maxItems?: number
  readonly items?: Field
  readonly properties?: Readonly<Record<string, Field>>
  readonly required?: readonly string[]
}

type Fields = typeof fields
export type Taken = Readonly<Record<string, Field>>

/** A field of the contract with the words that a model needs about it. */
export const of = <R extends keyof Fields>(
  route: R,
  name: keyof Fields[R] & string,
  description: string,
  own: Partial<Field> = {},
): Field => ({ ...(fields[route][name] as Field), ...own, description })

/** Several fields of one route. */
export const all = <R extends keyof Fields>(
  route: R,
  words: { readonly [N in keyof Fields[R] & string]?: string },
): Taken =>
  Object.fromEntries(Object.entries(words).map(([name, text]) => [name, of(route, name as never, text as string)]))

export const string = (description: string, maxLength = 200): Field => ({ type: 'string', maxLength, description })
/** An agent, as people name it. */
export const agent = (description: string): Field => ({ type: 'string', format: 'agent', description })
export const id = (description: string): Field => ({ type: 'string', format: 'uuid', description })
export const yes = (description: string): Field => ({ type: 'boolean', description })
export const word = (description: string, ...words: string[]): Field => ({ type: 'string', enum: words, description })
export const ids = (description: string): Field => ({
  type: 'array',
  items: { type: 'string', format: 'uuid' },
  maxItems: 10,
  description,
})

/** What is named here has to be given. */
export interface Takes {
  readonly properties: Taken
  readonly required?: readonly string[]
}

/** As a host reads it: of limits only what a model could not guess; but all of it is checked. */
export const inputSchema = ({ properties, required = [] }: Takes) => ({
  type: 'object' as const,
  properties: Object.fromEntries(Object.entries(properties).map(([name, field]) => [name, shown(field)])),
  ...(required.length > 0 && { required: [...required] }),
})

function shown(field: Field): Field {
  const { type, description, enum: words, format, minimum, maximum, items, properties, required } = field
  return {
    type,
    ...(description !== undefined && { description }),
    ...(words && { enum: words }),
    ...(format === 'date-time' && { format }),
    ...(minimum !== undefined && maximum !== undefined && maximum <= 1000 && { minimum, maximum }),
    ...(items && { items: shown(items) }),
    ...(properties && {
      properties: Object.fromEntries(Object.entries(properties).map(([name, each]) => [name, shown(each)])),
      ...(required?.length && { required }),
    }),
  }
}

const handle = /^@?[a-z][a-z0-9_]{2,31}$/i

/** Refuses arguments that the schema does not allow, naming the first such field. */
export function checkArguments(given: unknown, { properties, required = [] }: Takes): void {
  checkField({ type: 'object', properties, required }, given ?? {}, '')
}

function checkField(field: Field, value: unknown, at: string): void {
  const problem = problemOf(field, value)
  if (problem !== undefined) invalid(at || 'arguments', problem)
  const { items, properties, required = [] } = field
  const path = (name: string) => (at === '' ? name : `${at}.${name}`)
  if (Array.isArray(value) && items) for (const [n, each] of value.entries()) checkField(items, each, `${at}[${n}]`)
  // An object without a description may hold anything.
  if (field.type !== 'object' || !properties) return
  const strange = Object.keys(value as object).find((name) => !Object.hasOwn(properties, name))
  for (const name of required) {
    if (Object.hasOwn(value as object, name)) continue
    // Often the same thing under another name.
    invalid(path(name), strange === undefined ? 'is missing' : `is missing; ${strange.slice(0, 80)} is not an argument`)
  }
  for (const [name, each] of Object.entries(value as object)) {
    const inner = Object.hasOwn(properties, name) ? properties[name] : undefined
    if (inner) checkField(inner, each, path(name))
    else invalid(path(name).slice(0, 80), `is not an argument; known are ${Object.keys(properties).join(', ')}`)
  }
}

/** What is wrong with a value itself. */
function problemOf(field: Field, value: unknown): string | undefined {
  const { type, minimum, maximum, minItems = 0, maxItems = 50 } = field
  switch (type) {
    case 'object':
      return typeof value === 'object' && value !== null && !Array.isArray(value) ? undefined : 'must be an object'
    case 'array':
      if (!Array.isArray(value)) return 'must be a list'
      return value.length < minItems || value.length > maxItems
        ? `must have ${minItems} to ${maxItems} entries`
        : undefined
    case 'boolean':
      return typeof value === 'boolean' ? undefined : 'must be true or false'
    case 'string':
      return typeof value === 'string' ? textProblem(field, value) : 'must be a string'
    default:
      if (typeof value !== 'number' || !Number.isFinite(value)) return 'must be a number'
      if (type === 'integer' && !Number.isSafeInteger(value)) return 'must be a whole number'
      return value < (minimum ?? value) || value > (maximum ?? value) ? `must be ${minimum} to ${maximum}` : undefined
  }
}

function textProblem({ enum: words, format, minLength = 0, maxLength }: Field, value: string): string | undefined {
  if (words && !words.includes(value)) return `must be one of ${words.join(', ')}`
  if (format === 'uuid' && !uuid.test(value)) return 'must be a lower-case UUID'
  if (format === 'agent' && !uuid.test(value) && !handle.test(value)) return 'must be a handle or an ID'
  if (format === 'date-time' && (!/(Z|[+-]\d\d:?\d\d)$/i.test(value) || Number.isNaN(Date.parse(value))))
    return 'must be a time such as 2030-01-31T12:00:00Z'
  if (!value.isWellFormed()) return 'must not have lone surrogates'
  const length = [...value].length
  return length < minLength || length > (maxLength ?? length)
    ? `must have ${minLength} to ${maxLength ?? 'any number of'} characters`
    : undefined
}

export function invalid(field: string, problem: string): never {
  // What is missing has no value yet that could be another, and what is unknown takes none.
  const how = problem.startsWith('is missing')
    ? `with ${field}`
    : problem.startsWith('is not an argument')
      ? `without ${field}`
      : `with another value for ${field}`
  return refuse('invalid_input', `${field} ${problem}`, `Call the tool again ${how}.`)
}

/** An answer as a host checks it. */
export const outputSchema = (properties: Readonly<Record<string, Answer>>) => ({ type: 'object' as const, properties })

export interface Answer {
  readonly type: string | readonly string[]
  readonly description?: string
  readonly items?: Answer
  readonly properties?: Readonly<Record<string, Answer>>
}

export const answer = (type: string, description: string): Answer => ({ type, description })
export const orNull = (type: string, description: string): Answer => ({ type: [type, 'null'], description })
export const listOf = (description: string, properties?: Readonly<Record<string, Answer>>): Answer => ({
  type: 'array',
  description,
  items: { type: 'object', ...(properties && { properties }) },
})
