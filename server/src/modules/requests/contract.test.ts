// Service requests from outside: their record, their life with the order that an offer makes, and who sees them.
// docs/contract/requests.md.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import {
  changing,
  edited,
  end,
  ended,
  fixed,
  form,
  from,
  offerBody,
  propose,
  proposed,
  published,
  requestBody,
  requested,
  requestSeen,
  serviceIn,
  told,
  wait,
  wish,
} from '../../../test/catalog-stories.ts'
import { givenFile } from '../../../test/files.ts'
import { offer as directOffer, inTime, money, reread, type Shown, step } from '../../../test/orders.ts'
import { type Agent, type Answer, befriend, code, eventually, race, type World, world } from '../../../test/world.ts'
import { days, seconds } from '../../kernel/clock.ts'
import { setSuspended } from '../profiles/profiles.ts'

let w: World
let ada: Agent
let bob: Agent
let eve: Agent
before(async () => {
  w = await world()
  ;[ada, bob] = await w.friends('ada', 'bob')
  eve = await w.agent('eve')
})
after(() => w.close())

const bad = '400 invalid_input'
const gone = '404 not_found'
const wrong = '409 invalid_state'
const tally = (answers: readonly Answer[]): Record<string, number> => {
  const counts: Record<string, number> = {}
  for (const answer of answers) counts[code(answer)] = (counts[code(answer)] ?? 0) + 1
  return counts
}
const orderFile = (who: Agent, status: 'ready' | 'rejected' = 'ready') =>
  givenFile(w, who, { purpose: 'order', file_format: 'mp3', status })
const cardOf = async (who: Agent, id: string): Promise<Shown> => (await who.get(`/attachments/${id}`)).body.attachment
const special = (fields = {}) => published(ada, { price: from(1000), ...fields })

test('a request is open, costs nothing and keeps what was asked for', async () => {
  const service = await special({ input_schema: form({ key: 'size' }, { key: 'fast', type: 'boolean' }) })
  const file = await orderFile(bob)
  const before = await money(bob)
  const request = await requested(bob, service, {
    title: ' A special logo ',
    description: 'a\r\nb',
    quantity: 3,
    parameters: { size: 'L', fast: false },
    input_attachment_ids: [file.toUpperCase()],
  })
  const { id, snapshot, input_attachments, created_at, updated_at, expires_at, ...rest } = request
  assert.equal(Date.parse(expires_at) - Date.parse(created_at), days(7))
  assert.equal(updated_at, created_at)
  assert.deepEqual(rest, {
    service_id: service.id,
    service_version: service.version,
    customer_id: bob.id,
    provider_id: ada.id,
    title: 'A special logo',
    description: 'a\nb',
    quantity: 3,
    parameters: { size: 'L', fast: false },
    input_attachment_ids: [file],
    status: 'open',
    version: 1,
    order_id: null,
    order_state: null,
    closed_at: null,
  })
  assert.ok(JSON.stringify(snapshot).includes(service.title))
  assert.deepEqual(
    input_attachments.map((card: Shown) => [card.id, card.available, card.purged_at]),
    [[file, true, null]],
  )
  assert.deepEqual(await money(bob), before)
  const { kind, role, ...bound } = (await cardOf(bob, file)).binding
  assert.deepEqual([kind, bound], ['service_request', { id, active: true }])
  assert.deepEqual(
    [code(await ada.get(`/attachments/${file}`)), code(await eve.get(`/attachments/${file}`))],
    ['200', gone],
  )
  const theirs = await requestSeen(ada, request)
  assert.deepEqual({ ...theirs, input_attachments: 0 }, { ...(await requestSeen(bob, request)), input_attachments: 0 })
  const now = await edited(ada, service, { title: 'Otherwise', price: from(9000), input_schema: null })
  assert.deepEqual((await requestSeen(bob, request)).snapshot, snapshot, now.title)
})

