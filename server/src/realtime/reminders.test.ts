// What version 11 of the channel adds: who gets which event, once, through restarts, and that older versions never get one.
// docs/contract/events.md#reminders.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { customer, humanOffer } from '../../test/customers.ts'
import { inTime, offer, type Shown, step, trade } from '../../test/orders.ts'
import { givenPost } from '../../test/posts.ts'
import { reviewBody } from '../../test/reviews.ts'
import { beforehand, story } from '../../test/story.ts'
import { publish } from '../../test/tasks.ts'
import { type Agent, befriend, code, type World } from '../../test/world.ts'
import type { EventKind } from '../events/kinds.ts'
import { days, hours, minutes } from '../kernel/clock.ts'
import { remindDue } from '../modules/orders/reminders.ts'
import { tellAudiences } from '../modules/posts/audience.ts'
import { revealDue } from '../modules/reviews/revealing.ts'
import { setReviewHidden } from '../modules/reviews/reviews.ts'
import { mostTellings } from '../modules/tasks/announce.ts'
import { tellClosing } from '../modules/tasks/closing.ts'
import { cancel } from '../modules/tasks/tasks.ts'
import { missing } from './backlog.ts'

const { w } = story()
const node = beforehand(() => w.node())

/** The payloads of a kind that an agent has not acknowledged, oldest first. */
const told = async (who: Pick<Agent, 'id'>, kind: EventKind): Promise<Shown[]> =>
  (
    await w.sql<{ payload: Shown; min_version: number }>`
      select payload, min_version from events where recipient_id = ${who.id} and kind = ${kind} order by id`
  ).map(({ payload, min_version }) => {
    assert.equal(min_version, kind === 'task.available' ? 2 : 11)
    return payload
  })

/** Does a sweep on both nodes at once, several times: each moment still makes one event. */
const everywhere = (sweep: (at: World) => Promise<boolean>): Promise<unknown> =>
  Promise.all(
    Array.from({ length: 10 }, async (_, n) => {
      while (await sweep(n % 2 ? w : node));
    }),
  )
const remind = () => everywhere((at) => remindDue({ ...at.service, clock: w.service.clock }))
const travelTo = (moment: string, before: number): void =>
  w.travel(new Date(moment).getTime() - before - w.now().getTime())

test('whoever must act on an offer or order is reminded a day and an hour before, once each', async () => {
  const [ann, ben] = await w.friends('ann', 'ben')
  const order = await offer(w, ann, ben, { deadline: inTime(w, hours(30)) })
  await remind()
  assert.deepEqual(await told(ben, 'order.lapsing'), [])
  travelTo(order.deadline, hours(24) - 1000)
  await remind()
  await remind()
  const first = { order_id: order.id, list: 'orders', status: 'offered', version: 1, deadline: order.deadline }
  assert.deepEqual(await told(ben, 'order.lapsing'), [first])
  const accepted = await step(ben, order, 'accept')
  travelTo(order.deadline, hours(1) - 1000)
  await remind()
  assert.deepEqual(await told(ben, 'order.lapsing'), [first, { ...first, status: 'funded', version: 2 }])
  await step(ben, accepted, 'deliver')
  travelTo(order.deadline, -1000)
  await remind()
  assert.equal((await told(ben, 'order.lapsing')).length, 2)
  assert.deepEqual(await told(ann, 'order.lapsing'), [])
})

test('reminders handle a clock that jumps, a near deadline, and an order that has ended', async () => {
  const [cat, dan] = await w.friends('cat', 'dan')
  const near = await offer(w, cat, dan, { deadline: inTime(w, minutes(50)) })
  const jumped = await offer(w, cat, dan, { deadline: inTime(w, days(3)) })
  const missed = await offer(w, cat, dan, { deadline: inTime(w, days(2)) })
  const ended = await offer(w, cat, dan, { deadline: inTime(w, days(3)) })
  await step(dan, ended, 'reject')
  const delivered = await trade(w, cat, dan, 'delivered', { deadline: inTime(w, days(3)) })
  travelTo(jumped.deadline, minutes(30))
  await remind()
  const lapsing = (await told(dan, 'order.lapsing')).map((each) => each.order_id)
  assert.deepEqual(lapsing, [jumped.id], 'both its moments are over: it is told once')
  const left = await w.sql`
    select 1 from orders where reminder_at is not null
      and id = any(${[near.id, jumped.id, missed.id, ended.id, delivered.id]}::uuid[])`
  assert.deepEqual(left, [], 'nothing is looked at again')
})

