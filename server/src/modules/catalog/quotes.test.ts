// Quotes: a price that holds for ten minutes and gives one order, even if the service changes.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { givenFile } from '../../../test/files.ts'
import { inTime, money, offerBody, reread, step } from '../../../test/orders.ts'
import { pluck } from '../../../test/pluck.ts'
import {
  askQuote,
  byQuote,
  change,
  draft,
  formOf,
  moved,
  orderBy,
  priceBody,
  published,
  quoteBody,
  quoted,
} from '../../../test/services.ts'
import { beforehand, story } from '../../../test/story.ts'
import { type Agent, code, race } from '../../../test/world.ts'
import { days, hours, minutes } from '../../kernel/clock.ts'
import { countOf, totalOf } from '../../quotas/quotas.ts'
import { quoteLifetime, quoteQuota, quoteSweep, unusedLifetime } from './quotes.ts'

const { w, ada, bob } = story({ friends: ['ada', 'bob'] })
/** No friend of anybody. */
const mia = beforehand(() => w.agent('mia'))

const problemsOf = (body: { error: { details?: { fields: { path: string }[] } } }): string[] =>
  (body.error.details?.fields ?? []).map(({ path }) => path)
const sweep = async () => {
  while (await quoteSweep(w.service.sql));
}

test('a quote covers a quantity of the current service, with parameters in canonical form', async () => {
  const service = await published(ada, {
    price: priceBody({ amount_minor: 105 }),
    input_schema: formOf({ type: 'short_text', required: true }, { type: 'integer' }, { type: 'boolean' }),
  })
  const parameters = { field_1: 0, field_0: ' Blue ', field_2: false }
  const quote = await quoted(mia, service, { quantity: 3, parameters })
  const canonical = { field_0: 'Blue', field_1: 0, field_2: false }
  const { id, created_at, expires_at, ...rest } = quote
  assert.deepEqual(rest, {
    service_id: service.id,
    service_version: 2,
    customer_id: mia.id,
    provider_id: ada.id,
    quantity: 3,
    parameters: canonical,
    input_attachment_ids: [],
    snapshot: { service, quantity: 3, parameters: canonical, input_attachment_ids: [] },
    amount_minor: 315,
    fee_bps: 1000,
    // Of the whole: half up once, and not thrice.
    fee_minor: 32,
    total_minor: 347,
    minor_per_credit: 100,
  })
  assert.equal(new Date(expires_at).getTime() - new Date(created_at).getTime(), quoteLifetime)
  assert.equal(quoteLifetime, minutes(10))
  const plain = await quoted(bob, await published(ada))
  assert.deepEqual([plain.quantity, plain.parameters, plain.total_minor], [1, {}, 1100])
  assert.deepEqual(await money(mia), [500_000, 0], 'nothing is reserved')
})

test('quote refusals, in the order of the checks', async () => {
  const form = formOf({ type: 'short_text', required: true })
  const service = await published(ada, { input_schema: form })
  const good = { parameters: { field_0: 'a' } }
  assert.equal(code(await askQuote(ada, service, good)), '403 forbidden')
  assert.equal(code(await askQuote(bob, { ...service, id: randomUUID() }, good)), '404 not_found')
  assert.equal(code(await askQuote(bob, await draft(ada))), '404 not_found')
  assert.equal(code(await askQuote(bob, { ...service, version: 1 })), '409 version_conflict')
  const refused = await askQuote(bob, service, { parameters: { field_0: null, other: 1 } })
  assert.equal(code(refused), '400 invalid_input')
  assert.deepEqual(problemsOf(refused.body).sort(), ['parameters.field_0', 'parameters.other'])
  const paused = await moved(ada, service, 'pause')
  assert.equal(code(await askQuote(bob, paused, good)), '409 service_unavailable')
  assert.equal(code(await askQuote(bob, service, good)), '409 version_conflict', 'the version first')
  assert.equal(code(await askQuote(bob, await moved(ada, paused, 'archive'), good)), '404 not_found')
  const open = await published(ada, { price: priceBody({ mode: 'from' }) })
  assert.equal(code(await askQuote(bob, open)), '409 price_mode_mismatch')
  const dear = await published(ada, { price: priceBody({ amount_minor: 909_090_909 }) })
  assert.equal(code(await askQuote(bob, dear, { quantity: 1000 })), '201')
  const dearer = await published(ada, { price: priceBody({ amount_minor: 909_090_910 }) })
  assert.deepEqual(problemsOf((await askQuote(bob, dearer, { quantity: 1000 })).body), ['quantity'])
})

