// A visitor's session: one a browser, begun from a page of ours alone, by a cookie that only this service makes.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { story } from '../../../test/story.ts'
import { askSession, begun, cookieOf, followsOf, fromHere } from '../../../test/visitors.ts'
import { code, race, type World, world } from '../../../test/world.ts'
import { visitorCookie } from '../../http/cookies.ts'
import { days, hours, minutes } from '../../kernel/clock.ts'

const { w, ada } = story('ada', { env: { VISITOR_LIMIT_PER_HOUR: '0' } })

const count = async (): Promise<number> =>
  Number((await w.sql<{ n: number }>`select count(*)::int as n from visitors`)[0]?.n)
const follow = (headers: Record<string, string>, at: World = w) =>
  at.request('PUT', `/visitor/follows/${ada.id}`, { headers })

test('a new session is 201 with a cookie and a working token; with the cookie it is the same session', async () => {
  const first = await askSession(w)
  assert.equal(first.status, 201)
  assert.deepEqual(Object.keys(first.body), ['csrf_token'])
  assert.match(
    first.headers.getSetCookie().join(),
    /^kith_visitor=[\w-]{22}\.[\w-]+; Path=\/; Max-Age=31536000; HttpOnly; SameSite=Lax$/,
  )
  const cookie = cookieOf(first)
  const sessions = await count()
  const again = await race(20, () => askSession(w, { cookie }))
  for (const answer of again) {
    assert.equal(answer.status, 200)
    assert.deepEqual(answer.body, first.body)
    assert.deepEqual(answer.headers.getSetCookie(), [], 'it stays the cookie that it was')
  }
  assert.equal(await count(), sessions, 'a browser with a living cookie has no other')
  assert.equal(code(await follow({ cookie, 'x-csrf-token': first.body.csrf_token })), '200')
})

test('on HTTPS the cookie is bound to this host, and the other name means nothing', async () => {
  const safe = await w.node({ PUBLIC_URL: 'https://kith.example' })
  const answer = await askSession(safe)
  assert.match(
    answer.headers.getSetCookie().join(),
    /^__Host-kith_visitor=[^;]+; Path=\/; Max-Age=31536000; HttpOnly; SameSite=Lax; Secure$/,
  )
  const value = cookieOf(answer).replace(/^[^=]+=/, '')
  const token = answer.body.csrf_token
  const by = (name: string, at: World) => follow({ cookie: `${name}=${value}`, 'x-csrf-token': token }, at)
  assert.equal(code(await by('__Host-kith_visitor', safe)), '200')
  assert.equal(code(await by('kith_visitor', safe)), '401 unauthorized', 'what a page without HTTPS could have planted')
  assert.equal(code(await by('__Host-kith_visitor', w)), '401 unauthorized')
  // The stolen value under the name of the other origin is the same visitor: it is the name that keeps it from being sent.
  assert.equal(code(await by('kith_visitor', w)), '200')
})

test('a session needs JSON from a page of this origin', async () => {
  const own = fromHere(w)
  const ask = (headers: Record<string, string>, body: { json?: unknown; raw?: string } = { json: {} }) =>
    w.request('POST', '/visitor/session', { ...body, headers })
  const sessions = await count()
  for (const origin of ['https://evil.example', 'null', `${own['origin']}.evil.example`, `${own['origin']}:1`, '']) {
    assert.equal(code(await ask({ origin })), '403 csrf_failed', origin)
  }
  assert.equal(code(await ask({})), '403 csrf_failed')
  assert.equal(code(await ask({ ...own, authorization: 'Bearer x' })), '403 forbidden')
  for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x']) {
    const answer = await ask({ ...own, 'content-type': type }, { raw: '{}' })
    assert.equal(code(answer), '415 unsupported_media_type', type)
  }
  assert.equal(code(await ask(own, {})), '415 unsupported_media_type', 'nothing is no JSON')
  assert.equal(code(await ask(own, { raw: '[]' })), '400 invalid_json')
  assert.equal(code(await ask(own, { json: { name: 'Vera' } })), '400 invalid_input')
  assert.equal(await count(), sessions)
})

test('a cookie not signed here begins another session, and never becomes a signed one', async () => {
  const { cookie } = await begun(w)
  const value = (cookie as string).slice('kith_visitor='.length)
  const [id = '', mac = ''] = value.split('.')
  const others = [
    'kith_visitor=',
    'kith_visitor=x',
    `kith_visitor=${id}`,
    `kith_visitor=${id}.`,
    `kith_visitor=${id}.${mac}.`,
    `kith_visitor=${id}.${mac.slice(0, -2)}AA`,
    `kith_visitor=${Buffer.from('attacker chose it').toString('base64url').slice(0, 22)}.${mac}`,
    `kith_visitor=${visitorCookie(w.service.secrets, randomUUID())}`,
    `kith_visitor=${value}; kith_visitor=${value}`,
    `kith_visitor=${randomUUID()}`,
  ]
  for (const given of others) {
    const answer = await askSession(w, { cookie: given })
    assert.equal(answer.status, 201, given)
    assert.ok(!given.includes(cookieOf(answer).slice('kith_visitor='.length)), 'of this service’s own choosing')
    const act = await follow({ cookie: given, 'x-csrf-token': answer.body.csrf_token })
    assert.equal(code(act), '401 unauthorized', given)
  }
})

