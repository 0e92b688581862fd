// A backup that finds no room, and a restore that is killed on its way, on embedded databases. docs/operating.md#backup-and-restore.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { cleanEnv, command, dataFolder, mainFile, serve, startProgram } from '../../test/launch.ts'
import { becomesReady } from '../../test/process.ts'
import { tinyDisk } from '../../test/tiny-disk.ts'
import { eventually } from '../../test/world.ts'

async function folder(t: TestContext, migrated = false): Promise<string> {
  const { dataDir, remove } = await dataFolder({ migrated })
  t.after(remove)
  return dataDir
}

/** A backup of a new service with three files. */
async function backedUp(t: TestContext): Promise<string> {
  const dataDir = await folder(t, true)
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
    await becomesReady(running.url)
    await running.stop()
  }
})

test('a backup that runs out of disk space fails with one line and leaves nothing', async (t) => {
  const source = await folder(t, true)
  const running = await serve(source)
  await mkdir(join(source, 'files'), { recursive: true })
  await writeFile(join(source, 'files/large'), randomBytes(9 * 1024 * 1024))
  const place = join(source, '..', 'backups')
  await mkdir(place)
  const whole = join(place, 'whole.kith')
  assert.equal((await command(mainFile, ['backup', whole], { DATA_DIR: source })).code, 0)
  const { size } = await stat(whole)
  await rm(whole)

  // A limit to the size of a file is met at the same places as a disk that is full: at the beginning, among the
  // files, in what is written last.
  for (const bytes of [4096, 4 * 1024 * 1024, size - 512]) {
    const file = join(place, 'cut.kith')
    const line = `ulimit -f ${Math.floor(bytes / 512)}; exec "$0" "$@"`
    const child = spawn('dash', ['-c', line, process.execPath, mainFile, 'backup', file], {
      env: { PATH: process.env['PATH'], DATA_DIR: source },
    })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk))
    const code = await new Promise((resolve) => child.once('close', resolve))
    assert.deepEqual(
      [code, output],
      [1, `kith-server: ${file} cannot be written: the file system takes no file of this size (EFBIG)\n`],
    )
    assert.deepEqual(await readdir(place), [])
  }

  const disk = await tinyDisk(t, await folder(t), 1024)
  if (disk) {
    try {
      const file = join(disk.folder, 'cut.kith')
      const { code, stdout, stderr } = await command(mainFile, ['backup', file], { DATA_DIR: source })
      assert.deepEqual(
        [code, stdout, stderr.replace(/^.*: \d+ %\n/gm, '')],
        [1, '', `kith-server: ${file} cannot be written: the disk is full (ENOSPC)\n`],
      )
      assert.deepEqual(await readdir(disk.folder), [])
      assert.equal((await command(mainFile, ['backup', whole], { DATA_DIR: source })).code, 0)
      const checked = await command(mainFile, ['backup', '--check', whole], { TMPDIR: disk.folder })
      assert.deepEqual(
        [checked.code, checked.stderr.replace(/^.*: \d+ %\n/gm, '')],
        [
          1,
          `kith-server: ${disk.folder} has no room for the database of this backup: set TMPDIR to a folder that has\n`,
        ],
      )
      assert.deepEqual(await readdir(disk.folder), [])
      const target = join(disk.folder, 'data')
      const restored = await command(mainFile, ['restore', whole], { DATA_DIR: target })
      assert.deepEqual(
        [restored.code, restored.stderr.split('\n').at(-2)],
        [1, `kith-server: No room in ${target}: make room and repeat. Nothing was restored`],
      )
      assert.deepEqual(await readdir(disk.folder), [])
    } finally {
      disk.end()
    }
  }

  await running.stop()
})

test('what a killed check left makes room before the next one begins, and one that runs stays', async (t) => {
  const file = await backedUp(t)
  const TMPDIR = await folder(t)
  await mkdir(TMPDIR)
  const settings = cleanEnv({ TMPDIR })
  const begun = async (known: readonly string[]) => {
    const check = startProgram([process.execPath, mainFile, 'backup', '--check', file], { env: settings })
    const place = await eventually(async () => {
      const names = (await readdir(TMPDIR)).filter((name) => name.startsWith('kith-check-') && !known.includes(name))
      return names.find((name) => existsSync(join(TMPDIR, name, 'data/postgres/server.json')))
    }, 'a check with a server')
    await utimes(join(TMPDIR, place), 0, 0)
    return { check, place }
  }
  const killed = await begun([])
  killed.check.kill('SIGKILL')
  await killed.check.ended
  const runs = await begun([killed.place])
  assert.ok(!existsSync(join(TMPDIR, killed.place)))
  runs.check.kill('SIGSTOP')
  const beside = await command(mainFile, ['backup', '--check', file], { TMPDIR })
  assert.equal(beside.code, 0, beside.stderr)
  runs.check.kill('SIGCONT')
  assert.equal(await runs.check.ended, 0, runs.check.err())
  assert.deepEqual(await readdir(TMPDIR), [])
})

test('what a killed backup left in a folder makes room before the next one begins', async (t) => {
  const place = await folder(t)
  await mkdir(place)
  const left = join(place, 'kith-2026-11-25T021500Z.tar.gz.0123456789ab.part')
  await writeFile(left, 'half')
  await utimes(left, 0, 0)
  assert.equal((await command(mainFile, ['backup', place], { DATA_DIR: join(place, 'none') })).code, 1)
  assert.deepEqual(await readdir(place), [])
})
