// Quotes and the orders that they give, from outside. docs/contract/catalog.md.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import {
  ask,
  edit,
  edited,
  fixed,
  form,
  from,
  order,
  orderBody,
  ordered,
  published,
  quoteBody,
  quoted,
  serviceIn,
  serviceSeen,
  tell,
  told,
  wait,
} from '../../../test/catalog-stories.ts'
import { givenFile } from '../../../test/files.ts'
import { inTime, money, type Shown, step } from '../../../test/orders.ts'
import { type Agent, type Answer, befriend, code, eventually, race, type World, world } from '../../../test/world.ts'
import { days, minutes, seconds } from '../../kernel/clock.ts'
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
const tally = (answers: readonly Answer[]): Record<string, number> => {
  const counts: Record<string, number> = {}
  for (const answer of answers) counts[code(answer)] = (counts[code(answer)] ?? 0) + 1
  return counts
}
const orderFile = (who: Agent) => givenFile(w, who, { purpose: 'order', file_format: 'mp3' })

test('a quote is the price of so much, for ten minutes; it needs no friendship and reserves nothing', async () => {
  const service = await published(ada, { price: fixed(5), input_schema: form({ key: 'size' }) })
  const before = await money(eve)
  for (const [quantity, fee] of [
    [1, 1],
    [2, 1],
    [3, 2],
    [9, 5],
    [1000, 500],
  ] as const) {
    const quote = await quoted(eve, service, { quantity, parameters: { size: 'L' } })
    const { id, created_at, expires_at, snapshot, ...rest } = quote
    assert.match(id, /^[0-9a-f-]{36}$/)
    assert.equal(Date.parse(expires_at) - Date.parse(created_at), minutes(10))
    assert.deepEqual(rest, {
      service_id: service.id,
      service_version: service.version,
      customer_id: eve.id,
      provider_id: ada.id,
      quantity,
      parameters: { size: 'L' },
      input_attachment_ids: [],
      amount_minor: 5 * quantity,
      fee_bps: 1000,
      fee_minor: fee,
      total_minor: 5 * quantity + fee,
      minor_per_credit: 100,
    })
    const text = JSON.stringify(snapshot)
    assert.ok(text.includes(service.title) && text.includes(service.delivery_description), 'it has the terms')
  }
  assert.deepEqual(await money(eve), before)
})

test('what a quote needs, and the bounds of the quantity and of the price', async () => {
  const service = await published(ada)
  const { quantity, parameters, input_attachment_ids, ...short } = quoteBody(service)
  const least = await eve.post(`/services/${service.id}/quote`, { ...short, parameters })
  assert.equal(code(least), '201')
  assert.equal(least.body.quote.quantity, 1)
  for (const value of [0, 1001, -1, 1.5, '1', true, null, [1]]) {
    assert.equal(code(await ask(eve, service, { quantity: value })), bad, JSON.stringify(value))
  }
  for (const [name, value] of [
    ['operation_id', undefined],
    ['operation_id', 'x'],
    ['expected_version', undefined],
    ['expected_version', '1'],
    ['expected_version', -1],
    ['expected_version', true],
    ['amount_minor', 1],
    ['total_minor', 1],
    ['customer_id', eve.id],
    ['confirmed_total_minor', 1],
    ['constructor', 1],
  ] as const) {
    assert.equal(code(await ask(eve, service, { [name]: value })), bad, `${name} ${value}`)
  }
  for (const text of ['1.0', '1e0', '1e3']) {
    const raw = JSON.stringify(quoteBody(service, { quantity: 777 })).replace('777', text)
    const answer = await w.request('POST', `/services/${service.id}/quote`, { token: eve.token, raw })
    assert.equal(answer.body.quote.quantity, Number(text))
  }
  const dear = await published(ada, { price: fixed(909_090_909) })
  assert.equal((await quoted(eve, dear, { quantity: 1000 })).total_minor, 999_999_999_900)
  const dearer = await published(ada, { price: fixed(909_090_910) })
  assert.equal(code(await ask(eve, dearer, { quantity: 1000 })), bad, 'beyond the most that an order costs')
  assert.equal((await quoted(eve, dearer, { quantity: 999 })).amount_minor, 909_090_910 * 999)
  const dearest = await published(ada, { price: fixed(909_090_909_091) })
  assert.equal((await quoted(eve, dearest)).total_minor, 10 ** 12)
})

