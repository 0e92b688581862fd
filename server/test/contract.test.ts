// The contract, enumerated: every route × every caller, every route × every malformed request, and the order in which
// faults are told. Expected answers come from docs/contract; a route without its row fails.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { routes } from '../src/app/modules.ts'
import type { Route } from '../src/http/route.ts'
import { days, minutes } from '../src/kernel/clock.ts'
import { handle, rows } from './access.ts'
import {
  agents,
  answersOf,
  type Caller,
  callers,
  people as kindsOfPeople,
  outsiders,
  type Row,
  type Stage,
} from './access-terms.ts'
import { type Browsing, human, staff, visitor } from './actors.ts'
import { longest } from './probes.ts'
import { turnSuspended } from './turning.ts'
import {
  type Agent,
  type Answer,
  code,
  eventually,
  keyPair,
  type RequestOptions,
  race,
  type World,
  world,
  worldFor,
} from './world.ts'

const matrix = await world({ env: { RECOVERY: 'on' } })
const gated = await matrix.node({ OWNER_EMAIL_GATE: 'on', RECOVERY: 'on' })
after(() => matrix.close())

const nameOf = ({ method, path }: Route): string => `${method} ${path}`
const routeOf = (row: Row): Route => {
  const found = routes.find((route) => nameOf(route) === row.route)
  assert.ok(found, `${row.route} has a row, but is no route`)
  return found
}

/** Grown up: the gate was switched on for everybody more than 14 days ago. */
const grownUp = new Date(matrix.now().getTime() + days(15))
matrix.travel(days(15))
// And both nodes have said since that they are alive: neither takes what the other receives for left behind.
await eventually(
  async () => (await matrix.sql`select 1 from nodes where seen_at < ${grownUp}`).length === 0,
  'nodes that are alive',
)

const verified = new Set<string>()

/** Nothing takes this away again. */
async function verifyAll(...agents: Agent[]): Promise<void> {
  const ids = agents.flatMap(({ id }) => (verified.has(id) ? [] : id))
  if (ids.length === 0) return
  await matrix.sql`update agents set email_verified_at = ${matrix.now()} where id = any(${ids}::uuid[])`
  for (const id of ids) verified.add(id)
}

/** As the operator does it. */
const suspend = (at: World, agent: Agent, suspended = true): Promise<boolean> => turnSuspended(at, agent.id, suspended)

type Cast = Pick<Stage, 'me' | 'peer' | 'stranger'>

async function newCast(): Promise<Cast> {
  const [me, peer, stranger] = await Promise.all([
    matrix.agent(handle()),
    matrix.agent(handle()),
    matrix.agent(handle()),
  ])
  return { me, peer, stranger }
}

/** Agents have one cast each that plays in all rows, outsiders one together. */
const casts = new Map<string, Cast>()
for (const part of [...agents, 'outsiders']) casts.set(part, await newCast())
const people = {
  staff: await staff(matrix, handle()),
  human: await human(matrix, 'Hilda'),
  otherHuman: await human(matrix, 'Otto'),
  signedOut: await human(matrix, 'Sam', { endedAt: matrix.now() }),
  visitor: await visitor(matrix),
}
await verifyAll(people.staff)

const isOutsider = (caller: Caller): boolean => (outsiders as readonly Caller[]).includes(caller)
const isPerson = (caller: Caller): caller is (typeof kindsOfPeople)[number] =>
  (kindsOfPeople as readonly Caller[]).includes(caller)

