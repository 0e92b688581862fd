// What agents do on the market while everything falls: services and orders by quote, requests, tasks and bids, finished
// works that are sold again. Much of it in races for the one order that may come of it.
import { requestMoves, type ServiceState } from '../server/test/market-rules.ts'
import {
  bidMove,
  cancelTask,
  consent,
  deadline,
  newService,
  orderByQuote,
  proposal,
  purchase,
  requestMove,
  type ServiceMove,
  select,
  serviceMove,
} from './asks-market.ts'
import type { Asked } from './ledger.ts'
import type { Bid, Request, Service, Task } from './market.ts'
import { agentOf, amountFor, make, pick, sendAll, type Worker } from './worker.ts'

/** Of one agent at once; of works in a world. */
const mostServices = 3
const mostTasks = 2
/** In a world: an agent gets an event for no more new tasks in an hour. */
const mostTellings = 20
const mostWorks = 6

export const marketWeights = {
  service: 2,
  serviceMove: 2,
  quote: 6,
  orderByQuote: 8,
  request: 5,
  requestMove: 12,
  task: 4,
  bid: 10,
  bidMove: 3,
  select: 16,
  cancelTask: 0.5,
  propose: 2,
  consent: 4,
  withdraw: 0.2,
  purchase: 5,
}

export const marketSteps: Record<keyof typeof marketWeights, (worker: Worker) => Promise<void>> = {
  async service(worker) {
    if (servicesOf(worker).filter(({ digest }) => digest === null).length >= mostServices) return
    const { made } = await make(worker, newService(worker, worker.random.pick(['fixed', 'from'])))
    const service = made === undefined ? undefined : worker.world.market.services.get(made)
    if (service) await make(worker, serviceMove(worker, service, 'publish'))
  },

  /** Sometimes two moves at one version. */
  async serviceMove(worker) {
    const { random } = worker
    const service = pick(worker, servicesOf(worker))
    if (!service) return
    const likely: Partial<Record<ServiceState, Partial<Record<ServiceMove, number>>>> = {
      draft: { publish: 10, change: 2 },
      published: { change: 6, pause: 2, archive: 0.3, publish: 0.2 },
      paused: { publish: 10, change: 1, archive: 0.2 },
    }
    const weights = { ...likely[service.state] }
    if (service.digest !== null) delete weights.change
    const chosen = new Set(Array.from({ length: random.chance(0.3) ? 2 : 1 }, () => random.weighted(weights)))
    await sendAll(
      worker,
      [...chosen].map((move) => serviceMove(worker, service, move)),
    )
  },

  async quote(worker) {
    const { me, random } = worker
    const service = offeredBy(worker, 'fixed')
    if (!service) return
    const body = { operation_id: random.uuid(), expected_version: service.version, quantity: random.integer(1, 3) }
    await make(worker, { kind: 'quote', by: me, path: `/services/${service.id}/quote`, body })
  },

  /** One order by a quote, or several at once that all want it. */
  async orderByQuote(worker) {
    const { world, me, random } = worker
    if (world.isBusy()) return
    const quote = pick(
      worker,
      [...world.market.quotes.values()].filter(({ customer }) => customer === me.id),
    )
    if (!quote) return
    const rivals = random.chance(0.4) ? random.integer(2, 4) : 1
    const writes = await sendAll(
      worker,
      Array.from({ length: rivals }, () => orderByQuote(worker, quote)),
    )
    const isUsed = writes.some(({ state, refusals }) => state === 'acknowledged' || refusals.has('quote_already_used'))
    if (isUsed && !random.chance(0.1)) world.market.quotes.delete(quote.id)
  },

  async request(worker) {
    const { me, random } = worker
    const service = offeredBy(worker, 'from')
    if (!service) return
    const id = random.uuid()
    const body = {
      operation_id: id,
      service_id: service.id,
      expected_service_version: service.version,
      title: id,
      description: 'Work',
      quantity: random.integer(1, 3),
    }
    await make(worker, { kind: 'request', by: me, path: '/service-requests', body })
  },

  /** Either side's move, or several at once; the customer's cancellation against its own acceptance of the order. */
  async requestMove(worker) {
    const { world, random } = worker
    const request = pick(worker, requestsOf(worker))
    if (!request) return
    const order = request.order === null ? undefined : world.orders.live.get(request.order)
    if (request.status === 'offered') {
      if (!order || !random.chance(0.3)) return
      const customer = agentOf(world, request.customer)
      const accept: Asked = {
        kind: 'action',
        by: customer,
        path: `/orders/${order.id}/accept`,
        body: { operation_id: random.uuid(), expected_version: order.version, confirmed_total_minor: order.total },
        order: order.id,
        action: 'accept',
        version: order.version,
      }
      await sendAll(worker, [
        requestMove(worker, request, 'cancel'),
        ...(random.chance(0.7) && order.state === 'offered' ? [accept] : []),
      ])
      return
    }
    if (world.isBusy()) return
    const weights = { offer: 12, reject: 1, cancel: 2 }
    const chosen = new Set(Array.from({ length: random.chance(0.3) ? 3 : 1 }, () => random.weighted(weights)))
    await sendAll(
      worker,
      [...chosen].map((action) => requestMove(worker, request, action)),
    )
  },

  async task(worker) {
    const { world, me, random } = worker
    if (openTasks(worker).filter(({ customer }) => customer === me.id).length >= mostTasks) return
    if (world.ledger.writes.filter(({ kind }) => kind === 'task').length >= mostTellings) return
    const id = random.uuid()
    const body = { operation_id: id, title: id, description: 'Work', tags: [world.word], deadline }
    await make(worker, { kind: 'task', by: me, path: '/tasks', body })
  },

  async bid(worker) {
    const { me, random } = worker
    const task = pick(
      worker,
      openTasks(worker).filter(({ customer }) => customer !== me.id),
    )
    if (!task || (openBids(worker, task).some(({ bidder }) => bidder === me.id) && !random.chance(0.05))) return
    const id = random.uuid()
    const body = { operation_id: id, amount_minor: await amountFor(worker), deadline, text: id }
    await make(worker, { kind: 'bid', by: me, path: `/tasks/${task.id}/bids`, body })
  },

  async bidMove(worker) {
    const { me, random } = worker
    const bid = pick(
      worker,
      openTasks(worker)
        .flatMap((task) => openBids(worker, task))
        .filter(({ bidder }) => bidder === me.id),
    )
    if (bid) await make(worker, bidMove(worker, bid, random.chance(0.7) ? 'change' : 'withdraw'))
  },

  /** One bid, or all of them at once, against the bidders and the customer itself. */
  async select(worker) {
    const { world, me, random } = worker
    if (world.isBusy()) return
    const own = openTasks(worker).filter(({ customer }) => customer === me.id)
    const task = pick(
      worker,
      own.filter((each) => openBids(worker, each).length > 0),
    )
    if (!task) return
    const bids = random.shuffled(openBids(worker, task))
    if (random.chance(0.5)) return void (await make(worker, select(worker, task, bids[0] as Bid)))
    await sendAll(worker, [
      ...bids.slice(0, 4).map((bid) => select(worker, task, bid)),
      ...(random.chance(0.2) ? [cancelTask(worker, task)] : []),
      ...(random.chance(0.4) ? [bidMove(worker, bids[0] as Bid, random.chance(0.7) ? 'change' : 'withdraw')] : []),
    ])
  },

  async cancelTask(worker) {
    const task = pick(
      worker,
      openTasks(worker).filter(({ customer }) => customer === worker.me.id),
    )
    if (task) await make(worker, cancelTask(worker, task))
  },

  async propose(worker) {
    const { world, me, random } = worker
    if (world.market.works.size >= mostWorks) return
    const order = pick(
      worker,
      world.orders.accepted.filter(({ id, contractor, amount, workflow }) => {
        return contractor === me.id && amount > 2 && workflow === null && !world.market.sources.has(id)
      }),
    )
    if (order) await make(worker, proposal(worker, order.id, random.integer(2, order.amount - 1)))
  },

  /** Of one side or both at once. */
  async consent(worker) {
    const { world, me, random } = worker
    const open = [...world.market.works.values()].filter(({ consents, withdrawn }) => consents < 2 && !withdrawn)
    const work = pick(
      worker,
      open.filter(({ provider, customer }) => [provider, customer].includes(me.id)),
    )
    if (!work) return
    const sides = random.chance(0.5) ? [work.provider, work.customer] : [me.id]
    await sendAll(
      worker,
      sides.map((side) => consent(worker, work, side)),
    )
  },

  async withdraw(worker) {
    const { world, me, random } = worker
    const standing = [...world.market.works.values()].filter(({ withdrawn }) => !withdrawn)
    const work = pick(
      worker,
      standing.filter(({ provider, customer }) => [provider, customer].includes(me.id)),
    )
    if (!work || standing.length < 2) return
    const body = { operation_id: random.uuid(), expected_digest: work.digest }
    const path = `/services/${work.id}/ready/withdraw`
    await make(worker, {
      kind: 'withdrawal',
      action: 'withdraw-resale',
      by: me,
      path,
      body,
      work: work.id,
      source: work.source,
    })
  },

  async purchase(worker) {
    const { world, me } = worker
    if (world.isBusy()) return
    const work = pick(
      worker,
      [...world.market.works.values()].filter(({ id, provider, customer }) => {
        return ![provider, customer].includes(me.id) && world.market.services.get(id)?.state === 'published'
      }),
    )
    if (work) await make(worker, purchase(worker, work))
  },
}