test('what gives no quote, and in which order it is refused', async () => {
  const service = await published(ada)
  const open = await published(ada, { price: from(1000) })
  assert.equal(code(await ask(bob, open)), '409 price_mode_mismatch')
  assert.equal(code(await ask(bob, await serviceIn('paused', ada))), '409 service_unavailable')
  for (const state of ['draft', 'archived'] as const) {
    const hidden = await serviceIn(state, ada)
    assert.equal(code(await ask(bob, hidden)), gone, state)
    assert.match(code(await ask(ada, hidden)), /^4/, `${state}, of oneself`)
  }
  assert.match(code(await ask(ada, service)), /^(400 invalid_input|403 forbidden)$/, 'of oneself')
  assert.equal(code(await ask(bob, { ...service, version: service.version - 1 })), '409 version_conflict')
  assert.equal(code(await ask(bob, { ...service, version: service.version + 1 })), '409 version_conflict')
  const paused = await told(ada, open, 'pause')
  assert.equal(code(await ask(bob, open)), '409 version_conflict', 'the version comes before the state')
  assert.match(code(await ask(bob, paused)), /^409 (service_unavailable|price_mode_mismatch)$/)
  assert.equal(code(await ask(bob, { ...service, id: randomUUID() })), gone)
  assert.equal(code(await bob.post('/services/x/quote', {})), gone)
})

test('what changes after a quote changes nothing in it', async () => {
  const service = await published(ada, {
    price: fixed(1000),
    title: 'As it was',
    input_schema: form({ key: 'size' }),
    tags: ['old'],
  })
  const quote = await quoted(bob, service, { quantity: 3, parameters: { size: 'M' } })
  const now = await edited(ada, service, {
    price: from(99_999),
    title: 'As it is',
    input_schema: form({ key: 'weight', type: 'integer', required: true }),
    tags: [],
    delivery_description: 'Nothing at all',
  })
  assert.equal(now.price.mode, 'from')
  const made = await ordered(w, bob, quote)
  const { service: sold, ...rest } = made.service_snapshot
  assert.deepEqual(rest, { quantity: 3, parameters: { size: 'M' }, input_attachment_ids: [] })
  assert.deepEqual(
    [sold.id, sold.title, sold.tags, sold.price.amount_minor, sold.delivery_description, sold.version],
    [service.id, 'As it was', ['old'], 1000, 'One SVG file', service.version],
  )
  assert.deepEqual([made.amount_minor, made.fee_minor, made.total_minor], [3000, 300, 3300])
})

test('an order from a quote: its record, and the way to its end', async () => {
  const service = await published(ada)
  const [file, other] = [await orderFile(bob), await orderFile(bob)]
  const quote = await quoted(bob, service, { quantity: 2, input_attachment_ids: [file, other] })
  const before = await money(bob)
  const body = orderBody(w, quote, { title: '  Two logos ', description: 'a\r\nb' })
  const answer = await bob.post('/orders', body)
  assert.equal(code(answer), '201')
  const made = answer.body.order
  assert.deepEqual(
    {
      state: made.state,
      version: made.version,
      title: made.title,
      description: made.description,
      sides: [made.customer_id, made.contractor_id, made.offer_author_id],
      price: [made.amount_minor, made.fee_bps, made.fee_minor, made.total_minor],
      sources: [made.source_service_quote_id, made.source_service_request_id],
      workflow: made.workflow,
      files: made.input_attachments.map(({ id }: Shown) => id),
      deadline: made.deadline,
    },
    {
      state: 'offered',
      version: 1,
      title: 'Two logos',
      description: 'a\nb',
      sides: [bob.id, ada.id, bob.id],
      price: [2000, 1000, 200, 2200],
      sources: [quote.id, null],
      workflow: null,
      files: [file, other],
      deadline: body['deadline'],
    },
  )
  assert.deepEqual(made.service_snapshot.input_attachment_ids, [file, other])
  assert.deepEqual((await ada.get(`/orders/${made.id}`)).body.order.service_snapshot, made.service_snapshot)
  const { attachment } = (await bob.get(`/attachments/${file}`)).body
  assert.deepEqual(attachment.binding, { kind: 'order', id: made.id, role: 'input', active: true })
  assert.equal(code(await ada.get(`/attachments/${file}`)), '200')
  assert.equal(code(await eve.get(`/attachments/${file}`)), gone)
  assert.deepEqual(await money(bob), before, 'nothing is reserved by the offer')
  const replay = await bob.post('/orders', { ...body, service_quote_id: quote.id.toUpperCase(), title: 'Two logos' })
  assert.equal(code(replay), '200')
  assert.equal(replay.body.order.id, made.id)
  assert.equal(code(await bob.post('/orders', { ...body, title: 'Three' })), '409 idempotency_conflict')
  const reprice = { operation_id: randomUUID(), expected_version: 1, amount_minor: 1, confirmed_total_minor: 1 }
  assert.equal(code(await bob.post(`/orders/${made.id}/reprice`, reprice)), '409 invalid_state')
  const wrong = { operation_id: randomUUID(), expected_version: 1, confirmed_total_minor: 2201 }
  assert.equal(code(await ada.post(`/orders/${made.id}/accept`, wrong)), '409 state_conflict')
  const funded = await step(ada, made, 'accept')
  assert.deepEqual(await money(bob), [before[0] - 2200, before[1] + 2200])
  const closed = await step(bob, await step(ada, funded, 'deliver'), 'complete')
  assert.deepEqual([closed.outcome, closed.total_minor], ['accepted', 2200])
  assert.equal(code(await bob.post('/orders', body)), '200', 'and the answer can still be had')
})

