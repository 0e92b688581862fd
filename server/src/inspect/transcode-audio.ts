// The sound of a normalised video: AAC, in mono or stereo, of as much of the track as its edit list shows.
import type { InputAudioTrack } from 'mediabunny'
import {
  AV_CHANNEL_LAYOUT_MONO,
  AV_CHANNEL_LAYOUT_STEREO,
  AV_CODEC_FLAG_BITEXACT,
  AV_CODEC_FLAG_GLOBAL_HEADER,
  AV_SAMPLE_FMT_FLTP,
} from 'node-av/constants'
import { avChannelLayoutDescribe, type Frame, Rational } from 'node-av/lib'
import { disposing } from './disposing.ts'
import { type Piece, type Samples, samplesOf, soundPieces } from './media-pieces.ts'
import { reject, roundingSeconds } from './media-reject.ts'
import type { Played } from './media-video.ts'
import { decode, type Encoded, type FilterChain, openEncoder, openFilters } from './transcode-codecs.ts'
import type { AudioStream } from './transcode-mux.ts'

// The unit of the decoded sound's timestamps.
const ticks = 1_000_000

/** Throws a Rejection `broken` where the sound cannot be decoded to its end. */
export const encodeAudio = disposing(async function encodeAudio(
  use,
  { table, track }: Played<InputAudioTrack>,
  bitsPerSecond: number,
  file: number,
): Promise<AudioStream> {
  const rate = (await track.getSampleRate()) === 44_100 ? 44_100 : 48_000
  const isMono = (await track.getNumberOfChannels()) === 1
  const packets: Encoded[] = []
  const encoder = use(
    openEncoder('aac', {}, (context) => {
      context.sampleRate = rate
      context.sampleFormat = AV_SAMPLE_FMT_FLTP
      context.channelLayout = isMono ? AV_CHANNEL_LAYOUT_MONO : AV_CHANNEL_LAYOUT_STEREO
      context.timeBase = new Rational(1, rate)
      context.bitRate = BigInt(bitsPerSecond)
      context.setFlags(AV_CODEC_FLAG_GLOBAL_HEADER, AV_CODEC_FLAG_BITEXACT)
    }),
  )
  const layout = isMono ? 'mono' : 'stereo'
  // Gaps become silence, what is before the start is cut off, and the encoder gets frames of its size.
  const filters = use(
    openFilters(
      'audio',
      `time_base=1/${rate}:sample_rate=${rate}:sample_fmt=fltp:channel_layout=${layout}`,
      `aresample=${rate}:async=1:first_pts=0,aformat=sample_fmts=fltp:sample_rates=${rate}:channel_layouts=${layout},asetnsamples=n=1024:p=0`,
    ),
  )
  const encode = (frame: Frame): void => encoder.push(frame, (packet) => packets.push(packet))
  const samples = samplesOf(table)
  let promised = 0
  for (const piece of soundPieces(table, samples)) {
    await decodePiece({ track, samples, file }, piece, { rate, layout }, (frame) => filters.push(frame, encode))
    promised = Math.max((samples.times[piece.to - 1] as number) + piece.delay, 0)
  }
  filters.push(null, encode)
  encoder.push(null, (packet) => packets.push(packet))
  const end = packets.reduce((latest, { timestamp, duration }) => Math.max(latest, timestamp + duration), 0)
  if (end / rate < promised - roundingSeconds) reject('broken')
  return {
    packets: packets.map((packet) => ({
      ...packet,
      timestamp: packet.timestamp / rate,
      duration: packet.duration / rate,
    })),
    config: {
      codec: 'mp4a.40.2',
      sampleRate: rate,
      numberOfChannels: isMono ? 1 : 2,
      description: encoder.context.extraData ?? reject('broken'),
    },
  }
})

// A decoder begins with what it lacks of the sound before, and ends with what it keeps back.
const framesKept = 2

/** Hands on the sound of a piece as it is to be heard, in the target's rate and unit of time. */
const decodePiece = disposing(async function decodePiece(
  use,
  stored: { track: InputAudioTrack; samples: Samples; file: number },
  piece: Piece,
  { rate, layout }: { rate: number; layout: 'mono' | 'stereo' },
  take: (frame: Frame) => void,
): Promise<void> {
  let filters: FilterChain | undefined
  let shape = ''
  let frames = 0
  const moved = (frame: Frame): void => {
    frame.pts += BigInt(Math.round(piece.delay * rate))
    take(frame)
  }
  const [start, end] = [piece.media, piece.end].map((time) => time.toFixed(6))
  await decode(stored, piece, ticks, (frame) => {
    frames++
    const channels = avChannelLayoutDescribe(frame.channelLayout)
    const seen = `sample_rate=${frame.sampleRate}:sample_fmt=${frame.format}:channel_layout=${channels}`
    // A recording may change between stereo and more channels.
    if (seen !== shape) {
      filters?.push(null, moved)
      filters = use(
        openFilters(
          'audio',
          `time_base=1/${ticks}:${seen}`,
          `atrim=start=${start}:end=${end},aresample=${rate},aformat=sample_fmts=fltp:sample_rates=${rate}:channel_layouts=${layout}`,
        ),
      )
      shape = seen
    }
    filters?.push(frame, moved)
  })
  filters?.push(null, moved)
  if (frames < piece.to - piece.from - framesKept) reject('broken')
})
