// What the two sides do with a request: every action in every status by either side, and what an offer makes.
// docs/contract/requests.md#moves.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { attempt, fund, inTime, money, reread, step } from '../../../test/orders.ts'
import { asked, moveBody, moved, priced, requestOf, type Shown, serviceMoved, tried } from '../../../test/requests.ts'
import { beforehand, story } from '../../../test/story.ts'
import { turnSuspended } from '../../../test/turning.ts'
import { befriend, code } from '../../../test/world.ts'
import { days } from '../../kernel/clock.ts'
import { setServiceHidden } from '../catalog/listing.ts'
import { setProfileHidden, setSuspended } from '../profiles/profiles.ts'
import { type Action, moves, type Status, statuses } from './machine.ts'

const { w, ada, bob } = story({ friends: ['ada', 'bob'] })
const icons = beforehand(() => priced(bob))
beforehand(() => fund(w, ada, 100_000_000))

/** A request in a status, as it is read then; of an expired one nothing may be written yet. */
async function given(status: Status): Promise<Shown> {
  const request = await asked(ada, icons)
  if (status === 'offered') return moved(w, bob, request, 'offer')
  if (status === 'rejected') return moved(w, bob, request, 'reject')
  if (status === 'cancelled') return moved(w, ada, request, 'cancel')
  if (status === 'open') return request
  await w.sql`update service_requests set expires_at = ${w.now()} where id = ${request.id}`
  return requestOf(ada, request)
}

/** By the contract: whose each action is, and the statuses that allow it. */
const allowed: Record<Action, { by: 'customer' | 'provider'; from: Status[]; to: Status }> = {
  offer: { by: 'provider', from: ['open'], to: 'offered' },
  reject: { by: 'provider', from: ['open'], to: 'rejected' },
  cancel: { by: 'customer', from: ['open', 'offered'], to: 'cancelled' },
}

for (const status of statuses) {
  for (const action of Object.keys(moves) as Action[]) {
    test(`${action} for a request that is ${status}`, async () => {
      const { by, from, to } = allowed[action]
      const [mine, other] = by === 'customer' ? [ada, bob] : [bob, ada]
      const request = await given(status)
      assert.equal(request.status, status)
      assert.equal(code(await tried(w, other, request, action)), '403 forbidden')
      const stale = await tried(w, mine, request, action, { expected_version: request.version + 5 })
      assert.equal(code(stale), '409 version_conflict')
      const answer = await tried(w, mine, request, action)
      if (!from.includes(status)) {
        // What has expired may have been written down meanwhile, with a version of its own.
        if (status === 'expired' && answer.body.error.code === 'version_conflict') return
        assert.equal(code(answer), '409 invalid_state')
        assert.equal(answer.body.error.details.status, status)
        return
      }
      assert.equal(code(answer), action === 'offer' ? '201' : '200')
      const now = await requestOf(ada, request)
      assert.deepEqual([now.status, now.version], [to, request.version + 1])
      const isOver = to !== 'offered'
      assert.deepEqual([now.closed_at, now.closed_reason], isOver ? [now.updated_at, to] : [null, null])
    })
  }
}

test("a provider's offer turns the whole request into an order; nothing is reserved", async () => {
  const before = await money(ada)
  const request = await asked(ada, icons, { quantity: 3, description: 'Blue\nor green' })
  const deadline = inTime(w, days(3))
  const body = moveBody(w, request, 'offer', { amount_minor: 3000, deadline })
  const answer = await bob.post(`/service-requests/${request.id}/offer`, body)
  assert.equal(code(answer), '201')
  const { order } = answer.body
  assert.deepEqual(answer.body.request, {
    ...request,
    status: 'offered',
    version: 2,
    order_id: order.id,
    order_state: 'offered',
    updated_at: answer.body.request.updated_at,
  })
  const { id, created_at, updated_at, updates_url, ...rest } = order
  assert.deepEqual(rest, {
    state: 'offered',
    version: 1,
    role: 'contractor',
    actions: [{ name: 'cancel', method: 'POST', path: `/api/v1/orders/${id}/cancel` }],
    customer: { id: ada.id, handle: ada.handle, display_name: ada.bot.display_name },
    contractor: { id: bob.id, handle: bob.handle, display_name: bob.bot.display_name },
    origin: { kind: 'request', id: request.id, bid_id: null },
    bid_text: null,
    workflow: null,
    title: request.title,
    description: request.description,
    deadline,
    customer_id: ada.id,
    contractor_id: bob.id,
    customer_unanswered: 0,
    offer_author_id: bob.id,
    amount_minor: 3000,
    fee_bps: 1000,
    fee_minor: 300,
    total_minor: 3300,
    service_snapshot: { service: icons, quantity: 3, parameters: {}, input_attachment_ids: [] },
    source_service_quote_id: null,
    source_service_request_id: request.id,
    input_attachments: [],
    result_text: null,
    result_attachments: [],
    refund_proposed_by: null,
    updates_count: 0,
    review_summary: null,
    review_form_url: null,
    ready_service_proposals: [],
    outcome: null,
    closed_at: null,
  })
  const { role, actions, customer_unanswered: _, ...same } = await reread(ada, order)
  assert.deepEqual([role, actions.map(({ name }: { name: string }) => name)], ['customer', ['accept', 'reject']])
  assert.deepEqual({ ...order, ...same }, order)
  assert.deepEqual(await money(ada), before)
  const again = await bob.post(`/service-requests/${request.id}/offer`, body)
  assert.deepEqual([code(again), again.body], ['200', answer.body], 'the same again is the same')
  assert.equal(code(await tried(w, bob, answer.body.request, 'offer')), '409 invalid_state', 'there is one offer')
})

