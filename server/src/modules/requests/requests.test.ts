// Asking for a service: the record and who reads it, what is refused, replays, lists and events.
// docs/contract/requests.md.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { givenFile } from '../../../test/files.ts'
import { pluck } from '../../../test/pluck.ts'
import { askBody, asked, moved, priced, requestOf, type Shown, serviceMoved } from '../../../test/requests.ts'
import { beforehand, story } from '../../../test/story.ts'
import { type Agent, befriend, code } from '../../../test/world.ts'
import { setServiceHidden } from '../catalog/listing.ts'
import { setProfileHidden, setSuspended } from '../profiles/profiles.ts'

const { w, ada, bob, eve } = story('eve', { friends: ['ada', 'bob'] })
const icons = beforehand(() => priced(bob, { input_schema: form }))

const form = {
  version: 1,
  fields: [
    { key: 'style', type: 'short_text', label: 'Style', required: true },
    { key: 'size', type: 'integer', label: 'Size', min: 0 },
    { key: 'loud', type: 'boolean', label: 'Loud' },
    { key: 'sketch', type: 'attachment', label: 'Sketch', media_types: ['image/png', 'image/jpeg'] },
  ],
}
const parameters = { style: 'round', size: 0, loud: false }
const orderFile = (who: Agent): Promise<string> => givenFile(w, who, { purpose: 'order' })

test('a request keeps its input, and both sides read the same', async () => {
  const sketch = await orderFile(ada)
  const input = { parameters: { ...parameters, sketch }, quantity: 12, input_attachment_ids: [sketch] }
  const request = await asked(ada, icons, input)
  const { id, created_at, expires_at, input_attachments, snapshot, ...rest } = request
  assert.deepEqual(rest, {
    service_id: icons.id,
    service_version: icons.version,
    customer_id: ada.id,
    provider_id: bob.id,
    title: 'Twelve icons',
    description: 'Round, and blue',
    ...input,
    status: 'open',
    version: 1,
    order_id: null,
    order_state: null,
    closed_reason: null,
    updated_at: created_at,
    closed_at: null,
  })
  assert.equal(new Date(expires_at).getTime() - new Date(created_at).getTime(), 7 * 86_400_000)
  assert.deepEqual(
    input_attachments.map((card: Shown) => [card.id, card.available, card.status]),
    [[sketch, true, 'ready']],
  )
  assert.deepEqual(snapshot, { service: icons, ...input })
  assert.deepEqual(await requestOf(ada, request), request)
  assert.deepEqual(await requestOf(bob, request), request)
  const { attachment } = (await ada.get(`/attachments/${sketch}`)).body
  assert.deepEqual(attachment.binding, { kind: 'service_request', id, role: 'input', active: true })
})

test('omitted fields get defaults, and explicit defaults are the same request', async () => {
  const plain = await priced(bob)
  const body = askBody(plain)
  const first = await ada.post('/service-requests', body)
  assert.equal(code(first), '201')
  const { quantity, parameters: given, input_attachment_ids: files, input_attachments: cards } = first.body.request
  assert.deepEqual([quantity, given, files, cards], [1, {}, [], []])
  const again = await ada.post('/service-requests', {
    ...body,
    service_id: plain.id.toUpperCase(),
    title: ' Twelve icons ',
    quantity: 1.0,
    parameters: {},
    input_attachment_ids: [],
  })
  assert.equal(code(again), '200')
  assert.deepEqual(again.body, first.body)
})

