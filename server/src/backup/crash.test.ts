// A restore that is killed on its way, on an embedded database. docs/operating.md#backup-and-restore.
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { cleanEnv, command, dataFolder, mainFile, serve, startProgram } from '../../test/launch.ts'
import { eventually } from '../../test/world.ts'

async function folder(t: TestContext): Promise<string> {
  const { dataDir, remove } = await dataFolder()
  t.after(remove)
  return dataDir
}

/** A backup of a new service with three files. */
async function backedUp(t: TestContext): Promise<string> {
  const dataDir = await folder(t)
  await (await serve(dataDir)).stop()
  await mkdir(join(dataDir, 'files/ab/cd'), { recursive: true })
  for (const name of ['one', 'ab/two', 'ab/cd/three']) await writeFile(join(dataDir, 'files', name), name)
  const file = join(dataDir, '..', 'new.kith')
  const { code, stderr } = await command(mainFile, ['backup', file], { DATA_DIR: dataDir })
  assert.equal(code, 0, stderr)
  return file
}

test('a killed restore leaves everything or nothing, and can be repeated', async (t) => {
  const file = await backedUp(t)
  const unfinished = async (dataDir: string): Promise<string[]> =>
    (await readdir(join(dataDir, 'postgres')).catch(() => [])).filter((name) => name.startsWith('initdb-'))
  const moments: [string, (dataDir: string) => Promise<boolean> | boolean][] = [
    ['the database is made', async (dataDir) => (await unfinished(dataDir)).length > 0],
    ['PostgreSQL starts', (dataDir) => existsSync(join(dataDir, 'postgres/server.json'))],
    ['files come', (dataDir) => existsSync(join(dataDir, 'files/.incoming/restored'))],
    ['everything is loaded', (dataDir) => existsSync(join(dataDir, 'secret-key'))],
  ]
  for (const [moment, isHere] of moments) {
    const dataDir = await folder(t)
    const env = { DATA_DIR: dataDir }
    const killed = startProgram([process.execPath, mainFile, 'restore', file], { env: cleanEnv(env) })
    await eventually(async () => (await isHere(dataDir)) || undefined, `the moment when ${moment}`)
    killed.kill('SIGKILL')
    await killed.ended
    // It may have been faster.
    const isWhole = existsSync(join(dataDir, 'postgres/data'))
    const again = await command(mainFile, ['restore', file], env)
    if (isWhole) assert.match(again.stderr, /is not empty/, moment)
    else if (existsSync(join(dataDir, 'files/one')) && again.code !== 0)
      assert.match(again.stderr, /files is not empty/)
    else assert.equal(again.code, 0, `${moment}: ${again.stderr}`)
    if (again.code !== 0) continue
    assert.deepEqual(await unfinished(dataDir), [], moment)
    assert.deepEqual((await readdir(join(dataDir, 'files'), { recursive: true })).sort(), [
      '.incoming',
      'ab',
      'ab/cd',
      'ab/cd/three',
      'ab/two',
      'one',
    ])
    const running = await serve(dataDir)
    assert.equal((await fetch(`${running.url}/health/ready`)).status, 200, moment)
    await running.stop()
  }
})
