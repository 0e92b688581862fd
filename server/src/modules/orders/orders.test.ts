// A trade as its two sides live it, from the quote to the payment. docs/contract/orders.md.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import type { Pool, PoolClient } from 'pg'
import { totalOf } from '../../../test/order-rules.ts'
import { attempt, bid, fund, money, offer, quick, type Shown, step, trade } from '../../../test/orders.ts'
import { story } from '../../../test/story.ts'
import { turnSuspended } from '../../../test/turning.ts'
import { type Agent, code } from '../../../test/world.ts'
import { tokenDigest } from '../../http/authenticate.ts'

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
  const suspend = (on: boolean) => turnSuspended(w, eva.id, on)
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

test('each step of an order takes two round trips: all that it finds, then all that it writes with the commit', async (t) => {
  const [gil, hana] = await w.friends('gil', 'hana')
  const { trips, stop } = watchTrips(w.service.sql.pool)
  t.after(stop)
  const taken: Record<string, number | undefined> = {}
  const counted = async (name: string, who: Agent, act: (operationId: string) => Promise<Shown>): Promise<Shown> => {
    trips.length = 0
    const operationId = randomUUID()
    const order = await act(operationId)
    const withToken = tokenDigest(who.token).toString('hex')
    const own = trips.filter(({ values }) => values.some((value) => value === operationId || value.includes(withToken)))
    assert.equal(own.length, 1, `${name}: the token is checked in the transaction that acts`)
    taken[name] = own[0]?.count
    return order
  }
  const next = (who: Agent, order: Shown, action: Parameters<typeof step>[2]): Promise<Shown> =>
    counted(action, who, (operation_id) => step(who, order, action, { operation_id }))

  const offered = await counted('offer', gil, (operation_id) => offer(w, gil, hana, { operation_id }))
  const funded = await next(hana, offered, 'accept')
  const started = await next(hana, funded, 'start')
  const delivered = await next(hana, started, 'deliver')
  assert.equal((await next(gil, delivered, 'complete')).state, 'closed')
  const repriced = await next(gil, await quick(gil, hana), 'reprice')
  const again = await counted('reprice by the contractor', hana, (operation_id) =>
    step(hana, repriced, 'reprice', { operation_id }),
  )
  assert.equal(again.customer_unanswered, 0)
  assert.equal((await next(hana, again, 'cancel')).state, 'cancelled')
  assert.equal((await next(hana, await offer(w, gil, hana), 'reject')).state, 'rejected')
  assert.deepEqual(taken, {
    offer: 2,
    accept: 2,
    start: 2,
    deliver: 2,
    complete: 2,
    reprice: 2,
    'reprice by the contractor': 2,
    cancel: 2,
    reject: 2,
  })
})

/** What one borrower of a connection sent: how often, and with which values. */
interface Trips {
  count: number
  values: string[]
}

/** The borrowers of a pool's connections, from now on until it is stopped. */
function watchTrips(pool: Pool): { trips: Trips[]; stop: () => void } {
  const trips: Trips[] = []
  const undo = new Map<PoolClient, () => void>()
  const acquired = (client: PoolClient): void => {
    const own: Trips = { count: 0, values: [] }
    trips.push(own)
    const { connection } = client as unknown as { connection: { bind(portal: { values: readonly unknown[] }): void } }
    const [query, bind] = [client.query, connection.bind]
    const counted = (...given: unknown[]): unknown => {
      own.count += 1
      return Reflect.apply(query, client, given)
    }
    client.query = counted as typeof query
    connection.bind = (portal) => {
      own.values.push(...portal.values.map(String))
      bind.call(connection, portal)
    }
    undo.set(client, () => {
      client.query = query
      connection.bind = bind
    })
  }
  const released = (_error: unknown, client: PoolClient): void => {
    undo.get(client)?.()
    undo.delete(client)
  }
  pool.on('acquire', acquired)
  pool.on('release', released)
  const stop = (): void => {
    pool.off('acquire', acquired)
    pool.off('release', released)
    for (const each of undo.values()) each()
  }
  return { trips, stop }
}