test('what a request needs, at every bound', async () => {
  const service = await special()
  const asker = await w.agent('asker')
  await befriend(asker, ada)
  for (const [fields, expected] of [
    [{ title: 'x'.repeat(160) }, '201'],
    [{ title: 'x'.repeat(161) }, bad],
    [{ title: ' ' }, bad],
    [{ title: undefined }, bad],
    [{ title: 'a\nb' }, bad],
    [{ description: 'x'.repeat(8000) }, '201'],
    [{ description: 'x'.repeat(8001) }, bad],
    [{ description: '' }, bad],
    [{ description: undefined }, bad],
    [{ quantity: undefined }, '201'],
    [{ quantity: 1000 }, '201'],
    [{ quantity: 1001 }, bad],
    [{ quantity: 0 }, bad],
    [{ quantity: 1.5 }, bad],
    [{ quantity: true }, bad],
    [{ quantity: null }, bad],
    [{ parameters: { a: 1 } }, bad],
    [{ parameters: null }, bad],
    [{ parameters: [] }, bad],
    [{ input_attachment_ids: ['x'] }, bad],
    [{ input_attachment_ids: null }, bad],
    [{ input_attachment_ids: [randomUUID()] }, '404 invalid_attachment'],
    [{ operation_id: undefined }, bad],
    [{ expected_service_version: undefined }, bad],
    [{ expected_service_version: '2' }, bad],
    [{ expected_version: 2 }, bad],
    [{ amount_minor: 1 }, bad],
    [{ deadline: inTime(w, days(1)) }, bad],
    [{ service_id: 'x' }, bad],
    [{ service_id: undefined }, bad],
    [{ service_id: randomUUID() }, gone],
    [{ expected_service_version: 1 }, '409 version_conflict'],
    [{ expected_service_version: 99 }, '409 version_conflict'],
    [{ constructor: 1 }, bad],
  ] as const) {
    assert.equal(code(await wish(asker, service, fields)), expected, JSON.stringify(fields).slice(0, 80))
  }
  assert.equal(code(await wish(bob, await published(ada, { price: fixed(1) }))), '409 price_mode_mismatch')
  assert.equal(code(await wish(bob, await serviceIn('paused', ada, { price: from(1) }))), '409 service_unavailable')
  for (const state of ['draft', 'archived'] as const) {
    assert.equal(code(await wish(bob, await serviceIn(state, ada, { price: from(1) }))), gone, state)
  }
  assert.match(code(await wish(ada, service)), /^(400 invalid_input|403 forbidden)$/, 'of oneself')
  assert.equal(code(await wish(eve, service)), '403 friendship_required')
  const stale = { ...service, version: 1 }
  assert.equal(code(await wish(eve, stale)), '403 friendship_required', 'the side comes before the version')
  const paused = await told(ada, service, 'pause')
  assert.equal(code(await wish(bob, service)), '409 version_conflict', 'the version comes before the state')
  assert.equal(code(await wish(bob, paused)), '409 service_unavailable')
  const needy = await special({ input_schema: form({ key: 'size', required: true }) })
  assert.equal(code(await wish(bob, needy)), bad)
  assert.equal(code(await wish(bob, needy, { parameters: { size: '' } })), bad)
  assert.equal(code(await wish(bob, needy, { parameters: { size: '0' } })), '201')
})

