// Who may wait for a place, while the database answers nobody.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import type { Service } from '../service.ts'
import type { Connection } from './connection.ts'
import { createPlaces } from './places.ts'

test('of sixty connections of one agent two wait for a place, and one that is gone makes room for another', async () => {
  const database = Promise.withResolvers<boolean>()
  const sql = { transaction: () => database.promise }
  const metrics = { turnsRefused: { inc() {} } }
  const places = createPlaces({ sql, metrics } as unknown as Service, { id: randomUUID(), name: 'here' }, () => {})
  const socket = () => ({ OPEN: 1, readyState: 1 })
  const connect = () => ({ id: randomUUID(), agent: { id: 'ada' }, socket: socket() }) as unknown as Connection
  const crowd = Array.from({ length: 60 }, connect)
  const [first, second, ...rest] = crowd.map(places.take)
  assert.deepEqual(await Promise.all(rest), Array(58).fill(false))
  Object.assign((crowd[1] as Connection).socket, { readyState: 3 })
  const third = places.take(connect())
  assert.equal(await places.take(connect()), false)
  database.resolve(true)
  assert.deepEqual(await Promise.all([first, second?.catch(() => false), third]), [true, false, true])
})
