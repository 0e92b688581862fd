// Looks at pages in a browser as their readers do: at every size and in every theme, on paper, in the longest language, and with the
// keyboard alone.
import assert from 'node:assert/strict'
import type { Browser, Page } from 'playwright-core'
import type { Address } from './addresses.ts'
import { openWindow, unsteady, type Window } from './browser.ts'
import { tabThrough } from './keyboard.ts'
import { barriers, isKnown, live, misfits, paleText, shownElements, unprintable } from './look.ts'

/** The narrowest that is promised, a telephone held upright, a tablet, a desk, and a wide screen. */
const widths = [320, 390, 768, 1280, 1920]
/** Where what was seen at every width already is looked at with other words. */
const outermost = [320, 1280]
/** As much of a page as is looked at in one piece. */
const tall = 4000

/** What moves at every load. On busy cores a parser may stop half way, and what was shown until then moves once. */
async function alwaysUnsteady(page: Page): Promise<string[]> {
  let found = await unsteady(page)
  for (let loads = 1; found.length > 0 && loads < 4; loads++) {
    await page.reload()
    const again = await unsteady(page)
    found = found.filter((each) => again.includes(each))
  }
  return found
}

/** All that is wrong with a page, at every size and in every theme. */
async function wrongWith(window: Window, address: Address, url: string): Promise<string[]> {
  const { page, resize, complaints } = window
  const { path, status = 200, isLong, isStretch, isTabbed } = address
  // What takes long is done at one width for what is long, or is a list that was seen already.
  const isWhole = !isLong && !isStretch
  const wrong: string[] = []
  const note = (told: string, found: readonly string[]) => wrong.push(...found.map((each) => `${path}${told}: ${each}`))
  await resize(390, 900)
  const answer = await page.goto(url + path)
  assert.equal(answer?.status(), status, path)
  note('', await alwaysUnsteady(page))
  note('', await live(page))
  await resize(390, tall)
  if (!(await isKnown(page)) || !isStretch) note(' on a telephone', await barriers(window, 'structure'))
  const onTelephone = await shownElements(page)
  for (const width of isStretch ? outermost : widths) {
    await resize(width, tall)
    note(` at ${width}`, await misfits(page))
    if (isWhole && (width === 768 || width === 1280)) {
      // What is shown at a width between is shown at one of its neighbours too.
      const isSame = width === 768 || (await shownElements(page)) === onTelephone
      note(` at ${width}`, await barriers(window, isSame ? 'layout' : 'structure'))
    }
    if (width !== 390 && width !== 1280) continue
    // Themes differ in colours alone: nothing else is in the sheet's media queries for them.
    note(` at ${width}`, await paleText(window))
    await page.emulateMedia({ colorScheme: 'dark' })
    note(` at ${width} in dark`, await paleText(window))
    if (width === 390) note(' on paper', await unprintable(page))
    await page.emulateMedia({ colorScheme: 'light' })
  }
  if (isTabbed) {
    await resize(1280, 900)
    note(' with the keyboard', await tabThrough(window))
  }
  note('', complaints())
  return wrong
}

/** The longest words of the shipped languages, where there is the least room for them. */
async function wrongInRussian({ page, resize, complaints }: Window, { path }: Address, url: string): Promise<string[]> {
  const wrong: string[] = []
  await resize(1280, 900)
  await page.goto(url + path)
  wrong.push(...(await alwaysUnsteady(page)).map((each) => `${path} in Russian: ${each}`))
  for (const width of outermost) {
    await resize(width, tall)
    wrong.push(...(await misfits(page)).map((each) => `${path} at ${width} in Russian: ${each}`))
  }
  return [...wrong, ...complaints()]
}

/** What makes the page that is open wider than a telephone for a reader who has letters of 32 pixels, set in the browser or by a sheet. */
async function tooWide({ page, session, resize }: Window): Promise<string[]> {
  const setLetters = (standard: number) => session.send('Page.setFontSizes', { fontSizes: { standard } })
  await resize(390, 900)
  await setLetters(32)
  const byBrowser = await beyondSides(page)
  await setLetters(16)
  await page.evaluate(() => {
    const sheet = new CSSStyleSheet()
    sheet.replaceSync('html { font-size: 32px }')
    document.adoptedStyleSheets = [sheet]
  })
  return [...byBrowser, ...(await beyondSides(page))]
}

async function beyondSides(page: Page): Promise<string[]> {
  await page.waitForFunction(() => getComputedStyle(document.documentElement).fontSize === '32px')
  return page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement
    if (scrollWidth <= clientWidth) return []
    const { lang } = document.documentElement
    const beyond = [...document.body.querySelectorAll('*')]
      .filter((element) => element.getBoundingClientRect().right > clientWidth + 0.5)
      .map((element) => `${element.localName}.${element.className} "${element.textContent?.trim().slice(0, 30)}"`)
    return [`${location.pathname} in ${lang} with large letters is ${scrollWidth} wide: ${beyond.slice(-3).join(', ')}`]
  })
}

/** A reader at the pages of a server, with a window in English and one in Russian. */
export interface Reader {
  /** Looks at addresses one after the other; with a session where its cookie is given. */
  look(addresses: readonly Address[], cookie?: string): Promise<void>
}

export async function openReader(browser: Browser, url: string): Promise<Reader> {
  const english = await openWindow(browser, { url })
  const russian = await openWindow(browser, { url, language: 'ru' })
  return {
    async look(addresses, cookie) {
      const wrong: string[] = []
      for (const window of [english, russian]) await signIn(window, url, cookie)
      for (const [at, address] of addresses.entries()) {
        wrong.push(...(await wrongWith(english, address, url)))
        if (address.isLong) continue
        wrong.push(...(await wrongInRussian(russian, address, url)))
        if (at > 0 || address.isStretch) continue
        for (const window of [english, russian]) wrong.push(...(await tooWide(window)))
      }
      assert.equal(wrong.join('\n'), '')
    },
  }
}

/** Goes on as whoever a cookie names, or as nobody in particular. */
export async function signIn({ context }: Window, url: string, cookie: string | undefined): Promise<void> {
  const [name = '', value = ''] = cookie?.split('=') ?? []
  await context.clearCookies()
  if (cookie !== undefined) await context.addCookies([{ name, value, url }])
}
