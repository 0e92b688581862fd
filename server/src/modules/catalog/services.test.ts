// Services: drafts, publishing, changes and their versions, who sees what, and how many there may be.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { givenPost } from '../../../test/posts.ts'
import { change, draft, formOf, move, moved, priceBody, published, serviceBody } from '../../../test/services.ts'
import { story } from '../../../test/story.ts'
import { turnHidden, turnSuspended } from '../../../test/turning.ts'
import { code, race } from '../../../test/world.ts'
import { countOf, totalOf } from '../../quotas/quotas.ts'
import { serviceQuota } from './services.ts'

const { w, ada, bob } = story('ada', 'bob')

const problemsOf = (body: { error: { details?: { fields: { path: string }[] } } }): string[] =>
  (body.error.details?.fields ?? []).map(({ path }) => path)

test('a draft keeps every field of its body, with the full price, at version 1', async () => {
  const work = await givenPost(ada, { kind: 'portfolio' })
  const form = formOf({ type: 'short_text', required: true }, { type: 'choice', options: ['red', 'blue'] })
  const service = await draft(ada, {
    title: '  A logo ',
    description: 'Round\r\nand blue',
    price: { mode: 'from', unit_label: 'Logo', amount_minor: 1005 },
    delivery_description: 'A file',
    tags: [' Round ', 'Blau'],
    input_schema: form,
    estimated_duration_seconds: 3600,
    portfolio_post_ids: [work.id],
  })
  const { id, created_at, updated_at, ...rest } = service
  assert.deepEqual(rest, {
    provider_bot_id: ada.id,
    provider: { id: ada.id, handle: 'ada', display_name: 'ada' },
    version: 1,
    state: 'draft',
    title: 'A logo',
    description: 'Round\nand blue',
    tags: ['Round', 'Blau'],
    price: {
      mode: 'from',
      unit_label: 'Logo',
      amount_minor: 1005,
      fee_bps: 1000,
      // Half up.
      fee_minor: 101,
      total_minor: 1106,
      minor_per_credit: 100,
      fee_mode: 'on_top',
      fee_rule: 'half-up-v1',
    },
    input_schema: {
      version: 1,
      fields: [
        { key: 'field_0', label: 'Field 0', type: 'short_text', required: true },
        { key: 'field_1', label: 'Field 1', type: 'choice', options: ['red', 'blue'], required: false },
      ],
    },
    delivery_description: 'A file',
    estimated_duration_seconds: 3600,
    portfolio_post_ids: [work.id],
    can_order: false,
    environment: 'test',
    unit: 'test_credit',
    ready: null,
  })
  assert.equal(created_at, updated_at)
  assert.deepEqual((await ada.get(`/services/${id}`)).body.service, service)
  const plain = await draft(ada, { price: { mode: 'fixed', amount_minor: 1 } })
  assert.deepEqual(
    [
      plain.tags,
      plain.input_schema,
      plain.estimated_duration_seconds,
      plain.portfolio_post_ids,
      plain.price.unit_label,
    ],
    [[], { version: 1, fields: [] }, null, [], ''],
  )
})

test('rules beyond the shape: the highest price, reserved keys, fields of one type only', async () => {
  const field = { key: 'a', type: 'boolean', label: 'A' }
  const form = (fields: object) => ({ input_schema: { version: 1, fields: [{ ...field, ...fields }] } })
  const price = (amount_minor: number) => ({ price: priceBody({ amount_minor }) })
  const cases: [object, object, string][] = [
    [price(909_090_909_091), price(909_090_909_092), 'price.amount_minor'],
    [form({ key: 'tokens' }), form({ key: 'token' }), 'input_schema.fields.0.key'],
    [form({ type: 'short_text', min_length: 1 }), form({ min_length: 1 }), 'input_schema.fields.0.min_length'],
    [{ tags: ['a', 'A'] }, { tags: ['a', ' a '] }, 'tags'],
  ]
  const carl = await w.agent('carl')
  for (const [good, bad, path] of cases) {
    const taken = await carl.post('/services', serviceBody(good as Record<string, unknown>))
    assert.equal(code(taken), '201', `${path} ${JSON.stringify(taken.body.error?.details)}`)
    const refused = await carl.post('/services', serviceBody(bad as Record<string, unknown>))
    assert.equal(code(refused), '400 invalid_input', path)
    assert.ok(problemsOf(refused.body).includes(path), `${path} is not in ${problemsOf(refused.body)}`)
  }
})

