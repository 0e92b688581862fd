// What an operator reads about the confinement of inspections.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { diagnosisText } from './doctor.ts'

const main = fileURLToPath(new URL('../main.js', import.meta.url))

test('the doctor reports whether each sandbox layer works, and needs no configuration', async () => {
  const { stdout, stderr } = await promisify(execFile)(process.execPath, ['--conditions=source', main, 'doctor'], {
    env: { PATH: process.env['PATH'] },
  })
  assert.equal(stderr, '')
  const layers = stdout.split('\n').filter((line) => /^ {2}\S.* (works|does not work): \S/.test(line))
  assert.ok(layers.length >= (process.platform === 'linux' ? 12 : 1), stdout)
  if (process.platform === 'linux') {
    for (const name of ['user namespace', 'seccomp', 'landlock', 'limits'])
      assert.match(stdout, new RegExp(`^ {2}${name} `, 'm'))
  }
})

test('the doctor counts the layers that fail', () => {
  const layers = [
    { name: 'seccomp', holds: true, says: 'only some system calls' },
    { name: 'user namespace', holds: false, says: 'unshare is missing' },
  ]
  assert.deepEqual(diagnosisText(layers), [
    'Inspections of uploaded files are confined by',
    '  seccomp         works: only some system calls',
    '  user namespace  does not work: unshare is missing',
    '1 of 2 do not work here: docs/files.md says what remains.',
  ])
})
