// FFmpeg's decoders, filters and encoders, and nothing else of it: no format, no protocol, no file. Packets come from
// where our tables say and go to mediabunny's muxer, so what decides where bytes are read is written in TypeScript.
import { setImmediate } from 'node:timers/promises'
import type { InputAudioTrack, InputVideoTrack } from 'mediabunny'
import { AV_LOG_QUIET, AVERROR_EOF, AVERROR_EXTERNAL, FF_DECODE_ERROR_MISSING_REFERENCE } from 'node-av/constants'
import {
  Codec,
  CodecContext,
  FFmpegError,
  type FilterContext,
  FilterGraph,
  Frame,
  Log,
  Packet,
  PosixError,
  Rational,
} from 'node-av/lib'
import { disposing } from './disposing.ts'
import { readAt } from './look.ts'
import type { Piece, Samples } from './media-pieces.ts'
import { reject } from './media-reject.ts'

Log.setLevel(AV_LOG_QUIET)

const AVERROR_EAGAIN = FFmpegError.AVERROR(PosixError.EAGAIN)
const AVERROR_ENOMEM = FFmpegError.AVERROR(PosixError.ENOMEM)

const decoders = { avc: 'h264', hevc: 'hevc', vp9: 'vp9', av1: 'libdav1d', aac: 'aac', mp3: 'mp3float', opus: 'opus' }
// A picture of the largest dimensions, in whole macroblocks and either orientation.
const maxPixels = 3840 * 2176

export interface Encoded {
  data: Buffer
  /** In the encoder's time base. */
  timestamp: number
  duration: number
  isKey: boolean
}

/** For what can fail of the input or of the memory that it takes. */
function accept(code: number): void {
  if (code < 0) reject(code === AVERROR_ENOMEM ? 'limits' : 'broken')
}

/** For what fails by no input, but by memory that is used up; of that x264 says only that something failed. */
function check(code: number): void {
  if (code === AVERROR_ENOMEM || code === AVERROR_EXTERNAL) reject('limits')
  if (code < 0) throw new Error(`FFmpeg error ${code}`)
}

/** Takes what comes out until there is no more for now. */
function drain(receive: () => number, take: () => void): void {
  for (;;) {
    const code = receive()
    if (code === AVERROR_EAGAIN || code === AVERROR_EOF) return
    accept(code)
    take()
  }
}

/** What a track stores, and the file that it is in. */
export interface Stored {
  track: InputVideoTrack | InputAudioTrack
  samples: Samples
  file: number
}

/**
 * Decodes a piece of a track and hands each frame on, with its time in units of `1 / ticks` seconds, as in the track. Stops
 * at the first error: `broken`.
 */
export const decode = disposing(async function decode(
  use,
  { track, samples, file }: Stored,
  { from, to }: Pick<Piece, 'from' | 'to'>,
  ticks: number,
  take: (frame: Frame) => void,
): Promise<void> {
  const decoder = use(await openDecoder(track, ticks))
  const packet = use(new Packet())
  packet.alloc()
  const frame = use(new Frame())
  frame.alloc()
  const drainFrames = (): void =>
    drain(
      () => decoder.receiveFrameSync(frame),
      () => {
        if ((frame.decodeErrorFlags & ~FF_DECODE_ERROR_MISSING_REFERENCE) !== 0) reject('broken')
        take(frame)
        frame.unref()
      },
    )
  for (let index = from; index < to; index++) {
    packet.unref()
    packet.data = readAt(file, samples.positions[index] as number, samples.sizes[index] as number)
    packet.pts = BigInt(Math.round((samples.times[index] as number) * ticks))
    accept(decoder.sendPacketSync(packet))
    drainFrames()
    // The process has to hear meanwhile that its parent has gone.
    await setImmediate()
  }
  decoder.sendPacketSync(null)
  drainFrames()
})

