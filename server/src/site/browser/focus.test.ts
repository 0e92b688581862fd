// What a form is answered with is in sight and has the focus, on a telephone and without a script.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { launchBrowser, openWindow } from '../../../test/browser.ts'
import { filed } from '../../../test/feedback.ts'
import { misfits } from '../../../test/look.ts'
import { signIn } from '../../../test/looking.ts'
import { operatorSession } from '../../../test/operators.ts'
import { trade } from '../../../test/orders.ts'
import { beforehand, story } from '../../../test/story.ts'
import { befriend } from '../../../test/world.ts'

const { w } = story()
const browser = beforehand(launchBrowser)
beforehand(() => w.agent('ada', { profile_public: true }))

async function openAs(cookie: string, width: number): Promise<Page> {
  const expected = [/status of 40\d/]
  const window = await openWindow(browser, { url: w.url, width, javaScriptEnabled: false, expected })
  await signIn(window, w.url, cookie)
  return window.page
}

/** Waits until an element has the focus, and asserts that its beginning is in sight. */
async function assertInFocus(page: Page, selector: string): Promise<void> {
  const element = page.locator(`${selector}:focus`)
  await element.waitFor()
  const box = await element.boundingBox()
  const { height } = page.viewportSize() as { height: number }
  assert.ok(box && box.y >= 0 && box.y < height, `${selector} begins at ${box?.y} of ${height}`)
}

const send = async (page: Page, name: RegExp): Promise<void> => {
  await Promise.all([page.waitForEvent('load'), page.getByRole('button', { name }).first().click()])
}

test('the price, or an error in an offer, comes into view for the customer', async () => {
  const page = await openAs((await w.human('Hilda')).headers.cookie, 390)
  await page.goto(`${w.url}/orders/new?contractor=ada`)
  await page.locator('#title').fill('A chart')
  await page.locator('#description').fill('Of the harbour')
  await page.locator('#amount').fill('a lot')
  await send(page, /^Check price$/)
  await assertInFocus(page, '#amount')
  await page.locator('#amount').fill('12')
  await send(page, /^Check price$/)
  await assertInFocus(page, '#price')
  await send(page, /^Add file$/)
  await assertInFocus(page, '#file')
  await page.context().close()
})

test('what was typed when the session ended is sent after signing in again, by whoever says that it is theirs', async () => {
  const page = await openAs((await w.human('Ines')).headers.cookie, 390)
  const said = 'A chart\n\nof the "harbour" & all its <lights>'
  await page.goto(`${w.url}/orders/new?contractor=ada`)
  await page.locator('#title').fill('Chart')
  await page.locator('#description').fill(said)
  await page.locator('#amount').fill('12')
  await page.context().clearCookies()
  await send(page, /^Check price$/)
  assert.equal(await page.locator('h1').innerText(), 'Your session has ended')
  const way = page.getByRole('link', { name: 'Open sign-in page' })
  assert.equal(await way.getAttribute('href'), '/sign-in?to=%2Forders%2Fnew%3Fcontractor%3Dada')
  await page.locator('h1:focus').waitFor()
  for (const who of ['Otto', 'Ines']) {
    const { id, headers } = await w.human(who)
    const [name = '', value = ''] = headers.cookie.split('=')
    await page.context().addCookies([{ name, value, url: w.url }])
    await send(page, who === 'Otto' ? /^Continue$/ : /^Send from this account$/)
    assert.equal(await page.locator('h1').innerText(), 'Send this from your account?')
    const [{ email } = { email: '' }] = await w.sql<{ email: string }>`select email from humans where id = ${id}`
    assert.equal(await page.locator('.own-email').innerText(), email, 'whoever would send it')
  }
  await send(page, /^Send from this account$/)
  assert.deepEqual(
    [await page.locator('#title').inputValue(), await page.locator('#description').inputValue()],
    ['Chart', said],
  )
  await page.context().close()
})

test('the focus ring of a card surrounds all of it, and its clipped heading shows none of its own', async () => {
  const window = await openWindow(browser, { url: w.url })
  const { page } = window
  await page.goto(`${w.url}/agents`)
  await page.keyboard.press('Tab')
  const link = page.locator('.card :is(h2, h3) a').first()
  await link.focus()
  const ring = await link.evaluate((element) => {
    const { outlineStyle, width, height } = getComputedStyle(element, '::after')
    const { clientWidth, clientHeight } = element.closest('.card') as Element
    const distance = [Number.parseFloat(width) - clientWidth, Number.parseFloat(height) - clientHeight]
    return {
      outlineStyle,
      isWhole: distance.every((each) => Math.abs(each) < 1),
      own: getComputedStyle(element).outlineColor,
    }
  })
  assert.deepEqual(ring, { outlineStyle: 'solid', isWhole: true, own: 'rgba(0, 0, 0, 0)' })
  await window.close()
})

test('a console action without a reason moves focus to the reason', async () => {
  const { cookie } = await operatorSession(w, 'olga@operators.example')
  const page = await openAs(cookie, 390)
  await page.goto(`${w.url}/operator/agents/ada`)
  const panel = page.locator('details:has(input[name="action"][value="suspend"])')
  await panel.locator('summary').click()
  await panel.locator('select').selectOption('spam')
  await panel.locator('textarea[name="reason"]').fill('   ')
  await Promise.all([page.waitForEvent('load'), panel.getByRole('button').click()])
  await assertInFocus(page, '#suspend-reason')
  await page.context().close()
})

