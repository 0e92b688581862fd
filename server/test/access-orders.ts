// The rows of money and work in the matrix of access.
import { randomUUID } from 'node:crypto'
import { setRole } from '../src/modules/staff/staff.ts'
import { type Answers, befriend, between, obligation, own, type Row, reading, type Stage } from './access-terms.ts'
import { bid, bidBody, bring, type Condition, offer, offerBody, quick, quickBody, trade } from './orders.ts'
import { reviewBody } from './reviews.ts'

export const orderFrom =
  (to: Condition, as: 'contractor' | 'customer' = 'contractor') =>
  async ({ at, me, peer }: Stage): Promise<string> => {
    await befriend(me, peer)
    const [pair, offered] =
      as === 'contractor'
        ? [{ customer: peer, contractor: me }, await offer(at, peer, me)]
        : [{ customer: me, contractor: peer }, await bid(at, peer, me)]
    return (await bring(pair, offered, to)).id
  }
const actionOn = (version: number, fields: object = {}) => ({
  operation_id: randomUUID(),
  expected_version: version,
  ...fields,
})
/** What one side alone may do to its order. */
const ownSide = (answers: Answers): Answers => between(answers, '403 forbidden')
const support = async ({ at, me }: Stage): Promise<string> => {
  await at.service.sql.transaction((tx) => setRole(tx, me.id, 'support', true))
  return me.id
}
/** An escalated dispute between `peer` and `stranger`. */
const escalated = async ({ at, peer, stranger }: Stage): Promise<string> => {
  await befriend(peer, stranger)
  return (await trade(at, peer, stranger, 'escalated')).id
}
const decision = () => ({
  operation_id: randomUUID(),
  expected_version: 2,
  decision: 'resume',
  reason: 'It is blue as agreed',
})

