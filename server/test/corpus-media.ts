// Videos and sounds for tests, encoded here when they are needed: nothing of them is kept.
import {
  BufferTarget,
  EncodedAudioPacketSource,
  EncodedPacket,
  EncodedVideoPacketSource,
  Mp4OutputFormat,
  Output,
  type VideoCodec,
} from 'mediabunny'
import {
  AV_CHANNEL_LAYOUT_5POINT1,
  AV_CHANNEL_LAYOUT_STEREO,
  AV_CODEC_FLAG_GLOBAL_HEADER,
  AV_LOG_QUIET,
  AV_PIX_FMT_YUV420P,
  AV_PIX_FMT_YUV420P10LE,
  AV_SAMPLE_FMT_FLT,
  AV_SAMPLE_FMT_FLTP,
  AVCOL_PRI_BT2020,
  AVCOL_SPC_BT2020_NCL,
  AVCOL_TRC_ARIB_STD_B67,
  AVCOL_TRC_SMPTE2084,
} from 'node-av/constants'
import { Codec, CodecContext, Frame, Log, Packet, Rational } from 'node-av/lib'
import { type Light, type MadeFrame, patchesFrame, patchHeight, patchWidth, type Transfer } from './corpus-hdr.ts'

Log.setLevel(AV_LOG_QUIET)

interface VideoRecipe {
  seconds?: number
  framesPerSecond?: number
  width?: number
  height?: number
  codec?: 'avc' | 'hevc' | 'vp9'
  audio?: 'aac' | 'mp3' | 'opus' | null
  channels?: 2 | 6
  rotation?: 0 | 90 | 180 | 270
  /** What the file says of itself. */
  title?: string
  fragmented?: boolean
  /** The times of the pictures in seconds, instead of those at the frame rate. */
  times?: readonly number[]
  /** The brightness of a picture's left and right half, by its index. */
  halves?: (index: number) => readonly [number, number]
  /** Patches of light instead, of high dynamic range in 10 bits of HEVC; they say how large the picture is. */
  patches?: { transfer: Transfer; lights: readonly Light[] }
  /** Noise instead, which is hard to encode: for files of some weight. */
  noise?: boolean
}

const encoders = { avc: 'libx264', hevc: 'libx265', vp9: 'libvpx-vp9' } as const
const codecStrings = { avc: 'avc1.42001f', hevc: 'hvc1.1.6.L93.B0', vp9: 'vp09.00.10.08' } as const
const options = {
  avc: { preset: 'ultrafast' },
  hevc: { preset: 'ultrafast', 'x265-params': 'log-level=none:pools=none:frame-threads=1' },
  vp9: { deadline: 'realtime', 'cpu-used': '8' },
} as const
const ticks = 90_000
const rate = 48_000
const layouts = { 2: AV_CHANNEL_LAYOUT_STEREO, 6: AV_CHANNEL_LAYOUT_5POINT1 } as const

interface Encoded {
  data: Buffer
  timestamp: number
  duration: number
  isKey: boolean
}

function encode(context: CodecContext, frames: Iterable<MadeFrame>, unit: number): Encoded[] {
  const packets: Encoded[] = []
  // An encoder looks back at frames that it had before.
  const inUse: Buffer[] = []
  const packet = new Packet()
  packet.alloc()
  const drain = (): void => {
    while (context.receivePacketSync(packet) >= 0) {
      packets.push({
        data: Buffer.from(packet.data ?? []),
        timestamp: Number(packet.pts) / unit,
        duration: Number(packet.duration) / unit,
        isKey: packet.isKeyframe,
      })
      packet.unref()
    }
  }
  for (const { frame, bytes } of frames) {
    inUse.push(bytes)
    if (context.sendFrameSync(frame) < 0) throw new Error('the encoder refuses a frame')
    frame.free()
    drain()
  }
  context.sendFrameSync(null)
  drain()
  packet.free()
  inUse.length = 0
  return packets
}

function open(name: string, set: (context: CodecContext) => void, given: Record<string, string> = {}): CodecContext {
  const codec = Codec.findEncoderByName(name as Parameters<typeof Codec.findEncoderByName>[0])
  if (codec === null) throw new Error(`no encoder ${name}`)
  const context = new CodecContext()
  context.allocContext3(codec)
  set(context)
  for (const [option, value] of Object.entries(given)) context.setOption(option, value)
  if (context.open2Sync(codec) < 0) throw new Error(`${name} does not open`)
  return context
}

