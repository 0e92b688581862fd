// Inspectors that are kept for one image after another: whose, for how long, and what one that was taken over gets at.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import pino from 'pino'
import * as corpus from '../../test/corpus.ts'
import { taskOf } from '../../test/inspection.ts'
import { createMetrics } from '../metrics.ts'
import { createInspector, type Inspection, type Inspector } from './inspect.ts'
import type { Script } from './inspectors.fixture.ts'
import type { InspectionTask } from './inspectors.ts'
import { type Keeping, mayKeep } from './inspectors.ts'
import { startKept } from './kept.ts'
import { findMeans } from './means.ts'

const script = fileURLToPath(new URL('inspectors.fixture.ts', import.meta.url))
const means = await findMeans(script)
const filtered = { skip: means.own?.includes('seccomp') ? false : 'without a filter none is kept' }
const never = new AbortController().signal

const picture = async (width: number): Promise<string> => (await corpus.jpeg({ width, height: 20 })).toString('base64')
const [one, two] = [await picture(30), await picture(40)]

/** One that waits for no spare and gives up nothing soon, unless the story says so. */
function keeper(keeping: Partial<Keeping> = {}, instead: { script?: string } = { script }) {
  const metrics = createMetrics()
  const lasting = { idleMilliseconds: 600_000, spareAfterMilliseconds: 600_000 }
  const log = pino({ level: 'silent' })
  const inspector = createInspector({ log, metrics, means, keeping: { ...lasting, ...keeping }, ...instead })
  after(() => inspector.close())
  const ended = async (): Promise<Record<string, number>> => {
    const { values } = await metrics.inspectorsEnded.get()
    return Object.fromEntries(values.map(({ labels, value }) => [String(labels['reason']), value]))
  }
  const count = async (name: 'inspectors' | 'inspectorsStarted' | 'inspectorsReused'): Promise<number> =>
    (await metrics[name].get()).values[0]?.value ?? 0
  return { inspector, ended, count }
}

interface Sending extends Partial<Script> {
  slot?: number
  purpose?: InspectionTask['purpose']
}

async function send(inspector: Inspector, ownerId: string, { slot = 1, purpose = 'order', ...says }: Sending = {}) {
  const task = await taskOf('jpeg', Buffer.from(JSON.stringify({ picture: one, ...says })), purpose)
  const inspection = await inspector.inspect({ ...task, slot, ownerId }, never)
  const derived = await readFile(task.derivedPaths.preview, 'base64').catch(() => '')
  return { ...inspection, files: filesOf(inspection), derived }
}

/** How many files its process had, this one among them. */
const filesOf = (inspection: Inspection): number | string | null =>
  inspection.outcome === 'ready' ? inspection.facts.width : inspection.reason

const until = async (holds: () => Promise<boolean>): Promise<void> => {
  while (!(await holds())) await sleep(10)
}

test("a process serves one sender and one purpose, and never sees another sender's file", filtered, async () => {
  const { inspector, ended, count } = keeper()
  // The first file takes it over: from now on it gives that picture for every other.
  assert.equal((await send(inspector, 'ada', { deed: 'remember', picture: one })).derived, one)
  const next = await send(inspector, 'ada', { picture: two })
  assert.deepEqual([next.files, next.derived], [2, one], 'of the same sender it can')
  for (const [owner, purpose] of [
    ['bea', 'order'],
    ['ada', 'order'],
    ['ada', 'portfolio'],
    ['bea', 'portfolio'],
  ] as const) {
    const other = await send(inspector, owner, { picture: two, purpose })
    assert.deepEqual([other.files, other.derived], [1, two], `${owner} ${purpose}`)
  }
  assert.deepEqual(await ended(), { place: 4 })
  assert.deepEqual([await count('inspectors'), await count('inspectorsReused')], [1, 1])
  // Without a sender, or for what is looked into once, its place is taken.
  const task = await taskOf('jpeg', Buffer.from(JSON.stringify({ picture: one })))
  assert.equal(filesOf(await inspector.inspect({ ...task, slot: 1 }, never)), 1)
  assert.equal(await count('inspectors'), 0)
  await inspector.close()
})

test('twenty simultaneous uploads of four senders get the right images', filtered, async () => {
  const { inspector, count } = keeper({ spareAfterMilliseconds: 0 })
  const pictures = await Promise.all([31, 32, 33, 34].map(picture))
  const jobs = Array.from({ length: 20 }, (_, at) => at % 4)
  const atSlot = async (slot: number): Promise<void> => {
    for (let sender = jobs.pop(); sender !== undefined; sender = jobs.pop()) {
      const sent = { slot, picture: pictures[sender] as string, deed: 'remember' as const }
      assert.equal((await send(inspector, `sender ${sender}`, sent)).derived, pictures[sender])
    }
  }
  await Promise.all([atSlot(1), atSlot(2)])
  await inspector.close()
  assert.equal(await count('inspectors'), 0)
})

