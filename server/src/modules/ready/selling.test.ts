// A finished work on its way to be sold again. docs/contract/ready.md#proposing, #consent, #publication.
import assert from 'node:assert/strict'
import { createHash, randomUUID } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { test } from 'node:test'
import { money, offer, reread as rereadOrder, step, trade } from '../../../test/orders.ts'
import {
  acceptedOrder,
  agreed,
  bought,
  consent,
  consentBody,
  onSale,
  proposeBody,
  proposed,
  reread,
  type Shown,
  withdraw,
} from '../../../test/ready.ts'
import { change, move, priceBody } from '../../../test/services.ts'
import { beforehand, story } from '../../../test/story.ts'
import { type Agent, befriend, code, race, worldFor } from '../../../test/world.ts'
import { days, hours } from '../../kernel/clock.ts'
import { OperatorError } from '../../operator/operator.ts'
import { canonical } from '../../store/once.ts'

let made: { order: Shown; files: string[] }
const { w, carl } = story('carl')
const pia = beforehand(() => w.agent('pia', { profile_public: true }))
const zoe = beforehand(() => w.agent('zoe', { profile_public: true }))
beforehand(async () => {
  await befriend(pia, carl)
  made = await acceptedOrder(w, carl, pia, { files: 2 })
})

const propose = (fields: Record<string, unknown> = {}, who = pia) =>
  who.post('/ready-services', proposeBody(made.order, made.files, fields))

test('a work is proposed, consented to by both, approved, and then found by everyone', async () => {
  const events = await carl.events()
  const ready = await proposed(pia, made.order, made.files)
  const { service, agreement } = ready
  assert.equal(service.state, 'draft')
  assert.equal(service.version, 1)
  assert.deepEqual(service.ready, {
    digest: agreement.digest,
    license_code: 'nonexclusive-no-resale-v1',
    sold_count: 0,
  })
  assert.deepEqual(
    [agreement.provider_id, agreement.customer_id, agreement.source_order_id],
    [pia.id, carl.id, made.order.id],
  )
  assert.deepEqual([agreement.provider_share_minor, agreement.customer_share_minor], [7000, 3000])
  assert.equal(agreement.result_text, 'Print it large')
  assert.deepEqual(
    agreement.attachments.map((file: Shown) => [file.id, file.available]),
    made.files.map((id) => [id, true]),
  )
  assert.deepEqual(agreement.consent, { provider: false, customer: false })
  assert.equal(agreement.moderation, null)
  // Whoever has the terms can tell their digest.
  assert.equal(createHash('sha256').update(canonical(agreement.terms)).digest('hex'), agreement.digest)
  assert.equal(agreement.terms.service.price.amount_minor, 10_000)

  assert.deepEqual((await events.next('order.changed')).payload.order_id, made.order.id)
  const [proposal] = (await rereadOrder(carl, made.order)).ready_service_proposals
  assert.deepEqual(proposal, {
    service_id: service.id,
    title: 'A round logo',
    state: 'draft',
    digest: agreement.digest,
    consent: { provider: false, customer: false },
    moderation: null,
    withdrawn: false,
    agreement_url: `/api/v1/services/${service.id}/ready`,
  })
  // The first customer reads the draft by the agreement alone; to others there is neither.
  assert.equal(code(await carl.get(`/services/${service.id}`)), '404 not_found')
  assert.equal((await reread(carl, ready)).service.title, 'A round logo')
  assert.equal(code(await zoe.get(`/services/${service.id}/ready`)), '404 not_found')

  assert.equal(code(await consent(carl, ready)), '200')
  assert.deepEqual((await reread(pia, ready)).agreement.consent, { provider: false, customer: true })
  assert.equal((await reread(pia, ready)).agreement.moderation, null)
  assert.equal((await w.operator('ready', 'list')).text, 'No works waiting.')
  assert.equal(code(await consent(pia, ready)), '200')
  const both = await reread(carl, ready)
  assert.deepEqual(both.agreement.consent, { provider: true, customer: true })
  assert.deepEqual(both.agreement.moderation, { status: 'pending', reason: null, decided_at: null })
  assert.equal(both.service.state, 'draft')
  assert.equal(code(await zoe.get(`/services/${service.id}`)), '404 not_found')
  assert.match(
    (await w.operator('ready', 'list')).text,
    new RegExp(`${service.id} .*pia +carl +100.00 +2 +A round logo`),
  )
  assert.match((await w.operator('queue')).text, /Ready-made +1 works waiting for a moderator/)

  const said = await w.operator('ready', 'approve', service.id)
  assert.equal(said.text, `The work ${service.id} is approved and published`)
  assert.equal((await w.operator('ready', 'list')).text, 'No works waiting.')
  const shown = await zoe.get(`/services/${service.id}`)
  assert.equal(code(shown), '200')
  assert.deepEqual([shown.body.service.state, shown.body.service.can_order], ['published', true])
  assert.equal(shown.body.service.ready.digest, agreement.digest)
  const found = await zoe.get('/services?q=round%20logo')
  assert.ok(found.body.items.some((each: Shown) => each.id === service.id && each.ready.sold_count === 0))
  assert.equal((await reread(carl, ready)).agreement.moderation.status, 'approved')
  const audit = (await w.operator('audit')).text
  assert.match(audit, new RegExp(`moderation.approve .*subject=${service.id}`))
  const { history } = (await carl.get(`/orders/${made.order.id}`)).body
  assert.deepEqual(
    history.slice(-4).map((line: Shown) => [line.action, line.actor_id]),
    [
      ['propose-resale', pia.id],
      ['consent-resale', carl.id],
      ['consent-resale', pia.id],
      ['approve-resale', null],
    ],
  )
  await events.close()
})

