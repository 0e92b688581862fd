// The movie fragments of an MP4 (ISO/IEC 14496-12, 8.8): which samples each adds, and that they lie in the file.
import { type Box, boxesIn, find, within } from './media-boxes.ts'
import { reject } from './media-reject.ts'
import { maxSamples, type Sample } from './media-tables.ts'

/** What a track's samples are where a fragment says nothing. */
export interface TrackDefaults {
  description: number
  duration: number
  size: number
  flags: number
}

/** A sample of a fragment; `start` is when the first of its part of the track is decoded, where the fragment says so. */
type TakeFragmentSample = (trackId: number, sample: Sample, start: number | null) => void

/** The defaults of each track, by its number, from the content of an `mvex`. */
export function readDefaults(bytes: Buffer, extension: Box): Map<number, TrackDefaults> {
  const defaults = new Map<number, TrackDefaults>()
  for (const box of within(bytes, extension)) {
    if (box.type !== 'trex') continue
    const fields = fieldsOf(bytes, box)
    fields.next()
    const trackId = fields.next()
    const description = fields.next()
    defaults.set(trackId, { description, duration: fields.next(), size: fields.next(), flags: fields.next() })
  }
  return defaults
}

const hasBaseOffset = 0x1
const hasDescription = 0x2
const hasDuration = 0x8
const hasSize = 0x10
const hasFlags = 0x20
const baseIsFragment = 0x20000

/** Hands on the samples of one `moof`, which stands at `position` of the file. Throws a Rejection `broken`. */
export function walkFragment(
  bytes: Buffer,
  position: number,
  fileBytes: number,
  defaults: ReadonlyMap<number, TrackDefaults>,
  take: TakeFragmentSample,
): void {
  const [fragment] = boxesIn(bytes, 0, bytes.length)
  if (fragment === undefined) reject('broken')
  let previousEnd = position
  for (const traf of within(bytes, fragment)) {
    if (traf.type !== 'traf') continue
    const boxes = within(bytes, traf)
    const header = find(boxes, 'tfhd') ?? reject('broken')
    const fields = fieldsOf(bytes, header)
    const flags = fields.next() & 0xffffff
    const trackId = fields.next()
    const usual = defaults.get(trackId) ?? reject('broken')
    const base = flags & hasBaseOffset ? fields.next() * 2 ** 32 + fields.next() : null
    const known = {
      description: flags & hasDescription ? fields.next() : usual.description,
      duration: flags & hasDuration ? fields.next() : usual.duration,
      size: flags & hasSize ? fields.next() : usual.size,
      flags: flags & hasFlags ? fields.next() : usual.flags,
    }
    const start = base ?? (flags & baseIsFragment ? position : previousEnd)
    let dataPosition = start
    let time = decodeTime(bytes, boxes)
    for (const trun of boxes) {
      if (trun.type !== 'trun') continue
      dataPosition = walkRun(bytes, trun, { base: start, position: dataPosition, known }, (sample) => {
        take(trackId, sample, time)
        time = null
      })
      if (dataPosition > fileBytes) reject('broken')
    }
    previousEnd = dataPosition
  }
}

function decodeTime(bytes: Buffer, boxes: readonly Box[]): number | null {
  const box = find(boxes, 'tfdt')
  if (box === undefined) return null
  const fields = fieldsOf(bytes, box)
  const isLong = fields.next() >>> 24 === 1
  return isLong ? fields.next() * 2 ** 32 + fields.next() : fields.next()
}

const runHasOffset = 0x1
const runHasFirstFlags = 0x4
const rowFields = { duration: 0x100, size: 0x200, flags: 0x400, composition: 0x800 }
const isDependent = 0x10000

interface RunStart {
  base: number
  position: number
  known: TrackDefaults
}

/** Hands on the samples of a run, and answers where its data end. */
function walkRun(bytes: Buffer, box: Box, { base, position, known }: RunStart, take: (sample: Sample) => void): number {
  const fields = fieldsOf(bytes, box)
  const flags = fields.next() & 0xffffff
  const samples = fields.next()
  if (samples > maxSamples) reject('broken')
  let end = flags & runHasOffset ? base + (fields.next() | 0) : position
  if (end < 0) reject('broken')
  let firstFlags = flags & runHasFirstFlags ? fields.next() : null
  for (let sample = 0; sample < samples; sample++) {
    const duration = flags & rowFields.duration ? fields.next() : known.duration
    const size = flags & rowFields.size ? fields.next() : known.size
    const own = flags & rowFields.flags ? fields.next() : known.flags
    const isKey = ((firstFlags ?? own) & isDependent) === 0
    const offset = flags & rowFields.composition ? fields.next() | 0 : 0
    take({ position: end, size, duration, offset, isKey, description: known.description })
    end += size
    firstFlags = null
  }
  return end
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
