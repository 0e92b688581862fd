// Twenty at once: of every two different actions that a condition allows, of each with itself, and of twins. One of them
// happens, the others are told so; credits and history are whole. On two nodes.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import {
  type Customer,
  humanOffer,
  isCustomer,
  orderPath,
  type Party,
  customer as person,
} from '../../../test/customers.ts'
import type { Action } from '../../../test/order-rules.ts'
import {
  bid,
  bring,
  type Condition,
  forBoth,
  fund,
  money,
  offer,
  offerBody,
  type Pair,
  quick,
  reread,
  type Shown,
  step,
  stepBody,
  trade,
} from '../../../test/orders.ts'
import { beforehand, story } from '../../../test/story.ts'
import { type Agent, type Answer, befriend, code, eventually, race, type World } from '../../../test/world.ts'
import { hours, minutes } from '../../kernel/clock.ts'
import { maxBalance } from '../wallet/wallet.ts'
import { remindDue } from './reminders.ts'
import { escalateDue } from './support.ts'

const { w } = story()
const there = beforehand(() => w.node())
beforehand(async () => {
  const [customer, contractor] = await w.friends('ada', 'bob')
  betweenAgents.pair = { customer, contractor }
  ofPerson.pair = { customer: await person(w, 'Hilda'), contractor: await w.agent('cyd') }
  for (const { pair } of kinds) await fund(w, pair.customer, 10_000_000)
})

type Side = keyof Pair
type Move = readonly [Action, Side | 'either']

type Allowed = Partial<Record<Condition, readonly Move[]>>

/** A kind of orders, with the two who have them all. */
interface Kind {
  name: string
  /** What each condition allows, by the contract. */
  allowed: Allowed
  pair: Pair<Party>
  given: (condition: Condition) => Promise<Shown>
  /** Orders as they were left. */
  raced: Shown[]
}

/** What each condition allows, where the contractor and perhaps the customer may propose a refund, and `answerer` approves it. */
function allowing(proposer: Move[1], answerer: Side, ...ofOffers: Move[]): Allowed {
  const disputing: Move[] = [
    ['dispute', 'either'],
    ['propose-refund', proposer],
  ]
  return {
    offered: [['accept', 'contractor'], ['reject', 'contractor'], ['cancel', 'customer'], ...ofOffers],
    funded: [['start', 'contractor'], ['deliver', 'contractor'], ...disputing],
    in_progress: [['deliver', 'contractor'], ...disputing],
    delivered: [['complete', 'customer'], ...disputing],
    disputed: [['escalate-dispute', 'either']],
    'refund proposed': [
      ['approve-refund', answerer],
      ['escalate-dispute', 'either'],
    ],
    'refund proposed, escalated': [['approve-refund', answerer]],
  }
}

/** Quick ones that the customer offers. */
const betweenAgents: Kind = {
  name: 'between agents',
  allowed: allowing('either', 'contractor', ['reprice', 'either']),
  pair: {} as Pair,
  given(condition) {
    const { customer, contractor } = this.pair as Pair
    return quick(customer, contractor).then((order) => bring(this.pair, order, condition))
  },
  raced: [],
}

/** Those of a customer without an agent, each side with its own list. */
const ofPerson: Kind = {
  name: 'of a person',
  allowed: allowing('contractor', 'customer'),
  pair: {} as Pair,
  given(condition) {
    const { customer, contractor } = this.pair
    return humanOffer(w, customer as Customer, contractor).then((order) => bring(this.pair, order, condition))
  },
  raced: [],
}
const kinds = [betweenAgents, ofPerson]

/** Who does it in a race: of what either may do, the two contestants are of different sides. */
const sideOf = ([, by]: Move, either: Side): Side => (by === 'either' ? either : by)

/** Half of the requests go to the other node. */
const via = (n: number, who: Party, path: string, json: unknown): Promise<Answer> =>
  (n % 4 < 2 ? w : there).request('POST', path, {
    json,
    ...(isCustomer(who) ? { headers: who.headers } : { token: (who as Agent).token }),
  })

/** Asserts that the order went one step on, as that was answered, and that its history has no gap. */
async function assertOneStep({ pair, raced }: Kind, order: Shown, answer: Answer, told: string): Promise<void> {
  const { order: now, history } = (await pair.customer.get(orderPath(pair.customer, order))).body
  assert.deepEqual(forBoth(answer.body.order), forBoth(now), told)
  assert.equal(now.version, order.version + 1, told)
  const versions = history.map(({ version }: { version: number }) => version)
  assert.deepEqual(
    versions,
    Array.from({ length: now.version }, (_, at) => at + 1),
    told,
  )
  raced.push(now)
}

