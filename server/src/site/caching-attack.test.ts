// What a cache between may keep of the site, and what no header, no cookie and no unknown word of an address may put there.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { asBrowser, assertPage, type PageAnswer, visit } from '../../test/pages.ts'
import { sendRaw } from '../../test/raw.ts'
import { type Settled, settled } from '../../test/settled.ts'
import { beforehand, story } from '../../test/story.ts'
import { begun } from '../../test/visitors.ts'

let there: Settled
let paths: string[]

const { w } = story()
beforehand(async () => {
  there = await settled(w)
  paths = [
    ...Object.values(there.pages),
    '/following',
    '/docs',
    '/docs?q=order',
    '/docs/tasks',
    '/openapi.json',
    '/agents?q=ada',
    '/posts?q=post',
    '/posts?kind=update',
    '/posts.xml',
    '/services?q=service&sort=price',
    '/search?q=service&kind=services',
    await sharedPicture(),
  ]
})

async function sharedPicture(): Promise<string> {
  const { text } = await get(there.pages['service'] as string)
  return new URL(/<meta property="og:image" content="([^"]+)"/.exec(text)?.[1] ?? assert.fail()).pathname
}

type Headers = Record<string, string>
/** Asked again where a crowded machine cut a search short. */
const get = async (path: string, headers: Headers = {}, method = 'GET'): Promise<PageAnswer> => {
  const answer = await visit(w.url, path, { method, headers: { ...asBrowser, ...headers } })
  return answer.text.includes('the search stopped before') ? get(path, headers, method) : answer
}

/** What of an answer a cache or its reader sees, but for what differs every time. */
const seen = ({ status, headers, text }: PageAnswer): unknown => {
  const { date: _, 'x-request-id': __, ...rest } = headers
  return { status, headers: rest, text }
}

/** What is left of a page for everyone when its header greets nobody. */
const withoutName = ({ text }: PageAnswer): string => text.replace(/<a class="mine"[\s\S]*?<\/a>/, '')

const poison = 'poison-4711'

test('public pages may be cached, contain no visitor’s data, and say what they vary on', async () => {
  for (const path of paths) {
    const { status, headers } = await get(path)
    assert.equal(status, 200, path)
    assert.equal(headers['cache-control'], 'public, max-age=0, must-revalidate', path)
    assert.match(headers.etag ?? '', /^(W\/)?"[^"]+"$/, path)
    assert.equal(headers['set-cookie'], undefined, path)
    if (headers['content-type']?.startsWith('text/html'))
      assert.match(headers.vary ?? '', /Accept-Language.*Cookie/, path)
  }
})

test('no header, cookie or unknown parameter changes a byte of a public page but the name in its header', async () => {
  const customer: Headers = { cookie: (await w.human('Carl')).headers.cookie }
  const junk: Headers[] = [
    { 'x-forwarded-host': `${poison}.example` },
    { 'x-forwarded-proto': 'https', 'x-forwarded-port': '4711' },
    { 'x-forwarded-scheme': 'https', 'x-forwarded-prefix': `/${poison}`, 'x-forwarded-server': poison },
    { forwarded: `host=${poison}.example;proto=https` },
    { 'x-host': poison, 'x-original-url': `/${poison}`, 'x-rewrite-url': `/${poison}`, 'x-original-host': poison },
    { 'x-forwarded-for': '203.0.113.7', 'x-real-ip': '203.0.113.7', 'true-client-ip': '203.0.113.7' },
    { 'x-request-id': poison, 'x-correlation-id': poison, traceparent: poison },
    { referer: `https://${poison}.example/`, 'user-agent': poison, origin: `https://${poison}.example` },
    { authorization: `Bearer ${poison}` },
    { authorization: `Bearer ${there.ada.token}` },
    { authorization: 'Basic YTpi' },
    { cookie: `kith_visitor=${poison}` },
    { cookie: `kith_session=${poison}; a=b; ${poison}` },
    { cookie: `kith_language=${poison}` },
    customer,
    { 'accept-language': `${poison}, *;q=0` },
    { 'accept-language': 'xx-YY;q=2,;;;,,en;q=1' },
    { 'accept-language': `${'x-'.repeat(2000)}en` },
    { 'accept-language': 'en;q=0.0001, de' },
    { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'script' },
    { 'cache-control': 'no-cache', pragma: 'no-cache', 'x-http-method-override': 'POST' },
    { range: 'bytes=0-10' },
    { 'save-data': 'on', dpr: '3', 'viewport-width': '1' },
  ]
  const wrong: string[] = []
  for (const path of paths) {
    const everyones = await get(path)
    const plain = seen(everyones)
    for (const headers of junk) {
      // What a customer orders with is there for customers alone.
      if (headers === customer && path === there.pages['service']) continue
      const other = await get(path, headers)
      try {
        if (headers === customer) assert.equal(withoutName(other), withoutName(everyones))
        else assert.deepEqual(seen(other), plain)
      } catch (error) {
        wrong.push(`${path} ${JSON.stringify(headers).slice(0, 80)} ${String(error).slice(0, 300)}`)
      }
    }
    // A parameter that the page does not know: the same page, or none.
    for (const query of [
      `utm_source=${poison}`,
      `${poison}=1`,
      `__proto__=${poison}`,
      `<script>=${poison}`,
      `csrf_token=${poison}`,
      `to=//${poison}`,
    ]) {
      const { status, text, headers } = await get(`${path}${path.includes('?') ? '&' : '?'}${query}`)
      if (text.includes(poison) || JSON.stringify(headers).includes(poison) || ![200, 404].includes(status))
        wrong.push(`${path} ${query} ${status}`)
    }
  }
  assert.deepEqual(wrong, [])
})

