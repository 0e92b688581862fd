// The vocabulary of the contract's schemas: TypeBox types with the rules of docs/contract/representation.md.
import { type Static, type TArray, type TObject, type TProperties, type TSchema, type TUnsafe, Type } from 'typebox'

export type { Static, TArray, TObject, TProperties, TSchema }
export { Type }

/**
 * The same schema with its meaning in this place, for readers of the contract. A named shape keeps its own description.
 */
export const described = <T extends TSchema>(schema: T, description: string): T =>
  having(schema, 'x-component' in schema ? 'x-place' : 'description', description)

/** A field that a server requires by default, but may be configured not to. */
export const neededByDefault = <T extends TSchema>(schema: T): T => having(schema, 'x-needed', true)

/** The schema with one more keyword, and with TypeBox's hidden properties (whether it is optional, for one). */
const having = <T extends TSchema>(schema: T, keyword: string, value: unknown): T =>
  Object.defineProperties(
    {},
    {
      ...Object.getOwnPropertyDescriptors(schema),
      [keyword]: { value, enumerable: true, configurable: true, writable: true },
    },
  ) as T

/** An object that refuses unknown keys. */
export const closed = <P extends TProperties>(properties: P): TObject<P> =>
  Type.Object(properties, { additionalProperties: false })

/** The same with a name: the contract describes it once, and refers to it wherever it is used. */
export const named = <P extends TProperties>(name: string, description: string, properties: P): TObject<P> =>
  Type.Object(properties, { additionalProperties: false, 'x-component': name, description })

const uuid = '[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}'
export const uuidPattern = new RegExp(`^${uuid}$`)

/** A UUID of any version; upper case is accepted and canonicalised. */
export const Uuid = Type.String({ format: 'uuid', 'x-canonical': 'uuid' })

/** A text that has this form; `problem` is what one that has not is refused with, in words that follow the name of a field. */
export const Formed = (pattern: string, problem: string, options: { description?: string; maxLength?: number } = {}) =>
  Type.String({ pattern, 'x-problem': problem, ...options })

const operationId = '^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[1-8][0-9a-fA-F]{3}-[89abAB][0-9a-fA-F]{3}-[0-9a-fA-F]{12}$'
export const operationIdPattern = new RegExp(operationId)

/** An idempotency key: a UUID of version 1-8, neither nil nor max. */
export const OperationId = described(
  Type.String({
    format: 'uuid',
    'x-canonical': 'uuid',
    pattern: operationId,
    'x-problem': 'must be a UUID of version 1 to 8',
  }),
  'An idempotency key that you choose and store before you send: the same request with it happens once',
)

interface TextOptions {
  min?: number
  max: number
  description?: string
}

/**
 * One line of text: lengths in code points after trimming; no control characters, line or paragraph separators, or
 * bidirectional controls that reach beyond themselves. A required line needs a visible character.
 */
export const Line = ({ min = 0, max, description }: TextOptions) =>
  Type.String({ 'x-text': 'line', minLength: min, maxLength: max, ...(description && { description }) })

/** Text of several lines: as {@link Line}, but tab and line feed are allowed and CRLF becomes LF. */
export const Multiline = ({ min = 0, max, description }: TextOptions) =>
  Type.String({ 'x-text': 'multiline', minLength: min, maxLength: max, ...(description && { description }) })

/** An ID in a response; in a request it is a {@link Uuid}. */
export const Id = Type.String({ format: 'uuid' })

/** One of these words; the union of a list alone would have no type. */
export const oneOf = <T extends string>(
  values: readonly T[],
  options: { default?: T; description?: string } = {},
): TUnsafe<T> =>
  Type.Union(
    values.map((value) => Type.Literal(value)),
    options,
  ) as unknown as TUnsafe<T>

export const Nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()])

/** ISO 8601 in UTC with milliseconds, as the service writes it. */
export const Timestamp = Type.String({ format: 'date-time' })

export const CreatedAt = described(Timestamp, 'When it was made')
export const UpdatedAt = described(Timestamp, 'When it last changed')

export const NamedAgent = named('NamedAgent', 'An agent as others see it', {
  id: described(Id, 'The agent'),
  handle: described(Type.String(), 'Its handle'),
  display_name: described(Type.String(), 'Its display name'),
})

export const NamedParty = named('NamedParty', 'An agent or a customer as staff sees them', {
  id: described(Id, 'The agent or the customer'),
  handle: described(Nullable(Type.String()), 'The agent’s handle; null for a customer'),
  display_name: described(Type.String(), 'Its name'),
})

/** Canonical base64 (RFC 4648, section 4) of a number of bytes. */
export const Base64 = ({ min, max }: { min: number; max: number }) =>
  Type.String({ contentEncoding: 'base64', 'x-bytes': [min, max] })

export const Pagination = named('Pagination', 'Which part of the list this is', {
  page: described(Type.Integer({ minimum: 1 }), 'Which page, beginning with 1'),
  page_size: described(Type.Integer({ minimum: 1, maximum: 50 }), 'Entries per page'),
  total: described(Type.Integer({ minimum: 0 }), 'Total number of entries'),
})

/** Where a list that continues `before` an entry goes on. */
export const NextBefore = described(Nullable(Id), 'Send it as `before` to get the next part; null at the end')

/** The body of an action without one: nothing, or exactly `{}`. */
export const NoBody = closed({})

export const ErrorEnvelope = closed({
  error: described(
    Type.Object({
      code: described(Type.String(), 'For programs: branch on it and on the status'),
      message: described(Type.String(), 'For people; it may change'),
      details: described(Type.Optional(Type.Unknown()), 'Where there is more to say'),
    }),
    'What went wrong',
  ),
})

/** The body of a response that is not JSON, by its possible media types. */
export const Bytes = (...mediaTypes: string[]) => Type.Unsafe<never>({ 'x-media-types': mediaTypes })
