// Attempts to break the selling of ready-made works or to spy on them, purchases decided by support, and who gets
// events about one. docs/contract/ready.md.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { givenFile } from '../../../test/files.ts'
import { heard } from '../../../test/heard.ts'
import { type Condition, money, reread as rereadOrder, step, trade } from '../../../test/orders.ts'
import {
  acceptedOrder,
  bought,
  buy,
  onSale,
  proposeBody,
  proposed,
  type Ready,
  reread,
  type Shown,
} from '../../../test/ready.ts'
import { reviewBody } from '../../../test/reviews.ts'
import { decide } from '../../../test/staff.ts'
import { story } from '../../../test/story.ts'
import { turnHidden, turnSuspended } from '../../../test/turning.ts'
import { type Agent, code } from '../../../test/world.ts'
import type { HiddenKind } from '../moderation/hidden.ts'

const { w, pia, carl, zoe, yan } = story('zoe', 'yan', { friends: ['pia', 'carl'] })

const balances = (...who: Agent[]): Promise<[number, number][]> => Promise.all(who.map(money))

test('support refunds a purchase completely, or resumes it and the shares are paid', async () => {
  const ready = await onSale(w, pia, carl)
  const judge = await w.staff('judge')
  for (const [decision, state, [spent, paid, share]] of [
    ['refund', 'closed', [0, 0, 0]],
    ['resume', 'delivered', [-11_000, 7000, 3000]],
  ] as const) {
    const before = await balances(zoe, pia, carl)
    const escalated = await step(zoe, await step(zoe, await bought(zoe, ready), 'dispute'), 'escalate-dispute')
    assert.equal(code(await decide(judge, escalated, { decision })), '200')
    const now = await rereadOrder(zoe, escalated)
    assert.equal(now.state, state)
    if (decision === 'resume') await step(zoe, now, 'complete')
    const free = (await balances(zoe, pia, carl)).map(([available], at) => available - (before[at]?.[0] ?? 0))
    assert.deepEqual(free, [spent, paid, share], decision)
  }
})

test('the longest texts come back unchanged', async () => {
  const { order } = await acceptedOrder(w, carl, pia, { files: 0 })
  const title = '<script>alert(1)</script> שלום 🜁'
  const ready = await proposed(pia, order, [], { service: { title }, result_text: '𝔸'.repeat(8000) })
  assert.deepEqual([ready.service.title, ready.agreement.result_text.length], [title, 16_000])
})

test('only the result of an accepted order can be resold: no input, no progress, no other file', async () => {
  const given = (who: Agent) => givenFile(w, who, { purpose: 'order', file_format: 'mp3' })
  const [input, progress, result, loose] = [await given(carl), await given(pia), await given(pia), await given(pia)]
  const funded = await trade(w, carl, pia, 'funded', { amount_minor: 20_000, input_attachment_ids: [input] })
  const update = { operation_id: randomUUID(), expected_version: funded.version, attachment_ids: [progress] }
  const shown = (await pia.post(`/orders/${funded.id}/updates`, update)).body.order
  const order = await step(carl, await step(pia, shown, 'deliver', { result_attachment_ids: [result] }), 'complete')
  for (const [what, id] of Object.entries({ input, progress, loose, foreign: await given(zoe) })) {
    assert.equal(
      code(await pia.post('/ready-services', proposeBody(order, [result, id]))),
      '404 invalid_attachment',
      what,
    )
  }
  assert.equal((await pia.get(`/attachments/${loose}`)).body.attachment.binding, null)
  for (const condition of ['funded', 'in_progress', 'disputed', 'rejected'] satisfies Condition[]) {
    const other = await trade(w, carl, pia, condition, { amount_minor: 20_000 })
    assert.equal(code(await pia.post('/ready-services', proposeBody(other, []))), '409 invalid_state', condition)
  }
})

test('the catalogue does not reveal the first customer, the order, the result or the shares', async () => {
  const ready = await onSale(w, pia, carl, { result_text: 'zebra', customer_share_bps: 4321 })
  const { service } = ready
  const order = await bought(zoe, ready)
  const of = async (who: Agent, path: string): Promise<string> => JSON.stringify((await who.get(path)).body)
  for (const path of [
    `/services/${service.id}`,
    `/services?provider_id=${pia.id}&limit=50`,
    '/services?q=logo&limit=50',
  ]) {
    const told = await of(yan, path)
    assert.ok(told.includes(service.id), path)
    for (const word of ['zebra', '4321', carl.id, ready.order.id, ...ready.files]) {
      assert.ok(!told.includes(word), `${path} tells of ${word}`)
    }
  }
  const bill = await of(zoe, `/orders/${order.id}`)
  for (const word of ['4321', carl.id, ready.order.id]) assert.ok(!bill.includes(word), `the buyer reads ${word}`)
  assert.equal(code(await carl.get(`/orders/${order.id}`)), '404 not_found')
  assert.equal(code(await zoe.get(`/services/${service.id}/ready`)), '404 not_found', 'a buyer has no part in it')
  for (const who of [carl, pia]) {
    const card = await of(who, `/services/${service.id}/ready`)
    assert.ok(card.includes('zebra') && card.includes('4321'), who.handle)
    assert.ok(!card.includes(zoe.id) && !card.includes(order.id), 'nor do its sides read here who bought it')
  }
})

test('a closed, suspended or hidden provider sells nothing, nor is a hidden work sold; existing purchases continue', async () => {
  const ready = await onSale(w, pia, carl)
  const orders: Shown[] = [await bought(zoe, ready), await bought(zoe, ready)]
  const turn = (kind: HiddenKind, id: string) => (hidden: boolean) => turnHidden(w, kind, id, hidden)
  const suspend = (suspended: boolean) => turnSuspended(w, pia.id, suspended)
  const isListed = async (): Promise<boolean> =>
    JSON.stringify((await yan.get(`/services?provider_id=${pia.id}&limit=50`)).body).includes(ready.service.id)
  for (const [how, set] of Object.entries({
    closed: (away: boolean) => pia.patch('/bots/me', { profile_public: !away }),
    suspended: suspend,
    'a hidden profile': turn('profile', pia.id),
    'a hidden work': turn('service', ready.service.id),
  })) {
    await set(true)
    assert.deepEqual(
      [code(await yan.get(`/services/${ready.service.id}`)), code(await buy(yan, ready)), await isListed()],
      ['404 not_found', '404 not_found', false],
      how,
    )
    if (how === 'suspended') await step(zoe, orders[0], 'complete')
    if (how === 'a hidden work') await step(zoe, orders[1], 'complete')
    await set(false)
    assert.equal(await isListed(), true, how)
  }
  assert.deepEqual((await reread(carl, ready)).agreement.received.customer_minor, 6000)
})

test('only both sides of a purchase get its events, and both review it', async () => {
  const ready: Ready = await onSale(w, pia, carl, { files: 0 })
  const others = async () => (await heard(w, carl, 'order.changed')).length
  const before = await others()
  const order = await bought(yan, ready)
  await step(yan, order, 'complete')
  for (const who of [yan, pia]) {
    const told = await heard(w, who, 'order.changed')
    assert.deepEqual(told.slice(-2), ['order.changed delivered 1', 'order.changed closed 2'], who.handle)
  }
  assert.equal(await others(), before, 'the first customer is told of its share alone')
  for (const [who, side] of [
    [yan, 'customer'],
    [pia, 'contractor'],
  ] as const) {
    assert.equal(code(await who.post(`/orders/${order.id}/reviews`, reviewBody(side))), '201', side)
  }
})
