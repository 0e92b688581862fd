// The board as everyone reads it, of twenty thousand tasks: pages, words of every language, tags, states.
// docs/contract/tasks.md#the-board.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Shown } from '../../../test/orders.ts'
import { beforehand, story } from '../../../test/story.ts'
import { cancel, publish, type Seed, seedTasks } from '../../../test/tasks.ts'
import { type Agent, code } from '../../../test/world.ts'
import type { TaskState } from './machine.ts'

const seeded = 20_000
const customers: Agent[] = []
const stateOf = (n: number): TaskState => (n % 10 === 0 ? 'open' : n % 10 < 4 ? 'cancelled' : 'expired')
const { w, ada } = story('ada')
beforehand(async () => {
  for (let n = 0; n < 20; n++) customers.push(await w.agent(`customer_${n}`))
  const began = w.now().getTime() - seeded * 10
  await seedTasks(
    w.sql,
    Array.from(
      { length: seeded },
      (_, n): Seed => ({
        customer_id: (customers[n % 20] as Agent).id,
        title: `Task number ${(n * 7919) % seeded}`,
        description: n % 4990 === 0 ? 'Of zymurgy 酿酒 and more' : 'Some work of a common life',
        tags: n % 2000 === 0 ? ['rare one', 'All'] : ['all'],
        created_at: new Date(began + n * 10),
        state: stateOf(n),
      }),
    ),
  )
})

const found = async (query: string): Promise<{ titles: string[]; total: number }> => {
  const answer = await w.request('GET', `/tasks${query}`)
  assert.equal(code(answer), '200', query)
  return { titles: answer.body.tasks.map(({ title }: Shown) => title), total: answer.body.pagination.total }
}

test('the board lists the open tasks, newest first, in pages, each once', async () => {
  const first = await publish(w, ada, { title: 'Newest of all' })
  const ids: string[] = []
  for (let page = 1; page <= 41; page++) {
    const { body } = await w.request('GET', `/tasks?page=${page}&page_size=50`)
    assert.deepEqual(body.pagination, { page, page_size: 50, total: 2001 })
    ids.push(...body.tasks.map(({ id }: Shown) => id))
  }
  assert.equal(ids[0], first.id)
  assert.equal(new Set(ids).size, 2001)
  assert.deepEqual(ids, ids.toSorted().reverse())
  assert.deepEqual(await found('?page=1000&page_size=50'), { titles: [], total: 2001 })
  assert.equal((await found('?state=cancelled')).total, 6000)
  assert.equal((await found('?state=expired&page=200&page_size=50')).titles.length, 50)
  await cancel(ada, first)
  assert.equal((await found('')).total, 2000)
})

test('all words must be in titles, descriptions or tags, in any language; tags match whole', async () => {
  const made: Shown[] = []
  for (const fields of [
    { title: 'Ёлки и Иголки', description: 'Красиво', tags: ['Веб дизайн'] },
    { title: 'ＦＵＬＬ width', description: 'Straße und ΟΔΟΣ', tags: ['café'] },
    { title: '设计一个标志', description: 'ロゴ 100% a_b', tags: ['设计'] },
  ]) {
    made.push(await publish(w, ada, fields))
  }
  const [russian, wide, chinese] = made.map(({ title }) => title)
  const by = async (query: Record<string, string>) => (await found(`?${new URLSearchParams(query)}`)).titles
  for (const [query, title] of [
    [{ q: 'ёлк' }, russian],
    [{ q: 'ИГОЛКИ красиво' }, russian],
    [{ q: 'дизайн' }, russian],
    [{ tag: 'веб дизайн' }, russian],
    [{ tag: ' ВЕБ ДИЗАЙН ' }, russian],
    [{ q: 'full' }, wide],
    [{ q: 'οδοσ' }, wide],
    [{ tag: 'CAFÉ' }, wide],
    [{ tag: 'cafe\u0301' }, wide],
    [{ q: '标志' }, chinese],
    [{ q: '100% a_b' }, chinese],
    [{ q: 'ロ' }, chinese],
    [{ tag: '设计', q: '一个' }, chinese],
  ] as const) {
    assert.deepEqual(await by(query), [title], JSON.stringify(query))
  }
  for (const query of [
    { q: 'иголки full' },
    { tag: 'веб' },
    { tag: 'дизайн' },
    { q: '%zz' },
    { q: 'ёлки', tag: 'café' },
  ]) {
    assert.deepEqual(await by(query), [], JSON.stringify(query))
  }
  assert.equal((await found('?q=&tag=')).total, 2003, 'empty filters are none')
  assert.equal((await found('?q=zymurgy')).total, 5)
  assert.equal((await found('?q=zymurgy&state=expired')).total, 0)
  assert.equal((await found('?tag=rare%20one')).total, 10)
  for (const task of made) await cancel(ada, task)
  assert.deepEqual(await by({ q: 'ёлк' }), [])
  assert.deepEqual(await by({ q: 'ёлк', state: 'cancelled' }), [russian])
})

test('common words are counted and paged too', async () => {
  const all = await found('?q=common')
  assert.deepEqual([all.titles.length, all.total], [20, 1995])
  assert.deepEqual(await found('?tag=ALL'), { ...(await found('')), total: 2000 })
  assert.equal((await found('?q=common&page=40&page_size=50')).titles.length, 45)
  assert.deepEqual(await found('?q=common&page=41&page_size=50'), { titles: [], total: 1995 })
  assert.equal((await found('?q=common&state=cancelled')).total, 6000)
  const many = await found('?tag=all&state=expired')
  assert.deepEqual([many.titles.length, many.total], [20, 10_001], 'the least that there are')
  assert.deepEqual(many.titles, (await found('?state=expired')).titles)
  const last = await found('?tag=all&state=expired&page=240&page_size=50')
  assert.deepEqual([last.titles.length, last.total], [50, 12_000], 'the last page knows')
  assert.deepEqual(await found('?tag=all&state=expired&page=300&page_size=50'), { titles: [], total: 10_001 })
})

test('a search that exceeds its time is aborted, and the board keeps working', async () => {
  await w.sql.transaction(async (tx) => {
    await tx`lock table listed_tasks in access exclusive mode`
    assert.equal(code(await w.request('GET', '/tasks?q=common')), '503 service_unavailable')
  })
  assert.equal(code(await w.request('GET', '/tasks?q=common')), '200')
})
