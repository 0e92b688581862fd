// Agents upload sounds and videos for orders: what is found out about them, and what is refused.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { closeSync, ftruncateSync, openSync, readFileSync, rmSync, statSync, writeFileSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { altered, box, boxAt, mp3, silentMp3, video, wav } from '../../test/corpus-media.ts'
import { mp4Of, tracksOf } from '../../test/corpus-mp4.ts'
import { forDerived } from '../../test/inspection.ts'
import type { FileFormat, Purpose } from './formats.ts'
import { conclude, type Finding } from './look.ts'
import { prepare } from './media.ts'

async function look(bytes: Buffer, format: FileFormat, purpose: Purpose = 'order'): Promise<Finding> {
  const path = join(tmpdir(), `kith-media-${randomUUID()}`)
  writeFileSync(path, bytes)
  try {
    return await lookAt(path, format, purpose)
  } finally {
    rmSync(path)
  }
}

async function lookAt(path: string, format: FileFormat, purpose: Purpose): Promise<Finding> {
  const original = openSync(path, 'r')
  try {
    const work = { format, purpose, original, originalBytes: statSync(path).size }
    return await conclude(await prepare(format, purpose), { ...work, derived: forDerived(() => -1), derivedBytes: 0 })
  } finally {
    closeSync(original)
  }
}

const reasonOf = (finding: Finding): string => (finding.outcome === 'rejected' ? finding.reason : 'ready')
const reason = async (bytes: Buffer, format: FileFormat = 'mp4'): Promise<string> => reasonOf(await look(bytes, format))

test('Ada uploads a ten-second WAV', async () => {
  const finding = await look(wav(10), 'wav')
  assert.ok(finding.outcome === 'ready')
  assert.equal(finding.facts.durationMilliseconds, 10_000)
  assert.equal(finding.facts.audioCodec, 'pcm-u8')
  assert.equal(finding.facts.width, null)
})

test('a WAV may last 30 minutes, and contains the data it declares', async () => {
  assert.equal(await reason(wav(1800), 'wav'), 'ready')
  assert.equal(await reason(wav(1801), 'wav'), 'duration')
  assert.equal(await reason(wav(10).subarray(0, 40_000), 'wav'), 'broken')
  assert.equal(await reason(wav(0), 'wav'), 'broken')
  const adpcm = 2
  assert.equal(await reason(wav(1, 8000, adpcm), 'wav'), 'codec')
  const blocks = wav(1)
  blocks.writeUInt16LE(7, 32)
  assert.equal(await reason(blocks, 'wav'), 'broken', 'blocks that do not fit the channels')
})

test('a WAV from a pipe has no sizes, and its declared length is ignored', async () => {
  const sized = (riff: number, data: number): Buffer => {
    const bytes = wav(10)
    bytes.writeUInt32LE(riff, 4)
    bytes.writeUInt32LE(data, 40)
    return bytes
  }
  const known = [0xffff_ffff, 0x7fff_f024, 80_036, 80_045, 36, 0].map((riff) => sized(riff, 80_000))
  for (const bytes of [sized(0xffff_ffff, 0xffff_ffff), sized(0x7fff_f024, 0x7fff_f000), sized(36, 0), ...known]) {
    const finding = await look(bytes, 'wav')
    assert.ok(finding.outcome === 'ready')
    assert.equal(finding.facts.durationMilliseconds, 10_000)
  }
  assert.equal(await reason(sized(0xffff_ffff, 80_001), 'wav'), 'broken')
  assert.equal(await reason(sized(80_036, 0), 'wav'), 'broken', 'nothing, and that is all')
})

test('Ada uploads an MP3, with and without tags', async () => {
  const plain = mp3(3)
  const id3 = Buffer.from('ID3\x04\x00\x00\x00\x00\x00\x14comment and padding.', 'latin1')
  const tail = Buffer.alloc(128, 'TAG')
  const tailOfApe = Buffer.alloc(32)
  tailOfApe.write('APETAGEX', 'latin1')
  for (const bytes of [plain, Buffer.concat([id3, plain, tail]), Buffer.concat([plain, tailOfApe, tail])]) {
    const finding = await look(bytes, 'mp3')
    assert.ok(finding.outcome === 'ready')
    assert.ok(Math.abs((finding.facts.durationMilliseconds as number) - 3000) < 100)
    assert.equal(finding.facts.audioCodec, 'mp3')
  }
})

