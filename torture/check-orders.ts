// Orders, as the API tells them to their sides: every acknowledged action is in the history once, and nothing else is.

import { shareOf } from '../server/test/market-rules.ts'
import {
  type Act,
  agreed,
  answerTo,
  answerToDecision,
  type Decision,
  decide,
  type Order,
  offered,
  priceOf,
  rules,
  type State,
  take,
} from '../server/test/order-rules.ts'
import { sidesOf } from './acts.ts'
import { shareBps } from './asks-market.ts'
import { type List, listOf } from './book.ts'
import type { Judged } from './check-oversight.ts'
import { forEach } from './for-each.ts'
import { type Actor, type Made, versionKey, type Write } from './ledger.ts'
import type { Random } from './random.ts'
import { read, readAll, readNumbered } from './reading.ts'
import { ensure, violated } from './violation.ts'
import type { World } from './world.ts'

export interface Told {
  id: string
  model: Order<string>
  /** The state that each version entered, from the first on. */
  states: State[]
  /** Its history. */
  lines: readonly Line[]
}

export interface Line {
  version: number
  action: string
  actor_id: string | null
  from: State | null
  to: State
  reason: string | null
}

/** Reads every order, its history, its log and its dispute; gives what the model made of the history, by id. */
export async function checkOrders(world: World, judged: Judged, random: Random): Promise<Map<string, Told>> {
  const done = world.ledger.writes.filter(({ state }) => state === 'acknowledged')
  const offers = done.filter(({ makes }) => makes !== undefined)
  const acknowledged = Map.groupBy(
    done.filter(({ order }) => order !== undefined),
    ({ order }) => order,
  )
  const steps = stepsOf(judged, done)
  const told = new Map<string, Told>()
  await forEach(offers, async (offer) => {
    const id = offer.made as string
    ensure(!told.has(id), 'two offers made one order', offer, told.get(id))
    const order = await checkHistory(world, random, offer, { actions: acknowledged.get(id) ?? [], steps: steps(id) })
    told.set(id, order)
    if (order.model.updates > 0) await checkUpdates(world, random, order, acknowledged.get(id) ?? [])
    if (order.model.dispute) await checkDispute(world, random, order)
  })
  await forEach(world.agents, async (agent) => {
    await checkList(world, random, agent, '/orders', told)
    await checkList(world, random, agent, '/human-orders', told)
  })
  await forEach([...world.people.known.values()], (person) => checkList(world, random, person, '/human/orders', told))
  return told
}

/** A step of an order that asks for none of its versions: of the agreements on its work, or of the request that it came from. */
interface Step {
  action: string
  by: string | null
  /** What is said of a work after its sales were ended is no step; nobody is told which came first. */
  optional?: boolean
}

/** The steps of each order that were acknowledged. */
function stepsOf(judged: Judged, done: readonly Write[]): (order: string) => Step[] {
  const orderOf = new Map(done.flatMap(({ makes, made }) => (makes?.request ? [[makes.request, made as string]] : [])))
  const ended = new Set(done.flatMap(({ kind, work }) => (kind === 'withdrawal' ? [work] : [])))
  const all: [order: string | undefined, step: Step][] = []
  for (const { kind, action = '', by, source, made, on } of done) {
    if (source !== undefined) all.push([source, { action, by: by.id }])
    if (kind === 'proposal') {
      const words = judged.wordsOn({ kind: 'service', id: made as string })
      const optional = words.length === 1 && ended.has(made)
      for (const word of words) all.push([source, { action: stepOf[word], by: null, optional }])
    }
    if (kind === 'request move' && action === 'cancel')
      all.push([orderOf.get(on?.[0]?.id as string), { action: 'reject', by: by.id }])
  }
  const byOrder = Map.groupBy(all, ([order]) => order)
  return (order) => (byOrder.get(order) ?? []).map(([, step]) => step)
}

/** What the history calls a moderator's word on a work. */
const stepOf = { approved: 'approve-resale', rejected: 'reject-resale' } as const

/** A side of an order, and where that finds it. */
function sideOf(world: World, random: Random, { id, model }: Pick<Told, 'id' | 'model'>): [by: Actor, path: string] {
  const by = random.pick(sidesOf(world, model))
  return [by, `${listOf(model, by, world.people.known)}/${id}`]
}

