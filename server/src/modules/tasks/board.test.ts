// The board as everyone reads it: pages, words of every language, tags, states; and with twenty thousand tasks each list goes by the
// index that was made for it, whether PostgreSQL plans for its values or not. docs/contract/tasks.md#the-board.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Shown } from '../../../test/orders.ts'
import { planModes, plansOf } from '../../../test/plans.ts'
import { bid, cancel, publish, type Seed, seedTasks } from '../../../test/tasks.ts'
import { vacuum } from '../../../test/vacuum.ts'
import { type Agent, code, type World, world } from '../../../test/world.ts'
import { own as ownBids } from './bids.ts'
import { board, type Filter, own } from './board.ts'
import type { TaskState } from './machine.ts'

const seeded = 20_000
let w: World
let ada: Agent
const customers: Agent[] = []
const stateOf = (n: number): TaskState => (n % 10 === 0 ? 'open' : n % 10 < 4 ? 'cancelled' : 'expired')
before(async () => {
  w = await world()
  ada = await w.agent('ada')
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
after(() => w.close())

const found = async (query: string): Promise<{ titles: string[]; total: number }> => {
  const answer = await w.request('GET', `/tasks${query}`)
  assert.equal(code(answer), '200', query)
  return { titles: answer.body.tasks.map(({ title }: Shown) => title), total: answer.body.pagination.total }
}

test('the board is the open tasks, newest first, page by page, each once', async () => {
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

test('words are found in titles, descriptions and tags, in any language, all of them; tags whole', async () => {
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

test('what many have is counted and paged too', async () => {
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

test('a search that finds nothing in its time is given up, and the board goes on', async () => {
  await w.sql.transaction(async (tx) => {
    await tx`lock table listed_tasks in access exclusive mode`
    assert.equal(code(await w.request('GET', '/tasks?q=common')), '503 service_unavailable')
  })
  assert.equal(code(await w.request('GET', '/tasks?q=common')), '200')
})

const everything: Filter = { page: 1, page_size: 20, q: '', tag: '', state: 'open' }
const readsAll = /Seq Scan on (tasks|listed_tasks|bids|agents|hidden)/

async function eachPlan(filter: Partial<Filter>, check: (plans: string[], told: string) => void): Promise<void> {
  for (const mode of planModes) {
    const plans = await plansOf(w.sql, mode, (sql) => board(sql, w.now(), { ...everything, ...filter }))
    for (const plan of plans) assert.doesNotMatch(plan, readsAll, `${mode} ${JSON.stringify(filter)}\n${plan}`)
    check(plans, `${mode} ${JSON.stringify(filter)}`)
  }
}

/** The most rows that one step of a plan gave, in all its rounds. */
const mostRows = (plan: string): number =>
  Math.max(
    ...[...plan.matchAll(/actual rows=([\d.]+) loops=(\d+)/g)].map(([, rows, loops]) => Number(rows) * Number(loops)),
  )

test('a page reads the index of its state, and no more rows than lie before its end', async () => {
  for (const filter of [
    {},
    { page: 90 },
    { state: 'cancelled' as const, page: 100, page_size: 50 },
    { state: 'expired' as const },
    { state: 'expired' as const, page: 100 },
  ]) {
    const { page, page_size } = { ...everything, ...filter }
    await eachPlan(filter, (plans, told) => {
      assert.ok(
        plans.some((plan) => /Scan using listed_tasks_newest on/.test(plan)),
        told,
      )
      for (const plan of plans) {
        assert.ok(mostRows(plan) <= page * page_size + 60, `${told} reads ${mostRows(plan)} rows:\n${plan}`)
      }
    })
  }
})

test('words and tags that few have are found by their grams, of tasks that are open or of those that are not', async () => {
  for (const [filter, index] of [
    [{ q: 'zymurgy' }, 'tasks_open_by_gram'],
    [{ q: '酿酒' }, 'tasks_open_by_gram'],
    [{ q: 'zymurgy common' }, 'tasks_open_by_gram'],
    [{ tag: 'rare one' }, 'tasks_open_by_gram'],
    [{ q: 'number 1234', state: 'cancelled' as const }, 'tasks_ended_by_gram'],
    [{ q: 'number 1234', state: 'expired' as const }, 'tasks_ended_by_gram'],
  ] as const) {
    await eachPlan(filter, (plans, told) => {
      assert.ok(
        plans.some((plan) => plan.includes(`Bitmap Index Scan on ${index}`)),
        `${told}\n${plans[1]}`,
      )
      for (const plan of plans) assert.ok(mostRows(plan) <= 300, `${told} reads ${mostRows(plan)} rows:\n${plan}`)
    })
  }
})

test('your own tasks and bids go by their index', async () => {
  const bob = await w.agent('bob')
  const [task] = (await w.request('GET', '/tasks')).body.tasks
  await bid(w, bob, task)
  await w.sql`
    insert into bids (id, task_id, bidder_id, amount_minor, fee_bps, fee_minor, total_minor, deadline, text, state,
      created_at, updated_at)
    select gen_random_uuid(), t.id, a.id, 1000, 1000, 100, 1100, t.deadline, 'x', 'rejected', t.created_at, t.updated_at
    from (select * from tasks where state = 'cancelled' limit 1000) t, agents a where a.id <> t.customer_id`
  await w.sql`
    update tasks t set bids_count = (select count(*) from bids b where b.task_id = t.id) where state = 'cancelled'`
  await vacuum(w.sql, 'bids')
  const customer = customers[3] as Agent
  const filters = { page: 2, page_size: 20, state: undefined }
  for (const mode of planModes) {
    const plans = [
      ...(await plansOf(w.sql, mode, (sql) => own(sql, customer.id, w.now(), filters))),
      ...(await plansOf(w.sql, mode, (sql) => own(sql, customer.id, w.now(), { ...filters, state: 'expired' }))),
      ...(await plansOf(w.sql, mode, (sql) => ownBids(sql, { id: bob.id } as never, w.now(), filters))),
      ...(await plansOf(w.sql, mode, (sql) =>
        ownBids(sql, { id: bob.id } as never, w.now(), { ...filters, state: 'open' }),
      )),
    ]
    for (const plan of plans) assert.doesNotMatch(plan, readsAll)
    assert.ok(plans.some((plan) => /tasks_of_customer/.test(plan)))
    assert.ok(plans.some((plan) => /bids_of_bidder/.test(plan)))
  }
})
