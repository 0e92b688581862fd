// What a shape refuses and what it takes, made from the shape itself: each probe is a whole value with one fault, or one
// at a limit. The shapes are those of openapi.json, so a limit that changes shows there.
// docs/contract/representation.md.
import { randomUUID } from 'node:crypto'
import type { TSchema } from '../src/kernel/schema.ts'
import { controls, invisible, lineBreakers, patternOf, turners } from './probe-samples.ts'

/** A value with one fault, and the path of the field that has it, within the value. */
export interface Fault {
  value: unknown
  at: string
}

/** A value that is taken, and the canonical form in which it is read. */
export interface Good {
  sent: unknown
  read: unknown
}

interface Shape {
  type?: string
  properties?: Record<string, TSchema>
  required?: readonly string[]
  additionalProperties?: boolean
  items?: TSchema
  minItems?: number
  maxItems?: number
  uniqueItems?: boolean
  anyOf?: readonly TSchema[]
  const?: unknown
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  pattern?: string
  format?: string
  'x-text'?: 'line' | 'multiline'
  'x-bytes'?: [number, number]
}

const smile = '😀'

const isText = (value: unknown): value is string => typeof value === 'string'
const isNull = (schema: TSchema): boolean => (schema as Shape).type === 'null'
const isConst = (schema: TSchema): boolean => 'const' in schema
/** The shapes among which a value chooses, null aside. */
const optionsOf = ({ anyOf = [] }: Shape): readonly TSchema[] => anyOf.filter((each) => !isNull(each))
const isNullable = ({ anyOf = [] }: Shape): boolean => anyOf.some(isNull)

/** Something that each shape takes, without anything that it does not require. */
export function valid(schema: TSchema): unknown {
  const shape = schema as Shape
  if ('const' in shape) return shape.const
  const [option] = optionsOf(shape)
  if (option) return valid(option)
  if (shape.properties) {
    return Object.fromEntries((shape.required ?? []).map((key) => [key, valid(shape.properties?.[key] as TSchema)]))
  }
  if (shape.items) return distinct(shape.items, shape.minItems ?? 0)
  if (shape.type === 'object') return {}
  if (shape.type === 'boolean') return true
  if (shape.type === 'integer') return Math.max(shape.minimum ?? 0, 1)
  if (shape['x-bytes']) return bytes(shape['x-bytes'][0])
  if (shape['x-text']) return 'x'.repeat(shape.minLength ?? 0)
  if (shape.format === 'date-time') return '2099-01-01T00:00:00.000Z'
  if (shape.format === 'uuid') return randomUUID()
  if (shape.pattern) return patternOf(shape.pattern).good[0]
  throw new Error(`server/test/probes.ts knows no value of ${JSON.stringify(schema)}`)
}

const bytes = (length: number): string => Buffer.alloc(length, 7).toString('base64')

/** As many values, no two alike where a list may require that. */
function distinct(items: TSchema, count: number): unknown[] {
  const { 'x-text': text, maxLength = 0 } = items as Shape
  const options = optionsOf(items as Shape).filter(isConst)
  return Array.from({ length: count }, (_, at) => {
    if (text) return String(at).padEnd(Math.min(3, maxLength), 'x')
    return options.length > 0 ? (options[at % options.length] as Shape).const : valid(items)
  })
}

const below = (fault: Fault, key: string | number): Fault => ({
  ...fault,
  at: fault.at === '' ? String(key) : `${key}.${fault.at}`,
})
const here = (values: readonly unknown[]): Fault[] => values.map((value) => ({ value, at: '' }))

/** Whole values with one fault each. */
export function faults(schema: TSchema): Fault[] {
  const shape = schema as Shape
  const options = optionsOf(shape)
  const nothing = isNullable(shape) ? [] : here([null])
  if (options.length > 0 && options.every(isConst)) {
    return [...nothing, ...here(strangers(options.map((option) => (option as Shape).const)))]
  }
  // Of several kinds, one value has the faults of its own kind; what is of none of them is refused by all.
  const own = options.flatMap((option) => faults(option).filter(({ value }) => isOfKind(option, value)))
  if (options.length > 1) return [...nothing, ...here([7, {}]), ...own]
  if (options[0]) return [...nothing, ...faults(options[0]).filter(({ value }) => value !== null)]
  return [...nothing, ...faultsOf(shape)]
}

