// What an error leaves in the log.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { safeError } from './log.ts'

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
