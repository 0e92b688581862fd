// The eye of these tests itself: each fault that it is there for, on a page of three lines, is seen.
import assert from 'node:assert/strict'
import { launchBrowser, openWindow, test, unsteady, type Window } from '../../../test/browser.ts'
import { barriers, isKnown, live, misfits, paleText, unprintable } from '../../../test/look.ts'
import { faultsOf } from '../../../test/markup.ts'
import { beforehand, story } from '../../../test/story.ts'

const { w } = story()
const browser = beforehand(launchBrowser)

/** A page of this site's origin with other content. */
async function shown(body: string): Promise<Window> {
  const window = await openWindow(browser, { url: w.url, width: 390 })
  const html = `<!doctype html><html lang="en"><head><title>A page</title></head><body>${body}</body></html>`
  await window.page.route(`${w.url}/`, (route) => route.fulfill({ body: html, contentType: 'text/html' }))
  await window.page.goto(w.url)
  return window
}

const sound = '<header><a href="/">Home</a></header><main><h1>A page</h1><p>Words.</p></main>'

test('a sound page has no faults', async () => {
  const window = await shown(sound)
  const { page } = window
  const found = [
    await unsteady(page),
    await live(page),
    await misfits(page),
    await barriers(window, 'everything'),
  ].flat()
  assert.deepEqual([...found, ...(await unprintable(page)), ...window.complaints()], [])
  await window.close()
})

const faults: Readonly<Record<string, [find: (window: Window) => Promise<string[]>, body: string, seen: RegExp]>> = {
  'a word that is wider than the page': [
    ({ page }) => misfits(page),
    `${sound}<p>${'W'.repeat(200)}</p>`,
    /the page is \d+ wide in a window of 390/,
  ],
  'a box beyond the left side': [
    ({ page }) => misfits(page),
    `${sound}<p style="position: absolute; left: -50px">Gone</p>`,
    /p\. "Gone" is from -50/,
  ],
  'words upon the header': [
    ({ page }) => misfits(page),
    `${sound}<p style="position: absolute; top: 0">Above</p>`,
    /"Above" lies on the header/,
  ],
  'a button under something': [
    ({ page }) => misfits(page),
    `${sound}<div><button type="button">Press</button></div><div class="lid" style="margin-top: -30px; height: 40px; position: relative">.</div>`,
    /div\.lid "\." lies on button/,
  ],
  'words that are too pale': [
    (window) => paleText(window),
    `${sound}<p style="color: #999">Pale</p>`,
    /^color-contrast: .*Pale/,
  ],
  'words that are pale beside equal ones that are not': [
    (window) => paleText(window),
    `${sound}<p>Dark</p><p style="color: #888">Paler</p>`,
    /^color-contrast: .*Paler/,
  ],
  'words that are pale on their ground alone': [
    (window) => paleText(window),
    `${sound}<p>Dark</p><div style="background: #333"><p>Dim</p></div>`,
    /^color-contrast: .*Dim/,
  ],
  'words that become pale in the dark': [
    async (window) => {
      assert.deepEqual(await paleText(window), [])
      await window.page.emulateMedia({ colorScheme: 'dark' })
      return paleText(window)
    },
    `<style>@media (prefers-color-scheme: dark) { i { color: #ccc } }</style>${sound}<i>Night</i>`,
    /^color-contrast: .*Night/,
  ],
  'a button that is too small': [
    (window) => barriers(window, 'layout'),
    `${sound}<button style="all: unset; width: 9px">a</button><button style="all: unset; width: 9px">b</button>`,
    /^target-size: /,
  ],
  'an element as none was before': [
    async ({ page }) => {
      await isKnown(page)
      const was = await isKnown(page)
      await page.evaluate(() => document.querySelector('p')?.setAttribute('role', 'img'))
      return [`${was}, ${await isKnown(page)}`]
    },
    sound,
    /^true, false$/,
  ],
  'a picture without words': [
    (window) => barriers(window, 'everything'),
    `<main><h1>A page</h1><img src="/assets/none.png"></main>`,
    /^image-alt: /,
  ],
  'a dark ground on paper': [
    ({ page }) => unprintable(page),
    `${sound}<p style="background: #222">Ground</p>`,
    /p\. has a ground of rgb\(34, 34, 34\)/,
  ],
  'pale words on paper': [
    ({ page }) => unprintable(page),
    `${sound}<p style="color: #fff">Words</p>`,
    /p\. has words of rgb\(255, 255, 255\)/,
  ],
  'a script': [({ page }) => live(page), `${sound}<script>1</script>`, /<script>/],
  'what runs at an event': [({ page }) => live(page), `${sound}<p onclick="1">x</p>`, /p has onclick/],
  'an address that runs': [({ page }) => live(page), `${sound}<a href=" JavaScript:1">x</a>`, /a: {2}JavaScript:1/],
  'a link that vouches': [({ page }) => live(page), `${sound}<a href="https://example.org/">x</a>`, /example\.org/],
  'a picture that is not there': [
    ({ page }) => unsteady(page),
    `${sound}<img alt="" src="/assets/none.png">`,
    /none\.png does not show/,
  ],
  'what moves': [
    async ({ page }) => {
      await page.evaluate(async () => {
        // Painted once where it was, and then pushed down.
        for (let frame = 0; frame < 3; frame++) await new Promise(requestAnimationFrame)
        const pusher = document.createElement('div')
        pusher.style.height = '300px'
        document.body.prepend(pusher)
      })
      return unsteady(page)
    },
    sound,
    /moved$/,
  ],
  'a word in the console': [
    async ({ page, complaints }) => {
      await page.evaluate(() => console.error('ouch'))
      return complaints()
    },
    sound,
    /error: ouch/,
  ],
  'a part that is not there': [async (window) => window.complaints(), `${sound}<img alt="" src="/none">`, /status 404/],
  'another host': [
    async (window) => window.complaints(),
    `${sound}<img alt="" src="http://elsewhere.example/x.png">`,
    /request to another host: http:\/\/elsewhere\.example/,
  ],
  'an element that is closed by another': [
    async ({ page }) =>
      faultsOf(
        `<!doctype html><html lang="en"><head><title>${await page.title()}</title></head><body><p><p></p></p></body></html>`,
      ),
    sound,
    /no-implicit-close|close-order/,
  ],
}

for (const [name, [find, body, seen]] of Object.entries(faults)) {
  test(`the checker sees ${name}`, async () => {
    const window = await shown(body)
    assert.match((await find(window)).join('\n'), seen)
    await window.close()
  })
}