async function stageFor(row: Row, caller: Caller): Promise<Stage> {
  const shared = casts.get(isOutsider(caller) ? 'outsiders' : caller) as Cast
  const { me, peer, stranger } = row.alone ? await newCast() : shared
  const customer = row.alone && isOutsider(caller) ? await human(matrix, 'Hilda') : people.human
  const stage: Stage = { at: matrix, me, peer, stranger, caller: undefined, customer, id: '' }
  // What must be there was made before the gate came and the operator acted, so it is made as if they had not.
  if (caller === 'suspended' && row.given) await suspend(matrix, me, false)
  stage.id = (await row.given?.(stage)) ?? ''
  await verifyAll(peer, stranger)
  if (caller === 'restricted') {
    await matrix.sql`update agents set created_at = ${new Date(matrix.now().getTime() - days(14))} where id = ${me.id}`
  } else {
    await verifyAll(me)
  }
  if (caller === 'suspended') await suspend(matrix, me, true)
  if (isOutsider(caller)) return stage
  const trusted = row.alone && caller === 'staff' ? await staff(matrix, handle()) : people.staff
  await verifyAll(trusted)
  stage.caller = { stranger, other: peer, staff: trusted }[caller as 'staff'] ?? me
  return stage
}

async function personFor(row: Row, { customer }: Stage, caller: (typeof kindsOfPeople)[number]): Promise<Browsing> {
  if (caller === 'human') return customer
  return row.alone && caller === 'otherHuman' ? human(matrix, 'Otto') : people[caller]
}

const chosen: Readonly<Record<string, string>> = { '{kind}': 'like' }

/** A path with an id at every parameter; several are in order, separated by spaces. */
function pathOf(route: Route, id: string): string {
  const ids = id.split(' ')
  // What is chosen from a few words is no id.
  return route.path.replace(/\{\w+\}/g, (name) => (chosen[name] ?? (ids.length > 1 ? ids.shift() : ids[0])) as string)
}

test('every route has a row, and the public ones match the contract', () => {
  const withRow = new Set(rows.map((row) => nameOf(routeOf(row))))
  assert.deepEqual(
    routes.map(nameOf).filter((name) => !withRow.has(name)),
    [],
    'routes without a row in the matrix of access',
  )
  assert.deepEqual(
    routes.filter((route) => route.caller === 'anyone').map(nameOf),
    routes.map(nameOf).filter((name) => rows.some((row) => row.route === name && row.public)),
  )
})

/** They send every text at its longest: it is taken, kept and shown as any other. */
const mayAct: ReadonlySet<Caller> = new Set(['owner', 'human', 'staff'])

/** In characters of four bytes, if the body has room for so many of them. */
function fullest({ body, bodyLimit = 64 * 1024 }: Route, { without = [] }: Row, json: unknown): unknown {
  if (!body || json === undefined) return json
  const filled = (letter?: string): object =>
    Object.fromEntries(Object.entries(longest(body, json, letter) as object).filter(([key]) => !without.includes(key)))
  const full = filled()
  return Buffer.byteLength(JSON.stringify(full)) <= bodyLimit ? full : filled('x')
}

for (const row of rows) {
  test(`access: ${row.route}${row.when ? `, ${row.when}` : ''}`, async () => {
    const route = routeOf(row)
    const seen: Record<string, string> = {}
    const wanted = answersOf(route.caller, row)
    let outside: Promise<Stage> | undefined
    await Promise.all(
      callers.map(async (caller) => {
        // They are let in nowhere, or all alike: one stage is enough for them.
        if (isOutsider(caller)) outside ??= stageFor(row, caller)
        const stage = await (isOutsider(caller) ? (outside as Promise<Stage>) : stageFor(row, caller))
        const token = caller === 'badToken' ? `kith_${'A'.repeat(43)}` : stage.caller?.token
        const person = isPerson(caller) ? await personFor(row, stage, caller) : undefined
        const json = row.body?.(stage)
        const body: RequestOptions = row.form
          ? await encoded(row.form())
          : { json: mayAct.has(caller) ? fullest(route, row, json) : json }
        const answer = await gated.request(route.method, pathOf(route, stage.id) + (row.query ?? ''), {
          token,
          ...body,
          headers: { ...body.headers, ...person?.headers },
        })
        if (row.bytes && answer.status === 200) assert.equal(answer.headers.get('x-content-type-options'), 'nosniff')
        else assertOrdinary(answer)
        const scheme = route.caller === 'human' || route.caller === 'visitor' ? null : 'Bearer'
        if (answer.status === 401) assert.equal(answer.headers.get('www-authenticate'), scheme)
        seen[caller] = code(answer)
        if (answer.status >= 500 && wanted[caller] !== seen[caller]) seen[caller] += `: ${gated.warnings.join('\n')}`
      }),
    )
    assert.deepEqual(seen, wanted)
  })
}

