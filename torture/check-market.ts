// The market, as the API tells it to those whom it concerns: every service, request, task, bid and finished work is what the
// acknowledged writes make it, each gave the one order that it may give, and no other.
import {
  type BidState,
  bidMoves,
  type Move,
  type RequestStatus,
  requestMoves,
  type ServiceState,
  serviceMoves,
  shareOf,
  type TaskState,
  taskMoves,
} from '../server/test/market-rules.ts'
import { priceOf } from '../server/test/order-rules.ts'
import { shareBps } from './asks-market.ts'
import type { Told } from './check-orders.ts'
import type { Judged } from './check-oversight.ts'
import { forEach } from './for-each.ts'
import { type Agent, type Kind, type Thing, versionKey, type Write } from './ledger.ts'
import type { Random } from './random.ts'
import { read, readNumbered } from './reading.ts'
import { ensure } from './violation.ts'
import type { World } from './world.ts'

/** What was told of the market, for the events: the state that each version entered, from the first on. */
export interface Market {
  services: { id: string; provider: string; state: ServiceState }[]
  requests: { id: string; customer: string; provider: string; statuses: RequestStatus[] }[]
  tasks: { id: string; customer: string; state: TaskState; bids: ToldBid[] }[]
}

interface ToldBid {
  id: string
  bidder: string
  states: BidState[]
}

type Orders = ReadonlyMap<string, Told>

/** What the writes of a world say, by what they are about. */
interface Noted {
  world: World
  random: Random
  orders: Orders
  judged: Judged
  of(kind: Kind): readonly Write[]
}

/** Reads all that there is, and holds it against the writes; gives what events there must be. */
export async function checkMarket(world: World, judged: Judged, orders: Orders, random: Random): Promise<Market> {
  const acknowledged = Map.groupBy(
    world.ledger.writes.filter(({ state }) => state === 'acknowledged'),
    ({ kind }) => kind,
  )
  const noted: Noted = { world, random, orders, judged, of: (kind) => acknowledged.get(kind) ?? [] }
  checkQuotes(noted)
  const services = await checkServices(noted)
  await checkWorks(noted)
  return { services, requests: await checkRequests(noted), tasks: await checkTasks(noted) }
}

/** One order at most by each quote, at its price. */
function checkQuotes({ of }: Noted): void {
  const byQuote = Map.groupBy(of('order by quote'), ({ makes }) => makes?.quote)
  const quotes = new Set(of('quote').map(({ made }) => made))
  for (const [quote, orders] of byQuote) {
    ensure(orders.length === 1, 'two orders by one quote', ...orders)
    ensure(quotes.has(quote), 'an order by a quote that nobody was told of', ...orders)
  }
}

/** The acknowledged writes that made the versions of something, one after the other from the second on. */
function movesOf({ world, of }: Noted, thing: Thing, kinds: readonly Kind[], id: string): Write[] {
  const own = kinds.flatMap((kind) => of(kind)).filter(({ on = [] }) => on.some((each) => each.id === id))
  const moves: Write[] = []
  for (let version = 2; moves.length < own.length; version++) {
    const write = world.ledger.byVersion.get(versionKey(id, version))
    ensure(write !== undefined, `the versions of a ${thing} are not one after the other`, id, ...own)
    moves.push(write)
  }
  return moves
}

/** The state that a move leads to; what the contract does not allow ends the run. */
function follow<S extends string>(moves: Readonly<Record<string, Move<string, S>>>, state: S, write: Write): S {
  const move = moves[write.action as string]
  ensure(move?.from.includes(state) === true, 'a move that the contract does not allow', state, write)
  return move.to
}

