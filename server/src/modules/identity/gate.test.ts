// What an agent without a verified email, and one that the operator suspended, may still do: each method by name.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { story } from '../../../test/story.ts'
import { turnSuspended } from '../../../test/turning.ts'
import { type Agent, agentOf, befriend, code, type World } from '../../../test/world.ts'
import { days } from '../../kernel/clock.ts'

let gated: World
const { w } = story()

const at = (world: World, agent: Agent): Agent => agentOf(world, agent, { bot: agent.bot, token: agent.token })
const suspend = (agent: Agent, suspended = true) => turnSuspended(w, agent.id, suspended)

interface Scene {
  me: Agent
  friend: Agent
  asker: Agent
  stranger: Agent
  friendship: string
  asked: string
  received: string
  sent: string
}

/** An agent with a friend, a message each way, and a request that waits for its answer. */
async function scene(name: string): Promise<Scene> {
  const [me, friend] = await w.friends(`${name}_me`, `${name}_friend`)
  const asker = await w.agent(`${name}_asker`)
  const asked = await asker.post('/contacts/requests', { recipient_id: me.id })
  const received = await friend.send(me)
  const sent = await me.send(friend)
  const contacts = await me.get('/contacts')
  const friendship = contacts.body.contacts.find((contact: { status: string }) => contact.status === 'accepted').id
  return {
    me,
    friend,
    asker,
    stranger: await w.agent(`${name}_stranger`),
    friendship,
    asked: asked.body.contact.id,
    received: received.body.message.id,
    sent: sent.body.message.id,
  }
}

const noCode = { challenge_id: randomUUID(), code: '123456' }

/** Every method in the order in which one agent can try them all; the word is what the gate lets through. */
const attempts: [string, 'own' | 'reading' | 'new', (me: Agent, s: Scene) => ReturnType<Agent['get']>][] = [
  ['GET bots/me', 'own', (me) => me.get('/bots/me')],
  ['GET bots/me/onboarding', 'own', (me) => me.get('/bots/me/onboarding')],
  ['GET contacts', 'own', (me) => me.get('/contacts')],
  ['GET messages', 'own', (me) => me.get('/messages')],
  ['GET messages with a friend', 'own', (me, s) => me.get(`/messages?peer=${s.friend.id}`)],
  ['GET messages/{id}/status', 'own', (me, s) => me.get(`/messages/${s.sent}/status`)],
  ['GET bots', 'reading', (me) => me.get('/bots')],
  ['GET bots/{id}', 'reading', (me, s) => me.get(`/bots/${s.friend.id}`)],
  ['POST contacts/requests', 'new', (me, s) => me.post('/contacts/requests', { recipient_id: s.stranger.id })],
  ['POST contacts/{id}/accept', 'new', (me, s) => me.post(`/contacts/${s.asked}/accept`)],
  ['POST messages', 'new', (me, s) => me.send(s.friend)],
  ['PATCH bots/me with words', 'new', (me) => me.patch('/bots/me', { bio: 'new words' })],
  ['PATCH bots/me opening', 'new', (me) => me.patch('/bots/me', { profile_public: true })],
  ['PATCH bots/me closing and more', 'new', (me) => me.patch('/bots/me', { profile_public: false, bio: 'x' })],
  ['PATCH bots/me with nothing', 'new', (me) => me.patch('/bots/me', {})],
  ['PATCH bots/me closing', 'own', (me) => me.patch('/bots/me', { profile_public: false })],
  [
    'POST messages/{id}/processing',
    'own',
    (me, s) => me.post(`/messages/${s.received}/processing`, { status: 'queued' }),
  ],
  ['POST contacts/{id}/block', 'own', (me, s) => me.post(`/contacts/${s.friendship}/block`)],
  [
    'POST owner-email/request',
    'own',
    (me) => me.post('/bots/me/owner-email/request', { email: `${me.handle}@example.org` }),
  ],
  ['POST owner-email/verify', 'own', (me) => me.post('/bots/me/owner-email/verify', noCode)],
  ['POST tokens/rotate', 'own', (me) => me.post('/tokens/rotate')],
]

/** Rotating and linking pass the gate though this call of theirs is refused later. */
const passed = (answer: { status: number; body: { error?: { code: string } } }): boolean =>
  answer.status < 300 || answer.body.error?.code === 'invalid_email_verification'

async function tryAll(me: Agent, s: Scene, refusal: (kind: 'own' | 'reading' | 'new') => string | undefined) {
  for (const [name, kind, attempt] of attempts) {
    const answer = await attempt(me, s)
    const expected = refusal(kind)
    if (expected) assert.equal(code(answer), expected, name)
    else assert.ok(passed(answer), `${name}: ${code(answer)}`)
    if (name === 'POST tokens/rotate') me.token = answer.body.token
  }
  assert.equal(code(await me.post('/tokens/revoke')), '200')
}

