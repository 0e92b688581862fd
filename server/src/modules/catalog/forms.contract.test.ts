// The form of a service from outside: which forms are taken, and how parameters are judged by one. docs/contract/catalog.md.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { ask, draft, fixed, form, published, quoteBody, quoted, serviceBody } from '../../../test/catalog-stories.ts'
import { givenFile } from '../../../test/files.ts'
import { offer, type Shown } from '../../../test/orders.ts'
import { type Agent, code, race, type World, world } from '../../../test/world.ts'

let w: World
let ada: Agent
let bob: Agent
before(async () => {
  w = await world()
  ;[ada, bob] = await w.friends('ada', 'bob')
})
after(() => w.close())

const bad = '400 invalid_input'

/** Who makes services for this test alone: a hundred are the most. */
let makers = 0
async function judge(cases: readonly (readonly [unknown, string, string?])[]): Promise<void> {
  const maker = await w.agent(`maker_${makers++}`)
  for (const [schema, expected, what] of cases) {
    const answer = await maker.post('/services', serviceBody({ input_schema: schema }))
    assert.equal(code(answer), expected, what ?? JSON.stringify(schema).slice(0, 200))
  }
}

const field = (fields: Record<string, unknown>) => form({ key: 'a', ...fields })

test('the form itself: its version, its fields and their number', async () => {
  const many = (count: number) => form(...Array.from({ length: count }, (_, n) => ({ key: `k${n}` })))
  await judge([
    [{ version: 1, fields: [] }, '201'],
    [many(20), '201'],
    [many(21), bad],
    [{ fields: [] }, bad],
    [{ version: 1 }, bad],
    [{ version: 2, fields: [] }, bad],
    [{ version: 0, fields: [] }, bad],
    [{ version: '1', fields: [] }, bad],
    [{ version: true, fields: [] }, bad],
    [{ version: null, fields: [] }, bad],
    [{ version: 1, fields: null }, bad],
    [{ version: 1, fields: {} }, bad],
    [{ version: 1, fields: [null] }, bad],
    [{ version: 1, fields: ['a'] }, bad],
    [{ version: 1, fields: [[]] }, bad],
    [{ version: 1, fields: [{}] }, bad],
    [{ version: 1, fields: [], title: 'x' }, bad],
    [{ version: 1, fields: [], constructor: null }, bad],
    [[], bad],
    ['{}', bad],
    [1, bad],
    [true, bad],
    [{}, bad],
    [form({ key: 'a' }, { key: 'a', type: 'boolean' }), bad, 'a key twice'],
  ])
})

test('the keys of a field: the pattern, names that are kept, and names that JavaScript has', async () => {
  await judge([
    ...['a', 'z9_', `a${'_'.repeat(39)}`, 'constructor', 'prototype', 'tostring', 'valueof', 'length', 'then'].map(
      (key) => [form({ key }), '201'] as const,
    ),
    ...[
      ...['', '_a', '9a', 'A', 'aB', 'a-b', 'a b', ' a', 'a ', 'a\n', 'é', 'а', '__proto__', `a${'_'.repeat(40)}`],
      ...['token', 'authorization', 'operation_id', 'service_id', 'amount_minor', 'total_minor'],
    ].map((key) => [form({ key }), bad] as const),
    [field({ key: null }), bad],
    [field({ key: 7 }), bad],
    [field({ key: ['a'] }), bad],
    [field({ key: undefined, label: 'x' }), bad],
  ])
})

test('label, description, required and type of a field', async () => {
  await judge([
    [field({ label: 'x'.repeat(120) }), '201'],
    [field({ label: '😀'.repeat(120) }), '201'],
    [field({ label: 'x'.repeat(121) }), bad],
    [field({ label: '' }), bad],
    [field({ label: ' \t ' }), bad],
    [field({ label: 'a\nb' }), bad],
    [field({ label: 'a\u0000b' }), bad],
    [field({ label: undefined }), bad],
    [field({ label: null }), bad],
    [field({ label: 5 }), bad],
    [field({ description: 'x'.repeat(500) }), '201'],
    [field({ description: '😀'.repeat(500) }), '201'],
    [field({ description: 'x'.repeat(501) }), bad],
    [field({ description: 'a\u0007' }), bad],
    [field({ description: 5 }), bad],
    [field({ required: true }), '201'],
    [field({ required: false }), '201'],
    [field({ required: 'true' }), bad],
    [field({ required: 1 }), bad],
    [field({ required: null }), bad],
    ...['number', 'string', 'Boolean', '', 'toString', 'constructor', '__proto__', null, 1, ['boolean'], undefined].map(
      (type) => [field({ type }), bad] as const,
    ),
    [field({ default: 'x' }), bad],
    [field({ pattern: '(a+)+$' }), bad],
    [field({ hasOwnProperty: 1 }), bad],
  ])
})

