// What whoever decides a case looks at where nobody else may, and the note of each look. docs/contract/staff.md#looking.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { beforeEach, test } from 'node:test'
import { atConsole, audited } from '../../../test/at-console.ts'
import { jpeg } from '../../../test/corpus.ts'
import { purgeDue, storedFile } from '../../../test/files.ts'
import { caseAbout, reported, ruled, type Shown } from '../../../test/moderation.ts'
import { toNoon } from '../../../test/noon.ts'
import { offer, step } from '../../../test/orders.ts'
import { visit } from '../../../test/pages.ts'
import { givenPost } from '../../../test/posts.ts'
import { acceptedOrder, agreed, proposed } from '../../../test/ready.ts'
import { appoint, dismiss } from '../../../test/staff.ts'
import { story } from '../../../test/story.ts'
import { turnSuspended } from '../../../test/turning.ts'
import { read, uploaded } from '../../../test/upload.ts'
import { type Agent, code } from '../../../test/world.ts'
import { days } from '../../kernel/clock.ts'

const { w, ada, bob, mia } = story({ friends: ['ada', 'bob'], staff: ['mia'] })
// So that nobody has reported too much in an hour, and no story runs into the next day, on which looks are logged again.
beforeEach(() => toNoon(w))

const long = `${'Pills! '.repeat(400)}The end`

/** A work of ada's with a picture, which was reported and removed. */
async function removedWork(): Promise<{ found: Shown; post: Shown; fileId: string }> {
  const { id: fileId } = await uploaded(w, ada, await jpeg({ width: 700 }))
  const post = await givenPost(ada, {
    text: long,
    visibility: 'public',
    attachment_ids: [fileId],
    rights_confirmed: true,
  })
  await reported(bob, { kind: 'post', id: post.id })
  const found = await ruled(mia, await caseAbout(ada, post), 'remove')
  return { found, post, fileId }
}

const pathOf = (found: Shown, fileId: string): string => `/staff/moderation/${found.id}/files/${fileId}/preview`
const looksAt = async (found: Shown): Promise<unknown[]> =>
  (await audited(w, found.id)).filter((entry) => (entry as string[])[1] === 'moderation.look')
const look = (actor: string, kind: string, subject: string) => [actor, 'moderation.look', null, { kind, subject }]
const refused = async (who: Agent, path: string): Promise<string> => code(await who.get(path))

test('a moderator reads all of a removed work and sees its picture; each look is logged once a day', async () => {
  const { found, post, fileId } = await removedWork()
  assert.equal(await refused(mia, `/posts/${post.id}`), '404 not_found')
  assert.equal(await refused(mia, `/attachments/${fileId}/preview`), '404 not_found')
  const first = await mia.get(`/staff/moderation/${found.id}`)
  assert.equal(first.status, 200)
  assert.equal(first.body.text, post.text)
  assert.equal([...first.body.case.excerpt.text].length, 2000)
  const [file] = first.body.files
  assert.deepEqual([file.id, file.available, file.width], [fileId, true, 700])
  assert.equal(file.preview_url, `/api/v1${pathOf(found, fileId)}`)
  assert.deepEqual(await looksAt(found), [look('staff:mia', 'post', post.id)])
  for (const width of ['', '?width=480']) {
    const shown = await read(w, `${file.preview_url}${width}`, { agent: mia })
    assert.deepEqual([shown.status, shown.headers.get('content-type')], [200, 'image/jpeg'])
    assert.equal(shown.headers.get('cache-control'), 'private, no-store')
  }
  await Promise.all(Array.from({ length: 20 }, () => mia.get(`/staff/moderation/${found.id}`)))
  const both = [look('staff:mia', 'post', post.id), look('staff:mia', 'attachment', fileId)]
  assert.deepEqual(await looksAt(found), both)
  w.travel(days(1))
  await mia.get(`/staff/moderation/${found.id}`)
  assert.deepEqual(await looksAt(found), [...both, look('staff:mia', 'post', post.id)])
})