test('work that a process does between files changes nothing, and uses no CPU time', filtered, async () => {
  const { inspector, ended } = keeper()
  // It may be in time for its own file, and for no other.
  const late = await send(inspector, 'ada', { deed: 'late' })
  assert.ok([1, 'broken'].includes(late.files ?? ''), String(late.files))
  for (const [owner, deed] of [
    ['bea', undefined],
    ['cleo', 'spin'],
  ] as const) {
    const sent = await send(inspector, owner, { picture: two, ...(deed && { deed }) })
    assert.deepEqual([sent.files, sent.derived], [1, two])
  }
  const [pid] = await fixtures()
  const spent = async (): Promise<string> =>
    (await readFile(`/proc/${pid}/stat`, 'utf8')).split(' ').slice(13, 15).join()
  await until(async () => /^State:\s+T/m.test(await readFile(`/proc/${pid}/status`, 'utf8')))
  const before = await spent()
  await sleep(100)
  assert.equal(await spent(), before)
  const { place = 0, failed = 0 } = await ended()
  assert.equal(place + failed, 2)
  await inspector.close()
  assert.deepEqual(await fixtures(), [])
})

/** The processes that are kept by this one, or by another service. */
async function fixtures(service = process.pid): Promise<string[]> {
  const found: string[] = []
  for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
    const [program, ...rest] = await readFile(`/proc/${pid}/cmdline`, 'utf8').then(
      (line) => line.split('\0'),
      () => [''],
    )
    if (
      program === process.execPath &&
      rest.includes(script) &&
      rest.includes('images') &&
      (await isBelow(pid, service))
    )
      found.push(pid)
  }
  return found
}

/** Its ancestors are the layers that confine it, and the service. */
async function isBelow(pid: string, service: number): Promise<boolean> {
  for (let at = pid, generations = 0; Number(at) > 1 && generations < 5; generations++) {
    at = /^PPid:\s+(\d+)/m.exec(await readFile(`/proc/${at}/status`, 'utf8').catch(() => ''))?.[1] ?? '0'
    if (at === String(service)) return true
  }
  return false
}

test('the process is as confined for every file as for the first', filtered, async () => {
  const { inspector } = keeper()
  for (const files of [1, 2]) {
    const found = await send(inspector, 'ada', { deed: 'reach' })
    assert.deepEqual(found.outcome === 'ready' && [found.facts.width, found.facts.height], [files, 0])
  }
  await inspector.close()
})

test('any failure ends the process', filtered, async () => {
  const { inspector, ended } = keeper()
  for (const [deed, reason] of [
    ['die', 'broken'],
    ['lie', 'broken'],
    ['twice', 'limits'],
  ] as const) {
    assert.equal((await send(inspector, 'ada', { deed })).files, reason, deed)
  }
  assert.equal((await send(inspector, 'ada')).files, 1)
  assert.deepEqual(await ended(), { failed: 3 })
  // Against a file only a process counts that had no other one.
  assert.equal((await send(inspector, 'bea', { deed: 'slander' })).files, 1)
  assert.deepEqual(await send(inspector, 'bea', { picture: two }).then(({ files, derived }) => [files, derived]), [
    1,
    two,
  ])
  await inspector.close()
})

test('a process killed while idle is replaced', filtered, async () => {
  const { inspector, ended, count } = keeper()
  assert.equal((await send(inspector, 'ada')).files, 1)
  const [pid] = await fixtures()
  process.kill(Number(pid), 'SIGKILL')
  // Noticed before or after it is handed the file, it is not the file's fault.
  assert.equal((await send(inspector, 'ada')).files, 1)
  await send(inspector, 'ada')
  assert.deepEqual([await ended(), await count('inspectorsStarted')], [{ failed: 1 }, 2])
  await inspector.close()
})

test('no process outlives a killed service, even while suspended', filtered, async () => {
  const task = await taskOf('jpeg', Buffer.from(JSON.stringify({ picture: one })))
  const options = ['--conditions=source', '--no-warnings']
  const service = spawn(process.execPath, [...options, script, 'guard', JSON.stringify(task)])
  await new Promise((resolve) => service.stdout.once('data', resolve))
  const pids = await fixtures(service.pid)
  assert.equal(pids.length, 1)
  service.kill('SIGKILL')
  await until(async () => !existsSync(`/proc/${pids[0]}`))
})

test('a process ends after its limit of files, CPU time or memory', filtered, async () => {
  const story = async (keeping: Partial<Keeping>, deed?: Script['deed']): Promise<unknown[]> => {
    const { inspector, ended } = keeper(keeping)
    const files: unknown[] = []
    for (let at = 0; at < 3; at++) files.push((await send(inspector, 'ada', deed ? { deed } : {})).files)
    await inspector.close()
    return [files, await ended()]
  }
  assert.deepEqual(await story({ files: 2 }), [[1, 2, 1], { files: 1, stop: 1 }])
  // What it had at its start counts as well, so that only those that are well behind it are told apart.
  assert.deepEqual(await story({ cpuSeconds: 0.2 }, 'burn'), [[1, 1, 1], { spent: 3 }])
  assert.deepEqual(await story({}, 'grow'), [[1, 2, 1], { spent: 1, stop: 1 }])
})