test('invalid proposals are refused', async () => {
  const { order } = made
  const price = (fields: Record<string, unknown>) => ({ service: { price: priceBody(fields) } })
  for (const [what, fields] of [
    ['a price that is no fixed one', price({ mode: 'from', amount_minor: 10_000 })],
    ['the price of the order', price({ amount_minor: order.amount_minor })],
    ['more than the order', price({ amount_minor: order.amount_minor + 1 })],
    ['a form', { service: { input_schema: { version: 1, fields: [{ key: 'a', type: 'boolean', label: 'A' }] } } }],
    ['a duration', { service: { estimated_duration_seconds: 60 } }],
    ['a part of a unit', { customer_share_bps: 1, ...price({ amount_minor: 9999 }) }],
    ['nothing for the provider', { customer_share_bps: 5000, ...price({ amount_minor: 1 }) }],
    ['nothing to hand over', { result_text: ' ', attachment_ids: [] }],
  ] as const) {
    assert.equal(code(await propose(fields)), '400 invalid_input', what)
  }
  for (const attachment of [randomUUID(), (await acceptedOrder(w, carl, pia)).files[0]]) {
    assert.equal(code(await propose({ attachment_ids: [attachment] })), '404 invalid_attachment')
  }
  assert.equal(code(await propose({ source_order_id: randomUUID() })), '404 not_found')
  assert.equal(code(await propose({}, zoe)), '404 not_found')
  assert.equal(code(await propose({}, carl)), '403 forbidden')
  assert.equal(code(await propose({ service: { portfolio_post_ids: [randomUUID()] } })), '400 invalid_portfolio')
  for (const state of ['offered', 'delivered', 'refunded', 'cancelled'] as const) {
    const other = await trade(w, carl, pia, state)
    const answer = await propose({ source_order_id: other.id, attachment_ids: [] })
    assert.equal(code(answer), '409 invalid_state', state)
  }
})

test('the smallest price that pays both sides is accepted, and an empty form is written out', async () => {
  const fields = { customer_share_bps: 9999, service: { price: priceBody({ amount_minor: 2 }) } }
  const { agreement } = await proposed(pia, made.order, [], fields)
  assert.deepEqual([agreement.provider_share_minor, agreement.customer_share_minor], [1, 1])
  const least = { customer_share_bps: 1, service: { price: priceBody({ amount_minor: 10_000 }) } }
  const { agreement: other } = await proposed(pia, made.order, made.files.slice(1), {
    ...least,
    result_text: '',
    service: { ...least.service, input_schema: { version: 1, fields: [] }, estimated_duration_seconds: null },
  })
  assert.deepEqual([other.provider_share_minor, other.customer_share_minor], [9999, 1])
  const most = { service: { price: priceBody({ amount_minor: made.order.amount_minor - 1 }) } }
  assert.equal((await proposed(pia, made.order, [], most)).agreement.terms.service.price.amount_minor, 19_999)
})

test('each side consents for itself, to the exact terms, with the rights confirmed', async () => {
  const ready = await proposed(pia, made.order, made.files)
  assert.equal(code(await consent(pia, ready, { expected_digest: '0'.repeat(64) })), '409 state_conflict')
  assert.equal(code(await consent(pia, ready, { expected_digest: 'whatever' })), '409 state_conflict')
  for (const rights_confirmed of [false, undefined]) {
    assert.equal(code(await consent(pia, ready, { rights_confirmed })), '400 publication_rights_required')
  }
  assert.equal(code(await consent(zoe, ready)), '404 not_found')
  assert.equal(code(await pia.post(`/services/${randomUUID()}/ready/consent`, consentBody(ready))), '404 not_found')
  const digest = ready.agreement.digest.toUpperCase()
  assert.equal(code(await consent(pia, ready, { expected_digest: digest })), '200')
  assert.equal(code(await consent(pia, ready)), '409 invalid_state', 'given already')
  // A provider that nobody sees publishes nothing; the first customer may stay closed.
  const second = await proposed(pia, made.order, made.files)
  await pia.patch('/bots/me', { profile_public: false })
  assert.equal(code(await consent(pia, second)), '403 public_profile_required')
  assert.equal(code(await consent(carl, second)), '200')
  await pia.patch('/bots/me', { profile_public: true })
  assert.equal(code(await consent(pia, second)), '200')
})

