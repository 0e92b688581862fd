// Staff: roles, what they open, and to whom. docs/contract/staff.md.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { attempt, offer, reread, type Shown, step, trade } from '../../../test/orders.ts'
import { candidate, provenBody } from '../../../test/owner.ts'
import { appoint, decide, dismiss, verdict } from '../../../test/staff.ts'
import { story } from '../../../test/story.ts'
import { turnSuspended } from '../../../test/turning.ts'
import { type Agent, agentOf, befriend, code, worldFor } from '../../../test/world.ts'
import { minutes, seconds } from '../../kernel/clock.ts'

const { w, ada, bob } = story({ friends: ['ada', 'bob'] })

const suspend = (agent: Agent, suspended = true) => turnSuspended(w, agent.id, suspended)

test('agents read their own roles, each change has a version, and the agent gets an event', async () => {
  const sue = await w.agent('sue')
  const roles = async () => (await sue.get('/staff/me')).body.staff
  assert.deepEqual(await roles(), { roles: [], version: 0 })
  const [socket, older] = [await sue.events(9), await sue.events(8)]
  await appoint(w, sue, 'moderator')
  assert.equal(await appoint(w, sue, 'moderator'), undefined, 'nothing changes, nothing is said')
  await appoint(w, sue)
  await dismiss(w, sue, 'moderator')
  assert.equal(await dismiss(w, sue, 'moderator'), undefined)
  for (const payload of [
    { roles: ['moderator'], version: 1 },
    { roles: ['support', 'moderator'], version: 2 },
    { roles: ['support'], version: 3 },
  ]) {
    assert.deepEqual((await socket.next('staff.changed')).payload, payload)
  }
  assert.deepEqual(await roles(), { roles: ['support'], version: 3 })
  await dismiss(w, sue)
  assert.deepEqual((await socket.next('staff.changed')).payload, { roles: [], version: 4 })
  assert.deepEqual(await roles(), { roles: [], version: 4 })
  assert.deepEqual(
    older.frames.filter(({ kind }) => kind === 'staff.changed'),
    [],
    'version 8 does not know the kind',
  )
  await Promise.all([socket.close(), older.close()])
})

test('support reads its queue oldest first, with the order, both sides and the history', async (t) => {
  const at = await worldFor(t)
  const [cat, dan] = await at.friends('cat', 'dan')
  const sue = await at.agent('sue')
  assert.equal(code(await sue.get('/staff/disputes')), '403 staff_required')
  await appoint(at, sue, 'moderator')
  assert.equal(code(await sue.get('/staff/disputes')), '403 staff_required', 'another role')
  await appoint(at, sue)
  const offered = await offer(at, cat, dan, { title: 'A song', description: 'Two verses', amount_minor: 10_005 })
  const delivered = await step(dan, await step(dan, offered, 'accept'), 'deliver', { result_text: 'La la' })
  const disputed = await step(cat, delivered, 'dispute', { reason: 'One verse' })
  const first = await step(dan, disputed, 'escalate-dispute', { reason: 'Two' })
  const others = []
  for (let count = 0; count < 3; count++) {
    at.travel(minutes(1))
    others.push(await trade(at, cat, dan, 'escalated'))
  }
  await trade(at, cat, dan, 'disputed')
  const agreed = await step(dan, await trade(at, cat, dan, 'refund proposed'), 'approve-refund')

  const { body } = await sue.get('/staff/disputes?page_size=2')
  assert.deepEqual(body.pagination, { page: 1, page_size: 2, total: 4 })
  const [oldest, next] = body.disputes
  assert.equal(next.order.id, others[0].id)
  assert.deepEqual(oldest.dispute_case, (await cat.get(`/orders/${first.id}/dispute-case`)).body.dispute_case)
  const { order, history } = (await cat.get(`/orders/${first.id}`)).body
  assert.deepEqual(oldest.order, {
    id: first.id,
    title: 'A song',
    description: 'Two verses',
    state: 'disputed',
    version: first.version,
    deadline: order.deadline,
    amount_minor: 10_005,
    fee_minor: 1001,
    total_minor: 11_006,
    customer: { id: cat.id, handle: 'cat', display_name: 'cat' },
    contractor: { id: dan.id, handle: 'dan', display_name: 'dan' },
    result_text: 'La la',
    created_at: order.created_at,
    history,
  })
  const { body: rest } = await sue.get('/staff/disputes?page=2&page_size=2&status=escalated')
  assert.deepEqual(
    rest.disputes.map((each: { order: { id: string } }) => each.order.id),
    [others[1].id, others[2].id],
  )

  assert.equal(code(await decide(sue, first)), '200')
  const { body: resolved } = await sue.get('/staff/disputes?status=resolved')
  assert.deepEqual(
    resolved.disputes.map((each: { order: { id: string } }) => each.order.id),
    [first.id],
    `an agreement that never came to support, ${agreed.id}, stays between the two`,
  )
  assert.equal((await sue.get('/staff/disputes')).body.pagination.total, 3)
  // Each by its order, as its list shows it; not what stays between the two.
  for (const dispute of [next, ...resolved.disputes]) {
    assert.deepEqual((await sue.get(`/staff/disputes/${dispute.order.id}`)).body, { dispute })
  }
  const apart = await trade(at, cat, dan, 'disputed')
  for (const id of [agreed.id, apart.id, (await trade(at, cat, dan, 'funded')).id, randomUUID(), 'x']) {
    assert.equal(code(await sue.get(`/staff/disputes/${id}`)), '404 not_found', id)
  }
  for (const who of [cat, dan]) {
    assert.equal(
      code(await who.get(`/staff/disputes/${first.id}`)),
      '403 staff_required',
      'its sides read it elsewhere',
    )
  }
  await dismiss(at, sue)
  assert.equal(code(await sue.get('/staff/disputes')), '403 staff_required')
  assert.equal(code(await sue.get(`/staff/disputes/${first.id}`)), '403 staff_required')
  assert.equal(code(await sue.get(`/staff/disputes/${randomUUID()}`)), '403 staff_required', 'the role first')
})

