// Any sequence of quotes, orders by them, requests, tasks, bids, finished works and moves of the orders that come of it, alone
// and in races, with replays, blocks and passing time, against a small model: every answer is the model's, and so is what is
// read afterwards, to the last credit. KITH_MODEL_RUNS makes it longer, KITH_MODEL_SEED repeats one.
import assert from 'node:assert/strict'
import { randomInt, randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import fc from 'fast-check'
import { days, minutes } from '../src/kernel/clock.ts'
import { escalateDue } from '../src/modules/orders/support.ts'
import { expireNext } from '../src/modules/requests/expiry.ts'
import { requestDue } from '../src/modules/reviews/reviews.ts'
import { expireTasks } from '../src/modules/tasks/tasks.ts'
import { type Call as Raced, race } from './linear.ts'
import * as model from './market-model.ts'
import { type Market, newMarket } from './market-model.ts'
import { acting, type ModelOrder, pairOf, passing } from './order-model.ts'
import { type Action, actions, isOver, isReserved, totalOf } from './order-rules.ts'
import { inTime, stepBody } from './orders.ts'
import { proposeBody, purchaseBody } from './ready.ts'
import { priceBody, serviceBody } from './services.ts'
import { bidBody, selectBody, taskBody } from './tasks.ts'
import { type Agent, type Answer, assertInvariants, befriend, eventually, type World, world } from './world.ts'

const runs = Number(process.env['KITH_MODEL_RUNS'] ?? 4)
const seed = Number(process.env['KITH_MODEL_SEED'] ?? randomInt(2 ** 31))
const size = 4
const grant = 500_000
const shareBps = 3333
/** Tokens live for thirty days, and so long a story may last. */
const longest = days(24)

let w: World
before(async () => {
  w = await world()
})
after(() => w.close())

// What is drawn are numbers, which the standing model turns into a request: so every sequence makes sense, cut or not.
const kinds = {
  quote: 6,
  'order by quote': 8,
  ask: 4,
  'move request': 9,
  task: 3,
  bid: 8,
  'move bid': 3,
  select: 6,
  'cancel task': 1,
  'move service': 3,
  propose: 2,
  'move work': 4,
  purchase: 6,
  'move order': 26,
} as const
type Kind = keyof typeof kinds
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
  amount: fc.constantFrom<number>(3, 1004, 62_000, 300_000),
  stale: usually(0, -1, 1),
  off: usually(0, 1),
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
  { weight: 4, arbitrary: index.map((sent) => ({ at: 'again' as const, sent })) },
  { weight: 3, arbitrary: fc.constant({ at: 'moderator' as const }) },
  { weight: 1, arbitrary: fc.record({ at: fc.constant('block' as const), one: index, two: index }) },
  {
    weight: 4,
    arbitrary: fc
      .constantFrom(minutes(4), minutes(11), days(1), days(4), days(8))
      .map((passed) => ({ at: 'later' as const, passed })),
  },
)
type Of<A> = A extends fc.Arbitrary<infer T> ? T : never
type Drawn = Of<typeof request>
type Step = Of<typeof step>

/** What is read of the market, by the model's name of it. */
type Thing = `${'orders' | 'services' | 'requests' | 'tasks' | 'works'} ${string}`

interface Call extends Raced<Market> {
  /** Names for what is made, of the answer's fields. */
  makes?: Record<string, string>
  about: readonly Thing[]
}

interface Play {
  agents: readonly Agent[]
  model: Market
  /** Ids by the names that the model has for them; of works their digests too. */
  ids: Map<string, string>
  digests: Map<string, string>
  contacts: Map<string, string>
  passed: number
  taken: Call[]
}

const at = <T>(list: readonly T[], n: number): T | undefined => (list.length === 0 ? undefined : list[n % list.length])

/** One of these, of those that are likely to go on most of the time. */
function choose<T>(
  among: Readonly<Record<string, T>>,
  n: number,
  likely: (each: T) => boolean,
): [string, T] | undefined {
  const all = Object.entries(among)
  const some = all.filter(([, each]) => likely(each))
  return at(some.length > 0 && n % 12 > 0 ? some : all, n)
}

/** What a drawn request is in the standing model; undefined where there is nothing yet that it could be about. */
function callOf(play: Play, drawn: Drawn): Call | undefined {
  return callers[drawn.kind](play, drawn, randomUUID(), w.now().getTime())
}

