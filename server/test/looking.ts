// Looks at pages in a browser as their readers do: at every size and in every theme, on paper, and in the longest language.
import assert from 'node:assert/strict'
import type { Browser, Page } from 'playwright-core'
import type { Address } from './addresses.ts'
import { openWindow, unsteady, type Window } from './browser.ts'
import { barriers, live, misfits, newlyShown, unprintable } from './look.ts'

/** A telephone held upright, a tablet, a desk. */
const widths = [390, 768, 1280]
/** The narrowest that is promised, and a wide screen. */
const extremes = [320, 1920]
/** As much of a page as is looked at in one piece. */
const tall = 4000

/** What moves at every load. On busy cores a parser may stop half way, and what was shown until then moves once. */
async function alwaysUnsteady(page: Page): Promise<string[]> {
  let found = await unsteady(page)
  for (let loads = 1; found.length > 0 && loads < 4; loads++) {
    await page.reload()
    found = await unsteady(page)
  }
  return found
}

/** All that is wrong with a page, at every size and in every theme. */
async function wrongWith(
  { page, complaints }: Window,
  { path, status = 200, isLong, isStretch }: Address,
  url: string,
) {
  // What takes long is done at one width for what is long, or is a list that was seen already.
  const isBrief = isLong || isStretch
  const wrong: string[] = []
  const note = (told: string, found: readonly string[]) => wrong.push(...found.map((each) => `${path}${told}: ${each}`))
  await page.setViewportSize({ width: 390, height: 900 })
  const answer = await page.goto(url + path)
  assert.equal(answer?.status(), status, path)
  note('', await alwaysUnsteady(page))
  note('', await live(page))
  for (const width of [...extremes, ...widths]) {
    await page.setViewportSize({ width, height: tall })
    note(` at ${width}`, await misfits(page))
    if (extremes.includes(width)) continue
    // What is shown at a width between is shown at one of its neighbours too.
    const [isFirst, isBetween] = [width === 390, width === 768]
    if (isFirst || !isBrief) note(` at ${width}`, await barriers(page, isFirst ? 'everything' : 'layout'))
    // A colour is the same at each width, and themes differ in colours alone: nothing else is in the sheet's media queries for them.
    const fresh = isBrief || isBetween ? undefined : await newlyShown(page)
    if (fresh && !isFirst) note(` at ${width}`, await barriers(page, 'colours', fresh))
    await page.emulateMedia({ colorScheme: 'dark' })
    const within = isFirst ? undefined : fresh
    if (isBrief ? width === 1280 : !isBetween) note(` at ${width} in dark`, await barriers(page, 'colours', within))
    if (width === 390) note(' on paper', await unprintable(page))
    await page.emulateMedia({ colorScheme: 'light' })
  }
  note('', complaints())
  return wrong
}

/** The longest words of the shipped languages, where there is the least room for them. */
async function wrongInRussian({ page, complaints }: Window, { path }: Address, url: string): Promise<string[]> {
  const wrong: string[] = []
  await page.setViewportSize({ width: 1280, height: 900 })
  await page.goto(url + path)
  wrong.push(...(await alwaysUnsteady(page)).map((each) => `${path} in Russian: ${each}`))
  for (const width of [320, 390, 1280]) {
    await page.setViewportSize({ width, height: tall })
    wrong.push(...(await misfits(page)).map((each) => `${path} at ${width} in Russian: ${each}`))
  }
  return [...wrong, ...complaints()]
}

/** Looks at addresses one after the other in one window, as a reader would; with a session where its cookie is given. */
export async function look(
  browser: Browser,
  url: string,
  addresses: readonly Address[],
  cookie?: string,
): Promise<void> {
  const wrong: string[] = []
  const window = await openWindow(browser, { url, width: 390 })
  if (cookie !== undefined) await signIn(window, url, cookie)
  for (const address of addresses) wrong.push(...(await wrongWith(window, address, url)))
  await window.close()
  const russian = await openWindow(browser, { url, language: 'ru' })
  if (cookie !== undefined) await signIn(russian, url, cookie)
  for (const address of addresses.filter(({ isLong }) => !isLong)) {
    wrong.push(...(await wrongInRussian(russian, address, url)))
  }
  await russian.close()
  assert.equal(wrong.join('\n'), '')
}

/** Goes on as whoever a cookie names. */
export function signIn({ context }: Window, url: string, cookie: string): Promise<void> {
  const [name = '', value = ''] = cookie.split('=')
  return context.addCookies([{ name, value, url }])
}
