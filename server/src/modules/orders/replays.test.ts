// A lost response can be had again: replays of offers and actions, and what one operation ID covers.
// docs/contract/representation.md#idempotency.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import {
  attempt,
  bid,
  bidBody,
  bring,
  forBoth,
  fund,
  inTime,
  money,
  offer,
  offerBody,
  quick,
  quickBody,
  reread,
  step,
  stepBody,
  trade,
} from '../../../test/orders.ts'
import { beforehand, story } from '../../../test/story.ts'
import { turnSuspended } from '../../../test/turning.ts'
import { type Agent, code, race } from '../../../test/world.ts'
import { days, hours, minutes } from '../../kernel/clock.ts'

const { w, ada, bob } = story({ friends: ['ada', 'bob'] })
const there = beforehand(() => w.node())
beforehand(() => fund(w, ada, 10_000_000))

test('a repeated offer returns the current order, however it is written', async () => {
  const body = offerBody(w, bob, { title: 'Blue' })
  const first = await ada.post('/orders', body)
  assert.equal(code(first), '201')
  const { order } = first.body
  const id = body['operation_id'] as string
  const local = new Date(Date.parse(order.deadline) + hours(9)).toISOString().replace('Z', '+0900')
  const others = [
    body,
    Object.fromEntries(Object.entries(body).reverse()),
    { ...body, operation_id: id.toUpperCase(), contractor_id: bob.id.toUpperCase() },
    { ...body, title: '  Blue ', description: ' Round, and blue\r\n' },
    { ...body, input_attachment_ids: [] },
    { ...body, deadline: local },
  ]
  for (const again of others) {
    const answer = await ada.post('/orders', again)
    assert.equal(code(answer), '200')
    assert.deepEqual(answer.body, first.body)
  }
  const raw = JSON.stringify(body).replace('1000,', '1.000e3,').replace('1100', '1100.0')
  assert.equal(code(await w.request('POST', '/orders', { token: ada.token, raw })), '200')
  const funded = await step(bob, order, 'accept')
  assert.deepEqual(forBoth((await ada.post('/orders', body)).body.order), forBoth(funded))

  for (const change of [
    { title: 'blue' },
    { amount_minor: 1001, confirmed_total_minor: 1101 },
    { description: 'Round' },
    { deadline: inTime(w, days(8)) },
    { contractor_id: randomUUID() },
    { input_attachment_ids: [randomUUID()] },
  ]) {
    assert.equal(
      code(await ada.post('/orders', { ...body, ...change })),
      '409 idempotency_conflict',
      JSON.stringify(change),
    )
  }
  assert.equal(code(await ada.post('/orders/quick', body)), '409 idempotency_conflict', 'another operation')
  assert.equal(code(await attempt(ada, order, 'cancel', { operation_id: id })), '409 idempotency_conflict')
  assert.equal(code(await bob.post('/orders', bidBody(w, ada, { operation_id: id }))), '201', 'each has its own ids')
})

test('a quick offer with explicit defaults is the same offer', async () => {
  const body = quickBody(bob)
  const first = await ada.post('/orders/quick', body)
  assert.equal(code(first), '201')
  for (const again of [{ description: '' }, { description: ' \r\n ' }, { input_attachment_ids: [] }]) {
    const answer = await ada.post('/orders/quick', { ...body, ...again })
    assert.deepEqual([code(answer), answer.body.order.id], ['200', first.body.order.id])
  }
  assert.equal(code(await ada.post('/orders/quick', { ...body, description: 'x' })), '409 idempotency_conflict')
  w.travel(hours(25))
  assert.equal(code(await ada.post('/orders/quick', body)), '200', 'also after its deadline')
})

