// With many cases and reports each way to them goes by the index that was made for it, whether PostgreSQL plans for its values
// or not.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { moderationCaseOf, reported } from '../../../test/moderation.ts'
import { planModes, plansOf } from '../../../test/plans.ts'
import { givenPost } from '../../../test/posts.ts'
import { vacuum } from '../../../test/vacuum.ts'
import { type Agent, type World, world } from '../../../test/world.ts'
import { part } from '../../kernel/part.ts'
import type { Query, Sql, Tx } from '../../store/sql.ts'
import * as moderationCases from '../moderation/cases.ts'
import { newestOf } from '../moderation/reports.ts'
import { judgeOf } from './judge.ts'
import { type Filter, list, waiting } from './moderation.ts'

const many = 60_000

let w: World
let ada: Agent
let rae: Agent
let caseId: string
let postId: string
before(async () => {
  w = await world()
  ;[ada, rae] = [await w.agent('ada'), await w.agent('rae')]
  postId = (await givenPost(ada)).id
  await reported(rae, 'post', postId)
  caseId = (await moderationCaseOf(ada, postId)).id
  // In every status, of every kind, a tenth of each status with an appeal, a tenth of those waiting; hardly any are
  // pending.
  await w.sql`
    insert into moderation_cases (id, subject_kind, subject_id, owner_id, status, premoderation, reason_code, reason, appeal_text,
      appealed_at, appeal_answered_at, created_at, updated_at, decided_at)
    select gen_random_uuid(), (array['post', 'profile', 'task', 'service'])[1 + n % 4], gen_random_uuid(),
      case when n % 3 = 0 then ${ada.id}::uuid else ${rae.id}::uuid end, s.status, s.status = 'rejected',
      case when s.status <> 'pending' then 'other' end, case when s.status <> 'pending' then 'Why' end,
      case when s.status <> 'pending' and n % 10 = 0 then 'No' end,
      case when s.status <> 'pending' and n % 10 = 0 then ${w.now()}::timestamptz + n * interval '1 second' end,
      case when s.status <> 'pending' and n % 10 = 0 and n % 100 <> 0 then ${w.now()}::timestamptz end,
      ${w.now()}, ${w.now()}, case when s.status <> 'pending' then ${w.now()}::timestamptz end
    from generate_series(1, ${many}) n cross join lateral (
      select case when n % 50 = 0 then 'pending'
        else (array['approved', 'removed', 'restored', 'rejected'])[1 + (n / 4) % 4] end as status) s`
  await w.sql`
    insert into moderation_reports (id, case_id, reporter_id, reason_code, text, created_at)
    select gen_random_uuid(), c.id, a.id, 'spam', 'x', ${w.now()}::timestamptz - n * interval '1 second'
    from (select id, row_number() over () as n from moderation_cases where id <> ${caseId}) c
    cross join (values (${ada.id}::uuid), (${rae.id}::uuid)) a (id)`
  await vacuum(w.sql, 'moderation_cases', 'moderation_reports')
})
after(async () => {
  await w.sql`delete from moderation_reports where case_id <> ${caseId}`
  await w.sql`delete from moderation_cases where id <> ${caseId}`
  await w.close()
})

const page = { page: 1, page_size: 20 }
const now = () => w.now()
const filters: [string, Partial<Filter>, RegExp][] = [
  ['what is pending', {}, /moderation_cases_in |moderation_cases_standing/],
  ['what is pending of a kind', { kind: 'task' }, /moderation_cases_of_kind_in|moderation_cases_in /],
  ['what was approved', { status: 'approved' }, /moderation_cases_in /],
  ['what was removed of a kind', { status: 'removed', kind: 'post' }, /moderation_cases_(of_kind_in|removed) /],
  ['what was removed and appealed', { status: 'removed', appealed: true }, /moderation_cases_appealed_in/],
  ['what was removed and never appealed', { status: 'removed', appealed: false }, /moderation_cases_in /],
  ['appeals that wait', { appealed: true }, /moderation_cases_appealed /],
]

/** How a page of a list is read (store/page-of.ts): its number, and its rows, which an index has in their order. */
const halvesOf = (plan = ''): string[] => plan.split('->  Nested Loop Left Join')

