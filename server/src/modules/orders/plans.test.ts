// With 20,000 orders each way to them goes by the index that was made for it, whether PostgreSQL plans for its values or
// not: a page reads the rows that it shows, a history its lines, and a count the own orders.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browsing } from '../../../test/actors.ts'
import { planModes, plansOf } from '../../../test/plans.ts'
import { vacuum } from '../../../test/vacuum.ts'
import { type Agent, type World, world } from '../../../test/world.ts'
import { newId } from '../../kernel/clock.ts'
import type { Sql } from '../../store/sql.ts'
import { countOffers } from './customers.ts'
import { findLatest, findStanding } from './disputes.ts'
import { find, history, list } from './orders.ts'
import { show } from './show.ts'

const count = 20_000
/** Every tenth order is of the one who reads, as customer and contractor in turn. */
const own = count / 10
let w: World
let reader: Agent
const others: Agent[] = []
/** Customers without an agent: every tenth order is of the first, and as many are of the others. */
const people: Browsing[] = []
let ids: string[]
before(async () => {
  w = await world()
  reader = await w.agent('reader')
  for (let n = 0; n < 20; n++) others.push(await w.agent(`other_${n}`))
  for (let n = 0; n < 10; n++) people.push(await w.human(`Person ${n}`))
  ids = await settle()
})
after(() => w.close())

const states = ['offered', 'cancelled', 'rejected']

/** Orders as offers and their outcomes would leave them; none of these moved a credit. */
async function settle(): Promise<string[]> {
  const began = w.now().getTime() - count * 1000
  const rows = Array.from({ length: count }, (_, n) => {
    const [one, two] = [others[n % 20] as Agent, others[(n * 7 + 1 + Math.floor(n / 20)) % 20] as Agent]
    const mine = n % 10 === 0
    const other = one === two ? (others[(n + 1) % 20] as Agent) : two
    const made = new Date(began + n * 1000)
    const person = n % 10 === 1 ? people[0] : n % 10 === 2 ? people[1 + (((n - 2) / 10) % 9)] : undefined
    return {
      id: newId(made),
      state: states[n % 3],
      source: person ? 'human' : 'direct',
      customer: person ? person.id : mine && n % 20 === 0 ? reader.id : one.id,
      contractor: (mine && n % 20 !== 0) || n % 100 === 1 ? reader.id : other.id,
      made,
    }
  })
  for (let from = 0; from < count; from += 5000) {
    await w.sql`
      with row as materialized (
        select * from jsonb_to_recordset(${JSON.stringify(rows.slice(from, from + 5000))}::jsonb) as r (id uuid,
          state text, source text, customer uuid, contractor uuid, made timestamptz)
      ), made as (
        insert into orders (id, state, version, source, title, description, deadline, customer_id, contractor_id,
          offer_author_id, amount_minor, fee_bps, fee_minor, total_minor, created_at, updated_at)
        select id, state, case state when 'offered' then 1 else 2 end, source, 'A title', 'Some work to be done',
          made + interval '7 days', customer, contractor, customer, 1000, 1000, 100, 1100, made, made
        from row
      ), owed as (
        insert into order_payouts (order_id, party_id, kind, amount_minor) select id, contractor, 'payout', 1000 from row
      )
      insert into order_history (order_id, version, action, actor_id, from_state, to_state, created_at)
      select id, 1, 'offer', customer, null, 'offered', made from row
      union all
      select id, 2, case state when 'cancelled' then 'cancel' else 'reject' end, customer, 'offered', state, made
      from row where state <> 'offered'`
  }
  await vacuum(w.sql, 'orders', 'order_history', 'order_payouts')
  return rows.map(({ id }) => id)
}

/** The most rows that one step of a plan gave, in all its rounds. */
const mostRows = (plan: string): number =>
  Math.max(
    ...[...plan.matchAll(/actual rows=([\d.]+) loops=(\d+)/g)].map(([, rows, loops]) => Number(rows) * Number(loops)),
  )

async function eachPlan(work: (sql: Sql) => Promise<unknown>, check: (plans: string[]) => void): Promise<void> {
  for (const mode of planModes) {
    const plans = await plansOf(w.sql, mode, work)
    for (const plan of plans) assert.doesNotMatch(plan, /Seq Scan on (?!pg_)\w/, plan)
    check(plans)
  }
}

const everything = { role: undefined, state: undefined, page: 1, page_size: 20 }
const listing = (filter: object) => (sql: Sql) => list(sql, reader.id, { ...everything, ...filter })

test('a page of own orders reads each side by its index, and counts by it', async () => {
  for (const page of [1, 5]) {
    await eachPlan(listing({ page }), ([plan = '', ...more]) => {
      assert.equal(more.length, 0, 'one statement')
      assert.match(plan, /Index (Only )?Scan Backward using orders_of_customer on orders/)
      assert.match(plan, /Index (Only )?Scan Backward using orders_of_contractor on orders/)
      assert.match(plan, /(Index Only Scan using|Bitmap Index Scan on) orders_of_customer/)
      assert.match(plan, /(Index Only Scan using|Bitmap Index Scan on) orders_of_contractor/)
      const shown = [...plan.matchAll(/Index (?:Only )?Scan Backward using \w+ on orders .*actual rows=([\d.]+)/g)]
      for (const [, rows] of shown) assert.ok(Number(rows) <= 20 * page, plan)
      assert.ok(mostRows(plan) <= own, plan)
    })
  }
})

