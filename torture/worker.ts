// One of an actor's workers: what it draws from, and how it sends.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Actor, Agent, Asked, Write } from './ledger.ts'
import type { Random } from './random.ts'
import type { World } from './world.ts'

export interface Worker<A extends Actor = Agent> {
  world: World
  me: A
  random: Random
  /** Set once the load is to end. */
  signal: AbortSignal
}

export async function sendAll(worker: Worker<Actor>, asked: readonly Asked[]): Promise<Write[]> {
  const writes = asked.map((each) => worker.world.ledger.begin(each))
  await Promise.all(writes.map((write) => send(worker, write)))
  return writes
}

/** One of these, if there is any. */
export const pick = <T>({ random }: Worker<Actor>, from: readonly T[]): T | undefined =>
  from.length === 0 ? undefined : random.pick(from)

export const agentOf = (world: World, id: string): Agent => world.agents.find((agent) => agent.id === id) as Agent

/** Notes a write and sends it. */
export async function make(worker: Worker<Actor>, asked: Asked): Promise<Write> {
  const write = worker.world.ledger.begin(asked)
  await send(worker, write)
  return write
}

/**
 * Sends a write as clients do: mostly once, sometimes as twins; where no answer came, again after a moment, or never,
 * which is left to the quiet; and where somebody else was faster, the order is read again.
 */
export async function send(worker: Worker<Actor>, write: Write): Promise<void> {
  const { world, random } = worker
  const attempt = () => world.send(write, random)
  const twins = random.chance(0.08) ? random.integer(2, 3) : 1
  let replies = await Promise.all(Array.from({ length: twins }, attempt))
  while (!replies.some((reply) => reply !== undefined && reply.status !== 503)) {
    await sleep(random.integer(10, 100))
    if (worker.signal.aborted || random.chance(0.1)) return
    replies = [await attempt()]
  }
  if (!write.refusals.has('version_conflict')) return
  if (write.version !== undefined) {
    const read = await world.read(write.by, write.path.slice(0, write.path.lastIndexOf('/')), random)
    if (read) world.learn(read.body.order)
  }
  for (const each of write.on ?? []) await world.reread(each, random)
}

/** Whether somebody is of this world, agent or person. */
export const isOfWorld = ({ agents, people }: World, id: string): boolean =>
  people.known.has(id) || agents.some((agent) => agent.id === id)

/** Where an actor reads what it has. */
export const walletOf = ({ people }: World, { id }: Actor): string =>
  people.known.has(id) ? '/human/wallet' : '/wallet'

export function otherAgent({ world, me, random }: Worker): Agent {
  const others = world.agents.filter(({ id }) => id !== me.id)
  return random.pick(others)
}

/** Mostly small change, odd to the last unit; sometimes a good part of a wallet, so that not everything fits. */
export async function amountFor({ world, me, random }: Worker<Actor>): Promise<number> {
  if (random.chance(0.9)) return random.integer(1, 3000)
  const wallet = await world.read(me, walletOf(world, me), random)
  const available: number = wallet?.body.wallet.available_minor ?? 0
  return Math.max(1, Math.floor(available * (0.3 + random.next())))
}