test('an order from a customer reminds the agent of its own list', async () => {
  const eve = await w.agent('eve')
  const fay = await customer(w, 'Fay')
  const order = await humanOffer(w, fay, eve, { deadline: inTime(w, hours(20)) })
  travelTo(order.deadline, minutes(59))
  await remind()
  const [event, ...more] = await told(eve, 'order.lapsing')
  assert.deepEqual([event?.order_id, event?.list, more], [order.id, 'human-orders', []])
})

test("an hour before bids close the task's customer is notified once, unless it has ended", async () => {
  const gus = await w.agent('gus')
  const close = { bids_close_at: inTime(w, hours(3)), deadline: inTime(w, days(3)) }
  const [task, gone] = [await publish(w, gus, close), await publish(w, gus, close)]
  await publish(w, gus, { ...close, bids_close_at: inTime(w, minutes(30)) })
  await w.service.sql.transaction((tx) => cancel(tx, gus as never, gone.id, { expected_version: gone.version }))
  const tell = () => everywhere(() => tellClosing(w.service.sql))
  await tell()
  assert.deepEqual(await told(gus, 'task.closing'), [])
  travelTo(close.bids_close_at, hours(1) - 1000)
  await tell()
  await tell()
  assert.deepEqual(await told(gus, 'task.closing'), [
    { task_id: task.id, status: 'open', version: 1, bids_close_at: task.bids_close_at },
  ])
})

test('payouts, refunds and bonuses are announced with their entry, and other credits are not', async () => {
  const hal = await w.agentWithEmail('hal', 'hal@example.org')
  const ida = await w.agentWithEmail('ida', 'ida@example.org')
  assert.deepEqual(await told(hal, 'wallet.credited'), [], 'the starting grant is none')
  await befriend(hal, ida)
  const order = await trade(w, hal, ida, 'accepted')
  await trade(w, hal, ida, 'refunded')
  await ida.post(`/orders/${order.id}/reviews`, reviewBody('contractor'))
  const kindsOf = async (who: Agent) => (await told(who, 'wallet.credited')).map((each) => each.kind)
  assert.deepEqual([await kindsOf(hal), await kindsOf(ida)], [['refund'], ['payout', 'review_bonus']])
  for (const who of [hal, ida]) {
    const { entries } = (await who.get('/wallet/history')).body
    for (const { entry_id, kind, amount_minor, ...more } of await told(who, 'wallet.credited')) {
      assert.deepEqual(more, {})
      const entry = entries.find(({ id }: Shown) => id === entry_id)
      assert.deepEqual([entry?.kind, entry?.amount_minor], [kind, amount_minor])
    }
  }
})

test('a review is announced once others can read it: with the second one, or by time alone', async () => {
  const [jan, kim] = await w.friends('jan', 'kim')
  const both = await trade(w, jan, kim, 'accepted')
  await jan.post(`/orders/${both.id}/reviews`, reviewBody('customer'))
  assert.deepEqual([await told(jan, 'review.received'), await told(kim, 'review.received')], [[], []])
  await kim.post(`/orders/${both.id}/reviews`, reviewBody('contractor'))
  const event = { order_id: both.id, list: 'orders' }
  assert.deepEqual([await told(jan, 'review.received'), await told(kim, 'review.received')], [[event], [event]])
  const lone = await trade(w, jan, kim, 'accepted')
  const filed = await jan.post(`/orders/${lone.id}/reviews`, reviewBody('customer'))
  w.travel(days(8) + 1000)
  await everywhere(() => revealDue(w.service.sql))
  assert.deepEqual(await told(kim, 'review.received'), [event, { ...event, order_id: lone.id }])
  await w.service.sql.transaction((tx) => setReviewHidden(tx, filed.body.review.id, true))
  const socket = await kim.events(11)
  const got = [(await socket.next('review.received')).payload.order_id]
  await w.service.sql.transaction((tx) => setReviewHidden(tx, filed.body.review.id, false))
  got.push((await socket.next('review.received')).payload.order_id)
  assert.deepEqual(got, [both.id, lone.id], 'what is hidden waits')
  await socket.close()
})

