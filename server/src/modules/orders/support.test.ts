// Disputes beyond their two sides: the platform hands them on, support decides. docs/contract/orders.md#disputes and
// docs/contract/staff.md#disputes.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { givenFile } from '../../../test/files.ts'
import {
  type Condition,
  money,
  offer,
  type Pair,
  reread,
  type Shown,
  step,
  stepBody,
  trade,
} from '../../../test/orders.ts'
import { appoint, decide } from '../../../test/staff.ts'
import { beforehand, story } from '../../../test/story.ts'
import { code, type World, worldFor } from '../../../test/world.ts'
import { days, hours } from '../../kernel/clock.ts'
import { countOverdue, disputeSweep, escalateDue } from './support.ts'

const { w, ada, bob, sue } = story('sue', { friends: ['ada', 'bob'] })
beforehand(() => appoint(w, sue))

const caseOf = async (order: Shown, who = ada) => (await who.get(`/orders/${order.id}/dispute-case`)).body.dispute_case
const historyOf = async (order: Shown, who = ada) => (await who.get(`/orders/${order.id}`)).body.history

/** From where it stands to its acceptance. */
async function finish({ customer, contractor }: Pair, order: Shown): Promise<Shown> {
  const delivered = order.state === 'delivered' ? order : await step(contractor, order, 'deliver')
  return step(customer, delivered, 'complete')
}

for (const state of ['funded', 'in_progress', 'delivered'] as const) {
  test(`an order disputed while ${state} resumes there and continues to its payment`, async () => {
    const standing = await trade(w, ada, bob, state)
    const [available, reserved] = await money(ada)
    const disputed = await step(bob, standing, 'dispute', { reason: 'It is another logo' })
    const escalated = await step(ada, disputed, 'escalate-dispute', { reason: 'He is wrong' })
    const answer = await decide(sue, escalated, { decision: 'resume', reason: 'It is what was\r\nagreed ' })
    assert.equal(code(answer), '200', JSON.stringify(answer.body))
    const dispute = answer.body.dispute_case
    assert.deepEqual(
      [dispute.status, dispute.version, dispute.decision, dispute.decision_reason],
      ['resolved', 3, 'resume', 'It is what was\nagreed'],
    )
    assert.deepEqual(await caseOf(escalated), dispute)
    const resumed = await reread(bob, escalated)
    assert.deepEqual([resumed.state, resumed.version, resumed.outcome], [state, escalated.version + 1, null])
    assert.deepEqual(await money(ada), [available, reserved], 'the reserve stays')
    const { created_at: at, ...line } = (await historyOf(escalated)).at(-1)
    assert.equal(at, dispute.decided_at)
    assert.deepEqual(line, {
      version: resumed.version,
      action: 'decide-resume',
      actor_id: null,
      from: 'disputed',
      to: state,
      reason: 'It is what was\nagreed',
    })
    const closed = await finish({ customer: ada, contractor: bob }, resumed)
    assert.deepEqual([closed.state, closed.outcome], ['closed', 'accepted'])
    assert.deepEqual(await money(ada), [available, reserved - 1100])
  })
}

test('refunded by support: the full price comes back, the files have 30 days left, and both sides get an event', async () => {
  const file = await givenFile(w, ada, { file_format: 'jpeg', purpose: 'order' })
  const offered = await offer(w, ada, bob, { amount_minor: 10_005, input_attachment_ids: [file] })
  const before = await money(ada)
  const disputed = await step(ada, await step(bob, offered, 'accept'), 'dispute')
  const escalated = await step(bob, disputed, 'escalate-dispute')
  assert.deepEqual(await money(ada), [before[0] - 11_006, before[1] + 11_006])
  const sockets = [await ada.events(), await bob.events()]
  assert.equal(code(await decide(sue, escalated)), '200')
  for (const socket of sockets) {
    for (;;) {
      const { payload } = await socket.next('order.changed')
      if (payload.order_id !== offered.id || payload.version !== escalated.version + 1) continue
      assert.deepEqual(payload, { order_id: offered.id, status: 'closed', version: escalated.version + 1 })
      break
    }
    await socket.close()
  }
  assert.deepEqual(await money(ada), before)
  const closed = await reread(ada, offered)
  assert.deepEqual([closed.state, closed.outcome], ['closed', 'refunded'])
  assert.ok(closed.closed_at)
  assert.equal((await historyOf(offered)).at(-1).action, 'decide-refund')
  const { attachment } = (await ada.get(`/attachments/${file}`)).body
  assert.equal(attachment.status, 'retained')
  const [kept] = await w.sql<{ purge_after: Date }>`select purge_after from attachments where id = ${file}`
  assert.equal(kept?.purge_after.getTime(), new Date(closed.closed_at).getTime() + days(30))
  const entries = await w.sql<{ actor: string; action: string; reason: string; details: object }>`
    select actor, action, reason, details from audit_log where subject = ${offered.id}`
  const [{ id }] = [await caseOf(offered)]
  assert.deepEqual(entries, [
    {
      actor: 'staff:sue',
      action: 'dispute.refund',
      reason: 'It is not what was agreed',
      details: { decision: 'refund', case_id: id },
    },
  ])
})

