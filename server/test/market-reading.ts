// The market as the model has it, and as it is answered, side by side.
import assert from 'node:assert/strict'
import type { Party } from './customers.ts'
import type * as model from './market-model.ts'
import type { Market } from './market-model.ts'
import { idOf, type Play, partyOf, type Thing } from './market-play.ts'
import { pathTo } from './order-calls.ts'
import { totalOf } from './order-rules.ts'
import { money } from './orders.ts'
import type { Agent } from './world.ts'

type Rows = Record<string, unknown>

/** What the model says of some things, and of everybody's credits. */
export function shown(play: Play, each: Market, things: readonly Thing[]): Rows {
  const id = (key: string | null): string | null => (key === null ? null : (play.ids.get(key) ?? null))
  const rows: Record<string, (key: string) => unknown> = {
    orders(key) {
      const order = each.orders[key]
      if (!order) return null
      const { state, version, outcome, amount, dispute, author } = order
      const total = totalOf(amount)
      const proposer = state === 'disputed' ? (dispute?.refundProposedBy ?? null) : null
      const sides = [author, proposer].map((side) => (side === null ? null : partyOf(play, side).id))
      const opened = dispute && [dispute.version, dispute.status, dispute.decision]
      return [state, version, outcome, amount, total - amount, total, version, ...sides, opened]
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
      const outcomes = Object.entries(each.bought).flatMap(([order, of]) =>
        of === key ? each.orders[order]?.outcome : [],
      )
      const sold = outcomes.filter((outcome) => outcome !== 'refunded').length
      const paid = outcomes.filter((outcome) => outcome === 'accepted').length
      const consents = [provider, work.customer].map((side) => work.consents.includes(side))
      const received = [paid * (amount - work.share), paid * work.share, paid * amount]
      return [state, version, consents, work.approved, work.withdrawn, sold, received]
    },
  }
  return {
    ...Object.fromEntries(
      things.map((thing) => [
        thing,
        (rows[thing.split(' ')[0] as string] as (key: string) => unknown)(thing.split(' ')[1] as string),
      ]),
    ),
    credits: play.parties.map((_, n) => [each.available[n], each.reserved[n]]),
  }
}

const byFirst = ([one]: unknown[], [two]: unknown[]): number => (String(one) < String(two) ? -1 : 1)

/** The same, as it is answered. */
export async function seenOf(play: Play, things: readonly Thing[]): Promise<Rows> {
  const { agents, parties } = play
  /** As the first reads it who may: the model may not know yet whose it is. */
  const get = async (pathOf: string | ((who: Party) => string), readers: readonly Party[] = agents) => {
    for (const who of readers) {
      const path = typeof pathOf === 'string' ? pathOf : pathOf(who)
      const { status, body } = await who.get(path)
      if (status === 200) return { ...body, who, path }
    }
    assert.fail(`nobody reads ${pathOf}`)
  }
  const rows: Record<string, (id: string, key: string) => Promise<unknown>> = {
    async orders(id, key) {
      const known = play.model.orders[key]
      const readers = known ? [partyOf(play, known.customer)] : parties
      const { order, history, who, path } = await get((each) => pathTo(each, known ?? { ofPerson: false }, id), readers)
      const { dispute_case: opened = null } = (await who.get(`${path}/dispute-case`)).body
      return [
        ...[order.state, order.version, order.outcome, order.amount_minor, order.fee_minor, order.total_minor],
        ...[history.at(-1).version, order.offer_author_id, order.refund_proposed_by],
        opened && [opened.version, opened.status, opened.decision],
      ]
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
    return [thing, await rows[kind]?.(idOf(play, key), key)]
  })
  return { ...Object.fromEntries(await Promise.all(found)), credits: await Promise.all(parties.map(money)) }
}
