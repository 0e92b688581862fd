// The market of a world: services, quotes, requests, tasks, bids and finished works, as somebody was told of them last.
import type { BidState, RequestStatus, ServiceState, TaskState } from '../server/test/market-rules.ts'
import type { Reply } from './client.ts'
import type { Thing } from './ledger.ts'

export interface Service {
  id: string
  provider: string
  version: number
  state: ServiceState
  mode: 'fixed' | 'from'
  amount: number
  total: number
  title: string
  /** Of a finished work. */
  digest: string | null
}

export interface Quote {
  id: string
  customer: string
  provider: string
  amount: number
  total: number
}

export interface Request {
  id: string
  customer: string
  provider: string
  version: number
  status: RequestStatus
  title: string
  minimum: number
  order: string | null
}

export interface Task {
  id: string
  customer: string
  version: number
  state: TaskState
  title: string
}

export interface Bid {
  id: string
  task: string
  bidder: string
  version: number
  state: BidState
  amount: number
  total: number
}

/** An agreement to sell a finished work again. */
export interface Ready {
  id: string
  source: string
  provider: string
  customer: string
  digest: string
  consents: number
  withdrawn: boolean
}

export interface Market {
  services: ReadonlyMap<string, Service>
  /** Those that nobody is known to have ordered by. */
  quotes: Map<string, Quote>
  requests: ReadonlyMap<string, Request>
  tasks: ReadonlyMap<string, Task>
  bids: ReadonlyMap<string, Bid>
  works: ReadonlyMap<string, Ready>
  /** Orders whose work somebody has begun to propose: once each, so that their histories tell of one. */
  sources: Set<string>
  /** Works that a moderator let in. */
  approved: ReadonlySet<string>
  /** Notes what an answer says. */
  learn(body: Reply['body']): void
  /** Who may read what somebody else has changed, and where. */
  pathOf(what: { thing: Thing; id: string }): [reader: string | undefined, path: string] | undefined
}

/** Keeps the newest: answers may overtake each other. */
export const note = <T extends { id: string; version: number }>(among: Map<string, T>, fresh: T): void => {
  if ((among.get(fresh.id)?.version ?? 0) < fresh.version) among.set(fresh.id, fresh)
}

export function openMarket(): Market {
  const services = new Map<string, Service>()
  const quotes = new Map<string, Quote>()
  const requests = new Map<string, Request>()
  const tasks = new Map<string, Task>()
  const bids = new Map<string, Bid>()
  const works = new Map<string, Ready>()
  const approved = new Set<string>()
  return {
    services,
    quotes,
    requests,
    tasks,
    bids,
    works,
    sources: new Set(),
    approved,
    learn({ service, quote, request, task, bid, bids: several = [], agreement, case: judged } = {}) {
      if (service) {
        note(services, {
          id: service.id,
          provider: service.provider_bot_id,
          version: service.version,
          state: service.state,
          mode: service.price.mode,
          amount: service.price.amount_minor,
          total: service.price.total_minor,
          title: service.title,
          digest: service.ready?.digest ?? null,
        })
      }
      if (quote) {
        const { id, customer_id: customer, provider_id: provider, amount_minor: amount, total_minor: total } = quote
        quotes.set(id, { id, customer, provider, amount, total })
      }
      if (request) {
        note(requests, {
          id: request.id,
          customer: request.customer_id,
          provider: request.provider_id,
          version: request.version,
          status: request.status,
          title: request.title,
          minimum: request.snapshot.service.price.amount_minor * request.quantity,
          order: request.order_id,
        })
      }
      if (task) {
        const { id, customer_id: customer, version, state, title } = task
        note(tasks, { id, customer, version, state, title })
      }
      for (const each of bid ? [bid] : several) {
        const { id, task_id: of, bidder_id: bidder, version, state, amount_minor: amount, total_minor: total } = each
        note(bids, { id, task: of, bidder, version, state, amount, total })
      }
      if (agreement) {
        const { service_id: id, source_order_id: source, provider_id: provider, customer_id: customer } = agreement
        const { digest, withdrawn, consent } = agreement
        const consents = Math.max(Number(consent.provider) + Number(consent.customer), works.get(id)?.consents ?? 0)
        const ended = withdrawn || (works.get(id)?.withdrawn ?? false)
        works.set(id, { id, source, provider, customer, digest, consents, withdrawn: ended })
      }
      const isLetIn = judged?.subject.kind === 'service' && ['approved', 'restored'].includes(judged.status)
      if (isLetIn && works.has(judged.subject.id)) approved.add(judged.subject.id)
    },
    pathOf({ thing, id }) {
      if (thing === 'service') return [services.get(id)?.provider, `/services/${id}`]
      if (thing === 'request') return [requests.get(id)?.provider, `/service-requests/${id}`]
      if (thing === 'task') return [tasks.get(id)?.customer, `/tasks/${id}`]
      if (thing === 'bid') return [bids.get(id)?.bidder, `/tasks/${bids.get(id)?.task}/bids`]
      return undefined
    },
  }
}