/** What who comes too late is told: a new price changes whose the offer is, and sides are looked at before versions. */
function tooLate(action: Action, who: Party, now: Shown): string {
  const isAuthor = now.offer_author_id === who.id
  const wrong = ['accept', 'reject'].includes(action) ? isAuthor : action === 'cancel' && !isAuthor
  return wrong ? '403 forbidden' : '409 version_conflict'
}

for (const kind of kinds)
  for (const [condition, moves = []] of Object.entries(kind.allowed) as [Condition, Move[]][]) {
    test(`${kind.name}, ${condition}: of twenty equal or any two different actions at once, one happens`, async () => {
      const { pair } = kind
      const contests = moves.flatMap((one, at) => moves.slice(at).map((two) => [one, two] as const))
      for (const [first, [one, two]] of contests.entries()) {
        const order = await kind.given(condition)
        const contestant = (n: number): [Action, Party] =>
          (n + first) % 2 === 0 ? [one[0], pair[sideOf(one, 'customer')]] : [two[0], pair[sideOf(two, 'contractor')]]
        const answers = await race(20, (n) => {
          const [action, who] = contestant(n)
          return via(n, who, `${orderPath(who, order)}/${action}`, stepBody(who, order, action))
        })
        const told = `${one[0]} against ${two[0]}`
        const taken = answers.filter(({ status }) => status === 200)
        assert.equal(taken.length, 1, `${told}: ${answers.map(code)}`)
        const winner = taken[0] as Answer
        for (const [n, answer] of answers.entries()) {
          if (answer !== winner) assert.equal(code(answer), tooLate(...contestant(n), winner.body.order), told)
        }
        await assertOneStep(kind, order, winner, told)
      }
    })

    test(`${kind.name}, ${condition}: twenty identical actions are all answered, and happen once`, async () => {
      const { pair } = kind
      // One after the other: an order that is being made must not wait behind the races of the others.
      for (const move of moves) {
        const order = await kind.given(condition)
        const [action, who] = [move[0], pair[sideOf(move, 'contractor')]] as const
        const body = stepBody(who, order, action)
        const answers = await race(20, (n) => via(n, who, `${orderPath(who, order)}/${action}`, body))
        assert.deepEqual([...new Set(answers.map(code))], ['200'])
        assert.equal(new Set(answers.map((answer) => JSON.stringify(answer.body))).size, 1)
        await assertOneStep(kind, order, answers[0] as Answer, action)
      }
    })
  }

test('after all of these races the credits match the orders', async () => {
  for (const { pair, raced } of kinds) {
    const sum = (which: (order: Shown) => boolean, field: 'total_minor' | 'amount_minor'): number =>
      raced.filter(which).reduce((all, order) => all + order[field], 0)
    const held = sum(({ state }) => ['funded', 'in_progress', 'delivered', 'disputed'].includes(state), 'total_minor')
    const accepted = (order: Shown) => order.outcome === 'accepted'
    assert.ok(raced.length > 30 && held > 0 && sum(accepted, 'total_minor') > 0)
    assert.deepEqual(await money(pair.customer), [10_500_000 - held - sum(accepted, 'total_minor'), held])
    assert.deepEqual(await money(pair.contractor), [500_000 + sum(accepted, 'amount_minor'), 0])
  }
})

test('twenty simultaneous acceptances take exactly the seven that the credits cover', async () => {
  for (const by of ['customer', 'contractor'] as const) {
    const [cleo, ...others] = await Promise.all(['cleo', 'dan', 'eve', 'fay'].map((name) => w.agent(`${name}_${by}`)))
    for (const each of others) await befriend(cleo as Agent, each)
    const orders = await Promise.all(
      Array.from({ length: 20 }, async (_, n) => {
        const other = others[n % others.length] as Agent
        const order =
          by === 'customer'
            ? bid(w, other, cleo as Agent, { amount_minor: 62_000 })
            : offer(w, cleo as Agent, other, { amount_minor: 62_000 })
        return { who: by === 'customer' ? (cleo as Agent) : other, order: await order }
      }),
    )
    const answers = await Promise.all(
      orders.map(({ who, order }, n) => via(n, who, `/orders/${order.id}/accept`, stepBody(who, order, 'accept'))),
    )
    assert.deepEqual(answers.map(code).sort(), [...Array(7).fill('200'), ...Array(13).fill('409 insufficient_funds')])
    assert.deepEqual(await money(cleo as Agent), [500_000 - 7 * 68_200, 7 * 68_200])
    const { entries } = (await (cleo as Agent).get('/wallet/history')).body
    assert.equal(entries.length, 8)
  }
})

