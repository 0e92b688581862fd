// A bench that finds nothing to compare with, or too little, has not passed.
import assert from 'node:assert/strict'
import { chmod, mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { cleanEnv, startProgram } from '../server/test/launch.ts'
import { atLeast, atMost } from './goal.ts'

const main = fileURLToPath(new URL('main.ts', import.meta.url))

test('a figure meets its target or misses it; a figure that could not be measured misses it', () => {
  assert.deepEqual(
    [atLeast(0.6, 0.6), atLeast(0.6, 0.59), atLeast(0.6, Number.NaN)].map(({ isHeld }) => isHeld),
    [true, false, false],
  )
  assert.deepEqual(
    [atMost(1.3, 1.3), atMost(1.3, 1.31), atMost(1.3, Number.NaN)].map(({ isHeld }) => isHeld),
    [true, false, false],
  )
  assert.equal(atMost(20, 3, ' KiB').text, 'at most 20 KiB')
})

test('without pgbench the comparative benches fail and say what is missing', async () => {
  const path = await mkdtemp(join(tmpdir(), 'kith-bench-test-'))
  try {
    await chmod(path, 0o755)
    await symlink('/usr/bin/setpriv', join(path, 'setpriv'))
    const env = { ...cleanEnv({ ROUNDS: '1', SECONDS: '0.1' }), PATH: path }
    const bench = startProgram([process.execPath, '--conditions=source', main, 'orders'], { env })
    assert.equal(await bench.ended, 1, bench.output())
    assert.match(bench.err(), /^Missed targets:\n {2}orders: pgbench is not installed/m)
  } finally {
    await rm(path, { recursive: true, force: true })
  }
})

test('an unknown bench is refused', async () => {
  const bench = startProgram([process.execPath, '--conditions=source', main, 'hotpath'], { env: cleanEnv({}) })
  assert.equal(await bench.ended, 2)
  assert.match(bench.err(), /^no benchmark hotpath; there are cost, hot-path, /)
})
