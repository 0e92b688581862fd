// Sending: the envelope, every refusal in its order, replays, and parallel twins on two nodes. docs/contract/messages.md#sending.
import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { beforehand, story } from '../../../test/story.ts'
import { type Agent, befriend, code, keyPair, race, tally, type World } from '../../../test/world.ts'

const { w, ann, bob } = story({ friends: ['ann', 'bob'] })
const there = beforehand(() => w.node())
const nodes = [w, there] as const

/** Sends by one node and the other in turn. */
const post = (index: number, from: Agent, json: unknown) =>
  (nodes[index % 2] as World).request('POST', '/messages', { token: from.token, json })

const base64 = (bytes: number): string => randomBytes(bytes).toString('base64')

const created = async (to: Agent): Promise<number> =>
  (await w.sql`select 1 from events where recipient_id = ${to.id} and kind = 'message.created'`).length

test('Ann sends Bob an envelope; the envelope with ID, sender and time is stored and delivered', async () => {
  const envelope = ann.envelope(bob)
  const sent = await ann.post('/messages', envelope)
  assert.equal(code(sent), '201')
  const { id, created_at, ...rest } = sent.body.message
  assert.deepEqual(sent.body, { message: sent.body.message, created: true })
  assert.deepEqual(rest, { sender_id: ann.id, ...envelope })
  assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-7/)
  assert.match(created_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)

  const replay = await ann.post('/messages', envelope)
  assert.deepEqual([replay.status, replay.body], [200, { message: sent.body.message, created: false }])
  const upper = {
    ...envelope,
    recipient_id: bob.id.toUpperCase(),
    client_message_id: String(envelope['client_message_id']).toUpperCase(),
  }
  const other = await ann.post('/messages', upper)
  assert.deepEqual([other.status, other.body], [200, replay.body], 'ids are canonicalised')

  const socket = await bob.events()
  const event = await socket.next('message.created')
  assert.deepEqual(event.payload, sent.body.message)
  await socket.acked(event)
  await socket.close()
  assert.deepEqual((await bob.get(`/messages?peer=${ann.id}`)).body.messages[0], sent.body.message)
})

test('the smallest and the largest envelope are accepted', async () => {
  for (const bytes of [16, 16384]) assert.equal(code(await ann.send(bob, { ciphertext: base64(bytes) })), '201')
})

test('plain text is never accepted', async () => {
  const plain = { recipient_id: bob.id, client_message_id: randomUUID() }
  for (const body of [
    {},
    plain,
    { ...plain, text: 'hello' },
    { ...plain, whatever: 'hello' },
    ann.envelope(bob, { text: 'hello' }),
    ann.envelope(bob, { plaintext: 'hello' }),
    ann.envelope(bob, { body: 'hello', nonce: undefined }),
  ]) {
    assert.equal(code(await ann.post('/messages', body)), '400 encrypted_envelope_required', JSON.stringify(body))
  }
})

test('messages to yourself, to unknown agents, strangers, pending and blocked contacts are refused', async () => {
  const [cid, dora, eve, fay] = await Promise.all([
    w.agent('cid'),
    w.agent('dora'),
    w.agent('eve'),
    w.agent('fay', { profile_public: false }),
  ])
  assert.equal(code(await cid.send(cid)), '400 invalid_input')
  assert.equal(code(await cid.send(dora, { recipient_id: randomUUID() })), '404 not_found')
  assert.equal(code(await cid.send(dora)), '403 contact_not_accepted')
  assert.equal(code(await cid.send(fay)), '403 contact_not_accepted')
  const { contact } = (await cid.post('/contacts/requests', { recipient_id: dora.id })).body
  assert.equal(code(await cid.send(dora)), '403 contact_not_accepted')
  assert.equal(code(await dora.send(cid)), '403 contact_not_accepted')
  await dora.post(`/contacts/${contact.id}/accept`)
  assert.equal(code(await cid.send(dora)), '201')
  const envelope = dora.envelope(cid)
  const kept = await dora.post('/messages', envelope)
  await dora.post(`/contacts/${contact.id}/block`)
  assert.equal(code(await cid.send(dora)), '403 contact_not_accepted')
  assert.equal(code(await dora.send(cid)), '403 contact_not_accepted')
  const replay = await dora.post('/messages', envelope)
  assert.deepEqual([replay.status, replay.body.message], [200, kept.body.message], 'a lost answer can be had again')
  const wrongKeys = { sender_public_key: eve.publicKey, recipient_public_key: eve.publicKey }
  assert.equal(code(await cid.send(eve, wrongKeys)), '403 contact_not_accepted', 'the contact comes before the keys')
})

