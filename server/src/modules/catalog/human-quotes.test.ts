// People order services as agents do, by a quote, and without friendship. docs/contract/human-orders.md#services.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { type Customer, customer } from '../../../test/customers.ts'
import { givenFile } from '../../../test/files.ts'
import { attempt, bring, inTime, money, step } from '../../../test/orders.ts'
import { pluck } from '../../../test/pluck.ts'
import {
  askQuote,
  byQuote,
  change,
  formOf,
  moved,
  orderBy,
  priceBody,
  published,
  quoteBody,
  quoted,
  quotePath,
} from '../../../test/services.ts'
import { beforehand, story } from '../../../test/story.ts'
import { turnHidden, turnSuspended } from '../../../test/turning.ts'
import { code, race, tally } from '../../../test/world.ts'
import { days, earlier, minutes } from '../../kernel/clock.ts'
import { countOf } from '../../quotas/quotas.ts'
import { mostWaiting } from '../orders/customers.ts'
import { quoteLifetime, quoteQuota, quoteSweep, unusedLifetime } from './quotes.ts'

const { w, ada, bob } = story({ friends: ['ada', 'bob'] })
const hilda = beforehand(() => customer(w, 'Hilda'))
const ivan = beforehand(() => customer(w, 'Ivan'))

const problemsOf = (body: { error: { details?: { fields: { path: string }[] } } }): string[] =>
  (body.error.details?.fields ?? []).map(({ path }) => path)

test('a person asks for a price, orders with it, and the agent does the work, without friendship', async () => {
  const service = await published(ada, {
    input_schema: formOf({ type: 'short_text', required: true }, { type: 'attachment', media_types: ['image/png'] }),
  })
  const file = await givenFile(w, hilda, { purpose: 'order', file_format: 'png' })
  const parameters = { field_0: ' Blue ', field_1: file }
  const asked = { quantity: 2, parameters, input_attachment_ids: [file] }
  const body = quoteBody(service, asked)
  const first = await hilda.post(`/human/services/${service.id}/quote`, body)
  const { quote } = first.body
  assert.deepEqual([code(first), quote.customer_id, quote.provider_id], ['201', hilda.id, ada.id])
  assert.deepEqual([quote.total_minor, quote.parameters.field_0, quote.snapshot.service], [2200, 'Blue', service])
  const again = await hilda.post(quotePath(hilda, service), body)
  assert.deepEqual([code(again), again.body], ['200', first.body])
  assert.deepEqual(await money(hilda), [500_000, 0], 'nothing is reserved')

  assert.equal(code(await change(ada, service, { title: 'Dearer', price: priceBody({ amount_minor: 9000 }) })), '200')
  const ordering = byQuote(w, quote)
  const made = await hilda.post('/human/orders', ordering)
  assert.equal(code(made), '201', JSON.stringify(made.body))
  const { order } = made.body
  assert.deepEqual([order.state, order.total_minor, order.offer_author_id], ['offered', 2200, hilda.id])
  assert.deepEqual(order.origin, { kind: 'service', id: service.id, bid_id: null })
  assert.deepEqual([order.source_service_quote_id, order.service_snapshot], [quote.id, quote.snapshot])
  assert.deepEqual(pluck(order.input_attachments, 'id'), [file])
  const twin = await hilda.post('/human/orders', ordering)
  assert.deepEqual([code(twin), twin.body], ['200', made.body])
  assert.equal(code(await hilda.post('/human/orders', { ...ordering, title: 'X' })), '409 idempotency_conflict')
  assert.equal((await ada.get(`/human-orders/${order.id}`)).body.order.service_snapshot.parameters.field_0, 'Blue')
  assert.equal((await ada.get(`/attachments/${file}`)).status, 200)
  await bring({ customer: hilda, contractor: ada }, order, 'accepted')
  assert.deepEqual(await money(hilda), [497_800, 0])
  assert.equal(code(await orderBy(w, hilda, quote)), '409 quote_already_used')
  assert.equal(code(await askQuote(hilda, service)), '409 version_conflict', 'the version of before')
})

test('a quote belongs to one customer: no other person or agent can use it', async () => {
  const service = await published(ada)
  const [hers, his] = [await quoted(hilda, service), await quoted(bob, service)]
  for (const [who, quote] of [
    [ivan, hers],
    [bob, hers],
    [ada, hers],
    [hilda, his],
  ] as const) {
    assert.equal(code(await orderBy(w, who, quote)), '404 not_found')
  }
  const body = byQuote(w, hers)
  assert.equal(code(await bob.post('/human/orders', body)), '403 forbidden', 'a token is no session')
  const headers = { ...hilda.headers, 'x-csrf-token': 'other' }
  assert.equal(code(await w.request('POST', '/human/orders', { json: body, headers })), '403 csrf_failed')
  const asking = { json: quoteBody(service), headers }
  assert.equal(code(await w.request('POST', quotePath(hilda, service), asking)), '403 csrf_failed')
  assert.equal(code(await orderBy(w, hilda, hers)), '201')
  assert.equal(code(await orderBy(w, bob, his)), '201')
})

