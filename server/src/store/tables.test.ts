import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { describeTables } from '../../scripts/tables.ts'
import { freshDatabase } from '../../test/database.ts'
import { systemClock } from '../kernel/clock.ts'
import { migrate, shippedMigrations } from './migrate.ts'
import { openSql } from './sql.ts'

test('tables.ts has the types that the code imports, as the migrations make them; else: npm run tables', async () => {
  const database = await freshDatabase()
  const sql = openSql({ clock: systemClock, connection: { connectionString: database.url }, maxConnections: 1 })
  try {
    assert.equal(await describeTables(sql), await readFile(new URL('tables.ts', import.meta.url), 'utf8'))
  } finally {
    await sql.end()
    await database.drop()
  }
})

test('a database without a migration to apply is looked at by a connection that goes on as any other', async () => {
  const database = await freshDatabase()
  const sql = openSql({ clock: systemClock, connection: { connectionString: database.url } })
  try {
    assert.deepEqual(await migrate(sql, systemClock), [])
    assert.equal(sql.pool.idleCount, 1)
    assert.deepEqual(await sql`select current_setting('statement_timeout') as within`, [{ within: '15s' }])
    assert.equal(sql.pool.totalCount, 1)
  } finally {
    await sql.end()
    await database.drop()
  }
})

test('a migration that fails for lack of room says what to do, and the next attempt applies it', async () => {
  const database = await freshDatabase()
  const sql = openSql({ clock: systemClock, connection: { connectionString: database.url } })
  const next = (text: string) => ({ name: '9999_next.sql', sql: text, digest: 'of the next' })
  try {
    const shipped = await shippedMigrations()
    const full = `do $$ begin
      raise exception 'could not extend file "base/5/18534": wrote only 4096 of 8192 bytes at block 0' using
        errcode = 'disk_full', hint = 'Check free disk space.';
    end $$`
    await assert.rejects(migrate(sql, systemClock, [...shipped, next(full)]), {
      message:
        'Migration 9999_next.sql failed: could not extend file "base/5/18534": wrote only 4096 of 8192 bytes at block 0. Check free disk space.',
    })
    assert.deepEqual(await migrate(sql, systemClock, [...shipped, next('select 1')]), ['9999_next.sql'])
  } finally {
    await sql.end()
    await database.drop()
  }
})
