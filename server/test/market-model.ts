// The market on top of the model of orders: services, quotes, requests, tasks, bids and finished works between several
// agents, and what each gives of orders and credits. Written from docs/contract/{services,requests,tasks,ready}.md; answers
// are the checks in their order, a status alone where something is taken.
import {
  type BidState,
  type RequestStatus,
  requestMoves,
  type ServiceState,
  shareOf,
  type TaskState,
} from './market-rules.ts'
import { type Model, type ModelOrder, newModel, pairOf, settle } from './order-model.ts'
import { agreed, offered, take, totalOf } from './order-rules.ts'

const minute = 60_000
const day = 24 * 60 * minute
const quoteLifetime = 10 * minute
const requestLifetime = 7 * day
/** From the publication of a task to its last bid, and from there, where there is a bid, to the last choice. */
const bidsTaken = 7 * day
const choosingTime = day

export interface MService {
  provider: number
  mode: 'fixed' | 'from'
  amount: number
  version: number
  state: ServiceState
  isWork: boolean
}

interface MQuote {
  service: string
  customer: number
  amount: number
  expires: number
  order: string | null
}

interface MRequest {
  service: string
  customer: number
  minimum: number
  status: RequestStatus
  version: number
  expires: number
  order: string | null
}

export interface MTask {
  customer: number
  state: TaskState
  version: number
  closes: number
  expires: number
  order: string | null
}

export interface MBid {
  task: string
  bidder: number
  state: BidState
  version: number
  amount: number
}

/** The agreement on a service that sells a finished work. */
export interface MReady {
  source: string
  customer: number
  share: number
  consents: number[]
  approved: boolean
  stopped: boolean
  withdrawn: boolean
}

export interface Market extends Model {
  services: Record<string, MService>
  quotes: Record<string, MQuote>
  requests: Record<string, MRequest>
  tasks: Record<string, MTask>
  bids: Record<string, MBid>
  works: Record<string, MReady>
  /** The work that an order bought. */
  bought: Record<string, string>
}

export const newMarket = (agents: number, grant: number): Market => ({
  ...newModel(agents, grant),
  services: {},
  quotes: {},
  requests: {},
  tasks: {},
  bids: {},
  works: {},
  bought: {},
})

const areFriends = ({ blocked }: Market, one: number, two: number): boolean => !blocked.includes(pairOf(one, two))

const isListed = ({ state }: MService): boolean => state === 'published' || state === 'paused'

/** Why somebody may not order a service in a way that its price asks for; undefined if it may. */
function notOrderable(
  model: Market,
  { who, service: key, expected, mode }: { who: number; service: string; expected: number; mode: MService['mode'] },
): string | undefined {
  const service = model.services[key] as MService
  if (service.provider !== who && !isListed(service)) return '404 not_found'
  if (service.provider === who) return '403 forbidden'
  if (mode === 'from' && !areFriends(model, who, service.provider)) return '403 friendship_required'
  if (service.version !== expected) return '409 version_conflict'
  if (service.state !== 'published' || service.isWork) return '409 service_unavailable'
  return service.mode === mode ? undefined : '409 price_mode_mismatch'
}

export interface Ordering {
  key: string
  who: number
  service: string
  quantity: number
  expected: number
  now: number
}

export function quoting(model: Market, { key, now, quantity, ...asked }: Ordering): string {
  const refused = notOrderable(model, { ...asked, mode: 'fixed' })
  if (refused) return refused
  const amount = (model.services[asked.service] as MService).amount * quantity
  model.quotes[key] = { service: asked.service, customer: asked.who, amount, expires: now + quoteLifetime, order: null }
  return '201'
}

interface ByQuote {
  key: string
  who: number
  quote: string
  off: number
  now: number
}

