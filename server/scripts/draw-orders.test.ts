import assert from 'node:assert/strict'
import { test } from 'node:test'
import { drawn } from './draw-orders.ts'

test('docs/orders.md shows the machine as it is', async () => {
  const { was, is } = await drawn()
  assert.equal(was, is, 'npm run draw writes it anew')
})
