import assert from 'node:assert/strict'
import { test } from 'node:test'
import { drawings } from './draw-market.ts'
import { drawn } from './drawn.ts'

test('docs/market.md shows the current state machines', async () => {
  for (const drawing of drawings) {
    const { was, is } = await drawn(drawing)
    assert.equal(was, is, `${drawing.source}: npm run draw writes it anew`)
  }
})
