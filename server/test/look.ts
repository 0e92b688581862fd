// What must hold of a page as a browser shows it, at whatever width and in whatever colours it is: each of these gives what is wrong.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AxeResults, RunOptions } from 'axe-core'
import type { Page } from 'playwright-core'
import type { Window } from './browser.ts'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** WCAG 2.2 AA, and what else axe-core holds for good. */
const everything: RunOptions = {
  runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
  resultTypes: ['violations'],
}
/** Contrast takes more than half of the time of all rules. */
const structure: RunOptions = { ...everything, rules: { 'color-contrast': { enabled: false } } }
const only = (...values: string[]): RunOptions => ({ runOnly: { type: 'rule', values }, resultTypes: ['violations'] })
/** 4.5:1 for text, 3:1 for large text. */
const colours = only('color-contrast', 'link-in-text-block')
/** The rules that find something else on the same elements at another width. */
const layout = only('target-size', 'scrollable-region-focusable')

const kinds = { everything, structure, colours, layout }

/** What hinders a reader of the page; `within` the elements that it names, or in all of it. */
export async function barriers(
  { page, session }: Pick<Window, 'page' | 'session'>,
  what: keyof typeof kinds,
  within?: string,
): Promise<string[]> {
  // A script that the session evaluates is compiled once for all pages of a window; one by Playwright, at each page.
  if (!(await page.evaluate(() => 'axe' in window))) await session.send('Runtime.evaluate', { expression: axe })
  return page.evaluate(
    async ([options, within]) => {
      const { axe } = window as unknown as {
        axe: { run(context: Document | string, options: RunOptions): Promise<AxeResults> }
      }
      const { violations } = await axe.run(within ?? document, options)
      return violations.map(({ id, nodes: [first, ...more] }) => {
        const others = more.length === 0 ? '' : ` (and ${more.length} more)`
        return `${id}: ${first?.html.slice(0, 200)}: ${first?.failureSummary}${others}`
      })
    },
    [kinds[what], within] as const,
  )
}

/** Which elements are shown, as a text to compare with that of another width. */
export const shownElements = (page: Page): Promise<string> =>
  page.evaluate(() => [...document.querySelectorAll('body *')].map((each) => Number(each.checkVisibility())).join(''))

const known = new Set<string>()

/** Whether all elements of a page are as others were before it: in the same place among tags and classes, with the same attributes. */
export async function isKnown(page: Page): Promise<boolean> {
  const found = await page.evaluate(() => {
    const all = [...document.querySelectorAll('body *')].map((element) => {
      let way = ''
      for (let at: Element | null = element; at; at = at.parentElement)
        way += `${at.localName}.${at.getAttribute('class')}<`
      const attributes = [...element.attributes].map(({ name, value }) =>
        /^(role|type)$|^aria-(?!label|controls|described)/.test(name) ? `${name}=${value}` : name,
      )
      return [way, ...attributes.sort(), element.textContent?.trim() === ''].join(' ')
    })
    return [...new Set(all)]
  })
  const fresh = new Set(found).difference(known)
  for (const each of fresh) known.add(each)
  return fresh.size === 0
}

const judged = new Set<number>()
const unjudged = 'data-unjudged'

/**
 * Text that is too pale. All that contrast depends on is an element's place among tags and classes, its colours, its size and the
 * grounds behind it: text that is equal in all of them is judged once in a process, whatever page or list it is in.
 */
export async function paleText(window: Pick<Window, 'page' | 'session'>): Promise<string[]> {
  const { page } = window
  const found = await page.evaluate(noteColours)
  const fresh = found.filter((key) => !judged.has(key))
  if (fresh.length === 0) return []
  await page.evaluate(
    ([fresh, unjudged]) => {
      const { coloured } = window as unknown as { coloured: Map<number, Element> }
      for (const element of document.querySelectorAll(`[${unjudged}]`)) element.removeAttribute(unjudged)
      for (const key of fresh) coloured.get(key)?.setAttribute(unjudged, '')
    },
    [fresh, unjudged] as const,
  )
  for (const key of fresh) judged.add(key)
  return barriers(window, 'colours', `[${unjudged}]`)
}