type Caller = (play: Play, drawn: Drawn, key: string, now: number) => Call | undefined

const idOf = ({ ids }: Play, key: string): string => ids.get(key) as string

/** The one whose it is, or whoever was drawn. */
const whoOf = ({ isTheirs, who }: Drawn, theirs: number): number => (isTheirs ? theirs : who % size)

const ordering =
  (mode: 'fixed' | 'from'): Caller =>
  (play, { who: drawn, on, which, isTheirs, stale }, key, now) => {
    const chosen = choose(play.model.services, on, (each) => !each.isWork && (each.mode === mode) === isTheirs)
    if (!chosen) return undefined
    const [service, { provider, version }] = chosen
    const who = isTheirs ? (provider + 1 + (drawn % (size - 1))) % size : drawn % size
    const expected = Math.max(0, version + stale)
    const quantity = 1 + (which % 3)
    const given = { key, who, service, quantity, expected, now }
    const body = { operation_id: key, quantity }
    if (mode === 'fixed') {
      return {
        who: play.agents[who] as Agent,
        path: `/services/${idOf(play, service)}/quote`,
        body: { ...body, expected_version: expected },
        expect: (each) => model.quoting(each, given),
        makes: { quote: key },
        about: [],
      }
    }
    return {
      who: play.agents[who] as Agent,
      path: '/service-requests',
      body: {
        ...body,
        service_id: idOf(play, service),
        expected_service_version: expected,
        title: 'Icons',
        description: 'Round',
      },
      expect: (each) => model.asking(each, given),
      makes: { request: key },
      about: [`requests ${key}`],
    }
  }