test('what each type of a field takes, and that it takes nothing of another type', async () => {
  const options = (count: number, length = 0) => Array.from({ length: count }, (_, n) => `o${n}`.padEnd(length, 'x'))
  const png = { media_types: ['image/png'] }
  const own: Record<string, Record<string, unknown>> = {
    short_text: {},
    long_text: {},
    integer: {},
    boolean: {},
    choice: { options: ['x', 'y'] },
    multi_choice: { options: ['x', 'y'] },
    attachment: png,
  }
  const keys: Record<string, [unknown, string[]]> = {
    min_length: [1, ['short_text', 'long_text']],
    max_length: [1, ['short_text', 'long_text']],
    min: [1, ['integer']],
    max: [1, ['integer']],
    options: [
      ['x', 'y'],
      ['choice', 'multi_choice'],
    ],
    min_items: [1, ['multi_choice']],
    max_items: [1, ['multi_choice']],
    media_types: [['image/png'], ['attachment']],
  }
  await judge(
    Object.entries(own).flatMap(([type, needed]) =>
      Object.entries(keys).map(
        ([key, [value, types]]) =>
          [field({ type, ...needed, [key]: value }), types.includes(type) ? '201' : bad, `${key} of ${type}`] as const,
      ),
    ),
  )
  const text = (type: string, max: number): [unknown, string][] => [
    [field({ type, max_length: max }), '201'],
    [field({ type, max_length: max + 1 }), bad],
    [field({ type, min_length: 0 }), '201'],
    [field({ type, min_length: max }), '201'],
    [field({ type, min_length: max + 1 }), bad],
    [field({ type, min_length: 5, max_length: 5 }), '201'],
    [field({ type, min_length: 6, max_length: 5 }), bad],
    [field({ type, min_length: -1 }), bad],
    [field({ type, max_length: -1 }), bad],
    [field({ type, min_length: 1.5 }), bad],
    [field({ type, min_length: '1' }), bad],
    [field({ type, max_length: true }), bad],
    [field({ type, max_length: null }), bad],
  ]
  await judge([...text('short_text', 500), ...text('long_text', 8000)])
  const integer = (fields: Record<string, unknown>) => field({ type: 'integer', ...fields })
  await judge([
    [integer({ min: -(10 ** 12), max: 10 ** 12 }), '201'],
    [integer({ min: 7, max: 7 }), '201'],
    [integer({ min: 0, max: 0 }), '201'],
    [integer({ min: 8, max: 7 }), bad],
    [integer({ max: 10 ** 12 + 1 }), bad],
    [integer({ min: -(10 ** 12) - 1 }), bad],
    [integer({ min: 10 ** 12 + 1 }), bad],
    [integer({ max: -(10 ** 12) - 1 }), bad],
    [integer({ min: 1.5 }), bad],
    [integer({ min: '1' }), bad],
    [integer({ min: null }), bad],
    [integer({ max: true }), bad],
    [integer({ max: 2 ** 53 }), bad],
  ])
  for (const type of ['choice', 'multi_choice']) {
    const choice = (value: unknown) => field({ type, options: value })
    await judge([
      [choice(['x']), '201'],
      [choice(options(50, 80)), '201'],
      [choice(['😀'.repeat(80)]), '201'],
      [choice(['a', 'A']), '201'],
      [choice(['__proto__', 'constructor', 'null', '0']), '201'],
      [choice(options(51)), bad],
      [choice(['x'.repeat(81)]), bad],
      [choice([]), bad],
      [choice(['']), bad],
      [choice(['a', ' ']), bad],
      [choice(['a', 'a']), bad],
      [choice(['a', ' a']), bad, 'the same but for white space'],
      [choice(['a\nb']), bad],
      [choice([1]), bad],
      [choice([null]), bad],
      [choice([['a']]), bad],
      [choice('ab'), bad],
      [choice({ 0: 'a', length: 1 }), bad],
      [choice(null), bad],
      [choice(undefined), bad],
    ])
  }
  const multi = (fields: Record<string, unknown>) => field({ type: 'multi_choice', options: options(5), ...fields })
  await judge([
    [multi({ min_items: 0, max_items: 5 }), '201'],
    [multi({ min_items: 2, max_items: 2 }), '201'],
    [multi({ min_items: 3, max_items: 2 }), bad],
    [multi({ min_items: -1 }), bad],
    [multi({ max_items: 1.5 }), bad],
    [multi({ min_items: '1' }), bad],
    [multi({ max_items: null }), bad],
    [multi({ min_items: 6 }), bad, 'more than there are'],
  ])
  const all = [
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
  ]
  const file = (value: unknown) => field({ type: 'attachment', media_types: value })
  await judge([
    ...all.map((type) => [file([type]), '201'] as const),
    [file(all), '201'],
    [file([]), bad],
    [file([...all, 'text/plain']), bad],
    [file(['image/gif']), bad],
    [file(['image/*']), bad],
    [file(['IMAGE/PNG']), bad],
    [file(['image/png', 'image/png']), bad],
    [file('image/png'), bad],
    [file([null]), bad],
    [file(undefined), bad],
    [file(null), bad],
  ])
})