test('a repeated action changes nothing, and returns the current order', async () => {
  const order = await offer(w, ada, bob)
  const accepting = stepBody(bob, order, 'accept')
  const path = `/orders/${order.id}`
  const funded = (await bob.post(`${path}/accept`, accepting)).body.order
  const delivering = stepBody(bob, funded, 'deliver', { result_text: 'Done' })
  assert.equal(code(await bob.post(`${path}/deliver`, delivering)), '200')
  for (const again of [
    delivering,
    { ...delivering, result_text: ' Done\r\n' },
    { ...delivering, result_attachment_ids: [] },
    { ...delivering, operation_id: (delivering['operation_id'] as string).toUpperCase() },
  ]) {
    assert.equal(code(await bob.post(`${path}/deliver`, again)), '200')
  }
  assert.equal(code(await bob.post(`/orders/${order.id.toUpperCase()}/deliver`, delivering)), '200')
  const late = await bob.post(`${path}/accept`, accepting)
  assert.deepEqual([code(late), late.body.order.state, late.body.order.version], ['200', 'delivered', 3])
  const credits = await money(ada)
  const completing = stepBody(ada, late.body.order, 'complete')
  const closed = (await ada.post(`${path}/complete`, completing)).body.order
  for (let n = 0; n < 3; n++) assert.deepEqual((await ada.post(`${path}/complete`, completing)).body.order, closed)
  assert.deepEqual(await money(ada), [credits[0], credits[1] - 1100])
  assert.deepEqual(
    (await bob.get(path)).body.history.map((line: { version: number }) => line.version),
    [1, 2, 3, 4],
  )

  const conflict = '409 idempotency_conflict'
  assert.equal(code(await bob.post(`${path}/accept`, { ...accepting, expected_version: 4 })), conflict)
  assert.equal(code(await bob.post(`${path}/accept`, { ...accepting, confirmed_total_minor: 1 })), conflict)
  assert.equal(
    code(await bob.post(`${path}/start`, { operation_id: accepting['operation_id'], expected_version: 1 })),
    conflict,
  )
  assert.equal(code(await bob.post(`${path}/deliver`, { ...delivering, result_text: 'done' })), conflict)
  const another = await offer(w, ada, bob)
  assert.equal(code(await bob.post(`/orders/${another.id}/accept`, accepting)), conflict, 'another order')
})

test('a replay is answered before gates, friendship, deadlines and states', async () => {
  const [cat, dan, contact] = await w.friends('cat', 'dan')
  const body = offerBody(w, dan, { deadline: inTime(w, minutes(5)) })
  const order = (await cat.post('/orders', body)).body.order
  const accepting = stepBody(dan, order, 'accept')
  const funded = (await dan.post(`/orders/${order.id}/accept`, accepting)).body.order
  w.travel(minutes(10))
  await dan.post(`/contacts/${contact}/block`)
  for (const each of [cat, dan]) await turnSuspended(w, each.id, true)
  const offered = await cat.post('/orders', body)
  const accepted = await dan.post(`/orders/${order.id}/accept`, accepting)
  assert.deepEqual([code(offered), code(accepted)], ['200', '200'])
  assert.deepEqual([offered.body.order, accepted.body.order].map(forBoth), [funded, funded].map(forBoth))
  const other = { ...accepting, confirmed_total_minor: 1 }
  assert.equal(code(await dan.post(`/orders/${order.id}/accept`, other)), '409 idempotency_conflict', 'before the gate')
  assert.equal(code(await cat.post('/orders', offerBody(w, dan))), '403 profile_inactive')
})

test('a refused request does not use up its ID', async () => {
  const [eva, fox] = await w.friends('eva', 'fox')
  const id = randomUUID()
  const dear = await bid(w, fox, eva, { amount_minor: 900_000 })
  const accepting = stepBody(eva, dear, 'accept', { operation_id: id })
  const path = `/orders/${dear.id}/accept`
  assert.equal(code(await eva.post(path, { ...accepting, expected_version: 2 })), '409 version_conflict')
  assert.equal(code(await eva.post(path, { ...accepting, confirmed_total_minor: 2 })), '409 state_conflict')
  assert.equal(code(await eva.post(path, accepting)), '409 insufficient_funds')
  assert.equal(code(await eva.post(path, { ...accepting, surprise: 1 })), '400 invalid_input')
  assert.equal(
    code(await eva.post('/orders', offerBody(w, { id: randomUUID() } as Agent, { operation_id: id }))),
    '404 not_found',
  )
  await fund(w, eva, 1_000_000)
  assert.equal(code(await eva.post(path, accepting)), '200', 'the same request, once there is money')
  assert.deepEqual(await money(eva), [510_000, 990_000])
  assert.equal(code(await eva.post(path, accepting)), '200')
})

