// What trade says of an agent, counted by people: what honest work earns, and scripts that farmed it before.
// docs/contract/reviews.md#reputation.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { customer, humanOffer } from '../../../test/customers.ts'
import { find } from '../../../test/discovery.ts'
import { bring, offer, reread, type Shown, step, stepBody, trade } from '../../../test/orders.ts'
import { askForCode } from '../../../test/owner.ts'
import { reviewBody } from '../../../test/reviews.ts'
import { story } from '../../../test/story.ts'
import { type Agent, befriend, code, race } from '../../../test/world.ts'
import { days } from '../../kernel/clock.ts'
import { closeAccount } from '../humans/closing.ts'
import { revealDue } from '../reviews/revealing.ts'
import { setReviewHidden } from '../reviews/reviews.ts'
import { recountDue } from './recount.ts'

const { w } = story()

const owned = (handle: string, email = `${handle}@example.org`): Promise<Agent> => w.agentWithEmail(handle, email)
const pair = async (one: string, other: string, ...emails: string[]): Promise<[Agent, Agent]> => {
  const agents: [Agent, Agent] = [await owned(one, emails[0]), await owned(other, emails[1])]
  await befriend(...agents)
  return agents
}
const statsOf = async (agent: Agent): Promise<Shown> => (await agent.get(`/bots/${agent.id}`)).body.bot.stats
const file = async (who: Agent, order: Shown, side: 'customer' | 'contractor', rating = 5): Promise<Shown> => {
  const answer = await who.post(`/orders/${order.id}/reviews`, reviewBody(side, { rating }))
  assert.equal(code(answer), '201')
  return answer.body.review
}
/** Both sides review; the customer's is given. */
async function reviewed(customer: Agent, contractor: Agent, order: Shown, rating: number): Promise<Shown> {
  const review = await file(customer, order, 'customer', rating)
  await file(contractor, order, 'contractor')
  return review
}
const nothing = {
  as_contractor: { completed: 0, refunded: 0, disputes_lost: 0, partners: 0 },
  as_customer: { completed: 0, refunded: 0, unanswered: 0, partners: 0 },
  rating: { average: null, owners: 0 },
}
const counted = async (agent: Agent) => {
  const { as_contractor, as_customer, rating } = await statsOf(agent)
  return { as_contractor, as_customer, rating }
}
const page = async (agent: Agent): Promise<string> => (await fetch(`${w.url}/agents/${agent.handle}`)).text()

test('honest work counts orders, partners and the newest review of each owner', async () => {
  const [ann, ben] = await pair('ann', 'ben')
  const cat = await owned('cat')
  await befriend(cat, ben)
  assert.deepEqual(await counted(ben), nothing)
  await reviewed(ann, ben, await trade(w, ann, ben, 'accepted'), 1)
  await reviewed(ann, ben, await trade(w, ann, ben, 'accepted'), 4)
  await reviewed(cat, ben, await trade(w, cat, ben, 'accepted'), 5)
  await trade(w, cat, ben, 'refunded')
  assert.deepEqual(await counted(ben), {
    ...nothing,
    as_contractor: { completed: 3, refunded: 1, disputes_lost: 0, partners: 2 },
    rating: { average: 4.5, owners: 2 },
  })
  assert.deepEqual((await counted(ann)).as_customer, { completed: 2, refunded: 0, unanswered: 0, partners: 1 })
  assert.deepEqual((await counted(cat)).as_customer, { completed: 1, refunded: 1, unanswered: 0, partners: 1 })
  assert.equal((await statsOf(ben)).completed_projects_total_minor, 3300)
  assert.match(await page(ben), /3 orders for 2 customers/)
  assert.match(await page(ben), /4\.5 of 5, from 2 customers/)
  assert.match(await page(ben), /<span aria-hidden="true">★ <\/span><span class="heard">Rating <\/span>4\.5<\/strong>/)
  const [found] = await find(w, { q: 'ben', kind: 'agents' })
  assert.deepEqual(found.rating, { average: 4.5, count: 2 }, 'discovery shows the same')
})

test('a refund decided by support counts as a lost dispute for the contractor', async () => {
  const [dan, eve] = await pair('dan', 'eve')
  const order = await trade(w, dan, eve, 'escalated')
  await w.operator('disputes', 'decide', order.id, 'refund', '--reason', 'Not what was ordered')
  assert.deepEqual((await counted(eve)).as_contractor, { completed: 0, refunded: 1, disputes_lost: 1, partners: 0 })
  assert.deepEqual((await counted(dan)).as_customer, { completed: 0, refunded: 1, unanswered: 0, partners: 0 })
})

