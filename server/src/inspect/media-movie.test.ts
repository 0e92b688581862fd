// Agents upload MP4s as cameras, editors and servers write them: as kept for an order, and as normalised for a portfolio.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, type TestContext, test } from 'node:test'
import { AVCOL_PRI_BT709, AVCOL_SPC_BT709, AVCOL_TRC_BT709 } from 'node-av/constants'
import type { Frame } from 'node-av/lib'
import sharp from 'sharp'
import { type Light, patchHeight, patchWidth, type Transfer } from '../../test/corpus-hdr.ts'
import { altered, box, video } from '../../test/corpus-media.ts'
import { type MadeMovie, type MadeTrack, measured, mp4Of, tracksOf } from '../../test/corpus-mp4.ts'
import { forDerived } from '../../test/inspection.ts'
import { lacks } from '../../test/programs.ts'
import { conclude, type Finding, type Look } from './look.ts'
import { prepare } from './media.ts'
import { readTracks } from './media-movie.ts'
import { samplesOf } from './media-pieces.ts'
import { openInput } from './media-video.ts'
import { decode } from './transcode-codecs.ts'

const folder = mkdtempSync(join(tmpdir(), 'kith-movie-'))
after(() => rmSync(folder, { recursive: true }))

let looks: Record<'order' | 'portfolio', Look>
let picture: MadeTrack
let sound: MadeTrack
before(async () => {
  looks = { order: await prepare('mp4', 'order'), portfolio: await prepare('mp4', 'portfolio') }
  const tracks = await tracksOf(await video({ seconds: 4, halves: (index) => [16 + index * 2, 200] }))
  picture = tracks[0] as MadeTrack
  sound = tracks[1] as MadeTrack
})

interface Seen {
  finding: Finding
  playback: Buffer
  poster: Buffer
}

async function look(bytes: Buffer, purpose: 'order' | 'portfolio'): Promise<Seen> {
  writeFileSync(join(folder, 'original'), bytes)
  const original = openSync(join(folder, 'original'), 'r')
  const derived = forDerived((name) => openSync(join(folder, name), 'w'))
  try {
    const work = {
      format: 'mp4',
      purpose,
      original,
      originalBytes: bytes.length,
      derived,
      derivedBytes: 2 ** 23,
    } as const
    const finding = await conclude(looks[purpose], work)
    const [playback, poster] = ['playback', 'preview'].map((name) => readFileSync(join(folder, name))) as [
      Buffer,
      Buffer,
    ]
    return { finding, playback, poster }
  } finally {
    for (const file of [original, ...Object.values(derived)]) closeSync(file)
  }
}

/** How long FFmpeg's reader says that a file is, and how many pictures it decodes; undefined if it is not installed. */
function probe(context: TestContext, bytes: Buffer): { seconds: number; pictures: number } | undefined {
  const missing = lacks('ffprobe')
  if (missing) {
    context.diagnostic(`${missing}: its figures were not compared`)
    return undefined
  }
  const path = join(folder, 'probed')
  writeFileSync(path, bytes)
  const entries = ['-count_frames', '-show_entries', 'format=start_time,duration:stream=codec_type,nb_read_frames']
  const said = execFileSync('ffprobe', ['-v', 'quiet', ...entries, '-of', 'json', path], { encoding: 'utf8' })
  const { format, streams } = JSON.parse(said) as {
    format: { start_time: string; duration: string }
    streams: { codec_type: string; nb_read_frames: string }[]
  }
  const start = Number(format.start_time)
  const pictures = Number(streams.find(({ codec_type }) => codec_type === 'video')?.nb_read_frames)
  // What begins late by its clock is as long as it takes; an edit list's delay is a part of it.
  return { seconds: Number(format.duration) - (start > 60 ? start : 0), pictures }
}

/** Decodes the pictures of a playback. */
async function play(bytes: Buffer, take: (frame: Frame) => void): Promise<void> {
  const path = join(folder, 'played')
  writeFileSync(path, bytes)
  const file = openSync(path, 'r')
  try {
    const table = readTracks(file, bytes.length).find(({ kind }) => kind === 'video') ?? assert.fail()
    const input = openInput({ original: file, originalBytes: bytes.length })
    const track = (await input.getPrimaryVideoTrack()) ?? assert.fail()
    const samples = samplesOf(table)
    await decode({ track, samples, file }, { from: 0, to: samples.sizes.length }, 1000, take)
  } finally {
    closeSync(file)
  }
}

