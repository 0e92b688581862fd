// Who has an inspection slot: none is given twice, long ones get theirs whatever other nodes do, and of two agents each
// gets one.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { story } from '../../../test/story.ts'
import { eventually } from '../../../test/world.ts'
import type { Service } from '../../service.ts'
import type { Lane } from './slot-claims.ts'
import { firstClaim } from './slot-claims.ts'
import { createSlots } from './slots.ts'

const { w } = story()

const never = new AbortController().signal

/** Jobs of a service that run until they are told to end. */
function jobsOf(service: Service) {
  const run = createSlots(service)
  return (lane: Lane, ownerId = w.service.nodeId) => {
    const { promise: ending, resolve: end } = Promise.withResolvers<void>()
    const job: { slot?: number; end(): Promise<void> } = {
      async end() {
        end()
        await done
      },
    }
    const work = (slot: number): Promise<void> => {
      job.slot = slot
      return ending
    }
    const done = run({ ownerId, lane }, work, never)
    return job
  }
}

const rows = async (): Promise<number[]> =>
  (await w.sql<{ slot: number }>`select slot from inspections order by slot`).map(({ slot }) => slot)

test('an expired slot is not given to another job of the process that still uses it', async () => {
  const begin = jobsOf(w.service)
  const first = begin('short')
  await eventually(() => first.slot === 1, 'the first slot')
  await w.sql`update inspections set expires_at = ${new Date(w.now().getTime() - 1000)}`
  const second = begin('short')
  await eventually(() => second.slot !== undefined, 'a slot')
  assert.equal(second.slot, 2)
  await first.end()
  assert.deepEqual(await rows(), [-2, 2], 'whoever ends gives back its own')
  await second.end()
  assert.deepEqual(await rows(), [])
})

test('a job that ends leaves the slot with the node that took it over', async () => {
  const other = await w.node()
  const first = jobsOf(w.service)('long')
  await eventually(() => first.slot === 2, 'the second slot')
  await w.sql`update inspections set expires_at = ${new Date(w.now().getTime() - 1000)}`
  const second = jobsOf(other.service)('long')
  await eventually(() => second.slot === 2, 'the slot of a node that does not renew it')
  await first.end()
  assert.deepEqual((await rows()).includes(2), true)
  await second.end()
  assert.deepEqual(await rows(), [])
})

test('a long job gets the second slot although another node keeps asking for short ones', async () => {
  const other = await w.node()
  const beginShort = jobsOf(other.service)
  const [one, two] = [beginShort('short'), beginShort('short')]
  await eventually(() => one.slot !== undefined && two.slot !== undefined, 'both slots')
  const [inFirst, inSecond] = one.slot === 1 ? [one, two] : [two, one]
  const long = jobsOf(w.service)('long')
  await eventually(async () => (await rows()).some((slot) => slot <= -firstClaim), 'a long one that waits')
  // Its node asks for it the moment that the second slot is free.
  const next = beginShort('short')
  await inSecond.end()
  await eventually(() => long.slot === 2, 'its slot')
  assert.equal(next.slot, undefined)
  await inFirst.end()
  await eventually(() => next.slot === 1, 'the first slot, while the long one runs')
  await long.end()
  const last = beginShort('short')
  await eventually(() => last.slot === 2, 'the second slot again, which nobody waits for')
  await Promise.all([next.end(), last.end()])
  assert.deepEqual(await rows(), [])
})

test('an agent has both slots while nobody else waits, and one of them otherwise', async () => {
  const [ann, bob] = [randomUUID(), randomUUID()]
  const other = await w.node()
  const begin = jobsOf(w.service)
  const beginElsewhere = jobsOf(other.service)
  const waits = async (ownerId: string): Promise<boolean> =>
    (await w.sql`select 1 from inspections where node_id = ${ownerId} and slot >= ${firstClaim}`).length > 0
  const hasBegun = (job: { slot?: number }): boolean => job.slot !== undefined

  const [one, two] = [begin('short', ann), beginElsewhere('short', ann)]
  await eventually(() => hasBegun(one) && hasBegun(two), 'both slots for one agent')
  const more = [begin('short', ann), beginElsewhere('short', ann), begin('short', ann)]
  const ofBob = [begin('short', bob), beginElsewhere('short', bob)]
  await eventually(() => waits(bob), 'the other agent, who waits')
  await one.end()
  await eventually(() => ofBob.some(hasBegun), 'the slot that is free')
  assert.deepEqual(more.filter(hasBegun), [])
  // The slow one stays: what the other agent sends meanwhile goes through the other slot.
  const [quick, next] = ofBob.toSorted((a, b) => Number(hasBegun(b)) - Number(hasBegun(a)))
  assert.ok(quick && next)
  await eventually(() => waits(bob), 'its next one, which waits')
  await quick.end()
  await eventually(() => hasBegun(next), 'the same slot')
  assert.deepEqual(more.filter(hasBegun), [])
  await two.end()
  await eventually(() => more.some(hasBegun), 'each of them in one slot')
  await next.end()
  await eventually(() => more.filter(hasBegun).length === 2, 'both slots again')
  await Promise.all(more.map((job) => job.end()))
  await eventually(async () => (await rows()).length === 0, 'nothing left of it')
})
