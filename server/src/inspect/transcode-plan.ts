// What a normalised video looks like: its size, rates and filters, by how long it is and how many bytes it may have.
import type { VideoFile } from './media-video.ts'

/** The unit of the video's timestamps in a second, which common frame rates divide. */
export const ticks = 90_000

export interface Plan {
  width: number
  height: number
  maxFramesPerSecond: number
  videoBitsPerSecond: number
  audioBitsPerSecond: number
  /** FFmpeg's chain from the decoded frame to the one that is encoded, of whatever colours the decoded ones are. */
  filters: (colours: string) => string
  posterBytes: number
}

// The most that a second may have, the longer side and the frames that look well at it; the first that the budget pays.
const sizes = [
  { bitsPerSecond: 5_000_000, longerSide: 1920, framesPerSecond: 60 },
  { bitsPerSecond: 2_500_000, longerSide: 1920, framesPerSecond: 30 },
  { bitsPerSecond: 900_000, longerSide: 1280, framesPerSecond: 30 },
  { bitsPerSecond: 350_000, longerSide: 854, framesPerSecond: 30 },
  { bitsPerSecond: 0, longerSide: 480, framesPerSecond: 30 },
]
const mostBitsPerSecond = 8_000_000
const fewestBitsPerSecond = 24_000

/** A plan whose video, sound and poster have at most `bytes` together; undefined if nothing would be left to see. */
export async function planFor(
  { video, audio, seconds, framesPerSecond }: VideoFile,
  bytes: number,
): Promise<Plan | undefined> {
  const posterBytes = Math.floor(Math.min(bytes / 8, 512 * 1024))
  // Beside its packets a file has tables; and the encoder's buffer, a second long, may still be full at the end.
  const tableBytes = 2048 + seconds * (Math.min(framesPerSecond, 60) * 16 + (audio ? 48 * 8 : 0))
  const bitsPerSecond = ((bytes - posterBytes - tableBytes) * 8) / (seconds + 1)
  const audioBitsPerSecond = audio ? Math.round(Math.min(128_000, Math.max(16_000, bitsPerSecond / 6))) : 0
  const videoBitsPerSecond = Math.round(Math.min(mostBitsPerSecond, bitsPerSecond - audioBitsPerSecond))
  if (videoBitsPerSecond < fewestBitsPerSecond) return undefined

  const size = sizes.find((each) => videoBitsPerSecond >= each.bitsPerSecond) as (typeof sizes)[number]
  const { track } = video
  const rotation = await track.getRotation()
  const flipped = await track.getFlip()
  // Square pixels, and even sides for chroma of half the resolution.
  const [shownWidth, shownHeight] = [await track.getSquarePixelWidth(), await track.getSquarePixelHeight()]
  const scale = Math.min(1, size.longerSide / Math.max(shownWidth, shownHeight))
  const even = (side: number): number => Math.max(2, Math.round((side * scale) / 2) * 2)
  const [width, height] = [even(shownWidth), even(shownHeight)]
  const turned = rotation % 180 !== 0
  // Pictures are only ever made smaller, for which averaging is good and cheapest.
  const filters = (colours: string): readonly string[] => [
    ...(framesPerSecond > size.framesPerSecond + 0.5 ? [`fps=${size.framesPerSecond}`, `settb=1/${ticks}`] : []),
    `scale=${width}:${height}:flags=area`,
    colours,
    'setsar=1',
    'format=yuv420p',
    ...turns[rotation],
    ...(flipped ? ['hflip'] : []),
  ]
  return {
    width: turned ? height : width,
    height: turned ? width : height,
    maxFramesPerSecond: size.framesPerSecond,
    videoBitsPerSecond,
    audioBitsPerSecond,
    filters: (colours) =>
      filters(colours)
        .filter((each) => each !== '')
        .join(','),
    posterBytes,
  }
}

/** By how many degrees the picture has to be turned clockwise. */
const turns = { 0: [], 90: ['transpose=clock'], 180: ['hflip', 'vflip'], 270: ['transpose=cclock'] }
