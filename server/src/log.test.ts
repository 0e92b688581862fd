// What an error leaves in the log.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { eventually } from '../test/world.ts'
import { createLog, safeError } from './log.ts'

test('an error is logged without the values in it', () => {
  const token = `kith_${'Ab3_'.repeat(10)}xyz`
  const told = safeError(new Error(`550 <bob.smith@example.org>: no; postgres://u:pass@db/x; ${token}`))
  assert.equal(told['message'], '550 <[address]>: no; [address]; [token]')
  const failed = Object.assign(new Error('Key (email)=(bob@example.org) exists'), {
    severity: 'ERROR',
    code: '23505',
    constraint: 'owners_pkey',
    detail: 'bob@example.org',
  })
  assert.doesNotMatch(JSON.stringify(safeError(failed)), /bob/)
  assert.equal(safeError(failed)['constraint'], 'owners_pkey')
  assert.deepEqual(safeError('kith_secret'), { name: 'string' })
})

test('lines that say the same are one: the first at once, then how many followed', async () => {
  const lines: Record<string, unknown>[] = []
  const log = createLog('info', { to: { write: (line) => void lines.push(JSON.parse(line)) }, windowMilliseconds: 50 })
  const away = (route: string): void =>
    log.warn({ request_id: randomUUID(), route, error: safeError(new Error('away')) }, 'the database is not available')
  for (let i = 0; i < 1000; i++) away('/one')
  away('/two')
  log.error('no facts')
  log.error('no facts')
  for (let i = 0; i < 3; i++) log.info({ n: i }, 'news')
  log.warn({ error: safeError(new Error('gone')) }, 'the database is not available')
  assert.deepEqual(
    lines.map(({ level, msg, route }) => [level, msg, route]),
    [
      ['warn', 'the database is not available', '/one'],
      ['warn', 'the database is not available', '/two'],
      ['error', 'no facts', undefined],
      ...Array(3).fill(['info', 'news', undefined]),
      ['warn', 'the database is not available', undefined],
    ],
  )
  const more = await eventually(() => (lines.length >= 9 ? lines.slice(7) : undefined), 'what stands for the others')
  assert.deepEqual(
    more.map(({ msg, route, repeated }) => [msg, route, repeated]),
    [
      ['the database is not available', '/one', 999],
      ['no facts', undefined, 1],
    ],
  )
  assert.ok(more.every((line) => line['request_id'] === undefined))
  away('/one')
  assert.equal(lines.length, 10, 'a new window begins with a line of its own')
})

test('more different lines than are counted lose none', async () => {
  const lines: Record<string, unknown>[] = []
  const log = createLog('info', { to: { write: (line) => void lines.push(JSON.parse(line)) }, windowMilliseconds: 50 })
  for (let i = 0; i < 2500; i++) for (let n = 0; n < 2; n++) log.warn({ mail: i }, 'mail expired')
  await eventually(() => (lines.length === 5000 ? true : undefined), 'each line and its repetition')
})
