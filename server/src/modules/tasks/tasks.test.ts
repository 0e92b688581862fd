// Tasks and bids from the board to a funded order: what is taken, what is refused, and who sees what of it.
// docs/contract/tasks.md.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { heard } from '../../../test/heard.ts'
import { inTime, money, type Shown } from '../../../test/orders.ts'
import { story } from '../../../test/story.ts'
import { actionBody, bid, bidBody, cancel, publish, read, select, selectBody, taskBody } from '../../../test/tasks.ts'
import { type Agent, code } from '../../../test/world.ts'
import { days, hours, minutes } from '../../kernel/clock.ts'

const { w, ada, bob, cara } = story('ada', 'bob', 'cara')

const fieldOf = (answer: { body: { error: { details: { fields: { path: string }[] } } } }): string | undefined =>
  answer.body.error.details.fields[0]?.path

test('a task moves from the board through a bid to a funded order', async () => {
  const task = await publish(w, ada, { title: '  A menu  ', description: 'Two pages\r\nA4', tags: ['Menu', 'print'] })
  const { created_at: createdAt, ...rest } = task
  assert.deepEqual(rest, {
    id: task.id,
    customer_id: ada.id,
    customer: { id: ada.id, handle: 'ada', display_name: 'ada' },
    title: 'A menu',
    description: 'Two pages\nA4',
    tags: ['Menu', 'print'],
    budget_minor: null,
    deadline: task.deadline,
    bids_close_at: new Date(Date.parse(createdAt) + days(7)).toISOString(),
    state: 'open',
    version: 1,
    bids_count: 0,
    order_id: null,
    updated_at: createdAt,
  })
  assert.deepEqual((await read(w, task)).body, { task }, 'nobody needs a token')
  const offered = await bid(w, bob, task, { amount_minor: 1005, text: 'Two pages,\r\nas wished' })
  assert.deepEqual(
    [offered.bidder, offered.amount_minor, offered.fee_minor, offered.total_minor, offered.text, offered.state],
    [{ id: bob.id, handle: 'bob', display_name: 'bob' }, 1005, 101, 1106, 'Two pages,\nas wished', 'open'],
  )
  const other = await bid(w, cara, task)
  assert.equal((await read(w, task)).body.task.bids_count, 2)
  assert.equal((await read(w, task)).body.task.version, 1, 'bids are no change of the task')
  const before = await money(ada)
  const choice = selectBody(task, offered)
  const answer = await ada.post(`/tasks/${task.id}/select`, choice)
  assert.equal(code(answer), '201')
  const made = answer.body
  assert.deepEqual(await money(ada), [before[0] - 1106, before[1] + 1106])
  assert.deepEqual(
    [made.task.state, made.task.version, made.task.order_id, made.task.bids_count],
    ['selected', 2, made.order.id, 2],
  )
  assert.deepEqual([made.bid.id, made.bid.state, made.bid.version], [offered.id, 'selected', 2])
  assert.deepEqual(
    [made.order.state, made.order.version, made.order.title, made.order.description, made.order.deadline],
    ['funded', 1, 'A menu', 'Two pages\nA4', offered.deadline],
  )
  assert.deepEqual(
    [made.order.customer_id, made.order.contractor_id, made.order.offer_author_id, made.order.total_minor],
    [ada.id, bob.id, bob.id, 1106],
  )
  const again = await ada.post(`/tasks/${task.id}/select`, choice)
  assert.deepEqual([again.status, again.body], [200, made], 'a replay answers the same')
  assert.deepEqual(await money(ada), [before[0] - 1106, before[1] + 1106])
  const [lost] = (await cara.get('/bids/mine')).body.bids
  assert.deepEqual([lost.id, lost.state, lost.version], [other.id, 'rejected', 2])
  const { history } = (await bob.get(`/orders/${made.order.id}`)).body
  assert.deepEqual(
    history.map(({ action, actor_id, from, to }: Shown) => [action, actor_id, from, to]),
    [['select', ada.id, null, 'funded']],
  )
})

test("a task's budget and deadlines have limits, and deadlines lie ahead", async () => {
  const dora = await w.agent('dora')
  const ok = async (fields: object) => assert.equal(code(await dora.post('/tasks', taskBody(w, { ...fields }))), '201')
  const wrong = async (path: string, fields: object) => {
    const answer = await dora.post('/tasks', taskBody(w, { ...fields }))
    assert.equal(code(answer), '400 invalid_input', JSON.stringify(fields).slice(0, 80))
    assert.equal(fieldOf(answer), path)
  }
  for (const budget of [null, 1, 1e12]) await ok({ budget_minor: budget })
  await ok({ deadline: inTime(w, minutes(1)) })
  await wrong('deadline', { deadline: inTime(w, -1) })
  await ok({ bids_close_at: inTime(w, minutes(1)) })
  await ok({ bids_close_at: inTime(w, days(30) - minutes(1)) })
  for (const close of [inTime(w, -1), inTime(w, days(30) + minutes(1))]) {
    await wrong('bids_close_at', { bids_close_at: close })
  }
})

