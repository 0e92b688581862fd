import assert from 'node:assert/strict'
import { test } from 'node:test'
import { story } from '../../../test/story.ts'
import { type Agent, type Answer, code } from '../../../test/world.ts'

const { w } = story()

// biome-ignore lint/suspicious/noExplicitAny: as in Answer
type Card = any

const detail = async (viewer: Agent, agent: Agent): Promise<Card> => (await viewer.get(`/bots/${agent.id}`)).body.bot
const listed = async (viewer: Agent, agent: Agent): Promise<Card> =>
  (await viewer.get(`/bots?q=${agent.handle}`)).body.bots.find((card: Card) => card.id === agent.id)

/** What both doors say of the relation; they say the same. */
async function relation(viewer: Agent, agent: Agent) {
  const [one, two] = [await detail(viewer, agent), await listed(viewer, agent)]
  const { stats, public_balance, ...rest } = one
  assert.deepEqual(rest, two, 'the card of the list is the card without stats and balance')
  return { status: one.friendship.status, contact_id: one.friendship.contact_id, actions: one.actions }
}

/** Sends the action object exactly as it stands. */
async function follow(agent: Agent, action: { method: string; url: string; json: unknown }): Promise<Answer> {
  assert.match(action.url, /^\/api\/v1\//)
  const response = await fetch(new URL(action.url, w.url), {
    method: action.method,
    headers: { authorization: `Bearer ${agent.token}`, 'content-type': 'application/json' },
    body: JSON.stringify(action.json),
  })
  return { status: response.status, body: await response.json(), headers: response.headers }
}

test("a card shows an agent's passport, links and public content", async () => {
  const ann = await w.agent('ann', { specialty: 'Poems', city: 'Bergen' })
  const bob = await w.agent('bob')
  const answer = await bob.get(`/bots/${ann.id}`)
  assert.deepEqual(Object.keys(answer.body).sort(), ['bot', 'pagination', 'posts'])
  assert.deepEqual(answer.body.pagination, { page: 1, page_size: 20, total: 0 })
  assert.deepEqual(answer.body.posts, [])
  const { links, actions, is_self, friendship, stats, public_balance, ...passport } = answer.body.bot
  assert.deepEqual(passport, ann.bot)
  assert.deepEqual(stats, {
    completed_projects_total_minor: 0,
    public_reviews_count: 0,
    as_contractor: { completed: 0, refunded: 0, disputes_lost: 0, partners: 0 },
    as_customer: { completed: 0, refunded: 0, unanswered: 0, partners: 0 },
    rating: { average: null, owners: 0 },
  })
  assert.equal(public_balance, null)
  assert.equal(is_self, false)
  assert.deepEqual(Object.keys(links).sort(), ['posts', 'reviews', 'self', 'site'])
  assert.equal(
    (await fetch(new URL(links.self, w.url), { headers: { authorization: `Bearer ${bob.token}` } })).status,
    200,
  )
})

test('strangers, a request, friends: each side sees its own half, and the listed actions work as written', async () => {
  const cleo = await w.agent('cleo')
  const dan = await w.agent('dan')
  const stranger = await relation(cleo, dan)
  assert.deepEqual([stranger.status, stranger.contact_id, stranger.actions.accept_friendship], ['none', null, null])
  const asked = await follow(cleo, stranger.actions.request_friendship)
  assert.equal(asked.status, 201)
  const contactId = asked.body.contact.id

  assert.deepEqual(await relation(cleo, dan), {
    status: 'outgoing',
    contact_id: contactId,
    actions: { request_friendship: null, accept_friendship: null },
  })
  const incoming = await relation(dan, cleo)
  assert.deepEqual(
    [incoming.status, incoming.contact_id, incoming.actions.request_friendship],
    ['incoming', contactId, null],
  )
  const accepted = await follow(dan, incoming.actions.accept_friendship)
  assert.deepEqual([accepted.status, accepted.body.contact.status], [200, 'accepted'])

  for (const [one, two] of [
    [cleo, dan],
    [dan, cleo],
  ] as const) {
    assert.deepEqual(await relation(one, two), {
      status: 'friends',
      contact_id: contactId,
      actions: { request_friendship: null, accept_friendship: null },
    })
  }
})

test('a block shows as blocked on both sides, from any earlier state', async () => {
  const eve = await w.agent('eve')
  const fay = await w.agent('fay')
  const gil = await w.agent('gil')
  const asked = await eve.post('/contacts/requests', { recipient_id: fay.id })
  await eve.post(`/contacts/${asked.body.contact.id}/block`)
  const friends = await gil.post('/contacts/requests', { recipient_id: eve.id })
  await eve.post(`/contacts/${friends.body.contact.id}/accept`)
  await gil.post(`/contacts/${friends.body.contact.id}/block`)
  for (const [one, two, contact] of [
    [eve, fay, asked],
    [fay, eve, asked],
    [eve, gil, friends],
    [gil, eve, friends],
  ] as const) {
    assert.deepEqual(await relation(one, two), {
      status: 'blocked',
      contact_id: contact.body.contact.id,
      actions: { request_friendship: null, accept_friendship: null },
    })
  }
})

test('your own card says that it is yours', async () => {
  const hal = await w.agent('hal')
  const card = await detail(hal, hal)
  assert.equal(card.is_self, true)
  assert.deepEqual(await relation(hal, hal), {
    status: 'none',
    contact_id: null,
    actions: { request_friendship: null, accept_friendship: null },
  })
})

test('a relation is only between the reader and the card’s agent', async () => {
  const [ida, jan] = await w.friends('ida', 'jan')
  const kim = await w.agent('kim')
  assert.equal((await relation(kim, ida)).status, 'none')
  assert.equal((await relation(kim, jan)).status, 'none')
})

test('a card of anything but an open agent is 404', async () => {
  const lea = await w.agent('lea')
  const closed = await w.agent('closed', { profile_public: false })
  for (const id of [closed.id, '01890000-0000-7000-8000-000000000000', 'x', `${lea.id}0`, '%00', 'me2']) {
    assert.equal(code(await lea.get(`/bots/${id}`)), '404 not_found', id)
  }
  assert.equal((await lea.get(`/bots/${lea.id.toUpperCase()}`)).status, 200)
  assert.equal(code(await w.request('GET', `/bots/${lea.id}`)), '401 unauthorized')
})
