// What search engines are told: the addresses of all that everyone may read, and of nothing else.
// docs/contract/site.md#for-search-engines.
import assert from 'node:assert/strict'
import { after, before, describe, mock, test } from 'node:test'
import { author, published, write } from '../../../test/editorial.ts'
import { filed } from '../../../test/feedback.ts'
import { asBrowser, visit } from '../../../test/pages.ts'
import { givenPost, seedPosts } from '../../../test/posts.ts'
import { projectCaseIn, twoSides } from '../../../test/project-cases.ts'
import { draft, published as publishService } from '../../../test/services.ts'
import { publish } from '../../../test/tasks.ts'
import { type Agent, type World, world } from '../../../test/world.ts'
import { parseXml } from '../../../test/xml.ts'
import { pages, routes, tags } from '../../app/modules.ts'
import { openapi } from '../../http/openapi.ts'
import { isFormTarget } from '../../http/page.ts'
import { hide, unhide } from '../../modules/staff/hiding.ts'
import { referencePaths } from '../pages/reference.ts'
import { posts as mappedPosts } from './mapped.ts'
import { cutSiteMap } from './site-map.ts'
import { entriesOf, mostEntries } from './site-map-parts.ts'

/** So long a file is the same. */
const keptFor = 10_000

/** The whole addresses of a file, by what is below them, with what is said of their last change: as it is by now. */
async function read(
  w: World,
  path: string,
): Promise<{ root: string; paths: string[]; changes: (string | undefined)[] }> {
  w.travel(keptFor)
  const answer = await visit(w.url, path)
  assert.equal(answer.status, 200, path)
  assert.equal(answer.headers['content-type'], 'application/xml; charset=utf-8')
  const { name: root, attributes, children } = parseXml(answer.text)
  assert.deepEqual(attributes, { xmlns: 'http://www.sitemaps.org/schemas/sitemap/0.9' })
  assert.ok(children.length <= mostEntries)
  const told = children.map((child) => {
    assert.equal(child.name, root === 'urlset' ? 'url' : 'sitemap')
    const [location, changed] = child.children
    assert.equal(location?.name, 'loc')
    assert.ok(location.text.startsWith(`${w.service.publicUrl}/`))
    return { path: location.text.slice(w.service.publicUrl.length), changed: changed?.text }
  })
  return { root, paths: told.map((each) => each.path), changes: told.map(({ changed }) => changed) }
}

/** Every address, whether it takes one file or many. */
async function everything(w: World): Promise<string[]> {
  const { root, paths } = await read(w, '/sitemap.xml')
  if (root === 'urlset') return paths
  const parts = await Promise.all(paths.map((path) => read(w, path)))
  return parts.flatMap((part) => {
    assert.equal(part.root, 'urlset')
    assert.ok(part.paths.length > 0, 'a file of nothing')
    return part.paths
  })
}

/** The pages that this process serves: an address on another host does not count. */
const isServed = (path: string): boolean =>
  pages.some((page) => !isFormTarget(page) && new RegExp(`^${page.path.replace(/\{\w+\}/g, '[^/]+')}$`).test(path))

async function assertThere(w: World, paths: readonly string[]): Promise<void> {
  for (const path of paths.filter(isServed)) assert.equal((await visit(w.url, path)).status, 200, path)
}

const fixedPaths = [
  ...['/', '/agents', '/posts', '/services', '/tasks', '/ideas', '/articles', '/cases'],
  ...referencePaths({ openapi: () => openapi(routes, tags) }),
]

const turn = (w: World, how: typeof hide, kind: Parameters<typeof hide>[1], id: string) =>
  w.service.sql.transaction((tx) => how(tx, kind, id))

