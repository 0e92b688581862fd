// Own orders in lists and one by one: filters, pages, order and history.
// docs/contract/orders.md#the-record.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { type Condition, forBoth, quick, type Shown, step, trade } from '../../../test/orders.ts'
import { pluck } from '../../../test/pluck.ts'
import { beforehand, story } from '../../../test/story.ts'
import { type Agent, befriend, code } from '../../../test/world.ts'

const { w, ada, bob, cleo } = story('cleo', { friends: ['ada', 'bob'] })
beforehand(() => befriend(ada, cleo))

const ids = (orders: Shown[]): string[] => orders.map(({ id }) => id)

test('your own orders are listed newest first, by role and by state, with exact totals', async () => {
  const all: Shown[] = []
  for (const [customer, contractor, to] of [
    [ada, bob, 'offered'],
    [bob, ada, 'funded'],
    [ada, cleo, 'delivered'],
    [ada, bob, 'accepted'],
    [bob, ada, 'cancelled'],
    [ada, cleo, 'refunded'],
    [ada, bob, 'disputed'],
    [bob, ada, 'rejected'],
    [cleo, ada, 'in_progress'],
  ] as [Agent, Agent, Condition][]) {
    all.unshift(await trade(w, customer, contractor, to))
  }
  for (const me of [ada, bob, cleo]) {
    const own = all.filter((order) => [order.customer_id, order.contractor_id].includes(me.id))
    for (const role of [undefined, 'customer', 'contractor'] as const) {
      for (const state of [
        undefined,
        'offered',
        'funded',
        'in_progress',
        'delivered',
        'disputed',
        'closed',
        'cancelled',
        'rejected',
      ]) {
        const wanted = own.filter((o) => (!role || o[`${role}_id`] === me.id) && (!state || o.state === state))
        const query = Object.entries({ role, state, page_size: 50 }).filter(([, value]) => value !== undefined)
        const { body } = await me.get(`/orders?${new URLSearchParams(query as [string, string][])}`)
        assert.deepEqual(body.orders.map(forBoth), wanted.map(forBoth))
        assert.deepEqual(body.pagination, { page: 1, page_size: 50, total: wanted.length })
      }
    }
    const paged: Shown[] = []
    for (let page = 1; page <= 4; page++) {
      const { body } = await me.get(`/orders?page=${page}&page_size=3`)
      assert.deepEqual(body.pagination, { page, page_size: 3, total: own.length })
      paged.push(...body.orders)
    }
    assert.deepEqual(ids(paged), ids(own))
  }
  assert.deepEqual((await ada.get('/orders?page=1000')).body.orders, [])
  const newcomer = await w.agent('newcomer')
  const { body } = await newcomer.get('/orders')
  assert.deepEqual(body, { orders: [], pagination: { page: 1, page_size: 20, total: 0 } })
})

test('the history lists each version with actor, reason, old and new state', async () => {
  const offered = await quick(ada, bob)
  const repriced = await step(bob, offered, 'reprice', { amount_minor: 2000 })
  const funded = await step(ada, repriced, 'accept')
  const disputed = await step(ada, funded, 'dispute', { reason: 'Too slow' })
  const escalated = await step(bob, disputed, 'escalate-dispute', { reason: 'Not so' })
  const { order, history } = (await bob.get(`/orders/${offered.id}`)).body
  assert.deepEqual(order, escalated)
  assert.deepEqual(
    history,
    [
      [offered, 'offer', ada, null, 'offered', null],
      [repriced, 'reprice', bob, 'offered', 'offered', null],
      [funded, 'accept', ada, 'offered', 'funded', null],
      [disputed, 'dispute', ada, 'funded', 'disputed', 'Too slow'],
      [escalated, 'escalate-dispute', bob, 'disputed', 'disputed', 'Not so'],
    ].map(([at, action, actor, from, to, reason], index) => ({
      version: index + 1,
      action,
      actor_id: (actor as Agent).id,
      from,
      to,
      reason,
      created_at: (at as Shown).updated_at,
    })),
  )
  const theirs = (await ada.get(`/orders/${offered.id.toUpperCase()}`)).body
  assert.deepEqual([forBoth(theirs.order), theirs.history], [forBoth(order), history])
})

test('an offer may be repriced ninety-nine times; then it lists no other price, and can still be ended', async () => {
  let order = await quick(ada, bob, { amount_minor: 1 })
  for (let n = 2; n <= 100; n++)
    order = await step(n % 2 ? ada : bob, order, 'reprice', n % 2 ? undefined : { amount_minor: n })
  const body = { operation_id: randomUUID(), expected_version: 100, amount_minor: 5, confirmed_total_minor: 6 }
  assert.equal(code(await ada.post(`/orders/${order.id}/reprice`, body)), '409 invalid_state')
  const [theirs, ours] = [await ada.get(`/orders/${order.id}`), await bob.get(`/orders/${order.id}`)]
  assert.equal(theirs.body.history.length, 100)
  const listed = [theirs, ours].map(({ body }) => pluck(body.order.actions, 'name'))
  assert.deepEqual(listed, [['accept', 'reject'], ['cancel']])
  assert.equal((await step(ada, order, 'accept')).state, 'funded')
})
