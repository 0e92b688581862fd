// The files of an order: who reads them, what may be bound, what holds them, and when they go.
// docs/contract/orders.md#files and docs/contract/authentication.md#the-gate.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { jpeg } from '../../../test/corpus.ts'
import { silentMp3 } from '../../../test/corpus-media.ts'
import { givenFile, startDuePurges } from '../../../test/files.ts'
import {
  attempt,
  type Condition,
  conditions,
  offer,
  offerBody,
  reread,
  type Shown,
  step,
  trade,
} from '../../../test/orders.ts'
import { pluck } from '../../../test/pluck.ts'
import { beforehand, story } from '../../../test/story.ts'
import { turnSuspended } from '../../../test/turning.ts'
import { assertFilesAddUp, read, sha256, upload, uploaded } from '../../../test/upload.ts'
import { type Agent, type Answer, code, eventually, race, someoneWaits } from '../../../test/world.ts'
import { days, hours } from '../../kernel/clock.ts'
import { purgeNext } from '../attachments/purge.ts'

const ends: Condition[] = ['accepted', 'refunded', 'cancelled', 'rejected']
const open = conditions.filter((condition) => !ends.includes(condition))
const kept = days(2)

let ada: Agent
let bob: Agent
let eve: Agent
const { w } = story({ env: { FILE_RETENTION_DAYS: '2' } })
beforehand(async () => {
  ;[ada, bob] = await w.friends('ada', 'bob')
  eve = await w.agent('eve')
})

const update = (who: Agent, order: Shown, fields: Record<string, unknown>): Promise<Answer> =>
  who.post(`/orders/${order.id}/updates`, { operation_id: randomUUID(), expected_version: order.version, ...fields })
const orderFile = (who: Agent): Promise<string> => givenFile(w, who, { purpose: 'order', file_format: 'mp3' })
const cardOf = async (who: Agent, id: string): Promise<Shown> => (await who.get(`/attachments/${id}`)).body.attachment
const discard = (who: Agent, id: string) => w.request('DELETE', `/attachments/${id}`, { token: who.token })
const usageOf = async (who: Agent): Promise<Shown> => (await who.get('/attachments/storage')).body.storage
const codes = (answers: readonly Answer[]): string[] => answers.map(code).sort()
const idsOf = (cards: { id: string }[]): string[] => cards.map(({ id }) => id)

const doors = ['', '/download', '/preview', '/stream']
const seen = async (id: string, agent?: Agent): Promise<number[]> => {
  const answers = await Promise.all(doors.map((door) => read(w, `/attachments/${id}${door}`, agent ? { agent } : {})))
  return answers.map(({ status }) => status)
}

test('inputs, results and progress files: both sides read the originals, nobody else anything', async () => {
  const [photo, sound] = [await jpeg(), silentMp3(1)]
  const [brief, track, sketch] = await Promise.all([
    uploaded(w, ada, photo, { purpose: 'order' }),
    uploaded(w, bob, sound, { purpose: 'order' }),
    uploaded(w, bob, await jpeg({ width: 90 }), { purpose: 'order' }),
  ])
  const offered = await offer(w, ada, bob, { input_attachment_ids: [brief.id] })
  const picture = [200, 200, 200, 404]
  assert.deepEqual(await seen(brief.id, bob), picture, 'of an offer too')
  assert.deepEqual(
    [await seen(sketch.id, ada), await seen(brief.id, eve), await seen(brief.id)],
    Array(3).fill([404, 404, 404, 404]),
  )
  const started = await step(bob, await step(bob, offered, 'accept'), 'start')
  const shown = await update(bob, started, { attachment_ids: [sketch.id] })
  const delivered = await step(bob, shown.body.order, 'deliver', { result_attachment_ids: [track.id], result_text: '' })
  assert.deepEqual(
    [idsOf(delivered.input_attachments), idsOf(delivered.result_attachments)],
    [[brief.id], [track.id]],
    'what is shown on the way is in the log only',
  )
  for (const [{ id }, owner, other, role, expected] of [
    [brief, ada, bob, 'input', picture],
    [sketch, bob, ada, 'progress', picture],
    [track, bob, ada, 'result', [200, 200, 404, 200]],
  ] as const) {
    assert.deepEqual([await seen(id, owner), await seen(id, other)], [expected, expected], role)
    assert.deepEqual([await seen(id, eve), await seen(id)], Array(2).fill([404, 404, 404, 404]), role)
    const [own, theirs] = [await cardOf(owner, id), await cardOf(other, id)]
    assert.deepEqual(own.binding, { kind: 'order', id: offered.id, role, active: true })
    const { upload_id, allocated_bytes, can_discard, binding, original_name, ...card } = own
    assert.deepEqual([theirs, theirs.can_download_original, can_discard], [card, true, false])
    const bytes = await read(w, theirs.download_url, { agent: other })
    assert.deepEqual([bytes.status, sha256(bytes.bytes)], [200, theirs.sha256])
    assert.equal(bytes.headers.get('cache-control'), 'private, no-store')
  }
  assert.equal((await read(w, `/attachments/${brief.id}/download`, { agent: bob })).bytes.equals(photo), true)
  assert.equal((await read(w, `/attachments/${track.id}/stream`, { agent: ada })).bytes.equals(sound), true)
  await assertFilesAddUp(w)
})