describe('the site map of a small server', () => {
  let w: World
  before(async () => {
    w = await world()
  })
  after(() => w.close())

  test('lists only its own pages when empty', async () => {
    assert.deepEqual((await read(w, '/sitemap.xml')).paths, fixedPaths)
    assert.deepEqual((await read(w, '/sitemap/pages.xml')).paths, fixedPaths)
    assert.equal((await visit(w.url, '/sitemap/agents-1.xml')).status, 404)
  })

  test('lists what everyone may read, as long as everyone may', async () => {
    const [ada, ben] = [await author(w, 'ada'), await w.agent('ben')]
    const closed = await w.agent('closed_one', { profile_public: false })
    const [work, other] = [
      await givenPost(ada, { visibility: 'public' }),
      await givenPost(ben, { visibility: 'public' }),
    ]
    await givenPost(ada, { visibility: 'private' })
    await givenPost(closed, { visibility: 'public' })
    const [task, idea] = [await publish(w, ada), await filed(ada, 'idea')]
    const service = await publishService(ada)
    await draft(ada)
    await filed(ada, 'problem')
    const article = await published(ada)
    await write(ada)
    const sides = await twoSides(w, 'cora', 'dan')
    const story = await projectCaseIn(w, sides, 'published')
    await projectCaseIn(w, sides, 'proposed')
    const of = {
      ada: [
        ...[`/agents/ada`, `/posts/${work.id}`, `/services/${service.id}`],
        ...[`/tasks/${task.id}`, `/ideas/${idea.id}`, `/articles/${article.id}`],
      ],
      ben: ['/agents/ben', `/posts/${other.id}`],
      cora: ['/agents/cora', `/cases/${story.id}`],
    }
    const all = [...fixedPaths, ...of.ada, ...of.ben, ...of.cora, '/agents/dan'].sort()
    const found = await read(w, '/sitemap.xml')
    assert.deepEqual([...found.paths].sort(), all)
    await assertThere(w, all)
    assert.equal(found.changes[found.paths.indexOf(`/posts/${work.id}`)], work.updated_at)
    assert.equal(found.changes[0], undefined)
    const parts = ['pages', 'agents-1', 'works-1', 'services-1', 'tasks-1', 'ideas-1', 'articles-1', 'cases-1']
    const inParts = await Promise.all(parts.map(async (part) => (await read(w, `/sitemap/${part}.xml`)).paths))
    assert.deepEqual(inParts.flat().sort(), all)

    const without = async (gone: readonly string[], told: string) =>
      assert.deepEqual(
        (await everything(w)).sort(),
        all.filter((path) => !gone.includes(path)),
        told,
      )
    const close = (agent: Agent, open: boolean) => agent.patch('/bots/me', { profile_public: open })
    await close(ada, false)
    await without(of.ada, 'a closed profile')
    await close(ada, true)
    await without([], 'an open one again')
    for (const [kind, id, path] of [
      ['post', work.id, `/posts/${work.id}`],
      ['service', service.id, `/services/${service.id}`],
      ['task', task.id, `/tasks/${task.id}`],
      ['idea', idea.id, `/ideas/${idea.id}`],
      ['article', article.id, `/articles/${article.id}`],
      ['project_case', story.id, `/cases/${story.id}`],
    ] as const) {
      assert.ok(await turn(w, hide, kind, id))
      await without([path], `a hidden ${kind}`)
      assert.ok(await turn(w, unhide, kind, id))
    }
    assert.ok(await turn(w, hide, 'profile', sides.contractor.id))
    await without(of.cora, 'a hidden profile')
    assert.ok(await turn(w, unhide, 'profile', sides.contractor.id))
    await without([], 'all of it again')
  })

  test('is not resent to a client that has it, and changes once the content does', async () => {
    w.travel(keptFor)
    const ask = (etag: string) => visit(w.url, '/sitemap.xml', { headers: { ...asBrowser, 'if-none-match': etag } })
    const etag = String((await visit(w.url, '/sitemap.xml')).headers.etag)
    assert.equal((await ask(etag)).status, 304)
    await w.agent('emil')
    w.travel(keptFor)
    const changed = await ask(etag)
    assert.equal(changed.status, 200)
    assert.ok(changed.text.includes('/agents/emil<'))
  })

  test('is read once for simultaneous requests, and a failed read is not kept', async () => {
    w.travel(keptFor)
    const { service } = w
    const { snapshot } = service.sql
    let read = 0
    const counted = mock.method(service.sql, 'snapshot', (work: Parameters<typeof snapshot>[0]) => {
      read += 1
      return read === 1 ? Promise.reject(new Error('the database is gone')) : snapshot(work)
    })
    assert.equal((await visit(w.url, '/sitemap.xml')).status, 500)
    const crowd = await Promise.all(Array.from({ length: 20 }, () => visit(w.url, '/sitemap.xml')))
    assert.deepEqual([...new Set(crowd.map(({ status }) => status))], [200])
    await w.agent('fritz')
    w.travel(keptFor - 5000)
    assert.ok(!(await visit(w.url, '/sitemap.xml')).text.includes('/agents/fritz<'))
    assert.equal(read, 2)
    w.travel(5000)
    assert.ok((await visit(w.url, '/sitemap.xml')).text.includes('/agents/fritz<'))
    assert.equal(read, 3)
    counted.mock.restore()
  })

  test('during writes lists only what exists, and in the end all of it', async () => {
    const writers = await Promise.all(Array.from({ length: 5 }, (_, at) => w.agent(`writer_${at}`)))
    const known = new Set(await everything(w))
    const wrote = Promise.all(
      writers.flatMap((writer) =>
        Array.from({ length: 4 }, async () => `/posts/${(await givenPost(writer, { visibility: 'public' })).id}`),
      ),
    )
    let seen = known
    for (let round = 0; round < 5; round++) {
      const found = new Set(await everything(w))
      for (const path of seen) assert.ok(found.has(path), 'nothing that was there is missing later')
      seen = found
    }
    const [written, last] = [await wrote, new Set(await everything(w))]
    for (const path of seen) assert.ok(last.has(path))
    assert.deepEqual([...last].sort(), [...known, ...written].sort())
  })
})

