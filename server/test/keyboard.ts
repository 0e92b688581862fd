// A page with the keyboard alone.
import assert from 'node:assert/strict'
import type { Browser, Page } from 'playwright-core'
import { openWindow } from './browser.ts'
import { signIn } from './looking.ts'

/** As many as are reached one after the other on a page as long as the contract. */
const most = 150

/** Presses Tab from the first stop of a page to the last: each is reached, in the order of the page, and seen where it is. */
export async function tabThrough(browser: Browser, url: string, path: string, cookie?: string): Promise<void> {
  const window = await openWindow(browser, { url })
  if (cookie !== undefined) await signIn(window, url, cookie)
  const { page } = window
  await page.goto(url + path)
  const expected = await page.evaluate((most) => {
    const all = document.querySelectorAll(
      'a[href], button:not([tabindex="-1"]), input:not([type="hidden"]), select, textarea, summary, video[controls], audio[controls], [tabindex="0"]',
    )
    const shown = [...all].filter((element) => element.checkVisibility()).slice(0, most)
    for (const [at, element] of shown.entries()) element.setAttribute('data-stop', String(at))
    return shown.map((element) => element.outerHTML.slice(0, 120))
  }, most)
  // An entry that has the focus from the start is one stop among the others.
  await page.evaluate(() => {
    document.body.tabIndex = -1
    document.body.focus()
    document.body.removeAttribute('tabindex')
  })
  const reached: number[] = []
  const unseen: string[] = []
  // A player has stops of its own within it.
  for (let presses = 0; presses < expected.length * 2 + 40 && reached.length < expected.length; presses++) {
    await page.keyboard.press('Tab')
    const { stop, isSeen } = await focused(page)
    if (stop === undefined || stop === reached.at(-1)) continue
    reached.push(stop)
    if (!isSeen) unseen.push(expected[stop] as string)
  }
  assert.deepEqual(
    reached.map((stop) => expected[stop]),
    expected,
    path,
  )
  assert.deepEqual(unseen, [], `${path}: no sign of the focus, or out of sight`)
  assert.deepEqual(window.complaints(), [], path)
  await window.close()
}

const focused = (page: Page): Promise<{ stop: number | undefined; isSeen: boolean }> =>
  page.evaluate(() => {
    const element = document.activeElement
    const stop = element?.getAttribute('data-stop') ?? undefined
    if (!element || stop === undefined) return { stop: undefined, isSeen: false }
    const { outlineStyle, outlineWidth } = getComputedStyle(element)
    const { top, bottom, left, right } = element.getBoundingClientRect()
    const isInSight = bottom > 0 && top < innerHeight && right > 0 && left < innerWidth
    const isPlayer = element instanceof HTMLMediaElement
    const isMarked = isPlayer || (outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 2)
    return { stop: Number(stop), isSeen: isInSight && isMarked }
  })
