// Agents show videos in their portfolios: what they are turned into, and how harmful ones are refused.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { closeSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { EncodedPacketSink } from 'mediabunny'
import sharp from 'sharp'
import { altered, boxAt, enlarged, video } from '../../test/corpus-media.ts'
import { forDerived } from '../../test/inspection.ts'
import { createLog } from '../log.ts'
import { type DerivedName, derivedNames } from '../storage/keys.ts'
import { createInspector } from './inspect.ts'
import { conclude, type Finding, type Look, type Work } from './look.ts'
import { findMeans } from './means.ts'
import { prepare } from './media.ts'
import { openInput } from './media-video.ts'
import { type Limits, runConfined } from './sandbox.ts'

const paths: string[] = []
function scratch(bytes: Buffer = Buffer.alloc(0)): string {
  const path = join(tmpdir(), `kith-transcode-${randomUUID()}`)
  writeFileSync(path, bytes)
  paths.push(path)
  return path
}
after(() => {
  for (const path of paths) rmSync(path, { force: true })
})

let inspect: Look
before(async () => {
  inspect = await prepare('mp4', 'portfolio')
})

interface Normalised {
  finding: Finding
  playback: Buffer
  poster: Buffer
  bytesOf: Record<DerivedName, Buffer>
}

const budget = 8 * 1024 * 1024

async function normalise(bytes: Buffer, derivedBytes = budget): Promise<Normalised> {
  const paths = forDerived(() => scratch())
  const original = openSync(scratch(bytes), 'r')
  const derived = forDerived((name) => openSync(paths[name], 'r+'))
  try {
    const work: Work = {
      format: 'mp4',
      purpose: 'portfolio',
      original,
      originalBytes: bytes.length,
      derived,
      derivedBytes,
    }
    const finding = await conclude(inspect, work)
    const bytesOf = forDerived((name) => readFileSync(paths[name]))
    return { finding, bytesOf, playback: bytesOf.playback, poster: bytesOf.preview }
  } finally {
    for (const file of [original, ...Object.values(derived)]) closeSync(file)
  }
}

async function reason(bytes: Buffer, derivedBytes?: number): Promise<string> {
  const { finding } = await normalise(bytes, derivedBytes)
  return finding.outcome === 'rejected' ? finding.reason : 'ready'
}

interface Shown {
  codecs: (string | null)[]
  width: number
  height: number
  rotation: number
  seconds: number
  times: number[]
}

async function shown(bytes: Buffer): Promise<Shown> {
  const original = openSync(scratch(bytes), 'r')
  const input = openInput({ original, originalBytes: bytes.length })
  try {
    const tracks = await input.getTracks()
    const picture = (await input.getPrimaryVideoTrack()) ?? assert.fail('no video')
    const times: number[] = []
    for await (const packet of new EncodedPacketSink(picture).packets()) times.push(packet.timestamp)
    return {
      codecs: await Promise.all(tracks.map((track) => track.getCodec())),
      width: await picture.getDisplayWidth(),
      height: await picture.getDisplayHeight(),
      rotation: await picture.getRotation(),
      seconds: await input.computeDuration(),
      times: times.sort((a, b) => a - b),
    }
  } finally {
    closeSync(original)
  }
}

const near = (seconds: number, expected: number): void =>
  assert.ok(Math.abs(seconds - expected) < 0.2, `${seconds} is not ${expected}`)

test('Ada uploads a video; it becomes H.264 and AAC that play at once', async () => {
  const { finding, playback, poster } = await normalise(await video({ seconds: 2, width: 96, height: 64 }))
  assert.ok(finding.outcome === 'ready')
  const result = await shown(playback)
  assert.deepEqual(result.codecs, ['avc', 'aac'])
  assert.deepEqual([result.width, result.height], [96, 64])
  near(result.seconds, 2)
  assert.equal(result.times.length, 50)
  assert.equal(result.times[0], 0)
  assert.ok(boxAt(playback, ['moov']).end < boxAt(playback, ['mdat']).start)
  const image = await sharp(poster).metadata()
  assert.deepEqual([image.format, image.width, image.height], ['jpeg', 96, 64])
})

test('the result does not reveal who made the video, when and with which program', async () => {
  const told = await video({ title: 'Ada at home, 59.9 N 10.7 E' })
  assert.match(told.toString('latin1'), /Ada at home/)
  const { playback, poster } = await normalise(told)
  for (const bytes of [playback, poster]) {
    assert.doesNotMatch(
      bytes.toString('latin1'),
      /Ada at home|x264|Lavc|Lavf|ediabunny|Handler|udta|Exif|JFIF.*comment/,
    )
  }
  for (const path of [
    ['moov', 'mvhd'],
    ['moov', 'trak', 'tkhd'],
    ['moov', 'trak', 'mdia', 'mdhd'],
  ]) {
    const { start } = boxAt(playback, path)
    assert.deepEqual(playback.subarray(start + 4, start + 12), Buffer.alloc(8), `${path} has no times`)
  }
})

