// The forms of visitors as other sites, old browsers and broken clients send them: nothing happens that no page of ours
// asked for, nothing is left behind by what was refused, and nobody is led away from here.
import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { test } from 'node:test'
import { asBrowser, assertPage, type PageAnswer, sendForm, visit } from '../../test/pages.ts'
import { sendRaw } from '../../test/raw.ts'
import { beforehand, story } from '../../test/story.ts'
import { asked, begun, fromHere } from '../../test/visitors.ts'
import { pause } from '../../test/world.ts'

const { w, ada } = story('ada')
const post = beforehand(() => asked(w, ada))

type Headers = Record<string, string>
interface Form {
  path: string
  fields: Headers
}

const forms = (): Form[] => [
  { path: '/agents/ada/follow', fields: {} },
  { path: '/agents/ada/unfollow', fields: {} },
  { path: `/posts/${post.postId}/react`, fields: { kind: 'like' } },
  { path: `/posts/${post.postId}/unreact`, fields: { kind: 'like' } },
  { path: `/posts/${post.postId}/vote`, fields: { option_id: post.options[0] as string } },
  { path: `/posts/${post.postId}/unvote`, fields: {} },
]
const [same, site] = [{ 'sec-fetch-site': 'same-origin' }, 'sec-fetch-site']

const send = (form: Form, headers: Headers, fields: Headers = {}): Promise<PageAnswer> =>
  sendForm(w.url, form.path, { body: String(new URLSearchParams({ ...form.fields, ...fields })), headers })

const rows = async (): Promise<unknown> =>
  w.sql`select (select count(*)::int from visitors) as visitors, (select count(*)::int from visitor_follows) as follows,
    (select count(*)::int from post_reactions) as reactions, (select count(*)::int from poll_votes) as votes`

test('a form from another site does nothing, with or without a session', async () => {
  const ann = await begun(w)
  const before = await rows()
  const here = fromHere(w)
  const { origin, hostname, port } = new URL(w.service.publicUrl)
  const foreign: Headers[] = [
    {},
    { [site]: 'cross-site' },
    { [site]: 'same-site' },
    { [site]: 'none' },
    { [site]: '' },
    { [site]: 'SAME-ORIGIN' },
    { [site]: 'same-origin, cross-site' },
    { [site]: 'cross-site', ...here },
    { [site]: 'same-site', ...here },
    { [site]: 'none', ...here },
    { origin: 'null' },
    { origin: 'https://evil.example' },
    { origin: `${origin}.` },
    { origin: `${origin}/` },
    { origin: `HTTP://${hostname}:${port}` },
    { origin: `http://${hostname}` },
    { origin: `https://${hostname}:${port}` },
    { origin: `${origin}.evil.example` },
    { referer: `${origin}/agents/ada` },
    { ...same, origin: 'https://evil.example' },
    { ...same, origin: 'null' },
  ]
  const taken: string[] = []
  for (const form of forms()) {
    for (const headers of foreign) {
      for (const who of [{}, { cookie: ann['cookie'] as string }]) {
        const answer = await send(form, { ...headers, ...who }, { csrf_token: ann['x-csrf-token'] as string })
        if (answer.status !== 403) taken.push(`${answer.status} ${form.path} ${JSON.stringify(headers)}`)
        else assertPage(answer.text, { publicUrl: w.service.publicUrl })
        assert.equal(answer.headers['set-cookie'], undefined)
      }
    }
  }
  assert.deepEqual(await rows(), before)
  assert.deepEqual(taken, [])
  // At another host, or behind a proxy that the server was not told of, the page says where it works.
  const [form] = forms() as [Form]
  for (const headers of [
    { origin: 'http://kith.example', host: 'kith.example' },
    { ...same, origin: 'https://kith.example' },
  ]) {
    const { status, text } = await send(form, headers)
    assert.equal(status, 403)
    assert.match(text, /You opened it at <bdi>kith\.example<\/bdi>/)
    assert.ok(text.includes(`href="${origin}/"`))
  }
})