test('forms as bytes: keys twice, prototypes, numbers written otherwise, surrogates and depth', async () => {
  const maker = await w.agent('maker_raw')
  const post = async (schema: string, others: Record<string, unknown> = {}) => {
    const raw = JSON.stringify(serviceBody({ ...others, input_schema: 'HERE' })).replace('"HERE"', schema)
    return w.request('POST', '/services', { token: maker.token, raw })
  }
  const one = (inner: string) => `{"version":1,"fields":[{"key":"a","label":"A",${inner}}]}`
  const json = '400 invalid_json'
  for (const [schema, expected] of [
    ['{"version":1.0,"fields":[]}', '201'],
    ['{"version":1e0,"fields":[]}', '201'],
    ['{"version":10e-1,"fields":[]}', '201'],
    ['{"version":1,"version":1,"fields":[]}', json],
    ['{"version":1,"fields":[],"__proto__":{}}', bad],
    ['{"version":1,"fields":[],"\\u005f_proto__":null}', bad],
    ['{"__proto__":{"version":1,"fields":[]}}', bad],
    [one('"type":"boolean"'), '201'],
    [one('"type":"boolean","type":"integer"'), json],
    [one('"type":"boolean","t\\u0079pe":"boolean"'), json],
    [one('"type":"boolean","__proto__":{"required":true}'), bad],
    [one('"__proto__":{"type":"boolean"}'), bad],
    [one('"type":"integer","min":1.0,"max":1e3'), '201'],
    [one('"type":"integer","min":-0'), '201'],
    [one('"type":"integer","max":1E12'), '201'],
    [one('"type":"integer","max":1000000000000.1'), bad],
    [one('"type":"integer","max":1e400'), bad],
    [one('"type":"integer","min":1e-400'), '201'],
    [one('"type":"integer","min":01'), json],
    [one('"type":"integer","min":+1'), json],
    [one('"type":"integer","min":NaN'), json],
    [one('"type":"integer","min":Infinity'), json],
    [one('"type":"boolean","description":"\\ud800"'), bad],
    [one('"type":"boolean","description":"\\udc00\\ud83d"'), bad],
    [one('"type":"boolean","description":"\\ud83d\\ude00"'), '201'],
    [one('"type":"choice","options":["\\udfff"]'), bad],
    [one('"type":"choice","options":["a","\\u0061"]'), bad],
    [one('"type":"boolean","description":"\\u0000"'), bad],
    [one('"type":"boolean","description":"\u0001"'), json],
    [`${'['.repeat(31)}${']'.repeat(31)}`, bad],
    [`${'['.repeat(32)}${']'.repeat(32)}`, json],
    [`${'{"a":'.repeat(33)}1${'}'.repeat(33)}`, json],
    [`${'['.repeat(30_000)}${']'.repeat(30_000)}`, json],
  ] as const) {
    assert.equal(code(await post(schema)), expected, schema.slice(0, 100))
  }
  const { body } = await post(one('"type":"integer","min":1.0,"max":1e3'))
  assert.deepEqual(body.service.input_schema.fields[0].max, 1000)
})

/** How long a form is as JSON without spaces, in ASCII. */
const sizeOf = (schema: unknown): number =>
  JSON.stringify(schema).replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .length

