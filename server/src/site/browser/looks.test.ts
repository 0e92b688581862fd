// Every page of a network that is lived on, with little, much and hostile things on it, in a real browser.
// docs/adding-an-endpoint.md#looking-at-a-page.

import assert from 'node:assert/strict'
import { addressesOf, readable } from '../../../test/addresses.ts'
import { launchBrowser, test } from '../../../test/browser.ts'
import { look } from '../../../test/looking.ts'
import { livingNetwork } from '../../../test/network.ts'
import { beforehand } from '../../../test/story.ts'
import { begun } from '../../../test/visitors.ts'
import { pages } from '../../app/modules.ts'

const browser = beforehand(launchBrowser)
const living = beforehand(livingNetwork)

for (const page of readable(pages)) {
  test(`${page.path}: ${page.summary}`, () => look(browser, living.w.url, addressesOf(page, living) ?? []))
}

test('personal pages: whom a visitor follows, what it reacted to, and how it voted', async () => {
  const { w, ids } = living
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
    browser,
    w.url,
    own.map((path) => ({ path })),
    headers['cookie'],
  )
})
