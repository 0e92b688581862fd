// The judge of whole histories, on small ones.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { contradiction } from './serial.ts'

const write = (name: string, sent: number, acknowledged = Number.POSITIVE_INFINITY) => ({ name, sent, acknowledged })

test('a history that one order of its writes explains is taken, and one that none does is shown', () => {
  const [ada, bob, cyd] = [write('ada', 0, 10), write('bob', 5, 15), write('cyd', 20, 30)]
  assert.equal(contradiction([[ada, bob, cyd], [bob, cyd], [ada]]), undefined)
  assert.equal(
    contradiction([
      [bob, ada],
      [bob, cyd],
    ]),
    undefined,
    'at the same time either may be first',
  )

  const named = (chains: (typeof ada)[][]) =>
    contradiction(chains)
      ?.map(({ name }) => name)
      .sort()
  assert.deepEqual(
    named([
      [ada, bob],
      [bob, ada],
    ]),
    ['ada', 'bob'],
    'two things changed in different orders',
  )
  assert.deepEqual(
    named([
      [ada, bob],
      [bob, cyd],
      [cyd, ada],
    ]),
    ['ada', 'cyd'],
  )
  assert.deepEqual(named([[cyd, ada]]), ['ada', 'cyd'], 'the later write was sent after the earlier was acknowledged')
  const unknown = write('dan', 0)
  assert.equal(
    contradiction([
      [cyd, unknown],
      [unknown, bob],
    ])?.length,
    3,
    'also by way of one that nobody was told of',
  )
})

test('a long history is judged in one pass', () => {
  const all = Array.from({ length: 10_000 }, (_, at) => write(`${at}`, at, at + 3))
  assert.equal(contradiction([all]), undefined)
  assert.ok(contradiction([all, [all[9_000], all[7]] as typeof all]))
})