async function checkHistory(
  world: World,
  random: Random,
  offer: Write,
  { actions, steps }: { actions: readonly Write[]; steps: Step[] },
): Promise<Told> {
  const makes = offer.makes as Made
  const model = begun(world, makes)
  const id = offer.made as string
  const { order, history } = await read(world, random, ...sideOf(world, random, { id, model }))
  const lines = history as Line[]
  const first = lines[0]
  const isFirst = first?.version === 1 && first.from === null
  const isOffer = isFirst && first.action === makes.action && first.to === makes.state
  ensure(isOffer && first.actor_id === offer.by.id, 'a history does not begin with its offer', offer, first)
  const decisions = actions.filter(({ kind }) => kind === 'decision')
  const decided = new Map(decisions.map((write) => [write.body?.['reason'], write]))
  const states: State[] = [model.state]
  for (const [at, line] of lines.entries()) {
    ensure(line.version === at + 1, 'the versions of a history are not one after the other', lines)
    if (at === 0) continue
    const step = steps.findIndex(({ action, by }) => action === line.action && by === line.actor_id)
    if (step >= 0 && !world.ledger.byVersion.has(versionKey(id, line.version))) {
      steps.splice(step, 1)
      if (line.action === 'reject') follow(model, line, undefined)
      else raise(model, line)
      states.push(line.to)
      continue
    }
    const write =
      line.actor_id === null ? decided.get(line.reason) : world.ledger.byVersion.get(versionKey(id, line.version))
    if (!write) {
      const asked = world.ledger.writes.filter((each) => each.order === id && each.version === at)
      return violated('a history has an action that nobody was told of', line, ...asked)
    }
    const isTheWrite =
      line.action === write.action &&
      (line.actor_id === null || line.actor_id === write.by.id) &&
      line.reason === (write.body?.['reason'] ?? null) &&
      line.from === model.state
    ensure(isTheWrite, 'a history tells an acknowledged action as another one', line, write)
    const amount = write.body?.['amount_minor'] as number | undefined
    follow(model, line, amount)
    if (line.actor_id === null) decided.delete(line.reason)
    ensure(line.to === model.state, 'an action led to another state than the contract says', line, model)
    states.push(line.to)
  }
  const left = steps.filter(({ optional }) => !optional)
  const lost = [...actions.filter(({ version = 0 }) => version >= lines.length), ...decided.values(), ...left]
  ensure(lost.length === 0, 'an acknowledged action is not in the history', ...lost, lines)

  const { amount, fee, total } = priceOf(model.amount)
  const delivered = actions.find(({ action }) => action === 'deliver')
  const wanted = {
    id,
    title: makes.title,
    workflow: makes.work === undefined ? null : 'ready',
    source_service_quote_id: makes.quote ?? null,
    source_service_request_id: makes.request ?? null,
    state: model.state,
    version: model.version,
    customer_id: model.customer,
    contractor_id: model.contractor,
    offer_author_id: model.author,
    amount_minor: amount,
    fee_minor: fee,
    total_minor: total,
    outcome: model.outcome,
    updates_count: model.updates,
    refund_proposed_by: model.state === 'disputed' ? (model.dispute?.refundProposedBy ?? null) : null,
    result_text: delivered?.body?.['result_text'] ?? workOf(world, makes.work)?.body?.['result_text'] ?? null,
  }
  for (const [field, value] of Object.entries(wanted)) {
    ensure(order[field] === value, `an order's ${field} is not what its history makes it`, { wanted, order }, lines)
  }
  ensure((order.closed_at === null) === (model.state !== 'closed'), 'closed_at is not as the state', order)
  return { id, model, states, lines }
}

/** The order as it began. */
function begun(world: World, { work, state, ...made }: Made): Order<string> {
  const { customer, contractor, author, quick, amount } = made
  const sharer = work === undefined ? undefined : world.market.works.get(work)?.customer
  const share = sharer === undefined ? null : { to: sharer, amount: shareOf(amount, shareBps) }
  const terms = { customer, contractor, author, quick, amount, share }
  return state === 'offered' ? offered(terms) : agreed(terms, state)
}