test('an order by a quote keeps the quoted price and service, and names its source', async () => {
  const service = await published(ada, { input_schema: formOf({ type: 'choice', options: ['red', 'blue'] }) })
  const quote = await quoted(bob, service, { quantity: 2, parameters: { field_0: 'red' } })
  const changed = await change(ada, service, {
    title: 'Dearer',
    price: priceBody({ amount_minor: 9000 }),
    input_schema: null,
  })
  assert.equal(code(changed), '200')
  const body = byQuote(w, quote)
  const made = await bob.post('/orders', body)
  assert.equal(code(made), '201', JSON.stringify(made.body))
  const { order } = made.body
  assert.deepEqual(
    [order.state, order.version, order.customer_id, order.contractor_id, order.offer_author_id],
    ['offered', 1, bob.id, ada.id, bob.id],
  )
  assert.deepEqual([order.amount_minor, order.fee_minor, order.total_minor], [2000, 200, 2200])
  assert.deepEqual([order.title, order.description, order.deadline], [body.title, body.description, body.deadline])
  assert.deepEqual(
    [order.source_service_quote_id, order.source_service_request_id, order.workflow],
    [quote.id, null, null],
  )
  assert.deepEqual([order.origin, order.bid_text], [{ kind: 'service', id: service.id, bid_id: null }, null])
  assert.deepEqual(order.service_snapshot, {
    service,
    quantity: 2,
    parameters: { field_0: 'red' },
    input_attachment_ids: [],
  })
  const { role, actions, customer_unanswered, ...same } = await reread(ada, order)
  assert.deepEqual([role, actions.map(({ name }: { name: string }) => name)], ['contractor', ['accept', 'reject']])
  assert.equal(customer_unanswered, 0)
  assert.deepEqual({ ...order, ...same }, order)
  const again = await bob.post('/orders', body)
  assert.deepEqual([code(again), again.body], ['200', made.body])
  assert.equal(code(await bob.post('/orders', { ...body, title: 'Another' })), '409 idempotency_conflict')
  assert.equal(code(await orderBy(w, bob, quote)), '409 quote_already_used')
  w.travel(quoteLifetime)
  assert.equal(code(await orderBy(w, bob, quote)), '409 quote_already_used')
  assert.equal(code(await bob.post('/orders', body)), '200')
  const replayed = await bob.post(`/services/${service.id}/quote`, quoteBody(changed.body.service))
  assert.equal(code(replayed), '201')

  const accepted = await step(ada, order, 'accept')
  assert.equal(accepted.state, 'funded')
  const delivered = await step(ada, accepted, 'deliver')
  const closed = await step(bob, delivered, 'complete')
  assert.deepEqual(closed.service_snapshot, order.service_snapshot)
  assert.equal(
    code(
      await bob.post(`/orders/${order.id}/reprice`, {
        operation_id: randomUUID(),
        expected_version: 1,
        amount_minor: 1,
        confirmed_total_minor: 1,
      }),
    ),
    '409 version_conflict',
  )
})

test('order refusals for a quote', async () => {
  const service = await published(ada)
  const quote = await quoted(bob, service)
  const refused = async (fields: object, expected: string, who = bob) =>
    assert.equal(
      code(await orderBy(w, who, quote, fields as Record<string, unknown>)),
      expected,
      JSON.stringify(fields),
    )
  await refused({}, '404 not_found', mia)
  await refused({}, '404 not_found', ada)
  await refused({ service_quote_id: randomUUID() }, '404 not_found')
  for (const [key, value] of Object.entries({
    amount_minor: 1000,
    contractor_id: ada.id,
    customer_id: bob.id,
    input_attachment_ids: [],
    quantity: 1,
  })) {
    const answer = await orderBy(w, bob, quote, { [key]: value })
    assert.equal(code(answer), '400 invalid_input', key)
    assert.deepEqual(problemsOf(answer.body), [key])
  }
  const unconfirmed = await orderBy(w, bob, quote, { confirmed_total_minor: undefined })
  assert.deepEqual([code(unconfirmed), problemsOf(unconfirmed.body)], ['400 invalid_input', ['confirmed_total_minor']])
  await refused({ deadline: inTime(w, -1) }, '400 invalid_input')
  await refused({ confirmed_total_minor: 1099 }, '409 state_conflict')
  const stranger = await quoted(mia, service)
  assert.equal(code(await orderBy(w, mia, stranger)), '403 friendship_required')
  assert.equal(code(await orderBy(w, mia, stranger, { confirmed_total_minor: 1 })), '403 friendship_required')
  // None of these used it.
  assert.equal(code(await orderBy(w, bob, quote)), '201')
  const direct = await bob.post('/orders', { ...offerBody(w, ada), amount_minor: undefined })
  assert.deepEqual([code(direct), problemsOf(direct.body)], ['400 invalid_input', ['amount_minor']])
})

