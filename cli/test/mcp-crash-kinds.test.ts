// Each kind of intent is committed by a process that ends before or after any of its writes and requests. Another one that
// commits it again finds one outcome, spent and counted once. Here a process is a client in this one: from its end on, none of
// its writes and requests happens. KITH_CRASH=full takes all points. docs/mcp.md#spending.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type FolderClient, openFolder, openIdentity, systemRuntime } from '@kith/sdk/identity'
import { assemble } from '../../sdk/src/client.ts'
import { localLocks } from '../../sdk/src/store.ts'
import { befriended, identities } from '../../sdk/test/registered.ts'
import { wav } from '../../server/test/corpus-media.ts'
import { uploadInspected } from '../../server/test/files.ts'
import { beforehand, story } from '../../server/test/story.ts'
import { commitIntent } from '../src/mcp/commit.ts'
import { changeLimits } from '../src/mcp/limits.ts'
import { type Prepare, prepareIntent } from '../src/mcp/prepare.ts'
import { spentMinor } from '../src/mcp/spending.ts'

const { w } = story()
const { ann, bob, cyd, folderOf } = identities(w, 'ann', 'bob', 'cyd')
beforehand(() => befriended(ann, bob))
beforehand(() => befriended(cyd, bob))

const step = process.env['KITH_CRASH'] === 'full' ? 1 : 5
const deadline = new Date(Date.now() + 3 * 86_400_000).toISOString()
const card = { title: 'Rope', description: 'Long' }
const offer = { ...card, deadline, amount_minor: 100 }
const never = new Promise<never>(() => {})

/** Ann's program, which ends at a point; `points` tells how many it came by. */
async function ending(at: number): Promise<{ client: FolderClient; ended: Promise<void>; points: () => number }> {
  let points = 0
  let isOver = false
  let end = () => {}
  const ended = new Promise<void>((resolve) => {
    end = resolve
  })
  const point = async (): Promise<void> => {
    if (!isOver && ++points === at) {
      isOver = true
      end()
    }
    if (isOver) await never
  }
  const between = async <T>(act: () => Promise<T>): Promise<T> => {
    await point()
    const result = await act()
    await point()
    return result
  }
  const real = await openFolder(folderOf('ann'))
  const folder: typeof real = {
    ...real,
    write: (name, text) => between(() => real.write(name, text)),
    create: (name, text) => between(() => real.create(name, text)),
    remove: (name) => between(() => real.remove(name)),
    // The end of a process lets go of its locks.
    lock: localLocks(),
  }
  const fetch: typeof systemRuntime.fetch = (...args) =>
    between(async () => {
      const response = await systemRuntime.fetch(...args)
      return new Response(await response.arrayBuffer(), response)
    })
  const { client } = await assemble({ store: folder, runtime: { ...systemRuntime, fetch } })
  return { client: { ...client, folder } as FolderClient, ended, points: () => points }
}

/** A work of Bob's that is sold ready-made, from an order of Cyd's. */
async function onSale(): Promise<string> {
  for (const who of [bob, cyd]) await who.bots.update({ profile_public: true })
  const forCyd = await bob.orders.offer({ ...offer, customer_id: cyd.passport.bot.id })
  const { id } = await cyd.orders.accept(forCyd.id, { expected_version: 1, confirmed_total_minor: 110 })
  await bob.orders.start(id, { expected_version: 2 })
  const attachment = await uploadInspected(bob, { source: wav(1), purpose: 'order' })
  await bob.orders.deliver(id, { expected_version: 3, result_text: 'Here', result_attachment_ids: [attachment.id] })
  await cyd.orders.complete(id, { expected_version: 4 })
  const { service, agreement } = await bob.ready.propose({
    source_order_id: id,
    customer_share_bps: 3000,
    result_text: 'Here',
    attachment_ids: [],
    service: { ...card, delivery_description: 'At once', price: { mode: 'fixed', amount_minor: 50 } },
  })
  for (const who of [bob, cyd])
    await who.ready.consent(service.id, { expected_digest: agreement.digest, rights_confirmed: true })
  await w.operator('ready', 'approve', service.id)
  return service.id
}