test('what an order from a quote takes, and nothing of a direct one', async () => {
  const service = await published(ada)
  const quote = await quoted(bob, service)
  const tried = (fields: Record<string, unknown>) => order(w, bob, quote, fields).then(code)
  for (const fields of [
    { amount_minor: 1000 },
    { contractor_id: ada.id },
    { customer_id: ada.id },
    { input_attachment_ids: [] },
    { quantity: 1 },
    { parameters: {} },
    { service_id: service.id },
    { title: undefined },
    { title: '' },
    { title: 'x'.repeat(161) },
    { description: undefined },
    { description: 'x'.repeat(8001) },
    { description: '' },
    { deadline: undefined },
    { deadline: null },
    { deadline: inTime(w, -1000) },
    { deadline: '2040-01-01T00:00:00' },
    { confirmed_total_minor: undefined },
    { confirmed_total_minor: '1100' },
    { confirmed_total_minor: null },
    { service_quote_id: 'x' },
    { service_quote_id: null },
    { service_quote_id: 7 },
    { operation_id: undefined },
  ]) {
    assert.equal(await tried(fields), bad, JSON.stringify(fields))
  }
  assert.equal(code(await bob.post('/orders/quick', orderBody(w, quote))), bad, 'a quick order comes from no quote')
  for (const total of [1099, 1101, 1000, 0]) {
    assert.equal(await tried({ confirmed_total_minor: total }), '409 state_conflict')
  }
  assert.equal(await tried({ service_quote_id: randomUUID() }), gone)
  assert.equal(code(await order(w, eve, quote)), gone, 'somebody else’s')
  assert.equal(code(await order(w, ada, quote)), gone, 'the provider has no part in it')
  assert.equal(code(await w.request('POST', '/orders', { json: orderBody(w, quote) })), '401 unauthorized')
  assert.equal(await tried({ title: 'x'.repeat(160), deadline: inTime(w, minutes(1)) }), '201', 'none of it used it up')
  assert.equal(await tried({}), '409 quote_already_used')
})

test('an order needs a friend; a quote that waits for the friendship is good once it is there', async () => {
  const fay = await w.agent('fay')
  const quote = await quoted(fay, await published(ada))
  assert.equal(code(await order(w, fay, quote)), '403 friendship_required')
  const asked = await fay.post('/contacts/requests', { recipient_id: ada.id })
  assert.equal(code(await order(w, fay, quote)), '403 friendship_required')
  await ada.post(`/contacts/${asked.body.contact.id}/accept`)
  assert.equal(code(await order(w, fay, quote)), '201')
  const second = await quoted(fay, await published(ada))
  await fay.post(`/contacts/${asked.body.contact.id}/block`)
  assert.equal(code(await order(w, fay, second)), '403 friendship_required')
  assert.equal(code(await ask(fay, await published(ada))), '201', 'a quote needs none')
})

