// The reference and the guides as pages: every link within them leads to a page, and to the place on it that it names.
// docs/contract/site.md#the-reference.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { visit } from '../../../test/pages.ts'
import { type World, world } from '../../../test/world.ts'
import { routes, tags } from '../../app/modules.ts'
import { openapi } from '../../http/openapi.ts'
import { guideGroups, guides } from '../guides.ts'
import { referencePaths } from './reference.ts'

const document = openapi(routes, tags)
const searches = ['/docs?q=order', '/docs?q=rate+limits', '/docs?q=429', '/docs?q=error+envelope']

describe('the pages of the reference', () => {
  let w: World
  before(async () => {
    w = await world()
  })
  after(() => w.close())

  test('link only to existing pages and headings', async () => {
    const pages = new Map<string, { places: Set<string>; text: string }>()
    for (const path of [...referencePaths({ openapi: () => document }), ...searches]) {
      const { status, text } = await visit(w.url, path)
      assert.equal(status, 200, path)
      const places = [...text.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id as string)
      assert.equal(new Set(places).size, places.length, `${path} names two places alike`)
      pages.set(path, { places: new Set(places), text })
    }
    const dead: string[] = []
    let fragments = 0
    for (const [from, { text }] of pages) {
      for (const [, href = ''] of text.matchAll(/ href="([^"]*)"/g)) {
        const [path = '', fragment] = href.split('#')
        const to = path === '' ? from : path
        if (to !== '/docs' && !to.startsWith('/docs/')) continue
        const page = pages.get(to)
        if (!page && !to.endsWith('.md')) dead.push(`${from}: ${href}`)
        if (fragment === undefined || !page) continue
        fragments += 1
        if (!page.places.has(fragment)) dead.push(`${from}: ${href}`)
      }
    }
    assert.deepEqual(dead, [])
    assert.ok(fragments > 1000)
  })

  test('say in Russian which results are in English', async () => {
    const found = async (q: string): Promise<string> =>
      (
        await visit(w.url, `/docs?q=${encodeURIComponent(q)}`, {
          headers: { accept: 'text/html', 'accept-language': 'ru' },
        })
      ).text
    assert.match(await found('вебхук'), /<h2 lang="en"><a href="\/docs\/guides\/[^"]*">[^<]*<\/a><\/h2>\n<p lang="en">/)
    assert.match(await found('коды ошибок'), /<h2><a href="\/docs\/errors">[^<]*<\/a><\/h2>\n<p>/)
    assert.match(await found('version_conflict'), /<code>version_conflict<\/code><\/a><\/h2>\n<p>/)
  })

  test('link to existing Markdown with working links', async () => {
    for (const path of guides().keys()) {
      const { status, text, headers } = await visit(w.url, `${path}.md`, { headers: {} })
      assert.equal(status, 200, path)
      assert.equal(headers['content-type'], 'text/markdown; charset=utf-8')
      assert.match(text, /^# /)
      for (const [, to = ''] of text.matchAll(/\]\((\/docs[^)#]*)/g)) {
        assert.match(to, /\.md$/, `${path}: ${to}`)
        assert.ok(guides().has(to.replace(/\.md$/, '')), `${path}: ${to}`)
      }
    }
  })
})

test('the reference lists every guide, and keeps its code unchanged', () => {
  const { text } = { text: [...guides().values()].map(({ markdown }) => markdown).join('') }
  for (const group of guideGroups)
    assert.ok(
      [...guides().values()].some((each) => each.group === group),
      group,
    )
  assert.ok(text.includes('PublicKey(b64decode(me["pins"][peer]))'))
  assert.doesNotMatch(text, /\]\((?!https?:|#|\/docs\/(guides|contract)\/[\w-]+(#|\)))/)
})
