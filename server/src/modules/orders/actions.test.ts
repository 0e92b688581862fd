// Every action in every condition by every side, as the contract has it: what leads where, and that nothing else does.
// SPEC.md, States and transitions (Order); OPEN-POINTS.md, section 6.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import {
  type ActionName,
  attempt,
  bid,
  bring,
  type Condition,
  conditions,
  fund,
  money,
  offer,
  type Pair,
  quick,
  type Shown,
  step,
} from '../../../test/orders.ts'
import { type Agent, code, type World, world } from '../../../test/world.ts'

let w: World
let pair: Pair
before(async () => {
  w = await world()
  const [customer, contractor] = await w.friends('ada', 'bob')
  pair = { customer, contractor }
  await fund(w, customer, 100_000_000)
})
after(() => w.close())

type Side = keyof Pair
const sides = ['customer', 'contractor'] as const
/** Who makes the offer, and whether it is a quick one. */
const offers = [
  ['customer', 'direct'],
  ['contractor', 'quick'],
] as const

/** The contract's table: what is possible in a condition, to whom, and where it leads. */
const possible: Record<Condition, readonly [ActionName, 'author' | 'recipient' | 'either' | Side, string][]> = {
  offered: [
    ['accept', 'recipient', 'funded'],
    ['reject', 'recipient', 'rejected'],
    ['cancel', 'author', 'cancelled'],
    ['reprice', 'either', 'offered'],
  ],
  funded: [
    ['start', 'contractor', 'in_progress'],
    ['deliver', 'contractor', 'delivered'],
    ['dispute', 'either', 'disputed'],
    ['propose-refund', 'either', 'disputed'],
  ],
  in_progress: [
    ['deliver', 'contractor', 'delivered'],
    ['dispute', 'either', 'disputed'],
    ['propose-refund', 'either', 'disputed'],
  ],
  delivered: [
    ['complete', 'customer', 'closed'],
    ['dispute', 'either', 'disputed'],
    ['propose-refund', 'either', 'disputed'],
  ],
  disputed: [['escalate-dispute', 'either', 'disputed']],
  escalated: [],
  'refund proposed': [
    ['approve-refund', 'contractor', 'closed'],
    ['escalate-dispute', 'either', 'disputed'],
  ],
  'refund proposed, escalated': [['approve-refund', 'contractor', 'closed']],
  accepted: [],
  refunded: [],
  cancelled: [],
  rejected: [],
}

/** Whose an action is whatever the state: the other side is told so first. */
const owners: Partial<Record<ActionName, 'author' | 'recipient' | Side>> = {
  accept: 'recipient',
  reject: 'recipient',
  cancel: 'author',
  start: 'contractor',
  deliver: 'contractor',
  complete: 'customer',
}
const actions: readonly ActionName[] = [
  'accept',
  'reject',
  'cancel',
  'reprice',
  'start',
  'deliver',
  'complete',
  'dispute',
  'propose-refund',
  'approve-refund',
  'escalate-dispute',
]

const other = (side: Side): Side => (side === 'customer' ? 'contractor' : 'customer')
const isOf = (owner: 'author' | 'recipient' | 'either' | Side, side: Side, author: Side): boolean =>
  owner === 'either' || side === (owner === 'author' ? author : owner === 'recipient' ? other(author) : owner)

function expected(condition: Condition, action: ActionName, side: Side, author: Side, kind: string): string {
  const owner = owners[action]
  if (owner && !isOf(owner, side, author)) return '403 forbidden'
  const proposed = condition.startsWith('refund proposed')
  if (action === 'approve-refund' && proposed && side === 'customer') return '403 forbidden'
  if (action === 'reprice' && kind !== 'quick') return '409 invalid_state'
  const found = possible[condition].some(([name, by]) => name === action && isOf(by, side, author))
  return found ? '200' : '409 invalid_state'
}

