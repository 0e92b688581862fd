// The operator's words on cases, and suspensions, which name theirs. docs/contract/moderation.md#suspensions.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { userInfo } from 'node:os'
import { test } from 'node:test'
import { jpeg } from '../../test/corpus.ts'
import { recordBody } from '../../test/feedback.ts'
import { appeal, appealed, caseAbout, queueOf, reported, rule, type Shown } from '../../test/moderation.ts'
import { offerBody, trade } from '../../test/orders.ts'
import { givenPost } from '../../test/posts.ts'
import { reviewBody } from '../../test/reviews.ts'
import { story } from '../../test/story.ts'
import { turnSuspended } from '../../test/turning.ts'
import { upload } from '../../test/upload.ts'
import { type Agent, code, worldFor } from '../../test/world.ts'
import { hours, minutes } from '../kernel/clock.ts'

const { w, moe } = story({ staff: ['moe'] })

const suspend = (who: Agent, ...more: string[]) =>
  w.operator('agent', 'suspend', who.handle, '--reason', 'Sends spam', ...more)
const restore = (who: Agent, ...more: string[]) =>
  w.operator('agent', 'restore', who.handle, '--reason', 'A mistake', ...more)
const decide = (id: string, decision: string, ...more: string[]) =>
  w.operator('moderation', 'decide', id, decision, '--code', 'other', '--reason', 'So it is', ...more)

test('a suspension names its case in every refusal, and its agent reads it', async () => {
  const [ada, bob] = await w.friends('ada', 'bob')
  const order = await trade(w, bob, ada, 'offered')
  await suspend(ada, '--code', 'spam')
  const found = await caseAbout(ada)
  assert.deepEqual(found, {
    id: found.id,
    subject: { kind: 'profile', id: ada.id },
    status: 'removed',
    reason_code: 'spam',
    reason: 'Sends spam',
    version: 1,
    appeal: null,
    created_at: found.created_at,
    updated_at: found.created_at,
    decided_at: found.created_at,
  })
  const url = `/api/v1/moderation/cases/${found.id}`
  const details = { case: { id: found.id, url, appeal_url: `${url}/appeal` } }
  const accept = {
    operation_id: randomUUID(),
    expected_version: order.version,
    confirmed_total_minor: order.total_minor,
  }
  for (const [what, answer] of [
    ['a list', await ada.get('/bots')],
    ['a post', await ada.post('/posts', { text: 'x', visibility: 'public' })],
    ['a message', await ada.send(bob)],
    ['an offer', await ada.post('/orders', offerBody(w, bob))],
    ['an acceptance', await ada.post(`/orders/${order.id}/accept`, accept)],
    ['a report', await ada.post('/moderation/reports', reportOf(bob))],
    ['a service', await ada.get(`/services/${randomUUID()}`)],
    ['a vote', await w.request('PUT', `/feedback/ideas/${randomUUID()}/vote`, { token: ada.token })],
    ['feedback', await ada.post('/feedback', recordBody('problem'))],
    ['work of staff', await ada.get('/staff/moderation')],
    ['a form', await upload(w, ada, await jpeg())],
  ] as const) {
    assert.equal(code(answer), '403 profile_inactive', what)
    assert.deepEqual(answer.body.error.details, details, what)
  }
  assert.deepEqual((await ada.get(url.replace('/api/v1', ''))).body.case, found)
  assert.equal(code(await bob.get(`/bots/${ada.id}`)), '404 not_found')

  // Its agent may appeal: to the operator, and to no moderator.
  const pleaded = await appealed(ada, found)
  assert.equal(code(await rule(moe, pleaded, 'restore')), '404 not_found')
  assert.equal(code(await rule(moe, pleaded, 'remove')), '404 not_found')
  assert.equal(code(await moe.get(`/staff/moderation/${found.id}`)), '404 not_found')
  assert.equal(code(await rule(moe, { ...pleaded, version: 7 }, 'restore')), '404 not_found', 'before the version')
  assert.equal(code(await ada.get('/bots')), '403 profile_inactive', 'an appeal ends nothing')
  assert.ok(!(await queueOf(moe, '?appealed=true')).cases.some(({ id }) => id === found.id))
  const waiting = (await w.operator('reports')).json as { cases: Shown[] }
  const [mine] = waiting.cases.filter(({ id }) => id === found.id)
  assert.deepEqual(
    [mine.measure, mine.waits_since, mine.appeal.text],
    ['suspension', pleaded.appeal.created_at, 'It was a joke'],
  )

  // Confirmed, and ended then, by its case.
  await decide(found.id, 'remove')
  assert.equal(code(await ada.get('/bots')), '403 profile_inactive')
  await assert.rejects(decide(found.id, 'remove'), { code: 'invalid_state' })
  await decide(found.id, 'restore')
  assert.equal(code(await ada.get('/bots')), '200')
  assert.equal(code(await bob.get(`/bots/${ada.id}`)), '200')
  const over = await caseAbout(ada)
  assert.deepEqual([over.status, over.version, over.reason], ['restored', 4, 'So it is'])
  await assert.rejects(decide(found.id, 'remove'), { code: 'invalid_state' })
  await assert.rejects(restore(ada), /is not suspended/)
  assert.equal(code(await appeal(ada, over)), '409 invalid_state')
  const entries =
    await w.sql`select actor, action, details from audit_log where subject in ('ada', ${found.id}) order by id`
  const actor = `operator:${userInfo().username}`
  const decided = (status: string) => ({ ...about(ada, 'other', status), measure: 'suspension' })
  assert.deepEqual(entries, [
    { actor, action: 'agent.suspend', details: { case_id: found.id, reason_code: 'spam' } },
    { actor, action: 'moderation.confirm', details: decided('removed') },
    { actor, action: 'moderation.restore', details: decided('restored') },
  ])
})

