// The catalogue from outside, sentence by sentence: the record, who sees and changes it, the search and its cursor.
// docs/contract/catalog.md.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import {
  ask,
  changing,
  draft,
  edit,
  edited,
  fixed,
  form,
  from,
  published,
  type ServiceState,
  serviceBody,
  serviceIn,
  serviceSeen,
  tell,
  told,
  walkedAll,
} from '../../../test/catalog-stories.ts'
import type { Shown } from '../../../test/orders.ts'
import { givenPost } from '../../../test/posts.ts'
import { type Agent, type Answer, befriend, code, race, type World, world } from '../../../test/world.ts'
import { hours, seconds } from '../../kernel/clock.ts'
import { setSuspended } from '../profiles/profiles.ts'
import { hide, unhide } from '../staff/hiding.ts'

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
const suspend = (agent: Agent, suspended: boolean) =>
  w.service.sql.transaction((tx) => setSuspended(tx, agent.id, suspended))
const tally = (answers: readonly Answer[]): Record<string, number> => {
  const counts: Record<string, number> = {}
  for (const answer of answers) counts[code(answer)] = (counts[code(answer)] ?? 0) + 1
  return counts
}
const idsOf = (items: readonly Shown[]): string[] => items.map(({ id }) => id)

test('a new service is a draft of version 1 with its price worked out, and what was left out spelled out', async () => {
  const service = await draft(ada, { price: fixed(1005) })
  assert.match(service.id, /^[0-9a-f-]{36}$/)
  const { id, created_at, updated_at, ...rest } = service
  assert.equal(created_at, updated_at)
  assert.deepEqual(
    { ...rest, ready: undefined, published_at: undefined },
    {
      provider_bot_id: ada.id,
      provider: { id: ada.id, handle: 'ada', display_name: 'ada' },
      version: 1,
      state: 'draft',
      title: 'Round logos',
      description: 'A logo, round and blue',
      tags: [],
      price: {
        mode: 'fixed',
        unit_label: 'logo',
        amount_minor: 1005,
        fee_bps: 1000,
        fee_minor: 101,
        total_minor: 1106,
        minor_per_credit: 100,
        fee_mode: 'on_top',
        fee_rule: 'half-up-v1',
      },
      input_schema: { version: 1, fields: [] },
      delivery_description: 'One SVG file',
      estimated_duration_seconds: null,
      portfolio_post_ids: [],
      can_order: false,
      environment: 'test',
      unit: 'test_credit',
      ready: undefined,
      published_at: undefined,
    },
  )
  assert.deepEqual(await serviceSeen(ada, service), service)
  for (const [amount, fee] of [
    [1, 0],
    [4, 0],
    [5, 1],
    [14, 1],
    [15, 2],
    [909090909091, 90909090909],
  ] as const) {
    const { price } = await draft(ada, { price: fixed(amount) })
    assert.deepEqual([price.fee_minor, price.total_minor], [fee, amount + fee])
  }
})

test('the price that a service takes, and that it takes nothing that is worked out', async () => {
  const prices: [unknown, string][] = [
    [from(1), '201'],
    [fixed(1000, 'x'.repeat(40)), '201'],
    [fixed(1000, '😀'.repeat(40)), '201'],
    [fixed(1000, 'x'.repeat(41)), bad],
    [fixed(1000, 'a\nb'), bad],
    [fixed(0), bad],
    [fixed(-1), bad],
    [fixed(909090909092), bad],
    [fixed(10 ** 15), bad],
    [fixed(1.5), bad],
    [{ ...fixed(1), amount_minor: '1' }, bad],
    [{ ...fixed(1), amount_minor: true }, bad],
    [{ ...fixed(1), amount_minor: null }, bad],
    [{ ...fixed(1), mode: 'hourly' }, bad],
    [{ ...fixed(1), mode: null }, bad],
    [{ ...fixed(1), fee_minor: 0 }, bad],
    [{ ...fixed(1), total_minor: 1 }, bad],
    [{ ...fixed(1), constructor: 1 }, bad],
    [{ mode: 'fixed', unit_label: 'logo' }, bad],
    [{ unit_label: 'logo', amount_minor: 1 }, bad],
    [null, bad],
    [[], bad],
    [1000, bad],
    ['1000', bad],
  ]
  for (const [price, expected] of prices) {
    assert.equal(code(await bob.post('/services', serviceBody({ price }))), expected, JSON.stringify(price))
  }
  for (const [amount, expected] of [
    ['1.0', '201'],
    ['1e3', '201'],
    ['1e-1', bad],
    ['1e400', bad],
    ['100000000000000000000000', bad],
    ['NaN', '400 invalid_json'],
    ['-0', bad],
    ['"1"', bad],
  ] as const) {
    const raw = JSON.stringify(serviceBody({ price: fixed(77_777) })).replace('77777', amount)
    assert.equal(code(await w.request('POST', '/services', { token: bob.token, raw })), expected, amount)
  }
})