/** A form as a browser would send it. */
async function encoded(form: FormData): Promise<{ raw: Buffer; headers: Record<string, string> }> {
  const wire = new Response(form)
  return {
    raw: Buffer.from(await wire.arrayBuffer()),
    headers: { 'content-type': wire.headers.get('content-type') as string },
  }
}

/** What every answer carries, and what none may tell. */
function assertOrdinary(answer: Answer): void {
  assert.match(answer.headers.get('x-request-id') ?? '', /^[0-9a-f]{8}-[0-9a-f]{4}-7/)
  assert.equal(answer.headers.get('cache-control'), 'no-store')
  assert.match(answer.headers.get('content-type') ?? '', /^application\/json; charset=utf-8$/)
  assert.equal(answer.headers.get('x-powered-by'), null)
  assert.notEqual(answer.status, 500)
  if (answer.status < 400) return
  assert.doesNotMatch(
    JSON.stringify(answer.body),
    /node_modules|\.ts\b|\bat \/|select |insert |relation|fastify|FST_|postgres/i,
  )
}

// Malformed requests, on every route.

const calls = routes.map((route) => ({ route, row: rows.find((row) => row.route === nameOf(route)) as Row }))
const mutating = calls.filter(({ route }) => route.method !== 'GET' && !route.form)
const withParams = calls.filter(({ route }) => route.path.includes('{'))

const insider = await matrix.agent(handle())
await verifyAll(insider)

interface Altered {
  path?: string
  method?: string
  json?: unknown
  raw?: string | Buffer
  headers?: Record<string, string>
}

/** What lets in whom the route is for: `insider` by its token, a person by a cookie, a browser by the page that it shows. */
function admission({ caller }: Route): { token?: string; headers?: Record<string, string> } {
  if (caller === 'human' || caller === 'visitor') return { headers: people[caller].headers }
  if (caller === 'browser') return { headers: { origin: gated.service.publicUrl } }
  return { token: insider.token }
}

/** Of a request that nobody acts on. */
const malformed = (id: string): Stage => ({
  at: matrix,
  me: insider,
  peer: insider,
  stranger: insider,
  caller: insider,
  customer: people.human,
  id,
})

/** Sends what the route takes from whom it is for, but for what `change` says. */
async function send({ route, row }: (typeof calls)[number], change: Altered): Promise<Answer> {
  const stage = malformed(randomUUID())
  const hasBody = route.method !== 'GET' && change.raw === undefined
  const json = change.json ?? row.body?.(stage)
  const admitted = admission(route)
  const answer = await gated.request(change.method ?? route.method, change.path ?? pathOf(route, randomUUID()), {
    ...(hasBody && json !== undefined && { json }),
    ...(change.raw !== undefined && { raw: change.raw }),
    ...admitted,
    headers: { ...admitted.headers, ...change.headers },
  })
  assertOrdinary(answer)
  return answer
}

/** `invalid_search` for posts and discovery, `invalid_input` elsewhere. */
const queryCode = ({ path }: Route): string =>
  /^\/(posts|discovery)(\/|$)/.test(path) ? 'invalid_search' : 'invalid_input'
const bodyCode = ({ path }: Route): string => (/^\/posts(\/|$)/.test(path) ? 'unknown_fields' : 'invalid_input')
const paths = (answer: Answer): string[] =>
  answer.body.error.details.fields.map((field: { path: string }) => field.path)

/**
 * One reader judges the ids, queries and bodies of all routes. So each route gets a few of the many malformed ones, the next
 * route the next few: every route shows that it is asked, and every form is refused on many of them.
 */
