// The settings of a server, a database or a role that would change what a statement means. docs/operating.md#your-own-postgresql-server.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { emptyDatabase } from '../../test/database.ts'
import { world } from '../../test/world.ts'
import { openClient } from '../backup/backup.ts'
import { systemClock } from '../kernel/clock.ts'
import { openSql } from './sql.ts'

const odd = {
  datestyle: 'SQL, DMY',
  intervalstyle: 'iso_8601',
  timezone: 'Asia/Kathmandu',
  bytea_output: 'escape',
  extra_float_digits: '-5',
  standard_conforming_strings: 'off',
  array_nulls: 'off',
  transform_null_equals: 'on',
  gin_fuzzy_search_limit: '1',
  default_text_search_config: 'pg_catalog.russian',
  default_transaction_isolation: 'serializable',
  default_transaction_deferrable: 'on',
  lock_timeout: '1',
  idle_session_timeout: '500',
  synchronous_commit: 'off',
}

/** Servers from 17 on have it; a migration or a backup takes longer. */
const newer = { transaction_timeout: '300ms' }

test('a database whose own settings are odd is migrated and serves as any other', async (t) => {
  const database = await emptyDatabase()
  const connection = { connectionString: database.url }
  const sql = openSql({ clock: systemClock, connection })
  const name = new URL(database.url).pathname.slice(1)
  const [known] = await sql`select from pg_settings where name = 'transaction_timeout'`
  for (const [setting, value] of Object.entries({ ...odd, ...(known && newer) })) {
    await sql.pool.query(`alter database ${name} set ${setting} = ${value.includes(',') ? value : `'${value}'`}`)
  }
  await sql.end()

  const w = await world({ databaseUrl: database.url })
  t.after(async () => {
    await w.close()
    await database.drop()
  })
  const [ann, bob] = await w.friends('ann', 'bob')
  const there = await bob.events()
  const { message } = (await ann.send(bob)).body
  const event = await there.next('message.created')
  assert.deepEqual(event.payload, message)
  await there.acked(event)
  const posted = await ann.post('/posts', { text: "Two ducks in a pond, a \\ and a '." })
  assert.equal(posted.status, 201, JSON.stringify(posted.body))
  const found = (await ann.get('/posts?q=ducks')).body.posts
  assert.deepEqual(found, [posted.body.post])
  await there.close()

  const client = await openClient(connection)
  const { rows } = await client.query(`select ('{NULL}'::text[])[1] is null as "isNull", '\\x00'::bytea::text as bytes`)
  assert.deepEqual(rows, [{ isNull: true, bytes: '\\x00' }], 'a backup writes and reads values as ever')
  await client.query('select pg_sleep(0.5)')
  await client.end()
  await w.sql`select pg_sleep(0.5)`
  const set = await w.sql<{ on: string }>`select current_setting('synchronous_commit') as on`
  assert.deepEqual(set, [{ on: 'on' }])
  assert.deepEqual(w.warnings, [])
})
