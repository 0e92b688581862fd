// Who is notified of answers, from when, and until when: events as they are stored, and as they arrive.
// docs/contract/feedback.md#subscriptions.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { answer, answered, filed, follow, subscription, vote } from '../../../test/feedback.ts'
import { heard } from '../../../test/heard.ts'
import type { Shown } from '../../../test/orders.ts'
import { story } from '../../../test/story.ts'
import { turnSuspended } from '../../../test/turning.ts'
import { type Agent, code, race, tally } from '../../../test/world.ts'
import { countOf, totalOf } from '../../quotas/quotas.ts'
import { mayHearOfFeedback, setIdeaHidden } from './listing.ts'
import { mostSubscribers, subscriptionRecords } from './subscriptions.ts'

const { w, ada, bob, sue } = story('ada', 'bob', { staff: ['sue'] })

const told = (who: Agent): Promise<string[]> => heard(w, who, 'feedback.changed')

test('the author is subscribed from the start, outside every limit', async () => {
  for (const category of ['idea', 'problem', 'question'] as const) {
    const record = await filed(ada, category)
    assert.deepEqual((await subscription(w, ada, record)).body.subscription, {
      feedback_id: record.id,
      is_active: true,
      from_version: 1,
      required_event_version: 4,
      updated_at: record.created_at,
    })
  }
  assert.equal(await countOf(w.sql, subscriptionRecords, ada.id), 0)
})

test('others are not subscribed until they ask, and unsubscribing without a subscription changes nothing', async () => {
  const idea = await filed(ada, 'idea')
  const none = {
    feedback_id: idea.id,
    is_active: false,
    from_version: null,
    required_event_version: 4,
    updated_at: null,
  }
  assert.deepEqual((await bob.get(`/feedback/${idea.id}/subscription`)).body.subscription, none)
  const stopped = await w.request('DELETE', `/feedback/${idea.id}/subscription`, { token: bob.token })
  assert.deepEqual([code(stopped), stopped.body.subscription], ['200', none])
  assert.deepEqual((await subscription(w, bob, idea)).body.subscription, none, 'nothing was made')
  const asked = await subscription(w, bob, idea, 'PUT')
  const { updated_at, ...made } = asked.body.subscription
  const begun = { feedback_id: idea.id, is_active: true, from_version: 1, required_event_version: 4 }
  assert.deepEqual([code(asked), made], ['200', begun])
  assert.ok(updated_at >= idea.created_at)
  w.travel(1000)
  assert.deepEqual((await subscription(w, bob, idea, 'PUT')).body, asked.body, 'again changes nothing')
  assert.equal((await bob.get(`/feedback/ideas/${idea.id}`)).body.idea.viewer_is_subscribed, true)
  assert.equal((await ada.get(`/feedback/${idea.id}`)).body.feedback.version, 1, 'nor is it a change of the idea')
})

test('each answer notifies the author and the subscribers; a follow-up and a vote notify nobody', async () => {
  const [cara, dan] = [await w.agent('cara'), await w.agent('dan')]
  let idea = await filed(cara, 'idea')
  await subscription(w, dan, idea, 'PUT')
  await vote(w, dan, idea)
  assert.deepEqual([await told(cara), await told(dan)], [[], []])
  idea = await answered(sue, idea)
  idea = await answered(sue, idea, { response: 'Still planned' })
  idea = await answered(sue, idea, { status: 'resolved' })
  const all = ['feedback.changed planned 2', 'feedback.changed planned 3', 'feedback.changed resolved 4']
  assert.deepEqual([await told(cara), await told(dan)], [all, all])
  assert.deepEqual(await told(sue), [])
  const problem = await filed(dan, 'problem')
  assert.equal(code(await follow(dan, problem)), '201')
  assert.deepEqual(await told(dan), all)
  const socket = await dan.events(4)
  const event = await socket.next('feedback.changed')
  assert.deepEqual(event.payload, { feedback_id: idea.id, status: 'planned', version: 2 })
  await socket.close()
})

test('older versions of the channel do not get the event', async () => {
  const [eli, fred] = [await w.agent('eli'), await w.agent('fred')]
  const idea = await filed(eli, 'idea')
  await answered(sue, idea)
  const old = await eli.events(3)
  const asked = await fred.post('/contacts/requests', { recipient_id: eli.id })
  assert.equal(code(asked), '201')
  await old.next('contact.requested')
  assert.deepEqual(
    old.frames.filter(({ kind }) => kind === 'feedback.changed'),
    [],
  )
  await old.close()
  const socket = await eli.events(4)
  assert.equal((await socket.next('feedback.changed')).payload.version, 2)
  await socket.close()
})