test('the order follows the rules of orders, and the request shows its state', async () => {
  const offered = await moved(w, bob, await asked(ada, icons), 'offer')
  assert.equal(code(await attempt(bob, offered.order, 'accept', { confirmed_total_minor: 1100 })), '403 forbidden')
  assert.equal(code(await attempt(bob, offered.order, 'reject')), '403 forbidden')
  assert.equal(code(await attempt(ada, offered.order, 'cancel')), '403 forbidden')
  const wrong = await attempt(ada, offered.order, 'accept', { confirmed_total_minor: 1000 })
  assert.equal(code(wrong), '409 state_conflict')
  let order = await step(ada, offered.order, 'accept')
  for (const [who, action, state] of [
    [ada, undefined, 'funded'],
    [bob, 'start', 'in_progress'],
    [bob, 'deliver', 'delivered'],
    [ada, 'complete', 'closed'],
  ] as const) {
    if (action) order = await step(who, order, action)
    const now = await requestOf(bob, offered)
    assert.deepEqual([now.status, now.version, now.order_state], ['offered', 2, state])
    assert.equal(now.closed_reason, state === 'closed' ? 'order_closed' : null)
    const late = await tried(w, ada, offered, 'cancel')
    assert.equal(code(late), '409 invalid_state')
    assert.deepEqual(late.body.error.details, { status: 'offered', order_state: state })
  }
  assert.equal(code(await attempt(ada, offered.order, 'reprice', { amount_minor: 5000 })), '409 version_conflict')
})

for (const [action, who, state] of [
  ['cancel', 'provider', 'cancelled'],
  ['reject', 'customer', 'rejected'],
] as const) {
  test(`an order ended by the ${who} leaves the request offered, and the request allows no further action`, async () => {
    const offered = await moved(w, bob, await asked(ada, icons), 'offer')
    await step(who === 'provider' ? bob : ada, offered.order, action)
    const now = await requestOf(ada, offered)
    assert.deepEqual([now.status, now.version, now.order_state, now.closed_at], ['offered', 2, state, null])
    assert.equal(now.closed_reason, `order_${state}`)
    assert.equal(code(await tried(w, ada, now, 'cancel')), '409 invalid_state')
    const again = await tried(w, bob, now, 'offer')
    assert.equal(code(again), '409 invalid_state')
    assert.match(again.body.error.message, /new request/)
    assert.equal(code(await tried(w, bob, now, 'reject')), '409 invalid_state')
  })
}

test('cancelling a request with an offer also rejects the order, and both sides get events about both', async () => {
  const offered = await moved(w, bob, await asked(ada, icons), 'offer')
  const ears = [await ada.events(), await bob.events()]
  const cancelled = await moved(w, ada, offered, 'cancel')
  assert.deepEqual([cancelled.order_id, cancelled.order_state], [offered.order.id, 'rejected'])
  assert.equal(cancelled.closed_reason, 'cancelled')
  assert.equal(cancelled.closed_at, cancelled.updated_at)
  for (const ear of ears) {
    const told = async (kind: string, status: string) => {
      for (;;) {
        const { payload } = await ear.next(kind)
        if ((payload.order_id === offered.order.id || payload.request_id === offered.id) && payload.status === status)
          return
      }
    }
    await told('order.changed', 'rejected')
    await told('service_request.changed', 'cancelled')
    await ear.close()
  }
  const { history } = (await bob.get(`/orders/${offered.order.id}`)).body
  assert.deepEqual(
    history.map((line: Shown) => [line.action, line.actor_id]),
    [
      ['offer', bob.id],
      ['reject', ada.id],
    ],
  )
  assert.equal(code(await attempt(ada, offered.order, 'accept')), '409 version_conflict')
})

test('an offer is at least the snapshot price for the whole quantity, and at most the limit of an order', async () => {
  const service = await priced(bob)
  const request = await asked(ada, service, { quantity: 7 })
  await bob.patch(`/services/${service.id}`, {
    operation_id: randomUUID(),
    expected_version: service.version,
    price: { mode: 'from', unit_label: 'icon', amount_minor: 5 },
  })
  for (const [amount, expected] of [
    [6999, '400 below_service_minimum'],
    [1, '400 below_service_minimum'],
    [909_090_909_092, '400 invalid_input'],
    [909_090_909_091, '201'],
  ] as const) {
    const answer = await tried(w, bob, request, 'offer', { amount_minor: amount })
    assert.equal(code(answer), expected, String(amount))
    if (expected.endsWith('minimum')) assert.deepEqual(answer.body.error.details, { minimum_minor: 7000 })
  }
  const least = await moved(w, bob, await asked(ada, icons, { quantity: 7 }), 'offer', { amount_minor: 7000 })
  assert.equal(least.order.total_minor, 7700)
})

