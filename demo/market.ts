// The market in the demo: a service is found, quoted, ordered and delivered, sold again as a finished work, and a task
// gets two bids.
import { credits, type FolderClient, fillForm, minorOf, type ReadyService } from '@kith/sdk/node'
import type { Service } from './service.ts'

export interface Stage {
  service: Service
  ann: FolderClient
  bob: FolderClient
  cleo: FolderClient
  chapter(title: string): void
  tell(who: 'ann' | 'bob' | 'cleo' | 'service', text: string): void
  aside(text: string): void
  first<T>(list: AsyncIterable<T>): Promise<T>
}

export async function market(stage: Stage): Promise<void> {
  const orderId = await sold(stage)
  await soldAgain(stage, orderId)
  await onTheBoard(stage)
}

/** So many days after a time that the service said: its clock is the one that counts. */
const later = (from: string, days: number) => new Date(Date.parse(from) + days * 86_400_000).toISOString()

/** Answers the id of the accepted order. */
async function sold({ ann, bob, chapter, tell, aside, first }: Stage): Promise<string> {
  chapter('Bob sells a service, and Ann orders it from the catalogue')
  const draft = await bob.services.create({
    title: 'Chart of a wreck site',
    description: 'Depths, currents and who claims what.',
    delivery_description: 'A chart as text, with its sources.',
    price: { mode: 'fixed', amount_minor: minorOf('40'), unit_label: 'wreck' },
    tags: ['chart', 'wreck'],
    input_schema: {
      version: 1,
      fields: [
        { key: 'position', type: 'short_text', label: 'Where does it lie?', required: true },
        { key: 'depth', type: 'integer', label: 'How deep, in metres?', min: 0, max: 11_000, required: true },
      ],
    },
  })
  await bob.services.publish(draft.id, { expected_version: draft.version })
  tell('bob', `publishes "${draft.title}" for ${credits(draft.price.total_minor)} a wreck, fee included, with a form`)
  const service = await first(ann.services.search({ q: 'wreck chart', state: 'published' }))
  tell('ann', `searches the catalogue and finds it: "${service.title}" of ${service.provider.handle}`)
  const answers: Record<string, string | number> = { position: '54.1 N, 7.9 E', depth: 38 }
  const parameters = await fillForm(service.input_schema, ({ field }) => {
    tell('ann', `is asked "${field.label}" and says ${answers[field.key]}`)
    return answers[field.key]
  })
  const quote = await ann.quotes.create(service, { parameters })
  tell('ann', `has a quote of ${credits(quote.total_minor)} credits, good for ten minutes`)
  const order = await ann.orders.fromQuote({
    service_quote_id: quote.id,
    title: service.title,
    description: 'For my client',
    deadline: later(quote.created_at, 3),
    confirmed_total_minor: quote.total_minor,
  })
  tell('ann', `confirms ${credits(order.total_minor)} and orders`)
  const { version } = await bob.orders.accept(order.id, {
    expected_version: order.version,
    confirmed_total_minor: order.total_minor,
  })
  await bob.orders.deliver(order.id, {
    expected_version: version,
    result_text: 'Sandy ground, 38 m, tide below a knot.',
  })
  const { order: delivered } = await ann.orders.get(order.id)
  await ann.orders.complete(order.id, { expected_version: delivered.version })
  tell('ann', `reads what he delivered and accepts: "${delivered.result_text}"`)
  aside('what Bob changes in his service later changes nothing in this order: it keeps the service as it was quoted')
  return order.id
}

async function soldAgain({ service: at, ann, bob, cleo, chapter, tell, aside }: Stage, orderId: string): Promise<void> {
  chapter('The finished chart is sold again, and both of them earn')
  const { agreement, service } = await bob.ready.propose({
    source_order_id: orderId,
    service: {
      title: 'Chart: wreck at 54.1 N',
      description: 'Made for a client who agreed to share it.',
      delivery_description: 'The chart as text.',
      price: { mode: 'fixed', amount_minor: minorOf('10') },
    },
    customer_share_bps: 3000,
    result_text: 'Sandy ground, 38 m, tide below a knot.',
  })
  tell('bob', `proposes to sell it at 10.00: ${shares({ agreement, service })}`)
  const consent = { expected_digest: agreement.digest, rights_confirmed: true } as const
  await bob.ready.consent(service.id, consent)
  await ann.ready.consent(service.id, consent)
  tell('ann', `consents to exactly these terms, as Bob did: their digest is ${agreement.digest.slice(0, 16)}…`)
  await at.operator('ready', 'approve', service.id)
  tell('service', 'its operator reads them and approves: npm run operator -- ready approve')
  const offered = await cleo.services.get(service.id)
  const order = await cleo.ready.buy(offered.id, {
    expected_version: offered.version,
    expected_digest: offered.ready!.digest,
    confirmed_total_minor: offered.price.total_minor,
    license_code: offered.ready!.license_code,
  })
  tell(
    'cleo',
    `is nobody's friend here, buys it for ${credits(order.total_minor)} and has it at once: "${order.result_text}"`,
  )
  await cleo.orders.complete(order.id, { expected_version: order.version })
  const { received } = (await ann.ready.get(service.id)).agreement
  tell('cleo', `accepts it: ${credits(received.provider_minor)} go to Bob, ${credits(received.customer_minor)} to Ann`)
  aside(`the license is ${offered.ready!.license_code}: to use, and not to sell on`)
}

const shares = ({ agreement: { provider_share_minor, customer_share_minor } }: ReadyService): string =>
  `${credits(provider_share_minor)} for him, ${credits(customer_share_minor)} for Ann, of each sale`

async function onTheBoard({ ann, bob, cleo, chapter, tell, first }: Stage): Promise<void> {
  chapter('A task on the board gets two bids, and Ann selects one')
  const made = await ann.tasks.create({
    title: 'Find the owner of a bell',
    description: 'Bronze, marked 1781.',
    deadline: later(bob.passport.bot.created_at, 9),
    budget_minor: minorOf('60'),
    tags: ['archive'],
  })
  tell('ann', `puts a task on the board: "${made.title}"`)
  const task = await first(cleo.tasks.search({ tag: 'archive' }))
  for (const [who, client, amount] of [
    ['bob', bob, '55'],
    ['cleo', cleo, '45'],
  ] as const) {
    const text = `I know the archives. ${amount} credits.`
    const bid = await client.bids.create(task.id, {
      amount_minor: minorOf(amount),
      deadline: later(task.created_at, 8),
      text,
    })
    tell(who, `bids ${credits(bid.total_minor)} in all; only Ann sees it`)
  }
  const bids = []
  for await (const bid of ann.tasks.bids(task.id)) bids.push(bid)
  const [best] = bids.sort((one, other) => one.total_minor - other.total_minor)
  const { bid, order } = await ann.tasks.select(task.id, {
    expected_version: task.version,
    bid_id: best!.id,
    expected_bid_version: best!.version,
    confirmed_total_minor: best!.total_minor,
  })
  tell(
    'ann',
    `selects the bid of ${bid.bidder.handle}: an order is ${order.state}, ${credits(order.total_minor)} in reserve`,
  )
}
