// What is for sale when the load of a world begins: some services, and one finished work. Works need a moderator, who is the
// operator while all is quiet: what the load has agreed is let in between its phases.
import type { Agent, Asked, Write } from './ledger.ts'
import type { Work } from './market.ts'
import type { Nodes } from './nodes.ts'
import type { Random } from './random.ts'
import { ensure } from './violation.ts'
import { consent, newService, proposal, serviceMove } from './workload-market.ts'
import type { World } from './world.ts'

/** Works that the moderator lets in at once: each is a command of its own. */
const mostApproved = 2

/** Services of a new world: as many of each price mode. */
const services = ['fixed', 'from', 'fixed', 'from'] as const

/** Brings services and one work to a world, from the offer of the order that it comes from to its publication. */
export async function openShop(world: World, nodes: Nodes): Promise<void> {
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
    const { version, total } = world.live.get(order) as { version: number; total: number }
    const operationId = random.uuid()
    const fields = {
      accept: { confirmed_total_minor: total },
      deliver: { result_text: operationId },
      complete: {},
    }[action]
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
    const standing = world.market.works.get(work.made) as Work
    await must(consent({ world, me: side, random, signal: quiet }, standing, side.id))
  }
  await letIn(world, nodes, random)

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

/** Approves some works that both sides have agreed to; some others are left to wait. */
export async function letIn(world: World, nodes: Nodes, random: Random): Promise<void> {
  const { market, agents } = world
  const waiting = [...market.works.values()].filter(({ id, consents, withdrawn }) => {
    return consents === 2 && !withdrawn && !market.approved.has(id) && market.services.get(id)?.state === 'draft'
  })
  for (const { id, provider } of random.shuffled(waiting).slice(0, mostApproved)) {
    await nodes.operator(['ready', 'approve', id])
    market.approved.add(id)
    const agent = agents.find((each) => each.id === provider)
    const reply = agent && (await world.read(agent, `/services/${id}`, random))
    if (reply) market.learn(reply.body)
  }
}
