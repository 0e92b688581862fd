// A finished work is bought: the order that comes of it, the credits, and many buyers at once.
// docs/contract/ready.md#buying, #shares.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { attempt, money, reread as rereadOrder, step } from '../../../test/orders.ts'
import { bought, buy, onSale, purchaseBody, type Ready, reread, type Shown, withdraw } from '../../../test/ready.ts'
import { change, move, priceBody } from '../../../test/services.ts'
import { beforehand, story } from '../../../test/story.ts'
import { type Agent, befriend, code, eventually, race } from '../../../test/world.ts'
import { only, type Tx } from '../../store/sql.ts'
import { type Input, purchase } from './purchase.ts'
import { sharesOf } from './shares.ts'

const { w, carl, zoe } = story('carl', 'zoe')
const pia = beforehand(() => w.agent('pia', { profile_public: true }))
beforehand(() => befriend(pia, carl))

/** What changed of the credits of several while something was done. */
async function changes(who: readonly Agent[], work: () => Promise<unknown>): Promise<[number, number][]> {
  const before = await Promise.all(who.map(money))
  await work()
  const after = await Promise.all(who.map(money))
  return after.map(([available, reserved], at) => {
    const [was, held] = before[at] as [number, number]
    return [available - was, reserved - held]
  })
}

test("the first customer's share rounds down to a minor unit, and the provider gets the rest, at any size", () => {
  for (const [amount, bps, customer] of [
    [10_000, 3000, 3000],
    [3, 5000, 1],
    [101, 3333, 33],
    [99, 9999, 98],
    [10_000, 1, 1],
    [9_999, 1, 0],
    [1, 9999, 0],
    [909_090_909_091, 9999, 909_000_000_000],
    [909_090_909_090, 9999, 908_999_999_999],
    [909_090_909_091, 3333, 303_000_000_000],
  ] as const) {
    assert.deepEqual(sharesOf(amount, bps), { customer_minor: customer, provider_minor: amount - customer })
  }
})

test('a stranger buys: the price is reserved, the work delivered at once, and acceptance pays both', async () => {
  const ready = await onSale(w, pia, carl, { files: 2 })
  let order: Shown
  const spent = await changes([zoe, pia, carl], async () => {
    order = await bought(zoe, ready)
  })
  assert.deepEqual(spent, [
    [-11_000, 11_000],
    [0, 0],
    [0, 0],
  ])
  const events = await pia.events()
  const told = await eventually(
    () => events.frames.find(({ payload }) => payload?.order_id === order.id),
    'the event of the purchase',
  )
  assert.deepEqual(told.payload, { order_id: order.id, status: 'delivered', version: 1 })
  assert.deepEqual(
    [order.state, order.version, order.workflow, order.customer_id, order.contractor_id, order.offer_author_id],
    ['delivered', 1, 'ready', zoe.id, pia.id, pia.id],
  )
  assert.deepEqual(
    [order.amount_minor, order.fee_minor, order.total_minor, order.result_text, order.title],
    [10_000, 1000, 11_000, 'Print it large', 'A round logo'],
  )
  assert.equal(order.deadline, order.created_at)
  assert.deepEqual([order.source_service_quote_id, order.source_service_request_id], [null, null])
  const { service, ...rest } = order.service_snapshot
  assert.deepEqual(rest, { quantity: 1, parameters: {}, input_attachment_ids: [] })
  assert.deepEqual([service.id, service.ready.digest], [ready.service.id, ready.agreement.digest])
  assert.deepEqual(order.origin, { kind: 'ready', id: ready.service.id, bid_id: null })
  assert.deepEqual(
    order.result_attachments.map((file: Shown) => [file.id, file.status, file.download_url, file.preview_url]),
    ready.files.map((id) => [id, 'ready', `/api/v1/orders/${order.id}/ready-files/${id}`, null]),
  )
  const { history } = (await zoe.get(`/orders/${order.id}`)).body
  assert.deepEqual(
    history.map((line: Shown) => [line.action, line.actor_id, line.to]),
    [['purchase', zoe.id, 'delivered']],
  )
  assert.equal((await zoe.get(`/services/${ready.service.id}`)).body.service.ready.sold_count, 1)
  assert.deepEqual((await reread(carl, ready)).agreement.received, {
    provider_minor: 0,
    customer_minor: 0,
    total_minor: 0,
  })

  const paid = await changes([zoe, pia, carl], () => step(zoe, order, 'complete'))
  assert.deepEqual(paid, [
    [0, -11_000],
    [7000, 0],
    [3000, 0],
  ])
  for (const who of [pia, carl]) {
    const { agreement } = await reread(who, ready)
    assert.deepEqual(agreement.received, { provider_minor: 7000, customer_minor: 3000, total_minor: 10_000 })
    assert.equal(agreement.sold_count, 1)
  }
  const [entry] = (await carl.get('/wallet/history?limit=1')).body.entries
  assert.deepEqual([entry.kind, entry.amount_minor, entry.order_id], ['ready_share', 3000, order.id])
  const [own] = (await pia.get('/wallet/history?limit=1')).body.entries
  assert.deepEqual([own.kind, own.amount_minor], ['payout', 7000])
  for (const [who, { id: entry_id, kind, amount_minor }] of [
    [pia, own],
    [carl, entry],
  ] as const) {
    const credited = await w.sql<{ payload: object }>`
      select payload from events where recipient_id = ${who.id} and kind = 'wallet.credited' order by id desc limit 1`
    assert.deepEqual(credited, [{ payload: { entry_id, kind, amount_minor } }])
  }
  await events.close()
})