test('both sides may still agree to a refund after the escalation; then there is nothing to decide', async () => {
  const proposed = await trade(w, ada, bob, 'refund proposed')
  const up = await ada.post(`/orders/${proposed.id}/escalate-dispute`, stepBody(ada, proposed, 'escalate-dispute'))
  assert.equal(code(up), '200')
  const escalated = up.body.order
  const agreed = await bob.post(`/orders/${proposed.id}/approve-refund`, stepBody(bob, escalated, 'approve-refund'))
  assert.equal(code(agreed), '200')
  const closed = agreed.body.order
  assert.deepEqual([closed.state, closed.outcome], ['closed', 'refunded'])
  const dispute = await caseOf(closed)
  assert.deepEqual([dispute.status, dispute.version, dispute.decision_reason], ['resolved', 3, null])
  const stale = await decide(sue, closed)
  assert.equal(code(stale), '409 version_conflict')
  assert.deepEqual(stale.body.error.details, { version: 3, status: 'resolved' })
  assert.equal(code(await decide(sue, closed, { expected_version: 3 })), '409 invalid_state')
})

test('support cannot decide without a dispute, before escalation, or on an outdated version', async () => {
  const unknown = { id: '00000000-0000-7000-8000-000000000000' }
  assert.equal(code(await decide(sue, unknown)), '404 not_found')
  for (const condition of ['offered', 'funded', 'accepted'] as Condition[]) {
    assert.equal(code(await decide(sue, await trade(w, ada, bob, condition))), '404 not_found', condition)
  }
  const open = await trade(w, ada, bob, 'disputed')
  assert.equal(code(await decide(sue, open)), '409 version_conflict')
  assert.equal(code(await decide(sue, open, { expected_version: 1 })), '409 invalid_state')
  const escalated = await trade(w, ada, bob, 'escalated')
  const before = await decide(sue, escalated, { expected_version: 1 })
  assert.equal(code(before), '409 version_conflict')
  assert.deepEqual(before.body.error.details, { version: 2, status: 'escalated' })
  assert.equal((await reread(ada, escalated)).version, escalated.version)
  assert.equal(code(await decide(sue, escalated, { reason: 'x'.repeat(2000) })), '200')
})

test('a decision for one dispute never applies to the next dispute of the same order', async () => {
  const first = await trade(w, ada, bob, 'escalated')
  assert.equal(code(await decide(sue, first, { decision: 'resume' })), '200')
  const again = await step(ada, await reread(ada, first), 'dispute', { reason: 'Still not round' })
  assert.equal((await caseOf(again)).version, 4)
  await step(ada, again, 'escalate-dispute')
  assert.equal(code(await decide(sue, first)), '409 version_conflict')
  assert.equal(code(await decide(sue, first, { expected_version: 5 })), '200')
  const [{ cases }] = (await w.sql<{ cases: number }>`
    select count(*)::int as cases from dispute_cases where order_id = ${first.id}`) as [{ cases: number }]
  assert.equal(cases, 2)
})

