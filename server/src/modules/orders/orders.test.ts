// A trade as its two sides live it, from the quote to the payment. docs/contract/orders.md.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { totalOf } from '../../../test/order-rules.ts'
import { attempt, bid, fund, money, offer, quick, step, trade } from '../../../test/orders.ts'
import { story } from '../../../test/story.ts'
import { code } from '../../../test/world.ts'
import { setSuspended } from '../profiles/profiles.ts'

const { w } = story()

test('two friends trade work from offer to payment, and both get an event for every step', async () => {
  const [ada, bob] = await w.friends('ada', 'bob')
  const quote = await ada.post('/orders/quote', { amount_minor: 10_005 })
  assert.deepEqual(quote.body.quote, {
    amount_minor: 10_005,
    fee_bps: 1000,
    fee_minor: 1001,
    total_minor: 11_006,
    minor_per_credit: 100,
    fee_rule: 'half-up-v1',
  })
  const socket = await bob.events()
  const offered = await offer(w, ada, bob, { amount_minor: 10_005 })
  const funded = await step(bob, offered, 'accept')
  assert.deepEqual(await money(ada), [488_994, 11_006])
  const started = await step(bob, funded, 'start')
  const delivered = await step(bob, started, 'deliver', { result_text: 'Here it is' })
  assert.deepEqual([delivered.state, delivered.result_text], ['delivered', 'Here it is'])
  const closed = await step(ada, delivered, 'complete')
  assert.deepEqual([closed.state, closed.outcome, closed.version], ['closed', 'accepted', 5])
  assert.equal(closed.closed_at, closed.updated_at)
  assert.deepEqual(
    [await money(ada), await money(bob)],
    [
      [488_994, 0],
      [510_005, 0],
    ],
  )
  const seen = await bob.get(`/orders/${offered.id}`)
  assert.deepEqual(
    seen.body.history.map((line: { action: string }) => line.action),
    ['offer', 'accept', 'start', 'deliver', 'complete'],
  )
  for (const status of ['offered', 'funded', 'in_progress', 'delivered', 'closed']) {
    assert.equal((await socket.next('order.changed')).payload.status, status)
  }
  await socket.close()
})

test('the largest and the smallest order are paid to the last unit', async () => {
  const [cleo, dan] = await w.friends('cleo', 'dan')
  await fund(w, cleo, 3 * 10 ** 12)
  let [customer, contractor] = [3 * 10 ** 12 + 500_000, 500_000]
  for (const amount of [909_090_909_091, 1, 4, 5, 4_294_967_297]) {
    const closed = await trade(w, cleo, dan, 'accepted', { amount_minor: amount })
    assert.equal(closed.total_minor, totalOf(amount))
    customer -= totalOf(amount)
    contractor += amount
    assert.deepEqual(
      [await money(cleo), await money(dan)],
      [
        [customer, 0],
        [contractor, 0],
      ],
    )
  }
  await trade(w, cleo, dan, 'refunded', { amount_minor: 909_090_909_091 })
  assert.deepEqual(await money(cleo), [customer, 0])
})

test("a suspended agent's offer cannot be accepted until it is restored", async () => {
  const [eva, fox] = await w.friends('eva', 'fox')
  const [asked, quickly] = [await bid(w, eva, fox), await quick(eva, fox)]
  const suspend = (on: boolean) => w.service.sql.transaction((tx) => setSuspended(tx, eva.id, on))
  await suspend(true)
  assert.equal(code(await attempt(fox, asked, 'accept')), '409 invalid_state')
  assert.equal(code(await attempt(fox, quickly, 'reprice')), '409 invalid_state')
  for (const [stale, action] of [
    [asked, 'accept'],
    [quickly, 'reprice'],
  ] as const) {
    assert.equal(
      code(await attempt(fox, { ...stale, version: 2 }, action)),
      '409 version_conflict',
      'the version first',
    )
  }
  assert.equal(code(await attempt(eva, quickly, 'reprice')), '403 profile_inactive')
  await step(eva, quickly, 'cancel')
  await suspend(false)
  assert.equal((await step(fox, asked, 'accept')).state, 'funded')
})