async function checkServices({ world, random, judged, of }: Noted): Promise<Market['services']> {
  const told: Market['services'] = []
  const moves: Readonly<Record<string, Move<string, ServiceState>>> = {
    ...serviceMoves,
    change: { by: 'provider', from: ['draft', 'published', 'paused'], to: 'draft' },
  }
  await forEach(world.agents, async (agent) => {
    const found = await readPages(world, random, agent, '/services/mine?limit=20')
    const own = [...of('service'), ...of('proposal')].filter(({ by }) => by.id === agent.id)
    ensure(found.length === own.length, 'an agent has not the services that it was told of', found, ...own)
    for (const service of found) {
      const created = own.find(({ made }) => made === service.id)
      ensure(created !== undefined, 'a service that nobody was told of', service)
      const card = cardOf(created)
      let [state, title, amount]: [ServiceState, string, number] = ['draft', card.title, card.price.amount_minor]
      const isWork = created.kind === 'proposal'
      const isApproved = isWork && judged.wordsOn({ kind: 'service', id: service.id }).includes('approved')
      const withdrawn = of('withdrawal').some(({ work }) => work === service.id)
      const left = new Set(of('service move').filter(({ on }) => on?.[0]?.id === service.id))
      for (let version = 2; version <= service.version; version++) {
        const write = world.ledger.byVersion.get(versionKey(service.id, version))
        if (write) {
          left.delete(write)
          const to: ServiceState = follow(moves, state, write)
          const changed = write.body as unknown as Card
          if (write.action === 'change') [title, amount] = [changed.title, changed.price.amount_minor]
          else state = to
          continue
        }
        // The end of its sales raises it too, and so does a moderator's word where its provider is open: before that end.
        const isEnd = withdrawn && version === service.version
        ensure(isEnd || (isApproved && state === 'draft'), 'a version of a service that nobody was told of', service)
        state = isEnd ? 'archived' : 'published'
      }
      ensure(left.size === 0, 'an acknowledged move of a service is lost', service, ...left)
      ensure(!withdrawn || state === 'archived', 'a work was withdrawn and is still there', service)
      const seen = [service.state, service.title, service.price.amount_minor, service.price.total_minor]
      const wanted = [state, title, amount, priceOf(amount).total]
      ensure(seen.join() === wanted.join(), 'a service is not what its writes make it', { seen, wanted }, service)
      told.push({ id: service.id, provider: agent.id, state })
    }
  })
  return told
}

interface Card {
  title: string
  price: { amount_minor: number }
}

/** What a write says of the service that it makes. */
const cardOf = ({ kind, body = {} }: Write): Card => (kind === 'proposal' ? body['service'] : body) as Card

/** A list that goes on by a cursor. */
export async function readPages(world: World, random: Random, agent: Agent, path: string) {
  const found = []
  for (let cursor = ''; ; ) {
    const { items, next_cursor: next } = await read(world, random, agent, `${path}${cursor}`)
    found.push(...items)
    if (next === null) return found
    cursor = `&cursor=${encodeURIComponent(next)}`
  }
}

async function checkWorks({ world, random, orders, judged, of }: Noted): Promise<void> {
  await forEach(of('proposal'), async (created) => {
    const id = created.made as string
    const source = orders.get(created.source as string) as Told
    const consents = of('consent').filter(({ work }) => work === id)
    const withdrawal = of('withdrawal').filter(({ work }) => work === id)
    ensure(withdrawal.length <= 1, 'a work was withdrawn twice', ...withdrawal)
    const bought = of('purchase').filter(({ makes }) => makes?.work === id)
    const ended = (outcome: 'accepted' | 'refunded'): number =>
      bought.filter(({ made }) => orders.get(made as string)?.model.outcome === outcome).length
    const paid = ended('accepted')
    const sold = bought.length - ended('refunded')
    const amount = cardOf(created).price.amount_minor
    const share = shareOf(amount, shareBps)
    for (const side of [source.model.contractor, source.model.customer]) {
      const agent = world.agents.find((each) => each.id === side) as Agent
      const { agreement, service } = await read(world, random, agent, `/services/${id}/ready`)
      const told = {
        provider: agreement.consent.provider,
        customer: agreement.consent.customer,
        approved: agreement.moderation?.status === 'approved',
        withdrawn: agreement.withdrawn_by,
        shares: [agreement.provider_share_minor, agreement.customer_share_minor],
        sold: [agreement.sold_count, service.ready.sold_count],
        received: agreement.received,
      }
      const wanted = {
        provider: consents.some(({ by }) => by.id === source.model.contractor),
        customer: consents.some(({ by }) => by.id === source.model.customer),
        approved: judged.wordsOn({ kind: 'service', id }).at(-1) === 'approved',
        withdrawn: withdrawal[0]?.by.id ?? null,
        shares: [amount - share, share],
        sold: [sold, sold],
        received: { provider_minor: paid * (amount - share), customer_minor: paid * share, total_minor: paid * amount },
      }
      const isTold = JSON.stringify(told) === JSON.stringify(wanted)
      ensure(isTold, 'a finished work is not what its writes make it', { told, wanted }, created, ...bought)
    }
  })
}

