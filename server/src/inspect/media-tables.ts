// The sample tables of an MP4's track (ISO/IEC 14496-12, 8.5 to 8.7): that they agree with each other, that every sample is
// in this very file, and where and when each is.
import { type Box, find, need, table } from './media-boxes.ts'
import { reject } from './media-reject.ts'

/** A piece of what a track stores: a picture, or a packet of sound. Times are in the track's units. */
export interface Sample {
  position: number
  size: number
  duration: number
  /** How much later it is shown than it is decoded. */
  offset: number
  isKey: boolean
  /** Which of the track's descriptions it follows, from 1. */
  description: number
}

/** From when to when the samples of a track are shown, before its edit list. */
export interface Span {
  start: number
  end: number
}

interface TableFacts {
  samples: number
  ticks: number
  span: Span
}

export const maxSamples = 2_000_000

/** Whether the tables have any, in whatever state they are otherwise. */
export function hasSamples(bytes: Buffer, tables: readonly Box[]): boolean {
  const box = find(tables, 'stsz') ?? find(tables, 'stz2')
  return box !== undefined && table(bytes, box, 4, 0).count > 0
}

/** Throws a Rejection `broken` where the tables contradict each other or the file. */
export function checkTables(bytes: Buffer, tables: readonly Box[], fileBytes: number): TableFacts {
  const sizes = sampleSizes(bytes, tables)
  const { samples } = sizes
  const times = table(bytes, need(tables, 'stts'), 0, 8)
  let timed = 0
  for (let row = 0; row < times.count; row++) timed += bytes.readUInt32BE(times.start + row * 8)
  if (timed !== samples) reject('broken')
  const offsets = find(tables, 'ctts')
  if (offsets !== undefined) {
    const rows = table(bytes, offsets, 0, 8)
    let shifted = 0
    for (let row = 0; row < rows.count; row++) shifted += bytes.readUInt32BE(rows.start + row * 8)
    if (shifted > samples) reject('broken')
  }
  const keys = find(tables, 'stss')
  if (keys !== undefined && table(bytes, keys, 0, 4).count > samples) reject('broken')
  checkChunks(bytes, tables, sizes, fileBytes)
  return { samples, ...timesOf(bytes, tables, samples) }
}

/** Hands on each sample in the order of decoding, of tables that were checked, until `take` answers false. */
export function walkTables(bytes: Buffer, tables: readonly Box[], take: (sample: Sample) => boolean): void {
  const { samples, sizeOf } = sampleSizes(bytes, tables)
  if (samples > maxSamples) reject('limits')
  const durations = runsOf(bytes, find(tables, 'stts'))
  const offsets = runsOf(bytes, find(tables, 'ctts'))
  const keys = find(tables, 'stss')
  const keyRows = keys && table(bytes, keys, 0, 4)
  const keyAt = (row: number): number =>
    keyRows && row < keyRows.count ? bytes.readUInt32BE(keyRows.start + row * 4) : Number.POSITIVE_INFINITY
  let key = 0
  let sample = 0
  for (const chunk of chunksOf(bytes, tables, samples)) {
    let { position } = chunk
    for (let left = chunk.samples; left > 0; left--) {
      const size = sizeOf(sample)
      const duration = durations.take(1)
      const offset = offsets.take(1) | 0
      sample++
      while (keyAt(key) < sample) key++
      const isKey = keyRows === undefined || keyAt(key) === sample
      if (!take({ position, size, duration, offset, isKey, description: chunk.description })) return
      position += size
    }
  }
}

/** How long the samples take to decode, and the span in which they are shown, by runs of samples that are alike. */
function timesOf(bytes: Buffer, tables: readonly Box[], samples: number): Omit<TableFacts, 'samples'> {
  const durations = runsOf(bytes, find(tables, 'stts'))
  const offsets = runsOf(bytes, find(tables, 'ctts'))
  const span = { start: samples > 0 ? Number.POSITIVE_INFINITY : 0, end: 0 }
  let ticks = 0
  for (let left = samples; left > 0; ) {
    const count = Math.min(left, durations.left(), offsets.left())
    const duration = durations.take(count)
    const first = ticks + (offsets.take(count) | 0)
    span.start = Math.min(span.start, first)
    span.end = Math.max(span.end, first + count * duration)
    ticks += count * duration
    left -= count
  }
  return { ticks, span }
}

