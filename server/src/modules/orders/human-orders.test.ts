// An order of a customer without an agent, through both of its doors: from the offer to the reviews, through a dispute,
// and what each side is not let do. docs/contract/human-orders.md.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { on } from '../../../test/changes.ts'
import { customer, humanOffer, humanOfferBody } from '../../../test/customers.ts'
import { inTime, money, offer } from '../../../test/orders.ts'
import { reviewBody } from '../../../test/reviews.ts'
import { appoint, decide } from '../../../test/staff.ts'
import { beforehand, story } from '../../../test/story.ts'
import { turnSuspended } from '../../../test/turning.ts'
import { type Agent, type Answer, code, race } from '../../../test/world.ts'
import { days, hours } from '../../kernel/clock.ts'

const { w, ada, sue } = story('ada', { staff: ['sue'] })
const hilda = beforehand(() => customer(w, 'Hilda'))
const otto = beforehand(() => customer(w, 'Otto'))
const bob = beforehand(() => w.agent('bob', { display_name: 'Bob the painter' }))

const total = { confirmed_total_minor: 1100 }
const reason = { reason: 'It is a dog' }
const taken = (answer: Answer) => {
  assert.ok(answer.status < 300, JSON.stringify(answer.body))
  return answer.body
}

test('a customer orders from an agent that is not a friend, accepts the work and pays; both review', async () => {
  const { quote } = taken(await hilda.post('/human/orders/quote', { amount_minor: 1000 }))
  assert.deepEqual([quote.fee_minor, quote.total_minor], [100, 1100])
  const offered = await humanOffer(w, hilda, bob)
  assert.deepEqual(offered.customer, { id: hilda.id, display_name: 'Hilda' })
  assert.deepEqual(offered.contractor, { id: bob.id, handle: 'bob', display_name: 'Bob the painter' })
  assert.deepEqual([offered.state, offered.offer_author_id, offered.version], ['offered', hilda.id, 1])
  assert.deepEqual(await money(hilda), [500_000, 0], 'nothing is reserved by an offer')

  const { id } = offered
  const read = taken(await bob.get(`/human-orders/${id}`))
  assert.equal(read.order.updates_url, `/api/v1/human-orders/${id}/updates`)
  assert.deepEqual(read.order.customer, { id: hilda.id, display_name: 'Hilda' })
  taken(await bob.post(`/human-orders/${id}/accept`, on(1, total)))
  assert.deepEqual(await money(hilda), [498_900, 1100])
  taken(await bob.post(`/human-orders/${id}/start`, on(2)))
  const added = taken(await bob.post(`/human-orders/${id}/updates`, on(3, { text: 'The ears are done' })))
  assert.deepEqual([added.order.version, added.order.customer.display_name], [4, 'Hilda'])
  taken(await bob.post(`/human-orders/${id}/deliver`, on(4, { result_text: 'A cat' })))

  const log = taken(await hilda.get(`/human/orders/${id}/updates`))
  assert.deepEqual(
    log.updates.map(({ text, author_id }: Record<string, string>) => [text, author_id]),
    [['The ears are done', bob.id]],
  )
  const one = log.updates[0].id
  assert.deepEqual(taken(await hilda.get(`/human/orders/${id}/updates/${one}`)).update, log.updates[0])
  assert.deepEqual(taken(await bob.get(`/human-orders/${id}/updates/${one}`)).update, log.updates[0])
  assert.deepEqual(taken(await bob.get(`/human-orders/${id}/updates`)).updates, log.updates)

  const closed = taken(await hilda.post(`/human/orders/${id}/complete`, on(5))).order
  assert.deepEqual([closed.state, closed.outcome], ['closed', 'accepted'])
  assert.equal(closed.updates_url, `/api/v1/human/orders/${id}/updates`)
  assert.equal(closed.review_form_url, `/api/v1/human/orders/${id}/review-form`)
  assert.deepEqual(
    [await money(hilda), await money(bob)],
    [
      [498_900, 0],
      [501_000, 0],
    ],
  )
  const { history } = taken(await hilda.get(`/human/orders/${id}`))
  assert.deepEqual(
    history.map(({ action, actor_id }: Record<string, string>) => [action, actor_id === hilda.id ? 'Hilda' : 'bob']),
    [
      ['offer', 'Hilda'],
      ['accept', 'bob'],
      ['start', 'bob'],
      ['update', 'bob'],
      ['deliver', 'bob'],
      ['complete', 'Hilda'],
    ],
  )

  const form = taken(await hilda.get(`/human/orders/${id}/review-form`)).review_form
  assert.deepEqual([form.role, form.filed], ['customer', false])
  assert.equal(taken(await bob.get(`/human-orders/${id}/review-form`)).review_form.role, 'contractor')
  const filed = taken(await hilda.post(`/human/orders/${id}/reviews`, reviewBody('customer', { text: 'A fine cat' })))
  assert.deepEqual(filed.review.author, { id: null, handle: null, display_name: 'Hilda' })
  assert.equal(code(await hilda.post(`/human/orders/${id}/reviews`, reviewBody('customer'))), '409 state_conflict')
  taken(await bob.post(`/human-orders/${id}/reviews`, reviewBody('contractor')))
  const { reviews } = taken(await ada.get(`/bots/${bob.id}/reviews`))
  assert.deepEqual(
    reviews.map(({ author, text }: Record<string, unknown>) => [author, text]),
    [[{ id: null, handle: null, display_name: 'Hilda' }, null]],
    'the text waits for a moderator',
  )
  assert.deepEqual(await money(hilda), [498_900, 0], 'a person earns nothing by a review')
})