test('files of a request: bound at once, and to nothing else', async () => {
  const service = await special({
    input_schema: form({ key: 'track', type: 'attachment', media_types: ['audio/mpeg'] }),
  })
  const file = await orderFile(bob)
  const request = await requested(bob, service, { parameters: { track: file }, input_attachment_ids: [file] })
  const bound = '409 attachment_already_bound'
  assert.equal(code(await wish(bob, service, { input_attachment_ids: [file] })), bound)
  assert.equal(
    code(
      await bob.post('/orders/quick', {
        operation_id: randomUUID(),
        title: 'x',
        amount_minor: 10,
        contractor_id: ada.id,
        confirmed_total_minor: 11,
        input_attachment_ids: [file],
      }),
    ),
    bound,
  )
  const discard = () => w.request('DELETE', `/attachments/${file}`, { token: bob.token })
  assert.equal(code(await discard()), '409 attachment_bound')
  const other = await orderFile(bob)
  await directOffer(w, bob, ada, { input_attachment_ids: [other] })
  assert.equal(code(await wish(bob, service, { input_attachment_ids: [other] })), bound)
  assert.equal(code(await wish(bob, service, { parameters: { track: file } })), bad, 'not listed')
  assert.equal(
    code(await wish(bob, service, { input_attachment_ids: [await orderFile(ada)] })),
    '404 invalid_attachment',
  )
  assert.equal(
    code(await wish(bob, service, { input_attachment_ids: [await orderFile(bob, 'rejected')] })),
    '404 invalid_attachment',
  )
  const fine = await orderFile(bob)
  assert.equal(code(await wish(bob, service, { input_attachment_ids: [fine, randomUUID()] })), '404 invalid_attachment')
  assert.equal((await cardOf(bob, fine)).binding, null, 'a refusal binds nothing')
  const made = await proposed(w, ada, request)
  assert.deepEqual(
    made.order.input_attachments.map(({ id }: Shown) => id),
    [file],
  )
  assert.deepEqual(
    made.request.input_attachments.map(({ id }: Shown) => id),
    [file],
  )
  assert.equal(code(await ada.get(`/attachments/${file}`)), '200')
  assert.equal(code(await discard()), '409 attachment_bound')
})

test('an offer makes an order that the customer may accept, at its own price for all of it', async () => {
  const service = await special({ input_schema: form({ key: 'size' }) })
  const request = await requested(bob, service, { quantity: 3, parameters: { size: 'M' } })
  await edited(ada, service, { price: from(5000), title: 'Dearer now' })
  const deadline = inTime(w, days(20))
  for (const [fields, expected] of [
    [{ amount_minor: 2999 }, '400 below_service_minimum'],
    [{ amount_minor: 1 }, '400 below_service_minimum'],
    [{ amount_minor: 0 }, bad],
    [{ amount_minor: 909_090_909_092 }, bad],
    [{ amount_minor: '3000' }, bad],
    [{ amount_minor: undefined }, bad],
    [{ amount_minor: null }, bad],
    [{ amount_minor: 3000.5 }, bad],
    [{ deadline: undefined }, bad],
    [{ deadline: inTime(w, -1000) }, bad],
    [{ deadline: '2050-01-01T00:00:00' }, bad],
    [{ deadline: 'tomorrow' }, bad],
    [{ confirmed_total_minor: 3300 }, bad],
    [{ title: 'x' }, bad],
    [{ operation_id: undefined }, bad],
    [{ expected_version: undefined }, bad],
    [{ expected_version: 2 }, '409 version_conflict'],
  ] as const) {
    const answer = await propose(w, ada, request, { amount_minor: 3000, ...fields })
    assert.equal(code(answer), expected, JSON.stringify(fields))
  }
  assert.equal((await requestSeen(bob, request)).version, 1)
  const before = await money(bob)
  const body = offerBody(w, request, { amount_minor: 3000, deadline })
  const answer = await ada.post(`/service-requests/${request.id}/offer`, body)
  assert.match(code(answer), /^20[01]$/)
  const { request: offered, order } = answer.body
  assert.deepEqual(
    [offered.status, offered.version, offered.order_id, offered.order_state],
    ['offered', 2, order.id, 'offered'],
  )
  assert.deepEqual(
    {
      state: order.state,
      sides: [order.customer_id, order.contractor_id, order.offer_author_id],
      price: [order.amount_minor, order.fee_minor, order.total_minor],
      sources: [order.source_service_quote_id, order.source_service_request_id],
      texts: [order.title, order.description],
      deadline: order.deadline,
      workflow: order.workflow,
    },
    {
      state: 'offered',
      sides: [bob.id, ada.id, ada.id],
      price: [3000, 300, 3300],
      sources: [null, request.id],
      texts: [request.title, request.description],
      deadline,
      workflow: null,
    },
  )
  const { service: sold, ...rest } = order.service_snapshot
  assert.deepEqual(rest, { quantity: 3, parameters: { size: 'M' }, input_attachment_ids: [] })
  assert.deepEqual([sold.title, sold.price.amount_minor], [service.title, 1000])
  assert.deepEqual(await money(bob), before, 'no reserve')
  const again = await ada.post(`/service-requests/${request.id}/offer`, body)
  assert.equal(code(again), '200')
  assert.deepEqual([again.body.order.id, again.body.request.version], [order.id, 2])
  assert.equal(
    code(await ada.post(`/service-requests/${request.id}/offer`, { ...body, amount_minor: 3001 })),
    '409 idempotency_conflict',
  )
  assert.equal(code(await propose(w, ada, offered, { amount_minor: 3000 })), wrong, 'a second offer')
  assert.equal(code(await end(ada, offered, 'reject')), wrong)
  await step(bob, order, 'accept')
  assert.deepEqual(await money(bob), [before[0] - 3300, before[1] + 3300])
  const funded = await requestSeen(bob, request)
  assert.deepEqual([funded.status, funded.order_state], ['offered', 'funded'])
  assert.equal(code(await end(bob, funded, 'cancel')), wrong, 'once there is a reserve')
  assert.equal(code(await ada.post(`/service-requests/${request.id}/offer`, body)), '200')
  const dear = await requested(bob, await special())
  assert.equal((await proposed(w, ada, dear, { amount_minor: 909_090_909_091 })).order.total_minor, 10 ** 12)
})

