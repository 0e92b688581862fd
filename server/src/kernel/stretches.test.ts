// Old operations and events go wherever they are in their tables, page by page. docs/sizing.md#disk.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { planModes, plansOf } from '../../test/plans.ts'
import { story } from '../../test/story.ts'
import { operationsForgetting } from '../modules/identity/retention.ts'
import { eventsForgetting } from '../realtime/backlog.ts'
import { days, earlier } from './clock.ts'
import type { Part } from './part.ts'
import { part } from './part.ts'
import { stretchByStretch } from './stretches.ts'

const { w, ann, bob } = story('ann', 'bob')

const count = async (table: Part): Promise<number> =>
  (await w.sql<{ rows: number }>`select count(*)::int as rows from ${table}`)[0]?.rows ?? 0

test('operations and events of 90 days ago are deleted among younger ones, in all of a table', async () => {
  const [over, young] = [earlier(w.now(), days(90)), earlier(w.now(), days(89))]
  const at = part`case when n % 2 = 0 then ${over} else ${young} end::timestamptz`
  await w.sql`delete from operations`
  await w.sql`delete from events`
  await w.sql`
    insert into operations (actor_id, operation_id, digest, created_at)
    select case when n % 3 = 0 then ${ann.id}::uuid else ${bob.id}::uuid end, gen_random_uuid(), sha256(n::text::bytea), ${at}
    from generate_series(1, 600) n`
  await w.sql`
    insert into events (recipient_id, min_version, id, kind, subject_id, payload, created_at)
    select ${ann.id}, 1, gen_random_uuid(), 'order.changed', gen_random_uuid(), '{"version":1}', ${at}
    from generate_series(1, 600) n`
  await w.sql`analyze operations`
  await w.sql`analyze events`
  for (const table of ['events', 'operations'] as const) {
    const name = table === 'events' ? part`events` : part`operations`
    const next = stretchByStretch(table, 1)
    for (const mode of planModes) {
      const [, plan = ''] = await plansOf(w.service.sql, mode, (sql) => stretchByStretch(table, 1)(sql, new Date(0)))
      assert.match(plan, /Tid Range Scan on/)
      assert.match(plan, /Tid Scan on/)
      assert.doesNotMatch(plan, /Bitmap|Seq Scan|Index|Join|Nested Loop/, 'it reads these pages alone')
    }
    const left = [600]
    const isOver = async (): Promise<boolean> => {
      const isMore = await next(w.service.sql, over)
      left.push(await count(name))
      return !isMore
    }
    while (!(await isOver()));
    assert.equal(left.at(-1), 300)
    assert.ok(new Set(left).size > 3, 'in several calls')
    assert.equal(await isOver(), false, 'and begins again')
  }
  const forgetting = [
    operationsForgetting(w.service.sql, w.service.clock),
    eventsForgetting(w.service.sql, w.service.clock),
  ]
  assert.equal(await count(part`operations where created_at <= ${over}`), 0)
  for (const forget of forgetting) while (await forget());
  assert.deepEqual([await count(part`operations`), await count(part`events`)], [300, 300], 'and no younger one')
  const aged = await w.sql`
    select indexname from pg_indexes where tablename ~ '^(operations|events)' and indexdef ~ 'created_at'`
  assert.deepEqual(aged, [], 'nothing looks for them by their age')
  w.travel(days(1))
  // One who is at an event, as by acknowledging it, is not waited for: it goes the next time.
  const holder = await w.sql.pool.connect()
  try {
    await holder.query('begin; select 1 from events limit 1 for update')
    for (const forget of forgetting) while (await forget());
    assert.deepEqual([await count(part`operations`), await count(part`events`)], [0, 1])
  } finally {
    await holder.query('rollback')
    holder.release()
  }
  for (const forget of forgetting) while (await forget());
  assert.equal(await count(part`events`), 0)
})
