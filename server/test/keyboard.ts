// A page with the keyboard alone.
import { isDeepStrictEqual } from 'node:util'
import type { Window } from './browser.ts'

/** As many as are reached one after the other on a page as long as the contract. */
const most = 150

/**
 * Presses Tab from the first stop of the page that is open to the last: those that are not reached in the order of the page, or not
 * seen where they are.
 */
export async function tabThrough({ page, session }: Pick<Window, 'page' | 'session'>): Promise<string[]> {
  const expected = await page.evaluate(noteStops, most)
  // A player has stops of its own within it.
  for (let presses = 0, passed = 0; presses < expected.length * 2 + 40 && passed < expected.length; ) {
    const more = expected.length - passed
    await pressTab(session, more)
    presses += more
    passed = await page.evaluate(() => (window as unknown as Walk).reached.length)
  }
  const { reached, unseen } = await page.evaluate(() => {
    const { reached, unseen } = window as unknown as Walk
    return { reached, unseen }
  })
  const named = (stops: number[]) => stops.map((stop) => expected[stop])
  const order = named(reached)
  return [
    ...(isDeepStrictEqual(order, expected)
      ? []
      : [`Tab goes to\n${order.join('\n')}\nand not to\n${expected.join('\n')}`]),
    ...named(unseen).map((each) => `no sign of the focus, or out of sight: ${each}`),
  ]
}

/** The browser acts on keys in the order in which they are sent; to wait for each takes three times as long. */
async function pressTab(session: Window['session'], times: number): Promise<void> {
  const tab = { key: 'Tab', code: 'Tab', windowsVirtualKeyCode: 9 }
  const sent: Promise<unknown>[] = []
  for (let time = 0; time < times; time++)
    for (const type of ['rawKeyDown', 'keyUp'] as const)
      sent.push(session.send('Input.dispatchKeyEvent', { type, ...tab }))
  await Promise.all(sent)
}

/** What a page notes of itself while Tab is pressed: the numbers of stops. */
interface Walk {
  reached: number[]
  unseen: number[]
}

/** Runs in the page: gives its stops in their order, and from then on notes where each Tab leads, once it is let go of. */
function noteStops(most: number): string[] {
  const all = document.querySelectorAll(
    'a[href], button, input:not([type="hidden"]), select, textarea, summary, video[controls], audio[controls], [tabindex="0"]',
  )
  const stops = [...all].filter((element) => element.checkVisibility() && !element.matches(':disabled')).slice(0, most)
  const walk: Walk = { reached: [], unseen: [] }
  Object.assign(window, walk)
  document.addEventListener('keyup', () => {
    const element = document.activeElement
    const stop = element ? stops.indexOf(element) : -1
    if (!element || stop < 0 || stop === walk.reached.at(-1) || walk.reached.length === stops.length) return
    walk.reached.push(stop)
    const { outlineStyle, outlineWidth } = getComputedStyle(element)
    const { top, bottom, left, right } = element.getBoundingClientRect()
    const isInSight = bottom > 0 && top < innerHeight && right > 0 && left < innerWidth
    const isPlayer = element instanceof HTMLMediaElement
    const isMarked = isPlayer || (outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 2)
    if (!isInSight || !isMarked) walk.unseen.push(stop)
  })
  // An entry that has the focus from the start is one stop among the others.
  document.body.tabIndex = -1
  document.body.focus()
  document.body.removeAttribute('tabindex')
  return stops.map((element) => element.outerHTML.slice(0, 120))
}
