// What every agent needs on top of the calls: IDs that a next run names again, decisions that are made once, and friends.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  KithError,
  KithFriendshipError,
  KithInputError,
  KithKeyChangedError,
  stableUuid,
  uuidNamespace,
} from '../src/index.ts'
import { isUuid } from '../src/runtime.ts'
import { type World, world } from './fixtures.ts'
import { orderId } from './scenarios.ts'

const known = [
  ['a', '001fcd8a-75e0-5eda-8fed-d4ef3563d267'],
  ['deliver 0198c000-0000-7000-8000-0000000000aa', '44731bc0-faf8-5e26-9838-65c9a10a0d16'],
  ['Ответ 合同 🌊', '1f831637-d3a7-554c-8ff1-48e3669de834'],
  ['x'.repeat(1_000), 'f2c39eb5-9722-5f63-9ca5-fb85890a158b'],
] as const

test('a name maps to one UUID in every language', () => {
  // Python: uuid.uuid5(uuid.UUID(uuidNamespace), name)
  for (const [name, id] of known) assert.equal(stableUuid(name), id, name)
  assert.ok(isUuid(uuidNamespace))
  const many = new Set(Array.from({ length: 1_000 }, (_, n) => stableUuid(`deliver ${n}`)))
  assert.equal(many.size, 1_000)
  for (const id of many) assert.ok(isUuid(id) && id[14] === '5', id)
  for (const wrong of ['', '\ud800', 'a\udc00'])
    assert.throws(() => stableUuid(wrong), KithInputError, JSON.stringify(wrong))
})

const answerId = stableUuid(`answer ${orderId}`)

/** Ada accepts an order at a price up to 200; `asked` has the versions that she was asked about. */
function ada({ client }: World, asked: number[]) {
  const path = { order_id: orderId }
  return client.decide(
    answerId,
    () => client.orders.get(orderId),
    ({ order: { state, version: expected_version, total_minor } }) => {
      asked.push(expected_version)
      if (state !== 'offered') return undefined
      if (total_minor > 200) return ['POST /orders/{order_id}/reject', { path, body: { expected_version } }]
      const body = { expected_version, confirmed_total_minor: total_minor }
      return ['POST /orders/{order_id}/accept', { path, body }]
    },
  )
}

const sent = ({ service }: World) =>
  service.log
    .filter((line) => line.startsWith('POST /orders/'))
    .map((line) => JSON.parse(line.slice(line.indexOf('{'))).expected_version)

test('a decision is made once despite any loss: the saved bytes are resent, and the response is kept', async (t) => {
  for (const how of ['drop', 'lose', 'half'] as const) {
    const asked: number[] = []
    const at = await world(t)
    at.service.offer(orderId, { total_minor: 110 })
    at.service.fault(`POST /orders/${orderId}/accept`, ...Array(5).fill({ how }))
    await assert.rejects(ada(at, asked), { name: 'KithNetworkError', operationId: answerId })
    at.client = await at.reopen()
    const answer = await ada(at, asked)
    assert.deepEqual([answer?.order.state, asked], ['funded', [1]])
    assert.equal(await ada(at, asked).then((again) => again?.order.state), 'funded')
    assert.deepEqual([asked, new Set(sent(at)).size], [[1], 1])
    assert.deepEqual(await at.client.pending(), [])
  }
})

test('after a version_conflict the decision is made again on the current version', async (t) => {
  const at = await world(t)
  const asked: number[] = []
  const order = at.service.offer(orderId, { total_minor: 110 })
  order.rises = [220]
  const answer = await ada(at, asked)
  assert.deepEqual([answer?.order.state, asked, sent(at)], ['rejected', [1, 2], [1, 2]])

  const late = await world(t)
  late.service.offer(orderId, { total_minor: 110 }).rises = Array(9).fill(120)
  const versions: number[] = []
  await assert.rejects(ada(late, versions), { code: 'version_conflict' })
  assert.deepEqual(versions, [1, 2, 3, 4, 5], 'there is an end to it')
  assert.deepEqual(await late.client.pending(), [])
})

test('a conflict that the last run did not see is decided again, with the same ID', async (t) => {
  const at = await world(t)
  const asked: number[] = []
  const order = at.service.offer(orderId, { total_minor: 110 })
  at.service.fault(`POST /orders/${orderId}/accept`, ...Array(5).fill({ how: 'drop' }))
  await assert.rejects(ada(at, asked), { name: 'KithNetworkError' })
  order.version++
  order.total_minor = 150
  at.client = await at.reopen()
  const answer = await ada(at, asked)
  assert.deepEqual([answer?.order.state, asked], ['funded', [1, 2]])
})

test('a decision to do nothing sends and saves nothing', async (t) => {
  const at = await world(t)
  at.service.offer(orderId, { total_minor: 110 }).state = 'cancelled'
  assert.equal(await ada(at, []), undefined)
  assert.deepEqual([sent(at), await at.client.saved(answerId)], [[], undefined])
})

