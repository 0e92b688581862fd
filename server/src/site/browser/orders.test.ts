// A person without an agent in a real browser and without a script: orders work from an agent, pays for it and reviews it. docs/contract/site.md#orders.
import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { launchBrowser, openWindow, test, type Window } from '../../../test/browser.ts'
import { jpeg } from '../../../test/corpus.ts'
import { barriers, misfits } from '../../../test/look.ts'
import { signIn } from '../../../test/looking.ts'
import { step } from '../../../test/orders.ts'
import { formOf, published } from '../../../test/services.ts'
import { beforehand, story } from '../../../test/story.ts'
import { eventually } from '../../../test/world.ts'

const { w } = story()
const browser = beforehand(launchBrowser)
const bob = beforehand(() => w.agent('bob', { display_name: 'Bob the painter' }))

/** Presses a button by what it says, and waits for the page that comes of it. */
async function press(page: Page, name: string | RegExp): Promise<void> {
  await Promise.all([page.waitForEvent('load'), page.getByRole('button', { name }).last().click()])
}

const says = async (page: Page, text: string | RegExp): Promise<void> =>
  assert.ok((await page.locator('main').getByText(text).count()) > 0, `${page.url()}: no ${text}`)

/** From the page of the agent over the sign-in to an order of its own. */
async function order(window: Window, email: string, file: Buffer): Promise<{ id: string }> {
  const { page } = window
  await page.goto(`${w.url}/agents/bob`)
  await Promise.all([page.waitForEvent('load'), page.getByRole('link', { name: 'Order work' }).click()])
  await page.getByLabel('Your email address').fill(email)
  await press(page, 'Send code')
  const mail = await eventually(async () => {
    const mails = await w.mails(email)
    return mails.find(({ code }) => code !== undefined)
  }, `a code for ${email}`)
  await page.getByLabel(/^Code/).fill(mail.code as string)
  await page.getByRole('checkbox').check()
  await press(page, 'Sign in')
  await page.getByLabel('Title').fill('A portrait')
  await page.getByLabel('What you need').fill('Of a cat')
  await page.getByLabel('Reward, in test credits').fill('100')
  await page.getByLabel('Add a file').setInputFiles({ name: 'cat.jpg', mimeType: 'image/jpeg', buffer: file })
  await press(page, 'Add file')
  await says(page, 'File added')
  // Enter looks at the price, and orders nothing.
  await Promise.all([page.waitForEvent('load'), page.getByLabel('Title').press('Enter')])
  await says(page, '4,890.00 test credits')
  await press(page, 'Order for 110.00 test credits')
  await says(page, 'Waiting for the agent')
  return { id: new URL(page.url()).pathname.split('/').at(-1) as string }
}

/** The order as the agent finds it. */
const asAgent = async ({ id }: { id: string }) => (await bob.get(`/human-orders/${id}`)).body.order

test('a customer orders with a file, pays, and reviews', async () => {
  const window = await openWindow(browser, { url: w.url, javaScriptEnabled: false, width: 390 })
  const { page } = window
  const mine = await order(window, 'hilda@people.example', await jpeg())
  const accepted = await step(bob, await asAgent(mine), 'accept')
  assert.equal(accepted.input_attachments.length, 1)
  await step(bob, accepted, 'deliver', { result_text: 'A grey cat' })
  await page.goto(`${w.url}/orders`)
  await says(page, 'Needs your decision')
  await Promise.all([page.waitForEvent('load'), page.getByRole('link', { name: 'A portrait' }).click()])
  await says(page, 'A grey cat')
  await press(page, 'Accept and pay 110.00 test credits')
  await says(page, 'Completed')
  await page.emulateMedia({ media: 'print' })
  assert.equal(await page.locator('form:visible').count(), 0, 'paper asks nothing')
  await says(page, 'A grey cat')
  await page.emulateMedia({ media: 'screen' })
  for (const label of ['Overall', 'Quality', 'On time', 'Communication']) {
    await page.getByLabel(label).selectOption('5')
  }
  await page.getByLabel('Would you recommend this agent?').selectOption('true')
  await page.getByRole('checkbox').check()
  await press(page, 'Send review')
  await says(page, 'Recommended')
  assert.deepEqual(window.complaints(), [])
  await window.close()
})

test('a service is ordered with the keyboard alone, in four presses, and each answer to its form can be read', async () => {
  const service = await published(bob, {
    title: 'A limerick',
    input_schema: formOf(
      { type: 'short_text', required: true, label: 'About whom' },
      { type: 'multi_choice', options: ['merry', 'sad'], required: true, label: 'Which mood' },
      { type: 'choice', options: ['one', 'two'], label: 'How many verses' },
    ),
  })
  const window = await openWindow(browser, { url: w.url, width: 390, expected: [/status of 400/] })
  const { page } = window
  await signIn(window, w.url, (await w.human('Ines')).headers.cookie)
  let presses = 0
  const enter = async (): Promise<void> => {
    presses++
    await Promise.all([page.waitForEvent('load'), page.keyboard.press('Enter')])
  }
  /** The focus goes from where the page put it, stop by stop. */
  const tabTo = async (selector: string): Promise<void> => {
    const isThere = () => page.evaluate((wanted) => document.activeElement?.matches(wanted), selector)
    for (let stops = 0; !(await isThere()); stops++) {
      assert.ok(stops < 100, `no ${selector}`)
      await page.keyboard.press('Tab')
    }
  }
  const look = async (): Promise<void> =>
    assert.deepEqual([...(await barriers(window, 'structure')), ...(await misfits(page))], [])

  await page.goto(w.url)
  await tabTo('nav a[href="/services"]')
  await enter()
  await tabTo(`a[href="/services/${service.id}"]`)
  await enter()
  await look()
  await tabTo('#answer_0')
  await page.keyboard.type(' ')
  await enter()
  // The first to mend; a browser gives the focus by itself only after the load.
  await page.locator('#answer_0:focus').waitFor()
  assert.equal(await page.locator('[aria-invalid="true"]').count(), 2)
  await look()
  presses--

  await page.keyboard.type('Ann')
  await tabTo('#answer_1-1')
  await page.keyboard.press('Space')
  await tabTo('#answer_2')
  await page.keyboard.press('ArrowDown')
  await tabTo('#quantity')
  await enter()
  await page.locator('#price:focus').waitFor()
  await look()
  await tabTo('#price button')
  await enter()
  assert.equal(presses, 4)
  await says(page, 'Waiting for the agent')
  await says(page, 'sad')
  const [order] = (await bob.get('/human-orders')).body.orders
  assert.deepEqual(order.service_snapshot.parameters, { field_0: 'Ann', field_1: ['sad'], field_2: 'one' })
  assert.deepEqual(window.complaints(), [])
  await window.close()
})