const inTurn = <T>(forms: readonly T[], at: number, count = 2): T[] =>
  Array.from({ length: count }, (_, n) => forms[(at * count + n) % forms.length] as T)

test('an unknown query key is refused and named, on every route', async () => {
  for (const call of calls) {
    const answer = await send(call, { path: `${pathOf(call.route, randomUUID())}?surprise=1` })
    assert.equal(code(answer), `400 ${queryCode(call.route)}`, nameOf(call.route))
    assert.deepEqual(paths(answer), ['surprise'])
  }
})

test('a question mark in a name is part of the name', async () => {
  const answer = await gated.request('GET', '/bots??page=1', { token: insider.token })
  assert.equal(code(answer), '400 invalid_input')
  assert.deepEqual(paths(answer), ['?page'])
})

/** What a parameter takes: a number, one of its choices, or anything that a text may be. */
const acceptable = ({ type, anyOf }: { type?: string; anyOf?: { const: string }[] }): string =>
  type === 'integer' ? '1' : (anyOf?.[0]?.const ?? randomUUID())

test('a repeated query key is refused and named, on every route that has one', async () => {
  for (const call of calls) {
    for (const name of Object.keys(call.route.query ?? {})) {
      const value = acceptable(call.route.query?.[name]?.schema as { type?: string; anyOf?: { const: string }[] })
      const answer = await send(call, { path: `${pathOf(call.route, randomUUID())}?${name}=${value}&${name}=${value}` })
      assert.equal(code(answer), `400 ${queryCode(call.route)}`, `${nameOf(call.route)} ${name}`)
      assert.deepEqual(paths(answer), [name])
    }
  }
})

test('page numbers are plain digits within their bounds', async () => {
  const malformed = ['0', '-1', '+1', '01', '1.0', '1e2', '', ' 1', '%31x', '1000001', 'NaN']
  for (const [at, call] of calls.filter(({ route }) => route.query && 'page' in route.query).entries()) {
    for (const bad of inTurn(malformed, at)) {
      for (const name of ['page', 'page_size']) {
        const answer = await send(call, { path: `${pathOf(call.route, randomUUID())}?${name}=${encodeURI(bad)}` })
        assert.equal(code(answer), '400 invalid_pagination', `${nameOf(call.route)} ${name}=${bad}`)
      }
    }
    const over = await send(call, { path: `${pathOf(call.route, randomUUID())}?page_size=51` })
    assert.equal(code(over), '400 invalid_pagination')
  }
})

test('an unknown body key is refused and named, on every route that takes a body', async () => {
  for (const [at, call] of mutating.entries()) {
    for (const key of inTurn(['surprise', '__proto__', 'constructor'], at, 1)) {
      const valid = JSON.stringify(call.row.body?.(malformed('')) ?? {})
      const raw = `{"${key}":1${valid === '{}' ? '' : ','}${valid.slice(1)}`
      const answer = await send(call, { raw })
      assert.equal(code(answer), `400 ${bodyCode(call.route)}`, `${nameOf(call.route)} ${key}`)
      assert.deepEqual(paths(answer), [key], nameOf(call.route))
    }
  }
})

test('every missing or mistyped field is named', async () => {
  for (const call of mutating) {
    const { properties = {}, required = [] } = call.route.body ?? {}
    const fields = Object.keys(properties)
    const nothing = required.length === 0 ? undefined : await send(call, { json: {} })
    if (nothing)
      assert.deepEqual([nothing.status, new Set(paths(nothing))], [400, new Set(required)], nameOf(call.route))
    if (fields.length === 0) continue
    const wrong = await send(call, { json: Object.fromEntries(fields.map((field) => [field, 7.5])) })
    assert.deepEqual([wrong.status, new Set(paths(wrong))], [400, new Set(fields)], nameOf(call.route))
  }
})