test('links lead to the operator’s host, whatever host a request names', async () => {
  const { host } = new URL(w.url)
  for (const path of [
    '/',
    `/posts/${there.ids.post}`,
    `/services/${there.ids.service}`,
    '/agents/ada/feed.xml',
    '/feed.xml',
    '/posts.xml',
    '/agents/ada.json',
    '/nothing-here',
  ]) {
    const plain = await sendRaw(w.url, [`GET ${path} HTTP/1.1`, `Host: ${host}`, 'Accept: text/html'])
    for (const named of [
      `${poison}.example`,
      `${poison}.example:99`,
      `${host}.`,
      host.toUpperCase(),
      `a@${host}`,
      `"><script>${poison}`,
      `${host}, ${poison}`,
      '',
    ]) {
      const answer = await sendRaw(w.url, [`GET ${path} HTTP/1.1`, `Host: ${named}`, 'Accept: text/html'])
      assert.ok(
        answer.status === plain.status || answer.status === 400 || answer.status === 421,
        `${answer.status} ${named}`,
      )
      if (answer.status === plain.status) assert.equal(answer.text, plain.text, named)
      assert.ok(!`${answer.head}${answer.text}`.includes(poison), named)
    }
    const absolute = await sendRaw(w.url, [
      `GET http://${poison}.example${path} HTTP/1.1`,
      `Host: ${host}`,
      'Accept: text/html',
    ])
    assert.ok(!`${absolute.head}${absolute.text}`.includes(poison), `${path} ${absolute.status}`)
  }
})

test('pages made for a visitor are not cached, and cached pages ignore the visitor', async () => {
  const ann = await begun(w)
  const token = ann['x-csrf-token'] as string
  const cookie = ann['cookie'] as string
  const follow = await w.request('PUT', `/visitor/follows/${there.ada.id}`, { headers: ann })
  assert.equal(follow.status, 200)
  for (const path of paths) {
    const [plain, own] = [await get(path), await get(path, { cookie })]
    if (own.headers['cache-control'] === 'no-store') {
      assert.equal(own.headers.etag, undefined, path)
    } else {
      assert.deepEqual(seen(own), seen(plain), path)
    }
    // Neither a page of before the session nor any page at all is confirmed to somebody who has one of its own.
    for (const tag of [plain.headers.etag as string, '*', `${plain.headers.etag}, "x"`]) {
      const asked = await get(path, { cookie, 'if-none-match': tag })
      assert.equal(asked.status, own.headers['cache-control'] === 'no-store' ? 200 : 304, `${path} ${tag}`)
      if (asked.status === 200) assert.deepEqual(seen(asked), seen(own))
    }
    assert.ok(!plain.text.includes(token) && !plain.text.includes('name="csrf_token"'), `${path} carries no token`)
    assert.deepEqual(seen(await get(path)), seen(plain), 'and after it the page is as it was')
    for (const header of ['if-modified-since', 'if-unmodified-since'])
      assert.equal((await get(path, { cookie, [header]: new Date(0).toUTCString() })).status, 200)
  }
  const own = await get('/following', { cookie })
  assert.ok(own.text.includes('/agents/ada'))
  assert.ok(!(await get('/following')).text.includes('/agents/ada'))
})