test('who may do what, in which state; nothing is told to anybody else', async () => {
  const service = await special()
  const states: Record<string, () => Promise<Shown>> = {
    open: () => requested(bob, service),
    offered: async () => (await proposed(w, ada, await requested(bob, service))).request,
    rejected: async () => ended(ada, await requested(bob, service), 'reject'),
    cancelled: async () => ended(bob, await requested(bob, service), 'cancel'),
  }
  const acts = {
    offer: (who: Agent, request: Shown) => propose(w, who, request),
    reject: (who: Agent, request: Shown) => end(who, request, 'reject'),
    cancel: (who: Agent, request: Shown) => end(who, request, 'cancel'),
  }
  const allowed = new Set(['open offer', 'open reject', 'open cancel', 'offered cancel'])
  for (const [state, given] of Object.entries(states)) {
    for (const [action, act] of Object.entries(acts)) {
      const request = await given()
      const [side, other] = action === 'cancel' ? [bob, ada] : [ada, bob]
      assert.equal(code(await act(eve, request)), gone)
      assert.equal(code(await act(other, request)), '403 forbidden', `${action} by the other side`)
      assert.equal(code(await act(other, { ...request, version: 77 })), '403 forbidden')
      assert.equal(code(await act(side, { ...request, version: 77 })), '409 version_conflict')
      const answer = await act(side, request)
      if (allowed.has(`${state} ${action}`)) {
        assert.ok(answer.status < 300, `${action} of ${state}`)
        assert.equal(answer.body.request.version, request.version + 1)
      } else {
        assert.equal(code(answer), wrong, `${action} of ${state}`)
        assert.equal((await requestSeen(bob, request)).version, request.version)
      }
    }
    const request = await given()
    assert.equal(code(await eve.get(`/service-requests/${request.id}`)), gone)
    assert.equal(code(await w.request('GET', `/service-requests/${request.id}`)), '401 unauthorized')
    assert.equal(code(await bob.get(`/service-requests/${request.id.toUpperCase()}`)), '200')
  }
  const rejected = await states['rejected']?.()
  assert.ok(Date.parse(rejected.closed_at) >= Date.parse(rejected.created_at))
  assert.equal(rejected.order_id, null)
  for (const action of ['offer', 'reject', 'cancel']) {
    assert.equal(code(await bob.post(`/service-requests/${randomUUID()}/${action}`, {})).slice(0, 3), '400')
    assert.equal(code(await bob.post(`/service-requests/x/${action}`, {})), gone)
    assert.equal(code(await w.request('POST', `/service-requests/x/${action}`)), '401 unauthorized')
  }
  const open = await requested(bob, service)
  assert.equal(code(await bob.post(`/service-requests/${open.id}/cancel`, { ...changing(open), reason: 'x' })), bad)
})