test('the contractor proposes a refund and the customer agrees; or support decides the dispute', async () => {
  const before = await money(hilda)
  const refunded = await humanOffer(w, hilda, bob)
  taken(await bob.post(`/human-orders/${refunded.id}/accept`, on(1, total)))
  const proposed = taken(await bob.post(`/human-orders/${refunded.id}/propose-refund`, on(2, reason))).order
  assert.deepEqual([proposed.state, proposed.refund_proposed_by], ['disputed', bob.id])
  const back = taken(await hilda.post(`/human/orders/${refunded.id}/approve-refund`, on(3))).order
  assert.deepEqual([back.outcome, await money(hilda)], ['refunded', before])

  for (const by of ['customer', 'contractor'] as const) {
    const disputed = await humanOffer(w, hilda, bob)
    taken(await bob.post(`/human-orders/${disputed.id}/accept`, on(1, total)))
    if (by === 'customer') {
      taken(await hilda.post(`/human/orders/${disputed.id}/dispute`, on(2, reason)))
      taken(await bob.post(`/human-orders/${disputed.id}/escalate-dispute`, on(3, reason)))
    } else {
      taken(await bob.post(`/human-orders/${disputed.id}/dispute`, on(2, reason)))
      taken(await hilda.post(`/human/orders/${disputed.id}/escalate-dispute`, on(3, reason)))
    }
    const mine = taken(await hilda.get(`/human/orders/${disputed.id}/dispute-case`)).dispute_case
    assert.deepEqual(mine, taken(await bob.get(`/human-orders/${disputed.id}/dispute-case`)).dispute_case)
    assert.deepEqual([mine.status, mine.opened_by], ['escalated', by === 'customer' ? hilda.id : bob.id])
    assert.equal(code(await decide(sue, disputed)), '200')
    assert.equal(taken(await hilda.get(`/human/orders/${disputed.id}`)).order.outcome, 'refunded')
  }
})

test('support cannot decide orders of its own, or of its owner, who may be the customer', async () => {
  const [bea, ben, sam] = [await w.agent('bea'), await w.agent('ben'), await w.agent('sam')]
  const own = async (agent: Agent, email: string): Promise<void> => {
    await w.sql`insert into owners (email, created_at) values (${email}, ${w.now()}) on conflict do nothing`
    await w.sql`update agents set owner_email = ${email}, email_verified_at = ${w.now()} where id = ${agent.id}`
  }
  for (const each of [bea, ben]) await own(each, 'one@example.org')
  for (const each of [bea, ben, sam]) await appoint(w, each)
  const order = await humanOffer(w, otto, bea)
  taken(await bea.post(`/human-orders/${order.id}/accept`, on(1, total)))
  taken(await otto.post(`/human/orders/${order.id}/dispute`, on(2, reason)))
  taken(await otto.post(`/human/orders/${order.id}/escalate-dispute`, on(3, reason)))
  for (const each of [bea, ben]) assert.equal(code(await decide(each, order)), '403 forbidden')
  const [person] = await w.sql<{ email: string }>`select email from humans where id = ${otto.id}`
  await own(sam, person?.email as string)
  assert.equal(code(await decide(sam, order)), '403 forbidden')
  await own(sam, 'another@example.org')
  assert.equal(code(await decide(sam, order)), '200')
})

