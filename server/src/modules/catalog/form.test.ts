// The form of a service, judged without a service: what a form may say, and what may be given for it.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { Refusal } from '../../kernel/refuse.ts'
import {
  canonicalForm,
  canonicalParameters,
  type Field,
  type FieldGiven,
  type FieldType,
  type FormGiven,
  fieldTypes,
  filesNamed,
  judge,
  judgeParameters,
  maxFormBytes,
  mediaTypes,
  reservedKeys,
} from './form.ts'

const field = (type: FieldType, fields: Partial<FieldGiven> = {}): FieldGiven => ({
  key: 'what',
  type,
  label: 'What',
  ...(type === 'choice' || type === 'multi_choice' ? { options: ['red', 'blue', 'green'] } : {}),
  ...(type === 'attachment' ? { media_types: ['image/png' as const] } : {}),
  ...fields,
})
const form = (...fields: FieldGiven[]): FormGiven => ({ version: 1, fields })

/** What is wrong with a form: the paths below `input_schema`. */
function wrongIn(given: FormGiven): string[] {
  try {
    canonicalForm(given)
    return []
  } catch (error) {
    assert.ok(error instanceof Refusal)
    assert.equal(error.code, 'invalid_input')
    const { fields } = error.extras.details as { fields: { path: string }[] }
    return fields.map(({ path }) => path.replace(/^input_schema\.?/, ''))
  }
}

/** What a field makes of a value: it, or its problem. */
function given(type: FieldType, fields: Partial<FieldGiven>, value: unknown, ids: string[] = []): unknown {
  const judged = judge(canonicalForm(form(field(type, fields))), { what: value }, ids)
  return judged.problems.length > 0 ? `! ${judged.problems.map(({ problem }) => problem).join()}` : judged.value['what']
}

test('a form stores its defaults and nothing else', () => {
  assert.deepEqual(canonicalForm(form()), { version: 1, fields: [] })
  for (const type of fieldTypes) {
    const [made] = canonicalForm(form(field(type))).fields as [Field]
    assert.deepEqual(made, { ...field(type), required: false })
  }
})

test('a key that belongs to another type is unknown', () => {
  const own: Record<FieldType, string[]> = {
    short_text: ['min_length', 'max_length'],
    long_text: ['min_length', 'max_length'],
    integer: ['min', 'max'],
    boolean: [],
    choice: ['options'],
    multi_choice: ['options', 'min_items', 'max_items'],
    attachment: ['media_types'],
  }
  const all = {
    min_length: 1,
    max_length: 5,
    min: 1,
    max: 5,
    options: ['a', 'b'],
    min_items: 1,
    max_items: 2,
    media_types: ['image/png' as const],
  }
  for (const type of fieldTypes) {
    for (const [key, value] of Object.entries(all)) {
      const wrong = wrongIn(form(field(type, { [key]: value })))
      assert.deepEqual(wrong, own[type].includes(key) ? [] : [`fields.0.${key}`], `${type} ${key}`)
    }
  }
})

test('keys are distinct, and never use a name that requests use', () => {
  for (const key of ['token', 'authorization', 'operation_id', 'service_id', 'amount_minor', 'total_minor']) {
    assert.ok(reservedKeys.has(key))
    assert.deepEqual(wrongIn(form(field('boolean', { key }))), ['fields.0.key'])
  }
  assert.deepEqual(wrongIn(form(field('boolean'), field('integer'))), ['fields.1.key'])
  assert.deepEqual(
    wrongIn(form(field('boolean', { key: 'constructor' }), field('integer', { key: 'token_count' }))),
    [],
  )
})