test('friends can request available services priced by the case, at the current version, and nobody else can', async () => {
  const draft = (
    await bob.post('/services', {
      operation_id: randomUUID(),
      title: 'A draft',
      description: 'Not yet',
      price: { mode: 'from', amount_minor: 1000 },
      delivery_description: 'Nothing',
    })
  ).body.service
  const paused = await serviceMoved(bob, await priced(bob), 'pause')
  const archived = await serviceMoved(bob, await priced(bob), 'archive')
  const fixed = await priced(bob, { price: { mode: 'fixed', unit_label: 'icon', amount_minor: 1000 } })
  const tries: [string, Agent, Shown, Record<string, unknown>, string][] = [
    ['no such service', ada, { ...icons, id: randomUUID() }, {}, '404 not_found'],
    ['a draft', ada, draft, {}, '404 not_found'],
    ['an archived one', ada, archived, {}, '404 not_found'],
    ['a paused one', ada, paused, {}, '409 service_unavailable'],
    ['one of a fixed price', ada, fixed, {}, '409 price_mode_mismatch'],
    [
      'an older version',
      ada,
      icons,
      { expected_service_version: icons.version - 1, parameters },
      '409 version_conflict',
    ],
    ['one to come', ada, icons, { expected_service_version: icons.version + 1, parameters }, '409 version_conflict'],
    ["a provider's own", bob, icons, { parameters }, '403 forbidden'],
    ['an own draft', bob, draft, {}, '403 forbidden'],
    ['a stranger', eve, icons, { parameters }, '403 friendship_required'],
    ['a stranger, whatever the version', eve, icons, { expected_service_version: 0 }, '403 friendship_required'],
  ]
  for (const [what, who, service, fields, expected] of tries) {
    assert.equal(code(await who.post('/service-requests', askBody(service, fields))), expected, what)
  }
})

test('parameters are checked against the form, and each error names its field', async () => {
  const sketch = await orderFile(ada)
  const movie = await givenFile(w, ada, { purpose: 'order', file_format: 'mp4' })
  const tries: [object, string[]][] = [
    [{}, ['parameters.style']],
    [{ style: '' }, ['parameters.style']],
    [{ style: '\u200b' }, ['parameters.style']],
    [{ style: null }, ['parameters.style']],
    [{ style: 1, size: '1', loud: 0 }, ['parameters.style', 'parameters.size', 'parameters.loud']],
    [{ style: 'a', size: true }, ['parameters.size']],
    [{ style: 'a', size: -1 }, ['parameters.size']],
    [{ style: 'a', size: null }, ['parameters.size']],
    [{ style: 'a', colour: 'blue' }, ['parameters.colour']],
    [{ style: 'a', constructor: 'x', toString: 1 }, ['parameters.constructor', 'parameters.toString']],
    [{ style: `a${'\u0000'}` }, ['parameters.style']],
    [{ style: 'a', sketch }, ['parameters.sketch']],
  ]
  for (const [given, paths] of tries) {
    const answer = await ada.post('/service-requests', askBody(icons, { parameters: given }))
    assert.equal(code(answer), '400 invalid_input', JSON.stringify(given))
    assert.deepEqual(answer.body.error.details.fields.map(({ path }: Shown) => path).sort(), [...paths].sort())
  }
  const raw = JSON.stringify(askBody(icons, { parameters })).replace('"style"', '"__proto__":{"style":"x"},"style"')
  assert.equal(code(await w.request('POST', '/service-requests', { token: ada.token, raw })), '400 invalid_input')
  const wrongType = { parameters: { style: 'a', sketch: movie }, input_attachment_ids: [movie] }
  assert.equal(code(await ada.post('/service-requests', askBody(icons, wrongType))), '400 invalid_input')
})

test('files are your own, ready, for orders and otherwise unused', async () => {
  const ask = async (id: string) =>
    code(await ada.post('/service-requests', askBody(icons, { parameters, input_attachment_ids: [id] })))
  assert.equal(await ask(randomUUID()), '404 invalid_attachment')
  assert.equal(await ask(await orderFile(bob)), '404 invalid_attachment')
  assert.equal(await ask(await givenFile(w, ada)), '404 invalid_attachment', 'for a portfolio')
  assert.equal(await ask(await givenFile(w, ada, { purpose: 'order', status: 'rejected' })), '404 invalid_attachment')
  const file = await orderFile(ada)
  assert.equal(await ask(file), '201')
  assert.equal(await ask(file), '409 attachment_already_bound')
  const several = await Promise.all([0, 1, 2].map(() => orderFile(ada)))
  const made = await ada.post('/service-requests', askBody(icons, { parameters, input_attachment_ids: several }))
  assert.deepEqual(pluck(made.body.request.input_attachments, 'id'), several, 'in their order')
})