test('a rotated video is upright afterwards', async () => {
  const halves = (): readonly [number, number] => [220, 30] // bright on the left
  const turned = { 90: 'top', 180: 'right', 270: 'bottom' } as const
  for (const rotation of [90, 180, 270] as const) {
    const { playback, poster } = await normalise(await video({ width: 96, height: 64, rotation, halves, audio: null }))
    const result = await shown(playback)
    assert.equal(result.rotation, 0)
    assert.deepEqual([result.width, result.height], rotation === 180 ? [96, 64] : [64, 96])
    const { data, info } = await sharp(poster).greyscale().raw().toBuffer({ resolveWithObject: true })
    const at = (x: number, y: number): number =>
      data[Math.floor(y * info.height) * info.width + Math.floor(x * info.width)] as number
    const sides = { left: at(0.1, 0.5), right: at(0.9, 0.5), top: at(0.5, 0.1), bottom: at(0.5, 0.9) }
    assert.ok(sides[turned[rotation]] > 150, `${rotation}: ${JSON.stringify(sides)}`)
    const opposite = { top: 'bottom', right: 'left', bottom: 'top' } as const
    assert.ok(sides[opposite[turned[rotation]]] < 100, `${rotation}: ${JSON.stringify(sides)}`)
  }
})

test('a poster has upright copies', async () => {
  const halves = (): readonly [number, number] => [220, 30] // bright on the left
  const recipe = { width: 1280, height: 720, seconds: 0.2, halves, audio: null }
  const sidesOf = async (bytes: Buffer): Promise<number[] | undefined> => {
    if (bytes.length === 0) return undefined
    const { format, width, height } = await sharp(bytes).metadata()
    assert.equal(format, 'jpeg')
    assert.doesNotMatch(bytes.toString('latin1'), /Lavc|Lavf/)
    return [width, height]
  }
  for (const [turn, whole, small, large] of [
    [0, [1280, 720], [480, 270], [1080, 608]],
    [90, [720, 1280], [480, 853], undefined],
  ] as const) {
    const { bytesOf } = await normalise(await video({ ...recipe, ...(turn !== 0 && { rotation: turn }) }))
    const found = [bytesOf.preview, bytesOf['preview-480'], bytesOf['preview-1080']]
    assert.deepEqual(await Promise.all(found.map(sidesOf)), [whole, small, large], `turned by ${turn}`)
    const { data, info } = await sharp(bytesOf['preview-480']).greyscale().raw().toBuffer({ resolveWithObject: true })
    assert.ok((data[2 * info.width + 2] as number) > 190, 'bright where it begins')
    assert.ok((data[data.length - 2 * info.width - 3] as number) < 60, 'dark where it ends')
  }
  const { bytesOf } = await normalise(await video({ width: 480, height: 270, seconds: 0.2, audio: null }))
  assert.deepEqual([bytesOf['preview-480'].length, bytesOf['preview-1080'].length], [0, 0])
})

test('other codecs, missing sound, odd dimensions and fragments are transcoded', async () => {
  const codecsOf = async (recipe: Parameters<typeof video>[0]): Promise<(string | null)[]> =>
    (await shown((await normalise(await video({ seconds: 0.4, ...recipe }))).playback)).codecs
  assert.deepEqual(await codecsOf({ codec: 'hevc', audio: 'mp3' }), ['avc', 'aac'])
  assert.deepEqual(await codecsOf({ codec: 'vp9', audio: 'opus' }), ['avc', 'aac'])
  assert.deepEqual(await codecsOf({ audio: null }), ['avc'])
  assert.deepEqual(await codecsOf({ fragmented: true }), ['avc', 'aac'])
  assert.deepEqual(await codecsOf({ channels: 6 }), ['avc', 'aac'])
  const { playback } = await normalise(await video({ width: 63, height: 45, codec: 'vp9', audio: null, seconds: 0.4 }))
  const { width, height } = await shown(playback)
  assert.deepEqual([width % 2, height % 2], [0, 0])
})

test('frames keep their times, however irregular', async () => {
  const times = [0, 0.04, 0.5, 0.54, 2, 2.9]
  const { playback } = await normalise(await video({ times, seconds: 4 }))
  const result = await shown(playback)
  assert.deepEqual(
    result.times.map((time) => Math.round(time * 100) / 100),
    times,
  )
  near(result.seconds, 4)
})

test('slow motion keeps only as many frames as a screen shows', async () => {
  const { playback, finding } = await normalise(await video({ framesPerSecond: 120, audio: null }))
  assert.ok(finding.outcome === 'ready' && finding.facts.framesPerSecond === 120)
  const { times, seconds } = await shown(playback)
  assert.ok(times.length <= 61 && times.length >= 59, `${times.length}`)
  for (const [index, time] of times.entries()) near(time, index / 60)
  near(seconds, 1)
})