const callers: Record<Kind, Caller> = {
  quote: ordering('fixed'),
  ask: ordering('from'),

  'order by quote'(play, drawn, key, now) {
    const chosen = choose(play.model.quotes, drawn.on, ({ order, expires }) => order === null && expires > now)
    if (!chosen) return undefined
    const [quote, { customer, amount }] = chosen
    const who = whoOf(drawn, customer)
    const given = { key, who, quote, off: drawn.off, now }
    return {
      who: play.agents[who] as Agent,
      path: '/orders',
      body: {
        operation_id: key,
        service_quote_id: idOf(play, quote),
        title: 'A logo',
        description: 'Round',
        deadline: inTime(w, days(1000)),
        confirmed_total_minor: totalOf(amount) + drawn.off,
      },
      expect: (each) => model.orderingByQuote(each, given),
      makes: { order: key },
      about: [`orders ${key}`],
    }
  },

  'move request'(play, drawn, key, now) {
    const chosen = choose(play.model.requests, drawn.on, ({ status }) => status === 'open' || status === 'offered')
    if (!chosen) return undefined
    const [request, { customer, service, status, version, minimum, order }] = chosen
    const { provider } = play.model.services[service] as model.MService
    const action = at(
      status === 'open'
        ? (['offer', 'offer', 'offer', 'cancel', 'reject'] as const)
        : (['cancel', 'cancel', 'reject'] as const),
      drawn.which,
    ) as 'offer'
    const who = whoOf(drawn, (action as string) === 'cancel' ? customer : provider)
    const amount = Math.max(1, minimum - drawn.off + (drawn.which % 2) * 7)
    const expected = Math.max(0, version + drawn.stale)
    const given = { key, who, request, action, expected, amount, now }
    const made = action === 'offer' ? key : order
    return {
      who: play.agents[who] as Agent,
      path: `/service-requests/${idOf(play, request)}/${action}`,
      body: {
        operation_id: key,
        expected_version: expected,
        ...(action === 'offer' && { amount_minor: amount, deadline: inTime(w, days(1000)) }),
      },
      expect: (each) => model.requestMoving(each, given),
      ...(action === 'offer' && { makes: { order: key } }),
      about: [`requests ${request}`, ...(made === null ? [] : [`orders ${made}` as const])],
    }
  },

  task(play, { who: drawn }, key, now) {
    const who = drawn % size
    return {
      who: play.agents[who] as Agent,
      path: '/tasks',
      body: taskBody(w, { operation_id: key, deadline: inTime(w, days(1000)) }),
      expect: (each) => model.publishing(each, { key, who, now }),
      makes: { task: key },
      about: [`tasks ${key}`],
    }
  },

  bid(play, drawn, key, now) {
    const chosen = choose(play.model.tasks, drawn.on, ({ state, closes }) => state === 'open' && closes > now)
    if (!chosen) return undefined
    const [task, { customer }] = chosen
    const who = drawn.isTheirs ? (customer + 1 + (drawn.who % (size - 1))) % size : drawn.who % size
    const given = { key, who, task, amount: drawn.amount, now }
    return {
      who: play.agents[who] as Agent,
      path: `/tasks/${idOf(play, task)}/bids`,
      body: bidBody(w, { operation_id: key, amount_minor: drawn.amount, deadline: inTime(w, days(1000)) }),
      expect: (each) => model.bidding(each, given),
      makes: { bid: key },
      about: [`tasks ${task}`],
    }
  },

  'move bid'(play, drawn, key, now) {
    const chosen = choose(play.model.bids, drawn.on, ({ state }) => state === 'open')
    if (!chosen) return undefined
    const [bid, { bidder, version, task }] = chosen
    const who = whoOf(drawn, bidder)
    const action = drawn.which % 3 === 0 ? 'withdraw' : 'change'
    const expected = Math.max(0, version + drawn.stale)
    const given = { who, bid, action, expected, amount: drawn.amount, now } as const
    const body = { operation_id: key, expected_version: expected }
    const path = `/bids/${idOf(play, bid)}`
    return {
      who: play.agents[who] as Agent,
      ...(action === 'change'
        ? { method: 'PATCH' as const, path, body: { ...body, amount_minor: drawn.amount } }
        : { path: `${path}/withdraw`, body }),
      expect: (each) => model.bidMoving(each, given),
      about: [`tasks ${task}`],
    }
  },

  select(play, drawn, key, now) {
    const open = (of: string): [string, model.MBid][] =>
      Object.entries(play.model.bids).filter(([, { task, state }]) => task === of && state === 'open')
    const all = Object.entries(play.model.tasks)
    const telling = all.filter(([of, { state }]) => state === 'open' && open(of).length > 0)
    const chosen = at(telling.length > 0 && drawn.on % 12 > 0 ? telling : all, drawn.on)
    if (!chosen) return undefined
    const [task, { customer, version }] = chosen
    const bids = open(task).length > 0 ? open(task) : Object.entries(play.model.bids)
    const picked = at(bids, drawn.which)
    if (!picked) return undefined
    const [bid, { amount, version: bidVersion }] = picked
    const who = whoOf(drawn, customer)
    const [expected, expectedBid] = [Math.max(0, version + drawn.stale), bidVersion]
    const given = { key, who, task, bid, expected, expectedBid, off: drawn.off, now }
    const seen = { id: idOf(play, bid), version: bidVersion, total_minor: totalOf(amount) + drawn.off }
    return {
      who: play.agents[who] as Agent,
      path: `/tasks/${idOf(play, task)}/select`,
      body: selectBody({ version: expected }, seen, { operation_id: key }),
      expect: (each) => model.selecting(each, given),
      makes: { order: key },
      about: [`tasks ${task}`, `orders ${key}`],
    }
  },

  'cancel task'(play, drawn, key, now) {
    const chosen = choose(play.model.tasks, drawn.on, ({ state }) => state === 'open')
    if (!chosen) return undefined
    const [task, { customer, version }] = chosen
    const who = whoOf(drawn, customer)
    const expected = Math.max(0, version + drawn.stale)
    return {
      who: play.agents[who] as Agent,
      path: `/tasks/${idOf(play, task)}/cancel`,
      body: { operation_id: key, expected_version: expected },
      expect: (each) => model.cancellingTask(each, { who, task, expected, now }),
      about: [`tasks ${task}`],
    }
  },

  'move service'(play, drawn, key) {
    const chosen = choose(play.model.services, drawn.on, ({ state }) => state !== 'archived')
    if (!chosen) return undefined
    const [service, { provider, version, state, mode, amount: standing }] = chosen
    const who = whoOf(drawn, provider)
    const likely = { draft: 'publish', published: 'pause', paused: 'publish', archived: 'publish' } as const
    const action = at(
      [likely[state], 'change', likely[state], 'change', 'change', 'change', 'archive'] as const,
      drawn.which,
    ) as 'change'
    const expected = Math.max(0, version + drawn.stale)
    // Sometimes what it is anyway.
    const amount = drawn.which % 5 === 0 ? standing : Math.min(drawn.amount, 62_000)
    const given = { who, service, action, expected, amount }
    const body = { operation_id: key, expected_version: expected }
    const path = `/services/${idOf(play, service)}`
    const about: Thing[] = [`services ${service}`]
    return {
      who: play.agents[who] as Agent,
      ...(action === 'change'
        ? { method: 'PATCH' as const, path, body: { ...body, price: priceBody({ mode, amount_minor: amount }) } }
        : { path: `${path}/${action}`, body }),
      expect: (each) => model.serviceMoving(each, given),
      about,
    }
  },

  propose(play, drawn, key) {
    const chosen = choose(play.model.orders, drawn.on, ({ outcome, amount }) => outcome === 'accepted' && amount > 10)
    if (!chosen) return undefined
    const [source, order] = chosen
    const who = whoOf(drawn, order.contractor)
    const amount = drawn.off ? Math.max(10, order.amount) : Math.max(10, Math.floor(order.amount / 2))
    const given = { key, who, source, amount, bps: shareBps }
    return {
      who: play.agents[who] as Agent,
      path: '/ready-services',
      body: proposeBody({ id: idOf(play, source) }, [], {
        operation_id: key,
        service: { price: priceBody({ amount_minor: amount }) },
        customer_share_bps: shareBps,
      }),
      expect: (each) => model.proposing(each, given),
      makes: { service: key },
      about: [`works ${key}`, `orders ${source}`],
    }
  },

  'move work'(play, drawn, key) {
    const chosen = choose(play.model.works, drawn.on, ({ consents, stopped }) => consents.length < 2 && !stopped)
    if (!chosen) return undefined
    const [work, { source, customer, consents }] = chosen
    const { provider } = play.model.services[work] as model.MService
    const action = drawn.which % 14 === 0 ? 'withdraw' : 'consent'
    const silent = [provider, customer].filter((side) => !consents.includes(side))
    const who = whoOf(drawn, at(silent, drawn.who) ?? provider)
    const digest = play.digests.get(work)
    const body = { operation_id: key, expected_digest: digest }
    return {
      who: play.agents[who] as Agent,
      path: `/services/${idOf(play, work)}/ready/${action}`,
      body: action === 'consent' ? { ...body, rights_confirmed: true } : body,
      expect: (each) => model.workMoving(each, { who, work, action }),
      about: [`works ${work}`, `orders ${source}`],
    }
  },

  purchase(play, drawn, key) {
    const isForSale = (work: string): boolean => play.model.services[work]?.state === 'published'
    const all = Object.keys(play.model.works)
    const some = all.filter(isForSale)
    const work = at(some.length > 0 && drawn.on % 12 > 0 ? some : all, drawn.on)
    if (work === undefined) return undefined
    const { customer } = play.model.works[work] as model.MWork
    const { provider, version, amount } = play.model.services[work] as model.MService
    const buyers = Array.from({ length: size }, (_, n) => n).filter((n) => n !== provider && n !== customer)
    const who = whoOf(drawn, at(buyers, drawn.who) as number)
    const expected = Math.max(0, version + drawn.stale)
    const seen = {
      id: idOf(play, work),
      version: expected,
      ready: { digest: play.digests.get(work) },
      price: { total_minor: totalOf(amount) + drawn.off },
    }
    return {
      who: play.agents[who] as Agent,
      path: `/services/${idOf(play, work)}/ready/purchase`,
      body: purchaseBody({ service: seen }, { operation_id: key }),
      expect: (each) => model.purchasing(each, { key, who, work, expected, off: drawn.off }),
      makes: { order: key },
      about: [`works ${work}`, `orders ${key}`],
    }
  },

  'move order'(play, drawn, key, now) {
    const chosen = choose(play.model.orders, drawn.on, ({ state }) => !isOver(state))
    if (!chosen) return undefined
    const [order, standing] = chosen
    const priced = {
      key: order,
      expected: standing.version,
      amount: standing.amount,
      confirmed: totalOf(standing.amount),
      now,
    }
    const possible = [standing.customer, standing.contractor].flatMap((who) =>
      actions.flatMap((action) => {
        const told = acting(structuredClone(play.model), { ...priced, who, action })
        return told === '200' ? Array<[number, Action]>(eagerness[action] ?? 1).fill([who, action]) : []
      }),
    )
    const [side, action] = at(possible, drawn.which) ?? [standing.customer, at(actions, drawn.which) as Action]
    const who = whoOf(drawn, side)
    const expected = Math.max(0, standing.version + drawn.stale)
    const confirmed = priced.confirmed + drawn.off
    const given = { ...priced, who, action, expected, confirmed }
    const seen = {
      version: expected,
      total_minor: confirmed,
      amount_minor: standing.amount,
      customer_id: play.agents[standing.customer]?.id,
    }
    const agent = play.agents[who] as Agent
    return {
      who: agent,
      path: `/orders/${idOf(play, order)}/${action}`,
      body: stepBody(agent, seen, action, { operation_id: key }) as Call['body'],
      expect: (each) => acting(each, given),
      about: aboutOf(play.model, order),
    }
  },
}