export function orderingByQuote(model: Market, { key, who, quote: of, off, now }: ByQuote): string {
  const quote = model.quotes[of] as MQuote
  const { provider, state } = model.services[quote.service] as MService
  if (quote.customer !== who) return '404 not_found'
  if (!areFriends(model, who, provider)) return '403 friendship_required'
  if (quote.order !== null) return '409 quote_already_used'
  if (quote.expires <= now) return '409 quote_expired'
  if (state !== 'published') return '409 service_unavailable'
  if (off !== 0) return '409 state_conflict'
  quote.order = key
  model.orders[key] = offered({ customer: who, contractor: provider, author: who, quick: false, amount: quote.amount })
  return '201'
}

export function asking(model: Market, { key, now, quantity, ...asked }: Ordering): string {
  const refused = notOrderable(model, { ...asked, mode: 'from' })
  if (refused) return refused
  const minimum = (model.services[asked.service] as MService).amount * quantity
  const { service, who: customer } = asked
  const fresh = { status: 'open', version: 1, expires: now + requestLifetime, order: null } as const
  model.requests[key] = { service, customer, minimum, ...fresh }
  return '201'
}

interface RequestMoving {
  /** Of the order that an offer makes. */
  key: string
  who: number
  request: string
  action: keyof typeof requestMoves
  expected: number
  amount: number
  now: number
}

export function requestMoving(model: Market, asked: RequestMoving): string {
  const { who, action, expected, amount, now } = asked
  const request = model.requests[asked.request] as MRequest
  const { provider } = model.services[request.service] as MService
  const sides = { customer: request.customer, provider }
  const { by, from, to } = requestMoves[action]
  if (who !== sides.customer && who !== sides.provider) return '404 not_found'
  if (who !== sides[by]) return '403 forbidden'
  if (action === 'offer' && !areFriends(model, sides.customer, provider)) return '403 friendship_required'
  if (expected !== request.version) return '409 version_conflict'
  const status = request.status === 'open' && request.expires <= now ? 'expired' : request.status
  if (!(from as readonly string[]).includes(status)) return '409 invalid_state'
  const order = request.order === null ? undefined : (model.orders[request.order] as ModelOrder)
  if (action === 'offer') {
    if (amount < request.minimum) return '400 below_service_minimum'
    const terms = { customer: sides.customer, contractor: provider, author: provider, quick: false, amount }
    model.orders[asked.key] = offered(terms)
    request.order = asked.key
  } else if (order) {
    if (order.state !== 'offered') return '409 invalid_state'
    take(order, { who, action: 'reject' })
  }
  request.status = to
  request.version += 1
  return action === 'offer' ? '201' : '200'
}

export function publishing(model: Market, { key, who, now }: { key: string; who: number; now: number }): string {
  const closes = now + bidsTaken
  model.tasks[key] = { customer: who, state: 'open', version: 1, closes, expires: closes, order: null }
  return '201'
}

const stateOf = ({ state, expires }: MTask, now: number): TaskState =>
  state === 'open' && expires <= now ? 'expired' : state

export interface Bidding {
  key: string
  who: number
  task: string
  amount: number
  now: number
}

export function bidding(model: Market, { key, who, task: of, amount, now }: Bidding): string {
  const task = model.tasks[of] as MTask
  if (task.customer === who) return '403 forbidden'
  if (!areFriends(model, who, task.customer)) return '403 contact_blocked'
  if (stateOf(task, now) !== 'open' || task.closes <= now) return '409 invalid_state'
  const own = Object.values(model.bids).filter(({ task: each, bidder }) => each === of && bidder === who)
  if (own.some(({ state }) => state === 'open')) return '409 state_conflict'
  if (own.length >= 10) return '429 request_limit'
  model.bids[key] = { task: of, bidder: who, state: 'open', version: 1, amount }
  task.expires = task.closes + choosingTime
  return '201'
}

interface BidMoving {
  who: number
  bid: string
  action: 'change' | 'withdraw'
  expected: number
  amount: number
  now: number
}

