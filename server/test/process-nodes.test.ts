// Nodes on a database server: who migrates, and what keeps a node from joining.
import assert from 'node:assert/strict'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { test } from 'node:test'
import { systemClock } from '../src/kernel/clock.ts'
import { shippedMigrations } from '../src/store/migrate.ts'
import { openSql } from '../src/store/sql.ts'
import { emptyDatabase, freshDatabase } from './database.ts'
import { dataFolder, launch, serve } from './launch.ts'
import { pluck } from './pluck.ts'
import { befriendAt, call, register } from './process.ts'
import { connectEvents } from './world.ts'

const secret = 'a secret key for nodes, of enough characters'

function assertRefused(output: string, reason: RegExp): void {
  const lines = output.split('\n').filter((line) => line !== '' && !line.startsWith('{'))
  assert.equal(lines.length, 1, output)
  assert.match(lines[0] as string, reason)
  assert.ok(!output.includes(secret))
}

test('two nodes start at once on an empty database: one migrates, both serve; a node with another key is refused', async () => {
  const database = await emptyDatabase()
  const folders = [await dataFolder(), await dataFolder(), await dataFolder()] as const
  const env = { DATABASE_URL: database.url, SECRET_KEY: secret }
  try {
    const [one, two] = await Promise.all([serve(folders[0].dataDir, { env }), serve(folders[1].dataDir, { env })])
    const sql = openSql({ clock: systemClock, connection: { connectionString: database.url }, maxConnections: 1 })
    const applied = await sql<{ name: string }>`select name from migrations order by name`
    await sql.end()
    assert.deepEqual(
      pluck(applied, 'name'),
      (await shippedMigrations()).map(({ name }) => name),
    )
    const migrated = [one, two].filter((node) => node.output().includes('the database was migrated'))
    assert.equal(migrated.length, 1, 'the other one waited')

    const [ada, bob] = [await register(one.url, 'ada'), await register(two.url, 'bob')]
    await befriendAt(one.url, ada, bob)
    const socket = await connectEvents(two.url, bob.token)
    const sent = await call(one.url, 'POST', '/messages', { token: ada.token, json: ada.envelope(bob) })
    assert.equal((await socket.next('message.created')).payload.id, sent?.body.message.id)

    const other = launch(folders[2].dataDir, { env: { ...env, SECRET_KEY: `${secret}, but another` } })
    assert.equal(await other.ended, 1)
    assertRefused(other.output(), /SECRET_KEY is not the one this database was set up with/)

    one.kill('SIGTERM')
    assert.equal(await one.ended, 0, one.output())
    assert.equal(
      (await call(two.url, 'GET', '/bots/me', { token: ada.token }))?.status,
      200,
      'the other node serves on',
    )
    two.kill('SIGTERM')
    assert.equal(await two.ended, 0)
    assert.equal(await socket.closed, 1001)
  } finally {
    await database.drop()
    for (const { remove } of folders) await remove()
  }
})

test('a database migrated by another version, or with a changed migration, is refused', async () => {
  const database = await freshDatabase()
  const { dataDir, remove } = await dataFolder()
  const env = { DATABASE_URL: database.url, SECRET_KEY: secret }
  const sql = openSql({ clock: systemClock, connection: { connectionString: database.url }, maxConnections: 1 })
  try {
    const since = new Date('2026-12-24T18:00:00Z')
    await sql`
      insert into migrations (name, digest, applied_at)
      values ('9998_future.sql', 'x', ${since}), ('9999_farther.sql', 'x', ${since})`
    const older = launch(dataDir, { env })
    assert.equal(await older.ended, 1)
    assertRefused(
      older.output(),
      /has migration 9998_future\.sql and 1 more, which this version does not know: a newer version was started on it at 2026-12-24T18:00:00\.000Z\. Start that version, or restore the backup that was made before the upgrade/,
    )

    await sql`delete from migrations where name >= '9998'`
    await sql`update migrations set digest = 'y' where name = '0001_instance.sql'`
    const changed = launch(dataDir, { env })
    assert.equal(await changed.ended, 1)
    assertRefused(changed.output(), /Migration 0001_instance\.sql differs from the one that was applied/)
  } finally {
    await sql.end()
    await database.drop()
    await remove()
  }
})

test('a stopped or silent database server causes one line of error in bounded time', async () => {
  const { dataDir, remove } = await dataFolder()
  const silent = createServer((socket) => socket.on('error', () => {})).listen(0, '127.0.0.1')
  await new Promise((resolve) => silent.once('listening', resolve))
  const { port } = silent.address() as AddressInfo
  try {
    const nodes = [1, port].map((each) =>
      launch(dataDir, {
        env: { DATABASE_URL: `postgres://kith:a-password@127.0.0.1:${each}/kith`, SECRET_KEY: secret },
      }),
    )
    for (const node of nodes) {
      assert.equal(await node.ended, 1)
      assertRefused(node.output(), /Cannot reach the database of DATABASE_URL \(127\.0\.0\.1:\d+\): /)
      assert.ok(!node.output().includes('a-password'))
    }
  } finally {
    silent.close()
    await remove()
  }
})