test('twenty consents of both sides count once per side', async () => {
  const ready = await proposed(pia, made.order, made.files)
  const answers = await race(20, (at) => consent(at % 2 === 0 ? carl : pia, ready))
  assert.equal(answers.filter((each) => each.status === 200).length, 2)
  assert.equal(answers.filter((each) => code(each) === '409 invalid_state').length, 18)
  assert.equal((await reread(carl, ready)).agreement.moderation.status, 'pending')
})

test('consented terms do not change, and nobody publishes them without approval', async () => {
  const ready = await agreed(pia, carl, await proposed(pia, made.order, made.files))
  const { service } = ready
  assert.equal(code(await change(pia, service, { title: 'Another logo' })), '409 invalid_state')
  assert.equal(code(await move(pia, service, 'publish')), '409 invalid_state')
  assert.throws(() => w.operator('ready', 'reject', service.id), /--reason is missing/)
  const said = await w.operator('ready', 'reject', service.id, '--reason', 'Not your own font')
  assert.equal(said.text, `The work ${service.id} is rejected and draft`)
  const rejected = await reread(carl, ready)
  assert.equal(rejected.agreement.moderation.status, 'rejected')
  assert.equal(rejected.agreement.moderation.reason, 'Not your own font')
  assert.equal(rejected.service.state, 'draft')
  assert.equal(code(await move(pia, service, 'publish')), '409 invalid_state')
  await assert.rejects(w.operator('ready', 'approve', service.id), { code: 'invalid_state' })
  await assert.rejects(
    w.operator('ready', 'approve', made.order.id),
    new OperatorError(`There is no ready-made service ${made.order.id}`),
  )
  assert.equal(code(await move(pia, service, 'archive')), '200')
})

test('a provider pauses and republishes a work; archiving is permanent', async () => {
  const ready = await onSale(w, pia, carl)
  const paused = (await move(pia, ready.service, 'pause')).body.service
  assert.equal(paused.state, 'paused')
  const again = await move(pia, paused, 'publish')
  assert.equal(code(again), '200')
  assert.equal(code(await change(pia, again.body.service, { title: 'Another' })), '409 invalid_state')
  const archived = await move(pia, again.body.service, 'archive')
  assert.equal(archived.body.service.state, 'archived')
  assert.equal(code(await consent(carl, ready)), '409 invalid_state')
  const { agreement } = await reread(carl, ready)
  assert.equal(agreement.withdrawn, false)
})

test('a first customer sees a closed provider under its earlier name', async () => {
  const [una, cem] = [await w.agent('una', { display_name: 'Una', profile_public: true }), await w.agent('cem')]
  await befriend(una, cem)
  const { order, files } = await acceptedOrder(w, cem, una)
  const { service } = await proposed(una, order, files)
  await una.patch('/bots/me', { profile_public: false })
  await una.patch('/bots/me', { display_name: 'Nobody’s business' })
  const named = async (who: Agent) =>
    (await who.get(`/services/${service.id}/ready`)).body.service.provider.display_name
  assert.equal(await named(cem), 'Una')
  assert.equal(await named(una), 'Nobody’s business')
  await una.patch('/bots/me', { profile_public: true })
  assert.equal(await named(cem), 'Nobody’s business')
})

test('a work withdrawn by either side is no longer sold, permanently', async () => {
  for (const who of [pia, carl]) {
    const ready = await onSale(w, pia, carl)
    const wrong = { service: ready.service, agreement: { digest: 'f'.repeat(64) } }
    assert.equal(code(await withdraw(who, wrong)), '409 state_conflict')
    assert.equal(code(await withdraw(zoe, ready)), '404 not_found')
    const answer = await withdraw(who, ready)
    assert.equal(code(answer), '200')
    assert.equal(answer.body.service.state, 'archived')
    assert.deepEqual([answer.body.agreement.withdrawn, answer.body.agreement.withdrawn_by], [true, who.id])
    assert.equal(code(await withdraw(carl, ready)), '409 invalid_state')
    assert.equal(code(await zoe.get(`/services/${ready.service.id}`)), '404 not_found')
    assert.equal(code(await move(pia, answer.body.service, 'publish')), '409 invalid_state')
  }
  // A draft too, and what waits for a moderator waits no more.
  const ready = await agreed(pia, carl, await proposed(pia, made.order, made.files))
  assert.equal(code(await withdraw(carl, ready)), '200')
  assert.equal((await w.operator('ready', 'list')).text.includes(ready.service.id), false)
  await assert.rejects(w.operator('ready', 'approve', ready.service.id), { code: 'invalid_state' })
  const early = await proposed(pia, made.order, made.files)
  assert.equal(code(await withdraw(carl, early)), '200')
  assert.equal(code(await consent(pia, early)), '409 invalid_state')
})

