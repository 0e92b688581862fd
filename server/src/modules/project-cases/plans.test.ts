// With 30,000 cases each way to them goes by the index that was made for it, whether PostgreSQL plans for its values or not: a
// page reads what it shows, a count the own ones, and the site no more than it looks at.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { givenFile } from '../../../test/files.ts'
import { planModes, plansOf } from '../../../test/plans.ts'
import { projectCaseIn, twoSides } from '../../../test/project-cases.ts'
import { vacuum } from '../../../test/vacuum.ts'
import { type Agent, code, type World, world } from '../../../test/world.ts'
import type { Sql } from '../../store/sql.ts'
import { findReadable } from '../attachments/visibility.ts'
import {
  findOwn,
  findVisible,
  isOwn,
  isPublic,
  list,
  newestPublic,
  newestPublicOf,
  publicPage,
} from './project-cases.ts'
import { show } from './show.ts'
import { projectCaseSubject } from './subject.ts'

let w: World
let reader: Agent
/** Has nothing to do with anybody. */
let shut: Agent
let told: { id: string; file: string }
/** What the reader has on each side. */
const own = 400
/** Published ones of the reader's, and then of who closes. */
const closed = 900
before(async () => {
  w = await world()
  const pair = await twoSides(w, 'reader', 'other')
  reader = pair.contractor
  const file = await givenFile(w, reader)
  const { id } = await projectCaseIn(w, pair, 'published', { attachment_ids: [file], rights_confirmed: true })
  told = { id, file }
  const others: Agent[] = [pair.customer]
  for (let n = 1; n < 10; n++) others.push(await w.agent(`other_${n}`))
  shut = await w.agent('shut')
  assert.equal(code(await shut.patch('/bots/me', { profile_public: false })), '200')
  // Of no order: they go before the end.
  await w.sql`alter table project_cases drop constraint project_cases_order_id_fkey`
  const give = (contractors: readonly Agent[], customers: readonly Agent[], count: number, state?: string) => w.sql`
    insert into project_cases (id, order_id, contractor_id, customer_id, title, summary, result, state,
      contractor_consented_at, customer_consented_at, created_at, updated_at)
    select gen_random_uuid(), gen_random_uuid(), (${contractors.map(({ id }) => id)}::uuid[])[1 + n % ${contractors.length}::int],
      (${customers.map(({ id }) => id)}::uuid[])[1 + n / 10 % ${customers.length}::int], 'Title', 'Summary',
      repeat('Some result. ', 30), s.state, case when s.state <> 'draft' then at end,
      case when s.state = 'published' then at end, at, at
    from generate_series(1, ${count}::int) n,
      lateral (select coalesce(${state ?? null}::text, (array['draft', 'proposed', 'published', 'withdrawn'])[1 + n % 4])) s (state),
      lateral (select ${w.now()}::timestamptz - n * interval '1 second' as at) t`
  await give(others.slice(0, 5), others.slice(5), 28_000)
  await give([reader], others, own - 1)
  await give(others, [reader], own)
  await w.sql`update project_cases set customer_consented_at = customer_consented_at - interval '1 day' where state = 'published'`
  await give([shut], others, closed, 'published')
  await vacuum(w.sql, 'project_cases', 'attachment_bindings', 'agents')
})
after(async () => {
  await w.sql`delete from project_cases where title = 'Title'`
  await w.close()
})

const mostRows = (plan: string): number =>
  Math.max(
    ...[...plan.matchAll(/actual rows=([\d.]+) loops=(\d+)/g)].map(([, rows, loops]) => Number(rows) * Number(loops)),
  )

async function eachPlan(work: (sql: Sql) => Promise<unknown>, check: (plan: string) => void): Promise<void> {
  for (const mode of planModes) {
    const [plan = '', ...more] = await plansOf(w.sql, mode, work)
    assert.equal(more.length, 0, 'one statement')
    assert.doesNotMatch(plan, /Seq Scan on (project_cases|attachments|attachment_bindings|orders)/, plan)
    check(plan)
  }
}

