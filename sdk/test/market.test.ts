// Bob sells, Ada and Cyd buy, on the real service, and the answer to every single change gets lost: what was meant once
// happens once, each in the next run of the program, and money is where the ledger says.
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { skip, startPython } from '../../python/test/interpreter.ts'
import { wav } from '../../server/test/corpus-media.ts'
import { uploadInspected } from '../../server/test/files.ts'
import { pluck } from '../../server/test/pluck.ts'
import { beforehand, story } from '../../server/test/story.ts'
import {
  type Bid,
  type FolderClient,
  fillForm,
  type Order,
  openIdentity,
  type Quote,
  type ReadyService,
  type Service,
  type ServiceRequest,
  type Task,
} from '../src/node.ts'
import { all, killed, lost as lostAnswer } from './lost.ts'
import { befriended, identities } from './registered.ts'

const { w } = story()
const { home, folderOf, ada, bob, cyd } = identities(w, 'ada', 'bob', 'cyd')
beforehand(() => befriended(ada, bob))

const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()

const lost = <T>(name: string, act: (client: FolderClient) => Promise<unknown>) => lostAnswer<T>(folderOf(name), act)

const price = (amount_minor: number, mode: 'fixed' | 'from' = 'fixed') => ({ mode, amount_minor, unit_label: 'page' })
const card = (title: string) => ({ title, description: 'Said so', delivery_description: 'A text' })

let poem: Service
let accepted: Order

test('a service is created, changed, published, found with its cursor, paused and archived', async () => {
  const fields = [
    { key: 'whom', type: 'short_text' as const, label: 'For whom?', required: true },
    { key: 'lines', type: 'integer' as const, label: 'How many lines?', min: 0 },
    { key: 'tune', type: 'attachment' as const, label: 'To which tune?', media_types: ['audio/wav' as const] },
  ]
  const input = {
    ...card('A poem'),
    price: price(1005),
    tags: ['verse'],
    input_schema: { version: 1 as const, fields },
  }
  const made = await lost<{ service: Service }>('bob', (client) => client.services.create(input))
  const { id } = made.service
  assert.deepEqual([made.service.state, made.service.version, made.service.price.total_minor], ['draft', 1, 1106])
  await lost('bob', (client) => client.services.edit(id, { expected_version: 1, price: price(1000) }))
  const out = await lost<{ service: Service }>('bob', (client) => client.services.publish(id, { expected_version: 2 }))
  poem = out.service
  assert.deepEqual([poem.state, poem.version, poem.can_order], ['published', 3, true])

  const second = await bob.services.create({ ...card('A song'), price: price(2000), tags: ['verse'] })
  await bob.services.publish(second.id, { expected_version: 1 })
  const titles = async (filter: Parameters<FolderClient['services']['search']>[0]) =>
    (await all(ada.services.search(filter))).map(({ title }) => title)
  assert.deepEqual(await titles({ q: 'verse', limit: 1 }), ['A song', 'A poem'])
  assert.deepEqual(await titles({ q: 'verse', max_total_minor: 1100 }), ['A poem'])
  assert.deepEqual(await titles({ price_mode: 'from' }), [])
  await lost('bob', (client) => client.services.pause(second.id, { expected_version: 2 }))
  assert.deepEqual(await titles({ q: 'verse', state: 'published' }), ['A poem'])
  await lost('bob', (client) => client.services.archive(second.id, { expected_version: 3 }))
  assert.deepEqual(
    (await all(bob.services.mine({ limit: 1 }))).map(({ title, state }) => [title, state]),
    [
      ['A song', 'archived'],
      ['A poem', 'published'],
    ],
  )
})