test('a form token works only for its own session', async () => {
  const [vera, otto] = [await begun(w), await begun(w)]
  const acts: [string, string, unknown?][] = [
    ['PUT', `/visitor/follows/${ada.id}`],
    ['DELETE', `/visitor/follows/${ada.id}`],
    ['PUT', `/visitor/posts/${randomUUID()}/reactions/like`],
    ['DELETE', `/visitor/posts/${randomUUID()}/reactions/like`],
    ['PUT', `/visitor/posts/${randomUUID()}/poll/vote`, { option_id: randomUUID() }],
  ]
  for (const [method, path, json] of acts) {
    for (const token of [undefined, '', 'x', otto['x-csrf-token'], vera['cookie']]) {
      const headers = { cookie: vera['cookie'] as string, ...(token !== undefined && { 'x-csrf-token': token }) }
      assert.equal(code(await w.request(method, path, { json, headers })), '403 csrf_failed', `${method} ${path}`)
    }
    const foreign = await w.request(method, path, { json, headers: { ...vera, origin: 'https://evil.example' } })
    assert.equal(code(foreign), '403 csrf_failed')
    const tokenFirst = await w.request(method, path, {
      json,
      headers: { ...vera, authorization: `Bearer ${ada.token}` },
    })
    assert.equal(code(tokenFirst), '403 forbidden')
    const none = await w.request(method, path, { json, headers: { 'x-csrf-token': vera['x-csrf-token'] as string } })
    assert.equal(code(none), '401 unauthorized')
  }
  const { cookie } = vera as { cookie: string }
  const read = (headers: Record<string, string>) => w.request('GET', '/visitor/follows', { headers })
  assert.equal(code(await read({ cookie })), '200', 'reading needs no such token')
  assert.equal(code(await read({ cookie, origin: 'https://evil.example' })), '403 csrf_failed')
  assert.deepEqual((await read({ cookie })).body.follows, [])
})

test('parallel first requests of a browser may each begin a complete session', async () => {
  const all = await Promise.all(Array.from({ length: 20 }, () => begun(w)))
  assert.equal(new Set(all.map(({ cookie }) => cookie)).size, 20)
  for (const answer of await Promise.all(all.map((headers) => follow(headers)))) assert.equal(code(answer), '200')
})

test('an address begins a limited number of sessions per hour; an existing session costs nothing', async () => {
  const few = await world({ env: { VISITOR_LIMIT_PER_HOUR: '3', TRUSTED_PROXIES: '127.0.0.1' } })
  try {
    const from = (address: string) => askSession(few, { 'x-forwarded-for': address })
    const first = await race(20, () => from('198.51.100.7'))
    assert.deepEqual(first.map(code).sort(), [...Array(3).fill('201'), ...Array(17).fill('429 write_limited')])
    const refused = first.find(({ status }) => status === 429)
    assert.match(refused?.headers.get('retry-after') ?? '', /^[1-9]\d{0,3}$/)
    assert.deepEqual(refused?.headers.getSetCookie(), [])
    assert.equal(code(await from('198.51.100.8')), '201', 'another address')
    const v6 = ['2001:db8::1', '2001:db8::2', '2001:db8:0:0:ffff::3', '2001:db8::4']
    assert.equal((await Promise.all(v6.map(from))).filter(({ status }) => status === 201).length, 3, 'one /64')
    const made = first.find(({ status }) => status === 201)
    assert.ok(made)
    const kept = { cookie: cookieOf(made), 'x-forwarded-for': '198.51.100.7' }
    for (const answer of await race(5, () => askSession(few, kept))) assert.equal(code(answer), '200')
    few.travel(hours(1))
    assert.equal(code(await from('198.51.100.7')), '201', 'a new hour')
  } finally {
    await few.close()
  }
})

test("visitors' changes count towards the write limit, and return the remaining number", async () => {
  const few = await w.node({ WRITE_LIMIT_PER_MINUTE: '3' })
  const vera = await begun(few)
  const answers = await race(20, () => follow(vera, few))
  assert.deepEqual(answers.map(code).sort(), [...Array(3).fill('200'), ...Array(17).fill('429 write_limited')])
  assert.equal(answers[0]?.headers.get('ratelimit-policy'), '"writes";q=3;w=60')
  assert.equal(code(await few.request('GET', '/visitor/follows', { headers: vera })), '200')
  const other = await begun(few)
  assert.equal(code(await follow(other, few)), '200', 'another visitor has a limit of its own')
})

test('a visitor absent for 90 days is unknown, both by the cookie and for a new session', async () => {
  const [vera, otto] = [await begun(w), await begun(w)]
  const read = (headers: Record<string, string>) => w.request('GET', '/visitor/follows', { headers })
  await follow(vera)
  w.travel(days(90) - minutes(1))
  assert.deepEqual(await followsOf({ request: (method, path) => w.request(method, path, { headers: vera }) }), ['ada'])
  w.travel(minutes(2))
  assert.equal(code(await read(otto)), '401 unauthorized')
  assert.equal(code(await follow(otto)), '401 unauthorized')
  assert.equal((await askSession(w, { cookie: otto['cookie'] as string })).status, 201, 'another one')
  assert.equal(code(await read(vera)), '200', 'she was here a moment ago')
  w.travel(days(90))
  assert.equal(code(await read(vera)), '401 unauthorized')
})

test("a visitor's last visit is recorded once a day, despite simultaneous requests", async () => {
  const { cookie } = await begun(w)
  const versions = async () =>
    (await w.sql`select xmin::text as version, used_at from visitors order by created_at desc limit 1`)[0]
  const read = () => w.request('GET', '/visitor/follows', { headers: { cookie: cookie as string } })
  const written = await versions()
  w.travel(hours(23))
  await race(20, read)
  assert.deepEqual(await versions(), written)
  w.travel(hours(2))
  await Promise.all([read(), read()])
  const next = await versions()
  assert.notDeepEqual(next, written)
  await race(20, read)
  w.travel(hours(20))
  await race(20, read)
  assert.deepEqual(await versions(), next)
})