test('with a session the form must contain its own token, and no other place counts', async () => {
  const [ann, bob] = [await begun(w), await begun(w)]
  const before = await rows()
  const token = ann['x-csrf-token'] as string
  const headers = { ...same, cookie: ann['cookie'] as string }
  for (const form of forms()) {
    for (const csrf_token of [
      undefined,
      '',
      bob['x-csrf-token'] as string,
      token.slice(1),
      `${token} `,
      `${token}\0`,
    ]) {
      const answer = await send(form, headers, csrf_token === undefined ? {} : { csrf_token })
      assert.equal(answer.status, 403, `${form.path} ${csrf_token}`)
    }
    const path = `${form.path}?csrf_token=${token}`
    assert.equal((await send({ ...form, path }, headers)).status, 403, 'in the address')
    assert.equal((await send(form, { ...headers, 'x-csrf-token': token })).status, 403, 'in a header')
    for (const twice of [
      `csrf_token=${token}&csrf_token=${token}`,
      `csrf_token=x&csrf_token=${token}`,
      `csrf_token[]=${token}`,
    ]) {
      const body = `${new URLSearchParams(form.fields)}&${twice}`
      const answer = await sendForm(w.url, form.path, { body, headers })
      assert.ok([400, 403].includes(answer.status), `${answer.status} ${twice}`)
    }
  }
  assert.deepEqual(await rows(), before)
  for (const form of forms()) assert.equal((await send(form, headers, { csrf_token: token })).status, 303, form.path)
})

test('a planted, altered or repeated session cookie is ignored: the form begins a new session', async () => {
  const ann = await begun(w)
  const good = ann['cookie'] as string
  for (const cookie of [
    'kith_visitor=planted',
    `${good}x`,
    `${good}; ${good}`,
    '__Host-kith_visitor=1',
    good.toUpperCase(),
  ]) {
    const answer = await send({ path: '/agents/ada/follow', fields: {} }, { ...same, cookie })
    assert.equal(answer.status, 303)
    const [set = '', ...others] = answer.headers['set-cookie'] ?? []
    assert.deepEqual(others, [])
    assert.match(set, /^kith_visitor=[\w-]{22}\.[\w-]{43}; Path=\/; Max-Age=31536000; HttpOnly; SameSite=Lax$/)
    assert.ok(!good.endsWith(set.split(';', 1)[0] as string))
  }
})

/** Where a browser that follows the answer would be. */
const leadsTo = (answer: PageAnswer): URL => new URL(answer.headers.location as string, w.service.publicUrl)

const ways = [
  '//evil.example',
  '///evil.example',
  '////evil.example/x',
  '/\\evil.example',
  '\\\\evil.example',
  '\\/evil.example',
  '/\t/evil.example',
  '/\n/evil.example',
  '/\r/evil.example',
  '\t//evil.example',
  ' //evil.example',
  '/ /evil.example',
  '/.//evil.example',
  '/..//evil.example',
  '/%2e%2e//evil.example',
  '/./\\evil.example',
  '/posts/..//evil.example',
  '/posts/../..//evil.example',
  '/%09/evil.example',
  '/%2Fevil.example',
  '/%5Cevil.example',
  '/%0d%0aSet-Cookie:a=b',
  '/posts\r\nSet-Cookie: a=b',
  '/posts\nLocation: https://evil.example',
  '/posts\0',
  'https://evil.example',
  'HTTPS://evil.example/',
  'https:evil.example',
  'https:/evil.example',
  'https:\\\\evil.example',
  'http:evil.example',
  'javascript:alert(1)',
  'java\nscript:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  'vbscript:x',
  'mailto:a@b.example',
  '@evil.example',
  ':80',
  '.evil.example',
  'evil.example',
  '?x',
  '#x',
  '',
  '/。evil.example',
  '／／evil.example',
  '/／evil.example',
  '/\u2028/evil.example',
  '/\u00a0/evil.example',
  '/\ufeff/evil.example',
  '/\u202e/moc.live',
  '/\ud800',
  `/${'x'.repeat(20_000)}`,
  '/posts?to=//evil.example',
  '/posts#//evil.example',
  '/agents/ada/../../..//evil.example',
  '/;@evil.example',
  '/https://evil.example',
]

