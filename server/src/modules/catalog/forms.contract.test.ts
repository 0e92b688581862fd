// The form of a service from outside, as hostile clients write it: names that JavaScript has, other types, bytes, sizes; and
// parameters against it. docs/contract/services.md#the-form.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { formOf, published, quoteBody, type Shown, serviceBody } from '../../../test/services.ts'
import { story } from '../../../test/story.ts'
import { code } from '../../../test/world.ts'

const { w, ada, bob } = story('ada', 'bob')

const bad = '400 invalid_input'
const invalidJson = '400 invalid_json'

let makers = 0
/** Each form by an agent that has made few services: a hundred are the most. */
async function judge(cases: readonly (readonly [unknown, string])[]): Promise<void> {
  const maker = await w.agent(`maker_${makers++}`)
  for (const [schema, expected] of cases) {
    const answer = await maker.post('/services', serviceBody({ input_schema: schema }))
    assert.equal(code(answer), expected, JSON.stringify(schema).slice(0, 200))
  }
}

const field = (fields: object) => formOf({ key: 'a', type: 'short_text', ...fields })

test('the form is one object of version 1 with a list of objects', async () => {
  await judge(
    [
      { fields: [] },
      { version: 1 },
      { version: '1', fields: [] },
      { version: true, fields: [] },
      { version: 1, fields: null },
      { version: 1, fields: {} },
      ...[null, 'a', [], {}].map((each) => ({ version: 1, fields: [each] })),
      { version: 1, fields: [], constructor: null },
      ...[[], '{}', 1, true, {}],
    ].map((schema) => [schema, bad] as const),
  )
})

test('names that JavaScript objects have work as keys and labels, and are no types', async () => {
  await judge([
    ...['constructor', 'prototype', 'tostring', 'valueof', 'length', 'then'].map(
      (key) => [field({ key }), '201'] as const,
    ),
    ...['', '_a', 'A', 'a-b', ' a', 'a\n', 'а', '__proto__', 7, null, ['a']].map(
      (key) => [field({ key }), bad] as const,
    ),
    ...['Boolean', '', 'toString', 'constructor', '__proto__', null, 1, ['boolean']].map(
      (type) => [field({ type }), bad] as const,
    ),
    ...['', ' \t ', 'a\nb', 'a\u0000', null, 5].map((label) => [field({ label }), bad] as const),
    ...['true', 1, null].map((required) => [field({ required }), bad] as const),
    ...[{ pattern: '(a+)+$' }, { default: 'x' }, { hasOwnProperty: 1 }].map((each) => [field(each), bad] as const),
  ])
})

test('bounds and options of the wrong type are refused', async () => {
  await judge([
    ...[-1, 1.5, '1', true, null].map((max) => [field({ max_length: max }), bad] as const),
    [field({ min_length: 501 }), bad],
    [field({ type: 'long_text', min_length: 8001 }), bad],
    ...[1.5, '1', null, true, 2 ** 53].map((max) => [field({ type: 'integer', max }), bad] as const),
    [field({ type: 'integer', min: 10 ** 12 + 1 }), bad],
    [field({ type: 'choice', options: ['__proto__', 'constructor', 'null', '0'] }), '201'],
    ...[[''], [1], [null], [['a']], ['a\nb'], 'ab', { 0: 'a', length: 1 }, null].map(
      (options) => [field({ type: 'multi_choice', options }), bad] as const,
    ),
    ...[[], ['IMAGE/PNG'], ['image/*'], [null], 'image/png', null, ['image/png', 'image/png']].map(
      (types) => [field({ type: 'attachment', media_types: types }), bad] as const,
    ),
  ])
})

test('raw forms: duplicate keys, prototypes, unusual number formats, surrogates and depth', async () => {
  const one = (inner: string) => `{"version":1,"fields":[{"key":"a","label":"A",${inner}}]}`
  const deep = (levels: number) => '['.repeat(levels) + ']'.repeat(levels)
  for (const [schema, expected] of [
    ['{"version":10e-1,"fields":[]}', '201'],
    ['{"version":1,"version":1,"fields":[]}', invalidJson],
    ['{"version":1,"fields":[],"\\u005f_proto__":null}', bad],
    ['{"__proto__":{"version":1,"fields":[]}}', bad],
    [one('"type":"boolean","t\\u0079pe":"boolean"'), invalidJson],
    [one('"type":"boolean","__proto__":{"required":true}'), bad],
    [one('"__proto__":{"type":"boolean"}'), bad],
    [one('"type":"integer","min":-0,"max":1E12'), '201'],
    [one('"type":"integer","max":1e400'), bad],
    [one('"type":"integer","max":1000000000000.1'), bad],
    [one('"type":"integer","min":01'), invalidJson],
    [one('"type":"integer","min":Infinity'), invalidJson],
    [one('"type":"boolean","description":"\\udc00\\ud83d"'), bad],
    [one('"type":"boolean","description":"\\ud83d\\ude00"'), '201'],
    [one('"type":"boolean","description":"\\u0000"'), bad],
    [one('"type":"choice","options":["\\udfff"]'), bad],
    [one('"type":"choice","options":["a","\\u0061"]'), bad],
    [deep(31), bad],
    [deep(32), invalidJson],
    [deep(30_000), invalidJson],
  ] as const) {
    const raw = JSON.stringify(serviceBody({ input_schema: 'HERE' })).replace('"HERE"', schema)
    assert.equal(code(await w.request('POST', '/services', { token: ada.token, raw })), expected, schema.slice(0, 100))
  }
})

