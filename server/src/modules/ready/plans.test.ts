// With thousands of works and purchases each way to them goes by the index that was made for it, whether PostgreSQL plans for
// its values or not.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { allFindable } from '../../../test/findable.ts'
import { planModes, plansOf } from '../../../test/plans.ts'
import { acceptedOrder, onSale } from '../../../test/ready.ts'
import { type Agent, befriend, type World, world } from '../../../test/world.ts'
import type { Sql } from '../../store/sql.ts'
import { proposalsOf, purchasedFiles } from '../orders/resale.ts'
import { find } from './agreements.ts'
import { countWaiting, waiting } from './consent.ts'
import { stoppedReady } from './files.ts'
import { findOffered } from './purchase.ts'
import { show } from './show.ts'

const works = 3000
const sourceOrders = 300
const purchases = 12_000

let w: World
let pia: Agent
let zoe: Agent
let serviceId: string
let sourceId: string
before(async () => {
  w = await world()
  const carl = await w.agent('carl')
  ;[pia, zoe] = [await w.agent('pia', { profile_public: true }), await w.agent('zoe')]
  await befriend(pia, carl)
  const ready = await onSale(w, pia, carl)
  serviceId = ready.service.id
  sourceId = (await acceptedOrder(w, carl, pia, { files: 0 })).order.id
  await multiply()
})
after(async () => {
  await w.sql`delete from ready_purchases`
  await w.sql`delete from ready_sales`
  await w.sql`delete from ready_services where service_id <> ${serviceId}`
  await w.sql`delete from orders where title = 'A copy'`
  await w.sql`delete from listed_services where service_id <> ${serviceId}`
  await w.sql`delete from services where id <> ${serviceId}`
  await allFindable(w.sql)
  await w.close()
})

/** Copies of a work, of an order that works come from and of a purchase: half of these of one work. */
async function multiply(): Promise<void> {
  await w.sql`
    insert into orders select (jsonb_populate_record(o, jsonb_build_object('id', gen_random_uuid(), 'title', 'A copy'))).*
    from orders o, generate_series(1, ${sourceOrders}) where o.id = ${sourceId}`
  await w.sql`
    insert into services select (jsonb_populate_record(s, jsonb_build_object('id', gen_random_uuid()))).*
    from services s, generate_series(1, ${works}) where s.id = ${serviceId}`
  await w.sql`
    with source as (
      select id, row_number() over () as n from orders where title = 'A copy'
    ), other as (
      select id, row_number() over () as n from services where id <> ${serviceId}
    )
    insert into ready_services
    select (jsonb_populate_record(r, jsonb_build_object('service_id', other.id, 'source_order_id', source.id,
      'moderation', case when other.n % 10 = 0 then 'pending' else 'approved' end,
      'moderated_at', case when other.n % 10 = 0 then null else r.moderated_at end,
      'stopped_at', case when other.n % 10 = 1 then r.created_at end,
      'released_at', case when other.n % 20 = 1 then r.created_at end))).*
    from ready_services r, other join source on source.n = other.n % ${sourceOrders} + 1 where r.service_id = ${serviceId}`
  await w.sql`
    with bought as (
      insert into orders
      select (jsonb_populate_record(o, jsonb_build_object('id', gen_random_uuid(), 'title', 'A copy', 'source', 'ready',
        'offer_author_id', o.contractor_id, 'customer_id', ${zoe.id}::text))).*
      from orders o, generate_series(1, ${purchases}) where o.id = ${sourceId} returning id
    ), numbered as (
      select id, row_number() over () as n from bought
    ), other as (
      select service_id, row_number() over () as n from ready_services where service_id <> ${serviceId}
    )
    insert into ready_purchases (order_id, service_id, kept_until)
    select b.id, case when b.n % 2 = 0 then ${serviceId} else other.service_id end, ${w.now()}
    from numbered b join other on other.n = b.n % ${works} + 1`
  await w.sql`
    insert into ready_sales (service_id, shard, sold)
    select service_id, shard, 1 from ready_services, generate_series(0, 3) shard on conflict do nothing`
  for (const table of ['orders', 'services', 'ready_services', 'ready_purchases', 'ready_sales']) {
    await w.sql.pool.query(`analyze ${table}`)
  }
}

const reads: Record<string, (sql: Sql) => Promise<unknown>> = {
  'a purchase': (sql) => findOffered(sql as never, zoe.id, serviceId),
  'an agreement': async (sql) => show(sql, pia.id, await find(sql, pia.id, serviceId)),
  'the proposals of an order': async (sql) => {
    const [row] = await w.sql<{ source_order_id: string }>`
      select source_order_id from ready_services where service_id <> ${serviceId} limit 1`
    return proposalsOf(sql, [row?.source_order_id as string])
  },
  'the files of purchases': async (sql) => {
    const rows = await w.sql<{ order_id: string }>`select order_id from ready_purchases limit 20`
    return purchasedFiles(
      sql,
      zoe.id,
      rows.map((row) => row.order_id),
    )
  },
  "a moderator's queue": (sql) => waiting(sql, { page: 1, page_size: 20 }),
  'how many wait': (sql) => countWaiting(sql),
  'works whose files may go': (sql) => stoppedReady(sql, 50),
}

for (const [what, read] of Object.entries(reads)) {
  test(`${what}: by its indexes, and no more rows than it needs`, async () => {
    for (const mode of planModes) {
      const plans = await plansOf(w.sql, mode, read)
      assert.ok(plans.length > 0)
      for (const plan of plans) {
        assert.doesNotMatch(plan, /Seq Scan on (orders|services|ready_|attachments|agents|listed)/, `${mode}\n${plan}`)
        for (const [, rows] of plan.matchAll(/actual rows=(\d+)/g)) {
          assert.ok(Number(rows) <= 310, `${mode}: ${rows} rows\n${plan}`)
        }
      }
    }
  })
}