test('an unsupported method is 405 with Allow; a trailing slash and an unknown path are 404', async () => {
  const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']
  for (const call of calls) {
    const path = pathOf(call.route, randomUUID())
    // A path with a name of its own is no ID of another one.
    const named = routes.filter((each) => each.path === path)
    const here =
      named.length > 0
        ? named
        : routes.filter(({ path: pattern }) => new RegExp(`^${pattern.replace(/\{\w+\}/g, '[^/]+')}$`).test(path))
    const allowed = new Set(here.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method as string])))
    // The other routes of a path have the same methods beside them.
    const isFirst = calls.find(({ route }) => route.path === call.route.path) === call
    for (const method of methods.filter((each) => isFirst && !allowed.has(each))) {
      const body = ['POST', 'PUT', 'PATCH'].includes(method) ? { raw: '{"broken' } : {}
      const answer = await gated.request(method, path, { token: insider.token, ...body })
      assertOrdinary(answer)
      assert.equal(code(answer), '405 method_not_allowed', `${method} ${path}`)
      assert.deepEqual(new Set(answer.headers.get('allow')?.split(', ')), allowed)
    }
    for (const other of [`${path}/`, `${path}/more/of/it`, `/${path.slice(1)}%20`, path.toUpperCase()]) {
      const answer = await send(call, { path: other })
      assert.ok([404, 405].includes(answer.status), `${other}: ${answer.status}`)
      if (other.endsWith('/') || other.endsWith('of/it')) assert.equal(code(answer), '404 not_found', other)
    }
  }
})

test('a malformed ID is 404 before its query and its body are checked', async () => {
  const bad = [
    '1',
    'x'.repeat(36),
    `${randomUUID()}x`,
    `%20${randomUUID()}`,
    `{${randomUUID()}}`,
    '%00',
    '..%2F',
    'y'.repeat(7000),
  ]
  for (const [at, call] of withParams.entries()) {
    for (const id of inTurn(bad, at)) {
      const path = pathOf(call.route, id)
      assert.equal(code(await send(call, { path })), '404 not_found', `${nameOf(call.route)} ${id.slice(0, 40)}`)
      assert.equal(code(await send(call, { path: `${path}?surprise=1` })), '404 not_found')
    }
    if (call.route.method === 'GET') continue
    const path = pathOf(call.route, 'not-an-id')
    for (const change of [
      { raw: '{"broken' },
      { raw: 'text', headers: { 'content-type': 'text/plain' } },
      { raw: `{"a":"${'x'.repeat(70_000)}"}` },
      { json: { surprise: 1 } },
    ]) {
      assert.equal(code(await send(call, { path, ...change })), '404 not_found')
    }
  }
})

test('an ID in upper case is the same ID', async () => {
  const [me, peer] = [await matrix.agent(handle()), await matrix.agent(handle())]
  await verifyAll(me, peer)
  const asked = await me.post('/contacts/requests', { recipient_id: peer.id.toUpperCase() })
  assert.equal(asked.body.contact.recipient_id, peer.id)
  assert.equal((await peer.post(`/contacts/${asked.body.contact.id.toUpperCase()}/accept`)).status, 200)
})

test('another content type is 415; without a body none is required', async () => {
  const others = [
    ...['text/plain', 'application/x-www-form-urlencoded', 'application/jsonx', 'application/json; charset=utf-16'],
    'nonsense',
  ]
  const json = ['application/json; charset=utf-8', 'application/json;charset="UTF-8"', 'APPLICATION/JSON']
  for (const [at, call] of calls.filter(({ route }) => route.method !== 'GET').entries()) {
    for (const type of inTurn(others, at)) {
      const answer = await send(call, { raw: '{}', headers: { 'content-type': type } })
      assert.equal(code(answer), '415 unsupported_media_type', `${nameOf(call.route)} ${type}`)
    }
    if (call.route.form) continue
    for (const type of inTurn(json, at, 1)) {
      const answer = await send(call, { raw: '[]', headers: { 'content-type': type } })
      assert.equal(code(answer), '400 invalid_json', `${nameOf(call.route)} ${type}`)
    }
    const packed = await send(call, { raw: '{}', headers: { 'content-encoding': 'gzip' } })
    const taken = packed.headers.get('accept-encoding')
    assert.deepEqual([code(packed), taken], ['415 unsupported_media_type', 'identity'], nameOf(call.route))
  }
})

