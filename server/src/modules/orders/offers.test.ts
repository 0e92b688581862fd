// Offers: from either side, quick or not, what they cost, to whom they may be made, and what is refused first.
// docs/contract/orders.md#offers.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { totalOf } from '../../../test/order-rules.ts'
import {
  attempt,
  bid,
  bidBody,
  inTime,
  money,
  offer,
  offerBody,
  quick,
  quickBody,
  step,
  stepBody,
} from '../../../test/orders.ts'
import { beforehand, story } from '../../../test/story.ts'
import { turnSuspended } from '../../../test/turning.ts'
import { type Agent, type Answer, befriend, code } from '../../../test/world.ts'
import { days, hours, minutes, seconds } from '../../kernel/clock.ts'

const { w, ada, bob, cleo } = story('cleo', { friends: ['ada', 'bob'] })
beforehand(() => befriend(ada, cleo))

const fields = (answer: Answer): string[] => [
  ...new Set<string>(answer.body.error.details.fields.map((field: { path: string }) => field.path)),
]

/** Sends an offer with something changed, and says what was answered and which fields it names. */
async function refusal(path: string, body: object, by = ada): Promise<string> {
  const answer = await by.post(path, body)
  if (answer.status < 400) return code(answer)
  return [code(answer), ...(answer.body.error.details?.fields ? fields(answer) : [])].join(' ')
}

test("a customer's offer is a complete order: price, sides, author, and no future fields", async () => {
  const deadline = inTime(w, days(3))
  const sent = offerBody(w, bob, {
    amount_minor: 1005,
    deadline,
    title: ' A logo ',
    description: ' Round\r\nand blue ',
  })
  const answer = await ada.post('/orders', sent)
  assert.equal(code(answer), '201')
  const { id, created_at, updated_at, ...order } = answer.body.order
  assert.equal(created_at, updated_at)
  assert.deepEqual(order, {
    customer_unanswered: null,
    state: 'offered',
    version: 1,
    role: 'customer',
    actions: [{ name: 'cancel', method: 'POST', path: `/api/v1/orders/${id}/cancel` }],
    customer: { id: ada.id, handle: ada.handle, display_name: ada.bot.display_name },
    contractor: { id: bob.id, handle: bob.handle, display_name: bob.bot.display_name },
    origin: { kind: 'direct', id: null, bid_id: null },
    bid_text: null,
    workflow: null,
    title: 'A logo',
    description: 'Round\nand blue',
    deadline,
    customer_id: ada.id,
    contractor_id: bob.id,
    offer_author_id: ada.id,
    amount_minor: 1005,
    fee_bps: 1000,
    fee_minor: 101,
    total_minor: 1106,
    service_snapshot: null,
    source_service_quote_id: null,
    source_service_request_id: null,
    input_attachments: [],
    result_text: null,
    result_attachments: [],
    refund_proposed_by: null,
    updates_count: 0,
    updates_url: `/api/v1/orders/${id}/updates`,
    review_summary: null,
    review_form_url: null,
    ready_service_proposals: [],
    outcome: null,
    closed_at: null,
  })
  assert.deepEqual((await money(ada))[1], 0, 'nothing is reserved')
})

test("a contractor's offer is accepted by the customer, who confirms and pays the full price", async () => {
  const [dora, emil] = await w.friends('dora', 'emil')
  const order = await bid(w, emil, dora, { amount_minor: 2000 })
  assert.deepEqual([order.customer_id, order.contractor_id, order.offer_author_id], [dora.id, emil.id, emil.id])
  assert.equal(code(await attempt(emil, order, 'accept')), '403 forbidden')
  assert.equal(code(await attempt(dora, order, 'cancel')), '403 forbidden')
  assert.equal(code(await attempt(dora, order, 'accept', { confirmed_total_minor: 2199 })), '409 state_conflict')
  assert.equal(code(await attempt(dora, order, 'accept', { confirmed_total_minor: 2201 })), '409 state_conflict')
  assert.deepEqual(await money(dora), [500_000, 0])
  const funded = await step(dora, order, 'accept')
  assert.deepEqual([funded.state, funded.version], ['funded', 2])
  assert.deepEqual(await money(dora), [497_800, 2200])
  const delivered = await step(emil, funded, 'deliver')
  const closed = await step(dora, delivered, 'complete')
  assert.deepEqual([closed.outcome, closed.state, closed.closed_at], ['accepted', 'closed', closed.updated_at])
  assert.deepEqual(await money(dora), [497_800, 0])
  assert.deepEqual(await money(emil), [502_000, 0])
})