test('files that may not be bound to an order are refused, and a refusal binds nothing', async () => {
  const order = await trade(w, ada, bob, 'in_progress', { input_attachment_ids: [await orderFile(ada)] })
  const fine = await orderFile(bob)
  const other = await orderFile(bob)
  await trade(w, bob, ada, 'funded', { input_attachment_ids: [other] })
  const closed = await orderFile(bob)
  await trade(w, bob, ada, 'cancelled', { input_attachment_ids: [closed] })
  const shownByAda = await orderFile(ada)
  const now = (await update(ada, order, { attachment_ids: [shownByAda] })).body.order
  const unusable: [string, string][] = [
    ['of nobody', randomUUID()],
    ['of the other side', await orderFile(ada)],
    ['shown here by the other side', shownByAda],
    ['an input of the other side', order.input_attachments[0].id],
    ...(await Promise.all(
      (['avatar', 'character', 'portfolio'] as const).map(
        async (purpose): Promise<[string, string]> => [purpose, await givenFile(w, bob, { purpose })],
      ),
    )),
    ...(await Promise.all(
      (['pending', 'rejected', 'purging', 'purged'] as const).map(
        async (status): Promise<[string, string]> => [status, await givenFile(w, bob, { purpose: 'order', status })],
      ),
    )),
    ['kept for an order that ended', closed],
  ]
  const tries: ((ids: string[]) => Promise<Answer>)[] = [
    (ids) => update(bob, now, { attachment_ids: ids }),
    (ids) => attempt(bob, now, 'deliver', { result_attachment_ids: ids }),
    (ids) => bob.post('/orders', offerBody(w, ada, { input_attachment_ids: ids })),
  ]
  for (const attach of tries) {
    for (const [what, id] of unusable) assert.equal(code(await attach([fine, id])), '404 invalid_attachment', what)
    assert.equal(code(await attach([fine, other])), '409 attachment_already_bound')
  }
  assert.equal((await cardOf(bob, fine)).binding, null)
  assert.equal((await reread(bob, order)).version, now.version)
  const delivered = await step(bob, now, 'deliver', { result_attachment_ids: [fine] })
  const result = await update(bob, delivered, { attachment_ids: [fine] })
  assert.equal(code(result), '409 attachment_already_bound', 'a result of the same order is no progress file')
})

