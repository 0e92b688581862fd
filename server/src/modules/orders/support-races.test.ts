// Twenty at once where a dispute ends or moves on: one of them does it, the others are told.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { attempt, money, reread, type Shown, trade } from '../../../test/orders.ts'
import { appoint, decide, dismiss } from '../../../test/staff.ts'
import { beforehand, story } from '../../../test/story.ts'
import { type Answer, code, race } from '../../../test/world.ts'
import { hours } from '../../kernel/clock.ts'
import { find } from '../staff/staff.ts'
import { escalateDue } from './support.ts'

const { w, ada, bob, sue, tom } = story('sue', 'tom', { friends: ['ada', 'bob'] })
beforehand(async () => {
  await appoint(w, sue)
  await appoint(w, tom)
})

const rounds = 3
const taken = (answers: Answer[]): number => answers.filter(({ status }) => status === 200).length
const codes = (answers: Answer[]): string[] => [...new Set(answers.map(code))].sort()
const decisionsOf = async ({ id }: Shown): Promise<number> =>
  (await w.sql`select 1 from audit_log where subject = ${id}`).length
const escalationsOf = async ({ id }: Shown): Promise<number> =>
  (await w.sql`select 1 from order_history where order_id = ${id} and action = 'escalate-dispute'`).length

/** One order more, with a refund proposed by the customer and the case escalated. */
async function escalated(): Promise<Shown> {
  const proposed = await trade(w, ada, bob, 'refund proposed')
  const answer = await attempt(ada, proposed, 'escalate-dispute')
  return answer.body.order
}

test('two support agents decide differently: the first decision wins', async () => {
  for (let round = 0; round < rounds; round++) {
    const order = await escalated()
    const before = await money(ada)
    const answers = await race(20, (index) =>
      decide(index % 2 === 0 ? sue : tom, order, { decision: index % 2 === 0 ? 'refund' : 'resume' }),
    )
    assert.equal(taken(answers), 1)
    assert.deepEqual(codes(answers), ['200', '409 version_conflict'])
    assert.equal(await decisionsOf(order), 1)
    const decision = answers.find(({ status }) => status === 200)?.body.dispute_case.decision
    const now = await reread(ada, order)
    assert.equal(now.state, decision === 'refund' ? 'closed' : 'funded')
    assert.deepEqual(await money(ada), decision === 'refund' ? [before[0] + 1100, before[1] - 1100] : before)
  }
})

for (const decision of ['refund', 'resume']) {
  test(`support decides to ${decision} while the other side agrees to the refund: one of them ends the dispute`, async () => {
    for (let round = 0; round < rounds; round++) {
      const order = await escalated()
      const before = await money(ada)
      const answers = await race(20, (index) =>
        index % 2 === 0 ? decide(sue, order, { decision }) : attempt(bob, order, 'approve-refund'),
      )
      assert.equal(taken(answers), 1)
      assert.deepEqual(codes(answers), ['200', '409 version_conflict'])
      const agreed = answers.findIndex(({ status }) => status === 200) % 2 === 1
      const now = await reread(ada, order)
      assert.equal(now.outcome, agreed || decision === 'refund' ? 'refunded' : null)
      assert.deepEqual(await money(ada), now.outcome === 'refunded' ? [before[0] + 1100, before[1] - 1100] : before)
      assert.equal(await decisionsOf(order), agreed ? 0 : 1)
    }
  })
}

test('the platform and both sides escalate simultaneously: it happens once', async () => {
  for (let round = 0; round < rounds; round++) {
    const order = await trade(w, ada, bob, 'disputed')
    w.travel(hours(48))
    const [answers] = await Promise.all([
      race(10, (index) => attempt(index % 2 === 0 ? ada : bob, order, 'escalate-dispute')),
      ...Array.from({ length: 10 }, () => escalateDue(w.service)),
    ])
    assert.ok(taken(answers) <= 1)
    assert.equal(await escalationsOf(order), 1)
    assert.equal((await reread(bob, order)).version, order.version + 1)
    const { dispute_case: dispute } = (await bob.get(`/orders/${order.id}/dispute-case`)).body
    assert.deepEqual([dispute.status, dispute.version], ['escalated', 2])
  }
})

test('the platform escalates while the other side agrees to the refund: the order ends refunded or waits for support', async () => {
  for (let round = 0; round < rounds; round++) {
    const order = await trade(w, ada, bob, 'refund proposed')
    w.travel(hours(48))
    const [answers] = await Promise.all([
      race(10, () => attempt(bob, order, 'approve-refund')),
      ...Array.from({ length: 10 }, () => escalateDue(w.service)),
    ])
    const now = await reread(ada, order)
    assert.equal(taken(answers) + (await escalationsOf(order)), 1)
    assert.equal(now.state, taken(answers) === 1 ? 'closed' : 'disputed')
    assert.equal(now.version, order.version + 1)
  }
})

test('revoking a role while its holder decides: the decision comes first, or is refused', async () => {
  for (let round = 0; round < rounds; round++) {
    const order = await escalated()
    const [answers] = await Promise.all([race(10, () => decide(tom, order)), dismiss(w, tom)])
    assert.ok(taken(answers) <= 1)
    for (const answer of codes(answers)) {
      assert.ok(['200', '403 staff_required', '409 version_conflict'].includes(answer), answer)
    }
    assert.equal(code(await decide(tom, order)), '403 staff_required')
    await appoint(w, tom)
  }
})

test('a role granted twenty times at once is granted once', async () => {
  const una = await w.agent('una')
  const given = await Promise.all(Array.from({ length: 20 }, () => appoint(w, una, 'moderator')))
  assert.equal(given.filter((each) => each !== undefined).length, 1)
  assert.deepEqual(await find(w.sql, una.id), { roles: ['moderator'], version: 1 })
  assert.equal((await w.sql`select 1 from events where recipient_id = ${una.id}`).length, 1)
})
