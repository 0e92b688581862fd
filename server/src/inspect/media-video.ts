// Looks into an MP4: whether its codecs, dimensions, length and frame rate are allowed. An order's video is not
// decoded, for it is kept as it is. docs/contract/attachments.md#formats.
import {
  CustomSource,
  Input,
  type InputAudioTrack,
  type InputVideoTrack,
  Logging,
  LogLevel,
  MP4,
  QTFF,
} from 'mediabunny'
import { disposing } from './disposing.ts'
import { type Finding, readAt, ready, type Work } from './look.ts'
import { readTopLevel } from './media-boxes.ts'
import { mend } from './media-mends.ts'
import { readTracks, type Track } from './media-movie.ts'
import { reject, roundingSeconds } from './media-reject.ts'

// It would quote the file.
Logging.level = LogLevel.Silent

const limits = {
  order: { seconds: 2 * 60 * 60, framesPerSecond: 60, video: ['avc'], audio: ['aac'] },
  // Slow motion from a telephone is welcome; the normalised video has fewer frames. Each codec has its decoder in
  // transcode-codecs.ts: what else FFmpeg knows is never given a byte.
  portfolio: {
    seconds: 120,
    framesPerSecond: 240,
    video: ['avc', 'hevc', 'vp9', 'av1'],
    audio: ['aac', 'mp3', 'opus'],
  },
}
// Two minutes of the shortest packets that Opus knows.
const mostSoundPackets = 50_000
const longerSide = 3840
const shorterSide = 2160
// A rate is counted frames over a rounded length.
const roundingFrames = 0.5

/** A track that is played: what is in it by our tables, how it is decoded by the library's reading. */
export interface Played<Kind = InputVideoTrack | InputAudioTrack> {
  table: Track
  track: Kind
}

export interface VideoFile {
  video: Played<InputVideoTrack>
  audio: Played<InputAudioTrack> | null
  seconds: number
  framesPerSecond: number
}

/**
 * The facts of an MP4, which with `normalise` is a portfolio's and is given to it. Throws a Rejection: `codec`,
 * `dimensions`, `duration`, `frame_rate`, `external_reference`, `encrypted`, `limits` or `broken`.
 */
export const inspectVideo = disposing(async function inspectVideo(
  use,
  work: Work,
  normalise?: (file: VideoFile, work: Work) => Promise<void>,
): Promise<Finding> {
  const limit = normalise ? limits.portfolio : limits.order
  const tables = readTracks(work.original, work.originalBytes)
  const input = use(openInput(work))
  const videos = await playable(tables, await input.getVideoTracks(), limit.video)
  const audios = await playable(tables, await input.getAudioTracks(), limit.audio)
  const [video, audio = null] = [videos[0] ?? reject('codec'), audios[0]]
  // Sound that cannot be played is no reason to show a video without.
  if (audio === null && tables.some(({ kind }) => kind === 'audio')) reject('codec')

  for (const { track } of videos) {
    checkSides(await track.getCodedWidth(), await track.getCodedHeight())
    checkSides(await track.getDisplayWidth(), await track.getDisplayHeight())
  }
  const all = [...videos, ...audios].map(({ table }) => table)
  if (all.some((table) => table.mediaSeconds === 0 || table.seconds === 0)) reject('broken')
  const longest = Math.max(...all.map((table) => table.declaredSeconds))
  if (longest > limit.seconds + roundingSeconds) reject('duration')
  // A single picture lasts as long as it likes: a rate takes two.
  const rates = videos.map(({ table }) => (table.samples > 1 ? table.samples / table.mediaSeconds : 1))
  if (normalise && audio && audio.table.samples > mostSoundPackets) reject('limits')
  if (Math.max(...rates) > limit.framesPerSecond + roundingFrames) reject('frame_rate')

  const framesPerSecond = rates[0] as number
  const seconds = Math.max(video.table.seconds, audio?.table.seconds ?? 0)
  if (normalise) await normalise({ video, audio, seconds, framesPerSecond }, work)
  else await checkFirstPicture(video, work.original)
  return ready({
    width: await video.track.getDisplayWidth(),
    height: await video.track.getDisplayHeight(),
    durationMilliseconds: Math.round(seconds * 1000),
    framesPerSecond: Math.round(framesPerSecond * 1000) / 1000,
    videoCodec: await video.track.getCodec(),
    audioCodec: (await audio?.track.getCodec()) ?? null,
  })
})

/**
 * The tracks of codecs that are taken, those first that a player takes by itself. Others (a camera's small pictures, sound
 * for other rooms) are passed over, as by players.
 */
async function playable<Kind extends InputVideoTrack | InputAudioTrack>(
  tables: readonly Track[],
  tracks: readonly Kind[],
  codecs: readonly string[],
): Promise<Played<Kind>[]> {
  const found: Played<Kind>[] = []
  for (const track of tracks) {
    const table = tables.find(({ id }) => id === track.id)
    if (table && codecs.includes((await track.getCodec()) ?? '')) found.push({ table, track })
  }
  return found.sort((a, b) => Number(b.table.isEnabled) - Number(a.table.isEnabled))
}

/** Either side may be the longer one. */
function checkSides(width: number, height: number): void {
  if (!(width >= 1 && height >= 1)) reject('broken')
  if (Math.max(width, height) > longerSide || Math.min(width, height) > shorterSide) reject('dimensions')
}

/** Whether the first picture is made of H.264 units, and not of anything that a table was put in front of. */
async function checkFirstPicture({ track, table }: Played<InputVideoTrack>, file: number): Promise<void> {
  let data: Buffer = Buffer.alloc(0)
  table.walk(({ position, size }) => {
    data = readAt(file, position, size)
    return data.length === 0
  })
  const description = (await track.getDecoderConfig())?.description
  if (description === undefined) return
  const record = Buffer.from(ArrayBuffer.isView(description) ? description.buffer : description)
  const start = ArrayBuffer.isView(description) ? description.byteOffset : 0
  const lengthBytes = ((record[start + 4] ?? 0) & 3) + 1
  let position = 0
  while (position < data.length) {
    if (position + lengthBytes > data.length) reject('broken')
    const unit = data.readUIntBE(position, lengthBytes)
    position += lengthBytes + unit
    if (unit === 0 || position > data.length) reject('broken')
    if ((data[position - unit] as number) & 0x80) reject('broken')
  }
  if (position === 0) reject('broken')
}

// No one piece is longer of a file whose boxes were checked: its tables.
const longestRead = 33 * 1024 * 1024

/** mediabunny on an open descriptor whose boxes were checked: it reads by position what it needs and nothing else. */
export function openInput(work: Pick<Work, 'original' | 'originalBytes'>): Input {
  const { movie, moviePosition } = readTopLevel(work.original, work.originalBytes)
  mend(movie)
  const source = new CustomSource({
    getSize: () => work.originalBytes,
    read: (start, end) => {
      if (end - start > longestRead) reject('broken')
      const bytes = readAt(work.original, start, end - start)
      const first = Math.max(start, moviePosition)
      const mended = movie.subarray(first - moviePosition)
      if (first < end) mended.copy(bytes, first - start)
      return bytes
    },
    maxCacheSize: 4 * 1024 * 1024,
  })
  return new Input({ source, formats: [MP4, QTFF] })
}
