// The end of each phase: what is unknown is sent again until there is an answer, and then the API must tell exactly what
// was acknowledged, no more and no less.

import { checkDoors } from './check-doors.ts'
import { checkEvents } from './check-events.ts'
import { checkMarket } from './check-market.ts'
import { checkContacts, checkMessages } from './check-messages.ts'
import { type Notices, noticesOf } from './check-notices.ts'
import { checkOrders } from './check-orders.ts'
import { checkCases } from './check-oversight.ts'
import { checkSerial } from './check-serial.ts'
import { checkVoices } from './check-voices.ts'
import { checkWallets } from './check-wallets.ts'
import { forEach } from './for-each.ts'
import { type Actor, isDoubtful, versionKey, type Write } from './ledger.ts'
import type { Random } from './random.ts'
import { read } from './reading.ts'
import { ensure } from './violation.ts'
import type { World } from './world.ts'

/** For a write to get its answer while all is quiet, in attempts. */
const mostAttempts = 50
/** Acknowledged writes that are sent once more, at random. */
const probes = 100

/** Replays what has no answer, and some of what has one. */
export async function settle(world: World, phase: number, signal: AbortSignal): Promise<void> {
  const random = world.random(`phase ${phase}, replays`)
  const { writes } = world.ledger
  for (const receiver of world.receivers.values()) receiver.careful(true)
  const unknown = writes.filter(({ state }) => state === 'unknown')
  await forEach(random.shuffled(unknown), async (write) => {
    for (let attempt = 0; write.state === 'unknown'; attempt++) {
      signal.throwIfAborted()
      ensure(attempt < mostAttempts, 'a write has no answer while all is quiet', write)
      await world.send(write, random, { quiet: true })
    }
  })
  for (const write of writes.filter(isDoubtful))
    if (await hasComeToPass(world, random, write)) world.ledger.found(write)
  const acknowledged = writes.filter(({ state }) => state === 'acknowledged')
  await forEach(random.shuffled(acknowledged).slice(0, probes), async (write) => {
    await world.send(write, random, { quiet: true })
  })
}

/** Whether the next version of a project case is what the only write of its customer that may have made it makes. */
async function hasComeToPass(world: World, random: Random, write: Write): Promise<boolean> {
  const { contractor, on: [moved] = [], action } = write
  ensure(moved !== undefined, 'a move of no project case', write)
  const { id, version } = moved
  const { project_case: now } = await read(world, random, contractor as Actor, `/project-cases/${id}`)
  const isLast = now.version === version + 1
  return (
    now.version > version &&
    !world.ledger.byVersion.has(versionKey(id, version + 1)) &&
    (action === 'withdraw') === (isLast && now.state === 'withdrawn')
  )
}

export interface Checked {
  /** How much there was. */
  counts: Record<string, number>
  /** What people have to be told of their orders, now or soon. */
  notices: Notices[]
}

/** Reads everything that the API tells and holds it against the ledger. */
export async function check(world: World, phase: number, signal: AbortSignal): Promise<Checked> {
  const random = world.random(`phase ${phase}, checks`)
  const judged = await checkCases(world, random)
  const [orders, messages] = [await checkOrders(world, judged, random), await checkMessages(world, random)]
  await checkContacts(world, random)
  const ordered = checkSerial(world, orders, await checkWallets(world, judged, orders, random))
  const market = await checkMarket(world, judged, orders, random)
  const voices = await checkVoices(world, judged, random)
  const removed = await checkDoors(world, { judged, orders, market, voices }, random)
  signal.throwIfAborted()
  const events = await checkEvents(world, { orders, messages, market, judged, voices }, signal)
  const count = (state: string): number => world.ledger.writes.filter((write) => write.state === state).length
  const counts = {
    messages: messages.size,
    orders: orders.size,
    people: world.people.known.size,
    requests: market.requests.length,
    tasks: market.tasks.length,
    feedback: voices.feedback.length,
    cases: judged.cases.length,
    removed,
    'writes acknowledged': count('acknowledged'),
    refused: count('refused'),
    'in one order': ordered,
    events,
  }
  return { counts, notices: noticesOf(world, orders) }
}
