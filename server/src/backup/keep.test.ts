// What `backup --keep` removes, and what it never does (docs/backups.md#every-night).
import assert from 'node:assert/strict'
import { chmod, chown, mkdir, mkdtemp, readdir, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { cleanEnv, mainFile, startProgram } from '../../test/launch.ts'
import { accounts } from '../../test/process.ts'
import { scratchPlace } from '../../test/scratch.ts'
import { readConfig } from '../config.ts'
import { systemClock } from '../kernel/clock.ts'
import { deriveSecrets } from '../secrets.ts'
import { createArchive } from './archive.ts'
import { formatVersion, type Manifest, manifestName, secretName } from './format.ts'
import { backupName, keepBackups, keepOf, newestIn, pathFor, removeAbandoned } from './keep.ts'

const options = { clock: systemClock }
const key = 'the key of the installation of this test'

async function folder(t: TestContext): Promise<string> {
  const path = await mkdtemp(join(scratchPlace(), 'kith-keep-'))
  t.after(() => rm(path, { recursive: true, force: true }))
  return path
}

/** The smallest backup: of a database without tables. */
async function given(place: string, day: string, { secretKey = key, whole = true } = {}): Promise<string> {
  const name = backupName(new Date(`${day}T02:15:00Z`))
  const { fingerprint } = deriveSecrets(secretKey)
  const archive = await createArchive(join(place, name), fingerprint)
  const part = await archive.add(secretName, Buffer.from(`${secretKey}\n`))
  const manifest: Manifest = {
    format: formatVersion,
    created_at: `${day}T02:15:00.000Z`,
    migrations: [],
    tables: [],
    sequences: [],
    secret: { part, fingerprint },
    files: null,
  }
  if (whole) await archive.add(manifestName, Buffer.from(JSON.stringify(manifest)))
  await archive.commit()
  return name
}

test('a prune keeps the newest, the first of each month and the newest good one, and nothing else of ours', async (t) => {
  const place = await folder(t)
  const config = readConfig({ SECRET_KEY: key, DATA_DIR: join(place, 'none') })
  const days = [
    '2026-08-30',
    '2026-09-01',
    '2026-09-02',
    '2026-10-07',
    '2026-10-08',
    '2026-11-01',
    '2026-11-02',
    '2026-11-03',
  ]
  const names: string[] = []
  for (const day of days) names.push(await given(place, day))
  const another = await given(place, '2026-09-03', { secretKey: 'the key of another installation than that one' })
  await writeFile(join(place, backupName(new Date('2026-09-04T02:15:00Z'))), 'notes of a person')
  await writeFile(join(place, 'kith-mine.tar.gz'), 'mine')
  await mkdir(join(place, backupName(new Date('2026-09-05T02:15:00Z'))))
  await symlink(join(place, names[1] as string), join(place, backupName(new Date('2026-09-06T02:15:00Z'))))
  const killed = `${names[0]}.0123456789ab.part`
  for (const name of [killed, `${names[7]}.0123456789ab.part`]) await writeFile(join(place, name), 'half')
  await utimes(join(place, killed), 0, 0)
  const others = (await readdir(place)).filter((name) => !names.includes(name) && name !== killed)

  const first = await keepBackups(config, place, keepOf('2,3'), options)
  const at = (...indexes: number[]) => indexes.map((index) => names[index] as string)
  assert.deepEqual(first.kept, at(1, 3, 5, 6, 7), 'the newest two, and the first of September, October and November')
  assert.deepEqual(first.removed, at(0, 2, 4))
  assert.equal(first.foreign.length, 4)
  assert.ok(first.foreign.includes(another))
  assert.deepEqual(first.damaged, [])
  assert.deepEqual((await readdir(place)).sort(), [...others, ...first.kept].sort())

  async function damage(...indexes: number[]): Promise<void> {
    for (const index of indexes) {
      await rm(join(place, names[index] as string))
      await given(place, days[index] as string, { whole: false })
    }
  }
  // The newest two are cut off: the one before them is the newest good one.
  await damage(6, 7)
  const second = await keepBackups(config, place, keepOf('1'), options)
  assert.deepEqual(second, {
    kept: at(5, 7),
    removed: at(1, 3, 6),
    foreign: first.foreign,
    ahead: [],
    damaged: at(7, 6),
    stuck: [],
  })
  await damage(5)
  await assert.rejects(
    keepBackups(config, place, keepOf('1'), options),
    /no good backup of this installation: nothing was/,
  )
  assert.deepEqual((await readdir(place)).sort(), [...others, ...at(5, 7)].sort())
})

test('backups of a clock that was ahead take no place of those that were made since', async (t) => {
  const place = await folder(t)
  const config = readConfig({ SECRET_KEY: key, DATA_DIR: join(place, 'none') })
  const clock = { now: () => new Date('2026-11-26T02:15:00Z') }
  const ahead = [await given(place, '2027-11-25'), await given(place, '2027-11-24')]
  const [old, ...since] = [
    await given(place, '2026-11-24'),
    await given(place, '2026-11-25'),
    await given(place, '2026-11-26'),
  ]
  const pruned = await keepBackups(config, place, keepOf('2'), { clock })
  assert.deepEqual([pruned.ahead, pruned.kept, pruned.removed], [ahead, since, [old]])
})

test('what cannot be removed is told, and the rest is removed', async (t) => {
  const place = await folder(t)
  const config = readConfig({ SECRET_KEY: key, DATA_DIR: join(place, 'none') })
  const [first, second, last] = [
    await given(place, '2026-11-01'),
    await given(place, '2026-11-02'),
    await given(place, '2026-11-03'),
  ] as const
  const half = `${first}.0123456789ab.part`
  await writeFile(join(place, half), 'half')
  await utimes(join(place, half), 0, 0)
  const remove = async (path: string) => {
    if (path.includes(first)) throw Object.assign(new Error('no'), { code: 'EPERM' })
    await rm(path)
  }
  const { kept, removed, stuck } = await keepBackups(config, place, keepOf('1'), { ...options, remove })
  assert.deepEqual(
    [kept, removed, stuck],
    [[last], [second], [first, half].map((name) => `${name}: this user may not change it (EPERM)`)],
  )
  assert.deepEqual((await readdir(place)).sort(), [first, half, last])
})

test('backup --keep in a folder that its user may only read says so, and exits with 1', async (t) => {
  const place = await folder(t)
  const names: string[] = []
  for (const day of ['2026-11-01', '2026-11-02', '2026-11-03']) names.push(await given(place, day))
  const account = accounts.at(-1)?.[1]
  if (process.getuid?.() === 0 && !account) return t.skip('root may write anywhere, and nobody cannot run it here')
  if (account) for (const name of names) await chown(join(place, name), account.uid, account.gid)
  await chmod(place, 0o555)
  try {
    const env = cleanEnv({ SECRET_KEY: key, DATA_DIR: join(place, 'none') })
    const kept = startProgram([process.execPath, mainFile, 'backup', '--keep', '1', place], { account, env })
    const why = 'this user may not write there (EACCES)'
    assert.deepEqual(
      [await kept.ended, kept.output()],
      [1, `Kept 1 backup, removed 0\nCould not be removed: ${names[1]}: ${why}; ${names[0]}: ${why}\n`],
    )
    assert.deepEqual((await readdir(place)).sort(), names)
  } finally {
    await chmod(place, 0o755)
  }
})

test('what killed backups left in a folder is removed, and nothing younger or of another name', async (t) => {
  const place = await folder(t)
  const stays = [
    backupName(new Date('2026-11-02T02:15:00Z')),
    `${backupName(new Date('2026-11-03T02:15:00Z'))}.0123456789ab.part`,
    'mine.tar.gz.0123456789ab.part',
  ]
  const killed = `${backupName(new Date('2026-11-01T02:15:00Z'))}.0123456789ab.part`
  for (const name of [...stays, killed]) await writeFile(join(place, name), 'half')
  for (const name of [stays[0], stays[2]]) await utimes(join(place, name as string), 0, 0)
  // Killed in the night before.
  const then = new Date(Date.now() - 23 * 3_600_000)
  await utimes(join(place, killed), then, then)
  assert.deepEqual(await removeAbandoned(place, systemClock), [])
  assert.deepEqual((await readdir(place)).sort(), stays.sort())
  assert.deepEqual(await removeAbandoned(join(place, 'missing'), systemClock), [])
})

test('a backup that waits for its next bytes is not taken for a killed one', async (t) => {
  const place = await folder(t)
  t.mock.timers.enable({ apis: ['setInterval'] })
  const archive = await createArchive(join(place, backupName(new Date('2026-11-03T02:15:00Z'))))
  const [name] = (await readdir(place)) as [string]
  await utimes(join(place, name), 0, 0)
  t.mock.timers.tick(60_000)
  while ((await stat(join(place, name))).mtimeMs === 0) await new Promise(setImmediate)
  assert.deepEqual(await removeAbandoned(place, systemClock), [])
  await archive.discard()
  assert.deepEqual(await readdir(place), [])
})

test('a number of backups is told by its form, and a folder stands for a name by the time or for its newest', async (t) => {
  assert.deepEqual(
    [keepOf('14'), keepOf('14,12')],
    [
      { last: 14, months: 0 },
      { last: 14, months: 12 },
    ],
  )
  for (const wrong of ['0', '-1', '14,', 'all', '14 12'])
    assert.throws(() => keepOf(wrong), /is not a number of backups/)
  const place = await folder(t)
  const clock = { now: () => new Date('2026-11-26T02:15:00.123Z') }
  assert.equal(await pathFor(place, clock), join(place, 'kith-2026-11-26T021500Z.tar.gz'))
  assert.equal(await pathFor(join(place, 'mine'), clock), join(place, 'mine'))
  await assert.rejects(newestIn(place, clock), /has no backups/)
  const newest = await given(place, '2026-11-02')
  await given(place, '2026-11-01')
  // By a clock that was ahead.
  await given(place, '2027-11-03')
  assert.equal(await newestIn(place, clock), join(place, newest))
  // As /var/backups is on many machines.
  const linked = `${place}-linked`
  await symlink(place, linked)
  t.after(() => rm(linked))
  assert.equal(await newestIn(linked, clock), join(linked, newest))
  assert.equal(await pathFor(linked, clock), join(linked, 'kith-2026-11-26T021500Z.tar.gz'))
})