const servicesOf = ({ world, me }: Worker): Service[] =>
  [...world.market.services.values()].filter(({ provider, state, id }) => {
    const isReady = !world.market.works.has(id) || world.market.approved.has(id)
    return provider === me.id && state !== 'archived' && isReady
  })

/** Somebody else's service that can be ordered; now and then one that cannot. */
function offeredBy(worker: Worker, mode: Service['mode']): Service | undefined {
  const { world, me, random } = worker
  const paused = random.chance(0.05)
  return pick(
    worker,
    [...world.market.services.values()].filter((service) => {
      if (service.provider === me.id || service.mode !== mode || service.digest !== null) return false
      return service.state === 'published' || (paused && service.state === 'paused')
    }),
  )
}

const requestsOf = ({ world, me }: Worker): Request[] =>
  [...world.market.requests.values()].filter(
    ({ customer, provider, status }) =>
      [customer, provider].includes(me.id) && (requestMoves.cancel.from as readonly string[]).includes(status),
  )

const openTasks = ({ world }: Worker): Task[] =>
  [...world.market.tasks.values()].filter(({ state }) => state === 'open')

const openBids = ({ world }: Worker, { id }: Task): Bid[] =>
  [...world.market.bids.values()].filter(({ task, state }) => task === id && state === 'open')
