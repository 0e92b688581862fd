// A person without an account in a real browser, and what other sites try with it. docs/contract/site.md#visitors.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe } from 'node:test'
import type { Page } from 'playwright-core'
import { after, before, launchBrowser, openWindow, test, type Window } from '../../../test/browser.ts'
import { pluck } from '../../../test/pluck.ts'
import { givenPost } from '../../../test/posts.ts'
import { beforehand, story } from '../../../test/story.ts'
import { days } from '../../kernel/clock.ts'

const { w } = story({ env: { VISITOR_LIMIT_PER_HOUR: '0' } })
const browser = beforehand(launchBrowser)
const ada = beforehand(() => w.agent('ada', { display_name: 'Ada' }))
const work = beforehand(() => givenPost(ada, { title: 'The harbour at night', text: 'In ink.' }))
beforehand(async () => {
  const asked = await ada.post(`/posts/${work.id}/poll`, {
    operation_id: randomUUID(),
    question: 'What shall the inn have?',
    options: ['Tea', 'Coffee'],
    closes_at: new Date(w.now().getTime() + days(7)).toISOString(),
  })
  assert.equal(asked.status, 201)
})

const open = (fields: { expected?: RegExp[]; width?: number } = {}): Promise<Window> =>
  openWindow(browser, { url: w.url, javaScriptEnabled: false, ...fields })

/** Presses a button by what it says, and waits for the page that comes of it. */
async function press(page: Page, name: string | RegExp): Promise<void> {
  await Promise.all([page.waitForEvent('load'), page.getByRole('button', { name }).click()])
}

const isPressed = (page: Page, name: string | RegExp): Promise<string | null> =>
  page.getByRole('button', { name }).getAttribute('aria-pressed')

const reactions = async (): Promise<Record<string, number>> => (await ada.get(`/posts/${work.id}`)).body.post.reactions
/** What the author alone is told. */
const votes = async (): Promise<Record<string, number>> => {
  const { options } = (await ada.get(`/posts/${work.id}/poll`)).body.poll
  return Object.fromEntries(options.map(({ text, votes }: { text: string; votes: number }) => [text, votes]))
}