test('a page of one role reads that side alone', async () => {
  for (const role of ['customer', 'contractor'] as const) {
    await eachPlan(listing({ role }), ([plan = '']) => {
      assert.match(plan, new RegExp(`Index (Only )?Scan Backward using orders_of_${role} on orders`))
      assert.doesNotMatch(plan, new RegExp(`orders_of_${role === 'customer' ? 'contractor' : 'customer'}`))
    })
  }
})

test('a page of one state reads the orders that it shows, and counts by the index alone', async () => {
  for (const [state, most] of [
    ['offered', own],
    ['funded', 1],
  ] as const) {
    for (const page of [1, 3]) {
      await eachPlan(listing({ state, page }), ([plan = '', ...more]) => {
        assert.equal(more.length, 0, 'one statement')
        for (const side of ['customer', 'contractor']) {
          assert.match(plan, new RegExp(`Index Only Scan Backward using orders_of_${side}_in on orders`))
          assert.match(plan, new RegExp(`Index Only Scan using orders_of_${side}_in on orders`))
        }
        const shown = [...plan.matchAll(/Scan Backward using \w+ on orders .*actual rows=([\d.]+)/g)]
        for (const [, rows] of shown) assert.ok(Number(rows) <= 20 * page, plan)
        // A third of the own orders is in each state, on one side or the other.
        assert.ok(mostRows(plan) <= Math.max(most / 3, 20 * page * 2), plan)
        const removed = [...plan.matchAll(/Rows Removed by Filter: (\d+)/g)].map(([, rows]) => Number(rows))
        assert.ok(
          removed.every((rows) => rows <= own / 10),
          plan,
        )
      })
    }
  }
})

test('the orders of a person are read behind both doors by the index of that side', async () => {
  const person = people[0] as Browsing
  for (const [who, role] of [
    [person, 'customer'],
    [reader, 'contractor'],
  ] as const) {
    for (const state of [undefined, 'offered'] as const) {
      await eachPlan(
        (sql) => list(sql, who.id, { ...everything, role, state }, 'human-orders'),
        ([plan = '', ...more]) => {
          assert.equal(more.length, 0, 'one statement')
          // Of waiting offers there is an index besides.
          assert.match(plan, new RegExp(`(on|using) orders_(of_${role}|waiting_of_customers)`))
          assert.doesNotMatch(plan, new RegExp(`orders_of_${role === 'customer' ? 'contractor' : 'customer'}`))
          assert.ok(mostRows(plan) <= own, plan)
        },
      )
    }
  }
})

test('how much a person has offered is read from the offers that wait, and from as many as may be made in a day', async () => {
  await eachPlan(
    (sql) => countOffers(sql, (people[0] as Browsing).id),
    ([plan = '']) => {
      assert.match(plan, /Index (Only )?Scan using orders_waiting_of_customers on orders/)
      assert.match(plan, /Index Only Scan Backward using orders_of_customer on orders/)
      assert.ok(mostRows(plan) <= 200, plan)
    },
  )
})

test('an order, its history and its dispute are found by their keys', async () => {
  const id = ids[10] as string
  await eachPlan(
    (sql) => find(sql, reader.id, id),
    ([plan = '']) => assert.match(plan, /Index Scan using orders_pkey on orders/),
  )
  await eachPlan(
    (sql) => history(sql, id),
    ([plan = '']) => {
      assert.match(plan, /Index Scan Backward using order_history_pkey on order_history/)
      assert.doesNotMatch(plan, /Sort/)
    },
  )
  await eachPlan(
    (sql) => findLatest(sql, id).catch(() => undefined),
    ([plan = '']) => assert.match(plan, /Index Scan (Backward )?using dispute_cases_of_order on dispute_cases/),
  )
  await eachPlan(
    (sql) => findStanding(sql, id).catch(() => undefined),
    ([plan = '']) => assert.match(plan, /Index Scan using dispute_cases_(standing|of_order) on dispute_cases/),
  )
})

test('what is shown of orders is as many statements for fifty as for one, and three for offers without files', async () => {
  const { rows: orders } = await list(w.service.sql, reader.id, { ...everything, page_size: 50 })
  const [mode] = planModes
  const statements = async (shown: typeof orders): Promise<number> =>
    (
      await plansOf(w.sql, mode, (sql) =>
        show(sql, { me: { kind: 'agent', id: reader.id }, service: w.service }, w.now(), shown),
      )
    ).length
  assert.equal(await statements(orders), 3, 'names, the other sides of offers, and how customers answer')
  const closed = orders.map((order) => ({ ...order, state: 'closed', outcome: 'accepted', has_files: true }) as const)
  assert.equal(await statements(closed), await statements(closed.slice(0, 1)))
  assert.ok((await statements(closed)) <= 4)
  const theirs = await list(w.service.sql, (people[0] as Browsing).id, { ...everything, page_size: 50 }, 'human-orders')
  assert.ok((await statements(theirs.rows)) <= 3)
  const disputed = orders.map((order) => ({ ...order, state: 'disputed', has_files: true }) as const)
  assert.ok((await statements(disputed)) <= 3)
})
