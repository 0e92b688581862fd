// Every page of a server on which nobody did anything yet, what is not there, and what looks the same everywhere, in a real browser.
// docs/adding-an-endpoint.md#looking-at-a-page.

import assert from 'node:assert/strict'
import { addressesOf, problems, readable } from '../../../test/addresses.ts'
import { launchBrowser, test } from '../../../test/browser.ts'
import { look } from '../../../test/looking.ts'
import { emptyNetwork } from '../../../test/network.ts'
import { beforehand } from '../../../test/story.ts'
import { pages } from '../../app/modules.ts'

const browser = beforehand(launchBrowser)
const empty = beforehand(emptyNetwork)

for (const page of readable(pages)) {
  test(`${page.path}: ${page.summary}`, async () => {
    const addresses = addressesOf(page, empty)
    assert.ok(addresses, `${page.path} has no row in server/test/addresses.ts`)
    await look(browser, empty.w.url, addresses)
  })
}

test('what is not there, and what is refused', () => look(browser, empty.w.url, problems))
