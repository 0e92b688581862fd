// What MP3 and WAV files say of themselves, read once from front to end and believed only where the file bears it out.
// Both are kept as they are, so nothing is decoded. docs/contract/attachments.md#formats.
import { readAt } from './look.ts'
import { reject } from './media-reject.ts'

export interface AudioFacts {
  codec: string
  seconds: number
}

const maxChunks = 10_000

/** What is written to a pipe gets its sizes before they are known: 0xffffffff by FFmpeg, 0x7ffff024 by SoX. */
const sizeUnknown = 0x7fff_0000
const elsewhere = 0xffff_ffff

/** RF64 (EBU Tech 3306) and BW64 (ITU-R BS.2088) are RIFF with sizes of 64 bits in a chunk of their own. */
const wideForms: readonly string[] = ['RF64', 'BW64']

/**
 * A WAV's facts. Throws a Rejection: `codec` where it is neither PCM nor A-law or µ-law, else `broken`. What the file
 * says of its whole length is not asked, as no reader does: recorders that were cut off and editors of tags leave it
 * wrong. The sound is all there where its own chunk lies in the file; what follows it is not looked at.
 */
export function readWav(file: number, fileBytes: number): AudioFacts {
  const head = readAt(file, 0, 12)
  const form = head.toString('latin1', 0, 4)
  const isWide = wideForms.includes(form)
  if (head.length < 12 || !(isWide || form === 'RIFF') || head.toString('latin1', 8, 12) !== 'WAVE') reject('broken')
  const declared = head.readUInt32LE(4)
  let format: WavFormat | undefined
  let wideBytes: number | undefined
  let dataBytes: number | undefined
  let position = 12
  for (let chunks = 0; format === undefined || dataBytes === undefined; chunks++) {
    if (chunks === maxChunks || position + 8 > fileBytes) reject('broken')
    const header = readAt(file, position, 8)
    const id = header.toString('latin1', 0, 4)
    const start = position + 8
    const left = fileBytes - start
    let size = header.readUInt32LE(4)
    if (id === 'data') {
      // Nothing, where the whole is said to end elsewhere than here, is a header that was never finished.
      const isUnknown = size >= sizeUnknown || (size === 0 && declared + 8 !== fileBytes)
      if (isWide && size === elsewhere) size = wideBytes ?? reject('broken')
      else if (isUnknown) size = left
      dataBytes ??= size
    }
    if (size > left) reject('broken')
    if (id === 'ds64' && isWide && size >= 24) wideBytes = Number(readAt(file, start, 24).readBigUInt64LE(8))
    if (id === 'fmt ') format ??= wavFormat(readAt(file, start, Math.min(size, 40)))
    position = start + size + (size % 2)
  }
  if (dataBytes < format.blockBytes) reject('broken')
  return { codec: format.codec, seconds: Math.floor(dataBytes / format.blockBytes) / format.rate }
}

interface WavFormat {
  codec: string
  rate: number
  /** One sample of every channel. */
  blockBytes: number
}

const extensible = 0xfffe
const wavCodecs: Readonly<Record<string, string>> = {
  '1/8': 'pcm-u8',
  '1/16': 'pcm-s16',
  '1/24': 'pcm-s24',
  '1/32': 'pcm-s32',
  '3/32': 'pcm-f32',
  '3/64': 'pcm-f64',
  '6/8': 'alaw',
  '7/8': 'ulaw',
}

function wavFormat(bytes: Buffer): WavFormat {
  if (bytes.length < 16) reject('broken')
  let tag = bytes.readUInt16LE(0)
  if (tag === extensible) {
    if (bytes.length < 40) reject('broken')
    tag = bytes.readUInt16LE(24)
  }
  const channels = bytes.readUInt16LE(2)
  const rate = bytes.readUInt32LE(4)
  const blockBytes = bytes.readUInt16LE(12)
  // 20 bits take 24.
  const bits = Math.ceil(bytes.readUInt16LE(14) / 8) * 8
  const codec = wavCodecs[`${tag}/${bits}`] ?? reject('codec')
  if (channels === 0 || rate === 0 || blockBytes !== (channels * bits) / 8) reject('broken')
  return { codec, rate, blockBytes }
}

interface Mp3Frame {
  bytes: number
  samples: number
  rate: number
  /** Version and rate: the same in every frame of a file. */
  kind: number
  /** Where an Xing header would stand. */
  xingOffset: number
}

const bitrates1 = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320]
const bitrates2 = [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160]
const rates1 = [44100, 48000, 32000]

/** A layer III frame by its header (ISO/IEC 11172-3, 2.4.1.3); undefined if there is none, or one of free format. */
function mp3Frame(bytes: Buffer, at: number): Mp3Frame | undefined {
  if (at + 4 > bytes.length) return undefined
  const header = bytes.readUInt32BE(at)
  const version = (header >>> 19) & 3
  const layer = (header >>> 17) & 3
  const rateIndex = (header >>> 10) & 3
  if (header >>> 21 !== 0x7ff || version === 1 || layer !== 1 || rateIndex === 3) return undefined
  const first = version === 3
  const bitrate = (first ? bitrates1 : bitrates2)[(header >>> 12) & 15] ?? 0
  if (bitrate === 0) return undefined
  const rate = (rates1[rateIndex] as number) >> (first ? 0 : version === 2 ? 1 : 2)
  const padding = (header >>> 9) & 1
  const mono = ((header >>> 6) & 3) === 3
  return {
    bytes: Math.floor(((first ? 144 : 72) * bitrate * 1000) / rate) + padding,
    samples: first ? 1152 : 576,
    rate,
    kind: version * 4 + rateIndex,
    xingOffset: 4 + (first ? (mono ? 17 : 32) : mono ? 9 : 17),
  }
}