test('the bounds of a field must be consistent', () => {
  const cases: [FieldType, Partial<FieldGiven>, string[]][] = [
    ['short_text', { max_length: 500 }, []],
    ['short_text', { max_length: 501 }, ['fields.0.max_length']],
    ['short_text', { min_length: 500 }, []],
    ['short_text', { min_length: 501 }, ['fields.0.min_length', 'fields.0.min_length']],
    ['short_text', { min_length: 3, max_length: 3 }, []],
    ['short_text', { min_length: 4, max_length: 3 }, ['fields.0.min_length']],
    ['long_text', { max_length: 8000 }, []],
    ['long_text', { max_length: 8001 }, ['fields.0.max_length']],
    ['integer', { min: 5, max: 5 }, []],
    ['integer', { min: 6, max: 5 }, ['fields.0.min']],
    ['multi_choice', { min_items: 3, max_items: 3 }, []],
    ['multi_choice', { min_items: 4 }, ['fields.0.min_items', 'fields.0.min_items']],
    ['multi_choice', { min_items: 2, max_items: 1 }, ['fields.0.min_items']],
  ]
  for (const [type, fields, wrong] of cases) {
    assert.deepEqual(wrongIn(form(field(type, fields))), wrong, `${type} ${JSON.stringify(fields)}`)
  }
  const { options: _, ...withoutOptions } = field('choice')
  assert.deepEqual(wrongIn(form(withoutOptions)), ['fields.0.options'])
  const { media_types: __, ...withoutTypes } = field('attachment')
  assert.deepEqual(wrongIn(form(withoutTypes)), ['fields.0.media_types'])
})

test("a form's size counts as JSON without spaces, with non-ASCII characters as escapes", () => {
  const sized = (bytes: number, filler: string, each: number): FormGiven => {
    const made = form(...Array.from({ length: 20 }, (_, at) => field('choice', { key: `k${at}`, options: ['x'] })))
    let left = bytes - JSON.stringify(made).length
    for (const { options } of made.fields) {
      for (let at = 1; at < 50 && left >= 3; at++) {
        // An option is its text, two quotes and a comma.
        const text = `${String(at).padStart(2, '0')}${filler.repeat(Math.min(Math.floor((left - 5) / each), 70))}`
        if (left < 5) break
        options?.push(text)
        left -= 5 + ((text.length - 2) / filler.length) * each
      }
    }
    const [first] = made.fields
    if (first) first.label += 'y'.repeat(left)
    return made
  }
  for (const [filler, each] of [
    ['a', 1],
    ['é', 6],
    ['😀', 12],
  ] as const) {
    assert.deepEqual(wrongIn(sized(maxFormBytes, filler, each)), [], filler)
    assert.deepEqual(wrongIn(sized(maxFormBytes + 1, filler, each)), [''], filler)
  }
})

test('texts: lengths in characters, outer white space removed, required ones not empty', () => {
  assert.equal(given('short_text', {}, '  a b '), 'a b')
  assert.equal(given('short_text', {}, ''), '')
  assert.match(String(given('short_text', { required: true }, ' ')), /^! /)
  assert.match(String(given('short_text', { required: true }, '\u200b')), /^! /)
  assert.match(String(given('long_text', { required: true }, '\n \n')), /^! /)
  assert.match(String(given('short_text', {}, 'a\nb')), /^! /)
  assert.equal(given('long_text', {}, 'a\r\nb'), 'a\nb')
  for (const [type, most] of [
    ['short_text', 500],
    ['long_text', 8000],
  ] as const) {
    assert.equal(given(type, {}, '😀'.repeat(most)), '😀'.repeat(most))
    assert.match(String(given(type, {}, 'a'.repeat(most + 1))), /^! /)
  }
  assert.match(String(given('short_text', { min_length: 2, max_length: 3 }, 'a')), /^! /)
  assert.equal(given('short_text', { min_length: 2, max_length: 3 }, 'ab'), 'ab')
  assert.equal(given('short_text', { min_length: 2, max_length: 3 }, 'abc'), 'abc')
  assert.match(String(given('short_text', { min_length: 2, max_length: 3 }, 'abcd')), /^! /)
  for (const wrong of [null, 1, true, [], {}, ['a'], 'a\u0000', '\ud800']) {
    for (const type of ['short_text', 'long_text'] as const) assert.match(String(given(type, {}, wrong)), /^! /)
  }
})

