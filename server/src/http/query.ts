// Queries: strict parsing of each parameter that a route has (docs/contract/representation.md#queries).
import { type Code, refuse } from '../kernel/refuse.ts'
import { described, type TSchema, Type, uuidPattern } from '../kernel/schema.ts'
import { canonicalText } from '../kernel/text.ts'

/** One query parameter: its schema for the contract, and how its text becomes a value. */
export interface QueryField<T> {
  schema: TSchema
  /** The refusal code for a bad value; the route's own by default. */
  code?: Code
  /** The default value. */
  absent: T
  /** The value, or undefined if the text is not acceptable. */
  parse: (text: string) => T | undefined
}

/** The same with its meaning, for readers of the contract. */
export const parameter = <F extends { schema: TSchema }>(field: F, description: string): F => ({
  ...field,
  schema: described(field.schema, description),
})

export type QueryFields = Record<string, QueryField<unknown>>
export type QueryOf<Q extends QueryFields> = { [K in keyof Q]: Q[K] extends QueryField<infer T> ? T : never }

const digits =
  (min: number, max: number) =>
  (text: string): number | undefined => {
    const value = /^[1-9]\d{0,6}$/.test(text) ? Number(text) : Number.NaN
    return value >= min && value <= max ? value : undefined
  }

export const page = (max: number): QueryField<number> => ({
  schema: Type.Integer({ minimum: 1, maximum: max, default: 1, description: 'Which page, beginning with 1' }),
  code: 'invalid_pagination',
  absent: 1,
  parse: digits(1, max),
})

export const pageSize: QueryField<number> = {
  schema: Type.Integer({ minimum: 1, maximum: 50, default: 20, description: 'Entries per page' }),
  code: 'invalid_pagination',
  absent: 20,
  parse: digits(1, 50),
}

/** How many entries of a list that continues `before` one of them. */
export const limitField: QueryField<number> = {
  schema: Type.Integer({ minimum: 1, maximum: 50, default: 20, description: 'The maximum number of entries' }),
  absent: 20,
  parse: digits(1, 50),
}

/** A search text, trimmed; empty removes the filter. */
export const searchText = (max: number, code: Code): QueryField<string> => ({
  schema: Type.String({ maxLength: max }),
  code,
  absent: '',
  parse: (text) => {
    const result = canonicalText(text, 'line')
    return 'value' in result && [...result.value].length <= max ? result.value : undefined
  },
})

export const uuidField: QueryField<string | undefined> = {
  schema: Type.String({ format: 'uuid' }),
  absent: undefined,
  parse: (text) => (uuidPattern.test(text) ? text.toLowerCase() : undefined),
}

/** Where a list continues: an earlier entry. */
export const beforeField: QueryField<string | undefined> = parameter(
  uuidField,
  'The last entry you have: the ones before it follow. This is the `next_before` of a response',
)

export const choice = <T extends string>(options: readonly T[], code?: Code): QueryField<T | undefined> => ({
  schema: Type.Union(options.map((option) => Type.Literal(option))),
  ...(code && { code }),
  absent: undefined,
  parse: (text) => options.find((option) => option === text),
})

/** Parses a query string; an unknown, repeated or malformed parameter is refused with `code`. */
export function parseQuery<Q extends QueryFields>(fields: Q, search: string, code: Code): QueryOf<Q> {
  const query: Record<string, unknown> = {}
  for (const [name, field] of Object.entries(fields)) query[name] = field.absent
  if (search === '') return query as QueryOf<Q>
  const wrong = (name: string, problem: string, own: Code = code): never =>
    refuse(own, { details: { fields: [{ path: name, problem }] } })
  if (!isWellEncoded(search)) wrong('', 'malformed percent-encoding')
  const seen = new Set<string>()
  // With its own mark in front: the parser would take one in the first name for it.
  for (const [name, text] of new URLSearchParams(`?${search}`)) {
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined
    if (!field) return wrong(name, 'unknown parameter')
    if (seen.has(name)) return wrong(name, 'repeated parameter')
    seen.add(name)
    const value = field.parse(text)
    if (value === undefined) return wrong(name, wantedBy(field.schema), field.code)
    query[name] = value
  }
  return query as QueryOf<Q>
}

/** What a parameter takes, in the words that bodies are refused with. */
function wantedBy(schema: TSchema): string {
  const { 'x-problem': problem } = schema as { 'x-problem'?: string }
  if (problem) return problem
  const { anyOf, format, minimum, maximum, maxLength } = schema as {
    anyOf?: readonly { const?: unknown }[]
    format?: string
    minimum?: number
    maximum?: number
    maxLength?: number
  }
  const words = [schema as { const?: unknown }, ...(anyOf ?? [])].flatMap((each) => each.const ?? [])
  if (words.length > 0) return `must be ${words.length === 1 ? '' : 'one of '}${words.join(', ')}`
  if (format === 'uuid') return 'must be a UUID'
  if (minimum !== undefined && maximum !== undefined) return `must be a whole number from ${minimum} to ${maximum}`
  return maxLength === undefined ? 'invalid value' : `must be one line of at most ${maxLength} characters`
}

function isWellEncoded(search: string): boolean {
  try {
    decodeURIComponent(search.replaceAll('+', ' '))
    return true
  } catch {
    return false
  }
}
