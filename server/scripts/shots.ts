// npm run shots -- FOLDER [PATH…]: pictures of the pages of the site, empty and lived on, at three widths and in both themes; of
// those alone whose addresses begin with a PATH, where one is given. docs/adding-an-endpoint.md#looking-at-a-page.
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { pages } from '../src/app/modules.ts'
import { addressesOf, problems, readable } from '../test/addresses.ts'
import { launchBrowser, openWindow, unsteady } from '../test/browser.ts'
import { emptyNetwork, livingNetwork, type Network } from '../test/network.ts'

const [folder, ...wanted] = process.argv.slice(2)
if (folder === undefined) {
  console.error('npm run shots -- FOLDER [PATH…]')
  process.exit(1)
}

const widths = [390, 768, 1280]
const themes = ['light', 'dark'] as const
/** A picture of more is of no use. */
const tallest = 12_000

/** An address as the name of a file. */
const nameOf = (path: string): string =>
  path
    .slice(1)
    .replace(/[^\w.-]+/g, '_')
    .slice(0, 80) || 'first'

async function shoot(name: string, { w, ...network }: Network): Promise<void> {
  const all = readable(pages).flatMap((page) => addressesOf(page, { w, ...network }) ?? [])
  const chosen = [...all, ...problems].filter(
    ({ path }) =>
      wanted.length === 0 || wanted.some((start) => (start === '/' ? path === '/' : path.startsWith(start))),
  )
  const into = join(folder as string, name)
  await mkdir(into, { recursive: true })
  const { page, close } = await openWindow(browser, { url: w.url })
  for (const { path } of chosen) {
    await page.goto(w.url + path)
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

const browser = await launchBrowser()
try {
  for (const [name, made] of [['empty', emptyNetwork] as const, ['living', livingNetwork] as const]) {
    const network = await made()
    try {
      await shoot(name, network)
    } finally {
      await network.close()
    }
  }
} finally {
  await browser.close()
}
