import assert from 'node:assert/strict'
import { test } from 'node:test'
import { laidOut } from './laid-out.ts'

test('whatever fits on one line is written on one line, and nothing is lost', () => {
  const words = Array.from({ length: 12 }, (_, n) => `word number ${n}`)
  const wide = { words, short: { a: 1, b: [null, true] } }
  const value = { type: 'object', none: undefined, empty: [{}, []], deep: { only: wide }, list: [wide] }
  const text = laidOut(value)
  assert.deepEqual(JSON.parse(text), JSON.parse(JSON.stringify(value)))
  assert.ok(text.split('\n').every((line) => line.length <= 120))
  assert.match(text, /^\{\n {2}"type": "object",\n {2}"empty": \[\{\}, \[\]\],\n/)
  assert.match(
    text,
    /\n {2}"deep": \{ "only": \{\n {4}"words": \[\n {6}"word number 0", "word number 1", /,
    'an only member',
  )
  assert.match(text, /\n {6}"word number 6", .+ "word number 11"\n {4}\],\n/, 'words fill their lines')
  assert.match(text, /\n {4}"short": \{ "a": 1, "b": \[null, true\] \}\n {2}\} \},\n {2}"list": \[\{\n/)
  const named = Object.fromEntries(words.map((word) => [word, { $ref: `#/${word}` }]))
  assert.match(laidOut(named), /^\{\n {2}"word number 0": .+, "word number 1": .+,\n/, 'references fill theirs')
  const long = { type: 'string', says: 'x'.repeat(200) }
  assert.equal(laidOut(long), `{ "type": "string", "says": "${long.says}" }`, 'a text breaks no line')
  assert.equal(laidOut(long.says), JSON.stringify(long.says), 'nor is it broken')
})