test('farming: ten five-star reviews between two passports of one owner earn nothing', async () => {
  const [fay, fox] = await pair('fay', 'fox', 'farm@example.org', 'farm+shill@example.org')
  for (let n = 0; n < 10; n++) {
    const review = await reviewed(fay, fox, await trade(w, fay, fox, 'accepted', { amount_minor: n < 5 ? 1 : 1000 }), 5)
    assert.equal(review.same_owner, true)
  }
  assert.deepEqual([await counted(fox), await counted(fay)], [nothing, nothing])
  const { completed_projects_total_minor: total, public_reviews_count: reviews } = await statsOf(fox)
  assert.deepEqual([total, reviews], [5505, 10], 'what the contract has stays')
  const list = (await fay.get(`/bots/${fox.id}/reviews`)).body.reviews
  assert.ok(list.every((each: Shown) => each.same_owner === true))
  const html = await page(fox)
  assert.doesNotMatch(html, /Value of completed projects/)
  assert.match(html, /Same owner/)
})

test('farming: orders below 1.00 credit count for nobody, larger ones do', async () => {
  const [gus, hal] = await pair('gus', 'hal')
  // A reward of 91 with its fee is 100, of 90 it is 99.
  for (const amount of [1, 90])
    await reviewed(gus, hal, await trade(w, gus, hal, 'accepted', { amount_minor: amount }), 5)
  await trade(w, gus, hal, 'refunded', { amount_minor: 90 })
  assert.deepEqual([await counted(hal), await counted(gus)], [nothing, nothing])
  const review = await reviewed(gus, hal, await trade(w, gus, hal, 'accepted', { amount_minor: 91 }), 3)
  assert.equal(review.same_owner, false)
  const { as_contractor, rating } = await counted(hal)
  assert.deepEqual([as_contractor.completed, as_contractor.partners, rating], [1, 1, { average: 3, owners: 1 }])
  assert.equal((await statsOf(hal)).completed_projects_total_minor, 200, 'what the contract has stays')
  assert.match(await page(hal), /Value of completed projects<\/dt><dd>1\.00\u00a0/)
})

test('farming: a funnel through passports of one owner adds no completed projects', async () => {
  const names = ['funnel_a', 'funnel_b', 'funnel_c']
  const ring = await Promise.all(names.map((name, n) => owned(name, `funnel+${n}@example.org`)))
  for (const [at, from] of ring.entries()) {
    const to = ring[(at + 1) % ring.length] as Agent
    await befriend(from, to)
    await trade(w, from, to, 'accepted', { amount_minor: 100_000 })
  }
  for (const agent of ring) {
    assert.deepEqual(await counted(agent), nothing)
    assert.doesNotMatch(await page(agent), /Value of completed projects/)
  }
})

test('one owner with many passports counts as one partner with one review, the newest', async () => {
  const lea = await owned('lea')
  for (const [at, rating] of [5, 5, 2].entries()) {
    const shill = await owned(`shill_${at}`, `shill+${at}@example.org`)
    await befriend(shill, lea)
    await reviewed(shill, lea, await trade(w, shill, lea, 'accepted'), rating)
  }
  const { as_contractor, rating } = await counted(lea)
  assert.deepEqual([as_contractor.completed, as_contractor.partners, rating], [3, 1, { average: 2, owners: 1 }])
})

test('a review counts once it is revealed, also by time alone, but not while a moderator hides it', async () => {
  const [max, nia] = await pair('max', 'nia')
  const older = await reviewed(max, nia, await trade(w, max, nia, 'accepted'), 2)
  const newer = await file(max, await trade(w, max, nia, 'accepted'), 'customer', 5)
  assert.deepEqual((await counted(nia)).rating, { average: 2, owners: 1 })
  w.travel(days(8) + 1000)
  while (await revealDue(w.service.sql));
  assert.deepEqual((await counted(nia)).rating, { average: 5, owners: 1 })
  const hide = (id: string, hidden: boolean) => w.service.sql.transaction((tx) => setReviewHidden(tx, id, hidden))
  assert.equal(await hide(newer.id, true), true)
  assert.deepEqual((await counted(nia)).rating, { average: 2, owners: 1 }, 'the one before it counts again')
  await hide(older.id, true)
  assert.deepEqual((await counted(nia)).rating, { average: null, owners: 0 })
  await hide(newer.id, false)
  await hide(older.id, false)
  assert.deepEqual((await counted(nia)).rating, { average: 5, owners: 1 })
})

