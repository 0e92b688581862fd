// Test files that share a process: each keeps its own hooks, and one failure fails the run.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { writeGroups } from './groups.ts'

const file = (name: string, more = ''): string => `
  import { appendFileSync } from 'node:fs'
  import { after, before, test } from 'node:test'
  const note = (what) => appendFileSync(process.env.NOTES, '${name} ' + what + '\\n')
  ${more}
  before(() => note('before'))
  after(() => note('after'))
  test('of ${name}', () => note('test'))`

function runTests(path: string, cwd: string, more: Record<string, string> = {}): Promise<{ stdout: string }> {
  const { NODE_TEST_CONTEXT: _, ...env } = process.env
  return promisify(execFile)(process.execPath, ['--test', path], { cwd, env: { ...env, ...more } })
}

test('the files of a group run one after another, each inside its own hooks, and one failure fails the run', async (t) => {
  const root = await mkdtemp(join(tmpdir(), 'kith-groups-'))
  t.after(() => rm(root, { recursive: true }))
  await writeFile(join(root, 'ann.test.mjs'), file('ann', 'await new Promise((resolve) => setTimeout(resolve, 20))'))
  await writeFile(join(root, 'bob.test.mjs'), file('bob'))
  await writeFile(join(root, 'cat.test.mjs'), file('cat', "test('wrong', () => { throw new Error('no') })"))
  const run = async (...names: string[]): Promise<string> => {
    const [group = ''] = await writeGroups(root, names, join(root, names.join('-')))
    const NOTES = join(root, `${names.join('-')}.txt`)
    await runTests(group, root, { NOTES })
    return readFile(NOTES, 'utf8')
  }
  const notes = (name: string) => `${name} before\n${name} test\n${name} after\n`
  assert.equal(await run('ann.test.mjs', 'bob.test.mjs'), notes('ann') + notes('bob'))
  await assert.rejects(run('bob.test.mjs', 'cat.test.mjs'))
})

test('an error that no test waits for fails the run, which names the file', async (t) => {
  const root = await mkdtemp(join(tmpdir(), 'kith-groups-'))
  t.after(() => rm(root, { recursive: true }))
  await writeFile(
    join(root, 'ann.test.mjs'),
    `import { test } from 'node:test'
    const later = () => new Promise((resolve) => setTimeout(resolve))
    test('waits for nothing', async () => {
      void later().then(() => { throw new Error('stray') })
      await later()
      await later()
    })`,
  )
  const [group = ''] = await writeGroups(root, ['ann.test.mjs'], join(root, 'group'))
  await assert.rejects(runTests(group, root), ({ stdout }) => /in ann\.test\.mjs: Error: stray\n +at /.test(stdout))
})

test('a run ends, and fails, when a file leaves something open, even if an orderly exit would take for ever', async (t) => {
  const root = await mkdtemp(join(tmpdir(), 'kith-groups-'))
  t.after(() => rm(root, { recursive: true }))
  const path = join(root, 'open.test.mjs')
  const suites = JSON.stringify(new URL('suite.ts', import.meta.url).href)
  await writeFile(
    path,
    `import { test } from 'node:test'
    import { suitesEnd } from ${suites}
    test('leaves a timer', () => { setInterval(() => {}, 1000) })
    process.on('exit', () => { for (;;); })
    suitesEnd(100)`,
  )
  await assert.rejects(runTests(path, root), ({ stdout }) => /does not end: .*Timeout/.test(stdout))
})
