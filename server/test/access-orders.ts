// The rows of money and work in the matrix of access.
import { randomUUID } from 'node:crypto'
import { setRole } from '../src/modules/staff/staff.ts'
import { befriend, between, obligation, own, type Row, reading, type Stage } from './access-terms.ts'
import { on } from './changes.ts'
import { type Act, answerTo, rules } from './order-rules.ts'
import { bid, bidBody, bring, brought, type Condition, offer, offerBody, quick, quickBody, trade } from './orders.ts'
import { reviewBody } from './reviews.ts'

/** An order of `me` and `peer` in a condition, offered by the other side unless told. */
export const orderFrom =
  (
    to: Condition,
    as: 'contractor' | 'customer' = 'contractor',
    { author = as === 'contractor' ? 'customer' : 'contractor', quick: isQuick = false }: Partial<Begun> = {},
  ) =>
  async ({ at, me, peer }: Stage): Promise<string> => {
    await befriend(me, peer)
    const pair = as === 'contractor' ? { customer: peer, contractor: me } : { customer: me, contractor: peer }
    const { customer, contractor } = pair
    if (isQuick) return (await bring(pair, await quick(customer, contractor), to)).id
    const offered = author === 'customer' ? await offer(at, customer, contractor) : await bid(at, contractor, customer)
    return (await bring(pair, offered, to)).id
  }
interface Begun {
  author: 'contractor' | 'customer'
  /** Then the customer offers it. */
  quick: boolean
}
/** The row of an action on an order in a condition, with the caller as one side: the rules say who may. */
function actionRow(action: Act, to: Condition, fields: object = {}, as: 'contractor' | 'customer' = 'contractor'): Row {
  const [peer, quick] = [as === 'contractor' ? 'customer' : 'contractor', action === 'reprice'] as const
  // What `me` is to cancel it has offered itself.
  const author = action === 'cancel' ? as : peer
  const order = brought({ customer: 'customer', contractor: 'contractor', author, quick, amount: 1000 }, to)
  const taken = answerTo(order, { action, who: as })
  return {
    route: `POST /orders/{order_id}/${action === 'update' ? 'updates' : action}`,
    given: orderFrom(to, as, { author, quick }),
    body: () => on(order.version, fields),
    answers: between(
      'obliges' in rules[action] ? obligation(taken) : own(taken),
      answerTo(order, { action, who: peer }),
    ),
  }
}
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
  actionRow('accept', 'offered', { confirmed_total_minor: 1100 }),
  actionRow('reject', 'offered'),
  actionRow('cancel', 'offered', {}, 'customer'),
  actionRow('reprice', 'offered', { amount_minor: 2000, confirmed_total_minor: 2200 }),
  actionRow('start', 'funded'),
  actionRow('deliver', 'in_progress', { result_text: 'Here it is' }),
  actionRow('complete', 'delivered', {}, 'customer'),
  actionRow('dispute', 'funded', { reason: 'It is not round' }),
  actionRow('propose-refund', 'funded', { reason: 'It is not round' }),
  actionRow('approve-refund', 'refund proposed'),
  actionRow('escalate-dispute', 'disputed', { reason: 'We do not agree' }),
  actionRow('update', 'funded', { text: 'Half of it is done' }),
  { route: 'GET /orders/{order_id}/dispute-case', given: orderFrom('disputed'), answers: between(own('200'), '200') },
  { route: 'GET /orders/{order_id}/updates', given: orderFrom('offered'), answers: between(own('200'), '200') },
  {
    route: 'GET /orders/{order_id}/updates/{update_id}',
    given: async (stage) => {
      const id = await orderFrom('funded')(stage)
      const { body } = await stage.me.post(`/orders/${id}/updates`, on(2, { text: 'Half of it is done' }))
      return `${id} ${body.update.id}`
    },
    answers: between(own('200'), '200'),
  },
  { route: 'GET /orders/{order_id}/review-form', given: orderFrom('accepted'), answers: between(own('200'), '200') },
  {
    route: 'POST /orders/{order_id}/reviews',
    given: orderFrom('accepted'),
    body: ({ caller, peer }) => reviewBody(caller === peer ? 'customer' : 'contractor'),
    without: ['text'],
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
    route: 'GET /staff/disputes/{order_id}',
    alone: true,
    given: escalated,
    answers: { ...reading('403 staff_required'), staff: '200' },
  },
  {
    route: 'GET /staff/disputes/{order_id}',
    when: 'by support',
    alone: true,
    given: async (stage) => {
      await support(stage)
      return escalated(stage)
    },
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