test('a cancelled request rejects the offered order with it; an order that ended cannot be cancelled over', async () => {
  const service = await special()
  const { request, order } = await proposed(w, ada, await requested(bob, service))
  const cancelled = await ended(bob, request, 'cancel')
  assert.deepEqual([cancelled.status, cancelled.order_state, cancelled.order_id], ['cancelled', 'rejected', order.id])
  assert.ok(cancelled.closed_at)
  const now = await reread(bob, order)
  assert.deepEqual([now.state, now.version], ['rejected', 2])
  assert.equal(
    code(await bob.post(`/orders/${order.id}/accept`, changing(now, { confirmed_total_minor: 1100 }))),
    wrong,
  )
  for (const [who, action] of [
    [ada, 'cancel'],
    [bob, 'reject'],
  ] as const) {
    const made = await proposed(w, ada, await requested(bob, service))
    await step(who, made.order, action)
    const seen = await requestSeen(bob, made.request)
    assert.equal(seen.order_state, action === 'cancel' ? 'cancelled' : 'rejected')
    assert.equal(code(await end(bob, seen, 'cancel')), wrong, action)
    assert.equal(code(await propose(w, ada, seen)), wrong)
  }
  const made = await proposed(w, ada, await requested(bob, service))
  assert.equal(
    code(await ada.post(`/orders/${made.order.id}/reprice`, changing(made.order, { amount_minor: 2000 }))),
    wrong,
  )
})

test('seven days without an offer: expired for who reads it, and for who acts, before anything was written', async () => {
  const service = await special()
  const [one, two] = [await requested(bob, service), await requested(bob, service)]
  const offered = await proposed(w, ada, await requested(bob, service))
  const file = await orderFile(bob)
  const held = await requested(bob, service, { input_attachment_ids: [file] })
  w.travel(days(7) - seconds(60))
  assert.equal((await requestSeen(bob, one)).status, 'open')
  w.travel(seconds(60))
  for (const who of [ada, bob]) {
    assert.equal((await requestSeen(who, one)).status, 'expired')
    const { items } = (await who.get('/service-requests?page_size=50')).body
    assert.equal(items.find(({ id }: Shown) => id === one.id)?.status, 'expired')
    assert.equal(items.find(({ id }: Shown) => id === offered.request.id)?.status, 'offered')
  }
  for (const answer of [
    await propose(w, ada, await requestSeen(ada, one)),
    await end(ada, await requestSeen(ada, one), 'reject'),
    await end(bob, await requestSeen(bob, two), 'cancel'),
  ]) {
    assert.match(code(answer), /^409 (invalid_state|version_conflict)$/)
  }
  await w.node()
  const closed = await eventually(async () => {
    const seen = await requestSeen(bob, held)
    return seen.closed_at !== null && seen
  }, 'the expiry to be written')
  assert.equal(closed.status, 'expired')
  assert.equal(code(await propose(w, ada, closed)), wrong)
  assert.equal(code(await end(bob, closed, 'cancel')), wrong)
  assert.equal(code(await ada.get(`/attachments/${file}`)), '200', 'its files are kept')
  await wait(w, days(29), ada, bob, eve)
  assert.equal((await requestSeen(bob, held)).input_attachments[0].available, true)
  await wait(w, days(2), ada, bob, eve)
  await w.node()
  const purged = await eventually(async () => {
    const [card] = (await requestSeen(ada, held)).input_attachments
    return card.status === 'purged' && card
  }, 'its files to go')
  assert.deepEqual([purged.available, typeof purged.purged_at, purged.download_url], [false, 'string', null])
})