test('twenty identical offers create one order, and twenty identical actions one step', async () => {
  for (const path of ['/orders', '/orders/quick']) {
    const body = path === '/orders' ? offerBody(w, bob) : quickBody(bob)
    const answers = await race(20, () => ada.post(path, body))
    assert.deepEqual(answers.map(code).sort(), [...Array(19).fill('200'), '201'])
    assert.equal(new Set(answers.map((answer) => answer.body.order.id)).size, 1)
  }
  const order = await offer(w, ada, bob)
  const credits = await money(ada)
  const body = stepBody(bob, order, 'accept')
  const answers = await race(20, () => bob.post(`/orders/${order.id}/accept`, body))
  assert.deepEqual([...new Set(answers.map(code))], ['200'])
  assert.deepEqual([...new Set(answers.map((answer) => answer.body.order.version))], [2])
  assert.deepEqual(await money(ada), [credits[0] - 1100, credits[1] + 1100])
  assert.equal((await ada.get(`/orders/${order.id}`)).body.history.length, 2)
})

test('of twenty offers with one ID and different contents one is created', async () => {
  const id = randomUUID()
  const answers = await race(20, (n) => ada.post('/orders', offerBody(w, bob, { operation_id: id, title: `No ${n}` })))
  assert.deepEqual(answers.map(code).sort(), ['201', ...Array(19).fill('409 idempotency_conflict')])
})

test('one operation ID for two offers and three actions at once: one of them happens', async () => {
  const [sal, tim] = await w.friends('sal', 'tim')
  for (let round = 0; round < 3; round++) {
    const standing = [await offer(w, sal, tim), await quick(sal, tim), await trade(w, sal, tim, 'funded')]
    const [direct, quickly, funded] = standing
    const operation = { operation_id: randomUUID() }
    const bare = { ...operation, title: 'Mine', amount_minor: 1000, customer_id: sal.id }
    const requests: [string, object][] = [
      ['/orders', bidBody(w, sal, operation)],
      ['/orders/quick', bare],
      [`/orders/${direct.id}/accept`, stepBody(tim, direct, 'accept', operation)],
      [`/orders/${quickly.id}/reprice`, stepBody(tim, quickly, 'reprice', operation)],
      [`/orders/${funded.id}/deliver`, stepBody(tim, funded, 'deliver', operation)],
    ]
    const count = async (): Promise<number> => (await tim.get('/orders')).body.pagination.total
    const before = await count()
    const answers = await race(20, (n) => {
      const [path, body] = requests[(n + round) % requests.length] as [string, object]
      return (n % 4 < 2 ? w : there).request('POST', path, { token: tim.token, json: body })
    })
    const won = answers.flatMap(({ status }, n) => (status < 300 ? [(n + round) % requests.length] : []))
    assert.deepEqual([won.length, new Set(won).size], [4, 1], `${answers.map(code)}`)
    const lost = answers.filter(({ status }) => status >= 300)
    assert.deepEqual([...new Set(lost.map(code))], ['409 idempotency_conflict'])
    const now = await Promise.all(standing.map((order) => reread(tim, order)))
    const steps = now.map(({ version }, n) => version - standing[n].version)
    assert.equal((await count()) - before + steps.reduce((sum, each) => sum + each), 1)
  }
})

test('both sides get an event for every version, with only the ID, state and version', async () => {
  const [gus, hal] = await w.friends('gus', 'hal')
  const [mine, yours] = [await gus.events(1), await hal.events()]
  const order = await bring({ customer: gus, contractor: hal }, await offer(w, gus, hal), 'refunded')
  assert.equal(code(await attempt(gus, order, 'complete')), '409 invalid_state')
  await attempt(hal, order, 'start')
  const next = await step(gus, await offer(w, gus, hal), 'cancel')
  const expected = [
    ...['offered', 'funded', 'disputed', 'closed'].map((status, at) => ({
      order_id: order.id,
      status,
      version: at + 1,
    })),
    { order_id: next.id, status: 'offered', version: 1 },
    { order_id: next.id, status: 'cancelled', version: 2 },
  ]
  for (const socket of [mine, yours]) {
    const heard = []
    for (const _ of expected) heard.push((await socket.next('order.changed')).payload)
    assert.deepEqual(heard, expected)
    await socket.close()
  }
  assert.deepEqual(forBoth(await reread(hal, next)), forBoth(next))
})
