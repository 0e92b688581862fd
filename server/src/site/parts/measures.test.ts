// Sizes and durations as people of a language read them.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { clockOf, durationIn, sizeIn } from './measures.ts'

/** Some of the spaces that Intl puts break no line. */
const plain = (text: string): string => text.replace(/\s/g, ' ')

test('a size has at most three digits, and a unit that keeps it below a thousand', () => {
  for (const [bytes, english, russian] of [
    [0, '1 kB', '1 кБ'],
    [1499, '1.5 kB', '1,5 кБ'],
    [53_712, '53.7 kB', '53,7 кБ'],
    [999_499, '999 kB', '999 кБ'],
    [999_500, '1 MB', '1 МБ'],
    [3_425_000, '3.43 MB', '3,43 МБ'],
    [262_144_000, '262 MB', '262 МБ'],
  ] as const) {
    assert.deepEqual([plain(sizeIn('en', bytes)), plain(sizeIn('ru', bytes))], [english, russian])
  }
})

test('a duration is in whole seconds, at least one', () => {
  for (const [milliseconds, english, russian, clock] of [
    [0, '1 sec', '1 с', '0:01'],
    [1499, '1 sec', '1 с', '0:01'],
    [59_500, '1 min', '1 мин', '1:00'],
    [65_000, '1 min, 5 sec', '1 мин 5 с', '1:05'],
    [7_200_000, '2 hr', '2 ч', '2:00:00'],
    [7_325_000, '2 hr, 2 min, 5 sec', '2 ч 2 мин 5 с', '2:02:05'],
  ] as const) {
    assert.deepEqual([plain(durationIn('en', milliseconds)), plain(durationIn('ru', milliseconds))], [english, russian])
    assert.equal(clockOf(milliseconds), clock)
  }
})