test('a video may last 120 seconds', async () => {
  const lasting = (seconds: number): Promise<Buffer> => video({ seconds, framesPerSecond: 1, audio: null })
  const { playback } = await normalise(await lasting(120))
  near((await shown(playback)).seconds, 120)
  assert.equal(await reason(await lasting(121)), 'duration')
})

test('the poster is the first frame that is not blank', async () => {
  const halves = (index: number): readonly [number, number] => (index < 10 ? [16, 16] : [200, 40])
  const { poster } = await normalise(await video({ halves, audio: null }))
  const { channels } = await sharp(poster).greyscale().stats()
  assert.ok((channels[0]?.max ?? 0) > 150)
  const black = await normalise(await video({ halves: () => [16, 16], audio: null, seconds: 0.2 }))
  assert.ok(black.poster.length > 0, 'a black video has a black one')
})

test('derived files stay within their budget, or the video is refused', async () => {
  const heavy = await video({ width: 320, height: 240, noise: true, seconds: 2 })
  for (const bytes of [400_000, 200_000]) {
    const { finding, playback, poster } = await normalise(heavy, bytes)
    assert.equal(finding.outcome, 'ready', `${bytes}`)
    assert.ok(playback.length + poster.length <= bytes, `${playback.length} + ${poster.length}`)
  }
  const { finding, playback, poster } = await normalise(heavy, 9000)
  assert.deepEqual(finding, { outcome: 'rejected', reason: 'limits' })
  assert.equal(playback.length + poster.length, 0)
})

test('a video that does not decode to its end is broken', async () => {
  const whole = await video({ seconds: 2, width: 128, height: 96, noise: true })
  assert.equal(await reason(whole.subarray(0, Math.floor(whole.length * 0.7))), 'broken')
  const data = boxAt(whole, ['mdat'])
  const scrambled = Buffer.from(whole)
  scrambled.fill(0xa5, Math.floor((data.start + data.end) / 2), data.end)
  assert.equal(await reason(scrambled), 'broken')
  const larger = altered(whole, ['moov', 'trak', 'mdia', 'minf', 'stbl', 'stsd', 'avc1'], 24, 4000 * 65_536 + 96)
  assert.equal(await reason(larger), 'dimensions')
})

test('no file can make the process use the network', async (t) => {
  let calls = 0
  const server = createServer((socket) => {
    calls++
    socket.destroy()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  assert.ok(address !== null && typeof address === 'object')
  const url = `http://127.0.0.1:${address.port}/a.ts`
  t.after(() => server.close())
  const plain = await video()
  const reference = ['moov', 'trak', 'mdia', 'minf', 'dinf', 'dref', 'url ']
  const elsewhere = enlarged(altered(plain, reference, 0, 0), reference, Buffer.from(`${url}\0`))
  const playlists = [
    `#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\n${url}\n#EXT-X-ENDLIST\n`,
    `ffconcat version 1.0\nfile '${url}'\n`,
    `<?xml version="1.0"?><MPD><BaseURL>${url}</BaseURL></MPD>`,
  ].map((text) => Buffer.concat([Buffer.from('\0\0\0\x14ftypisom\0\0\0\0isom', 'latin1'), Buffer.from(text)]))
  const inspector = createInspector({ log: createLog('silent') })
  for (const [index, bytes] of [elsewhere, ...playlists].entries()) {
    const task = { path: scratch(bytes), format: 'mp4', purpose: 'portfolio', derivedBytes: budget } as const
    const derivedPaths = forDerived(() => scratch())
    const inspection = await inspector.inspect({ ...task, derivedPaths }, AbortSignal.timeout(240_000))
    const expected = index === 0 ? 'external_reference' : 'broken'
    assert.deepEqual(inspection, { outcome: 'rejected', reason: expected }, `${index}`)
  }
  assert.equal(calls, 0)
})

const child = fileURLToPath(new URL('child.ts', import.meta.url))
const means = await findMeans(child)

test('an expensive video ends at its limits', { skip: !means.prlimit }, async () => {
  const heavy = await video({ width: 1280, height: 720, seconds: 2, noise: true, audio: null })
  const plenty: Limits = { cpuSeconds: 60, wallSeconds: 60, memoryBytes: 1024 ** 3, fileBytes: budget }
  const end = async (limits: Partial<Limits>): Promise<string> => {
    const files = [openSync(scratch(heavy), 'r'), ...derivedNames.map(() => openSync(scratch(), 'r+'))]
    try {
      const confined = { script: child, arguments: ['mp4', 'portfolio', `${budget}`], descriptors: files }
      const ending = await runConfined(
        { ...confined, limits: { ...plenty, ...limits } },
        means,
        AbortSignal.timeout(60_000),
      )
      return ending.code === 0 ? (ending.report ?? '') : 'killed'
    } finally {
      for (const file of files) closeSync(file)
    }
  }
  assert.equal(await end({ cpuSeconds: 1 }), 'killed')
  assert.match(await end({ memoryBytes: 64 * 1024 ** 2 }), /limits|killed/)
})
