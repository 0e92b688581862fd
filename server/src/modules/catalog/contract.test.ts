// The catalogue from outside: hostile bodies, every door to a service after everything that hides it, words in odd scripts,
// and what comes at once. docs/contract/services.md.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { givenFile } from '../../../test/files.ts'
import { inTime } from '../../../test/orders.ts'
import { pluck } from '../../../test/pluck.ts'
import { askBody } from '../../../test/requests.ts'
import {
  askQuote,
  byQuote,
  change,
  draft,
  move,
  moved,
  orderBy,
  priceBody,
  published,
  quoted,
  type Shown,
  serviceBody,
} from '../../../test/services.ts'
import { beforehand, story } from '../../../test/story.ts'
import { turnHidden, turnSuspended } from '../../../test/turning.ts'
import { type Agent, type Answer, befriend, code, race, tally, type World } from '../../../test/world.ts'
import { minutes } from '../../kernel/clock.ts'

const { w, ada, bob, eve } = story('eve', { friends: ['ada', 'bob'] })
const there = beforehand(() => w.node())

const bad = '400 invalid_input'
const gone = '404 not_found'

/** Half of the requests go to the other node. */
const via = (n: number, who: Agent, path: string, json: unknown): Promise<Answer> =>
  (n % 4 < 2 ? w : there).request('POST', path, { token: who.token, json })

test('invalid fields of a service are refused on creation and on change', async () => {
  const service = await draft(ada)
  for (const fields of [
    { title: 'a\nb' },
    { title: 'a\u202eb' },
    { title: 7 },
    { title: ['A logo'] },
    { description: 'a\u0000' },
    { description: null },
    { tags: 'a' },
    { tags: [7] },
    { tags: [null] },
    { tags: ['a\tb'] },
    { estimated_duration_seconds: '60' },
    { estimated_duration_seconds: true },
    { portfolio_post_ids: ['x'] },
    { portfolio_post_ids: 'x' },
    { price: null },
    { price: [] },
    { price: 1000 },
    { price: { unit_label: 'logo', amount_minor: 1 } },
    { price: { mode: 'fixed', unit_label: 'logo' } },
    ...[-1, 1.5, 10 ** 15, '1', true, null].map((amount) => ({ price: priceBody({ amount_minor: amount }) })),
    ...['unit_label', 'mode'].map((name) => ({ price: priceBody({ [name]: null }) })),
    { price: priceBody({ unit_label: 'a\nb' }) },
    { price: priceBody({ total_minor: 1100 }) },
    { price: priceBody({ constructor: 1 }) },
    { version: 1 },
    { provider_bot_id: ada.id },
    { constructor: 1 },
  ] as Record<string, unknown>[]) {
    const what = JSON.stringify(fields)
    assert.equal(code(await ada.post('/services', serviceBody(fields))), bad, `POST ${what}`)
    assert.equal(code(await change(ada, service, fields)), bad, `PATCH ${what}`)
  }
})

test('raw bodies: unusual number formats, duplicate keys, keys that every object has', async () => {
  const cleo = await w.agent('cleo')
  const post = async (from: string, to: string) => {
    const raw = JSON.stringify(serviceBody({ price: priceBody({ amount_minor: 77_777 }) })).replace(from, to)
    return w.request('POST', '/services', { token: cleo.token, raw })
  }
  for (const [amount, expected] of [
    ['1.0', '201'],
    ['1e3', '201'],
    ['1e-1', bad],
    ['1e400', bad],
    ['100000000000000000000000', bad],
    ['-0', bad],
    ['"1"', bad],
    ['NaN', '400 invalid_json'],
  ] as const) {
    assert.equal(code(await post('77777', amount)), expected, amount)
  }
  for (const [key, expected] of [
    ['"__proto__"', bad],
    ['"\\ud800"', bad],
    ['"title"', '400 invalid_json'],
    ['"\\u0074itle"', '400 invalid_json'],
  ] as const) {
    assert.equal(code(await post('"title"', `${key}:1,"title"`)), expected, key)
  }
})

test('a refusal lists the first of many errors, and is not much larger than the request', async () => {
  const fields = Array.from({ length: 20_000 }, () => ({}))
  const many = Object.fromEntries(Array.from({ length: 5000 }, (_, n) => [`k${n}`, 1]))
  const service = await published(ada)
  for (const answer of [
    await ada.post('/services', serviceBody({ input_schema: { version: 1, fields } })),
    await ada.post('/services', serviceBody(many)),
    await askQuote(bob, service, { parameters: many }),
  ]) {
    assert.equal(code(answer), bad)
    const named = answer.body.error.details.fields.length
    assert.ok(named > 0 && named <= 50, String(named))
  }
})

