// What the sides of an order do, alone and against each other at one version: agents, and people and their contractors.
import { type Act, isFor, rules, type State, totalOf } from '../server/test/order-rules.ts'
import { type Known, type List, listOf } from './book.ts'
import type { Actor, Write } from './ledger.ts'
import { ensure } from './violation.ts'
import { send, type Worker } from './worker.ts'
import type { World } from './world.ts'

export async function act(worker: Worker<Actor>): Promise<void> {
  const order = liveOrder(worker)
  if (!order) return
  const { by, action } = moveOf(worker, order)
  await send(worker, begin(worker, by, order, action))
}

/** Different actions of both sides at one version, all at once: at most one of them may happen. */
export async function race(worker: Worker<Actor>): Promise<void> {
  const order = liveOrder(worker)
  if (!order) return
  const chosen = new Map<string, Write>()
  for (let at = worker.random.integer(2, 5); at > 0; at--) {
    const { by, action } = moveOf(worker, order)
    const key = `${by.id} ${action}`
    if (!chosen.has(key)) chosen.set(key, begin(worker, by, order, action, order.version))
  }
  await Promise.all([...chosen.values()].map((write) => send(worker, write)))
}

/** A read never falls behind what was acknowledged before it was asked for. */
export async function readOrder(worker: Worker<Actor>): Promise<void> {
  const { world, me, random } = worker
  const order = liveOrder(worker)
  if (!order) return
  const reply = await world.read(me, `${listOf(order, me, world.people.known)}/${order.id}`, random)
  if (!reply) return
  const { version }: { version: number } = reply.body.order
  ensure(version >= order.version, 'a read fell behind what was acknowledged before', order, reply.body)
  world.learn(reply.body.order)
}

/** An order of the worker's own that something may become of, or now and then one that was accepted. */
function liveOrder({ world, me, random }: Worker<Actor>): Known | undefined {
  const books = [world.orders, world.people.orders]
  const isOver = random.chance(0.03)
  const from = books.flatMap(({ accepted, live }) => (isOver ? accepted : [...live.values()]))
  const mine = from.filter(({ customer, contractor }) => customer === me.id || contractor === me.id)
  return mine.length === 0 ? undefined : random.pick(mine)
}

/** Both sides of an order. */
export const sidesOf = ({ agents, people }: World, { customer, contractor }: Pick<Known, 'customer' | 'contractor'>) =>
  [...agents, ...people.known.values()].filter(({ id }): boolean => id === customer || id === contractor)

type Weights = Partial<Record<Act, number>>

/** What the sides of an order are likely to do in each state. */
const likely: Record<State, Weights> = {
  offered: { accept: 14, reject: 2, cancel: 2, reprice: 3 },
  funded: { start: 8, deliver: 4, dispute: 0.5, 'propose-refund': 0.5, update: 2 },
  in_progress: { deliver: 10, dispute: 0.5, 'propose-refund': 0.5, update: 2 },
  delivered: { complete: 12, dispute: 1, 'propose-refund': 1, update: 1 },
  disputed: { 'approve-refund': 8, 'escalate-dispute': 3, update: 1 },
  closed: { update: 1 },
  cancelled: { update: 1 },
  rejected: { update: 1 },
}

/** What each list has a way for. */
const acts: Record<List, readonly Act[]> = {
  '/orders': Object.keys(rules) as Act[],
  '/human-orders': ['accept', 'reject', 'start', 'deliver', 'dispute', 'propose-refund', 'escalate-dispute', 'update'],
  '/human/orders': ['cancel', 'complete', 'dispute', 'approve-refund', 'escalate-dispute'],
}

/** Who may do what next; now and then something that is not allowed at all. */
function moveOf({ world, random }: Worker<Actor>, order: Known): { by: Actor; action: Act } {
  const sides = sidesOf(world, order)
  const actsOf = (by: Actor): readonly Act[] => acts[listOf(order, by, world.people.known)]
  if (random.chance(0.07)) {
    const by = random.pick(sides)
    return { by, action: random.pick(actsOf(by)) }
  }
  const weights = { ...likely[order.state] }
  if (!order.quick) delete weights['reprice']
  if (order.refundProposedBy === null) delete weights['approve-refund']
  const action = random.weighted(weights)
  const may = sides.filter((by) => actsOf(by).includes(action) && isFor(action, order, by.id, order.refundProposedBy))
  return { by: random.pick(may), action }
}

/** Notes an action or an update, mostly at the version that was read last. */
function begin(
  { world, random }: Worker<Actor>,
  by: Actor,
  order: Known,
  action: string,
  version = random.chance(0.05) ? Math.max(1, order.version - 1) : order.version,
): Write {
  const operationId = random.uuid()
  const fields: Record<string, unknown> = { operation_id: operationId, expected_version: version }
  if (action === 'accept') fields['confirmed_total_minor'] = order.total + (random.chance(0.03) ? 1 : 0)
  if (action === 'deliver') fields['result_text'] = operationId
  if (action === 'update') fields['text'] = operationId
  if (['dispute', 'propose-refund', 'escalate-dispute'].includes(action)) fields['reason'] = operationId
  if (action === 'reprice') {
    const amount = random.integer(1, 3000)
    Object.assign(fields, { amount_minor: amount })
    if (by.id === order.customer) fields['confirmed_total_minor'] = totalOf(amount)
  }
  const list = listOf(order, by, world.people.known)
  const path = `${list}/${order.id}/${action === 'update' ? 'updates' : action}`
  const kind = action === 'update' ? 'update' : 'action'
  return world.ledger.begin({ kind, by, path, body: fields, order: order.id, action, version })
}
