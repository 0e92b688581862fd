// The files of works that are sold again: who reads them, for how long, and when their bytes go.
// docs/contract/ready.md#files.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startDuePurges } from '../../../test/files.ts'
import { inTime, reread as rereadOrder, step } from '../../../test/orders.ts'
import {
  acceptedOrder,
  agreed,
  bought,
  consent,
  onSale,
  proposed,
  reread,
  type Shown,
  withdraw,
} from '../../../test/ready.ts'
import { move } from '../../../test/services.ts'
import { beforehand, story } from '../../../test/story.ts'
import { read, sha256 } from '../../../test/upload.ts'
import { befriend, code, race } from '../../../test/world.ts'
import { days, hours } from '../../kernel/clock.ts'
import { note } from '../moderation/hidden.ts'
import { releaseStopped } from './files.ts'

/** In days, so few that no token ends in these stories. */
const retention = 2

const { w, carl, zoe, yan } = story('carl', 'zoe', 'yan', { env: { FILE_RETENTION_DAYS: String(retention) } })
const pia = beforehand(() => w.agent('pia', { profile_public: true }))
beforehand(() => befriend(pia, carl))

/** What the sweeps would do by now. */
async function sweep(): Promise<void> {
  while (await releaseStopped(w.sql, w.service.config));
  await startDuePurges(w)
}

const statusOf = async (id: string): Promise<string> => {
  const rows = await w.sql<{ status: string }>`select status from attachments where id = ${id}`
  const status = rows[0]?.status as string
  return ['purging', 'purged'].includes(status) ? 'gone' : status
}

const fileOf = (order: { id: string }, id: string) => `/orders/${order.id}/ready-files/${id}`

test('both sides of a purchase read the originals, whole or in part, and nobody else does', async () => {
  const ready = await onSale(w, pia, carl, { files: 2 })
  const [file, other] = ready.files as [string, string]
  const order = await bought(zoe, ready)
  const original = await read(w, `/attachments/${file}/download`, { agent: pia })
  for (const agent of [zoe, pia]) {
    const { status, bytes, headers } = await read(w, fileOf(order, file), { agent })
    assert.equal(status, 200)
    assert.equal(sha256(bytes), sha256(original.bytes))
    assert.equal(headers.get('cache-control'), 'private, no-store')
    assert.equal(headers.get('content-disposition'), `attachment; filename="${file}.jpg"`)
  }
  const part = await read(w, fileOf(order, file), { agent: zoe, headers: { range: 'bytes=2-5' } })
  assert.equal(part.status, 206)
  assert.deepEqual(part.bytes, original.bytes.subarray(2, 6))
  const beyond = await read(w, fileOf(order, file), { agent: zoe, headers: { range: 'bytes=9999999-' } })
  assert.equal(beyond.status, 416)
  const head = await read(w, fileOf(order, file), { agent: zoe, method: 'HEAD' })
  assert.deepEqual([head.status, head.bytes.length], [200, 0])
  const etag = head.headers.get('etag') as string
  assert.equal((await read(w, fileOf(order, file), { agent: zoe, headers: { 'if-none-match': etag } })).status, 304)
  assert.equal((await read(w, fileOf(order, other), { agent: zoe })).status, 200)
  const [card] = order.result_attachments
  assert.equal((await read(w, card.download_url, { agent: zoe })).status, 200)
  assert.equal(card.sha256, sha256(original.bytes))

  for (const agent of [carl, yan]) assert.equal((await read(w, fileOf(order, file), { agent })).code, 'not_found')
  assert.equal((await read(w, fileOf(order, file))).status, 401)
  // Neither another door nor another order has them.
  assert.equal((await read(w, `/attachments/${file}/download`, { agent: zoe })).code, 'not_found')
  assert.equal(code(await zoe.get(`/attachments/${file}`)), '404 not_found')
  assert.equal((await read(w, fileOf(ready.order, file), { agent: carl })).code, 'not_found')
  const unrelated = await acceptedOrder(w, carl, pia)
  assert.equal((await read(w, fileOf(order, unrelated.files[0] as string), { agent: zoe })).code, 'not_found')
  for (const path of [`/orders/${order.id}/ready-files/nothing`, `/orders/nothing/ready-files/${file}`]) {
    assert.equal((await read(w, path, { agent: zoe })).code, 'not_found')
  }
  // What holds the file is still the order that it was made for.
  const { binding, can_discard } = (await pia.get(`/attachments/${file}`)).body.attachment
  assert.deepEqual([binding, can_discard], [{ kind: 'order', id: ready.order.id, role: 'result', active: true }, false])
  const discarded = await w.request('DELETE', `/attachments/${file}`, { token: pia.token })
  assert.equal(code(discarded), '409 attachment_bound')
})

