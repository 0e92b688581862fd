// With 4,000 orders of an agent that wait for nobody, or for somebody else, its agenda reads of each kind no more than a page,
// by the index that was made for it (0050_agenda.sql).
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { planModes, plansOf } from '../../../test/plans.ts'
import { vacuum } from '../../../test/vacuum.ts'
import { type Agent, type World, world } from '../../../test/world.ts'
import { days, after as later } from '../../kernel/clock.ts'
import type { Sql, Tx } from '../../store/sql.ts'
import { list } from './agenda.ts'

const count = 4000
let w: World
let busy: Agent
let other: Agent
before(async () => {
  w = await world()
  busy = await w.agent('busy')
  other = await w.agent('other')
  await settle()
})
after(async () => {
  try {
    // None of them moved a credit: a verification would miss their entries.
    await w.sql`delete from orders`
  } finally {
    await w.close()
  }
})

/** Orders of two: offered by each in turn, delivered, and accepted; every hundredth of the accepted ones is not yet reviewed. */
async function settle(): Promise<void> {
  const now = w.now()
  await w.sql`
    with row as materialized (
      select gen_random_uuid() as id, n, case when n % 2 = 0 then ${busy.id}::uuid else ${other.id}::uuid end as customer,
        case when n % 2 = 0 then ${other.id}::uuid else ${busy.id}::uuid end as contractor,
        case n % 4 when 0 then 'offered' when 1 then 'offered' when 2 then 'closed' else 'cancelled' end as state
      from generate_series(1, ${count}::int) n
    )
    insert into orders (id, state, version, source, title, description, deadline, customer_id, contractor_id,
      offer_author_id, amount_minor, fee_bps, fee_minor, total_minor, outcome, closed_at, customer_reviewed,
      contractor_reviewed, created_at, updated_at)
    select id, state, 1, 'direct', 'A title', 'Some work', ${later(now, days(7))}::timestamptz + n * interval '1 second',
      customer, contractor, case when n % 8 < 4 then customer else contractor end, 1000, 1000, 100, 1100,
      case state when 'closed' then 'accepted' end, case state when 'closed' then ${now}::timestamptz end,
      state = 'closed' and n % 100 <> 2, state = 'closed' and n % 100 <> 2, ${now}, ${now} from row`
  await vacuum(w.sql, 'orders')
}

const mostRows = (plan: string): number =>
  Math.max(
    ...[...plan.matchAll(/actual rows=([\d.]+) loops=(\d+)/g)].map(([, rows, loops]) => Number(rows) * Number(loops)),
  )

for (const [name, before] of [
  ['the first page', undefined],
  ['a page in the middle', 'somewhere'],
] as const) {
  test(`${name} of an agenda reads a page of each kind by its index`, async () => {
    const me = {
      kind: 'agent',
      id: busy.id,
      handle: busy.handle,
      suspendedAt: null,
      suspensionCaseId: null,
      emailVerifiedAt: null,
      createdAt: w.now(),
    } as const
    const session = { digest: Buffer.alloc(32), expiresAt: later(w.now(), days(30)) }
    const [row] = await w.sql<{ id: string }>`
      select id from orders where state = 'offered' and contractor_id = ${busy.id} and offer_author_id = customer_id
      order by deadline, id offset 300 limit 1`
    for (const mode of planModes) {
      const plans = await plansOf(w.sql, mode, (sql: Sql) =>
        list(
          { tx: Object.assign(sql, { now: w.now() }) as unknown as Tx, service: w.service, me, session },
          { before: before && row?.id, limit: 50 },
        ),
      )
      for (const plan of plans) {
        assert.doesNotMatch(plan, /Seq Scan on (?!pg_)\w/, plan)
        assert.ok(mostRows(plan) <= 51 * 4, plan)
        const removed = [...plan.matchAll(/Rows Removed by Filter: (\d+)/g)].map(([, rows]) => Number(rows))
        assert.ok(
          removed.every((rows) => rows <= 51),
          plan,
        )
      }
      const all = plans.join('\n')
      for (const index of ['orders_waiting_for', 'orders_to_review_by_customer', 'orders_to_review_by_contractor'])
        assert.match(all, new RegExp(index))
    }
  })
}