test('a key other than the registered one stops the message: the sender’s is checked first, then the peer’s', async () => {
  const strange = keyPair().publicKey
  assert.equal(code(await ann.send(bob, { sender_public_key: strange })), '409 key_changed')
  assert.equal(code(await ann.send(bob, { recipient_public_key: strange })), '409 peer_key_changed')
  assert.equal(
    code(await ann.send(bob, { sender_public_key: strange, recipient_public_key: strange })),
    '409 key_changed',
  )
  const used = ann.envelope(bob)
  await ann.post('/messages', used)
  const both = { nonce: used['nonce'], recipient_public_key: strange }
  assert.equal(code(await ann.send(bob, both)), '409 peer_key_changed', 'keys come before the nonce')
})

test('a nonce works once between two agents, in either direction, and again elsewhere', async () => {
  const nonce = base64(24)
  assert.equal(code(await ann.send(bob, { nonce })), '201')
  assert.equal(code(await ann.send(bob, { nonce })), '409 nonce_reuse')
  assert.equal(code(await bob.send(ann, { nonce })), '409 nonce_reuse')
  const gus = await w.agent('gus')
  await befriend(ann, gus)
  assert.equal(code(await ann.send(gus, { nonce })), '201')
})

test('a client_message_id names one envelope per sender', async () => {
  const envelope = ann.envelope(bob)
  const { client_message_id } = envelope
  assert.equal(code(await ann.post('/messages', envelope)), '201')
  for (const fields of [
    { ciphertext: base64(64) },
    { nonce: base64(24) },
    { recipient_id: randomUUID() },
    { recipient_id: ann.id },
    { sender_public_key: keyPair().publicKey },
    { recipient_public_key: keyPair().publicKey },
  ]) {
    const answer = await ann.post('/messages', { ...envelope, ...fields })
    assert.equal(code(answer), '409 idempotency_conflict', String(Object.keys(fields)))
  }
  assert.equal(code(await bob.send(ann, { client_message_id })), '201', 'a name space of each sender')
  assert.equal(code(await ann.post('/messages', envelope)), '200')
  const fresh = randomUUID()
  assert.equal(code(await ann.send(bob, { client_message_id: fresh, nonce: envelope['nonce'] })), '409 nonce_reuse')
  assert.equal(code(await ann.send(bob, { client_message_id: fresh })), '201', 'a refused request uses up nothing')
})

test('of twenty identical messages at once one is sent, and the others get it', async () => {
  for (let round = 0; round < 5; round++) {
    const before = await created(bob)
    const envelope = ann.envelope(bob)
    const answers = await race(20, (index) => post(index, ann, envelope))
    assert.deepEqual(tally(answers), { 200: 19, 201: 1 })
    assert.equal(new Set(answers.map(({ body }) => JSON.stringify(body.message))).size, 1)
    assert.equal(await created(bob), before + 1)
  }
})

test('of twenty different envelopes with one ID at once one is sent, and the others conflict', async () => {
  const before = await created(bob)
  const client_message_id = randomUUID()
  const answers = await race(20, (index) => post(index, ann, ann.envelope(bob, { client_message_id })))
  assert.deepEqual(tally(answers), { 201: 1, '409 idempotency_conflict': 19 })
  assert.equal(await created(bob), before + 1)
})

test('of twenty envelopes with one nonce at once, in both directions, one is sent', async () => {
  const before = (await created(bob)) + (await created(ann))
  const nonce = base64(24)
  const answers = await race(20, (index) =>
    post(index >> 1, index % 2 ? ann : bob, index % 2 ? ann.envelope(bob, { nonce }) : bob.envelope(ann, { nonce })),
  )
  assert.deepEqual(tally(answers), { 201: 1, '409 nonce_reuse': 19 })
  assert.equal((await created(bob)) + (await created(ann)), before + 1)
})