function* pictures(
  recipe: Required<Pick<VideoRecipe, 'width' | 'height' | 'halves' | 'noise'>>,
  times: readonly number[],
): Iterable<MadeFrame> {
  const { width, height, halves, noise } = recipe
  const chroma = Math.ceil(width / 2) * Math.ceil(height / 2)
  const bytes = Buffer.alloc(width * height + 2 * chroma, 128)
  let state = 1
  for (const [index, time] of times.entries()) {
    const [left, right] = halves(index)
    for (let row = 0; row < height; row++) {
      bytes.fill(left, row * width, row * width + Math.ceil(width / 2))
      bytes.fill(right, row * width + Math.ceil(width / 2), (row + 1) * width)
    }
    if (noise) {
      for (let at = 0; at < width * height; at++) {
        state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
        bytes[at] = state >>> 24
      }
    }
    const frame = Frame.fromVideoBuffer(bytes, {
      width,
      height,
      format: AV_PIX_FMT_YUV420P,
      timeBase: { num: 1, den: ticks },
      pts: BigInt(Math.round(time * ticks)),
    })
    yield { frame, bytes }
  }
}

function* sound(seconds: number, channels: 2 | 6, frameSize: number): Iterable<MadeFrame> {
  const total = Math.floor(seconds * rate)
  for (let start = 0; start < total; start += frameSize) {
    const count = Math.min(frameSize, total - start)
    const bytes = Buffer.alloc(count * channels * 4)
    for (let sample = 0; sample < count; sample++) {
      const value = Math.sin(((start + sample) / rate) * 2 * Math.PI * 440) / 4
      for (let channel = 0; channel < channels; channel++) bytes.writeFloatLE(value, (channel * count + sample) * 4)
    }
    const frame = Frame.fromAudioBuffer(bytes, {
      nbSamples: count,
      format: AV_SAMPLE_FMT_FLTP,
      sampleRate: rate,
      channelLayout: layouts[channels],
      timeBase: { num: 1, den: rate },
      pts: BigInt(start),
    })
    yield { frame, bytes }
  }
}

const soundEncoders = { aac: 'aac', mp3: 'libmp3lame', opus: 'libopus' } as const
const soundStrings = { aac: 'mp4a.40.2', mp3: 'mp3', opus: 'opus' } as const

function encodeSound(
  codec: 'aac' | 'mp3' | 'opus',
  seconds: number,
  channels: 2 | 6,
): { packets: Encoded[]; description: Buffer | null } {
  const context = open(soundEncoders[codec], (context) => {
    context.sampleRate = rate
    context.sampleFormat = codec === 'opus' ? AV_SAMPLE_FMT_FLT : AV_SAMPLE_FMT_FLTP
    context.channelLayout = layouts[channels]
    context.timeBase = new Rational(1, rate)
    context.bitRate = 64_000n
    context.setFlags(AV_CODEC_FLAG_GLOBAL_HEADER)
  })
  const packets = encode(context, sound(seconds, channels, context.frameSize || 1024), rate)
  const description = context.extraData && Buffer.from(context.extraData)
  context.freeContext()
  return { packets, description }
}

/** An MP4 by recipe; by default a second of 64x64 in H.264 with AAC. */
export async function video(recipe: VideoRecipe = {}): Promise<Buffer> {
  const { seconds = 1, framesPerSecond = 25, audio = 'aac', patches } = recipe
  const { codec = patches ? 'hevc' : 'avc' } = recipe
  const { width = patches ? patches.lights.length * patchWidth : 64, height = patches ? patchHeight : 64 } = recipe
  const {
    channels = 2,
    rotation = 0,
    fragmented = false,
    noise = false,
    halves = (index) => [40 + (index % 8) * 20, 60],
  } = recipe
  const times =
    recipe.times ?? Array.from({ length: Math.round(seconds * framesPerSecond) }, (_, at) => at / framesPerSecond)
  const context = open(
    encoders[codec],
    (context) => {
      context.width = width
      context.height = height
      context.pixelFormat = patches ? AV_PIX_FMT_YUV420P10LE : AV_PIX_FMT_YUV420P
      if (patches) {
        context.colorPrimaries = AVCOL_PRI_BT2020
        context.colorSpace = AVCOL_SPC_BT2020_NCL
        context.colorTrc = patches.transfer === 'pq' ? AVCOL_TRC_SMPTE2084 : AVCOL_TRC_ARIB_STD_B67
      }
      context.timeBase = new Rational(1, ticks)
      context.framerate = new Rational(Math.round(framesPerSecond * 1000), 1000)
      context.threadCount = 1
    },
    options[codec],
  )
  const frames = patches
    ? times.map((time) => patchesFrame(patches.lights, patches.transfer, Math.round(time * ticks), ticks))
    : pictures({ width, height, halves, noise }, times)
  const shown = encode(context, frames, ticks)
  context.freeContext()
  const sorted = shown.map(({ timestamp }) => timestamp).sort((a, b) => a - b)
  const end = (time: number): number =>
    sorted[sorted.indexOf(time) + 1] ?? Math.max(seconds, time + 1 / framesPerSecond)

  const target = new BufferTarget()
  const output = new Output({ format: new Mp4OutputFormat({ fastStart: fragmented ? 'fragmented' : false }), target })
  const track = new EncodedVideoPacketSource(codec as VideoCodec)
  output.addVideoTrack(track, { rotation })
  const soundTrack = audio === null ? undefined : new EncodedAudioPacketSource(audio)
  if (soundTrack) output.addAudioTrack(soundTrack)
  if (recipe.title) output.setMetadataTags({ title: recipe.title, comment: recipe.title })
  await output.start()
  const heard = audio === null ? undefined : encodeSound(audio, seconds, channels)
  const config = { codec: patches ? 'hvc1.2.4.L93.B0' : codecStrings[codec], codedWidth: width, codedHeight: height }
  const adding = shown.map(async ({ data, isKey, timestamp }, index) => {
    const packet = new EncodedPacket(data, isKey ? 'key' : 'delta', timestamp, end(timestamp) - timestamp)
    await track.add(packet, index === 0 ? { decoderConfig: config } : undefined)
  })
  for (const [index, { data, timestamp, duration }] of (heard?.packets ?? []).entries()) {
    const packet = new EncodedPacket(data, 'key', timestamp, duration)
    const decoderConfig = {
      codec: soundStrings[audio as 'aac'],
      numberOfChannels: channels,
      sampleRate: rate,
      ...(audio !== 'mp3' && heard?.description ? { description: heard.description } : {}),
    }
    adding.push((soundTrack as EncodedAudioPacketSource).add(packet, index === 0 ? { decoderConfig } : undefined))
  }
  await Promise.all(adding)
  await output.finalize()
  return Buffer.from(target.buffer as ArrayBuffer)
}

