// A refusal of the market names its way out, if there is one: an agent that reads it knows what to do instead.
// docs/contract/errors.md#the-envelope.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { attempt, inTime, offer, offerBody, quickBody, step } from '../../../test/orders.ts'
import { askBody, asked, customerOf, priced, moved as requestMoved, tried } from '../../../test/requests.ts'
import { askQuote, byQuote, draft, move, moved, orderBy, published, quoted } from '../../../test/services.ts'
import { story } from '../../../test/story.ts'
import { bidBody, publish, selectBody, bid as taskBid } from '../../../test/tasks.ts'
import { turnSuspended } from '../../../test/turning.ts'
import { type Answer, code } from '../../../test/world.ts'
import { hours } from '../../kernel/clock.ts'

const { w, ann, ben, cid } = story('cid', { friends: ['ann', 'ben'] })

const ways: Record<string, [refused: () => Promise<Answer>, code: string, way: RegExp]> = {
  'a stranger offers an order': [
    () => cid.post('/orders/quick', quickBody(ben)),
    '403 friendship_required',
    /ask for friendship first/,
  ],
  'a quote for a price that depends on the case': [
    async () => askQuote(ann, await priced(ben)),
    '409 price_mode_mismatch',
    /an offer where it is not/,
  ],
  'a request where the price is fixed': [
    async () => ann.post('/service-requests', askBody(await published(ben))),
    '409 price_mode_mismatch',
    /a quote where the price is fixed/,
  ],
  'an order by a quote that was used': [
    async () => {
      const quote = await quoted(ann, await published(ben))
      assert.equal(code(await orderBy(w, ann, quote)), '201')
      return ann.post('/orders', byQuote(w, quote))
    },
    '409 quote_already_used',
    /ask for a new one/,
  ],
  'an order from a paused service': [
    async () => askQuote(ann, await moved(ben, await published(ben), 'pause')),
    '409 service_unavailable',
    /choose another, or ask its provider/,
  ],
  'an order at another price': [
    () => ann.post('/orders', offerBody(w, ben, { confirmed_total_minor: 1 })),
    '409 state_conflict',
    /full price is 1100/,
  ],
  'an offer that its customer cannot pay': [
    async () => attempt(ben, await offer(w, ann, ben, { amount_minor: 100_000_000_000 }), 'accept'),
    '409 insufficient_funds',
    /cancelled or refunded give theirs back/,
  ],
  'an order that somebody changed meanwhile': [
    async () => {
      const order = await offer(w, ann, ben)
      await step(ben, order, 'accept')
      return attempt(ann, order, 'cancel')
    },
    '409 version_conflict',
    /read it again/,
  ],
  'work on an order that is only offered': [
    async () => attempt(ben, await offer(w, ann, ben), 'deliver'),
    '409 invalid_state',
    /its actions say what you can do/,
  ],
  'an offer past its deadline': [
    async () => {
      const order = await offer(w, ann, ben, { deadline: inTime(w, hours(1)) })
      w.travel(hours(1))
      return attempt(ben, order, 'accept')
    },
    '409 invalid_state',
    /reject it, and agree on a new one/,
  ],
  'a request whose order was rejected': [
    async () => {
      const offered = await requestMoved(w, ben, await asked(ann, await priced(ben)), 'offer')
      await step(ann, offered.order, 'reject')
      return tried(w, ben, offered, 'offer')
    },
    '409 invalid_state',
    /the customer can make a new request/,
  ],
  'a suspended agent’s offer': [
    async () => {
      const eve = await customerOf(w, ben, 'eve')
      const order = await offer(w, eve, ben)
      await turnSuspended(w, eve.id, true)
      return attempt(ben, order, 'accept')
    },
    '409 invalid_state',
    /not active; you can only reject or cancel this offer/,
  ],
  'a request of a suspended agent': [
    async () => {
      const fay = await customerOf(w, ben, 'fay')
      const request = await asked(fay, await priced(ben))
      await turnSuspended(w, fay.id, true)
      return tried(w, ben, request, 'offer')
    },
    '409 invalid_state',
    /not active; you can only reject this request/,
  ],
  'an offer below the lowest price': [
    async () => tried(w, ben, await asked(ann, await priced(ben)), 'offer', { amount_minor: 999 }),
    '400 below_service_minimum',
    /at least 1000/,
  ],
  'a second bid': [
    async () => {
      const task = await publish(w, ann)
      await taskBid(w, cid, task)
      return cid.post(`/tasks/${task.id}/bids`, bidBody(w))
    },
    '409 state_conflict',
    /change it, or withdraw it first/,
  ],
  'the selection of a bid past its deadline': [
    async () => {
      const task = await publish(w, ann)
      const late = await taskBid(w, cid, task, { deadline: inTime(w, hours(1)) })
      w.travel(hours(1))
      return ann.post(`/tasks/${task.id}/select`, selectBody(task, late))
    },
    '409 invalid_state',
    /select another/,
  ],
  'the selection of a bid that was withdrawn': [
    async () => {
      const task = await publish(w, ann)
      const { id, version } = await taskBid(w, cid, task)
      const operation_id = randomUUID()
      const gone = await cid.post(`/bids/${id}/withdraw`, { operation_id, expected_version: version })
      assert.equal(code(gone), '200')
      return ann.post(`/tasks/${task.id}/select`, selectBody(task, gone.body.bid))
    },
    '409 invalid_state',
    /is withdrawn; select another/,
  ],
  'a change of a bid that was withdrawn': [
    async () => {
      const { id, version } = await taskBid(w, cid, await publish(w, ann))
      const move = (expected_version: number) => ({ operation_id: randomUUID(), expected_version })
      assert.equal(code(await cid.post(`/bids/${id}/withdraw`, move(version))), '200')
      return cid.patch(`/bids/${id}`, { ...move(version + 1), text: 'Better' })
    },
    '409 invalid_state',
    /is withdrawn; make a new one/,
  ],
  'a service of a closed profile': [
    async () => {
      const dot = await customerOf(w, ben, 'dot')
      const service = await draft(dot)
      await dot.patch('/bots/me', { profile_public: false })
      return move(dot, service, 'publish')
    },
    '403 public_profile_required',
    /profile_public: true/,
  ],
}

for (const [name, [refused, expected, way]] of Object.entries(ways)) {
  test(`${name}: the refusal says what to do instead`, async () => {
    const answer = await refused()
    assert.equal(code(answer), expected)
    assert.match(answer.body.error.message, way)
  })
}
