// What a line of text may hold: names of every script and emoji do, what hides or turns the text around it does not. And
// which base64 is canonical.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { base64Length, canonicalText, isVisible } from './text.ts'

const point = (hex: string): string => String.fromCodePoint(Number.parseInt(hex, 16))

const names = [
  'Ann',
  '7',
  '-',
  'é',
  'e\u0301',
  'محمد',
  'علی\u200cرضا',
  'מרים',
  'נָעֳמִי',
  '\u200fשרה\u200e (Sara)',
  '\u061cليلى',
  'क्\u200dष',
  'শ্রী',
  'ไม้',
  '한글',
  '名前',
  '🤖',
  '👩\u200d👩\u200d👧',
  '❤\ufe0f',
  '1\ufe0f\u20e3',
  '🇩🇪',
  '🏴\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}',
  '👍🏽',
  'soft\u00adhyphen',
]

test('names in every script, and emoji sequences, stay unchanged', () => {
  for (const name of names) {
    assert.deepEqual(canonicalText(name, 'line'), { value: name }, name)
    assert.ok(isVisible(name), name)
  }
})

test('separators and direction overrides are removed from a line, wherever they are', () => {
  const separators = ['2028', '2029']
  const turners = ['202a', '202b', '202c', '202d', '202e', '2066', '2067', '2068', '2069']
  for (const hex of [...separators, ...turners]) {
    const problem = separators.includes(hex)
      ? 'contains a line or paragraph separator'
      : 'contains a bidirectional embedding, override or isolate'
    for (const text of [`a${point(hex)}b`, `${point(hex)}a`, `a${point(hex)}`, point(hex)]) {
      assert.deepEqual(canonicalText(text, 'line'), { problem }, `U+${hex}`)
    }
    assert.deepEqual(canonicalText(`a${point(hex)}b`, 'multiline'), { value: `a${point(hex)}b` }, `U+${hex}`)
  }
})

test('text that draws nothing is not visible, alone or combined', () => {
  const blank = [
    ...['20', 'a0', '3000', '1680', '2800', '3164', 'ffa0', '115f', '1160', '180e', 'ad', '34f', 'feff', 'fe0f'],
    ...['200b', '200c', '200d', '200e', '200f', '61c', '2060', '2064', '206f', 'e0041', 'e0100', '1d173', '17b4'],
    ...['301', '20dd', '93e', 'fffb', '600', 'fdd0', '13441', '1d159'],
  ].map(point)
  for (const text of [...blank, blank.join(''), '']) {
    assert.ok(!isVisible(text), [...text].map((each) => each.codePointAt(0)?.toString(16)).join(' '))
  }
  assert.ok(isVisible(`${blank.join('')}a`))
})

test('base64 has one form: padded, of its own alphabet, without spare bits', () => {
  const lengths = { '': 0, 'AA==': 1, 'AAA=': 2, AAAA: 3, '+/+/': 3, '/w==': 1, '//8=': 2 }
  for (const [text, length] of Object.entries(lengths)) assert.equal(base64Length(text), length, text)
  const others = [
    'A',
    'AA',
    'AAA',
    'AA=',
    'AB==',
    'AAB=',
    'A===',
    '====',
    '-_-_',
    'AA==AA==',
    ' AAAA',
    'AAAA\n',
    'AA\u0141A',
    'éééé',
  ]
  for (const text of others) assert.equal(base64Length(text), undefined, text)
})
