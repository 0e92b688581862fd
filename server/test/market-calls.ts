// What is drawn are numbers, and here the standing model turns them into requests on the market, with what it says of each.
import { randomUUID } from 'node:crypto'
import { days } from '../src/kernel/clock.ts'
import * as model from './market-model.ts'
import {
  at,
  type Call,
  type Caller,
  choose,
  type Drawn,
  expectedOf,
  idOf,
  type Kind,
  type Play,
  size,
  type Thing,
  whoOf,
} from './market-play.ts'
import { orderCallers } from './order-calls.ts'
import { totalOf } from './order-rules.ts'
import { inTime } from './orders.ts'
import { proposeBody, purchaseBody } from './ready.ts'
import { priceBody } from './services.ts'
import { bidBody, selectBody, taskBody } from './tasks.ts'
import type { Agent } from './world.ts'

const shareBps = 3333

/** What a drawn request is in the standing model; undefined if there is nothing yet that it could be about. */
export function callOf(play: Play, drawn: Drawn): Call | undefined {
  return callers[drawn.kind](play, drawn, randomUUID(), play.w.now().getTime())
}

const ordering =
  (mode: 'fixed' | 'from'): Caller =>
  (play, drawn, key, now) => {
    const { on, which, isTheirs } = drawn
    const chosen = choose(play.model.services, on, (each) => !each.isWork && (each.mode === mode) === isTheirs)
    if (!chosen) return undefined
    const [service, { provider, version }] = chosen
    const who = isTheirs ? (provider + 1 + (drawn.who % (size - 1))) % size : drawn.who % size
    const expected = expectedOf(version, drawn)
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
  ...orderCallers,
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
        deadline: inTime(play.w, days(1000)),
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
        : (['cancel', 'cancel', 'reject', 'offer'] as const),
      drawn.which,
    ) as 'offer'
    const who = whoOf(drawn, (action as string) === 'cancel' ? customer : provider)
    const amount = Math.max(1, minimum - drawn.off + (drawn.which % 2) * 7)
    const expected = expectedOf(version, drawn)
    const given = { key, who, request, action, expected, amount, now }
    const made = action === 'offer' ? key : order
    return {
      who: play.agents[who] as Agent,
      path: `/service-requests/${idOf(play, request)}/${action}`,
      body: {
        operation_id: key,
        expected_version: expected,
        ...(action === 'offer' && { amount_minor: amount, deadline: inTime(play.w, days(1000)) }),
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
      body: taskBody(play.w, { operation_id: key, deadline: inTime(play.w, days(1000)) }),
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
      body: bidBody(play.w, { operation_id: key, amount_minor: drawn.amount, deadline: inTime(play.w, days(1000)) }),
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
    // The last bid that is withdrawn once they are closed ends its task by itself: written down in the service's own time.
    const { closes } = play.model.tasks[task] as model.MTask
    const action = drawn.which % 3 === 0 && closes > now ? 'withdraw' : 'change'
    const expected = expectedOf(version, drawn)
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
    const [expected, expectedBid] = [expectedOf(version, drawn), bidVersion]
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
    const expected = expectedOf(version, drawn)
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
    const expected = expectedOf(version, drawn)
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
    const chosen = choose(
      Object.fromEntries(Object.entries(play.model.orders).filter(([, { ofPerson }]) => !ofPerson)),
      drawn.on,
      ({ outcome, amount }) => outcome === 'accepted' && amount > 10,
    )
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
      expect: (each) => model.readyMoving(each, { who, work, action }),
      about: [`works ${work}`, `orders ${source}`],
    }
  },

  purchase(play, drawn, key) {
    const isForSale = (work: string): boolean => play.model.services[work]?.state === 'published'
    const all = Object.keys(play.model.works)
    const some = all.filter(isForSale)
    const work = at(some.length > 0 && drawn.on % 12 > 0 ? some : all, drawn.on)
    if (work === undefined) return undefined
    const { customer } = play.model.works[work] as model.MReady
    const { provider, version, amount } = play.model.services[work] as model.MService
    const buyers = Array.from({ length: size }, (_, n) => n).filter((n) => n !== provider && n !== customer)
    const who = whoOf(drawn, at(buyers, drawn.who) as number)
    const expected = expectedOf(version, drawn)
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
}