test('a quote fills in the form and leads to one order, despite lost responses and kills', async () => {
  const used = async () => (await ada.files.storage()).upload_records.used
  await assert.rejects(ada.quotes.create(poem, { parameters: { lines: 1.5, more: 1 } }), {
    name: 'KithFormError',
    fields: [
      { path: 'parameters.more', problem: 'unknown field' },
      { path: 'parameters.whom', problem: 'required' },
      { path: 'parameters.lines', problem: 'must be an integer' },
    ],
  })
  assert.deepEqual([await ada.pending(), await used()], [[], 0], 'nothing was sent')
  const attachment = await uploadInspected(ada, { source: wav(1), purpose: 'order' })
  const answers: Record<string, string | number> = { whom: 'Mother', lines: 0, tune: attachment.id }
  const parameters = await fillForm(poem.input_schema, ({ field }) => answers[field.key])
  await assert.rejects(ada.quotes.create(poem, { parameters }), { name: 'KithFormError' }, 'the file is not sent along')
  const inputs = { quantity: 2, parameters, input_attachment_ids: [attachment.id] }
  const { quote } = await lost<{ quote: Quote }>('ada', (client) => client.quotes.create(poem, inputs))
  assert.deepEqual([quote.total_minor, quote.parameters], [2200, parameters])
  assert.deepEqual(quote.snapshot.service.title, 'A poem')
  await bob.services.edit(poem.id, { expected_version: 3, price: price(9000) })

  const words = { title: 'For her', description: 'Soon', deadline: inDays(3) }
  const input = { service_quote_id: quote.id, ...words, confirmed_total_minor: 2200 }
  const operation_id = '0198c000-0000-7000-8000-00000000aaaa'
  for (const when of ['before', 'after'] as const)
    await killed(folderOf('ada'), when, 'POST /orders', 'call', 'POST /orders', { body: { ...input, operation_id } })
  const next = await openIdentity(folderOf('ada'))
  await next.resumePending()
  const order = await next.orders.fromQuote(input, { operationId: operation_id })
  assert.deepEqual([order.source_service_quote_id, order.total_minor, order.state], [quote.id, 2200, 'offered'])
  assert.deepEqual((await all(ada.orders.list())).length, 1)
  const accept = { expected_version: 1, confirmed_total_minor: 2200 }
  await lost('bob', (client) => client.orders.accept(order.id, accept))
  const result = await uploadInspected(bob, { source: wav(2), purpose: 'order' })
  const files = [result.id]
  await bob.orders.deliver(order.id, { expected_version: 2, result_text: 'Sea', result_attachment_ids: files })
  accepted = await ada.orders.complete(order.id, { expected_version: 3 })
  assert.equal((await bob.wallet.get()).available_minor, 502_000)
})

test('a request is created, turned into an offer, cancelled and rejected, each once', async () => {
  const draft = await bob.services.create({ ...card('A book'), price: price(10_000, 'from') })
  const book = await bob.services.publish(draft.id, { expected_version: 1 })
  const input = { title: 'Mine', description: 'Long', quantity: 2 }
  const ask = () => lost<{ request: ServiceRequest }>('ada', (client) => client.serviceRequests.create(book, input))
  const [{ request: one }, { request: two }] = [await ask(), await ask()]
  assert.deepEqual([one.status, one.snapshot.service.title, one.quantity], ['open', 'A book', 2])
  const offer = { expected_version: 1, amount_minor: 20_000, deadline: inDays(9) }
  const offered = await lost<{ request: ServiceRequest; order: Order }>('bob', (client) =>
    client.serviceRequests.offer(one.id, offer),
  )
  assert.deepEqual([offered.request.order_id, offered.order.total_minor], [offered.order.id, 22_000])
  await lost('ada', (client) => client.serviceRequests.cancel(one.id, { expected_version: 2 }))
  await lost('bob', (client) => client.serviceRequests.reject(two.id, { expected_version: 1 }))
  assert.deepEqual(
    (await all(bob.serviceRequests.list({ page_size: 1 }))).map(({ id, status, order_state }) => [
      id,
      status,
      order_state,
    ]),
    [
      [two.id, 'rejected', null],
      [one.id, 'cancelled', 'rejected'],
    ],
  )
  assert.equal((await ada.serviceRequests.get(two.id)).status, 'rejected')
})

