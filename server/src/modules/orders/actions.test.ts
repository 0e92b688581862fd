// Every action in every condition by every side, as the contract has it: what leads where, that nothing else does, and that the
// order lists just that.
// test/order-rules.ts has the rules.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { humanOffer, orderPath, type Party, customer as person } from '../../../test/customers.ts'
import { type Action, actions, answerTo, linesOf, type Order, priceOf, take } from '../../../test/order-rules.ts'
import {
  attempt,
  bid,
  bring,
  brought,
  type Condition,
  conditions,
  fund,
  money,
  offer,
  type Pair,
  quick,
  reread,
  type Shown,
  step,
} from '../../../test/orders.ts'
import { beforehand, story } from '../../../test/story.ts'
import { type Agent, code } from '../../../test/world.ts'

const { w, ada, bob } = story({ friends: ['ada', 'bob'] })
const hilda = beforehand(() => person(w, 'Hilda'))
const pair: Pair = { customer: ada, contractor: bob }
/** The same contractor, with a customer who has no agent. */
const withPerson: Pair<Party> = { customer: hilda, contractor: bob }
beforehand(async () => {
  for (const each of [ada, hilda]) await fund(w, each, 100_000_000)
})

type Side = keyof Pair
const sides = ['customer', 'contractor'] as const
/** Who makes the offer, and whether it is a quick one. */
const offers = [
  ['customer', 'direct'],
  ['contractor', 'direct'],
  ['customer', 'quick'],
  ['contractor', 'quick'],
  ['customer', "person's"],
] as const
const pairOf = (kind: string): Pair<Party> => (kind === "person's" ? withPerson : pair)

/** The order as the rules have it in a condition. */
const ruled = (author: Side, kind: string, to: Condition): Order<Side> =>
  brought(
    {
      customer: 'customer',
      contractor: 'contractor',
      author,
      quick: kind === 'quick',
      ofPerson: kind === "person's",
      amount: 1000,
    },
    to,
  )

const given = async (author: Side, kind: string, to: Condition): Promise<Shown> => {
  if (kind === "person's") return bring(withPerson, await humanOffer(w, hilda, withPerson.contractor), to)
  const { customer, contractor } = pair
  const made =
    kind === 'quick'
      ? author === 'customer'
        ? await quick(customer, contractor)
        : await quickBid(contractor, customer)
      : author === 'customer'
        ? await offer(w, customer, contractor)
        : await bid(w, contractor, customer)
  return bring(pair, made, to)
}
async function quickBid(contractor: Agent, customer: Agent): Promise<Shown> {
  const body = { operation_id: randomUUID(), title: 'Mine', amount_minor: 1000, customer_id: customer.id }
  return (await contractor.post('/orders/quick', body)).body.order
}

const byName = (one: { name: string }, two: { name: string }): number => one.name.localeCompare(two.name)

/** All that the two sides can see of an order and their credits. */
const seen = async ({ customer, contractor }: Pair<Party>, order: Shown) => ({
  order: (await customer.get(orderPath(customer, order))).body,
  dispute: (await contractor.get(`${orderPath(contractor, order)}/dispute-case`)).body,
  customer: await money(customer),
  contractor: await money(contractor),
})

for (const [author, kind] of offers) {
  test(`a ${kind} order of the ${author} lists what each side may do; all else is refused, and leaves no trace`, async () => {
    const pair = pairOf(kind)
    for (const condition of conditions) {
      const order = await given(author, kind, condition)
      for (const side of sides) {
        const allowed = actions.filter(
          (action) => answerTo(ruled(author, kind, condition), { action, who: side }) === '200',
        )
        const path = `/api/v1${orderPath(pair[side], order)}`
        assert.deepEqual(
          (await reread(pair[side], order)).actions.toSorted(byName),
          allowed.map((name) => ({ name, method: 'POST', path: `${path}/${name}` })).toSorted(byName),
          `${condition}, the ${side}`,
        )
      }
      const before = await seen(pair, order)
      const told: string[] = []
      const wanted: string[] = []
      await Promise.all(
        actions.flatMap((action) =>
          sides.map(async (side) => {
            const answer = answerTo(ruled(author, kind, condition), { action, who: side })
            const label = `${condition}: ${action} by the ${side}: `
            if (answer === '200') {
              // What is possible is not, on a version that is no more or never was.
              for (const version of [order.version - 1, order.version + 1].filter((each) => each > 0)) {
                const stale = { ...order, version }
                told.push(`${label}${code(await attempt(pair[side], stale, action))}`)
                wanted.push(`${label}409 version_conflict`)
              }
              return
            }
            told.push(`${label}${code(await attempt(pair[side], order, action))}`)
            wanted.push(`${label}${answer}`)
          }),
        ),
      )
      assert.deepEqual(told.sort(), wanted.sort())
      assert.deepEqual(await seen(pair, order), before, condition)
    }
  })
}

