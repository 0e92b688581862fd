import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fairQueue, QueueFull, type WhyFull } from './fair-queue.ts'

/** Work that ends when it is told to. */
function jobs(queue: ReturnType<typeof fairQueue>) {
  const begun: string[] = []
  const ends = new Map<string, () => void>()
  const add = (name: string, isGone?: () => boolean): Promise<string> =>
    queue.run(
      name.slice(0, 1),
      async () => {
        begun.push(name)
        await new Promise<void>((resolve) => ends.set(name, resolve))
        return name
      },
      isGone,
    )
  const end = async (name: string): Promise<void> => {
    ends.get(name)?.()
    await new Promise((resolve) => setImmediate(resolve))
  }
  return { begun, add, end }
}

const refused = (work: Promise<unknown>): Promise<WhyFull> =>
  work.then(
    () => assert.fail('it ran'),
    (error: unknown) => {
      assert.ok(error instanceof QueueFull)
      return error.why
    },
  )

const options = { total: 3, each: 2, waitingEach: 3, waitingTotal: 5, waitAtMost: 60_000 }

test('nobody exceeds their share, and waiting callers are served in turn', async () => {
  const queue = fairQueue(options)
  const { begun, add, end } = jobs(queue)
  const all = ['a1', 'a2', 'a3', 'a4', 'a5', 'b1', 'b2', 'c1'].map((name) => add(name))
  assert.deepEqual(begun, ['a1', 'a2', 'b1'], 'two of a, and b passes the others of a by')
  assert.deepEqual(queue.state(), { running: 3, waiting: 5 })
  await end('b1')
  assert.deepEqual(begun.slice(3), ['b2'])
  await end('a1')
  assert.deepEqual(begun.slice(4), ['c1'], 'c came before a had a place again')
  await end('b2')
  assert.deepEqual(begun.slice(5), ['a3'])
  await end('a2')
  await end('c1')
  await end('a3')
  await end('a4')
  await end('a5')
  assert.deepEqual(await Promise.all(all), ['a1', 'a2', 'a3', 'a4', 'a5', 'b1', 'b2', 'c1'])
  assert.deepEqual(queue.state(), { running: 0, waiting: 0 })
})

test('too many from one caller, too many in total, too long a wait, and abandoned requests are refused', async () => {
  const queue = fairQueue({ ...options, waitAtMost: 50 })
  const { begun, add, end } = jobs(queue)
  const running = [add('a1'), add('a2'), add('b1')]
  const waiting = [add('a3'), add('a4'), add('a5')].map(refused)
  assert.equal(await refused(add('a6')), 'own')
  const others = [add('b2'), add('c1')].map(refused)
  assert.equal(await refused(add('d1')), 'all')
  assert.deepEqual(await Promise.all([...waiting, ...others]), Array(5).fill('late'))
  assert.deepEqual(queue.state(), { running: 3, waiting: 0 })
  const left = refused(add('a7', () => true))
  await end('a1')
  assert.equal(await left, 'gone')
  await Promise.all([end('a2'), end('b1')])
  await Promise.all(running)
  assert.deepEqual(begun, ['a1', 'a2', 'b1'])
  assert.deepEqual(queue.state(), { running: 0, waiting: 0 })
})

test('failed work frees its place', async () => {
  const queue = fairQueue({ ...options, total: 1 })
  const fails = queue.run('a', () => Promise.reject(new Error('no')))
  const next = queue.run('b', async () => 'b')
  await assert.rejects(fails, /no/)
  assert.equal(await next, 'b')
  assert.deepEqual(queue.state(), { running: 0, waiting: 0 })
})