/** How long a form is as JSON without spaces, in ASCII. */
const sizeOf = (schema: unknown): number =>
  JSON.stringify(schema).replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .length

/** A form of exactly so many bytes, with every default spelled out, of descriptions of one character. */
function sized(bytes: number, filling: string): Shown {
  const fields = Array.from({ length: 20 }, (_, n) => ({
    key: `k${n}`,
    type: 'boolean',
    label: 'L',
    description: 'd',
    required: false,
  }))
  const schema = { version: 1, fields }
  const each = sizeOf(filling) - 2
  for (const one of fields) {
    one.description += filling.repeat(Math.min(498, Math.floor((bytes - sizeOf(schema)) / each)))
  }
  for (const one of fields) one.label += 'x'.repeat(Math.min(100, bytes - sizeOf(schema)))
  assert.equal(sizeOf(schema), bytes)
  return schema
}

test('a form has at most 32768 bytes: a non-ASCII character counts six, an emoji twelve', async () => {
  for (const filling of ['é', '语', '😀']) {
    await judge([
      [sized(32_768, filling), '201'],
      [sized(32_769, filling), bad],
    ])
  }
  // What these cost as escapes of JSON is what they cost here.
  await judge(['"', '\\'].map((filling) => [sized(20_000, filling), '201']))
  const options = Array.from({ length: 50 }, (_, n) => `${n}`.padEnd(80, 'x'))
  const wide = formOf(...Array.from({ length: 7 }, () => ({ type: 'choice', options })))
  const raw = JSON.stringify(serviceBody({ input_schema: wide }), null, 8)
  assert.ok(raw.length > 40_000)
  assert.equal(code(await w.request('POST', '/services', { token: ada.token, raw })), '201', 'spaces are not counted')
})

test('raw parameters: unknown keys, prototypes, duplicate keys, unusual number formats', async () => {
  const schema = formOf(
    { key: 'constructor', type: 'short_text' },
    { key: 'n', type: 'integer' },
    { key: 'c', type: 'choice', options: ['x', 'constructor'] },
    { key: 'm', type: 'multi_choice', options: ['x', 'y'], max_items: 1 },
  )
  const service = await published(ada, { input_schema: schema })
  const cases: [string, string, Record<string, unknown>?][] = [
    ['{}', '201', {}],
    ['{"constructor":"x"}', '201', { constructor: 'x' }],
    ['{"n":1.0}', '201', { n: 1 }],
    ['{"n":1e3}', '201', { n: 1000 }],
    ['{"n":-0}', '201'],
    ['{"n":1e400}', bad],
    ['{"n":"1.0"}', bad],
    ['{"n":[1]}', bad],
    ['{"n":1,"n":1}', invalidJson],
    ['{"N":1}', bad],
    ['{"":1}', bad],
    ['{"__proto__":{"n":1}}', bad],
    ['{"\\u005f_proto__":1}', bad],
    ['{"toString":"x"}', bad],
    ['{"hasOwnProperty":"x"}', bad],
    ['{"constructor":null}', bad],
    ['{"constructor":{"prototype":{}}}', bad],
    ['{"constructor":"\\ud800"}', bad],
    ['{"constructor":"a\\nb"}', bad],
    ['{"c":"constructor"}', '201', { c: 'constructor' }],
    ['{"c":"toString"}', bad],
    ['{"c":["x"]}', bad],
    ['{"m":{"0":"x","length":1}}', bad],
    ['{"m":["x","x"]}', bad],
    ['{"m":["x","y"]}', bad],
    [`{"n":${'['.repeat(40)}${']'.repeat(40)}}`, invalidJson],
  ]
  for (const [parameters, expected, understood] of cases) {
    const raw = JSON.stringify(quoteBody(service, { parameters: 'HERE' })).replace('"HERE"', parameters)
    const answer = await w.request('POST', `/services/${service.id}/quote`, { token: bob.token, raw })
    assert.equal(code(answer), expected, parameters)
    if (understood) assert.deepEqual(answer.body.quote.parameters, understood)
  }
  const required = [
    { key: 'constructor', type: 'short_text', required: true },
    { key: 'valueof', type: 'short_text', required: true },
  ]
  const needy = await published(ada, { input_schema: formOf(...required) })
  for (const [parameters, expected] of [
    [{}, bad],
    [{ constructor: 'x' }, bad],
    [{ valueof: 'x' }, bad],
    [{ constructor: 'x', valueof: 'y' }, '201'],
  ] as const) {
    const answer = await bob.post(`/services/${needy.id}/quote`, quoteBody(needy, { parameters }))
    assert.equal(code(answer), expected, JSON.stringify(parameters))
  }
})
