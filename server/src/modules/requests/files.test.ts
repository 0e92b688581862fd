// The files of a request: who reads them, how an offer hands them on, and how long they are kept.
// docs/contract/requests.md#files.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { givenFile, purgeDue } from '../../../test/files.ts'
import { step } from '../../../test/orders.ts'
import { pluck } from '../../../test/pluck.ts'
import { asked, moved, priced, requestOf, type Shown } from '../../../test/requests.ts'
import { beforehand, story } from '../../../test/story.ts'
import { type Agent, code } from '../../../test/world.ts'
import { days, hours } from '../../kernel/clock.ts'
import { setFileHidden } from '../attachments/files.ts'
import { expireNext } from './expiry.ts'

const { w, ada, bob, eve } = story('eve', { friends: ['ada', 'bob'], env: { FILE_RETENTION_DAYS: '30' } })
const icons = beforehand(() => priced(bob))

async function withFiles(): Promise<{ request: Shown; files: string[] }> {
  const files = [await givenFile(w, ada, { purpose: 'order' }), await givenFile(w, ada, { purpose: 'order' })].reverse()
  return { files, request: await asked(ada, icons, { input_attachment_ids: files }) }
}

/** Lets time pass, with tokens that are good for all of it. */
async function pass(milliseconds: number): Promise<void> {
  w.travel(milliseconds)
  await w.sql`update tokens set expires_at = ${new Date(w.now().getTime() + days(30))}`
}

/** The status of each file, as the request says for either side. */
async function statuses(request: Shown): Promise<string[]> {
  const [mine, theirs] = [await requestOf(ada, request), await requestOf(bob, request)]
  assert.deepEqual(mine.input_attachments, theirs.input_attachments)
  return mine.input_attachments.map(({ status, available, purged_at: purgedAt }: Shown) => {
    assert.deepEqual([available, purgedAt === null], [status !== 'purged', status !== 'purged'])
    return status
  })
}

const readers = (file: string) =>
  Promise.all([ada, bob, eve].map(async (who) => code(await who.get(`/attachments/${file}`))))

test("only its customer and its provider read a request's files", async () => {
  const { files } = await withFiles()
  for (const file of files) assert.deepEqual(await readers(file), ['200', '200', '404 not_found'])
  const { attachment } = (await bob.get(`/attachments/${files[0]}`)).body
  assert.equal(attachment.binding, undefined, 'what holds it is for its owner to know')
})

test("a request's files stay while it is open", async () => {
  const { request, files } = await withFiles()
  await pass(days(6))
  await purgeDue(w)
  assert.deepEqual(await statuses(request), ['ready', 'ready'])
  assert.equal(
    code(await w.request('DELETE', `/attachments/${files[0]}`, { token: ada.token })),
    '409 attachment_bound',
  )
})

test('an offer passes the files to the order, in order, and both sides still read them in the request', async () => {
  const { request, files } = await withFiles()
  const offered = await moved(w, bob, request, 'offer')
  assert.deepEqual(pluck(offered.order.input_attachments, 'id'), files)
  assert.deepEqual(await statuses(offered), ['ready', 'ready'])
  for (const file of files) {
    assert.deepEqual(await readers(file), ['200', '200', '404 not_found'])
    const { attachment } = (await ada.get(`/attachments/${file}`)).body
    assert.deepEqual(attachment.binding, { kind: 'order', id: offered.order.id, role: 'input', active: true })
  }
  await pass(days(60))
  await purgeDue(w)
  assert.deepEqual(await statuses(offered), ['ready', 'ready'], 'while the order is open')
  await moved(w, ada, offered, 'cancel')
  assert.deepEqual(await statuses(offered), ['retained', 'retained'])
  await pass(days(30) - hours(1))
  await purgeDue(w)
  assert.deepEqual(await statuses(offered), ['retained', 'retained'])
  await pass(hours(1))
  await purgeDue(w)
  assert.deepEqual(await statuses(offered), ['purged', 'purged'])
})

test("files of an accepted order are deleted with the order's own", async () => {
  const { request, files } = await withFiles()
  const { order } = await moved(w, bob, request, 'offer')
  const funded = await step(ada, order, 'accept')
  const delivered = await step(bob, funded, 'deliver')
  assert.deepEqual(await statuses(request), ['ready', 'ready'])
  const closed = await step(ada, delivered, 'complete')
  assert.deepEqual(
    closed.input_attachments.map(({ id, status }: Shown) => [id, status]),
    files.map((id) => [id, 'retained']),
  )
  await pass(days(30))
  await purgeDue(w)
  assert.deepEqual(await statuses(request), ['purged', 'purged'])
})

const ends: [string, (request: Shown) => Promise<unknown>][] = [
  ['rejected', (request) => moved(w, bob, request, 'reject')],
  ['cancelled', (request) => moved(w, ada, request, 'cancel')],
  [
    'expired',
    async () => {
      await pass(days(7))
      while (await expireNext(w.service));
    },
  ],
]
for (const [status, end] of ends) {
  test(`files of a request that was ${status} are kept for 30 days`, async () => {
    const { request, files } = await withFiles()
    await end(request)
    assert.equal((await requestOf(ada, request)).status, status)
    assert.deepEqual(await statuses(request), ['retained', 'retained'])
    await pass(days(30) - hours(1))
    await purgeDue(w)
    assert.deepEqual(await statuses(request), ['retained', 'retained'])
    assert.deepEqual(await readers(files[0] as string), ['200', '200', '404 not_found'])
    await pass(hours(1))
    await purgeDue(w)
    assert.deepEqual(await statuses(request), ['purged', 'purged'])
    assert.equal(code(await bob.get(`/attachments/${files[0]}/download`)), '404 not_found')
    const { attachment } = (await ada.get(`/attachments/${files[0]}`)).body
    assert.deepEqual(attachment.binding, { kind: 'service_request', id: request.id, role: 'input', active: true })
  })
}

test('only its owner sees a hidden file, in the request too', async () => {
  const { request, files } = await withFiles()
  const hide = (hidden: boolean) => w.service.sql.transaction((tx) => setFileHidden(tx, files[0] as string, hidden))
  await hide(true)
  const cards = async (who: Agent) => (await requestOf(who, request)).input_attachments.map(({ id }: Shown) => id)
  assert.deepEqual(await cards(ada), files)
  assert.deepEqual(await cards(bob), files.slice(1))
  assert.deepEqual((await requestOf(bob, request)).input_attachment_ids, files)
  await hide(false)
  assert.deepEqual(await cards(bob), files)
})

test('a refused request binds no file', async () => {
  const file = await givenFile(w, ada, { purpose: 'order' })
  const answer = await ada.post('/service-requests', {
    operation_id: crypto.randomUUID(),
    service_id: icons.id,
    expected_service_version: icons.version + 1,
    title: 'Icons',
    description: 'Blue',
    input_attachment_ids: [file],
  })
  assert.equal(code(answer), '409 version_conflict')
  assert.equal((await ada.get(`/attachments/${file}`)).body.attachment.binding, null)
})
