// Bodies become canonical at any depth, and each fault is named where it is.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Refusal } from '../kernel/refuse.ts'
import { closed, Formed, Line, Multiline, Nullable, OperationId, Type, Uuid } from '../kernel/schema.ts'
import { parseObject } from './json.ts'
import { choice, page, parseQuery, searchText, uuidField } from './query.ts'
import { checker } from './validate.ts'

const check = checker(
  closed({
    title: Type.Optional(Nullable(Line({ max: 5 }))),
    project: Type.Optional(closed({ task: Multiline({ max: 10 }) })),
    tags: Type.Optional(Type.Array(Line({ min: 1, max: 3 }), { uniqueItems: true })),
    ids: Type.Optional(Type.Array(Uuid)),
    few: Type.Optional(Type.Array(closed({ name: Line({ min: 1, max: 3 }) }), { maxItems: 2 })),
    kinds: Type.Optional(Type.Array(Type.Union([Type.Literal('a'), Type.Literal('b')]), { maxItems: 2 })),
    confirmed: Type.Optional(Type.Literal(true)),
    due: Type.Optional(Type.String({ format: 'date-time' })),
    code: Type.Optional(Nullable(Formed('^[0-9]{6}$', 'must be six digits'))),
    operation_id: Type.Optional(OperationId),
  }),
)

test('texts and IDs are canonical at any depth', () => {
  const id = '01234567-89AB-7DEF-8123-456789ABCDEF'
  const body = { title: ' a ', project: { task: ' x\r\ny ' }, tags: [' a', 'b '], ids: [id] }
  assert.deepEqual(check(body), [])
  assert.deepEqual(body, { title: 'a', project: { task: 'x\ny' }, tags: ['a', 'b'], ids: [id.toLowerCase()] })
})

test('a nested error is reported with its path', () => {
  assert.equal(check({ project: { task: '\ud800' } })[0]?.path, 'project.task')
  assert.equal(check({ tags: ['a', 'b\u0000'] })[0]?.path, 'tags.1')
  assert.deepEqual(
    check({ title: '\u0001', tags: ['\n'] }).map(({ path }) => path),
    ['title', 'tags.0'],
  )
  assert.notDeepEqual(check({ tags: ['a', ' a '] }), [], 'equal after its edges are gone')
  for (const wrong of [{ project: [] }, { project: null }, { tags: {} }, { tags: [1] }, { ids: ['x'] }]) {
    assert.notDeepEqual(check(wrong), [], JSON.stringify(wrong))
  }
})

test('errors in texts and in shapes are reported together', () => {
  const problems = check({ title: 'a\u0000', surprise: 1 })
  assert.deepEqual(problems.map(({ path }) => path).sort(), ['surprise', 'title'])
})

test('a word that is not known is answered once, with those that are', () => {
  assert.deepEqual(check({ title: 'abcdef' }), [{ path: 'title', problem: 'at most 5 characters, or null' }])
  assert.deepEqual(check({ kinds: ['a', 'c'], confirmed: false, due: '2030-01-01', ids: ['x'] }), [
    { path: 'ids.0', problem: 'must be a UUID' },
    { path: 'kinds.1', problem: 'must be one of a, b' },
    { path: 'confirmed', problem: 'must be true' },
    { path: 'due', problem: 'must be an ISO 8601 time with a time zone' },
  ])
})

test('a value of another type, and an entry that is there twice, are told once and in words', () => {
  const several = checker(
    closed({
      kind: Type.Optional(Nullable(Type.Union([Type.Literal('a'), Type.Literal('b')]))),
      tags: Type.Optional(Nullable(Type.Array(Line({ min: 1, max: 3 }), { maxItems: 3, uniqueItems: true }))),
      sure: Type.Optional(Type.Boolean()),
      size: Type.Optional(Type.Integer()),
      form: Type.Optional(closed({ key: Type.Optional(Type.String()) })),
    }),
  )
  assert.deepEqual(several({ kind: 5, tags: 'a', sure: 'yes', size: '1', form: [] }), [
    { path: 'kind', problem: 'must be one of a, b, or null' },
    { path: 'tags', problem: 'must be a list, or null' },
    { path: 'sure', problem: 'must be true or false' },
    { path: 'size', problem: 'must be an integer' },
    { path: 'form', problem: 'must be an object' },
  ])
  assert.deepEqual(several({ tags: ['a', 1, 'b'], form: { key: null } }), [
    { path: 'tags.1', problem: 'must be a string' },
    { path: 'form.key', problem: 'must be a string' },
  ])
  assert.deepEqual(several({ tags: ['a', 'b', 'a'] }), [{ path: 'tags', problem: 'tags.2 is the same as tags.0' }])
})

