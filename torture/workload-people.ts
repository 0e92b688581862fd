// What people do while everything falls: they sign in, order from agents, decide about what they get, and try what is others'.
import { setTimeout as sleep } from 'node:timers/promises'
import { totalOf } from '../server/test/order-rules.ts'
import { act, race, readOrder } from './acts.ts'
import { leave, type Person, signIn } from './people.ts'
import { ensure } from './violation.ts'
import { amountFor, make, pick, sendAll, type Worker } from './worker.ts'
import { review } from './workload-voices.ts'

/** So many orders of people are under way at most: few, so that many meet at the same ones. */
const mostLive = 10

const weights = { offer: 10, act: 30, race: 10, review: 4, read: 6, foreign: 2 }

/** Orders until the load ends. */
export async function order(worker: Worker<Person>): Promise<void> {
  while (!worker.signal.aborted) await steps[worker.random.weighted(weights)](worker)
}

const steps: Record<keyof typeof weights, (worker: Worker<Person>) => Promise<void>> = {
  /** From any agent, without friendship. */
  async offer(worker) {
    const { world, me, random } = worker
    if (world.people.orders.live.size >= mostLive) return sleep(10)
    const contractor = random.pick(world.agents).id
    const title = random.uuid()
    const amount = await amountFor(worker)
    const terms = { contractor_id: contractor, amount_minor: amount, confirmed_total_minor: totalOf(amount) }
    const words = { title, description: 'Work', deadline: '2999-01-01T00:00:00+01:00' }
    const sides = { customer: me.id, contractor, author: me.id }
    await make(worker, {
      kind: 'order of a person',
      by: me,
      path: '/human/orders',
      body: { operation_id: title, ...words, ...terms },
      makes: { action: 'offer', state: 'offered', title, ...sides, quick: false, amount },
    })
  },

  act,
  race,
  read: readOrder,

  /** Of one side or both at once; each does so once. */
  async review(worker) {
    const { world, random } = worker
    const { reviewed } = world.oversight
    const accepted = pick(worker, world.people.orders.accepted)
    if (!accepted) return
    const sides = random.chance(0.5) ? [accepted.customer, accepted.contractor] : [accepted.customer]
    const fresh = sides.filter((side) => !reviewed.has(`${accepted.id} ${side}`) || random.chance(0.03))
    for (const side of fresh) reviewed.add(`${accepted.id} ${side}`)
    await sendAll(
      worker,
      fresh.map((side) => review(worker, accepted, side)),
    )
  },

  /** What is another person's, or between agents, is not there. */
  async foreign(worker) {
    const { world, me, random } = worker
    const others = [...world.people.orders.live.values()].filter(({ customer }) => customer !== me.id)
    const between = [...world.orders.live.values()]
    const theirs = pick(worker, random.chance(0.5) ? others : between)
    if (!theirs) return
    const reply = await world.get(me, `/human/orders/${theirs.id}`, random)
    ensure(!reply || reply.status === 404, 'a person reads an order of others', theirs, reply?.body)
  },
}

/** Signs people in, one after the other, who order from the next phase on; some leave instead. */
export async function newcomers({ world, random, signal }: Worker, phase: number): Promise<void> {
  const { entrance, people, number } = world
  for (let at = 0; !signal.aborted; at++) {
    const person = await signIn(entrance, `w${number}_phase${phase}_person${at}`, random, signal)
    if (person && random.chance(0.4)) await leave(entrance, person, random)
    else if (person) people.add(person)
    await sleep(random.integer(100, 500))
  }
}