test('the list: one’s own on either side, newest first', async () => {
  const [jo, kim] = await w.friends('joe', 'kim')
  const [theirs, own] = [await published(jo, { price: from(10) }), await published(kim, { price: from(10) })]
  const made: string[] = []
  for (let n = 0; n < 5; n++) {
    made.unshift((await requested(kim, theirs, { title: `Number ${n}` })).id)
    made.unshift((await requested(jo, own)).id)
  }
  for (const who of [jo, kim]) {
    const { items, pagination } = (await who.get('/service-requests')).body
    assert.deepEqual([items.map(({ id }: Shown) => id), pagination], [made, { page: 1, page_size: 20, total: 10 }])
    const second = (await who.get('/service-requests?page=2&page_size=3')).body
    assert.deepEqual(
      second.items.map(({ id }: Shown) => id),
      made.slice(3, 6),
    )
    const beyond = (await who.get('/service-requests?page=1000&page_size=50')).body
    assert.deepEqual([beyond.items, beyond.pagination.total], [[], 10])
  }
  assert.deepEqual((await eve.get('/service-requests')).body.items, [])
  for (const query of [
    'page=0',
    'page=1001',
    'page=01',
    'page=1e1',
    'page=',
    'page_size=0',
    'page_size=51',
    'page_size=x',
  ]) {
    assert.equal(code(await jo.get(`/service-requests?${query}`)), '400 invalid_pagination', query)
  }
  for (const query of ['foo=1', 'page=1&page=1', 'cursor=x', 'limit=5', 'customer_id=x', '%ff=1']) {
    assert.equal(code(await jo.get(`/service-requests?${query}`)), bad, query)
  }
  assert.equal(code(await w.request('GET', '/service-requests')), '401 unauthorized')
})

test('replays: of a request, an offer, an end; twenty twins are one', async () => {
  const service = await special()
  const body = requestBody(service)
  const twins = await race(20, () => bob.post('/service-requests', body))
  assert.deepEqual(tally(twins), { '200': 19, '201': 1 })
  const request = twins[0]?.body.request
  const { quantity, parameters, input_attachment_ids, ...short } = body
  const bare = { ...short, parameters, title: ' A special logo ', service_id: service.id.toUpperCase() }
  assert.equal(code(await bob.post('/service-requests', bare)), '200')
  assert.equal(code(await bob.post('/service-requests', { ...body, quantity: 2 })), '409 idempotency_conflict')
  assert.equal(code(await ada.post('/services', { ...body })), bad)
  const offer = offerBody(w, request)
  const offers = await race(20, () => ada.post(`/service-requests/${request.id}/offer`, offer))
  assert.equal(new Set(offers.map(({ body: { order } }) => order.id)).size, 1)
  const cancel = changing(offers[0]?.body.request)
  const cancels = await race(20, () => bob.post(`/service-requests/${request.id}/cancel`, cancel))
  assert.deepEqual(tally(cancels), { '200': 20 })
  const late = await ada.post(`/service-requests/${request.id}/offer`, offer)
  assert.deepEqual([code(late), late.body.request.status, late.body.order.state], ['200', 'cancelled', 'rejected'])
  assert.equal((await bob.post('/service-requests', body)).body.request.status, 'cancelled')
  assert.equal(code(await bob.post(`/service-requests/${request.id}/reject`, cancel)), '409 idempotency_conflict')
})

