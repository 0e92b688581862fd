// Any sequence of offers, actions, new prices, replays, decisions, blocks, races and passing time, against a small model:
// every answer is the model's, and after each of them so are orders and credits. KITH_MODEL_RUNS makes it longer,
// KITH_MODEL_SEED repeats one.
import assert from 'node:assert/strict'
import { randomInt, randomUUID } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { customer, isCustomer, type Party } from '../../../test/customers.ts'
import { type Call as Raced, race } from '../../../test/linear.ts'
import {
  type Acting,
  acting,
  deciding,
  type Model,
  type ModelOrder,
  newModel,
  offering,
  pairOf,
  passing,
} from '../../../test/order-model.ts'
import { type Action, actions, isOver, isReserved, totalOf } from '../../../test/order-rules.ts'
import { money } from '../../../test/orders.ts'
import { appoint } from '../../../test/staff.ts'
import { story } from '../../../test/story.ts'
import { type Agent, type Answer, befriend } from '../../../test/world.ts'
import { hours, minutes } from '../../kernel/clock.ts'
import { requestDue } from '../reviews/reviews.ts'
import { escalateDue } from './support.ts'

const runs = Number(process.env['KITH_MODEL_RUNS'] ?? 5)
const seed = Number(process.env['KITH_MODEL_SEED'] ?? randomInt(2 ** 31))
const size = 4
/** Customers without an agent, who come after the agents. */
const people = 2
const everybody = size + people
const grant = 500_000

const { w } = story()

// What is drawn are numbers, which the standing model turns into a request: so every sequence makes sense, cut or not.
const index = fc.nat({ max: 1000 })
const amount = fc.constantFrom(1, 5, 1004, 62_000, 300_000, 454_545, 454_546)
const usually = (value: number, ...others: number[]) =>
  fc.oneof({ weight: 9, arbitrary: fc.constant(value) }, { weight: 1, arbitrary: fc.constantFrom(...others) })

const offer = fc.record({
  kind: fc.constant('offer' as const),
  by: index,
  to: index,
  asCustomer: fc.boolean(),
  isQuick: fc.boolean(),
  amount,
  off: usually(0, -1, 1),
})
const action = fc.record({
  kind: fc.constant('action' as const),
  order: index,
  /** Among those that are possible, most of the time; else any by anyone. */
  pick: index,
  any: fc.oneof(
    { weight: 5, arbitrary: fc.constant(null) },
    { weight: 1, arbitrary: fc.record({ who: index, name: fc.constantFrom(...actions) }) },
  ),
  amount,
  staleness: usually(0, -1, 1),
  off: usually(0, -1, 1),
})
const decision = fc.record({
  kind: fc.constant('decision' as const),
  order: index,
  decision: fc.constantFrom('refund' as const, 'resume' as const),
  staleness: usually(0, -1),
})
const replay = fc.record({ kind: fc.constant('replay' as const), sent: index, isOther: fc.boolean() })
const block = fc.record({ kind: fc.constant('block' as const), one: index, two: index })
const request = fc.oneof(
  { weight: 3, arbitrary: offer },
  { weight: 14, arbitrary: action },
  { weight: 2, arbitrary: decision },
  { weight: 2, arbitrary: replay },
)
const step = fc.oneof(
  { weight: 36, arbitrary: request.map((each) => ({ at: 'once' as const, requests: [each] })) },
  {
    weight: 18,
    arbitrary: fc.array(request, { minLength: 2, maxLength: 3 }).map((requests) => ({ at: 'once' as const, requests })),
  },
  { weight: 1, arbitrary: block.map((each) => ({ at: 'once' as const, requests: [each] })) },
  { weight: 4, arbitrary: fc.constantFrom(1, 5, 13, 48).map((passed) => ({ at: 'later' as const, passed })) },
)
type Of<A> = A extends fc.Arbitrary<infer T> ? T : never
type Request = Of<typeof request> | Of<typeof block>
type Step = Of<typeof step>

interface Call extends Raced<Model> {
  /** The orders that it is about. */
  keys: readonly string[]
}

interface Play {
  /** Agents, and then people. */
  parties: readonly Party[]
  staff: Agent
  /** Hours: tokens live for thirty days. */
  passed: number
  model: Model
  /** Ids of orders and contacts by the names that the model has for them. */
  ids: Map<string, string>
  contacts: Map<string, string>
  /** What was taken. */
  taken: Call[]
}