test('actions without a body accept nothing or exactly {}', async () => {
  // To discard a file there is no body at all (docs/contract/attachments.md#discarding).
  const bodyless = mutating.filter(({ route, row }) => row.body === undefined && route.body)
  assert.ok(bodyless.length > 0)
  for (const call of bodyless.filter(({ route }) => !route.path.startsWith('/tokens'))) {
    const plain = await send(call, {})
    assert.notEqual(plain.status, 400, nameOf(call.route))
    for (const raw of ['{}', ' { } ', '']) {
      for (const type of raw === '' ? ['application/json', 'text/plain'] : ['application/json']) {
        const answer = await send(call, { raw, headers: { 'content-type': type } })
        assert.equal(code(answer), code(plain), `${nameOf(call.route)} ${JSON.stringify(raw)} ${type}`)
      }
    }
  }
})

test('a JSON body must be one strict object', async () => {
  const nested = (depth: number): string => `{"zz":${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}}`
  const broken: [string, string | Buffer][] = [
    ['an array', '[]'],
    ['a bare value', '1'],
    ['a string', '"x"'],
    ['null', 'null'],
    ['not JSON', '{"a":'],
    ['a comment', '{/**/}'],
    ['a comma too many', '{"a":1,}'],
    ['two values', '{}{}'],
    ['a repeated key', '{"a":1,"a":1}'],
    ['a repeated key by escape', '{"a":1,"\\u0061":1}'],
    ['a repeated key further in', '{"x":[{"b":{},"b":{}}]}'],
    ['too deep', nested(33)],
    ['far too deep', nested(20_000)],
    ['not UTF-8', Buffer.from([...Buffer.from('{"a":"'), 0xff, ...Buffer.from('"}')])],
    ['an encoded surrogate', Buffer.from([...Buffer.from('{"a":"'), 0xed, 0xa0, 0x80, ...Buffer.from('"}')])],
    ['a byte order mark', '\ufeff{}'],
    ['UTF-16', Buffer.from('{}', 'utf16le')],
    ['only space', '  '],
  ]
  for (const [at, call] of mutating.entries()) {
    for (const [what, raw] of inTurn(broken, at, 3)) {
      assert.equal(code(await send(call, { raw })), '400 invalid_json', `${nameOf(call.route)}: ${what}`)
    }
    const deepest = await send(call, { raw: nested(32) })
    assert.equal(deepest.status, 400)
    assert.notEqual(code(deepest), '400 invalid_json', `${nameOf(call.route)}: 32 levels are fine`)
  }
})

test('a body of 64 KiB is accepted, and one byte more is 413', async () => {
  const sized = (bytes: number): string => `{"zz":"${'a'.repeat(bytes - 9)}"}`
  for (const call of mutating) {
    const limit = call.route.bodyLimit ?? 64 * 1024
    assert.equal(Buffer.byteLength(sized(limit)), limit)
    const fits = await send(call, { raw: sized(limit) })
    assert.equal(fits.status, 400, nameOf(call.route))
    assert.equal(code(await send(call, { raw: sized(limit + 1) })), '413 payload_too_large', nameOf(call.route))
  }
})

test('HEAD answers like GET, without the body', async () => {
  const authorization = `Bearer ${insider.token}`
  for (const { route } of calls.filter(({ route }) => route.method === 'GET')) {
    const url = `${gated.url}/api/v1${pathOf(route, insider.id)}`
    const get = await fetch(url, { headers: { authorization } })
    const head = await fetch(url, { method: 'HEAD', headers: { authorization } })
    assert.equal(head.status, get.status, nameOf(route))
    assert.equal(head.headers.get('content-length'), String((await get.arrayBuffer()).byteLength))
    assert.equal(await head.text(), '')
  }
})

// Tokens.