test('integers: zero counts, a boolean or a string does not', () => {
  for (const value of [0, -1, 7, 1e12, -1e12, 1e3]) assert.equal(given('integer', {}, value), value)
  assert.ok(Object.is(given('integer', {}, -0), 0))
  for (const wrong of [null, true, false, '1', 1.5, 1e12 + 1, -1e12 - 1, Number.NaN, [], [1]]) {
    assert.match(String(given('integer', {}, wrong)), /^! /, String(wrong))
  }
  assert.equal(given('integer', { min: 2, max: 4 }, 2), 2)
  assert.equal(given('integer', { min: 2, max: 4 }, 4), 4)
  for (const wrong of [1, 5]) assert.match(String(given('integer', { min: 2, max: 4 }, wrong)), /^! /)
})

test('booleans: false counts as a value', () => {
  assert.equal(given('boolean', { required: true }, false), false)
  assert.equal(given('boolean', {}, true), true)
  for (const wrong of [null, 0, 1, 'true', '', []]) assert.match(String(given('boolean', {}, wrong)), /^! /)
})

test('choices: only listed options, and several of them each once', () => {
  assert.equal(given('choice', {}, 'red'), 'red')
  assert.equal(given('choice', {}, ' red '), 'red')
  for (const wrong of [null, 'Red', '', 0, ['red'], 'constructor'])
    assert.match(String(given('choice', {}, wrong)), /^! /)
  assert.deepEqual(given('multi_choice', {}, ['blue', 'red']), ['blue', 'red'])
  assert.deepEqual(given('multi_choice', {}, []), [])
  assert.match(String(given('multi_choice', { required: true }, [])), /^! /)
  assert.match(String(given('multi_choice', {}, ['red', 'red'])), /^! /)
  for (const wrong of [null, 'red', [null], ['pink'], { 0: 'red' }]) {
    assert.match(String(given('multi_choice', {}, wrong)), /^! /)
  }
  const bounds = { min_items: 2, max_items: 2 }
  assert.match(String(given('multi_choice', bounds, ['red'])), /^! /)
  assert.deepEqual(given('multi_choice', bounds, ['red', 'blue']), ['red', 'blue'])
  assert.match(String(given('multi_choice', bounds, ['red', 'blue', 'green'])), /^! /)
})

test('attachments: the ID of a file that is also listed', () => {
  const id = randomUUID()
  assert.equal(given('attachment', {}, id, [id]), id)
  assert.equal(given('attachment', {}, id.toUpperCase(), [id]), id)
  assert.match(String(given('attachment', {}, id, [])), /input_attachment_ids/)
  assert.match(String(given('attachment', {}, id, [randomUUID()])), /input_attachment_ids/)
  for (const wrong of [null, 'a', 1, [id]]) assert.match(String(given('attachment', {}, wrong, [id])), /^! /)
  const asked = canonicalForm(
    form(field('attachment', { media_types: [...mediaTypes] }), field('boolean', { key: 'b' })),
  )
  assert.deepEqual(filesNamed(asked, { what: id, b: true }), [{ key: 'what', id, mediaTypes }])
  assert.deepEqual(filesNamed(asked, {}), [])
})

test('an optional field may be omitted, a required one may not; unknown keys are named', () => {
  const asked = canonicalForm(
    form(field('boolean', { key: 'a', required: true }), field('integer', { key: 'b' }), field('choice', { key: 'c' })),
  )
  assert.deepEqual(judgeParameters(asked, { b: 0, a: false }, []), { a: false, b: 0 })
  assert.deepEqual(
    judge(asked, { b: null, d: 1 }, [])
      .problems.map(({ path }) => path)
      .sort(),
    ['a', 'b', 'd'],
  )
  assert.throws(
    () => judgeParameters(asked, JSON.parse('{"a": true, "__proto__": 1, "constructor": 2}'), []),
    (error) =>
      error instanceof Refusal &&
      (error.extras.details as { fields: { path: string }[] }).fields.map(({ path }) => path).join() ===
        'parameters.__proto__,parameters.constructor',
  )
  assert.throws(() => judgeParameters(asked, JSON.parse('{"__proto__": {"a": true}}'), []), Refusal)
})

test('replays are compared without outer white space and CRLF, at any depth', () => {
  assert.deepEqual(canonicalParameters({ a: ' x\r\ny ', b: [' z ', 1, null, { c: ' d' }], e: '\u0000 ' }, []), {
    a: 'x\ny',
    b: ['z', 1, null, { c: 'd' }],
    e: '\u0000 ',
  })
})