const at = <T>(list: readonly T[], n: number): T => list[n % list.length] as T

/** Most orders are to get beyond their offer, and to an acceptance. */
const eagerness: Partial<Record<Action, number>> = { accept: 12, deliver: 6, complete: 8, reject: 1, cancel: 1 }

/** Whether a request says more about this order than that it is over, or was never disputed. */
function isTelling(drawn: Of<typeof action> | Of<typeof decision>, order: ModelOrder): boolean {
  if (drawn.kind === 'decision') return order.dispute !== null
  return drawn.any !== null || !isOver(order.state)
}

/** What a drawn request is in the standing model; undefined if there is nothing yet that it could be about. */
function callOf(play: Play, drawn: Request): Call | undefined {
  const { parties, staff, model, ids, contacts, taken } = play
  const now = w.now().getTime()
  if (drawn.kind === 'offer') {
    const [by, to] = [drawn.by % everybody, drawn.to % size]
    const ofPerson = by >= size
    const [asCustomer, isQuick] = [ofPerson || drawn.asCustomer, !ofPerson && drawn.isQuick]
    const key = randomUUID()
    const deadline = now + (isQuick ? hours(24) : hours(5) + minutes(30))
    const confirmed = asCustomer || drawn.off ? Math.max(1, totalOf(drawn.amount) + drawn.off) : undefined
    const body = {
      operation_id: key,
      title: 'Some work',
      amount_minor: drawn.amount,
      [asCustomer ? 'contractor_id' : 'customer_id']: (parties[to] as Party).id,
      confirmed_total_minor: confirmed,
      ...(!isQuick && { description: 'In full', deadline: new Date(deadline).toISOString() }),
    }
    const given = { ...drawn, key, by, to, asCustomer, isQuick, ofPerson, confirmed, deadline }
    return {
      who: parties[by] as Party,
      path: ofPerson ? '/human/orders' : isQuick ? '/orders/quick' : '/orders',
      body,
      expect: (each) => offering(each, given),
      keys: [key],
    }
  }
  if (drawn.kind === 'block') {
    const [one, two] = [drawn.one % size, drawn.two % size]
    const pair = pairOf(one, two)
    const contact = contacts.get(pair)
    // Among four everybody soon has blocked everybody: two of the six pairs stay friends.
    if (!contact || ['0-1', '2-3'].includes(pair)) return undefined
    return {
      who: parties[one] as Party,
      path: `/contacts/${contact}/block`,
      body: {},
      expect(each) {
        if (!each.blocked.includes(pair)) each.blocked.push(pair)
        return '200'
      },
      keys: [],
    }
  }
  if (drawn.kind === 'replay') {
    if (taken.length === 0) return undefined
    const call = at(taken, drawn.sent)
    if (!drawn.isOther) return { ...call, expect: () => '200' }
    const body = 'title' in call.body ? { ...call.body, title: 'Other work' } : { ...call.body, expected_version: 77 }
    return { ...call, body, expect: () => '409 idempotency_conflict' }
  }
  const all = Object.keys(model.orders)
  if (all.length === 0) return undefined
  const among = all.filter((each) => isTelling(drawn, model.orders[each] as ModelOrder))
  const key = at(among.length > 0 ? among : all, drawn.order)
  const order = model.orders[key] as ModelOrder
  const id = ids.get(key) as string
  if (drawn.kind === 'decision') {
    const expected = Math.max(1, (order.dispute?.version ?? 0) + drawn.staleness)
    const given = { key, decision: drawn.decision, expected }
    return {
      who: staff,
      path: `/staff/disputes/${id}/decide`,
      body: { operation_id: randomUUID(), expected_version: expected, decision: drawn.decision, reason: 'So it is' },
      expect: (each) => deciding(each, given),
      keys: [key],
    }
  }
  const priced = { amount: drawn.amount, now, key, expected: order.version }
  const confirms = (name: string): number => totalOf(name === 'reprice' ? drawn.amount : order.amount)
  const possible = [order.customer, order.contractor].flatMap((who) =>
    actions.flatMap((name) => {
      const given: Acting = { ...priced, who, action: name, confirmed: confirms(name) }
      const told = acting(structuredClone(model), given)
      if (told === '409 insufficient_funds') return { who, name }
      return told === '200' ? Array<{ who: number; name: Action }>(eagerness[name] ?? 2).fill({ who, name }) : []
    }),
  )
  const { who, name } =
    drawn.any === null && possible.length > 0
      ? at(possible, drawn.pick)
      : { who: (drawn.any?.who ?? drawn.pick) % everybody, name: drawn.any?.name ?? at(actions, drawn.pick) }
  const confirmed = Math.max(1, confirms(name) + drawn.off)
  const expected = Math.max(1, order.version + drawn.staleness)
  const given: Acting = { ...priced, who, action: name, confirmed, expected }
  return {
    who: parties[who] as Party,
    path: `${pathTo(parties[who] as Party, order, id)}/${name}`,
    body: {
      operation_id: randomUUID(),
      expected_version: expected,
      ...(name === 'accept' && { confirmed_total_minor: confirmed }),
      ...(name === 'reprice' && { amount_minor: drawn.amount }),
      ...(name === 'reprice' && who === order.customer && { confirmed_total_minor: confirmed }),
      ...(name === 'deliver' && { result_text: 'Here it is' }),
      ...(['dispute', 'propose-refund', 'escalate-dispute'].includes(name) && { reason: 'Because' }),
    },
    expect: (each) => acting(each, given),
    keys: [key],
  }
}