/** A form of exactly so many bytes, with every default spelled out. */
function sized(bytes: number, filling: string): Shown {
  const schema = {
    version: 1,
    fields: Array.from({ length: 20 }, (_, n) => ({
      key: `k${n}`,
      type: 'boolean',
      label: 'L',
      description: 'd',
      required: false,
    })),
  }
  const cost = sizeOf(filling) - 2
  for (const each of schema.fields) {
    const room = Math.min(498, Math.floor((bytes - sizeOf(schema)) / cost))
    each.description += filling.repeat(Math.max(0, room))
  }
  for (const each of schema.fields) {
    // What one character of the filling is too large for.
    const room = Math.min(100, bytes - sizeOf(schema))
    each.label += 'x'.repeat(Math.max(0, room))
  }
  assert.equal(sizeOf(schema), bytes)
  return schema
}

test('a form has at most 32768 bytes, of which a character beyond ASCII takes six and an emoji twelve', async () => {
  for (const filling of ['é', '语', '😀', '"', '\\']) {
    // What ASCII alone can fill: twenty fields are not enough for it.
    const max = filling === '"' || filling === '\\' ? 20_000 : 32_768
    await judge([[sized(max, filling), '201', `${filling} to the limit`]])
    if (max === 32_768) await judge([[sized(max + 1, filling), bad, `${filling}, one byte more`]])
  }
  const options = Array.from({ length: 50 }, (_, n) => `${n}`.padEnd(80, 'x'))
  const wide = (count: number) =>
    form(...Array.from({ length: count }, (_, n) => ({ key: `k${n}`, type: 'choice', options })))
  assert.ok(sizeOf(wide(7)) < 32_000 && sizeOf(wide(8)) > 32_768)
  await judge([
    [wide(7), '201'],
    [wide(8), bad],
  ])
  const maker = await w.agent('maker_spaced')
  const raw = JSON.stringify(serviceBody({ input_schema: wide(7) }), null, 8)
  assert.ok(raw.length > 40_000)
  assert.equal(code(await w.request('POST', '/services', { token: maker.token, raw })), '201', 'spaces are not counted')
})

interface Case {
  schema: Record<string, unknown>
  good: unknown[]
  bad: unknown[]
}

test('parameters: what each type takes', async () => {
  const choices = { options: ['x', 'y', 'z'] }
  const cases: Case[] = [
    {
      schema: { type: 'short_text', min_length: 2, max_length: 4 },
      good: ['ab', 'abcd', '😀😀', '😀😀😀😀', '12'],
      bad: ['a', 'abcde', '😀', '', 12, true, null, ['ab'], { a: 1 }, 'a\nb', 'a\u0000b'],
    },
    { schema: { type: 'short_text' }, good: ['x'.repeat(500), '😀'.repeat(500)], bad: ['x'.repeat(501), 'a\nb'] },
    {
      schema: { type: 'short_text', required: true },
      good: ['0', 'false'],
      bad: ['', ' ', '\u00a0\t', null, undefined, 0, false],
    },
    { schema: { type: 'long_text' }, good: ['a\nb\tc', 'x'.repeat(8000)], bad: ['x'.repeat(8001), 'a\u0000', 5, null] },
    { schema: { type: 'long_text', required: true }, good: ['a'], bad: ['', ' \n ', undefined] },
    {
      schema: { type: 'integer', min: -3, max: 10 },
      good: [-3, 0, 10],
      bad: [-4, 11, 1.5, '1', true, false, null, [1], {}, 1e21],
    },
    {
      schema: { type: 'integer' },
      good: [10 ** 12, -(10 ** 12), 0],
      bad: [10 ** 12 + 1, -(10 ** 12) - 1, 2 ** 53, 0.1],
    },
    { schema: { type: 'integer', required: true }, good: [0], bad: [undefined, null, '0'] },
    { schema: { type: 'boolean' }, good: [true, false], bad: [0, 1, 'true', null, [], ''] },
    { schema: { type: 'boolean', required: true }, good: [false], bad: [undefined, null] },
    { schema: { type: 'choice', ...choices }, good: ['x', 'z'], bad: ['X', 'w', '', 0, ['x'], null, 'constructor'] },
    { schema: { type: 'choice', ...choices, required: true }, good: ['y'], bad: [undefined, '', null] },
    {
      schema: { type: 'multi_choice', ...choices, min_items: 1, max_items: 2 },
      good: [['x'], ['z', 'x']],
      bad: [[], ['x', 'y', 'z'], ['x', 'x'], ['w'], ['x', null], 'x', { 0: 'x' }, null, [['x']]],
    },
    {
      schema: { type: 'multi_choice', ...choices, required: true },
      good: [['x', 'y', 'z']],
      bad: [[], undefined, null],
    },
    { schema: { type: 'multi_choice', ...choices }, good: [['x']], bad: [['x', 'x']] },
  ]
  const nothing = { type: 'boolean', key: 'other', label: 'Another' }
  const customer = await w.agent('asker')
  for (const { schema, good, bad: wrong } of cases) {
    const service = await published(ada, { input_schema: form({ key: 'a', ...schema }, nothing) })
    for (const value of good) {
      const quote = await quoted(customer, service, { parameters: { a: value } })
      assert.deepEqual(quote.parameters, { a: value }, JSON.stringify(schema))
    }
    for (const value of wrong) {
      const answer = await ask(customer, service, { parameters: { a: value } })
      assert.equal(code(answer), bad, `${JSON.stringify(value)} for ${JSON.stringify(schema)}`.slice(0, 200))
    }
    if (!schema['required']) {
      assert.deepEqual((await quoted(customer, service)).parameters, {}, 'what is optional may be left out')
    }
  }
})

