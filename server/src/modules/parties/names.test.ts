// A customer without an agent is a party as any other: its order goes its whole way, and every list names it.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { ruled } from '../../../test/moderation.ts'
import { beforehand, story } from '../../../test/story.ts'
import { code } from '../../../test/world.ts'
import { days, after as later } from '../../kernel/clock.ts'
import type { Tx } from '../../store/sql.ts'
import { type Ask, act } from '../orders/actions.ts'
import type { Action } from '../orders/machine.ts'
import { offer } from '../orders/offers.ts'
import type { Order } from '../orders/orders.ts'
import { canonicalFiling, file } from '../reviews/reviews.ts'

const { w, bob, sue } = story('bob', { staff: ['sue'] })
const hilda = beforehand(() => w.human('Hilda'))

const inTransaction = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => w.service.sql.transaction(work)
const human = () => ({ kind: 'human', id: hilda.id, displayName: 'Hilda' }) as const
const agent = () => ({ kind: 'agent', id: bob.id }) as const
const list = 'human-orders'

/** An order that a customer offers to an agent that is not her friend, as far as these actions take it. */
async function ordered(...steps: [who: 'hilda' | 'bob', action: Action, ask?: Partial<Ask>][]): Promise<Order> {
  const input = {
    title: 'A portrait',
    description: 'Of a cat',
    deadline: later(w.now(), days(3)),
    amount_minor: 1000,
    contractor_id: bob.id,
    confirmed_total_minor: 1100,
    input_attachment_ids: [],
  }
  let order = await inTransaction((tx) => offer(tx, human(), { id: tx.newId(), source: 'human', input }))
  for (const [who, action, fields] of steps) {
    const ask = { expected_version: order.version, ...fields }
    const instruction = { orderId: order.id, list, ask, terms: w.service.config } as const
    order = await inTransaction((tx) => act(tx, who === 'hilda' ? human() : agent(), action, instruction))
  }
  return order
}

const accept = ['bob', 'accept', { confirmed_total_minor: 1100 }] as const satisfies [string, Action, object]

test('a customer pays for work, reviews it, and appears under her name only', async () => {
  const socket = await bob.events()
  const order = await ordered([...accept], ['bob', 'deliver', { result_text: 'A cat' }], ['hilda', 'complete'])
  assert.deepEqual([order.state, order.outcome], ['closed', 'accepted'])
  for (let version = 1; version <= order.version; version++) {
    const { kind, payload } = await socket.next()
    assert.deepEqual([kind, payload], ['human_order.changed', { order_id: order.id, version }])
  }
  await socket.close()
  const heard = await w.sql`select 1 from events where recipient_id = ${hilda.id}`
  assert.equal(heard.length, 0, 'nobody listens for a customer')

  const filing = canonicalFiling({
    rating: 4,
    recommend: true,
    criteria: { quality: 4, timeliness: 4, communication: 4 },
    text: 'A fine cat',
  })
  await inTransaction((tx) => file(tx, human(), { id: tx.newId(), orderId: order.id, list, filing, earnsBonus: false }))
  const waiting = (await w.operator('reviews')).text
  assert.match(waiting, /Hilda +bob/)
  const { cases } = (await sue.get('/staff/moderation?kind=review')).body
  const [found] = cases
  assert.deepEqual(
    [cases.length, found.owner, found.waiting_text],
    [1, { id: hilda.id, handle: null, display_name: 'Hilda' }, 'A fine cat'],
  )
  await ruled(sue, found, 'approve')
  const told = await w.sql`select 1 from events where recipient_id = ${hilda.id}`
  assert.equal(told.length, 0, 'of a decision neither')
  await w.travel(days(9))
  const { body } = await sue.get(`/bots/${bob.id}/reviews`)
  assert.deepEqual(
    body.reviews.map(({ author, rating, text }: Record<string, unknown>) => [author, rating, text]),
    [[{ id: null, handle: null, display_name: 'Hilda' }, 4, 'A fine cat']],
  )
  assert.equal(body.pagination.total, 1)
})

test("a customer's order is in no list of agents' orders, and no agent endpoint opens it", async () => {
  const order = await ordered()
  const { body } = await bob.get('/orders?page_size=50')
  assert.deepEqual([body.orders, body.pagination.total], [[], 0])
  for (const state of ['offered', 'closed']) assert.deepEqual((await bob.get(`/orders?state=${state}`)).body.orders, [])
  assert.equal(code(await bob.get(`/orders/${order.id}`)), '404 not_found')
  assert.equal(code(await bob.get(`/orders/${order.id}/updates`)), '404 not_found')
  const refusal = { operation_id: randomUUID(), expected_version: 1 }
  assert.equal(code(await bob.post(`/orders/${order.id}/reject`, refusal)), '404 not_found')
})

test("support decides a customer's dispute and reads her name", async () => {
  const reason = { reason: 'It is a dog' }
  const order = await ordered([...accept], ['hilda', 'dispute', reason], ['hilda', 'escalate-dispute', reason])
  const { body } = await sue.get('/staff/disputes')
  const [found] = body.disputes.filter((each: { order: { id: string } }) => each.order.id === order.id)
  assert.deepEqual(found.order.customer, { id: hilda.id, handle: null, display_name: 'Hilda' })
  assert.deepEqual(found.order.contractor, { id: bob.id, handle: 'bob', display_name: 'bob' })
  assert.match((await w.operator('disputes')).text, new RegExp(`${order.id} .*Hilda`))
  const verdict = { operation_id: randomUUID(), expected_version: 2, decision: 'refund', reason: 'A dog it is' }
  assert.equal(code(await sue.post(`/staff/disputes/${order.id}/decide`, verdict)), '200')
})
