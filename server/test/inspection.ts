// Runs inspections of bytes in tests: as the service does, in a process of its own, or right here where what is
// tested is only what is found.
import { mkdtemp, open, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import { type FileFormat, isWorkingSource, type Purpose, smallFile } from '../src/inspect/formats.ts'
import { createInspector, type Inspection, type Inspector } from '../src/inspect/inspect.ts'
import type { InspectionTask } from '../src/inspect/inspectors.ts'
import { conclude, type Finding, type Prepare } from '../src/inspect/look.ts'
import { createLog } from '../src/log.ts'
import { type DerivedName, derivedNames } from '../src/storage/keys.ts'

const mebibyte = 1024 * 1024
const never = new AbortController().signal

const folder = await mkdtemp(join(tmpdir(), 'kith-inspection-'))
after(() => rm(folder, { recursive: true, force: true }))
let files = 0

/** A file's name, or a descriptor, for each thing that can be derived. */
export const forDerived = <T>(make: (name: DerivedName) => T): Record<DerivedName, T> =>
  Object.fromEntries(derivedNames.map((name) => [name, make(name)])) as Record<DerivedName, T>

/** A file of these bytes, and a task for it with room for what is derived. */
export async function taskOf(
  format: FileFormat,
  bytes: Uint8Array,
  purpose: Purpose = 'order',
): Promise<InspectionTask> {
  const path = join(folder, String(files++))
  await writeFile(path, bytes)
  const derivedBytes = isWorkingSource(format, purpose) ? 0 : 28 * mebibyte - smallFile
  return { path, format, purpose, derivedPaths: forDerived((name) => `${path}.${name}`), derivedBytes }
}

export const inspector: Inspector = createInspector({ log: createLog('silent') })

/** The outcome, and the bytes of what was derived, empty if it was not. */
export async function inspect(
  format: FileFormat,
  bytes: Uint8Array,
  options: { purpose?: Purpose; derivedBytes?: number } = {},
): Promise<Inspection & { image: Buffer; bytesOf: (name: DerivedName) => Promise<Buffer> }> {
  const task = await taskOf(format, bytes, options.purpose)
  const inspection = await inspector.inspect({ ...task, ...options }, never)
  const bytesOf = (name: DerivedName): Promise<Buffer> => readFile(task.derivedPaths[name])
  return { ...inspection, image: await bytesOf('preview'), bytesOf }
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
  const original = await open(task.path, 'r')
  const files = await Promise.all(derivedNames.map((name) => open(task.derivedPaths[name], 'w')))
  try {
    const finding = await conclude(look, {
      format,
      purpose: task.purpose,
      original: original.fd,
      originalBytes: bytes.length,
      derived: forDerived((name) => files[derivedNames.indexOf(name)]?.fd ?? -1),
      derivedBytes: task.derivedBytes,
    })
    return { finding, image: await readFile(task.derivedPaths.preview) }
  } finally {
    await Promise.all([original, ...files].map((file) => file.close()))
  }
}
