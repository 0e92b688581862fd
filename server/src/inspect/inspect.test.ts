// An inspection as the service asks for it: what comes back, what is written, and what is said of it in the log.
import assert from 'node:assert/strict'
import { readFile, stat, symlink } from 'node:fs/promises'
import { test } from 'node:test'
import fc from 'fast-check'
import pino from 'pino'
import * as corpus from '../../test/corpus.ts'
import * as sources from '../../test/corpus-sources.ts'
import { inspector, taskOf } from '../../test/inspection.ts'
import { createMetrics } from '../metrics.ts'
import { createInspector, readReport } from './inspect.ts'

const never = new AbortController().signal

test('an inspection leaves the original unchanged and the derived files private', async () => {
  const bytes = await corpus.jpeg({ metadata: 'Ada' })
  const task = await taskOf('jpeg', bytes, 'avatar')
  const inspection = await inspector.inspect(task, never)
  assert.equal(inspection.outcome, 'ready')
  assert.deepEqual(await readFile(task.path), bytes)
  for (const path of Object.values(task.derivedPaths)) assert.equal((await stat(path)).mode & 0o777, 0o600)
})

test('two simultaneous inspections do not affect each other', async () => {
  const tasks = await Promise.all([
    taskOf('png', await corpus.png({ width: 30, height: 20 })),
    taskOf('zip', sources.zip()),
    taskOf('pdf', corpus.cut(corpus.pdf(), 0.5)),
    taskOf('jpeg', await corpus.jpeg({ width: 20, height: 30 })),
  ])
  const found = await Promise.all(tasks.map((task) => inspector.inspect(task, never)))
  const widths = found.map((each) => (each.outcome === 'ready' ? each.facts.width : each.reason))
  assert.deepEqual(widths, [30, null, 'broken', 20])
})

test('without Linux sandboxing the outcomes are the same', async () => {
  const bare = createInspector({ log: pino({ level: 'silent' }), means: { prefix: [], prlimit: false } })
  for (const [format, bytes, outcome] of [
    ['jpeg', await corpus.jpeg(), 'ready'],
    ['png', corpus.pngPromising(9000, 9000), 'rejected'],
    ['pdf', corpus.pdf(), 'ready'],
    ['svg', sources.svg(), 'ready'],
    ['zip', corpus.cut(sources.zip(), 0.5), 'rejected'],
  ] as const) {
    assert.equal((await bare.inspect(await taskOf(format, bytes), never)).outcome, outcome, format)
  }
})

test('a failed inspection is not an outcome', async () => {
  const task = await taskOf('zip', sources.zip())
  await assert.rejects(inspector.inspect({ ...task, path: `${task.path}.none` }, never), { code: 'ENOENT' })
  await symlink(task.path, `${task.path}.link`)
  await assert.rejects(inspector.inspect({ ...task, path: `${task.path}.link` }, never), { code: 'ELOOP' })
  const reason = new Error('the service stops')
  await assert.rejects(inspector.inspect(task, AbortSignal.abort(reason)), reason)
  const unstartable = createInspector({
    log: pino({ level: 'silent' }),
    means: { prefix: ['/nonexistent/setpriv'], prlimit: false },
  })
  await assert.rejects(unstartable.inspect(task, never), { code: 'ENOENT' })
  assert.equal(unstartable.canRun(), false)
})

test('a full disk is no outcome either, and no fault of the inspections', async () => {
  const own = createInspector({ log: pino({ level: 'silent' }) })
  const task = await taskOf('jpeg', await corpus.jpeg())
  const derivedPaths = { ...task.derivedPaths, preview: '/dev/full' }
  await assert.rejects(own.inspect({ ...task, derivedPaths }, never), { code: 'ENOSPC' })
  assert.equal(own.canRun(), true)
})

test('the log and the metrics record the result, and nothing about the file', async () => {
  const lines: string[] = []
  const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(line) })
  const metrics = createMetrics()
  const observed = createInspector({ log, metrics })
  const [sound, hostile] = [
    await taskOf('zip', sources.zip([{ name: 'secret' }])),
    await taskOf('pdf', corpus.nestedPdf()),
  ]
  assert.equal((await observed.inspect(sound, never)).outcome, 'ready')
  assert.deepEqual(await observed.inspect({ ...hostile, derivedBytes: 1 }, never), {
    outcome: 'rejected',
    reason: 'limits',
  })
  assert.doesNotMatch(lines.join(''), /secret|kith-inspection/)
  const text = await metrics.registry.metrics()
  assert.match(text, /kith_inspection_seconds_count\{format="zip",outcome="ready"\} 1/)
  assert.match(text, /kith_inspection_seconds_count\{format="pdf",outcome="rejected"\} 1/)
})

test('a report with any other field is invalid', () => {
  const facts = {
    width: 64,
    height: 48,
    durationMilliseconds: null,
    framesPerSecond: 29.97,
    videoCodec: 'h264',
    audioCodec: null,
  }
  const report = (value: unknown): ReturnType<typeof readReport> => readReport(`${JSON.stringify(value)}\n`)
  assert.deepEqual(report({ outcome: 'ready', facts }), { outcome: 'ready', facts })
  assert.deepEqual(report({ outcome: 'ready', facts, preview: 1 }), { outcome: 'ready', facts })
  assert.deepEqual(report({ outcome: 'rejected', reason: 'codec' }), { outcome: 'rejected', reason: 'codec' })
  for (const nonsense of [
    null,
    [],
    {},
    { outcome: 'ready' },
    { outcome: 'ready', facts: {} },
    { outcome: 'ready', facts: { ...facts, width: '64' } },
    { outcome: 'ready', facts: { ...facts, width: -1 } },
    { outcome: 'ready', facts: { ...facts, width: 1e300 } },
    { outcome: 'ready', facts: { ...facts, videoCodec: '<script>' } },
    { outcome: 'ready', facts: { ...facts, audioCodec: 'a'.repeat(33) } },
    { outcome: 'rejected' },
    { outcome: 'rejected', reason: 'because' },
  ]) {
    assert.equal(report(nonsense), undefined, JSON.stringify(nonsense))
  }
  for (const text of [undefined, '', 'words', '{}{}', `${JSON.stringify({ outcome: 'ready', facts })}words`]) {
    assert.equal(readReport(text), undefined)
  }
  fc.assert(fc.property(fc.json(), (text) => readReport(text) === undefined))
})