/** Runs in the page: a number for each combination of what contrast depends on, and keeps an element of each. */
function noteColours(): number[] {
  /** Of 48 bits: two of a few thousand are never the same. */
  const hash = (text: string, sum: number): number => {
    for (let at = 0; at < text.length; at++) sum = (sum * 31 + text.charCodeAt(at)) % (2 ** 48 - 59)
    return sum
  }
  const ways = new Map<Element, number>()
  const wayTo = (element: Element): number => {
    const known = ways.get(element)
    if (known !== undefined) return known
    const { backgroundColor, backgroundImage, opacity, position } = getComputedStyle(element)
    const own = [element.localName, element.getAttribute('class'), backgroundColor, backgroundImage, opacity, position]
    const way = hash(own.join('|'), element.parentElement ? wayTo(element.parentElement) : 0)
    ways.set(element, way)
    return way
  }
  const coloured = new Map<number, Element>()
  for (const element of document.querySelectorAll('body *')) {
    const says = [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.textContent?.trim())
    if ((!says && !element.matches('input, select, textarea')) || !element.checkVisibility()) continue
    const { color, fontSize, fontWeight, textShadow, textDecorationLine } = getComputedStyle(element)
    const isLarge = Number.parseFloat(fontSize) >= (Number(fontWeight) >= 700 ? 18.66 : 24)
    const key = hash([color, isLarge, textShadow, textDecorationLine].join('|'), wayTo(element))
    if (!coloured.has(key)) coloured.set(key, element)
  }
  Object.assign(window, { coloured })
  return [...coloured.keys()]
}

/** What is beyond the sides of the page, upon the header, or upon something that can be pressed. */
export const misfits = (page: Page): Promise<string[]> => page.evaluate(findMisfits)

function findMisfits(): string[] {
  const { clientWidth, scrollWidth } = document.documentElement
  const wrong: string[] = []
  const nameOf = (element: Element): string =>
    `${element.localName}.${element.getAttribute('class') ?? ''} "${(element.textContent ?? '').trim().slice(0, 40)}"`
  if (scrollWidth > clientWidth) wrong.push(`the page is ${scrollWidth} wide in a window of ${clientWidth}`)

  const isClipped = (element: Element): boolean => {
    for (let at = element.parentElement; at && at !== document.body; at = at.parentElement) {
      if (getComputedStyle(at).overflowX !== 'visible') return true
    }
    return false
  }
  const shown = [...document.body.querySelectorAll('*')].filter((element) => element.checkVisibility())
  for (const element of shown) {
    const { left, right, width } = element.getBoundingClientRect()
    if (width > 0 && (right > clientWidth + 0.5 || left < -0.5) && !isClipped(element)) {
      wrong.push(`${nameOf(element)} is from ${left} to ${right} of ${clientWidth}`)
    }
  }

  const header = document.querySelector('header')?.getBoundingClientRect()
  const main = document.querySelector('main')?.getBoundingClientRect()
  if (!header || !main) return [...wrong, 'there is no header, or no main']
  for (const element of shown) {
    if (element.closest('header, .skip') || element.getBoundingClientRect().width === 0) continue
    const { top } = element.getBoundingClientRect()
    if (top + window.scrollY < header.bottom + window.scrollY - 0.5 && element !== document.body) {
      wrong.push(`${nameOf(element)} lies on the header`)
    }
  }

  const pressable = [
    ...document.querySelectorAll('a[href], button, input:not([type="hidden"]), select, textarea, summary'),
  ]
  for (const element of pressable) {
    if (!element.checkVisibility() || element.closest('.skip')) continue
    const [box] = element.getClientRects()
    if (!box || box.width === 0) continue
    const [x, y] = [box.left + box.width / 2, box.top + box.height / 2]
    // Out of the window, or to be scrolled to within a part of the page.
    if (x < 0 || x > innerWidth || y < 0 || y > innerHeight || isScrolledAway(element, x)) continue
    const top = document.elementFromPoint(x, y)
    if (top && !element.contains(top) && !top.contains(element)) wrong.push(`${nameOf(top)} lies on ${nameOf(element)}`)
  }
  return wrong.slice(0, 10)

  function isScrolledAway(element: Element, x: number): boolean {
    for (let at = element.parentElement; at && at !== document.body; at = at.parentElement) {
      const { left, right } = at.getBoundingClientRect()
      if (getComputedStyle(at).overflowX !== 'visible' && (x < left || x > right)) return true
    }
    return false
  }
}