/** Most orders are to get beyond their offer, and to an acceptance. */
const eagerness: Partial<Record<Action, number>> = { accept: 12, deliver: 8, complete: 10 }

/** An order, with what shows how far it is. */
function aboutOf({ requests, bought }: Market, order: string): Thing[] {
  const asked = Object.entries(requests).find(([, request]) => request.order === order)
  const work = bought[order]
  return [
    `orders ${order}`,
    ...(asked ? [`requests ${asked[0]}` as const] : []),
    ...(work === undefined ? [] : [`works ${work}` as const]),
  ]
}

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

type Rows = Record<string, unknown>

/** What the model says of some things, and of everybody's credits. */
function shown(play: Play, each: Market, things: readonly Thing[]): Rows {
  const id = (key: string | null): string | null => (key === null ? null : (play.ids.get(key) ?? null))
  const rows: Record<string, (key: string) => unknown> = {
    orders(key) {
      const order = each.orders[key]
      if (!order) return null
      return [order.state, order.version, order.outcome, order.amount, totalOf(order.amount), order.version]
    },
    services(key) {
      const { state, version, amount } = each.services[key] as model.MService
      return [state, version, amount]
    },
    requests(key) {
      const request = each.requests[key]
      if (!request) return null
      const { status, version, order } = request
      return [status, version, id(order), order === null ? null : each.orders[order]?.state]
    },
    tasks(key) {
      const task = each.tasks[key]
      if (!task) return null
      const bids = Object.entries(each.bids).filter(([, bid]) => bid.task === key)
      const standing = bids.filter(([, { state }]) => state !== 'withdrawn').length
      const listed = bids.map(([bid, { state, version, amount }]) => [id(bid), state, version, amount]).sort(byFirst)
      return [task.state, task.version, id(task.order), standing, listed]
    },
    works(key) {
      const work = each.works[key]
      if (!work) return null
      const { state, version, amount, provider } = each.services[key] as model.MService
      const orders = Object.entries(each.bought).filter(([, of]) => of === key)
      const paid = orders.filter(([order]) => each.orders[order]?.outcome === 'accepted').length
      const consents = [provider, work.customer].map((side) => work.consents.includes(side))
      const received = [paid * (amount - work.share), paid * work.share, paid * amount]
      return [state, version, consents, work.approved, work.withdrawn, orders.length, received]
    },
  }
  return {
    ...Object.fromEntries(
      things.map((thing) => [
        thing,
        (rows[thing.split(' ')[0] as string] as (key: string) => unknown)(thing.split(' ')[1] as string),
      ]),
    ),
    credits: play.agents.map((_, n) => [each.available[n], each.reserved[n]]),
  }
}

