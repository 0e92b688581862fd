// Ada and Bob trade work on the real service through the client, while answers get lost and orders change: what was meant
// once happens once, and money is where the ledger says.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { wav } from '../../server/test/corpus-media.ts'
import { uploadInspected } from '../../server/test/files.ts'
import { pluck } from '../../server/test/pluck.ts'
import { beforehand, story } from '../../server/test/story.ts'
import { credits, KithInputError, minorOf, type Order, openIdentity } from '../src/node.ts'
import { all, losing } from './lost.ts'
import { befriended, identities } from './registered.ts'

const { w } = story()
const { folderOf, ada, bob } = identities(w, 'ada', 'bob')
beforehand(() => befriended(ada, bob))

const tomorrow = () => new Date(Date.now() + 86_400_000).toISOString()

const offer = (title: string) =>
  ada.orders.offerQuick({ title, amount_minor: 1000, contractor_id: bob.passport.bot.id, confirmed_total_minor: 1100 })

test('credits are written exactly, at any size', () => {
  for (const [minor, text] of [
    [0, '0.00'],
    [5, '0.05'],
    [-1001, '-10.01'],
    [1_000_000_000_000, '10000000000.00'],
    [9_000_000_000_000_007, '90000000000000.07'],
  ] as const) {
    assert.equal(credits(minor), text)
    if (minor >= 0) assert.equal(minorOf(text), minor)
  }
  assert.deepEqual([minorOf('12'), minorOf('12.5'), minorOf('0.29')], [1200, 1250, 29])
  const form = 'credits are written like 12 or 12.50'
  for (const [wrong, why] of [
    ...['', '-1', '+1', '1e3', ' 1', '1 ', '.5', '1.', '٣', '0x10', 'Infinity', '1_000', '1.5.0'].map((text) => [
      text,
      form,
    ]),
    ['1,5', `${form}, with a point`],
    ['0.001', `${form}, with two digits behind the point`],
    ['99999999999999.99', 'there are not that many credits'],
    ['10000000000000000', 'there are not that many credits'],
  ] as const)
    assert.throws(() => minorOf(wrong), new KithInputError(why), wrong)
  assert.throws(() => credits(0.5))
})

test('two friends trade work, and the ledger explains each balance', async () => {
  const price = await ada.orders.quote(10_005)
  assert.deepEqual([price.fee_minor, price.total_minor], [1001, 11_006])
  assert.deepEqual(await ada.pending(), [])
  const attachment = await uploadInspected(ada, { source: wav(1), purpose: 'order' })
  const input = { title: 'A logo', description: 'Round', deadline: tomorrow(), amount_minor: 10_005 }
  const sides = { contractor_id: bob.passport.bot.id, confirmed_total_minor: 11_006 }
  const made = await ada.orders.offer({ ...input, ...sides, input_attachment_ids: [attachment.id] })
  const { id } = made
  assert.deepEqual([made.state, made.version, made.input_attachments[0]!.id], ['offered', 1, attachment.id])

  const accept = { expected_version: 1, confirmed_total_minor: 11_006 }
  await assert.rejects(ada.orders.accept(id, accept), { status: 403, code: 'forbidden' })
  await bob.orders.accept(id, accept)
  await bob.orders.start(id, { expected_version: 2 })
  const sketch = await uploadInspected(bob, { source: wav(2), purpose: 'order' })
  const asked = await ada.orders.updates.add(id, { expected_version: 3, text: 'How is it going?' })
  assert.deepEqual([asked.order.version, asked.update.version], [4, 4])
  const files = [sketch.id]
  const { update } = await bob.orders.updates.add(id, { expected_version: 4, attachment_ids: files })
  assert.equal((await ada.orders.updates.get(id, update.id)).attachments[0]!.id, files[0])
  const log = await all(ada.orders.updates.list(id, { limit: 1 }))
  assert.deepEqual(pluck(log, 'text'), ['', 'How is it going?'])
  await bob.orders.deliver(id, { expected_version: 5, result_text: 'Here' })
  const closed = await ada.orders.complete(id, { expected_version: 6 })
  assert.deepEqual([closed.state, closed.outcome, closed.result_text], ['closed', 'accepted', 'Here'])

  const { history } = await bob.orders.get(id)
  assert.deepEqual(pluck(history, 'action'), ['offer', 'accept', 'start', 'update', 'update', 'deliver', 'complete'])
  const entries = await all(ada.wallet.history({ limit: 1 }))
  assert.deepEqual(
    entries.map(({ kind, amount_minor, available_after_minor, reserved_after_minor }) => [
      kind,
      amount_minor,
      available_after_minor,
      reserved_after_minor,
    ]),
    [
      ['capture', 0, 488_994, 0],
      ['reserve', -11_006, 488_994, 11_006],
      ['grant', 500_000, 500_000, 0],
    ],
  )
  const { available_minor, reserved_minor } = await bob.wallet.get()
  assert.deepEqual([available_minor, reserved_minor], [510_005, 0])
})