test('an accepted work is resold: consents, one purchase, its files, both shares', async () => {
  const [file] = accepted.result_attachments
  const proposal = {
    source_order_id: accepted.id,
    service: { ...card('A sung poem'), price: price(1000) },
    customer_share_bps: 3333,
    result_text: 'Sea',
    attachment_ids: [file!.id],
  }
  const { agreement, service } = await lost<ReadyService>('bob', (client) => client.ready.propose(proposal))
  assert.deepEqual([agreement.customer_share_minor, agreement.provider_share_minor], [333, 667])
  const consent = { expected_digest: agreement.digest, rights_confirmed: true as const }
  await lost('bob', (client) => client.ready.consent(service.id, consent))
  await lost('ada', (client) => client.ready.consent(service.id, consent))
  await w.operator('ready', 'approve', service.id)

  const { version, ready } = await cyd.services.get(service.id)
  const purchase = {
    expected_version: version,
    expected_digest: ready!.digest,
    confirmed_total_minor: 1100,
    license_code: ready!.license_code,
  }
  const operation_id = '0198c000-0000-7000-8000-00000000bbbb'
  const route = 'POST /services/{service_id}/ready/purchase'
  const ask = { path: { service_id: service.id }, body: { ...purchase, operation_id } }
  for (const when of ['before', 'after'] as const)
    await killed(folderOf('cyd'), when, `POST /services/${service.id}/ready/purchase`, 'call', route, ask)
  const next = await openIdentity(folderOf('cyd'))
  await next.resumePending()
  const order = await next.ready.buy(service.id, purchase, { operationId: operation_id })
  assert.deepEqual([order.workflow, order.result_text, (await cyd.wallet.get()).reserved_minor], ['ready', 'Sea', 1100])
  const [bought] = await cyd.ready.files(order.id)
  assert.deepEqual(
    new Uint8Array(await (await cyd.ready.download(order.id, bought!.id)).arrayBuffer()),
    new Uint8Array(wav(2)),
  )
  const path = join(home.path, 'tune.wav')
  await cyd.ready.save(order.id, bought!.id, path)
  assert.deepEqual(await readFile(path), wav(2))
  await assert.rejects(cyd.ready.save(order.id, bought!.id, path), { name: 'KithInputError' })
  if (!skip) {
    const read = `get_orders_by_order_id_ready_files_by_attachment_id("${order.id}", "${bought!.id}"`
    const code = `import kith, sys\nme = kith.open_identity(sys.argv[1])\nme.${read}, to="${path}.py")\nassert me.${read}) == open("${path}", "rb").read()`
    const python = startPython(['-c', code, folderOf('cyd')])
    assert.equal(await python.ended, 0, python.output())
    assert.deepEqual(await readFile(`${path}.py`), await readFile(path))
  }
  await assert.rejects(ada.ready.files(accepted.id), { name: 'KithInputError' })
  const [was] = [await ada.wallet.get()]
  await cyd.orders.complete(order.id, { expected_version: order.version })
  assert.equal((await ada.wallet.get()).available_minor - was.available_minor, 333)
  const withdraw = { expected_digest: agreement.digest }
  const gone = await lost<ReadyService>('ada', (client) => client.ready.withdraw(service.id, withdraw))
  assert.deepEqual([gone.agreement.withdrawn, gone.agreement.received.total_minor], [true, 1000])
})

test('a task gets two bids, and one bid is ordered and reserved once', async () => {
  const input = { title: 'Count ships', description: 'All', deadline: inDays(9), tags: ['count'], budget_minor: 5500 }
  const { task } = await lost<{ task: Task }>('ada', (client) => client.tasks.create(input))
  assert.deepEqual(pluck(await all(cyd.tasks.search({ q: 'ships', tag: 'count', page_size: 1 })), 'id'), [task.id])
  const bid = (amount_minor: number) => ({ amount_minor, deadline: inDays(8), text: 'I will' })
  const { bid: one } = await lost<{ bid: Bid }>('bob', (client) => client.bids.create(task.id, bid(5000)))
  const { bid: two } = await lost<{ bid: Bid }>('cyd', (client) => client.bids.create(task.id, bid(4000)))
  await lost('cyd', (client) => client.bids.edit(two.id, { expected_version: 1, amount_minor: 4500 }))
  assert.equal((await cyd.bids.get(two.id)).total_minor, 4950)
  await assert.rejects(bob.bids.get(two.id), { code: 'not_found' })
  assert.deepEqual(pluck(await all(ada.tasks.bids(task.id, { page_size: 1 })), 'id'), [two.id, one.id])
  await lost('cyd', (client) => client.bids.withdraw(two.id, { expected_version: 2 }))
  const chosen = {
    expected_version: task.version,
    bid_id: one.id,
    expected_bid_version: 1,
    confirmed_total_minor: 5500,
  }
  const before = await ada.wallet.get()
  const done = await lost<{ task: Task; bid: Bid; order: Order }>('ada', (client) =>
    client.tasks.select(task.id, chosen),
  )
  assert.deepEqual([done.task.state, done.bid.state, done.order.state], ['selected', 'selected', 'funded'])
  assert.equal((await ada.wallet.get()).reserved_minor - before.reserved_minor, 5500)
  const idle = await ada.tasks.create({ ...input, title: 'Never mind' })
  await lost('ada', (client) => client.tasks.cancel(idle.id, { expected_version: 1 }))
  assert.deepEqual(
    (await all(ada.tasks.mine({ page_size: 1 }))).map(({ title, state }) => [title, state]),
    [
      ['Never mind', 'cancelled'],
      ['Count ships', 'selected'],
    ],
  )
})
