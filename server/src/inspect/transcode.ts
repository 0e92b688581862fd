// Normalises a portfolio's video: H.264 and AAC in an MP4 that plays at once and tells nothing but its pictures and
// sound, and a JPEG of its first picture. docs/contract/attachments.md#formats.
import { AV_CODEC_FLAG_BITEXACT, AV_PIX_FMT_YUV420P } from 'node-av/constants'
import { type Frame, Rational } from 'node-av/lib'
import { disposing } from './disposing.ts'
import { type Work, writeWhole } from './look.ts'
import { picturePieces, samplesOf } from './media-pieces.ts'
import { reject } from './media-reject.ts'
import type { VideoFile } from './media-video.ts'
import { encodeAudio } from './transcode-audio.ts'
import { decode, type Encoded, type Encoder, type FilterChain, openEncoder, openFilters } from './transcode-codecs.ts'
import { fillColours, toStandardColours } from './transcode-colours.ts'
import { mux, type VideoStream } from './transcode-mux.ts'
import { type Plan, planFor, ticks } from './transcode-plan.ts'
import { encodePoster, isFlat, type Poster } from './transcode-poster.ts'

// H.264's Annex B: what stands before each unit, and a unit's type.
const startCode = Buffer.of(0, 0, 1)
const supplemental = 6

// How far a player has to go back at most when it is sent somewhere.
const keySeconds = 4

// The encoder keeps to its rate on average; where a video's nature or the container's tables exceed it, once more.
const shares = [0.9, 0.5]

/**
 * Writes the normalised video and its poster, together of at most `work.derivedBytes`, and the poster's copies where there
 * is room for them. Throws a Rejection: `broken` where the video cannot be decoded to its end, `limits` where it cannot be
 * made to fit.
 */
export async function normalise(file: VideoFile, work: Work): Promise<void> {
  for (const share of shares) {
    const plan = (await planFor(file, work.derivedBytes * share)) ?? reject('limits')
    const { video, poster } = await encodeVideo(file, plan, work.original)
    const audio = file.audio && (await encodeAudio(file.audio, plan.audioBitsPerSecond, work.original))
    const bytes = await mux(video, audio)
    let room = work.derivedBytes - bytes.length - poster.whole.length
    if (room < 0) continue
    writeWhole(work.derived.playback, bytes)
    writeWhole(work.derived.preview, poster.whole)
    for (const { width, bytes: copy } of poster.copies) {
      if (copy.length > room) continue
      writeWhole(work.derived[`preview-${width}`], copy)
      room -= copy.length
    }
    return
  }
  reject('limits')
}

const encodeVideo = disposing(async function encodeVideo(
  use,
  { video, framesPerSecond }: VideoFile,
  plan: Plan,
  file: number,
): Promise<{ video: VideoStream; poster: Poster }> {
  let filters: FilterChain | undefined
  let shape = ''
  let encoder: Encoder | undefined
  let poster: Poster | undefined
  let posterIsFlat = true
  let last = -1
  const packets: Encoded[] = []

  const encode = (frame: Frame): void => {
    const time = Number(frame.pts)
    if (time <= last) return
    // What is shown from the start is there before the first moment of a video that begins later.
    if (last < 0) frame.pts = 0n
    last = time
    if (posterIsFlat) {
      posterIsFlat = isFlat(frame)
      if (poster === undefined || !posterIsFlat) poster = encodePoster(frame, plan.posterBytes)
    }
    encoder ??= use(openVideoEncoder(frame, plan, framesPerSecond))
    encoder.push(frame, (packet) => packets.push(packet))
  }
  const convert = (frame: Frame): void => {
    const seen = `${frame.width}x${frame.height} ${frame.format} ${frame.colorTrc}`
    // The filters are made for frames of one shape, which may change within a recording.
    if (seen !== shape) {
      filters?.push(null, encode)
      filters = use(openFilters('video', sourceOf(frame), plan.filters(toStandardColours(frame))))
      shape = seen
    }
    filters?.push(frame, encode)
  }

  const samples = samplesOf(video.table)
  const colours = await video.track.getColorSpace()
  let promised = 0
  for (const piece of picturePieces(video.table, samples)) {
    const at = (time: number): number => Math.round(time * ticks)
    const wanted = new Set(piece.shown.map(at))
    const seen = new Set<number>()
    await decode({ track: video.track, samples, file }, piece, ticks, (frame) => {
      const time = Number(frame.pts)
      if (!wanted.has(time)) return
      seen.add(time)
      frame.pts = BigInt(at(Math.max(time / ticks, piece.media) + piece.delay))
      fillColours(frame, colours)
      convert(frame)
    })
    checkNoneMissing([...wanted], seen)
    promised = at((piece.shown.at(-1) as number) + piece.delay)
  }
  filters?.push(null, encode)
  encoder?.push(null, (packet) => packets.push(packet))
  if (packets.length === 0 || poster === undefined) reject('broken')
  // As many pictures as may be left out of a rate that is too high for a screen, and one more.
  if (last < promised - (2 * ticks) / Math.min(framesPerSecond, plan.maxFramesPerSecond)) reject('broken')
  return { video: videoStream(packets, plan, video.table.seconds), poster }
})

