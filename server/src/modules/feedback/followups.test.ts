// What an author adds to its problem or question: who may, at which version, how often.
// docs/contract/feedback.md#follow-ups.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { answer, answered, filed, follow } from '../../../test/feedback.ts'
import type { Shown } from '../../../test/orders.ts'
import { story } from '../../../test/story.ts'
import { type Agent, code, race, tally } from '../../../test/world.ts'
import { days, hours, seconds } from '../../kernel/clock.ts'
import { totalOf } from '../../quotas/quotas.ts'
import { followupRecords, mostOfOne } from './followups.ts'
import { setIdeaHidden } from './listing.ts'

const { w, ada, bob, sue } = story('ada', 'bob', { staff: ['sue'] })

const reread = async (who: Agent, record: Shown): Promise<Shown> =>
  (await who.get(`/feedback/${record.id}`)).body.feedback

test('a follow-up raises the version and changes nothing else; all are listed, newest first', async () => {
  const cara = await w.agent('cara')
  const problem = await answered(sue, await filed(cara, 'problem'), { status: 'in_progress' })
  w.travel(seconds(1))
  const added = await follow(cara, problem, { body: ' One\r\n<b>two</b> ' })
  assert.equal(code(added), '201')
  const { followup, feedback } = added.body
  assert.deepEqual(
    { ...followup, id: undefined },
    { id: undefined, feedback_id: problem.id, version: 3, body: 'One\n<b>two</b>', created_at: feedback.updated_at },
  )
  assert.deepEqual(feedback, { ...problem, version: 3, updated_at: feedback.updated_at, viewer_is_subscribed: true })
  assert.ok(feedback.updated_at > problem.updated_at)
  assert.deepEqual(await reread(cara, problem), feedback)
  const second = await follow(cara, feedback, { body: 'Three' })
  const path = `/feedback/${problem.id}/followups`
  const { followups, pagination } = (await cara.get(path)).body
  assert.deepEqual([followups, pagination.total], [[second.body.followup, followup], 2])
  assert.deepEqual((await cara.get(`${path}?page=2&page_size=1`)).body.followups, [followup])
  assert.equal((await cara.get(`/feedback/${problem.id}/updates`)).body.pagination.total, 1, 'it is no answer')
  const shown = (await sue.get(`/staff/feedback/${problem.id}`)).body
  assert.deepEqual(shown.followups, followups, 'staff reads it')
  assert.equal(code(await answer(sue, { ...problem, version: 3 })), '409 version_conflict')
})

test('only its author can follow up on a private record; nobody can on an idea', async () => {
  const problem = await filed(ada, 'problem')
  const idea = await filed(ada, 'idea')
  for (const [who, record, expected] of [
    [bob, problem, '404 not_found'],
    [sue, problem, '404 not_found'],
    [ada, idea, '403 forbidden'],
    [bob, idea, '403 forbidden'],
    [ada, { id: randomUUID(), version: 1 }, '404 not_found'],
    [ada, { id: 'x', version: 1 }, '404 not_found'],
  ] as const) {
    assert.equal(code(await follow(who, record as Shown)), expected)
    assert.equal(code(await who.get(`/feedback/${record.id}/followups`)), expected)
  }
  await w.service.sql.transaction((tx) => setIdeaHidden(tx, idea.id, true))
  assert.equal(code(await follow(bob, idea)), '404 not_found', 'it is not there')
  assert.equal(code(await follow(ada, idea)), '403 forbidden')
  assert.equal(
    code(await follow(ada, { ...idea, version: 7 })),
    '403 forbidden',
    'whose it is comes before its version',
  )
})

test('an outdated version is refused', async () => {
  const dan = await w.agent('dan')
  const problem = await filed(dan, 'question')
  for (const version of [0, 2, Number.MAX_SAFE_INTEGER]) {
    const stale = await follow(dan, problem, { expected_version: version })
    assert.deepEqual([code(stale), stale.body.error.details], ['409 version_conflict', { version: 1 }])
  }
})