const isOfKind = ({ type }: Shape, value: unknown): boolean => (Array.isArray(value) ? 'array' : typeof value) === type

function faultsOf(shape: Shape): Fault[] {
  if ('const' in shape) return here(strangers([shape.const]))
  if (shape.properties) return ofObject(shape)
  if (shape.items) return ofList(shape, shape.items)
  switch (shape.type) {
    case 'object':
      return here(['x', 7, []])
    case 'boolean':
      return here(['true', 1, 0, [], {}])
    case 'integer':
      return here(ofInteger(shape))
    default:
      return here([7, true, ['x'], {}, ...ofText(shape)])
  }
}

/** What is almost one of these words or numbers, or is a name that every object has. */
const strangers = (known: readonly unknown[]): unknown[] => {
  const near = known.flatMap((each) =>
    isText(each) ? [each.toUpperCase(), `${each} `, [each]] : [String(each), [each]],
  )
  const others = ['', 'x', 7, {}, 'constructor', '__proto__', 'toString', ...(known[0] === true ? [false] : [])]
  return [...near, ...others].filter((each) => !known.includes(each))
}

const ofInteger = ({ minimum, maximum }: Shape): unknown[] => [
  ...[String(Math.max(minimum ?? 1, 1)), true, [], {}, 1.5],
  ...(minimum === undefined ? [] : [minimum - 1, -1e300]),
  ...(maximum === undefined ? [] : [maximum + 1, 1e300]),
]

function ofText(shape: Shape): unknown[] {
  const { 'x-text': kind, 'x-bytes': size, format, pattern } = shape
  if (size) return ofBytes(...size)
  if (kind) return ofCharacters(shape, kind)
  if (format === 'date-time') {
    return [
      ...['', 'yesterday', '2040-01-01', '2040-01-01T00:00:00', '2026-02-29T00:00:00Z', '2026-02-30T00:00:00Z'],
      ...['2040-01-01T24:00:00Z', '2040-13-01T00:00:00Z', '2040-01-01T00:00:00+24:00', '+275760-09-13T00:00:00Z'],
      '9999-12-31T23:59:59-14:00',
    ]
  }
  if (format === 'uuid') {
    const id = randomUUID()
    const noKey = ['00000000-0000-0000-0000-000000000000', 'ffffffff-ffff-ffff-ffff-ffffffffffff']
    const near = ['', 'x', id.slice(1), `${id}0`, `${id} `, `{${id}}`, id.replaceAll('-', ''), id.replace(/./, 'g')]
    return [...near, ...(pattern ? noKey : [])]
  }
  if (pattern)
    return [...patternOf(pattern).bad, ...(shape.maxLength ? [`/api/v1/${'a'.repeat(shape.maxLength)}`] : [])]
  throw new Error(`server/test/probes.ts knows no fault of ${JSON.stringify(shape)}`)
}

function ofCharacters({ minLength = 0, maxLength = 0 }: Shape, kind: 'line' | 'multiline'): string[] {
  const padding = 'a'.repeat(minLength)
  const marks = kind === 'line' ? [...controls, ...lineBreakers, ...turners] : controls
  return [
    ...marks.map((mark) => `${padding}a${mark}b`),
    ...['x', smile].map((each) => each.repeat(maxLength + 1)),
    ...(kind === 'multiline' ? [`a${'\r\n'.repeat(maxLength - 1)}b`] : []),
    ...(minLength > 0 ? ['', '  ', '\u3000\u00a0', 'x'.repeat(minLength - 1)] : []),
    ...(minLength > 0 && kind === 'line' ? invisible.map((each) => each.repeat(minLength)) : []),
  ]
}

function ofBytes(min: number, max: number): string[] {
  const whole = bytes(Math.ceil(min / 3) * 3)
  return [
    ...['', bytes(min - 1), bytes(max + 1), `${whole}\n`, ` ${whole}`, `${whole}====`, `-_${whole.slice(2)}`],
    // One byte leaves four loose bits in the last but one group of six.
    ...(min % 3 === 0 ? [] : [bytes(min).replace(/=+$/, ''), bytes(min).replace(/.(=+)$/, 'B$1')]),
  ]
}