export function bidMoving(model: Market, { who, bid: key, action, expected, amount, now }: BidMoving): string {
  const bid = model.bids[key] as MBid
  const task = model.tasks[bid.task] as MTask
  if (who !== bid.bidder) return who === task.customer ? '403 forbidden' : '404 not_found'
  if (action === 'change' && !areFriends(model, who, task.customer)) return '403 contact_blocked'
  if (expected !== bid.version) return '409 version_conflict'
  if (bid.state !== 'open' || stateOf(task, now) !== 'open') return '409 invalid_state'
  if (action === 'change' && task.closes <= now) return '409 invalid_state'
  Object.assign(bid, action === 'change' ? { amount } : { state: 'withdrawn' })
  bid.version += 1
  const isLeft = Object.values(model.bids).some(({ task: of, state }) => of === bid.task && state !== 'withdrawn')
  if (!isLeft) task.expires = task.closes
  return '200'
}

interface Selecting {
  key: string
  who: number
  task: string
  bid: string
  expected: number
  expectedBid: number
  off: number
  now: number
}

export function selecting(model: Market, asked: Selecting): string {
  const { key, who, off, now } = asked
  const task = model.tasks[asked.task] as MTask
  const bid = model.bids[asked.bid] as MBid
  if (task.customer !== who) return '403 forbidden'
  if (bid.task !== asked.task) return '404 not_found'
  if (!areFriends(model, who, bid.bidder)) return '403 contact_blocked'
  if (task.version !== asked.expected || bid.version !== asked.expectedBid) return '409 version_conflict'
  if (stateOf(task, now) !== 'open' || bid.state !== 'open') return '409 invalid_state'
  if (off !== 0) return '409 state_conflict'
  if ((model.available[who] as number) < totalOf(bid.amount)) return '409 insufficient_funds'
  const sides = { customer: who, contractor: bid.bidder, author: bid.bidder }
  begin(model, key, agreed({ ...sides, quick: false, amount: bid.amount }, 'funded'))
  Object.assign(bid, { state: 'selected', version: bid.version + 1 })
  task.order = key
  end(model, asked.task, 'selected')
  return '201'
}

/** An order whose price is set aside as it begins. */
function begin(model: Market, key: string, order: ModelOrder): void {
  model.orders[key] = order
  settle(model, order, 'reserve')
}

function end(model: Market, key: string, state: TaskState): void {
  const task = model.tasks[key] as MTask
  Object.assign(task, { state, version: task.version + 1 })
  for (const bid of Object.values(model.bids)) {
    if (bid.task === key && bid.state === 'open') Object.assign(bid, { state: 'rejected', version: bid.version + 1 })
  }
}

interface TaskCancelling {
  who: number
  task: string
  expected: number
  now: number
}

export function cancellingTask(model: Market, { who, task: key, expected, now }: TaskCancelling): string {
  const task = model.tasks[key] as MTask
  if (task.customer !== who) return '403 forbidden'
  if (task.version !== expected) return '409 version_conflict'
  if (stateOf(task, now) !== 'open') return '409 invalid_state'
  end(model, key, 'cancelled')
  return '200'
}

interface ServiceMoving {
  who: number
  service: string
  action: 'publish' | 'pause' | 'archive' | 'change'
  expected: number
  amount: number
}

export function serviceMoving(model: Market, { who, service: key, action, expected, amount }: ServiceMoving): string {
  const service = model.services[key] as MService
  const work = model.works[key]
  if (service.provider !== who) return isListed(service) ? '403 forbidden' : '404 not_found'
  if (service.version !== expected) return '409 version_conflict'
  if (service.state === 'archived') return '409 invalid_state'
  if (action === 'change') {
    if (work) return '409 invalid_state'
    // What changes nothing is no new version.
    if (service.amount === amount) return '200'
    service.amount = amount
  } else {
    if (action === 'publish' && (service.state === 'published' || (work && !(work.approved && !work.stopped)))) {
      return '409 invalid_state'
    }
    if (action === 'pause' && service.state !== 'published') return '409 invalid_state'
    service.state = ({ publish: 'published', pause: 'paused', archive: 'archived' } as const)[action]
    if (action === 'archive' && work) work.stopped = true
  }
  service.version += 1
  return '200'
}