test('an unanswered dispute goes to support after 48 hours, and its case is overdue a day later', async (t) => {
  const at = await worldFor(t)
  const [cat, dan] = await at.friends('cat', 'dan')
  const late = await trade(at, cat, dan, 'refund proposed')
  const { response_due_at: due } = await caseOf(late, cat)
  const { created_at: began } = (await historyOf(late, cat)).at(-1)
  assert.equal(new Date(due).getTime() - new Date(began).getTime(), hours(48))
  at.travel(hours(47.9))
  const early = await trade(at, cat, dan, 'disputed')
  const answered = await step(dan, await trade(at, cat, dan, 'refund proposed'), 'approve-refund')
  assert.equal(await escalateDue(at.service), false)
  assert.equal((await caseOf(late, cat)).status, 'open')

  at.travel(hours(0.1))
  const socket = await dan.events()
  assert.equal(await disputeSweep(at.service), false)
  for (;;) {
    const { payload } = await socket.next('order.changed')
    if (payload.version === late.version + 1 && payload.order_id === late.id) break
  }
  await socket.close()
  const dispute = await caseOf(late, cat)
  assert.deepEqual([dispute.status, dispute.version], ['escalated', 2])
  assert.equal((await reread(cat, late)).version, late.version + 1)
  const { created_at: when, ...line } = (await historyOf(late, cat)).at(-1)
  assert.equal(when, dispute.escalated_at)
  assert.deepEqual(line, {
    version: late.version + 1,
    action: 'escalate-dispute',
    actor_id: null,
    from: 'disputed',
    to: 'disputed',
    reason: null,
  })
  assert.equal((await caseOf(early, cat)).status, 'open')
  assert.equal((await caseOf(answered, cat)).status, 'resolved')
  await disputeSweep(at.service)
  assert.equal((await reread(cat, late)).version, late.version + 1, 'once')

  const gauge = async (node: World) => (await node.service.metrics.disputesOverdue.get()).values[0]?.value
  assert.equal(await gauge(at), 0)
  at.travel(hours(24))
  await disputeSweep(at.service)
  assert.equal(await gauge(at), 1)
  const node = await at.node({ DISPUTE_RESPONSE_HOURS: '1' })
  const funded = await trade(at, cat, dan, 'funded')
  const json = stepBody(cat, funded, 'dispute')
  assert.equal(code(await node.request('POST', `/orders/${funded.id}/dispute`, { token: cat.token, json })), '200')
  const opened = (await historyOf(funded, cat)).at(-1).created_at
  const { response_due_at: sooner } = await caseOf(funded, cat)
  assert.equal(new Date(sooner).getTime() - new Date(opened).getTime(), hours(1), 'as it is set')
  await step(dan, await reread(dan, late), 'approve-refund')
  assert.equal(await countOverdue(at.sql, at.now()), 0)
})

test('a case that cannot be escalated does not block those behind it', async (t) => {
  const at = await worldFor(t)
  const [cat, dan] = await at.friends('cat', 'dan')
  const stuck = await trade(at, cat, dan, 'disputed')
  const behind = [await trade(at, cat, dan, 'disputed'), await trade(at, cat, dan, 'disputed')]
  await at.sql`
    create function refuse() returns trigger language plpgsql as $$ begin raise 'cannot be handed over'; end $$`
  // What a trigger compares with cannot be a parameter.
  await at.service.sql.pool.query(
    `create trigger stuck before update on dispute_cases for each row when (old.order_id = '${stuck.id}') execute function refuse()`,
  )
  at.travel(hours(48))
  while (await escalateDue(at.service));
  assert.deepEqual(await Promise.all([stuck, ...behind].map(async (order) => (await caseOf(order, cat)).status)), [
    'open',
    'escalated',
    'escalated',
  ])
  const failures = (await at.service.metrics.sweepRowFailures.get()).values
  assert.deepEqual(failures, [{ labels: { sweep: 'disputes' }, value: 1 }])
  await at.sql`drop trigger stuck on dispute_cases`
  at.travel(hours(1))
  await disputeSweep(at.service)
  assert.equal((await caseOf(stuck, cat)).status, 'escalated')
})

test('two nodes that sweep at once escalate each case once; a locked order waits for the next sweep', async (t) => {
  const at = await worldFor(t)
  const [cat, dan] = await at.friends('cat', 'dan')
  const node = await at.node()
  const orders: Shown[] = []
  // More than a batch.
  for (let round = 0; round < 11; round++) {
    orders.push(...(await Promise.all(Array.from({ length: 5 }, () => trade(at, cat, dan, 'disputed')))))
  }
  at.travel(hours(48))
  const held = orders[7]
  let release = (): void => {}
  const holding = new Promise<void>((resolve) => {
    release = resolve
  })
  let inUse = (): void => {}
  const locked = new Promise<void>((resolve) => {
    inUse = resolve
  })
  const use = at.service.sql.transaction(async (tx) => {
    await tx`select 1 from orders where id = ${held.id} for no key update`
    inUse()
    await holding
  })
  await locked
  const sweep = async (service: World['service']): Promise<void> => {
    while (await escalateDue(service));
  }
  await Promise.all([at, node, at, node].map(({ service }) => sweep(service)))
  assert.equal((await caseOf(held, cat)).status, 'open')
  release()
  await use
  await Promise.all([at, node].map(({ service }) => sweep(service)))
  const [seen] = await at.sql<{ cases: number; orders: number; lines: number; events: number }>`
    select (select count(*)::int from dispute_cases where status = 'escalated' and version = 2) as cases,
      (select count(*)::int from orders where version = ${held.version + 1}) as orders,
      (select count(*)::int from order_history where action = 'escalate-dispute' and actor_id is null) as lines,
      (select count(*)::int from events where kind = 'order.changed'
        and (payload->>'version')::int = ${held.version + 1}) as events`
  assert.deepEqual(seen, { cases: 55, orders: 55, lines: 55, events: 110 })
})
