import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ordersDrawing } from './draw-orders.ts'
import { drawn } from './drawn.ts'

test('docs/orders.md shows the current state machine', async () => {
  const { was, is } = await drawn(ordersDrawing)
  assert.equal(was, is, 'npm run draw writes it anew')
})
