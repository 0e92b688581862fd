// A drill (docs/backups.md#back-to-a-minute): a service archives, is killed in the middle, goes on, and is brought back as of a
// minute; and what a person is told when that cannot be.
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import pg from 'pg'
import { blackPng } from '../../test/corpus.ts'
import { cleanEnv, command, dataFolder, freePort, launch, mainFile, openDoors, serve } from '../../test/launch.ts'
import { becomesReady, call, register } from '../../test/process.ts'
import { uploaded } from '../../test/upload.ts'
import { eventually } from '../../test/world.ts'
import { walks } from '../app/modules.ts'
import { readConfig } from '../config.ts'
import { findRunning } from '../embedded/embedded.ts'
import { systemClock } from '../kernel/clock.ts'
import { createLog } from '../log.ts'
import { verifyInstallation } from '../verify/command.ts'
import { copyBase } from './base.ts'
import { openFolder } from './folder.ts'
import { segmentAfter } from './names.ts'
import { momentOf, restoreAt } from './restore-at.ts'

const options = { clock: systemClock, log: createLog('silent') }

/** What the archive folder has, by the ends of its names. */
const archived = async (archive: string, pattern: RegExp): Promise<string[]> => {
  const names = await readdir(archive, { recursive: true }).catch(() => [])
  return names.filter((name) => pattern.test(name)).sort()
}

async function ask(dataDir: string, sql: string): Promise<void> {
  const client = new pg.Client(await findRunning(join(dataDir, 'postgres')))
  // One of them dies with its server.
  client.on('error', () => {})
  await client.connect()
  await client.query(sql).finally(() => client.end())
}

/** A moment after everything so far, and before everything later. */
async function now(): Promise<string> {
  const moment = new Date()
  await eventually(() => new Date() > moment, 'the next millisecond')
  return moment.toISOString()
}

