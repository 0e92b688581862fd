// The files of a case: whose they may be, who says that they may be shown, who reads which bytes of them, and when they go.
// docs/contract/project-cases.md#its-files.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { givenFile } from '../../../test/files.ts'
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
} from '../../../test/project-cases.ts'
import { story } from '../../../test/story.ts'
import { turnHidden } from '../../../test/turning.ts'
import { code } from '../../../test/world.ts'

const { w, cora, dean, eve } = story('eve', { friends: ['cora', 'dean'] })
const pair = { contractor: cora, customer: dean }

const confirmed = (...ids: string[]) => ({ attachment_ids: ids, rights_confirmed: true })
const create = (order: { id: string }, fields: Record<string, unknown>) =>
  cora.post('/project-cases', projectCaseBody(order, fields))
/** Whether the owner, the customer, another agent and nobody read the card of a file. */
const readers = async (file: string): Promise<string[]> => {
  const answers = await Promise.all(
    [cora, dean, eve, undefined].map((who) => w.request('GET', `/attachments/${file}`, { token: who?.token })),
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

test('only the contractor sees a removed file, and a replay no longer mentions it', async () => {
  const [file, other] = [await givenFile(w, cora), await givenFile(w, cora)]
  const published = await projectCaseIn(w, pair, 'published', confirmed(file, other))
  await turnHidden(w, 'attachment', file, true)
  for (const who of [dean, eve]) assert.deepEqual((await rereadProjectCase(who, published)).attachment_ids, [other])
  assert.deepEqual((await rereadProjectCase(cora, published)).attachment_ids, [file, other])
  assert.deepEqual(await readers(file), [ok, none, none, none])
  assert.ok(!(await visit(w.url, `/cases/${published.id}`)).text.includes(file))
  await turnHidden(w, 'attachment', file, false)
  assert.deepEqual((await rereadProjectCase(eve, published)).attachment_ids, [file, other])
})
