// Looks into uploaded files in a process of its own, which may die: the service itself never decodes what it was sent.
// A fresh process a file, so that nothing of one upload is left when the next is looked into; only images of one sender
// may share one, inspectors.ts. See sandbox.ts for its confinement and child.ts for its side.
import { createHash } from 'node:crypto'
import { constants, fstatSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { isDeepStrictEqual } from 'node:util'
import type { Logger } from 'pino'
import type { Metrics } from '../metrics.ts'
import { isDiskFault } from '../storage/folders.ts'
import { type DerivedName, derivedNames } from '../storage/keys.ts'
import { detect, detectBytes } from './detect.ts'
import {
  copySides,
  type FileFormat,
  isNormalised,
  isWorkingSource,
  maxSide,
  type Purpose,
  previewWidths,
  reservationBytes,
  type Sides,
} from './formats.ts'
import {
  createInspectors,
  type InspectionTask,
  type InspectorsOptions,
  type Keeping,
  type KeptTask,
  mayKeep,
} from './inspectors.ts'
import { jpegSides } from './jpeg-sides.ts'
import { diskFailed, type Finding, type MediaFacts, type RejectionReason, rejectionReasons } from './look.ts'
import { findMeans, type Layer, type Means } from './means.ts'
import { type Ending, type Limits, runConfined } from './sandbox.ts'
import { type WebCopy, webCopiesIn, webWidthsOf } from './web-copies.ts'

export interface DerivedFile {
  bytes: number
  sha256: Buffer
  /** Of a picture. */
  sides?: Sides
  /** Of copies for browsers. */
  copies?: readonly WebCopy[]
}

/** What was made of a file; the copies of the preview are proportional to it. */
export type Derived = Readonly<Partial<Record<DerivedName, DerivedFile>>>

export type Inspection =
  | { outcome: 'ready'; facts: MediaFacts; derived: Derived }
  | { outcome: 'rejected'; reason: RejectionReason }

export interface Inspector {
  /** Rejects only where the inspection itself could not be run; a hostile file is an outcome. */
  inspect(task: InspectionTask, signal: AbortSignal): Promise<Inspection>
  /** Whether the last inspection could be run; true before the first. */
  canRun(): boolean
  /** The slots in the order in which this file is inspected soonest. */
  order(slots: readonly number[], task: Pick<InspectionTask, 'format' | 'purpose' | 'ownerId'>): readonly number[]
  /** Ends the processes that wait for files. */
  close(): Promise<void>
}

const child = fileURLToPath(new URL('child.ts', import.meta.url))
const mebibyte = 1024 ** 2

/**
 * How much an inspection may take; the normalising of a video is the one that is long by nature. PDFium reads pictures
 * strip by strip, so a sound page takes little however large it is, and only a bomb takes all that it may.
 */
function limitsOf(format: FileFormat, purpose: Purpose): Omit<Limits, 'fileBytes'> {
  return isNormalised(format, purpose)
    ? { cpuSeconds: 300, wallSeconds: 900, memoryBytes: 1024 * mebibyte }
    : { cpuSeconds: 20, wallSeconds: 120, memoryBytes: (format === 'pdf' ? 320 : 768) * mebibyte }
}

interface InspectorOptions {
  readonly log: Logger
  readonly metrics?: Pick<Metrics, 'inspectionSeconds'> & NonNullable<InspectorsOptions['metrics']>
  /** What confines the process; found out at the first inspection unless given. */
  readonly means?: Means
  readonly keeping?: Partial<Keeping>
  /** What is started instead of child.ts. */
  readonly script?: string
}

/** What this machine can do is the same for all inspectors of a process, and half a dozen processes find it out. */
let machine: Promise<Means> | undefined
const meansOfMachine = (): Promise<Means> => {
  machine ??= findMeans(child)
  return machine
}

export function createInspector({ log, metrics, means, keeping, script = child }: InspectorOptions): Inspector {
  let found = means && Promise.resolve(means)
  const meansOnce = (): Promise<Means> => {
    found ??= meansOfMachine().then((means) => {
      const missing = means.layers?.filter(({ holds }) => !holds).map(({ name }) => name) ?? []
      if (missing.length > 0) {
        log.warn({ missing }, 'uploaded files are inspected under weaker limits here: kith-server doctor says why')
      }
      return means
    })
    return found
  }
  const slots = createLocalSlots()
  const imageLimits = { ...limitsOf('jpeg', 'order'), fileBytes: reservationBytes('jpeg', 'order') }
  const inspectors = createInspectors({ script, limits: imageLimits, metrics, keeping })

  async function inspect(task: InspectionTask, signal: AbortSignal): Promise<Inspection> {
    const means = await meansOnce()
    if (mayKeep(task, means)) {
      const inspection = await inspectKept(task, means, signal)
      if (inspection) return inspection
    }
    if (task.slot !== undefined) await inspectors.vacate(task.slot)
    return inspectAlone(task, means, signal)
  }

  /** Undefined if its process, which was not its own alone, has something against it: it is looked into once more. */
  async function inspectKept(task: KeptTask, means: Means, signal: AbortSignal): Promise<Inspection | undefined> {
    const { ending, wasUsed, scratch, release } = await inspectors.look(task, means, signal)
    let isSound = false
    try {
      const files = ending.code === 0 ? await scratch.copy(task.derivedPaths) : []
      const inspection = await judge(task, ending, files).finally(() => closeAll(files))
      isSound = inspection.outcome === 'ready'
      return isSound || !wasUsed ? conclude(task, ending, inspection) : undefined
    } finally {
      await release(isSound)
    }
  }

  async function inspectAlone(task: InspectionTask, means: Means, signal: AbortSignal): Promise<Inspection> {
    const files: FileHandle[] = []
    const [slot, freeSlot] = task.slot === undefined ? slots.take() : [task.slot, () => {}]
    try {
      const original = await open(task.path, constants.O_RDONLY | constants.O_NOFOLLOW)
      files.push(original)
      for (const name of derivedNames) {
        const path = task.derivedPaths[name]
        files.push(
          await open(path, constants.O_RDWR | constants.O_CREAT | constants.O_TRUNC | constants.O_NOFOLLOW, 0o600),
        )
      }
      const limits = { ...limitsOf(task.format, task.purpose), fileBytes: task.derivedBytes }
      const ending = await runConfined(
        {
          script,
          arguments: [task.format, task.purpose, String(task.derivedBytes)],
          descriptors: files.map(({ fd }) => fd),
          limits,
          slot,
        },
        means,
        signal,
      )
      return conclude(task, ending, await judge(task, ending, files.slice(1)))
    } finally {
      freeSlot()
      await closeAll(files)
    }
  }

  function conclude(task: InspectionTask, ending: Ending, inspection: Inspection): Inspection {
    if (ending.code !== 0) {
      log.warn({ format: task.format, code: ending.code, signal: ending.signal }, 'an inspection was stopped')
    }
    return inspection
  }

  let canRun = true
  return {
    canRun: () => canRun,
    async inspect(task, signal) {
      const end = metrics?.inspectionSeconds.startTimer({ format: task.format })
      try {
        const inspection = await inspect(task, signal)
        end?.({ outcome: inspection.outcome })
        canRun = true
        return inspection
      } catch (error) {
        end?.({ outcome: 'failed' })
        // A disk that takes nothing is no fault of the inspection: whoever uploads is told, and so is the operator.
        canRun &&= signal.aborted || isDiskFault(error)
        throw error
      }
    },
    order: inspectors.order,
    close: inspectors.close,
  }
}

async function closeAll(files: readonly (FileHandle | undefined)[]): Promise<void> {
  await Promise.all(files.map((file) => file?.close()))
}

/** Those of the platform are from 1 on; who has none of them begins behind. */
function createLocalSlots(): { take(): [slot: number, free: () => void] } {
  const taken = new Set<number>()
  return {
    take() {
      let slot = 3
      while (taken.has(slot)) slot++
      taken.add(slot)
      return [slot, () => taken.delete(slot)]
    },
  }
}

/** What confines inspections on this machine, layer by layer. */
export const inspectionLayers = async (): Promise<readonly Layer[]> => (await meansOfMachine()).layers ?? []

/** Nothing that the child said is believed: a file may have taken it over. */
async function judge(
  task: InspectionTask,
  ending: Ending,
  files: readonly (FileHandle | undefined)[],
): Promise<Inspection> {
  if (ending.code === diskFailed) throw Object.assign(new Error('no derived file could be written'), { code: 'ENOSPC' })
  if (ending.code !== 0) return { outcome: 'rejected', reason: isExhaustion(ending) ? 'limits' : 'broken' }
  const finding = readReport(ending.report)
  if (finding === undefined) return { outcome: 'rejected', reason: 'broken' }
  if (finding.outcome === 'rejected') return finding
  const derived: Partial<Record<DerivedName, DerivedFile>> = {}
  for (const [index, name] of derivedNames.entries()) {
    const file = files[index]
    const found = file && (await describe(file, kinds[name]))
    if (found === 'unexpected') return { outcome: 'rejected', reason: 'broken' }
    if (found) derived[name] = found
  }
  if (!isComplete(task, derived)) return { outcome: 'rejected', reason: 'broken' }
  const bytes = Object.values(derived).reduce((sum, each) => sum + each.bytes, 0)
  if (bytes > task.derivedBytes) return { outcome: 'rejected', reason: 'limits' }
  return { outcome: 'ready', facts: finding.facts, derived }
}

/** Whether there is what such a file has, and nothing else. */
export function isComplete({ format, purpose }: Pick<InspectionTask, 'format' | 'purpose'>, derived: Derived): boolean {
  const sides = derived.preview?.sides
  const areCopies = previewWidths.every((width) => {
    const copy = derived[`preview-${width}`]
    if (!copy) return true
    return sides !== undefined && width < sides.width && isDeepStrictEqual(copy.sides, copySides(sides, width))
  })
  if (!areCopies || !areWebCopies(purpose, derived)) return false
  if (isWorkingSource(format, purpose)) return !derived.preview && !derived.playback
  if (format === 'mp4') return derived.playback !== undefined
  return sides !== undefined && !derived.playback
}

/** In the widths that there are for the purpose, the narrowest first; one that had no room may be missing. */
function areWebCopies(purpose: Purpose, { preview, web }: Derived): boolean {
  if (!web) return true
  const sides = preview?.sides
  if (sides === undefined || web.copies === undefined) return false
  const given = web.copies.map((copy) => copy.sides)
  const expected = webWidthsOf(purpose, sides).filter((width) => given.some((each) => each.width === width))
  return isDeepStrictEqual(
    given,
    expected.map((width) => copySides(sides, width)),
  )
}

/** Signals of a crash speak of a broken file; all others are of a limit, V8 and the allocators ending by abort. */
const isExhaustion = ({ overrun, signal }: Ending): boolean =>
  overrun || (signal !== null && !['SIGSEGV', 'SIGBUS', 'SIGFPE'].includes(signal))

/** The finding that a report holds, or undefined if it is not exactly one. */
export function readReport(report: string | undefined): Finding | undefined {
  try {
    const value: unknown = JSON.parse(report ?? '')
    if (!isRecord(value)) return undefined
    if (value['outcome'] === 'rejected') {
      const reason = rejectionReasons.find((known) => known === value['reason'])
      return reason && { outcome: 'rejected', reason }
    }
    const facts = value['facts']
    if (value['outcome'] !== 'ready' || !isRecord(facts)) return undefined
    const number = (name: keyof MediaFacts): number | null => {
      const fact = facts[name]
      if (fact === null) return null
      if (typeof fact !== 'number' || !(fact >= 0 && fact <= 1e9)) throw new Error('no such number')
      return fact
    }
    const text = (name: keyof MediaFacts): string | null => {
      const fact = facts[name]
      if (fact === null) return null
      if (typeof fact !== 'string' || !/^[\w.-]{1,32}$/.test(fact)) throw new Error('no such name')
      return fact
    }
    return {
      outcome: 'ready',
      facts: {
        width: number('width'),
        height: number('height'),
        durationMilliseconds: number('durationMilliseconds'),
        framesPerSecond: number('framesPerSecond'),
        videoCodec: text('videoCodec'),
        audioCodec: text('audioCodec'),
      },
    }
  } catch {
    return undefined
  }
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

const kinds: Readonly<Record<DerivedName, 'mp4' | 'jpeg' | 'webp'>> = {
  playback: 'mp4',
  preview: 'jpeg',
  'preview-1080': 'jpeg',
  'preview-480': 'jpeg',
  web: 'webp',
}

/** What lies in a derived file: nothing, bytes that begin as they should, or others. */
async function describe(
  file: FileHandle,
  expected: 'mp4' | 'jpeg' | 'webp',
): Promise<DerivedFile | null | 'unexpected'> {
  const { size } = fstatSync(file.fd)
  if (size === 0) return null
  const { head, sha256 } = await readOnce(file, size)
  const facts = expected === 'webp' ? await describeWeb(file, size) : describeHead(head, expected)
  return facts === undefined ? 'unexpected' : { bytes: size, sha256, ...facts }
}

/** What a file of this size begins with, and the digest of all its bytes. */
async function readOnce(file: FileHandle, size: number): Promise<{ head: Buffer; sha256: Buffer }> {
  const hash = createHash('sha256')
  const buffer = Buffer.allocUnsafe(Math.min(size, mebibyte / 4))
  let head = Buffer.alloc(0)
  for (let at = 0; at < size; ) {
    const { bytesRead } = await file.read(buffer, 0, Math.min(buffer.length, size - at), at)
    if (bytesRead === 0) break
    const piece = buffer.subarray(0, bytesRead)
    if (at === 0) head = Buffer.from(piece.subarray(0, detectBytes))
    hash.update(piece)
    at += bytesRead
  }
  return { head, sha256: hash.digest() }
}

type Facts = Pick<DerivedFile, 'sides' | 'copies'>

function describeHead(head: Buffer, expected: 'mp4' | 'jpeg'): Facts | undefined {
  if (detect(head) !== expected) return undefined
  if (expected === 'mp4') return {}
  const sides = jpegSides(head)
  return sides && isShowable(sides) ? { sides } : undefined
}

async function describeWeb(file: FileHandle, size: number): Promise<Facts | undefined> {
  const copies = await webCopiesIn(file, size)
  return copies?.every(({ sides }) => isShowable(sides)) ? { copies } : undefined
}

const isShowable = (sides: Sides): boolean => Object.values(sides).every((side) => side >= 1 && side <= maxSide)