test('a hundred parallel messages all arrive, once each', async () => {
  const [ida, jan] = await w.friends('ida', 'jan')
  const answers = await race(100, (index) => (index % 2 ? ida.send(jan) : jan.send(ida)))
  assert.deepEqual(tally(answers), { 201: 100 })
  const { messages, next_before } = (await ida.get('/messages')).body
  assert.deepEqual([messages.length, next_before], [100, null])
  const stored = Object.fromEntries(messages.map((message: { id: string }) => [message.id, message]))
  for (const { body } of answers) assert.deepEqual(stored[body.message.id], body.message)
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

test('suspended senders send nothing, but can repeat an earlier message', async () => {
  const [kay, leo] = await w.friends('kay', 'leo')
  const envelope = kay.envelope(leo)
  assert.equal(code(await kay.post('/messages', envelope)), '201')
  await w.sql`update agents set suspended_at = ${w.now()} where id = ${kay.id}`
  assert.equal(code(await kay.send(leo)), '403 profile_inactive')
  assert.equal(code(await kay.send(leo, { recipient_id: randomUUID() })), '403 profile_inactive', 'before 404')
  assert.equal(code(await kay.send(leo, { nonce: envelope['nonce'] })), '403 profile_inactive')
  assert.equal(code(await kay.post('/messages', envelope)), '200')
  assert.equal(
    code(await kay.post('/messages', { ...envelope, nonce: base64(24) })),
    '409 idempotency_conflict',
    'the id is judged before the gate',
  )
  assert.equal(code(await kay.send(leo, { nonce: 'x' })), '400 invalid_input', 'the form is judged before the gate')
  assert.equal(code(await kay.get('/messages')), '200')
  await w.sql`update agents set suspended_at = null where id = ${kay.id}`
  assert.equal(code(await kay.send(leo)), '201')
})

test('a token is 401 from the moment it ends, even if it sent before', async () => {
  const at = { here: w, there }
  const endings: Record<string, (agent: Agent) => Promise<unknown>> = {
    rotated: (agent) => agent.post('/tokens/rotate'),
    revoked: (agent) => agent.post('/tokens/revoke'),
    expired: (agent) => w.sql`update tokens set expires_at = ${w.now()} where agent_id = ${agent.id}`,
  }
  for (const [ending, end] of Object.entries(endings)) {
    const [mia, ned] = await w.friends(`mia_${ending}`, `ned_${ending}`)
    const send = (node: World, options: object) => node.request('POST', '/messages', { token: mia.token, ...options })
    const sent = mia.envelope(ned)
    // Both nodes know whose token this is.
    assert.equal(code(await send(at.here, { json: sent })), '201')
    assert.equal(code(await send(at.there, { json: sent })), '200')
    await end(mia)
    for (const [where, node] of Object.entries(at)) {
      for (const [what, options] of Object.entries({
        'a new envelope': { json: mia.envelope(ned) },
        'a replay': { json: sent },
        'a malformed body': { raw: '{' },
        'no body': {},
        'plain text': { json: { text: 'hello' } },
        'another type': { raw: 'x', headers: { 'content-type': 'text/plain' } },
        'a body too large': { json: mia.envelope(ned, { ciphertext: 'A'.repeat(70_000) }) },
      })) {
        const answer = await send(node, options)
        assert.equal(code(answer), '401 unauthorized', `${ending}, ${what}, ${where}`)
        assert.equal(answer.headers.get('www-authenticate'), 'Bearer')
      }
      const query = await node.request('POST', '/messages?x=1', { token: mia.token, json: mia.envelope(ned) })
      assert.equal(code(query), '401 unauthorized')
    }
  }
  assert.equal(code(await w.request('POST', '/messages', { json: ann.envelope(bob) })), '401 unauthorized')
  assert.equal(
    code(await w.request('POST', '/messages', { token: `kith_${'A'.repeat(43)}`, json: ann.envelope(bob) })),
    '401 unauthorized',
  )
})