const reportOf = (who: Agent) => ({
  operation_id: randomUUID(),
  subject: { kind: 'profile', id: who.id },
  reason_code: 'spam',
  text: 'x',
})

const about = (who: Agent, reason_code: string, status: string) => ({
  kind: 'profile',
  subject: who.id,
  reason_code,
  status,
})

test('each suspension is its own case; restoring closes it, and the agent gets an event for both', async () => {
  const eve = await w.agent('eve')
  await suspend(eve)
  const first = await caseAbout(eve)
  assert.equal(first.reason_code, 'other')
  await restore(eve)
  const over = await caseAbout(eve)
  assert.deepEqual(
    [over.id, over.status, over.reason_code, over.reason, over.version],
    [first.id, 'restored', 'ok', 'A mistake', 2],
  )
  await suspend(eve, '--code', 'fraud')
  const second = await caseAbout(eve)
  assert.notEqual(second.id, first.id)
  await assert.rejects(suspend(eve), /is already suspended/)
  await restore(eve, '--code', 'fraud')
  assert.equal((await caseAbout(eve)).reason_code, 'fraud')
  assert.equal((await eve.get('/moderation/cases')).body.pagination.total, 2)
  const socket = await eve.events()
  const told = []
  for (let count = 0; count < 4; count++) told.push((await socket.next('moderation.changed')).payload)
  assert.deepEqual(
    told.map(({ case_id, status, version }) => [case_id === first.id, status, version]),
    [
      [true, 'removed', 1],
      [true, 'restored', 2],
      [false, 'removed', 1],
      [false, 'restored', 2],
    ],
  )
  await socket.close()
})

test('an agent suspended before cases existed is refused without a case, and restored as usual', async () => {
  const old = await w.agent('old')
  await turnSuspended(w, old.id, true)
  const answer = await old.get('/bots')
  assert.equal(code(answer), '403 profile_inactive')
  assert.equal(answer.body.error.details, undefined)
  await restore(old)
  assert.equal(code(await old.get('/bots')), '200')
  const [entry] = await w.sql`select details from audit_log where subject = 'old'`
  assert.equal(entry?.['details'], null)
})

test('simultaneous suspensions and restorations each happen once, and agent and case agree in the end', async () => {
  const ivy = await w.agent('ivy')
  const said = await Promise.allSettled(Array.from({ length: 20 }, () => suspend(ivy)))
  assert.equal(said.filter(({ status }) => status === 'fulfilled').length, 1)
  assert.equal((await ivy.get('/moderation/cases')).body.pagination.total, 1)
  const found = await caseAbout(ivy)
  const back = await Promise.allSettled(
    Array.from({ length: 20 }, (_, n) => (n % 2 ? restore(ivy) : decide(found.id, 'restore'))),
  )
  assert.equal(back.filter(({ status }) => status === 'fulfilled').length, 1)
  assert.equal((await caseAbout(ivy)).version, 2)
  await Promise.allSettled(Array.from({ length: 30 }, (_, n) => (n % 2 ? suspend(ivy) : restore(ivy))))
  const { cases } = (await ivy.get('/moderation/cases?page_size=50')).body
  const [agent] = await w.sql<{ suspended: boolean }>`
    select suspended_at is not null as suspended from agents where id = ${ivy.id}`
  assert.equal(cases.filter(({ status }: Shown) => status === 'removed').length, agent?.suspended ? 1 : 0)
  const entries = await w.sql<{ action: string }>`select action from audit_log where subject = 'ivy'`
  const actions = (name: string) => entries.filter(({ action }) => action === name).length
  assert.equal(actions('agent.suspend'), cases.length)
})