test('a drill: the minute before a mistake comes back, with files and tokens', async (t) => {
  const { root, dataDir, remove } = await dataFolder({ prefix: 'kith-drill-', migrated: true })
  t.after(remove)
  const archive = join(root, 'archive')
  const env = { ARCHIVE_URL: `file://${archive}` }
  const config = (folder: string) => readConfig(cleanEnv({ ...openDoors, ...env, DATA_DIR: join(root, folder) }))
  const base = () => eventually(async () => (await archived(archive, /manifest\.json$/)).at(-1), 'a base copy')

  // The archive is away at first: something else has its place.
  await writeFile(archive, '')
  const metrics = `http://127.0.0.1:${await freePort()}`
  let service = await serve(dataDir, { env: { ...env, METRICS_PORT: new URL(metrics).port } })
  const measured = async (name: string) =>
    Number(new RegExp(`^${name}\\S* (.*)$`, 'm').exec(await (await fetch(`${metrics}/metrics`)).text())?.[1])
  const ada = await register(service.url, 'ada')
  await ask(dataDir, 'select pg_switch_wal()')
  await eventually(async () => (await measured('kith_archive_waiting_bytes')) > 0, 'changes that wait')
  await eventually(async () => (await measured('kith_archive_failures_total')) > 0, 'a failure that counts')
  // An archive that is away stops nobody.
  await becomesReady(service.url)
  await rm(archive)
  // A copy that was killed takes room that the next one needs.
  const killed = join(archive, 'base/20991231T000000Z-00000001')
  await mkdir(killed, { recursive: true })
  await writeFile(join(killed, 'part-000000'), 'half')
  await base()
  assert.ok(!existsSync(killed))
  // A copy that is broken off fails, and ends nobody's process.
  const folder = join(dataDir, 'postgres')
  const brokenOff = copyBase({
    ...{ place: openFolder(join(root, 'broken off')), folder, clock: systemClock, secretKey: 'of nobody' },
    connection: (await findRunning(folder)) ?? assert.fail('no database'),
    signal: AbortSignal.abort(new Error('broken off')),
  })
  await assert.rejects(brokenOff, /^Error: broken off$/)

  const { id: picture } = await uploaded(service, ada, blackPng(8, 8))
  const { id: lost } = await uploaded(service, ada, blackPng(9, 9))
  const json = { text: 'Remember this', visibility: 'public' }
  const kept = (await call(service.url, 'POST', '/posts', { token: ada.token, json }))?.body.post
  const before = await now()
  // What must not come back, and a kill while segments are on their way.
  assert.equal((await call(service.url, 'DELETE', `/posts/${kept.id}`, ada))?.status, 200)
  await ask(dataDir, 'select pg_switch_wal()')
  const switching = ask(dataDir, 'select pg_switch_wal()').catch(() => {})
  await register(service.url, 'bob')
  service.kill('SIGKILL')
  await service.ended
  await switching
  service = await serve(dataDir, { env })
  const carol = await register(service.url, 'carol')
  assert.equal(await service.stop(), 0)
  const end = new Date().toISOString()

  await t.test('as of the minute', async () => {
    // Somebody tidied up in the archive.
    for (const each of await archived(archive, new RegExp(`${lost}\\.`))) await rm(join(archive, each))
    const { code, stdout, stderr } = await command(mainFile, ['restore', '--at', before], {
      ...env,
      DATA_DIR: join(root, 'restored'),
    })
    assert.equal(code, 0, stderr)
    const [, last = '', files] = /the changes since, up to (\S+Z)\n(\d+) files\n/.exec(stdout) ?? []
    assert.ok(last !== '' && last <= before, `${last} is not after ${before}`)
    assert.ok(Number(files) > 0)
    assert.match(stdout, new RegExp(`^The archive lacks files of attachments: ${lost} \\(docs/`, 'm'))
    assert.deepEqual((await verifyInstallation(config('restored'), walks, options)).examples, [])
    const again = await serve(join(root, 'restored'), { env })
    const { token } = ada
    assert.equal((await call(again.url, 'GET', `/posts/${kept.id}`, { token }))?.body.post.text, 'Remember this')
    const bytes = await fetch(`${again.url}/api/v1/attachments/${picture}/download`, {
      headers: { authorization: `Bearer ${token}` },
    })
    assert.equal(bytes.status, 200)
    assert.equal((await call(again.url, 'GET', '/bots/me', carol))?.status, 401, 'who came later is not there')
    // It goes on in the same archive, on a timeline of its own.
    await eventually(
      async () => (await archived(archive, /-00000002\/manifest\.json$/))[0],
      'a base copy of the restored',
    )
    assert.equal(await again.stop(), 0)
    await assert.rejects(
      restoreAt(config('restored'), undefined, options),
      /has a database already: restore into a new/,
    )
    const former = launch(dataDir, { env })
    assert.equal(await former.ended, 1)
    assert.match(former.err(), /restored from it \(timeline 00000002\), and this is the former one/)
    assert.doesNotMatch(former.output(), /cannot be written/)
  })

  await t.test('not in the future, and not before the first copy', async () => {
    assert.throws(() => momentOf('2026-11-26 23:10', new Date()), /write it with its zone/)
    assert.throws(() => momentOf('2026-11-31T00:00Z', new Date()), /write it with its zone/)
    assert.throws(() => momentOf('2100-01-01T00:00Z', new Date()), /is in the future: here it is 20/)
    await assert.rejects(
      restoreAt(config('early'), momentOf('2026-01-01T00:00Z', new Date()), options),
      /The archive begins at .*: restore a backup to go back further/,
    )
    assert.ok(!existsSync(join(root, 'early')))
  })

  await t.test('after the end of the archive, and over a missing segment', async () => {
    for (const each of await archived(archive, /-00000002$/)) await rm(join(archive, each), { recursive: true })
    await assert.rejects(
      restoreAt(config('late'), momentOf(end, new Date()), options),
      /The archive ends with a change of .*, before .*: --at latest brings back all that it has/,
    )
    const segments = await archived(archive, /00000001[0-9A-F]{16}\.zst$/)
    const missing = segments.at(-2) as string
    await rm(join(archive, missing))
    const name = missing.slice(-28, -4)
    const gap = new RegExp(`Segment ${name} is missing from the archive, which continues with ${segmentAfter(name)}`)
    await assert.rejects(restoreAt(config('late'), undefined, options), gap)
    await assert.rejects(restoreAt(config('late'), momentOf(end, new Date()), options), gap)
    await rm(join(archive, (await archived(archive, /part-000000$/))[0] as string))
    const broken = /Part 0 of the base copy (\S+) is missing: move base\/\1 out of the archive, and repeat the restore/
    await assert.rejects(restoreAt(config('late'), momentOf(end, new Date()), options), broken)
    assert.deepEqual(
      await readdir(root).then((names) => names.filter((each) => each === 'late')),
      [],
      'nothing is left',
    )
  })
})