async function checkRequests(noted: Noted): Promise<Market['requests']> {
  const { world, random, orders, of } = noted
  const told = new Map<string, Market['requests'][number] & { order: string | null }>()
  for (const asked of of('request')) {
    const id = asked.made as string
    const service = world.market.services.get(asked.body?.['service_id'] as string)
    const statuses: RequestStatus[] = ['open']
    let order: string | null = null
    for (const write of movesOf(noted, 'request', ['request move'], id)) {
      statuses.push(follow(requestMoves, statuses.at(-1) as RequestStatus, write))
      if (write.action === 'offer') order = write.made as string
    }
    const state = order === null ? null : orders.get(order)?.model
    const isCancelled = statuses.at(-1) === 'cancelled'
    if (isCancelled && state) {
      const isFree = state.state === 'rejected' && state.money.length === 0
      ensure(isFree, 'a cancelled request has an order that was not rejected', id, state)
    }
    told.set(id, { id, customer: asked.by.id, provider: service?.provider as string, statuses, order })
  }
  await forEach(world.agents, async (agent) => {
    const own = [...told.values()].filter(({ customer, provider }) => [customer, provider].includes(agent.id))
    const found = await readNumbered(world, random, agent, '/service-requests', 'items')
    ensure(found.length === own.length, 'an agent has not the requests that it was told of', found, own)
    for (const request of found) {
      const known = told.get(request.id)
      ensure(known !== undefined, 'a request that nobody was told of', request)
      const { statuses, order } = known
      const state = order === null ? null : (orders.get(order)?.model.state ?? null)
      const wanted = [statuses.at(-1), statuses.length, order, state]
      const seen = [request.status, request.version, request.order_id, request.order_state]
      ensure(JSON.stringify(seen) === JSON.stringify(wanted), 'a request is not what its writes make it', seen, wanted)
    }
  })
  return [...told.values()]
}

async function checkTasks(noted: Noted): Promise<Market['tasks']> {
  const { world, random, orders, of } = noted
  const told: Market['tasks'] = []
  await forEach(world.agents, async (agent) => {
    const published = of('task').filter(({ by }) => by.id === agent.id)
    const found = await readNumbered(world, random, agent, '/tasks/mine', 'tasks')
    ensure(found.length === published.length, 'an agent has not the tasks that it was told of', found, ...published)
    for (const task of found) {
      const isKnown = published.some(({ made }) => made === task.id)
      ensure(isKnown, 'a task that nobody was told of', task)
      const [end, ...more] = movesOf(noted, 'task', ['select', 'task move'], task.id)
      ensure(more.length === 0, 'a task ended twice', ...more)
      const state = end ? follow<TaskState>(taskMoves, 'open', end) : 'open'
      const order = end?.kind === 'select' ? (end.made as string) : null
      ensure(order === null || orders.has(order), 'a selected task has no order', task, end)
      const bids = await checkBids(noted, agent, task.id, end)
      const standing = bids.filter(({ states }) => states.at(-1) !== 'withdrawn').length
      const wanted = [state, end ? 2 : 1, order, standing]
      const seen = [task.state, task.version, task.order_id, task.bids_count]
      ensure(
        JSON.stringify(seen) === JSON.stringify(wanted),
        'a task is not what its writes make it',
        seen,
        wanted,
        task,
      )
      told.push({ id: task.id, customer: agent.id, state, bids })
    }
  })
  return told
}

/** The bids on a task as its customer reads them: with its end all that were open are rejected, but for the selected one. */
async function checkBids(noted: Noted, customer: Agent, task: string, end: Write | undefined): Promise<ToldBid[]> {
  const { world, random, of } = noted
  const made = of('bid').filter(({ path }) => path === `/tasks/${task}/bids`)
  const found = await readNumbered(world, random, customer, `/tasks/${task}/bids`, 'bids')
  ensure(found.length === made.length, 'a task has not the bids that were acknowledged', found, ...made)
  return found.map((bid) => {
    const first = made.find((write) => write.made === bid.id)
    ensure(first !== undefined, 'a bid that nobody was told of', bid)
    const states: BidState[] = ['open']
    let amount = first.body?.['amount_minor'] as number
    for (const write of movesOf(noted, 'bid', ['bid move', 'select'], bid.id)) {
      states.push(follow<BidState>(bidMoves, states.at(-1) as BidState, write))
      if (write.action === 'change') amount = write.body?.['amount_minor'] as number
    }
    const isLeft = end !== undefined && states.at(-1) === 'open'
    if (isLeft) states.push('rejected')
    const isChosen = end?.kind === 'select' && end.body?.['bid_id'] === bid.id
    ensure(isChosen === (states.at(-1) === 'selected'), 'a task and its bids tell another choice', bid, end)
    if (isChosen) ensure(end?.makes?.amount === amount, 'an order at another price than the bid', bid, end)
    const wanted = [states.at(-1), states.length, amount, priceOf(amount).total]
    const seen = [bid.state, bid.version, bid.amount_minor, bid.total_minor]
    ensure(seen.join() === wanted.join(), 'a bid is not what its writes make it', seen, wanted, bid)
    return { id: bid.id, bidder: first.by.id, states }
  })
}
