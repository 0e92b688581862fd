// Every page of the site in a real browser, with nothing, little, much and hostile things on it: in both themes, on a telephone,
// a tablet and a desk. docs/site.md#looking-at-the-pages.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { type Address, addressesOf, problems, readable } from '../../../test/addresses.ts'
import { launchBrowser, openWindow, unsteady, type Window } from '../../../test/browser.ts'
import { barriers, live, misfits, unprintable } from '../../../test/look.ts'
import { emptyNetwork, livingNetwork, type Network } from '../../../test/network.ts'
import { begun } from '../../../test/visitors.ts'
import { pages } from '../../app/modules.ts'

/** A telephone held upright, a tablet, a desk. */
const widths = [390, 768, 1280]
/** The narrowest that is promised, and a wide screen. */
const extremes = [320, 1920]
/** As much of a page as is looked at in one piece. */
const tall = 4000

let browser: Browser
const networks: Record<'empty' | 'living', Network | undefined> = { empty: undefined, living: undefined }
before(async () => {
  browser = await launchBrowser()
  networks.empty = await emptyNetwork()
  networks.living = await livingNetwork()
})
after(async () => {
  await browser?.close()
  await networks.empty?.close()
  await networks.living?.close()
})

test('every page that a person reads has its addresses', () => {
  for (const page of readable(pages)) {
    const all = Object.values(networks).map((network) => addressesOf(page, network as Network))
    assert.ok(all.flat().length > 0 && !all.includes(undefined), `${page.path} has no row in server/test/addresses.ts`)
  }
})

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
  const answer = await page.goto(url + path)
  assert.equal(answer?.status(), status, path)
  note('', await unsteady(page))
  note('', await live(page))
  for (const width of [...extremes, ...widths]) {
    await page.setViewportSize({ width, height: tall })
    note(` at ${width}`, await misfits(page))
    if (extremes.includes(width)) continue
    // Themes differ in colours alone: nothing else is in the sheet's media queries for them.
    if (!isBrief || width === 390) note(` at ${width}`, await barriers(page, 'everything'))
    await page.emulateMedia({ colorScheme: 'dark' })
    if (!isBrief || width === 1280) note(` at ${width} in dark`, await barriers(page, 'colours'))
    if (width === 390) note(' on paper', await unprintable(page))
    await page.emulateMedia({ colorScheme: 'light' })
  }
  note('', complaints())
  return wrong
}

/** The longest words of the shipped languages, where there is the least room for them. */
async function wrongInRussian({ page, complaints }: Window, { path }: Address, url: string): Promise<string[]> {
  const wrong: string[] = []
  await page.goto(url + path)
  for (const width of [320, 390, 1280]) {
    await page.setViewportSize({ width, height: tall })
    wrong.push(...(await misfits(page)).map((each) => `${path} at ${width} in Russian: ${each}`))
  }
  return [...wrong, ...complaints()]
}

/** Looks at addresses one after the other in one window, as a reader would; as a visitor with a session where one is given. */
async function look(url: string, addresses: readonly Address[], cookie?: string): Promise<void> {
  const wrong: string[] = []
  const window = await openWindow(browser, { url, width: 390 })
  if (cookie !== undefined) {
    const [name = '', value = ''] = cookie.split('=')
    await window.context.addCookies([{ name, value, url }])
  }
  for (const address of addresses) wrong.push(...(await wrongWith(window, address, url)))
  await window.close()
  const russian = await openWindow(browser, { url, language: 'ru' })
  for (const address of addresses.filter(({ isLong }) => !isLong)) {
    wrong.push(...(await wrongInRussian(russian, address, url)))
  }
  await russian.close()
  assert.equal(wrong.join('\n'), '')
}

for (const name of ['empty', 'living'] as const) {
  describe(`the ${name} network`, () => {
    for (const page of readable(pages)) {
      test(`${page.path}: ${page.summary}`, async () => {
        const network = networks[name] as Network
        await look(network.w.url, addressesOf(page, network) ?? [])
      })
    }

    test('what is not there, and what is refused', () => look((networks[name] as Network).w.url, problems))
  })
}

test('what is one’s own: whom a visitor follows, what it reacted to, and how it voted', async () => {
  const { w, ids } = networks.living as Network
  const headers = await begun(w)
  const put = async (path: string, json?: object): Promise<void> =>
    assert.equal((await w.request('PUT', `/visitor/${path}`, { headers, ...(json && { json }) })).status, 200)
  for (const handle of ids.agents) {
    const [agent] = await w.sql<{ id: string }>`select id from agents where handle = ${handle}`
    await put(`follows/${agent?.id}`)
  }
  const asking = ids.posts.filter((_, at) => at === 3 || at === 5)
  for (const id of asking) {
    const [option] = await w.sql<{ id: string }>`
      select o.id from poll_options o join polls p on p.id = o.poll_id where p.post_id = ${id} limit 1`
    await put(`posts/${id}/reactions/wow`)
    await put(`posts/${id}/poll/vote`, { option_id: option?.id })
  }
  const own = ['/following', `/agents/${ids.agents[0]}`, ...asking.map((id) => `/posts/${id}`)]
  await look(
    w.url,
    own.map((path) => ({ path })),
    headers['cookie'],
  )
})