test('a quick offer is due in 24 hours, and its price changes back and forth until one side accepts', async () => {
  const order = await quick(ada, bob, { amount_minor: 1000 })
  assert.equal(order.description, '')
  assert.equal(Date.parse(order.deadline) - Date.parse(order.created_at), hours(24))
  const named = await quick(bob, ada, { deadline: inTime(w, hours(2)), description: 'Soon' })
  assert.equal(Date.parse(named.deadline) < w.now().getTime() + hours(3), true)
  assert.equal(named.description, 'Soon')

  const higher = await step(bob, order, 'reprice', { amount_minor: 1505 })
  assert.deepEqual(
    [higher.state, higher.version, higher.offer_author_id, higher.amount_minor, higher.fee_minor, higher.total_minor],
    ['offered', 2, bob.id, 1505, 151, 1656],
  )
  assert.equal(higher.deadline, order.deadline)
  assert.equal(code(await attempt(bob, higher, 'accept')), '403 forbidden', 'not the author')
  assert.equal(code(await attempt(ada, higher, 'cancel')), '403 forbidden', 'ada is the author no more')
  assert.equal(
    await refusal(`/orders/${order.id}/reprice`, {
      ...stepBody(ada, higher, 'reprice'),
      confirmed_total_minor: undefined,
    }),
    '400 invalid_input confirmed_total_minor',
  )
  const wrong = await attempt(ada, higher, 'reprice', { amount_minor: 1200, confirmed_total_minor: 1319 })
  assert.equal(code(wrong), '409 state_conflict')
  const lower = await step(ada, higher, 'reprice', { amount_minor: 1200, confirmed_total_minor: 1320 })
  const again = await step(ada, lower, 'reprice', { amount_minor: 1300, confirmed_total_minor: 1430 })
  assert.deepEqual([again.version, again.offer_author_id], [4, ada.id], 'the author may change its own offer')
  const checked = await attempt(bob, again, 'reprice', { amount_minor: 1400, confirmed_total_minor: 1 })
  assert.equal(code(checked), '409 state_conflict', 'a total that is sent is compared')
  assert.equal(code(await attempt(bob, lower, 'accept')), '409 version_conflict', 'an offer that stands no more')
  assert.equal(code(await attempt(bob, { ...again, total_minor: 1320 }, 'accept')), '409 state_conflict')
  const funded = await step(bob, again, 'accept')
  assert.equal(funded.state, 'funded')
  assert.equal(code(await attempt(ada, funded, 'reprice')), '409 invalid_state')
  const before = await money(bob)
  await step(ada, await step(bob, funded, 'deliver'), 'complete')
  assert.deepEqual(await money(bob), [before[0] + 1300, before[1]], 'what is paid is the last price')
  const lines = (await ada.get(`/orders/${order.id}`)).body.history
  assert.deepEqual(
    lines.map((line: { action: string; from: string; to: string }) => [line.action, line.from, line.to].join(' ')),
    [
      'offer  offered',
      ...Array(3).fill('reprice offered offered'),
      'accept offered funded',
      'deliver funded delivered',
      'complete delivered closed',
    ],
  )
})

test('only a quick order can be repriced', async () => {
  assert.equal(code(await attempt(bob, await offer(w, ada, bob), 'reprice')), '409 invalid_state')
})

test('a customer must confirm the full price of its offer; a contractor may, and then it must match', async () => {
  for (const [path, body] of [
    ['/orders', offerBody(w, bob)],
    ['/orders/quick', quickBody(bob)],
  ] as const) {
    const without = { ...body, confirmed_total_minor: undefined }
    assert.equal(await refusal(path, without), '400 invalid_input confirmed_total_minor')
    for (const total of [1099, 1101, 1000, 0, 1e15]) {
      const answer = await ada.post(path, { ...body, confirmed_total_minor: total })
      assert.equal(code(answer), '409 state_conflict')
    }
    assert.equal((await ada.post(path, body)).status, 201, 'what was refused did not use the id up')
  }
  assert.equal(code(await bob.post('/orders', bidBody(w, ada, { confirmed_total_minor: 1100 }))), '201')
  assert.equal(code(await bob.post('/orders', bidBody(w, ada, { confirmed_total_minor: 1101 }))), '409 state_conflict')
})

