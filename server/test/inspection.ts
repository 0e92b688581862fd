// Runs inspections of bytes in tests: as the service does, in a process of its own, or right here where what is
// tested is only what is found.
import { mkdtemp, open, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import { type FileFormat, isWorkingSource, type Purpose, smallFile } from '../src/inspect/formats.ts'
import { createInspector, type Inspection, type InspectionTask, type Inspector } from '../src/inspect/inspect.ts'
import { conclude, type Finding, type Prepare } from '../src/inspect/look.ts'
import { createLog } from '../src/log.ts'

const mebibyte = 1024 * 1024
const never = new AbortController().signal

const folder = await mkdtemp(join(tmpdir(), 'kith-inspection-'))
after(() => rm(folder, { recursive: true, force: true }))
let files = 0

/** A file of these bytes, and a task for it with room for what is derived. */
export async function taskOf(
  format: FileFormat,
  bytes: Uint8Array,
  purpose: Purpose = 'order',
): Promise<InspectionTask> {
  const path = join(folder, String(files++))
  await writeFile(path, bytes)
  const derivedBytes = isWorkingSource(format, purpose) ? 0 : 28 * mebibyte - smallFile
  return { path, format, purpose, previewPath: `${path}.preview`, playbackPath: `${path}.playback`, derivedBytes }
}

export const inspector: Inspector = createInspector({ log: createLog('silent') })

/** The outcome, and the bytes of the preview where there is one. */
export async function inspect(
  format: FileFormat,
  bytes: Uint8Array,
  options: { purpose?: Purpose; derivedBytes?: number } = {},
): Promise<Inspection & { image: Buffer }> {
  const task = await taskOf(format, bytes, options.purpose)
  const inspection = await inspector.inspect({ ...task, ...options }, never)
  return { ...inspection, image: await readFile(task.previewPath) }
}

/** What one inspection finds, without a process of its own. */
export async function lookAt(
  prepare: Prepare,
  format: FileFormat,
  bytes: Uint8Array,
  options: { purpose?: Purpose; derivedBytes?: number } = {},
): Promise<{ finding: Finding; image: Buffer }> {
  const task = { ...(await taskOf(format, bytes, options.purpose)), ...options }
  const look = await prepare(format, task.purpose)
  const [original, preview, playback] = await Promise.all([
    open(task.path, 'r'),
    open(task.previewPath, 'w'),
    open(task.playbackPath, 'w'),
  ])
  try {
    const finding = await conclude(look, {
      format,
      purpose: task.purpose,
      original: original.fd,
      originalBytes: bytes.length,
      preview: preview.fd,
      playback: playback.fd,
      derivedBytes: task.derivedBytes,
    })
    return { finding, image: await readFile(task.previewPath) }
  } finally {
    await Promise.all([original.close(), preview.close(), playback.close()])
  }
}