test('every field of a service: what is at its bounds, and what is beyond', async () => {
  const cleo = await w.agent('cleo')
  const full = draft(cleo)
  const tags = (count: number, length = 0) => Array.from({ length: count }, (_, n) => `t${n}`.padEnd(length, 'x'))
  const cases: [Record<string, unknown>, string][] = [
    [{ title: 'x'.repeat(160) }, '201'],
    [{ title: '😀'.repeat(160) }, '201'],
    [{ title: 'x'.repeat(161) }, bad],
    [{ title: ' \u00a0 ' }, bad],
    [{ title: 'a\nb' }, bad],
    [{ title: 'a\u202eb' }, bad],
    [{ title: null }, bad],
    [{ title: 7 }, bad],
    [{ title: undefined }, bad],
    [{ description: 'a\r\nb\tc' }, '201'],
    [{ description: 'x'.repeat(8000) }, '201'],
    [{ description: 'x'.repeat(8001) }, bad],
    [{ description: '\n \t' }, bad],
    [{ description: 'a\u0000' }, bad],
    [{ description: undefined }, bad],
    [{ delivery_description: 'a\nb' }, '201'],
    [{ delivery_description: 'x'.repeat(2000) }, '201'],
    [{ delivery_description: 'x'.repeat(2001) }, bad],
    [{ delivery_description: '' }, bad],
    [{ delivery_description: undefined }, bad],
    [{ price: undefined }, bad],
    [{ operation_id: undefined }, bad],
    [{ operation_id: '00000000-0000-0000-0000-000000000000' }, bad],
    [{ tags: tags(12, 40) }, '201'],
    [{ tags: tags(13) }, bad],
    [{ tags: ['x'.repeat(41)] }, bad],
    [{ tags: ['é'.repeat(40)] }, '201'],
    [{ tags: [''] }, bad],
    [{ tags: ['a', 'a'] }, bad],
    [{ tags: ['a', ' a '] }, bad],
    [{ tags: 'a' }, bad],
    [{ tags: [7] }, bad],
    [{ tags: [null] }, bad],
    [{ tags: ['a\tb'] }, bad],
    [{ estimated_duration_seconds: null }, '201'],
    [{ estimated_duration_seconds: 1 }, '201'],
    [{ estimated_duration_seconds: 31_536_000 }, '201'],
    [{ estimated_duration_seconds: 31_536_001 }, bad],
    [{ estimated_duration_seconds: 0 }, bad],
    [{ estimated_duration_seconds: 1.5 }, bad],
    [{ estimated_duration_seconds: '60' }, bad],
    [{ estimated_duration_seconds: true }, bad],
    [{ portfolio_post_ids: [] }, '201'],
    [{ portfolio_post_ids: ['x'] }, bad],
    [{ portfolio_post_ids: 'x' }, bad],
    [{ state: 'published' }, bad],
    [{ version: 1 }, bad],
    [{ provider_bot_id: cleo.id }, bad],
    [{ amount_minor: 5 }, bad],
    [{ unit_label: 'x' }, bad],
    [{ constructor: 1 }, bad],
    [{ id: randomUUID() }, bad],
  ]
  for (const [fields, expected] of cases) {
    const what = JSON.stringify(fields).slice(0, 80)
    assert.equal(code(await cleo.post('/services', serviceBody(fields))), expected, `POST ${what}`)
    const [name, value] = Object.entries(fields)[0] as [string, unknown]
    if (value === undefined || name === 'operation_id') continue
    const service = await serviceSeen(cleo, await full)
    assert.equal(code(await edit(cleo, service, fields)), expected === '201' ? '200' : expected, `PATCH ${what}`)
  }
  const raw = (key: string) => JSON.stringify(serviceBody()).replace('"title"', `${key}:1,"title"`)
  for (const [key, expected] of [
    ['"__proto__"', bad],
    ['"title"', '400 invalid_json'],
    ['"\\u0074itle"', '400 invalid_json'],
    ['"\\ud800"', bad],
  ] as const) {
    assert.equal(
      code(await w.request('POST', '/services', { token: cleo.token, raw: raw(key) })),
      expected,
      `the key ${key}`,
    )
  }
  const { headers } = await cleo.get('/services')
  assert.equal(headers.get('cache-control'), 'no-store')
})

test('a body of 65536 bytes is read, and one byte more is not', async () => {
  const cleo = await w.agent('clea')
  const body = (bytes: number): string => {
    const bare = JSON.stringify(serviceBody())
    return `${bare.slice(0, -1)}${' '.repeat(bytes - bare.length)}}`
  }
  const post = async (raw: string) => code(await w.request('POST', '/services', { token: cleo.token, raw }))
  assert.equal(await post(body(65_536)), '201')
  assert.equal(await post(body(65_537)), '413 payload_too_large')
})

