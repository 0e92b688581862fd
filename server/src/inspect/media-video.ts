// Looks into an MP4: whether its codecs, dimensions, length and frame rate are allowed. An order's video is not
// decoded, for it is kept as it is. docs/contract/attachments.md#formats.
import {
  CustomSource,
  EncodedPacketSink,
  Input,
  type InputAudioTrack,
  type InputVideoTrack,
  Logging,
  LogLevel,
  MP4,
} from 'mediabunny'
import { type Finding, readAt, ready, type Work } from './look.ts'
import { readTracks } from './media-boxes.ts'
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

export interface VideoFile {
  video: InputVideoTrack
  audio: InputAudioTrack | null
  seconds: number
  framesPerSecond: number
}

/**
 * The facts of an MP4, which with `normalise` is a portfolio's and is given to it. Throws a Rejection: `codec`,
 * `dimensions`, `duration`, `frame_rate`, `external_reference`, `encrypted`, `limits` or `broken`.
 */
export async function inspectVideo(
  work: Work,
  normalise?: (file: VideoFile, work: Work) => Promise<void>,
): Promise<Finding> {
  const limit = normalise ? limits.portfolio : limits.order
  const tables = readTracks(work.original, work.originalBytes)
  const pictures = tables.filter((track) => track.kind === 'video')
  const sounds = tables.filter((track) => track.kind === 'audio')

  using input = openInput(work)
  const videos = await input.getVideoTracks()
  const audios = await input.getAudioTracks()
  // A track whose codec the library cannot name is missing from its lists.
  if (videos.length === 0 || videos.length !== pictures.length || audios.length !== sounds.length) reject('codec')
  for (const track of videos) if (!limit.video.includes((await track.getCodec()) ?? '')) reject('codec')
  for (const track of audios) if (!limit.audio.includes((await track.getCodec()) ?? '')) reject('codec')

  for (const track of videos) {
    checkSides(await track.getCodedWidth(), await track.getCodedHeight())
    checkSides(await track.getDisplayWidth(), await track.getDisplayHeight())
  }
  if (pictures.some((track) => track.samples === 0 || track.mediaSeconds === 0)) reject('broken')
  const seconds = Math.max(...[...pictures, ...sounds].map((track) => track.seconds))
  if (seconds > limit.seconds + roundingSeconds) reject('duration')
  // A single picture lasts as long as it likes: a rate takes two.
  const rates = pictures.map((track) => (track.samples > 1 ? track.samples / track.mediaSeconds : 1))
  if (normalise && sounds.some((track) => track.samples > mostSoundPackets)) reject('limits')
  if (Math.max(...rates) > limit.framesPerSecond + roundingFrames) reject('frame_rate')

  const [video, audio = null] = [videos[0] as InputVideoTrack, audios[0]]
  const framesPerSecond = rates[0] as number
  if (normalise) await normalise({ video, audio, seconds, framesPerSecond }, work)
  else await checkFirstPicture(video)
  return ready({
    width: await video.getDisplayWidth(),
    height: await video.getDisplayHeight(),
    durationMilliseconds: Math.round(seconds * 1000),
    framesPerSecond: Math.round(framesPerSecond * 1000) / 1000,
    videoCodec: await video.getCodec(),
    audioCodec: (await audio?.getCodec()) ?? null,
  })
}

/** Either side may be the longer one. */
function checkSides(width: number, height: number): void {
  if (!(width >= 1 && height >= 1)) reject('broken')
  if (Math.max(width, height) > longerSide || Math.min(width, height) > shorterSide) reject('dimensions')
}

/** Whether the first sample is made of H.264 units, and not of anything that a table was put in front of. */
async function checkFirstPicture(track: InputVideoTrack): Promise<void> {
  const packet = (await new EncodedPacketSink(track).getFirstPacket()) ?? reject('broken')
  const description = (await track.getDecoderConfig())?.description
  if (description === undefined) return
  const record = Buffer.from(ArrayBuffer.isView(description) ? description.buffer : description)
  const start = ArrayBuffer.isView(description) ? description.byteOffset : 0
  const lengthBytes = ((record[start + 4] ?? 0) & 3) + 1
  const data = Buffer.from(packet.data.buffer, packet.data.byteOffset, packet.data.byteLength)
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

/** mediabunny on the open descriptor: it reads by position what it needs and nothing else. */
export function openInput(work: Pick<Work, 'original' | 'originalBytes'>): Input {
  const source = new CustomSource({
    getSize: () => work.originalBytes,
    read: (start, end) => {
      if (end - start > longestRead) reject('broken')
      return readAt(work.original, start, end - start)
    },
    maxCacheSize: 4 * 1024 * 1024,
  })
  return new Input({ source, formats: [MP4] })
}