test('files stay while the work is sold, for each buyer until its own retention ends, and then are deleted', async () => {
  const ready = await onSale(w, pia, carl)
  const [file] = ready.files as [string]
  const order = await bought(zoe, ready)
  const closed = await step(zoe, order, 'complete')
  assert.equal(closed.result_attachments[0].status, 'retained')
  // Long after their own order has let them go.
  w.travel(days(retention) - hours(1))
  await sweep()
  assert.equal((await read(w, fileOf(order, file), { agent: zoe })).status, 200)
  w.travel(hours(1))
  await sweep()
  assert.equal(await statusOf(file), 'retained')
  assert.equal((await read(w, fileOf(order, file), { agent: zoe })).code, 'not_found')
  assert.equal((await read(w, fileOf(order, file), { agent: pia })).code, 'not_found')
  const gone = (await rereadOrder(zoe, order)).result_attachments[0]
  assert.deepEqual([gone.status, gone.available, gone.download_url], ['purged', false, null])
  assert.equal(new Date(gone.purged_at).getTime(), new Date(closed.closed_at).getTime() + days(retention))

  const late = await bought(yan, await reread(pia, ready))
  assert.equal((await read(w, fileOf(late, file), { agent: yan })).status, 200)
  const { service } = (await withdraw(carl, ready)).body
  assert.equal(service.state, 'archived')
  w.travel(days(retention))
  await sweep()
  // An open order loses nothing.
  assert.equal((await read(w, fileOf(late, file), { agent: yan })).status, 200)
  const disputed = await step(yan, late, 'propose-refund')
  w.travel(days(retention))
  await sweep()
  assert.equal((await read(w, fileOf(late, file), { agent: yan })).status, 200)
  await step(pia, disputed, 'approve-refund')
  await sweep()
  w.travel(days(retention) - hours(1))
  await sweep()
  assert.equal((await read(w, fileOf(late, file), { agent: yan })).status, 200)
  assert.equal(await statusOf(file), 'retained')
  w.travel(hours(2))
  await sweep()
  assert.equal(await statusOf(file), 'gone')
  assert.equal((await read(w, fileOf(late, file), { agent: yan })).code, 'not_found')
  assert.equal((await rereadOrder(yan, late)).result_attachments[0].status, 'purged')
  const [card] = (await reread(pia, ready)).agreement.attachments
  assert.equal(card.available, false)
})

test("a proposal alone keeps no file; one that ends restores the files' deletion day", async () => {
  const left = await acceptedOrder(w, carl, pia)
  const half = await proposed(pia, left.order, left.files)
  assert.equal(code(await consent(pia, half)), '200')
  const stopped = await onSale(w, pia, carl)
  await move(pia, stopped.service, 'archive')
  const waits = await acceptedOrder(w, carl, pia)
  const refused = await agreed(pia, carl, await proposed(pia, waits.order, waits.files))
  w.travel(days(retention) - hours(2))
  await sweep()
  for (const [file] of [left.files, stopped.files, waits.files])
    assert.equal(await statusOf(file as string), 'retained')
  // What was rejected stays for as long again: it may yet be appealed.
  await w.operator('ready', 'reject', refused.service.id, '--reason', 'A story')
  w.travel(hours(3))
  await sweep()
  assert.deepEqual(
    await Promise.all([left.files, stopped.files, waits.files].map(([file]) => statusOf(file as string))),
    ['gone', 'gone', 'retained'],
  )
  w.travel(days(retention))
  await sweep()
  assert.equal(await statusOf(waits.files[0] as string), 'gone')
})

