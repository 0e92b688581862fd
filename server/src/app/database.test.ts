import assert from 'node:assert/strict'
import { test } from 'node:test'
import { emptyDatabase } from '../../test/database.ts'
import { type Config, mostWorkers } from '../config.ts'
import { systemClock } from '../kernel/clock.ts'
import { createLog } from '../log.ts'
import { openSql } from '../store/sql.ts'
import { connectionsOf, settingsFor, warnOfFewConnections } from './database.ts'

test('however many workers there are, the database has connections for all of them, and some for commands', () => {
  assert.deepEqual(connectionsOf(1), { main: 16, messages: 3 })
  for (let workers = 1; workers <= mostWorkers; workers++) {
    const { main, messages } = connectionsOf(workers)
    const allowed = Number(settingsFor(workers)['max_connections'] ?? 100)
    assert.ok(workers * (main + messages) + 20 <= allowed, `${workers} workers`)
    assert.ok(main >= 7 && main <= 16)
  }
})

test('a start says whose limit gives it fewer connections than it may open', async () => {
  const database = await emptyDatabase()
  const name = new URL(database.url).pathname.slice(1)
  const sql = openSql({ clock: systemClock, connection: { connectionString: database.url }, maxConnections: 1 })
  const lines: { of: string; connections: number; needed: number }[] = []
  const log = createLog('info', { format: 'json', to: { write: (line) => void lines.push(JSON.parse(line)) } })
  const told = async (workers: number) => {
    await warnOfFewConnections(sql, { databaseUrl: database.url, workers } as Config, log)
    return lines.splice(0).map(({ of, connections, needed }) => `${of}: ${connections} of ${needed}`)
  }
  try {
    assert.deepEqual(await told(1), [])
    await sql.pool.query(`alter database ${name} connection limit 19`)
    assert.deepEqual(await told(1), [`database ${name}: 19 of 20`])
    await sql.pool.query(`create role ${name}_few connection limit 3; set session authorization ${name}_few`)
    assert.deepEqual(await told(2), [`role ${name}_few: 3 of 42`])
    await sql.pool.query(`reset session authorization; alter database ${name} connection limit 20`)
    assert.deepEqual(await told(1), [])
  } finally {
    await sql.pool.query(`reset session authorization; drop role if exists ${name}_few`)
    await sql.end()
    await database.drop()
  }
})