describe('the site map beyond 10,000 addresses', () => {
  // With one more the last part is as full as one may be.
  const posts = 27_999
  let w: World
  let ids: readonly string[]
  let fay: Agent
  before(async () => {
    w = await world()
    const [eve, gus] = [await w.agent('eve'), await w.agent('gus')]
    fay = await w.agent('fay')
    const began = w.now().getTime() - posts * 10
    ids = await seedPosts(
      w.sql,
      Array.from({ length: posts }, (_, n) => ({
        // All of the second part is of one agent.
        author_id: (n >= 9000 && n < 18_000 ? gus : eve).id,
        kind: 'update',
        visibility: n % 100 === 0 ? 'private' : 'public',
        title: '',
        text: 'News',
        created_at: new Date(began + n * 10),
      })),
    )
  })
  after(() => w.close())

  const index = ['pages', 'agents-1', 'works-1', 'works-2', 'works-3'].map((name) => `/sitemap/${name}.xml`)
  const tags = async (paths: readonly string[]) => {
    w.travel(keptFor)
    return Promise.all(paths.map(async (path) => (await visit(w.url, path)).headers.etag))
  }

  test('is an index of files, each within the limit, which together list each address once', async () => {
    assert.deepEqual(await read(w, '/sitemap.xml'), {
      root: 'sitemapindex',
      paths: index,
      changes: index.map(() => undefined),
    })
    const works = (await everything(w)).filter((path) => path.startsWith('/posts/')).sort()
    assert.deepEqual(
      works,
      ids
        .filter((_, n) => n % 100 !== 0)
        .map((id) => `/posts/${id}`)
        .sort(),
    )
    assert.equal((await visit(w.url, '/sitemap/works-4.xml')).status, 404)
  })

  test('is read some rows at a time, so that nobody waits for all of them', async () => {
    const sizes: number[] = []
    for await (const entries of entriesOf(w.service.sql, mappedPosts, 1)) sizes.push(entries.length)
    assert.equal(
      sizes.reduce((sum, size) => sum + size, 0),
      8910,
    )
    assert.ok(Math.max(...sizes) <= 500, String(sizes))
  })

  test('has recorded file boundaries that never change; the last file takes new addresses', async () => {
    const before = await tags(index)
    while (await cutSiteMap(w.service.sql));
    assert.deepEqual(await w.sql`select kind, number from site_map_parts order by number`, [
      { kind: 'works', number: 2 },
      { kind: 'works', number: 3 },
    ])
    assert.deepEqual(await tags(index), before)
    await givenPost(fay, { visibility: 'public' })
    const after = await tags(index)
    assert.deepEqual(
      after.map((tag, at) => tag === before[at]),
      [true, true, true, true, false],
    )
    // Twenty nodes that cut at once cut as one.
    await Promise.all(Array.from({ length: 20 }, () => cutSiteMap(w.service.sql)))
    assert.deepEqual(await tags(index), after)
  })

  test('omits a file that becomes empty, and restores it in its place', async () => {
    const [gus] = await w.sql<{ id: string }>`select id from agents where handle = 'gus'`
    assert.ok(await turn(w, hide, 'profile', (gus as { id: string }).id))
    assert.deepEqual(
      (await read(w, '/sitemap.xml')).paths,
      index.filter((path) => !path.endsWith('works-2.xml')),
    )
    assert.equal((await visit(w.url, '/sitemap/works-2.xml')).status, 404)
    assert.ok(await turn(w, unhide, 'profile', (gus as { id: string }).id))
    assert.equal((await read(w, '/sitemap/works-2.xml')).paths.length, 8910)
  })
})

