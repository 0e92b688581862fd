// Idempotency on real transactions.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { pause, world } from '../../test/world.ts'
import { checker } from '../http/validate.ts'
import { Refusal, refuse } from '../kernel/refuse.ts'
import { closed, OperationId } from '../kernel/schema.ts'
import { contentDigest, once } from './once.ts'

const w = await world()
after(() => w.close())
const { sql } = w.service
const [one, two] = await Promise.all([w.agent('once_one'), w.agent('once_two')])

const made: string[] = []

/** Makes a thing at most once; what was made is its row in the ledger of this test. */
function make(
  operation: { actor?: string; operationId: string; name?: string; content?: unknown },
  act = async () => {},
) {
  return sql.transaction((tx) =>
    once(
      tx,
      { actor: one.id, name: 'POST /things', content: {}, resourceId: tx.newId(), ...operation },
      {
        act: async () => {
          const id = tx.newId()
          await act()
          tx.afterCommit(() => made.push(id))
          return { id, read: 'made' }
        },
        reread: async (id) => ({ id, read: 'again' }),
      },
    ),
  )
}

const conflict = (error: unknown): boolean => error instanceof Refusal && error.code === 'idempotency_conflict'

test('one of twenty identical requests acts, and all return its result', async () => {
  const operationId = randomUUID()
  const before = made.length
  const results = await Promise.all(
    Array.from({ length: 20 }, () => make({ operationId, content: { a: 1 } }, () => pause(30))),
  )
  assert.equal(results.filter(({ created }) => created).length, 1)
  assert.equal(new Set(results.map(({ value }) => value.id)).size, 1)
  assert.equal(made.length, before + 1)
  const replay = await make({ operationId, content: { a: 1 } })
  assert.deepEqual([replay.created, replay.value.read, replay.value.id], [false, 'again', results[0]?.value.id])
})

test('different content or another operation with the ID conflicts; another actor has separate IDs', async () => {
  const operationId = randomUUID()
  const first = await make({ operationId, content: { a: 1 } })
  await assert.rejects(make({ operationId, content: { a: 2 } }), conflict)
  await assert.rejects(make({ operationId, content: { a: 1, b: null } }), conflict)
  await assert.rejects(make({ operationId, name: 'POST /others', content: { a: 1 } }), conflict)
  const other = await make({ actor: two.id, operationId, content: { a: 1 } })
  assert.equal(other.created, true)
  assert.notEqual(other.value.id, first.value.id)
})

test('parallel requests with different content: one wins, the others conflict', async () => {
  const operationId = randomUUID()
  const results = await Promise.allSettled(
    Array.from({ length: 10 }, (_, n) => make({ operationId, content: { n } }, () => pause(20))),
  )
  assert.equal(results.filter(({ status }) => status === 'fulfilled').length, 1)
  for (const result of results) if (result.status === 'rejected') assert.ok(conflict(result.reason))
})

test('a refused or failed operation leaves nothing, and its waiting duplicate acts instead', async () => {
  const operationId = randomUUID()
  await assert.rejects(make({ operationId, content: { a: 1 } }, async () => refuse('state_conflict')))
  await assert.rejects(
    make({ operationId, content: { a: 1 } }, async () => {
      throw new Error('lost')
    }),
    /lost/,
  )
  const rows = await w.sql`select 1 from operations where operation_id = ${operationId}`
  assert.equal(rows.length, 0)
  const failing = make({ operationId, content: { a: 1 } }, async () => {
    await pause(50)
    refuse('state_conflict')
  })
  const [refused, twin] = await Promise.allSettled([
    failing,
    pause(10).then(() => make({ operationId, content: { a: 2 } })),
  ])
  assert.equal(refused.status, 'rejected')
  assert.equal(twin.status === 'fulfilled' && twin.value.created, true)
})

test('content is compared regardless of key order, at any depth, but with list order', () => {
  const same = (a: unknown, b: unknown): boolean => contentDigest(a).equals(contentDigest(b))
  assert.ok(same({ a: 1, b: { c: [1, { d: 2, e: 3 }], f: null } }, { b: { f: null, c: [1, { e: 3, d: 2 }] }, a: 1 }))
  assert.ok(same({ a: 1, b: undefined }, { a: 1 }))
  assert.ok(same(JSON.parse('{"10":1,"9":2,"a":1.0}'), JSON.parse('{"a":1,"9":2,"10":1e0}')))
  assert.ok(!same([1, 2], [2, 1]))
  assert.ok(!same({ a: '1' }, { a: 1 }))
  assert.ok(!same({ a: null }, {}))
  assert.ok(!same(JSON.parse('{"__proto__":1}'), {}))
})

test('an operation ID is a UUID of version 1-8, in any case', () => {
  const check = checker(closed({ operation_id: OperationId }))
  const id = (version: string, variant = '8'): string => `01234567-89ab-${version}def-${variant}123-456789abcdef`
  for (const version of '12345678') assert.deepEqual(check({ operation_id: id(version) }), [])
  const upper = { operation_id: id('7').toUpperCase() }
  assert.deepEqual(check(upper), [])
  assert.equal(upper.operation_id, id('7'))
  const nil = '00000000-0000-0000-0000-000000000000'
  for (const bad of [
    id('0'),
    id('9'),
    id('f'),
    nil,
    nil.replaceAll('0', 'f'),
    `{${id('4')}}`,
    id('4').replaceAll('-', ''),
    ` ${id('4')}`,
    '',
    1,
    null,
  ]) {
    assert.equal(check({ operation_id: bad })[0]?.path, 'operation_id', String(bad))
  }
})