test('after a block is answered, every acceptance is refused', async () => {
  for (let round = 0; round < 6; round++) {
    const [gus, hal, contact] = await w.friends(`gus_${round}`, `hal_${round}`)
    const orders = await Promise.all(Array.from({ length: 5 }, () => offer(w, gus, hal)))
    let blockedAt = Number.POSITIVE_INFINITY
    const blocking = (async () => {
      for (let i = 0; i < round; i++) await gus.get('/bots/me')
      assert.equal(code(await via(round, gus, `/contacts/${contact}/block`, {})), '200')
      blockedAt = performance.now()
    })()
    const answers = await race(20, async (n) => {
      for (let i = 0; i < n % 5; i++) await hal.get('/bots/me')
      const began = performance.now()
      const answer =
        n % 4 === 3
          ? await via(n, hal, '/orders', offerBody(w, gus, { confirmed_total_minor: 1100 }))
          : await via(n, hal, `/orders/${orders[n % 5].id}/accept`, stepBody(hal, orders[n % 5], 'accept'))
      if (began > blockedAt) assert.equal(code(answer), '403 friendship_required')
      return answer
    })
    await blocking
    const known = ['200', '201', '403 friendship_required', '409 version_conflict']
    for (const answer of answers) assert.ok(known.includes(code(answer)), code(answer))
    let held = 0
    for (const order of orders) {
      const taken = answers.filter(({ status, body }) => status === 200 && body.order.id === order.id).length
      const now = await reread(gus, order)
      assert.deepEqual([now.state, taken], now.state === 'funded' ? ['funded', 1] : ['offered', 0])
      held += taken * 1100
    }
    assert.deepEqual(await money(gus), [500_000 - held, held])
    const next = orders.find(({ id }) => !answers.some(({ status, body }) => status === 200 && body.order.id === id))
    if (next)
      assert.equal(
        code(await via(0, hal, `/orders/${next.id}/accept`, stepBody(hal, next, 'accept'))),
        '403 friendship_required',
      )
  }
})

