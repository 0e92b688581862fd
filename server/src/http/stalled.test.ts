// docs/contract/attachments.md#bytes: who takes something now and then is no stalled reader.
import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import { test } from 'node:test'
import { endStalled } from './stalled.ts'

test('Ann reads slowly behind a proxy and is not cut off; Bob reads nothing and is', async (t) => {
  // The looks alone keep no process running.
  const running = setInterval(() => {}, 1000)
  t.after(() => clearInterval(running))
  /** What was written at each look; the kernel takes a megabyte at once, and then nothing for a while. */
  const cutOffAt = (written: readonly number[]): Promise<number> =>
    new Promise((resolve) => {
      const response = Object.assign(new EventEmitter(), { destroyed: false })
      let look = 0
      const end = () => {
        response.destroyed = true
        response.emit('close')
        resolve(look)
      }
      const socket = {
        get bytesWritten() {
          if (look === written.length) end()
          return written[look++] as number
        },
        destroy: end,
      }
      endStalled(socket as never, response as never, 5)
    })
  const slow = [1, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 3, 4]
  assert.equal(await cutOffAt(slow), slow.length)
  assert.equal(await cutOffAt([1, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2]), 7)
})