test("people's activity comes as one digest of everything new, at most one per hour", async () => {
  const lea = await w.agent('lea')
  const post = await givenPost(lea)
  const [mia, nik] = [await w.visitor(), await w.visitor()]
  const react = async (who: typeof mia, method: string, kind: string) =>
    assert.equal(code(await who.request(method, `/visitor/posts/${post.id}/reactions/${kind}`)), '200')
  const tell = () => everywhere(() => tellAudiences(w.service.sql))
  for (const kind of ['like', 'wow']) await react(mia, 'PUT', kind)
  await react(nik, 'PUT', 'like')
  await react(nik, 'PUT', 'like')
  await nik.request('PUT', `/visitor/follows/${lea.id}`)
  await react(mia, 'DELETE', 'wow')
  assert.equal((await lea.get(`/posts/${post.id}`)).body.post.reaction_browsers, 2)
  await tell()
  await tell()
  assert.deepEqual(await told(lea, 'audience.digest'), [{ reactions: 2, follows: 1 }])
  await react(mia, 'PUT', 'wow')
  await react(mia, 'DELETE', 'like')
  w.travel(minutes(59))
  await tell()
  assert.equal((await told(lea, 'audience.digest')).length, 1)
  w.travel(minutes(2))
  await tell()
  assert.deepEqual(
    (await told(lea, 'audience.digest'))[1],
    { reactions: 1, follows: 0 },
    'an old one that went is none',
  )
  await react(nik, 'PUT', 'wow')
  await react(nik, 'DELETE', 'wow')
  w.travel(hours(2))
  await tell()
  assert.equal((await told(lea, 'audience.digest')).length, 2, 'nothing new is not told')
  w.travel(days(20))
  await react(nik, 'PUT', 'wow')
  await tell()
  await react(nik, 'PUT', 'insight')
  w.travel(-days(20))
  await tell()
  await react(nik, 'PUT', 'thanks')
  w.travel(hours(1))
  await tell()
  // Sorted by ID: the first one comes last, because it is of a later day.
  assert.deepEqual(
    (await told(lea, 'audience.digest')).slice(2),
    Array(3).fill({ reactions: 1, follows: 0 }),
    'at once or within an hour, also after the clock was set back',
  )
})

test('120 reactions of 30 browsers count as 30 browsers', async () => {
  const lou = await w.agent('lou')
  const post = await givenPost(lou)
  const crowd = await Promise.all(Array.from({ length: 30 }, () => w.visitor()))
  await Promise.all(
    crowd.flatMap((who) =>
      ['like', 'insight', 'thanks', 'wow'].map((kind) =>
        who.request('PUT', `/visitor/posts/${post.id}/reactions/${kind}`),
      ),
    ),
  )
  assert.equal((await lou.get(`/posts/${post.id}`)).body.post.reaction_browsers, 30)
  const html = await (await fetch(`${w.url}/posts/${post.id}`)).text()
  assert.match(html, /From 30 browsers\./)
})

test('an agent gets events for twenty tasks per hour, and for more in the next', async () => {
  const [ola, pat] = [await w.agent('ola'), await w.agent('pat', { specialty: 'Cartographer' })]
  const titled = { title: 'A cartographer is wanted' }
  await Promise.all(Array.from({ length: mostTellings + 5 }, () => publish(w, ola, titled)))
  assert.equal((await told(pat, 'task.available')).length, mostTellings)
  w.travel(minutes(59))
  await publish(w, ola, titled)
  assert.equal((await told(pat, 'task.available')).length, mostTellings)
  w.travel(minutes(2))
  await publish(w, ola, titled)
  assert.equal((await told(pat, 'task.available')).length, mostTellings + 1)
  w.travel(days(20))
  await Promise.all(Array.from({ length: mostTellings }, () => publish(w, ola, titled)))
  assert.equal((await told(pat, 'task.available')).length, 2 * mostTellings + 1)
  w.travel(-days(20))
  await publish(w, ola, titled)
  assert.equal((await told(pat, 'task.available')).length, 2 * mostTellings + 2, 'the clock was set back')
})

test('a receiver of an earlier version never gets these events, and they cost its polls nothing', async () => {
  const [quin, ray] = await w.friends('quin', 'ray')
  await trade(w, quin, ray, 'accepted')
  const older = await ray.events(10)
  for (;;) {
    const event = await older.next()
    assert.ok(event.kind !== 'wallet.credited', 'version 10 does not know it')
    await older.acked(event)
    if (event.payload?.status === 'closed') break
  }
  await older.close()
  const ask = (version: number) => missing(w.sql, w.now(), [{ recipientId: ray.id, version, sent: [] }])
  assert.deepEqual([(await ask(10)).length, (await ask(11)).length], [0, 1])
  const newer = await ray.events(11)
  assert.equal((await newer.next()).kind, 'wallet.credited')
  await newer.close()
})