test('both sides review each other, and see the reviews once both are filed', async () => {
  const [{ id }] = (await all(ada.orders.list({ state: 'closed' }))) as [Order]
  const form = await ada.reviews.form(id)
  assert.deepEqual(
    [form.role, form.filed, form.criteria],
    ['customer', false, ['quality', 'timeliness', 'communication']],
  )
  const common = { rating: 5, recommend: true, publication_confirmed: true } as const
  const criteria = { quality: 5, timeliness: 5, communication: 4 }
  await ada.reviews.file(id, { ...common, criteria, text: 'Round' })
  assert.deepEqual(await all(ada.reviews.of(bob.passport.bot.id)), [])
  const unlucky = await openIdentity(folderOf('bob'), { runtime: losing(/POST .*\/reviews$/, 2) })
  await unlucky.reviews.file(id, { ...common, criteria: { brief_clarity: 4, cooperation: 5, acceptance: 5 } })
  const [said] = await all(ada.reviews.of(bob.passport.bot.id, { role: 'contractor', page_size: 1 }))
  assert.deepEqual([said!.author!.handle, said!.rating, said!.criteria], ['ada', 5, criteria])
  assert.equal((await all(bob.reviews.of(ada.passport.bot.id))).length, 1)
})

test('an offer may be repriced, cancelled, declined and listed', async () => {
  const first = await offer('one')
  const dearer = await bob.orders.reprice(first.id, { expected_version: 1, amount_minor: 2000 })
  assert.deepEqual([dearer.total_minor, dearer.offer_author_id], [2200, bob.passport.bot.id])
  assert.equal((await ada.orders.reject(first.id, { expected_version: 2 })).state, 'rejected')
  const second = await offer('two')
  assert.equal((await ada.orders.cancel(second.id, { expected_version: 1 })).state, 'cancelled')
  const titles = (list: Order[]) => list.map(({ title }) => title)
  assert.deepEqual(titles(await all(bob.orders.list({ role: 'contractor', page_size: 1 }))), ['two', 'one', 'A logo'])
  assert.deepEqual(titles(await all(bob.orders.list({ state: 'rejected' }))), ['one'])
  assert.deepEqual(await all(bob.orders.list({ role: 'customer' })), [])
})

test('an acceptance whose responses are lost happens once, in this run or the next', async () => {
  const [one, two] = [await offer('one'), await offer('two')]
  const before = await ada.wallet.get()
  const ask = { expected_version: 1, confirmed_total_minor: 1100 }
  const runtime = losing(/POST .*\/accept$/, 3)
  const unlucky = await openIdentity(folderOf('bob'), { runtime })
  assert.equal((await unlucky.orders.accept(one.id, ask)).state, 'funded')
  assert.deepEqual([runtime.bodies.length, new Set(runtime.bodies).size], [4, 1])

  const operationId = '0198c000-0000-7000-8000-0000000acce9'
  const silenced = await openIdentity(folderOf('bob'), {
    runtime: losing(/POST .*\/accept$/, 99),
    retry: { attempts: 2 },
  })
  await assert.rejects(silenced.orders.accept(two.id, ask, { operationId }), { name: 'KithNetworkError', operationId })
  await ada.orders.updates.add(two.id, { expected_version: 2, text: 'Good' })
  const next = await openIdentity(folderOf('bob'))
  const [outcome] = await next.resumePending()
  assert.equal((outcome!.answer!.body as { order: Order }).order.version, 3)
  // The program that asks again reads what it said, for the version is another by now.
  const said = JSON.parse((await next.saved(operationId))!.body!)
  assert.equal(said.expected_version, 1)
  await next.orders.accept(two.id, { expected_version: 1, confirmed_total_minor: 1100 }, { operationId })
  const other = { expected_version: 3, confirmed_total_minor: 1100 }
  await assert.rejects(next.orders.accept(two.id, other, { operationId }), { name: 'KithReusedIdError' })
  assert.equal(await next.saved('0198c000-0000-7000-8000-00000000beef'), undefined)
  const { reserved_minor, available_minor } = await ada.wallet.get()
  assert.deepEqual([reserved_minor, available_minor], [2200, before.available_minor - 2200])
  const { history } = await ada.orders.get(two.id)
  assert.deepEqual(pluck(history, 'action'), ['offer', 'accept', 'update'])
})

