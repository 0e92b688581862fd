// What agents do while everything falls: messages, offers, every action of an order, alone, as twins and against each
// other at one version, the market, what they say in public, and again whatever they have done before.
import { setTimeout as sleep } from 'node:timers/promises'
import { type Act, isFor, rules, type State, totalOf } from '../server/test/order-rules.ts'
import type { Agent, Write } from './ledger.ts'
import { ensure } from './violation.ts'
import { amountFor, otherAgent, send, type Worker } from './worker.ts'
import { marketSteps, marketWeights } from './workload-market.ts'
import { answer, judge, oversightSteps, oversightWeights } from './workload-oversight.ts'
import { voicesSteps, voicesWeights } from './workload-voices.ts'
import { type Known, pairKey, type World } from './world.ts'

/** Workers of each agent; each does one thing after another. */
const workersOfAgent = 3
const workersOfSupport = 2
const workersOfModerator = 2
/** So many writes back one may be sent again. */
const replayWindow = 400
/** A world has few blocks, or nobody could trade any more. */
const mostBlocked = 3

/** Runs all workers of a world until the signal; what must not be is given to `fail`. */
export async function load(
  world: World,
  phase: number,
  signal: AbortSignal,
  fail: (error: unknown) => void,
): Promise<void> {
  const workers = world.agents.flatMap((me) =>
    Array.from({ length: workersOfAgent }, (_, at) => ({
      world,
      me,
      random: world.random(`phase ${phase}, worker ${at} of ${me.handle}`),
      signal,
    })),
  )
  const staff = (me: Agent, name: string): Worker => ({
    world,
    me,
    random: world.random(`phase ${phase}, ${name}`),
    signal,
  })
  const several = <T>(length: number, each: (at: number) => T): T[] => Array.from({ length }, (_, at) => each(at))
  const deciders = [
    ...several(workersOfSupport, (at) => support(staff(world.support, `support ${at}`))),
    ...several(workersOfModerator, (at) => judge(staff(world.moderator, `moderator ${at}`))),
    answer(staff(world.support, 'answers')),
  ]
  await Promise.all([...workers.map(work), ...deciders].map((worker) => worker.catch(fail)))
}

/** Decides what was escalated last: one way, or both ways at once. */
async function support(worker: Worker): Promise<void> {
  const { world, me, random, signal } = worker
  for (let page = 1; !signal.aborted; await sleep(random.integer(5, 50))) {
    const reply = await world.read(me, `/staff/disputes?page=${page}&page_size=50`, random)
    if (!reply) continue
    page = Math.max(1, Math.ceil(reply.body.pagination.total / 50))
    // Earlier worlds have left theirs.
    const open = reply.body.disputes.filter(({ order }: { order: { id: string } }) => world.live.has(order.id))
    if (open.length === 0) continue
    const { order, dispute_case: dispute } = random.pick<{
      order: { id: string }
      dispute_case: { version: number }
    }>(open)
    const decisions = random.chance(0.3) ? ['refund', 'resume'] : [random.pick(['refund', 'resume'])]
    const writes = decisions.map((decision) => {
      const operationId = random.uuid()
      const ids = { operation_id: operationId, expected_version: dispute.version, reason: operationId }
      const path = `/staff/disputes/${order.id}/decide`
      const asked = { kind: 'decision', by: me, path, order: order.id, action: `decide-${decision}` } as const
      return world.ledger.begin({ ...asked, body: { ...ids, decision } })
    })
    await Promise.all(writes.map((write) => send(worker, write)))
  }
}

async function work(worker: Worker): Promise<void> {
  while (!worker.signal.aborted) await steps[worker.random.weighted(weights)](worker)
}

const weights = {
  message: 30,
  report: 5,
  block: 0.05,
  offer: 15,
  act: 40,
  race: 12,
  replay: 10,
  otherContent: 1,
  read: 8,
  ...marketWeights,
  ...voicesWeights,
  ...oversightWeights,
}

