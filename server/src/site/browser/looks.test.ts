// Every page in a real browser, on a server on which nobody did anything yet and on one that is lived on, with little, much and
// hostile things on it: what it looks like, its HTML, its links, and the
// keyboard alone. docs/adding-an-endpoint.md#looking-at-a-page.
import assert from 'node:assert/strict'
import { describe } from 'node:test'
import type { Page } from 'playwright-core'
import { addressesOf, problems, readable } from '../../../test/addresses.ts'
import { launchBrowser, openWindow, test } from '../../../test/browser.ts'
import { type Crawled, crawl } from '../../../test/crawl.ts'
import { openReader, type Reader } from '../../../test/looking.ts'
import { faultsOf } from '../../../test/markup.ts'
import { emptyNetwork, livingNetwork, type Network } from '../../../test/network.ts'
import { visit } from '../../../test/pages.ts'
import { pluck } from '../../../test/pluck.ts'
import { beforehand } from '../../../test/story.ts'
import { begun } from '../../../test/visitors.ts'
import { pages } from '../../app/modules.ts'
import type { PageRoute } from '../../http/page.ts'

interface Site extends Network {
  reader: Reader
}

const browser = beforehand(launchBrowser)
const opened = async (network: Network): Promise<Site> => ({
  ...network,
  reader: await openReader(browser, network.w.url),
})
const empty = beforehand(async () => opened(await emptyNetwork()))
const living = beforehand(async () => opened(await livingNetwork()))
const sites = { empty, living }

for (const page of readable(pages)) {
  describe(`${page.path}: ${page.summary}`, () => {
    for (const name of ['empty', 'living'] as const)
      test(`fits every width and theme, and works with the keyboard alone, on the ${name} network`, async () => {
        const addresses = addressesOf(page, sites[name])
        assert.ok(addresses, `${page.path} has no row in server/test/addresses.ts`)
        // The first lists much, and the third is the hostile one of each kind.
        await sites[name].reader.look(addresses.map((each, at) => ({ ...each, isTabbed: at === 0 || at === 2 })))
      })
    test('is valid HTML', async () => {
      assert.equal((await faultsAt(empty, page)).concat(await faultsAt(living, page)).join('\n'), '')
    })
  })
}

async function faultsAt(site: Site, page: PageRoute): Promise<string[]> {
  const wrong: string[] = []
  for (const [at, { path }] of (addressesOf(page, site) ?? []).entries()) {
    // Other words are in the same markup.
    for (const language of at === 0 ? ['en', 'ru'] : ['en']) {
      const headers = { accept: 'text/html', 'accept-language': language }
      const faults = await faultsOf((await visit(site.w.url, path, { headers })).text)
      wrong.push(...faults.map((each) => `${path} in ${language}: ${each}`))
    }
  }
  return wrong
}

test('missing and refused pages are valid', async () => {
  await empty.reader.look(problems)
  for (const { path } of problems) assert.deepEqual(await faultsOf((await visit(empty.w.url, path)).text), [], path)
})

test('personal pages show the agents a visitor follows, their reactions and their votes', async () => {
  const { w, ids, reader } = living
  const headers = await begun(w)
  const put = async (path: string, json?: object): Promise<void> =>
    assert.equal((await w.request('PUT', `/visitor/${path}`, { headers, ...(json && { json }) })).status, 200)
  for (const handle of ids.agents) {
    const [agent] = await w.sql<{ id: string }>`select id from agents where handle = ${handle}`
    await put(`follows/${agent?.id}`)
  }
  const asking = ids.posts.filter((_, at) => at === 3 || at === 5)
  for (const id of asking) {
    const [option] = await w.sql<{ id: string }>`
      select o.id from poll_options o join polls p on p.id = o.poll_id where p.post_id = ${id} limit 1`
    await put(`posts/${id}/reactions/wow`)
    await put(`posts/${id}/poll/vote`, { option_id: option?.id })
  }
  const own = ['/following', `/agents/${ids.agents[0]}`, ...asking.map((id) => `/posts/${id}`)]
  await reader.look(
    own.map((path) => ({ path })),
    headers['cookie'],
  )
})

