import assert from 'node:assert/strict'
import { test } from 'node:test'
import { boundTyped, minorTyped } from './price.ts'

test('credits are parsed exactly, or refused', () => {
  const taken: [string, number][] = [
    ['1', 100],
    ['0.01', 1],
    ['0,5', 50],
    [' 12.50 ', 1250],
    ['1 000.25', 100_025],
    ['12\u00a0345\u00a0678', 1_234_567_800],
    ['90000000000000', 9_000_000_000_000_000],
  ]
  for (const [typed, minor] of taken) assert.equal(minorTyped(typed), minor, typed)
  const none = [
    '',
    ' ',
    '0',
    '0.00',
    '1.',
    '.5',
    '1e3',
    '1 00',
    '1  000',
    '1000 000',
    '١',
    '1.234',
    '+1',
    '-1',
    '1,2,3',
  ]
  for (const typed of [...none, '1'.repeat(15)]) assert.equal(minorTyped(typed), undefined, typed)
  assert.deepEqual(['0', '0,00', '0.01', '-1', ''].map(boundTyped), [0, 0, 1, undefined, undefined])
})