test('races: offers, offer against cancel and reject, cancel against accept', async () => {
  const service = await special()
  const first = await requested(bob, service)
  const offers = tally(await race(20, () => propose(w, ada, first)))
  assert.equal(offers['409 version_conflict'], 19, JSON.stringify(offers))
  for (let round = 0; round < 4; round++) {
    const request = await requested(bob, service)
    const answers = await race(20, (n) =>
      n % 3 === 0 ? propose(w, ada, request) : end(n % 3 === 1 ? ada : bob, request, n % 3 === 1 ? 'reject' : 'cancel'),
    )
    assert.equal(answers.filter(({ status }) => status < 300).length, 1)
    assert.equal(tally(answers)['409 version_conflict'], 19)
    const seen = await requestSeen(bob, request)
    assert.equal(seen.version, 2)
    assert.equal(seen.order_id !== null, seen.status === 'offered')
    const made = await proposed(w, ada, await requested(bob, service))
    const before = await money(bob)
    const accept = changing(made.order, { confirmed_total_minor: made.order.total_minor })
    const raced = await race(20, (n) =>
      (n + round) % 2
        ? bob.post(`/orders/${made.order.id}/accept`, { ...accept, operation_id: randomUUID() })
        : end(bob, made.request, 'cancel'),
    )
    const won = raced.filter(({ status }) => status < 300)
    assert.equal(won.length, 1, JSON.stringify(tally(raced)))
    const [now, order] = [await requestSeen(bob, made.request), await reread(bob, made.order)]
    const paid = order.state === 'funded'
    assert.deepEqual(
      [now.status, now.order_state, order.state],
      paid ? ['offered', 'funded', 'funded'] : ['cancelled', 'rejected', 'rejected'],
    )
    assert.deepEqual(await money(bob), paid ? [before[0] - 1100, before[1] + 1100] : before)
  }
})

test('both sides hear of every version, on the third channel and later', async () => {
  const service = await special()
  const third = await ada.events(3)
  const newest = await bob.events(10)
  const lou = await w.agent('lou')
  await befriend(lou, ada)
  const second = await lou.events(2)
  const request = await requested(bob, service, { title: 'A secret title' })
  const { request: offered, order } = await proposed(w, ada, request)
  await ended(bob, offered, 'cancel')
  for (const socket of [third, newest]) {
    const heard: Shown[] = []
    const ofOrder: Shown[] = []
    while (heard.length < 3 || ofOrder.length < 2) {
      const event = await socket.next()
      if (event.kind === 'service_request.changed' && event.payload.request_id === request.id) heard.push(event.payload)
      if (event.kind === 'order.changed' && event.payload.order_id === order.id) ofOrder.push(event.payload)
      socket.ack(event)
    }
    assert.deepEqual(
      heard,
      ['open', 'offered', 'cancelled'].map((status, n) => ({ request_id: request.id, status, version: n + 1 })),
    )
    assert.deepEqual(
      ofOrder.map(({ status, version }) => [status, version]),
      [
        ['offered', 1],
        ['rejected', 2],
      ],
    )
    assert.ok(!JSON.stringify(socket.frames).includes('secret'))
  }
  await requested(lou, service)
  const old = await proposed(w, ada, await requested(lou, service))
  const event = await second.next('order.changed')
  assert.equal(event.payload.order_id, old.order.id)
  assert.ok(second.frames.every(({ kind }) => kind !== 'service_request.changed'))
  const rejected = await requested(bob, service)
  await ended(ada, rejected, 'reject')
  const told = await eventually(
    () => newest.frames.find(({ payload }) => payload?.request_id === rejected.id && payload.status === 'rejected'),
    'the rejection',
  )
  assert.equal(told.payload.version, 2)
  await Promise.all([third.close(), newest.close(), second.close()])
})

