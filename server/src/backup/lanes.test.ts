import assert from 'node:assert/strict'
import { test } from 'node:test'
import type pg from 'pg'
import { createLanes } from './lanes.ts'

/** The lanes only pass them on. */
const [one, two] = ['one', 'two'] as unknown as [pg.Client, pg.Client]

test('all connections share the work of a restore, the costliest first, with the work it adds', async () => {
  const lanes = createLanes([])
  const done: [string, pg.Client][] = []
  const note = (what: string) => async (client: pg.Client) => void done.push([what, client])
  lanes.add(1, note('small'))
  lanes.add(3, async (client) => {
    await note('large')(client)
    lanes.add(4, note('added'))
  })
  lanes.add(2, note('medium'))
  assert.equal(done.length, 0)
  lanes.join(one)
  await lanes.settle()
  assert.deepEqual(
    done.map(([what]) => what),
    ['large', 'added', 'medium', 'small'],
  )

  lanes.join(two)
  const both = Promise.withResolvers<void>()
  let running = 0
  const together = async (): Promise<void> => {
    running += 1
    if (running === 2) both.resolve()
    await both.promise
  }
  lanes.add(1, together)
  lanes.add(1, together)
  await lanes.settle()
})

test('after part of a restore fails no other part starts, and the first error is thrown', async () => {
  const lanes = createLanes([one])
  lanes.add(1, () => Promise.reject(new Error('the first reason')))
  lanes.add(1, () => assert.fail('it began'))
  await assert.rejects(lanes.settle(), /the first reason/)
  assert.throws(() => lanes.check(), /the first reason/)
  lanes.join(two)
  await assert.rejects(lanes.settle(), /the first reason/)
})