function ofList({ minItems = 0, maxItems, uniqueItems }: Shape, items: TSchema): Fault[] {
  const few = distinct(items, Math.max(minItems, 1))
  const [first] = few
  const twins = [
    first,
    isText(first) && isFree(items) ? ` ${first} ` : isUuid(items) ? String(first).toUpperCase() : first,
  ]
  return [
    ...here(['x', 7, {}, { 0: first, length: 1 }]),
    ...here(maxItems === undefined ? [] : [distinct(items, maxItems + 1)]),
    ...here(minItems > 0 ? [few.slice(0, minItems - 1)] : []),
    ...here(uniqueItems ? [twins] : []),
    ...faults(items).map((fault) => below({ ...fault, value: [fault.value, ...few.slice(1)] }, 0)),
  ]
}

const isFree = (schema: TSchema): boolean => 'x-text' in schema
const isUuid = (schema: TSchema): boolean => (schema as Shape).format === 'uuid'

/** Keys that no shape has; every object inherits three of them. */
export const strangeKeys = ['surprise', 'constructor', '__proto__', 'toString'] as const

/** The same object with one more key of its own, whatever it is called. */
const withKey = (value: unknown, key: string, of: unknown): Record<string, unknown> =>
  Object.defineProperty({ ...(value as object) }, key, {
    value: of,
    enumerable: true,
    writable: true,
    configurable: true,
  })

function ofObject(shape: Shape): Fault[] {
  const { properties = {}, required = [] } = shape
  const whole = valid(shape as TSchema)
  return [
    ...here(['x', 7, []]),
    ...strangeKeys.map((key) => ({ value: withKey(whole, key, 1), at: key })),
    ...required.map((key) => {
      const { [key]: _, ...rest } = whole as Record<string, unknown>
      return { value: rest, at: key }
    }),
    ...Object.entries(properties).flatMap(([key, property]) =>
      faults(property).map((fault) => below({ ...fault, value: withKey(whole, key, fault.value) }, key)),
    ),
  ]
}

const same = (value: unknown): Good => ({ sent: value, read: value })

/** Whole values at the limits of the shape, and some that only look dangerous, as they are read. */
export function goods(schema: TSchema): Good[] {
  const shape = schema as Shape
  const options = optionsOf(shape)
  if (options.length > 0) return [...(isNullable(shape) ? [same(null)] : []), ...options.flatMap(goods)]
  if (shape.properties) {
    const whole = valid(schema)
    return [
      same(whole),
      ...Object.entries(shape.properties).flatMap(([key, property]) =>
        goods(property).map(({ sent, read }) => ({ sent: withKey(whole, key, sent), read: withKey(whole, key, read) })),
      ),
    ]
  }
  if (shape.items) return goodLists(shape, shape.items)
  if (shape.type === 'boolean' && !('const' in shape)) return [true, false].map(same)
  if (shape.type === 'integer') return [shape.minimum ?? 0, shape.maximum ?? Number.MAX_SAFE_INTEGER].map(same)
  if (shape['x-bytes']) return shape['x-bytes'].map((size) => same(bytes(size)))
  if (shape['x-text']) return goodTexts(shape, shape['x-text'])
  if (shape.format === 'date-time')
    return ['2024-02-29T00:00Z', '2099-01-01T02:00:00+0200', '2099-01-01T02:00-02', '2099-01-01T00:00:00.123456z'].map(
      same,
    )
  if (shape.format === 'uuid') {
    const id = randomUUID()
    return [same(id), { sent: id.toUpperCase(), read: id }]
  }
  return shape.pattern ? patternOf(shape.pattern).good.map(same) : [same(valid(schema))]
}

function goodTexts({ minLength = 0, maxLength = 0 }: Shape, kind: 'line' | 'multiline'): Good[] {
  const end = 'x'.repeat(Math.max(minLength - 1, 0))
  const texts = [`\u200eשלום\u200f${end}`, `<b>%00 ' -- {{x}} \\${end}`, 'x'.repeat(maxLength), smile.repeat(maxLength)]
  return [
    ...[...(minLength > 0 ? ['x'.repeat(minLength)] : ['']), ...texts].map(same),
    { sent: ` ${'x'.repeat(maxLength)}\u3000`, read: 'x'.repeat(maxLength) },
    ...(kind === 'line'
      ? []
      : [
          { sent: `a${'\r\n'.repeat(maxLength - 2)}b`, read: `a${'\n'.repeat(maxLength - 2)}b` },
          same('a\tb\n\n\u202ec\u202c\u2066d\u2069\u2028e'),
        ]),
  ]
}