/** An MP3 as LAME makes it, without tags. */
export const mp3 = (seconds: number): Buffer =>
  Buffer.concat(encodeSound('mp3', seconds, 2).packets.map(({ data }) => data))

/** Silent MP3 frames of a constant rate: any length, in few bytes. MPEG-2, 22,050 Hz, mono, 8 kbit/s. */
export function silentMp3(seconds: number): Buffer {
  const bytes = Math.floor((72 * 8000) / 22_050)
  const frame = Buffer.alloc(bytes)
  frame.writeUInt32BE(0xfff310c0)
  return Buffer.concat(Array<Buffer>(Math.ceil((seconds * 22_050) / 576)).fill(frame))
}

/** A WAV of silence; 8-bit mono at `rate` samples a second. */
export function wav(seconds: number, rate = 8000, tag = 1): Buffer {
  const data = Buffer.alloc(seconds * rate, 128)
  const head = Buffer.alloc(44)
  head.write('RIFF', 0, 'latin1')
  head.writeUInt32LE(36 + data.length, 4)
  head.write('WAVEfmt ', 8, 'latin1')
  head.writeUInt32LE(16, 16)
  head.writeUInt16LE(tag, 20)
  head.writeUInt16LE(1, 22)
  head.writeUInt32LE(rate, 24)
  head.writeUInt32LE(rate, 28)
  head.writeUInt16LE(1, 32)
  head.writeUInt16LE(8, 34)
  head.write('data', 36, 'latin1')
  head.writeUInt32LE(data.length, 40)
  return Buffer.concat([head, data])
}

/** A box of ISO/IEC 14496-12: its length, its type, what is in it. */
export function box(type: string, ...contents: readonly (Buffer | number)[]): Buffer {
  const parts = contents.map((part) => (typeof part === 'number' ? u32(part) : part))
  const length = parts.reduce((sum, part) => sum + part.length, 8)
  return Buffer.concat([u32(length), Buffer.from(type, 'latin1'), ...parts])
}

export function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}

/** Where the content of a box begins and ends, by its path: `moov`, `trak`, … Rows of `stsd` and `dref` are boxes too. */
export function boxAt(
  bytes: Buffer,
  path: readonly string[],
  start = 0,
  end = bytes.length,
): { start: number; end: number } {
  const [type, ...rest] = path
  for (let position = start; position + 8 <= end; ) {
    const size = bytes.readUInt32BE(position)
    const found = { start: position + 8, end: position + size }
    const skip = type === 'stsd' || type === 'dref' ? 8 : 0
    if (bytes.toString('latin1', position + 4, position + 8) === type) {
      return rest.length === 0 ? found : boxAt(bytes, rest, found.start + skip, found.end)
    }
    position += size
  }
  throw new Error(`no box ${type}`)
}

/** A copy in which a 32-bit field of a box, counted in bytes from its content, has another value. */
export function altered(bytes: Buffer, path: readonly string[], offset: number, value: number): Buffer {
  const copy = Buffer.from(bytes)
  copy.writeUInt32BE(value, boxAt(copy, path).start + offset)
  return copy
}

/** A copy in which a box, by its path, has more bytes at its end. What follows moves, so data have to come before it. */
export function enlarged(bytes: Buffer, path: readonly string[], more: Buffer): Buffer {
  const { end } = boxAt(bytes, path)
  const copy = Buffer.concat([bytes.subarray(0, end), more, bytes.subarray(end)])
  for (let depth = path.length; depth > 0; depth--) {
    const size = boxAt(bytes, path.slice(0, depth)).start - 8
    copy.writeUInt32BE(copy.readUInt32BE(size) + more.length, size)
  }
  return copy
}
