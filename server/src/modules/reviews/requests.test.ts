// The request for reviews a day after the acceptance.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { reread, type Shown, trade } from '../../../test/orders.ts'
import { story } from '../../../test/story.ts'
import type { Agent } from '../../../test/world.ts'
import { hours, minutes } from '../../kernel/clock.ts'
import { requestDue } from './reviews.ts'

const { w } = story()

/** The service's own connections, whose transactions are at the time of the story. */
const sweep = (at = w) => requestDue(at.service.sql)

const requestsOf = async (who: Agent, order: Shown) =>
  (await who.get(`/orders/${order.id}`)).body.history.filter(({ action }: Shown) => action === 'request-reviews')

test('a day after the acceptance both sides are asked for a review, once, and the order stays closed', async () => {
  const [ada, bob] = await w.friends('ada', 'bob')
  const order = await trade(w, ada, bob, 'accepted')
  const refunded = await trade(w, ada, bob, 'refunded')
  const sockets = [await ada.events(), await bob.events()]
  w.travel(hours(24) - minutes(1))
  await sweep()
  assert.equal((await reread(ada, order)).version, order.version)
  w.travel(minutes(2))
  await sweep()
  await sweep()
  const asked = await reread(bob, order)
  assert.deepEqual([asked.state, asked.version], ['closed', order.version + 1])
  for (const socket of sockets) {
    for (;;) {
      const { payload } = await socket.next('order.changed')
      if (payload.order_id !== order.id || payload.version <= order.version) continue
      assert.deepEqual(payload, { order_id: order.id, status: 'closed', version: order.version + 1 })
      break
    }
    await socket.close()
  }
  const [line, ...more] = await requestsOf(ada, order)
  assert.deepEqual(
    [line.actor_id, line.from, line.to, line.version, more],
    [null, 'closed', 'closed', asked.version, []],
  )
  assert.equal((await reread(ada, refunded)).version, refunded.version)
})

test('many reviews due after a long pause are requested in batches, by two nodes at once, each once', async () => {
  const [cat, dan] = await w.friends('cat', 'dan')
  const node = await w.node()
  const order = await trade(w, cat, dan, 'accepted')
  const ids = await copies(order, 60)
  w.travel(hours(50))
  while ((await Promise.all([sweep(), sweep(node), sweep(), sweep(node)])).some(Boolean));
  const lines = await w.sql<{ order_id: string; count: number }>`
    select order_id, count(*)::int as count from order_history
    where action = 'request-reviews' and order_id = any(${[order.id, ...ids]}::uuid[]) group by order_id`
  assert.equal(lines.length, 61)
  assert.ok(lines.every(({ count }) => count === 1))
  assert.equal((await requestsOf(dan, order)).length, 1)
  // They were never paid for: what holds at the end of every story holds without them.
  await w.sql.transaction(async (tx) => {
    await tx`alter table order_history disable trigger append_only`
    await tx`delete from order_history where order_id = any(${ids}::uuid[])`
    await tx`alter table order_history enable trigger append_only`
    await tx`delete from orders where id = any(${ids}::uuid[])`
  })
})

/** Orders that closed as this one did. */
async function copies(order: Shown, count: number): Promise<string[]> {
  const ids = Array.from({ length: count }, () => randomUUID())
  await w.sql`
    insert into orders (id, state, version, source, title, description, deadline, customer_id, contractor_id,
      offer_author_id, amount_minor, fee_bps, fee_minor, total_minor, outcome, review_request_at, created_at, updated_at,
      closed_at)
    select copy.id, state, version, source, title, description, deadline, customer_id, contractor_id, offer_author_id,
      amount_minor, fee_bps, fee_minor, total_minor, outcome, review_request_at, created_at, updated_at, closed_at
    from orders o cross join unnest(${ids}::uuid[]) as copy (id) where o.id = ${order.id}`
  return ids
}