test('exactly one other party is named, and not yourself', async () => {
  for (const path of ['/orders', '/orders/quick']) {
    const body = path === '/orders' ? offerBody(w, bob) : quickBody(bob)
    assert.match(await refusal(path, { ...body, contractor_id: undefined }), /^400 invalid_input/)
    assert.match(await refusal(path, { ...body, customer_id: bob.id }), /^400 invalid_input/)
    assert.match(await refusal(path, { ...body, customer_id: cleo.id }), /^400 invalid_input/)
    assert.equal(await refusal(path, { ...body, contractor_id: ada.id }), '400 invalid_input contractor_id')
    assert.equal(
      await refusal(path, { ...body, contractor_id: ada.id.toUpperCase() }),
      '400 invalid_input contractor_id',
    )
    const own = { ...body, contractor_id: undefined, customer_id: ada.id }
    assert.equal(await refusal(path, own), '400 invalid_input customer_id')
  }
})

test('an offer goes to a friend: a stranger is 403, an unknown agent is 404', async () => {
  const [gina, ...others] = await Promise.all(
    ['gina', 'none', 'asked', 'asking', 'blocked', 'shut', 'shut_friend', 'out', 'out_friend'].map((name) =>
      w.agent(name),
    ),
  )
  const [none, asked, asking, blocked, shut, shutFriend, out, outFriend] = others as [
    Agent,
    Agent,
    Agent,
    Agent,
    Agent,
    Agent,
    Agent,
    Agent,
  ]
  assert.ok(gina)
  await gina.post('/contacts/requests', { recipient_id: asked.id })
  await asking.post('/contacts/requests', { recipient_id: gina.id })
  const blocking = await befriend(gina, blocked)
  await blocked.post(`/contacts/${blocking}/block`)
  await befriend(gina, shutFriend)
  await befriend(gina, outFriend)
  for (const each of [shut, shutFriend]) await each.patch('/bots/me', { profile_public: false })
  for (const each of [out, outFriend]) await turnSuspended(w, each.id, true)
  const expected = new Map([
    [none.id, '403 friendship_required'],
    [asked.id, '403 friendship_required'],
    [asking.id, '403 friendship_required'],
    [blocked.id, '403 friendship_required'],
    [shut.id, '404 not_found'],
    [shutFriend.id, '201'],
    [out.id, '404 not_found'],
    [outFriend.id, '404 not_found'],
    [randomUUID(), '404 not_found'],
    ['00000000-0000-0000-0000-000000000000', '404 not_found'],
  ])
  const to = (id: string) => ({ id }) as Agent
  for (const [id, answer] of expected) {
    assert.equal(code(await gina.post('/orders', offerBody(w, to(id)))), answer)
    assert.equal(code(await gina.post('/orders', bidBody(w, to(id)))), answer)
    assert.equal(code(await gina.post('/orders/quick', quickBody(to(id)))), answer)
  }
})

test('a deadline has a time zone and lies ahead', async () => {
  const at = (offset: number): string => inTime(w, offset)
  for (const bad of [at(-seconds(1)), at(-days(400)), at(0)]) {
    assert.equal(await refusal('/orders', offerBody(w, bob, { deadline: bad })), '400 invalid_input deadline', bad)
    assert.equal(await refusal('/orders/quick', quickBody(bob, { deadline: bad })), '400 invalid_input deadline')
  }
  // Two o'clock in Tokyo is five o'clock the morning before in London: an hour ahead, whatever the clock there shows.
  const ahead = w.now().getTime() + hours(1)
  const local = (zone: number): string => new Date(ahead + hours(zone)).toISOString().slice(0, -1)
  for (const [zone, text] of [
    [9, '+09:00'],
    [-11, '-11:00'],
    [14, '+1400'],
    [0, 'z'],
  ] as const) {
    const order = await offer(w, ada, bob, { deadline: `${local(zone)}${text}` })
    assert.equal(order.deadline, new Date(ahead).toISOString())
  }
  assert.equal((await offer(w, ada, bob, { deadline: '9999-12-31T23:59:59Z' })).deadline, '9999-12-31T23:59:59.000Z')
})

