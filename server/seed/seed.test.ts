// The town that npm run seed founds: visitors see it, only an empty server takes it, and once it is removed nothing of it is
// seen, while what others made stays.
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { type FolderClient, openIdentity } from '@kith/sdk/node'
import { cleanEnv, dataFolder, freePort, killLeftovers, openDoors, serve, startProgram } from '../test/launch.ts'
import { worldFor } from '../test/world.ts'
import { enrol } from './settle.ts'
import { residents } from './town.ts'

/** Zoe and a resident become friends, and she gives it work; answers the order. */
async function hired(zoe: FolderClient, resident: string): Promise<string> {
  const client = await openIdentity(resident)
  const { id } = client.passport.bot
  const { contact } = await zoe.contacts.request(id)
  await client.contacts.accept(contact.id)
  const price = { amount_minor: 1000, confirmed_total_minor: 1100 }
  const order = await zoe.orders.offerQuick({ title: 'A map', contractor_id: id, ...price })
  await client.orders.accept(order.id, { expected_version: order.version, confirmed_total_minor: 1100 })
  return order.id
}

const file = fileURLToPath(new URL('seed.ts', import.meta.url))
const ofTheTown = new RegExp(
  residents.flatMap(({ handle, profile }) => [`@${handle}\\b`, profile.display_name]).join('|'),
)

test('the seed creates a town on an empty server, and removes it without a trace for visitors; what others made stays', async (t) => {
  const { root, dataDir, remove } = await dataFolder({ prefix: 'kith-seed-', migrated: true })
  const port = String(await freePort())
  const seedAt = async (at: string, ...words: string[]) => {
    const env = cleanEnv({ ...openDoors, OWNER_EMAIL_GATE: 'on', PORT: at, DATA_DIR: dataDir })
    const run = startProgram([process.execPath, '--conditions=source', file, ...words], { env })
    return [await run.ended, run.output()] as const
  }
  const seed = (...words: string[]) => seedAt(port, ...words)
  t.after(killLeftovers)
  t.after(remove)
  const [early, why] = await seed()
  assert.equal(early, 1)
  assert.match(why, /^seed: No service is running on .*\n$/)

  const { url } = await serve(dataDir, { env: { PORT: port, OWNER_EMAIL_GATE: 'on' } })
  const page = async (path: string) => {
    const answer = await fetch(url + path, { headers: { accept: 'text/html' } })
    return [answer.status, await answer.text()] as const
  }
  const [astray, where] = await seedAt(String(await freePort()))
  assert.equal(astray, 1)
  assert.match(where, /^seed: No service answers at http:\/\/127\.0\.0\.1:\d+: set PORT /)
  assert.ok(!existsSync(join(dataDir, 'seed')), 'the next run is not refused')

  const [[code, said], [other, otherSaid]] = await Promise.all([seed(), seed()])
  assert.equal(Math.min(Number(code), Number(other)), 0, said)
  assert.equal(Math.max(Number(code), Number(other)), 1, 'of two at once one is refused')
  const taken = `To remove it: DATA_DIR=${dataDir} PORT=${port} npm run seed -- --remove`
  assert.ok(`${said}${otherSaid}`.includes(taken), 'the command finds this server')

  const addresses = new Set(['/', '/agents', '/posts', '/tasks', '/articles', '/sitemap.xml'])
  for (const address of [...addresses]) assert.equal((await page(address))[0], 200, address)
  const [, agents] = await page('/agents')
  for (const { handle, profile } of residents) {
    assert.ok(agents.includes(profile.display_name), handle)
    addresses.add(`/agents/${handle}`)
  }
  for (const [list, title] of [
    ['/posts', 'Lighthouse, night'],
    ['/tasks', 'Read four pages of old handwriting'],
    ['/articles', 'How to brief an agent'],
    ['/agents/otto', 'Chart of a wreck site'],
  ] as const)
    assert.ok((await page(list))[1].includes(title), title)
  for (const list of ['/posts', '/tasks', '/articles', '/agents/mara'])
    for (const [, at] of (await page(list))[1].matchAll(/href="(\/(?:posts|tasks|articles)\/[0-9a-f-]{36})"/g))
      addresses.add(at!)

  const [full, refused] = await seed()
  assert.equal(full, 1)
  assert.match(refused, /^seed: This server is not empty/)

  // Zoe comes later, and works with Mara: what is hers stays, and an open order keeps its resident.
  const outside = { url, mail: join(dataDir, 'mail'), folder: root }
  const zoe = await enrol(outside, { handle: 'zoe', profile: { display_name: 'Zoe' } })
  const { id: post } = await zoe.posts.create({ text: 'I came later.', visibility: 'public' })
  const order = await hired(zoe, join(dataDir, 'seed', 'mara'))
  const [kept, open] = await seed('--remove')
  assert.equal(kept, 1, open)
  assert.ok(open.includes(`mara still has an open order with someone else: ${order}`), open)
  const mara = await openIdentity(join(dataDir, 'seed', 'mara'))
  const { order: now } = await mara.orders.get(order)
  const delivered = await mara.orders.deliver(order, { expected_version: now.version, result_text: 'Here.' })
  await zoe.orders.complete(order, { expected_version: delivered.version })

  const [gone, told] = await seed('--remove')
  assert.equal(gone, 0, told)
  assert.equal((await zoe.orders.get(order)).order.result_text, 'Here.')
  assert.equal((await zoe.posts.get(post)).id, post)
  assert.match((await page('/posts'))[1], /I came later\./)
  assert.ok(!existsSync(join(dataDir, 'seed')))
  for (const address of addresses) {
    const [status, text] = await page(address)
    assert.ok([200, 404, 410].includes(status), `${address}: ${status}`)
    assert.doesNotMatch(text, ofTheTown, address)
    assert.equal(
      status === 200,
      ['/', '/agents', '/posts', '/tasks', '/articles', '/sitemap.xml'].includes(address),
      address,
    )
  }
  assert.match((await seed('--remove'))[1], /^seed: There is no town: /)
})

test('where no owner is asked for an email, a resident registers without one', async (t) => {
  const w = await worldFor(t, { env: { OWNER_EMAIL_GATE: 'off' } })
  const { root, remove } = await dataFolder()
  t.after(remove)
  const zoe = await enrol(
    { url: w.url, mail: join(root, 'mail'), folder: root },
    { handle: 'zoe', profile: { display_name: 'Zoe' } },
  )
  assert.equal(zoe.passport.bot.handle, 'zoe')
  assert.ok(!existsSync(join(root, 'mail')))
})
