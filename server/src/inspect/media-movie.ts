// What an MP4 says that it holds, checked before any library reads it: that its boxes and tables agree with each other,
// and that every sample is in this very file. What passes here has bounded tables.

import { readAt } from './look.ts'
import { type Box, boxesIn, find, need, readTopLevel, type TopLevel, table, within } from './media-boxes.ts'
import { declaredSeconds, type Edit, readEdits, type Segment, timelineOf } from './media-edits.ts'
import { readDefaults, type TrackDefaults, walkFragment } from './media-fragments.ts'
import { reject } from './media-reject.ts'
import { checkTables, hasSamples, maxSamples, type Sample, type Span, walkTables } from './media-tables.ts'

/** A track of pictures or sound that holds something. */
export interface Track {
  id: number
  kind: 'video' | 'audio'
  samples: number
  /** Whether a player shows it without being asked. */
  isEnabled: boolean
  /** How many descriptions of its codec there are. */
  descriptions: number
  /** How long what is stored of it takes. */
  mediaSeconds: number
  /** How long it is shown, with what its edit list lets pass before. */
  seconds: number
  /** How long its edit list says that it is, where that is longer. */
  declaredSeconds: number
  /** What is shown of it. */
  timeline: readonly Segment[]
  /** The track's units in a second. */
  timescale: number
  /** Hands on each sample, with when it is decoded, in the order of decoding, until `take` answers false. */
  walk: (take: (sample: Sample, time: number) => boolean) => void
}

const maxTracks = 32

/**
 * The tracks with pictures or sound, from positional reads of boxes only. Other tracks (time codes, subtitles, what a camera
 * measured) and empty ones are nothing to a player, and nothing here. Throws a Rejection: `broken` where boxes contradict
 * each other or the file, `external_reference` where data are elsewhere, `encrypted`, `limits`.
 */
export function readTracks(file: number, fileBytes: number): Track[] {
  const top = readTopLevel(file, fileBytes)
  const { movie } = top
  const [moov] = boxesIn(movie, 0, movie.length)
  if (moov === undefined) reject('broken')
  const boxes = within(movie, moov)
  const movieTimescale = timescaleOf(movie, need(boxes, 'mvhd'))
  if (movieTimescale === 0) reject('broken')
  const traks = boxes.filter((box) => box.type === 'trak')
  if (traks.length === 0 || traks.length > maxTracks) reject('broken')
  const extension = find(boxes, 'mvex')
  const stored = traks.map((trak) => readTrack(movie, within(movie, trak), fileBytes, extension !== undefined))

  if (top.fragments.length > 0 && extension === undefined) reject('broken')
  const defaults = extension ? readDefaults(movie, extension) : new Map<number, TrackDefaults>()
  const fragments = { ...top, file, fileBytes, defaults }
  addFragments(stored, fragments)

  const played = stored.filter((track): track is Played => track.kind !== 'other' && track.samples > 0)
  if (played.some(({ timescale, descriptions }) => timescale === 0 || descriptions === 0)) reject('broken')
  if (new Set(played.map(({ id }) => id)).size < played.length) reject('broken')
  const origin = Math.min(...played.map(({ first, timescale }) => first / timescale))
  return played.map((track) => describe(track, { origin, movieTimescale, fragments }))
}

interface Fragments extends TopLevel {
  file: number
  fileBytes: number
  defaults: ReadonlyMap<number, TrackDefaults>
}

interface Stored {
  id: number
  kind: Track['kind'] | 'other'
  isEnabled: boolean
  samples: number
  /** When the first sample is decoded and the last one ends, in the track's units. */
  first: number
  end: number
  span: Span
  timescale: number
  descriptions: number
  edits: Edit[]
  isFragmented: boolean
  tables: { bytes: Buffer; boxes: readonly Box[] }
}

type Played = Stored & { kind: Track['kind'] }

function addFragments(tracks: readonly Stored[], { fragments, file, fileBytes, defaults }: Fragments): void {
  const byId = new Map(tracks.map((track) => [track.id, track]))
  let samples = tracks.reduce((sum, track) => sum + (fragments.length > 0 ? track.samples : 0), 0)
  for (const { position, bytes } of fragments) {
    walkFragment(readAt(file, position, bytes), position, fileBytes, defaults, (id, sample, start) => {
      const track = byId.get(id) ?? reject('broken')
      if (++samples > maxSamples) reject('broken')
      if (track.samples === 0) {
        track.first = start ?? 0
        track.span = { start: Number.POSITIVE_INFINITY, end: 0 }
      }
      const time = start ?? track.end
      track.samples++
      track.isFragmented = true
      // Between fragments there may be gaps, and a fragment of one picture often does not say how long it lasts.
      track.end = Math.max(track.end, time + sample.duration)
      track.span.start = Math.min(track.span.start, time + sample.offset)
      track.span.end = Math.max(track.span.end, time + sample.offset + sample.duration)
    })
  }
}

