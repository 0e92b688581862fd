import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { createServer } from 'node:http'
import { after, before, describe, test } from 'node:test'
import { Type } from 'typebox'
import { assertPage } from '../../test/pages.ts'
import { readConfig } from '../config.ts'
import { openapi } from '../http/openapi.ts'
import { topicOf, withoutExamples } from '../http/openapi-served.ts'
import type { LivePage } from '../http/page.ts'
import { agentRoute, idParam, publicRoute, type Route } from '../http/route.ts'
import { serve } from '../http/serve.ts'
import { systemClock } from '../kernel/clock.ts'
import { memoryLimiter } from '../kernel/limits.ts'
import { closed, Line, Uuid } from '../kernel/schema.ts'
import { createLog } from '../log.ts'
import { createMetrics } from '../metrics.ts'
import type { Service } from '../service.ts'
import { stylesheet } from './assets.ts'
import { contrast } from './brand/colours.ts'
import { frameOf } from './frame.ts'
import { html, raw, render } from './html.ts'
import type { View } from './layout.ts'
import { renderPage } from './layout.ts'
import { markdown } from './markdown.ts'
import { problemView } from './pages/errors.ts'
import { indexView, topicView } from './pages/reference.ts'
import { searchReference } from './pages/reference-search.ts'
import { pages as allPages } from './pages.ts'
import { addSite } from './register.ts'
import { sitePage } from './view.ts'

const publicUrl = 'https://kith.example'
const hostile = `<script>alert("1")</script>'"&<img src=x onerror=alert(1)>`
const answer = async () => ({ body: {} })

const routes: readonly Route[] = [
  publicRoute({
    method: 'GET',
    path: '/tasks',
    tag: 'tasks',
    summary: `Tasks ${hostile}`,
    description: `Of *all* agents. ${hostile}`,
    success: { 200: closed({ tasks: Type.Array(Type.Object({ id: Uuid }, { 'x-component': 'Task' })) }) },
    handle: answer,
  }),
  agentRoute({
    method: 'POST',
    path: '/tasks/{task_id}/select',
    tag: 'tasks',
    summary: 'Select a bid',
    params: idParam('task_id', 'The task'),
    body: closed({ text: Line({ min: 1, max: 80, description: `It's ${hostile}` }) }),
    gate: 'new',
    success: { 201: closed({ id: Uuid }), 200: closed({ id: Uuid }) },
    refuses: ['version_conflict'],
    handle: answer,
  }),
]

const bytes = Buffer.from(`# Terms\n\nBe **kind**. ${hostile}\n\n- one\n- [two](https://elsewhere.example/)\n`)
const document = (version: string, current: boolean) => ({
  name: 'terms',
  title: `Terms ${hostile}`,
  version,
  url: `${publicUrl}/documents/terms/${version}`,
  sha256: createHash('sha256').update(bytes).digest('hex'),
  bytes,
  current,
})
const documents = [document('1', false), document('2', true)]

/** What the pages need of the service, on a database that is gone. */
const service: Service = {
  config: readConfig({ PUBLIC_URL: publicUrl, OPERATOR_NAME: `Op ${hostile}`, LOG_LEVEL: 'silent' }),
  publicUrl,
  clock: systemClock,
  log: createLog('silent'),
  metrics: createMetrics(),
  documents,
  sql: () => Promise.reject(new Error('the database is gone')),
  countersFor: () => memoryLimiter(systemClock),
  reading: <T>(read: (of: Service) => Promise<T>): Promise<T> => read(service),
} as unknown as Service

const { app } = serve(service, routes, createServer())
/** A page as those to come: made for each visit, kept by others, with a form whose fields are read. */
const guestBook: LivePage = {
  path: '/guests/{name}',
  summary: 'A guest book',
  caller: 'anyone',
  cache: 'revalidated',
  show: async ({ params }) => (params['name'] === 'nobody' ? undefined : { html: render(html`<p>${params['name']}`) }),
  form: {
    guard: 'address',
    fields: ['line', 'name'],
    limit: 100,
    send: async ({ fields }) => ({ html: render(html`<p>${JSON.stringify(fields)}`) }),
  },
}
/** A page that reads of its query. */
const shelf = sitePage({
  path: '/shelf/{name}',
  summary: 'A shelf',
  query: ['q', 'page'],
  view: () => ({ title: 'Shelf', body: html`<h1>Shelf</h1>` }),
})
let documentsMade = 0
addSite(app, service, {
  pages: [...allPages, guestBook, shelf],
  openapi: () => {
    documentsMade += 1
    return openapi(routes)
  },
})
before(() => app.ready())
after(() => app.close())

