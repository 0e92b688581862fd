// Project cases by a client that means no good: files that are not its own, what is not its to read, and a page that
// shows what was written as text. docs/contract/project-cases.md.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { jpeg } from '../../../test/corpus.ts'
import { givenFile } from '../../../test/files.ts'
import { sweepAll } from '../../../test/heard.ts'
import { type Shown, step, trade } from '../../../test/orders.ts'
import { asBrowser, assertPage, hostile, visit } from '../../../test/pages.ts'
import {
  act,
  attempt,
  draftOf,
  projectCaseBody,
  projectCaseIn,
  proposedOf,
  rereadProjectCase,
} from '../../../test/project-cases.ts'
import { story } from '../../../test/story.ts'
import { twoFriends } from '../../../test/subjects.ts'
import { assertFilesAddUp, read, sha256, uploaded } from '../../../test/upload.ts'
import { code, eventually, race } from '../../../test/world.ts'
import { days, hours } from '../../kernel/clock.ts'

const { w, carl, cora, eve } = story('eve', { friends: ['carl', 'cora'] })

const accepted = (): Promise<Shown> => trade(w, carl, cora, 'accepted')
const rights = { rights_confirmed: true }

test('text written to attack the database or a page is shown as text', async () => {
  const draft = await draftOf(cora, await accepted())
  assert.equal(code(await attempt(cora, draft, 'change', {})), '400 invalid_input', 'nothing to change')
  const texts = { title: hostile, summary: hostile, result: hostile, attachment_ids: null }
  const now = await act(cora, draft, 'change', texts)
  assert.deepEqual(now, { ...now, ...texts, attachment_ids: [] })
  await act(carl, await act(cora, now, 'propose'), 'consent')
  for (const path of [`/cases/${draft.id}`, '/cases']) {
    const shown = await visit(w.url, path, { headers: asBrowser })
    assert.equal(shown.status, 200)
    assertPage(shown.text, { publicUrl: w.service.publicUrl })
    assert.ok(!shown.text.includes(hostile))
    assert.ok(shown.text.includes('&lt;script&gt;'))
  }
  const turned = { title: 'שלט', summary: 'משהו', result: 'First\n\u202ethen\n \nlast\u202e' }
  await act(carl, await act(cora, await rereadProjectCase(cora, draft), 'change', turned), 'consent')
  const [list, one] = [await visit(w.url, '/cases'), await visit(w.url, `/cases/${draft.id}`)]
  assert.ok(list.text.includes(`<h2 dir="auto"><a href="/cases/${draft.id}">שלט</a></h2>\n<p dir="auto">משהו</p>`))
  assert.ok(one.text.includes('<h1 dir="auto">שלט</h1>\n<p class="lead" dir="auto">משהו</p>'))
  assert.ok(one.text.includes('<p dir="auto">First<br>\u202ethen</p>\n<p dir="auto">last\u202e</p>'))
  assert.notEqual((await visit(w.url, `/cases/${draft.id.toUpperCase()}`)).status, 200, 'one address a page')
  for (const id of ['x', randomUUID(), `${draft.id}x`, '%00', '..%2f']) {
    assert.equal((await visit(w.url, `/cases/${id}`)).status, 404, id)
  }
})

test("a case's files have the readers of the case, and no others, at every step", async () => {
  const [customer, contractor] = await twoFriends(w, 'customer', 'contractor')
  const order = await trade(w, customer, contractor, 'accepted')
  const bytes = await jpeg({ width: 40 })
  const { id } = await uploaded(w, contractor, bytes)
  const readers = { contractor, customer, eve, nobody: undefined }
  const doors = async (door: string) => {
    const found: Record<string, number> = {}
    for (const [name, agent] of Object.entries(readers)) {
      found[name] = (await read(w, `/attachments/${id}${door}`, agent ? { agent } : {})).status
    }
    return found
  }
  const check = async (step: string, expected: Record<keyof typeof readers, number>) => {
    for (const door of ['', '/download', '/preview']) assert.deepEqual(await doors(door), expected, `${step} ${door}`)
  }
  const mine = { contractor: 200, customer: 404, eve: 404, nobody: 404 }
  const shared = { ...mine, customer: 200 }
  const open = { contractor: 200, customer: 200, eve: 200, nobody: 200 }
  await check('unbound', mine)
  const draft = await draftOf(contractor, order, { attachment_ids: [id], ...rights })
  await check('draft', mine)
  const proposed = await act(contractor, draft, 'propose')
  await check('proposed', shared)
  const [card] = (await rereadProjectCase(customer, proposed)).attachments
  assert.equal(card.id, id)
  const published = await act(customer, proposed, 'consent')
  await check('published', open)
  const original = sha256(bytes)
  for (const agent of [eve, undefined]) {
    const got = await read(w, `/attachments/${id}/download`, agent ? { agent } : {})
    assert.notEqual(sha256(got.bytes), original, 'a public reader never gets the original')
    const { attachment } = (await w.request('GET', `/attachments/${id}`, { token: agent?.token })).body
    assert.equal(attachment.sha256, sha256(got.bytes))
    assert.equal(attachment.binding, undefined)
  }
  const preview = await read(w, `/attachments/${id}/preview`)
  assert.match(preview.headers.get('cache-control') ?? '', /^public, max-age=600/)
  const known = { headers: { 'if-none-match': preview.headers.get('etag') as string } }
  const page = await visit(w.url, `/cases/${draft.id}`)
  const links = [...page.text.matchAll(/ (?:src|href)="([^"]*\/attachments\/[^"]*)"/g)].map(([, url]) => url as string)
  assert.ok(links.includes(card.preview_url))
  for (const url of links) assert.equal((await visit(w.url, url)).status, 200, url)
  for (const agent of [contractor, customer]) {
    assert.ok(
      (await read(w, `/attachments/${id}/download`, { agent })).bytes.equals(bytes),
      'both sides get the original',
    )
    assert.equal((await rereadProjectCase(agent, published)).attachments[0].sha256, original)
    assert.equal(code(await agent.patch('/bots/me', { profile_public: false })), '200')
    await check('one side closed', shared)
    assert.equal((await read(w, `/attachments/${id}/preview`, known)).status, 404, 'whatever was read before')
    assert.equal(code(await agent.patch('/bots/me', { profile_public: true })), '200')
    await check('open again', open)
  }
  const edited = (await attempt(contractor, published, 'change', { title: 'Else' })).body.project_case
  await check('edited', shared)
  const again = await act(customer, edited, 'consent')
  await check('agreed on again', open)
  const gone = await act(customer, again, 'withdraw')
  assert.deepEqual([gone.attachment_ids, gone.attachments], [[], []])
  await check('withdrawn', mine)
  const cardOf = async () => (await contractor.get(`/attachments/${id}`)).body.attachment
  assert.deepEqual((await cardOf()).binding, { kind: 'portfolio', id: draft.id, role: 'case', active: false })
  w.travel(days(1) - hours(1))
  await sweepAll(w)
  await check('within a day', mine)
  w.travel(hours(2))
  await eventually(async () => {
    await sweepAll(w)
    return (await cardOf()).status === 'purged'
  }, 'a purged file')
  await assertFilesAddUp(w)
})