const lumaAt = (frame: Frame, column: number): number => frame.data?.[0]?.[column] ?? assert.fail('no picture')

const near = (value: number, expected: number, slack: number, name: string): void =>
  assert.ok(Math.abs(value - expected) <= slack, `${name}: ${value} is not ${expected}`)

const units = (seconds: number, { timescale }: MadeTrack): number => Math.round(seconds * timescale)
const edited = (track: MadeTrack, ...edits: readonly (readonly [seconds: number, media: number])[]): MadeTrack => ({
  ...track,
  edits: edits.map(([seconds, media]) => [seconds * 1000, media < 0 ? -1 : units(media, track)]),
})
const both = (...edits: readonly (readonly [seconds: number, media: number])[]): MadeTrack[] => [
  edited(picture, ...edits),
  edited(sound, ...edits),
]

/** Pictures that are shown so many earlier than they are decoded: offsets may be negative. */
function earlier(track: MadeTrack, count: number): MadeTrack {
  return { ...track, samples: track.samples.map((sample) => ({ ...sample, offset: -count * sample.duration })) }
}

/** With the colours of BT.709, but for the byte that says the range of their values. */
function coloured(track: MadeTrack): MadeTrack {
  const description = Buffer.concat([
    track.description ?? assert.fail(),
    box('colr', Buffer.from('nclx\0\x01\0\x01\0\x01')),
  ])
  description.writeUInt32BE(description.length)
  return { ...track, description }
}

const sides = ['moov', 'trak', 'mdia', 'minf', 'stbl', 'stsd', 'avc1']

interface Case {
  movie: () => MadeMovie
  change?: (bytes: Buffer) => Buffer
  seconds: number
  pictures: number
}

const cases: Record<string, Case> = {
  'samples in the index, and fragments behind it': {
    movie: () => ({ tracks: [picture, sound], indexed: 25 }),
    seconds: 4,
    pictures: 100,
  },
  'fragments of a recording that began ten hours before': {
    movie: () => ({ tracks: [picture, sound], indexed: 0, begins: 36_000 }),
    seconds: 4,
    pictures: 100,
  },
  'an edit list that was written before the fragments': {
    movie: () => ({ tracks: both([1, 0]), indexed: 25 }),
    seconds: 4,
    pictures: 100,
  },
  'a second out of the middle': { movie: () => ({ tracks: both([1, 1.6]) }), seconds: 1, pictures: 25 },
  'two pieces, the later one first': { movie: () => ({ tracks: both([1, 2], [0.6, 1]) }), seconds: 1.6, pictures: 40 },
  'pieces that go on where the last one ended': {
    movie: () => ({ tracks: both([1, 1], [1, 2]) }),
    seconds: 2,
    pictures: 50,
  },
  'sound that begins a second later': {
    movie: () => ({ tracks: [picture, edited(sound, [1, -1], [3, 0])] }),
    seconds: 4,
    pictures: 100,
  },
  'pictures that begin a second later': {
    movie: () => ({ tracks: [edited(picture, [1, -1], [4, 0]), sound] }),
    seconds: 5,
    pictures: 100,
  },
  'what a camera measured, time codes and subtitles': {
    movie: () => ({
      tracks: [measured('mett'), picture, sound, measured('gpmd'), measured('tmcd'), measured('text', 'text')],
    }),
    seconds: 4,
    pictures: 100,
  },
  'a second track of each kind without anything in it': {
    movie: () => ({ tracks: [picture, sound, { ...sound, samples: [] }, { ...picture, samples: [] }] }),
    seconds: 4,
    pictures: 100,
  },
  'two tracks of sound, of which one is switched on': {
    movie: () => ({ tracks: [picture, { ...edited(sound, [1, 0]), isEnabled: false }, sound] }),
    seconds: 4,
    pictures: 100,
  },
  'a header that counts from elsewhere': {
    movie: () => ({ tracks: [picture, sound].map((track) => ({ ...track, declared: units(3600, track) })) }),
    seconds: 4,
    pictures: 100,
  },
  'sizes of 64 bits, and the index at the end': {
    movie: () => ({ tracks: [picture, sound], isLarge: true }),
    seconds: 4,
    pictures: 100,
  },
  'something else behind its end': {
    movie: () => ({ tracks: [picture, sound], trailer: Buffer.alloc(100, 0xfe) }),
    seconds: 4,
    pictures: 100,
  },
  'pictures that are shown before they are decoded': {
    movie: () => ({ tracks: [edited(earlier(picture, 2), [4, 0]), sound] }),
    seconds: 4,
    pictures: 98,
  },
  'data that say more than there are': {
    movie: () => ({ tracks: [picture, sound] }),
    change: (bytes) => altered(bytes, ['mdat'], -8, bytes.length),
    seconds: 4,
    pictures: 100,
  },
  'colours without their range': { movie: () => ({ tracks: [coloured(picture), sound] }), seconds: 4, pictures: 100 },
  'sides in its header alone': {
    movie: () => ({ tracks: [picture, sound] }),
    change: (bytes) => altered(bytes, sides, 24, 0),
    seconds: 4,
    pictures: 100,
  },
  "QuickTime's brand beside that of MP4": {
    movie: () => ({ tracks: [picture, sound], brand: 'qt  ' }),
    seconds: 4,
    pictures: 100,
  },
}

