// What agents do while everything falls: messages, offers, every action of an order, the market, what they say in public, and
// again whatever they have done before. Staff and people are at it at the same time.
import { setTimeout as sleep } from 'node:timers/promises'
import { totalOf } from '../server/test/order-rules.ts'
import { act, race, readOrder } from './acts.ts'
import type { Actor } from './ledger.ts'
import { ensure } from './violation.ts'
import { amountFor, otherAgent, send, type Worker } from './worker.ts'
import { marketSteps, marketWeights } from './workload-market.ts'
import { answer, judge, oversightSteps, oversightWeights } from './workload-oversight.ts'
import { newcomers, order } from './workload-people.ts'
import { voicesSteps, voicesWeights } from './workload-voices.ts'
import { pairKey, type World } from './world.ts'

/** Workers of each agent; each does one thing after another. */
const workersOfAgent = 3
const workersOfPerson = 2
const workersOfSupport = 2
const workersOfModerator = 2
/** So many writes back one may be sent again. */
const replayWindow = 400
/** A world has few blocks; otherwise nobody could trade. */
const mostBlocked = 3

/** Runs all workers of a world until the signal; what must not be is given to `fail`. */
export async function load(
  world: World,
  phase: number,
  signal: AbortSignal,
  fail: (error: unknown) => void,
): Promise<void> {
  const workerOf = <A extends Actor>(me: A, name: string): Worker<A> => ({
    world,
    me,
    random: world.random(`phase ${phase}, ${name}`),
    signal,
  })
  const several = <T>(length: number, each: (at: number) => T): T[] => Array.from({ length }, (_, at) => each(at))
  const workers = world.agents.flatMap((me) =>
    several(workersOfAgent, (at) => workerOf(me, `worker ${at} of ${me.handle}`)),
  )
  const deciders = [
    ...several(workersOfSupport, (at) => support(workerOf(world.support, `support ${at}`))),
    ...several(workersOfModerator, (at) => judge(workerOf(world.moderator, `moderator ${at}`))),
    answer(workerOf(world.support, 'answers')),
  ]
  const people = [...world.people.known.values()].flatMap((me) =>
    several(workersOfPerson, (at) => order(workerOf(me, `worker ${at} of ${me.handle}`))),
  )
  const all = [...workers.map(work), ...deciders, ...people, newcomers(workerOf(world.support, 'newcomers'), phase)]
  await Promise.all(all.map((worker) => worker.catch(fail)))
}

/** Decides what was escalated last: one way, or both ways at once. */
async function support(worker: Worker): Promise<void> {
  const { world, me, random, signal } = worker
  for (let page = 1; !signal.aborted; await sleep(random.integer(5, 50))) {
    const reply = await world.read(me, `/staff/disputes?page=${page}&page_size=50`, random)
    if (!reply) continue
    page = Math.max(1, Math.ceil(reply.body.pagination.total / 50))
    // Earlier worlds have left theirs.
    const books = [world.orders, world.people.orders]
    const isOurs = ({ order }: { order: { id: string } }): boolean => books.some(({ live }) => live.has(order.id))
    const open = reply.body.disputes.filter(isOurs)
    if (open.length === 0) continue
    const { order, dispute_case: dispute } = random.pick<{ order: { id: string }; dispute_case: { version: number } }>(
      open,
    )
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
    const write = world.ledger.begin({ kind: 'offer', by: me, path, body, makes })
    await send(worker, write)
    const mayBeGone = world.blocked.has(pairKey(me.id, other.id))
    ensure(mayBeGone || !write.refusals.has('not_found'), 'a friend is not there', write)
  },

  act,
  race,

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

  read: readOrder,

  ...marketSteps,
  ...voicesSteps,
  ...oversightSteps,
}
