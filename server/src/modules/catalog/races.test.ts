// What twenty do at once with one service or one quote: one order each, at the quoted price, and nothing in between.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { step } from '../../../test/orders.ts'
import { askQuote, change, move, orderBy, priceBody, published, quoted } from '../../../test/services.ts'
import { beforehand, story } from '../../../test/story.ts'
import { befriend, code, race } from '../../../test/world.ts'
import { countOf } from '../../quotas/quotas.ts'
import { quoteQuota, quoteSweep, unusedLifetime } from './quotes.ts'

const { w, ada, bob } = story('ada', 'bob')
let contactId: string
beforehand(async () => {
  contactId = await befriend(ada, bob)
})

test('archiving against orders: existing orders stay, and nothing is ordered afterwards', async () => {
  for (let round = 0; round < 3; round++) {
    const service = await published(ada)
    const quotes = await Promise.all(Array.from({ length: 20 }, () => quoted(bob, service)))
    const answers = await race(21, (n) =>
      n === 10 ? move(ada, service, 'archive') : orderBy(w, bob, quotes[n > 10 ? n - 1 : n]),
    )
    for (const answer of answers) assert.match(code(answer), /^(200|201|409 service_unavailable)$/)
    assert.equal(answers.filter(({ status }) => status === 200).length, 1)
    for (const { body } of answers.filter(({ status }) => status === 201)) {
      assert.deepEqual(body.order.service_snapshot.service, service)
    }
    assert.equal(code(await askQuote(bob, service)), '404 not_found')
  }
})

test('a price change against quotes: each has one of the prices or is refused, and its order keeps that price', async () => {
  const service = await published(ada)
  const answers = await race(21, (n) =>
    n === 10 ? change(ada, service, { price: priceBody({ amount_minor: 5000 }) }) : askQuote(bob, service),
  )
  const quotes = answers.flatMap((answer) => answer.body.quote ?? [])
  for (const answer of answers) assert.match(code(answer), /^(200|201|409 version_conflict)$/)
  for (const quote of quotes) {
    assert.deepEqual(
      [quote.service_version, quote.total_minor, quote.snapshot.service.price.total_minor],
      [2, 1100, 1100],
    )
    const { order } = (await orderBy(w, bob, quote)).body
    assert.equal(order.total_minor, 1100)
  }
})

test('a sweep against new quotes: every place is freed once', async () => {
  const service = await published(ada)
  const old = await Promise.all(Array.from({ length: 10 }, () => quoted(bob, service)))
  await w.sql`
    update service_quotes set expires_at = ${new Date(w.now().getTime() - unusedLifetime)}
    where id = any(${old.map(({ id }) => id)}::uuid[])`
  const before = await countOf(w.sql, quoteQuota, bob.id)
  await race(20, async (n) => {
    if (n % 2 === 0) await quoteSweep(w.service.sql)
    return askQuote(bob, service)
  })
  await quoteSweep(w.service.sql)
  assert.equal(await countOf(w.sql, quoteQuota, bob.id), before + 20 - 10)
})

test('orders by quotes, their acceptance and a block never deadlock', async () => {
  const service = await published(ada)
  const quotes = await Promise.all(Array.from({ length: 10 }, () => quoted(bob, service)))
  const made = await race(10, (n) => orderBy(w, bob, quotes[n]))
  const more = await Promise.all(Array.from({ length: 10 }, () => quoted(bob, service)))
  const answers = await race(21, async (n) => {
    if (n === 20) return ada.post(`/contacts/${contactId}/block`)
    if (n % 2) return orderBy(w, bob, more[(n - 1) / 2])
    const { order } = made[n / 2]?.body ?? {}
    return ada.post(`/orders/${order.id}/accept`, {
      operation_id: randomUUID(),
      expected_version: order.version,
      confirmed_total_minor: order.total_minor,
    })
  })
  for (const answer of answers) assert.match(code(answer), /^(200|201|403 friendship_required)$/)
  for (const { body } of answers) if (body.order?.state === 'funded') await step(ada, body.order, 'deliver')
})
