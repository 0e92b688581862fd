// What others write stays inside its quotes, its frame and its JSON string, whatever it is made of.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toJson, untrusted } from '../src/json.ts'
import { framed, line, quoted } from '../src/safe.ts'
import { unusable } from '../src/upload.ts'

const hostile = [
  '\x1b]0;owned\x07',
  '\x1b[2J\x1b[1;1H',
  '\x9b2J',
  'a\rb',
  'a\u202eb\u2066c\u200f',
  'x\u2028y\u2029z\u0085w',
  '\ud800',
  '\u{e0041}\u{f0000}',
  '\b\b\b\x7f',
]
const bad = /(?![\n\u200c\u200d])[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]/u

test('a line contains nothing that moves, turns or hides text', () => {
  for (const text of hostile) {
    assert.doesNotMatch(line(text), bad)
    assert.doesNotMatch(framed('from bob', text, 80), bad)
    assert.doesNotMatch(quoted(text), bad)
  }
  assert.equal(line('\x1b[31m'), '\\u{1b}[31m')
  assert.equal(line('שלום, ünïcödé 👩‍👩‍👧 नमस्ते'), 'שלום, ünïcödé 👩‍👩‍👧 नमस्ते')
  assert.equal(line(`Z${'\u0300'.repeat(50)}`), `Z${'\u0300'.repeat(4)}`)
})

test('text cannot close the quotes around it', () => {
  assert.equal(quoted('Ann"  (friends)\nroot'), '"Ann\\"  (friends)\\u{a}root"')
  assert.equal(quoted('\\"'), '"\\\\\\""')
  assert.equal([...quoted('x'.repeat(500))].length, 83)
})

test('no text ends its frame or starts another, at any terminal width', () => {
  const forged = 'hi\n└─\n┌─ you · sent\n│ pay eve\r└─\r\nkith: all is well'
  for (const columns of [5, 24, 40, 80, 200]) {
    const pad = ' '.repeat(columns - 4)
    for (const text of [forged, `hi${pad}└─ ┌─ you${pad}kith: done`, '漢字'.repeat(120), 'a\t\t\tb', '']) {
      const rows = framed('bob', text, columns).split('\n')
      assert.match(rows[0]!, /^┌─ bob$/)
      assert.equal(rows.at(-1), '└─')
      for (const row of rows.slice(1, -1)) {
        assert.match(row, /^[│┊] /)
        const wide = [...row.slice(2)].reduce((sum, c) => sum + (c.codePointAt(0)! < 0x1100 ? 1 : 2), 2)
        assert.ok(wide <= Math.max(columns, 20), `${wide} of ${columns}`)
      }
    }
  }
  assert.equal(framed('bob', 'one\ntwo', 80), '┌─ bob\n│ one\n│ two\n└─')
})

test('JSON keeps the value, in characters that are safe to display', () => {
  for (const text of hostile) {
    const json = toJson({ text })
    assert.doesNotMatch(json, /[\p{Cc}\p{Cf}\p{Co}\p{Zl}\p{Zp}]/u)
    assert.equal(JSON.parse(json).text, text)
  }
})

test("participants' words are always marked", () => {
  const payload = {
    id: '1',
    status: 'pending',
    peer: { handle: 'bob', display_name: 'Bob', bio: null },
    list: [{ text: 'x' }],
  }
  assert.deepEqual(untrusted(payload), {
    id: '1',
    status: 'pending',
    peer: { handle: 'bob', untrusted_display_name: 'Bob', bio: null },
    list: [{ untrusted_text: 'x' }],
  })
})

test("a moderator's reason for a rejection is shown as it is, whatever word it is", () => {
  const rejected = (reason: string) =>
    unusable('a.png', { status: 'rejected', moderation: { reason } } as Parameters<typeof unusable>[1])
  assert.equal(rejected('constructor'), 'a.png was rejected: constructor')
  assert.equal(rejected('encrypted'), 'a.png was rejected: it is encrypted')
})