test('of simultaneous approval, rejection and withdrawal one counts, and a withdrawn work is not for sale', async () => {
  for (const rival of ['reject', 'withdraw'] as const) {
    const ready = await agreed(pia, carl, await proposed(pia, made.order, made.files))
    const { id } = ready.service
    const said = await Promise.allSettled(
      Array.from({ length: 20 }, async (_, at) => {
        if (at % 2 === 0) return w.operator('ready', 'approve', id)
        if (rival === 'reject') return w.operator('ready', 'reject', id, '--reason', 'A story')
        const answer = await withdraw(at % 4 === 1 ? pia : carl, ready)
        return answer.status === 200 ? answer : Promise.reject(new Error(code(answer)))
      }),
    )
    const taken = said.filter(({ status }) => status === 'fulfilled').length
    const { service, agreement } = await reread(pia, ready)
    if (rival === 'reject') {
      assert.equal(taken, 1)
      assert.equal(service.state, agreement.moderation.status === 'approved' ? 'published' : 'draft')
    } else {
      // One withdrawal, and at most one approval before it.
      assert.equal(taken, agreement.moderation.status === 'approved' ? 2 : 1)
      assert.deepEqual([service.state, agreement.withdrawn], ['archived', true])
    }
    const entries = await w.sql`select 1 from audit_log where details->>'subject' = ${id}`
    assert.equal(entries.length, agreement.moderation.status === 'pending' ? 0 : 1)
  }
})

test('a proposal needs its files to exist, and so does the last consent', async (t) => {
  const own = await worldFor(t, { env: { FILE_RETENTION_DAYS: '3' } })
  const [pat, cid] = await own.friends('pat', 'cid')
  await pat.patch('/bots/me', { profile_public: true })
  const { order, files } = await acceptedOrder(own, cid, pat)
  const until = new Date(order.closed_at).getTime() + days(3)
  own.travel(until - own.now().getTime() - hours(1))
  const [ready, other] = [await proposed(pat, order, files), await proposed(pat, order, files)]
  assert.equal(code(await consent(pat, ready)), '200')
  assert.equal(code(await consent(pat, other)), '200')
  own.travel(hours(1))
  assert.equal(code(await consent(cid, ready)), '409 invalid_state')
  assert.equal(code(await pat.post('/ready-services', proposeBody(order, files))), '404 invalid_attachment')
  const text = await proposed(pat, order, [])
  assert.equal((await agreed(pat, cid, text)).agreement.moderation.status, 'pending')
})

test('a work whose bytes are missing or incomplete cannot be agreed on', async () => {
  for (const spoil of ['removed', 'cut'] as const) {
    const ready = await proposed(pia, made.order, made.files)
    assert.equal(code(await consent(pia, ready)), '200')
    const key = `${made.files[0]}/original`
    const bytes = await buffer(await w.service.storage.open(key))
    await w.service.storage.remove(made.files[0] as string)
    if (spoil === 'cut') await put(key, bytes.subarray(0, -1))
    assert.equal(code(await consent(carl, ready)), '409 invalid_state', spoil)
    await put(key, bytes)
    assert.equal(code(await consent(carl, ready)), '200')
  }
})

async function put(key: string, bytes: Buffer): Promise<void> {
  const path = join(w.service.storage.incoming, randomUUID())
  await writeFile(path, bytes)
  await w.service.storage.put(key, path)
}

test('a purchase cannot be resold', async () => {
  const ready = await onSale(w, pia, carl, { files: 0 })
  const order = await step(zoe, await bought(zoe, ready), 'complete')
  const again = await pia.post(
    '/ready-services',
    proposeBody(order, [], { service: { price: priceBody({ amount_minor: 5 }) } }),
  )
  assert.equal(code(again), '409 invalid_state')
  assert.deepEqual(order.ready_service_proposals, [])
  const [available] = await money(zoe)
  assert.equal(available, 500_000 - 11_000)
  assert.ok(await offer(w, carl, pia))
})