test('nothing removes the files of an open or disputed order, and its end sets the deletion day', async () => {
  const held = await Promise.all(
    conditions.map(async (condition) => {
      const id = await orderFile(ada)
      return { condition, id, order: await trade(w, ada, bob, condition, { input_attachment_ids: [id] }) }
    }),
  )
  w.travel(kept - hours(1))
  await startDuePurges(w)
  for (const { condition, id, order } of held) {
    const { status, binding } = await cardOf(ada, id)
    assert.deepEqual([status, binding.active], [open.includes(condition) ? 'ready' : 'retained', true], condition)
    assert.equal(code(await discard(ada, id)), '409 attachment_bound', condition)
    assert.equal(code(await discard(bob, id)), '404 not_found')
    assert.deepEqual(idsOf((await reread(bob, order)).input_attachments), [id])
    const [row] = await w.sql<{ purge_after: Date | null }>`select purge_after from attachments where id = ${id}`
    const end = new Date(order.updated_at).getTime() + kept
    assert.equal(row?.purge_after?.getTime(), open.includes(condition) ? undefined : end, condition)
  }
  w.travel(days(40))
  // The tokens are older than a month now.
  ;[ada, bob] = await w.friends('ada_again', 'bob_again')
  eve = await w.agent('eve_again')
  await startDuePurges(w)
  const rows = await w.sql<{ id: string; status: string }>`
    select id, status from attachments where id = any(${held.map(({ id }) => id)}::uuid[])`
  for (const { condition, id } of held) {
    const { status } = rows.find((row) => row.id === id) as { status: string }
    assert.equal(status === 'ready', open.includes(condition), `${condition}: ${status}`)
  }
})

test('after the end files are kept and counted for the retention, late ones included, then deleted for both', async () => {
  const [ours, theirs] = [
    await uploaded(w, ada, await jpeg({ width: 91 }), { purpose: 'order' }),
    await uploaded(w, bob, await jpeg({ width: 92 }), { purpose: 'order' }),
  ]
  const [before, beforeBob] = [await usageOf(ada), await usageOf(bob)]
  const delivered = await trade(w, ada, bob, 'in_progress', { input_attachment_ids: [ours.id] }).then((order) =>
    step(bob, order, 'deliver', { result_attachment_ids: [theirs.id] }),
  )
  const closed = await step(ada, delivered, 'complete')
  assert.deepEqual(
    [...closed.input_attachments, ...closed.result_attachments].map(({ status, available }) => [status, available]),
    Array(2).fill(['retained', true]),
  )
  assert.deepEqual((await usageOf(ada)).bytes, before.bytes, 'retained bytes still count')
  assert.deepEqual((await usageOf(ada)).unbound_ready, { files: 0, bytes: 0 })
  const retained = await bob.get('/attachments?scope=all&status=retained')
  assert.deepEqual(idsOf(retained.body.attachments), [theirs.id])
  assert.deepEqual((await bob.get('/attachments?status=retained')).body.attachments, [], 'it is not unbound')

  w.travel(kept - hours(1))
  const late = await uploaded(w, bob, await jpeg({ width: 93 }), { purpose: 'order' })
  const told = await update(bob, closed, { text: 'A better one', attachment_ids: [late.id] })
  assert.equal(code(told), '201', JSON.stringify(told.body))
  assert.deepEqual(pluck(told.body.update.attachments, 'status'), ['retained'])
  assert.deepEqual(await seen(late.id, ada), [200, 200, 200, 404])
  const again = await update(bob, told.body.order, { attachment_ids: [late.id] })
  assert.equal(code(again), '404 invalid_attachment', 'a file that is kept is not ready')
  const due = await w.sql`
    select distinct purge_after from attachments where id = any(${[ours.id, theirs.id, late.id]}::uuid[])`
  assert.deepEqual(due, [{ purge_after: new Date(new Date(closed.closed_at).getTime() + kept) }])

  w.travel(hours(1))
  const tooLate = await update(bob, told.body.order, { text: 'Too late' })
  assert.equal(code(tooLate), '409 closed_order_update_window_expired')
  await startDuePurges(w)
  for (const [owner, other, { id }] of [
    [ada, bob, ours],
    [bob, ada, theirs],
    [bob, ada, late],
  ] as const) {
    const own = await eventually(async () => {
      await purgeNext(w.service)
      const card = await cardOf(owner, id)
      return card.status === 'purged' ? card : undefined
    }, 'a purged file')
    assert.deepEqual([own.available, own.allocated_bytes, own.binding.id], [false, 0, closed.id])
    assert.deepEqual([await seen(id, owner), await seen(id, other)], Array(2).fill([200, 404, 404, 404]))
    const { available, purged_at, download_url } = await cardOf(other, id)
    assert.deepEqual([available, purged_at, download_url], [false, own.purged_at, null])
    assert.equal((await read(w, `/attachments/${id}`, { agent: eve })).status, 404)
  }
  const now = await reread(ada, closed)
  const [{ attachments }] = (await ada.get(`/orders/${closed.id}/updates`)).body.updates
  assert.deepEqual(
    [...now.input_attachments, ...now.result_attachments, ...attachments].map(({ id, status, available }) => [
      id,
      status,
      available,
    ]),
    [ours, theirs, late].map(({ id }) => [id, 'purged', false]),
  )
  assert.equal((await usageOf(ada)).bytes.used, before.bytes.used - ours.allocated_bytes)
  assert.equal((await usageOf(bob)).bytes.used, beforeBob.bytes.used - theirs.allocated_bytes)
  assert.equal((await usageOf(bob)).files.used, beforeBob.files.used - 1)
})

