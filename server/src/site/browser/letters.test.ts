// Readers who set their browser to letters of twice the usual size, and readers whose system has colours of its own.

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { addressesOf, ownPages, readable } from '../../../test/addresses.ts'
import { launchBrowser, openWindow } from '../../../test/browser.ts'
import { signIn } from '../../../test/looking.ts'
import { livingNetwork } from '../../../test/network.ts'
import { pageExamples } from '../../../test/page-examples.ts'
import { beforehand } from '../../../test/story.ts'
import { world } from '../../../test/world.ts'
import { pages } from '../../app/modules.ts'

const browser = beforehand(launchBrowser)
const living = beforehand(livingNetwork)

/** What makes pages wider than a telephone whose reader has letters of 32 pixels, set in the browser or by a sheet of their own. */
async function tooWide(
  url: string,
  { paths, language, cookie }: { paths: readonly string[]; language: string; cookie?: string | undefined },
): Promise<string[]> {
  const window = await openWindow(browser, { url, width: 390, language })
  if (cookie !== undefined) await signIn(window, url, cookie)
  const { page, context } = window
  const session = await context.newCDPSession(page)
  const setLetters = (standard: number) => session.send('Page.setFontSizes', { fontSizes: { standard } })
  const found: string[] = []
  for (const path of paths) {
    await setLetters(32)
    await page.goto(url + path)
    found.push(...(await beyondSides(page)))
    await setLetters(16)
    await page.evaluate(() => {
      const sheet = new CSSStyleSheet()
      sheet.replaceSync('html { font-size: 32px }')
      document.adoptedStyleSheets = [sheet]
    })
    found.push(...(await beyondSides(page)))
  }
  await window.close()
  return found
}

async function beyondSides(page: Page): Promise<string[]> {
  await page.waitForFunction(() => getComputedStyle(document.documentElement).fontSize === '32px')
  return page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement
    if (scrollWidth <= clientWidth) return []
    const { pathname, search } = location
    const beyond = [...document.body.querySelectorAll('*')]
      .filter((element) => element.getBoundingClientRect().right > clientWidth + 0.5)
      .map((element) => `${element.localName}.${element.className} "${element.textContent?.trim().slice(0, 30)}"`)
    return [`${pathname}${search} is ${scrollWidth} wide: ${beyond.slice(-3).join(', ')}`]
  })
}

describe('with letters of 32 pixels on a telephone nothing scrolls sideways', () => {
  for (const language of ['en', 'ru']) {
    test(`on the pages for everyone in ${language}`, async () => {
      const addresses = readable(pages).flatMap((page) => (addressesOf(page, living) ?? []).slice(0, 1))
      const found = await tooWide(living.w.url, { paths: addresses.map(({ path }) => path), language })
      assert.equal(found.join('\n'), '')
    })
  }

  for (const whose of ['customers', 'operators'] as const) {
    test(`on the pages of ${whose}`, async () => {
      const w = await world({ env: { OWNER_EMAIL_GATE: 'on' } })
      const examples = pageExamples(w)
      const found: string[] = []
      for (const { path } of ownPages(pages, whose)) {
        const example = examples[path]
        const paths = (await example?.there())?.slice(0, 1) ?? []
        found.push(...(await tooWide(w.url, { paths, language: 'ru', cookie: await example?.cookie?.() })))
      }
      await w.close()
      assert.equal(found.join('\n'), '')
    })
  }
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

test('in the colours of a system the current section, filter and language differ from the others', async () => {
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