test('what became of the service since: not orderable any more is refused, whatever was quoted', async () => {
  const gil = await w.agent('gil')
  await befriend(gil, bob)
  const unavailable = /^(409 service_unavailable|404 not_found)$/
  const quoteOf = async () => {
    const service = await published(gil)
    return [service, await quoted(bob, service)] as const
  }
  for (const action of ['pause', 'archive'] as const) {
    const [service, quote] = await quoteOf()
    const now = await told(gil, service, action)
    assert.match(code(await order(w, bob, quote)), unavailable, action)
    if (action === 'archive') continue
    await told(gil, now, 'publish')
    assert.equal(code(await order(w, bob, quote)), '201', 'published again, the quote is good')
  }
  const suspend = (on: boolean) => w.service.sql.transaction((tx) => setSuspended(tx, gil.id, on))
  for (const [what, set] of [
    ['a closed profile', (on: boolean) => gil.patch('/bots/me', { profile_public: !on })],
    ['a suspended provider', suspend],
  ] as const) {
    const [, quote] = await quoteOf()
    await set(true)
    assert.match(code(await order(w, bob, quote)), unavailable, what)
    await set(false)
    assert.equal(code(await order(w, bob, quote)), '201', `after ${what}`)
  }
})

test('files: bound by the order and not by the quote; what happened to them in between is found', async () => {
  const service = await published(ada)
  const [shared, discarded] = [await orderFile(bob), await orderFile(bob)]
  const [one, two, three] = [
    await quoted(bob, service, { input_attachment_ids: [shared] }),
    await quoted(bob, service, { input_attachment_ids: [shared] }),
    await quoted(bob, service, { input_attachment_ids: [discarded] }),
  ]
  assert.equal(code(await order(w, bob, one)), '201')
  assert.equal(code(await order(w, bob, two)), '409 attachment_already_bound')
  assert.equal((await w.request('DELETE', `/attachments/${discarded}`, { token: bob.token })).status, 202)
  assert.equal(code(await order(w, bob, three)), '404 invalid_attachment')
  const files = await Promise.all(Array.from({ length: 4 }, () => orderFile(bob)))
  const rivals: Shown[] = []
  for (const id of [...files, ...files]) rivals.push(await quoted(bob, service, { input_attachment_ids: [id] }))
  const raced = await race(20, (n) => order(w, bob, rivals[n % 8]))
  const counts = tally(raced)
  assert.equal(counts['201'], 4, JSON.stringify(counts))
  assert.equal((counts['409 attachment_already_bound'] ?? 0) + (counts['409 quote_already_used'] ?? 0), 16)
})

test('twenty orders from one quote: one; twins: one; twins of a quote: one', async () => {
  const service = await published(ada)
  const body = quoteBody(service)
  const quotes = await race(20, () => bob.post(`/services/${service.id}/quote`, body))
  assert.deepEqual(tally(quotes), { '200': 19, '201': 1 })
  assert.equal(new Set(quotes.map(({ body }) => body.quote.id)).size, 1)
  const raced = await race(20, () => order(w, bob, quotes[0]?.body.quote))
  assert.deepEqual(tally(raced), { '201': 1, '409 quote_already_used': 19 })
  const quote = await quoted(bob, service)
  const twin = orderBody(w, quote)
  const twins = await race(20, () => bob.post('/orders', twin))
  assert.deepEqual(tally(twins), { '200': 19, '201': 1 })
  assert.equal(new Set(twins.map(({ body }) => body.order.id)).size, 1)
  const mine = (await bob.get('/orders?page_size=50')).body.orders as Shown[]
  assert.equal(mine.filter(({ source_service_quote_id: id }) => id === quote.id).length, 1)
})

test('archiving against ordering, a price against a quote: one comes before the other', async () => {
  for (let round = 0; round < 3; round++) {
    const service = await published(ada)
    const quotes = await Promise.all(Array.from({ length: 10 }, () => quoted(bob, service)))
    const answers = await race(11, (n) =>
      n === round * 3 ? tell(ada, service, 'archive') : order(w, bob, quotes[n < round * 3 ? n : n - 1]),
    )
    for (const [n, answer] of answers.entries()) {
      const allowed = n === round * 3 ? /^200$/ : /^(201|409 service_unavailable|404 not_found)$/
      assert.match(code(answer), allowed)
    }
    const changing = await published(ada, { price: fixed(1000) })
    const prices = await race(20, (n) =>
      n % 5 === 2 ? edit(ada, changing, { price: fixed(2000) }) : ask(bob, changing),
    )
    assert.equal(prices.filter((answer, n) => n % 5 === 2 && answer.status === 200).length, 1)
    for (const { status, body } of prices.filter((_, n) => n % 5 !== 2)) {
      if (status === 201)
        assert.deepEqual([body.quote.amount_minor, body.quote.service_version], [1000, changing.version])
      else assert.equal(body.error.code, 'version_conflict')
    }
    assert.equal((await quoted(bob, await serviceSeen(bob, changing))).amount_minor, 2000)
  }
})

