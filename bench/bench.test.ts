// A bench that finds nothing to compare with, or too little, has not passed.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { chmod, mkdtemp, symlink } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { cleanEnv, startProgram } from '../server/test/launch.ts'
import { remove } from '../server/test/scratch.ts'
import { atLeast, atMost } from './goal.ts'
import { openHttp } from './http-client.ts'
import { startMeter } from './processor-time.ts'

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

test('without the programs that they compare with, benches fail and say what is missing', async () => {
  const path = await mkdtemp(join(tmpdir(), 'kith-bench-test-'))
  try {
    await chmod(path, 0o755)
    await symlink('/usr/bin/setpriv', join(path, 'setpriv'))
    const env = { ...cleanEnv({ ROUNDS: '1', SECONDS: '0.1' }), PATH: path }
    const bench = startProgram([process.execPath, '--conditions=source', main, 'orders', 'ejabberd'], { env })
    assert.equal(await bench.ended, 1, bench.output())
    assert.match(
      bench.err(),
      /^Missed targets:\n {2}orders: pgbench is not installed.*\n {2}ejabberd: ejabberd or its client of PostgreSQL is missing/m,
    )
  } finally {
    await remove(path)
  }
})

test('a request on a connection that the server closes fails, and the next one opens another', async () => {
  let isFirst = true
  const server = createServer((request, response) => {
    if (isFirst) request.socket.destroy()
    else response.end('here')
    isFirst = false
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const http = await openHttp(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, 1)
  try {
    await assert.rejects(http.request('GET', '/'), /closed before the response|ECONNRESET/)
    assert.deepEqual(await http.request('GET', '/'), { status: 200, body: 'here' })
    server.closeAllConnections()
    await once(server.close(), 'close')
    // Nobody answers: each request fails, and those that wait for the connection too.
    const tried = await Promise.allSettled([1, 2, 3].map(() => http.request('GET', '/')))
    assert.deepEqual(new Set(tried.map(({ status }) => status)), new Set(['rejected']))
  } finally {
    http.close()
    server.close()
  }
})

test('an unknown bench is refused', async () => {
  const bench = startProgram([process.execPath, '--conditions=source', main, 'hotpath'], { env: cleanEnv({}) })
  assert.equal(await bench.ended, 2)
  assert.match(bench.err(), /^no benchmark hotpath; there are cost, hot-path, /)
})

test('the time of a process whose end its parent does not see is counted', async () => {
  const burn = 'echo there; read word; n=0; while [ $n -lt 300000 ]; do n=$((n + 1)); done; echo burnt; read word'
  // The shell ignores the ends of its children, so the kernel adds their time to nobody's.
  const shell = `trap '' CHLD; sh -c '${burn}'; echo over; read word`
  const program = startProgram(['sh', '-c', shell], { env: cleanEnv({}), input: true })
  await program.says(/there/)
  // Looks only when it is read.
  const meter = startMeter([program.pid], 3_600_000)
  try {
    program.input.write('go\n')
    await program.says(/burnt/)
    const burnt = meter.read()
    assert.ok(burnt > 0)
    const [child] = readFileSync(`/proc/${program.pid}/task/${program.pid}/children`, 'utf8').split(' ')
    process.kill(Number(child))
    await program.says(/over/)
    assert.ok(meter.read() >= burnt)
  } finally {
    meter.stop()
    program.kill('SIGKILL')
    await program.ended
  }
})
