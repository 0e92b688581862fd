import assert from 'node:assert/strict'
import { test } from 'node:test'
import { tellProgress } from './progress.ts'

test('a long restore reports progress every three seconds, and a short one reports nothing', () => {
  const lines: string[] = []
  let now = 0
  const progress = tellProgress(
    (line) => lines.push(line),
    () => now,
  )
  for (; now < 10_000; now += 500) progress(now < 5000 ? 'loading' : 'building indexes', now % 5000, 5000)

  assert.deepEqual(lines, ['loading: 60 %', 'building indexes: 20 %', 'building indexes: 80 %'])
})
