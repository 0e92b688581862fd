// What a browser shows of pages that are somebody's own: looked at as every page is, with little and with hostile things on them.
import assert from 'node:assert/strict'
import { describe } from 'node:test'
import type { Browser } from 'playwright-core'
import { pages } from '../src/app/modules.ts'
import { ownPages, showsMore } from './addresses.ts'
import { after, before, launchBrowser, test } from './browser.ts'
import { openReader, type Reader } from './looking.ts'
import { faultsOf } from './markup.ts'
import { type Example, pageExamples } from './page-examples.ts'
import { asBrowser, visit } from './pages.ts'
import { type World, world } from './world.ts'

/** Looks at all of them; `newcomer` gives the cookie of somebody with no data yet. */
export function lookAtOwnPages(whose: 'customers' | 'operators', newcomer: (w: World) => Promise<string>): void {
  let browser: Browser
  let reader: Reader
  let w: World
  let examples: Readonly<Record<string, Example>>
  before(async () => {
    browser = await launchBrowser()
    w = await world({ env: { OWNER_EMAIL_GATE: 'on' } })
    reader = await openReader(browser, w.url)
    examples = pageExamples(w)
  })
  after(async () => {
    await browser?.close()
    await w?.close()
  })

  // What there is nothing of yet comes first, in a world in which nobody has done anything.
  // What ends in a file is a picture, not a page.
  const own = ownPages(pages, whose).filter(({ path }) => !path.endsWith('{file_id}'))
  const lists = own.filter(({ path }) => !path.includes('{'))
  test('pages without content fit every width and theme', async () => {
    const cookie = await newcomer(w)
    const open = await Promise.all(
      lists.map(async ({ path }) => (await visit(w.url, path, { headers: { ...asBrowser, cookie } })).status === 200),
    )
    // Each is looked at wholly with something on it.
    const addresses = lists.filter((_, at) => open[at]).map(({ path }) => ({ path, isStretch: true }))
    await reader.look(addresses, cookie)
  })

  for (const page of own) {
    describe(`${page.path}: ${page.summary}`, () => {
      let paths: readonly string[] = []
      let cookie: string | undefined
      before(async () => {
        const example = examples[page.path]
        assert.ok(example, `${page.path} has no row in server/test/page-examples.ts`)
        paths = await example.there()
        cookie = showsMore(page) ? await newcomer(w) : await example.cookie?.()
      })
      test('fits every width and theme, is accessible, and works with the keyboard alone', () =>
        reader.look(
          // A list that is filtered is the same page with less on it.
          paths.map((path, at) => ({ path, isStretch: at > 0 && (path.includes('?') || at > 2), isTabbed: at === 0 })),
          cookie,
        ))
      test('is valid HTML', async () => {
        for (const path of paths) {
          // Other words are in the same markup.
          for (const language of path === paths[0] ? ['en', 'ru'] : ['en']) {
            const headers = { ...asBrowser, 'accept-language': language, ...(cookie && { cookie }) }
            assert.deepEqual(await faultsOf((await visit(w.url, path, { headers })).text), [], path)
          }
        }
      })
    })
  }
}