for (const name of ['empty', 'living'] as const) {
  test(`following every link on the ${name} network meets no dead end`, async () => {
    const { w } = sites[name]
    const { found, elsewhere } = await walked(w.url, w.service.publicUrl)
    const dead = found.filter(({ status }) => status !== 200)
    assert.deepEqual(
      dead.map(({ path, from, status }) => `${from} → ${path}: ${status}`),
      [],
    )
    // Only what somebody wrote, and a guide, leads to another host, and nothing that is shown comes from there.
    const isLink = /^<a href="https?:[^"]*" rel="(ugc nofollow noopener|noreferrer)">$/i
    const wrong = elsewhere.filter(({ tag }) => !isLink.test(tag))
    assert.deepEqual(wrong, [])
    if (name === 'empty') return
    assert.ok(elsewhere.length > 0, 'somebody wrote an address')
    const missed = readable(pages).filter(({ path }) => !found.some((each) => isAt(path, each.path)))
    assert.deepEqual(
      pluck(missed, 'path'),
      ['/owner/confirm/{secret}'],
      'every page is led to, but the one whose address is a secret',
    )
  })
}

const walked = (url: string, publicUrl: string): Promise<Crawled> => {
  const starts = ['/', '/robots.txt', '/sitemap.xml', '/feed.xml']
  const isThere = (start: string): boolean => pages.some(({ path }) => path === start)
  return crawl(url, publicUrl, starts.filter(isThere))
}

const isAt = (pattern: string, path: string): boolean =>
  new RegExp(`^${pattern.replace(/\{\w+\}/g, '[^/?]+')}(\\?|$)`).test(path)

test('with the keyboard the first stop skips the header to the content', async () => {
  const window = await openWindow(browser, { url: living.w.url, width: 390 })
  const { page } = window
  await page.goto(`${living.w.url}/articles`)
  await page.keyboard.press('Tab')
  const skip = page.locator('.skip')
  assert.ok(await skip.evaluate((element) => element === document.activeElement))
  assert.ok(((await skip.boundingBox())?.y ?? -1) >= 0, 'it is seen as soon as it is reached')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Tab')
  assert.ok(await page.evaluate(() => document.activeElement?.closest('main') !== null), 'what follows is content')
  assert.deepEqual(window.complaints(), [])
  await window.close()
})

test('with the keyboard the menu opens, and closes by Escape or once the focus has left it', async () => {
  const window = await openWindow(browser, { url: living.w.url, javaScriptEnabled: false })
  const { page } = window
  await page.goto(`${living.w.url}/tasks`)
  const more = page.getByRole('button', { name: 'More' })
  const last = page.getByRole('link', { name: 'API', exact: true })
  await more.focus()
  await page.keyboard.press('Enter')
  await last.waitFor()
  await page.keyboard.press('Tab')
  assert.match(await page.locator(':focus').innerText(), /^Following$/)
  await page.keyboard.press('Escape')
  await last.waitFor({ state: 'hidden' })
  assert.ok(await more.evaluate((element) => element === document.activeElement), 'the focus is where it was')
  await page.keyboard.press('Enter')
  await last.focus()
  await page.keyboard.press('Tab')
  await last.waitFor({ state: 'hidden' })
  await window.close()
})

test('on a small telephone the menu stays in one row, whatever the language and the section', async () => {
  for (const language of ['en', 'ru']) {
    const window = await openWindow(browser, { url: living.w.url, language, width: 360 })
    for (const path of ['/tasks', '/cases']) {
      await window.page.goto(`${living.w.url}${path}`)
      const tops = await window.page
        .locator('.sections > ul > li')
        .evaluateAll((all) => all.map((each) => Math.round(each.getBoundingClientRect().top)))
      assert.equal(new Set(tops).size, 1, `${path} in ${language}: ${tops}`)
    }
    await window.close()
  }
})

test('with the keyboard a search is typed and sent with Enter, and a language is chosen', async () => {
  const window = await openWindow(browser, { url: living.w.url, javaScriptEnabled: false })
  const { page } = window
  await page.goto(`${living.w.url}/agents`)
  await page.locator('#q').focus()
  await page.keyboard.type('harbour')
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/agents\?q=harbour/)
  assert.match(await page.locator('main').innerText(), /Ada of the harbour/)
  await page.locator('.languages button[lang="ru"]').focus()
  await page.keyboard.press('Enter')
  await page.locator('html[lang="ru"]').waitFor({ state: 'attached' })
  assert.match(page.url(), /\/agents\?q=harbour/, 'it stays where it was')
  await page.goto(`${living.w.url}/articles`)
  assert.equal(await page.locator('html').getAttribute('lang'), 'ru', 'the choice goes along')
  assert.deepEqual(window.complaints(), [])
  await window.close()
})

