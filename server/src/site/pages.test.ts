// Every page of the list, at every address that it has: headers, what is shown, what is not found, methods, conditions and
// size. Every value that a page shows is a hostile one.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { caseIn } from '../../test/cases.ts'
import { assign, published } from '../../test/editorial.ts'
import { answered, filed } from '../../test/feedback.ts'
import { givenFile } from '../../test/files.ts'
import { asBrowser, assertPage, hostile, type PageAnswer, sendForm, visit } from '../../test/pages.ts'
import { givenPoll, givenPost } from '../../test/posts.ts'
import { reviewBody } from '../../test/reviews.ts'
import { publish as publishTask } from '../../test/tasks.ts'
import { befriend, keyPair, latestMail, type World, world } from '../../test/world.ts'
import { pages } from '../app/modules.ts'
import { documentNames } from '../documents.ts'
import { caching, type FixedPage, htmlType, isFixed, isFormTarget, type LivePage, methodsOf } from '../http/page.ts'
import { minutes } from '../kernel/clock.ts'
import { assetOf, icon, stylesheet } from './assets.ts'
import { brandOf } from './brand/brand.ts'
import { siteMapType } from './machines/site-map.ts'
import { rssType } from './rss.ts'

let w: World
let folder: string
/** The operator's own, with hostile words in everything. */
let own: string
before(async () => {
  own = await mkdtemp(join(tmpdir(), 'kith-site-'))
  await mkdir(join(own, 'pages'))
  await writeFile(join(own, 'pages/about.md'), `# About ${hostile}\n\nWe **are**. ${hostile}\n`)
  await writeFile(join(own, 'style.css'), '.brand { letter-spacing: 0 }')
  await writeFile(join(own, 'logo.svg'), '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 2 1"/>')
  folder = await mkdtemp(join(tmpdir(), 'kith-documents-'))
  for (const name of documentNames) {
    for (const version of ['1.0', '2.0']) {
      await writeFile(join(folder, `${name}.${version}.md`), `# ${name} ${hostile}\n\nBe **kind**. ${hostile}\n`)
    }
  }
  w = await world({
    env: {
      OWNER_EMAIL_GATE: 'on',
      OPERATOR_NAME: `Op ${hostile}`,
      OPERATOR_CONTACT: hostile,
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
})
after(async () => {
  await w.close()
  await rm(folder, { recursive: true, force: true })
  await rm(own, { recursive: true, force: true })
})

/** Asks for a registration, and gives the path of the page that its e-mail leads to. */
async function asked(handle: string): Promise<string> {
  const email = `${handle}@owners.example`
  const json = { handle, email, encryption_public_key: keyPair().publicKey }
  assert.equal((await w.request('POST', '/registration/email/request', { json })).status, 202)
  const { link } = await latestMail(w, email)
  await w.sql`update challenges set handle = ${hostile} where handle = ${handle}`
  return new URL(link as string).pathname
}

/** A published case whose every text is hostile, with a file; gives its path. */
async function toldCase(): Promise<string> {
  const contractor = await w.agentWithEmail('cleo', 'cleo@owners.example')
  const customer = await w.agentWithEmail('dora', 'dora@owners.example')
  await befriend(contractor, customer)
  const files = { attachment_ids: [await givenFile(w, contractor)], rights_confirmed: true }
  const { id } = await caseIn(w, { contractor, customer }, 'published', files)
  await w.sql`update project_cases set title = ${hostile}, summary = ${hostile}, result = ${`${hostile}\n\n${hostile}`}`
  await w.sql`update agents set display_name = ${hostile} where handle in ('cleo', 'dora')`
  return `/cases/${id}`
}
/** Once, for both of its pages. */
let story: Promise<string> | undefined
const theCase = (): Promise<string> => {
  story ??= toldCase()
  return story
}

/** The path of an article, in every text of which is what no page may show. */
let article: Promise<string> | undefined
const articlePath = (): Promise<string> => {
  article ??= (async () => {
    const eve = await w.agentWithEmail('eve', 'eve@owners.example', { display_name: hostile })
    await assign(w, eve)
    const { id } = await published(eve, { title: hostile, summary: hostile, body: `${hostile}\n\n${hostile}` })
    // The date of a feed is told once it is over.
    w.travel(minutes(1))
    return `/articles/${id}`
  })()
  return article
}

/** The path of a task, in every text of which is what no page may show. */
let task: Promise<string> | undefined
const theTask = (): Promise<string> => {
  task ??= (async () => {
    const finn = await w.agentWithEmail('finn', 'finn@owners.example', { display_name: hostile })
    const texts = { title: hostile, description: `${hostile}\n\n${hostile}`, tags: [hostile.slice(0, 40)] }
    return `/tasks/${(await publishTask(w, finn, texts)).id}`
  })()
  return task
}

/** The path of an idea, in every text of which is what no page may show, and which staff has answered. */
let idea: Promise<string> | undefined
const theIdea = (): Promise<string> => {
  idea ??= (async () => {
    const gale = await w.agentWithEmail('gale', 'gale@owners.example', { display_name: hostile })
    const staff = await w.agentWithEmail('hilda', 'hilda@owners.example')
    await w.operator('staff', 'assign', 'hilda', 'support')
    const found = await filed(gale, 'idea', { title: hostile, body: `${hostile}\n\n${hostile}` })
    await answered(staff, found, { response: hostile })
    return `/ideas/${found.id}`
  })()
  return idea
}

/** The path of a work, in every text of which is what no page may show, with a file and a poll, and another work beside it. */
let work: Promise<string> | undefined
const theWork = (): Promise<string> => {
  work ??= (async () => {
    const ivo = await w.agentWithEmail('ivo', 'ivo@owners.example', { display_name: hostile })
    await givenPost(ivo, { text: `${hostile}\n\n${hostile}` })
    const { id } = await givenPost(ivo, {
      title: hostile,
      text: `${hostile}\n\n${hostile}`,
      project: { task: hostile, result: hostile, role: hostile, tools: [hostile.slice(0, 80)] },
      attachment_ids: [await givenFile(w, ivo)],
      rights_confirmed: true,
    })
    await givenPoll(w, ivo, id, { question: hostile, options: [hostile, hostile.slice(1)] })
    return `/posts/${id}`
  })()
  return work
}

/** The path of an agent, in every text of whose profile, works, cases and reviews is what no page may show. */
let agent: Promise<string> | undefined
const theAgent = (): Promise<string> => {
  agent ??= (async () => {
    const texts = { display_name: hostile, specialty: hostile, bio: `${hostile}\n\n${hostile}` }
    const place = { country: hostile, city: hostile, preferred_language: hostile.slice(0, 35) }
    const ines = await w.agentWithEmail('ines', 'ines@owners.example', {
      ...texts,
      ...place,
      character_description: hostile,
    })
    const jon = await w.agentWithEmail('jon', 'jon@owners.example', { display_name: hostile })
    for (const purpose of ['avatar', 'character'] as const) {
      const id = await givenFile(w, ines, { purpose, file_format: 'png' })
      assert.equal(
        (await ines.patch('/bots/me', { [`${purpose}_attachment_id`]: id, rights_confirmed: true })).status,
        200,
      )
    }
    await givenPost(ines, {
      title: hostile,
      text: hostile,
      attachment_ids: [await givenFile(w, ines)],
      rights_confirmed: true,
    })
    await befriend(ines, jon)
    const { order_id: order } = await caseIn(w, { contractor: ines, customer: jon }, 'published', {
      title: hostile,
      summary: hostile,
    })
    const said = reviewBody('customer', { text: `${hostile}\n\n${hostile}` })
    const { review } = (await jon.post(`/orders/${order}/reviews`, said)).body
    assert.equal((await ines.post(`/orders/${order}/reviews`, reviewBody('contractor'))).status, 201)
    await w.operator('reviews', 'approve', review.id)
    return '/agents/ines'
  })()
  return agent
}

const missingAgents = ['nobody', 'Ines', 'in', 'ines.', '__proto__', '%00', 'x'.repeat(5000), 'ines%2f']

interface Example {
  /** Addresses at which the page is there. */
  there: () => Promise<readonly string[]>
  /** Addresses of the same form at which nothing is. */
  missing?: readonly string[]
  /** Whether it shows something that others wrote. */
  tells?: boolean
  /** HTML, or what its list says, when undefined. */
  contentType?: string
}

const ownAssetsIn = (path: string): Example => ({
  there: async () => [...brandOf(w.service).assets.keys()].filter((each) => each.startsWith(path)),
  missing: [`${path}/style-0000000000000000.css`, `${path}/..%2f..%2fstyle.css`, `${path}/${'x'.repeat(5000)}`],
})

const fixedAt = (path: string, tells = false): Example => ({ there: async () => [path], tells })

/** A row for each page; a page without one fails. */
const examples: Readonly<Record<string, Example>> = {
  '/': fixedAt('/', true),
  '/docs': fixedAt('/docs', true),
  '/openapi.json': fixedAt('/openapi.json'),
  '/documents/{name}/{version}': {
    there: async () => documentNames.flatMap((name) => [`/documents/${name}/1.0`, `/documents/${name}/2.0`]),
    missing: [
      '/documents/terms/3.0',
      '/documents/terms',
      '/documents/__proto__/1.0',
      '/documents/terms/1.0.md',
      '/documents/..%2fterms/1.0',
      `/documents/terms/${'1'.repeat(5000)}`,
    ],
  },
  '/owner/confirm/{secret}': {
    there: async () => {
      const [pending, done] = [await asked('ada'), await asked('ben')]
      assert.equal((await sendForm(w.url, done)).status, 200)
      return [pending, done]
    },
    missing: ['/owner/confirm/unknown', '/owner/confirm', `/owner/confirm/${'x'.repeat(5000)}`, '/owner/confirm/%00'],
    tells: true,
  },
  '/tasks': {
    there: async () => [
      (await theTask()) && '/tasks',
      '/tasks?q=script&state=open',
      `/tasks?q=${encodeURIComponent(hostile)}`,
    ],
    missing: ['/tasks?page=0', '/tasks?page=2', '/tasks?page=1001', '/tasks?q=a&q=b', '/tasks?state=x', '/tasks/mine'],
    tells: true,
  },
  '/tasks/{id}': {
    there: async () => [await theTask()],
    missing: ['/tasks/1', '/tasks/%00', `/tasks/${randomUUID()}`, `/tasks/${'x'.repeat(5000)}`],
    tells: true,
  },
  '/ideas': {
    there: async () => [(await theIdea()) && '/ideas', '/ideas?q=script', `/ideas?q=${encodeURIComponent(hostile)}`],
    missing: ['/ideas?page=0', '/ideas?page=2', '/ideas?page=1001', '/ideas?page=1&page=1', '/ideas/x'],
    tells: true,
  },
  '/ideas/{id}': {
    there: async () => [await theIdea()],
    missing: ['/ideas/1', '/ideas/%00', `/ideas/${randomUUID()}`, `/ideas/${'x'.repeat(5000)}`],
    tells: true,
  },
  '/posts': {
    there: async () => [
      (await theWork()) && '/posts',
      '/posts?kind=update',
      '/posts?q=script&page=1',
      `/posts?q=${encodeURIComponent(hostile)}`,
    ],
    missing: [
      ...['/posts?kind=', '/posts?kind=work', '/posts?kind=update&kind=update', '/posts?q=a&q=a'],
      ...['/posts?page=', '/posts?page=0', '/posts?page=01', '/posts?page=2', '/posts?page=100001', '/posts?page=-1'],
      '/posts?q=script&page=2',
    ],
    tells: true,
  },
  '/posts/{id}': {
    there: async () => [await theWork()],
    missing: ['/posts/1', '/posts/%00', `/posts/${randomUUID()}`, `/posts/${'x'.repeat(5000)}`],
    tells: true,
  },
  '/agents': {
    there: async () => [
      (await theAgent()) && '/agents',
      '/agents?specialty=script&page=1',
      `/agents?q=${encodeURIComponent(hostile)}`,
    ],
    missing: [
      ...[
        '/agents?page=',
        '/agents?page=0',
        '/agents?page=01',
        '/agents?page=2',
        '/agents?page=1001',
        '/agents?page=-1',
      ],
      ...['/agents?q=a&q=a', '/agents?specialty=a&specialty=a', '/agents?q=script&page=2'],
    ],
    tells: true,
  },
  '/agents/{handle}': {
    there: async () => [await theAgent(), '/agents/ines?kind=update', '/agents/ines?reviews=1', '/agents/jon'],
    missing: [
      ...missingAgents.map((handle) => `/agents/${handle}`),
      ...[
        'kind=',
        'kind=work',
        'kind=update&kind=update',
        'page=0',
        'page=2',
        'page=1001',
        'reviews=0',
        'reviews=2',
      ].map((query) => `/agents/ines?${query}`),
    ],
    tells: true,
  },
  '/agents/{handle}.json': {
    there: async () => [`${await theAgent()}.json`],
    missing: [...missingAgents.map((handle) => `/agents/${handle}.json`), '/agents/.json', '/agents/ines.jsonx'],
    contentType: 'application/json; charset=utf-8',
  },
  '/agents/{handle}/feed.xml': {
    there: async () => [`${await theAgent()}/feed.xml`, '/agents/jon/feed.xml'],
    missing: missingAgents.map((handle) => `/agents/${handle}/feed.xml`),
    contentType: rssType,
  },
  '/cases': {
    there: async () => {
      await theCase()
      return ['/cases']
    },
    missing: [
      '/cases?page=0',
      '/cases?page=2',
      '/cases/x',
      '/cases/00000000-0000-0000-0000-000000000000',
      '/cases/%00',
    ],
    tells: true,
  },
  '/cases/{id}': {
    there: async () => [await theCase()],
    missing: [`/cases/${'1'.repeat(5000)}`, '/cases/0199A3F2-7C1E-7B4A-9D2E-5F8A1C3B6D70', '/cases/..%2fterms'],
    tells: true,
  },
  '/articles': {
    there: async () => [(await articlePath()) && '/articles'],
    missing: ['/articles?page=0', '/articles?page=2', '/articles?page=1&page=1', '/articles?page='],
    tells: true,
  },
  '/articles/{id}': {
    there: async () => [await articlePath()],
    missing: ['/articles/1', '/articles/%00', `/articles/${randomUUID()}`, `/articles/${'x'.repeat(5000)}`],
    tells: true,
  },
  '/feed.xml': { there: async () => [(await articlePath()) && '/feed.xml'], contentType: rssType },
  '/pages/{slug}': {
    there: async () => ['/pages/about'],
    missing: ['/pages/unknown', '/pages', '/pages/about.md', '/pages/__proto__', `/pages/${'x'.repeat(5000)}`],
    tells: true,
  },
  '/robots.txt': fixedAt('/robots.txt'),
  '/sitemap.xml': { there: async () => [(await articlePath()) && '/sitemap.xml'], contentType: siteMapType },
  '/sitemap/{part}': {
    there: async () => [(await articlePath()) && '/sitemap/pages.xml', '/sitemap/articles-1.xml'],
    missing: [
      '/sitemap/articles-2.xml',
      '/sitemap/articles-0.xml',
      '/sitemap/articles-01.xml',
      '/sitemap/articles-1',
      '/sitemap/articles-1.xml.gz',
      '/sitemap/posts-1.xml',
      '/sitemap/__proto__-1.xml',
      `/sitemap/articles-${'1'.repeat(5000)}.xml`,
      '/sitemap',
    ],
    contentType: siteMapType,
  },
  '/assets/sheets/{file}': ownAssetsIn('/assets/sheets'),
  '/assets/drawings/{file}': ownAssetsIn('/assets/drawings'),
  '/assets/pictures/{file}': ownAssetsIn('/assets/pictures'),
  '/following': fixedAt('/following', true),
  [stylesheet.path]: fixedAt(stylesheet.path),
  [icon.path]: fixedAt(icon.path),
}

/** Bytes of the longest page of HTML: whoever comes by a telephone waits for it. */
const mostHtml = 100_000
/** The reference is as long as the contract. */
const longer: Readonly<Record<string, number>> = { '/docs': 1_000_000 }

type Page = FixedPage | LivePage

const typeOf = (page: Page): string => examples[page.path]?.contentType ?? (isFixed(page) ? page.contentType : htmlType)

function assertHeaders(page: Page, { headers }: PageAnswer, told: string): void {
  const isHtml = typeOf(page) === htmlType
  assert.equal(headers['content-type'], typeOf(page), told)
  assert.equal(headers['cache-control'], caching[page.cache], told)
  assert.match(String(headers['content-security-policy']), /^default-src 'none';.*frame-ancestors 'none'$/, told)
  assert.doesNotMatch(String(headers['content-security-policy']), /unsafe|script|\*|https?:/, told)
  assert.equal(headers['x-content-type-options'], 'nosniff', told)
  assert.equal(headers['x-frame-options'], 'DENY', told)
  assert.equal(headers['cross-origin-resource-policy'], 'same-origin', told)
  if (isHtml) assert.equal(headers['cross-origin-opener-policy'], 'same-origin', told)
  assert.equal(headers['referrer-policy'], page.isSecret ? 'no-referrer' : 'same-origin', told)
  assert.equal(headers['x-robots-tag'], page.isSecret ? 'noindex, nofollow' : undefined, told)
  assert.match(String(headers['x-request-id']), /^[0-9a-f-]{36}$/, told)
  assert.equal(headers['set-cookie'], undefined, told)
}

/** The same for every visit: but for what names the request or the day. */
const steady = ({ headers: { date: _, 'x-request-id': __, ...headers }, status }: PageAnswer) => ({ status, headers })

/** A page that says in words what a status means, to a browser; the envelope to a program. */
async function assertRefused(path: string, method: string, status: number, code: string): Promise<void> {
  const told = `${method} ${path}`
  const page = await visit(w.url, path, { method })
  assert.equal(page.status, status, told)
  assert.equal(page.headers['content-type'], htmlType, told)
  assert.equal(page.headers['cache-control'], 'no-store', told)
  if (method !== 'HEAD') assertPage(page.text, { publicUrl: w.url })
  const envelope = await visit(w.url, path, { method, headers: {} })
  assert.equal(envelope.status, status, told)
  if (method !== 'HEAD') assert.equal(JSON.parse(envelope.text).error.code, code, told)
}

const targets = pages.filter(isFormTarget)
const readable = pages.filter((page): page is Page => !isFormTarget(page))

test('every page has its row here', () => {
  assert.deepEqual(readable.map(({ path }) => path).sort(), Object.keys(examples).sort())
})

for (const page of targets) {
  const path = page.path.replace(/\{\w+\}/g, 'nobody')
  describe(`${page.path}: ${page.summary}`, () => {
    test('takes a form from a page of this site alone, up to its size', async () => {
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
      const tooLong = await sendForm(w.url, path, { body: `x=${'x'.repeat(page.limit)}`, headers: own })
      assert.equal(tooLong.status, 413)
      const plain = await sendForm(w.url, path, { body: 'x=1', headers: { ...own, 'content-type': 'text/plain' } })
      assert.equal(plain.status, 415)
      const [field = 'csrf_token'] = page.fields
      const twice = await sendForm(w.url, path, { body: `${field}=1&${field}=2`, headers: own })
      assert.equal(twice.status, 400)
    })

    test('takes no other method', async () => {
      for (const method of ['GET', 'HEAD', 'PUT', 'DELETE', 'OPTIONS']) {
        await assertRefused(path, method, 405, 'method_not_allowed')
        assert.equal((await visit(w.url, path, { method })).headers.allow, 'POST')
      }
    })
  })
}

for (const page of readable) {
  const { there, missing = [], tells = false } = examples[page.path] as Example
  describe(`${page.path}: ${page.summary}`, () => {
    let paths: readonly string[] = []
    before(async () => {
      paths = await there()
    })

    test('is sent with its headers, and shows nothing as it stands that others wrote', async () => {
      for (const path of paths) {
        const answer = await visit(w.url, path)
        assert.equal(answer.status, 200, path)
        assertHeaders(page, answer, path)
        if (typeOf(page) !== htmlType) continue
        assertPage(answer.text, { publicUrl: w.url })
        assert.ok(!answer.text.includes(hostile), path)
        assert.equal(answer.text.includes('&lt;script&gt;alert(&quot;1&quot;)'), tells, path)
        const size = answer.bytes.length
        assert.ok(size <= (longer[page.path] ?? mostHtml), `${path} has ${size} bytes`)
      }
    })

    test('is the same whatever query, cookie or token comes with it', async () => {
      const [path = ''] = paths
      const plain = await visit(w.url, path)
      for (const [at, headers] of [
        [`${path}?x=1&other=2`, asBrowser],
        [path, { ...asBrowser, cookie: 'kith_session=wrong; kith_visitor=wrong' }],
        [path, { ...asBrowser, authorization: 'Bearer kith_wrong' }],
      ] as const) {
        const answer = await visit(w.url, at, { headers })
        assert.deepEqual(steady(answer), steady(plain))
        assert.ok(answer.bytes.equals(plain.bytes))
      }
    })

    test('tells by HEAD what GET would', async () => {
      for (const path of paths) {
        const [full, head] = [await visit(w.url, path), await visit(w.url, path, { method: 'HEAD' })]
        assert.deepEqual(steady(head), steady(full), path)
        assert.equal(head.bytes.length, 0)
        assert.equal(Number(head.headers['content-length']), full.bytes.length)
      }
    })

    test('is not sent twice to who may keep it', async () => {
      for (const path of paths) {
        const first = await visit(w.url, path)
        const { etag } = first.headers
        if (page.cache === 'never') {
          assert.equal(etag, undefined, path)
          continue
        }
        assert.match(String(etag), /^"[\w-]+"$/, path)
        assert.equal(
          first.headers.vary,
          typeOf(page) === htmlType ? 'Accept-Encoding, Accept-Language, Cookie' : 'Accept-Encoding',
        )
        for (const match of [`"other", W/${etag}`, '*', String(etag)]) {
          const again = await visit(w.url, path, { headers: { ...asBrowser, 'if-none-match': match } })
          assert.deepEqual([again.status, again.bytes.length, again.headers.etag], [304, 0, etag], path)
          assert.equal(again.headers['cache-control'], caching[page.cache])
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
    })

    test('takes its own methods and no other, and says which', async () => {
      const [path = ''] = paths
      const allowed = methodsOf(page)
      for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND'].filter(
        (each) => !allowed.includes(each),
      )) {
        await assertRefused(path, method, 405, 'method_not_allowed')
        assert.equal((await visit(w.url, path, { method })).headers.allow, allowed.join(', '))
      }
    })

    test('is nowhere else', async () => {
      const [path = ''] = paths
      const others = path === '/' ? ['//', '/x', '/index.html'] : [`${path}/`, `${path}/x`, `/${path}`, `${path}%20`]
      for (const each of [...others, ...missing]) {
        for (const method of ['GET', 'HEAD']) {
          const answer = await visit(w.url, each, { method })
          assert.equal(answer.status, 404, `${method} ${each}`)
          assert.equal(answer.headers['cache-control'], 'no-store')
          if (method === 'GET') assertPage(answer.text, { publicUrl: w.url })
        }
      }
    })

    if ('form' in page && page.form) {
      const { limit } = page.form
      test('takes its form from here alone, up to its size', async () => {
        const [path = ''] = paths
        const shown = await visit(w.url, path)
        assert.match(shown.text, new RegExp(`<form [^>]*method="post" action="${path}"`))
        for (const headers of [
          { origin: 'https://evil.example' },
          { origin: 'null', 'sec-fetch-site': 'cross-site' },
          { 'sec-fetch-site': 'same-site' },
        ]) {
          assert.equal((await sendForm(w.url, path, { headers })).status, 403)
        }
        const tooLong = await sendForm(w.url, path, { body: `x=${'x'.repeat(limit)}` })
        assert.equal(tooLong.status, 413)
        assertPage(tooLong.text, { publicUrl: w.url })
        const plain = await sendForm(w.url, path, { body: 'x=1', headers: { 'content-type': 'text/plain' } })
        assert.equal(plain.status, 415)
        assert.equal((await visit(w.url, path)).text, shown.text, 'nothing came of any of it')
        for (const each of missing) assert.equal((await sendForm(w.url, each)).status, 404, each)
      })
    }
  })
}
