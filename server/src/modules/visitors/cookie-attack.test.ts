// Who is a visitor, and who is not, whatever a request brings along: cookies altered, doubled, of other names and other
// keys, form tokens of others, and pages that are not ours.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { sendRaw } from '../../../test/raw.ts'
import { beforehand, story } from '../../../test/story.ts'
import { asked, askSession, begun, cookieOf, fromHere } from '../../../test/visitors.ts'
import { type Answer, code, type World, world } from '../../../test/world.ts'

const { w, ada } = story('ada')
const post = beforehand(() => asked(w, ada))
const more: World[] = []
after(async () => {
  for (const each of more) await each.close()
})

const another = async (env: Record<string, string>): Promise<World> => {
  const made = await world({ env })
  more.push(made)
  return made
}

type Headers = Record<string, string>
interface Door {
  method: string
  path: string
  json?: unknown
}

const changes = (): Door[] => [
  { method: 'PUT', path: `/visitor/follows/${ada.id}` },
  { method: 'DELETE', path: `/visitor/follows/${ada.id}` },
  { method: 'PUT', path: `/visitor/posts/${post.postId}/reactions/like` },
  { method: 'DELETE', path: `/visitor/posts/${post.postId}/reactions/like` },
  { method: 'PUT', path: `/visitor/posts/${post.postId}/poll/vote`, json: { option_id: post.options[0] } },
]
const doors = (): Door[] => [{ method: 'GET', path: '/visitor/follows' }, ...changes()]

const at = ({ method, path, json }: Door, headers: Headers): Promise<Answer> =>
  w.request(method, path, { headers, ...(json !== undefined && { json }) })

const nameOf = (cookie: string): string => cookie.split('=', 1)[0] as string
const signed = (cookie: string): string => cookie.slice(cookie.indexOf('=') + 1)

const rows = async (): Promise<unknown> =>
  w.sql`select (select count(*)::int from visitors) as visitors, (select count(*)::int from visitor_follows) as follows,
    (select count(*)::int from post_reactions) as reactions, (select count(*)::int from poll_votes) as votes`

test('each endpoint is open to a visitor, and closed without the cookie', async () => {
  const ann = await begun(w)
  for (const door of doors()) {
    assert.equal(code(await at(door, ann)), '200', door.path)
    assert.equal(code(await at(door, {})), '401 unauthorized')
    assert.equal(code(await at(door, { 'x-csrf-token': ann['x-csrf-token'] as string })), '401 unauthorized')
    // 401 comes before what is wrong with the origin.
    assert.equal(code(await at(door, { origin: 'https://evil.example' })), '401 unauthorized')
  }
})

