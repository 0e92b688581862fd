// The files of a case: whose they may be, who says that they may be shown, who reads which bytes of them, and when they go.
// docs/contract/project-cases.md#its-files.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { jpeg } from '../../../test/corpus.ts'
import { givenFile } from '../../../test/files.ts'
import { sweepAll } from '../../../test/heard.ts'
import { trade } from '../../../test/orders.ts'
import { visit } from '../../../test/pages.ts'
import { pluck } from '../../../test/pluck.ts'
import { givenPost } from '../../../test/posts.ts'
import {
  act,
  actionBody,
  attempt,
  drafted,
  projectCaseBody,
  projectCaseIn,
  rereadProjectCase,
  type Sides,
  twoSides,
} from '../../../test/project-cases.ts'
import { story } from '../../../test/story.ts'
import { assertFilesAddUp, read, sha256, uploaded } from '../../../test/upload.ts'
import { type Agent, code, eventually, worldFor } from '../../../test/world.ts'
import { days, hours } from '../../kernel/clock.ts'
import { hide, unhide } from '../staff/hiding.ts'

const { w, cora, dean, eve } = story('eve', { friends: ['cora', 'dean'] })
const pair = { contractor: cora, customer: dean }

const confirmed = (...ids: string[]) => ({ attachment_ids: ids, rights_confirmed: true })
const create = (order: { id: string }, fields: Record<string, unknown>) =>
  cora.post('/project-cases', projectCaseBody(order, fields))
/** Whether the owner, the customer, another agent and nobody read the card of a file. */
const readers = async (file: string, { contractor, customer }: Sides = pair): Promise<string[]> => {
  const answers = await Promise.all(
    [contractor, customer, eve, undefined].map((who) =>
      w.request('GET', `/attachments/${file}`, { token: who?.token }),
    ),
  )
  return answers.map(code)
}
const ok = '200'
const none = '404 not_found'

test("files are the contractor's own, ready, uploaded as portfolio, and unused before", async () => {
  const order = await trade(w, dean, cora, 'accepted')
  const posted = await givenFile(w, cora)
  await givenPost(cora, confirmed(posted))
  const kept = await givenFile(w, cora)
  await givenPost(cora, { attachment_ids: [kept], visibility: 'private' })
  const good = await givenFile(w, cora)
  for (const [file, expected] of [
    [randomUUID(), '404 invalid_attachment'],
    [await givenFile(w, dean), '404 invalid_attachment'],
    [await givenFile(w, cora, { purpose: 'order' }), '404 invalid_attachment'],
    [await givenFile(w, cora, { purpose: 'avatar' }), '404 invalid_attachment'],
    [await givenFile(w, cora, { status: 'rejected' }), '404 invalid_attachment'],
    [await givenFile(w, cora, { status: 'purged' }), '404 invalid_attachment'],
    [posted, '409 attachment_already_bound'],
    [kept, '409 attachment_already_bound'],
  ] as const) {
    assert.equal(code(await create(order, confirmed(good, file))), expected)
  }
  const ten = [good]
  while (ten.length < 10) ten.push(await givenFile(w, cora, { file_format: ten.length % 2 ? 'mp3' : 'jpeg' }))
  const order10 = ten.toReversed()
  const made = await create(order, confirmed(...order10.map((id, at) => (at ? id : id.toUpperCase()))))
  assert.equal(code(made), '201')
  const draft = made.body.project_case
  assert.deepEqual(draft.attachment_ids, order10, 'in the order in which they were given')
  assert.deepEqual(pluck(draft.attachments, 'id'), order10)
  const own = (await cora.get(`/attachments/${good}`)).body.attachment
  assert.deepEqual(own.binding, { kind: 'portfolio', id: draft.id, role: 'case', active: true })
  const post = await cora.post('/posts', { text: 'The same', visibility: 'public', ...confirmed(good) })
  assert.equal(code(post), '409 attachment_already_bound')
  const other = await trade(w, dean, cora, 'accepted')
  assert.equal(code(await create(other, confirmed(good))), '409 attachment_already_bound')
  const held = await w.request('DELETE', `/attachments/${good}`, { token: cora.token })
  assert.equal(code(held), '409 attachment_bound')
})

test('each new file needs confirmed rights, an existing one does not', async () => {
  const [one, two, three] = [await givenFile(w, cora), await givenFile(w, cora), await givenFile(w, cora)]
  const draft = await drafted(w, pair, confirmed(one, two))
  const turned = await act(cora, draft, 'change', { attachment_ids: [two, one] })
  assert.deepEqual(turned.attachment_ids, [two, one])
  const adding = { attachment_ids: [two, three] }
  assert.equal(code(await attempt(cora, turned, 'change', adding)), '400 publication_rights_required')
  const refusing = { ...adding, rights_confirmed: false }
  assert.equal(code(await attempt(cora, turned, 'change', refusing)), '400 publication_rights_required')
  assert.deepEqual((await rereadProjectCase(cora, draft)).attachment_ids, [two, one])
  const added = await act(cora, turned, 'change', { ...adding, rights_confirmed: true })
  assert.deepEqual(added.attachment_ids, [two, three])
  const unread = await attempt(cora, added, 'change', confirmed(three, one))
  assert.equal(code(unread), '409 attachment_already_bound', 'what was let go does not come back')
  const kept = await act(cora, added, 'change', { title: 'Only words' })
  assert.deepEqual(kept.attachment_ids, [two, three])
  const body = actionBody(kept, { attachment_ids: null })
  const clear = (fields = {}) => cora.patch(`/project-cases/${kept.id}`, { ...body, ...fields })
  const cleared = await clear()
  assert.deepEqual([code(cleared), cleared.body.project_case.attachments], ['200', []])
  for (const same of [{}, { attachment_ids: [] }, { rights_confirmed: false }]) {
    assert.deepEqual((await clear(same)).body, cleared.body, 'null and none are one content')
  }
  assert.equal(code(await clear({ attachment_ids: undefined, title: 'x' })), '409 idempotency_conflict')
})