test('works of a service are public ones of its own provider, at most twelve, in order', async () => {
  const [own, second, hidden, foreign, deleted] = await Promise.all([
    givenPost(ada, { kind: 'portfolio', title: 'One' }),
    givenPost(ada, { kind: 'portfolio', title: 'Two' }),
    givenPost(ada, { kind: 'portfolio', visibility: 'private' }),
    givenPost(bob, { kind: 'portfolio' }),
    givenPost(ada, { kind: 'portfolio' }),
  ])
  await w.request('DELETE', `/posts/${deleted.id}`, { token: ada.token })
  const service = await draft(ada, { portfolio_post_ids: [second.id.toUpperCase(), own.id] })
  assert.deepEqual(service.portfolio_post_ids, [second.id, own.id])
  for (const [what, id] of [
    ['private', hidden.id],
    ['of someone else', foreign.id],
    ['deleted', deleted.id],
    ['unknown', randomUUID()],
  ] as const) {
    const refused = '400 invalid_portfolio'
    assert.equal(code(await ada.post('/services', serviceBody({ portfolio_post_ids: [own.id, id] }))), refused, what)
    assert.equal(code(await edit(ada, service, { portfolio_post_ids: [id] })), refused, what)
  }
  assert.equal(code(await edit(ada, service, { portfolio_post_ids: [own.id, own.id] })).slice(0, 11), '400 invalid')
  const many = await Promise.all(Array.from({ length: 13 }, () => givenPost(ada, { kind: 'portfolio' })))
  const twelve = await edited(ada, service, { portfolio_post_ids: idsOf(many.slice(1)) })
  assert.deepEqual(twelve.portfolio_post_ids, idsOf(many.slice(1)))
  assert.equal(code(await edit(ada, twelve, { portfolio_post_ids: idsOf(many) })).slice(0, 11), '400 invalid')
})

test('the same creation again is the service as it is now; an id is used for one thing alone', async () => {
  const body = serviceBody({ tags: ['a', 'b'], input_schema: form({ key: 'size' }) })
  const first = await ada.post('/services', body)
  assert.equal(code(first), '201')
  const spelled = Object.fromEntries(
    Object.entries({
      ...body,
      operation_id: String(body['operation_id']).toUpperCase(),
      title: `  ${body['title']} `,
      estimated_duration_seconds: null,
      portfolio_post_ids: [],
      input_schema: { fields: [{ required: false, type: 'short_text', label: ' size ', key: 'size' }], version: 1 },
    }).reverse(),
  )
  const changed = await edited(ada, first.body.service, { title: 'Square logos' })
  const again = await ada.post('/services', spelled)
  assert.equal(code(again), '200')
  assert.deepEqual(again.body.service, changed)
  const conflict = '409 idempotency_conflict'
  for (const fields of [
    { title: 'Another' },
    { tags: ['b', 'a'] },
    { price: from(1000) },
    { input_schema: form({ key: 'size', required: true }) },
    { estimated_duration_seconds: 1 },
  ]) {
    assert.equal(code(await ada.post('/services', { ...body, ...fields })), conflict, JSON.stringify(fields))
  }
  const { operation_id } = body
  const publish = { operation_id, expected_version: changed.version }
  assert.equal(code(await ada.post(`/services/${changed.id}/publish`, publish)), conflict)
  assert.equal(code(await ada.patch(`/services/${changed.id}`, { ...publish, title: 'x' })), conflict)
  assert.equal(code(await bob.post('/services', body)), '201', 'the ids of another agent are its own')
  const refused = serviceBody({ title: '' })
  assert.equal(code(await ada.post('/services', refused)), bad)
  assert.equal(code(await ada.post('/services', { ...refused, title: 'Now' })), '201', 'a refusal uses nothing up')
  const pauseId = { operation_id: randomUUID(), expected_version: changed.version }
  assert.equal(code(await ada.post(`/services/${changed.id}/publish`, pauseId)), '200')
  const archived = await told(ada, await serviceSeen(ada, changed), 'archive')
  const late = await ada.post(`/services/${changed.id}/publish`, pauseId)
  assert.equal(code(late), '200', 'an answer that was lost can be had again, whatever changed since')
  assert.deepEqual(late.body.service, archived)
  assert.equal(code(await ada.post(`/services/${changed.id}/pause`, pauseId)), conflict)
})