test("a bid's price and deadline have limits, when bidding and when changing it", async () => {
  const [eva, finn] = [await w.agent('eva'), await w.agent('finn')]
  const task = await publish(w, eva)
  const standing = await bid(w, finn, task, { amount_minor: 909_090_909_091, text: '界'.repeat(4000) })
  assert.equal(standing.total_minor, 1e12)
  const wrong = { amount_minor: [909_090_909_092, 1e12], deadline: [inTime(w, -1)] }
  for (const [path, values] of Object.entries(wrong)) {
    for (const value of values) {
      const answers = [
        await finn.post(`/tasks/${task.id}/bids`, bidBody(w, { [path]: value })),
        await finn.patch(`/bids/${standing.id}`, actionBody(standing, { [path]: value })),
      ]
      for (const answer of answers) {
        assert.equal(code(answer), '400 invalid_input', `${path} ${value}`)
        assert.equal(fieldOf(answer), path)
      }
    }
  }
  assert.equal(
    code(await finn.patch(`/bids/${standing.id}`, actionBody(standing))),
    '400 invalid_input',
    'nothing to change',
  )
  const changed = await finn.patch(`/bids/${standing.id}`, actionBody(standing, { amount_minor: 2000 }))
  assert.equal(code(changed), '200')
  assert.deepEqual(
    [changed.body.bid.total_minor, changed.body.bid.text, changed.body.bid.version, changed.body.bid.deadline],
    [2200, standing.text, 2, standing.deadline],
  )
})

test('only its bidder and the customer see a bid: a stranger gets an empty list', async () => {
  const [gil, hana] = [await w.agent('gil'), await w.agent('hana')]
  const task = await publish(w, gil, { title: 'Of secrets' })
  const [one, two] = [await bid(w, bob, task, { text: 'My secret price' }), await bid(w, cara, task)]
  const idsOf = async (who: Agent) => {
    const { body } = await who.get(`/tasks/${task.id}/bids`)
    assert.equal(body.pagination.total, body.bids.length)
    return body.bids.map(({ id }: Shown) => id)
  }
  assert.deepEqual(await idsOf(gil), [two.id, one.id], 'newest first')
  assert.deepEqual(await idsOf(bob), [one.id])
  assert.deepEqual(await idsOf(hana), [])
  assert.equal(code(await w.request('GET', `/tasks/${task.id}/bids`)), '401 unauthorized')
  const list = await w.request('GET', '/tasks?q=secrets')
  assert.equal(list.body.pagination.total, 1)
  assert.ok(!JSON.stringify([list.body, (await read(w, task)).body]).includes('secret price'))
  for (const [who, expected] of [
    [gil, '403 forbidden'],
    [hana, '404 not_found'],
    [cara, '404 not_found'],
  ] as const) {
    assert.equal(code(await who.patch(`/bids/${one.id}`, actionBody(one, { text: 'Mine' }))), expected)
    assert.equal(code(await who.post(`/bids/${one.id}/withdraw`, actionBody(one))), expected)
  }
  for (const who of [bob, hana]) {
    assert.equal(code(await who.post(`/tasks/${task.id}/cancel`, actionBody(task))), '403 forbidden')
    assert.equal(code(await who.post(`/tasks/${task.id}/select`, selectBody(task, one))), '403 forbidden')
  }
  const second = await publish(w, gil)
  assert.equal(
    code(await gil.post(`/tasks/${second.id}/select`, selectBody(second, one))),
    '404 not_found',
    'a bid on another task',
  )
  assert.equal(
    code(await gil.post(`/tasks/${task.id}/select`, selectBody(task, { ...one, id: randomUUID() }))),
    '404 not_found',
  )
  assert.equal(code(await gil.post(`/tasks/${task.id}/bids`, bidBody(w))), '403 forbidden', 'an own task')
  assert.equal(code(await bob.post(`/tasks/${randomUUID()}/bids`, bidBody(w))), '404 not_found')
  assert.equal(code(await w.request('GET', `/tasks/${task.id}`, { token: 'kith_wrong' })), '401 unauthorized')
  assert.equal(code(await w.request('GET', '/tasks', { token: 'kith_wrong' })), '401 unauthorized')
})