test('support reads the newest escalated case of an order disputed more than once', async (t) => {
  const at = await worldFor(t)
  const [cat, dan] = await at.friends('cat', 'dan')
  const sue = await at.agent('sue')
  await appoint(at, sue)
  const order = await trade(at, cat, dan, 'escalated')
  const found = async () => {
    const { dispute_case } = (await sue.get(`/staff/disputes/${order.id}`)).body.dispute
    return [dispute_case.status, dispute_case.version]
  }
  assert.deepEqual(await found(), ['escalated', 2])
  assert.equal(code(await decide(sue, order, { decision: 'resume' })), '200')
  assert.deepEqual(await found(), ['resolved', 3])
  const again = await step(cat, await reread(cat, order), 'dispute')
  assert.deepEqual(await found(), ['resolved', 3], 'the new one is between the two for now')
  await step(dan, again, 'escalate-dispute')
  assert.deepEqual(await found(), ['escalated', 5])
})

test("nobody decides their own case, or one of their verified owner's other passports, as either side", async () => {
  const [vic, zoe] = [await w.agent('vic'), await w.agentWithEmail('zoe', 'zoe@example.org')]
  w.travel(seconds(61))
  const second = candidate('zoes_trader', 'zoe@example.org')
  const registered = await w.request('POST', '/bots/register', { json: await provenBody(w, second) })
  const zoes = agentOf(w, second.keys, registered.body)
  const tried: Shown[] = []
  for (const [judge, party] of [
    [vic, vic],
    [zoe, zoes],
  ] as const) {
    await appoint(w, judge)
    await befriend(party, bob)
    for (const order of [await trade(w, party, bob, 'escalated'), await trade(w, bob, party, 'escalated')]) {
      for (const fields of [{}, { decision: 'resume' }, { expected_version: 1 }]) {
        assert.equal(code(await decide(judge, order, fields)), '403 forbidden')
      }
      assert.equal((await reread(bob, order)).version, order.version)
      tried.push(order)
    }
  }
  assert.equal(code(await decide(vic, await trade(w, vic, bob, 'funded'))), '404 not_found', 'it has no case')
  const [, , asCustomer, asContractor] = tried
  // Those without a verified email have no owner in common, nor has one that was only asked for.
  const yves = await w.agent('yves')
  await appoint(w, yves)
  await yves.post('/bots/me/owner-email/request', { email: 'zoe@example.org' })
  assert.equal(code(await decide(yves, asCustomer)), '200')
  const other = await w.agentWithEmail('other_owner', 'other@example.org')
  await appoint(w, other)
  assert.equal(code(await decide(other, asContractor)), '200')
})

test('a replay is answered before version and state, but not after losing the role or being suspended', async () => {
  const xia = await w.agent('xia')
  await appoint(w, xia)
  const order = await trade(w, ada, bob, 'escalated')
  const path = `/staff/disputes/${order.id}/decide`
  const body = verdict({ decision: 'resume', reason: 'As agreed' })
  const answer = await xia.post(path, body)
  assert.equal(code(answer), '200')
  assert.equal(code(await xia.post(path, { ...body, decision: 'refund' })), '409 idempotency_conflict')
  const other = await trade(w, ada, bob, 'escalated')
  assert.equal(code(await xia.post(`/staff/disputes/${other.id}/decide`, body)), '409 idempotency_conflict')
  // The order is disputed once more: the replay still tells of the case that it decided.
  const again = await attempt(ada, await reread(ada, order), 'dispute')
  assert.equal(code(again), '200')
  const replay = { ...body, reason: '  As agreed\r\n' }
  assert.deepEqual((await xia.post(path, replay)).body, answer.body)
  await dismiss(w, xia)
  assert.equal(code(await xia.post(path, replay)), '403 staff_required')
  assert.equal(code(await decide(xia, other)), '403 staff_required')
  await appoint(w, xia)
  assert.deepEqual((await xia.post(path, replay)).body, answer.body)
  await suspend(xia)
  assert.equal(code(await xia.post(path, replay)), '403 profile_inactive')
  assert.equal(code(await decide(xia, other)), '403 profile_inactive')
  assert.equal(code(await xia.get('/staff/disputes')), '403 profile_inactive')
  assert.deepEqual((await xia.get('/staff/me')).body.staff, { roles: ['support'], version: 3 })
  await suspend(xia, false)
  assert.equal(code(await decide(xia, other)), '200')
})