const byFirst = ([one]: unknown[], [two]: unknown[]): number => (String(one) < String(two) ? -1 : 1)

/** The same, as it is answered. */
async function seenOf(play: Play, things: readonly Thing[]): Promise<Rows> {
  const { agents } = play
  /** Whoever is a side of it: the model may not know yet. */
  const get = async (path: string) => {
    const answers = await Promise.all(agents.map((agent) => agent.get(path)))
    return (answers.find(({ status }) => status === 200) as Answer).body
  }
  const rows: Record<string, (id: string) => Promise<unknown>> = {
    async orders(id) {
      const { order, history } = await get(`/orders/${id}`)
      return [order.state, order.version, order.outcome, order.amount_minor, order.total_minor, history.at(-1).version]
    },
    async services(id) {
      const { service } = await get(`/services/${id}`)
      return [service.state, service.version, service.price.amount_minor]
    },
    async requests(id) {
      const { request } = await get(`/service-requests/${id}`)
      return [request.status, request.version, request.order_id, request.order_state]
    },
    async tasks(id) {
      const { task } = await get(`/tasks/${id}`)
      const customer = agents.find((agent) => agent.id === task.customer_id) as Agent
      const { bids } = (await customer.get(`/tasks/${id}/bids?page_size=50`)).body
      const listed = bids
        .map((bid: Rows) => [bid['id'], bid['state'], bid['version'], bid['amount_minor']])
        .sort(byFirst)
      return [task.state, task.version, task.order_id, task.bids_count, listed]
    },
    async works(id) {
      const { service, agreement } = await get(`/services/${id}/ready`)
      const { consent, moderation, withdrawn, sold_count, received } = agreement
      const sums = [received.provider_minor, received.customer_minor, received.total_minor]
      const consents = [consent.provider, consent.customer]
      return [service.state, service.version, consents, moderation?.status === 'approved', withdrawn, sold_count, sums]
    },
  }
  const found = things.map(async (thing) => {
    const [kind, key] = thing.split(' ') as [string, string]
    return [thing, await (rows[kind] as (id: string) => Promise<unknown>)(idOf(play, key))]
  })
  const credits = agents.map(async (agent) => {
    const { wallet } = (await agent.get('/wallet')).body
    return [wallet.available_minor, wallet.reserved_minor]
  })
  return { ...Object.fromEntries(await Promise.all(found)), credits: await Promise.all(credits) }
}