for (const [name, { movie, change = (bytes: Buffer): Buffer => bytes, seconds, pictures }] of Object.entries(cases)) {
  test(`an MP4 with ${name} is kept and displayed unchanged`, async (t) => {
    const bytes = change(mp4Of(movie()))
    for (const purpose of ['order', 'portfolio'] as const) {
      const { finding, playback } = await look(bytes, purpose)
      assert.ok(finding.outcome === 'ready', `${purpose}: ${JSON.stringify(finding)}`)
      near(finding.facts.durationMilliseconds ?? 0, seconds * 1000, 25, purpose)
      if (purpose === 'order') continue
      let count = 0
      await play(playback, () => count++)
      near(count, pictures, 1, 'pictures')
    }
    const said = probe(t, bytes)
    if (said === undefined) return
    near(said.seconds, seconds, 0.1, 'a reader: seconds')
    near(said.pictures, pictures, 1, 'a reader: pictures')
  })
}

test('missing data and dimensions are not guessed', async () => {
  const plain = mp4Of({ tracks: [picture, sound] })
  const cut = plain.subarray(0, -9)
  const sideless = altered(altered(plain, sides, 24, 0), ['moov', 'trak', 'tkhd'], 76, 0)
  const tooLarge = altered(altered(plain, sides, 24, 0), ['moov', 'trak', 'tkhd'], 76, 8000 << 16)
  for (const [name, bytes, reason] of [
    ['data that were cut off', cut, 'broken'],
    ['the same that say more', altered(cut, ['mdat'], -8, 0xffff_ffff), 'broken'],
    ['no sides', sideless, 'broken'],
    ['sides of a header that are too large', tooLarge, 'dimensions'],
  ] as const) {
    for (const purpose of ['order', 'portfolio'] as const) {
      const { finding } = await look(bytes, purpose)
      assert.equal(finding.outcome === 'ready' ? 'ready' : finding.reason, reason, `${purpose}: ${name}`)
    }
  }
})

test('an edited video shows the pictures of its segments in order', async () => {
  const { playback } = await look(mp4Of({ tracks: both([0.4, 2], [0.4, 1]) }), 'portfolio')
  const lefts: number[] = []
  await play(playback, (frame) => lefts.push(lumaAt(frame, 0)))
  const expected = [...Array(10).keys()].map((index) => 16 + (50 + index) * 2)
  for (const [index, left] of expected.entries()) {
    near(lefts[index] as number, left, 3, `picture ${index}`)
    near(lefts[index + 10] as number, left - 50, 3, `picture ${index + 10}`)
  }
})

test('a recording whose pictures change size keeps its first size', async () => {
  const sized = async (width: number, height: number): Promise<MadeTrack> =>
    (await tracksOf(await video({ codec: 'vp9', audio: null, seconds: 0.4, width, height })))[0] ?? assert.fail()
  const [first, second] = [await sized(64, 48), await sized(128, 96)]
  const { finding, playback } = await look(
    mp4Of({ tracks: [{ ...first, samples: [...first.samples, ...second.samples] }] }),
    'portfolio',
  )
  assert.equal(finding.outcome, 'ready')
  const sides: string[] = []
  await play(playback, (frame) => sides.push(`${frame.width}x${frame.height}`))
  assert.deepEqual(sides, Array(20).fill('64x48'))
})