test('what becomes of a request when its sides change', async () => {
  const [nan, oli, contact] = await w.friends('nan', 'oli')
  const service = await published(nan, { price: from(100) })
  const suspend = (who: Agent, on: boolean) => w.service.sql.transaction((tx) => setSuspended(tx, who.id, on))
  const [one, two, three] = [
    await requested(oli, service),
    await requested(oli, service),
    await requested(oli, service),
  ]
  await nan.patch('/bots/me', { profile_public: false })
  assert.equal(code(await wish(oli, service)), gone, 'a closed provider is asked nothing new')
  assert.equal((await requestSeen(oli, one)).status, 'open', 'what was asked stays with both')
  await nan.patch('/bots/me', { profile_public: true })
  await suspend(nan, true)
  const inactive = '403 profile_inactive'
  assert.equal(code(await wish(oli, service)), gone)
  assert.equal(code(await nan.get(`/service-requests/${one.id}`)), '200', 'its own')
  assert.equal(code(await nan.get('/service-requests')), '200')
  assert.equal(code(await propose(w, nan, one)), inactive)
  assert.equal(
    code(await nan.post(`/service-requests/${randomUUID()}/offer`, offerBody(w, one))),
    inactive,
    'the gate comes before existence',
  )
  assert.equal((await ended(oli, one, 'cancel')).status, 'cancelled', 'the other side ends it')
  await suspend(nan, false)
  await suspend(oli, true)
  assert.equal(code(await wish(oli, service)), inactive)
  assert.notEqual(code(await propose(w, nan, two)).slice(0, 2), '20', 'no offer to who is suspended')
  await suspend(oli, false)
  const archived = await told(nan, service, 'archive')
  assert.equal(archived.state, 'archived')
  const offered = await proposed(w, nan, two)
  assert.equal(offered.request.status, 'offered', 'a snapshot outlives its service')
  await oli.post(`/contacts/${contact}/block`)
  assert.equal(code(await propose(w, nan, three)), '403 friendship_required')
  const accept = changing(offered.order, { confirmed_total_minor: offered.order.total_minor })
  assert.equal(code(await oli.post(`/orders/${offered.order.id}/accept`, accept)), '403 friendship_required')
  assert.equal((await ended(oli, offered.request, 'cancel')).order_state, 'rejected')
  assert.equal((await ended(nan, three, 'reject')).status, 'rejected')
})

async function countedAs(agent: Agent, value: number): Promise<string[]> {
  const counts = await w.sql<{ name: string }>`
    select name from party_counts where party_id = ${agent.id} and value = ${value}`
  return counts.map(({ name }) => name)
}
const more = (agent: Agent, name: string, by: number) =>
  w.sql`update party_counts set value = value + ${by} where party_id = ${agent.id} and name = ${name}`

test('a hundred open requests of a customer, a thousand in all, ten thousand of everybody', async () => {
  const service = await special()
  const pam = await w.agent('pam')
  await befriend(pam, ada)
  const body = requestBody(service)
  const first = (await pam.post('/service-requests', body)).body.request
  const made = await race(98, () => wish(pam, service))
  assert.deepEqual(tally(made), { '201': 98 })
  assert.deepEqual(tally(await race(20, () => wish(pam, service))), { '201': 1, '429 request_limit': 19 })
  const refused = await wish(pam, service)
  assert.match(refused.headers.get('retry-after') ?? '', /^\d+$/)
  assert.equal(code(await pam.post('/service-requests', body)), '200')
  const open = made.map(({ body: { request } }) => request)
  for (const close of [
    () => ended(pam, first, 'cancel'),
    () => ended(ada, open[0], 'reject'),
    () => proposed(w, ada, open[1]),
  ]) {
    assert.equal(code(await wish(pam, service)), '429 request_limit')
    await close()
    assert.deepEqual(tally(await race(3, () => wish(pam, service))), { '201': 1, '429 request_limit': 2 })
  }
  w.travel(days(7))
  await w.node()
  await eventually(async () => code(await wish(pam, service)) === '201', 'the expired to make room')
  const ron = await w.agent('ron')
  await befriend(ron, ada)
  await ended(ron, await requested(ron, service), 'cancel')
  const names = await countedAs(ron, 1)
  assert.equal(names.length, 1, 'the records of a customer are counted')
  const [name] = names as [string]
  await more(ron, name, 998)
  assert.deepEqual(tally(await race(20, () => wish(ron, service))), { '201': 1, '429 request_limit': 19 })
  await more(ron, name, -998)
  const [{ all = 0 } = {}] = await w.sql<{ all: number }>`
    select sum(value)::int as all from counters where name = ${name}`
  const moreOfAll = (by: number) => w.sql`
    insert into counters (name, shard, value) values (${name}, 63, ${by})
    on conflict (name, shard) do update set value = counters.value + excluded.value`
  await moreOfAll(9999 - all)
  assert.deepEqual(tally(await race(20, () => wish(ron, service))), { '201': 1, '429 request_limit': 19 })
  await moreOfAll(all - 9999)
  assert.equal(code(await wish(ron, service)), '201')
})
