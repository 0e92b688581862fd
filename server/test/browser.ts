// A real browser for stories about the site: Debian's Chromium, without its windows where that is installed, or the one that
// CHROMIUM_PATH names. Every page that it opens is watched: a word of complaint in its console, a request to another host,
// one that fails, or anything that moves fails the test.
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import type { Browser, BrowserContext, CDPSession, ConsoleMessage, Page, Request } from 'playwright-core'
import { chromium } from 'playwright-core'
import { lacks, needing } from './programs.ts'

const programs = [process.env['CHROMIUM_PATH'], '/usr/bin/chromium-headless-shell', '/usr/bin/chromium']
const program = programs.find((each) => each !== undefined && existsSync(each))

/** For files in which every test opens a browser. */
export const { after, before, test } = needing(lacks('Chromium', program !== undefined))

/** No page takes longer, nor does the browser to start, on a machine whose cores are all busy, in milliseconds. */
const patience = 240_000

export type Theme = 'light' | 'dark'

export interface Looking {
  /** Where the site is: its origin is the one host that may be asked. */
  url: string
  theme?: Theme
  width?: number
  javaScriptEnabled?: boolean
  /** As `Accept-Language` has it. */
  language?: string
  /** What the browser may say or ask for because the story wants it: a page that is not there, a host that is refused. */
  expected?: readonly RegExp[]
}

/** A browser that ends with the tests of its file. */
export async function launchBrowser(): Promise<Browser> {
  assert.ok(program, 'there is no Chromium')
  return chromium.launch({
    executablePath: program,
    timeout: patience,
    args: [
      ...['gpu', 'quic', 'background-networking', 'component-update', 'sync'].map((each) => `--disable-${each}`),
      // Nothing but this machine is ever asked, whatever a page wants.
      '--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1 , EXCLUDE localhost',
      '--autoplay-policy=user-gesture-required',
      // What is evaluated on every page stays compiled.
      '--js-flags=--no-flush-bytecode',
    ],
  })
}

export interface Window {
  page: Page
  context: BrowserContext
  /** For what Playwright has no words for. */
  session: CDPSession
  /** Lays the page out for a window of this size; the browser's own window keeps its size. */
  resize(width: number, height: number): Promise<void>
  /** What was said or asked for that should not be, since it was last asked. */
  complaints(): string[]
  close(): Promise<void>
}

/** A window of a person who was never here: no cookie of another is in it. */
export async function openWindow(browser: Browser, looking: Looking): Promise<Window> {
  const { url, theme = 'light', width = 1280, javaScriptEnabled = true, language = 'en-GB', expected = [] } = looking
  const context = await browser.newContext({
    colorScheme: theme,
    viewport: { width, height: 900 },
    javaScriptEnabled,
    locale: language,
    reducedMotion: 'reduce',
    serviceWorkers: 'block',
  })
  context.setDefaultTimeout(patience)
  const complaints: string[] = []
  const complain = (words: string): void => {
    if (!expected.some((pattern) => pattern.test(words))) complaints.push(words)
  }
  watch(context, new URL(url).origin, complain)
  if (javaScriptEnabled) await context.addInitScript(noteShifts)
  const page = await context.newPage()
  const session = await context.newCDPSession(page)
  return {
    page,
    context,
    session,
    async resize(width, height) {
      // Drawn at a tenth: the layout is the same, and nobody looks at the picture, which took a quarter of the browser's time.
      const metrics = { width, height, deviceScaleFactor: 1, mobile: false, scale: 0.1 }
      await session.send('Emulation.setDeviceMetricsOverride', metrics)
    },
    complaints: () => complaints.splice(0),
    close: () => context.close(),
  }
}

function watch(context: BrowserContext, origin: string, complain: (words: string) => void): void {
  context.on('console', (message) => {
    if (isComplaint(message)) complain(`${message.type()}: ${message.text()} at ${message.location().url}`)
  })
  context.on('weberror', (error) => complain(`error: ${error.error().message}`))
  context.on('dialog', (dialog) => {
    complain(`dialog: ${dialog.message()}`)
    void dialog.dismiss()
  })
  context.on('request', (request) => {
    if (!/^(data|blob|about):/.test(request.url()) && new URL(request.url()).origin !== origin) {
      complain(`request to another host: ${request.url()}`)
    }
  })
  context.on('requestfailed', (request) => {
    if (!isGivenUp(request)) complain(`request failed: ${request.url()}: ${request.failure()?.errorText}`)
  })
  context.on('response', (response) => {
    if (response.status() >= 500) complain(`status ${response.status()}: ${response.url()}`)
    const isPart = response.request().resourceType() !== 'document'
    if (isPart && response.status() >= 400) complain(`status ${response.status()}: ${response.url()}`)
  })
}

/** That a page has a status of its own is what its story asserts; whoever reads it is not told by the console. */
const isComplaint = (message: ConsoleMessage): boolean => {
  if (message.type() !== 'error' && message.type() !== 'warning') return false
  const isOfThePage = message.location().url === message.page()?.url()
  return !(isOfThePage && /^Failed to load resource: the server responded with a status of 4\d\d/.test(message.text()))
}

/** A player has read as much as it wants, or the page was left before all of it was there. */
const isGivenUp = (request: Request): boolean => request.failure()?.errorText === 'net::ERR_ABORTED'

/** Runs in each page before anything of it: notes what moves. */
function noteShifts(): void {
  const seen = window as unknown as { moved: string[] }
  seen.moved = []
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      const { sources } = entry as unknown as { sources: { node: Node | null }[] }
      // What moves within a player is the browser's own.
      const own = sources.flatMap(({ node }) => (node && node.getRootNode() === document ? [node] : []))
      const nameOf = (node: Node): string => `${node.nodeName} of ${node.parentElement?.outerHTML.slice(0, 120)}`
      seen.moved.push(...(sources.length === 0 ? ['something'] : own.map(nameOf)))
    }
  }).observe({ type: 'layout-shift', buffered: true })
}

/** Scrolls to the end of a page until every picture of it is there: what moved meanwhile, and what does not show. */
export const unsteady = (page: Page): Promise<string[]> =>
  page.evaluate(async () => {
    const pictures = [...document.images]
    for (const picture of pictures) {
      picture.loading = 'eager'
      if (!picture.complete) {
        await new Promise((done) => {
          picture.onload = done
          picture.onerror = done
        })
      }
    }
    window.scrollTo(0, document.documentElement.scrollHeight)
    // Two frames: what moves is told after the one in which it moved.
    for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame)
    window.scrollTo(0, 0)
    const { moved } = window as unknown as { moved: string[] }
    const broken = pictures.filter(({ naturalWidth }) => naturalWidth === 0)
    return [...moved.map((each) => `${each} moved`), ...broken.map(({ src }) => `${src} does not show`)]
  })