/** Which doors show a service to a reader who is no more than that. */
async function doors(reader: Agent, provider: Agent, service: Shown): Promise<Record<string, unknown>> {
  const among = async (query: string) =>
    (await reader.get(`/services?${query}`)).body.items.some(({ id }: Shown) => id === service.id)
  return {
    read: code(await reader.get(`/services/${service.id}`)),
    listed: await among(`provider_id=${provider.id}`),
    found: await among('q=zeppelins'),
    published: await among('q=zeppelins&state=published'),
    priced: await among('price_mode=fixed&unit_label=zeppelin&min_total_minor=1100&max_total_minor=1100'),
    quote: code(await askQuote(reader, service)),
    request: code(await reader.post('/service-requests', askBody(service))),
    edit: code(await change(reader, service, { title: 'Mine' })),
    publish: code(await move(reader, service, 'publish')),
    pause: code(await move(reader, service, 'pause')),
    archive: code(await move(reader, service, 'archive')),
  }
}

const not = '403 forbidden'
const open = {
  ...{ read: '200', listed: true, found: true, published: true, priced: true },
  ...{ quote: '201', request: '409 price_mode_mismatch', edit: not, publish: not, pause: not, archive: not },
}
const shut = {
  ...{ read: gone, listed: false, found: false, published: false, priced: false },
  ...{ quote: gone, request: gone, edit: gone, publish: gone, pause: gone, archive: gone },
}

test('hiding a service closes all of its endpoints, and restoring it opens them again', async () => {
  const zed = await w.agent('zed')
  await befriend(zed, bob)
  const zeppelins = { title: 'Zeppelins', price: priceBody({ unit_label: 'Zeppelin' }) }
  assert.deepEqual(await doors(bob, zed, await draft(zed, zeppelins)), shut, 'a draft')
  let service = await published(zed, zeppelins)
  const shown = () => doors(bob, zed, service)
  const set = (kind: 'profile' | 'service', id: string, on: boolean) => turnHidden(w, kind, id, on)
  const ways: [string, (on: boolean) => Promise<unknown>][] = [
    ['a closed profile', (on) => zed.patch('/bots/me', { profile_public: !on })],
    ['a suspended provider', (on) => turnSuspended(w, zed.id, on)],
    ['a hidden profile', (on) => set('profile', zed.id, on)],
    ['a hidden service', (on) => set('service', service.id, on)],
  ]
  assert.deepEqual(await shown(), open)
  assert.deepEqual(await doors(eve, zed, service), { ...open, request: '403 friendship_required' }, 'to no friend')
  for (const [what, turn] of ways) {
    const quote = await quoted(bob, service)
    await turn(true)
    assert.deepEqual(await shown(), shut, what)
    assert.equal(code(await orderBy(w, bob, quote)), gone, `${what}: by an earlier quote`)
    assert.equal(code(await zed.get(`/services/${service.id}`)), '200', `${what}: its owner has it`)
    await turn(false)
    assert.deepEqual(await shown(), open, `after ${what}`)
    assert.equal(code(await orderBy(w, bob, quote)), '201', `after ${what}`)
  }
  service = await moved(zed, service, 'pause')
  const unavailable = '409 service_unavailable'
  assert.deepEqual(await shown(), { ...open, published: false, quote: unavailable, request: unavailable })
  service = await moved(zed, service, 'publish')
  assert.deepEqual(await shown(), open, 'published again')
  service = await moved(zed, service, 'archive')
  assert.deepEqual(await shown(), shut, 'archived')
  service = await draft(zed, zeppelins)
  await set('service', service.id, true)
  service = await moved(zed, service, 'publish')
  assert.deepEqual(await shown(), shut, 'published while it is hidden')
  await set('service', service.id, false)
  assert.deepEqual(await shown(), open)
})

