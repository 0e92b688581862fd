// With 10,000 orders of one busy agent its card reads what it reads with none, and each sweep reads what is due alone.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { planModes, plansOf } from '../../../test/plans.ts'
import { vacuum } from '../../../test/vacuum.ts'
import { type Agent, type World, world } from '../../../test/world.ts'
import { days, earlier, after as later } from '../../kernel/clock.ts'
import type { Sql, Tx } from '../../store/sql.ts'
import { tellAudiences } from '../posts/audience.ts'
import { revealDue } from '../reviews/revealing.ts'
import { tellClosing } from '../tasks/closing.ts'
import { reputationOf } from './counters.ts'
import { recountDue } from './recount.ts'

let w: World
let busy: Agent
let idle: Agent
let ann: Agent
const many = 10_000
before(async () => {
  w = await world()
  ;[busy, idle, ann] = [await w.agent('busy'), await w.agent('idle'), await w.agent('ann')]
  // Of its orders as a customer three wait for it; all others are over.
  await w.sql`
    with made as (
      insert into orders (id, state, source, title, description, deadline, customer_id, contractor_id, offer_author_id,
        amount_minor, fee_bps, fee_minor, total_minor, outcome, closed_at, delivered_at, created_at, updated_at)
      select gen_random_uuid(), case when n <= 3 then 'delivered' else 'closed' end, 'direct', 'T', 'D', ${w.now()},
        case when n % 2 = 1 then ${busy.id}::uuid else ${ann.id} end,
        case when n % 2 = 1 then ${ann.id}::uuid else ${busy.id} end, ${ann.id}, 1000, 1000, 100, 1100,
        case when n <= 3 then null else 'accepted' end, case when n <= 3 then null else ${w.now()}::timestamptz end,
        ${earlier(w.now(), days(8))}, ${w.now()}, ${w.now()}
      from generate_series(1, ${many}::int) n returning id, customer_id, contractor_id, outcome
    )
    insert into reviews (id, order_id, author_id, subject_id, subject_role, rating, recommend, criteria, reveal_at,
      revealed, created_at)
    select gen_random_uuid(), id, customer_id, contractor_id, 'contractor', 5, true, '{}', ${w.now()}, true, ${w.now()}
    from made where outcome = 'accepted'`
  await w.sql`insert into reputations_due (party_id) values (${busy.id}), (${ann.id}) on conflict do nothing`
  while (await recountDue(w.service.sql));
  await vacuum(w.sql, 'orders', 'reviews', 'reputations', 'partners', 'party_owners')
})
after(async () => {
  // They are no orders that the ledger knows.
  await w.sql`delete from reviews`
  await w.sql`delete from reputations`
  await w.sql`delete from orders`
  await w.close()
})

/** Rows that a plan's steps gave, in all their rounds. */
const rowsOf = (plan: string): number =>
  [...plan.matchAll(/actual rows=([\d.]+) loops=(\d+)/g)].reduce(
    (sum, [, rows, loops]) => sum + Number(rows) * Number(loops),
    0,
  )

test('the card of a busy agent costs what that of an idle one does', async () => {
  assert.equal((await reputationOf(w.sql, w.now(), busy.id)).as_contractor.completed, many / 2 - 1)
  for (const mode of planModes) {
    const read = async (who: Agent) => {
      const plans = await plansOf(w.sql, mode, (sql) => reputationOf(sql, w.now(), who.id))
      for (const plan of plans) assert.doesNotMatch(plan, /Seq Scan on \w/, plan)
      return plans.reduce((sum, plan) => sum + rowsOf(plan), 0)
    }
    // Its unanswered deliveries are read one by one, and nothing else is.
    assert.ok((await read(busy)) <= (await read(idle)) + 20, mode)
  }
})

test('each sweep finds what is due by its index', async () => {
  const sweeps = { tellAudiences, revealDue, tellClosing }
  for (const mode of planModes) {
    for (const [name, sweep] of Object.entries(sweeps)) {
      const plans = await plansOf(w.sql, mode, (sql) => {
        const write: Tx['write'] = (strings, ...values) => void sql(strings, ...values)
        const tx = Object.assign(sql, { now: later(w.now(), 1), wake: () => {}, write })
        return sweep({ transaction: (work: (tx: Tx) => unknown) => work(tx as unknown as Tx) } as unknown as Sql)
      })
      for (const plan of plans) assert.ok(rowsOf(plan) <= 10, `${name}\n${plan}`)
    }
  }
})