test('no agent offers work to a customer, and no agent endpoint accepts a customer as an agent', async () => {
  const body = { ...humanOfferBody(w, bob), contractor_id: undefined, customer_id: hilda.id }
  const terms = { ...body, confirmed_total_minor: undefined }
  assert.equal(code(await bob.post('/orders', terms)), '404 not_found')
  assert.equal(
    code(await bob.post('/orders', { ...body, contractor_id: hilda.id, customer_id: undefined })),
    '404 not_found',
  )
  assert.equal(code(await bob.get(`/bots/${hilda.id}`)), '404 not_found')
  assert.equal(code(await bob.post('/contacts/requests', { recipient_id: hilda.id })), '404 not_found')
})

test('customers order only from an active agent with an open profile', async () => {
  const [closed, gone] = [await w.agent('closed'), await w.agent('gone')]
  await closed.patch('/bots/me', { profile_public: false })
  await turnSuspended(w, gone.id, true)
  for (const id of [closed.id, gone.id, otto.id, randomUUID()]) {
    assert.equal(code(await hilda.post('/human/orders', humanOfferBody(w, { id }))), '404 not_found')
  }
  const offers: [object, string][] = [
    [{ contractor_id: hilda.id }, '400 invalid_input'],
    [{ deadline: inTime(w, -1000) }, '400 invalid_input'],
    [{ confirmed_total_minor: 1099 }, '409 state_conflict'],
  ]
  for (const [fields, refused] of offers) {
    const body = { ...humanOfferBody(w, bob), ...fields }
    assert.equal(code(await hilda.post('/human/orders', body)), refused, JSON.stringify(fields))
  }
})

test("each list answers 404 for orders of the other kind, and for other people's", async () => {
  const human = await humanOffer(w, hilda, bob)
  const [cleo, dan] = await w.friends('cleo', 'dan')
  const between = await offer(w, cleo, dan)
  const reject = on(1)
  assert.equal(code(await bob.get(`/orders/${human.id}`)), '404 not_found')
  assert.equal(code(await bob.post(`/orders/${human.id}/reject`, reject)), '404 not_found')
  assert.equal(code(await dan.get(`/human-orders/${between.id}`)), '404 not_found')
  assert.equal(code(await dan.post(`/human-orders/${between.id}/reject`, reject)), '404 not_found')
  for (const door of ['', '/updates', '/dispute-case', '/review-form']) {
    assert.equal(code(await dan.get(`/human-orders/${between.id}${door}`)), '404 not_found', door)
    assert.equal(code(await otto.get(`/human/orders/${human.id}${door}`)), '404 not_found', door)
    for (const who of [ada, sue]) assert.equal(code(await who.get(`/human-orders/${human.id}${door}`)), '404 not_found')
  }
  assert.equal(code(await otto.post(`/human/orders/${human.id}/cancel`, on(1))), '404 not_found')
  assert.deepEqual(taken(await dan.get('/human-orders')).orders, [])
  assert.equal(taken(await bob.get('/orders')).pagination.total, 0)
})

test('orders are listed by state, in pages, newest first', async () => {
  const [ida, joe] = [await customer(w, 'Ida'), await w.agent('joe')]
  const made = []
  for (let n = 0; n < 5; n++) made.unshift(await humanOffer(w, ida, joe, { title: `No ${n}` }))
  taken(await joe.post(`/human-orders/${made[0].id}/reject`, on(1)))
  const ids = ({ orders }: { orders: { id: string }[] }) => orders.map(({ id }) => id)
  const all = made.map(({ id }) => id)
  for (const [who, path] of [
    [ida, '/human/orders'],
    [joe, '/human-orders'],
  ] as const) {
    assert.deepEqual(ids(taken(await who.get(path))), all)
    const page = taken(await who.get(`${path}?page=2&page_size=2`))
    assert.deepEqual([ids(page), page.pagination], [all.slice(2, 4), { page: 2, page_size: 2, total: 5 }])
    assert.deepEqual(ids(taken(await who.get(`${path}?state=offered`))), all.slice(1))
  }
})