test('after its deadline an offer cannot be accepted; nothing else changes by itself', async () => {
  const [iris, jon] = await w.friends('iris', 'jon')
  const orders = []
  for (let n = 0; n < 4; n++) orders.push(await offer(w, iris, jon, { deadline: inTime(w, minutes(10)) }))
  const [late, rejected, cancelled, funded] = orders as [unknown, unknown, unknown, unknown]
  const standing = await step(jon, funded, 'accept')
  const quickly = await quick(iris, jon)
  w.travel(minutes(11))
  assert.equal(code(await attempt(jon, late, 'accept')), '409 invalid_state')
  assert.equal((await jon.get(`/orders/${(late as { id: string }).id}`)).body.order.state, 'offered')
  await step(jon, rejected, 'reject')
  await step(iris, cancelled, 'cancel')
  const delivered = await step(jon, await step(jon, standing, 'start'), 'deliver')
  assert.equal((await step(iris, delivered, 'complete')).outcome, 'accepted')
  w.travel(hours(24))
  assert.equal(code(await attempt(jon, quickly, 'accept')), '409 invalid_state')
  assert.deepEqual(await money(iris), [500_000 - 1100, 0])
})

test('amounts are whole minor units, the fee rounds half up, and a full price is at most 10^12', async () => {
  for (const [amount, fee] of [
    [1, 0],
    [4, 0],
    [5, 1],
    [14, 1],
    [15, 2],
    [1004, 100],
    [1005, 101],
    [909_090_909_091, 90_909_090_909],
  ] as const) {
    const { quote } = (await ada.post('/orders/quote', { amount_minor: amount })).body
    assert.deepEqual([quote.fee_minor, quote.total_minor, totalOf(amount)], [fee, amount + fee, amount + fee])
    const order = await offer(w, ada, bob, { amount_minor: amount })
    assert.deepEqual([order.fee_minor, order.total_minor], [fee, amount + fee])
  }
  assert.equal(totalOf(909_090_909_091), 10 ** 12)
  for (const bad of [909_090_909_092, 10 ** 12]) {
    const path = '400 invalid_input amount_minor'
    assert.equal(await refusal('/orders/quote', { amount_minor: bad }), path, `${bad}`)
    const body = { ...offerBody(w, bob), amount_minor: bad }
    assert.equal(await refusal('/orders', body), path, `${bad}`)
    assert.equal(await refusal('/orders/quick', { ...quickBody(bob), amount_minor: bad }), path, `${bad}`)
    const repriced = stepBody(bob, { version: 1, total_minor: 1 }, 'reprice', { amount_minor: bad })
    assert.equal(await refusal(`/orders/${randomUUID()}/reprice`, repriced, bob), path, `${bad}`)
  }
  for (const [written, value] of [
    ['1.0', 1],
    ['1e3', 1000],
    ['1000.000', 1000],
    ['5E+2', 500],
  ] as const) {
    const raw = JSON.stringify({ ...offerBody(w, bob, { amount_minor: value }), amount_minor: '?' }).replace(
      '"?"',
      written,
    )
    const answer = await w.request('POST', '/orders', { token: ada.token, raw })
    assert.deepEqual([code(answer), answer.body.order.amount_minor], ['201', value])
  }
})

test('a wrong version is a conflict', async () => {
  const order = await offer(w, ada, bob)
  for (const version of [0, 2, 2 ** 31]) {
    assert.equal(code(await attempt(ada, { ...order, version }, 'cancel')), '409 version_conflict')
  }
})

