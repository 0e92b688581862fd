// The ways through the site: every link from the first page on, the HTML of every page against the standard, and the keyboard alone.

import assert from 'node:assert/strict'
import { describe } from 'node:test'
import { type Address, addressesOf, problems, readable } from '../../../test/addresses.ts'
import { launchBrowser, openWindow, test } from '../../../test/browser.ts'
import { type Crawled, crawl } from '../../../test/crawl.ts'
import { tabThrough } from '../../../test/keyboard.ts'
import { faultsOf } from '../../../test/markup.ts'
import { emptyNetwork, livingNetwork, type Network } from '../../../test/network.ts'
import { visit } from '../../../test/pages.ts'
import { beforehand } from '../../../test/story.ts'
import { pages } from '../../app/modules.ts'

const browser = beforehand(launchBrowser)
const empty = beforehand(emptyNetwork)
const living = beforehand(livingNetwork)

const addressesIn = (network: Network): Address[] => readable(pages).flatMap((page) => addressesOf(page, network) ?? [])

describe('whoever follows every link', () => {
  for (const name of ['empty', 'living'] as const) {
    test(`meets no dead end on the ${name} network`, async () => {
      const { w } = name === 'empty' ? empty : living
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
        missed.map(({ path }) => path),
        ['/owner/confirm/{secret}'],
        'every page is led to, but the one whose address is a secret',
      )
    })
  }
})

const walked = (url: string, publicUrl: string): Promise<Crawled> => {
  const starts = ['/', '/robots.txt', '/sitemap.xml', '/feed.xml']
  const isThere = (start: string): boolean => pages.some(({ path }) => path === start)
  return crawl(url, publicUrl, starts.filter(isThere))
}

const isAt = (pattern: string, path: string): boolean =>
  new RegExp(`^${pattern.replace(/\{\w+\}/g, '[^/?]+')}(\\?|$)`).test(path)

for (const language of ['en', 'ru']) {
  test(`every page is sound HTML in ${language}`, async () => {
    const wrong: string[] = []
    for (const network of [empty, living]) {
      for (const { path } of [...addressesIn(network), ...problems]) {
        const headers = { accept: 'text/html', 'accept-language': language }
        const faults = await faultsOf((await visit(network.w.url, path, { headers })).text)
        wrong.push(...faults.map((each) => `${path}: ${each}`))
      }
    }
    assert.equal(wrong.join('\n'), '')
  })
}

describe('with the keyboard alone', () => {
  for (const page of readable(pages)) {
    test(`${page.path}: everything is reached in its order, and seen where it is`, async () => {
      for (const network of [empty, living]) {
        const addresses = addressesOf(page, network) ?? []
        // The first lists much, and the third is the hostile one of each kind.
        for (const { path } of addresses.filter((_, at) => at === 0 || at === 2)) {
          await tabThrough(browser, network.w.url, path)
        }
      }
    })
  }

  test('the first stop leads over the header to the content', async () => {
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

  test('a search is typed and sent with Enter, and the language is chosen', async () => {
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
})
