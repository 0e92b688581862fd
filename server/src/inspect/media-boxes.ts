// Checks the boxes of an MP4 before any library reads them: that each lies within its parent and the file, that tables
// agree with each other, and that every sample is in this very file. What passes here has bounded tables.
import { readAt } from './look.ts'
import { fragmentSamples, type TrackDefaults } from './media-fragments.ts'
import { reject } from './media-reject.ts'

export interface TrackTable {
  kind: 'video' | 'audio' | 'other'
  samples: number
  /** What is shown of the track or what is stored of it, whichever is longer. */
  seconds: number
  /** What is stored. */
  mediaSeconds: number
}

/** A box without its header; positions are those of the buffer it is in. */
export interface Box {
  type: string
  start: number
  end: number
}

// Two hours at 60 frames a second need 14 MB of tables.
const maxMovieBytes = 32 * 1024 * 1024
const maxFragmentBytes = 8 * 1024 * 1024
const maxTopBoxes = 100_000
const maxTracks = 32
export const maxSamples = 2_000_000

/** The boxes in a part of a buffer, which they fill but for padding too short to be one. */
export function boxesIn(bytes: Buffer, start: number, end: number): Box[] {
  const boxes: Box[] = []
  for (let position = start; end - position >= 8; ) {
    let size = bytes.readUInt32BE(position)
    let header = 8
    if (size === 1 && end - position >= 16) {
      size = Number(bytes.readBigUInt64BE(position + 8))
      header = 16
    } else if (size === 0) {
      // QuickTime ends some lists of boxes with a zero.
      if (bytes.readUInt32BE(position + 4) === 0) break
      size = end - position
    }
    if (size < header || size > end - position) reject('broken')
    const type = bytes.toString('latin1', position + 4, position + 8)
    boxes.push({ type, start: position + header, end: position + size })
    position += size
  }
  return boxes
}

const find = (boxes: readonly Box[], type: string): Box | undefined => boxes.find((box) => box.type === type)
const need = (boxes: readonly Box[], type: string): Box => find(boxes, type) ?? reject('broken')

/** A full box's table: `count` rows of `width` bytes from `start`, all of them within the box. */
function table(bytes: Buffer, box: Box, skip: number, width: number): { start: number; count: number } {
  const start = box.start + 4 + skip + 4
  if (start > box.end) reject('broken')
  const count = bytes.readUInt32BE(start - 4)
  if (count * width > box.end - start) reject('broken')
  return { start, count }
}

/**
 * The tracks of an MP4, from positional reads of its boxes only. Throws a Rejection: `broken` where boxes contradict
 * each other or the file, `external_reference` where data are elsewhere, `encrypted`.
 */
export function readTracks(file: number, fileBytes: number): TrackTable[] {
  let movie: Buffer | undefined
  const fragments: { position: number; bytes: number }[] = []
  let count = 0
  for (let position = 0; position < fileBytes; ) {
    if (++count > maxTopBoxes) reject('broken')
    const header = readAt(file, position, 16)
    if (header.length < 8) reject('broken')
    const type = header.toString('latin1', 4, 8)
    let size = header.readUInt32BE(0)
    if (size === 1) size = header.length === 16 ? Number(header.readBigUInt64BE(8)) : 0
    else if (size === 0) size = fileBytes - position
    if (size < 8 || size > fileBytes - position) reject('broken')
    if (type === 'moov') {
      if (movie !== undefined || size > maxMovieBytes) reject('broken')
      movie = readAt(file, position, size)
    } else if (type === 'moof' || type === 'mfra') {
      if (size > maxFragmentBytes) reject('broken')
      if (type === 'moof') fragments.push({ position, bytes: size })
    }
    position += size
  }
  if (movie === undefined) reject('broken')
  return movieTracks(file, fileBytes, movie, fragments)
}