const given = async (author: Side, kind: string, to: Condition): Promise<Shown> => {
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

/** All that the two sides can see of an order and their credits. */
const seen = async (order: Shown) => ({
  order: (await pair.customer.get(`/orders/${order.id}`)).body,
  dispute: (await pair.contractor.get(`/orders/${order.id}/dispute-case`)).body,
  customer: await money(pair.customer),
  contractor: await money(pair.contractor),
})

for (const [author, kind] of offers) {
  test(`what a ${kind} order of the ${author} does not allow is refused, and leaves no trace`, async () => {
    for (const condition of conditions) {
      const order = await given(author, kind, condition)
      const before = await seen(order)
      const told: string[] = []
      const wanted: string[] = []
      await Promise.all(
        actions.flatMap((action) =>
          sides.map(async (side) => {
            const answer = expected(condition, action, side, author, kind)
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
      assert.deepEqual(await seen(order), before, condition)
    }
  })
}

/** The credits that are available to the two sides and set aside, in each condition, of an order of 1000 with a fee of 100. */
const moneyIn = (condition: Condition): [customer: [number, number], contractor: [number, number]] => {
  if (condition === 'accepted')
    return [
      [-1100, 0],
      [1000, 0],
    ]
  if (['offered', 'refunded', 'cancelled', 'rejected'].includes(condition))
    return [
      [0, 0],
      [0, 0],
    ]
  return [
    [-1100, 1100],
    [0, 0],
  ]
}

test('what is possible leads where the contract says, and moves the credits that it says', async () => {
  for (const [author, kind] of offers) {
    for (const condition of conditions) {
      for (const [action, by, state] of possible[condition]) {
        if (action === 'reprice' && kind !== 'quick') continue
        for (const side of sides.filter((each) => isOf(by, each, author))) {
          const [customer, contractor] = [await money(pair.customer), await money(pair.contractor)]
          const order = await given(author, kind, condition)
          const label = `${condition}: ${action} by the ${side}`
          const after = await step(pair[side], order, action)
          assert.deepEqual([after.state, after.version], [state, order.version + 1], label)
          const end: Condition =
            state === 'closed' ? (action === 'complete' ? 'accepted' : 'refunded') : (state as Condition)
          assert.equal(after.outcome, state === 'closed' ? end : null)
          assert.equal(after.closed_at, state === 'closed' ? after.updated_at : null)
          assert.equal(
            after.refund_proposed_by,
            action === 'propose-refund' ? pair[side].id : state === 'disputed' ? order.refund_proposed_by : null,
          )
          const [mine, yours] = moneyIn(end)
          assert.deepEqual(
            await money(pair.customer),
            customer.map((each, at) => each + (mine[at] as number)),
            label,
          )
          assert.deepEqual(
            await money(pair.contractor),
            contractor.map((each, at) => each + (yours[at] as number)),
            label,
          )
          const { history } = (await pair.contractor.get(`/orders/${order.id}`)).body
          const last = history.at(-1)
          assert.deepEqual(
            [last.version, last.action, last.actor_id, last.from, last.to, last.created_at],
            [after.version, action, pair[side].id, order.state, state, after.updated_at],
          )
          assert.equal(last.reason !== null, ['dispute', 'propose-refund', 'escalate-dispute'].includes(action))
        }
      }
    }
  }
})

test('a dispute case says who opened it, why, until when the other side may answer, and how it ends', async () => {
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

test('reasons and results have their lengths; a delivery is a text, a file, or both', async () => {
  const { customer, contractor } = pair
  const order = await given('customer', 'direct', 'funded')
  for (const action of ['dispute', 'propose-refund'] as const) {
    for (const reason of ['', '  \n', 'x'.repeat(2001), undefined, null, 'a\u0000']) {
      assert.equal(code(await attempt(customer, order, action, { reason })), '400 invalid_input')
    }
  }
  for (const fields of [
    { result_text: undefined },
    { result_text: '' },
    { result_text: ' \r\n ', result_attachment_ids: [] },
    { result_text: 'x'.repeat(8001) },
    { result_text: null },
    { result_text: 'x', result_attachment_ids: null },
    { result_text: 'x', reason: 'why' },
  ]) {
    assert.equal(code(await attempt(contractor, order, 'deliver', fields)), '400 invalid_input', JSON.stringify(fields))
  }
  const delivered = await step(contractor, order, 'deliver', { result_text: ` ${'🙂'.repeat(8000)}\n` })
  assert.equal(delivered.result_text, '🙂'.repeat(8000))
  const reason = '🙂'.repeat(2000)
  assert.equal((await step(customer, delivered, 'dispute', { reason })).state, 'disputed')
})