test('a block waits for an acceptance in progress, and is answered after it', async (t) => {
  const [mia, nil, contact] = await w.friends('mia', 'nil')
  const order = await offer(w, mia, nil)
  const holder = await w.sql.pool.connect()
  t.after(() => holder.release())
  await holder.query('begin')
  await holder.query('select 1 from wallets where party_id = $1 for update', [mia.id])
  const accepting = step(nil, order, 'accept')
  const waiting = async (): Promise<number> => {
    const waits = await w.sql`
      select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
    return waits.length
  }
  await eventually(async () => (await waiting()) > 0, 'the acceptance waits for the wallet')
  let isBlocked = false
  const blocking = mia.post(`/contacts/${contact}/block`).finally(() => {
    isBlocked = true
  })
  await eventually(async () => isBlocked || (await waiting()) > 1, 'the block waits for the acceptance')
  assert.equal(isBlocked, false)
  await holder.query('commit')
  assert.equal((await accepting).state, 'funded')
  assert.equal(code(await blocking), '200')
})

test('two agents who work for each other are paid at once, forty times', async () => {
  const [ida, jim] = await w.friends('ida', 'jim')
  const pairs: [Agent, Agent][] = Array.from({ length: 40 }, (_, n) => (n % 2 ? [ida, jim] : [jim, ida]))
  const orders = await Promise.all(pairs.map(([one, two]) => trade(w, one, two, 'delivered')))
  const answers = await Promise.all(
    orders.map((order, n) => {
      const who = (pairs[n] as [Agent, Agent])[0]
      return via(n, who, `/orders/${order.id}/complete`, { operation_id: randomUUID(), expected_version: 3 })
    }),
  )
  assert.deepEqual([...new Set(answers.map(code))], ['200'])
  for (const each of [ida, jim]) assert.deepEqual(await money(each), [500_000 - 20 * 1100 + 20 * 1000, 0])
})

test('one customer has simultaneous refunds, payments and new acceptances', async () => {
  const [kim, lou] = await w.friends('kim', 'lou')
  const from = async (to: Condition) => Promise.all(Array.from({ length: 7 }, () => trade(w, kim, lou, to)))
  const [proposed, delivered, offered] = [await from('refund proposed'), await from('delivered'), await from('offered')]
  await Promise.all([
    ...proposed.map((order) => step(lou, order, 'approve-refund')),
    ...delivered.map((order) => step(kim, order, 'complete')),
    ...offered.map((order) => step(lou, order, 'accept')),
  ])
  assert.deepEqual(await money(kim), [500_000 - 14 * 1100, 7 * 1100])
  assert.deepEqual(await money(lou), [507_000, 0])
  const { entries } = (await kim.get('/wallet/history?limit=50')).body
  assert.equal(entries.length, 1 + 14 + 7 + 7 + 7)
  for (const [at, entry] of entries.slice(0, -1).entries()) {
    const older = entries[at + 1]
    assert.equal(entry.available_after_minor, older.available_after_minor + entry.amount_minor)
    assert.equal(entry.reserved_after_minor, older.reserved_after_minor + entry.reserved_change_minor)
  }
})

test('answers to an offer, a block and the sweeps at once: the offer goes one step, and one side is reminded once', async () => {
  const sweep = async ({ service }: World): Promise<void> => {
    while (await remindDue(service));
    while (await escalateDue(service));
  }
  for (let round = 0; round < 4; round++) {
    const [pam, ray, contact] = await w.friends(`pam_${round}`, `ray_${round}`)
    const order = await quick(pam, ray)
    // Its reminder is due.
    w.travel(hours(23) + minutes(10))
    const moves = [
      [ray, 'accept'],
      [pam, 'cancel'],
      [ray, 'reprice'],
      [ray, 'reject'],
      [pam, 'reprice'],
    ] as const
    const blocking = 6 * round
    const [answers] = await Promise.all([
      race(20, (n) => {
        if (n === blocking) return via(n, pam, `/contacts/${contact}/block`, {})
        const [who, action] = moves[(n + round) % moves.length] as (typeof moves)[number]
        return via(n, who, `/orders/${order.id}/${action}`, stepBody(who, order, action))
      }),
      ...Array.from({ length: 6 }, (_, n) => sweep(n % 2 ? w : there)),
    ])
    assert.equal(code(answers[blocking] as Answer), '200')
    const moved = answers.filter((_, n) => n !== blocking)
    const [taken, ...more] = moved.filter(({ status }) => status === 200)
    assert.equal(more.length, 0)
    for (const answer of moved) {
      assert.match(code(answer), /^(200|409 version_conflict|403 (forbidden|friendship_required))$/)
    }
    const pair = { customer: pam, contractor: ray }
    await assertOneStep({ ...betweenAgents, pair, raced: [] }, order, taken as Answer, `round ${round}`)
    const { state } = await reread(pam, order)
    const held = state === 'funded' ? order.total_minor : 0
    assert.deepEqual(await money(pam), [500_000 - held, held])
    await sweep(w)
    const reminders = await w.sql`select 1 from events where kind = 'order.lapsing' and subject_id = ${order.id}`
    assert.ok(['offered', 'funded'].includes(state) ? reminders.length === 1 : reminders.length <= 1, state)
  }
})

test('the largest and the smallest orders at once, up to the last unit of both wallets', async () => {
  const [uma, vic] = await w.friends('uma', 'vic')
  const [most, least] = [909_090_909_091, 1]
  // Two of the largest and ten of the smallest are covered; one of the largest and ten of the smallest have room.
  await fund(w, uma, 2 * 10 ** 12 + 10 - 500_000)
  await fund(w, vic, maxBalance - most - 10 - 500_000)
  const offers = await Promise.all(
    Array.from({ length: 20 }, (_, n) => offer(w, uma, vic, { amount_minor: n % 2 ? most : least })),
  )
  const accepted = await race(20, (n) =>
    via(n, vic, `/orders/${offers[n].id}/accept`, stepBody(vic, offers[n], 'accept')),
  )
  assert.deepEqual(accepted.map(code).sort(), [...Array(12).fill('200'), ...Array(8).fill('409 insufficient_funds')])
  assert.deepEqual(await money(uma), [0, 2 * 10 ** 12 + 10])
  const funded = accepted.flatMap(({ status, body }) => (status === 200 ? [body.order] : []))
  const delivered = await Promise.all(funded.map((order) => step(vic, order, 'deliver')))
  const paid = await race(12, (n) =>
    via(n, uma, `/orders/${delivered[n].id}/complete`, stepBody(uma, delivered[n], 'complete')),
  )
  assert.deepEqual(paid.map(code).sort(), [...Array(11).fill('200'), '409 state_conflict'])
  assert.deepEqual(
    [await money(uma), await money(vic)],
    [
      [0, 10 ** 12],
      [maxBalance, 0],
    ],
  )
  const left = delivered[paid.findIndex(({ status }) => status === 409)]
  await step(uma, await step(vic, left, 'propose-refund'), 'approve-refund')
  assert.deepEqual(await money(uma), [10 ** 12, 0], 'what was not paid out comes back')
})