const browser = { accept: 'text/html,application/xhtml+xml' }
const get = (url: string, headers: Record<string, string> = browser) => app.inject({ method: 'GET', url, headers })
const form = (url: string, headers: Record<string, string> = {}, payload = '') =>
  app.inject({
    method: 'POST',
    url,
    headers: { ...browser, 'content-type': 'application/x-www-form-urlencoded', ...headers },
    payload,
  })

const assertSound = (text: string): void => assertPage(text, { publicUrl, elsewhere: ['https://elsewhere.example/'] })

describe('templates', () => {
  test('escape inserted values, once', () => {
    assert.equal(render(html`<p title="${`"'`}">${'<b>&'}</p>`), '<p title="&quot;&#39;">&lt;b&gt;&amp;</p>')
    assert.equal(render(html`${html`<b>${'<'}</b>`}${[1, ' & ', null, false, undefined]}`), '<b>&lt;</b>1 &amp; ')
    assert.equal(render(raw('<hr>')), '<hr>')
  })
})

describe('Markdown', () => {
  const shown = (text: string): string => render(markdown(text, { topLevel: 2 })).replaceAll('\n', '')

  test('becomes headings, paragraphs, lists, tables and code', () => {
    assert.equal(shown('# A\n\none\ntwo\n\n## B'), '<h2>A</h2><p>one two</p><h3>B</h3>')
    assert.equal(shown('- a\n  more\n- **b**'), '<ul><li>a more</li><li><strong>b</strong></li></ul>')
    assert.equal(shown('3. a\n4. b'), '<ol start="3"><li>a</li><li>b</li></ol>')
    assert.equal(shown('> q\n\n---'), '<blockquote><p>q</p></blockquote><hr>')
    assert.equal(shown('```\n<a>\n```'), '<pre tabindex="0"><code>&lt;a&gt;</code></pre>')
    assert.match(shown('| a | b |\n| - | - |\n| 1 | `2` |'), /<th scope="col">a<\/th>.*<td><code>2<\/code><\/td>/)
    assert.equal(shown('`**not bold**` and *so*'), '<p><code>**not bold**</code> and <em>so</em></p>')
  })

  test('takes no HTML, and links to http(s) and this site only', () => {
    assert.ok(!shown(hostile).includes('<script'))
    assert.equal(
      shown('[a](https://a.example/?x="y&z)'),
      '<p><a href="https://a.example/?x=%22y&amp;z" rel="noreferrer">a</a></p>',
    )
    assert.match(shown('[a][b] <https://b.example>\n\n[b]: #here "Title"'), /^<p><a href="#here".*<a href="https:\/\/b/)
    for (const target of [
      ...['javascript:alert(1)', 'JaVaScRiPt&#58;alert(1)', 'data:text/html,x', 'vbscript:x', 'file:///etc/passwd'],
      ...['//evil.example', '/\\evil.example', '/%5cevil.example', 'https:evil.example', 'mailto:a@b.example'],
    ]) {
      assert.ok(!shown(`[a](${target}) [a]\n\n[a]: <${target}>`).includes('<a '), target)
    }
    assert.equal(shown('![a *cat*](/cat.png) ![](https://b.example/x)'), '<p>a *cat* https://b.example/x</p>')
  })

  test('gives each heading its own address, and none to a heading without words', () => {
    const anchored = render(markdown('# A b\n## a *b*\n## A b 1\n## Main\n## …', { topLevel: 1, anchors: true }))
    assert.deepEqual(
      [...anchored.matchAll(/<h\d(?: id="(\S+)")?>/g)].map(([, id]) => id),
      ['a-b', 'a-b-1', 'a-b-1-1', 'main-1', undefined],
    )
  })

  test('finishes on any text, in linear time', () => {
    const noise = ['`', '*', '**', '[', '](', '|', '>', '#', '- ', '1. ', '\n', ' ', 'a', '```', '---']
    let seed = 7
    for (let round = 0; round < 300; round++) {
      let text = ''
      for (let i = 0; i < 60; i++) {
        seed = (seed * 48271) % 2147483647
        text += noise[seed % noise.length]
      }
      shown(text)
    }
    // Its own time on a core, whatever else the machine does; what takes the square of the length takes minutes.
    const started = process.cpuUsage()
    const pieces = [
      '*',
      '`',
      '[',
      '[a](',
      '**a ',
      '|-',
      '> ',
      '- ',
      '![[',
      '*_',
      '&',
      '<',
      '~~',
      '<![CDATA[',
      'a\n=\n',
      '# a\n',
    ]
    for (const piece of pieces) shown(piece.repeat(64_000 / piece.length))
    for (const [open, close] of ['[]', '()', ['*a **b ', 'c* d** '], ['[*', '*]']] as [string, string][]) {
      shown(open.repeat(16_000 / open.length) + close.repeat(16_000 / close.length))
    }
    shown(`${'>'.repeat(60)}a\n${'- a\n'.repeat(8000)}`)
    assert.ok(process.cpuUsage(started).user < 20_000_000)
  })

  test('stays valid when nested too deeply', () => {
    const nested = shown(`${'> '.repeat(500)}a\n\nb`)
    assert.equal(nested.match(/<blockquote>/g)?.length, nested.match(/<\/blockquote>/g)?.length)
    assert.match(nested, /<p>b<\/p>$/)
  })
})

describe('pages', () => {
  const frame = frameOf(service, { languages: [], visitor: undefined })
  const russian = frameOf(service, { languages: ['ru'], visitor: undefined })
  const contract = openapi(routes)
  const making = ({ words }: Pick<typeof frame, 'words'>) => ({
    words,
    openapi: () => contract,
    service: { publicUrl },
  })
  const nothing = { q: '', typed: '', page: 1 }
  const searched = async (of: typeof frame, q: string) =>
    renderPage(of, indexView(making(of), { q, typed: q, page: 1 }, await searchReference(contract, of.words, q)))
  const topics = ['tasks', 'events', 'errors']
  const pages: Record<string, string | readonly string[]> = {
    'reference in Russian': [
      renderPage(russian, indexView(making(russian), nothing)),
      ...topics.map((id) => renderPage(russian, topicView(making(russian), id) as View)),
    ],
    reference: [
      renderPage(frame, indexView(making(frame), nothing)),
      ...topics.map((id) => renderPage(frame, topicView(making(frame), id) as View)),
    ],
    'not found': renderPage(frame, problemView(frame.words, 404, '/nothing')),
    problem: renderPage(frame, problemView(frame.words, 503, '/')),
  }
  for (const [name, each] of Object.entries(pages)) {
    test(`${name}: well formed, nothing external, nothing unescaped`, () => [each].flat().forEach(assertSound))
  }

  test('search in the reference: well formed, nothing external, nothing unescaped', async () => {
    assertSound(await searched(frame, 'task select'))
    assertSound(await searched(russian, hostile))
    assertSound(renderPage(frame, indexView(making(frame), { q: '', typed: hostile, page: 1, problem: 'Too long' })))
  })

  test('the reference lists every operation, its fields and refusals', () => {
    const reference = (pages['reference'] as string[]).join('')
    for (const id of ['op-getTasks', 'op-postTasksByTaskIdSelect', 'tag-tasks', 'events', 'schema-Task', 'errors']) {
      assert.ok(reference.includes(`id="${id}"`), id)
    }
    for (const words of ['version_conflict', 'platform.events.v10', '4401', '1 to 80 characters', 'required']) {
      assert.ok(reference.includes(words), words)
    }
    assert.match(reference, /curl -X POST &#39;https:\/\/kith\.example\/api\/v1\/tasks\/[0-9a-f-]{36}\/select&#39;/)
  })

  test("the reference speaks the reader's language, and the contract stays English", () => {
    const [shown, english] = ['reference in Russian', 'reference'].map((name) =>
      (pages[name] as string[]).join(''),
    ) as [string, string]
    for (const words of [
      '<h1>Справочник API</h1>',
      'от 1 до 80 символов',
      '<h4>Ошибки</h4>',
      'Виды событий по подпротоколам',
    ]) {
      assert.ok(shown.includes(words), words)
    }
    assert.match(shown, /<h3 id="op-getTasks-name" lang="en"><a href="#op-getTasks">Tasks /)
    const ids = (page: string) => [...page.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id)
    assert.deepEqual(ids(shown), ids(english), 'an address within it is the same in every language')
    assert.doesNotMatch(english, / lang="en"(?! dir)(?! aria-current)(?!>English)/)
  })

  test('the stylesheet loads nothing', () => {
    assert.ok(!/url\(|@import|https?:/i.test(stylesheet.bytes.toString()))
  })

  test('text has a contrast of 4.5:1 in both schemes', () => {
    const css = stylesheet.bytes.toString()
    const pairs: [string, string[]][] = [
      ['ink', ['paper', 'raised', 'sunken', 'accent-wash']],
      ['soft', ['paper', 'raised', 'sunken']],
      ['accent', ['paper', 'raised', 'sunken']],
      ['accent-strong', ['paper', 'raised', 'accent-wash']],
      ['on-accent', ['accent', 'accent-strong']],
      ['code-ink', ['code']],
      ['code-soft', ['code']],
      ...['get', 'post', 'put', 'delete'].map((name): [string, string[]] => [name, ['paper', 'raised', 'sunken']]),
    ]
    for (const scheme of [1, 2]) {
      const colour = (name: string): string =>
        new RegExp(`--${name}: light-dark\\((#[0-9a-f]{6}), (#[0-9a-f]{6})\\)`).exec(css)?.[scheme] ?? ''
      for (const [ink, grounds] of pairs) {
        for (const ground of grounds) {
          const ratio = contrast(colour(ink), colour(ground))
          assert.ok(ratio >= 4.5, `${ink} on ${ground}: ${ratio.toFixed(2)}`)
        }
      }
    }
  })
})

describe('the site under Fastify', () => {
  test('serves the contract for revalidation, and assets forever', async () => {
    const contract = await get('/openapi.json', {})
    assert.equal(contract.body, `${JSON.stringify(withoutExamples(openapi(routes)))}\n`)
    assert.equal(contract.headers['cache-control'], 'public, max-age=0, must-revalidate')
    assert.match(String(contract.headers['content-type']), /^application\/json/)
    const whole = openapi(routes)
    for (const tag of new Set(routes.map((route) => route.tag))) {
      const topic = await get(`/openapi/${tag}.json`, {})
      assert.equal(topic.body, `${JSON.stringify(topicOf(whole, tag))}\n`, tag)
      assert.match(String(topic.headers['content-type']), /^application\/json/)
    }
    assert.equal((await get('/openapi/nothing.json', {})).statusCode, 404)
    const style = await get(stylesheet.path)
    assert.match(String(style.headers['cache-control']), /immutable/)
    assert.equal((await get('/assets/kith-0000000000000000.css')).statusCode, 404)
    assert.equal((await get('/assets/..%2fregister.ts')).statusCode, 404)
  })

  test('serves a document as a page to a browser, and its exact bytes to everyone else', async () => {
    const browsers = [
      browser.accept,
      'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
      'text/html, */*',
    ]
    const others = ['*/*', '', 'application/json', 'text/markdown, text/html', 'text/html;q=0.5, */*', 'x'.repeat(5000)]
    for (const { version, sha256, current } of documents) {
      for (const accept of [...browsers, ...others, undefined]) {
        const response = await get(`/documents/terms/${version}`, accept === undefined ? {} : { accept })
        assert.equal(response.statusCode, 200)
        assert.equal(response.headers['x-content-type-options'], 'nosniff')
        assert.match(String(response.headers.vary), /(^|, )Accept(,|$)/, accept ?? 'none')
        assert.equal(response.headers['cache-control'], 'public, max-age=0, must-revalidate')
        if (accept !== undefined && browsers.includes(accept)) {
          assert.equal(response.headers['content-type'], 'text/html; charset=utf-8')
          assertSound(response.body)
          assert.match(response.body, /<h1 id="terms">Terms<\/h1>/)
          assert.ok(response.body.includes(sha256))
          assert.equal(/<a href="\/documents\/terms\/2">version 2<\/a>/i.test(response.body), !current)
        } else {
          assert.equal(response.headers['content-type'], 'text/markdown; charset=utf-8')
          assert.equal(createHash('sha256').update(response.rawPayload).digest('hex'), sha256, accept ?? 'none')
        }
      }
    }
    const [page, bytesOf] = await Promise.all([get('/documents/terms/2'), get('/documents/terms/2', {})])
    assert.notEqual(page.headers.etag, bytesOf.headers.etag)
    assert.equal((await get('/documents/terms/3')).statusCode, 404)
    assert.equal((await get('/documents/__proto__/1')).statusCode, 404)
  })

  test('builds the contract only once, for any number of requests', async () => {
    for (const url of ['/docs', '/docs/tasks', '/docs?q=task', '/docs?q=bid', '/openapi.json', '/sitemap/pages.xml'])
      for (const language of ['en', 'ru'])
        assert.equal((await get(url, { ...browser, 'accept-language': language })).statusCode, 200, url)
    assert.equal(documentsMade, 1)
  })

  test('serves its own command and SDK, as its index says', async () => {
    const { packages } = (await get('/packages/index.json', {})).json()
    assert.equal(packages.length, 3)
    for (const [at, own] of ['kith', 'sdk'].entries()) {
      const { name, version, file, url, size, sha256, install } = packages[at]
      assert.deepEqual([name, file, url], ['@kith/sdk', `${own}-${version}.tgz`, `${publicUrl}/packages/${file}`])
      assert.equal(install, `npm install ${own === 'kith' ? '--global ' : ''}${publicUrl}/packages/${own}.tgz`)
      const led = await get(`/packages/${own}.tgz`, {})
      assert.deepEqual([led.statusCode, led.headers['location']], [303, `/packages/${file}`])
      const given = await get(`/packages/${file}`, { 'accept-encoding': 'gzip' })
      assert.equal(given.headers['content-encoding'], undefined, 'what is unpacked on the way is another file')
      assert.equal(given.rawPayload.length, size)
      assert.equal(createHash('sha256').update(given.rawPayload).digest('hex'), sha256)
      const known = await get(`/packages/${file}`, { 'if-none-match': String(given.headers.etag) })
      assert.equal(known.statusCode, 304)
      for (const missing of [`${own}-0.0.0.tgz`, own, `${own}.tgz%00`, `${own}-${'1'.repeat(500)}.tgz`, ''])
        assert.equal((await get(`/packages/${missing}`, {})).statusCode, 404, missing)
    }
  })

  test('answers browsers with a page, and other clients and the whole API with the envelope', async () => {
    const lost = await get('/nowhere')
    assert.equal(lost.statusCode, 404)
    assert.match(lost.body, /Page not found/)
    assert.equal(lost.headers['cache-control'], 'no-store')
    assert.equal((await get('/nowhere', {})).json().error.code, 'not_found')
    for (const url of ['/api/v1/nowhere', '/api/v1', '/api/v1/']) {
      assert.equal((await get(url)).json().error.code, 'not_found')
    }
    const wrong = await get('/api/v1/tasks/0199a3f2-7c1e-7b4a-9d2e-5f8a1c3b6d70/select')
    assert.deepEqual([wrong.statusCode, wrong.headers['allow']], [405, 'POST'])
  })

  test('accepts no form on the API', async () => {
    const api = await form('/api/v1/tasks')
    assert.equal(api.headers['content-type'], 'application/json; charset=utf-8')
  })

  test('tags a cacheable page made for each visit, and returns 404 for a missing one', async () => {
    const first = await get('/guests/ada%3Cb%3E')
    assert.equal(first.body, '<p>ada&lt;b&gt;')
    assert.equal(first.headers['cache-control'], 'public, max-age=0, must-revalidate')
    const again = await get('/guests/ada%3Cb%3E', { ...browser, 'if-none-match': String(first.headers.etag) })
    assert.equal(again.statusCode, 304)
    assert.notEqual((await get('/guests/ben')).headers.etag, first.headers.etag)
    assert.equal((await get('/guests/nobody')).statusCode, 404)
    assert.equal((await get('/guests/nobody', {})).json().error.code, 'not_found')
  })

  test('returns a reader who changes language to the page with its query', async () => {
    const toOf = async (url: string) => /name="to" value="([^"]*)"/.exec((await get(url)).body)?.[1]
    assert.equal(await toOf('/shelf/a%20b'), '/shelf/a%20b')
    assert.equal(await toOf('/shelf/a?x=1&page=2&q=b%26%22c%C3%A4'), '/shelf/a?q=b%26%22c%C3%A4&amp;page=2')
    const back = await form(
      '/language',
      { origin: publicUrl },
      `language=ru&to=${encodeURIComponent('/shelf/a?q=b%26&page=2')}`,
    )
    assert.deepEqual([back.statusCode, back.headers.location], [303, '/shelf/a?q=b%26&page=2'])
  })

  test('gives a form its own fields, each once, and does not cache the response', async () => {
    const sent = await form('/guests/ada', {}, 'line=a+%26+b&other=x&other=y')
    assert.equal(sent.body, '<p>{&quot;line&quot;:&quot;a &amp; b&quot;}')
    assert.deepEqual([sent.statusCode, sent.headers['cache-control'], sent.headers.etag], [200, 'no-store', undefined])
    assert.equal((await form('/guests/ada', {}, 'line=a&line=b')).statusCode, 400)
    assert.equal((await form('/guests/ada', {}, `line=${'x'.repeat(100)}`)).statusCode, 413)
    assert.equal((await form('/guests/ada', { origin: 'https://evil.example' }, 'line=a')).statusCode, 403)
    assert.equal((await form('/docs', {}, 'line=a')).statusCode, 405)
  })

  test('says that a page failed, but not why', async () => {
    const broken = await get('/owner/confirm/any')
    assert.equal(broken.statusCode, 500)
    assertSound(broken.body)
    assert.ok(!broken.body.includes('database'))
    assert.equal((await get('/owner/confirm/any', {})).json().error.code, 'internal')
  })
})
