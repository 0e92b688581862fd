// Any sequence of offers by agents and people, quotes, orders by them, requests, tasks, bids, finished works, moves of the orders
// and decisions on their disputes, alone and in races, with replays, blocks and passing time, against a small model: every answer
// is the model's, and so is what is read afterwards, to the last credit. KITH_MODEL_RUNS makes it longer, KITH_MODEL_SEED repeats
// one.
import assert from 'node:assert/strict'
import { randomInt, randomUUID } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { days, hours, minutes } from '../src/kernel/clock.ts'
import { escalateDue } from '../src/modules/orders/support.ts'
import { expireNext } from '../src/modules/requests/expiry.ts'
import { requestDue } from '../src/modules/reviews/reviews.ts'
import { expireTasks } from '../src/modules/tasks/tasks.ts'
import { customer, isCustomer } from './customers.ts'
import { race } from './linear.ts'
import { callOf } from './market-calls.ts'
import * as model from './market-model.ts'
import { type Market, newMarket } from './market-model.ts'
import {
  at,
  type Call,
  type Drawn,
  everybody,
  idOf,
  type Kind,
  kinds,
  type Play,
  people,
  size,
  type Thing,
} from './market-play.ts'
import { seenOf, shown } from './market-reading.ts'
import { type ModelOrder, pairOf, passing } from './order-model.ts'
import { isReserved, totalOf } from './order-rules.ts'
import { priceBody, serviceBody } from './services.ts'
import { appoint } from './staff.ts'
import { story } from './story.ts'
import { type Agent, type Answer, assertInvariants, befriend } from './world.ts'

const runs = Number(process.env['KITH_MODEL_RUNS'] ?? 6)
const seed = Number(process.env['KITH_MODEL_SEED'] ?? randomInt(2 ** 31))
const grant = 500_000
/** Tokens live for thirty days, and so long a story may last. */
const longest = days(24)

const { w } = story()

// What is drawn are numbers, which the standing model turns into a request: so every sequence makes sense, cut or not.
const index = fc.nat({ max: 1000 })
const usually = (value: number, ...others: number[]) =>
  fc.oneof({ weight: 11, arbitrary: fc.constant(value) }, { weight: 1, arbitrary: fc.constantFrom(...others) })
const request = fc.record({
  kind: fc.oneof(...Object.entries(kinds).map(([kind, weight]) => ({ weight, arbitrary: fc.constant(kind as Kind) }))),
  who: index,
  /** Whether it is asked by whose it is. */
  isTheirs: fc.oneof({ weight: 9, arbitrary: fc.constant(true) }, { weight: 1, arbitrary: fc.constant(false) }),
  on: index,
  which: index,
  amount: fc.constantFrom<number>(1, 3, 5, 1004, 62_000, 300_000, 454_545, 454_546),
  stale: usually(0, -1, 1),
  off: usually(0, -1, 1),
})
const step = fc.oneof(
  { weight: 24, arbitrary: request.map((each) => ({ at: 'once' as const, requests: [each] })) },
  {
    weight: 10,
    arbitrary: fc.array(request, { minLength: 2, maxLength: 3 }).map((requests) => ({ at: 'once' as const, requests })),
  },
  // Rivals for one thing.
  {
    weight: 10,
    arbitrary: fc
      .tuple(request, fc.array(fc.record({ which: index, who: index }), { minLength: 2, maxLength: 3 }))
      .map(([each, rivals]) => ({ at: 'once' as const, requests: rivals.map((rival) => ({ ...each, ...rival })) })),
  },
  { weight: 4, arbitrary: fc.record({ at: fc.constant('again' as const), sent: index, isOther: fc.boolean() }) },
  { weight: 3, arbitrary: fc.constant({ at: 'moderator' as const }) },
  { weight: 1, arbitrary: fc.record({ at: fc.constant('block' as const), one: index, two: index }) },
  {
    weight: 4,
    arbitrary: fc
      .constantFrom(minutes(6), minutes(11), hours(5), days(1), days(4), days(8))
      .map((passed) => ({ at: 'later' as const, passed })),
  },
)
type Of<A> = A extends fc.Arbitrary<infer T> ? T : never
type Step = Of<typeof step>

