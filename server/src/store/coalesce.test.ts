// Group commit: what shares a statement, what never does, and what its failure means.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { coalesce } from './coalesce.ts'

const options = { maxBatch: 64, concurrency: 1, maxWaiting: 1000, onFull: () => new Error('full') }
const turn = () => new Promise((resolve) => setImmediate(resolve))

test('a single item is written at once; later items are written together, each with its own outcome', async () => {
  const batches: number[][] = []
  const write = coalesce<number, string>({
    ...options,
    write: async (items) => {
      batches.push([...items])
      await turn()
      await turn()
      return items.map((item) => `done ${item}`)
    },
  })
  const first = write(0)
  await turn()
  const outcomes = await Promise.all([first, ...[1, 2, 3].map(write)])
  assert.deepEqual(outcomes, ['done 0', 'done 1', 'done 2', 'done 3'])
  assert.deepEqual(batches, [[0], [1, 2, 3]])
})

test('the next batch leaves before the outcomes of the last are handed over', async () => {
  const order: string[] = []
  const write = coalesce<string, void>({
    ...options,
    write: async ([item]) => {
      // So a statement gets its connection.
      for (let tick = 0; tick < 4; tick++) await new Promise<void>((resolve) => process.nextTick(resolve))
      order.push(`${item} leaves`)
      await turn()
      return []
    },
    written: ([item]) => void order.push(`${item} is written`),
  })
  const first = write('first').then(() => order.push('first is answered'))
  await turn()
  await Promise.all([first, write('second')])
  assert.deepEqual(order.slice(0, 4), ['first leaves', 'second leaves', 'first is written', 'first is answered'])
})

test('a batch begins beside another only once that has taken long', async () => {
  const batches: string[] = []
  const stuck = Promise.withResolvers<void>()
  const write = coalesce<string, void>({
    ...options,
    concurrency: 2,
    overtakeAfter: 20,
    write: async (items) => {
      batches.push(items.join(' '))
      if (items.includes('stuck')) await stuck.promise
      await turn()
      return []
    },
  })
  const first = write('first')
  await turn()
  await Promise.all([first, write('second'), write('third')])
  const waits = write('stuck')
  await turn()
  await Promise.all([write('fourth'), write('fifth')])
  await write('sixth')
  stuck.resolve()
  await waits
  assert.deepEqual(batches, ['first', 'second third', 'stuck', 'fourth fifth', 'sixth'])
})

test('what waits behind two slow batches leaves once the first has ended and the second has taken long too', async () => {
  const ends = new Map(['one', 'two'].map((name) => [name, Promise.withResolvers<void>()]))
  const begun: string[] = []
  const write = coalesce<string, void>({
    ...options,
    concurrency: 2,
    overtakeAfter: 20,
    write: async ([item = '']) => {
      begun.push(item)
      await ends.get(item)?.promise
      return []
    },
  })
  const all = [write('one')]
  await turn()
  all.push(write('two'))
  while (!begun.includes('two')) await turn()
  const last = write('three')
  ends.get('one')?.resolve()
  await last
  ends.get('two')?.resolve()
  await Promise.all(all)
})

test('items with a shared key are never processed together, and keep their order', async () => {
  const busy = new Set<string>()
  const order: string[] = []
  const write = coalesce<{ key: string; name: string }, void>({
    ...options,
    concurrency: 4,
    maxBatch: 3,
    keys: ({ key }) => [key],
    write: async (items) => {
      for (const { key, name } of items) {
        assert.ok(!busy.has(key))
        busy.add(key)
        order.push(name)
      }
      await turn()
      for (const { key } of items) busy.delete(key)
      return []
    },
  })
  await Promise.all(Array.from({ length: 40 }, (_, n) => write({ key: String(n % 4), name: `${n % 4}:${n}` })))
  for (const key of ['0', '1', '2', '3']) {
    const own = order.filter((name) => name.startsWith(`${key}:`)).map((name) => Number(name.slice(2)))
    assert.deepEqual(
      own,
      own.toSorted((a, b) => a - b),
    )
    assert.equal(own.length, 10)
  }
})

