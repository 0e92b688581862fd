// With 10,000 requests each way to them goes by the index that was made for it, whether PostgreSQL plans for its values or not:
// a page reads what it shows, a count the own ones, and the sweep what is due.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { planModes, plansOf } from '../../../test/plans.ts'
import { givenRequests, priced } from '../../../test/requests.ts'
import { vacuum } from '../../../test/vacuum.ts'
import { type Agent, type World, world } from '../../../test/world.ts'
import { days, after as later } from '../../kernel/clock.ts'
import { part } from '../../kernel/part.ts'
import type { Sql } from '../../store/sql.ts'
import { dueOf, nextDue } from './expiry.ts'
import { find, list, type ServiceRequest } from './requests.ts'
import { show } from './show.ts'

let w: World
let reader: Agent
let other: Agent
/** When five of them are due: nothing expires them while their plans are looked at. */
let soon: Date
/** What the reader has as a customer, and as a provider. */
const own = 300
before(async () => {
  w = await world()
  reader = await w.agent('reader')
  const others: Agent[] = []
  for (let n = 0; n < 10; n++) others.push(await w.agent(`other_${n}`))
  other = others[0] as Agent
  const [service, mine] = [await priced(await w.agent('provider')), await priced(reader)]
  for (const each of others) await givenRequests(w, each, service, { count: 900 })
  await givenRequests(w, other, service, { count: 100, status: 'open' })
  soon = later(w.now(), days(1))
  await givenRequests(w, other, service, { count: 5, status: 'open', expiresAt: soon })
  await givenRequests(w, other, mine, { count: own })
  await givenRequests(w, reader, service, { count: own })
  await vacuum(w.sql, 'service_requests')
})
after(() => w.close())

const mostRows = (plan: string): number =>
  Math.max(
    ...[...plan.matchAll(/actual rows=([\d.]+) loops=(\d+)/g)].map(([, rows, loops]) => Number(rows) * Number(loops)),
  )

async function eachPlan(work: (sql: Sql) => Promise<unknown>, check: (plan: string) => void): Promise<void> {
  for (const mode of planModes) {
    const [plan = '', ...more] = await plansOf(w.sql, mode, work)
    assert.equal(more.length, 0, 'one statement')
    assert.doesNotMatch(plan, /Seq Scan on (?!pg_)\w/, plan)
    check(plan)
  }
}

test('a page reads each side by its index, and counts by it', async () => {
  for (const page of [1, 5]) {
    await eachPlan(
      (sql) => list(sql, reader.id, { page, page_size: 20 }),
      (plan) => {
        for (const side of ['customer', 'provider']) {
          const scan = `Index (?:Only )?Scan Backward using service_requests_of_${side} on service_requests`
          assert.match(plan, new RegExp(scan))
          assert.match(plan, new RegExp(`(Index Only Scan using|Bitmap Index Scan on) service_requests_of_${side}`))
          for (const [, rows] of plan.matchAll(new RegExp(`${scan} .*actual rows=([\\d.]+)`, 'g'))) {
            assert.ok(Number(rows) <= 20 * page, plan)
          }
        }
        assert.ok(mostRows(plan) <= 2 * own, plan)
      },
    )
  }
})

test('one request is found by its key', async () => {
  const [{ id } = { id: '' }] = await w.sql<{ id: string }>`
    select id from service_requests where customer_id = ${reader.id} limit 1`
  await eachPlan(
    (sql) => find(sql, reader.id, id),
    (plan) => assert.match(plan, /Index Scan using service_requests_pkey/),
  )
})

test('what is due is found by its time, and of a customer among its open ones', async () => {
  await eachPlan(
    (sql) => nextDue(sql, soon),
    (plan) => {
      assert.match(plan, /Index Scan using service_requests_due/)
      assert.ok(mostRows(plan) <= 1, plan)
    },
  )
  await eachPlan(
    (sql) => dueOf(sql, other.id, soon, part``),
    (plan) => {
      assert.match(plan, /(using|on) service_requests_(open|due)/)
      assert.ok(mostRows(plan) <= 105, plan)
    },
  )
})

test('what is shown of requests is as many statements for fifty as for one, and none without files and orders', async () => {
  const { rows: requests } = await list(w.service.sql, reader.id, { page: 1, page_size: 50 })
  const statements = async (shown: readonly ServiceRequest[]): Promise<number> =>
    (await plansOf(w.sql, 'force_custom_plan', (sql) => show(sql, reader.id, w.now(), shown))).length
  assert.equal(await statements(requests), 0)
  const rich = requests.map((request) => ({ ...request, order_id: request.id, input_attachment_ids: [request.id] }))
  assert.equal(await statements(rich), 2)
})
