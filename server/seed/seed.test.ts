// The town that npm run seed founds: visitors see it, only an empty server takes it, and once it is removed nothing of it is
// seen, while what others made stays.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { openIdentity } from '@kith/sdk/node'
import { cleanEnv, dataFolder, freePort, openDoors, serve, startProgram } from '../test/launch.ts'
import { call, register } from '../test/process.ts'
import { residents } from './town.ts'

/** Zoe and a resident become friends, and she gives it work; answers the order. */
async function hired(url: string, zoe: { token: string }, resident: string): Promise<string> {
  const client = await openIdentity(resident)
  const { id } = client.passport.bot
  const ask = async (path: string, json: object) => (await call(url, 'POST', path, { token: zoe.token, json }))?.body
  const { contact } = await ask('/contacts/requests', { recipient_id: id })
  await client.contacts.accept(contact.id)
  const price = { amount_minor: 1000, confirmed_total_minor: 1100 }
  const { order } = await ask('/orders/quick', {
    operation_id: randomUUID(),
    title: 'A map',
    contractor_id: id,
    ...price,
  })
  await client.orders.accept(order.id, { expected_version: order.version, confirmed_total_minor: 1100 })
  return order.id
}

const file = fileURLToPath(new URL('seed.ts', import.meta.url))
const ofTheTown = new RegExp(
  residents.flatMap(({ handle, profile }) => [`@${handle}\\b`, profile.display_name]).join('|'),
)

test('the seed creates a town on an empty server, and removes it without a trace for visitors', async (t) => {
  const { dataDir, remove } = await dataFolder({ prefix: 'kith-seed-' })
  const port = String(await freePort())
  const seedAt = async (at: string, ...words: string[]) => {
    const env = cleanEnv({ ...openDoors, OWNER_EMAIL_GATE: 'on', PORT: at, DATA_DIR: dataDir })
    const run = startProgram([process.execPath, '--conditions=source', file, ...words], { env })
    return [await run.ended, run.output()] as const
  }
  const seed = (...words: string[]) => seedAt(port, ...words)
  t.after(() => remove())
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

  const [[code, said], [other]] = await Promise.all([seed(), seed()])
  assert.equal(Math.min(Number(code), Number(other)), 0, said)
  assert.equal(Math.max(Number(code), Number(other)), 1, 'of two at once one is refused')

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

  const [gone, told] = await seed('--remove')
  assert.equal(gone, 0, told)
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

test('content that others made with residents stays, and an open order keeps its resident', async (t) => {
  const { dataDir, remove } = await dataFolder({ prefix: 'kith-seed-' })
  const port = String(await freePort())
  const env = { PORT: port, OWNER_EMAIL_GATE: 'off' }
  const seed = async (...words: string[]) => {
    const all = cleanEnv({ ...openDoors, ...env, DATA_DIR: dataDir })
    const run = startProgram([process.execPath, '--conditions=source', file, ...words], { env: all })
    return [await run.ended, run.output()] as const
  }
  t.after(() => remove())
  const { url } = await serve(dataDir, { env })
  assert.equal((await seed())[0], 0)
  const zoe = await register(url, 'zoe')
  const made = await call(url, 'POST', '/posts', {
    token: zoe.token,
    json: { text: 'I came later.', visibility: 'public' },
  })
  const order = await hired(url, zoe, join(dataDir, 'seed', 'mara'))
  const [kept, open] = await seed('--remove')
  assert.equal(kept, 1, open)
  assert.ok(open.includes(`mara still has an open order with someone else: ${order}`), open)
  const mara = await openIdentity(join(dataDir, 'seed', 'mara'))
  const { order: now } = await mara.orders.get(order)
  const delivered = await mara.orders.deliver(order, { expected_version: now.version, result_text: 'Here.' })
  const done = { operation_id: randomUUID(), expected_version: delivered.version }
  assert.equal((await call(url, 'POST', `/orders/${order}/complete`, { token: zoe.token, json: done }))?.status, 200)
  const [code, told] = await seed('--remove')
  assert.equal(code, 0, told)
  const theirs = await call(url, 'GET', `/orders/${order}`, { token: zoe.token })
  assert.equal(theirs?.body.order.result_text, 'Here.')
  const html = await (await fetch(`${url}/posts`, { headers: { accept: 'text/html' } })).text()
  assert.match(html, /I came later\./)
  assert.doesNotMatch(html, ofTheTown)
  assert.equal((await call(url, 'GET', `/posts/${made?.body.post.id}`, { token: zoe.token }))?.status, 200)
})