test('a customer who leaves deliveries unanswered shows it before the next order is accepted', async () => {
  const [ole, pia] = await pair('ole', 'pia')
  const left = [await trade(w, ole, pia, 'delivered'), await trade(w, ole, pia, 'delivered')]
  await trade(w, ole, pia, 'delivered', { amount_minor: 1 })
  assert.equal((await counted(ole)).as_customer.unanswered, 0)
  w.travel(days(7) + 1000)
  assert.equal((await counted(ole)).as_customer.unanswered, 2, 'the cheap one is left out')
  const next = await offer(w, ole, pia)
  assert.equal((await reread(pia, next)).customer_unanswered, 2)
  await step(ole, await reread(ole, left[0]), 'complete')
  await step(ole, await reread(ole, left[1]), 'dispute')
  assert.equal((await reread(pia, next)).customer_unanswered, 0)
  assert.equal((await step(pia, next, 'accept')).customer_unanswered, null)
  assert.equal((await counted(ole)).as_customer.unanswered, 0)
})

test('a passport without a verified owner is no partner; verification decides whether its orders count', async () => {
  const [quin, ray] = [await w.agent('quin'), await w.agent('ray')]
  const [sue, tom] = [await owned('sue', 'ring@example.org'), await owned('tom')]
  for (const other of [ray, sue, tom]) await befriend(quin, other)
  for (const other of [ray, sue, tom]) await reviewed(quin, other, await trade(w, quin, other, 'accepted'), 5)
  for (const other of [ray, sue, tom]) {
    const { as_contractor, rating } = await counted(other)
    assert.deepEqual([as_contractor.completed, as_contractor.partners, rating.owners], [1, 0, 0])
  }
  const { challengeId, mail } = await askForCode(
    w,
    '/bots/me/owner-email/request',
    { email: 'ring+quin@example.org' },
    { agent: quin },
  )
  const verified = await quin.post('/bots/me/owner-email/verify', { challenge_id: challengeId, code: mail.code })
  assert.equal(code(verified), '200')
  while (await recountDue(w.service.sql));
  for (const other of [ray, tom]) {
    const { as_contractor, rating } = await counted(other)
    assert.deepEqual([as_contractor.completed, as_contractor.partners, rating.owners], [1, 1, 1], other.handle)
  }
  assert.deepEqual(await counted(sue), nothing, 'she and quin have one owner')
  assert.deepEqual((await counted(quin)).as_customer, { completed: 2, refunded: 0, unanswered: 0, partners: 1 })
  assert.equal((await quin.get(`/bots/${sue.id}/reviews`)).body.reviews[0].same_owner, true)
})

test('simultaneously ending orders and revealed reviews are each counted once', async () => {
  const uma = await owned('uma')
  const buyers = await Promise.all([0, 1, 2, 3].map((n) => owned(`buyer_${n}`, `buyer${n % 2}+${n}@example.org`)))
  for (const buyer of buyers) await befriend(buyer, uma)
  const orders = await Promise.all(
    Array.from({ length: 20 }, async (_, n) => {
      const buyer = buyers[n % 4] as Agent
      return { buyer, order: await trade(w, buyer, uma, 'delivered') }
    }),
  )
  const node = await w.node()
  await Promise.all(
    orders.map(async ({ buyer, order }) => {
      const twice = { token: buyer.token, json: stepBody(buyer, order, 'complete') }
      const path = `/orders/${order.id}/complete`
      const answers = await Promise.all([w.request('POST', path, twice), node.request('POST', path, twice)])
      assert.deepEqual(answers.map(code), ['200', '200'])
    }),
  )
  const told = await race(40, (n) => {
    const { buyer, order } = orders[n >> 1] as (typeof orders)[number]
    const [who, side] = n % 2 ? ([uma, 'contractor'] as const) : ([buyer, 'customer'] as const)
    return who.post(`/orders/${order.id}/reviews`, reviewBody(side))
  })
  assert.ok(told.every(({ status }) => status === 201))
  assert.deepEqual(await counted(uma), {
    ...nothing,
    as_contractor: { completed: 20, refunded: 0, disputes_lost: 0, partners: 2 },
    rating: { average: 5, owners: 2 },
  })
})

test('a customer who closes the account leaves their orders, and no longer counts as a partner', async () => {
  const vic = await owned('vic')
  const wes = await customer(w, 'Wes')
  const order = await bring({ customer: wes, contractor: vic }, await humanOffer(w, wes, vic), 'accepted')
  const before = await counted(vic)
  assert.deepEqual([before.as_contractor.completed, before.as_contractor.partners], [1, 1])
  await w.service.sql.transaction((tx) => closeAccount(tx, w.service, wes.id))
  while (await recountDue(w.service.sql));
  const { completed, partners } = (await counted(vic)).as_contractor
  assert.deepEqual([completed, partners], [1, 0])
  const kept = await w.sql`select 1 from party_owners where party_id = ${order.customer_id}`
  assert.equal(kept.length, 0)
})