function goodLists({ minItems = 0, maxItems = 1 }: Shape, items: TSchema): Good[] {
  const rest = distinct(items, minItems).slice(1)
  return [
    ...[minItems, maxItems].map((count) => same(distinct(items, count))),
    ...goods(items).map(({ sent, read }) => ({ sent: [sent, ...rest], read: [read, ...rest] })),
  ]
}

/** Texts that mean something else beside what they say: they stay as they are. */
const meaningful: ReadonlySet<string> = new Set(['email', 'expected_digest', 'license_code', 'invitation'])

/** The same body with every text and list of texts that it may have, each at its longest. */
export function longest(schema: TSchema, given: unknown, letter = smile): unknown {
  const { properties } = schema as Shape
  if (!properties) return given
  const filled = Object.entries(properties).flatMap(([key, property]): [string, unknown][] => {
    const old = (given as Record<string, unknown> | undefined)?.[key]
    const value = meaningful.has(key) ? old : fill(property, old, letter)
    return value === undefined ? [] : [[key, value]]
  })
  return { ...(given as object), ...Object.fromEntries(filled) }
}

function fill(property: TSchema, old: unknown, letter: string): unknown {
  const shape = (optionsOf(property as Shape)[0] ?? property) as Shape
  const { maxLength = 0, items, maxItems = 0, properties, required = [] } = shape
  if (isFree(shape as TSchema)) return letter.repeat(maxLength)
  if (items && isFree(items)) {
    const most = (items as Shape).maxLength as number
    return Array.from({ length: maxItems }, (_, at) => `${String(at).padStart(2, '0')}${letter.repeat(most - 2)}`)
  }
  if (!properties || (old === undefined && (required.length > 0 || !hasTexts(shape)))) return old
  return longest(shape as TSchema, old, letter)
}

const hasTexts = ({ properties = {} }: Shape): boolean => Object.values(properties).some(isFree)

/** Texts that a parameter of a query refuses. A cursor is a text of ours: only its length is a matter of its shape. */
export function textFaults(schema: TSchema, name: string): string[] {
  const shape = schema as Shape
  const options = optionsOf(shape).filter(isConst)
  if (shape.type === 'integer') {
    const { minimum = 0, maximum = Number.MAX_SAFE_INTEGER } = shape
    const written = [
      '',
      'x',
      'null',
      'NaN',
      `+${minimum}`,
      `0${maximum}`,
      `${maximum}.0`,
      '1e1',
      ' 1',
      '1 ',
      '１',
      '0x1',
    ]
    return [...written, String(minimum - 1), String(maximum + 1), '99999999999999999999']
  }
  if (options.length > 0 || shape.format === 'uuid') {
    const known: unknown[] = options.map((option) => String((option as Shape).const))
    const near = options.length === optionsOf(shape).length ? strangers(known) : ofText(optionsOf(shape)[0] as Shape)
    return (shape.format === 'uuid' ? ofText(shape) : near).filter(isText).filter((text) => !known.includes(text))
  }
  if (shape.pattern) return [...patternOf(shape.pattern).bad]
  if (name === 'cursor') return ['x'.repeat((shape.maxLength ?? 0) + 1)]
  const marks = [...controls, ...lineBreakers, ...turners].filter((mark) => mark.isWellFormed())
  return [
    ...marks.map((mark) => `a${mark}b`),
    ...['x', smile].map((each) => each.repeat((shape.maxLength ?? 0) + 1)),
    ...(shape.minLength ? ['', ' \u3000'] : []),
  ]
}

/** Texts that it takes, at the limits of its shape. */
export function textGoods(schema: TSchema, name: string): Good[] {
  const shape = schema as Shape
  if (shape.type === 'integer') {
    // Fifteen digits are enough for any amount.
    const limits = [shape.minimum ?? 0, Math.min(shape.maximum ?? Number.MAX_SAFE_INTEGER, 999_999_999_999_999)]
    return limits.map((read) => ({ sent: String(read), read }))
  }
  if (shape.anyOf || shape.format === 'uuid') return goods(schema).filter(({ sent }) => sent !== '')
  if (shape.pattern) return patternOf(shape.pattern).good.map(same)
  const most = shape.maxLength ?? 0
  if (name === 'cursor') return [same('x'.repeat(most))]
  return [
    ...['x', smile].map((each) => same(each.repeat(most))),
    { sent: `  ${'译'.repeat(most)} `, read: '译'.repeat(most) },
  ]
}