/** What an order's credits have moved so far, of what is available to a side and of what is set aside. */
const movedFor = (order: Order<Side>, side: Side): [available: number, reserved: number] => {
  const lines = order.money
    .flatMap((each) => linesOf(each, priceOf(order.amount)))
    .filter(({ party }) => party === side)
  return [lines.reduce((sum, { available }) => sum + available, 0), lines.reduce((sum, each) => sum + each.reserved, 0)]
}

test("allowed actions lead to the contract's state, and move the contract's credits", async () => {
  const taken = new Map<Action, number>()
  for (const [author, kind] of offers) {
    const pair = pairOf(kind)
    for (const condition of conditions) {
      for (const [action, side] of actions.flatMap((each) => sides.map((who) => [each, who] as const))) {
        const wanted = ruled(author, kind, condition)
        if (answerTo(wanted, { action, who: side }) !== '200') continue
        take(wanted, { action, who: side })
        taken.set(action, (taken.get(action) ?? 0) + 1)
        const before = { customer: await money(pair.customer), contractor: await money(pair.contractor) }
        const order = await given(author, kind, condition)
        const label = `${condition}: ${action} by the ${side}`
        const after = await step(pair[side], order, action)
        const proposer = wanted.state === 'disputed' ? (wanted.dispute?.refundProposedBy ?? null) : null
        assert.deepEqual(
          [after.state, after.version, after.outcome, after.offer_author_id, after.refund_proposed_by],
          [wanted.state, wanted.version, wanted.outcome, pair[wanted.author].id, proposer && pair[proposer].id],
          label,
        )
        assert.equal(after.closed_at, wanted.state === 'closed' ? after.updated_at : null)
        for (const each of sides) {
          const [available, reserved] = movedFor(wanted, each)
          assert.deepEqual(
            await money(pair[each]),
            [before[each][0] + available, before[each][1] + reserved],
            `${label}: the ${each}`,
          )
        }
        const { history } = (await pair.contractor.get(orderPath(pair.contractor, order))).body
        const last = history.at(-1)
        assert.deepEqual(
          [last.version, last.action, last.actor_id, last.from, last.to, last.created_at],
          [wanted.version, action, pair[side].id, order.state, wanted.state, after.updated_at],
        )
        assert.equal(last.reason !== null, ['dispute', 'propose-refund', 'escalate-dispute'].includes(action))
      }
    }
  }
  assert.deepEqual([...taken.keys()].sort(), actions.toSorted(), 'every action was possible somewhere')
})

test("a dispute case says who opened it, why, when the other side's time ends, and the result", async () => {
  const { customer, contractor } = pair
  const caseOf = async (order: Shown) => (await contractor.get(`/orders/${order.id}/dispute-case`)).body.dispute_case
  const order = await given('customer', 'direct', 'in_progress')
  assert.equal(code(await customer.get(`/orders/${order.id}/dispute-case`)), '404 not_found')
  const disputed = await step(customer, order, 'propose-refund', { reason: ' Too\r\nlate ' })
  const { id, ...opened } = await caseOf(order)
  assert.deepEqual(opened, {
    order_id: order.id,
    status: 'open',
    opened_by: customer.id,
    reason: 'Too\nlate',
    refund_proposed_by: customer.id,
    response_due_at: new Date(Date.parse(disputed.updated_at) + 48 * 3_600_000).toISOString(),
    escalated_at: null,
    decision: null,
    decision_reason: null,
    decided_at: null,
    version: 1,
  })
  const escalated = await step(contractor, disputed, 'escalate-dispute')
  assert.deepEqual(await caseOf(order), {
    id,
    ...opened,
    status: 'escalated',
    escalated_at: escalated.updated_at,
    version: 2,
  })
  const closed = await step(contractor, escalated, 'approve-refund')
  assert.deepEqual([closed.state, closed.outcome, closed.refund_proposed_by], ['closed', 'refunded', null])
  assert.deepEqual(await caseOf(order), {
    id,
    ...opened,
    status: 'resolved',
    escalated_at: escalated.updated_at,
    decision: 'refund',
    decided_at: closed.updated_at,
    version: 3,
  })
})

test('a refund that nobody proposed is refused with the way that is left', async () => {
  const disputed = await step(pair.customer, await given('customer', 'direct', 'funded'), 'dispute', { reason: 'Late' })
  const { status, body } = await attempt(pair.contractor, disputed, 'approve-refund')
  assert.deepEqual([status, body.error.message], [409, 'No refund has been proposed; ask support to decide'])
})

test('a delivery is a text, a file, or both', async () => {
  const { contractor } = pair
  const order = await given('customer', 'direct', 'funded')
  for (const fields of [{ result_text: undefined }, { result_text: ' \r\n ', result_attachment_ids: [] }]) {
    assert.equal(code(await attempt(contractor, order, 'deliver', fields)), '400 invalid_input', JSON.stringify(fields))
  }
  const delivered = await step(contractor, order, 'deliver', { result_text: ` ${'🙂'.repeat(8000)}\n` })
  assert.equal(delivered.result_text, '🙂'.repeat(8000))
})