test('every action from every state', async () => {
  const moves: Record<string, Partial<Record<ServiceState, ServiceState>>> = {
    publish: { draft: 'published', paused: 'published' },
    pause: { published: 'paused' },
    archive: { draft: 'archived', published: 'archived', paused: 'archived' },
  }
  for (const state of ['draft', 'published', 'paused', 'archived'] as const) {
    for (const action of ['publish', 'pause', 'archive'] as const) {
      const service = await serviceIn(state, ada)
      const answer = await tell(ada, service, action)
      const to = moves[action]?.[state]
      assert.equal(code(answer), to ? '200' : '409 invalid_state', `${action} of ${state}`)
      if (to) assert.deepEqual([answer.body.service.state, answer.body.service.version], [to, service.version + 1])
      else assert.deepEqual(await serviceSeen(ada, service), service)
    }
    const service = await serviceIn(state, ada)
    const answer = await edit(ada, service, { title: 'Other' })
    assert.equal(code(answer), state === 'archived' ? '409 invalid_state' : '200', `PATCH of ${state}`)
    if (state !== 'archived') {
      assert.deepEqual(
        [answer.body.service.state, answer.body.service.version],
        [state, service.version + 1],
        'an edit keeps the state and raises the version',
      )
    }
  }
})

test('a change: what it keeps, replaces whole and clears, and the order in which it is refused', async () => {
  const service = await published(ada, {
    tags: ['a'],
    estimated_duration_seconds: 60,
    input_schema: form({ key: 'size' }),
  })
  const priced = await edited(ada, service, { price: from(10, 'hour') })
  assert.deepEqual(
    { ...priced, price: undefined, version: 0, updated_at: '', can_order: undefined },
    { ...service, price: undefined, version: 0, updated_at: '', can_order: undefined },
    'an omitted field stays',
  )
  assert.deepEqual(
    [priced.price.mode, priced.price.unit_label, priced.price.fee_minor, priced.price.total_minor],
    ['from', 'hour', 1, 11],
  )
  const cleared = await edited(ada, priced, {
    tags: null,
    estimated_duration_seconds: null,
    input_schema: null,
    portfolio_post_ids: null,
  })
  assert.deepEqual(
    [cleared.tags, cleared.estimated_duration_seconds, cleared.input_schema, cleared.portfolio_post_ids],
    [[], null, { version: 1, fields: [] }, []],
  )
  const path = `/services/${service.id}`
  const patch = (who: Agent, json: unknown, to = path) => who.patch(to, json).then(code)
  const now = changing(cleared)
  assert.equal(await patch(ada, now), bad, 'at least one field')
  assert.equal(await patch(ada, { operation_id: randomUUID(), title: 'x' }), bad)
  assert.equal(await patch(ada, { expected_version: 1, title: 'x' }), bad)
  assert.equal(await patch(ada, { ...now, price: { amount_minor: 5 } }), bad, 'a price is replaced whole')
  for (const version of ['4', true, null, 1.5, -1]) {
    assert.equal(await patch(ada, { ...now, title: 'x', expected_version: version }), bad, String(version))
  }
  const stale = { ...changing(service), title: 'x' }
  assert.equal(await patch(ada, stale), '409 version_conflict')
  assert.equal(await patch(bob, stale), '403 forbidden', 'whose it is comes before the version')
  assert.equal(await patch(bob, { ...stale, title: '' }), bad, 'the form comes before whose it is')
  assert.equal(await patch(bob, stale, `/services/${randomUUID()}`), gone)
  assert.equal(await patch(bob, { title: '' }, '/services/nonsense'), gone, 'a bad id comes before the body')
  assert.equal(code(await w.request('PATCH', '/services/nonsense', { json: {} })), '401 unauthorized')
  assert.equal(await patch(ada, { ...stale, portfolio_post_ids: [randomUUID()] }), '409 version_conflict')
  const archived = await told(ada, cleared, 'archive')
  assert.equal(await patch(ada, stale), '409 version_conflict', 'the version comes before the state')
  assert.equal(await patch(ada, { ...changing(archived), title: 'x' }), '409 invalid_state')
  assert.equal(
    await patch(ada, { ...now, operation_id: randomUUID(), title: 'x', expected_version: 10 ** 9 }),
    '409 version_conflict',
  )
})

/** Which doors show a service to a reader. */
async function doors(reader: Agent, provider: Agent, service: Shown): Promise<Record<string, unknown>> {
  const among = async (query: string) =>
    (await walkedAll(reader, `/services?${query}`)).some(({ id }) => id === service.id)
  return {
    read: code(await reader.get(`/services/${service.id}`)),
    listed: await among(`provider_id=${provider.id}`),
    found: await among('q=zeppelins'),
    published: await among('state=published'),
    priced: await among(`price_mode=fixed&unit_label=zeppelin`),
    quote: code(await ask(reader, service)),
    edit: code(await edit(reader, service, { title: 'Mine' })),
    publish: code(await tell(reader, service, 'publish')),
    pause: code(await tell(reader, service, 'pause')),
    archive: code(await tell(reader, service, 'archive')),
    request: code(
      await reader.post('/service-requests', {
        operation_id: randomUUID(),
        service_id: service.id,
        expected_service_version: service.version,
        title: 'A zeppelin',
        description: 'Blue',
        quantity: 1,
        parameters: {},
        input_attachment_ids: [],
      }),
    ),
  }
}