test('a suspended agent finishes what it began, and accepts nothing new', async () => {
  const eve = await w.agent('eve')
  const [waiting, under] = [await humanOffer(w, hilda, eve), await humanOffer(w, hilda, eve)]
  taken(await eve.post(`/human-orders/${under.id}/accept`, on(1, total)))
  await turnSuspended(w, eve.id, true)
  assert.equal(code(await eve.post(`/human-orders/${waiting.id}/accept`, on(1, total))), '403 profile_inactive')
  taken(await eve.post(`/human-orders/${waiting.id}/reject`, on(1)))
  taken(await eve.post(`/human-orders/${under.id}/updates`, on(2, { text: 'Nearly' })))
  taken(await eve.post(`/human-orders/${under.id}/deliver`, on(3, { result_text: 'Here' })))
  taken(await hilda.post(`/human/orders/${under.id}/complete`, on(4)))
})

test('an offer without enough credits, or past its deadline, cannot be accepted', async () => {
  const dear = await humanOffer(w, otto, bob, { amount_minor: 500_000 })
  const accept = on(1, { confirmed_total_minor: 550_000 })
  assert.equal(code(await bob.post(`/human-orders/${dear.id}/accept`, accept)), '409 insufficient_funds')
  assert.equal(code(await bob.post(`/human-orders/${dear.id}/accept`, on(1, total))), '409 state_conflict')
  const short = await humanOffer(w, otto, bob, { deadline: inTime(w, hours(1)) })
  w.travel(hours(1))
  assert.equal(code(await bob.post(`/human-orders/${short.id}/accept`, on(1, total))), '409 invalid_state')
})

test('no event contains an email address; the contractor gets an event for every version, by ID', async () => {
  const socket = await ada.events()
  const order = await humanOffer(w, hilda, ada)
  taken(await hilda.post(`/human/orders/${order.id}/cancel`, on(1)))
  for (const version of [1, 2]) {
    const { payload } = await socket.next('human_order.changed')
    assert.deepEqual(payload, { order_id: order.id, version })
  }
  await socket.close()
  const heard = await w.sql`select 1 from events where recipient_id = ${hilda.id}`
  assert.equal(heard.length, 0)
})

test('with ninety-nine waiting, one of twenty simultaneous offers is accepted; each answer frees a place', async () => {
  const [kim, lou] = [await customer(w, 'Kim'), await w.agent('lou')]
  const made = []
  for (let n = 0; n < 99; n++) made.push(await humanOffer(w, kim, lou, { amount_minor: 1 }))
  const answers = await race(20, () => kim.post('/human/orders', humanOfferBody(w, lou)))
  assert.deepEqual(answers.map(code).sort(), ['201', ...Array(19).fill('429 request_limit')])
  const refused = answers.find(({ status }) => status === 429) as Answer
  assert.match(refused.headers.get('retry-after') ?? '', /^\d+$/)
  taken(await lou.post(`/human-orders/${made[0].id}/reject`, on(1)))
  await humanOffer(w, kim, lou)
  assert.equal(code(await kim.post('/human/orders', humanOfferBody(w, lou))), '429 request_limit')
  taken(await kim.post(`/human/orders/${made[1].id}/cancel`, on(1)))
  await humanOffer(w, kim, lou)
  assert.equal(code(await otto.post('/human/orders', humanOfferBody(w, lou))), '201', 'others have room of their own')

  // By rows, as it would be after as many more that were answered.
  await w.sql`
    update orders set state = 'cancelled', version = 2 where customer_id = ${kim.id} and state = 'offered'`
  await w.sql`
    insert into order_history (order_id, version, action, actor_id, from_state, to_state, created_at)
    select id, 2, 'cancel', customer_id, 'offered', 'cancelled', ${w.now()} from orders o
    where customer_id = ${kim.id} and not exists (
      select 1 from order_history h where h.order_id = o.id and h.version = 2)`
  for (let n = 102; n < 200; n++) await humanOffer(w, kim, lou, { amount_minor: 1 })
  const last = await kim.post('/human/orders', humanOfferBody(w, lou))
  assert.equal(code(last), '429 request_limit', 'two hundred in a day')
  const wait = Number(last.headers.get('retry-after'))
  assert.ok(wait > hours(23) / 1000 && wait <= hours(24) / 1000, `${wait}`)
  assert.equal(code(await kim.post('/human/orders', humanOfferBody(w, lou))), '429 request_limit')
  w.travel(days(1))
  for (const { id } of taken(await lou.get('/human-orders?state=offered&page_size=50')).orders) {
    taken(await lou.post(`/human-orders/${id}/reject`, on(1)))
  }
  await humanOffer(w, kim, lou)
})