test('/robots.txt keeps crawlers away from what must not be indexed, and names the site map', async () => {
  const w = await world()
  const { text, headers } = await visit(w.url, '/robots.txt')
  assert.equal(headers['content-type'], 'text/plain; charset=utf-8')
  const lines = text.split('\n')
  assert.equal(lines[0], 'User-agent: *')
  assert.equal(lines.at(-2), `Sitemap: ${w.service.publicUrl}/sitemap.xml`)
  const rules = lines.flatMap((line) => /^(?:(Allow)|Disallow): (\S+)$/.exec(line)?.slice(1, 3).join(' ') ?? [])
  const matches = (rule: string, path: string): boolean =>
    new RegExp(`^${rule.replace(/[.+?^{}()|[\]\\]/g, '\\$&').replaceAll('*', '.*')}`).test(path)
  /** RFC 9309, 2.2.2: the longest rule that fits. */
  const isAllowed = (path: string): boolean => {
    const fitting = rules.filter((rule) => matches(rule.split(' ')[1] as string, path))
    return fitting.sort((a, b) => b.length - a.length)[0]?.startsWith('Allow') ?? true
  }
  const id = '0199a3f2-7c1e-7b4a-9d2e-5f8a1c3b6d70'
  for (const path of [
    ...fixedPaths,
    '/agents/ada',
    `/posts/${id}`,
    '/feed.xml',
    '/assets/kith-0.css',
    '/sitemap.xml',
  ]) {
    assert.ok(isAllowed(path), path)
  }
  assert.ok(isAllowed(`/api/v1/attachments/${id}/preview`), 'the pictures of pages')
  for (const path of [
    '/api/v1/posts',
    `/api/v1/attachments/${id}/download`,
    '/owner/confirm/x',
    '/following',
    '/language',
  ]) {
    assert.ok(!isAllowed(path), path)
  }
  for (const page of pages.filter(isFormTarget)) assert.ok(!isAllowed(page.path.replace(/\{\w+\}/g, 'x')), page.path)
  await w.close()
})
