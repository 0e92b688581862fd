import assert from 'node:assert/strict'
import { test } from 'node:test'
import { laidOut } from './laid-out.ts'

test('whatever fits on one line is written on one line, and nothing is lost', () => {
  const words = Array.from({ length: 12 }, (_, n) => `word number ${n}`)
  const value = { type: 'object', none: undefined, empty: [{}, []], deep: { words, short: { a: 1, b: [null, true] } } }
  const text = laidOut(value)
  assert.deepEqual(JSON.parse(text), JSON.parse(JSON.stringify(value)))
  assert.ok(text.split('\n').every((line) => line.length <= 120))
  assert.match(text, /^\{\n {2}"type": "object",\n {2}"empty": \[\{\}, \[\]\],\n {2}"deep": \{\n/)
  assert.match(text, /\n {4}"short": \{ "a": 1, "b": \[null, true\] \}\n {2}\}\n\}$/)
  assert.equal(laidOut('x'.repeat(200)), JSON.stringify('x'.repeat(200)), 'a text is never broken')
})
