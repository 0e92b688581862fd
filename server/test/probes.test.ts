// Every field of every body and every parameter of every query: what its shape refuses is refused by name, and what is
// at its limits is taken as it was sent. docs/contract/representation.md, docs/contract/errors.md.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { routes } from '../src/app/modules.ts'
import { checksOf } from '../src/http/checks.ts'
import { parseQuery } from '../src/http/query.ts'
import type { Route } from '../src/http/route.ts'
import { checker } from '../src/http/validate.ts'
import { type Problem, Refusal } from '../src/kernel/refuse.ts'
import {
  Base64,
  closed,
  Line,
  Multiline,
  Nullable,
  OperationId,
  oneOf,
  Timestamp,
  type TSchema,
  Type,
  Uuid,
} from '../src/kernel/schema.ts'
import { faults, goods, strangeKeys, textFaults, textGoods } from './probes.ts'

const nameOf = ({ method, path }: Route): string => `${method} ${path}`

/** The code of a body that is well-formed but for one field; `invalid_input` where nothing is said. */
function bodyCode(route: Route, at: string): string {
  const { path } = route
  const [field = ''] = at.split('.')
  const isStrange = (strangeKeys as readonly string[]).includes(at)
  if (/^\/posts(\/|$)/.test(path)) {
    const own = ['text', 'title', 'kind', 'visibility'].includes(field)
    return isStrange ? 'unknown_fields' : own ? `invalid_${field}` : 'invalid_field'
  }
  if (path.startsWith('/editorial/')) {
    if (field === 'operation_id') return 'invalid_operation_id'
    if (field === 'expected_version') return 'invalid_version'
  }
  const isConfirmed = /\/publish$|\/reviews$/.test(path) || nameOf(route) === 'POST /feedback'
  return isConfirmed && at === 'publication_confirmed' ? 'publication_confirmation_required' : 'invalid_input'
}

function queryCode({ path }: Route, name: string): string {
  if (name.startsWith('page') || (name === 'limit' && /^.services|.agenda$/.test(path))) return 'invalid_pagination'
  if (path.startsWith('/editorial/')) return 'invalid_filter'
  if (name === 'view') return 'invalid_input'
  if (name === 'kind' && (path === '/posts' || path === '/bots/{bot_id}')) return 'invalid_kind'
  return ['/posts', '/discovery', '/bots'].includes(path) ? 'invalid_search' : 'invalid_input'
}

/** What a check says of a value: the code, and the paths it names; nothing if it takes it. */
function refusal(check: () => unknown): { code?: string; paths: string[] } {
  try {
    check()
    return { paths: [] }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const { fields } = error.extras.details as { fields: Problem[] }
    return { code: error.code, paths: fields.map(({ path }) => path) }
  }
}

/** A field of several kinds is refused by each of them, so it may be named along with what is within it. */
const isAbout = (path: string, at: string): boolean => path === at || at.startsWith(`${path}.`)

const told = (value: unknown): string => JSON.stringify(value)?.slice(0, 200)

/** A shape, and one that takes a little more. */
const laxer: [TSchema, TSchema][] = [
  [Line({ min: 1, max: 5 }), Line({ min: 1, max: 6 })],
  [Line({ min: 1, max: 5 }), Line({ max: 5 })],
  [Line({ max: 5 }), Multiline({ max: 5 })],
  [Multiline({ max: 5 }), Type.String({ maxLength: 5 })],
  [Multiline({ max: 5 }), Nullable(Multiline({ max: 5 }))],
  [Uuid, Type.String()],
  [OperationId, Uuid],
  [Timestamp, Type.String()],
  [Base64({ min: 16, max: 32 }), Base64({ min: 16, max: 33 })],
  [Base64({ min: 16, max: 32 }), Base64({ min: 15, max: 32 })],
  [Type.Integer({ minimum: 1, maximum: 9 }), Type.Integer({ minimum: 0, maximum: 9 })],
  [Type.Integer({ minimum: 1, maximum: 9 }), Type.Integer({ minimum: 1, maximum: 10 })],
  [Type.Integer({ minimum: 1 }), Type.Number({ minimum: 1 })],
  [oneOf(['a', 'b']), Type.String()],
  [Type.Literal(true), Type.Boolean()],
  [Type.Array(Uuid, { maxItems: 2 }), Type.Array(Uuid, { maxItems: 3 })],
  [Type.Array(Uuid, { minItems: 2 }), Type.Array(Uuid, { minItems: 1 })],
  [Type.Array(Line({ max: 5 }), { uniqueItems: true }), Type.Array(Line({ max: 5 }))],
  [closed({ in: Uuid }), closed({ in: Type.Optional(Uuid) })],
  [closed({ in: Uuid }), Type.Object({ in: Uuid })],
]

test('a check that accepts more than the shape says is found', () => {
  for (const [shape, other] of laxer) {
    const check = checker(closed({ field: other }))
    const taken = faults(closed({ field: shape })).filter(
      ({ value }) => check(value as Record<string, unknown>).length === 0,
    )
    assert.ok(taken.length > 0, JSON.stringify([shape, other]))
  }
})

for (const route of routes.filter(({ body }) => body && Object.keys(body.properties).length > 0)) {
  const shape = route.body as NonNullable<Route['body']>
  test(`${nameOf(route)}: each field of its body is tested on both sides of its limits`, () => {
    const { body } = checksOf(route)
    // What is no object at all is no body: contract.test.ts.
    const probes = faults(shape).filter(({ at }) => at !== '')
    for (const { value, at } of probes) {
      const { code, paths } = refusal(() => body(value as Record<string, unknown>))
      assert.equal(code, bodyCode(route, at), `${at}: ${told(value)}`)
      assert.ok(paths.includes(at) && paths.every((path) => isAbout(path, at)), `${at}, not ${paths}: ${told(value)}`)
    }
    const probed = new Set(probes.map(({ at }) => at.split('.')[0]))
    for (const field of Object.keys(shape.properties)) assert.ok(probed.has(field), `${field} is probed`)
    for (const { sent, read } of goods(shape)) assert.deepEqual(body(sent as Record<string, unknown>), read)
  })
}

for (const route of routes.filter(({ query }) => query)) {
  test(`${nameOf(route)}: each parameter of its query is tested on both sides of its limits`, () => {
    for (const [name, { schema }] of Object.entries(route.query ?? {})) {
      const parse = (text: string): unknown =>
        parseQuery(
          route.query ?? {},
          new URLSearchParams({ [name]: text }).toString(),
          route.invalidQuery ?? 'invalid_input',
        )
      const wrong: readonly string[] = textFaults(schema, name)
      assert.ok(wrong.length > 0, `${name} is probed`)
      for (const text of wrong) {
        const { code, paths } = refusal(() => parse(text))
        assert.deepEqual([code, paths], [queryCode(route, name), [name]], `${name}=${text.slice(0, 80)}`)
      }
      for (const { sent, read } of textGoods(schema, name)) {
        const { [name]: value } = parse(String(sent)) as Record<string, unknown>
        assert.deepEqual(value, read, `${name}=${String(sent).slice(0, 80)}`)
      }
    }
  })
}