test('a person’s quotes and orders are refused like an agent’s, and name what a person can do instead', async () => {
  const form = formOf({ type: 'integer', min: 1, required: true }, { type: 'attachment', media_types: ['image/png'] })
  const service = await published(ada, { input_schema: form })
  const good = { parameters: { field_0: 1 } }
  const wrong = await askQuote(hilda, service, { parameters: { field_0: 0, other: 1 } })
  assert.deepEqual(
    [code(wrong), problemsOf(wrong.body).sort()],
    ['400 invalid_input', ['parameters.field_0', 'parameters.other']],
  )
  const open = await published(ada, { price: priceBody({ mode: 'from' }) })
  const refused = await askQuote(hilda, open)
  assert.equal(code(refused), '409 price_mode_mismatch')
  assert.match(refused.body.error.message, /order from its provider directly/)
  assert.deepEqual(refused.body.error.details, { mode: 'from' })
  const named = (id: string) =>
    askQuote(hilda, service, { parameters: { field_0: 1, field_1: id }, input_attachment_ids: [id] })
  assert.equal(
    code(await named(await givenFile(w, ivan, { purpose: 'order', file_format: 'png' }))),
    '404 invalid_attachment',
  )
  const file = await givenFile(w, hilda, { purpose: 'order', file_format: 'png' })
  const [one, two] = [(await named(file)).body.quote, (await named(file)).body.quote]
  assert.equal(code(await orderBy(w, hilda, one)), '201')
  assert.equal(code(await orderBy(w, hilda, two)), '409 attachment_already_bound', 'the order of another quote has it')

  const quote = await quoted(hilda, service, good)
  for (const [key, value] of Object.entries({ amount_minor: 1000, contractor_id: ada.id, input_attachment_ids: [] })) {
    const answer = await orderBy(w, hilda, quote, { [key]: value })
    assert.deepEqual([code(answer), problemsOf(answer.body)], ['400 invalid_input', [key]])
  }
  const bare = await hilda.post('/human/orders', { ...byQuote(w, quote), service_quote_id: undefined })
  assert.deepEqual([code(bare), problemsOf(bare.body)], ['400 invalid_input', ['contractor_id', 'amount_minor']])
  const other = await orderBy(w, hilda, quote, { confirmed_total_minor: 1099 })
  assert.deepEqual([code(other), other.body.error.details], ['409 state_conflict', { total: 1100 }])
  const late = await orderBy(w, hilda, quote, { deadline: new Date(w.now().getTime() - 1).toISOString() })
  assert.equal(code(late), '400 invalid_input')
  assert.equal(code(await orderBy(w, hilda, quote)), '201', 'none of these used it')
  const old = await quoted(hilda, service, good)
  w.travel(quoteLifetime)
  assert.equal(code(await orderBy(w, hilda, old)), '409 quote_expired')
})

test('between quote and order a service is paused, hidden, or its provider leaves', async () => {
  const dora = await w.agent('dora')
  let service = await published(dora)
  const held = await quoted(hilda, service)
  service = await moved(dora, service, 'pause')
  assert.equal(code(await orderBy(w, hilda, held)), '409 service_unavailable')
  assert.equal(code(await askQuote(hilda, service)), '409 service_unavailable')
  service = await moved(dora, service, 'publish')
  const waysOut: Record<string, (out: boolean) => Promise<unknown>> = {
    closed: (out) => dora.patch('/bots/me', { profile_public: !out }),
    suspended: (out) => turnSuspended(w, dora.id, out),
    hidden: (out) => turnHidden(w, 'service', service.id, out),
  }
  for (const [name, turn] of Object.entries(waysOut)) {
    const quote = await quoted(hilda, service)
    await turn(true)
    assert.equal(code(await askQuote(hilda, service)), '404 not_found', name)
    assert.equal(code(await orderBy(w, hilda, quote)), '404 not_found', name)
    await turn(false)
    assert.equal(code(await orderBy(w, hilda, quote)), '201', `${name} no more`)
  }
  const last = await quoted(hilda, service)
  await moved(dora, service, 'archive')
  assert.equal(code(await orderBy(w, hilda, last)), '409 service_unavailable')
})