test('odd amounts are paid out completely', async () => {
  const service = { price: priceBody({ amount_minor: 101 }) }
  const ready = await onSale(w, pia, carl, { files: 0, service, customer_share_bps: 3333 })
  const order = await bought(zoe, ready)
  assert.deepEqual([order.fee_minor, order.total_minor], [10, 111])
  assert.deepEqual(await changes([zoe, pia, carl], () => step(zoe, order, 'complete')), [
    [0, -111],
    [68, 0],
    [33, 0],
  ])
})

test('a refunded dispute over a purchase returns the whole price, and nobody gets a share', async () => {
  const ready = await onSale(w, pia, carl)
  const order = await bought(zoe, ready)
  const disputed = await step(zoe, order, 'propose-refund')
  const back = await changes([zoe, pia, carl], () => step(pia, disputed, 'approve-refund'))
  assert.deepEqual(back, [
    [11_000, -11_000],
    [0, 0],
    [0, 0],
  ])
  const { received, sold_count } = (await reread(pia, ready)).agreement
  assert.deepEqual([received.total_minor, sold_count], [0, 0])
  assert.equal((await zoe.get(`/services/${ready.service.id}`)).body.service.ready.sold_count, 0)
  for (const action of ['accept', 'start', 'deliver', 'cancel', 'reject'] as const) {
    const fresh = await bought(zoe, ready)
    const who = action === 'start' || action === 'deliver' ? pia : action === 'cancel' ? pia : zoe
    assert.equal(code(await attempt(who, fresh, action)), '409 invalid_state', action)
    await step(zoe, fresh, 'complete')
  }
})

test('a refused purchase leaves nothing', async () => {
  const ready = await onSale(w, pia, carl)
  const poor = await w.agent('poor')
  const path = `/services/${ready.service.id}/ready/purchase`
  const orders = async (who: Agent) => (await who.get('/orders')).body.pagination.total
  const before = await orders(zoe)
  for (const [fields, expected] of [
    [{ expected_digest: '0'.repeat(64) }, '409 state_conflict'],
    [{ expected_digest: 'no digest' }, '409 state_conflict'],
    [{ confirmed_total_minor: 10_999 }, '409 state_conflict'],
    [{ confirmed_total_minor: 11_001 }, '409 state_conflict'],
    [{ license_code: 'exclusive-v1' }, '409 state_conflict'],
    [{ expected_version: ready.service.version + 1 }, '409 version_conflict'],
  ] as const) {
    assert.equal(code(await buy(zoe, ready, fields)), expected, JSON.stringify(fields))
  }
  for (const one of [pia, carl]) assert.equal(code(await buy(one, ready)), '403 forbidden')
  assert.equal(code(await zoe.post(path.replace(ready.service.id, randomUUID()), purchaseBody(ready))), '404 not_found')
  // A closed provider, an archived and a paused work.
  await pia.patch('/bots/me', { profile_public: false })
  assert.equal(code(await buy(zoe, ready)), '404 not_found')
  await pia.patch('/bots/me', { profile_public: true })
  const paused = (await move(pia, ready.service, 'pause')).body.service
  assert.equal(code(await buy(zoe, { service: paused })), '409 service_unavailable')
  const open = (await move(pia, paused, 'publish')).body.service
  assert.equal(code(await buy(zoe, ready)), '409 version_conflict')
  assert.equal(await orders(zoe), before)
  assert.equal(open.ready.sold_count, 0)

  const [available] = await money(poor)
  for (let left = available; left >= 11_000; left -= 11_000) await bought(poor, { service: open })
  const held = await money(poor)
  const sold = Math.floor(available / 11_000)
  assert.equal(code(await buy(poor, { service: open })), '409 insufficient_funds')
  assert.deepEqual(await money(poor), held)
  assert.equal(await orders(poor), sold)
  assert.equal((await zoe.get(`/services/${open.id}`)).body.service.ready.sold_count, sold)
  const archived = (await move(pia, open, 'archive')).body.service
  assert.equal(code(await buy(zoe, { service: archived })), '404 not_found')
})