test('after the grace period an agent without a verified email can read, but start nothing new', async () => {
  const s = await scene('rest')
  gated = await w.node({ OWNER_EMAIL_GATE: 'on' })
  w.travel(days(14) + 1000)
  await tryAll(at(gated, s.me), s, (kind) => (kind === 'new' ? '403 owner_email_required' : undefined))
})

test('a suspended agent can reach only its own data', async () => {
  const s = await scene('susp')
  assert.equal(await suspend(s.me), true)
  assert.equal(await suspend(s.me), false, 'once is enough')
  await tryAll(s.me, s, (kind) => (kind === 'own' ? undefined : '403 profile_inactive'))
})

test('an agent both suspended and restricted is treated as suspended', async () => {
  const s = await scene('both')
  w.travel(days(14) + 1000)
  await suspend(s.me)
  const me = at(gated, s.me)
  assert.equal(code(await me.patch('/bots/me', { bio: 'x' })), '403 profile_inactive')
  assert.equal(code(await me.get('/bots')), '403 profile_inactive')
})

test('malformed input is refused before the gate, so responses are predictable', async () => {
  const { me } = await scene('order')
  await suspend(me)
  assert.equal(code(await me.patch('/bots/me', { display_name: '' })), '400 invalid_input')
  assert.equal(code(await me.get('/bots?page=0')), '400 invalid_pagination')
  assert.equal(code(await me.post('/contacts/requests', {})), '400 invalid_input')
})

test('a suspended agent disappears for others, and reappears when restored', async () => {
  const [ann, bob] = await w.friends('ann', 'bob')
  const cem = await w.agent('cem')
  const seen = async () => [
    code(await cem.get(`/bots/${ann.id}`)),
    (await cem.get('/bots?q=ann')).body.pagination.total,
    (await cem.get('/bots?page_size=50')).body.bots.some(({ handle }: { handle: string }) => handle === 'ann'),
    code(await cem.post('/contacts/requests', { recipient_id: ann.id })),
  ]
  await suspend(ann)
  assert.deepEqual(await seen(), ['404 not_found', 0, false, '404 not_found'])
  assert.equal(code(await bob.get(`/bots/${ann.id}`)), '404 not_found', 'to a friend too')
  const onboarding = (await ann.get('/bots/me/onboarding')).body.onboarding
  assert.equal(onboarding.lifecycle.state, 'suspended')
  assert.match(onboarding.lifecycle.since, /Z$/)
  await suspend(ann, false)
  assert.deepEqual(await seen(), ['200', 1, true, '201'])
  assert.equal((await ann.get('/bots/me/onboarding')).body.onboarding.lifecycle.state, 'active')
})

test('a profile closed while suspended stays closed and uncounted', async () => {
  const dan = await w.agent('dan')
  const eve = await w.agent('eve')
  const total = async () => (await eve.get('/bots')).body.pagination.total
  const before = await total()
  await suspend(dan)
  assert.equal(await total(), before - 1)
  assert.equal(code(await dan.patch('/bots/me', { profile_public: false })), '200')
  assert.equal(await total(), before - 1)
  await suspend(dan, false)
  assert.equal(await total(), before - 1)
  assert.equal(code(await dan.patch('/bots/me', { profile_public: true })), '200')
  assert.equal(await total(), before)
})

test('suspending and closing simultaneously keeps the count right', async () => {
  const fay = await w.agent('fay')
  for (let n = 0; n < 6; n++) {
    await Promise.all([
      suspend(fay, n % 2 === 0),
      fay.patch('/bots/me', { profile_public: false }),
      fay.patch('/bots/me', { profile_public: false }),
    ])
    await suspend(fay, false)
    await Promise.all([fay.patch('/bots/me', { profile_public: true }), suspend(fay, true)])
    await suspend(fay, false)
    await fay.patch('/bots/me', { profile_public: true })
  }
  const [row] = await w.sql`
    select (select sum(value)::int from counters where name = 'open_agents') as counted,
      (select count(*)::int from agents where profile_public and suspended_at is null) as open`
  assert.equal(row?.['counted'], row?.['open'])
})

test('a restricted friend can still be blocked and still receives messages', async () => {
  const { me, friend } = await scene('peer')
  w.travel(days(14) + 1000)
  assert.equal((await friend.send(me)).status, 201)
  assert.equal(await befriend(await w.agent('gil'), friend).then((id) => typeof id), 'string')
})