test('an agent has 5 follow-ups per hour and 20 per 24 hours, over all its records', async () => {
  const gil = await w.agent('gil')
  const records: Shown[] = []
  for (let n = 0; n < 20; n++) records.push(await filed(gil, n % 2 === 0 ? 'problem' : 'question'))
  const next = async () => follow(gil, await reread(gil, records[0] as Shown))
  const first = await race(20, (n) => follow(gil, records[n] as Shown))
  assert.deepEqual(tally(first), { '201': 5, '429 feedback_followup_rate_limited': 15 })
  const refused = await next()
  assert.equal(code(refused), '429 feedback_followup_rate_limited')
  const wait = Number(refused.headers.get('retry-after'))
  assert.ok(wait > 3000 && wait <= 3600, String(wait))
  const done = first.findIndex(({ status }) => status === 201)
  const stale = await follow(gil, { ...(records[done] as Shown), version: 1 })
  assert.equal(code(stale), '409 version_conflict', 'the version comes first')
  for (let round = 1; round < 4; round++) {
    w.travel(hours(1))
    for (let n = 0; n < 5; n++) assert.equal(code(await next()), '201')
    assert.equal(code(await next()), '429 feedback_followup_rate_limited')
  }
  w.travel(hours(1))
  const full = await next()
  assert.equal(code(full), '429 feedback_followup_rate_limited', 'twenty in a day')
  assert.ok(Number(full.headers.get('retry-after')) > 3600)
  w.travel(days(1) - hours(4))
  assert.equal(code(await next()), '201')
  assert.equal(code(await follow(bob, await filed(bob, 'problem'))), '201', 'others have their own')
})

test('a record has at most 100 follow-ups, the server 1,000,000', async () => {
  const hal = await w.agent('hal')
  let record = await filed(hal, 'problem')
  await giveFollowups(hal, record, mostOfOne - 1)
  record = await reread(hal, record)
  assert.equal(code(await follow(hal, record)), '201')
  record = await reread(hal, record)
  assert.equal(record.version, 101)
  const refused = await follow(hal, record)
  assert.equal(code(refused), '429 feedback_followup_record_limit')
  assert.deepEqual(refused.body.error.details, { limit: 100, retryable: false })
  assert.match(refused.headers.get('retry-after') ?? '', /^[1-9]\d*$/)
  const path = `/feedback/${record.id}/followups`
  assert.equal((await hal.get(`${path}?page=2&page_size=50`)).body.pagination.total, 100)
  assert.equal((await sue.get(`/staff/feedback/${record.id}`)).body.followups.length, 100)
  assert.equal(code(await follow(hal, await filed(hal, 'problem'))), '201', 'another record has room')

  const crowd: Agent[] = []
  const records: Shown[] = []
  for (let n = 0; n < 20; n++) {
    crowd.push(await w.agent(`crowd_${n}`))
    records.push(await filed(crowd[n] as Agent, 'problem'))
  }
  const missing = 999_990 - (await totalOf(w.sql, followupRecords.name))
  const shift = (by: number) => w.sql`
    insert into counters (name, shard, value) values (${followupRecords.name}, 99, ${by})
    on conflict (name, shard) do update set value = counters.value + excluded.value`
  await shift(missing)
  const all = await race(20, (n) => follow(crowd[n] as Agent, records[n] as Shown))
  await shift(-missing)
  assert.deepEqual(tally(all), { '201': 10, '429 feedback_followup_record_limit': 10 })
})

/** Follow-ups of two days ago. */
async function giveFollowups(who: Agent, record: Shown, count: number): Promise<void> {
  const then = new Date(w.now().getTime() - days(2))
  await w.sql`
    insert into feedback_followups (id, feedback_id, author_id, version, body, created_at)
    select ('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, ${record.id}, ${who.id}, n + 1, 'x', ${then}
    from generate_series(1, ${count}::integer) as n`
  await w.sql`update feedback set version = ${count + 1}, followups_count = ${count} where id = ${record.id}`
  await w.sql`
    insert into party_counts (party_id, name, value) values (${who.id}, ${followupRecords.name}, ${count})`
  await w.sql`
    insert into counters (name, shard, value) values (${followupRecords.name}, 63, ${count})
    on conflict (name, shard) do update set value = counters.value + excluded.value`
}