test('a page reads each side by its index, and counts by it alone', async () => {
  for (const page of [1, 10]) {
    for (const filter of [
      {},
      { state: 'published' },
      { role: 'contractor' },
      { role: 'customer', state: 'draft' },
    ] as const) {
      const asked = { page, page_size: 20, role: undefined, state: undefined, ...filter }
      await eachPlan(
        (sql) => list(sql, reader.id, asked),
        (plan) => {
          for (const side of ['contractor', 'customer'] as const) {
            const isAsked = asked.role === undefined || asked.role === side
            assert.equal(plan.includes(`project_cases_of_${side}`), isAsked, plan)
          }
          assert.doesNotMatch(plan, /Sort Method: external|Seq Scan/, plan)
          assert.ok(mostRows(plan) <= 2 * own, plan)
        },
      )
    }
  }
  const first = await list(w.service.sql, reader.id, { page: 1, page_size: 20, role: undefined, state: undefined })
  assert.deepEqual([first.rows.length, first.total], [20, 2 * own - own / 4])
})

test('one case is found by its key, and a page of them is shown in one statement', async () => {
  const { rows: ids } = await list(w.service.sql, reader.id, {
    page: 1,
    page_size: 50,
    role: undefined,
    state: undefined,
  })
  for (const work of [
    (sql: Sql) => findVisible(sql, reader.id, told.id),
    (sql: Sql) => findOwn(sql, reader.id, told.id),
    (sql: Sql) => isOwn(sql, reader.id, told.id),
    (sql: Sql) => isPublic(sql, told.id),
    (sql: Sql) => projectCaseSubject.find(sql, told.id, reader.id, w.now()),
    (sql: Sql) => show(sql, { id: reader.id, publicUrl: '' }, ids),
  ]) {
    await eachPlan(work, (plan) => {
      assert.match(plan, /(using|on) project_cases_pkey/, plan)
      assert.ok(mostRows(plan) <= 100, plan)
    })
  }
})

test('a file of a case is found by its key, for whoever it is', async () => {
  await eachPlan(
    (sql) => findReadable(sql, shut.id, told.file),
    (plan) => {
      assert.match(plan, /using project_cases_pkey/, plan)
      assert.ok(mostRows(plan) <= 2, plan)
    },
  )
})

test('the newest of the site are found in their order, past those that nobody sees', async () => {
  const ids = await newestPublic(w.service.sql, 20)
  assert.equal(ids.length, 20)
  await eachPlan(
    (sql) => newestPublic(sql, 20),
    (plan) => {
      assert.match(plan, /Index Only Scan using project_cases_published/, plan)
      assert.doesNotMatch(plan, /Sort/, plan)
      const [, looked] = /Index Only Scan using project_cases_published .*actual rows=([\d.]+)/.exec(plan) ?? []
      assert.ok(Number(looked) <= 1000, plan)
    },
  )
})

test('any page of the site looks at no more than the newest thousand, in one statement', async () => {
  const first = await publicPage(w.service.sql, { page: 1, page_size: 20 })
  assert.deepEqual(first.rows, await newestPublic(w.service.sql, 20))
  assert.equal(first.total, 1000 - closed)
  const last = await publicPage(w.service.sql, { page: 5, page_size: 20 })
  assert.equal(new Set([...first.rows, ...last.rows]).size, 40)
  assert.deepEqual(await publicPage(w.service.sql, { page: 6, page_size: 20 }), { rows: [], total: 1000 - closed })
  for (const page of [1, 5]) {
    await eachPlan(
      (sql) => publicPage(sql, { page, page_size: 20 }),
      (plan) => {
        assert.match(plan, /Index Only Scan using project_cases_published/, plan)
        assert.ok(mostRows(plan) <= 2 * 1000, plan)
      },
    )
  }
})

test('the newest of a contractor are found by its index, and no more of them read than are shown', async () => {
  const ids = await newestPublicOf(w.service.sql, reader.id, 6)
  assert.equal(ids.length, 6)
  await eachPlan(
    (sql) => newestPublicOf(sql, reader.id, 6),
    (plan) => {
      assert.match(plan, /using project_cases_of_contractor/, plan)
      assert.doesNotMatch(plan, /Sort/, plan)
      assert.ok(mostRows(plan) <= 40, plan)
    },
  )
  assert.deepEqual(await newestPublicOf(w.service.sql, shut.id, 6), [])
})