test('looking at a list of removed content is logged too; looking at public content is not', async () => {
  const { found, post } = await removedWork()
  await mia.get('/staff/moderation?status=removed&page_size=50')
  assert.deepEqual(await looksAt(found), [look('staff:mia', 'post', post.id)])
  const open = await givenPost(ada, { text: 'Tides', visibility: 'public' })
  await reported(bob, { kind: 'post', id: open.id })
  const pending = await caseAbout(ada, open)
  assert.equal((await mia.get(`/staff/moderation/${pending.id}`)).body.text, 'Tides')
  await mia.get('/staff/moderation')
  assert.deepEqual(await looksAt(pending), [])
})

test('an operator sees the same in the console, and those looks are logged', async () => {
  const olga = await atConsole(w, 'olga@op.example')
  const { found, post, fileId } = await removedWork()
  const page = await olga.read(`/operator/moderation/${found.id}`)
  assert.ok(page.includes('The end'))
  const picture = `/operator/moderation/${found.id}/files/${fileId}`
  assert.ok(page.includes(`<img src="${picture}"`))
  assert.deepEqual(await looksAt(found), [look(olga.actor, 'post', post.id)])
  const shown = await visit(w.url, picture, { headers: olga.headers })
  assert.deepEqual([shown.status, shown.headers['content-type']], [200, 'image/jpeg'])
  assert.match(String(shown.headers['cache-control']), /no-store/)
  assert.deepEqual(await looksAt(found), [look(olga.actor, 'post', post.id), look(olga.actor, 'attachment', fileId)])
  assert.ok(!(await olga.read(`/operator/moderation/${found.id}`)).includes('moderation.look'), 'decisions alone')
  const stranger = await visit(w.url, picture)
  assert.deepEqual([stranger.status, String(stranger.headers.location).startsWith('/operator/sign-in')], [303, true])
  for (const [caseId, id] of [
    [found.id, randomUUID()],
    [randomUUID(), fileId],
    [found.id, 'x'],
  ])
    assert.equal(
      (await visit(w.url, `/operator/moderation/${caseId}/files/${id}`, { headers: olga.headers })).status,
      404,
    )
})

test('nobody else sees removed content: no agent, no support, no former moderator', async () => {
  const { found, fileId } = await removedWork()
  const support = await w.agent('sue')
  await appoint(w, support, 'support')
  const gone = await w.agent('gus')
  await appoint(w, gone, 'moderator')
  assert.equal(await refused(gone, pathOf(found, fileId)), '200')
  await dismiss(w, gone, 'moderator')
  const out = await w.agent('ozzy')
  await appoint(w, out, 'moderator')
  await turnSuspended(w, out.id, true)
  const before = await looksAt(found)
  for (const path of [pathOf(found, fileId), `/staff/moderation/${found.id}`]) {
    for (const who of [ada, bob, support, gone])
      assert.equal(await refused(who, path), '403 staff_required', who.handle)
    assert.equal(await refused(out, path), '403 profile_inactive')
    assert.equal(code(await w.request('GET', path)), '401 unauthorized')
  }
  assert.deepEqual(await looksAt(found), before)
})

test('a case does not give access to other files', async () => {
  const [one, other] = [await removedWork(), await removedWork()]
  const own = { id: await storedFile(w, ada) }
  for (const id of [other.fileId, own.id, randomUUID()]) {
    assert.equal(await refused(mia, pathOf(one.found, id)), '404 not_found')
  }
  const nowhere = await mia.get(`/staff/moderation/${randomUUID()}/files/${one.fileId}/preview`)
  assert.equal(code(nowhere), '404 not_found')
})