/** Sends all at once; what was answered is what they are answered one after another, in some order. */
async function perform(play: Play, calls: readonly Call[]): Promise<void> {
  const { answers, possible, label } = await race(play.model, calls)
  for (const [n, call] of calls.entries()) {
    const { status, body } = answers[n] as Answer
    if (status >= 300) continue
    for (const [field, key] of Object.entries(call.makes ?? {})) play.ids.set(key, body[field].id)
    if (body.agreement) play.digests.set(keyOf(play, body.agreement.service_id), body.agreement.digest)
    play.taken.push(call)
  }
  const things = [...new Set(calls.flatMap(({ about }) => about))].filter((thing) =>
    play.ids.has(thing.split(' ')[1] as string),
  )
  const seen = await seenOf(play, things)
  const fitting = possible.find((each) => JSON.stringify(shown(play, each, things)) === JSON.stringify(seen))
  if (!fitting) assert.deepEqual(seen, shown(play, possible[0] as Market, things), label)
  else play.model = fitting
}

const keyOf = ({ ids }: Play, id: string): string => [...ids].find(([, each]) => each === id)?.[0] as string

const doers: { [K in Step['at']]: (play: Play, given: Extract<Step, { at: K }>) => Promise<void> } = {
  async once(play, { requests }) {
    const calls = requests.flatMap((drawn) => callOf(play, drawn) ?? [])
    if (calls.length > 0) await perform(play, calls)
  },
  async again(play, { sent, isOther }) {
    const call = at(play.taken, sent)
    if (!call) return
    const other = { title: 'Other work', expected_version: 77 }
    const changed = Object.entries(other).find(([field]) => field in call.body)
    if (isOther && changed) {
      const body = { ...call.body, [changed[0]]: changed[1] }
      await perform(play, [{ ...call, body, expect: () => '409 idempotency_conflict' }])
    } else await perform(play, [{ ...call, expect: () => '200' }])
  },
  async moderator(play) {
    const [work] = Object.entries(play.model.works).find(([, each]) => model.isWaiting(each)) ?? []
    if (work === undefined) return
    await w.operator('ready', 'approve', idOf(play, work))
    model.approve(play.model, work)
  },
  async block(play, { one, two }) {
    const pair = pairOf(one % size, two % size)
    const contact = play.contacts.get(pair)
    // Among four everybody soon has blocked everybody: most of the six pairs stay friends.
    if (!contact || !['0-3', '1-2'].includes(pair) || play.model.blocked.includes(pair)) return
    assert.equal((await (play.agents[one % size] as Agent).post(`/contacts/${contact}/block`)).status, 200)
    play.model.blocked.push(pair)
  },
  async later(play, { passed }) {
    if (play.passed + passed > longest) return
    play.passed += passed
    w.travel(passed)
    passing(play.model, w.now().getTime())
    model.passingMarket(play.model, w.now().getTime())
    while (await expireNext(w.service));
    while (await expireTasks(w.service.sql, w.now()));
    while (await escalateDue(w.service));
    while (await requestDue(w.service.sql));
  },
}

let plays = 0

/** Four friends, two people and one of staff; two of the friends sell a service each, and one a finished work that another one has paid for. */
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
  const cast = { w, agents, parties: [...agents, ...persons], staff, contacts }
  const fresh = { ids: new Map(), digests: new Map(), passed: 0, taken: [] }
  const play: Play = { ...cast, model: newMarket(everybody, grant), ...fresh }
  for (const [provider, mode] of (['fixed', 'from'] as const).entries()) {
    const key = randomUUID()
    const draft = { provider, mode, amount: 1004, version: 1, state: 'draft', isWork: false } as const
    await perform(play, [
      {
        who: agents[provider] as Agent,
        path: '/services',
        body: serviceBody({ operation_id: key, price: priceBody({ mode, amount_minor: 1004 }) }),
        expect(each) {
          each.services[key] = { ...draft }
          return '201'
        },
        makes: { service: key },
        about: [`services ${key}`],
      },
    ])
  }
  const quiet: Omit<Drawn, 'kind'> = { who: 0, isTheirs: true, on: 1, which: 1, amount: 1004, stale: 0, off: 0 }
  const story: [Kind, Partial<Drawn>?][] = [
    ['move service', { on: 1, which: 0 }],
    ['move service', { on: 2, which: 0 }],
    ['quote', { who: 1 }],
    ['order by quote'],
    // Accepted, delivered and completed.
    ...[1, 3, 0].map((which): [Kind, Partial<Drawn>] => ['move order', { which }]),
    ['propose'],
    ['move work'],
    ['move work'],
  ]
  for (const [kind, drawn] of story) await perform(play, [callOf(play, { ...quiet, ...drawn, kind }) as Call])
  await doers.moderator(play, { at: 'moderator' })
  assert.ok(Object.values(play.model.works).every(({ approved }) => approved))
  return play
}