test('a quote expires after ten minutes, to the millisecond', async () => {
  const service = await published(ada)
  const [one, two] = [await quoted(bob, service), await quoted(bob, service)]
  await w.sql`update service_quotes set expires_at = ${new Date(w.now().getTime() + hours(1))} where id = ${one.id}`
  await w.sql`update service_quotes set expires_at = ${w.now()} where id = ${two.id}`
  assert.equal(code(await orderBy(w, bob, one)), '201')
  assert.equal(code(await orderBy(w, bob, two)), '409 quote_expired')
  const three = await quoted(bob, service)
  w.travel(quoteLifetime)
  assert.equal(code(await orderBy(w, bob, three)), '409 quote_expired')
})

test('a paused or archived service takes no new orders; published again it does', async () => {
  const service = await published(ada)
  const quote = await quoted(bob, service)
  const paused = await moved(ada, service, 'pause')
  assert.equal(code(await orderBy(w, bob, quote)), '409 service_unavailable')
  const again = await moved(ada, paused, 'publish')
  assert.equal(code(await orderBy(w, bob, quote)), '201')
  const last = await quoted(bob, again)
  await moved(ada, again, 'archive')
  assert.equal(code(await orderBy(w, bob, last)), '409 service_unavailable')
})

test('a blocked friend cannot order by an earlier quote', async () => {
  const [eve, fay, contactId] = await w.friends('eve', 'fay')
  const quote = await quoted(fay, await published(eve))
  await eve.post(`/contacts/${contactId}/block`)
  assert.equal(code(await orderBy(w, fay, quote)), '403 friendship_required')
})

test('files of a quote are your own, ready, for orders, of the requested types, and bound only by the order', async () => {
  const service = await published(ada, {
    input_schema: formOf({ type: 'attachment', media_types: ['image/png', 'application/pdf'] }),
  })
  const file = (fields: Parameters<typeof givenFile>[2] = {}) =>
    givenFile(w, bob, { purpose: 'order', file_format: 'png', ...fields })
  const asks = async (ids: string[], named: string | undefined, expected: string) => {
    const parameters = named === undefined ? {} : { field_0: named }
    const answer = await askQuote(bob, service, { parameters, input_attachment_ids: ids })
    assert.equal(code(answer), expected, JSON.stringify(answer.body.error?.details))
    return answer.body.quote
  }
  const png = await file()
  const jpeg = await file({ file_format: 'jpeg' })
  await asks([], png, '400 invalid_input')
  await asks([jpeg], png, '400 invalid_input')
  await asks([jpeg], jpeg, '400 invalid_input')
  await asks([jpeg], undefined, '201')
  await asks([randomUUID()], undefined, '404 invalid_attachment')
  await asks([await givenFile(w, mia, { purpose: 'order', file_format: 'png' })], undefined, '404 invalid_attachment')
  await asks([await file({ purpose: 'portfolio' })], undefined, '404 invalid_attachment')
  await asks([await file({ status: 'pending' })], undefined, '404 invalid_attachment')
  const others = [await file(), await file()]
  const quote = await asks([jpeg, png], png, '201')
  const twin = await asks([png], png.toUpperCase(), '201')
  assert.equal((await bob.get(`/attachments/${png}`)).body.attachment.binding, null)
  const made = await orderBy(w, bob, quote)
  assert.equal(code(made), '201', JSON.stringify(made.body))
  assert.deepEqual(pluck(made.body.order.input_attachments, 'id'), [jpeg, png])
  assert.deepEqual(made.body.order.service_snapshot.input_attachment_ids, [jpeg, png])
  assert.equal((await ada.get(`/attachments/${png}`)).status, 200)
  await asks([png], png, '409 attachment_already_bound')
  assert.equal(code(await orderBy(w, bob, twin)), '409 attachment_already_bound')
  const late = await asks(others, undefined, '201')
  assert.equal((await w.request('DELETE', `/attachments/${others[0]}`, { token: bob.token })).status, 202)
  assert.equal(code(await orderBy(w, bob, late)), '404 invalid_attachment')
  assert.equal((await bob.get(`/attachments/${others[1]}`)).body.attachment.binding, null, 'all of them or none')
})