test('ten minutes, and not a moment more; what was asked before can be asked again', async () => {
  const service = await published(ada)
  const body = quoteBody(service)
  const quote = (await bob.post(`/services/${service.id}/quote`, body)).body.quote
  const [soon, late] = [await quoted(bob, service), await quoted(bob, service)]
  const stranger = await quoted(eve, service)
  w.travel(minutes(10) - seconds(60))
  const used = orderBody(w, soon)
  assert.equal(code(await bob.post('/orders', used)), '201', 'a minute before the end')
  w.travel(seconds(60))
  assert.equal(code(await order(w, bob, quote)), '409 quote_expired')
  assert.equal(code(await order(w, bob, late, { confirmed_total_minor: 1 })).slice(0, 3), '409')
  assert.equal(code(await order(w, eve, stranger)), '403 friendship_required', 'the side comes before the state')
  assert.equal(code(await order(w, ada, quote)), gone)
  assert.equal(code(await bob.post('/orders', used)), '200')
  const again = await bob.post(`/services/${service.id}/quote`, body)
  assert.equal(code(again), '200')
  assert.deepEqual(again.body.quote, quote)
  await told(ada, service, 'archive')
  assert.equal(code(await bob.post(`/services/${service.id}/quote`, body)), '200', 'whatever became of the service')
})

/** The name under which something of an agent is counted. */
async function countedAs(agent: Agent): Promise<string> {
  const counts = await w.sql<{ name: string }>`
    select name from party_counts where party_id = ${agent.id} and value > 0`
  assert.equal(counts.length, 1, JSON.stringify(counts))
  return counts[0]?.name as string
}
/** As if the agent had so many more. */
const more = (agent: Agent, name: string, by: number) =>
  w.sql`update party_counts set value = value + ${by} where party_id = ${agent.id} and name = ${name}`
const moreOfAll = (name: string, by: number) => w.sql`
  insert into counters (name, shard, value) values (${name}, 63, ${by})
  on conflict (name, shard) do update set value = counters.value + excluded.value`

test('a thousand quotes of a customer, a hundred thousand of all', async () => {
  const service = await published(ada)
  const hal = await w.agent('hal')
  const body = quoteBody(service)
  assert.equal(code(await hal.post(`/services/${service.id}/quote`, body)), '201')
  const name = await countedAs(hal)
  await more(hal, name, 998)
  assert.deepEqual(tally(await race(20, () => ask(hal, service))), { '201': 1, '429 quote_limit': 19 })
  assert.equal(code(await hal.post(`/services/${service.id}/quote`, body)), '200')
  const refused = await ask(hal, service)
  assert.match(refused.headers.get('retry-after') ?? '', /^\d+$/)
  assert.equal(code(await ask(bob, service)), '201')
  await more(hal, name, -998)
  const [{ all = 0 } = {}] = await w.sql<{ all: number }>`
    select sum(value)::int as all from counters where name = ${name}`
  await moreOfAll(name, 99_999 - all)
  assert.deepEqual(tally(await race(20, () => ask(bob, service))), { '201': 1, '429 quote_limit': 19 })
  await moreOfAll(name, all - 99_999)
  assert.equal(code(await ask(bob, service)), '201')
})

test('unused quotes go thirty days after their end, with their count; used ones stay with their order', async () => {
  const ian = await w.agent('ian')
  await befriend(ian, ada)
  const service = await published(ada)
  const elder = await quoted(ian, service)
  w.travel(minutes(5))
  const [unused, used] = [await quoted(ian, service), await quoted(ian, service)]
  const made = await ordered(w, ian, used)
  const isGone = async (quote: Shown) => code(await order(w, ian, quote)) === gone
  await wait(w, days(30) + minutes(8), ada, bob, eve, ian)
  // Another node's first sweep comes soon after its start.
  await w.node()
  await eventually(() => isGone(elder), 'the elder quote to go')
  assert.equal(code(await order(w, ian, unused)), '409 quote_expired', 'just before')
  w.travel(minutes(3))
  await w.node()
  await eventually(() => isGone(unused), 'the quote to go')
  assert.equal((await ian.get(`/orders/${made.id}`)).body.order.source_service_quote_id, used.id)
  assert.match(code(await order(w, ian, used)), /^409 quote_(already_used|expired)$/)
})