/** No step of a plan reads more rows of the cases or reports than a page, but for a count, which goes by an index alone. */
function assertFlat(plans: readonly string[], what: string): void {
  for (const plan of plans.flatMap(halvesOf)) {
    assert.doesNotMatch(plan, /Seq Scan on moderation_/, what)
    if (/Aggregate/.test(plan)) {
      assert.match(plan, /Index Only Scan|Bitmap/, what)
      continue
    }
    const rows = [...plan.matchAll(/on moderation_\w+ .*?actual.*?rows=(\d+)/g)].map(([, count]) => Number(count))
    assert.ok(
      rows.every((count) => count <= 220),
      `${what}\n${plan}`,
    )
  }
}

/** What only one transaction has, over statements that are explained. */
const asTx = (explained: Query): Tx => Object.assign(explained, { now: w.now() }) as unknown as Tx

for (const mode of planModes) {
  const plansIn = (work: (explained: Sql) => Promise<unknown>) => plansOf(w.sql, mode, work)

  test(`the lists of moderators (${mode})`, async () => {
    for (const [what, filter, index] of filters) {
      for (const at of [1, 3]) {
        const plans = await plansIn((explained) =>
          list(explained, now(), judgeOf(w.service, { id: ada.id }), {
            status: undefined,
            kind: undefined,
            appealed: undefined,
            page_size: 20,
            page: at,
            ...filter,
          }),
        )
        // The number is counted by whichever index has all that it asks for.
        const [total, rows] = halvesOf(plans[0])
        assert.match(total ?? '', /using moderation_cases_/, what)
        assert.match(rows ?? '', index, what)
        assert.doesNotMatch(rows ?? '', /Sort/, what)
        assertFlat(plans, what)
      }
    }
  })

  test(`a page of a hundred cases is a few statements (${mode})`, async () => {
    const everything = { status: undefined, kind: undefined, appealed: undefined, page: 1 }
    const plans = await plansIn((explained) =>
      list(explained, now(), judgeOf(w.service, { id: ada.id }), { ...everything, page_size: 100 }),
    )
    // The page, its number, names, reports, whose they are, and the things of each kind.
    assert.ok(plans.length <= 10, `${plans.length}`)
  })

  test(`the cases of an owner (${mode})`, async () => {
    for (const status of [undefined, 'removed'] as const) {
      const plans = await plansIn((explained) => moderationCases.listOwn(explained, ada.id, { ...page, status }))
      const [, rows = ''] = halvesOf(plans[0])
      assert.match(rows, status ? /moderation_cases_of_owner_in/ : /moderation_cases_of_owner/)
      assert.doesNotMatch(rows, /Sort/)
      assertFlat(plans, String(status))
    }
  })

  test(`what waits, for the operator and its queue (${mode})`, async () => {
    assertFlat(await plansIn((explained) => waiting(explained, now(), 200)), 'waiting')
    assertFlat(await plansIn(moderationCases.countWaiting), 'numbers')
    for (const work of [moderationCases.oldestPending, moderationCases.oldestAppeal]) {
      const [oldest = ''] = await plansIn(work)
      assert.doesNotMatch(oldest, /Seq Scan|Sort/)
      for (const [, rows] of oldest.matchAll(/actual.*?rows=(\d+)/g)) assert.ok(Number(rows) <= 1, oldest)
    }
  })

  test(`a case by its subject, and the reports of one reporter (${mode})`, async () => {
    for (const work of [
      (explained: Sql) => moderationCases.findPending(asTx(explained), { kind: 'post', id: postId }),
      (explained: Sql) => moderationCases.isRemoved(explained, { kind: 'post', id: postId, exceptCaseId: caseId }),
    ]) {
      const [plan = ''] = await plansIn(work)
      assert.match(plan, /moderation_cases_(standing|removed)/)
      assert.doesNotMatch(plan, /Seq Scan/)
    }
    const [newest = ''] = await plansIn(
      (explained) => explained`select at from (${newestOf(rae.id)} limit ${20}) as n (at)`,
    )
    assert.match(newest, /Index Only Scan Backward using moderation_reports_of_reporter/)
    assert.doesNotMatch(newest, /Seq Scan|Sort/)
    const once = await plansIn(
      (explained) =>
        explained`select 1 from moderation_reports where case_id = ${caseId} and reporter_id = ${rae.id} ${part``}`,
    )
    assert.match(once[0] ?? '', /moderation_reports_once/)
  })
}