interface Runs {
  /** How many samples the next value is for. */
  left: () => number
  /** That value, for so many of them. */
  take: (count: number) => number
}

/** The values of a table of runs; 0 behind its end, and if there is none. */
function runsOf(bytes: Buffer, box: Box | undefined): Runs {
  const rows = box && table(bytes, box, 0, 8)
  let row = 0
  let remaining = 0
  let value = 0
  const left = (): number => {
    while (remaining === 0) {
      const isOver = rows === undefined || row === rows.count
      const at = isOver ? 0 : rows.start + row * 8
      remaining = isOver ? Number.POSITIVE_INFINITY : bytes.readUInt32BE(at)
      value = isOver ? 0 : bytes.readUInt32BE(at + 4)
      row++
    }
    return remaining
  }
  return {
    left,
    take: (count) => {
      remaining = left() - count
      return value
    },
  }
}

interface Chunk {
  position: number
  samples: number
  description: number
}

/** The chunks that hold the samples, of tables that were checked. */
function* chunksOf(bytes: Buffer, tables: readonly Box[], samples: number): Iterable<Chunk> {
  const short = find(tables, 'stco')
  const width = short === undefined ? 8 : 4
  const chunks = table(bytes, short ?? need(tables, 'co64'), 0, width)
  const runs = table(bytes, need(tables, 'stsc'), 0, 12)
  let run = -1
  let perChunk = 0
  let description = 1
  for (let chunk = 1, sample = 0; chunk <= chunks.count && sample < samples; chunk++) {
    const next = runs.start + (run + 1) * 12
    if (run + 1 < runs.count && bytes.readUInt32BE(next) === chunk) {
      run++
      perChunk = bytes.readUInt32BE(next + 4)
      description = bytes.readUInt32BE(next + 8)
    }
    if (run < 0 || perChunk === 0) reject('broken')
    const at = chunks.start + (chunk - 1) * width
    const position = short === undefined ? Number(bytes.readBigUInt64BE(at)) : bytes.readUInt32BE(at)
    yield { position, samples: perChunk, description }
    sample += perChunk
  }
  // A run that does not begin where a chunk does would be read differently elsewhere.
  if (samples > 0 && run !== runs.count - 1) reject('broken')
}

/** Every chunk, with the samples that the tables put into it, has to end within the file. */
function checkChunks(bytes: Buffer, tables: readonly Box[], sizes: SampleSizes, fileBytes: number): void {
  const { samples, sizeOf, uniform } = sizes
  let sample = 0
  for (const chunk of chunksOf(bytes, tables, samples)) {
    const end = sample + chunk.samples
    if (end > samples) reject('broken')
    let { position } = chunk
    if (uniform !== null) position += chunk.samples * uniform
    else for (let index = sample; index < end; index++) position += sizeOf(index)
    if (position > fileBytes) reject('broken')
    sample = end
  }
  if (sample < samples) reject('broken')
}

interface SampleSizes {
  samples: number
  sizeOf: (index: number) => number
  /** The size of every sample, where all are alike. */
  uniform: number | null
}

function sampleSizes(bytes: Buffer, tables: readonly Box[]): SampleSizes {
  const box = find(tables, 'stsz')
  if (box === undefined) {
    const compact = need(tables, 'stz2')
    const { start, count: samples } = table(bytes, compact, 4, 0)
    const bits = bytes[start - 5]
    if (bits !== 4 && bits !== 8 && bits !== 16) reject('broken')
    if (samples > maxSamples || (samples * bits) / 8 > compact.end - start) reject('broken')
    const sizeOf = (index: number): number => {
      if (bits === 16) return bytes.readUInt16BE(start + index * 2)
      if (bits === 8) return bytes[start + index] as number
      const pair = bytes[start + (index >> 1)] as number
      return index % 2 === 0 ? pair >> 4 : pair & 15
    }
    return { samples, sizeOf, uniform: null }
  }
  const { start, count: samples } = table(bytes, box, 4, 0)
  const uniform = bytes.readUInt32BE(start - 8)
  if (uniform > 0) return { samples, sizeOf: () => uniform, uniform }
  if (samples > maxSamples || samples * 4 > box.end - start) reject('broken')
  return { samples, sizeOf: (index) => bytes.readUInt32BE(start + index * 4), uniform: null }
}