function movieTracks(
  file: number,
  fileBytes: number,
  bytes: Buffer,
  fragments: readonly { position: number; bytes: number }[],
): TrackTable[] {
  const [moov] = boxesIn(bytes, 0, bytes.length)
  if (moov === undefined) reject('broken')
  const boxes = boxesIn(bytes, moov.start, moov.end)
  const { timescale: movieTimescale } = timing(bytes, need(boxes, 'mvhd'))
  const traks = boxes.filter((box) => box.type === 'trak')
  if (traks.length === 0 || traks.length > maxTracks) reject('broken')

  const defaults = new Map<number, TrackDefaults>()
  const extension = find(boxes, 'mvex')
  if (extension !== undefined) {
    for (const box of boxesIn(bytes, extension.start, extension.end)) {
      if (box.type !== 'trex') continue
      if (box.end - box.start < 24) reject('broken')
      const at = (field: number): number => bytes.readUInt32BE(box.start + 4 + field * 4)
      defaults.set(at(0), { duration: at(2), size: at(3) })
    }
  }
  if (fragments.length > 0 && extension === undefined) reject('broken')

  const tracks = traks.map((trak) => readTrack(bytes, boxesIn(bytes, trak.start, trak.end), fileBytes, movieTimescale))
  let samples = tracks.reduce((sum, track) => sum + track.samples, 0)
  for (const { position, bytes: size } of fragments) {
    for (const run of fragmentSamples(readAt(file, position, size), position, fileBytes, defaults)) {
      const track = tracks.find(({ id }) => id === run.trackId) ?? reject('broken')
      track.samples += run.samples
      // Between fragments there may be gaps, and a fragment of one picture often does not say how long it lasts.
      track.ticks = Math.max(track.ticks, run.start ?? track.ticks) + run.ticks
      samples += run.samples
      if (samples > maxSamples) reject('broken')
    }
  }
  return tracks.map(({ kind, samples, ticks, timescale, edited }) => {
    const mediaSeconds = ticks / timescale
    return { kind, samples, mediaSeconds, seconds: Math.max(mediaSeconds, edited) }
  })
}

interface Track {
  id: number
  kind: TrackTable['kind']
  samples: number
  ticks: number
  timescale: number
  /** The seconds that the edit list shows; 0 without one. */
  edited: number
}

function readTrack(bytes: Buffer, boxes: readonly Box[], fileBytes: number, movieTimescale: number): Track {
  const within = (box: Box): Box[] => boxesIn(bytes, box.start, box.end)
  const header = need(boxes, 'tkhd')
  const idAt = header.start + (bytes[header.start] === 1 ? 20 : 12)
  if (idAt + 4 > header.end) reject('broken')
  const media = within(need(boxes, 'mdia'))
  const { timescale, duration: declared } = timing(bytes, need(media, 'mdhd'))
  const handler = need(media, 'hdlr')
  const handlerType = bytes.toString('latin1', handler.start + 8, handler.start + 12)
  const kind = handlerType === 'vide' ? 'video' : handlerType === 'soun' ? 'audio' : 'other'
  const information = within(need(media, 'minf'))
  const tables = within(need(information, 'stbl'))

  const references = dataReferences(bytes, need(within(need(information, 'dinf')), 'dref'))
  sampleDescriptions(bytes, need(tables, 'stsd'), references)
  const { samples, ticks } = sampleTables(bytes, tables, fileBytes)
  // A header that says something else than the table would show another length than is played.
  if (samples > 0 && declared > 0) {
    const difference = Math.abs(declared - ticks) / timescale
    if (difference > Math.max(1, (ticks / timescale) * 0.05)) reject('broken')
  }
  const edits = find(boxes, 'edts')
  const list = edits && find(within(edits), 'elst')
  const edited = list === undefined ? 0 : editedTicks(bytes, list) / movieTimescale
  return { id: bytes.readUInt32BE(idAt), kind, samples, ticks, timescale, edited }
}

/** mvhd and mdhd open alike: version, times, timescale, duration. */
function timing(bytes: Buffer, box: Box): { timescale: number; duration: number } {
  const long = bytes[box.start] === 1
  const at = box.start + (long ? 20 : 12)
  if (at + (long ? 12 : 8) > box.end) reject('broken')
  const timescale = bytes.readUInt32BE(at)
  if (timescale === 0) reject('broken')
  const unknown = long ? 2 ** 64 : 2 ** 32 - 1
  const duration = long ? Number(bytes.readBigUInt64BE(at + 4)) : bytes.readUInt32BE(at + 4)
  return { timescale, duration: duration === unknown ? 0 : duration }
}

