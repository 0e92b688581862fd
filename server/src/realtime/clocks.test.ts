// How old a hint is, told without wall clocks.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createClocks } from './clocks.ts'

/** A clock that a test turns. */
function turned() {
  let at = 1000
  return {
    now: () => at,
    pass(milliseconds: number) {
      at += milliseconds
    },
  }
}

test('a moment here is a moment there, once that node has answered', () => {
  const { now, pass } = turned()
  const clocks = createClocks(now)
  assert.equal(clocks.there('bea', 1000), undefined)
  pass(40)
  // Half way of the answer that took 40 ms it was 70020 there.
  clocks.answered('bea', 1000, 70_020)
  assert.equal(clocks.there('bea', 1040), 70_040)
  assert.equal(clocks.there('cem', 1040), undefined)
})

test('an answer that took long, or came before it was asked for, tells nothing', () => {
  const { now, pass } = turned()
  const clocks = createClocks(now)
  clocks.answered('bea', 1001, 5)
  clocks.answered('bea', Number.NaN, 5)
  clocks.answered('bea', 1000, 'soon' as unknown as number)
  pass(501)
  clocks.answered('bea', 1000, 5)
  assert.equal(clocks.there('bea', 1501), undefined)
  clocks.answered('bea', 1001, 5)
  assert.equal(clocks.there('bea', 1501), 255)
})

test('a clock that was not compared for 30 seconds is unknown', () => {
  const { now, pass } = turned()
  const clocks = createClocks(now)
  clocks.answered('bea', 1000, 1000)
  pass(29_999)
  assert.equal(clocks.there('bea', 7), 7)
  pass(1)
  assert.equal(clocks.there('bea', 7), undefined)
})