test('the only file of an order is deleted with it too, shown before its end or after', async () => {
  const [early, late] = [await orderFile(bob), await orderFile(bob)]
  const delivered = await trade(w, ada, bob, 'delivered')
  const shown = await update(bob, delivered, { attachment_ids: [early] })
  await step(ada, shown.body.order, 'complete')
  await update(bob, await trade(w, ada, bob, 'accepted'), { attachment_ids: [late] })
  for (const id of [early, late]) assert.equal((await cardOf(bob, id)).status, 'retained')
})

test('a file that twenty requests want at once joins one order', async () => {
  const wanted = await orderFile(bob)
  const [one, two] = [await trade(w, ada, bob, 'funded'), await trade(w, ada, bob, 'in_progress')]
  const answers = await race(20, (n) => {
    if (n % 4 === 0) return bob.post('/orders', offerBody(w, ada, { input_attachment_ids: [wanted], amount_minor: 1 }))
    if (n % 4 === 1) return attempt(bob, two, 'deliver', { result_attachment_ids: [wanted] })
    return update(bob, n % 4 === 2 ? one : two, { text: `${n}`, attachment_ids: [wanted] })
  })
  const won = answers.filter(({ status }) => status < 300)
  assert.equal(won.length, 1, codes(answers).join())
  for (const answer of answers.filter((each) => !won.includes(each))) {
    assert.match(code(answer), /^409 (attachment_already_bound|version_conflict)$/)
  }
  const bound = await w.sql<{ subject_id: string }>`
    select subject_id from attachment_bindings where attachment_id = ${wanted}`
  assert.deepEqual(
    bound.map((each) => each.subject_id),
    [won[0]?.body.order.id],
  )
})

test('discarding a file and binding it exclude each other', async () => {
  let order = await trade(w, ada, bob, 'funded')
  for (let round = 0; round < 8; round++) {
    const file = await orderFile(bob)
    const [gone, shown] = await Promise.all([discard(bob, file), update(bob, order, { attachment_ids: [file] })])
    const outcome = [code(gone), code(shown)].join()
    assert.ok(['202,404 invalid_attachment', '409 attachment_bound,201'].includes(outcome), outcome)
    order = await reread(bob, order)
  }
})

test('orders that end while their files are wanted elsewhere never deadlock, in any order of IDs', async () => {
  for (let round = 0; round < 3; round++) {
    const files = await Promise.all(Array.from({ length: 10 }, () => orderFile(bob)))
    let order = await trade(w, ada, bob, 'in_progress')
    order = (await update(bob, order, { attachment_ids: files.slice(0, 5).reverse() })).body.order
    order = await step(bob, order, 'deliver', { result_attachment_ids: files.slice(5).reverse() })
    const answers = await race(12, (n) => {
      if (n === 5) return attempt(ada, order, 'complete')
      const ids = n % 2 ? files : files.toReversed()
      return n % 3
        ? discard(bob, ids[n] ?? (ids[0] as string))
        : bob.post('/orders', offerBody(w, ada, { input_attachment_ids: ids }))
    })
    assert.equal(code(answers[5] as Answer), '200')
    for (const answer of answers.filter((_, n) => n !== 5)) {
      assert.match(code(answer), /^(409 attachment_bound|409 attachment_already_bound|404 invalid_attachment)$/)
    }
    for (const id of files) assert.equal((await cardOf(bob, id)).status, 'retained')
  }
})