test('a repeated request gets its answer again, after any change to the service, its provider or the clock', async () => {
  const dora = await w.agent('dora_again')
  const service = await published(dora)
  const asking = quoteBody(service)
  const asked = await hilda.post(quotePath(hilda, service), asking)
  const ordering = byQuote(w, asked.body.quote, { deadline: inTime(w, minutes(20)) })
  const ordered = await hilda.post('/human/orders', ordering)
  assert.deepEqual([code(asked), code(ordered)], ['201', '201'])
  const paused = await moved(dora, service, 'pause')
  await turnHidden(w, 'service', service.id, true)
  await turnSuspended(w, dora.id, true)
  w.travel(minutes(30))
  const again = async () => [
    await hilda.post(quotePath(hilda, service), asking),
    await hilda.post('/human/orders', ordering),
  ]
  const [quote, order] = await again()
  assert.deepEqual([quote?.status, quote?.body], [200, asked.body])
  assert.deepEqual([order?.status, order?.body.order.id], [200, ordered.body.order.id])
  await turnSuspended(w, dora.id, false)
  await moved(dora, paused, 'archive')
  assert.deepEqual((await again()).map(code), ['200', '200'])
})

test('a customer’s quotes have the limits of an agent’s', async () => {
  const service = await published(ada)
  for (const [quantity, expected] of [
    [0, '400 invalid_input'],
    [1, '201'],
    [1000, '201'],
    [1001, '400 invalid_input'],
  ] as const) {
    assert.equal(code(await askQuote(hilda, service, { quantity })), expected, String(quantity))
  }
  const lena = await customer(w, 'Lena')
  const quote = await quoted(lena, service)
  await w.sql`update party_counts set value = 999 where party_id = ${lena.id} and name = 'service_quotes'`
  const answers = await race(6, () => askQuote(lena, service))
  assert.deepEqual(tally(answers), { '201': 1, '429 quote_limit': 5 })
  await w.sql`update party_counts set value = 2 where party_id = ${lena.id} and name = 'service_quotes'`
  await w.sql`
    update service_quotes set created_at = ${new Date(0)}, expires_at = ${earlier(w.now(), unusedLifetime)}
    where customer_id = ${lena.id}`
  while (await quoteSweep(w.service.sql));
  assert.equal(await countOf(w.sql, quoteQuota, lena.id), 0)
  assert.equal(code(await orderBy(w, lena, quote)), '404 not_found')
  const last = await quoted(lena, service)
  await w.operator('customer', 'suspend', lena.id, '--reason', 'x')
  for (const answer of [await askQuote(lena, service), await orderBy(w, lena, last)]) {
    assert.equal(code(answer), '403 profile_inactive')
  }
})

test('twenty at once: one order by a quote, one place', async () => {
  const service = await published(ada)
  const quote = await quoted(hilda, service)
  const orders = await race(20, () => orderBy(w, hilda, quote))
  assert.deepEqual(tally(orders), { '201': 1, '409 quote_already_used': 19 })

  const full = await customer(w, 'Full')
  const plenty = await Promise.all(Array.from({ length: 4 }, () => quoted(full, service)))
  await w.sql`
    insert into orders select (json_populate_record(null::orders, (row_to_json(o)::jsonb || jsonb_build_object(
      'id', gen_random_uuid(), 'customer_id', ${full.id}::uuid, 'offer_author_id', ${full.id}::uuid,
      'source_service_quote_id', null))::json)).*
    from orders o, generate_series(1, ${mostWaiting - 1}) where o.source_service_quote_id = ${quote.id}`
  const answers = await race(4, (n) => orderBy(w, full, plenty[n]))
  assert.deepEqual(tally(answers), { '201': 1, '429 request_limit': 3 })
  await w.sql`delete from orders where customer_id = ${full.id} and source_service_quote_id is null`
})

test('a wallet that is too small stops the acceptance, not the offer', async () => {
  const service = await published(ada, { price: priceBody({ amount_minor: 500_000 }) })
  const made = await orderBy(w, hilda, await quoted(hilda, service))
  assert.equal(code(made), '201')
  assert.equal(code(await attempt(ada, made.body.order, 'accept')), '409 insufficient_funds')
  await step(hilda, made.body.order, 'cancel')
})

test('unused quotes are in the export, and go with the account, at the same moment too', async () => {
  const service = await published(ada, { input_schema: formOf({ type: 'short_text' }) })
  const gone: Customer = await customer(w, 'Gone')
  await quoted(gone, service, { parameters: { field_0: 'My telephone' } })
  const [kept] = (await gone.get('/human/export')).body.service_quotes
  assert.equal(kept.parameters.field_0, 'My telephone')
  const answers = await race(12, (n) =>
    n === 6 ? gone.post('/human/close', { confirm: true }) : askQuote(gone, service),
  )
  for (const answer of answers) assert.match(code(answer), /^(200|201|401 unauthorized)$/)
  assert.equal((await w.sql`select 1 from service_quotes where customer_id = ${gone.id}`).length, 0)
  assert.equal(await countOf(w.sql, quoteQuota, gone.id), 0)
  w.travel(days(1))
  assert.equal(
    code(await gone.post(quotePath(gone, service), { ...quoteBody(service), operation_id: randomUUID() })),
    '401 unauthorized',
  )
})
