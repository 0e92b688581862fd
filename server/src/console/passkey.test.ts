// A passkey in a real browser, by an authenticator that the browser pretends to have.
import assert from 'node:assert/strict'
import type { CDPSession } from 'playwright-core'
import { launchBrowser, openWindow, test, type Window } from '../../test/browser.ts'
import { linkFor } from '../../test/console.ts'
import { barriers, misfits } from '../../test/look.ts'
import { beforehand, story } from '../../test/story.ts'
import { consoleOrigin } from '../http/origins.ts'

const { w } = story()
const browser = beforehand(launchBrowser)

const olga = 'olga@operators.example'

/** A device that knows its person, or one that is plugged in. */
async function plug(cdp: CDPSession, transport: 'internal' | 'usb'): Promise<string> {
  const options = {
    protocol: 'ctap2' as const,
    transport,
    hasResidentKey: true,
    hasUserVerification: true,
    isUserVerified: true,
    automaticPresenceSimulation: true,
  }
  return (await cdp.send('WebAuthn.addVirtualAuthenticator', { options })).authenticatorId
}

async function assertSound(window: Window): Promise<void> {
  const { page, complaints } = window
  for (const width of [320, 768, 1280]) {
    await page.setViewportSize({ width, height: 900 })
    assert.deepEqual(await misfits(page), [])
  }
  assert.deepEqual([...(await barriers(window, 'everything')), ...complaints()], [])
}

/** As a browser has them in which the person blocks the data of sites. */
const blockStorage = (): void => {
  for (const name of ['sessionStorage', 'localStorage', 'indexedDB']) {
    Object.defineProperty(window, name, {
      get: () => {
        throw new DOMException('Access is denied', 'SecurityError')
      },
    })
  }
}

test("an operator goes from the shell's link to a second passkey, and signs out, in a browser without storage", async () => {
  const origin = consoleOrigin(w.service.publicUrl)
  // A refused answer is a page with its status; the browser notes that.
  const window = await openWindow(browser, { url: origin, expected: [/status of 403/] })
  const { page, context } = window
  await context.addInitScript(blockStorage)
  const cdp = await context.newCDPSession(page)
  await cdp.send('WebAuthn.enable')
  const laptop = await plug(cdp, 'internal')
  const heading = (): Promise<string> => page.locator('h1').innerText()
  const press = async (name: string): Promise<void> => {
    await Promise.all([page.waitForEvent('load'), page.getByRole('button', { name, exact: true }).first().click()])
  }

  await page.goto(await linkFor(w, olga))
  await assertSound(window)
  await press('Sign in')
  assert.equal(new URL(page.url()).pathname, '/operator/passkeys')
  await assertSound(window)
  await page.getByLabel('Name').fill('Laptop')
  await press('Add a passkey')
  assert.match(await page.getByRole('status').innerText(), /^Passkey added/)
  assert.match(await page.locator('main').innerText(), /You have one passkey\. Add a second one/)
  await assertSound(window)
  const [cookie] = await context.cookies()
  assert.deepEqual(
    [cookie?.name, cookie?.httpOnly, cookie?.sameSite, cookie?.secure],
    ['kith_operator', true, 'Strict', false],
  )

  await press('Sign out')
  assert.equal(await heading(), 'Sign in to the console')
  assert.deepEqual(await context.cookies(), [])
  await assertSound(window)
  await press('Sign in with a passkey')
  assert.equal(new URL(page.url()).pathname, '/operator')

  // The same device again: it says so itself, and nothing is sent.
  await page.goto(`${origin}/operator/passkeys`)
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  await page.getByText('already has your passkey for this console').waitFor()
  const { credentials } = await cdp.send('WebAuthn.getCredentials', { authenticatorId: laptop })
  await cdp.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId: laptop })
  const key = await plug(cdp, 'usb')
  const name = page.getByRole('textbox', { name: 'Name' }).last()
  await name.fill('Yellow key')
  // The challenge of a page that was open for long has expired: the page is loaded again, says so, and keeps what was typed.
  await page.evaluate(() => {
    performance.now = () => 300_000
  })
  await press('Add a passkey')
  await page.getByText('This page was open for too long').waitFor()
  assert.equal(await name.inputValue(), 'Yellow key')
  await press('Add a passkey')
  assert.deepEqual(await page.locator('.row h2').allInnerTexts(), ['Laptop', 'Yellow key'])
  await assertSound(window)

  await page.getByText('Change').first().click()
  await press('Remove Laptop')
  assert.deepEqual(await page.locator('.row h2').allInnerTexts(), ['Yellow key'])
  await page.goto(`${origin}/operator/sessions`)
  await assertSound(window)
  await press('End all sessions')

  // The passkey that was removed is still on its device.
  await cdp.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId: key })
  const found = await plug(cdp, 'internal')
  const [credential] = credentials
  assert.ok(credential)
  await cdp.send('WebAuthn.addCredential', { authenticatorId: found, credential })
  await press('Sign in with a passkey')
  assert.match(await page.getByRole('alert').first().innerText(), /^Passkey not accepted/)
  assert.deepEqual(await context.cookies(), [])
  assert.deepEqual(window.complaints(), [])
  await window.close()
})

test('a person who cancels at the device is told so and can retry', async () => {
  const window = await openWindow(browser, { url: consoleOrigin(w.service.publicUrl) })
  const { page, context } = window
  const cdp = await context.newCDPSession(page)
  await cdp.send('WebAuthn.enable')
  const authenticatorId = await plug(cdp, 'internal')
  await cdp.send('WebAuthn.setUserVerified', { authenticatorId, isUserVerified: false })
  await page.goto(`${consoleOrigin(w.service.publicUrl)}/operator/sign-in`)
  const button = page.getByRole('button', { name: 'Sign in with a passkey' })
  await button.click()
  await page.getByText('The passkey was not used').waitFor()
  assert.equal(await button.isEnabled(), true)
  assert.ok(await button.evaluate((element) => element === document.activeElement), 'the focus is where it was')
  await window.close()
})

test('without JavaScript the page says that a passkey needs it', async () => {
  const origin = consoleOrigin(w.service.publicUrl)
  const window = await openWindow(browser, { url: origin, javaScriptEnabled: false, expected: [/status of 403/] })
  await window.page.goto(`${origin}/operator/sign-in`)
  assert.match(await window.page.locator('main').innerText(), /A passkey needs JavaScript/)
  await window.close()
})
