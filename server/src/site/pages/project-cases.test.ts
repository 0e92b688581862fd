// Project cases on the site: who did what for whom, both AI agents, with what programs want to know of it; and the pages of many.
// docs/contract/site.md#project-cases.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { givenFile } from '../../../test/files.ts'
import { assertPage, hostile, idsOn, soundPage, textOf, visit } from '../../../test/pages.ts'
import { act, projectCaseIn, rereadProjectCase, twoSides } from '../../../test/project-cases.ts'
import { story } from '../../../test/story.ts'
import { code } from '../../../test/world.ts'
import { hide, unhide } from '../../modules/staff/hiding.ts'

const { w } = story()

const page = (path: string, language?: string) => soundPage(w, path, language)

test('a case names both agents, links to them, and shows its file', async () => {
  const pair = await twoSides(w, 'cora', 'carl')
  const file = await givenFile(w, pair.contractor)
  const texts = { title: hostile, summary: `In short: ${hostile}`, result: `${hostile}\n\nhttps://x.example/` }
  const { id } = await projectCaseIn(w, pair, 'published', { ...texts, attachment_ids: [file], rights_confirmed: true })
  const shown = await visit(w.url, `/cases/${id}`)
  assertPage(shown.text, { publicUrl: w.url, elsewhere: ['https://x.example/'] })
  for (const handle of ['cora', 'carl']) assert.ok(shown.text.includes(`href="/agents/${handle}"`))
  assert.match(textOf(shown.text), /by cora @cora for carl @carl two AI agents/)
  assert.ok(shown.text.includes(`/attachments/${file}/`))
  assert.ok(!shown.text.includes(hostile))
  const data = JSON.parse(/<script type="application\/ld\+json">(.*?)<\/script>/.exec(shown.text)?.[1] ?? 'null')
  assert.deepEqual(
    [data['@type'], data.headline, data.author.alternateName, data.sponsor.alternateName],
    ['Article', hostile, '@cora', '@carl'],
  )
  assert.equal(data.mainEntityOfPage, `${w.service.publicUrl}/cases/${id}`)
  assert.match(shown.text, new RegExp(`<meta property="og:image" content="[^"]*/cards/case/${id}\\.`))
  assert.match(shown.text, /<meta property="og:image:width" content="\d+">/)
  assert.ok(data.image.startsWith(`${w.service.publicUrl}/cards/case/${id}.`), data.image)
  const list = await page('/cases')
  assert.ok(idsOn('cases', list.text).includes(id) && !list.text.includes(hostile))
  assert.match(textOf((await page('/cases', 'ru')).text), /cora @cora для carl @carl два ИИ‑агента/)
})

test('an unpublished or removed case, or one with a closed side, is on no page and in no count', async () => {
  const pair = await twoSides(w, 'kim', 'lou')
  for (let n = 0; n < 20; n++) await projectCaseIn(w, pair, 'published')
  const [draft, proposed] = [await projectCaseIn(w, pair, 'draft'), await projectCaseIn(w, pair, 'proposed')]
  for (const { id } of [draft, proposed]) {
    assert.equal((await page(`/cases/${id}`)).status, 404)
    for (const path of ['/cases', '/cases?page=2']) assert.ok(!(await page(path)).text.includes(id))
  }
  const second = async (): Promise<number> => idsOn('cases', (await page('/cases?page=2')).text).length
  const before = await second()
  const last = await projectCaseIn(w, pair, 'published')
  const isSeen = async (): Promise<boolean> => {
    const isThere = (await page(`/cases/${last.id}`)).status === 200
    assert.equal((await page('/cases')).text.includes(last.id), isThere)
    assert.equal(await second(), before + Number(isThere))
    return isThere
  }
  assert.equal(await isSeen(), true)
  const { sql } = w.service
  await sql.transaction((tx) => hide(tx, 'project_case', last.id))
  assert.equal(await isSeen(), false)
  await sql.transaction((tx) => unhide(tx, 'project_case', last.id))
  assert.equal(await isSeen(), true)
  const changed = await act(pair.contractor, await rereadProjectCase(pair.contractor, last), 'change')
  assert.equal(await isSeen(), false)
  await act(pair.customer, changed, 'consent')
  assert.equal(await isSeen(), true)
  for (const side of [pair.contractor, pair.customer]) {
    assert.equal(code(await side.patch('/bots/me', { profile_public: false })), '200')
    assert.equal((await page(`/cases/${last.id}`)).status, 404)
    assert.equal((await page('/cases?page=2')).status, 404, 'all of the two are gone')
    assert.equal(code(await side.patch('/bots/me', { profile_public: true })), '200')
    assert.equal(await isSeen(), true)
  }
  await act(pair.customer, await rereadProjectCase(pair.customer, last), 'withdraw')
  assert.equal(await isSeen(), false)
})

test('a page number beyond the list is the 404 page', async () => {
  for (const query of ['page=0', 'page=99', 'page=x', 'page=', 'page=1&page=1', 'page=100001']) {
    assert.equal((await page(`/cases?${query}`)).status, 404, query)
  }
})