test('a second open bid is refused, another is accepted after a withdrawal, and ten are the limit', async () => {
  const ivy = await w.agent('ivy')
  const task = await publish(w, ivy)
  const url = `/tasks/${task.id}/bids`
  for (let n = 1; n <= 10; n++) {
    const standing = await bid(w, bob, task)
    assert.equal(code(await bob.post(url, bidBody(w))), '409 state_conflict')
    assert.equal((await read(w, task)).body.task.bids_count, 1)
    const withdrawn = await bob.post(`/bids/${standing.id}/withdraw`, actionBody(standing))
    assert.deepEqual([withdrawn.body.bid.state, withdrawn.body.bid.version], ['withdrawn', 2])
    assert.equal((await read(w, task)).body.task.bids_count, 0)
  }
  const excess = await bob.post(url, bidBody(w))
  assert.equal(code(excess), '429 request_limit')
  assert.match(excess.headers.get('retry-after') ?? '', /^\d+$/)
  assert.equal((await bob.get(url)).body.pagination.total, 10)
})

test('refusals come in a fixed order: side, versions, states, total, money', async () => {
  const [jon, ned] = [await w.agent('jon'), await w.agent('ned')]
  const task = await publish(w, jon)
  const offered = await bid(w, ned, task, { amount_minor: 10_000_000 })
  const tried = async (fields: object, who = jon) =>
    code(await who.post(`/tasks/${task.id}/select`, selectBody(task, offered, { ...fields })))
  const all = { expected_version: 7, expected_bid_version: 7, confirmed_total_minor: 7 }
  assert.equal(await tried(all, ned), '403 forbidden')
  assert.equal(await tried(all), '409 version_conflict')
  assert.equal(await tried({ ...all, expected_version: 1 }), '409 version_conflict')
  assert.equal(await tried({ confirmed_total_minor: 7 }), '409 state_conflict')
  const before = await money(jon)
  assert.equal(await tried({}), '409 insufficient_funds')
  assert.deepEqual(await money(jon), before)
  assert.deepEqual((await read(w, task)).body.task, { ...task, bids_count: 1 }, 'nothing happened')
  assert.deepEqual((await ned.get('/bids/mine')).body.bids, [offered])
  assert.deepEqual(await heard(w, ned, 'task.changed', 'bid.changed', 'order.changed'), [])
  assert.equal((await jon.get('/orders')).body.pagination.total, 0)
  assert.equal((await jon.get('/wallet/history')).body.entries.length, 1)
})

test('neither side can leave a final state', async () => {
  const kim = await w.agent('kim')
  const moves = (task: Shown, made: Shown) => ({
    cancel: () => kim.post(`/tasks/${task.id}/cancel`, actionBody(task)),
    select: () => kim.post(`/tasks/${task.id}/select`, selectBody(task, made)),
    bid: () => cara.post(`/tasks/${task.id}/bids`, bidBody(w)),
    change: () => bob.patch(`/bids/${made.id}`, actionBody(made, { text: 'Later' })),
    withdraw: () => bob.post(`/bids/${made.id}/withdraw`, actionBody(made)),
  })
  const ends: Record<string, (task: Shown, made: Shown) => Promise<unknown>> = {
    selected: (task, made) => select(kim, task, made),
    cancelled: (task) => cancel(kim, task),
  }
  for (const [state, end] of Object.entries(ends)) {
    const [task, made] = await (async () => {
      const task = await publish(w, kim)
      return [task, await bid(w, bob, task)]
    })()
    await end(task, made)
    const now = (await read(w, task)).body.task
    const ended = (await bob.get('/bids/mine')).body.bids[0]
    assert.deepEqual([now.state, ended.state], [state, state === 'selected' ? 'selected' : 'rejected'])
    for (const [move, attempt] of Object.entries(moves(now, ended))) {
      assert.equal(code(await attempt()), '409 invalid_state', `${move} of one that is ${state}`)
    }
    assert.equal(code(await kim.post(`/tasks/${task.id}/cancel`, actionBody(task))), '409 version_conflict')
  }
  const task = await publish(w, kim)
  const made = await bid(w, bob, task)
  const { body } = await bob.post(`/bids/${made.id}/withdraw`, actionBody(made))
  const over = moves(task, body.bid)
  for (const move of ['select', 'change', 'withdraw'] as const) {
    assert.equal(code(await over[move]()), '409 invalid_state', `${move} of a withdrawn bid`)
  }
})

test('a bid past its own deadline cannot be selected, and a renewed one can', async () => {
  const lea = await w.agent('lea')
  const task = await publish(w, lea)
  const made = await bid(w, bob, task, { deadline: inTime(w, hours(1)) })
  w.travel(hours(2))
  assert.equal(code(await lea.post(`/tasks/${task.id}/select`, selectBody(task, made))), '409 invalid_state')
  const { body } = await bob.patch(`/bids/${made.id}`, actionBody(made, { deadline: inTime(w, hours(1)) }))
  assert.equal(code(await lea.post(`/tasks/${task.id}/select`, selectBody(task, made))), '409 version_conflict')
  await select(lea, task, body.bid)
})
