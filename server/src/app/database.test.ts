import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mostWorkers } from '../config.ts'
import { connectionsOf, settingsFor } from './database.ts'

test('however many workers there are, the database has connections for all of them, and some for commands', () => {
  assert.deepEqual(connectionsOf(1), { main: 16, messages: 3 })
  for (let workers = 1; workers <= mostWorkers; workers++) {
    const { main, messages } = connectionsOf(workers)
    const allowed = Number(settingsFor(workers)['max_connections'] ?? 100)
    assert.ok(workers * (main + messages) + 20 <= allowed, `${workers} workers`)
    assert.ok(main >= 7 && main <= 16)
  }
})
