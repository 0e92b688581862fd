// What mutations keep for good: the digest that a replay is compared by. Its form may never change, or what was sent before
// an upgrade could not be sent again after it; so it is spelled out here, apart from the code.
import assert from 'node:assert/strict'
import { createHash, randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { inTime } from '../../test/orders.ts'
import { story } from '../../test/story.ts'
import { type Agent, code } from '../../test/world.ts'
import { minutes } from '../kernel/clock.ts'

const { w, ann, bob } = story({ friends: ['ann', 'bob'] })

/** SHA-256 of JSON whose keys are sorted at every depth. */
function digestOf(name: string, content: unknown): string {
  const sorted = (value: unknown): unknown =>
    value !== null && typeof value === 'object' && !Array.isArray(value)
      ? Object.fromEntries(
          Object.entries(value)
            .sort(([a], [b]) => (a < b ? -1 : 1))
            .map(([key, inner]) => [key, sorted(inner)]),
        )
      : Array.isArray(value)
        ? value.map(sorted)
        : value
  return createHash('sha256')
    .update(JSON.stringify(sorted([name, content])))
    .digest('hex')
}

async function stored(operationId: string): Promise<{ digest: string; resource: string }> {
  const [row] = await w.sql<{ digest: string; resource: string }>`
    select encode(digest, 'hex') as digest, resource_id::text as resource from operations where operation_id = ${operationId}`
  assert.ok(row)
  return row
}

/** Sends a body with a new operation id, and says what is remembered of it. */
async function remembered(who: Agent, path: string, body: object) {
  const operationId = randomUUID()
  const answer = await who.post(path, { operation_id: operationId, ...body })
  assert.ok(answer.status < 300, JSON.stringify(answer.body))
  return { ...(await stored(operationId)), body: answer.body }
}

test('an offer, its actions, an update and a review are remembered by their IDs', async () => {
  const deadline = inTime(w, minutes(60))
  const direct = { title: 'A boat', description: 'Of paper', amount_minor: 1000, customer_id: bob.id }
  const offered = await remembered(ann, '/orders', { ...direct, title: ' A boat ', deadline })
  const { id } = offered.body.order
  assert.equal(offered.digest, digestOf('POST /orders', { ...direct, deadline, input_attachment_ids: [] }))
  assert.equal(offered.resource, id)

  const terms = { expected_version: 1, confirmed_total_minor: 1100 }
  const accepted = await remembered(bob, `/orders/${id}/accept`, terms)
  assert.deepEqual([accepted.digest, accepted.resource], [digestOf(`POST /orders/${id}/accept`, terms), id])

  const told = await remembered(ann, `/orders/${id}/updates`, { expected_version: 2, text: 'Half' })
  const update = { expected_version: 2, text: 'Half', attachment_ids: [] }
  assert.deepEqual([told.digest, told.resource], [digestOf(`POST /orders/${id}/updates`, update), told.body.update.id])

  const delivered = await remembered(ann, `/orders/${id}/deliver`, { expected_version: 3, result_text: 'There' })
  const delivery = { expected_version: 3, result_text: 'There', result_attachment_ids: [] }
  assert.equal(delivered.digest, digestOf(`POST /orders/${id}/deliver`, delivery))
  await remembered(bob, `/orders/${id}/complete`, { expected_version: 4 })

  const review = { rating: 5, recommend: true, criteria: { quality: 5, timeliness: 4, communication: 3 } }
  const filed = await remembered(bob, `/orders/${id}/reviews`, { ...review, publication_confirmed: true })
  const digest = digestOf(`POST /orders/${id}/reviews`, { ...review, text: null })
  assert.deepEqual([filed.digest, filed.resource], [digest, filed.body.review.id])
})

test('a quick offer and its repricing are remembered by their IDs', async () => {
  const quick = { title: 'A kite', amount_minor: 1000, customer_id: bob.id }
  const offered = await remembered(ann, '/orders/quick', quick)
  assert.equal(offered.digest, digestOf('POST /orders/quick', { ...quick, description: '', input_attachment_ids: [] }))
  const { id } = offered.body.order
  const price = { expected_version: 1, amount_minor: 2000 }
  const repriced = await remembered(ann, `/orders/${id}/reprice`, price)
  assert.deepEqual([repriced.digest, repriced.resource], [digestOf(`POST /orders/${id}/reprice`, price), id])
})

test('a post, its poll and the closing are remembered by their IDs', async () => {
  const posted = await remembered(ann, '/posts', { text: ' A kite ', visibility: 'public' })
  const { id } = posted.body.post
  const post = {
    title: '',
    text: 'A kite',
    kind: 'update',
    visibility: 'public',
    project: {},
    attachment_ids: [],
    rights_confirmed: false,
  }
  assert.deepEqual([posted.digest, posted.resource], [digestOf('POST /posts', post), id])
  const closesAt = inTime(w, minutes(60))
  const poll = { question: 'Higher?', options: ['Yes', 'No'], closes_at: closesAt }
  const asked = await remembered(ann, `/posts/${id}/poll`, poll)
  assert.deepEqual([asked.digest, asked.resource], [digestOf(`POST /posts/${id}/poll`, poll), asked.body.poll.id])
  const ended = await remembered(ann, `/posts/${id}/poll/close`, {})
  assert.deepEqual([ended.digest, ended.resource], [digestOf(`POST /posts/${id}/poll/close`, {}), asked.body.poll.id])
})

test("a staff decision is remembered by the case's ID", async () => {
  const deadline = inTime(w, minutes(60))
  const offer = { title: 'A bell', description: 'Loud', amount_minor: 100, customer_id: bob.id, deadline }
  const { id } = (await ann.post('/orders', { operation_id: randomUUID(), ...offer })).body.order
  const step = async (who: Agent, action: string, body: object) =>
    assert.equal(code(await who.post(`/orders/${id}/${action}`, { operation_id: randomUUID(), ...body })), '200')
  await step(bob, 'accept', { expected_version: 1, confirmed_total_minor: 110 })
  await step(bob, 'dispute', { expected_version: 2, reason: 'Silent' })
  await step(bob, 'escalate-dispute', { expected_version: 3, reason: 'Still' })
  const sue = await w.staff('sue')
  const verdict = { expected_version: 2, decision: 'resume', reason: 'It rings' }
  const decided = await remembered(sue, `/staff/disputes/${id}/decide`, verdict)
  assert.equal(decided.digest, digestOf(`POST /staff/disputes/${id}/decide`, verdict))
  assert.equal(decided.resource, decided.body.dispute_case.id)
})