test('words and units in any form: composed or not, punctuation, patterns, one letter of any script', async () => {
  for (const [title, q, isFound] of [
    ['nai\u0308ve', 'na\u00efve', true],
    ['\uff26\uff35\uff2c\uff2c', 'full', true],
    ['日本語テスト', '語', true],
    ['הלוגו', 'לוגו', true],
    ['ไทย', 'ไท', true],
    ['😀', '😀', true],
    ["O'Neil", "o'neil", true],
    ['C++', 'c++', true],
    ['a.b-c', 'b-c', true],
    ['100% _plain_ \\', '100%', true],
    ['100% _plain_ \\', '_plain_ \\', true],
    ['x_y', 'xzy', false],
    ['plain', '%', false],
    ['plain', '!!!', false],
    ['plain', "'; drop table services --", false],
    ['plain', '('.repeat(200), false],
    ['plain', 'p '.repeat(100), true],
  ] as const) {
    const service = await published(eve, { title, description: 'd', delivery_description: 'd' })
    const { body } = await bob.get(`/services?limit=50&provider_id=${eve.id}&q=${encodeURIComponent(q)}`)
    assert.equal(
      body.items.some(({ id }: Shown) => id === service.id),
      isFound,
      `${q} in ${title}`,
    )
  }
  for (const [unit, asked] of [
    ['İ', 'İ'],
    ['ΣΑΣ', 'σας'],
    ['e\u0301', '\u00c9'],
    ['a_b%', 'A_B%'],
  ] as const) {
    const service = await published(eve, { price: priceBody({ unit_label: unit }) })
    const { items } = (await bob.get(`/services?provider_id=${eve.id}&unit_label=${encodeURIComponent(asked)}`)).body
    assert.deepEqual(pluck(items, 'id'), [service.id], unit)
  }
})

test('a cursor works on another node, and no other text is a cursor', async () => {
  for (let n = 0; n < 3; n++) await published(ada, { title: 'Bikes' })
  const path = `/services?provider_id=${ada.id}&q=bikes&limit=1`
  const cursor: string = (await eve.get(path)).body.next_cursor
  const on = (at: World, value: string) =>
    at.request('GET', `${path}&cursor=${encodeURIComponent(value)}`, { token: eve.token })
  assert.deepEqual((await on(there, cursor)).body.items, (await on(w, cursor)).body.items)
  for (const value of [` ${cursor}`, cursor + cursor, `${cursor}.`, 'null', '\u0000', '{}', 'x'.repeat(8000)]) {
    assert.equal(code(await on(w, value)), bad, JSON.stringify(value).slice(0, 40))
  }
})

test('an order by a quote is never a quick one, and is the same however it is written', async () => {
  const quote = await quoted(bob, await published(ada))
  assert.equal(code(await bob.post('/orders/quick', byQuote(w, quote))), bad, 'a quick order comes from no quote')
  const deadline = inTime(w, minutes(10))
  const body = byQuote(w, quote, { deadline })
  assert.equal(code(await bob.post('/orders', body)), '201')
  const shifted = new Date(Date.parse(deadline) + minutes(180)).toISOString().replace('Z', '+03:00')
  const again = { ...body, deadline: shifted, service_quote_id: quote.id.toUpperCase(), title: ' My logo ' }
  assert.equal(code(await bob.post('/orders', again)), '200', 'the same, written otherwise')
})

test('twenty orders by one quote, on two nodes, create one', async () => {
  const quote = await quoted(bob, await published(ada))
  const orders = await race(20, (n) => via(n, bob, '/orders', byQuote(w, quote)))
  assert.deepEqual(tally(orders), { '201': 1, '409 quote_already_used': 19 })
})

test('orders, requests and a deletion compete for one file: one gets it', async () => {
  const [service, special] = [await published(ada), await published(ada, { price: priceBody({ mode: 'from' }) })]
  for (let round = 0; round < 3; round++) {
    const file = await givenFile(w, bob, { purpose: 'order', file_format: 'mp3' })
    const files = { input_attachment_ids: [file] }
    const quotes = await Promise.all(Array.from({ length: 5 }, () => quoted(bob, service, files)))
    const quick = { title: 'A quick one', amount_minor: 10, contractor_id: ada.id, confirmed_total_minor: 11, ...files }
    const answers = await race(20, (n) => {
      const which = (n + round) % 4
      if (which === 0) return via(n, bob, '/orders', byQuote(w, quotes[Math.floor(n / 4)] as Shown))
      if (which === 1) return via(n, bob, '/service-requests', askBody(special, files))
      if (which === 2) return via(n, bob, '/orders/quick', { operation_id: randomUUID(), ...quick })
      return w.request('DELETE', `/attachments/${file}`, { token: bob.token })
    })
    const codes = Object.keys(tally(answers)).filter((each) => !/^20/.test(each))
    const lost = ['409 attachment_already_bound', '409 attachment_bound', '404 invalid_attachment']
    assert.ok(
      codes.every((each) => lost.includes(each)),
      codes.join(),
    )
    const { binding, status } = (await bob.get(`/attachments/${file}`)).body.attachment
    const taken = answers.filter((answer) => answer.status === 201).length
    assert.deepEqual([taken, binding?.active ?? false], status === 'ready' ? [1, true] : [0, false])
  }
})