test('an ordinary service cannot be bought, and a ready-made one cannot be quoted', async () => {
  const ready = await onSale(w, pia, carl)
  const quote = { operation_id: randomUUID(), expected_version: ready.service.version }
  const quoted = await zoe.post(`/services/${ready.service.id}/quote`, quote)
  assert.equal(code(quoted), '409 service_unavailable')
  assert.match(quoted.body.error.message, /buy it instead/)
  const changed = await change(pia, ready.service, { title: 'Another' })
  assert.equal(code(changed), '409 invalid_state')
  assert.match(changed.body.error.message, /withdraw it, and propose it again/)
  const plain = await pia.post('/services', {
    operation_id: randomUUID(),
    title: 'Plain',
    description: 'To be made',
    price: priceBody(),
    delivery_description: 'A file',
  })
  const { service } = await move(pia, plain.body.service, 'publish').then(({ body }) => body)
  assert.equal(service.ready, null)
  const like: Shown = { ...service, ready: { digest: 'a'.repeat(64) } }
  assert.equal(code(await buy(zoe, { service: like })), '404 not_found')
  assert.equal(code(await pia.get(`/services/${service.id}/ready`)), '404 not_found')
})

test('a purchase is answered again after the work is gone', async () => {
  const ready = await onSale(w, pia, carl)
  const body = purchaseBody(ready)
  assert.equal(code(await zoe.post(`/services/${ready.service.id}/ready/purchase`, body)), '201')
  assert.equal((await reread(pia, ready)).agreement.sold_count, 1)
  await withdraw(carl, ready)
  assert.equal(code(await zoe.post(`/services/${ready.service.id}/ready/purchase`, body)), '200')
})

test('twenty simultaneous buyers get one order each', async () => {
  const ready = await onSale(w, pia, carl)
  const buyers: Agent[] = []
  for (let at = 0; at < 20; at++) buyers.push(await w.agent(`buyer_${at}`))
  const answers = await race(20, (at) => buy(buyers[at] as Agent, ready))
  assert.deepEqual(new Set(answers.map(code)), new Set(['201']))
  assert.equal((await reread(pia, ready)).agreement.sold_count, 20)
  const paid = await changes([pia, carl], () =>
    race(20, (at) => attempt(buyers[at] as Agent, answers[at]?.body.order, 'complete')),
  )
  assert.deepEqual(paid, [
    [140_000, 0],
    [60_000, 0],
  ])
  assert.equal((await reread(carl, ready)).agreement.received.total_minor, 200_000)
})

test("no buyer waits for another buyer's uncommitted purchase", async () => {
  const ready = await onSale(w, pia, carl)
  const wim = await w.agent('wim')
  const { operation_id: _, ...input } = purchaseBody(ready) as unknown as Input & { operation_id: string }
  const shardOf = async (tx: Tx) => only(await tx<{ shard: number }>`select pg_backend_pid() % 64 as shard`).shard
  const { sql } = w.service
  await sql.transaction(async (slow) => {
    await purchase(slow, zoe as never, { id: slow.newId(), serviceId: ready.service.id, input })
    await sql.transaction(async (quick) => {
      // Two connections of one shard are rare, and the one case in which one of them waits.
      if ((await shardOf(slow)) === (await shardOf(quick))) return
      await quick`set local lock_timeout = '5s'`
      await purchase(quick, wim as never, { id: quick.newId(), serviceId: ready.service.id, input })
    })
  })
})

test('a suspended, closed or blocked first customer still gets the share', async () => {
  const ready: Ready = await onSale(w, pia, carl, { files: 0 })
  await w.operator('agent', 'suspend', 'carl', '--reason', 'A story')
  const order = await bought(zoe, ready)
  const { contacts } = (await pia.get('/contacts')).body
  await pia.post(`/contacts/${contacts[0].id}/block`)
  await step(zoe, order, 'complete')
  await w.operator('agent', 'restore', 'carl', '--reason', 'A story')
  const [entry] = (await carl.get('/wallet/history?limit=1')).body.entries
  assert.deepEqual([entry.kind, entry.amount_minor], ['ready_share', 3000])
  assert.equal((await rereadOrder(zoe, order)).outcome, 'accepted')
  // The agreement stays readable to both, also after their friendship has ended.
  assert.equal((await reread(carl, ready)).agreement.received.customer_minor, 3000)
})