const steps: Record<keyof typeof weights, (worker: Worker) => Promise<void>> = {
  async message(worker) {
    const { world, me, random } = worker
    const to = otherAgent(worker)
    const body = {
      recipient_id: to.id,
      client_message_id: random.uuid(),
      nonce: random.bytes(24).toString('base64'),
      ciphertext: random.bytes(random.integer(16, 200)).toString('base64'),
      encryption_version: 'box-v1',
      sender_public_key: me.publicKey,
      recipient_public_key: to.publicKey,
    }
    await send(worker, world.ledger.begin({ kind: 'message', by: me, path: '/messages', body }))
  },

  async report(worker) {
    const { world, me, random } = worker
    const received = [...(world.receivers.get(me.id)?.events.values() ?? [])].slice(-50)
    const messages = received.filter(({ kind }) => kind === 'message.created')
    if (messages.length === 0) return
    const path = `/messages/${random.pick(messages).payload.id}/processing`
    const body = { status: random.pick(['queued', 'processed']) }
    await send(worker, world.ledger.begin({ kind: 'report', by: me, path, body }))
  },

  async block(worker) {
    const { world, me } = worker
    const pair = pairKey(me.id, otherAgent(worker).id)
    if (world.blocked.size >= mostBlocked || world.blocked.has(pair)) return
    world.blocked.add(pair)
    const path = `/contacts/${world.contacts.get(pair)}/block`
    await send(worker, world.ledger.begin({ kind: 'block', by: me, path, body: undefined }))
  },

  async offer(worker) {
    const { world, me, random } = worker
    if (world.isBusy('offers')) return
    const other = otherAgent(worker)
    const [asCustomer, quick] = [random.chance(0.5), random.chance(0.5)]
    const operationId = random.uuid()
    const amount = await amountFor(worker)
    const body = {
      operation_id: operationId,
      title: operationId,
      amount_minor: amount,
      ...(asCustomer ? { contractor_id: other.id, confirmed_total_minor: totalOf(amount) } : { customer_id: other.id }),
      ...(!quick && { description: 'Work', deadline: '2999-01-01T00:00:00+01:00' }),
    }
    const path = quick ? '/orders/quick' : '/orders'
    const [customer, contractor] = asCustomer ? [me.id, other.id] : [other.id, me.id]
    const sides = { customer, contractor, author: me.id }
    const makes = { action: 'offer', state: 'offered', title: operationId, ...sides, quick, amount } as const
    await send(worker, world.ledger.begin({ kind: 'offer', by: me, path, body, makes }))
  },

  async act(worker) {
    const order = liveOrder(worker)
    if (!order) return
    const { by, action } = moveOf(worker, order)
    await send(worker, begin(worker, by, order, action))
  },

  /** Different actions of both sides at one version, all at once: at most one of them may happen. */
  async race(worker) {
    const order = liveOrder(worker)
    if (!order) return
    const chosen = new Map<string, Write>()
    for (let at = worker.random.integer(2, 5); at > 0; at--) {
      const { by, action } = moveOf(worker, order)
      const key = `${by.id} ${action}`
      if (!chosen.has(key)) chosen.set(key, begin(worker, by, order, action, order.version))
    }
    await Promise.all([...chosen.values()].map((write) => send(worker, write)))
  },

  async replay(worker) {
    const { ledger } = worker.world
    const recent = ledger.writes.slice(-replayWindow)
    if (recent.length > 0) await send(worker, worker.random.pick(recent))
  },

  /** The id of an acknowledged operation with other content is never anything new. */
  async otherContent(worker) {
    const { world, random } = worker
    const used = world.ledger.writes
      .slice(-replayWindow)
      .filter(({ state, kind }) => state === 'acknowledged' && kind === 'offer')
    if (used.length === 0) return
    const original = random.pick(used)
    const body = { ...original.body, title: 'Other content' }
    const reply = await world.probe(original.by, original.path, body, random)
    const answer = reply?.body?.error?.code ?? reply?.status
    ensure(!reply || answer === 'idempotency_conflict', `other content under a used id: ${answer}`, original, reply)
  },

  /** A read never falls behind what was acknowledged before it was asked for. */
  async read(worker) {
    const { world, me, random } = worker
    const order = liveOrder(worker)
    if (!order) return
    const reply = await world.read(me, `/orders/${order.id}`, random)
    if (!reply) return
    const { version }: { version: number } = reply.body.order
    ensure(version >= order.version, 'a read fell behind what was acknowledged before', order, reply.body)
    world.learn(reply.body.order)
  },

  ...marketSteps,
  ...voicesSteps,
  ...oversightSteps,
}

/** An order of the worker's agent that something may become of, or now and then one that was accepted. */
function liveOrder({ world, me, random }: Worker): Known | undefined {
  const from = random.chance(0.03) ? world.accepted : [...world.live.values()]
  const mine = from.filter(({ customer, contractor }) => customer === me.id || contractor === me.id)
  return mine.length === 0 ? undefined : random.pick(mine)
}

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

const allActs = Object.keys(rules) as Act[]

/** Who may do what next; now and then something that is not allowed at all. */
function moveOf({ world, random }: Worker, order: Known): { by: Agent; action: Act } {
  const sides = world.agents.filter(({ id }) => id === order.customer || id === order.contractor)
  if (random.chance(0.07)) return { by: random.pick(sides), action: random.pick(allActs) }
  const weights = { ...likely[order.state] }
  if (!order.quick) delete weights['reprice']
  if (order.refundProposedBy === null) delete weights['approve-refund']
  const action = random.weighted(weights)
  const may = sides.filter(({ id }) => isFor(action, order, id, order.refundProposedBy))
  return { by: random.pick(may), action }
}

/** Notes an action or an update, mostly at the version that was read last. */
function begin(
  { world, random }: Worker,
  by: Agent,
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
  const path = `/orders/${order.id}/${action === 'update' ? 'updates' : action}`
  const kind = action === 'update' ? 'update' : 'action'
  return world.ledger.begin({ kind, by, path, body: fields, order: order.id, action, version })
}