test('an MP3 may last 30 minutes, and must be complete', async () => {
  assert.equal(await reason(silentMp3(1800), 'mp3'), 'ready')
  assert.equal(await reason(silentMp3(1801), 'mp3'), 'duration')
  assert.equal(await reason(silentMp3(10).subarray(0, -5), 'mp3'), 'ready', 'a last frame that is cut off')
  assert.equal(await reason(silentMp3(0.02).subarray(0, -5), 'mp3'), 'broken', 'the only frame, cut off')
  assert.equal(await reason(Buffer.alloc(300_000, 'no sound at all '), 'mp3'), 'broken')
  const endless = Buffer.concat([Buffer.from('ID3\x04\x00\x00\x7f\x7f\x7f\x7f', 'latin1'), silentMp3(1)])
  assert.equal(await reason(endless, 'mp3'), 'broken', 'a tag longer than the file')
  const frames = silentMp3(10)
  const announced = Buffer.from(frames.subarray(0, 26))
  announced.write('Xing', 13, 'latin1')
  assert.equal(await reason(Buffer.concat([announced, frames]), 'mp3'), 'ready')
  const long = Buffer.from(mp3(1).subarray(0, 192))
  long.write('Info', 36, 'latin1')
  long.writeUInt32BE(1, 40)
  long.writeUInt32BE(5000, 44)
  assert.equal(await reason(Buffer.concat([long, mp3(1)]), 'mp3'), 'broken', 'fewer frames than announced')
})

test('Ada uploads a video for an order; its metadata is read, and nothing is decoded', async () => {
  const finding = await look(await video({ seconds: 2, framesPerSecond: 25, width: 96, height: 64 }), 'mp4')
  assert.ok(finding.outcome === 'ready')
  const { durationMilliseconds, ...facts } = finding.facts
  assert.ok(Math.abs((durationMilliseconds as number) - 2000) < 100)
  assert.deepEqual(facts, { width: 96, height: 64, framesPerSecond: 25, videoCodec: 'avc', audioCodec: 'aac' })
})

test('a video may be silent, rotated or fragmented', async () => {
  const silent = await look(await video({ audio: null }), 'mp4')
  assert.ok(silent.outcome === 'ready')
  assert.equal(silent.facts.audioCodec, null)
  const turned = await look(await video({ width: 96, height: 64, rotation: 90 }), 'mp4')
  assert.ok(turned.outcome === 'ready')
  assert.deepEqual([turned.facts.width, turned.facts.height], [64, 96])
  const fragmented = await look(await video({ fragmented: true, seconds: 3 }), 'mp4')
  assert.ok(fragmented.outcome === 'ready')
  assert.ok(Math.abs((fragmented.facts.durationMilliseconds as number) - 3000) < 100)
  assert.equal(fragmented.facts.framesPerSecond, 25)
})

test('an order accepts H.264 with AAC', async () => {
  assert.equal(await reason(await video({ codec: 'vp9' })), 'codec')
  assert.equal(await reason(await video({ codec: 'hevc', audio: null })), 'codec')
  assert.equal(await reason(await video({ audio: 'mp3' })), 'codec')
  assert.equal(await reason(await video({ audio: 'opus' })), 'codec')
})

test("an order's video may last two hours", async () => {
  const lasting = (seconds: number): Promise<Buffer> => video({ times: [0, 1], seconds, audio: null })
  assert.equal(await reason(await lasting(7200)), 'ready')
  assert.equal(await reason(await lasting(7201)), 'duration')
})

test("an order's video may have 60 frames a second", async () => {
  assert.equal(await reason(await video({ framesPerSecond: 60, audio: null })), 'ready')
  assert.equal(await reason(await video({ framesPerSecond: 61, audio: null })), 'frame_rate')
})

const track = ['moov', 'trak']
const tables = [...track, 'mdia', 'minf', 'stbl']

test("an order's video may have 3840x2160 pixels, in either orientation", async () => {
  const plain = await video({ audio: null })
  const sized = async (width: number, height: number): Promise<string> =>
    await reason(altered(plain, [...tables, 'stsd', 'avc1'], 24, width * 65_536 + height))
  assert.equal(await sized(3840, 2160), 'ready')
  assert.equal(await sized(2160, 3840), 'ready')
  assert.equal(await sized(3842, 2160), 'dimensions')
  assert.equal(await sized(3840, 2162), 'dimensions')
  assert.equal(await sized(0, 64), 'broken')
})

test('a truncated video is broken, wherever it ends', async () => {
  for (const whole of [await video(), await video({ fragmented: true })]) {
    for (const share of [0.2, 0.5, 0.9, 0.999]) {
      assert.equal(await reason(whole.subarray(0, Math.floor(whole.length * share))), 'broken', `${share}`)
    }
  }
})

