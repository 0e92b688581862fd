// Every page of the list, at every address that it has: headers, what is shown, what is not found, methods, conditions and
// size. Every value that a page shows is a hostile one.
import assert from 'node:assert/strict'
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { gunzipSync, gzipSync } from 'node:zlib'
import { type Example, pageExamples } from '../../test/page-examples.ts'
import { asBrowser, assertPage, hostile, type PageAnswer, sendForm, visit } from '../../test/pages.ts'
import { remove } from '../../test/scratch.ts'
import { world } from '../../test/world.ts'
import { pages, routes, tags } from '../app/modules.ts'
import { documentNames } from '../documents.ts'
import { openapi } from '../http/openapi.ts'
import {
  caching,
  type FixedPage,
  htmlType,
  isFixed,
  isFormTarget,
  isUploadTarget,
  type LivePage,
  methodsOf,
} from '../http/page.ts'
import { assetOf } from './assets.ts'
import { brandOf } from './brand/brand.ts'
import { referencePaths } from './pages/reference.ts'

const folder = await mkdtemp(join(tmpdir(), 'kith-documents-'))
/** The operator's own, with hostile words in everything. */
const own = await mkdtemp(join(tmpdir(), 'kith-site-'))
await mkdir(join(own, 'pages'))
await writeFile(join(own, 'pages/about.md'), `# About ${hostile}\n\nWe **are**. ${hostile}\n`)
await writeFile(join(own, 'style.css'), '.brand { letter-spacing: 0 }')
await writeFile(join(own, 'logo.svg'), '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 2 1"/>')
for (const name of documentNames) {
  for (const version of ['1.0', '2.0']) {
    await writeFile(join(folder, `${name}.${version}.md`), `# ${name} ${hostile}\n\nBe **kind**. ${hostile}\n`)
  }
}
const w = await world({
  env: {
    OWNER_EMAIL_GATE: 'on',
    OPERATOR_NAME: `Op ${hostile}`,
    OPERATOR_CONTACT: hostile,
    SECURITY_CONTACT: 'olga@harbour.example',
    DOCUMENTS_DIR: folder,
    SITE_NAME: `Site ${hostile.slice(0, 40)}`,
    SITE_COLOUR: '#1a4fa3',
    SITE_LOGO: join(own, 'logo.svg'),
    SITE_DIR: own,
  },
})
const brand = brandOf(w.service)
const picture = assetOf('picture', 'png', Buffer.from('\x89PNG'))
brandOf.use(w.service, { ...brand, assets: new Map([...brand.assets, [picture.path, picture]]) })
after(async () => {
  await w.close()
  await remove(folder)
  await remove(own)
})

/** A row for each page; a page without one fails. */
const examples = pageExamples(w)

/** Bytes of the longest page of HTML, as it is made and as it is sent: whoever comes by a telephone waits for it. */
const mostHtml = 100_000
const mostSent = 30_000
/** A topic of the reference has all of its operations. */
const longestTopic = 180_000
const longer: Readonly<Record<string, number>> = { '/docs/{topic}': longestTopic }

type Page = FixedPage | LivePage

const typeOf = (page: Page): string => examples[page.path]?.contentType ?? (isFixed(page) ? page.contentType : htmlType)

const isShared = (page: Page): boolean => 'isShared' in page && page.isShared === true

function assertHeaders(page: Page, { headers }: PageAnswer, told: string): void {
  const isHtml = typeOf(page) === htmlType
  assert.equal(headers['content-type'], typeOf(page), told)
  assert.equal(headers['cache-control'], caching[page.cache], told)
  assert.match(String(headers['content-security-policy']), /^default-src 'none';.*frame-ancestors 'none'$/, told)
  assert.doesNotMatch(String(headers['content-security-policy']), /unsafe|\*|https?:/, told)
  const scripts = /script-src [^;]*/.exec(String(headers['content-security-policy']))?.[0]
  assert.equal(scripts, page.hasScript ? "script-src 'self'" : undefined, told)
  assert.equal(headers['x-content-type-options'], 'nosniff', told)
  assert.equal(headers['x-frame-options'], 'DENY', told)
  assert.equal(headers['cross-origin-resource-policy'], isShared(page) ? 'cross-origin' : 'same-origin', told)
  if (isHtml) assert.equal(headers['cross-origin-opener-policy'], 'same-origin', told)
  assert.equal(headers['referrer-policy'], page.isSecret ? 'no-referrer' : 'same-origin', told)
  assert.equal(headers['x-robots-tag'], page.isSecret ? 'noindex, nofollow' : undefined, told)
  assert.match(String(headers['x-request-id']), /^[0-9a-f-]{36}$/, told)
  assert.equal(headers['set-cookie'], undefined, told)
  // What others may keep says nothing of who asked for it.
  if (page.cache !== 'never')
    assert.deepEqual([headers['ratelimit'], headers['ratelimit-policy']], [undefined, undefined], told)
}