export const orderRows: readonly Row[] = [
  { route: 'GET /wallet', answers: own('200') },
  { route: 'GET /wallet/history', answers: own('200') },
  { route: 'POST /orders/quote', body: () => ({ amount_minor: 1000 }), answers: reading('200') },
  {
    route: 'POST /orders',
    given: ({ me, peer }) => befriend(me, peer),
    body: ({ at, caller, me, peer }) => offerBody(at, caller === peer ? me : peer),
    answers: obligation('201', { stranger: '403 friendship_required' }),
  },
  {
    route: 'POST /orders',
    when: 'as the contractor',
    given: ({ me, peer }) => befriend(me, peer),
    body: ({ at, caller, me, peer }) => bidBody(at, caller === peer ? me : peer),
    answers: obligation('201', { stranger: '403 friendship_required' }),
  },
  {
    route: 'POST /orders/quick',
    given: ({ me, peer }) => befriend(me, peer),
    body: ({ caller, me, peer }) => quickBody(caller === peer ? me : peer),
    answers: obligation('201', { stranger: '403 friendship_required' }),
  },
  { route: 'GET /orders', answers: own('200') },
  { route: 'GET /orders/{order_id}', given: orderFrom('funded'), answers: between(own('200'), '200') },
  {
    route: 'POST /orders/{order_id}/accept',
    given: orderFrom('offered'),
    body: () => actionOn(1, { confirmed_total_minor: 1100 }),
    answers: ownSide(obligation('200')),
  },
  {
    route: 'POST /orders/{order_id}/reject',
    given: orderFrom('offered'),
    body: () => actionOn(1),
    answers: ownSide(own('200')),
  },
  {
    route: 'POST /orders/{order_id}/cancel',
    given: async ({ at, me, peer }) => {
      await befriend(me, peer)
      return (await offer(at, me, peer)).id
    },
    body: () => actionOn(1),
    answers: ownSide(own('200')),
  },
  {
    route: 'POST /orders/{order_id}/reprice',
    given: async ({ me, peer }) => {
      await befriend(me, peer)
      return (await quick(peer, me)).id
    },
    body: () => actionOn(1, { amount_minor: 2000, confirmed_total_minor: 2200 }),
    answers: between(obligation('200'), '200'),
  },
  {
    route: 'POST /orders/{order_id}/start',
    given: orderFrom('funded'),
    body: () => actionOn(2),
    answers: ownSide(own('200')),
  },
  {
    route: 'POST /orders/{order_id}/deliver',
    given: orderFrom('in_progress'),
    body: () => actionOn(3, { result_text: 'Here it is' }),
    answers: ownSide(own('200')),
  },
  {
    route: 'POST /orders/{order_id}/complete',
    given: orderFrom('delivered', 'customer'),
    body: () => actionOn(3),
    answers: ownSide(own('200')),
  },
  ...(['dispute', 'propose-refund'] as const).map(
    (action): Row => ({
      route: `POST /orders/{order_id}/${action}`,
      given: orderFrom('funded'),
      body: () => actionOn(2, { reason: 'It is not round' }),
      answers: between(own('200'), '200'),
    }),
  ),
  {
    route: 'POST /orders/{order_id}/approve-refund',
    given: orderFrom('refund proposed'),
    body: () => actionOn(3),
    answers: ownSide(own('200')),
  },
  {
    route: 'POST /orders/{order_id}/escalate-dispute',
    given: orderFrom('disputed'),
    body: () => actionOn(3, { reason: 'We do not agree' }),
    answers: between(own('200'), '200'),
  },
  { route: 'GET /orders/{order_id}/dispute-case', given: orderFrom('disputed'), answers: between(own('200'), '200') },
  {
    route: 'POST /orders/{order_id}/updates',
    given: orderFrom('funded'),
    body: () => actionOn(2, { text: 'Half of it is done' }),
    answers: between(own('201'), '201'),
  },
  {
    route: 'GET /orders/{order_id}/updates',
    given: orderFrom('offered'),
    answers: between(own('200'), '200'),
  },
  {
    route: 'GET /orders/{order_id}/updates/{update_id}',
    given: async (stage) => {
      const id = await orderFrom('funded')(stage)
      const { body } = await stage.me.post(`/orders/${id}/updates`, actionOn(2, { text: 'Half of it is done' }))
      return `${id} ${body.update.id}`
    },
    answers: between(own('200'), '200'),
  },
  {
    route: 'GET /orders/{order_id}/review-form',
    given: orderFrom('accepted'),
    answers: between(own('200'), '200'),
  },
  {
    route: 'POST /orders/{order_id}/reviews',
    given: orderFrom('accepted'),
    body: ({ caller, peer }) => reviewBody(caller === peer ? 'customer' : 'contractor'),
    answers: between(obligation('201'), '201'),
  },
  { route: 'GET /bots/{bot_id}/reviews', given: async ({ peer }) => peer.id, answers: reading('200') },
  {
    route: 'GET /bots/{bot_id}/reviews',
    when: 'it is closed, even to itself',
    alone: true,
    given: async ({ me }) => {
      await me.patch('/bots/me', { profile_public: false })
      return me.id
    },
    answers: reading('404 not_found'),
  },
  { route: 'GET /staff/me', answers: own('200') },
  { route: 'GET /staff/disputes', answers: { ...reading('403 staff_required'), staff: '200' } },
  {
    route: 'GET /staff/disputes',
    when: 'by support',
    alone: true,
    given: support,
    answers: { ...reading('403 staff_required'), owner: '200', restricted: '200', staff: '200' },
  },
  {
    route: 'POST /staff/disputes/{order_id}/decide',
    alone: true,
    given: escalated,
    body: decision,
    answers: { ...obligation('403 staff_required'), staff: '200' },
  },
  {
    route: 'POST /staff/disputes/{order_id}/decide',
    when: 'by support',
    alone: true,
    given: async (stage) => {
      await support(stage)
      return escalated(stage)
    },
    body: decision,
    answers: { ...obligation('403 staff_required'), owner: '200', staff: '200' },
  },
]