test('a case does not expose the results of its order', async () => {
  const [customer, contractor] = await twoFriends(w, 'customer', 'contractor')
  const file = await givenFile(w, contractor, { purpose: 'order' })
  const funded = await trade(w, customer, contractor, 'funded')
  const delivered = await step(contractor, funded, 'deliver', { result_text: 'Secret', result_attachment_ids: [file] })
  const order = await step(customer, delivered, 'complete')
  const refused = await contractor.post('/project-cases', projectCaseBody(order, { attachment_ids: [file], ...rights }))
  assert.equal(code(refused), '404 invalid_attachment')
  const proposed = await proposedOf(contractor, order)
  const published = await act(customer, proposed, 'consent')
  const texts = JSON.stringify((await eve.get(`/project-cases/${published.id}`)).body)
  const shown = (await visit(w.url, `/cases/${published.id}`)).text
  for (const hidden of ['Secret', file, 'A logo"', String(order.total_minor)]) {
    assert.ok(!texts.includes(hidden) && !shown.includes(hidden), hidden)
  }
  assert.equal(code(await eve.get(`/attachments/${file}`)), '404 not_found')
  assert.equal(code(await eve.get(`/orders/${published.order_id}`)), '404 not_found')
})

test('a file belongs to one thing only, and a file that a case releases is visible to nobody', async () => {
  const [customer, contractor] = await twoFriends(w, 'customer', 'contractor')
  const orders = await Promise.all([0, 1, 2, 3, 4, 5].map(() => trade(w, customer, contractor, 'accepted')))
  const file = await givenFile(w, contractor)
  const answers = await race(20, (n) =>
    n < 6
      ? contractor.post('/project-cases', projectCaseBody(orders[n], { attachment_ids: [file], ...rights }))
      : contractor.post('/posts', { text: 'Mine', attachment_ids: [file] }),
  )
  assert.deepEqual(answers.map(code).sort(), ['201', ...Array(19).fill('409 attachment_already_bound')])

  const [one, two] = [
    await uploaded(w, contractor, await jpeg({ width: 20 })),
    await uploaded(w, contractor, await jpeg()),
  ]
  const shown = await projectCaseIn(w, { customer, contractor }, 'published', {
    attachment_ids: [one.id, two.id],
    ...rights,
  })
  const seen = async (id: string) => {
    const found = []
    for (const agent of [customer, eve, undefined]) {
      found.push((await read(w, `/attachments/${id}/preview`, agent ? { agent } : {})).status)
    }
    return found
  }
  assert.deepEqual(await seen(one.id), [200, 200, 200])
  const edited = (await attempt(contractor, shown, 'change', { attachment_ids: [two.id] })).body.project_case
  assert.deepEqual(
    [await seen(one.id), await seen(two.id)],
    [
      [404, 404, 404],
      [200, 404, 404],
    ],
  )
  const again = await act(customer, edited, 'consent')
  assert.deepEqual(
    [await seen(one.id), await seen(two.id)],
    [
      [404, 404, 404],
      [200, 200, 200],
    ],
  )
  const back = await attempt(contractor, again, 'change', { attachment_ids: [one.id], ...rights })
  assert.equal(code(back), '409 attachment_already_bound')
  w.travel(days(1) + hours(1))
  await sweepAll(w)
  await sweepAll(w)
  const statusOf = async (id: string) => (await contractor.get(`/attachments/${id}`)).body.attachment.status
  assert.deepEqual([await statusOf(one.id), await statusOf(two.id)], ['purged', 'ready'])
})
