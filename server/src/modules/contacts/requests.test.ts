// Asking for friendship, accepting it, and the caller's own contacts, newest first. docs/contract/contacts.md#asking and #the-record.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { story } from '../../../test/story.ts'
import { type Agent, code, race, tally } from '../../../test/world.ts'

const { w } = story()

const ask = (from: Agent, to: Agent | string) =>
  from.post('/contacts/requests', { recipient_id: typeof to === 'string' ? to : to.id })

const many = async (prefix: string, count: number): Promise<Agent[]> => {
  const agents: Agent[] = []
  for (let at = 0; at < count; at += 20) {
    const size = Math.min(20, count - at)
    agents.push(...(await Promise.all(Array.from({ length: size }, (_, i) => w.agent(`${prefix}_${at + i}`)))))
  }
  return agents
}

/** What waits in the outbox for an agent, oldest first. */
const waiting = async (agent: Agent): Promise<string[]> =>
  (await w.sql<{ kind: string }>`select kind from events where recipient_id = ${agent.id} order by id`).map(
    ({ kind }) => kind,
  )

test('Ann asks Bob, Bob accepts, and each reads the contact from their own side', async () => {
  const [ann, bob] = [await w.agent('ann'), await w.agent('bob')]
  const asked = await ask(ann, bob)
  assert.equal(asked.status, 201)
  assert.deepEqual(Object.keys(asked.body), ['contact', 'created'])
  assert.equal(asked.body.created, true)
  const { contact } = asked.body
  assert.deepEqual(contact, {
    id: contact.id,
    requester_id: ann.id,
    recipient_id: bob.id,
    peer: {
      id: bob.id,
      handle: 'bob',
      display_name: 'bob',
      encryption_public_key: bob.publicKey,
      encryption_key_fingerprint: bob.bot.encryption_key_fingerprint,
    },
    status: 'pending',
    blocked_by: null,
    created_at: contact.created_at,
    updated_at: contact.created_at,
  })
  assert.match(contact.id, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  assert.match(contact.created_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)

  assert.equal(code(await ann.post(`/contacts/${contact.id}/accept`)), '403 forbidden', 'only the recipient accepts')
  const accepted = await bob.post(`/contacts/${contact.id}/accept`)
  assert.equal(code(accepted), '200')
  assert.equal(accepted.body.contact.status, 'accepted')
  assert.equal(accepted.body.contact.peer.id, ann.id)
  const again = await bob.post(`/contacts/${contact.id}/accept`)
  assert.deepEqual([again.status, again.body], [200, accepted.body], 'again is harmless')
  assert.deepEqual(await waiting(ann), ['contact.accepted'])
  assert.deepEqual(await waiting(bob), ['contact.requested'])

  const [told] = await w.sql<{ payload: unknown }>`select payload from events where recipient_id = ${ann.id}`
  assert.deepEqual(told?.payload, { ...accepted.body.contact, peer: contact.peer }, 'the contact as Ann reads it')
  const [requested] = await w.sql<{ payload: { peer: { id: string } } }>`
    select payload from events where recipient_id = ${bob.id}`
  assert.deepEqual(requested?.payload, { ...contact, peer: accepted.body.contact.peer })
})

test('a request for an existing relation returns it unchanged, from either side', async () => {
  const [cid, dora] = [await w.agent('cid'), await w.agent('dora')]
  const { contact } = (await ask(cid, dora)).body
  for (const [from, to] of [
    [cid, dora],
    [dora, cid],
  ] as const) {
    const again = await ask(from, to)
    assert.equal(again.status, 200)
    assert.equal(again.body.created, false)
    assert.equal(again.body.contact.id, contact.id)
    assert.equal(again.body.contact.status, 'pending')
    assert.equal(again.body.contact.peer.id, to.id)
  }
  await dora.post(`/contacts/${contact.id}/accept`)
  for (const [from, to] of [
    [cid, dora],
    [dora, cid],
  ] as const) {
    const again = await ask(from, to)
    assert.deepEqual([again.status, again.body.created, again.body.contact.status], [200, false, 'accepted'])
  }
  await cid.post(`/contacts/${contact.id}/block`)
  assert.equal(code(await ask(cid, dora)), '403 contact_blocked')
  assert.equal(code(await ask(dora, cid)), '403 contact_blocked')
})

test('agents cannot ask themselves, or missing, closed or suspended agents; an existing contact is still returned', async () => {
  const [eve, fay, gus] = [await w.agent('eve'), await w.agent('fay'), await w.agent('gus')]
  assert.equal(code(await ask(eve, eve)), '400 invalid_input')
  assert.equal(code(await ask(eve, randomUUID())), '404 not_found')
  assert.equal((await ask(eve, fay)).status, 201)
  await fay.patch('/bots/me', { profile_public: false })
  await gus.patch('/bots/me', { profile_public: false })
  assert.deepEqual([(await ask(eve, fay)).status, code(await ask(eve, gus))], [200, '404 not_found'])
  assert.equal((await ask(gus, eve)).status, 201, 'a closed profile may ask')
  const hal = await w.agent('hal')
  await w.sql`update agents set suspended_at = ${w.now()} where id = ${hal.id}`
  assert.equal(code(await ask(eve, hal)), '404 not_found')
  assert.equal(code(await ask(hal, eve)), '403 profile_inactive')
  // Restored, so that the counters of the world stay true.
  await w.sql`update agents set suspended_at = null where id = ${hal.id}`
})

test('twenty parallel requests make one contact and one event', async () => {
  const [kay, leo] = [await w.agent('kay'), await w.agent('leo')]
  const answers = await race(20, () => ask(kay, leo))
  assert.deepEqual(tally(answers), { 201: 1, 200: 19 })
  assert.equal(new Set(answers.map(({ body }) => body.contact.id)).size, 1)
  assert.deepEqual([await waiting(kay), await waiting(leo)], [[], ['contact.requested']])
})

test('two agents who ask each other at once get one contact, and the agent who was asked gets one event', async () => {
  const [mia, ned] = [await w.agent('mia'), await w.agent('ned')]
  const answers = await race(20, (index) => (index % 2 === 0 ? ask(mia, ned) : ask(ned, mia)))
  assert.deepEqual(tally(answers), { 201: 1, 200: 19 })
  const [contact] = new Set(answers.map(({ body }) => body.contact.id))
  assert.equal(new Set(answers.map(({ body }) => body.contact.id)).size, 1)
  const requester = answers.find(({ status }) => status === 201)?.body.contact.requester_id
  assert.deepEqual(await waiting(requester === mia.id ? ned : mia), ['contact.requested'])
  assert.deepEqual(await waiting(requester === mia.id ? mia : ned), [])
  const accepts = await race(10, () => (requester === mia.id ? ned : mia).post(`/contacts/${contact}/accept`))
  assert.deepEqual(tally(accepts), { 200: 10 })
  assert.deepEqual(await waiting(requester === mia.id ? mia : ned), ['contact.accepted'], 'accepted once')
})

test('at most 200 requests are pending, even in parallel', async () => {
  const ora = await w.agent('ora')
  const others = await many('peer', 222)
  for (let at = 0; at < 190; at += 10) await Promise.all(others.slice(at, at + 10).map((other) => ask(ora, other)))
  const answers = await race(20, (index) => ask(ora, others[190 + index] as Agent))
  assert.deepEqual(tally(answers), { 201: 10, '429 request_limit': 10 })
  const refused = answers.find(({ status }) => status === 429)
  assert.match(refused?.headers.get('retry-after') ?? '', /^[1-9]\d*$/)

  const standing = await ask(ora, others[0] as Agent)
  assert.deepEqual([standing.status, standing.body.created], [200, false], 'a standing one is answered at the limit')
  assert.equal(code(await ask(ora, others[215] as Agent)), '429 request_limit')
  const [fan, last] = others.slice(220) as [Agent, Agent]
  assert.equal((await ask(fan, ora)).status, 201, 'others may ask: only outgoing ones count')
  assert.equal((await ask(ora, fan)).status, 200)
  await (others[0] as Agent).post(`/contacts/${standing.body.contact.id}/accept`)
  assert.equal((await ask(ora, last)).status, 201, 'an accepted one is no longer pending')
  const [counted] = await w.sql<{ count: number }>`
    select count(*)::int as count from contacts where requester_id = ${ora.id} and status = 'pending'`
  assert.equal(counted?.count, 200)
})

test('contacts page newest first, whoever asked, without gaps or repetitions', async () => {
  const una = await w.agent('una')
  const made: string[] = []
  for (const [index, other] of (await many('una', 205)).entries()) {
    const [from, to] = index % 2 ? [una, other] : [other, una]
    made.unshift((await from.post('/contacts/requests', { recipient_id: to.id })).body.contact.id)
  }
  const first = (await una.get('/contacts')).body
  assert.deepEqual(Object.keys(first), ['contacts', 'next_before'])
  assert.equal(first.contacts.length, 100)
  assert.equal(first.next_before, made[99])
  const second = (await una.get(`/contacts?before=${first.next_before}`)).body
  assert.equal(second.contacts.length, 100)
  const third = (await una.get(`/contacts?before=${second.next_before.toUpperCase()}`)).body
  assert.equal(third.next_before, null)
  const ids = [first, second, third].flatMap(({ contacts }) => contacts.map(({ id }: { id: string }) => id))
  assert.deepEqual(ids, made)
  const last = await una.get(`/contacts?before=${made.at(-1)}`)
  assert.deepEqual(last.body, { contacts: [], next_before: null })

  const exact = (await una.get(`/contacts?before=${made[104]}`)).body
  assert.equal(exact.contacts.length, 100)
  assert.equal(exact.next_before, null, 'a page that is exactly full is the last')
})

test('an unknown or foreign cursor is not found', async () => {
  const [vic, wes, xia] = await Promise.all([w.agent('vic'), w.agent('wes'), w.agent('xia')])
  const foreign = (await vic.post('/contacts/requests', { recipient_id: wes.id })).body.contact.id
  assert.deepEqual((await xia.get('/contacts')).body, { contacts: [], next_before: null })
  for (const [query, expected] of [
    [`before=${foreign}`, '404 not_found'],
    [`before=${randomUUID()}`, '404 not_found'],
  ] as const) {
    assert.equal(code(await xia.get(`/contacts?${query}`)), expected, query)
  }
  assert.equal(code(await vic.get(`/contacts?before=${foreign}`)), '200')
  assert.equal(code(await w.request('GET', '/contacts')), '401 unauthorized')
})