const not = '403 forbidden'
const shut = {
  ...{ read: gone, listed: false, found: false, published: false, priced: false, quote: gone },
  ...{ edit: gone, publish: gone, pause: gone, archive: gone, request: gone },
}
const open = {
  ...{ read: '200', listed: true, found: true, published: true, priced: true, quote: '201' },
  ...{ edit: not, publish: not, pause: not, archive: not, request: '409 price_mode_mismatch' },
}

test('drafts and archived services are their owner’s alone; paused ones are seen and not ordered', async () => {
  const zed = await w.agent('zed')
  await befriend(zed, bob)
  const zeppelin = { title: 'Zeppelins', price: fixed(1000, 'Zeppelin') }
  for (const state of ['draft', 'archived'] as const) {
    const service = await serviceIn(state, zed, zeppelin)
    assert.deepEqual(await doors(bob, zed, service), shut, state)
    assert.equal((await serviceSeen(zed, service)).state, state)
    assert.ok(idsOf(await walkedAll(zed, '/services/mine')).includes(service.id))
    assert.ok(!idsOf(await walkedAll(bob, '/services/mine')).includes(service.id))
    assert.ok(!idsOf(await walkedAll(zed, `/services?provider_id=${zed.id}`)).includes(service.id))
  }
  const service = await published(zed, zeppelin)
  assert.deepEqual(await doors(bob, zed, service), open)
  assert.equal((await serviceSeen(bob, service)).can_order, true)
  const paused = await told(zed, service, 'pause')
  assert.deepEqual(await doors(bob, zed, paused), {
    ...open,
    published: false,
    quote: '409 service_unavailable',
    request: '409 service_unavailable',
  })
  assert.equal((await serviceSeen(bob, service)).can_order, false)
  assert.deepEqual(idsOf(await walkedAll(bob, `/services?state=paused&q=zeppelins`)), [service.id])
  const again = await told(zed, paused, 'publish')
  assert.deepEqual(await doors(bob, zed, again), open)
  await told(zed, again, 'archive')
  assert.deepEqual(await doors(bob, zed, again), shut)
})

test('what hides a provider or its service closes every door at once, and what brings it back opens them', async () => {
  const yan = await w.agent('yan')
  await befriend(yan, bob)
  const service = await published(yan, { title: 'Zeppelins', price: fixed(1000, 'Zeppelin') })
  const hiding = (kind: string, id: string, hidden: boolean) =>
    // biome-ignore lint/suspicious/noExplicitAny: a kind that its room adds
    w.service.sql.transaction((tx) => (hidden ? hide : unhide)(tx, kind as any, id))
  const ways: [string, (on: boolean) => Promise<unknown>][] = [
    ['a closed profile', (on) => yan.patch('/bots/me', { profile_public: !on })],
    ['a suspended provider', (on) => suspend(yan, on)],
    ['a hidden profile', (on) => hiding('profile', yan.id, on)],
    ['a hidden service', (on) => hiding('service', service.id, on)],
  ]
  assert.deepEqual(await doors(bob, yan, service), open)
  assert.deepEqual(await doors(eve, yan, service), { ...open, request: '403 friendship_required' })
  for (const [what, set] of ways) {
    await set(true)
    assert.deepEqual(await doors(bob, yan, service), shut, what)
    assert.deepEqual(await doors(eve, yan, service), shut, what)
    const own = await yan.get(`/services/${service.id}`)
    if (what !== 'a suspended provider') assert.equal(code(own), '200', `${what}: its owner has it`)
    assert.equal(code(await yan.get('/services/mine')), '200')
    await set(false)
    assert.deepEqual(await doors(bob, yan, service), open, `after ${what}`)
  }
})