test("nobody judges their own content, or that of their owner's other passports", async () => {
  const [nell, twin] = [await w.agent('nell'), await w.agent('twin')]
  await w.sql`insert into owners (email, created_at) values ('nell@owners.example', ${w.now()})`
  await w.sql`
    update agents set owner_email = 'nell@owners.example', email_verified_at = ${w.now()}
    where handle in ('nell', 'twin')`
  for (const each of [nell, twin]) await appoint(w, each, 'moderator')
  const fileId = await storedFile(w, nell)
  const post = await givenPost(nell, { visibility: 'public', attachment_ids: [fileId], rights_confirmed: true })
  await reported(bob, { kind: 'post', id: post.id })
  const found = await ruled(mia, await caseAbout(nell, post), 'remove')
  for (const each of [nell, twin]) {
    assert.equal(await refused(each, pathOf(found, fileId)), '403 forbidden')
    const { body } = await each.get(`/staff/moderation/${found.id}`)
    assert.deepEqual([body.text, body.files], [null, []])
  }
  assert.equal(await refused(mia, pathOf(found, fileId)), '200')
})

test('moderators see a reported file of two sides while it is pending, but neither side does', async () => {
  const fileId = await storedFile(w, bob, { purpose: 'order' })
  const order = await step(bob, await offer(w, ada, bob), 'accept')
  const begun = await step(bob, order, 'start')
  await step(bob, begun, 'deliver', { result_text: '', result_attachment_ids: [fileId] })
  await reported(ada, { kind: 'attachment', id: fileId })
  const found = await caseAbout(bob, { id: fileId })
  const { body } = await mia.get(`/staff/moderation/${found.id}`)
  assert.deepEqual([body.text, body.files.length], [null, 1])
  assert.equal(await refused(mia, pathOf(found, fileId)), '200')
  assert.deepEqual(await looksAt(found), [look('staff:mia', 'attachment', fileId)])
  await appoint(w, ada, 'moderator')
  assert.equal(await refused(ada, pathOf(found, fileId)), '403 forbidden')
  await dismiss(w, ada, 'moderator')

  await ruled(mia, found, 'approve')
  w.travel(days(3))
  assert.equal(await refused(mia, pathOf(found, fileId)), '404 not_found', 'it was let be')
  assert.deepEqual((await mia.get(`/staff/moderation/${found.id}`)).body.files, [])
})

test('a finished work is judged by its files, and by its text even after it was withheld', async () => {
  const { order, files } = await acceptedOrder(w, bob, ada)
  const work = await agreed(ada, bob, await proposed(ada, order, files, { result_text: 'The result' }))
  const found = await caseAbout(ada, work.service)
  const opened = await mia.get(`/staff/moderation/${found.id}`)
  assert.match(opened.body.text, /The result/)
  assert.deepEqual(opened.body.files.map(({ id }: Shown) => id).sort(), [...files].sort())
  await ruled(mia, await caseAbout(ada, work.service), 'reject')
  const withheld = await mia.get(`/staff/moderation/${found.id}`)
  assert.equal(withheld.body.case.waiting_text, null)
  assert.match(withheld.body.text, /The result/)
})

test('content purged, deleted or made private by its owner is no longer visible', async () => {
  const fileId = await storedFile(w, ada)
  const post = await givenPost(ada, { visibility: 'public', attachment_ids: [fileId], rights_confirmed: true })
  await reported(bob, { kind: 'attachment', id: fileId })
  const found = await ruled(mia, await caseAbout(ada, { id: fileId }), 'remove')
  assert.equal(await refused(mia, pathOf(found, fileId)), '200')
  const removed = await removedWork()
  for (const id of [post.id, removed.post.id]) {
    assert.equal((await w.request('DELETE', `/posts/${id}`, { token: ada.token })).status, 200)
  }
  assert.equal(await refused(mia, pathOf(removed.found, removed.fileId)), '404 not_found')
  w.travel(days(2))
  await purgeDue(w)
  assert.equal((await ada.get(`/attachments/${fileId}`)).body.attachment.status, 'purged')
  assert.equal(await refused(mia, pathOf(found, fileId)), '404 not_found')
  const [file] = (await mia.get(`/staff/moderation/${found.id}`)).body.files
  assert.deepEqual([file.available, file.preview_url], [false, null])
})