test('an order that ends locks its files by ID, and holds none while it waits for the first', async () => {
  const files = (await Promise.all(Array.from({ length: 5 }, () => orderFile(bob)))).sort()
  const order = await trade(w, ada, bob, 'delivered')
  const shown = await update(bob, order, { attachment_ids: files.toReversed() })
  const { closing } = await w.service.sql.transaction(async (tx) => {
    await tx`select 1 from attachments where id = ${files[0]} for update`
    const closing = attempt(ada, shown.body.order, 'complete')
    await someoneWaits(w, 'the order to wait for its first file')
    await tx`select 1 from attachments where id = any(${files.slice(1)}::uuid[]) for update nowait`
    return { closing }
  })
  assert.equal(code(await closing), '200')
})

test('a block or a suspension leaves a running order its files, updates and uploads, and nothing else', async () => {
  const [max, zoe, contact] = await w.friends('max', 'zoe')
  const send = async (purpose: string) => {
    const answer = await upload(w, zoe, await jpeg({ width: 94 }), { purpose })
    return { ...answer, code: code(answer) }
  }
  const brief = await uploaded(w, max, await jpeg({ width: 95 }), { purpose: 'order' })
  const order = await trade(w, max, zoe, 'offered', { input_attachment_ids: [brief.id] })
  const suspend = (agent: Agent, suspended = true) => turnSuspended(w, agent.id, suspended)
  await suspend(zoe)
  assert.equal((await send('order')).code, '403 profile_inactive', 'an offer obliges to nothing')
  await suspend(zoe, false)
  let now = await step(zoe, order, 'accept')
  assert.equal(code(await max.post(`/contacts/${contact}/block`)), '200')
  await suspend(zoe)
  assert.deepEqual(await seen(brief.id, zoe), [200, 200, 200, 404])
  for (const next of ['start', 'deliver', 'propose-refund'] as const) {
    const sent = await send('order')
    assert.equal(sent.code, '201', JSON.stringify(sent.body))
    const { id } = sent.body.attachment
    now = (await update(zoe, now, { attachment_ids: [id] })).body.order
    assert.deepEqual(await seen(id, max), [200, 200, 200, 404], `of a suspended agent, before ${next}`)
    now = await step(zoe, now, next)
  }
  assert.equal((await send('order')).code, '201', 'in a dispute')
  for (const purpose of ['portfolio', 'avatar']) assert.equal((await send(purpose)).code, '403 profile_inactive')
  now = await step(max, now, 'approve-refund')
  await suspend(max)
  for (const who of [max, zoe]) assert.deepEqual(await seen(brief.id, who), [200, 200, 200, 404], 'while it is kept')
  assert.equal((await send('order')).code, '403 profile_inactive', 'there is nothing left to end')
})

test('a suspended agent uploads for an accepted order while it takes updates', async () => {
  const [kim, lou] = await w.friends('kim', 'lou')
  const order = await trade(w, kim, lou, 'accepted')
  await turnSuspended(w, lou.id, true)
  w.travel(kept - hours(1))
  const sent = await upload(w, lou, await jpeg({ width: 96 }), { purpose: 'order' })
  assert.equal(code(sent), '201')
  const added = await update(lou, await reread(lou, order), { attachment_ids: [sent.body.attachment.id] })
  assert.equal(code(added), '201')
  w.travel(hours(1))
  assert.equal(code(await update(lou, added.body.order, { text: 'Late' })), '409 closed_order_update_window_expired')
  assert.equal(code(await upload(w, lou, await jpeg({ width: 97 }), { purpose: 'order' })), '403 profile_inactive')
})