test('who may call at all', async () => {
  const service = await published(ada)
  const calls: [string, string, unknown?][] = [
    ['GET', '/services'],
    ['GET', '/services/mine'],
    ['GET', `/services/${service.id}`],
    ['POST', '/services', serviceBody()],
    ['PATCH', `/services/${service.id}`, { ...changing(service), title: 'x' }],
    ...['publish', 'pause', 'archive', 'quote'].map((action): [string, string, unknown] => [
      'POST',
      `/services/${service.id}/${action}`,
      changing(service),
    ]),
  ]
  for (const [method, path, json] of calls) {
    for (const token of [undefined, 'kith_nonsense', `kith_${'A'.repeat(43)}`]) {
      const answer = await w.request(method, path, { token, ...(json !== undefined && { json }) })
      assert.equal(code(answer), '401 unauthorized', `${method} ${path}`)
      assert.match(answer.headers.get('www-authenticate') ?? '', /^Bearer/)
    }
  }
  for (const path of ['/services/', '/services/mine/x', `/services/${service.id}/unknown`]) {
    assert.equal(code(await ada.get(path)), gone, path)
  }
  assert.equal(code(await ada.get(`/services/${service.id}/quote`)), '405 method_not_allowed')
  assert.equal(code(await ada.get(`/services/${service.id.toUpperCase()}`)), '200')
  const suspended = await w.agent('sus')
  const own = await published(suspended)
  await suspend(suspended, true)
  const inactive = '403 profile_inactive'
  assert.equal(code(await suspended.get('/services/mine')), '200')
  assert.equal(code(await suspended.get('/services')), inactive)
  assert.equal(code(await suspended.post('/services', serviceBody())), inactive)
  assert.equal(code(await edit(suspended, own, { title: 'x' })), inactive)
  assert.equal(code(await ask(suspended, service)), inactive)
})

test('publishing needs an open profile; drafts do not', async () => {
  const shy = await w.agent('shy', { profile_public: false })
  const service = await draft(shy)
  assert.equal(code(await tell(shy, service, 'publish')), '403 public_profile_required')
  assert.equal(code(await edit(shy, service, { title: 'x' })), '200')
  await shy.patch('/bots/me', { profile_public: true })
  const open = await told(shy, await serviceSeen(shy, service), 'publish')
  await shy.patch('/bots/me', { profile_public: false })
  const paused = await told(shy, open, 'pause')
  assert.equal(code(await tell(shy, paused, 'publish')), '403 public_profile_required')
  assert.equal((await told(shy, paused, 'archive')).state, 'archived')
})

test('the search: words in any script, every filter at its bounds, and what no filter takes', async () => {
  const olga = await w.agent('olga')
  const [cyrillic, chinese, umlaut, plain] = await Promise.all([
    published(olga, { title: 'Переводы договоров', price: fixed(100, 'Страница') }),
    published(olga, { title: '商标设计', description: '为您的公司设计标志', price: from(200, '个') }),
    published(olga, { title: 'Müllers Straße', price: fixed(1000, 'Stück'), tags: ['quokka'] }),
    published(olga, { title: '100% _plain_ \\ x', description: 'with wallaby inside', price: from(5000, 'piece') }),
  ])
  const all = [cyrillic, chinese, umlaut, plain]
  const found = async (query: string): Promise<number[]> =>
    (await walkedAll(eve, `/services?provider_id=${olga.id}${query}`))
      .map(({ id }) => all.findIndex((service) => service.id === id))
      .sort()
  const q = (text: string) => found(`&q=${encodeURIComponent(text)}`)
  assert.deepEqual(await found(''), [0, 1, 2, 3])
  for (const [text, expected] of [
    ['переводы', [0]],
    ['ДОГОВОРОВ', [0]],
    ['商标', [1]],
    ['标志', [1]],
    ['müllers', [2]],
    ['straße', [2]],
    ['wallaby', [3]],
    ['100%', [3]],
    ['_plain_', [3]],
    ['%', [3]],
    ['\\', [3]],
    ["'; drop table services --", []],
    ['nothing like it', []],
    ['   ', [0, 1, 2, 3]],
    ['', [0, 1, 2, 3]],
    ['x'.repeat(200), []],
    ['😀'.repeat(200), []],
  ] as const) {
    assert.deepEqual(await q(text), expected, text)
  }
  for (const [query, expected] of [
    ['&price_mode=fixed', [0, 2]],
    ['&price_mode=from', [1, 3]],
    [`&unit_label=${encodeURIComponent('страница')}`, [0]],
    [`&unit_label=${encodeURIComponent('STÜCK')}`, [2]],
    ['&unit_label=pie', []],
    ['&min_total_minor=110', [0, 1, 2, 3]],
    ['&min_total_minor=111', [1, 2, 3]],
    ['&max_total_minor=1100', [0, 1, 2]],
    ['&max_total_minor=1099', [0, 1]],
    ['&min_total_minor=220&max_total_minor=220', [1]],
    ['&min_total_minor=221&max_total_minor=220', []],
    ['&min_total_minor=1000000000000', []],
    ['&max_total_minor=1000000000000', [0, 1, 2, 3]],
    ['&price_mode=from&min_total_minor=221&state=published', [3]],
    ['&state=paused', []],
  ] as const) {
    // Bounds that cross may as well be refused.
    if (query.startsWith('&min_total_minor=221&max')) {
      assert.match(code(await eve.get(`/services?provider_id=${olga.id}${query}`)), /^(200|400 invalid_input)$/)
      continue
    }
    assert.deepEqual(await found(query), expected, query)
  }
  assert.deepEqual(idsOf(await walkedAll(eve, `/services?provider_id=${randomUUID()}`)), [])
  for (const query of [
    `q=${'x'.repeat(201)}`,
    'q=%00',
    'q=a%0ab',
    'q=%ff',
    'q=%ED%A0%80',
    'q=a&q=b',
    'provider_id=x',
    'provider_id=',
    'state=deleted',
    'state=',
    'state=published&state=paused',
    'price_mode=hourly',
    'min_total_minor=-1',
    'min_total_minor=1.5',
    'min_total_minor=1e3',
    'min_total_minor=x',
    'max_total_minor=99999999999999999999999999',
    'max_total_minor=',
    'max_total_minor=+1',
    'page=1',
    'page_size=10',
    'mine=true',
    'tag=a',
    'Q=a',
    '__proto__=1',
    'unit_label=a&unit_label=b',
    `unit_label=${'x'.repeat(41)}`,
  ]) {
    assert.equal(code(await eve.get(`/services?${query}`)), bad, query)
  }
  for (const limit of ['0', '51', '01', '+1', '1e1', '-1', 'x', '', '1.0', '10000000000000000000000']) {
    assert.match(code(await eve.get(`/services?limit=${limit}`)), /^400 invalid_(input|pagination)$/, limit)
    assert.match(code(await eve.get(`/services/mine?limit=${limit}`)), /^400 invalid_(input|pagination)$/, limit)
  }
})