test('a video with fewer decoded frames than its tables promise is refused as broken, not cut', async () => {
  const [seen, heard] = (await tracksOf(await video({ codec: 'vp9', audio: 'mp3' }))) as [MadeTrack, MadeTrack]
  const key = seen.samples[0] ?? assert.fail()
  // To the decoder of VP9 a picture may be one that is never shown, and to that of MP3 a frame may be a tag.
  const hidden = { ...key, data: Buffer.from(key.data) }
  hidden.data[0] = (hidden.data[0] as number) & ~2
  const outcome = async (shown: (index: number) => boolean, audible: (index: number) => boolean): Promise<string> => {
    const pictures = { ...seen, samples: seen.samples.map((_, index) => (shown(index) ? key : hidden)) }
    const tag = (data: Buffer): Buffer => Buffer.alloc(data.length, 'TAG\0')
    const sounds = heard.samples.map((sample, index) =>
      audible(index) ? sample : { ...sample, data: tag(sample.data) },
    )
    const { finding } = await look(mp4Of({ tracks: [pictures, { ...heard, samples: sounds }] }), 'portfolio')
    return finding.outcome === 'ready' ? 'ready' : finding.reason
  }
  const all = (): boolean => true
  assert.equal(await outcome(all, all), 'ready')
  assert.equal(await outcome((index) => index !== 7, all), 'ready', 'one picture')
  assert.equal(await outcome((index) => index < 23, all), 'broken', 'the last two')
  assert.equal(await outcome((index) => index !== 7 && index !== 8, all), 'broken', 'two in the middle')
  assert.equal(await outcome(all, (index) => index < 10), 'broken', 'most of the sound')
})

const lights: Record<string, Light> = {
  black: [0, 0, 0],
  grey: [100, 100, 100],
  white: [203, 203, 203],
  lamp: [1000, 1000, 1000],
  red: [100, 0, 0],
  green: [0, 100, 0],
  blue: [0, 0, 100],
}

/** What is measured in the middle of each patch of a poster. */
async function patchesOf(poster: Buffer): Promise<Record<string, [number, number, number]>> {
  const { data, info } = await sharp(poster).raw().toBuffer({ resolveWithObject: true })
  const measure = (index: number): [number, number, number] => {
    const at = ((patchHeight / 2) * info.width + index * patchWidth + patchWidth / 2) * info.channels
    return [data[at], data[at + 1], data[at + 2]] as [number, number, number]
  }
  return Object.fromEntries(Object.keys(lights).map((name, index) => [name, measure(index)]))
}

for (const transfer of ['pq', 'hlg'] as const satisfies readonly Transfer[]) {
  test(`a high dynamic range video (${transfer}) looks right on every screen`, async () => {
    const bytes = await video({ seconds: 0.2, audio: null, patches: { transfer, lights: Object.values(lights) } })
    const { finding, playback, poster } = await look(bytes, 'portfolio')
    assert.equal(finding.outcome, 'ready')
    const seen = await patchesOf(poster)
    const { black, grey, white, lamp, red, green, blue } = seen as Record<keyof typeof lights, [number, number, number]>
    const greys = { black, grey, white, lamp } as Record<string, [number, number, number]>
    for (const [name, values] of Object.entries(greys))
      near(Math.max(...values), Math.min(...values), 4, `${name} is grey`)
    // 203 candelas are what paper is in HDR (ITU-R BT.2408): below the brightest, and far from dim.
    const expected = { black: 0, grey: transfer === 'pq' ? 184 : 169, white: transfer === 'pq' ? 217 : 206, lamp: 254 }
    for (const [name, value] of Object.entries(expected)) near(greys[name]?.[0] ?? -1, value, 8, name)
    for (const [index, colour] of [red, green, blue].entries()) {
      for (const [channel, value] of (colour ?? []).entries()) {
        assert.ok(channel === index ? value > 160 : value < 45, `${index}: ${colour}`)
      }
    }
    const tags = new Set<string>()
    const lumas: number[] = []
    await play(playback, (frame) => {
      tags.add(`${frame.colorPrimaries} ${frame.colorTrc} ${frame.colorSpace}`)
      lumas.push(lumaAt(frame, Math.round(2.5 * patchWidth)))
    })
    assert.deepEqual([...tags], [`${AVCOL_PRI_BT709} ${AVCOL_TRC_BT709} ${AVCOL_SPC_BT709}`])
    near(lumas[0] as number, 16 + (219 / 255) * expected.white, 8, 'the video is as the poster')
  })
}