test("a portfolio contains only the provider's own public works", async () => {
  const work = (await givenPost(ada, { kind: 'portfolio' })).id
  const hidden = (await givenPost(ada, { kind: 'portfolio', visibility: 'private' })).id
  const update = (await givenPost(ada)).id
  const others = (await givenPost(bob, { kind: 'portfolio' })).id
  const gone = (await givenPost(ada, { kind: 'portfolio' })).id
  await w.request('DELETE', `/posts/${gone}`, { token: ada.token })
  for (const id of [hidden, update, others, gone, randomUUID()]) {
    const refused = await ada.post('/services', serviceBody({ portfolio_post_ids: [work, id] }))
    assert.equal(code(refused), '400 invalid_portfolio')
  }
  const service = await published(ada, { portfolio_post_ids: [work] })
  assert.equal(code(await change(ada, service, { portfolio_post_ids: [others] })), '400 invalid_portfolio')
  assert.deepEqual((await bob.get(`/services/${service.id}`)).body.service.portfolio_post_ids, [work])
  await ada.patch(`/posts/${work}`, { visibility: 'private' })
  assert.deepEqual((await bob.get(`/services/${service.id}`)).body.service.portfolio_post_ids, [], 'no others see it')
  assert.deepEqual((await ada.get(`/services/${service.id}`)).body.service.portfolio_post_ids, [work])
})

test('every allowed state change works, and no other', async () => {
  const from: Record<string, string[]> = {
    draft: [],
    published: ['publish'],
    paused: ['publish', 'pause'],
    archived: ['archive'],
  }
  const allowed: Record<string, Record<string, string>> = {
    draft: { publish: 'published', archive: 'archived' },
    published: { pause: 'paused', archive: 'archived' },
    paused: { publish: 'published', archive: 'archived' },
    archived: {},
  }
  for (const [state, way] of Object.entries(from)) {
    for (const action of ['publish', 'pause', 'archive']) {
      let service = await draft(ada)
      for (const each of way) service = await moved(ada, service, each)
      assert.equal(service.state, state)
      const done = await move(ada, service, action)
      const to = allowed[state]?.[action]
      if (to === undefined) {
        assert.equal(code(done), '409 invalid_state', `${action} ${state}`)
        assert.deepEqual((await ada.get(`/services/${service.id}`)).body.service, service)
      } else {
        assert.equal(code(done), '200', `${action} ${state}`)
        const { version, state: now, can_order } = done.body.service
        assert.deepEqual([version, now, can_order], [service.version + 1, to, to === 'published'])
      }
    }
  }
})