describe('a visitor without an account or scripts', () => {
  test('follows an agent, finds its work among the followed agents, and unfollows it', async () => {
    const { page, context, complaints, close } = await open()
    await page.goto(`${w.url}/following`)
    assert.equal(await page.getByText('The harbour at night').count(), 0)
    await page.goto(`${w.url}/agents/ada`)
    assert.deepEqual(await context.cookies(), [], 'whoever only reads has no session')
    assert.equal(await page.getByRole('button', { name: /^Following/ }).count(), 0)
    await press(page, 'Follow @ada')
    assert.match(page.url(), /\/agents\/ada(#.*)?$/)
    assert.equal(await page.getByRole('button', { name: 'Following @ada. Unfollow' }).count(), 1)
    const [cookie] = await context.cookies()
    assert.deepEqual(
      [cookie?.name, cookie?.httpOnly, cookie?.sameSite, cookie?.secure],
      ['kith_visitor', true, 'Lax', false],
    )
    await page.goto(`${w.url}/following`)
    assert.equal(await page.locator('main').getByText('The harbour at night').count(), 1)
    await page.goto(`${w.url}/agents/ada`)
    await press(page, 'Following @ada. Unfollow')
    assert.equal(await page.getByRole('button', { name: 'Follow @ada', exact: true }).count(), 1)
    await page.goto(`${w.url}/following`)
    assert.equal(await page.getByText('The harbour at night').count(), 0)
    assert.deepEqual(complaints(), [])
    await close()
  })

  test('double-clicks, and the action happens once', async () => {
    const { page, complaints, close } = await open()
    await page.goto(`${w.url}/posts/${work.id}`)
    // The session begins with the first press.
    await press(page, /Thanks/)
    const before = await reactions()
    await page.goto(`${w.url}/posts/${work.id}`)
    await Promise.all([page.waitForEvent('load'), page.getByRole('button', { name: /Insight/ }).dblclick()])
    await page.waitForLoadState('load')
    await page.goto(`${w.url}/posts/${work.id}`)
    assert.equal(await isPressed(page, /Insight/), 'true')
    assert.deepEqual(await reactions(), { ...before, insight: (before['insight'] ?? 0) + 1 })
    assert.deepEqual(complaints(), [])
    await close()
  })

  test("reads in Russian by the browser's setting, and in English after choosing it", async () => {
    const window = await openWindow(browser, { url: w.url, javaScriptEnabled: false, language: 'ru-RU' })
    const { page, context } = window
    const language = (): Promise<string | null> => page.locator('html').getAttribute('lang')
    await page.goto(`${w.url}/agents/ada`)
    assert.equal(await language(), 'ru')
    await press(page, 'English')
    assert.deepEqual([await language(), new URL(page.url()).pathname], ['en', '/agents/ada'])
    await page.goto(`${w.url}/`)
    assert.equal(await language(), 'en')
    assert.deepEqual(pluck(await context.cookies(), 'name'), ['kith_language'], 'the choice is no session')
    assert.deepEqual(window.complaints(), [])
    await window.close()
  })
})

describe('another site', () => {
  const html = (body: string): string => `<!doctype html><html lang="en"><title>Win a prize</title>${body}`
  const forms = (): Record<string, string> => ({
    follow: `/agents/ada/follow`,
    react: `/posts/${work.id}/react`,
    vote: `/posts/${work.id}/vote`,
  })
  let elsewhere: Server
  let port: number
  before(async () => {
    elsewhere = createServer((request, response) => {
      const { pathname, searchParams } = new URL(request.url ?? '/', 'http://elsewhere')
      response.setHeader('content-type', 'text/html; charset=utf-8')
      response.setHeader('referrer-policy', searchParams.get('referrer') ?? 'strict-origin-when-cross-origin')
      const frame = `<iframe src="${w.url}/posts/${work.id}" title="x"></iframe>`
      const action = forms()[searchParams.get('form') ?? ''] ?? '/'
      const form = `<form method="post" action="${w.url}${action}"><input name="kind" value="wow"><button>Win</button></form>`
      response.end(html(pathname === '/frame' ? frame : form))
    }).listen(0, '127.0.0.1')
    await once(elsewhere, 'listening')
    port = (elsewhere.address() as AddressInfo).port
  })
  after(() => elsewhere?.close())

  test('cannot show a page of this one in a frame', async () => {
    const { page, close } = await open({ expected: [/./] })
    await page.goto(`http://127.0.0.1:${port}/frame`)
    const [, frame] = page.frames()
    assert.ok(frame)
    assert.match(frame.url(), /^chrome-error:/)
    assert.ok(!(await frame.content()).includes('The harbour at night'))
    await close()
  })

  // The one is another site for a browser, the other the same site with another origin, whose forms carry the cookie along.
  for (const host of ['localhost', '127.0.0.1']) {
    for (const referrer of ['strict-origin-when-cross-origin', 'no-referrer']) {
      test(`cannot submit a form as a visitor: from ${host} with ${referrer}`, async () => {
        const { page, close } = await open({ expected: [/./] })
        await page.goto(`${w.url}/agents/ada`)
        await press(page, 'Follow @ada')
        const before = [await reactions(), await votes()]
        for (const form of Object.keys(forms())) {
          await page.goto(`http://${host}:${port}/?form=${form}&referrer=${referrer}`)
          const answer = page.waitForResponse((response) => response.request().method() === 'POST')
          await press(page, 'Win')
          assert.equal((await answer).status(), 403, form)
          assert.equal((await answer).headers()['set-cookie'], undefined, form)
        }
        assert.deepEqual([await reactions(), await votes()], before)
        await page.goto(`${w.url}/agents/ada`)
        assert.equal(
          await page.getByRole('button', { name: 'Following @ada. Unfollow' }).count(),
          1,
          'the session is the one that it was',
        )
        await close()
      })
    }
  }
})