/** A decoder may leave a picture out, as for two fields that are one frame; where two in a row are missing, more is lost. */
function checkNoneMissing(wanted: readonly number[], seen: ReadonlySet<number>): void {
  let missing = 0
  for (const time of wanted) {
    missing = seen.has(time) ? 0 : missing + 1
    if (missing > 1) reject('broken')
  }
  if (seen.size === 0 && wanted.length > 0) reject('broken')
}

function sourceOf(frame: Frame): string {
  const { width, height, format, colorSpace, colorRange } = frame
  return `video_size=${width}x${height}:pix_fmt=${format}:time_base=1/${ticks}:colorspace=${colorSpace}:range=${colorRange}`
}

function openVideoEncoder(frame: Frame, plan: Plan, framesPerSecond: number): Encoder {
  const options = { preset: 'veryfast', profile: 'high', crf: 23, threads: 2 }
  const rate = Math.min(framesPerSecond, plan.maxFramesPerSecond)
  return openEncoder('libx264', options, (context) => {
    context.width = frame.width
    context.height = frame.height
    context.pixelFormat = AV_PIX_FMT_YUV420P
    context.timeBase = new Rational(1, ticks)
    context.framerate = new Rational(Math.round(rate * 1000), 1000)
    context.sampleAspectRatio = new Rational(1, 1)
    context.colorRange = frame.colorRange
    context.colorPrimaries = frame.colorPrimaries
    context.colorTrc = frame.colorTrc
    context.colorSpace = frame.colorSpace
    context.gopSize = Math.max(1, Math.round(rate * keySeconds))
    context.rcMaxRate = BigInt(plan.videoBitsPerSecond)
    context.rcBufferSize = plan.videoBitsPerSecond
    context.setFlags(AV_CODEC_FLAG_BITEXACT)
  })
}

/** Gives each picture the time until the next one, and leaves out what the encoder says of itself. */
function videoStream(packets: readonly Encoded[], plan: Plan, end: number): VideoStream {
  const times = packets.map(({ timestamp }) => timestamp).sort((a, b) => a - b)
  const after = new Map(times.map((time, index) => [time, times[index + 1] ?? Math.max(end * ticks, time + 1)]))
  const [first] = packets
  const sets = (first as Encoded).data
  const parameters = sets.indexOf(Buffer.of(...startCode, 0x67))
  if (parameters < 0) throw new Error('no parameter set')
  const codec = `avc1.${sets.toString('hex', parameters + 4, parameters + 7)}`
  return {
    packets: packets.map((packet) => ({
      ...packet,
      data: withoutRemarks(packet.data),
      timestamp: packet.timestamp / ticks,
      duration: ((after.get(packet.timestamp) as number) - packet.timestamp) / ticks,
    })),
    config: { codec, codedWidth: plan.width, codedHeight: plan.height },
  }
}

/** An access unit without its supplemental units: there the encoder tells its name and settings. */
function withoutRemarks(data: Buffer): Buffer {
  const kept: Buffer[] = []
  for (let start = data.indexOf(startCode); start >= 0; ) {
    const next = data.indexOf(startCode, start + startCode.length)
    const unit = data.subarray(start, next < 0 ? undefined : next)
    if (((unit[startCode.length] as number) & 31) !== supplemental) kept.push(unit)
    start = next
  }
  return Buffer.concat(kept)
}