test('pages by cursor show each service once, whatever comes, goes and changes between them', async () => {
  const pia = await w.agent('pia')
  const services: Shown[] = []
  for (let n = 0; n < 12; n++) services.push(await published(pia, { title: `Number ${n}`, price: fixed(100) }))
  const path = `/services?provider_id=${pia.id}&price_mode=fixed`
  for (const limit of [1, 5, 6, 12, 50]) {
    const walked = idsOf(await walkedAll(eve, path, limit))
    assert.deepEqual([...walked].sort(), idsOf(services).sort(), `${limit} a page`)
    if (limit > 1) assert.deepEqual(walked, idsOf(await walkedAll(eve, path, 50)), 'in one order')
  }
  assert.deepEqual(idsOf(await walkedAll(pia, '/services/mine', 5)).sort(), idsOf(services).sort())
  const first = (await eve.get(`${path}&limit=5`)).body
  assert.equal(first.items.length, 5)
  const rest = idsOf(services).filter((id) => !idsOf(first.items).includes(id))
  await edited(pia, await serviceSeen(pia, first.items[2]), { title: 'Touched' })
  await edited(pia, await serviceSeen(pia, { id: rest[0] as string }), { title: 'Touched too' })
  await told(pia, await serviceSeen(pia, first.items[4]), 'archive')
  await told(pia, await serviceSeen(pia, { id: rest[1] as string }), 'archive')
  const late = await published(pia, { title: 'Late', price: fixed(100) })
  const next = idsOf((await eve.get(`${path}&limit=5&cursor=${encodeURIComponent(first.next_cursor)}`)).body.items)
  const seen = next.filter((id) => id !== late.id)
  assert.equal(new Set([...seen, ...idsOf(first.items)]).size, seen.length + 5, 'nothing twice')
  assert.ok(!next.includes(rest[1] as string), 'what was archived is gone')
})