test('a text in another form is answered with words, never with a pattern', () => {
  assert.deepEqual(check({ code: '12345', operation_id: '00000000-0000-0000-0000-000000000000' }), [
    { path: 'code', problem: 'must be six digits, or null' },
    { path: 'operation_id', problem: 'must be a UUID of version 1 to 8' },
  ])
  assert.deepEqual(check({ operation_id: 'x' }), [{ path: 'operation_id', problem: 'must be a UUID' }])
})

test('a list that is too long is not checked beyond its limit', () => {
  assert.deepEqual(check({ few: [{ name: 'a' }, { name: ' b ' }], kinds: ['a', 'b'] }), [])
  assert.deepEqual(
    check({ few: Array.from({ length: 20_000 }, () => ({})) })
      .map(({ path }) => path)
      .sort(),
    ['few', 'few.0.name', 'few.1.name'],
  )
  assert.deepEqual(
    check({ kinds: Array.from({ length: 20_000 }, () => 'a') }).map(({ path, problem }) => `${path} ${problem}`),
    ['kinds at most 2 entries'],
  )
})

test('a malformed parameter is told what it takes', () => {
  const query = {
    page: page(1000),
    q: searchText(160, 'invalid_search'),
    state: choice(['open', 'closed']),
    mine: choice(['true']),
    before: uuidField,
  }
  for (const [search, problem] of [
    ['page=1e3', 'must be a whole number from 1 to 1000'],
    ['q=a%0Ab', 'must be one line of at most 160 characters'],
    ['state=shut', 'must be one of open, closed'],
    ['mine=1', 'must be true'],
    ['before=x', 'must be a UUID'],
    ['after=x', 'unknown parameter'],
  ] as const) {
    const [path] = search.split('=')
    assert.throws(
      () => parseQuery(query, search, 'invalid_input'),
      ({ extras }: Refusal) => {
        assert.deepEqual(extras.details, { fields: [{ path, problem }] })
        return true
      },
    )
  }
})

test('what is wrong with JSON is told without the words of the body', () => {
  const told = (text: string): string => {
    try {
      return JSON.stringify(parseObject(Buffer.from(text)))
    } catch (error) {
      return (error as Refusal).message
    }
  }
  assert.equal(told('{"a": 1}'), '{"a":1}')
  for (const [text, problem] of [
    ['', /^Invalid JSON: unexpected end/],
    ['\u{feff}{"a": 1}', /^Invalid JSON: a byte order mark precedes it$/],
    ['{"secret": 1,}', /^Invalid JSON: expected double-quoted property name at position 13\b/],
    ["{'secret': 1}", /^Invalid JSON: expected property name or '}' at position 1\b/],
    ['{"secret": NaN}', /^Invalid JSON: unexpected token 'N'$/],
    ['{"secret": ""x""}', /^Invalid JSON: expected ',' or '}' after property value at position 13\b/],
    ['secret', /^Invalid JSON: unexpected token 's'$/],
    ['\u{1f600}secret', /^Invalid JSON: unexpected token '\ufffd'$/],
    ['undefined', /^Invalid JSON: malformed$/],
    ['["secret"]', /^Invalid JSON: not an object$/],
    ['{"secret', /^Invalid JSON: unterminated string at position 8\b/],
    ['{"secret\\x": 1}', /^Invalid JSON: bad escaped character at position 9\b/],
  ] as const) {
    assert.match(told(text), problem)
    assert.doesNotMatch(told(text), /secret/)
  }
})

test('a body with more than 32,768 values is refused before it is parsed, and one with as many is read', (t) => {
  const parse = t.mock.method(JSON, 'parse')
  const list = (count: number, entry: string): string => `{"list": [${Array(count).fill(entry).join(', ')}]}`
  const fields = (count: number): string => `{${Array.from({ length: count }, (_, at) => `"\\u0061${at}": 0`).join()}}`
  const read = (text: string): void => void parseObject(Buffer.from(text))
  const tooMany = { code: 'invalid_json', message: 'Invalid JSON: more than 32768 values' }
  for (const text of [list(32_766, '0'), list(32_766, '[ ]'), list(32_766, '{}'), list(16_383, '[0]'), fields(32_767)])
    read(text)
  const parsed = parse.mock.calls.filter(({ arguments: [text] }) => text.startsWith('{')).length
  for (const text of [list(32_767, '0'), list(32_767, '[ ]'), list(32_767, '{}'), list(16_384, '[0]'), fields(32_768)])
    assert.throws(() => read(text), tooMany)
  assert.throws(() => read(list(500_000, '')), tooMany, 'even if it is malformed')
  assert.equal(parse.mock.calls.filter(({ arguments: [text] }) => text.startsWith('{')).length, parsed)
  read(JSON.stringify({ text: ',[{"'.repeat(5000) }))
})