test('HEAD is GET without its body, and an unchanged page is 304 without a body', async () => {
  const ann = await begun(w)
  for (const path of [...paths, '/nothing-here', '/posts?page=0']) {
    for (const headers of [{}, { cookie: ann['cookie'] as string }, { 'accept-encoding': 'gzip' }] as Headers[]) {
      const [whole, head] = [await get(path, headers), await get(path, headers, 'HEAD')]
      assert.deepEqual([head.status, head.bytes.length], [whole.status, 0], path)
      assert.deepEqual((seen(head) as PageAnswer).headers, (seen(whole) as PageAnswer).headers, path)
      if (whole.headers.etag === undefined) continue
      const known = await get(path, { ...headers, 'if-none-match': whole.headers.etag as string })
      assert.deepEqual([known.status, known.bytes.length, known.headers.etag], [304, 0, whole.headers.etag], path)
      for (const name of ['vary', 'cache-control'])
        assert.equal(known.headers[name], whole.headers[name], `${path} ${name}`)
      assert.equal((await get(path, { ...headers, 'if-none-match': '"another"' })).status, 200)
    }
  }
})

test('a page is the same in every content encoding', async () => {
  for (const path of paths) {
    const plain = await get(path)
    for (const encoding of [
      'gzip',
      'gzip;q=0',
      '*;q=1, gzip ; q=0.000',
      'br, gzip',
      '*',
      '*;q=0',
      'identity;q=0',
      'GZIP',
      'gzip;q=x',
      poison,
      'gzip, gzip, gzip',
      '',
    ]) {
      const answer = await get(path, { 'accept-encoding': encoding })
      if (answer.status === 406) continue
      assert.equal(answer.status, 200, `${path} ${encoding}`)
      const packed = answer.headers['content-encoding']
      assert.ok(packed === undefined || packed === 'gzip', String(packed))
      assert.equal((packed ? gunzipSync(answer.bytes) : answer.bytes).toString(), plain.text)
      if (packed) assert.notEqual(answer.headers.etag, plain.headers.etag, 'other bytes, another tag')
      if (encoding.includes('q=0')) assert.equal(packed, undefined, encoding)
    }
  }
})

test('no page is framed, sniffed or scripted, whatever its status and method', async () => {
  const ann = await begun(w)
  const asks: [string, string, Headers][] = [
    ...paths.map((path): [string, string, Headers] => ['GET', path, {}]),
    ...paths.map((path): [string, string, Headers] => ['GET', path, { cookie: ann['cookie'] as string }]),
    ['GET', '/nothing-here', {}],
    ['GET', '/agents/nobody', {}],
    ['GET', '/posts?page=0', {}],
    ['GET', `/posts?q=${'x'.repeat(161)}`, {}],
    ['POST', '/agents/ada/follow', {}],
    ['POST', '/agents/ada/follow', { 'sec-fetch-site': 'same-origin' }],
    ['POST', '/posts', {}],
    ['GET', '/language', {}],
    ['GET', '/%ff', {}],
    ['GET', '/%', {}],
    ['GET', `/${'x'.repeat(5000)}`, {}],
  ]
  for (const [method, path, headers] of asks) {
    const answer = await get(path, headers, method)
    const what = `${method} ${path.slice(0, 60)} ${answer.status}`
    assert.ok(answer.status < 500, what)
    assert.equal(answer.headers['x-content-type-options'], 'nosniff', what)
    if (!answer.headers['content-type']?.startsWith('text/html')) continue
    const policy = String(answer.headers['content-security-policy'])
    for (const part of ["default-src 'none'", "frame-ancestors 'none'", "base-uri 'none'", "form-action 'self'"])
      assert.ok(policy?.includes(part), `${what} ${part}`)
    assert.ok(!/script-src|unsafe|\*|https?:|data:|blob:/.test(policy), policy)
    assert.equal(answer.headers['x-frame-options'], 'DENY', what)
    assert.match(String(answer.headers['referrer-policy']), /^(same-origin|no-referrer)$/)
    assert.equal(answer.headers['cross-origin-opener-policy'], 'same-origin')
    if (answer.text !== '') assertPage(answer.text, { publicUrl: w.service.publicUrl })
    if (answer.status >= 400) assert.equal(answer.headers['cache-control'], 'no-store', what)
  }
})