test('a dispute ends in agreement, or goes to support', async () => {
  const [one, two] = await all(ada.orders.list({ state: 'funded' }))
  const reason = 'I fell ill'
  const disputed = await bob.orders.proposeRefund(one!.id, { expected_version: one!.version, reason })
  assert.deepEqual([disputed.state, disputed.refund_proposed_by], ['disputed', bob.passport.bot.id])
  await assert.rejects(bob.orders.approveRefund(one!.id, { expected_version: disputed.version }), { code: 'forbidden' })
  const back = await ada.orders.approveRefund(one!.id, { expected_version: disputed.version })
  assert.deepEqual([back.state, back.outcome], ['closed', 'refunded'])
  assert.equal((await ada.orders.disputeCase(one!.id)).decision, 'refund')

  const late = await ada.orders.dispute(two!.id, { expected_version: two!.version, reason: 'late' })
  await ada.orders.escalateDispute(two!.id, { expected_version: late.version, reason: 'silence' })
  const found = await bob.orders.disputeCase(two!.id)
  assert.deepEqual([found.status, found.reason], ['escalated', 'late'])
  assert.deepEqual((await ada.staff.me()).roles, [])
})

test('an agenda loop yields each waiting item once while it is being answered', async () => {
  const titles = ['One', 'Two', 'Three', 'Four', 'Five']
  const ids = []
  for (const title of titles) ids.push((await offer(title)).id)
  const seen: string[] = []
  for await (const item of bob.agenda({ limit: 2 })) {
    if (!ids.includes(item.id)) continue
    seen.push(item.id)
    assert.deepEqual(pluck(item.actions, 'name'), ['accept', 'reject', 'reprice'])
    await bob.orders.reject(item.id, { expected_version: 1 })
  }
  assert.deepEqual(seen.sort(), ids.sort())
  for await (const item of bob.agenda()) assert.ok(!ids.includes(item.id))
})

test('at a start unfinished requests are resent, and waiting items are dispatched by kind', async () => {
  const [first, second] = [await offer('Before'), await offer('After')]
  const silenced = await openIdentity(folderOf('bob'), {
    runtime: losing(/POST .*\/reject$/, 99),
    retry: { attempts: 1 },
  })
  await assert.rejects(silenced.orders.reject(first.id, { expected_version: 1 }), { name: 'KithNetworkError' })
  const next = await openIdentity(folderOf('bob'))
  const handed: string[] = []
  const left = await next.reconcile({
    async order({ id }) {
      handed.push(id)
      if (id === second.id) await next.orders.reject(id, { expected_version: 1 })
    },
  })
  assert.ok(handed.includes(second.id) && !handed.includes(first.id))
  assert.ok(left.every(({ kind }) => kind !== 'order'))
  assert.deepEqual(await next.pending(), [])
  for (const { id } of [first, second]) assert.equal((await next.orders.get(id)).order.state, 'rejected')
})

test('a brief list has the same records in fewer bytes', async () => {
  const full = await Array.fromAsync(ada.orders.list())
  const brief = await Array.fromAsync(ada.brief('GET /orders', { query: { page_size: 3 } }))
  assert.deepEqual(
    brief.map(({ id, handle }) => [id, handle]),
    full.map(({ id }) => [id, 'bob']),
  )
  assert.ok(JSON.stringify(brief).length * 3 < JSON.stringify(full).length)
})