test('a quantity that costs more than an order may cost is refused', async () => {
  // 909,090,909,090 and its fee are the most that an order may cost.
  const dear = await priced(bob, { price: { mode: 'from', unit_label: 'icon', amount_minor: 90_909_090_909 } })
  assert.equal(code(await ada.post('/service-requests', askBody(dear, { quantity: 10 }))), '201')
  const answer = await ada.post('/service-requests', askBody(dear, { quantity: 11 }))
  assert.equal(code(answer), '400 invalid_input')
  assert.equal(answer.body.error.details.fields[0].path, 'quantity')
})

test('a quantity is at most 1000', async () => {
  const cheap = await priced(bob)
  for (const [quantity, expected] of [
    [0, '400 invalid_input'],
    [1000, '201'],
    [1001, '400 invalid_input'],
  ] as const)
    assert.equal(code(await ada.post('/service-requests', askBody(cheap, { quantity }))), expected, String(quantity))
})

test('services of closed, suspended or hidden providers, and hidden services, take no requests; existing ones stay', async () => {
  const dan = await w.agent('dan')
  await befriend(ada, dan)
  const service = await priced(dan)
  const request = await asked(ada, service)
  const tx = w.service.sql.transaction
  const ways: [string, (away: boolean) => Promise<unknown>][] = [
    ['closed', (away) => dan.patch('/bots/me', { profile_public: !away })],
    ['suspended', (away) => tx((inside) => setSuspended(inside, dan.id, away))],
    ['hidden', (away) => tx((inside) => setProfileHidden(inside, dan.id, away))],
    ['the service hidden', (away) => tx((inside) => setServiceHidden(inside, service.id, away))],
  ]
  for (const [what, turn] of ways) {
    await turn(true)
    assert.equal(code(await ada.post('/service-requests', askBody(service))), '404 not_found', what)
    assert.deepEqual(await requestOf(ada, request), request, what)
    assert.deepEqual(await requestOf(dan, request), request, what)
    await turn(false)
    assert.equal(code(await ada.post('/service-requests', askBody(service))), '201', `${what}, and back`)
  }
})

test('the list has the requests that you made and those made to you, newest first, in pages', async () => {
  const [gil, hal] = await w.friends('gil', 'hal')
  const [ofGil, ofHal] = [await priced(gil), await priced(hal)]
  const made: string[] = []
  for (let n = 0; n < 7; n++) made.unshift((await (n % 2 ? asked(gil, ofHal) : asked(hal, ofGil))).id)
  await moved(w, hal, await requestOf(hal, { id: made[6] as string }), 'cancel')
  for (const who of [gil, hal]) {
    const all = (await who.get('/service-requests')).body
    assert.deepEqual(pluck(all.items, 'id'), made)
    assert.deepEqual(all.pagination, { page: 1, page_size: 20, total: 7 })
    const third = (await who.get('/service-requests?page=3&page_size=3')).body
    assert.deepEqual(pluck(third.items, 'id'), made.slice(6))
    assert.deepEqual(third.pagination, { page: 3, page_size: 3, total: 7 })
    assert.deepEqual((await who.get('/service-requests?page=1000&page_size=50')).body.items, [])
  }
})

test('both sides get an event for every version, from channel version 3 on', async () => {
  const [ida, jon] = await w.friends('ida', 'jon')
  const service = await priced(jon)
  const ears = [await ida.events(3), await jon.events(3)]
  const deaf = await ida.events(2)
  const request = await asked(ida, service)
  const cancelled = await moved(w, ida, request, 'cancel')
  for (const ear of ears) {
    for (const [version, status] of [
      [1, 'open'],
      [2, 'cancelled'],
    ]) {
      const { payload } = await ear.next('service_request.changed')
      assert.deepEqual(payload, { request_id: request.id, status, version })
    }
    await ear.close()
  }
  assert.equal(cancelled.version, 2)
  assert.deepEqual(
    deaf.frames.filter(({ kind }) => kind === 'service_request.changed'),
    [],
  )
  await deaf.close()
})
