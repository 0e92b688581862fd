// The edit list of an MP4's track (ISO/IEC 14496-12, 8.6.6): which pieces of what it stores are shown, and when.
import { type Box, table } from './media-boxes.ts'
import { reject } from './media-reject.ts'
import type { Span } from './media-tables.ts'

/** A piece of a track as it is shown, in seconds. */
export interface Segment {
  /** When it begins to be shown. */
  start: number
  seconds: number
  /** What of the stored is shown, from when on; null for nothing. */
  media: number | null
}

export interface Edit {
  /** In the movie's units; 0 in a fragmented file for all that there is. */
  duration: number
  /** In the track's units; below 0 for nothing. */
  media: number
}

// Editors cut a video into some dozens of pieces; each is decoded by itself.
const maxEdits = 256

export function readEdits(bytes: Buffer, box: Box): Edit[] {
  const isLong = bytes[box.start] === 1
  const width = isLong ? 20 : 12
  const { start, count } = table(bytes, box, 0, width)
  if (count > maxEdits) reject('limits')
  return Array.from({ length: count }, (_, row) => {
    const at = start + row * width
    return isLong
      ? { duration: Number(bytes.readBigUInt64BE(at)), media: Number(bytes.readBigInt64BE(at + 8)) }
      : { duration: bytes.readUInt32BE(at), media: bytes.readInt32BE(at + 4) }
  })
}

export interface Edited {
  edits: readonly Edit[]
  /** In the track's units. */
  span: Span
  timescale: number
  movieTimescale: number
  /** Whether samples follow in fragments, which a list that was written earlier does not cover. */
  isFragmented: boolean
  /** When the whole file begins, in seconds: a piece of a longer recording counts on from that. */
  origin: number
}

/** What a track shows, piece by piece; pieces that follow each other without a cut are one. */
export function timelineOf({ edits, span, timescale, movieTimescale, isFragmented, origin }: Edited): Segment[] {
  const end = span.end / timescale
  if (!edits.some(({ media }) => media >= 0)) {
    const first = origin + Math.min(0, span.start / timescale - origin)
    const start = edits.reduce((sum, { duration }) => sum + duration / movieTimescale, 0)
    return [{ start, seconds: Math.max(0, end - first), media: first }]
  }
  const segments: Segment[] = []
  let start = 0
  for (const [index, edit] of edits.entries()) {
    const declared = edit.duration / movieTimescale
    const media = edit.media < 0 ? null : origin + edit.media / timescale
    const there = media === null ? declared : Math.max(0, end - media)
    const isOpen = index === edits.length - 1 && media !== null && (isFragmented || edit.duration === 0)
    const seconds = isOpen ? there : Math.min(declared, there)
    const last = segments.at(-1)
    const goesOn = media !== null && last?.media != null && Math.abs(last.media + last.seconds - media) < goingOn
    if (goesOn) last.seconds += seconds
    else if (seconds > 0) segments.push({ start, seconds, media })
    start += seconds
  }
  return segments
}

// Times of edits are rounded to the movie's units.
const goingOn = 0.002

/** How long the edits say that they are together, whether there is so much or not. */
export const declaredSeconds = (edits: readonly Edit[], movieTimescale: number): number =>
  edits.reduce((sum, { duration }) => sum + duration, 0) / movieTimescale