test('tables that contradict each other or the file are refused', async () => {
  const plain = await video()
  const most = 0xffff_fff0
  const lies: Record<string, Buffer> = {
    'no index': altered(plain, ['moov'], -4, Buffer.from('free').readUInt32BE()),
    'an index beyond the file': altered(plain, ['moov'], -8, most),
    'a box shorter than its header': altered(plain, ['moov', 'mvhd'], -8, 4),
    'a box beyond its parent': altered(plain, [...tables, 'stts'], -8, 100_000),
    'an index twice': Buffer.concat([plain, plain.subarray(boxAt(plain, ['moov']).start - 8)]),
    'samples beyond the end': altered(plain, [...tables, 'stco'], 8, plain.length - 10),
    'four thousand million samples': altered(plain, [...tables, 'stsz'], 8, most),
    'a sample of 4 GB': altered(plain, [...tables, 'stsz'], 12, most),
    'all samples of 1 GB': altered(plain, [...tables, 'stsz'], 4, 2 ** 30),
    'times for other samples': altered(plain, [...tables, 'stts'], 8, most),
    'chunks of no samples': altered(plain, [...tables, 'stsc'], 12, 0),
    'chunks of thousands of millions': altered(plain, [...tables, 'stsc'], 12, most),
    'chunks of other numbers': altered(plain, [...tables, 'stsc'], 8, 2),
    'a table longer than its box': altered(plain, [...tables, 'stsc'], 4, 1000),
    'no time scale': altered(plain, [...track, 'mdia', 'mdhd'], 12, 0),
  }
  for (const [name, bytes] of Object.entries(lies)) assert.equal(await reason(bytes), 'broken', name)
})

test('an edit list that stretches a second to hours is too long', async () => {
  const plain = await video()
  const sound = plain.subarray(boxAt(plain, ['moov', 'trak']).end)
  const edits = sound.indexOf('elst', 0, 'latin1')
  sound.writeUInt32BE(0xffff_ffff, edits + 12)
  assert.equal(await reason(plain), 'duration')
})

test('inconsistent fragments are refused', async () => {
  const plain = await video({ fragmented: true, audio: null })
  const run = ['moof', 'traf', 'trun']
  const lies: Record<string, Buffer> = {
    'a run beyond its box': altered(plain, run, 4, 100_000),
    'a run of thousands of millions': altered(plain, run, 4, 0xffff_ffff),
    'data beyond the end': altered(plain, run, 8, 0x7fff_ffff),
    'data before the start': altered(plain, run, 8, 0x8000_0000),
    'an unknown track': altered(plain, ['moof', 'traf', 'tfhd'], 4, 77),
  }
  for (const [name, bytes] of Object.entries(lies)) assert.equal(await reason(bytes), 'broken', name)
  const parts = mp4Of({ tracks: await tracksOf(await video({ audio: null })), indexed: 5, perFragment: 10 })
  parts.writeUInt32BE(0x7fff_ffff, parts.lastIndexOf('tfdt') + 8)
  assert.equal(await reason(parts), 'duration', 'a fragment of another day')
})

test('a video with external or encrypted data is refused', async () => {
  const plain = await video()
  const elsewhere = altered(plain, [...track, 'mdia', 'minf', 'dinf', 'dref', 'url '], 0, 0)
  assert.equal(await reason(elsewhere), 'external_reference')
  const encrypted = altered(plain, [...tables, 'stsd', 'avc1'], -4, Buffer.from('encv').readUInt32BE())
  assert.equal(await reason(encrypted), 'encrypted')
})

test('an index in front of anything but a video is broken', async () => {
  const plain = await video({ audio: null })
  const data = boxAt(plain, ['mdat'])
  plain.fill('text', data.start, data.end)
  assert.equal(await reason(plain), 'broken')
  assert.equal(await reason(Buffer.concat([box('ftyp', Buffer.from('isom'), 0), box('mdat')])), 'broken')
})

test('only the needed parts of 250 MiB are read', { skip: process.platform !== 'linux' }, async () => {
  const plain = await video({ audio: null })
  const path = join(tmpdir(), `kith-media-${randomUUID()}`)
  const end = 250 * 1024 * 1024 - 8
  const file = openSync(path, 'w')
  try {
    writeSync(file, plain)
    ftruncateSync(file, end)
    const filler = Buffer.alloc(8)
    filler.writeUInt32BE(end - plain.length)
    filler.write('free', 4, 'latin1')
    writeSync(file, filler, 0, 8, plain.length)
    await prepare('mp4', 'order')
    const read = (): number => Number(/^rchar: (\d+)/m.exec(readFileSync('/proc/self/io', 'latin1'))?.[1])
    const before = read()
    assert.equal(reasonOf(await lookAt(path, 'mp4', 'order')), 'ready')
    assert.ok(read() - before < 2 * 1024 * 1024)
  } finally {
    closeSync(file)
    rmSync(path)
  }
})