test('parameters as bytes: unknown keys, prototypes, keys twice, numbers written otherwise', async () => {
  const schema = form({ key: 'constructor' }, { key: 'n', type: 'integer' }, { key: 'flag', type: 'boolean' })
  const service = await published(ada, { input_schema: schema })
  const post = (parameters: string) => {
    const raw = JSON.stringify(quoteBody(service, { parameters: 'HERE' })).replace('"HERE"', parameters)
    return w.request('POST', `/services/${service.id}/quote`, { token: bob.token, raw })
  }
  const cases: [string, string, Record<string, unknown>?][] = [
    ['{}', '201', {}],
    ['{"constructor":"x"}', '201', { constructor: 'x' }],
    ['{"n":1.0}', '201', { n: 1 }],
    ['{"n":1e3}', '201', { n: 1000 }],
    ['{"n":-0}', '201'],
    ['{"n":0}', '201', { n: 0 }],
    ['{"n":1e400}', bad],
    ['{"n":"1.0"}', bad],
    ['{"n":1,"n":1}', '400 invalid_json'],
    ['{"n":1,"m":1}', bad],
    ['{"N":1}', bad],
    ['{"":1}', bad],
    ['{"__proto__":{}}', bad],
    ['{"__proto__":{"n":1}}', bad],
    ['{"\\u005f_proto__":1}', bad],
    ['{"toString":"x"}', bad],
    ['{"hasOwnProperty":"x"}', bad],
    ['{"n":null}', bad],
    ['{"n":true}', bad],
    ['{"constructor":null}', bad],
    ['{"constructor":{"prototype":{}}}', bad],
    ['{"constructor":"\\ud800"}', bad],
    ['null', bad],
    ['[]', bad],
    ['"x"', bad],
    ['1', bad],
    [`{"n":${'['.repeat(40)}${']'.repeat(40)}}`, '400 invalid_json'],
  ]
  for (const [parameters, expected, understood] of cases) {
    const answer = await post(parameters)
    assert.equal(code(answer), expected, parameters)
    if (understood) assert.deepEqual(answer.body.quote.parameters, understood)
  }
  const needed = await published(ada, {
    input_schema: form({ key: 'constructor', required: true }, { key: 'valueof', required: true }),
  })
  for (const parameters of [{}, { constructor: 'x' }, { valueof: 'x' }]) {
    assert.equal(
      code(await ask(bob, needed, { parameters: JSON.parse(JSON.stringify(parameters)) })),
      bad,
      JSON.stringify(parameters),
    )
  }
  assert.equal(code(await ask(bob, needed, { parameters: { constructor: 'x', valueof: 'y' } })), '201')
  const plain = await published(ada)
  assert.equal(code(await ask(bob, plain, { parameters: { a: 1 } })), bad, 'a form without fields has no keys')
  assert.equal(code(await ask(bob, needed, { parameters: {}, quantity: 1 })), bad)
})