const doers: { [K in Step['at']]: (play: Play, given: Extract<Step, { at: K }>) => Promise<void> } = {
  async once(play, { requests }) {
    const calls = requests.flatMap((drawn) => callOf(play, drawn) ?? [])
    if (calls.length > 0) await perform(play, calls)
  },
  async again(play, { sent }) {
    const call = at(play.taken, sent)
    if (call) await perform(play, [{ ...call, expect: () => '200' }])
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
    while (await expireTasks(w.sql, w.now()));
    while (await escalateDue(w.service.sql));
    while (await requestDue(w.service.sql));
    // The service's own sweeps may have been at it, and not yet done.
    await eventually(async () => {
      const due = await w.sql`
        select 1 from dispute_cases where status = 'open' and response_due_at <= ${w.now()}
        union all select 1 from orders where review_request_at <= ${w.now()}
        union all select 1 from service_requests where status = 'open' and expires_at <= ${w.now()}
        union all select 1 from tasks where state = 'open' and expires_at <= ${w.now()}`
      return due.length === 0
    }, 'what is due is done')
  },
}

let plays = 0

/** Four friends; two of them sell a service each, and one a finished work that another one has paid for. */
async function begin(): Promise<Play> {
  plays += 1
  const agents = await Promise.all(Array.from({ length: size }, (_, n) => w.agent(`agent_${plays}_${n}`)))
  const contacts = new Map<string, string>()
  for (const [n, one] of agents.entries()) {
    for (const [m, two] of agents.entries()) if (n < m) contacts.set(pairOf(n, m), await befriend(one, two))
  }
  const fresh = { ids: new Map(), digests: new Map(), passed: 0, taken: [] }
  const play: Play = { agents, contacts, model: newMarket(size, grant), ...fresh }
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
  assert.equal(sum(available) + sum(reserved) + fees, size * grant)
  const reserving = Object.values<ModelOrder>(orders).filter(({ state }) => isReserved(state))
  assert.equal(sum(reserving.map(({ amount }) => totalOf(amount))), sum(reserved))
  for (const [n, agent] of play.agents.entries()) {
    const mine = Object.values<ModelOrder>(orders).filter((order) => [order.customer, order.contractor].includes(n))
    assert.equal((await agent.get('/orders')).body.pagination.total, mine.length, 'no order but the known ones')
  }
  await assertInvariants(w.sql)
}

for (let n = 0; n < runs; n++) {
  // Each with a time-out of its own, whatever else the machine does.
  test(`whatever happens on the market, it is what the model says: ${n + 1} of ${runs}`, async (t) => {
    t.diagnostic(`KITH_MODEL_SEED=${seed + n} KITH_MODEL_RUNS=1`)
    const steps = fc.noBias(fc.array(step, { minLength: 40, maxLength: 100, size: 'max' }))
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
