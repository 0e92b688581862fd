// The shop of docs/shop.md as a stranger runs it: the package of a server in an empty folder, the file as it stands. It is killed
// at random calls of the disk and the network while a customer orders, and started again. KITH_SHOP_SEED repeats a run;
// KITH_SHOP_KILLS is how often it is killed.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFile, mkdtemp, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { installed } from '../../server/test/installed.ts'
import { pluck } from '../../server/test/pluck.ts'
import { remove } from '../../server/test/scratch.ts'
import { world } from '../../server/test/world.ts'
import { type FolderClient, openIdentity, systemRuntime } from '../src/node.ts'
import { all } from './lost.ts'
import { registered } from './registered.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const seed = Number(process.env['KITH_SHOP_SEED'] ?? Math.floor(Math.random() * 2 ** 31))
const kills = Number(process.env['KITH_SHOP_KILLS'] ?? 5)
/** About as many points as a start and two orders have. */
const reach = 350

/** Whole numbers from 1 to `most`, the same for the same seed (mulberry32). */
function draws(from: number): (most: number) => number {
  let state = from
  return (most) => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return 1 + (((t ^ (t >>> 14)) >>> 0) % most)
  }
}

test('docs/shop.md shows the file that this test runs', async () => {
  const [page, file] = await Promise.all(
    ['docs/shop.md', 'demo/shop.ts'].map((name) => readFile(join(root, name), 'utf8')),
  )
  assert.ok(page!.includes(`\`\`\`ts\n${file}\`\`\`\n`), 'docs/shop.md does not quote demo/shop.ts as it is')
})

/** Orders one limerick after the other until there is no need for more, and pays for each. */
async function order(ada: FolderClient, shopId: string, isOver: () => boolean, stop: AbortSignal): Promise<string[]> {
  const receiver = await ada.receive()
  stop.addEventListener('abort', () => void receiver.close())
  await ada.contacts.befriend(shopId)
  const [service] = await all(ada.services.search({ provider_id: shopId }))
  const ordered: string[] = []
  const next = async () => {
    const quote = await ada.quotes.create(service!, { parameters: { about: `love, no. ${ordered.length}` } })
    const terms = {
      title: 'A limerick',
      description: 'For a card',
      deadline: new Date(Date.now() + 86_400_000).toISOString(),
    }
    const said = { ...terms, service_quote_id: quote.id, confirmed_total_minor: quote.total_minor }
    ordered.push((await ada.orders.fromQuote(said)).id)
  }
  await next()
  for await (const event of receiver) {
    if (event.kind === 'order.changed' && event.payload.status === 'delivered') {
      const { order } = await ada.orders.get(event.payload.order_id)
      await ada.orders.complete(order.id, { expected_version: order.version })
      if (isOver()) break
      await next()
    }
    await receiver.done(event)
  }
  return ordered
}

test('killed at random points while a customer orders, the shop delivers each order once and is paid for it', async (t) => {
  t.diagnostic(`KITH_SHOP_SEED=${seed} KITH_SHOP_KILLS=${kills}`)
  const draw = draws(seed)
  const folder = await mkdtemp(join(tmpdir(), 'kith-shop-'))
  const at = await world()
  const over = new AbortController()
  t.after(async () => {
    over.abort()
    await at.close()
    await remove(folder)
  })
  await installed('sdk', folder)
  await copyFile(join(root, 'demo/shop.ts'), join(folder, 'shop.ts'))
  const { passport } = await registered(at.url, join(folder, 'shop'), 'shop')
  await registered(at.url, join(folder, 'ada'), 'ada')
  // The first looks for an acceptance follow each other at once.
  const ada = await openIdentity(join(folder, 'ada'), { runtime: { ...systemRuntime, random: () => 0.01 } })

  let killed = 0
  const points: number[] = []
  async function keepShop(): Promise<void> {
    while (!over.signal.aborted) {
      const point = killed < kills ? draw(reach) : 0
      const preload = ['--disable-warning=ExperimentalWarning', '--import', new URL('kill-at.ts', import.meta.url).href]
      const env = { ...process.env, KITH_KILL_AT: String(point), NODE_COMPILE_CACHE: join(folder, 'cache') }
      const run = spawn(process.execPath, [...preload, 'shop.ts', './shop'], {
        cwd: folder,
        env,
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      let said = ''
      for (const stream of [run.stdout, run.stderr]) stream.on('data', (text) => (said += text))
      const end = () => run.kill('SIGKILL')
      over.signal.addEventListener('abort', end)
      const [code, signal] = await once(run, 'close')
      over.signal.removeEventListener('abort', end)
      assert.deepEqual([code, signal, said], [null, 'SIGKILL', ''], `killed at ${points.join(', ')}`)
      if (over.signal.aborted) return
      killed++
      points.push(point)
    }
  }
  const shop = keepShop()
  const ordered = await Promise.race([
    order(ada, passport.bot.id, () => killed >= kills, over.signal),
    shop.then((): string[] => []),
  ])
  over.abort()
  await shop

  t.diagnostic(`killed at ${points.join(', ')}; ${ordered.length} orders`)
  assert.ok(ordered.length > 0)
  // The last kill may have left something open; sent again, it changes nothing.
  const owner = await openIdentity(join(folder, 'shop'))
  await owner.resumePending()
  assert.deepEqual(await owner.pending(), [])
  for (const id of ordered) {
    const { order, history } = await ada.orders.get(id)
    assert.deepEqual([order.state, order.outcome], ['closed', 'accepted'])
    assert.deepEqual(pluck(history, 'action'), ['offer', 'accept', 'deliver', 'complete'], id)
    assert.match(order.result_text ?? '', new RegExp(`love, no. ${ordered.indexOf(id)},`))
  }
  const sold = await all(ada.services.search({ provider_id: passport.bot.id }))
  assert.equal(sold.length, 1, 'one service')
  const earned = (await all(owner.wallet.history())).filter(({ kind }) => kind === 'payout')
  assert.deepEqual(
    pluck(earned, 'amount_minor'),
    ordered.map(() => 500),
  )
  const [ledger] = await at.sql<{ sum: string }>`select sum(amount_minor)::text as sum from ledger_entries`
  assert.equal(ledger?.sum, '0')
})
