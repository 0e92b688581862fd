// npm run shots -- FOLDER [PATH…]: pictures of the pages of the site, empty and lived on, and of those of customers and operators, at
// four widths and in both themes; of those alone whose addresses begin with a PATH, where one is given. With the URL of a server that
// runs here before the PATHs, of its pages at exactly these, in each language. docs/adding-an-endpoint.md#looking-at-a-page.
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { pages } from '../src/app/modules.ts'
import { shippedLanguages } from '../src/site/words.ts'
import { addressesOf, ownPages, problems, readable } from '../test/addresses.ts'
import { launchBrowser, openWindow, unsteady } from '../test/browser.ts'
import { signIn } from '../test/looking.ts'
import { emptyNetwork, livingNetwork, type Network } from '../test/network.ts'
import { pageExamples } from '../test/page-examples.ts'
import { world } from '../test/world.ts'

const [folder, ...given] = process.argv.slice(2)
if (folder === undefined) {
  console.error('npm run shots -- FOLDER [URL] [PATH…]')
  process.exit(1)
}
const running = /^http:/.test(given[0] ?? '') ? given.shift() : undefined
const wanted = given

const widths = [390, 768, 1280, 1920]
const themes = ['light', 'dark'] as const
/** A picture of more is of no use. */
const tallest = 12_000

/** An address as the name of a file. */
const nameOf = (path: string): string =>
  path
    .slice(1)
    .replace(/[^\w.-]+/g, '_')
    .slice(0, 80) || 'first'

const isWanted = (path: string): boolean =>
  wanted.length === 0 || wanted.some((start) => (start === '/' ? path === '/' : path.startsWith(start)))

async function shootNetwork(name: string, network: Network): Promise<void> {
  const all = readable(pages).flatMap((page) => addressesOf(page, network) ?? [])
  await shoot(
    name,
    network.w.url,
    [...all, ...problems].map(({ path }) => path),
  )
}

/** The pages of customers and operators, with hostile things on them. */
async function shootOwn(): Promise<void> {
  const w = await world({ env: { OWNER_EMAIL_GATE: 'on' } })
  try {
    const examples = pageExamples(w)
    for (const whose of ['customers', 'operators'] as const) {
      for (const page of ownPages(pages, whose).filter(({ path }) => isWanted(path))) {
        const example = examples[page.path]
        await shoot(whose, w.url, (await example?.there()) ?? [], { cookie: await example?.cookie?.() })
      }
    }
  } finally {
    await w.close()
  }
}

async function shoot(
  name: string,
  url: string,
  paths: readonly string[],
  { cookie, language = 'en-GB' }: { cookie?: string | undefined; language?: string } = {},
): Promise<void> {
  const into = join(folder as string, name)
  await mkdir(into, { recursive: true })
  const window = await openWindow(browser, { url, language })
  if (cookie !== undefined) await signIn(window, url, cookie)
  const { page, close } = window
  for (const path of paths.filter(isWanted)) {
    await page.goto(url + path)
    await unsteady(page)
    for (const width of widths) {
      await page.setViewportSize({ width, height: 900 })
      const height = await page.evaluate(() => document.documentElement.scrollHeight)
      for (const theme of themes) {
        await page.emulateMedia({ colorScheme: theme })
        const clip = { x: 0, y: 0, width, height: Math.min(height, tallest) }
        await page.screenshot({ path: join(into, `${nameOf(path)}.${width}.${theme}.png`), fullPage: true, clip })
      }
    }
    console.log(join(into, nameOf(path)))
  }
  await close()
}

async function shootAll(): Promise<void> {
  for (const [name, made] of [['empty', emptyNetwork] as const, ['living', livingNetwork] as const]) {
    const network = await made()
    try {
      await shootNetwork(name, network)
    } finally {
      await network[Symbol.asyncDispose]()
    }
  }
  await shootOwn()
}

const browser = await launchBrowser()
try {
  if (running === undefined) await shootAll()
  else for (const language of Object.keys(shippedLanguages)) await shoot(language, running, wanted, { language })
} finally {
  await browser.close()
}