const offered = async (side: 'customer' | 'contractor'): Promise<string> => {
  const { id: me } = ann.passport.bot
  const sides = side === 'customer' ? { customer_id: me } : { contractor_id: me, confirmed_total_minor: 110 }
  return (await bob.orders.offer({ ...offer, ...sides })).id
}

const versionOf = async (order_id: string): Promise<number> => (await bob.orders.get(order_id)).order.version
const ordersOfAnn = async (): Promise<number> =>
  (await ann.call('GET /orders', { query: { page_size: 1 } })).pagination.total

/** What is asked, made new for each point, and what of the server changes by one when it is done. */
interface Kind {
  action: Prepare['action']
  ask: () => Promise<Omit<Prepare, 'action'>>
  changes: (ask: Omit<Prepare, 'action'>) => Promise<number>
}

const made = (action: Prepare['action'], ask: Kind['ask']): Kind => ({ action, ask, changes: ordersOfAnn })
const moved = (action: Prepare['action'], order: () => Promise<string>): Kind => ({
  action,
  ask: async () => ({ order_id: await order() }),
  changes: ({ order_id }) => versionOf(order_id as string),
})

test('whatever an intent spends on, ended anywhere it is done and counted once by whoever commits it again', async (t) => {
  await changeLimits(ann.folder, { order_minor: 1_000_000, day_minor: 10_000_000 })
  const service = await bob.services.create({
    ...{ ...card, delivery_description: 'A rope' },
    price: { mode: 'fixed', amount_minor: 100 },
  })
  await bob.services.publish(service.id, { expected_version: service.version })
  const ready = await onSale()
  const kinds: Kind[] = [
    made('order', async () => ({ ...card, to: 'bob', deadline, amount_minor: 100 })),
    made('service_order', async () => ({ service_id: service.id })),
    made('purchase', async () => ({ service_id: ready })),
    made('select_bid', async () => {
      const task = await ann.tasks.create({ ...card, tags: [], budget_minor: null, deadline })
      const bid = await bob.bids.create(task.id, { amount_minor: 100, deadline, text: 'Mine' })
      return { task_id: task.id, bid_id: bid.id }
    }),
    moved('accept', () => offered('customer')),
    moved('accept', () => offered('contractor')),
    moved('complete', async () => {
      const id = await offered('customer')
      await ann.orders.accept(id, { expected_version: 1, confirmed_total_minor: 110 })
      await bob.orders.start(id, { expected_version: 2 })
      await bob.orders.deliver(id, { expected_version: 3, result_text: 'Here', result_attachment_ids: [] })
      return id
    }),
  ]
  for (const { action, ask: newAsk, changes } of kinds) {
    let last = Number.POSITIVE_INFINITY
    const first = 1 + Math.floor(Math.random() * step)
    for (let at = first; at <= last; at += step) {
      const ask = await newAsk()
      const { intent, why } = await prepareIntent(ann, { action, ...ask })
      assert.equal(why, undefined)
      const words = { intent_id: intent.id, total_minor: intent.total_minor }
      const profile = { profile: 'ann' }
      const [before, counted] = [await changes(ask), await spentMinor(ann.folder)]
      const { client, ended, points } = await ending(at)
      const whole = commitIntent(client, words, profile, 'owner').then(({ order }) => order.id)
      const done = await Promise.race([whole, ended])
      if (done !== undefined) last = points()
      const next = await openIdentity(folderOf('ann'))
      // As before each call of a tool that changes something.
      await next.resumePending()
      const { order } = await commitIntent(next, words, profile, 'owner')
      const again = await commitIntent(ann, words, profile, 'owner')
      const where = `${action}, ended at point ${at}`
      assert.deepEqual([again.order.id, done ?? order.id], [order.id, order.id], where)
      assert.equal(await changes(ask), before + 1, where)
      assert.equal(await spentMinor(ann.folder), counted + intent.counts_minor, where)
      assert.deepEqual(await ann.pending(), [], where)
    }
    t.diagnostic(`${action}: ${last} points`)
    assert.ok(last >= 12)
  }
})
