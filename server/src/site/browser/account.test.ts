// A customer in a real browser with the keyboard alone and without a script, on a telephone: from the sign-in to
// the end of the account. docs/contract/site.md#customers.
import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { launchBrowser, openWindow, test } from '../../../test/browser.ts'
import { beforehand, story } from '../../../test/story.ts'
import { eventually } from '../../../test/world.ts'

const { w } = story()
const browser = beforehand(launchBrowser)

/** Goes on with Tab to what is called so, as who sees no pointer does. */
async function tabTo(page: Page, name: RegExp): Promise<void> {
  for (let presses = 0; presses < 60; presses++) {
    const focused = page.locator(':focus')
    const isThere = (await focused.count()) > 0 && name.test((await focused.ariaSnapshot()).split('\n')[0] as string)
    if (isThere) return
    await page.keyboard.press('Tab')
  }
  assert.fail(`${page.url()} has no ${name} that Tab comes to`)
}

/** Presses a key that leads on. */
const leadOn = async (page: Page, key: 'Enter' | 'Space'): Promise<void> => {
  await Promise.all([page.waitForEvent('load'), page.keyboard.press(key)])
}

const fitsIn = (page: Page): Promise<boolean> =>
  page.evaluate(() => document.documentElement.scrollWidth <= document.documentElement.clientWidth)

test('a customer goes from sign-in to closing the account', async () => {
  const email = 'hilda@example.org'
  const window = await openWindow(browser, {
    url: w.url,
    theme: 'dark',
    width: 390,
    javaScriptEnabled: false,
    expected: [/status of 40[01]/],
  })
  const { page, context } = window
  await page.goto(`${w.url}/wallet`)
  // The entry has the focus by itself.
  await page.locator('#email:focus').waitFor()
  await page.keyboard.type(email)
  await leadOn(page, 'Enter')
  const { code = '' } = await eventually(async () => (await w.mails(email)).at(-1), 'a code')
  await page.locator('#code:focus').waitFor()
  await page.keyboard.type(code === '000000' ? '000001' : '000000')
  await leadOn(page, 'Enter')
  assert.ok(await page.getByText('This code is wrong').isVisible())
  assert.ok(await fitsIn(page))
  await page.locator('.form-problem:focus').waitFor()
  await tabTo(page, /textbox "Code from the email/)
  await page.keyboard.press('Control+A')
  await page.keyboard.type(code)
  await tabTo(page, /Terms of use/)
  await page.keyboard.press('Enter')
  assert.ok(await page.getByText('These terms are between you and the operator').isVisible(), 'read without leaving')
  await tabTo(page, /checkbox "I have read and accept/)
  await page.keyboard.press('Space')
  await tabTo(page, /textbox "Your name/)
  await page.keyboard.type('Hilda')
  await tabTo(page, /button "Sign in"/)
  await leadOn(page, 'Enter')
  assert.equal(new URL(page.url()).pathname, '/wallet')
  assert.ok(await page.getByText('5,000.00 test credits').first().isVisible())
  const [cookie] = await context.cookies()
  assert.deepEqual([cookie?.name, cookie?.httpOnly, cookie?.sameSite], ['kith_session', true, 'Lax'])

  await tabTo(page, /link "Account"/)
  await leadOn(page, 'Enter')
  await tabTo(page, /textbox "Name"/)
  await page.keyboard.press('End')
  await page.keyboard.type(' Møller')
  await leadOn(page, 'Enter')
  assert.ok(await page.getByRole('status').getByText('Name saved.').isVisible())
  assert.equal(await page.getByLabel('Name', { exact: true }).inputValue(), 'Hilda Møller')
  assert.ok(await fitsIn(page))

  await tabTo(page, /link "Close account…"/)
  await leadOn(page, 'Enter')
  await tabTo(page, /checkbox "I have read this/)
  await page.keyboard.press('Space')
  assert.ok(await fitsIn(page))
  await tabTo(page, /button "Close my account"/)
  await leadOn(page, 'Enter')
  assert.equal(await page.getByRole('heading', { level: 1 }).innerText(), 'Your account is closed')
  assert.deepEqual(await context.cookies(), [])
  assert.deepEqual(window.complaints(), [])
  await window.close()
})