test('with no work a spare process waits for the next file, and then ends', filtered, async () => {
  const { inspector, ended, count } = keeper({ spareAfterMilliseconds: 1 })
  assert.equal((await send(inspector, 'ada')).files, 1)
  await until(async () => (await count('inspectors')) === 2)
  const sender = (ownerId: string) => ({ ownerId, purpose: 'order', format: 'jpeg' }) as const
  assert.deepEqual(inspector.order([1, 2], sender('ada')), [1, 2])
  assert.deepEqual(inspector.order([1, 2], sender('bea')), [2, 1])
  assert.deepEqual(inspector.order([2], sender('ada')), [2])
  assert.deepEqual(inspector.order([1, 2], { ...sender('ada'), format: 'zip' }), [2, 1], 'the spare is soon made anew')
  const started = await count('inspectorsStarted')
  assert.equal((await send(inspector, 'bea', { slot: 2 })).files, 1)
  assert.equal(await count('inspectorsStarted'), started)
  // Both have a sender now: that which waited longer makes room.
  await until(async () => (await ended())['place'] === 1 && (await count('inspectors')) === 2)
  assert.deepEqual(inspector.order([1, 2], sender('bea')), [2, 1])
  await inspector.close()
  const short = keeper({ idleMilliseconds: 1 })
  await send(short.inspector, 'ada')
  await until(async () => (await short.ended())['idle'] === 1)
  assert.equal(await short.count('inspectors'), 0)
})

test('an idle process ends in its time, and an unwanted one at once', filtered, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'kith-kept-'))
  const limits = { cpuSeconds: 10, wallSeconds: 0.3, memoryBytes: 2 ** 28, fileBytes: 2 ** 20 }
  const source = join(folder, 'source')
  await writeFile(source, JSON.stringify({ deed: 'sleep', picture: one }))
  const begin = () => startKept({ script, arguments: ['images'], limits, slot: 4 }, join(folder, 'kept'), means, never)
  const [slow, aborted] = [await begin(), await begin()]
  assert.deepEqual(await readdir(folder), ['source'], 'its files have no names')
  try {
    for (const each of [slow, aborted]) assert.equal(await each.scratch.fill(source), true)
    assert.equal(await slow.scratch.fill(source), false, 'not on top of another')
    const { overrun, signal, code } = await slow.ask('{}', never)
    assert.deepEqual([overrun, signal, code], [true, 'SIGKILL', null])
    const reason = new Error('the service stops')
    await assert.rejects(aborted.ask('{}', AbortSignal.abort(reason)), reason)
  } finally {
    await Promise.all([slow.end(), aborted.end()])
    await rm(folder, { recursive: true })
  }
})

test('real images, one after another, each give their own result', filtered, async () => {
  const { inspector, count } = keeper({}, {})
  const look = async (format: 'jpeg' | 'png', bytes: Buffer): Promise<number | string | null> =>
    filesOf(await inspector.inspect({ ...(await taskOf(format, bytes)), slot: 1, ownerId: 'ada' }, never))
  assert.equal(await look('jpeg', await corpus.jpeg({ width: 1200, height: 800 })), 1200)
  assert.equal(await look('png', await corpus.png({ width: 30, height: 20 })), 30)
  assert.equal(await look('jpeg', await corpus.jpeg({ width: 20, height: 30 })), 20)
  assert.deepEqual([await count('inspectorsStarted'), await count('inspectorsReused')], [1, 2])
  assert.equal(await look('png', corpus.pngPromising(9000, 9000)), 'dimensions')
  assert.equal(await count('inspectors'), 0)
  assert.equal(await look('png', await corpus.png({ width: 31, height: 20 })), 31)
  await inspector.close()
})

test('a process that cannot be isolated is not kept', () => {
  const task = { slot: 1, ownerId: 'ada', format: 'jpeg' } as InspectionTask
  const strong = { prefix: ['setpriv'], prlimit: true, own: ['seccomp'] } as const
  assert.equal(mayKeep(task, strong), true)
  for (const weaker of [{ prefix: [] }, { prlimit: false }, { own: ['landlock'] as const }]) {
    assert.equal(mayKeep(task, { ...strong, ...weaker }), false)
  }
  for (const other of [{ format: 'mp4' }, { format: 'zip' }, { slot: undefined }, { ownerId: undefined }]) {
    assert.equal(mayKeep({ ...task, ...other } as InspectionTask, strong), false)
  }
})