test('twenty callers with one ID get one outcome; other refusals reach the caller, and nothing is left behind', async (t) => {
  const at = await world(t)
  const asked: number[] = []
  at.service.offer(orderId, { total_minor: 110 }).rises = [120]
  const answers = await Promise.all(Array.from({ length: 20 }, () => ada(at, asked)))
  assert.deepEqual([new Set(answers.map((answer) => answer?.order.version)).size, asked], [1, [1, 2]])

  const refused = await world(t)
  refused.service.offer(orderId, { total_minor: 110 })
  refused.service.fault('POST /orders', { how: 'refuse', status: 409, code: 'insufficient_funds' })
  await assert.rejects(ada(refused, []), (error) => error instanceof KithError && error.code === 'insufficient_funds')
  assert.equal(await refused.client.saved(answerId), undefined)
  await assert.rejects(
    refused.client.decide(
      answerId,
      async () => 1,
      () => ['POST /contacts/requests', { body: { recipient_id: orderId } }],
    ),
    KithInputError,
  )
  await assert.rejects(
    refused.client.decide(
      'my decision',
      async () => 1,
      () => undefined,
    ),
    KithInputError,
  )
})

/** Cyd, whom Ada does not know yet. */
function stranger(at: World) {
  return at.service.addBot({ handle: 'cyd', encryption_public_key: at.friend.keys.publicKey }).id
}
const requests = ({ service }: World) => service.counts['POST /contacts/requests'] ?? 0
const contactWith = ({ service }: World, id: string) =>
  service.contacts.find(({ peer }) => (peer as { id: string }).id === id)!

test('a friendship is requested once, waited for, and found again by the next run', async (t) => {
  const at = await world(t)
  const cyd = stranger(at)
  const stop = new AbortController()
  const { sleep } = at.runtime
  let looks = 0
  at.runtime.sleep = async (ms, signal) => {
    if (++looks === 3) stop.abort(new Error('killed'))
    if (looks === 6) contactWith(at, cyd)['status'] = 'accepted'
    await sleep(ms, signal)
  }
  await assert.rejects(at.client.contacts.befriend(cyd, { signal: stop.signal }), /killed/)
  const next = await at.reopen()
  const contact = await next.contacts.befriend(cyd)
  assert.deepEqual([contact.status, requests(at), looks], ['accepted', 1, 6])
  assert.equal((await next.pins.get(cyd))?.public_key, at.friend.keys.publicKey)
  assert.equal((await next.contacts.befriend(cyd)).id, contact.id)
  assert.equal(looks, 6, 'a friend needs no waiting')
  assert.deepEqual(await next.pending(), [])
})

test('the requested agent accepts, and both may begin', async (t) => {
  const at = await world(t)
  const cyd = stranger(at)
  at.service.ask(cyd, at.me.id)
  assert.equal((await at.client.contacts.befriend(cyd)).status, 'accepted')
  assert.equal(requests(at), 0)
})

test('a friendship that never comes is a typed error, and its time limit counts from the request', async (t) => {
  const at = await world(t)
  const cyd = stranger(at)
  const waited = () => at.runtime.slept.reduce((sum, ms) => sum + ms, 0)
  const timeout = { name: 'KithFriendshipError', reason: 'timeout', botId: cyd }
  await assert.rejects(at.client.contacts.befriend(cyd, { limitMs: 600_000 }), timeout)
  assert.equal(waited(), 600_000)
  contactWith(at, cyd)['created_at'] = new Date(at.runtime.now() - 600_000).toISOString()
  await assert.rejects((await at.reopen()).contacts.befriend(cyd, { limitMs: 600_000 }), timeout)
  assert.equal(waited(), 600_000, 'a restart prolongs nothing')
  contactWith(at, cyd)['status'] = 'blocked'
  const blocked = (error: unknown) => error instanceof KithFriendshipError && error.reason === 'blocked'
  await assert.rejects(at.client.contacts.befriend(cyd), blocked)
  at.service.contacts.length = 0
  at.service.fault('POST /contacts/requests', { how: 'refuse', status: 403, code: 'contact_blocked' })
  await assert.rejects(at.client.contacts.befriend(cyd), blocked)
  at.service.fault('POST /contacts/requests', { how: 'refuse', status: 404, code: 'not_found' })
  await assert.rejects(at.client.contacts.befriend(cyd), { name: 'KithError', code: 'not_found' })
})

test('an absent service is waited for; a friend with another key stops the wait', async (t) => {
  const at = await world(t)
  const cyd = stranger(at)
  at.service.fault('GET /contacts', ...Array(12).fill({ how: 'drop' }))
  at.service.fault('POST /contacts/requests', ...Array(7).fill({ how: 'lose' }))
  const { sleep } = at.runtime
  at.runtime.sleep = async (ms, signal) => {
    if (requests(at) > 0) contactWith(at, cyd)['status'] = 'accepted'
    await sleep(ms, signal)
  }
  assert.equal((await at.client.contacts.befriend(cyd)).status, 'accepted')
  Object.assign(contactWith(at, cyd)['peer'] as object, { encryption_public_key: at.me.keys.publicKey })
  await assert.rejects(at.client.contacts.befriend(cyd), KithKeyChangedError)
})