/** Everything is as the model says, and every credit accounted for. */
async function assertAll(play: Play): Promise<void> {
  const { services, requests, tasks, works, orders, available, reserved, fees } = play.model
  const things = Object.entries({ services, requests, tasks, works, orders }).flatMap(([kind, all]) =>
    Object.keys(all).map((key) => `${kind} ${key}` as Thing),
  )
  assert.deepEqual(await seenOf(play, things), shown(play, play.model, things))
  const sum = (list: readonly number[]): number => list.reduce((all, each) => all + each, 0)
  assert.equal(sum(available) + sum(reserved) + fees, everybody * grant)
  const reserving = Object.values<ModelOrder>(orders).filter(({ state }) => isReserved(state))
  assert.equal(sum(reserving.map(({ amount }) => totalOf(amount))), sum(reserved))
  const idsOf = (list: { id: string }[]) => new Set(list.map(({ id }) => id))
  const known = (keys: readonly string[]) => new Set(keys.map((key) => idOf(play, key)))
  for (const [n, party] of play.parties.entries()) {
    const sides = isCustomer(party)
      ? { '/human/orders?': 'customer' }
      : {
          '/orders?role=customer&': 'customer',
          '/orders?role=contractor&': 'contractor',
          '/human-orders?': 'contractor',
        }
    for (const [path, role] of Object.entries(sides) as [string, 'customer' | 'contractor'][]) {
      const ofPerson = path.startsWith('/human')
      const mine = Object.keys(orders).filter((key) => {
        const order = orders[key] as ModelOrder
        return order[role] === n && order.ofPerson === ofPerson
      })
      const { body } = await party.get(`${path}page_size=50`)
      assert.equal(body.pagination.total, mine.length, 'no order but the known ones')
      if (mine.length <= 50) assert.deepEqual(idsOf(body.orders), known(mine))
    }
    if (isCustomer(party)) continue
    const asked = Object.entries(requests).filter(
      ([, { customer, service }]) => customer === n || services[service]?.provider === n,
    )
    const { items, pagination } = (await party.get('/service-requests?page_size=50')).body
    assert.equal(pagination.total, asked.length)
    if (asked.length > 50) continue
    assert.deepEqual(idsOf(items), known(asked.map(([key]) => key)))
    for (const [key, { status, version, order }] of asked) {
      const item = items.find(({ id }: { id: string }) => id === idOf(play, key))
      const state = order === null ? null : orders[order]?.state
      assert.deepEqual([item.status, item.version, item.order_state], [status, version, state], key)
    }
  }
  await assertInvariants(w.sql)
}

for (let n = 0; n < runs; n++) {
  // Each with a time-out of its own, whatever else the machine does.
  test(`the market always matches the model: ${n + 1} of ${runs}`, async (t) => {
    t.diagnostic(`KITH_MODEL_SEED=${seed + n} KITH_MODEL_RUNS=1`)
    const steps = fc.noBias(fc.array(step, { minLength: 30, maxLength: 90, size: 'max' }))
    const skipAllAfterTimeLimit = 120_000
    const done: Record<string, number> = {}
    await fc.assert(
      fc.asyncProperty(steps, async (all) => {
        const play = await begin()
        for (const each of all) await (doers[each.at] as (play: Play, given: Step) => Promise<void>)(play, each)
        await assertAll(play)
        for (const { path } of play.taken) {
          const name = path.replace(/[0-9a-f-]{36}/, 'ID')
          done[name] = (done[name] ?? 0) + 1
        }
      }),
      { numRuns: 1, seed: seed + n, skipAllAfterTimeLimit },
    )
    t.diagnostic(JSON.stringify(done))
  })
}
