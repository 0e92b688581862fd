import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { openSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { openOutput } from './log-output.ts'

/** An output whose next writes take so many bytes each, or fail with a code; then it takes everything. */
function outputThat(...next: (number | string)[]) {
  let text = ''
  const lost: unknown[] = []
  const output = openOutput(
    (lines, code) => lost.push([lines, code]),
    (bytes) => {
      const step = next.shift() ?? bytes.length
      if (typeof step === 'string') throw Object.assign(new Error('not now'), { code: step })
      text += Buffer.from(bytes.subarray(0, step)).toString()
      return step
    },
  )
  return { write: (line: string) => output.write(line), text: () => text, lost }
}

test('lines that a full disk does not take are counted, and the next one is whole', () => {
  const output = outputThat(3, 'ENOSPC', 'ENOSPC')
  for (const line of ['one\n', 'two\n', 'three\n', 'four\n']) output.write(line)
  assert.equal(output.text(), 'one\nthree\nfour\n')
  assert.deepEqual(output.lost, [[2, 'ENOSPC']])
})

test('a full pipe is given a moment, and then none until it takes a line again', () => {
  const soon = outputThat('EAGAIN', 1, 'EAGAIN')
  soon.write('one\n')
  assert.deepEqual([soon.text(), soon.lost], ['one\n', []])
  const stuck = outputThat(...Array(10).fill('EAGAIN'), 'EAGAIN')
  for (const line of ['one\n', 'two\n', 'three\n']) stuck.write(line)
  assert.deepEqual([stuck.text(), stuck.lost], ['three\n', [[2, 'EAGAIN']]])
})

test('a process whose log has no room, or no reader, goes on, and ends as it would', {
  skip: process.platform !== 'linux',
}, async () => {
  const log = JSON.stringify(new URL('log.ts', import.meta.url).href)
  const program = `import { createLog } from ${log}
    const log = createLog('info', { format: 'json' })
    for (let at = 0; at < 5000; at++) log.info({ at }, 'news of some length'.repeat(5))
    log.fatal('the end')
    process.stderr.write('went on')
    process.exit(3)`
  const flags = ['--conditions=source', '--disable-warning=ExperimentalWarning', '--input-type=module']
  for (const stdout of [openSync('/dev/full', 'w'), 'pipe'] as const) {
    const child = spawn(process.execPath, [...flags, '-e', program], { stdio: ['ignore', stdout, 'pipe'] })
    assert.ok(child.stderr)
    // What it writes is never read before it has ended.
    const [said, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')])
    assert.deepEqual([code, said], [3, 'went on'])
    child.stdout?.destroy()
  }
})
