// Sending through two nodes at once: ids and nonces are one name space. docs/contract/messages.md#sending.
import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { beforehand, story } from '../../../test/story.ts'
import { type Agent, race, tally, type World } from '../../../test/world.ts'

const { w, ann, bob } = story({ friends: ['ann', 'bob'] })
const nodes = [w, beforehand(() => w.node())] as const

const post = (index: number, from: Agent, json: unknown) =>
  (nodes[index % 2] as World).request('POST', '/messages', { token: from.token, json })

test('identical messages over two nodes get one 201 and otherwise 200', async () => {
  for (let round = 0; round < 5; round++) {
    const envelope = ann.envelope(bob)
    assert.deepEqual(tally(await race(20, (index) => post(index, ann, envelope))), { 200: 19, 201: 1 })
  }
})

test('different envelopes with one ID over two nodes get one 201 and otherwise conflicts', async () => {
  const client_message_id = randomUUID()
  const answers = await race(20, (index) => post(index, ann, ann.envelope(bob, { client_message_id })))
  assert.deepEqual(tally(answers), { 201: 1, '409 idempotency_conflict': 19 })
})

test('one nonce over two nodes and both directions gets one 201 and otherwise refusals', async () => {
  const nonce = randomBytes(24).toString('base64')
  const answers = await race(20, (index) =>
    post(index >> 1, index % 2 ? ann : bob, index % 2 ? ann.envelope(bob, { nonce }) : bob.envelope(ann, { nonce })),
  )
  assert.deepEqual(tally(answers), { 201: 1, '409 nonce_reuse': 19 })
})

test('a hundred envelopes sent twice, in opposite order on each node, are each sent once and none fails', async () => {
  for (let round = 0; round < 3; round++) {
    const envelopes = Array.from({ length: 100 }, (_, i) => (i % 2 ? ann.envelope(bob) : bob.envelope(ann)))
    const answers = await race(200, (index) => {
      const at = index % 2 ? index >> 1 : 99 - (index >> 1)
      return post(index, at % 2 ? ann : bob, envelopes[at])
    })
    assert.deepEqual(tally(answers), { 200: 100, 201: 100 })
  }
})