interface Proposing {
  /** Of the service. */
  key: string
  who: number
  source: string
  amount: number
  bps: number
}

export function proposing(model: Market, { key, who, source, amount, bps }: Proposing): string {
  const order = model.orders[source] as ModelOrder
  if (who !== order.customer && who !== order.contractor) return '404 not_found'
  if (who !== order.contractor) return '403 forbidden'
  if (order.outcome !== 'accepted' || source in model.bought) return '409 invalid_state'
  if (amount >= order.amount) return '400 invalid_input'
  model.services[key] = { provider: who, mode: 'fixed', amount, version: 1, state: 'draft', isWork: true }
  const share = shareOf(amount, bps)
  const fresh = { consents: [], approved: false, stopped: false, withdrawn: false }
  model.works[key] = { source, customer: order.customer, share, ...fresh }
  order.version += 1
  return '201'
}

interface ReadyMoving {
  who: number
  work: string
  action: 'consent' | 'withdraw'
}

export function readyMoving(model: Market, { who, work: key, action }: ReadyMoving): string {
  const work = model.works[key] as MReady
  const service = model.services[key] as MService
  const order = model.orders[work.source] as ModelOrder
  if (who !== work.customer && who !== service.provider) return '404 not_found'
  if (action === 'consent') {
    if (work.stopped || work.consents.includes(who)) return '409 invalid_state'
    work.consents = [...work.consents, who].sort()
  } else {
    if (work.withdrawn) return '409 invalid_state'
    if (service.state !== 'archived') Object.assign(service, { state: 'archived', version: service.version + 1 })
    Object.assign(work, { withdrawn: true, stopped: true })
  }
  order.version += 1
  return '200'
}

/** Whether a work waits for a moderator. */
export const isWaiting = ({ consents, approved, stopped }: MReady): boolean =>
  consents.length === 2 && !approved && !stopped

/** A moderator lets a work in that waits. */
export function approve(model: Market, key: string): void {
  const work = model.works[key] as MReady
  const service = model.services[key] as MService
  const order = model.orders[work.source] as ModelOrder
  work.approved = true
  Object.assign(service, { state: 'published', version: service.version + 1 })
  order.version += 1
}

interface Purchasing {
  key: string
  who: number
  work: string
  expected: number
  off: number
}

export function purchasing(model: Market, { key, who, work: of, expected, off }: Purchasing): string {
  const work = model.works[of] as MReady
  const service = model.services[of] as MService
  if (who === service.provider || who === work.customer) return '403 forbidden'
  if (!isListed(service)) return '404 not_found'
  if (service.version !== expected) return '409 version_conflict'
  if (service.state !== 'published') return '409 service_unavailable'
  if (off !== 0) return '409 state_conflict'
  if ((model.available[who] as number) < totalOf(service.amount)) return '409 insufficient_funds'
  const sides = { customer: who, contractor: service.provider, author: service.provider }
  const share = { to: work.customer, amount: work.share }
  begin(model, key, agreed({ ...sides, quick: false, amount: service.amount, share }, 'delivered'))
  model.bought[key] = of
  return '201'
}

/** What time alone makes of requests and tasks, once it is written down. */
export function passingMarket(model: Market, now: number): void {
  for (const request of Object.values(model.requests)) {
    if (request.status !== 'open' || request.expires > now) continue
    Object.assign(request, { status: 'expired', version: request.version + 1 })
  }
  for (const [key, task] of Object.entries(model.tasks)) {
    if (task.state === 'open' && task.expires <= now) end(model, key, 'expired')
  }
}
