// Who goes when: never more than may, and nobody behind all that another one asked for.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as settled } from 'node:timers/promises'
import { createTurns } from './upload-turns.ts'

const never = new AbortController().signal

/** Asks for turns in this order; gives the names of those that have begun, and a way to end them. */
function asking(turns: ReturnType<typeof createTurns>, names: readonly string[], signal = never) {
  const begun: string[] = []
  const ends = new Map<string, () => void>()
  for (const name of names) {
    turns.take(name.charAt(0), signal).then(
      (end) => {
        begun.push(name)
        ends.set(name, end)
      },
      () => {},
    )
  }
  return { begun, end: (name: string) => ends.get(name)?.() }
}

test('an agent that asks for many turns does not keep others waiting behind all of them', async () => {
  const { begun, end } = asking(createTurns(2), ['a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'c1'])
  await settled()
  assert.deepEqual(begun, ['a1', 'a2'])
  for (const name of ['a1', 'a2', 'b1', 'c1', 'a3']) {
    end(name)
    await settled()
  }
  assert.deepEqual(begun, ['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4'])
})

test('turns per key are limited, and other keys go ahead', async () => {
  const { begun, end } = asking(createTurns(3, 2), ['a1', 'a2', 'a3', 'b1', 'b2'])
  await settled()
  assert.deepEqual(begun, ['a1', 'a2', 'b1'])
  end('a1')
  end('a1')
  await settled()
  assert.deepEqual(begun, ['a1', 'a2', 'b1', 'a3'], 'a turn ends once')
  end('b1')
  await settled()
  assert.deepEqual(begun.at(-1), 'b2')
})

test('an upload that stops waiting frees its place', async () => {
  const turns = createTurns(1)
  const leaving = new AbortController()
  const first = asking(turns, ['a1'])
  const gone = asking(turns, ['b1', 'c1'], leaving.signal)
  const last = asking(turns, ['d1'])
  await settled()
  leaving.abort()
  first.end('a1')
  await settled()
  assert.deepEqual([first.begun, gone.begun, last.begun], [['a1'], [], ['d1']])
  await assert.rejects(turns.take('e', AbortSignal.abort(new Error('too late'))), { message: 'too late' })
})