/** The same for every visit: but for what names the request or the day, and how its bytes are carried. */
const steady = ({
  headers: { date: _, 'x-request-id': __, 'transfer-encoding': ___, ...headers },
  status,
}: PageAnswer) => ({ status, headers })

/** But for the ids under which its forms are done once, how long ago something was, and what moves by itself. */
const steadyText = ({ text }: PageAnswer, moves: RegExp = /(?!)/g): string =>
  text
    .replace(moves, '')
    .replace(/(name="(?:operation|upload)_id" value=")[^"]*/g, '$1')
    .replace(/(<time [^>]*>)[^<]*/g, '$1')

/** A page that says in words what a status means, to a browser, which is given; the envelope to a program. */
async function assertRefused(path: string, method: string, status: number, code: string): Promise<PageAnswer> {
  const told = `${method} ${path}`
  const page = await visit(w.url, path, { method })
  assert.equal(page.status, status, told)
  assert.equal(page.headers['content-type'], htmlType, told)
  assert.equal(page.headers['cache-control'], 'no-store', told)
  if (method !== 'HEAD') assertPage(page.text, { publicUrl: w.url })
  const envelope = await visit(w.url, path, { method, headers: {} })
  assert.equal(envelope.status, status, told)
  if (method !== 'HEAD') assert.equal(JSON.parse(envelope.text).error.code, code, told)
  return page
}

/** Whatever is not a form is refused, also what the API would read. */
async function assertOnlyForms(path: string, own: Record<string, string>): Promise<void> {
  for (const [type, body] of [
    ['text/plain', 'x=1'],
    ['application/json', '{"x": "1"}'],
    ['application/json; charset=utf-8', '{}'],
  ] as const) {
    const answer = await sendForm(w.url, path, { body, headers: { ...own, 'content-type': type } })
    assert.equal(answer.status, 415, `${path} ${type}`)
    assertPage(answer.text, { publicUrl: w.url })
  }
}

test('no topic of the reference is too long for a phone', async () => {
  for (const path of referencePaths({ openapi: () => openapi(routes, tags) })) {
    const { status, bytes } = await visit(w.url, path)
    assert.equal(status, 200, path)
    assert.ok(bytes.length <= longestTopic, `${path} has ${bytes.length} bytes`)
  }
})

const targets = pages.filter(isFormTarget)
const readable = pages.filter((page): page is Page => !isFormTarget(page))

test('every page has a row here', () => {
  assert.deepEqual(readable.map(({ path }) => path).sort(), Object.keys(examples).sort())
})