test('a change raises the version, replaces lists whole, and needs your own active service at the version you read', async () => {
  const service = await published(ada, {
    tags: ['a', 'b'],
    estimated_duration_seconds: 5,
    input_schema: formOf({ type: 'boolean' }),
  })
  const changed = await change(ada, service, { tags: ['c'], price: { mode: 'from', amount_minor: 2000 } })
  assert.equal(code(changed), '200')
  const next = changed.body.service
  assert.deepEqual([next.version, next.tags, next.state, next.can_order], [3, ['c'], 'published', true])
  assert.deepEqual([next.price.mode, next.price.unit_label, next.price.total_minor], ['from', '', 2200])
  assert.deepEqual(next.input_schema, service.input_schema)
  const cleared = await change(ada, next, {
    tags: null,
    input_schema: null,
    estimated_duration_seconds: null,
    portfolio_post_ids: null,
  })
  assert.deepEqual(
    [
      cleared.body.service.tags,
      cleared.body.service.input_schema.fields,
      cleared.body.service.estimated_duration_seconds,
    ],
    [[], [], null],
  )
  assert.equal(cleared.body.service.version, 4)
  const same = await change(ada, cleared.body.service, { title: ' A logo ', tags: [] })
  assert.deepEqual(same.body.service, cleared.body.service, 'nothing differs, nothing is written')

  assert.equal(code(await change(ada, service, { title: 'Late' })), '409 version_conflict')
  assert.equal(code(await change(ada, same.body.service, {})), '400 invalid_input')
  assert.equal(code(await change(bob, same.body.service, { title: 'Mine' })), '403 forbidden')
  assert.equal(code(await move(bob, same.body.service, 'pause')), '403 forbidden')
  assert.equal(code(await change(bob, await draft(ada), { title: 'Mine' })), '404 not_found')
  assert.equal(code(await change(ada, { id: randomUUID(), version: 1 }, { title: 'None' })), '404 not_found')
  const paused = await moved(ada, same.body.service, 'pause')
  const archived = await moved(ada, (await change(ada, paused, { title: 'Paused' })).body.service, 'archive')
  assert.equal(code(await change(ada, archived, { title: 'Over' })), '409 invalid_state')
  assert.equal(code(await change(ada, { ...archived, version: 1 }, { title: 'Over' })), '409 version_conflict')
})

test('a repeated request acts once, and returns the current service', async () => {
  const body = serviceBody({ tags: ['Round'] })
  const first = await ada.post('/services', body)
  const service = first.body.service
  const spelled = { ...body, tags: [' Round '], input_schema: { version: 1, fields: [] }, portfolio_post_ids: [] }
  const again = await ada.post('/services', { ...spelled, estimated_duration_seconds: null })
  assert.deepEqual([code(first), code(again)], ['201', '200'])
  assert.deepEqual(again.body, first.body)
  assert.equal(code(await ada.post('/services', { ...body, title: 'Another' })), '409 idempotency_conflict')
  const publish = { operation_id: randomUUID(), expected_version: 1 }
  assert.equal(code(await ada.post(`/services/${service.id}/publish`, publish)), '200')
  const pause = { operation_id: randomUUID(), expected_version: 2 }
  assert.equal(code(await ada.post(`/services/${service.id}/pause`, pause)), '200')
  const replayed = await ada.post(`/services/${service.id}/publish`, publish)
  assert.deepEqual([code(replayed), replayed.body.service.state, replayed.body.service.version], ['200', 'paused', 3])
  assert.equal(code(await ada.post(`/services/${service.id}/archive`, publish)), '409 idempotency_conflict')
  assert.equal(
    code(await ada.post(`/services/${service.id}/pause`, { ...pause, operation_id: randomUUID() })),
    '409 version_conflict',
  )
})

test('of twenty changes at one version one wins', async () => {
  const service = await published(ada)
  const changes = await race(20, (n) => change(ada, service, { title: `Title ${n}` }))
  assert.deepEqual(changes.map(code).sort(), ['200', ...Array.from({ length: 19 }, () => '409 version_conflict')])
  const mixed = await race(20, (n) => move(ada, { ...service, version: 3 }, n % 2 ? 'archive' : 'pause'))
  assert.equal(mixed.filter((each) => each.status === 200).length, 1)
})

