// Sweeps leave room for others: between their batches, in one run, and behind a row that cannot be worked on.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { beforehand, story } from '../../test/story.ts'
import { eventually, type World } from '../../test/world.ts'
import { modules } from '../app/modules.ts'
import { hours, minutes, seconds } from '../kernel/clock.ts'
import { createMetrics } from '../metrics.ts'
import { rowSweep } from './row-sweep.ts'
import { runWithin, startSweeps } from './sweeps.ts'

const { w } = story()
beforehand(
  () => w.sql`create table chores (id uuid primary key, place integer not null, done integer not null default 0)`,
)

/** A sweep with so many batches, each of which takes so long, on a watch of its own. */
async function ran(batches: number, each: number) {
  let time = 0
  let left = batches
  const pauses: number[] = []
  const isLeft = await runWithin(
    {
      run: async () => {
        time += each
        left -= 1
        return left > 0
      },
    },
    {
      time: () => time,
      pause: async (milliseconds) => {
        pauses.push(milliseconds)
        time += milliseconds
      },
      isStopped: () => false,
    },
  )
  return { isLeft, done: batches - left, pauses }
}

test('a long sweep rests as long as it works, and leaves the remainder to the next run', async () => {
  assert.deepEqual(await ran(3, 20), { isLeft: false, done: 3, pauses: [20, 20] })
  const { isLeft, done, pauses } = await ran(1000, 100)
  assert.deepEqual([isLeft, done], [true, seconds(10) / 100])
  assert.ok(pauses.every((pause) => pause === 100))
  assert.deepEqual((await ran(2, seconds(4))).pauses, [seconds(1)])
})

test('every sweep has one name everywhere, of lower-case words', () => {
  const names = modules.flatMap(({ sweeps }) => (sweeps?.(w.service) ?? []).map(({ name }) => name))
  assert.ok(names.length > 30)
  for (const name of names) assert.match(name, /^[a-z]+( [a-z]+)*$/)
  assert.deepEqual([...new Set(names)], names)
})

test('sweeps record their last success and their interval', async () => {
  const metrics = createMetrics()
  const { log, clock } = w.service
  let failing = 0
  const fail = async (): Promise<boolean> => {
    failing += 1
    throw new Error('no')
  }
  const began = clock.now().getTime() / 1000
  let worked = false
  const sweeper = startSweeps(
    [
      { name: 'failing', everyMilliseconds: 10, run: fail },
      {
        name: 'working',
        everyMilliseconds: minutes(1),
        run: async () => {
          worked = true
          return false
        },
      },
    ],
    { log, metrics, clock },
  )
  const moments = async () => (await metrics.sweepSucceeded.get()).values
  const started = new Map((await moments()).map(({ labels, value }) => [labels.sweep, value]))
  const later = await eventually(async () => {
    const now = new Map((await moments()).map(({ labels, value }) => [labels.sweep, value]))
    return worked && failing > 2 && now.get('working') !== started.get('working') ? now : undefined
  }, 'both to have run')
  await sweeper.stop()
  assert.equal(later.get('failing'), started.get('failing'), 'what fails has not succeeded')
  assert.ok((later.get('working') ?? 0) > began)
  const { values } = await metrics.sweepInterval.get()
  assert.deepEqual(
    values.map(({ labels, value }) => [labels.sweep, value]),
    [
      ['failing', 0.01],
      ['working', 60],
    ],
  )
})

test('a row that throws goes last and is counted; later rows are processed, and it is retried', async () => {
  const rows = Array.from({ length: 25 }, (_, place) => ({ id: randomUUID(), place }))
  for (const { id, place } of rows) await w.sql`insert into chores (id, place) values (${id}, ${place})`
  const bad = new Set<string | undefined>([0, 3, 4].map((place) => rows[place]?.id))
  const sweep = rowSweep<{ id: string }, World['service']>({
    name: 'chores',
    batch: 10,
    keyOf: ({ id }) => id,
    take: (tx, { limit, without }) => tx<{ id: string }>`
      select id from chores where done = 0 and id <> all (${without}::uuid[]) order by place limit ${limit} for update skip locked`,
    async work(tx, taken) {
      for (const { id } of taken) {
        await tx`update chores set done = done + 1 where id = ${id}`
        if (bad.has(id)) throw new Error('cannot be worked on')
      }
    },
  })
  const counted = async () =>
    (await w.service.metrics.sweepRowFailures.get()).values.find(({ labels }) => labels.sweep === 'chores')?.value
  const left = async () =>
    (await w.sql<{ place: number }>`select place from chores where done = 0 order by place`).map(({ place }) => place)
  while (await sweep(w.service));
  assert.deepEqual(await left(), [0, 3, 4])
  assert.equal(await counted(), 3)
  // Left alone for a while; then tried again, less and less often.
  assert.equal(await sweep(w.service), false)
  assert.equal(await counted(), 3)
  w.travel(seconds(31))
  while (await sweep(w.service));
  assert.equal(await counted(), 6)
  bad.clear()
  w.travel(seconds(31))
  assert.equal(await sweep(w.service), false)
  assert.deepEqual(await left(), [0, 3, 4])
  w.travel(seconds(30))
  assert.equal(await sweep(w.service), false)
  assert.deepEqual(await left(), [])
  assert.ok((await w.sql<{ done: number }>`select done from chores`).every(({ done }) => done === 1))
})

test('a row that fails alone is tried once, and rests no longer if the clock is set back meanwhile', async () => {
  let tries = 0
  const sweep = rowSweep<{ id: string }, World['service']>({
    name: 'lonely',
    batch: 1,
    keyOf: ({ id }) => id,
    take: async (_tx, { without }) => (without.includes('one') ? [] : [{ id: 'one' }]),
    work: async () => {
      tries += 1
      throw new Error('cannot be worked on')
    },
  })
  const run = async (): Promise<number> => {
    while (await sweep(w.service));
    return tries
  }
  assert.equal(await run(), 1)
  assert.equal(await run(), 1)
  w.travel(seconds(31))
  assert.equal(await run(), 2)
  w.travel(-hours(1))
  assert.equal(await run(), 3)
  w.travel(hours(1))
})

test('a failed row that stays away long enough is forgotten, so memory is bounded', async () => {
  const sweep = rowSweep<{ id: string }, World['service']>({
    name: 'fleeting',
    batch: 10,
    keyOf: ({ id }) => id,
    take: async (_tx, { without }) => (without.includes('one') ? [] : [{ id: 'one' }]),
    work: async () => {
      throw new Error('cannot be worked on')
    },
  })
  const failures = async (): Promise<number | undefined> => {
    while (await sweep(w.service));
    const { values } = await w.service.metrics.sweepRowFailures.get()
    return values.find(({ labels }) => labels.sweep === 'fleeting')?.value
  }
  assert.equal(await failures(), 1)
  w.travel(hours(2))
  assert.equal(await failures(), 2)
  w.travel(seconds(31))
  assert.equal(await failures(), 3, 'it rests as after a first failure')
})

test('a missing database is not counted against any row', async () => {
  const sweep = rowSweep<{ id: string }, World['service']>({
    name: 'away',
    batch: 10,
    keyOf: ({ id }) => id,
    take: async () => [{ id: 'one' }, { id: 'two' }],
    work: async () => {
      throw Object.assign(new Error('terminating connection'), { code: '57P01' })
    },
  })
  await assert.rejects(sweep(w.service), /terminating/)
  const { values } = await w.service.metrics.sweepRowFailures.get()
  assert.ok(values.every(({ labels }) => labels.sweep !== 'away'))
})