test('a batch that conflicts is written in halves; other failures reach every caller, and the next batch continues', async () => {
  const failures: unknown[] = [{ code: '40P01' }, { code: '40P01' }, { code: '40001' }]
  const batches: number[][] = []
  const write = coalesce<number, number>({
    ...options,
    write: async (items) => {
      batches.push([...items])
      const failure = failures.shift()
      if (failure) throw failure
      return items
    },
  })
  assert.deepEqual(await Promise.all([1, 2, 3].map(write)), [1, 2, 3])
  assert.deepEqual(batches, [[1, 2, 3], [1, 2], [1], [1], [2], [3]])
  failures.push(new Error('gone'))
  const outcomes = await Promise.allSettled([3, 4].map(write))
  assert.deepEqual(
    outcomes.map(({ status }) => status),
    ['rejected', 'rejected'],
  )
  assert.equal(await write(5), 5)
  failures.push(...Array(4).fill({ code: '40P01' }))
  await assert.rejects(write(6), { code: '40P01' }, 'not for ever')
  assert.equal(await write(7), 7)
})

test('each half of a batch that conflicts succeeds or fails by itself', async () => {
  const conflict = { code: '40P01' }
  const gone = new Error('the connection is gone')
  const failures: unknown[] = []
  const batches: number[][] = []
  const written: number[][] = []
  const write = coalesce<number, string>({
    ...options,
    write: async (items) => {
      batches.push([...items])
      const failure = failures.shift()
      if (failure) throw failure
      return items.map((item) => `done ${item}`)
    },
    written: (items) => written.push([...items]),
  })
  const outcomes = async (...items: number[]) =>
    (await Promise.allSettled(items.map(write))).map((each) =>
      each.status === 'fulfilled' ? each.value : each.reason.message,
    )
  failures.push(conflict, undefined, gone)
  assert.deepEqual(await outcomes(1, 2, 3, 4), ['done 1', 'done 2', gone.message, gone.message])
  failures.push(conflict, conflict, gone)
  assert.deepEqual(await outcomes(5, 6, 7, 8), [gone.message, 'done 6', 'done 7', 'done 8'])
  assert.deepEqual(written, [[1, 2], [6], [7, 8]])
  assert.deepEqual(batches, [[1, 2, 3, 4], [1, 2], [3, 4], [5, 6, 7, 8], [5, 6], [5], [6], [7, 8]])
})

test('the first half of a batch that conflicts does not wait for the second, which is refused if that is too late', async () => {
  const batches: number[][] = []
  let release = (): void => {}
  const write = (waitAtMost: number) =>
    coalesce<number, number>({
      ...options,
      waitAtMost,
      write: async (items) => {
        batches.push([...items])
        if (items.length === 2) throw { code: '40001' }
        if (items[0] === 2) await new Promise<void>((resolve) => (release = resolve))
        return items
      },
    })
  const both = [1, 2].map(write(10_000)) as [Promise<number>, Promise<number>]
  assert.equal(await both[0], 1)
  release()
  assert.equal(await both[1], 2)
  const [first, late] = [3, 4].map(write(0)) as [Promise<number>, Promise<number>]
  await assert.rejects(late, /full/)
  assert.equal(await first, 3)
  assert.deepEqual(batches, [[1, 2], [1], [2], [3, 4], [3]])
})

test('items beyond the waiting limit are refused at once', async () => {
  const write = coalesce<number, number>({ ...options, maxWaiting: 2, write: async (items) => items })
  const outcomes = await Promise.allSettled([1, 2, 3].map(write))
  assert.deepEqual(
    outcomes.map(({ status }) => status),
    ['fulfilled', 'fulfilled', 'rejected'],
  )
})

test('what has waited too long when a batch ends is refused, and what comes later is written', async () => {
  let answer = (): void => {}
  const batches: string[][] = []
  const write = coalesce<string, void>({
    ...options,
    waitAtMost: 0,
    write: async (items) => {
      batches.push([...items])
      if (items[0] === 'silent') {
        await new Promise<void>((_, reject) => {
          answer = () => reject(new Error('the database did not answer in time'))
        })
      }
      return []
    },
  })
  const silent = assert.rejects(write('silent'), /did not answer/)
  await turn()
  const late = [write('late'), write('later')].map((each) => assert.rejects(each, /full/))
  await turn()
  answer()
  await Promise.all([silent, ...late])
  await write('afterwards')
  assert.deepEqual(batches, [['silent'], ['afterwards']])
})