for (const page of targets) {
  const path = page.path.replace(/\{\w+\}/g, 'nobody')
  describe(`${page.path}: ${page.summary}`, () => {
    test('accepts a form only from a page of this site, up to its size', async () => {
      const own = { origin: new URL(w.service.publicUrl).origin }
      for (const headers of [
        {},
        { origin: 'https://evil.example' },
        { origin: 'null', 'sec-fetch-site': 'same-origin' },
        { ...own, 'sec-fetch-site': 'cross-site' },
        { ...own, 'sec-fetch-site': 'same-site' },
        { 'sec-fetch-site': 'none' },
      ] as Record<string, string>[]) {
        const answer = await sendForm(w.url, path, { headers })
        assert.equal(answer.status, 403, JSON.stringify(headers))
        assert.equal(answer.headers['set-cookie'], undefined)
        assertPage(answer.text, { publicUrl: w.url })
      }
      if (isUploadTarget(page)) return
      const tooLong = await sendForm(w.url, path, { body: `x=${'x'.repeat(page.limit)}`, headers: own })
      assert.equal(tooLong.status, 413)
      await assertOnlyForms(path, own)
      const [field = 'csrf_token'] = page.fields
      const twice = await sendForm(w.url, path, { body: `${field}=1&${field}=2`, headers: own })
      assert.equal(twice.status, 400)
    })

    test('leads a visit to its page, and accepts no other method', async () => {
      const above = readable.map((each) => each.path).filter((each) => page.path.startsWith(`${each}/`))
      const longest = above.sort((a, b) => a.length - b.length).at(-1)
      for (const method of ['GET', 'HEAD', 'PUT', 'DELETE', 'OPTIONS']) {
        if (longest !== undefined && ['GET', 'HEAD'].includes(method)) {
          const { status, headers } = await visit(w.url, path, { method })
          assert.deepEqual([status, headers.location], [303, longest.replace(/\{\w+\}/g, 'nobody')])
          assert.equal(
            (await visit(w.url, path, { method, headers: {} })).status,
            405,
            'a program learns what it takes',
          )
          continue
        }
        const refused = await assertRefused(path, method, 405, 'method_not_allowed')
        assert.equal(refused.headers.allow, 'POST')
      }
    })
  })
}