test('a dead or malformed token is 401 on a public route too', async () => {
  const me = await matrix.agent(handle())
  const revoked = me.token
  await me.post('/tokens/revoke')
  const old = await matrix.agent(handle())
  const headers = [
    `Bearer ${revoked}`,
    `Bearer ${old.token.slice(0, -1)}`,
    `Bearer ${old.token}x`,
    `Bearer ${old.token} ${old.token}`,
    `Bearer ${old.token.toUpperCase()}`,
    'Bearer',
    'Bearer ',
    old.token,
  ]
  for (const path of ['/bots/me', '/registration/requirements', '/messages']) {
    for (const authorization of headers) {
      const answer = await matrix.request('GET', path, { headers: { authorization } })
      assert.equal(code(answer), '401 unauthorized', `${path} ${authorization.slice(0, 12)}`)
      assert.equal(answer.headers.get('www-authenticate'), 'Bearer')
    }
    assert.equal((await matrix.request('GET', path, { headers: { authorization: `bearer ${old.token}` } })).status, 200)
  }
})

// The order of checks.

test('of two errors the earlier check answers', async (t) => {
  const w = await worldFor(t, { env: { WRITE_LIMIT_PER_MINUTE: '6' } })
  const [a, b] = await w.friends('a_agent', 'b_agent')
  const stranger = await w.agent('stranger')
  const spend = async (agent: Agent): Promise<void> => {
    await race(8, () => agent.post(`/contacts/${randomUUID()}/accept`))
  }
  const sent = a.envelope(b)
  assert.equal((await a.post('/messages', sent)).status, 201)
  const used = (await w.agent('rotated')) satisfies Agent
  await spend(used)
  const limited = used.token
  const bad = '/contacts/not-an-id/accept?surprise=1'
  assert.equal(code(await used.post(bad)), '429 write_limited', '429 before the id')
  for (const raw of ['{"broken', `"${'x'.repeat(70_000)}"`]) {
    assert.equal(code(await w.request('POST', '/messages', { token: limited, raw })), '429 write_limited')
  }
  await w.sql`update tokens set revoked_at = ${w.now()} where agent_id = ${used.id}`
  assert.equal(code(await used.post(bad)), '401 unauthorized', '401 before 429')
  assert.equal(code(await w.request('POST', '/messages', { token: limited, raw: '{"broken' })), '401 unauthorized')

  w.travel(minutes(2))
  const both = { token: a.token, raw: '{"broken', headers: { 'content-type': 'text/plain' } }
  assert.equal(code(await w.request('POST', `/contacts/x/accept`, both)), '404 not_found', 'the id before 415')
  const query = await w.request('POST', `/contacts/${randomUUID()}/accept?surprise=1`, both)
  assert.equal(code(query), '400 invalid_input', 'the query before the body')

  w.travel(minutes(2))
  await suspend(w, a)
  assert.equal(code(await a.post('/messages', { ...sent, nonce: 'x' })), '400 invalid_input', 'syntax before a replay')
  assert.equal((await a.post('/messages', sent)).status, 200, 'a replay before the gate')
  const other = { ...a.envelope(b), client_message_id: sent['client_message_id'] }
  assert.equal(code(await a.post('/messages', other)), '409 idempotency_conflict')
  const gone = { ...a.envelope(b), recipient_id: randomUUID() }
  assert.equal(code(await a.post('/messages', gone)), '403 profile_inactive', 'the gate before existence')

  w.travel(minutes(2))
  const wrongKey = keyPair().publicKey
  const missing = { ...b.envelope(stranger, { sender_public_key: wrongKey }), recipient_id: randomUUID() }
  assert.equal(code(await b.post('/messages', missing)), '404 not_found', 'existence before the sides')
  const toStranger = b.envelope(stranger, { sender_public_key: wrongKey })
  assert.equal(code(await b.post('/messages', toStranger)), '403 contact_not_accepted', 'the sides before the state')
  assert.equal(code(await b.post('/messages', b.envelope(a, { sender_public_key: wrongKey }))), '409 key_changed')
})
