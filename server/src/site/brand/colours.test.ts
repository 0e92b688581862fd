// Colours of links and buttons from any colour that an operator may choose. docs/site.md#colour.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Accents, contrast, paletteOf, sheetOf, shippedGrounds } from './colours.ts'

/** Each pair of colours that text uses, as the shipped sheet is held to it. */
function assertReadable(
  { accent, accentStrong, accentWash, onAccent }: Accents,
  { grounds, ink }: { grounds: readonly string[]; ink: string },
  told: string,
): void {
  const pairs: [string, string][] = [
    ...[...grounds, accentWash].flatMap((ground): [string, string][] => [
      [accent, ground],
      [accentStrong, ground],
    ]),
    [onAccent, accent],
    [onAccent, accentStrong],
    [ink, accentWash],
  ]
  for (const [text, ground] of pairs) {
    assert.match(text, /^#[0-9a-f]{6}$/)
    const ratio = contrast(text, ground)
    assert.ok(ratio >= 4.5, `${told}: ${text} on ${ground} is ${ratio.toFixed(2)}`)
  }
}

const edges = [
  '#000000',
  '#ffffff',
  '#808080',
  '#ff0000',
  '#00ff00',
  '#0000ff',
  '#ffff00',
  '#00ffff',
  '#ff00ff',
  '#010101',
]

/** The same ones each time, from all of the cube. */
function* colours(count: number): Generator<string> {
  let seed = 11
  for (let at = 0; at < count; at++) {
    seed = (seed * 48271) % 2147483647
    yield `#${(seed & 0xffffff).toString(16).padStart(6, '0')}`
  }
}

test('text keeps a contrast of 4.5:1 in both schemes, with any chosen colour', () => {
  for (const colour of [...edges, ...colours(400)]) {
    const { light, dark } = paletteOf(colour)
    assertReadable(light, shippedGrounds.light, `${colour}, light`)
    assertReadable(dark, shippedGrounds.dark, `${colour}, dark`)
  }
})

test('a readable colour is used unchanged, and an unreadable one keeps its hue', () => {
  for (const colour of ['#0d6353', '#1a4fa3', '#8a1c4a']) assert.equal(paletteOf(colour).light.accent, colour)
  const channels = (colour: string): number[] => [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16))
  const [red = 0, green = 0, blue = 0] = channels(paletteOf('#ffd400').light.accent)
  assert.ok(red > green && green > blue, 'a yellow becomes an ochre, no grey')
  const [same = 0, ...others] = channels(paletteOf('#777777').dark.accent)
  for (const other of others) assert.ok(Math.abs(same - other) <= 2, 'a grey stays a grey')
})

test('the stylesheet sets the colours in the shipped layer, and loads nothing', () => {
  const sheet = sheetOf(paletteOf('#1a4fa3'))
  assert.match(sheet, /^@layer tokens\{:root\{--accent:light-dark\(#1a4fa3,#[0-9a-f]{6}\);--accent-strong:.*\}\}\n$/)
  assert.doesNotMatch(sheet, /url\(|@import/)
})