test('publishing needs an open profile; closing, suspending or hiding a profile hides its services at once', async () => {
  const dora = await w.agent('dora')
  const paused = await moved(dora, await published(dora), 'pause')
  const service = await published(dora)
  const another = await draft(dora)
  const seen = async (): Promise<[string[], boolean[]]> => {
    const { items } = (await bob.get(`/services?provider_id=${dora.id}`)).body
    const codes = await Promise.all([service, paused].map(async ({ id }) => (await bob.get(`/services/${id}`)).status))
    return [items.map(({ id }: { id: string }) => id), codes.map((status) => status === 200)]
  }
  const everything = [
    [service.id, paused.id],
    [true, true],
  ]
  assert.deepEqual(await seen(), everything)
  const waysOut: Record<string, (out: boolean) => Promise<unknown>> = {
    closed: (out) => dora.patch('/bots/me', { profile_public: !out }),
    suspended: (out) => turnSuspended(w, dora.id, out),
    hidden: (out) => turnHidden(w, 'profile', dora.id, out),
  }
  for (const [name, turn] of Object.entries(waysOut)) {
    await turn(true)
    assert.deepEqual(await seen(), [[], [false, false]], name)
    const own = (await dora.get(`/services/${service.id}`)).body.service
    assert.deepEqual([own.state, own.can_order], ['published', false], `${name}: its own, and nobody orders it`)
    assert.equal((await dora.get('/services/mine')).body.items.length, 3)
    const refused = name === 'suspended' ? '403 profile_inactive' : '403 public_profile_required'
    assert.equal(code(await move(dora, another, 'publish')), refused, name)
    assert.equal(code(await move(dora, { ...another, id: randomUUID() }, 'publish')), refused, name)
    await turn(false)
    assert.deepEqual(await seen(), everything, `${name} no more`)
  }
  await waysOut['closed']?.(true)
  await waysOut['hidden']?.(true)
  await waysOut['closed']?.(false)
  assert.deepEqual(await seen(), [[], [false, false]], 'open again, and still hidden')
  const quiet = await draft(dora)
  assert.equal(code(await change(dora, service, { title: 'Changed meanwhile' })), '200')
  assert.equal(code(await move(dora, quiet, 'archive')), '200')
  await waysOut['hidden']?.(false)
  assert.deepEqual(await seen(), everything)
})

test('closing a profile against publishing: no service of a closed profile is ever listed', async () => {
  const eve = await w.agent('eve')
  const services = await Promise.all(Array.from({ length: 10 }, () => draft(eve)))
  const answers = await race(20, (n) =>
    n % 2 ? eve.patch('/bots/me', { profile_public: n % 4 === 1 }) : move(eve, services[n / 2], 'publish'),
  )
  for (const answer of answers) assert.ok(['200', '403 public_profile_required'].includes(code(answer)), code(answer))
  await eve.patch('/bots/me', { profile_public: false })
  assert.deepEqual((await bob.get(`/services?provider_id=${eve.id}`)).body.items, [])
  await eve.patch('/bots/me', { profile_public: true })
  const { items } = (await bob.get(`/services?provider_id=${eve.id}`)).body
  const own = (await eve.get('/services/mine')).body.items.filter(
    ({ state }: { state: string }) => state === 'published',
  )
  assert.deepEqual(items, own)
})

test('an agent can create a hundred services, archived ones included', async () => {
  const finn = await w.agent('finn')
  await w.sql`insert into party_counts (party_id, name, value) values (${finn.id}, 'services', 98)`
  const last = await draft(finn)
  assert.equal(code(await finn.post('/services', serviceBody({ title: '' }))), '400 invalid_input')
  const answers = await race(20, () => finn.post('/services', serviceBody()))
  assert.deepEqual(answers.map(code).sort(), ['201', ...Array.from({ length: 19 }, () => '429 service_limit')])
  assert.match(answers.find(({ status }) => status === 429)?.headers.get('retry-after') ?? '', /^\d+$/)
  await moved(finn, last, 'archive')
  assert.equal(code(await finn.post('/services', serviceBody())), '429 service_limit')
  assert.equal(await countOf(w.sql, serviceQuota, finn.id), 100)
  await w.sql`update party_counts set value = 2 where party_id = ${finn.id} and name = 'services'`
})

test('there can be ten thousand services', async () => {
  const gus = await w.agent('gus')
  const before = await totalOf(w.sql, serviceQuota.name)
  await w.sql`insert into counters (name, shard, value) values ('services', 1000, ${9_999 - before})`
  const answers = await race(20, () => gus.post('/services', serviceBody()))
  assert.deepEqual(answers.map(code).sort(), ['201', ...Array.from({ length: 19 }, () => '429 service_limit')])
  await w.sql`delete from counters where name = 'services' and shard = 1000`
  assert.equal(await totalOf(w.sql, serviceQuota.name), before + 1)
})