test('a cursor is good for its reader, filters, limit and list, for 24 hours, and unaltered', async () => {
  const rex = await w.agent('rex')
  for (let n = 0; n < 4; n++) await published(rex, { title: `Bikes ${n}`, tags: ['bike'] })
  const path = `/services?provider_id=${rex.id}&q=bikes`
  const cursor: string = (await eve.get(`${path}&limit=2`)).body.next_cursor
  assert.equal(typeof cursor, 'string')
  const got = async (who: Agent, query: string, value = cursor, door = '/services') =>
    code(await who.get(`${door}${query}&cursor=${encodeURIComponent(value)}`))
  const filters = `?provider_id=${rex.id}&q=bikes`
  assert.equal(await got(eve, `${filters}&limit=2`), '200')
  assert.equal(
    await got(eve, `?limit=2&q=%20bikes%20&provider_id=${rex.id.toUpperCase()}`),
    '200',
    'the same, otherwise written',
  )
  assert.equal(await got(eve, `${filters}&limit=2`), '200', 'and again')
  for (const [what, query] of [
    ['another limit', `${filters}&limit=3`],
    ['the default limit', filters],
    ['another word', `?provider_id=${rex.id}&q=bike&limit=2`],
    ['no word', `?provider_id=${rex.id}&limit=2`],
    ['no provider', '?q=bikes&limit=2'],
    ['one more filter', `${filters}&limit=2&state=published`],
    ['a lower bound', `${filters}&limit=2&min_total_minor=1`],
    ['an upper bound', `${filters}&limit=2&max_total_minor=1000000000000`],
    ['a mode', `${filters}&limit=2&price_mode=fixed`],
    ['a unit', `${filters}&limit=2&unit_label=logo`],
  ] as const) {
    assert.equal(await got(eve, query), bad, what)
  }
  assert.equal(await got(bob, `${filters}&limit=2`), bad, 'of another reader')
  assert.equal(await got(rex, '?limit=2', cursor, '/services/mine'), bad, 'of another list')
  const mine: string = (await rex.get('/services/mine?limit=2')).body.next_cursor
  assert.equal(await got(rex, '?limit=2', mine, '/services/mine'), '200')
  assert.equal(await got(rex, '?limit=2', mine), bad, 'of one’s own list')
  for (let at = 0; at < cursor.length; at += Math.max(1, Math.floor(cursor.length / 40))) {
    const other = cursor[at] === 'A' ? 'B' : 'A'
    assert.equal(
      await got(eve, `${filters}&limit=2`, cursor.slice(0, at) + other + cursor.slice(at + 1)),
      bad,
      `altered at ${at}`,
    )
  }
  for (const value of [
    '',
    cursor.slice(0, -1),
    cursor.slice(1),
    `${cursor}A`,
    `${cursor}=`,
    ` ${cursor}`,
    cursor + cursor,
    `${cursor}.`,
    'null',
    '0',
    'x'.repeat(8000),
    '\u0000',
    '{"id":1}',
    Buffer.from('{}').toString('base64url'),
  ]) {
    assert.equal(await got(eve, `${filters}&limit=2`, value), bad, JSON.stringify(value).slice(0, 40))
  }
  assert.equal(code(await eve.get(`${path}&limit=2&cursor=${cursor}&cursor=${cursor}`)), bad)
  w.travel(hours(24) - seconds(60))
  assert.equal(await got(eve, `${filters}&limit=2`), '200', 'a minute before')
  w.travel(seconds(60) + 1)
  assert.equal(await got(eve, `${filters}&limit=2`), bad, 'after 24 hours')
})

test('a hundred services of an agent, archived ones among them, and no more', async () => {
  const max = await w.agent('max')
  const gone = await serviceIn('archived', max)
  const twin = serviceBody()
  await race(97, () => max.post('/services', serviceBody()))
  assert.equal(code(await max.post('/services', twin)), '201')
  const last = tally(await race(20, () => max.post('/services', serviceBody())))
  assert.deepEqual(last, { '201': 1, '429 service_limit': 19 }, 'the hundredth')
  assert.equal(code(await max.post('/services', twin)), '200', 'a replay is no new one')
  assert.equal(idsOf(await walkedAll(max, '/services/mine')).length, 100)
  assert.ok(idsOf(await walkedAll(max, '/services/mine')).includes(gone.id))
  assert.equal(code(await bob.post('/services', serviceBody())), '201', 'of others there may be more')
})

test('twenty at once: twins make one, changes of one version happen once', async () => {
  const body = serviceBody()
  assert.deepEqual(tally(await race(20, () => ada.post('/services', body))), { '200': 19, '201': 1 })
  const clash = serviceBody()
  const clashed = tally(await race(20, (n) => ada.post('/services', { ...clash, title: `Number ${n}` })))
  assert.deepEqual(clashed, { '201': 1, '409 idempotency_conflict': 19 })
  const service = await draft(ada)
  assert.deepEqual(tally(await race(20, () => tell(ada, service, 'publish'))), { '200': 1, '409 version_conflict': 19 })
  const open = await serviceSeen(ada, service)
  const twin = changing(open)
  assert.deepEqual(tally(await race(20, () => ada.post(`/services/${open.id}/pause`, twin))), { '200': 20 })
  const paused = await serviceSeen(ada, service)
  assert.deepEqual([paused.state, paused.version], ['paused', open.version + 1])
  const edits = await race(20, (n) => edit(ada, paused, { title: `Number ${n}` }))
  assert.deepEqual(tally(edits), { '200': 1, '409 version_conflict': 19 })
  const winner = edits.find(({ status }) => status === 200)
  assert.deepEqual((await serviceSeen(ada, service)).title, winner?.body.service.title)
  const now = await serviceSeen(ada, service)
  const mixed = await race(20, (n) => tell(ada, now, n % 2 ? 'archive' : 'publish'))
  assert.deepEqual(tally(mixed), { '200': 1, '409 version_conflict': 19 })
})
