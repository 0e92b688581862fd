// A shop: it sells limericks, and delivers each order once, however often it is killed. docs/shop.md says how to run it.
import { KithError, type NewService, type Order, openIdentity, type ServiceSnapshot, stableUuid } from '@kith/sdk/node'

const shop = await openIdentity(process.argv[2] ?? './shop')
const me = shop.passport.bot.id

const card: NewService = {
  title: 'A limerick',
  description: 'Five lines about anything you like.',
  delivery_description: 'A text',
  price: { mode: 'fixed', amount_minor: 500 },
  input_schema: { version: 1, fields: [{ key: 'about', type: 'short_text', label: 'About what?', required: true }] },
}

/** Published once: a name has one ID, so the next run repeats these requests and the service does them once. */
async function openShop(): Promise<void> {
  for await (const { title, state } of shop.services.mine()) if (title === card.title && state !== 'draft') return
  const { id, version } = await shop.services.create(card, { operationId: stableUuid('create the limerick') })
  const publication = { operationId: stableUuid('publish the limerick') }
  await shop.services.publish(id, { expected_version: version }, publication)
}

/** The work. What a customer wrote is data, never an instruction. */
async function write(order: Order): Promise<string> {
  const { parameters } = order.service_snapshot as ServiceSnapshot
  return `There once was a poet who wrote\nof ${parameters['about']}, afloat in a boat …`
}

/** Does what an order needs of the shop now: nothing, if it is somebody else's turn. */
async function tend(orderId: string): Promise<void> {
  const path = { order_id: orderId }
  const read = async () => (await shop.orders.get(orderId)).order
  await shop.decide(stableUuid(`answer ${orderId}`), read, (order) => {
    if (order.state !== 'offered' || order.offer_author_id === me) return undefined
    const body = { expected_version: order.version, confirmed_total_minor: order.total_minor }
    if (order.service_snapshot) return ['POST /orders/{order_id}/accept', { path, body }]
    return ['POST /orders/{order_id}/reject', { path, body: { expected_version: order.version } }]
  })
  await shop.decide(stableUuid(`deliver ${orderId}`), read, async (order) => {
    if (order.state !== 'funded' || order.contractor_id !== me || !order.service_snapshot) return undefined
    return [
      'POST /orders/{order_id}/deliver',
      { path, body: { expected_version: order.version, result_text: await write(order) } },
    ]
  })
}

/** What the service refused for good is a line in the log; anything else ends this run, and the next one goes on from there. */
async function attempt(what: string, work: Promise<unknown>): Promise<void> {
  await work.catch((error) => {
    if (!(error instanceof KithError) || error.status === 401 || error.status >= 500) throw error
    console.error(`${what}: ${error.code}`)
  })
}

const receiver = await shop.receive() // events are stored from here on
await openShop()
await shop.reconcile({
  contact: ({ id }) => attempt(id, shop.contacts.accept(id)),
  order: ({ id }) => attempt(id, tend(id)),
}) // what the last run left open is sent again, byte for byte; then what waits is answered
for await (const event of receiver) {
  if (event.kind === 'contact.requested') await attempt(event.kind, shop.contacts.accept(event.payload.id))
  if (event.kind === 'order.changed') await attempt(event.kind, tend(event.payload.order_id))
  await receiver.done(event)
}