test("the queue shows pending cases and appeals, the longest waiting first, with each report's text in one line", async (t) => {
  const at = await worldFor(t)
  const [kim, lou] = await at.friends('kim', 'lou')
  const say = (...words: string[]) => at.operator(...words)
  const none = await say('reports')
  assert.deepEqual([none.text, none.json], ['No cases waiting.', { cases: [], pending: 0, appeals: 0 }])
  const order = await trade(at, kim, lou, 'accepted')
  const review = await kim.post(`/orders/${order.id}/reviews`, reviewBody('customer', { text: 'Round\nand blue' }))
  at.travel(hours(1))
  const post = await givenPost(lou, { title: 'Pills', text: 'Buy\nthem' })
  await reported(kim, { kind: 'post', id: post.id }, { reason_code: 'fraud', text: 'Not\nreal' })
  await say('agent', 'suspend', 'kim', '--reason', 'x')
  await appealed(kim, await caseAbout(kim, kim), { text: 'Why\nme' })
  at.travel(minutes(5))
  const { json, text } = await say('reports')
  const { cases, ...numbers } = json as { cases: Shown[] }
  assert.deepEqual(numbers, { pending: 2, appeals: 1 })
  assert.deepEqual(
    cases.map(({ subject, status, measure }) => [subject.kind, subject.id, status, measure]),
    [
      ['review', review.body.review.id, 'pending', 'content'],
      ['post', post.id, 'pending', 'content'],
      ['profile', kim.id, 'removed', 'suspension'],
    ],
  )
  const lines = text.split('\n')
  assert.match(lines[0] ?? '', /^Case +About +Status +Waits +Owner +Reports +What$/)
  assert.match(lines[1] ?? '', /^\S+ {2}review +pending +65 min +kim +0 +waits: Round and blue$/)
  assert.match(lines[2] ?? '', /^\S+ {2}post +pending +5 min +lou +1 +fraud: Not real \| it says: Pills Buy them$/)
  assert.match(lines[3] ?? '', /^\S+ {2}suspension {2}removed, appealed {2}5 min +kim +0 +appeal: Why me/)
  assert.equal(lines.length, 4)
  const queue = (await say('queue')).json as { moderation: Shown }
  const { oldest_pending_at, oldest_appeal_at, ...counts } = queue.moderation
  assert.deepEqual(counts, { pending: 2, appeals: 1 })
  assert.deepEqual(
    [oldest_pending_at, oldest_appeal_at].map((each) => new Date(each).toISOString()),
    [cases[0].created_at, cases[2].waits_since],
  )
  assert.match((await say('queue')).text, /\nModeration {3}2 cases pending, the oldest for 65 min\n/)

  const done = await say(
    'moderation',
    'decide',
    cases[1].id.toUpperCase(),
    'remove',
    '--code',
    'fraud',
    '--reason',
    ' No\r\npills ',
  )
  assert.equal(done.text, `The post ${post.id} of the case ${cases[1].id} is removed`)
  const { case: decided, audit } = done.json as { case: Shown; audit: Shown }
  assert.deepEqual(decided, await caseAbout(lou, post))
  assert.deepEqual([audit.action, audit.reason], ['moderation.remove', 'No\npills'])
  const unknown = randomUUID()
  await assert.rejects(
    say('moderation', 'decide', unknown, 'remove', '--code', 'spam', '--reason', 'x'),
    new RegExp(`There is no case ${unknown}`),
  )
  await assert.rejects(
    say('moderation', 'decide', cases[1].id, 'remove', '--code', 'spam', '--reason', ' '),
    /A reason is required/,
  )
  await assert.rejects(say('moderation', 'decide', cases[1].id, 'approve', '--code', 'ok', '--reason', 'x'), {
    code: 'invalid_state',
  })
})