test('a repeated quote request is one quote, however its parameters are written', async () => {
  const types = [{ type: 'long_text' }, { type: 'integer' }, { type: 'attachment', media_types: ['image/png'] }]
  const service = await published(ada, { input_schema: formOf(...types) })
  const file = await givenFile(w, bob, { purpose: 'order', file_format: 'png' })
  const body = quoteBody(service, {
    parameters: { field_0: 'a\nb', field_1: 1, field_2: file },
    input_attachment_ids: [file],
  })
  const path = `/services/${service.id}/quote`
  const first = await bob.post(path, body)
  const again = await bob.post(path, {
    ...body,
    quantity: 1,
    parameters: { field_2: file.toUpperCase(), field_1: 1.0, field_0: ' a\r\nb ' },
    input_attachment_ids: [file.toUpperCase()],
  })
  assert.deepEqual([code(first), code(again), again.body], ['201', '200', first.body])
  assert.equal(code(await bob.post(path, { ...body, quantity: 2 })), '409 idempotency_conflict')
  await moved(ada, service, 'archive')
  assert.equal(code(await bob.post(path, body)), '200', 'what was answered is answered again')
})

test('a customer may have a thousand unused quotes, until they are used or removed', async () => {
  const [finn, gus] = await w.friends('finn', 'gus')
  const service = await published(finn)
  const used = await quoted(gus, service)
  assert.equal(code(await orderBy(w, gus, used)), '201')
  assert.equal(await countOf(w.sql, quoteQuota, gus.id), 0, 'what gave an order makes room')
  const unused = await quoted(gus, service)
  await w.sql`update party_counts set value = 999 where party_id = ${gus.id} and name = 'service_quotes'`
  const answers = await race(20, () => askQuote(gus, service))
  assert.deepEqual(answers.map(code).sort(), ['201', ...Array.from({ length: 19 }, () => '429 quote_limit')])
  await w.sql`update party_counts set value = 2 where party_id = ${gus.id} and name = 'service_quotes'`
  const ended = async (ago: number): Promise<void> => {
    await w.sql`
      update service_quotes set created_at = ${new Date(0)}, expires_at = ${new Date(w.now().getTime() - ago)}
      where customer_id = ${gus.id}`
    await sweep()
  }
  await ended(unusedLifetime - hours(1))
  assert.equal(await countOf(w.sql, quoteQuota, gus.id), 2, 'thirty days after its end, and not before')
  await ended(unusedLifetime)
  assert.equal(await countOf(w.sql, quoteQuota, gus.id), 0)
  assert.deepEqual(
    pluck(await w.sql<{ id: string }>`select id from service_quotes where customer_id = ${gus.id}`, 'id'),
    [used.id],
    'what gave an order stays',
  )
  assert.equal(code(await orderBy(w, gus, unused)), '404 not_found')
  assert.equal(unusedLifetime, days(30))
})

test('there may be a hundred thousand quotes', async () => {
  const service = await published(ada)
  const before = await totalOf(w.sql, quoteQuota.name)
  await w.sql`insert into counters (name, shard, value) values ('service_quotes', 1000, ${99_999 - before})`
  const answers = await race(20, (n) => askQuote(n % 2 ? bob : mia, service))
  assert.deepEqual(answers.map(code).sort(), ['201', ...Array.from({ length: 19 }, () => '429 quote_limit')])
  await w.sql`delete from counters where name = 'service_quotes' and shard = 1000`
})

test('a stranger is told to become friends first, while can_order is the same for everyone', async () => {
  const zoe = await w.agent('zoe')
  let service = await published(ada)
  const free = await published(ada, { price: priceBody({ mode: 'from' }) })
  const next = async (who: Agent, { id } = service): Promise<string[]> => {
    const { body } = await who.get(`/services/${id}`)
    assert.equal(body.service.can_order, service.state === 'published')
    return body.actions.map(({ method, path }: { method: string; path: string }) => `${method} ${path}`)
  }
  assert.deepEqual(await next(zoe), ['POST /api/v1/contacts/requests'])
  const { contact } = (await zoe.post('/contacts/requests', { recipient_id: ada.id })).body
  assert.deepEqual(await next(zoe), [], 'it waits for the answer')
  const mine = await published(zoe)
  assert.deepEqual(await next(ada, mine), [`POST /api/v1/contacts/${contact.id}/accept`])
  await ada.post(`/contacts/${contact.id}/accept`, {})
  for (const friend of [zoe, bob]) {
    assert.deepEqual(await next(friend), [`POST /api/v1/services/${service.id}/quote`])
    assert.deepEqual(await next(friend, free), ['POST /api/v1/service-requests'])
  }
  assert.deepEqual(await next(ada), [], 'its own')
  const quote = await quoted(zoe, service)
  assert.equal(code(await orderBy(w, zoe, quote)), '201', 'and now it can be ordered')
  service = await moved(ada, service, 'pause')
  assert.deepEqual(await next(zoe), [])
  service = await moved(ada, service, 'publish')
  await zoe.post(`/contacts/${contact.id}/block`, {})
  assert.deepEqual(await next(zoe), [], 'after a block')
})