test('a file of two works is deleted when neither needs it', async () => {
  const { order, files } = await acceptedOrder(w, carl, pia)
  const [file] = files as [string]
  const one = await agreed(pia, carl, await proposed(pia, order, files))
  const two = await agreed(pia, carl, await proposed(pia, order, files))
  assert.equal(code(await withdraw(pia, one)), '200')
  w.travel(days(retention) + hours(1))
  await sweep()
  assert.equal(await statusOf(file), 'retained')
  await w.operator('ready', 'approve', two.service.id)
  const purchase = await step(zoe, await bought(zoe, await reread(pia, two)), 'complete')
  assert.equal(code(await withdraw(pia, two)), '200')
  await sweep()
  w.travel(days(retention) - hours(1))
  await sweep()
  assert.equal((await read(w, fileOf(purchase, file), { agent: zoe })).status, 200)
  w.travel(hours(2))
  await sweep()
  assert.equal(await statusOf(file), 'gone')
})

test('simultaneous sweeps, accepting buyers and withdrawals keep the file for its retention', async () => {
  const ready = await onSale(w, pia, carl)
  const orders: Shown[] = []
  for (let at = 0; at < 5; at++) orders.push(await bought(zoe, ready))
  await race(10, async (at) =>
    at < 5
      ? { status: 200, body: await step(zoe, orders[at], 'complete'), headers: new Headers() }
      : withdraw(carl, ready),
  )
  await Promise.all(Array.from({ length: 20 }, sweep))
  assert.equal(await statusOf(ready.files[0] as string), 'retained')
  w.travel(days(retention) + hours(1))
  await Promise.all(Array.from({ length: 20 }, sweep))
  assert.equal(await statusOf(ready.files[0] as string), 'gone')
})

test('only its owner sees a file that a moderator hid, and the work is not sold meanwhile', async () => {
  const ready = await onSale(w, pia, carl)
  const [file] = ready.files as [string]
  const order = await bought(zoe, ready)
  const hide = (hidden: boolean) => w.service.sql.transaction((tx) => note(tx, 'attachment', file, hidden))
  await hide(true)
  assert.equal((await read(w, fileOf(order, file), { agent: zoe })).code, 'not_found')
  assert.equal((await read(w, fileOf(order, file), { agent: pia })).status, 200)
  assert.deepEqual((await rereadOrder(zoe, order)).result_attachments, [])
  const refused = await yan.post(`/services/${ready.service.id}/ready/purchase`, {
    operation_id: order.id,
    expected_version: ready.service.version,
    expected_digest: ready.agreement.digest,
    confirmed_total_minor: 11_000,
    license_code: 'nonexclusive-no-resale-v1',
  })
  assert.equal(code(refused), '409 service_unavailable')
  await hide(false)
  assert.equal((await read(w, fileOf(order, file), { agent: zoe })).status, 200)
})

test('progress files of a purchase are bound to it, as in any order', async () => {
  const ready = await onSale(w, pia, carl)
  const order = await bought(zoe, ready)
  const update = { operation_id: ready.service.id, expected_version: order.version, text: 'It prints well' }
  const answer = await zoe.post(`/orders/${order.id}/updates`, update)
  assert.equal(code(answer), '201')
  assert.equal(answer.body.order.result_attachments.length, 1)
  assert.ok(inTime(w, 0) >= order.deadline)
})