test('files are read by the readers of the case: as a draft, proposed, published, changed and withdrawn', async () => {
  const file = await givenFile(w, cora)
  const draft = await drafted(w, pair, confirmed(file))
  assert.deepEqual(await readers(file), [ok, none, none, none])
  const proposed = await act(cora, draft, 'propose')
  assert.deepEqual(await readers(file), [ok, ok, none, none])
  const published = await act(dean, proposed, 'consent')
  assert.deepEqual(await readers(file), [ok, ok, ok, ok])
  const dropped = await givenFile(w, cora)
  const changed = await act(cora, published, 'change', confirmed(file, dropped))
  assert.deepEqual(await readers(file), [ok, ok, none, none])
  const again = await act(cora, changed, 'change', { attachment_ids: [file] })
  assert.deepEqual(await readers(dropped), [ok, none, none, none], 'what is left out is its owner’s alone')
  const back = await act(dean, again, 'consent')
  assert.deepEqual(await readers(file), [ok, ok, ok, ok])
  const gone = await act(dean, back, 'withdraw')
  assert.deepEqual([gone.attachment_ids, gone.attachments], [[], []])
  assert.deepEqual(await readers(file), [ok, none, none, none])
  const own = (await cora.get(`/attachments/${file}`)).body.attachment
  assert.deepEqual(own.binding, { kind: 'portfolio', id: draft.id, role: 'case', active: false })
})

test('only the contractor sees a removed file, and a replay no longer mentions it', async () => {
  const [file, other] = [await givenFile(w, cora), await givenFile(w, cora)]
  const published = await projectCaseIn(w, pair, 'published', confirmed(file, other))
  await w.service.sql.transaction((tx) => hide(tx, 'attachment', file))
  for (const who of [dean, eve]) assert.deepEqual((await rereadProjectCase(who, published)).attachment_ids, [other])
  assert.deepEqual((await rereadProjectCase(cora, published)).attachment_ids, [file, other])
  assert.deepEqual(await readers(file), [ok, none, none, none])
  assert.ok(!(await visit(w.url, `/cases/${published.id}`)).text.includes(file))
  await w.service.sql.transaction((tx) => unhide(tx, 'attachment', file))
  assert.deepEqual((await rereadProjectCase(eve, published)).attachment_ids, [file, other])
})

test('everyone gets the processed bytes, both sides the original; files are deleted a day after the end', async (t) => {
  const at = await worldFor(t)
  const sides = await twoSides(at, 'ann', 'ben')
  const { contractor: ann, customer: ben } = sides
  const fay = await at.agent('fay')
  const bytes = await jpeg()
  const picture = (await uploaded(at, ann, bytes)).id
  const proposed = await projectCaseIn(at, sides, 'proposed', confirmed(picture))
  const door = (name: string, agent?: Agent) => read(at, `/attachments/${picture}/${name}`, agent ? { agent } : {})
  for (const agent of [fay, undefined]) {
    for (const name of ['preview', 'download']) assert.equal((await door(name, agent)).status, 404)
  }
  assert.ok((await door('download', ben)).bytes.equals(bytes), 'the customer reads what it is asked about')
  const published = await act(ben, proposed, 'consent')
  const processed = await door('preview')
  assert.equal(processed.status, 200, 'without a token')
  assert.match(processed.headers.get('cache-control') ?? '', /^public, max-age=600/)
  for (const agent of [fay, undefined]) {
    const download = await door('download', agent)
    assert.equal(download.status, 200)
    assert.ok(download.bytes.equals(processed.bytes), 'never the original')
    assert.ok(!download.bytes.equals(bytes))
  }
  for (const agent of [ann, ben]) assert.ok((await door('download', agent)).bytes.equals(bytes))
  const [card] = (await rereadProjectCase(fay, published)).attachments
  assert.equal(card.sha256, sha256(processed.bytes))
  assert.equal((await rereadProjectCase(ben, published)).attachments[0].sha256, sha256(bytes))
  const page = await visit(at.url, `/cases/${published.id}`)
  const doors = [...page.text.matchAll(/ (?:src|href)="([^"]*\/attachments\/[^"]*)"/g)].map(([, url]) => url as string)
  assert.ok(doors.includes(card.preview_url))
  for (const url of doors) assert.equal((await visit(at.url, url)).status, 200, url)
  // Closing ends it with the next request, whatever was read before.
  assert.equal(code(await ben.patch('/bots/me', { profile_public: false })), '200')
  const tag = processed.headers.get('etag') as string
  assert.equal((await read(at, `/attachments/${picture}/preview`, { headers: { 'if-none-match': tag } })).status, 404)
  assert.equal((await door('download', ben)).status, 200)
  await act(ben, published, 'withdraw')
  assert.equal((await door('download', ben)).status, 404)
  at.travel(days(1) - hours(1))
  await sweepAll(at)
  assert.equal((await door('download', ann)).status, 200)
  at.travel(hours(2))
  await eventually(async () => {
    await sweepAll(at)
    return (await ann.get(`/attachments/${picture}`)).body.attachment.status === 'purged'
  }, 'a purged file')
  await assertFilesAddUp(at)
})
