// PgBouncer between the service and its database. docs/several-nodes.md#a-pooler.
import assert from 'node:assert/strict'
import { freshDatabase, type TestDatabase } from '../../test/database.ts'
import { type Bouncer, type PoolMode, startBouncer } from '../../test/pgbouncer.ts'
import { find, lacks, needing } from '../../test/programs.ts'
import { type World, world } from '../../test/world.ts'
import { ofPrimary, reach } from '../app/database.ts'
import { ConfigError, readConfig } from '../config.ts'
import { systemClock } from '../kernel/clock.ts'
import { requireSessionsOfReplica } from './pooler.ts'
import { openSql } from './sql.ts'

const { after, before, test } = needing(lacks('pgbouncer', find('pgbouncer') !== undefined))

let database: TestDatabase
let bouncer: Bouncer
let w: World
before(async () => {
  database = await freshDatabase()
  bouncer = await startBouncer(database.url)
  w = await world({ databaseUrl: bouncer.url('session') })
})
after(async () => {
  await w.close()
  await bouncer.stop()
  await database.drop()
})

test('in session mode the service works, with its own limits and plans', async () => {
  const [ann, bob] = await w.friends('ann', 'bob')
  const [here, there] = [await ann.events(), await bob.events(10, await w.node())]
  const { message } = (await ann.send(bob)).body
  const event = await there.next('message.created')
  assert.deepEqual(event.payload, message)
  await there.acked(event)
  assert.deepEqual((await here.next('message.status_changed')).payload, { message_id: message.id, version: 2 })
  const [settings] = await w.service.hot`
    select current_setting('statement_timeout') as statement, current_setting('enable_seqscan') as scan,
      current_setting('plan_cache_mode') as plan, current_setting('timezone') as zone,
      current_setting('idle_in_transaction_session_timeout') as idle`
  assert.deepEqual(settings, { statement: '15s', scan: 'off', plan: 'force_generic_plan', zone: 'UTC', idle: '25s' })
  await Promise.all([here.close(), there.close()])
  // The process above several workers has a smaller pool.
  const sql = openSql({
    clock: systemClock,
    connection: { connectionString: w.databaseUrl },
    maxConnections: ofPrimary,
  })
  const config = readConfig({ DATABASE_URL: w.databaseUrl, SECRET_KEY: 'a secret key of thirty-two letters' })
  await reach(sql, config, undefined).finally(() => sql.end())
})

for (const mode of ['transaction', 'statement'] as const satisfies readonly PoolMode[]) {
  test(`a start refuses ${mode} mode, and says what to set, also while other clients use the pooler`, async () => {
    const connection = { connectionString: bouncer.url(mode) }
    const config = readConfig({ DATABASE_URL: bouncer.url(mode), SECRET_KEY: 'a secret key of thirty-two letters' })
    const others = openSql({ clock: systemClock, connection, maxConnections: 8 })
    let going = true
    const traffic = Array.from({ length: 8 }, async () => {
      while (going) await others.pool.query('select pg_sleep(0.001)').catch(() => {})
    })
    try {
      for (let start = 0; start < 5; start++) {
        const sql = openSql({ clock: systemClock, connection, maxConnections: 4 })
        await assert.rejects(reach(sql, config, undefined), (error) => {
          assert.ok(error instanceof ConfigError)
          assert.match(error.message, /^DATABASE_URL leads to a pooler .* pool_mode = session \(PgBouncer\)/)
          return true
        })
        // With more patience than a start has: on a busy machine the check takes long.
        await assert.rejects(requireSessionsOfReplica(sql, 60_000), /^Error: DATABASE_REPLICA_URL leads to a pooler /)
        await sql.end()
      }
    } finally {
      going = false
      await Promise.all(traffic)
      await others.end()
    }
  })
}