test('files in parameters: listed, one’s own, ready, unbound, for orders and of a type that is named', async () => {
  const schema = form(
    { key: 'sound', type: 'attachment', media_types: ['audio/mpeg', 'audio/wav'] },
    { key: 'photo', type: 'attachment', media_types: ['image/jpeg'], required: false },
  )
  const service = await published(ada, { input_schema: schema })
  const mine = (fields = {}, who = bob) => givenFile(w, who, { purpose: 'order', file_format: 'mp3', ...fields })
  const tried = async (sound: unknown, ids: unknown, more = {}) =>
    code(await ask(bob, service, { parameters: { sound, ...more }, input_attachment_ids: ids }))
  const id = await mine()
  const quote = await quoted(bob, service, { parameters: { sound: id.toUpperCase() }, input_attachment_ids: [id] })
  assert.deepEqual([quote.parameters, quote.input_attachment_ids], [{ sound: id }, [id]])
  assert.equal(await tried(id, [id.toUpperCase()]), '201', 'a quote binds nothing')
  const { attachment } = (await bob.get(`/attachments/${id}`)).body
  assert.deepEqual([attachment.binding, attachment.can_discard], [null, true])
  assert.equal(code(await ada.get(`/attachments/${id}`)), '404 not_found', 'nor shows it to anybody')
  assert.equal(await tried(id, []), bad, 'not listed')
  assert.equal(await tried(id, undefined), bad, 'no list')
  assert.equal(await tried(id, [await mine()]), bad, 'another one listed')
  assert.equal(await tried(id, [id, id]), bad, 'listed twice')
  assert.equal(await tried(id, [id, id.toUpperCase()]), bad, 'listed twice, otherwise written')
  assert.equal(await tried(id, null), bad)
  assert.equal(await tried(id, id), bad)
  for (const value of ['x', '', 7, true, null, [id], { id }]) {
    assert.equal(await tried(value, [id]), bad, JSON.stringify(value))
  }
  const unusable = '404 invalid_attachment'
  for (const [what, file] of [
    ['unknown', randomUUID()],
    ['of the provider', await mine({}, ada)],
    ['pending', await mine({ status: 'pending' })],
    ['rejected', await mine({ status: 'rejected' })],
    ['purging', await mine({ status: 'purging' })],
    ['purged', await mine({ status: 'purged' })],
    ['for a portfolio', await mine({ purpose: 'portfolio' })],
    ['for a face', await mine({ purpose: 'avatar', file_format: 'jpeg' })],
  ] as const) {
    assert.equal(await tried(file, [file]), unusable, what)
    assert.equal(code(await ask(bob, service, { input_attachment_ids: [file] })), unusable, `${what}, listed alone`)
  }
  const bound = await mine()
  await offer(w, bob, ada, { input_attachment_ids: [bound] })
  assert.equal(await tried(bound, [bound]), '409 attachment_already_bound')
  const picture = await mine({ file_format: 'png' })
  assert.match(await tried(picture, [picture]), /^(400 invalid_input|404 invalid_attachment)$/, 'of another type')
  assert.equal(code(await ask(bob, service, { input_attachment_ids: [picture] })), '201', 'what no field asks for')
  const photo = await mine({ file_format: 'jpeg' })
  assert.equal(await tried(id, [photo, id], { photo }), '201')
  assert.notEqual(await tried(photo, [photo, id], { photo: id }), '201', 'the wrong way round')
  const ten = await Promise.all(Array.from({ length: 10 }, () => mine()))
  const full = await quoted(bob, service, { input_attachment_ids: ten })
  assert.deepEqual(full.input_attachment_ids, ten, 'in their order')
  assert.equal(code(await ask(bob, service, { input_attachment_ids: [...ten, id] })), bad)
})

test('equal forms and equal parameters are one, however their keys are ordered', async () => {
  const schema = form({ key: 'a' }, { key: 'b', type: 'integer' })
  const service = await published(ada, { input_schema: schema })
  const body = quoteBody(service, { parameters: { a: 'x', b: 1 } })
  const first = await bob.post(`/services/${service.id}/quote`, body)
  const { quantity, input_attachment_ids, ...short } = body
  const again = await bob.post(`/services/${service.id}/quote`, { ...short, parameters: { b: 1, a: 'x' } })
  assert.deepEqual([code(first), code(again)], ['201', '200'])
  assert.equal(again.body.quote.id, first.body.quote.id)
  const other = await bob.post(`/services/${service.id}/quote`, { ...body, parameters: { a: 'x', b: 2 } })
  assert.equal(code(other), '409 idempotency_conflict')
  const twins = await race(20, () =>
    bob.post(
      `/services/${service.id}/quote`,
      quoteBody(service, { operation_id: body['operation_id'], parameters: { a: 'x', b: 1 } }),
    ),
  )
  assert.deepEqual(new Set(twins.map(code)), new Set(['200']))
  assert.deepEqual((await draft(ada, { input_schema: schema, price: fixed(1) })).input_schema.fields.length, 2)
})