function describe(
  track: Played,
  { origin, movieTimescale, fragments }: { origin: number; movieTimescale: number; fragments: Fragments },
): Track {
  const timeline = timelineOf({ ...track, movieTimescale, origin })
  const last = timeline.at(-1)
  const { id, kind, isEnabled, descriptions, samples, timescale } = track
  const seconds = last ? last.start + last.seconds : 0
  return {
    id,
    kind,
    isEnabled,
    descriptions,
    samples,
    mediaSeconds: (track.end - track.first) / timescale,
    seconds,
    declaredSeconds: Math.max(seconds, declaredSeconds(track.edits, movieTimescale)),
    timeline,
    timescale,
    walk: (take) => walkTrack(track, fragments, take),
  }
}

function walkTrack(
  track: Stored,
  { fragments, file, fileBytes, defaults }: Fragments,
  take: (sample: Sample, time: number) => boolean,
): void {
  let next = 0
  let isWanted = true
  walkTables(track.tables.bytes, track.tables.boxes, (sample) => {
    isWanted = take(sample, next)
    next += sample.duration
    return isWanted
  })
  for (const { position, bytes } of fragments) {
    if (!isWanted) return
    walkFragment(readAt(file, position, bytes), position, fileBytes, defaults, (id, sample, start) => {
      if (id !== track.id || !isWanted) return
      const time = start ?? next
      isWanted = take(sample, time)
      next = Math.max(next, time + sample.duration)
    })
  }
}

function readTrack(bytes: Buffer, boxes: readonly Box[], fileBytes: number, hasFragments: boolean): Stored {
  const header = need(boxes, 'tkhd')
  const idAt = header.start + (bytes[header.start] === 1 ? 20 : 12)
  if (idAt + 4 > header.end) reject('broken')
  const media = within(bytes, need(boxes, 'mdia'))
  const handler = need(media, 'hdlr')
  const handlerType = bytes.toString('latin1', handler.start + 8, handler.start + 12)
  const kind = handlerType === 'vide' ? 'video' : handlerType === 'soun' ? 'audio' : 'other'
  const information = within(bytes, need(media, 'minf'))
  const data = find(information, 'dinf')
  const dref = data && find(within(bytes, data), 'dref')
  const references = dref ? dataReferences(bytes, dref) : 0
  const isEnabled = (bytes.readUInt32BE(header.start) & 1) === 1
  const empty: Stored = {
    ...{ id: bytes.readUInt32BE(idAt), kind, isEnabled, edits: [], isFragmented: false },
    ...{ samples: 0, first: 0, end: 0, span: { start: 0, end: 0 }, timescale: 0, descriptions: 0 },
    tables: { bytes, boxes: [] },
  }
  if (kind === 'other') return empty
  const tables = within(bytes, need(information, 'stbl'))
  if (!hasFragments && !hasSamples(bytes, tables)) return empty
  const timescale = timescaleOf(bytes, need(media, 'mdhd'))
  const descriptions = sampleDescriptions(bytes, need(tables, 'stsd'), references)
  // A header's length is not looked at, as by players: what the tables say is what is there.
  const { samples, ticks, span } = checkTables(bytes, tables, fileBytes)
  const edts = find(boxes, 'edts')
  const list = edts && find(within(bytes, edts), 'elst')
  const edits = list ? readEdits(bytes, list) : []
  return { ...empty, edits, samples, end: ticks, span, timescale, descriptions, tables: { bytes, boxes: tables } }
}

/** mvhd and mdhd open alike: version, times, and how many of their units a second has. */
function timescaleOf(bytes: Buffer, box: Box): number {
  const at = box.start + (bytes[box.start] === 1 ? 20 : 12)
  if (at + 4 > box.end) reject('broken')
  return bytes.readUInt32BE(at)
}

/** How many references there are; each has to be to the file itself. */
function dataReferences(bytes: Buffer, box: Box): number {
  const { start, count } = table(bytes, box, 0, 12)
  const entries = boxesIn(bytes, start, box.end)
  if (entries.length !== count) reject('broken')
  for (const entry of entries) {
    if (entry.end - entry.start < 4) reject('broken')
    if ((bytes.readUInt32BE(entry.start) & 1) === 0) reject('external_reference')
  }
  return count
}

/** How many descriptions there are that samples may follow. */
function sampleDescriptions(bytes: Buffer, box: Box, references: number): number {
  const { start, count } = table(bytes, box, 0, 16)
  const entries = boxesIn(bytes, start, box.end)
  if (entries.length !== count) reject('broken')
  for (const entry of entries) {
    if (entry.end - entry.start < 8) reject('broken')
    if (entry.type === 'encv' || entry.type === 'enca') reject('encrypted')
    const reference = bytes.readUInt16BE(entry.start + 6)
    if (reference < 1 || reference > references) reject('broken')
  }
  return count
}
