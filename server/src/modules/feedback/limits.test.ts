// How much may be filed: in an hour, in a day, by one agent, by all. Both sides of each, with twenty at once.
// docs/contract/limits.md#feedback.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { filed, recordBody, seedFeedback } from '../../../test/feedback.ts'
import { beforehand, story } from '../../../test/story.ts'
import { type Agent, code, race, tally, worldFor } from '../../../test/world.ts'
import { days, hours, seconds } from '../../kernel/clock.ts'
import { countOf, totalOf } from '../../quotas/quotas.ts'
import { records } from './feedback.ts'

const { w } = story({ env: { FEEDBACK_PER_HOUR: '5', FEEDBACK_PER_DAY: '20' } })
const there = beforehand(() => w.node())

const send = (who: Agent, n = 0) =>
  (n % 2 === 0 ? w : there).request('POST', '/feedback', {
    token: who.token,
    json: recordBody((['idea', 'problem', 'question'] as const)[n % 3] as 'idea'),
  })

test('an agent files 5 per hour and 20 per 24 hours, over all categories; replays do not count', async () => {
  const ada = await w.agent('ada')
  const first = recordBody('problem')
  assert.equal(code(await ada.post('/feedback', first)), '201')
  const all = await race(20, (n) => send(ada, n))
  assert.deepEqual(tally(all), { '201': 4, '429 feedback_rate_limited': 16 })
  const refused = await send(ada)
  assert.equal(code(refused), '429 feedback_rate_limited')
  const wait = Number(refused.headers.get('retry-after'))
  assert.ok(wait > 3000 && wait <= 3600, String(wait))
  assert.equal(code(await ada.post('/feedback', first)), '200')
  const kept = recordBody('question')
  assert.equal(code(await ada.post('/feedback', kept)), '429 feedback_rate_limited')
  for (let round = 1; round < 4; round++) {
    w.travel(hours(1))
    assert.equal(code(await ada.post('/feedback', round === 1 ? kept : recordBody('question'))), '201')
    for (let n = 0; n < 3; n++) assert.equal(code(await ada.post('/feedback', first)), '200')
    for (let n = 0; n < 4; n++) assert.equal(code(await send(ada, n)), '201')
    assert.equal(code(await send(ada)), '429 feedback_rate_limited')
  }
  w.travel(hours(1))
  const full = await send(ada)
  assert.equal(code(full), '429 feedback_rate_limited', 'twenty in a day')
  assert.ok(Number(full.headers.get('retry-after')) > 3600)
  w.travel(days(1) - hours(4))
  assert.equal(code(await send(ada)), '201')
  assert.equal(await countOf(w.sql, records, ada.id), 21, 'what was refused is counted nowhere')
  assert.equal((await ada.get('/feedback')).body.pagination.total, 21)
})

test('what was filed before the clock was set back does not count', async () => {
  const eva = await w.agent('eva')
  w.travel(days(20))
  for (let n = 0; n < 5; n++) assert.equal(code(await send(eva, n)), '201')
  assert.equal(code(await send(eva)), '429 feedback_rate_limited')
  w.travel(-days(20))
  for (let n = 0; n < 5; n++) assert.equal(code(await send(eva, n)), '201')
  assert.equal(code(await send(eva)), '429 feedback_rate_limited')
})

test('what another node filed counts even if its clock is ahead', async () => {
  const fay = await w.agent('fay')
  w.travel(seconds(50))
  for (let n = 0; n < 5; n++) assert.equal(code(await send(fay, n)), '201')
  w.travel(-seconds(50))
  assert.equal(code(await send(fay)), '429 feedback_rate_limited')
})

test('an agent who may not file ideas is told so first', async () => {
  const bob = await w.agent('bob')
  for (let n = 0; n < 5; n++) await filed(bob, 'problem')
  await bob.patch('/bots/me', { profile_public: false })
  assert.equal(code(await bob.post('/feedback', recordBody('idea'))), '403 public_profile_required')
  assert.equal(code(await bob.post('/feedback', recordBody('problem'))), '429 feedback_rate_limited')
  assert.equal(
    code(await bob.post('/feedback', recordBody('idea', { publication_confirmed: false }))),
    '400 publication_confirmation_required',
  )
})

test('0 disables each limit separately', async (t) => {
  const free = await worldFor(t, { env: { FEEDBACK_PER_HOUR: '0', FEEDBACK_PER_DAY: '7' } })
  const cara = await free.agent('cara')
  const all = await race(20, () => cara.post('/feedback', recordBody('problem')))
  assert.deepEqual(tally(all), { '201': 7, '429 feedback_rate_limited': 13 })
})

test('an agent may have 1,000 records, the server 100,000', async (t) => {
  const free = await worldFor(t)
  const [dan, sue] = [await free.agent('dan'), await free.agent('sue')]
  const created_at = new Date(free.now().getTime() - days(3))
  const seed = { author_id: dan.id, category: 'problem' as const, title: 'Old', body: 'x', created_at }
  await seedFeedback(
    free.sql,
    Array.from({ length: 990 }, () => seed),
  )
  const all = await race(20, () => dan.post('/feedback', recordBody('idea')))
  assert.deepEqual(tally(all), { '201': 10, '429 feedback_record_limit': 10 })
  const refused = await dan.post('/feedback', recordBody('problem'))
  assert.deepEqual(
    [code(refused), refused.body.error.details],
    ['429 feedback_record_limit', { limit: 1000, retryable: false }],
  )
  assert.ok(refused.headers.get('retry-after'))
  assert.equal((await dan.get('/feedback?page=20&page_size=50')).body.pagination.total, 1000)

  const missing = 99_990 - (await totalOf(free.sql, records.name))
  const shift = (by: number) => free.sql`
    insert into counters (name, shard, value) values (${records.name}, 99, ${by})
    on conflict (name, shard) do update set value = counters.value + excluded.value`
  await shift(missing)
  const last = await race(20, () => sue.post('/feedback', recordBody('idea')))
  await shift(-missing)
  assert.deepEqual(tally(last), { '201': 10, '429 feedback_record_limit': 10 })
  assert.equal((await sue.get('/feedback')).body.pagination.total, 10)
})
