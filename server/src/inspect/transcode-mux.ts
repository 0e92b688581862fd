// Puts encoded packets into an MP4 that begins with its index and says nothing of who made it, when or with what.
import {
  BufferTarget,
  EncodedAudioPacketSource,
  EncodedPacket,
  EncodedVideoPacketSource,
  Mp4OutputFormat,
  Output,
} from 'mediabunny'
import { boxesIn } from './media-boxes.ts'
import type { Encoded } from './transcode-codecs.ts'

export interface Stream<Config> {
  /** In seconds, in the order of decoding. */
  packets: readonly Encoded[]
  config: Config
}

export type VideoStream = Stream<VideoDecoderConfig>
export type AudioStream = Stream<AudioDecoderConfig>

/** The bytes of an MP4 with a video and perhaps its sound. H.264 is given as Annex B with its parameter sets. */
export async function mux(video: VideoStream, audio: AudioStream | null): Promise<Buffer> {
  const target = new BufferTarget()
  const output = new Output({ format: new Mp4OutputFormat({ fastStart: 'in-memory' }), target })
  const pictures = new EncodedVideoPacketSource('avc')
  output.addVideoTrack(pictures)
  const sounds = new EncodedAudioPacketSource('aac')
  if (audio) output.addAudioTrack(sounds)
  await output.start()
  const [shown, heard] = [video.packets.map(toPacket), audio?.packets.map(toPacket) ?? []]
  let sound = 0
  for (const [index, picture] of shown.entries()) {
    while (sound < heard.length && (heard[sound] as EncodedPacket).timestamp <= picture.timestamp) await addSound()
    await pictures.add(picture, index === 0 ? { decoderConfig: video.config } : undefined)
  }
  while (sound < heard.length) await addSound()
  await output.finalize()
  const bytes = Buffer.from(target.buffer as ArrayBuffer)
  forget(bytes)
  return bytes

  async function addSound(): Promise<void> {
    const meta = sound === 0 && audio ? { decoderConfig: audio.config } : undefined
    await sounds.add(heard[sound++] as EncodedPacket, meta)
  }
}

const toPacket = ({ data, isKey, timestamp, duration }: Encoded): EncodedPacket =>
  new EncodedPacket(data, isKey ? 'key' : 'delta', timestamp, duration)

const containers = ['moov', 'trak', 'mdia', 'minf', 'stbl']
const timed = ['mvhd', 'tkhd', 'mdhd']

const handlerName = 24
const compressorName = { start: 42, end: 74 }

/** Zeroes the times of creation and the names of handlers and compressor, in place. */
function forget(bytes: Buffer, start = 0, end = bytes.length): void {
  for (const box of boxesIn(bytes, start, end)) {
    if (containers.includes(box.type)) forget(bytes, box.start, box.end)
    const times = bytes[box.start] === 1 ? 16 : 8
    if (timed.includes(box.type)) bytes.fill(0, box.start + 4, box.start + 4 + times)
    if (box.type === 'hdlr') bytes.fill(0, box.start + handlerName, box.end)
    if (box.type === 'stsd') forget(bytes, box.start + 8, box.end)
    if (box.type === 'avc1') bytes.fill(0, box.start + compressorName.start, box.start + compressorName.end)
  }
}
