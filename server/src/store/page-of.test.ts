// Every page of a list, from one source and from two, counts the whole list in the statement that reads it.
// docs/contract/representation.md#lists.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { story } from '../../test/story.ts'
import type { Rows } from '../kernel/lists.ts'
import { part } from '../kernel/part.ts'
import { pageOf } from './page-of.ts'
import type { Query } from './sql.ts'

const { w } = story()

interface Numbered {
  id: number
}

/** Pages of the numbers up to a last one, in one source or with the even ones in another. */
const sources = {
  one: (last: number) => [part`from generate_series(1, ${last}::int) as n (id)`],
  two: (last: number) =>
    [0, 1].map((rest) => part`from generate_series(1, ${last}::int) as n (id) where id % 2 = ${rest}::int`),
}

for (const [name, those] of Object.entries(sources)) {
  test(`ada pages through a list from ${name}, and beyond its end`, async () => {
    const list = (page: number): Promise<Rows<Numbered>> =>
      pageOf(w.sql, { page, page_size: 4 }, { those: those(10), columns: part`id` })
    const pages = [await list(1), await list(2), await list(3), await list(4), await list(1000)]
    assert.deepEqual(
      pages.map(({ rows }) => rows.map(({ id }) => id)),
      [[10, 9, 8, 7], [6, 5, 4, 3], [2, 1], [], []],
    )
    assert.deepEqual(
      pages.map(({ total }) => total),
      [10, 10, 10, 10, 10],
    )
    assert.deepEqual(pages[2]?.rows[1], { id: 1 }, 'nothing of how it was counted')
  })

  test(`an empty list from ${name} has an empty page`, async () => {
    assert.deepEqual(await pageOf(w.sql, { page: 1, page_size: 50 }, { those: those(0) }), { rows: [], total: 0 })
  })
}

test('details are joined to the shown page only, in one statement', async () => {
  const statements: string[] = []
  const counting: Query = (strings, ...values) => {
    statements.push(strings.join('?'))
    return w.sql(strings, ...values)
  }
  const found = await pageOf<Numbered & { square: number }>(
    counting,
    { page: 2, page_size: 2 },
    {
      given: part`with odd as materialized (select id from generate_series(1, 9, 2) as n (id))`,
      those: [part`from odd`],
      order: part`id`,
      shown: (rows) => part`select p.id, p.id * p.id as square from (${rows}) p where p.id <> 7`,
    },
  )
  assert.deepEqual(found, { rows: [{ id: 5, square: 25 }], total: 5 })
  assert.equal(statements.length, 1)
})