for (const page of readable) {
  const { there, missing = [], tells = false, cookie, moves, elsewhere = [] } = examples[page.path] as Example
  describe(`${page.path}: ${page.summary}`, () => {
    let paths: readonly string[] = []
    let reader: Record<string, string> = asBrowser
    before(async () => {
      paths = await there()
      if (cookie) reader = { ...asBrowser, cookie: await cookie() }
    })
    const see = (path: string, method = 'GET'): Promise<PageAnswer> => visit(w.url, path, { method, headers: reader })

    test("is sent with its headers, and escapes other people's text", async () => {
      for (const path of paths) {
        const answer = await see(path)
        assert.equal(answer.status, 200, path)
        assertHeaders(page, answer, path)
        if (typeOf(page) !== htmlType) continue
        assertPage(answer.text, { publicUrl: w.url, elsewhere })
        assert.ok(!answer.text.includes(hostile), path)
        assert.equal(answer.text.includes('&lt;script&gt;alert(&quot;1&quot;)'), tells, path)
        const size = answer.bytes.length
        assert.ok(size <= (longer[page.path] ?? mostHtml), `${path} has ${size} bytes`)
        const { length: sent } = gzipSync(answer.bytes)
        assert.ok(sent <= mostSent, `${path} is sent as ${sent} bytes`)
      }
    })

    test('is the same with any query, cookie or token', async () => {
      const [path = ''] = paths
      if (cookie) {
        for (const headers of [asBrowser, { ...asBrowser, cookie: 'kith_session=wrong; kith_operator=wrong' }]) {
          const answer = await visit(w.url, path, { headers })
          assert.equal(answer.status, 303, path)
          assert.match(String(answer.headers.location), /^\/(operator\/)?sign-in(\?|$)/)
          assert.equal(answer.headers['cache-control'], 'no-store')
        }
        return
      }
      const plain = await visit(w.url, path)
      for (const [at, headers] of [
        [`${path}?x=1&other=2`, asBrowser],
        [path, { ...asBrowser, cookie: 'kith_session=wrong; kith_visitor=wrong' }],
        [path, { ...asBrowser, authorization: 'Bearer kith_wrong' }],
      ] as const) {
        const answer = await visit(w.url, at, { headers })
        assert.deepEqual(steady(answer), steady(plain))
        assert.equal(steadyText(answer), steadyText(plain))
      }
    })

    test('answers HEAD like GET', async () => {
      const [path = ''] = paths
      const [full, head] = [await see(path), await see(path, 'HEAD')]
      const { 'content-length': length, ...told } = steady(full).headers
      const { 'content-length': lengthToo, ...toldToo } = steady(head).headers
      assert.deepEqual([head.status, toldToo], [full.status, told], path)
      assert.equal(head.bytes.length, 0)
      // What is made while it is sent has no length yet; and how long ago something was may be told in another one.
      if (full.headers['transfer-encoding'] !== undefined || full.text.includes('<time')) return
      assert.deepEqual([lengthToo, Number(length)], [length, full.bytes.length], path)
    })

    test('is not resent to a client that may cache it', async () => {
      const look = async (path: string): Promise<void> => {
        const first = await see(path)
        const { etag } = first.headers
        if (page.cache === 'never') {
          assert.equal(etag, undefined, path)
          return
        }
        assert.match(String(etag), /^"[\w-]+"$/, path)
        const own = isFixed(page) || page.variesOn === undefined ? [] : [page.variesOn]
        const ofPages = typeOf(page) === htmlType ? ['Accept-Language', 'Cookie'] : []
        assert.equal(first.headers.vary, ['Accept-Encoding', ...own, ...ofPages].join(', '))
        for (const match of [`"other", W/${etag}`, '*', String(etag)]) {
          const again = await visit(w.url, path, { headers: { ...asBrowser, 'if-none-match': match } })
          assert.deepEqual([again.status, again.bytes.length, again.headers.etag], [304, 0, etag], path)
          assert.deepEqual(
            [again.headers['cache-control'], again.headers.vary],
            [caching[page.cache], first.headers.vary],
          )
        }
        const other = await visit(w.url, path, { headers: { ...asBrowser, 'if-none-match': '"other"' } })
        assert.equal(other.status, 200)
        const zipped = await visit(w.url, path, { headers: { ...asBrowser, 'accept-encoding': 'br, gzip;q=0.5' } })
        if (zipped.headers['content-encoding'] === 'gzip') {
          assert.ok(gunzipSync(zipped.bytes).equals(first.bytes))
          assert.notEqual(zipped.headers.etag, etag)
        }
        const refused = await visit(w.url, path, { headers: { ...asBrowser, 'accept-encoding': 'gzip;q=0' } })
        assert.equal(refused.headers['content-encoding'], undefined)
      }
      // A minute may end between two requests, and what the page says of times with it.
      const [path = ''] = paths
      await look(path).catch(() => look(path))
    })

    test('accepts only its own methods, and lists them', async () => {
      const [path = ''] = paths
      const allowed = methodsOf(page)
      for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND'].filter(
        (each) => !allowed.includes(each),
      )) {
        const refused = await assertRefused(path, method, 405, 'method_not_allowed')
        assert.equal(refused.headers.allow, allowed.join(', '))
      }
    })

    test('exists at no other address', async () => {
      const [path = ''] = paths
      const others = path === '/' ? ['//', '/x', '/index.html'] : [`${path}/`, `${path}/x`, `/${path}`, `${path}%20`]
      for (const each of [...others, ...missing]) {
        for (const method of ['GET', 'HEAD']) {
          const answer = await see(each, method)
          assert.equal(answer.status, 404, `${method} ${each}`)
          assert.equal(answer.headers['cache-control'], 'no-store')
          if (method === 'GET') assertPage(answer.text, { publicUrl: w.url })
        }
      }
    })

    if ('form' in page && page.form) {
      const { limit, guard } = page.form
      // What a session vouches for is sent by a browser that says where it comes from.
      const own: Record<string, string> = guard === 'session' ? { origin: new URL(w.service.publicUrl).origin } : {}
      test('accepts its form only from this site, up to its size', async () => {
        const [path = ''] = paths
        const shown = await see(path)
        assert.match(shown.text, new RegExp(`<form [^>]*method="post"( action="${path}")?`))
        for (const headers of [
          { origin: 'https://evil.example' },
          { origin: 'null', 'sec-fetch-site': 'cross-site' },
          { 'sec-fetch-site': 'same-site' },
        ]) {
          assert.equal((await sendForm(w.url, path, { headers })).status, 403)
        }
        const tooLong = await sendForm(w.url, path, { body: `x=${'x'.repeat(limit)}`, headers: own })
        assert.equal(tooLong.status, 413)
        assertPage(tooLong.text, { publicUrl: w.url })
        await assertOnlyForms(path, own)
        assert.equal(steadyText(await see(path), moves), steadyText(shown, moves), 'nothing came of any of it')
        if (guard === 'address')
          for (const each of missing) assert.equal((await sendForm(w.url, each)).status, 404, each)
      })
    }
  })
}