test("a customer's last credit accepts an order, and one credit less does not", async () => {
  for (const by of ['customer', 'contractor'] as const) {
    const [kim, lee] = await w.friends(`kim_${by}`, `lee_${by}`)
    // 454545 and its fee of 45455 are all of 500000.
    const order =
      by === 'customer'
        ? await bid(w, lee, kim, { amount_minor: 454_545 })
        : await offer(w, kim, lee, { amount_minor: 454_545 })
    const small =
      by === 'customer' ? await bid(w, lee, kim, { amount_minor: 1 }) : await offer(w, kim, lee, { amount_minor: 1 })
    const over =
      by === 'customer'
        ? await bid(w, lee, kim, { amount_minor: 454_546 })
        : await offer(w, kim, lee, { amount_minor: 454_546 })
    const who = by === 'customer' ? kim : lee
    assert.equal(code(await attempt(who, over, 'accept')), '409 insufficient_funds')
    const funded = await step(who, order, 'accept')
    assert.deepEqual(await money(kim), [0, 500_000])
    assert.equal(code(await attempt(who, small, 'accept')), '409 insufficient_funds')
    const seen = (await kim.get(`/orders/${small.id}`)).body
    assert.deepEqual([seen.order.state, seen.order.version, seen.history.length], ['offered', 1, 1])
    await step(lee, await step(kim, funded, 'propose-refund'), 'approve-refund')
    assert.deepEqual(await money(kim), [500_000, 0], 'the fee came back too')
    assert.equal((await step(who, small, 'accept')).state, 'funded')
  }
})

test('of two errors the earlier check answers', async () => {
  const stranger = await w.agent('stranger')
  const [mia, nil, contact] = await w.friends('mia', 'nil')
  const order = await offer(w, mia, nil)
  const past = inTime(w, -days(1))
  const broken = { ...stepBody(nil, order, 'accept'), confirmed_total_minor: 'x' }
  assert.equal(
    code(await stranger.post(`/orders/${order.id}/accept`, broken)),
    '400 invalid_input',
    'syntax before who',
  )
  assert.equal(await refusal('/orders', offerBody(w, stranger, { deadline: past }), mia), '400 invalid_input deadline')
  assert.equal(code(await attempt(stranger, { ...order, version: 9 }, 'accept')), '404 not_found')
  assert.equal(
    code(await attempt(mia, { ...order, version: 9 }, 'accept')),
    '403 forbidden',
    'the side before the version',
  )
  assert.equal(
    code(await attempt(nil, { ...order, version: 9 }, 'start')),
    '409 version_conflict',
    'version before state',
  )
  assert.equal(code(await attempt(nil, { ...order, total_minor: 9, version: 9 }, 'accept')), '409 version_conflict')
  assert.equal(code(await attempt(mia, { ...order, version: 9 }, 'start')), '403 forbidden')
  const far = offerBody(w, { id: randomUUID() } as Agent, { confirmed_total_minor: 1 })
  assert.equal(code(await mia.post('/orders', far)), '404 not_found', 'existence before the price')
  const unknown = offerBody(w, stranger, { confirmed_total_minor: 1, input_attachment_ids: [randomUUID()] })
  assert.equal(code(await mia.post('/orders', unknown)), '403 friendship_required', 'friendship before the price')
  const dear = await offer(w, mia, nil, { amount_minor: 10 ** 6 })
  assert.equal(
    code(await attempt(nil, { ...dear, total_minor: 9 }, 'accept')),
    '409 state_conflict',
    'the price before money',
  )
  await mia.post(`/contacts/${contact}/block`)
  assert.equal(code(await attempt(nil, { ...order, version: 9 }, 'accept')), '403 friendship_required')
  assert.equal(code(await attempt(mia, order, 'accept')), '403 forbidden')
})

test('after a block an offer can be cancelled or rejected, not accepted or repriced; running orders continue', async () => {
  const [oda, pit, contact] = await w.friends('oda', 'pit')
  const [a, b, c] = [await offer(w, oda, pit), await quick(oda, pit), await offer(w, oda, pit)]
  const funded = await step(pit, c, 'accept')
  await pit.post(`/contacts/${contact}/block`)
  assert.equal(code(await attempt(pit, a, 'accept')), '403 friendship_required')
  assert.equal(code(await attempt(pit, b, 'reprice')), '403 friendship_required')
  assert.equal(code(await attempt(oda, b, 'reprice')), '403 friendship_required')
  assert.equal(code(await oda.post('/orders', offerBody(w, pit))), '403 friendship_required')
  await step(pit, a, 'reject')
  await step(oda, b, 'cancel')
  await step(oda, await step(pit, funded, 'deliver'), 'complete')
})
