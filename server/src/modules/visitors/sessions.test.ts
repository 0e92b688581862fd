// A visitor's session: one for each browser, within limits, recorded once a day.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { story } from '../../../test/story.ts'
import { askSession, begun, cookieOf } from '../../../test/visitors.ts'
import { code, race, type World, worldFor } from '../../../test/world.ts'
import { hours } from '../../kernel/clock.ts'

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
  assert.equal(first.headers.get('cache-control'), 'no-store')
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

test('parallel first requests of a browser may each begin a complete session', async () => {
  const all = await Promise.all(Array.from({ length: 20 }, () => begun(w)))
  assert.equal(new Set(all.map(({ cookie }) => cookie)).size, 20)
  for (const answer of await Promise.all(all.map((headers) => follow(headers)))) assert.equal(code(answer), '200')
})

test('an address begins a limited number of sessions per hour; an existing session costs nothing', async (t) => {
  const few = await worldFor(t, { env: { VISITOR_LIMIT_PER_HOUR: '3', TRUSTED_PROXIES: '127.0.0.1' } })
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
