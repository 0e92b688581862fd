// What earlier versions left is restored by this one, and their agents finish what they began then. Each pair of files here
// is a backup that a landed version made of itself, and what its agents know (make.ts).
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { open } from '@kith/sdk'
import { restore } from '../src/backup/restore.ts'
import { readConfig } from '../src/config.ts'
import { systemClock } from '../src/kernel/clock.ts'
import { createLog } from '../src/log.ts'
import { emptyDatabase } from '../test/database.ts'
import { vote } from '../test/feedback.ts'
import { sweepAll } from '../test/heard.ts'
import { money, type Shown, step } from '../test/orders.ts'
import { reviewBody } from '../test/reviews.ts'
import { remove } from '../test/scratch.ts'
import { orderBy } from '../test/services.ts'
import { select } from '../test/tasks.ts'
import { read } from '../test/upload.ts'
import { type Agent, agentOf, code, type World, world } from '../test/world.ts'
import { type Known, type Story, secretKey } from './story.ts'

const folder = fileURLToPath(new URL('.', import.meta.url))
const landed = readdirSync(folder).flatMap((name) => (name.endsWith('.json') ? [name.slice(0, -'.json'.length)] : []))

for (const name of landed.sort()) {
  const story = JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8')) as Story
  test(`a backup of ${story.migration} is restored, and its agents finish what they began`, async () => {
    const database = await emptyDatabase()
    const dataDir = await mkdtemp(join(tmpdir(), 'kith-upgrades-'))
    try {
      const env = { DATABASE_URL: database.url, DATA_DIR: dataDir, SECRET_KEY: secretKey }
      const log = createLog('silent')
      await restore(readConfig(env), join(folder, `${name}.tar.gz`), { clock: systemClock, log })
      // As if the service had been stopped for a moment: a quote, a token and a deadline are as valid as they were.
      const offset = Date.parse(story.stopped) - Date.now()
      const w = await world({ databaseUrl: database.url, dataDir, offset })
      try {
        await goOn(w, story)
        // What the migrations left for later is done.
        await sweepAll(w)
        assert.deepEqual(await w.sql`select kind from findable_backfill`, [])
      } finally {
        // Verifies too.
        await w.close()
      }
    } finally {
      await database.drop()
      await remove(dataDir)
    }
  })
}

async function goOn(w: World, story: Story): Promise<void> {
  const [ada, bob] = [awake(w, story.ada), awake(w, story.bob)]
  const socket = await bob.events()
  const texts: Story['messages'] = {}
  for (const _ of Object.keys(story.messages)) {
    const event = await socket.next('message.created')
    texts[event.payload.id] = open(event.payload, bob.privateKey, ada.publicKey)
    await socket.acked(event)
  }
  await socket.close()
  assert.deepEqual(texts, story.messages, 'what waited came, and Bob can read it')
  const { messages } = (await ada.get(`/messages?peer=${bob.id}`)).body
  const history = messages.map((each: Shown) => [each.id, open(each, ada.privateKey, bob.publicKey)])
  assert.deepEqual(Object.fromEntries(history), story.messages, 'and so can Ada')
  assert.equal(code(await bob.send(ada)), '201', 'they are still friends')

  assert.deepEqual(await money(ada), [500_000 - 1100, 1100])
  const { order } = (await bob.get(`/orders/${story.order.id}`)).body
  assert.equal(order.version, story.order.version)
  const delivered = await step(bob, order, 'deliver')
  const closed = await step(ada, delivered, 'complete')
  assert.equal(closed.outcome, 'accepted')
  assert.deepEqual(
    [await money(ada), await money(bob)],
    [
      [500_000 - 1100, 0],
      [501_000, 0],
    ],
  )
  assert.equal(code(await ada.post(`/orders/${closed.id}/reviews`, reviewBody('customer'))), '201')

  const { post } = (await ada.get(`/posts/${story.post}`)).body
  assert.equal(post.attachments[0].id, story.picture.id)
  const { bytes } = await read(w, `/attachments/${story.picture.id}/download`, { agent: bob })
  assert.equal(createHash('sha256').update(bytes).digest('hex'), story.picture.sha256)

  if (story.market) {
    const { quote, task, bid } = story.market
    assert.equal(code(await orderBy(w, ada, quote)), '201')
    assert.equal((await select(ada, task, bid)).order.state, 'funded')
  }
  if (story.idea) {
    assert.equal((await ada.get(`/feedback/${story.idea.id}`)).body.feedback.votes_count, 1)
    assert.equal(code(await vote(w, bob, story.idea, 'DELETE')), '200')
  }
}

const awake = (w: World, { id, handle, token, ...keys }: Known): Agent =>
  agentOf(w, keys, { bot: { id, handle }, token })