test('a cookie altered anywhere is ignored', async () => {
  const ann = await begun(w)
  const { cookie = '' } = ann
  const [name, value] = [nameOf(cookie), signed(cookie)]
  const list = (altered: string): Promise<Answer> =>
    at({ method: 'GET', path: '/visitor/follows' }, { cookie: altered })
  assert.equal(code(await list(cookie)), '200')
  const altered = new Set<string>()
  for (let index = 0; index < value.length; index += 1) {
    for (let bit = 0; bit < 7; bit += 1) {
      const char = String.fromCharCode(value.charCodeAt(index) ^ (1 << bit))
      if (/[!-~]/.test(char)) altered.add(value.slice(0, index) + char + value.slice(index + 1))
    }
    // What base64 decodes to the same bytes is still another cookie.
    for (const char of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_')
      if (index === 21 || index === value.length - 1) altered.add(value.slice(0, index) + char + value.slice(index + 1))
  }
  const [id = '', mac = ''] = value.split('.')
  for (const other of [
    id,
    `${id}.`,
    `.${mac}`,
    `${value}.`,
    `${value}.x`,
    `${value}=`,
    `${value}A`,
    `${id}=.${mac}`,
    `${id}..${mac}`,
    `${id}.${mac.toUpperCase()}`,
    `"${value}"`,
    encodeURIComponent(value).replace('.', '%2E'),
    `${value}%00`,
    value.replaceAll('-', '+').replaceAll('_', '/').concat('='),
    `${mac}.${id}`,
    'undefined',
    'null',
    '__proto__',
    '',
    'x'.repeat(4000),
  ])
    altered.add(other)
  altered.delete(value)
  const taken: string[] = []
  for (const each of altered) if (code(await list(`${name}=${each}`)) !== '401 unauthorized') taken.push(each)
  assert.deepEqual(taken, [], `not ${value}`)
})

test('a signature for one visitor, person or key is valid for nothing else', async () => {
  const [ann, bob, customer] = [await begun(w), await begun(w), await w.human('Carl')]
  const [annsId] = signed(ann['cookie'] as string).split('.')
  const [, bobsMac] = signed(bob['cookie'] as string).split('.')
  const elsewhere = await another({ SECRET_KEY: 'another secret key for tests, as long as it' })
  const theirs = await begun(elsewhere)
  const none = [
    `kith_visitor=${annsId}.${bobsMac}`,
    `kith_visitor=${signed(customer.headers.cookie)}`,
    `kith_session=${signed(ann['cookie'] as string)}`,
    `__Host-kith_visitor=${signed(ann['cookie'] as string)}`,
    `KITH_VISITOR=${signed(ann['cookie'] as string)}`,
    `kith%5Fvisitor=${signed(ann['cookie'] as string)}`,
    `$kith_visitor=${signed(ann['cookie'] as string)}`,
    `kith_visitor=${ann['x-csrf-token']}`,
    theirs['cookie'] as string,
    customer.headers.cookie,
  ]
  for (const cookie of none) {
    for (const door of doors()) assert.equal(code(await at(door, { ...ann, cookie })), '401 unauthorized', cookie)
    // Nobody has to send the planted cookie: a new session begins.
    const begins = await askSession(w, { cookie })
    assert.equal(code(begins), '201')
    assert.notEqual(signed(cookieOf(begins)), signed(cookie))
  }
  assert.equal(
    code(await at({ method: 'GET', path: '/human/me' }, { cookie: ann['cookie'] as string })),
    '401 unauthorized',
  )
})

test('two cookies with one name are ignored, in one header or two, in any order', async () => {
  const [ann, bob] = [await begun(w), await begun(w)]
  const [a, b] = [ann['cookie'] as string, bob['cookie'] as string]
  for (const cookie of [
    `${a}; ${b}`,
    `${b}; ${a}`,
    `${a}; ${a}`,
    `${a};${b}`,
    `${a}; kith_visitor=`,
    `kith_visitor=x; ${a}`,
  ])
    for (const door of doors()) assert.equal(code(await at(door, { ...ann, cookie })), '401 unauthorized', cookie)
  const host = `Host: ${new URL(w.url).host}`
  const twice = await sendRaw(w.url, ['GET /api/v1/visitor/follows HTTP/1.1', host, `Cookie: ${a}`, `Cookie: ${b}`])
  assert.equal(twice.status, 401)
  const beside = await sendRaw(w.url, ['GET /api/v1/visitor/follows HTTP/1.1', host, 'Cookie: x=1', `Cookie: ${a}`])
  assert.equal(beside.status, 200)
  for (const cookie of [`x=1; ${a}`, `${a}; x`, `${a};`, `=; ${a}`, `kith_language=ru; ${a}; kith_session=1`, `;;${a}`])
    assert.equal(code(await at({ method: 'GET', path: '/visitor/follows' }, { cookie })), '200', cookie)
})

test('a cookie name that matches only after stripping characters is another name', async () => {
  const https = await another({ PUBLIC_URL: 'https://kith.example' })
  const ann = await begun(https)
  const value = signed(ann['cookie'] as string)
  assert.equal(nameOf(ann['cookie'] as string), '__Host-kith_visitor')
  const ask = (cookie: string) =>
    sendRaw(https.url, ['GET /api/v1/visitor/follows HTTP/1.1', 'Host: kith.example', `Cookie: ${cookie}`])
  assert.equal((await ask(`__Host-kith_visitor=${value}`)).status, 200)
  // A neighbour on another host of the domain can set each of these; the prefix keeps it from setting the real one.
  const strangers = [
    '\xa0__Host-kith_visitor',
    '__Host-kith_visitor\xa0',
    '\xc2\xa0__Host-kith_visitor',
    '\xef\xbb\xbf__Host-kith_visitor',
    '\x85__Host-kith_visitor',
    '__HOST-kith_visitor',
    '__host-kith_visitor',
    '__Host-Kith_visitor',
    '__Host-kith%5Fvisitor',
    '__Secure-kith_visitor',
    'kith_visitor',
    '"__Host-kith_visitor"',
  ]
  const taken: string[] = []
  const spoiled: string[] = []
  for (const name of strangers) {
    if ((await ask(`${name}=${value}`)).status !== 401) taken.push(name)
    if ((await ask(`${name}=x; __Host-kith_visitor=${value}`)).status !== 200) spoiled.push(name)
  }
  assert.deepEqual(taken, [], 'no other name is taken for it')
  assert.deepEqual(spoiled, [], 'and none spoils the real one')
})

test('a change needs the complete form token of its own session', async () => {
  const [ann, bob, customer] = [await begun(w), await begun(w), await w.human('Cora')]
  const token = ann['x-csrf-token'] as string
  const cookie = ann['cookie'] as string
  const before = await rows()
  const wrong = [
    undefined,
    '',
    bob['x-csrf-token'],
    customer.headers['x-csrf-token'],
    token.slice(0, -1),
    `${token}A`,
    `${token}, ${token}`,
    `"${token}"`,
    token.toUpperCase(),
    encodeURIComponent(`${token}=`),
    signed(cookie),
    'undefined',
    ...[...'ABCDEFGHIJKLMNOP'].map((char) => token.slice(0, -1) + char).filter((each) => each !== token),
  ]
  for (const door of changes()) {
    for (const each of wrong) {
      const answer = await at(door, { cookie, ...(each !== undefined && { 'x-csrf-token': each }) })
      assert.equal(code(answer), '403 csrf_failed', `${door.method} ${door.path} ${each}`)
    }
    // Not where else a token may stand.
    for (const path of [`${door.path}?csrf_token=${token}`, `${door.path}?x-csrf-token=${token}`])
      assert.equal(code(await at({ ...door, path }, { cookie })), '403 csrf_failed')
  }
  assert.deepEqual(await rows(), before, 'and nothing was changed')
  assert.equal(code(await at({ method: 'GET', path: '/visitor/follows' }, { cookie })), '200', 'reading needs none')
})

const alike = (w: World): string[] => {
  const { origin, port, hostname } = new URL(w.service.publicUrl)
  return [
    'null',
    'https://evil.example',
    `${origin}.evil.example`,
    `http://evil.example#${origin}`,
    `${origin}/`,
    `${origin}/posts`,
    `${origin}.`,
    `http://${hostname}.:${port}`,
    `http://${hostname}`,
    `http://${hostname}:${Number(port) + 1}`,
    `https://${hostname}:${port}`,
    `https://localhost:${port}`,
    `http://localhost:${Number(port) + 1}`,
    `http://user@${hostname}:${port}`,
    `HTTP://${hostname}:${port}`,
    `${origin}, ${origin}`,
    `${origin} https://evil.example`,
    'file://',
    'about:blank',
    '*',
    'undefined',
  ]
}

test('a session begins only from a page of this origin', async () => {
  const before = await rows()
  const ask = (headers: Headers) => w.request('POST', '/visitor/session', { json: {}, headers })
  const taken: string[] = []
  for (const origin of alike(w)) if (code(await ask({ origin })) !== '403 csrf_failed') taken.push(origin)
  assert.deepEqual(taken, [])
  assert.equal(code(await ask({})), '403 csrf_failed', 'not without any')
  assert.equal(code(await ask({ referer: `${w.service.publicUrl}/` })), '403 csrf_failed')
  assert.equal(code(await ask({ 'sec-fetch-site': 'same-origin' })), '403 csrf_failed', 'which is for forms')
  assert.deepEqual(await rows(), before)
  const ann = await begun(w)
  for (const origin of ['null', 'https://evil.example'])
    assert.equal(
      code(await ask({ origin, cookie: ann['cookie'] as string })),
      '403 csrf_failed',
      'a living one neither',
    )
  assert.equal(code(await ask({ cookie: ann['cookie'] as string })), '403 csrf_failed')
})

test('every request from a foreign page is refused, reads included', async () => {
  const ann = await begun(w)
  const taken: string[] = []
  for (const door of doors()) {
    assert.equal(code(await at(door, { ...ann, ...fromHere(w) })), '200')
    for (const origin of alike(w)) {
      const answer = await at(door, { ...ann, origin })
      if (code(answer) !== '403 csrf_failed') taken.push(`${door.method} ${origin}`)
      assert.equal(answer.headers.get('access-control-allow-origin'), null)
    }
  }
  assert.deepEqual(taken, [])
})

test('no other site may make requests: there is no CORS', async () => {
  for (const { path } of [...doors(), { path: '/visitor/session' }]) {
    const answer = await w.request('OPTIONS', path, {
      headers: { origin: 'https://evil.example', 'access-control-request-method': 'PUT' },
    })
    assert.equal(code(answer), '405 method_not_allowed')
    for (const [name] of answer.headers) assert.ok(!name.startsWith('access-control-'), name)
  }
})

test('any Authorization header is refused first, even beside a valid cookie', async () => {
  const ann = await begun(w)
  for (const authorization of [`Bearer ${ada.token}`, 'Bearer x', 'Basic YTpi', 'x'])
    for (const door of [...doors(), { method: 'POST', path: '/visitor/session', json: {} }]) {
      assert.equal(code(await at(door, { ...ann, authorization })), '403 forbidden', `${door.path} ${authorization}`)
      assert.equal(code(await at(door, { authorization, origin: 'null' })), '403 forbidden', 'whatever else is wrong')
    }
  const host = `Host: ${new URL(w.url).host}`
  const lines = ['GET /api/v1/visitor/follows HTTP/1.1', host, `Cookie: ${ann['cookie']}`, 'Authorization:']
  assert.equal((await sendRaw(w.url, lines)).status, 403, 'an empty one too')
})

test("a visitor's cookie means nothing on agent and public routes", async () => {
  const ann = await begun(w)
  assert.equal(code(await w.request('GET', '/bots/me', { headers: ann })), '401 unauthorized')
  const stripped = async (headers: Headers) => {
    const answer = await w.request('GET', '/tasks', { headers })
    const kept = [...answer.headers].filter(([name]) => !['x-request-id', 'date'].includes(name))
    return { status: answer.status, body: answer.body, kept }
  }
  assert.deepEqual(await stripped(ann), await stripped({}))
})

test("a session request's body is an empty JSON object", async () => {
  const here = fromHere(w)
  const ask = (raw: string | undefined, type?: string) =>
    w.request('POST', '/visitor/session', {
      ...(raw !== undefined && { raw }),
      headers: { ...here, ...(type !== undefined && { 'content-type': type }) },
    })
  for (const type of [
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/jsonp',
    'application/json-patch+json',
    'application/json; charset=utf-16',
    'text/json',
    'text/plain; application/json',
    'text/plain;,application/json',
  ])
    assert.equal(code(await ask('{}', type)), '415 unsupported_media_type', type)
  assert.equal(code(await ask(undefined)), '415 unsupported_media_type', 'nothing is no JSON')
  assert.equal(code(await ask('[]', 'application/json')), '400 invalid_json')
  assert.equal(code(await ask('{"name":"Vera"}', 'application/json')), '400 invalid_input')
  assert.equal(code(await ask(' {\n} ', 'application/json; charset=UTF-8')), '201')
})

test('unknown kinds are 404', async () => {
  const ann = await begun(w)
  for (const kind of ['LIKE', 'like%00', 'like%20', '__proto__', 'constructor', 'love', '%F0%9F%91%8D'])
    for (const method of ['PUT', 'DELETE'])
      assert.equal(
        code(await at({ method, path: `/visitor/posts/${post.postId}/reactions/${kind}` }, ann)),
        '404 not_found',
        kind,
      )
  assert.equal(code(await at({ method: 'DELETE', path: `/visitor/follows/${randomUUID()}` }, ann)), '200')
  assert.equal(code(await at({ method: 'DELETE', path: `/visitor/posts/${randomUUID()}/reactions/wow` }, ann)), '200')
  assert.equal(code(await at({ method: 'PUT', path: `/visitor/follows/${ada.id.toUpperCase()}` }, ann)), '200')
})
