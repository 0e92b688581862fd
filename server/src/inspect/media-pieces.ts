// Which samples of a track are decoded for what its edit list shows.
import type { Segment } from './media-edits.ts'
import type { Track } from './media-movie.ts'
import { reject } from './media-reject.ts'

/** A piece of a track that is decoded by itself, from its sample `from` to before `to`. Times are seconds of the track. */
export interface Piece {
  from: number
  to: number
  /** The first and the last moment at which anything is shown. */
  media: number
  end: number
  /** How much later than in the track it is shown. */
  delay: number
  /** When the pictures begin that are shown: the first of them perhaps before `media`. */
  shown: readonly number[]
}

/** The samples of a track by columns, in the order of decoding; times in seconds of the track. */
export interface Samples {
  positions: number[]
  sizes: number[]
  times: number[]
  ends: number[]
  keys: number[]
}

export function samplesOf(track: Track): Samples {
  const samples: Samples = { positions: [], sizes: [], times: [], ends: [], keys: [] }
  track.walk(({ position, size, duration, offset, isKey, description }, time) => {
    // The library that says how a track is decoded knows of its last description.
    if (track.descriptions > 1 && description !== track.descriptions) reject('codec')
    // To a decoder nothing means the end.
    if (size === 0) return true
    if (isKey) samples.keys.push(samples.times.length)
    samples.positions.push(position)
    samples.sizes.push(size)
    samples.times.push((time + offset) / track.timescale)
    samples.ends.push((time + offset + duration) / track.timescale)
    return true
  })
  return samples
}

// Edits are rounded to the movie's units: less than that does not count as a picture.
const slack = 0.002

/** The pieces of pictures: from a key picture before, since some begin with what refers to pictures before them. */
export function picturePieces({ timeline }: Track, { times, keys }: Samples): Piece[] {
  return pieces(timeline, (media, end) => {
    const before = greatest(times, (time) => time <= media + slack)
    const isShown = (time: number): boolean => time >= before && time < end - slack
    const [first, last] = [times.findIndex(isShown), times.findLastIndex(isShown)]
    if (first < 0) return null
    const complete = keys.filter(
      (key) => key <= first && (times[key] as number) <= Math.max(before, times[first] as number),
    )
    const from = complete.at(-2) ?? 0
    // Pictures before the first key picture cannot be decoded by anyone.
    const key = times[keys.find((index) => index >= from) ?? from] as number
    const shown = times.slice(first, last + 1).filter((time) => isShown(time) && (from > 0 || time >= key))
    return { from, to: last + 1, shown: shown.sort((a, b) => a - b) }
  })
}

// Sound needs some packets before it: the longest run-in is that of MP3, whose frames lend each other their bytes.
const runIn = 25

export function soundPieces({ timeline }: Track, { times, ends }: Samples): Piece[] {
  return pieces(timeline, (media, end) => {
    const isHeard = (time: number, index: number): boolean => (ends[index] as number) > media && time < end
    const [first, last] = [times.findIndex(isHeard), times.findLastIndex(isHeard)]
    return first < 0 ? null : { from: Math.max(0, first - runIn), to: last + 1, shown: [] }
  })
}

function pieces(
  timeline: readonly Segment[],
  choose: (media: number, end: number) => Pick<Piece, 'from' | 'to' | 'shown'> | null,
): Piece[] {
  return timeline.flatMap(({ start, seconds, media }) => {
    if (media === null) return []
    const end = media + seconds
    const chosen = choose(media, end)
    return chosen ? [{ ...chosen, media, end, delay: start - media }] : []
  })
}

/** The greatest of the numbers that pass, or -Infinity. */
function greatest(numbers: readonly number[], passes: (number: number) => boolean): number {
  let found = Number.NEGATIVE_INFINITY
  for (const number of numbers) if (number > found && passes(number)) found = number
  return found
}