test('on a telephone the chapters of the reference stay at the upper edge, and above what a link leads to', async () => {
  const window = await openWindow(browser, { url: living.w.url, width: 390 })
  const { page } = window
  await page.goto(`${living.w.url}/docs/tasks`)
  const id = await page.locator('.op[id]').nth(1).getAttribute('id')
  await page.goto(`${living.w.url}/docs/tasks#${id}`)
  const side = await page.locator('.side').boundingBox()
  const target = await page.locator(`[id="${id}"]`).boundingBox()
  assert.equal(Math.round(side?.y ?? -1), 0)
  assert.ok(side && target && target.y >= side.y + side.height - 1, `${target?.y} is below ${side?.height}`)
  await window.close()
})

test('a chip shows all of its words on a small telephone', async () => {
  const window = await openWindow(browser, { url: living.w.url, width: 320 })
  for (const id of living.ids.tasks) {
    await window.page.goto(`${living.w.url}/tasks/${id}`)
    const cut = await window.page
      .locator('.chip')
      .evaluateAll((all) => all.filter((each) => each.scrollWidth > each.clientWidth).map((each) => each.textContent))
    assert.deepEqual(cut, [], id)
  }
  await window.close()
})

test('what a service costs is in sight as soon as its page opens, once', async () => {
  for (const width of [390, 1280]) {
    const window = await openWindow(browser, { url: living.w.url, width })
    const { page } = window
    await page.goto(`${living.w.url}/services/${living.ids.services[0]}`)
    const heights = await page
      .locator('.unit-price:visible')
      .evaluateAll((all) => all.map((each) => each.getBoundingClientRect().bottom))
    assert.equal(heights.filter((bottom) => bottom < 600).length, 1, `${width}: ${heights}`)
    await window.close()
  }
})

test('on paper times are exact, closed details are open, and nothing has to be scrolled', async () => {
  const window = await openWindow(browser, { url: living.w.url })
  const { page } = window
  const isShown = (selector: string): Promise<boolean> =>
    page
      .locator(selector)
      .first()
      .evaluate((element) => element.checkVisibility())
  const afterTime = (): Promise<string> =>
    page
      .locator('main time[title]')
      .first()
      .evaluate((element) => getComputedStyle(element, '::after').content)
  const overflowOf = (selector: string): Promise<string> =>
    page
      .locator(selector)
      .first()
      .evaluate((element) => getComputedStyle(element).overflowY)
  await page.goto(`${living.w.url}/agents/${living.ids.agents[0]}`)
  const fingerprint = 'details.panel:not([open]) .fingerprint'
  assert.deepEqual([await isShown(fingerprint), await afterTime()], [false, 'none'])
  await page.emulateMedia({ media: 'print' })
  assert.equal(await isShown(fingerprint), true)
  assert.match(await afterTime(), /UTC|attr\(title\)/)
  await page.emulateMedia({ media: 'screen' })
  await page.goto(`${living.w.url}/`)
  assert.equal(await overflowOf('.ways .script'), 'auto')
  await page.emulateMedia({ media: 'print' })
  assert.equal(await overflowOf('.ways .script'), 'visible')
  await window.close()
})

/** The colours in which a link is seen: a transparent ground shows the colour that its zeros stand for. */
const drawn = (page: Page, selector: string): Promise<string> =>
  page
    .locator(selector)
    .first()
    .evaluate((element) => {
      const { backgroundColor, color } = getComputedStyle(element)
      return [backgroundColor, color].map((each) => each.match(/\d+/g)?.slice(0, 3).join(',')).join(' on ')
    })

test('the current section, filter and language are underlined, and no other', async () => {
  const window = await openWindow(browser, { url: living.w.url })
  const { page } = window
  await page.goto(`${living.w.url}/posts?kind=portfolio`)
  const underlined = (selector: string): Promise<boolean[]> =>
    page
      .locator(selector)
      .evaluateAll((all) => all.map((each) => getComputedStyle(each).textDecorationLine === 'underline'))
  for (const kind of ['.sections a', '.filters a', '.languages button']) {
    assert.deepEqual(await underlined(`${kind}[aria-current]`), [true], kind)
    assert.equal((await underlined(`${kind}:not([aria-current])`)).includes(true), false, kind)
  }
  await window.close()
})

test("in a system's own colours the current section, filter and language differ from the others", async () => {
  const window = await openWindow(browser, { url: living.w.url })
  const { page } = window
  await page.emulateMedia({ forcedColors: 'active' })
  await page.goto(`${living.w.url}/posts?kind=portfolio`)
  for (const kind of ['.sections a', '.filters a', '.languages button']) {
    const [current, other] = [
      await drawn(page, `${kind}[aria-current]`),
      await drawn(page, `${kind}:not([aria-current])`),
    ]
    assert.notEqual(current, other, `${kind}: ${current}`)
  }
  await window.close()
})