test('no form content redirects to another site or writes a header', async () => {
  const { origin } = new URL(w.service.publicUrl)
  for (const to of [
    ...ways,
    `http://${new URL(origin).host}@evil.example/`,
    `${origin}.evil.example/`,
    `${origin}/posts`,
  ]) {
    for (const [path, fields] of [
      ['/agents/ada/follow', {}],
      ['/agents/ada/unfollow', {}],
      ['/language', { language: 'ru' }],
      [`/posts/${post.postId}/react`, { kind: 'like' }],
      [`/posts/${post.postId}/vote`, { option_id: post.options[0] as string }],
    ] as [string, Headers][]) {
      const answer = await send({ path, fields: { ...fields, to } }, same)
      if (answer.status !== 303) {
        assert.ok(answer.status >= 400 && answer.status < 500, `${answer.status} ${path} ${JSON.stringify(to)}`)
        assert.equal(answer.headers.location, undefined)
        continue
      }
      const location = answer.headers.location as string
      assert.equal(leadsTo(answer).origin, origin, `${path} ${JSON.stringify(to)} → ${location}`)
      // As older clients read it too.
      assert.match(location, /^\/(?![/\\])[!-~]*$/, JSON.stringify(to))
      assert.doesNotMatch(new URL(location, origin).pathname, /^\/\//, `${JSON.stringify(to)} → ${location}`)
      for (const cookie of answer.headers['set-cookie'] ?? []) assert.match(cookie, /^kith_(visitor|language)=/)
    }
  }
})

test('the language is changed from a page of ours, to an existing language', async () => {
  const form = (language: string): Form => ({ path: '/language', fields: { language, to: '/posts' } })
  for (const headers of [{}, { [site]: 'cross-site' }, { origin: 'null' }, { [site]: 'cross-site', ...fromHere(w) }]) {
    const answer = await send(form('ru'), headers)
    assert.equal(answer.status, 403)
    assert.equal(answer.headers['set-cookie'], undefined)
  }
  for (const language of [
    'xx',
    '',
    'RU',
    'ru; Domain=evil.example',
    'ru\r\nSet-Cookie: a=b',
    '__proto__',
    'constructor',
    '../en',
  ]) {
    const answer = await send(form(language), same)
    const set = answer.headers['set-cookie'] ?? []
    assert.ok(answer.status !== 200 && answer.status < 500, language)
    for (const cookie of set) assert.match(cookie, /^kith_language=(en|ru);/, language)
  }
  for (const cookie of ['xx', '__proto__', 'constructor', '../ru', 'ru"', '<script>', 'x'.repeat(4000)]) {
    const answer = await visit(w.url, '/posts', { headers: { ...asBrowser, cookie: `kith_language=${cookie}` } })
    assert.equal(answer.status, 200)
    assert.match(answer.text, /<html lang="en"/)
  }
})

test('other, broken and oversized bodies are refused with a page that says why', async () => {
  const before = await rows()
  const path = '/agents/ada/follow'
  for (const type of [
    'text/plain',
    'application/json',
    'multipart/form-data; boundary=x',
    'application/x-www-form-urlencodedx',
    '',
  ]) {
    const answer = await sendForm(w.url, path, { body: 'to=%2Fposts', headers: { ...same, 'content-type': type } })
    assert.ok([415, 400, 403].includes(answer.status), `${answer.status} ${type}`)
    assertPage(answer.text, { publicUrl: w.service.publicUrl })
  }
  const odd: [string, string][] = [
    ['x'.repeat(70_000), 'over the size'],
    [`to=${'x'.repeat(1_000_000)}`, 'far over it'],
  ]
  for (const [body, what] of odd) {
    const answer = await sendForm(w.url, path, { body, headers: same }).catch(() => undefined)
    if (answer !== undefined) assert.equal(answer.status, 413, what)
  }
  assert.deepEqual(await rows(), before)
  for (const body of [
    'to=%',
    'to=%zz',
    'to=%ff%fe',
    'to=%00',
    'to=%ed%a0%80',
    '&&&&',
    '=',
    'a'.repeat(60_000),
    'a=1&'.repeat(10_000),
    '__proto__=1&constructor=2&to=/posts',
    'to[x]=1',
    '\u0000\u0001',
    'to=/posts&to=//evil.example',
  ]) {
    const answer = await sendForm(w.url, path, { body, headers: same })
    assert.ok(
      answer.status === 303 || (answer.status >= 400 && answer.status < 500),
      `${answer.status} ${body.slice(0, 40)}`,
    )
    if (answer.status === 303)
      assert.match(answer.headers.location as string, /^\/(agents\/ada|posts)?(#.*)?$/, body.slice(0, 40))
  }
})

test('forms only take POST: a visit leads to their page, every other method is 405, and its body is not read', async () => {
  const before = await rows()
  for (const { path } of [...forms(), { path: '/language' }]) {
    const page = /^\/\w+\/[^/]+(?=\/)/.exec(path)?.[0]
    const isRefused = (method: string, answer: PageAnswer) => {
      assert.equal(answer.status, 405, `${method} ${path}`)
      assert.match(answer.headers.allow ?? '', /POST/)
    }
    for (const method of ['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
      const answer = await visit(w.url, path, { method, headers: { ...asBrowser, ...same } })
      if (page === undefined || !['GET', 'HEAD'].includes(method)) isRefused(method, answer)
      else assert.deepEqual([answer.status, answer.headers.location], [303, page], `${method} ${path}`)
      isRefused(method, await visit(w.url, path, { method, headers: same }))
    }
    for (const header of ['x-http-method-override', 'x-http-method', 'x-method-override']) {
      const { status } = await visit(w.url, path, { headers: { ...asBrowser, ...same, [header]: 'POST' } })
      assert.equal(status, page === undefined ? 405 : 303)
    }
  }
  assert.deepEqual(await rows(), before)
  // The page of this one would be itself.
  const { status } = await visit(w.url, '/posts%2Fx%2Fvote', { headers: asBrowser })
  assert.equal(status, 405)
})

test('an endless form delays nobody else and changes nothing', async () => {
  const before = await rows()
  const { hostname, port } = new URL(w.url)
  const sockets = Array.from({ length: 20 }, () => {
    const socket = connect(Number(port), hostname)
    socket.on('error', () => {})
    socket.write(
      `POST /agents/ada/follow HTTP/1.1\r\nHost: ${hostname}:${port}\r\nSec-Fetch-Site: same-origin\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 100\r\n\r\nto=%2Fpo`,
    )
    return socket
  })
  await pause(100)
  assert.equal((await visit(w.url, '/agents/ada')).status, 200)
  const ann = await send({ path: '/agents/ada/unfollow', fields: {} }, same)
  assert.equal(ann.status, 303)
  for (const socket of sockets) socket.destroy()
  await pause(100)
  assert.deepEqual(await rows(), before)
})

test('two hosts, two lengths, or a length with chunks are refused, and smuggle nothing', async () => {
  const before = await rows()
  const base = [
    'POST /agents/ada/follow HTTP/1.1',
    'Sec-Fetch-Site: same-origin',
    'Content-Type: application/x-www-form-urlencoded',
  ]
  const host = `Host: ${new URL(w.url).host}`
  for (const lines of [
    [...base, host, 'Host: evil.example', 'Content-Length: 0'],
    [...base, 'Content-Length: 0'],
    [...base, host, 'Content-Length: 0', 'Content-Length: 5'],
    [...base, host, 'Content-Length: 5', 'Transfer-Encoding: chunked'],
    [...base, host, 'Transfer-Encoding: chunked, identity'],
    [...base, host, 'Content-Length : 0'],
    [...base, host, 'X: a\nSec-Fetch-Site: same-origin', 'Content-Length: 0'],
  ])
    assert.equal((await sendRaw(w.url, lines)).status, 400, lines.slice(3).join())
  const doubled = [...base, 'Sec-Fetch-Site: cross-site', host, 'Content-Length: 0']
  assert.equal((await sendRaw(w.url, doubled)).status, 403)
  const origins = ['Origin: https://evil.example', `Origin: ${new URL(w.service.publicUrl).origin}`]
  for (const both of [origins, origins.toReversed()]) {
    const lines = ['POST /agents/ada/follow HTTP/1.1', base[2] as string, ...both, host, 'Content-Length: 0']
    assert.equal((await sendRaw(w.url, lines)).status, 403, both.join())
  }
  assert.deepEqual(await rows(), before)
})