test('unsubscribing stops events, even undelivered ones; subscribing again gets only later ones', async () => {
  const gina = await w.agent('gina')
  let [idea, other] = [await filed(ada, 'idea'), await filed(ada, 'idea')] as [Shown, Shown]
  for (const each of [idea, other]) await subscription(w, gina, each, 'PUT')
  idea = await answered(sue, idea)
  other = await answered(sue, other, { status: 'declined' })
  assert.equal((await told(gina)).length, 2)
  const stopped = (await subscription(w, gina, idea, 'DELETE')).body.subscription
  assert.deepEqual([stopped.is_active, stopped.from_version], [false, 1])
  assert.deepEqual(await told(gina), ['feedback.changed declined 2'], 'of the other it still hears')
  assert.deepEqual((await subscription(w, gina, idea, 'DELETE')).body.subscription, stopped, 'again changes nothing')
  assert.equal((await gina.get(`/feedback/ideas/${idea.id}`)).body.idea.viewer_is_subscribed, false)
  idea = await answered(sue, idea, { status: 'in_progress' })
  assert.deepEqual(await told(gina), ['feedback.changed declined 2'])
  assert.equal((await subscription(w, gina, idea, 'PUT')).body.subscription.from_version, 3)
  assert.deepEqual(await told(gina), ['feedback.changed declined 2'], 'what was before stays untold')
  await answered(sue, idea, { status: 'resolved' })
  assert.deepEqual(await told(gina), ['feedback.changed declined 2', 'feedback.changed resolved 4'])
})

test('an author may unsubscribe and subscribe again, for any kind of record', async () => {
  const hugo = await w.agent('hugo')
  for (const category of ['idea', 'problem', 'question'] as const) {
    const record = await filed(hugo, category)
    let seen = await answered(sue, record)
    assert.equal((await subscription(w, hugo, record, 'DELETE')).body.subscription.is_active, false)
    assert.deepEqual(await told(hugo), [], category)
    seen = await answered(sue, seen)
    assert.deepEqual(await told(hugo), [])
    assert.equal((await hugo.get(`/feedback/${record.id}`)).body.feedback.viewer_is_subscribed, false)
    assert.equal((await subscription(w, hugo, record, 'PUT')).body.subscription.from_version, 3)
    await answered(sue, seen)
    assert.deepEqual(await told(hugo), ['feedback.changed planned 4'])
    await subscription(w, hugo, record, 'DELETE')
  }
  assert.equal(await countOf(w.sql, subscriptionRecords, hugo.id), 0, 'and takes no room by it')
})

test('feedback that you may not read cannot be subscribed to; a hidden idea is in no list until it is restored', async () => {
  const [ines, jon] = [await w.agent('ines'), await w.agent('jon')]
  const [idea, problem, stays] = [await filed(ines, 'idea'), await filed(ines, 'problem'), await filed(ada, 'idea')]
  for (const method of ['GET', 'PUT', 'DELETE'] as const) {
    for (const id of [problem.id, randomUUID(), 'x']) {
      assert.equal(code(await subscription(w, jon, { id }, method)), '404 not_found', `${method} ${id}`)
    }
  }
  for (const each of [idea, stays]) await subscription(w, jon, each, 'PUT')
  const list = async (who: Agent, query = '') => {
    const { subscriptions, pagination } = (await who.get(`/feedback/subscriptions${query}`)).body
    return [subscriptions.map((each: { feedback_id: string }) => each.feedback_id), pagination.total]
  }
  assert.deepEqual(await list(jon), [[stays.id, idea.id], 2])
  assert.deepEqual(await list(jon, '?page=2&page_size=1'), [[idea.id], 2])
  for (const [hide, show] of [
    [() => ines.patch('/bots/me', { profile_public: false }), () => ines.patch('/bots/me', { profile_public: true })],
    [() => turnSuspended(w, ines.id, true), () => turnSuspended(w, ines.id, false)],
    [
      () => w.service.sql.transaction((tx) => setIdeaHidden(tx, idea.id, true)),
      () => w.service.sql.transaction((tx) => setIdeaHidden(tx, idea.id, false)),
    ],
  ] as const) {
    await hide()
    for (const method of ['GET', 'PUT', 'DELETE'] as const) {
      assert.equal(code(await subscription(w, jon, idea, method)), '404 not_found', method)
    }
    assert.deepEqual(await list(jon), [[stays.id], 1])
    assert.deepEqual((await list(ines))[1], 2, 'the author reads its own')
    await show()
    assert.deepEqual(await list(jon), [[stays.id, idea.id], 2])
  }
  await subscription(w, jon, stays, 'DELETE')
  assert.deepEqual(await list(jon), [[idea.id], 1])
})

test('a suspended agent reads its subscriptions, but cannot change them', async () => {
  const kai = await w.agent('kai')
  const mine = await filed(kai, 'problem')
  await turnSuspended(w, kai.id, true)
  assert.equal(code(await kai.get('/feedback/subscriptions')), '200')
  assert.equal(code(await subscription(w, kai, mine)), '200')
  assert.equal(code(await subscription(w, kai, mine, 'PUT')), '403 profile_inactive')
  assert.equal(code(await subscription(w, kai, mine, 'DELETE')), '403 profile_inactive')
})

test('an answer and an unsubscription at once leave nothing to deliver', async () => {
  const lou = await w.agent('lou')
  for (let round = 0; round < 10; round++) {
    const idea = await filed(ada, 'idea')
    await subscription(w, lou, idea, 'PUT')
    const [given, stopped] = await Promise.all([answer(sue, idea), subscription(w, lou, idea, 'DELETE')])
    assert.deepEqual([code(given), code(stopped)], ['200', '200'])
    assert.deepEqual(await told(lou), [])
  }
})