// Between frames and after the last one there may be tags that are not known here.
const maxStray = 128 * 1024
const windowBytes = 256 * 1024

/**
 * An MP3's facts, from a walk over all its frames; the walk ends at `maxSeconds`. Throws a Rejection: `broken` where
 * there are no frames, or fewer than its header says. A last frame that is cut off counts as little as players play it:
 * streams that were recorded end so.
 */
export function readMp3(file: number, fileBytes: number, maxSeconds: number): AudioFacts {
  const view = slidingView(file)
  let position = afterId3(view, fileBytes)
  let stray = 0
  let joined = false
  let frames = 0
  let announced: number | undefined
  let first: Mp3Frame | undefined
  while (position < fileBytes) {
    const bytes = view(position, 10)
    let frame = mp3Frame(bytes, 0)
    if (frame !== undefined && first !== undefined && frame.kind !== first.kind) {
      // No player goes on with them as it began.
      if (isFollowed(view, position, frame, fileBytes, 2)) reject('broken')
      frame = undefined
    }
    // Four bytes may look like a header by chance; where no frame came just before, the next one has to follow.
    // In front of the first one pictures may lie, of a tag that says less than it has: there two have to.
    if (frame !== undefined && !joined && !isFollowed(view, position, frame, fileBytes, first ? 1 : 2))
      frame = undefined
    if (frame === undefined) {
      const tag = tagBytes(view(position, 32))
      // What is cut off within a tag may have been cut off in front of more sound.
      if (joined && position + tag > fileBytes && id3Bytes(bytes) > 0) reject('broken')
      joined = tag > 0 && frames > 0
      if (tag === 0 && ++stray > maxStray) reject('broken')
      position += tag || 1
      continue
    }
    joined = true
    if (position + frame.bytes > fileBytes) break
    const xing = first === undefined ? xingFrames(view(position, 64), frame) : undefined
    if (xing === undefined) frames++
    else announced = xing
    first ??= frame
    position += frame.bytes
    if ((frames * frame.samples) / frame.rate > maxSeconds) break
  }
  if (first === undefined || frames === 0) reject('broken')
  const seconds = (frames * first.samples) / first.rate
  if (seconds <= maxSeconds && announced !== undefined && announced > frames + 1) reject('broken')
  return { codec: 'mp3', seconds }
}

type View = (position: number, length: number) => Buffer

/** Reads a window at a time and answers up to `length` bytes of it; fewer at the end of the file. */
function slidingView(file: number): View {
  let start = 0
  let window: Buffer = Buffer.alloc(0)
  return (position, length) => {
    if (position < start || position + length > start + window.length) {
      window = readAt(file, position, windowBytes)
      start = position
    }
    return window.subarray(position - start, position - start + length)
  }
}

function afterId3(view: View, fileBytes: number): number {
  let position = 0
  for (let tags = 0; tags < 16; tags++) {
    const header = view(position, 10)
    if (header.length < 10 || header.toString('latin1', 0, 3) !== 'ID3') break
    const size = [6, 7, 8, 9].reduce((sum, at) => sum * 128 + ((header[at] as number) & 127), 0)
    position += 10 + size + ((header[5] as number) & 16 ? 10 : 0)
    if (position > fileBytes) reject('broken')
  }
  return position
}

/** Whether so many frames of its kind come behind a frame, or the end does. */
function isFollowed(view: View, position: number, frame: Mp3Frame, fileBytes: number, times: number): boolean {
  const next = position + frame.bytes
  if (next >= fileBytes) return next === fileBytes
  const bytes = view(next, 32)
  const follower = mp3Frame(bytes, 0)
  if (follower?.kind !== frame.kind) return tagBytes(bytes) > 0
  // The last one may be cut off.
  return times === 1 || next + follower.bytes > fileBytes || isFollowed(view, next, follower, fileBytes, times - 1)
}

/** How long an ID3v2 tag is that begins here; where songs were joined it stands between them. */
function id3Bytes(bytes: Buffer): number {
  if (bytes.length < 10 || bytes.toString('latin1', 0, 3) !== 'ID3') return 0
  const [version, revision, flags] = [bytes.readUInt8(3), bytes.readUInt8(4), bytes.readUInt8(5)]
  const size = bytes.subarray(6, 10)
  if (version < 2 || version > 4 || revision === 0xff || size.some((byte) => byte > 127)) return 0
  return 10 + size.reduce((sum, byte) => sum * 128 + byte, 0) + (flags & 16 ? 10 : 0)
}

/** How long the tag is that begins here, of those that stand at an end or between songs: ID3v1, APEv2 and ID3v2. */
function tagBytes(bytes: Buffer): number {
  const id3 = id3Bytes(bytes)
  if (id3 > 0) return id3
  if (bytes.toString('latin1', 0, 3) === 'TAG') return 128
  if (bytes.length < 32 || bytes.toString('latin1', 0, 8) !== 'APETAGEX') return 0
  const isHeader = (bytes.readUInt32LE(20) >>> 29) & 1
  return isHeader ? 32 + bytes.readUInt32LE(12) : 32
}

/** The number of frames that an Xing or Info header announces; undefined if the frame has no such header. */
function xingFrames(bytes: Buffer, frame: Mp3Frame): number | undefined {
  const at = frame.xingOffset
  if (bytes.length < at + 12 || !['Xing', 'Info'].includes(bytes.toString('latin1', at, at + 4))) return undefined
  return bytes.readUInt32BE(at + 4) & 1 ? bytes.readUInt32BE(at + 8) : 0
}
