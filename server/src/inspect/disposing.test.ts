import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { disposing } from './disposing.ts'

test('resources are released in reverse order, however the function ends', async () => {
  const said: string[] = []
  const held = (name: string): Disposable => ({ [Symbol.dispose]: () => void said.push(name) })
  const story = (ending: string) => {
    assert.deepEqual(said.splice(0), [ending, 'two freed', 'one freed'])
  }
  const run = disposing((use, ending: string) => {
    use(held('one freed'))
    use(held('two freed'))
    said.push(ending)
    if (ending === 'throws') throw new Error(ending)
    return ending
  })
  assert.equal(run('returns'), 'returns')
  story('returns')
  assert.throws(() => run('throws'), /throws/)
  story('throws')

  const later = disposing(async (use, ending: string) => {
    use(held('one freed'))
    await setImmediate()
    use(held('two freed'))
    said.push(ending)
    if (ending === 'rejects') throw new Error(ending)
    return ending
  })
  assert.equal(await later('resolves'), 'resolves')
  story('resolves')
  await assert.rejects(later('rejects'), /rejects/)
  story('rejects')
})