test('a deadline lies ahead, in any time zone', async () => {
  const request = await asked(ada, icons)
  for (const deadline of [inTime(w, 0), inTime(w, -1000)]) {
    assert.equal(code(await tried(w, bob, request, 'offer', { deadline })), '400 invalid_input', deadline)
  }
  const offset = await moved(w, bob, request, 'offer', { deadline: '2099-01-01T02:00:00+02:00' })
  assert.equal(offset.order.deadline, '2099-01-01T00:00:00.000Z')
})

test('after a block nothing new is offered; both sides may still end it, and the current offer cannot be accepted', async () => {
  const dan = await w.agent('dan')
  const contact = await befriend(ada, dan)
  const service = await priced(dan)
  const [first, second, third] = [await asked(ada, service), await asked(ada, service), await asked(ada, service)]
  const offered = await moved(w, dan, third, 'offer')
  await dan.post(`/contacts/${contact}/block`)
  assert.equal(code(await tried(w, dan, first, 'offer')), '403 friendship_required')
  const blind = await tried(w, dan, first, 'offer', { expected_version: 9 })
  assert.equal(code(blind), '403 friendship_required', 'before the version')
  assert.equal(code(await attempt(ada, offered.order, 'accept')), '403 friendship_required')
  await moved(w, dan, first, 'reject')
  await moved(w, ada, second, 'cancel')
  await moved(w, ada, offered, 'cancel')
})

test('changing, pausing or archiving the service does not affect an open request', async () => {
  for (const action of ['pause', 'archive'] as const) {
    const service = await priced(bob)
    const request = await asked(ada, service)
    await serviceMoved(bob, service, action)
    const offered = await moved(w, bob, request, 'offer')
    assert.deepEqual(offered.order.service_snapshot.service, service, 'as it was')
  }
})

test('an unavailable provider offers nothing, and may end open requests unless it is suspended', async () => {
  const eve = await w.agent('eve')
  await befriend(ada, eve)
  const service = await priced(eve)
  const tx = w.service.sql.transaction
  const ways: [string, string, (away: boolean) => Promise<unknown>][] = [
    ['closed', '409 service_unavailable', (away) => eve.patch('/bots/me', { profile_public: !away })],
    ['hidden', '409 service_unavailable', (away) => tx((inside) => setProfileHidden(inside, eve.id, away))],
    [
      'the service hidden',
      '409 service_unavailable',
      (away) => tx((inside) => setServiceHidden(inside, service.id, away)),
    ],
    ['suspended', '403 profile_inactive', (away) => tx((inside) => setSuspended(inside, eve.id, away))],
  ]
  for (const [what, expected, turn] of ways) {
    const [one, other] = [await asked(ada, service), await asked(ada, service)]
    await turn(true)
    assert.equal(code(await tried(w, eve, one, 'offer')), expected, what)
    const rejected = await eve.post(`/service-requests/${one.id}/reject`, moveBody(w, one, 'reject'))
    assert.equal(code(rejected), what === 'suspended' ? expected : '200', what)
    await turn(false)
    await moved(w, eve, other, 'offer')
  }
})

test('a suspended customer gets no offers, and its requests may be declined', async () => {
  const [fay, gus] = await w.friends('fay', 'gus')
  const request = await asked(fay, await priced(gus))
  await turnSuspended(w, fay.id, true)
  assert.equal(code(await tried(w, gus, request, 'offer')), '409 invalid_state')
  await moved(w, gus, request, 'reject')
})

test('replays of actions return the current request', async () => {
  const request = await asked(ada, icons)
  const body = moveBody(w, request, 'offer')
  const offer = () => bob.post(`/service-requests/${request.id}/offer`, body)
  const { order } = (await offer()).body
  const cancel = moveBody(w, { ...request, version: 2 }, 'cancel')
  assert.equal(code(await ada.post(`/service-requests/${request.id}/cancel`, cancel)), '200')
  const again = await offer()
  assert.equal(code(again), '200')
  assert.deepEqual(
    [again.body.request.status, again.body.order.id, again.body.order.state],
    ['cancelled', order.id, 'rejected'],
  )
  const twice = await ada.post(`/service-requests/${request.id}/cancel`, cancel)
  assert.deepEqual([code(twice), twice.body.request.version], ['200', 3])
  assert.equal(
    code(await bob.post(`/service-requests/${request.id}/offer`, { ...body, amount_minor: 2000 })),
    '409 idempotency_conflict',
  )
})