/** Where a party looks for an order, whether it is its own or not. */
const pathTo = (who: Party, { ofPerson }: Pick<ModelOrder, 'ofPerson'>, id: string): string => {
  if (isCustomer(who)) return `/human/orders/${id}`
  return ofPerson ? `/human-orders/${id}` : `/orders/${id}`
}

/** Sends all at once; what was answered is what they are answered one after another, in some order. */
async function perform(play: Play, calls: readonly Call[]): Promise<void> {
  const { answers, possible, label } = await race(play.model, calls)
  for (const [n, call] of calls.entries()) {
    const { status, body } = answers[n] as Answer
    if (status === 201) play.ids.set(call.keys[0] as string, body.order.id)
    // A block and a replay are not sent again as what they are.
    if (status < 300 && 'operation_id' in call.body) play.taken.push(call)
  }
  const keys = [...new Set(calls.flatMap((call) => call.keys))].filter((key) => play.ids.has(key))
  const seen = await seenOf(play, keys)
  const fitting = possible.find((model) => JSON.stringify(shown(play, model, keys)) === JSON.stringify(seen))
  if (!fitting) assert.deepEqual(seen, shown(play, possible[0] as Model, keys), label)
  else play.model = fitting
}

/** What the model says of some orders, and of everybody's credits. */
const shown = ({ parties }: Play, model: Model, keys: readonly string[]) => ({
  orders: keys.map((key) => {
    const order = model.orders[key] as ModelOrder
    const { dispute } = order
    const total = totalOf(order.amount)
    const proposer = order.state === 'disputed' ? (dispute?.refundProposedBy ?? null) : null
    return {
      state: order.state,
      version: order.version,
      outcome: order.outcome,
      author: (parties[order.author] as Party).id,
      price: [order.amount, total - order.amount, total],
      proposer: proposer === null ? null : (parties[proposer] as Party).id,
      lines: order.version,
      dispute: dispute ? { version: dispute.version, status: dispute.status, decision: dispute.decision } : null,
    }
  }),
  credits: parties.map((_, n) => [model.available[n], model.reserved[n]]),
})

/** The same, as it is answered. */
async function seenOf({ parties, model, ids }: Play, keys: readonly string[]): Promise<ReturnType<typeof shown>> {
  const credits = Promise.all(parties.map((party) => money(party)))
  const found = keys.map(async (key) => {
    const id = ids.get(key) as string
    const known = model.orders[key]
    // Whose it is the model tells; of a new order it does not know yet.
    const [who, path] = known
      ? [parties[known.customer] as Party, pathTo(parties[known.customer] as Party, known, id)]
      : await customerOf(parties, id)
    const { order, history } = (await who.get(path)).body
    const { body } = await who.get(`${path}/dispute-case`)
    const dispute = body.dispute_case
    return {
      state: order.state,
      version: order.version,
      outcome: order.outcome,
      author: order.offer_author_id,
      price: [order.amount_minor, order.fee_minor, order.total_minor],
      proposer: order.refund_proposed_by,
      lines: history.at(-1).version,
      dispute: dispute ? { version: dispute.version, status: dispute.status, decision: dispute.decision } : null,
    }
  })
  return { orders: await Promise.all(found), credits: await credits }
}

