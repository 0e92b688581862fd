// What readiness says when a part is silent or busy: it must not take out a node that works.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import { refusedByPool } from '../../test/pool.ts'
import { eventually, type World, world } from '../../test/world.ts'

let w: World
before(async () => {
  w = await world()
})
after(() => w.close())

const ready = async () => {
  const answer = await fetch(`${w.url}/health/ready`)
  return { code: answer.status, ...((await answer.json()) as object) }
}
const well = { code: 200, status: 'ready' }

test('a storage that says nothing is not waited for, and named once that is known', async () => {
  const { storage } = w.service
  const { check } = storage
  Object.assign(storage, { check: () => new Promise<void>(() => {}) })
  assert.deepEqual(await ready(), well, 'nothing is known of it yet')
  await eventually(async () => isDeepStrictEqual(await ready(), { ...well, degraded: ['storage'] }), 'it is named')
  Object.assign(storage, { check })
})

test('a pool with a full queue is a busy node, and no database that is away', async () => {
  const { sql } = w.service
  let busy = true
  const turn = () => sql`select pg_sleep(0.05)`.catch(refusedByPool)
  const work = Array.from({ length: 16 + 256 }, async () => {
    while (busy) if (!(await turn())) await sleep(20)
  })
  await eventually(() => sql.pool.waitingCount === 256, 'a full queue')
  for (let at = 0; at < 3; at++) {
    assert.equal((await ready()).code, 200)
    // Its verdict is remembered for two seconds.
    await sleep(2100)
  }
  busy = false
  await Promise.all(work)
})
