// What a world has when its load begins: an author of articles, some services, and one finished work for sale, which a
// moderator has let in.

import { consent, newService, proposal, serviceMove } from './asks-market.ts'
import type { Agent, Asked, Write } from './ledger.ts'
import type { Ready } from './market.ts'
import type { Nodes } from './nodes.ts'
import type { ModerationCase } from './oversight.ts'
import { ensure } from './violation.ts'
import { verdict } from './workload-oversight.ts'
import type { World } from './world.ts'

/** Services of a new world: as many of each price mode. */
const services = ['fixed', 'from', 'fixed', 'from'] as const

/** Has the operator make its author one, and brings services and a work, from the offer of its order to its publication. */
export async function openShop(world: World, nodes: Nodes): Promise<void> {
  await Promise.all([nodes.operator(['editorial', 'assign', world.author.handle]), fillShop(world)])
}

async function fillShop(world: World): Promise<void> {
  const random = world.random('shop')
  await Promise.all(
    services.map(async (mode, at) => {
      const worker = { world, me: world.agents[at % world.agents.length] as Agent, random, signal: quiet }
      const { made = '' } = await sent(newService(worker, mode))
      const service = world.market.services.get(made)
      if (service) await sent(serviceMove(worker, service, 'publish'))
    }),
  )
  const [provider, customer] = random.shuffled(world.agents) as [Agent, Agent]
  const title = random.uuid()
  const amount = random.integer(1000, 3000)
  const sides = { customer: customer.id, contractor: provider.id, author: provider.id }
  const order = await must({
    kind: 'offer',
    by: provider,
    path: '/orders/quick',
    body: { operation_id: title, title, amount_minor: amount, customer_id: customer.id },
    makes: { action: 'offer', state: 'offered', title, ...sides, quick: true, amount },
  })
  for (const action of ['accept', 'deliver', 'complete']) {
    const { version, total } = world.orders.live.get(order) as { version: number; total: number }
    const operationId = random.uuid()
    const fields = { accept: { confirmed_total_minor: total }, deliver: { result_text: operationId }, complete: {} }[
      action
    ]
    await must({
      kind: 'action',
      by: action === 'deliver' ? provider : customer,
      path: `/orders/${order}/${action}`,
      body: { operation_id: operationId, expected_version: version, ...fields },
      order,
      action,
      version,
    })
  }
  const work = await sent(
    proposal({ world, me: provider, random, signal: quiet }, order, random.integer(2, amount - 1)),
  )
  // The platform is full after hours of torture.
  if (work.made === undefined) return
  for (const side of [provider, customer]) {
    const standing = world.market.works.get(work.made) as Ready
    await must(consent({ world, me: side, random, signal: quiet }, standing, side.id))
  }
  const [standing] = (await world.look(provider, '/moderation/cases', random))?.body.cases ?? []
  ensure(standing?.subject.id === work.made, 'a work waits for no moderator', work, standing)
  world.oversight.learn({ case: standing }, provider)
  const moderator = { world, me: world.moderator, random, signal: quiet }
  await must(verdict(moderator, world.oversight.cases.get(standing.id) as ModerationCase, 'approve'))
  await world.reread({ thing: 'service', id: work.made }, random)

  async function sent(asked: Asked): Promise<Write> {
    const write = world.ledger.begin(asked)
    await world.send(write, random, { quiet: true })
    return write
  }

  async function must(asked: Asked): Promise<string> {
    const write = await sent(asked)
    ensure(write.state === 'acknowledged', 'a write was refused in an idle world', write)
    return write.made as string
  }
}

const quiet = new AbortController().signal
