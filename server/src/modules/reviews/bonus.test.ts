// The bonus for a filed form: whom it is paid to, how often, and what the ledger says of it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bring, money, offer, type Shown } from '../../../test/orders.ts'
import { reviewBody } from '../../../test/reviews.ts'
import { story } from '../../../test/story.ts'
import { type Agent, befriend, code, race } from '../../../test/world.ts'
import { days, hours, minutes } from '../../kernel/clock.ts'
import { grant, maxBalance } from '../wallet/wallet.ts'

const { w } = story()

/** Two friends, both with a verified email, and orders between them that were accepted. */
async function traders(one: string, two: string, orders: number, at = w): Promise<[Agent, Agent, Shown[]]> {
  const [ada, bob] = [
    await at.agentWithEmail(one, `${one}@example.org`),
    await at.agentWithEmail(two, `${two}@example.org`),
  ]
  await befriend(ada, bob)
  return [ada, bob, await accepted(ada, bob, orders, at)]
}

async function accepted(customer: Agent, contractor: Agent, count: number, at = w): Promise<Shown[]> {
  const orders: Shown[] = []
  for (let n = 0; n < count; n++) {
    orders.push(
      await bring({ customer, contractor }, await offer(at, customer, contractor, { amount_minor: 10 }), 'accepted'),
    )
  }
  return orders
}

const file = (who: Agent, order: Shown) =>
  who.post(`/orders/${order.id}/reviews`, reviewBody(order.customer_id === who.id ? 'customer' : 'contractor'))

/** What filing one brings its author. */
async function gained(who: Agent, order: Shown): Promise<number> {
  const [before] = await money(who)
  assert.equal(code(await file(who, order)), '201')
  return (await money(who))[0] - before
}

test('a review earns its author 10 credits, in an entry that names the order', async () => {
  const [ada, bob, [order]] = await traders('ada', 'bob', 1)
  assert.equal(await gained(ada, order), 1000)
  const { entries } = (await ada.get('/wallet/history?limit=1')).body
  assert.deepEqual(
    [entries[0].kind, entries[0].amount_minor, entries[0].order_id, entries[0].note],
    ['review_bonus', 1000, order.id, `Review of order ${order.id}`],
  )
  assert.equal(await gained(bob, order), 1000)
  assert.equal((await ada.get('/wallet')).body.wallet.granted_minor, 501_000)
})

test('five simultaneous reviews earn three bonuses; a fourth is paid once the first is a day old', async () => {
  const [cat, dan, orders] = await traders('cat', 'dan', 5)
  const [before] = await money(cat)
  const first = w.now()
  const answers = await race(5, (index) => file(cat, orders[index]))
  assert.deepEqual(answers.map(code), Array(5).fill('201'))
  assert.equal((await money(cat))[0] - before, 3000)
  const [soon, later] = await accepted(cat, dan, 2)
  w.travel(first.getTime() + hours(24) - minutes(5) - w.now().getTime())
  assert.equal(await gained(cat, soon), 0)
  w.travel(minutes(10))
  assert.equal(await gained(cat, later), 1000)
  assert.equal(await gained(dan, later), 1000, 'each author has its own three')
  const more = await accepted(cat, dan, 4)
  w.travel(days(20))
  for (const order of more.slice(0, 3)) assert.equal(await gained(cat, order), 1000)
  w.travel(-days(20))
  w.travel(hours(24))
  assert.equal(await gained(cat, more[3]), 1000, 'the clock was set back')
})

test('without a verified email a review is filed and earns nothing', async () => {
  const [gil, hue] = await w.friends('gil', 'hue')
  const [order] = await accepted(gil, hue, 1)
  assert.equal(await gained(gil, order), 0)
  assert.equal(await gained(hue, order), 0)
})

test('a full wallet files the review without the bonus', async () => {
  const [ivy, , [order]] = await traders('ivy', 'jim', 1)
  const [held] = await money(ivy)
  const amount = maxBalance - 999 - held
  await w.sql.transaction((tx) => grant(tx, ivy.id, { kind: 'grant', amount, note: 'From the operator' }))
  assert.equal(await gained(ivy, order), 0)
})

test('with REWARDS=off reviews earn nothing', async () => {
  const off = await w.node({ REWARDS: 'off' })
  const [kai, , [order]] = await traders('kai', 'liv', 1, off)
  assert.equal(await gained(kai, order), 0)
})