/** How many references there are; each has to be to the file itself. */
function dataReferences(bytes: Buffer, box: Box): number {
  const { start, count } = table(bytes, box, 0, 12)
  const entries = boxesIn(bytes, start, box.end)
  if (count === 0 || entries.length !== count) reject('broken')
  for (const entry of entries) {
    if (entry.end - entry.start < 4) reject('broken')
    if ((bytes.readUInt32BE(entry.start) & 1) === 0) reject('external_reference')
  }
  return count
}

function sampleDescriptions(bytes: Buffer, box: Box, references: number): void {
  const { start, count } = table(bytes, box, 0, 16)
  const entries = boxesIn(bytes, start, box.end)
  if (count === 0 || entries.length !== count) reject('broken')
  for (const entry of entries) {
    if (entry.end - entry.start < 8) reject('broken')
    if (entry.type === 'encv' || entry.type === 'enca') reject('encrypted')
    const reference = bytes.readUInt16BE(entry.start + 6)
    if (reference < 1 || reference > references) reject('broken')
  }
}

function editedTicks(bytes: Buffer, box: Box): number {
  const long = bytes[box.start] === 1
  const width = long ? 20 : 12
  const { start, count } = table(bytes, box, 0, width)
  let ticks = 0
  for (let row = 0; row < count; row++) {
    const at = start + row * width
    ticks += long ? Number(bytes.readBigUInt64BE(at)) : bytes.readUInt32BE(at)
  }
  return ticks
}

function sampleTables(bytes: Buffer, tables: readonly Box[], fileBytes: number): { samples: number; ticks: number } {
  const { samples, sizeOf, uniform } = sampleSizes(bytes, tables)
  const times = table(bytes, need(tables, 'stts'), 0, 8)
  let timed = 0
  let ticks = 0
  for (let row = 0; row < times.count; row++) {
    const count = bytes.readUInt32BE(times.start + row * 8)
    timed += count
    ticks += count * bytes.readUInt32BE(times.start + row * 8 + 4)
  }
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
  checkChunks(bytes, tables, samples, sizeOf, uniform, fileBytes)
  return { samples, ticks }
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

/** Every chunk, with the samples that the tables put into it, has to end within the file. */
function checkChunks(
  bytes: Buffer,
  tables: readonly Box[],
  samples: number,
  sizeOf: SampleSizes['sizeOf'],
  uniform: number | null,
  fileBytes: number,
): void {
  const short = find(tables, 'stco')
  const width = short === undefined ? 8 : 4
  const chunks = table(bytes, short ?? need(tables, 'co64'), 0, width)
  const runs = table(bytes, need(tables, 'stsc'), 0, 12)
  let sample = 0
  let run = -1
  let perChunk = 0
  for (let chunk = 1; chunk <= chunks.count && sample < samples; chunk++) {
    const next = run + 1
    if (next < runs.count && bytes.readUInt32BE(runs.start + next * 12) === chunk) {
      run = next
      perChunk = bytes.readUInt32BE(runs.start + run * 12 + 4)
    }
    if (run < 0 || perChunk === 0) reject('broken')
    const at = chunks.start + (chunk - 1) * width
    let position = short === undefined ? Number(bytes.readBigUInt64BE(at)) : bytes.readUInt32BE(at)
    const end = sample + perChunk
    if (end > samples) reject('broken')
    if (uniform !== null) position += (end - sample) * uniform
    else for (let index = sample; index < end; index++) position += sizeOf(index)
    if (position > fileBytes) reject('broken')
    sample = end
  }
  if (sample < samples) reject('broken')
  // A run that does not begin where a chunk does would be read differently elsewhere.
  if (samples > 0 && run !== runs.count - 1) reject('broken')
}
