// What an archive promises (docs/backups.md#back-to-a-minute) where no server is needed: names, places, the room that waiting
// changes may take, and what a prune leaves.
import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, utimes, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { after, before, type TestContext, test } from 'node:test'
import { zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import { pluck } from '../../test/pluck.ts'
import { scratchPlace } from '../../test/scratch.ts'
import { noSwift, type Swift, startSwift } from '../../test/swift.ts'
import { eventually } from '../../test/world.ts'
import { readConfig } from '../config.ts'
import { ownAccount } from '../embedded/account.ts'
import { supplyFolder } from '../embedded/settings.ts'
import type { BaseManifest } from './base.ts'
import { claim, listBases, pruneArchive, removeUnfinished, segmentsOf } from './bases.ts'
import { openFolder } from './folder.ts'
import { createMirror } from './mirror.ts'
import { keyOfLogFile, labelOf, labelOfKey, logFileOf, manifestOf, partOf, segmentAfter } from './names.ts'
import { openPlace } from './open.ts'
import type { Place } from './place.ts'
import { isOutdated } from './sender.ts'
import { openSpool } from './spool.ts'
import { startSupply } from './supply.ts'

async function folder(t: TestContext): Promise<string> {
  const path = await mkdtemp(join(scratchPlace(), 'kith-wal-'))
  t.after(() => rm(path, { recursive: true, force: true }))
  return path
}

let swift: Swift | undefined
before(async () => {
  if (!noSwift) swift = await startSwift()
})
after(() => swift?.stop())

test('segments follow each other over the end of a log, and only names of ours are taken for them', () => {
  assert.equal(segmentAfter('00000001000000000000000A'), '00000001000000000000000B')
  assert.equal(segmentAfter('0000000200000009000000FF'), '000000020000000A00000000')
  const key = keyOfLogFile('0000000200000009000000FF')
  assert.equal(key, 'wal/0000000200000009/0000000200000009000000FF.zst')
  assert.equal(logFileOf(key), '0000000200000009000000FF')
  for (const alien of ['wal/x/0000000200000009000000FF.zst', 'wal/../notes.zst', 'base/readme', 'wal/readme.txt']) {
    assert.equal(logFileOf(alien), undefined, alien)
    assert.equal(labelOfKey(alien), undefined, alien)
  }
  const label = labelOf(new Date('2026-11-26T23:10:05.678Z'), '00000001')
  assert.equal(label, '20261126T231005Z-00000001')
  assert.equal(labelOfKey(partOf(label, 7)), label)
})

for (const kind of ['a folder', 'a bucket'] as const) {
  test(`${kind} keeps what it has under a name`, { skip: kind === 'a bucket' && noSwift }, async (t) => {
    const path = await folder(t)
    const url = kind === 'a folder' ? `file://${join(path, 'archive')}` : (swift as Swift).url()
    const place = await openPlace(readConfig({ ARCHIVE_URL: url }).archive?.place as never)
    t.after(() => place.close())
    const key = keyOfLogFile('000000010000000000000001')
    await place.put(key, Buffer.from('one'))
    await place.put(key, Buffer.from('one'))
    await assert.rejects(place.put(key, Buffer.from('two')), /the archive has another wal\/.*: another database writes/)
    assert.equal(String(await place.get(key)), 'one')
    assert.equal(await place.get('base/none'), undefined)
    await writeFile(join(path, 'picture'), 'bytes')
    await place.put('files/0197a0/picture', { path: join(path, 'picture') })
    await place.put('files/0197a0/picture', { path: join(path, 'picture') })
    await place.fetch('files/0197a0/picture', join(path, 'copy'))
    assert.equal(await readFile(join(path, 'copy'), 'utf8'), 'bytes')
    if (kind === 'a bucket') {
      // A service may have kept a part of a file that it refused.
      await place.put('files/0197a0/half', Buffer.from('by'))
      await place.put('files/0197a0/half', { path: join(path, 'picture') })
      assert.equal(String(await place.get('files/0197a0/half')), 'bytes')
      await place.remove('files/0197a0/half')
    }
    const listed = async (prefix: string) => (await Array.fromAsync(place.list(prefix))).map((each) => each.key)
    assert.deepEqual(await listed('wal/00000001'), [key])
    assert.deepEqual(await listed('files/'), ['files/0197a0/picture'])
    assert.deepEqual(await listed('base/'), [])
    await place.tidy()
    assert.deepEqual(await listed('files/'), ['files/0197a0/picture'])
    await place.remove(key)
    await place.remove(key)
    assert.deepEqual(await listed('wal/'), [])
    await claim(place, '71')
    await claim(place, '71')
    await assert.rejects(claim(place, '72'), /is the archive of another database: choose another place/)
  })
}

test('what a killed process had begun to write to a folder goes, and what is being written stays', async (t) => {
  const path = await folder(t)
  const archive = join(path, 'archive')
  const place = openFolder(archive)
  const begun = ['wal/0000000100000000', 'files/0197a0', 'base/20261126T231005Z-00000001'].map((parent) =>
    join(archive, parent, `.part-${randomUUID()}`),
  )
  for (const part of begun) {
    await mkdir(dirname(part), { recursive: true })
    await writeFile(part, 'half')
  }
  const note = join(archive, 'files/.part-of-my-own')
  await writeFile(note, 'not an archive’s')
  await writeFile(join(path, 'picture'), randomBytes(8 * 1024 * 1024))
  const writing = place.put('files/0197a1/picture', { path: join(path, 'picture') })
  await place.tidy()
  await writing
  for (const part of begun) assert.ok(!existsSync(part), part)
  assert.ok(!existsSync(dirname(begun[2] as string)), 'no folder of a copy that never was')
  assert.ok(existsSync(note))
  assert.deepEqual(pluck(await Array.fromAsync(place.list('files/')), 'key'), [
    'files/.part-of-my-own',
    'files/0197a1/picture',
  ])
})

/** As PostgreSQL leaves its finished segments. */
async function finished(data: string, ...names: string[]): Promise<void> {
  await mkdir(join(data, 'pg_wal/archive_status'), { recursive: true })
  for (const name of names) {
    await writeFile(join(data, 'pg_wal', name), `changes of ${name}`)
    await writeFile(join(data, 'pg_wal/archive_status', `${name}.ready`), '')
  }
}

test('finished segments are kept compressed in their order, and their marks go with them', async (t) => {
  const path = await folder(t)
  const data = join(path, 'data')
  const [one, two, origin] = ['000000020000000000000001', '000000020000000000000002', '00000002.history']
  await finished(data, two, one, origin)
  await mkdir(join(path, 'archive'))
  await writeFile(join(path, 'archive', `${two}.zst.part`), 'of a process that was killed')
  const spool = await openSpool({ folder: path, limit: 1e9, onGap: () => assert.fail('no gap') })
  await spool.take()
  const waiting = await spool.waiting()
  assert.deepEqual(pluck(waiting, 'name'), [origin, one, two])
  assert.equal(String(zstdDecompressSync(await readFile(waiting[1]?.path as string))), `changes of ${one}`)
  assert.deepEqual(await readdir(join(data, 'kith-taken')), [origin, one, two].sort())
  await spool.take()
  assert.equal((await spool.waiting()).length, 3, 'taken over once')
  await rm(join(data, 'pg_wal/archive_status', `${one}.ready`))
  await spool.take()
  assert.deepEqual(await readdir(join(data, 'kith-taken')), [origin, two].sort())
  await finished(data, '000000020000000000000003')
  await rm(join(data, 'pg_wal/000000020000000000000003'))
  await symlink('/etc/passwd', join(data, 'pg_wal/000000020000000000000003'))
  await assert.rejects(spool.take(), { code: 'ELOOP' }, 'a link of the user of PostgreSQL is not followed')
})

test('what waits takes so much room and no more: then it is given up, and that is told before', async (t) => {
  const path = await folder(t)
  const data = join(path, 'data')
  const names = ['000000010000000000000001', '000000010000000000000002', '000000010000000000000003']
  await finished(data, names[0] as string)
  const told: number[] = []
  const onGap = async (): Promise<void> => void told.push((await readdir(join(path, 'archive'))).length)
  await (await openSpool({ folder: path, limit: 1e9, onGap })).take()
  const [first] = await (await openSpool({ folder: path, limit: 1e9, onGap })).waiting()
  const spool = await openSpool({ folder: path, limit: (first?.bytes ?? 0) + 1, onGap })
  await spool.take()
  assert.deepEqual([told, spool.gaps()], [[], 0])
  await finished(data, names[1] as string)
  await spool.take()
  assert.deepEqual([told, spool.gaps()], [[2], 1])
  assert.deepEqual(await spool.waiting(), [])
  assert.deepEqual(await readdir(join(data, 'kith-taken')), names.slice(0, 2), 'PostgreSQL may recycle all of them')
  await finished(data, names[2] as string)
  await spool.take()
  assert.equal((await spool.waiting()).length, 1, 'the next ones wait again')

  const full = '000000010000000000000004'
  await finished(data, full)
  await symlink('/dev/full', join(path, 'archive', `${full}.zst.part`))
  await spool.take()
  assert.equal(spool.gaps(), 2, 'the disk is full')
  assert.deepEqual(await readdir(join(path, 'archive')), [], 'nothing takes room that the database needs')
})

test('a recovery is told at once of a segment that cannot be read, and gets no more', async (t) => {
  const path = await folder(t)
  const place = openFolder(join(path, 'archive'))
  const [good, damaged, later] = [1, 2, 3].map((number) => `00000001000000000000000${number}`) as [
    string,
    string,
    string,
  ]
  for (const name of [good, later]) await place.put(keyOfLogFile(name), zstdCompressSync(Buffer.from(name)))
  await place.put(keyOfLogFile(damaged), Buffer.from('no segment'))
  const segments = new Set([good, damaged, later])
  const told: string[] = []
  const given = {
    dataFolder: path,
    account: ownAccount(),
    signal: undefined,
    told: (name: string) => void told.push(name),
  }
  const supply = await startSupply({ place, segments, ...given })
  const supplied = join(path, supplyFolder)
  // As PostgreSQL does, which waits until this is gone.
  const ask = async (name: string): Promise<boolean> => {
    await writeFile(join(supplied, `${name}.wanted`), '')
    await eventually(() => !existsSync(join(supplied, `${name}.wanted`)), `an answer about ${name}`)
    return existsSync(join(supplied, name))
  }
  t.after(() => supply.stop())
  assert.ok(await ask(good))
  // It was looked at ahead already, and is not needed before it is asked for.
  assert.equal(supply.failure(), undefined)
  assert.deepEqual([await ask(damaged), await ask(later)], [false, false])
  assert.match(String(supply.failure()), /^Error: Segment 000000010000000000000002 of the archive is damaged$/)
  assert.deepEqual(told, [good])
})

async function givenBase(place: Place, finishedAt: string, segment: string): Promise<string> {
  const timeline = '00000001'
  const label = labelOf(new Date(finishedAt), timeline)
  await place.put(partOf(label, 0), Buffer.from('part'))
  const manifest = { label, finished_at: finishedAt, start_segment: timeline + segment } as BaseManifest
  await place.put(manifestOf(label), Buffer.from(JSON.stringify(manifest)))
  return label
}

test('a prune keeps every minute of its days, what is newest, and all that is not of an archive', async (t) => {
  const path = await folder(t)
  const place = openFolder(path)
  const segment = (number: number) => `0000000${number.toString(16).toUpperCase().padStart(9, '0')}`
  const log = (number: number) => `00000001${segment(number)}`
  for (let number = 1; number <= 9; number++) await place.put(keyOfLogFile(log(number)), Buffer.from('changes'))
  await place.put(keyOfLogFile('00000002.history'), Buffer.from('origin'))
  await givenBase(place, '2026-11-01T00:00:00.000Z', segment(2))
  const second = await givenBase(place, '2026-11-10T00:00:00.000Z', segment(4))
  const third = await givenBase(place, '2026-11-20T00:00:00.000Z', segment(7))
  // One that was broken off, and one that is on its way.
  const broken = labelOf(new Date('2026-11-11T00:00:00Z'), '00000001')
  const coming = labelOf(new Date('2026-11-26T00:00:00Z'), '00000001')
  for (const label of [broken, coming]) await place.put(partOf(label, 0), Buffer.from('part'))
  await writeFile(join(path, 'base/readme'), 'ours')
  await writeFile(join(path, 'wal/notes.zst'), 'ours')
  const now = new Date('2026-11-26T12:00:00Z')
  // The 14 days begin on the 12th: the copy of the 10th is their first.
  assert.ok((await pruneArchive(place, { keepDays: 14, now })) > 0)
  const labels = async () => (await listBases(place)).map(({ label }) => label)
  assert.deepEqual(await labels(), [second, third])
  assert.deepEqual(await segmentsOf(place, '00000001'), [4, 5, 6, 7, 8, 9].map(log))
  assert.ok(existsSync(join(path, 'base/readme')) && existsSync(join(path, 'wal/notes.zst')))
  assert.ok(await place.get(keyOfLogFile('00000002.history')))
  assert.ok(!(await place.get(partOf(broken, 0))) && (await place.get(partOf(coming, 0))))
  assert.equal(await pruneArchive(place, { keepDays: 14, now }), 0)
  await removeUnfinished(place, '00000002')
  assert.ok(await place.get(partOf(coming, 0)), 'of another timeline')
  await removeUnfinished(place, '00000001')
  assert.ok(!existsSync(join(path, 'base', coming)))
  await pruneArchive(place, { keepDays: 1, now: new Date('2027-11-26T12:00:00Z') })
  assert.deepEqual(await labels(), [third], 'the newest stays, however old')
  assert.deepEqual(await segmentsOf(place, '00000001'), [7, 8, 9].map(log))
})

test('a base copy of a clock that was a year ahead is outdated, and one of a clock that was seconds ahead is not', () => {
  const now = new Date('2026-11-26T23:10:00Z')
  const outdated = ['2026-11-19T23:10:00Z', '2026-11-20T23:10:00Z', '2026-11-26T23:10:05Z', '2027-11-26T23:10:00Z'].map(
    (finished) => isOutdated(new Date(finished), now, 7),
  )
  assert.deepEqual(outdated, [true, false, false, true])
})

test('files are copied once, and go from the archive some days after they have gone from the storage', async (t) => {
  const path = await folder(t)
  const storage = join(path, 'files')
  const place = openFolder(join(path, 'archive'))
  const keys = async () => (await Array.fromAsync(place.list('files/'))).map(({ key }) => key)
  const mirror = createMirror(place, storage, join(path, 'gone.json'))
  const { signal } = new AbortController()
  await mirror.copy(signal)
  await mkdir(join(storage, '0197a0'), { recursive: true })
  await mkdir(join(storage, '.incoming'))
  await writeFile(join(storage, '.incoming/coming'), 'x')
  const names = ['one', 'two', 'three']
  for (const [at, name] of names.entries()) {
    await writeFile(join(storage, '0197a0', name), name)
    await utimes(join(storage, '0197a0'), at, at)
    await mirror.copy(signal)
    await mirror.copy(signal)
    await mirror.copy(signal)
    assert.equal((await keys()).length, at + 1, `${name} is seen by the change of its folder`)
  }
  await rm(join(storage, '0197a0/two'))
  const day = (number: number) => new Date(Date.UTC(2026, 10, number))
  await mirror.prune(day(1), 14)
  await mirror.prune(day(15), 14)
  assert.equal((await keys()).length, 3, 'every minute of 14 days may need it')
  await mirror.prune(day(16), 14)
  assert.deepEqual(await keys(), ['files/0197a0/one', 'files/0197a0/three'])
})