test('a link leads to the forms of a console page that come last, and none of them is on paper', async () => {
  const ben = await w.agent('ben')
  const { id } = await filed(ben, 'problem', { title: 'It fails', body: 'At once\n'.repeat(60) })
  const page = await openAs((await operatorSession(w, 'olga@operators.example')).cookie, 320)
  for (const [path, link, form] of [
    [`/operator/feedback/${id}`, 'Answer', '#answer'],
    ['/operator/agents/ben', 'Actions', '#actions'],
  ] as const) {
    await page.setViewportSize({ width: 320, height: 700 })
    await page.goto(w.url + path)
    await page.getByRole('link', { name: link, exact: true }).click()
    await page.locator(`${form}:target`).waitFor()
    const box = await page.locator(form).boundingBox()
    assert.ok(box && box.y >= 0 && box.y < 700, `${form} begins at ${box?.y}`)
    await page.setViewportSize({ width: 1280, height: 700 })
    await page.getByRole('link', { name: link, exact: true }).waitFor({ state: 'hidden' })
    await page.emulateMedia({ media: 'print' })
    assert.equal(await page.locator('form:visible, button:visible').count(), 0, path)
    await page.emulateMedia({ media: 'screen' })
  }
  await page.context().close()
})

test('a long reason in the audit log leaves the columns beside it room for their words', async () => {
  const lea = await w.agent('lea')
  await w.operator('agent', 'suspend', lea.handle, '--reason', 'It floods every list. '.repeat(90).trim())
  const page = await openAs((await operatorSession(w, 'olga@operators.example')).cookie, 1280)
  await page.goto(`${w.url}/operator/audit?subject=lea&lang=ru`)
  const widths = await page
    .locator('.data tbody tr')
    .first()
    .locator('td')
    .evaluateAll((cells) => cells.map((cell) => cell.getBoundingClientRect().width))
  const [, , reason = 0, details = 0] = widths
  assert.ok(reason <= 500 && details >= 150, `${widths}`)
  await page.context().close()
})

test("a table of the console does not break the console's own words for the sake of what others wrote", async () => {
  const endless = 'W'.repeat(60)
  const [max, noa] = [await w.agent('max', { display_name: endless }), await w.agent('noa', { display_name: endless })]
  await befriend(max, noa)
  await trade(w, max, noa, 'funded', { amount_minor: 200_000 })
  await w.operator('agent', 'suspend', 'max', '--code', 'fraud', '--reason', endless.repeat(20))
  const page = await openAs((await operatorSession(w, 'olga@operators.example')).cookie, 1280)
  for (const path of ['agents/noa', 'audit', 'moderation?status=all', 'queues']) {
    await page.goto(`${w.url}/operator/${path}${path.includes('?') ? '&' : '?'}lang=ru`)
    assert.deepEqual(await page.locator('.data').evaluateAll(brokenWords), [], path)
    assert.deepEqual(await misfits(page), [], path)
  }
  await page.context().close()
})

/** Runs in the page: the words on more than one line that are not others'. */
function brokenWords(tables: Element[]): string[] {
  const broken: string[] = []
  for (const table of tables) {
    const walker = document.createTreeWalker(table, NodeFilter.SHOW_TEXT)
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      if (node.parentElement?.closest('a, bdi, code, p, .data [dir]')) continue
      for (const { index, 0: word } of (node.textContent ?? '').matchAll(/[\p{L}\d,.]+/gu)) {
        const range = document.createRange()
        range.setStart(node, index)
        range.setEnd(node, index + word.length)
        if (new Set([...range.getClientRects()].map(({ top }) => top)).size > 1) broken.push(word)
      }
    }
  }
  return broken
}

test('with letters twice as large the lists of the console and the footer fit a telephone', async () => {
  const expected = [/status of 40\d/]
  const window = await openWindow(browser, {
    url: w.url,
    width: 320,
    language: 'ru',
    javaScriptEnabled: true,
    expected,
  })
  const { page, session } = window
  await signIn(window, w.url, (await operatorSession(w, 'olga@operators.example')).cookie)
  await session.send('Page.setFontSizes', { fontSizes: { standard: 32 } })
  for (const path of ['audit', 'queues', 'nodes']) {
    await page.goto(`${w.url}/operator/${path}`)
    assert.deepEqual(await misfits(page), [], path)
  }
  await window.close()
})

test('with letters twice as large nothing of the link to the content is seen before it is reached', async () => {
  const window = await openWindow(browser, { url: w.url, width: 320, language: 'ru' })
  const { page, session } = window
  await session.send('Page.setFontSizes', { fontSizes: { standard: 32 } })
  await page.goto(`${w.url}/agents`)
  const skip = page.locator('.skip')
  const lower = async () => {
    const box = await skip.boundingBox()
    return (box?.y ?? 0) + (box?.height ?? 0)
  }
  assert.ok((await lower()) <= -4, `it ends at ${await lower()}`)
  await page.keyboard.press('Tab')
  assert.ok(((await skip.boundingBox())?.y ?? -1) >= 0)
  await window.close()
})
