// The movie fragments of an MP4 (ISO/IEC 14496-12, 8.8): how many samples each adds, and that they lie in the file.
import { type Box, boxesIn, maxSamples } from './media-boxes.ts'
import { reject } from './media-reject.ts'

/** What a track's samples are where a fragment says nothing. */
export interface TrackDefaults {
  duration: number
  size: number
}

export interface FragmentRun {
  trackId: number
  samples: number
  ticks: number
  /** When the run begins, in the track's time scale; null where the fragment does not say. */
  start: number | null
}

const hasBaseOffset = 0x1
const hasDescription = 0x2
const hasDuration = 0x8
const hasSize = 0x10
const hasFlags = 0x20
const baseIsFragment = 0x20000

/** The runs of one `moof`, which stands at `position` of the file. Throws a Rejection `broken`. */
export function fragmentSamples(
  bytes: Buffer,
  position: number,
  fileBytes: number,
  defaults: ReadonlyMap<number, TrackDefaults>,
): FragmentRun[] {
  const [fragment] = boxesIn(bytes, 0, bytes.length)
  if (fragment === undefined) reject('broken')
  const runs: FragmentRun[] = []
  let previousEnd = position
  for (const traf of boxesIn(bytes, fragment.start, fragment.end)) {
    if (traf.type !== 'traf') continue
    const boxes = boxesIn(bytes, traf.start, traf.end)
    const header = boxes.find((box) => box.type === 'tfhd') ?? reject('broken')
    const fields = fieldsOf(bytes, header)
    const flags = fields.next() & 0xffffff
    const trackId = fields.next()
    const known = defaults.get(trackId) ?? reject('broken')
    const base = flags & hasBaseOffset ? fields.next() * 2 ** 32 + fields.next() : null
    if (flags & hasDescription) fields.next()
    const duration = flags & hasDuration ? fields.next() : known.duration
    const size = flags & hasSize ? fields.next() : known.size
    if (flags & hasFlags) fields.next()
    const start = base ?? (flags & baseIsFragment ? position : previousEnd)
    let dataPosition = start
    let time = decodeTime(bytes, boxes)
    for (const trun of boxes) {
      if (trun.type !== 'trun') continue
      const run = readRun(bytes, trun, start, dataPosition, { duration, size })
      if (run.end > fileBytes) reject('broken')
      dataPosition = run.end
      runs.push({ trackId, samples: run.samples, ticks: run.ticks, start: time })
      if (time !== null) time += run.ticks
    }
    previousEnd = dataPosition
  }
  return runs
}

function decodeTime(bytes: Buffer, boxes: readonly Box[]): number | null {
  const box = boxes.find(({ type }) => type === 'tfdt')
  if (box === undefined) return null
  const fields = fieldsOf(bytes, box)
  const isLong = fields.next() >>> 24 === 1
  return isLong ? fields.next() * 2 ** 32 + fields.next() : fields.next()
}

const runHasOffset = 0x1
const runHasFirstFlags = 0x4
const rowFields = { duration: 0x100, size: 0x200, flags: 0x400, composition: 0x800 }

function readRun(
  bytes: Buffer,
  box: Box,
  base: number,
  position: number,
  known: TrackDefaults,
): { samples: number; ticks: number; end: number } {
  const fields = fieldsOf(bytes, box)
  const flags = fields.next() & 0xffffff
  const samples = fields.next()
  if (samples > maxSamples) reject('broken')
  let end = flags & runHasOffset ? base + (fields.next() | 0) : position
  if (end < 0) reject('broken')
  if (flags & runHasFirstFlags) fields.next()
  let ticks = 0
  for (let sample = 0; sample < samples; sample++) {
    ticks += flags & rowFields.duration ? fields.next() : known.duration
    end += flags & rowFields.size ? fields.next() : known.size
    if (flags & rowFields.flags) fields.next()
    if (flags & rowFields.composition) fields.next()
  }
  return { samples, ticks, end }
}

/** The 32-bit fields of a box, one after the other. */
function fieldsOf(bytes: Buffer, box: Box): { next: () => number } {
  let at = box.start
  return {
    next() {
      if (at + 4 > box.end) reject('broken')
      at += 4
      return bytes.readUInt32BE(at - 4)
    },
  }
}