/** What would not be read on paper, whatever the theme is: dark grounds, and words that need one, for browsers leave grounds out. */
export async function unprintable(page: Page): Promise<string[]> {
  await page.emulateMedia({ media: 'print' })
  const wrong = await page.evaluate(() => {
    const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true })
    /** Of white paper with this on it, 0 to 1 (WCAG 2.2, relative luminance). */
    const luminance = (colour: string): number => {
      if (!canvas) throw new Error('no canvas')
      canvas.fillStyle = '#fff'
      canvas.fillRect(0, 0, 1, 1)
      canvas.fillStyle = colour
      canvas.fillRect(0, 0, 1, 1)
      const [r = 0, g = 0, b = 0] = [...canvas.getImageData(0, 0, 1, 1).data].map((byte) => {
        const part = byte / 255
        return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
      })
      return 0.2126 * r + 0.7152 * g + 0.0722 * b
    }
    const seen = new Map<string, number>()
    const of = (colour: string): number => {
      const known = seen.get(colour) ?? luminance(colour)
      seen.set(colour, known)
      return known
    }
    const found: string[] = []
    for (const element of document.querySelectorAll('html, body, body *:not(svg *)')) {
      if (!element.checkVisibility()) continue
      const { color, backgroundColor } = getComputedStyle(element)
      const says = [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent?.trim())
      const name = `${element.localName}.${element.getAttribute('class') ?? ''}`
      if (of(backgroundColor) < 0.5) found.push(`${name} has a ground of ${backgroundColor}`)
      if (says && 1.05 / (of(color) + 0.05) < 4.5) found.push(`${name} has words of ${color}`)
    }
    return [...new Set(found)].slice(0, 10)
  })
  await page.emulateMedia({ media: 'screen' })
  return wrong
}

/** What others wrote that did not stay words: an element, an attribute or an address that does something. */
export const live = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const found: string[] = []
    for (const element of document.querySelectorAll('*')) {
      const isData = element.localName === 'script' && element.getAttribute('type') === 'application/ld+json'
      // A file of this site, which the policy of its page lets run.
      const isOwn = element instanceof HTMLScriptElement && element.getAttribute('src')?.startsWith('/assets/')
      if (/^(script|iframe|object|embed|base|style|foreignobject)$/i.test(element.localName) && !isData && !isOwn) {
        found.push(element.outerHTML.slice(0, 200))
      }
      for (const { name, value } of element.attributes) {
        if (/^on/i.test(name) || name === 'style') found.push(`${element.localName} has ${name}`)
        const leads = /^(href|src|action|formaction|poster|data|srcset|xlink:href)$/i.test(name)
        if (leads && /^\s*(javascript|data|vbscript|file):/i.test(value)) found.push(`${element.localName}: ${value}`)
      }
      const isConsole = element instanceof HTMLAnchorElement && element.host === `localhost:${location.port}`
      if (element instanceof HTMLAnchorElement && element.origin !== location.origin && !isConsole) {
        if (element.rel !== 'ugc nofollow noopener' || element.username !== '')
          found.push(element.outerHTML.slice(0, 200))
      }
    }
    return found
  })