/** A new order is not in the model that it is held against: its customer can read it. */
async function customerOf(parties: readonly Party[], id: string): Promise<[Party, string]> {
  const looked = await Promise.all(
    parties.map(async (party) => {
      const path = pathTo(party, { ofPerson: false }, id)
      const { status, body } = await party.get(path)
      return status === 200 && body.order.customer_id === party.id ? [[party, path] as [Party, string]] : []
    }),
  )
  return looked.flat()[0] as [Party, string]
}

/** Time passes, and the platform does what is due by then. */
async function pass(play: Play, passed: number): Promise<void> {
  if (play.passed + passed > 24 * 25) return
  play.passed += passed
  w.travel(hours(passed))
  passing(play.model, w.now().getTime())
  while (await escalateDue(w.service));
  while (await requestDue(w.service.sql));
}

/** Every order in its lists, every credit accounted for. */
async function assertAll(play: Play): Promise<void> {
  const { parties, model, ids } = play
  const keys = Object.keys(model.orders)
  assert.deepEqual(await seenOf(play, keys), shown(play, model, keys))
  for (const [n, party] of parties.entries()) {
    for (const role of ['customer', 'contractor'] as const) {
      const lists = isCustomer(party)
        ? [['/human/orders?', role === 'customer', true] as const]
        : [[`/orders?role=${role}&`, true, false] as const, ['/human-orders?', role === 'contractor', true] as const]
      for (const [path, isListed, ofPerson] of lists) {
        if (!isListed) continue
        const mine = keys.filter((key) => model.orders[key]?.[role] === n && model.orders[key]?.ofPerson === ofPerson)
        const { body } = await party.get(`${path}page_size=50`)
        assert.equal(body.pagination.total, mine.length)
        const listed = new Set(body.orders.map(({ id }: { id: string }) => id))
        if (mine.length <= 50) assert.deepEqual(listed, new Set(mine.map((key) => ids.get(key))))
      }
    }
  }
  const held = [...model.available, ...model.reserved].reduce((sum, each) => sum + each)
  assert.equal(held + model.fees, everybody * grant)
  const reserving = keys.map((key) => model.orders[key] as ModelOrder).filter(({ state }) => isReserved(state))
  const aside = reserving.reduce((sum, order) => sum + totalOf(order.amount), 0)
  assert.equal(
    aside,
    model.reserved.reduce((sum, each) => sum + each),
  )
}

let plays = 0
async function begin(): Promise<Play> {
  plays += 1
  const agents = await Promise.all(Array.from({ length: size }, (_, n) => w.agent(`agent_${plays}_${n}`)))
  const contacts = new Map<string, string>()
  for (const [n, one] of agents.entries()) {
    for (const [m, two] of agents.entries()) if (n < m) contacts.set(pairOf(n, m), await befriend(one, two))
  }
  const staff = await w.agent(`staff_${plays}`)
  await appoint(w, staff)
  const persons = await Promise.all(Array.from({ length: people }, (_, n) => customer(w, `Person ${plays} ${n}`)))
  const parties = [...agents, ...persons]
  return { parties, staff, passed: 0, model: newModel(everybody, grant), ids: new Map(), contacts, taken: [] }
}

async function run(steps: readonly Step[]): Promise<void> {
  const play = await begin()
  for (const each of steps) {
    if (each.at === 'later') {
      await pass(play, each.passed)
      continue
    }
    const calls = each.requests.flatMap((drawn) => callOf(play, drawn) ?? [])
    if (calls.length > 0) await perform(play, calls)
  }
  await assertAll(play)
}

for (let n = 0; n < runs; n++) {
  // Each with a time-out of its own, whatever else the machine does.
  test(`orders and credits always match the model: ${n + 1} of ${runs}`, async (t) => {
    t.diagnostic(`KITH_MODEL_SEED=${seed + n} KITH_MODEL_RUNS=1`)
    const steps = fc.noBias(fc.array(step, { minLength: 1, maxLength: 150, size: 'max' }))
    // What fails is made smaller for as long as there is time to say what it is.
    const skipAllAfterTimeLimit = 120_000
    await fc.assert(fc.asyncProperty(steps, run), { numRuns: 1, seed: seed + n, skipAllAfterTimeLimit })
  })
}