test('twenty simultaneous subscriptions of one agent are one; on and off at once leave either state', async () => {
  const max = await w.agent('max')
  const idea = await filed(ada, 'idea')
  assert.deepEqual(tally(await race(20, () => subscription(w, max, idea, 'PUT'))), { '200': 20 })
  assert.equal(await countOf(w.sql, subscriptionRecords, max.id), 1)
  await race(20, (n) => subscription(w, max, idea, n % 2 === 0 ? 'PUT' : 'DELETE'))
  const { is_active: isActive } = (await subscription(w, max, idea)).body.subscription
  assert.equal((await max.get('/feedback/subscriptions')).body.pagination.total, isActive ? 1 : 0)
  assert.equal(await countOf(w.sql, subscriptionRecords, max.id), 1)
})

test('the author always gets events, others while everyone can see the record', async () => {
  const [ned, olga] = [await w.agent('ned'), await w.agent('olga')]
  const idea = await filed(ned, 'idea')
  await subscription(w, olga, idea, 'PUT')
  await answered(sue, idea)
  const hearing = async (): Promise<string[]> => {
    const rows = await w.sql<{ recipient_id: string }>`
      select e.recipient_id from events e
      where e.subject_id = ${idea.id} and e.kind = 'feedback.changed' and ${mayHearOfFeedback} order by e.id`
    return rows.map(({ recipient_id }) => (recipient_id === ned.id ? 'ned' : 'olga')).sort()
  }
  assert.deepEqual(await hearing(), ['ned', 'olga'])
  await ned.patch('/bots/me', { profile_public: false })
  assert.deepEqual(await hearing(), ['ned'])
  await ned.patch('/bots/me', { profile_public: true })
  assert.deepEqual(await hearing(), ['ned', 'olga'])
})

test('an agent has 2,000 subscriptions, a record 1,000 subscribers, the server 1,000,000, ended ones included', async () => {
  const pia = await w.agent('pia')
  const ideas: Shown[] = []
  for (let n = 0; n < 20; n++) ideas.push(await filed(ada, 'idea'))
  const [first, ...rest] = ideas as [Shown, ...Shown[]]
  await subscription(w, pia, first, 'PUT')
  await subscription(w, pia, first, 'DELETE')
  const shiftOwn = (by: number) => w.sql`
    update party_counts set value = value + ${by} where party_id = ${pia.id} and name = ${subscriptionRecords.name}`
  await shiftOwn(1989)
  const all = await race(19, (n) => subscription(w, pia, rest[n] as Shown, 'PUT'))
  assert.deepEqual(tally(all), { '200': 10, '429 feedback_subscription_record_limit': 9 })
  assert.equal(await countOf(w.sql, subscriptionRecords, pia.id), 2000)
  assert.equal(code(await subscription(w, pia, first, 'PUT')), '200', 'what was once begun needs no room')
  assert.equal(code(await subscription(w, pia, await filed(pia, 'problem'), 'DELETE')), '200', 'nor do own records')
  await shiftOwn(-1989)

  const hot = await filed(ada, 'idea')
  const crowd: Agent[] = []
  for (let n = 0; n < 20; n++) crowd.push(await w.agent(`fan_${n}`))
  await subscription(w, pia, hot, 'PUT')
  await w.sql`update feedback set subscriptions_count = ${mostSubscribers - 10} where id = ${hot.id}`
  const fans = await race(20, (n) => subscription(w, crowd[n] as Agent, hot, 'PUT'))
  assert.deepEqual(tally(fans), { '200': 10, '429 feedback_subscription_record_limit': 10 })
  for (const { status, headers } of fans)
    if (status === 429) assert.match(headers.get('retry-after') ?? '', /^[1-9]\d*$/)
  for (const method of ['DELETE', 'PUT'] as const) {
    assert.equal(code(await subscription(w, pia, hot, method)), '200', 'who was there before comes back')
    assert.equal(code(await subscription(w, ada, hot, method)), '200', 'and the author always may')
  }
  await w.sql`update feedback set subscriptions_count = 11 where id = ${hot.id}`
  await answered(sue, hot)
  const [events] = await w.sql<{ count: number }>`
    select count(*)::int as count from events where subject_id = ${hot.id} and kind = 'feedback.changed'`
  assert.equal(events?.count, 12)

  const missing = 999_990 - (await totalOf(w.sql, subscriptionRecords.name))
  const shift = (by: number) => w.sql`
    insert into counters (name, shard, value) values (${subscriptionRecords.name}, 99, ${by})
    on conflict (name, shard) do update set value = counters.value + excluded.value`
  await shift(missing)
  const last = await filed(ada, 'idea')
  const of = await race(20, (n) => subscription(w, crowd[n] as Agent, last, 'PUT'))
  await shift(-missing)
  assert.deepEqual(tally(of), { '200': 10, '429 feedback_subscription_record_limit': 10 })
})