/** The proposal of a finished work. */
const workOf = ({ ledger }: World, id: string | undefined): Write | undefined =>
  id === undefined ? undefined : ledger.writes.find(({ kind, made }) => kind === 'proposal' && made === id)

/** A step of an agreement on the work of an order raises its version, and nothing else. */
function raise(order: Order<string>, line: Line): void {
  const isQuiet = line.from === order.state && line.to === order.state && order.outcome === 'accepted'
  ensure(isQuiet, `the history has a ${line.action} that the contract does not allow`, order, line)
  order.version += 1
}

/** Does what a line of a history tells; what the contract does not allow ends the run. */
function follow(order: Order<string>, { action, actor_id: actor, reason }: Line, amount: number | undefined): void {
  const decision = /^decide-(refund|resume)$/.exec(action)?.[1] as Decision | undefined
  const answer = decision
    ? actor === null && answerToDecision(order)
    : action in rules && actor !== null && answerTo(order, { who: actor, action: action as Act })
  ensure(/^20[01]$/.test(`${answer}`), `the history has a ${action} that the contract does not allow`, order, actor)
  if (decision) decide(order, decision, reason)
  else take(order, { who: actor as string, action: action as Act, ...(amount !== undefined && { amount }) })
}

interface Update {
  id: string
  order_id: string
  author_id: string
  text: string
  version: number
}

async function checkUpdates(world: World, random: Random, told: Told, actions: readonly Write[]): Promise<void> {
  const { id, model } = told
  const [side, order] = sideOf(world, random, told)
  const path = `${order}/updates?limit=${random.integer(1, 50)}`
  const found = await readAll<Update>(world, random, side, path, (page) => {
    ensure(page.order_version === model.version, 'the log has another version than its order', page, model)
    return page.updates
  })
  const wanted = actions
    .filter(({ kind }) => kind === 'update')
    .sort((one, two) => (two.version as number) - (one.version as number))
  ensure(found.length === wanted.length, 'a log has not as many updates as were acknowledged', found, wanted)
  for (const [at, write] of wanted.entries()) {
    const update = found[at] as Update
    const isTheWrite =
      update.id === write.made &&
      update.order_id === id &&
      update.author_id === write.by.id &&
      update.text === write.body?.['text'] &&
      update.version === (write.version as number) + 1
    ensure(isTheWrite, 'a log tells an acknowledged update as another one', update, write)
  }
}

async function checkDispute(world: World, random: Random, told: Told): Promise<void> {
  const { id, model } = told
  const [side, order] = sideOf(world, random, told)
  const { dispute_case: dispute } = await read(world, random, side, `${order}/dispute-case`)
  const isTheModel =
    dispute.order_id === id &&
    dispute.status === model.dispute?.status &&
    dispute.version === model.dispute?.version &&
    dispute.opened_by === model.dispute?.openedBy &&
    dispute.refund_proposed_by === model.dispute?.refundProposedBy &&
    dispute.decision === model.dispute?.decision &&
    dispute.decision_reason === model.dispute?.decisionReason
  ensure(isTheModel, 'a dispute is not what the history of its order makes it', dispute, model)
}

/** A list of an actor has each of its orders once and no other, newest first. */
async function checkList(
  world: World,
  random: Random,
  actor: Actor,
  list: List,
  told: ReadonlyMap<string, Told>,
): Promise<void> {
  const found: string[] = []
  for (const order of await readNumbered(world, random, actor, list, 'orders')) {
    const model = told.get(order.id)?.model
    ensure(model !== undefined, 'an order that nobody was told of', order)
    const isTold = order.version === model.version && order.state === model.state
    ensure(isTold, 'a list tells an order as another one', order, model)
    found.push(order.id)
  }
  const own = [...told.values()].filter(
    ({ model }) =>
      [model.customer, model.contractor].includes(actor.id) && listOf(model, actor, world.people.known) === list,
  )
  const missing = own.filter(({ id }) => !found.includes(id))
  ensure(missing.length === 0, 'an acknowledged order is in no list of its side', actor.handle, ...missing)
  ensure(found.length === own.length, 'an order is in a list twice', actor.handle, found)
  const newestFirst = found.toSorted().reverse().join()
  ensure(found.join() === newestFirst, 'a list is not newest first', actor.handle, found)
}