async function openDecoder(track: InputVideoTrack | InputAudioTrack, ticks: number): Promise<CodecContext> {
  const name = decoders[((await track.getCodec()) ?? '') as keyof typeof decoders]
  const codec = Codec.findDecoderByName(name as Parameters<typeof Codec.findDecoderByName>[0])
  if (codec === null) throw new Error(`no decoder ${name}`)
  const config = (await track.getDecoderConfig()) ?? reject('codec')
  const context = new CodecContext()
  context.allocContext3(codec)
  if (config.description !== undefined) {
    const { description } = config
    context.extraData = ArrayBuffer.isView(description)
      ? Buffer.from(description.buffer, description.byteOffset, description.byteLength)
      : Buffer.from(description as ArrayBuffer)
  }
  if ('codedWidth' in config) {
    context.width = config.codedWidth ?? 0
    context.height = config.codedHeight ?? 0
  } else if ('sampleRate' in config) {
    context.sampleRate = config.sampleRate
    context.channels = config.numberOfChannels
  }
  context.threadCount = 1
  context.pktTimebase = new Rational(1, ticks)
  check(context.setOption('max_pixels', maxPixels))
  accept(context.open2Sync(codec))
  return context
}

export interface FilterChain extends Disposable {
  /** Puts a frame in, null at the end, and hands on what comes out. */
  push: (frame: Frame | null, take: (frame: Frame) => void) => void
}

/** A chain of filters, described as FFmpeg does, between a source made for such frames and a sink. */
export function openFilters(kind: 'video' | 'audio', source: string, description: string): FilterChain {
  const graph = new FilterGraph()
  graph.alloc()
  graph.nbThreads = 1
  const prefix = kind === 'audio' ? 'a' : ''
  const last = `${prefix}buffersink@out`
  check(graph.parse2(`${prefix}buffer@in=${source},${description},${last}`))
  check(graph.configSync())
  const input = find(graph, (filter) => filter.isSource())
  const output = find(graph, (filter) => filter.isSink())
  const frame = new Frame()
  frame.alloc()
  return {
    push(given, take) {
      accept(input.buffersrcAddFrameSync(given))
      drain(
        () => output.buffersinkGetFrameSync(frame),
        () => {
          take(frame)
          frame.unref()
        },
      )
    },
    [Symbol.dispose]() {
      frame.free()
      graph.free()
    },
  }
}

function find(graph: FilterGraph, test: (filter: FilterContext) => boolean): FilterContext {
  const found = graph.filters?.find(test)
  if (found === undefined) throw new Error('a chain without an end')
  return found
}

export interface Encoder extends Disposable {
  /** Puts a frame in, null at the end, and hands on what comes out. */
  push: (frame: Frame | null, take: (packet: Encoded) => void) => void
  context: CodecContext
}

/**
 * An encoder by name; `set` says what its frames are like before it is opened. Options are set one by one: node-av frees
 * twice a dictionary that is given to the opening.
 */
export function openEncoder(
  name: 'libx264' | 'aac' | 'mjpeg',
  options: Record<string, string | number>,
  set: (context: CodecContext) => void,
): Encoder {
  const codec = Codec.findEncoderByName(name as Parameters<typeof Codec.findEncoderByName>[0])
  if (codec === null) throw new Error(`no encoder ${name}`)
  const context = new CodecContext()
  context.allocContext3(codec)
  set(context)
  for (const [option, value] of Object.entries(options)) check(context.setOption(option, value))
  check(context.open2Sync(codec))
  const packet = new Packet()
  packet.alloc()
  return {
    context,
    push(frame, take) {
      check(context.sendFrameSync(frame))
      drain(
        () => context.receivePacketSync(packet),
        () => {
          const { data, pts, duration, isKeyframe } = packet
          take({
            data: Buffer.from(data ?? []),
            timestamp: Number(pts),
            duration: Number(duration),
            isKey: isKeyframe,
          })
          packet.unref()
        },
      )
    },
    [Symbol.dispose]() {
      packet.free()
      context.freeContext()
    },
  }
}
