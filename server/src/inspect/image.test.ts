// Uploaded pictures: only the picture is left of what was sent, and bombs and fragments are refused.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { deflateSync } from 'node:zlib'
import sharp from 'sharp'
import * as corpus from '../../test/corpus.ts'
import * as sources from '../../test/corpus-sources.ts'
import { inspect, lookAt } from '../../test/inspection.ts'
import type { FileFormat } from './formats.ts'
import { prepare } from './image.ts'

async function processed(format: FileFormat, bytes: Uint8Array, derivedBytes?: number): Promise<Buffer> {
  const inspection = await inspect(format, bytes, derivedBytes === undefined ? {} : { derivedBytes })
  assert.ok(inspection.outcome === 'ready', JSON.stringify(inspection))
  const { image, facts, derived } = inspection
  const { preview, playback } = derived
  assert.equal(preview?.bytes, image.length)
  assert.deepEqual(preview?.sha256, createHash('sha256').update(image).digest())
  assert.equal(playback, undefined)
  const { format: becomes, width, height, space, channels } = await sharp(image).metadata()
  assert.deepEqual([becomes, space, channels], ['jpeg', 'srgb', 3])
  assert.deepEqual([facts.width, facts.height, facts.durationMilliseconds], [width, height, null])
  return image
}

async function reason(format: FileFormat, bytes: Uint8Array): Promise<string> {
  const { finding, image } = await lookAt(prepare, format, bytes)
  assert.equal(image.length, 0)
  return finding.outcome === 'ready' ? 'ready' : finding.reason
}

async function pixel(image: Buffer, left: number, top: number): Promise<string> {
  const bytes = await sharp(image).extract({ left, top, width: 1, height: 1 }).raw().toBuffer()
  const near = (value: number | undefined): string => ((value ?? 0) > 200 ? 'f' : (value ?? 0) < 60 ? '0' : '-')
  return [...bytes].map(near).join('')
}

test('images of every kind become JPEG', async () => {
  const picture = { width: 64, height: 48 }
  for (const [format, name, bytes] of [
    ['jpeg', 'plain', await corpus.jpeg(picture)],
    ['jpeg', 'progressive', await corpus.jpeg({ ...picture, progressive: true })],
    ['jpeg', 'of print', await corpus.cmykJpeg(picture)],
    ['png', 'plain', await corpus.png(picture)],
    ['png', 'interlaced', await corpus.png({ ...picture, progressive: true })],
    ['png', 'palette', await corpus.png({ ...picture, palette: true })],
    ['png', 'deep', await corpus.png({ ...picture, deep: true })],
  ] as const) {
    const image = await processed(format, bytes)
    const { width, height } = await sharp(image).metadata()
    assert.deepEqual([width, height], [64, 48], name)
    assert.match(await pixel(image, 8, 24), /^f[0-][0-]$/, `${name}: red on the left`)
    assert.match(await pixel(image, 56, 24), /^[0-][0-][f-]$/, `${name}: blue on the right`)
  }
  await processed('jpeg', await corpus.jpeg({ greyscale: true }))
  await processed('jpeg', await corpus.jpeg({ width: 1, height: 1 }))
})

/** Its colour, nearly. */
async function shade(image: Buffer): Promise<number[]> {
  return [...(await sharp(image).extract({ left: 4, top: 4, width: 1, height: 1 }).raw().toBuffer())]
}

test("colours follow the image's colour profile", async () => {
  const { icc: p3 } = await sharp(await corpus.jpeg({ metadata: 'Ada' })).metadata()
  const gamma = (value: number): Buffer => corpus.pngChunk('gAMA', corpus.fractions(value))
  const points = (...values: number[]): Buffer => corpus.pngChunk('cHRM', corpus.fractions(...values))
  const [white, srgb] = [[0.3127, 0.329] as const, [0.64, 0.33, 0.3, 0.6, 0.15, 0.06] as const]
  const wide = points(...white, 0.68, 0.32, 0.265, 0.69, 0.15, 0.06)
  const profile = corpus.profileChunk(p3 as Buffer)
  const colour = [200, 100, 50]
  // In P3 the same numbers are a stronger red; a linear sample of a half is a light grey.
  for (const [name, bytes, expected] of [
    ['8 bits', corpus.flatPng(colour), colour],
    ['8 bits of P3', corpus.flatPng(colour, [profile]), [216, 93, 33]],
    ['16 bits', corpus.flatPng(colour, [], 16), colour],
    ['16 bits of P3', corpus.flatPng(colour, [profile], 16), [216, 93, 33]],
    ['16 bits of P3, half transparent', corpus.flatPng([...colour, 128], [profile], 16), [236, 174, 148]],
    ['linear', corpus.flatPng(colour, [gamma(1)]), [229, 168, 123]],
    ['linear, 16 bits', corpus.flatPng(colour, [gamma(1)], 16), [229, 168, 123]],
    ['of an old Mac', corpus.flatPng(colour, [gamma(0.55556)]), [210, 119, 66]],
    ['as good as sRGB', corpus.flatPng(colour, [gamma(0.45455), points(...white, ...srgb)]), colour],
    ['the primaries of P3', corpus.flatPng(colour, [gamma(0.45455), wide]), [216, 93, 33]],
    ['the primaries of P3 alone', corpus.flatPng(colour, [wide]), [216, 93, 33]],
    ['a profile is more than numbers', corpus.flatPng(colour, [gamma(1), profile]), [216, 93, 33]],
    [
      'sRGB is more than numbers',
      corpus.flatPng(colour, [gamma(1), corpus.pngChunk('sRGB', Buffer.from([0]))]),
      colour,
    ],
    ['grey', corpus.flatPng([100]), [100, 100, 100]],
    ['linear grey', corpus.flatPng([100], [gamma(1)]), [168, 168, 168]],
    ['linear grey, 16 bits', corpus.flatPng([100], [gamma(1)], 16), [168, 168, 168]],
    ['no exponent', corpus.flatPng(colour, [gamma(0)]), colour],
    ['an exponent of nothing real', corpus.flatPng(colour, [gamma(20_000)]), colour],
    ['no white', corpus.flatPng(colour, [points(0, 0, ...srgb)]), colour],
    ['primaries on a line', corpus.flatPng(colour, [points(...white, 0.1, 0.1, 0.2, 0.2, 0.3, 0.3)]), colour],
  ] as const) {
    const { finding, image } = await lookAt(prepare, 'png', bytes)
    assert.equal(finding.outcome, 'ready', name)
    const found = await shade(image)
    assert.ok(
      expected.every((value, index) => Math.abs(value - (found[index] ?? 0)) <= 6),
      `${name}: ${found}`,
    )
    assert.equal((await sharp(image).metadata()).icc, undefined)
  }
  const confined = await shade(await processed('png', corpus.flatPng(colour, [profile], 16)))
  assert.ok(Math.abs((confined[0] ?? 0) - 216) <= 6, 'in the confined process too')
})

test('a PNG with cICP colours is shown as intended, HDR as in videos', async () => {
  const cicp = (primaries: number, transfer: number, ...rest: number[]): Buffer =>
    corpus.pngChunk('cICP', Buffer.from([primaries, transfer, ...(rest.length ? rest : [0, 1])]))
  const gamma = corpus.pngChunk('gAMA', corpus.fractions(1))
  const srgb = corpus.pngChunk('sRGB', Buffer.from([0]))
  const { icc } = await sharp(await corpus.jpeg({ metadata: 'Ada' })).metadata()
  const colour = [200, 100, 50]
  for (const [name, bytes, expected] of [
    ['P3', corpus.flatPng(colour, [cicp(12, 13)]), [216, 93, 33]],
    ['P3, 16 bits', corpus.flatPng(colour, [cicp(12, 13)], 16), [216, 93, 33]],
    ['more than sRGB and gAMA', corpus.flatPng(colour, [srgb, gamma, cicp(12, 13)]), [216, 93, 33]],
    ['more than a profile', corpus.flatPng(colour, [corpus.profileChunk(icc as Buffer), cicp(1, 13)]), colour],
    ['BT.2020', corpus.flatPng([150, 120, 100], [cicp(9, 1)]), [167, 116, 96]],
    ['linear', corpus.flatPng(colour, [cicp(1, 8)]), [229, 168, 123]],
    ['P3 of a grey', corpus.flatPng([100], [cicp(12, 13)]), [100, 100, 100]],
    ['of YCbCr, which a PNG never is', corpus.flatPng(colour, [gamma, cicp(12, 13, 9, 1)]), [229, 168, 123]],
    ['of narrow range', corpus.flatPng(colour, [cicp(12, 13, 0, 0)]), colour],
    ['unknown', corpus.flatPng(colour, [cicp(2, 2)]), colour],
    // What the filter of HDR videos makes of these greys.
    ['PQ, dark', corpus.flatPng([51, 51, 51], [cicp(9, 16)]), [41, 41, 41]],
    ['PQ', corpus.flatPng([102, 102, 102], [cicp(9, 16)]), [119, 119, 119]],
    ['PQ, the white of paper', corpus.flatPng([148, 148, 148], [cicp(9, 16)]), [217, 217, 217]],
    ['PQ, 16 bits', corpus.flatPng([148, 148, 148], [cicp(9, 16)], 16), [217, 217, 217]],
    ['PQ, grey', corpus.flatPng([148], [cicp(9, 16)]), [217, 217, 217]],
    ['PQ, a red beyond sRGB', corpus.flatPng([148, 77, 51], [cicp(9, 16)]), [255, 0, 0]],
    ['PQ, the brightest', corpus.flatPng([255, 255, 255], [cicp(9, 16)]), [255, 255, 255]],
    ['HLG, dark', corpus.flatPng([51, 51, 51], [cicp(9, 18)]), [51, 51, 51]],
    ['HLG', corpus.flatPng([191, 191, 191], [cicp(9, 18)]), [206, 206, 206]],
    ['HLG, the brightest', corpus.flatPng([255, 255, 255], [cicp(9, 18)]), [252, 252, 252]],
    ['HLG, grey, 16 bits', corpus.flatPng([191], [cicp(9, 18)], 16), [206, 206, 206]],
  ] as const) {
    const { finding, image } = await lookAt(prepare, 'png', bytes)
    assert.equal(finding.outcome, 'ready', name)
    const found = await shade(image)
    assert.ok(
      expected.every((value, index) => Math.abs(value - (found[index] ?? 0)) <= 6),
      `${name}: ${found}`,
    )
  }
})

test('transparency becomes white, and only the first frame of an animation is kept', async () => {
  const image = await processed('png', await corpus.png({ alpha: true }))
  assert.equal(await pixel(image, 4, 24), 'fff')
  assert.equal(await pixel(image, 60, 24), '00f')
  assert.equal(await pixel(await processed('png', corpus.animatedPng()), 8, 8), '000')
})

test('the orientation is applied and all other metadata is removed', async () => {
  const sent = await corpus.jpeg({ width: 64, height: 48, metadata: 'Ada at home' })
  assert.ok(sent.includes('Ada at home'))
  const image = await processed('jpeg', sent)
  assert.ok(!image.includes('Ada'))
  const { exif, xmp, icc, iptc, comments, orientation } = await sharp(image).metadata()
  assert.deepEqual([exif, xmp, icc, iptc, comments, orientation], Array(6).fill(undefined))

  const turned = await processed('jpeg', await corpus.jpeg({ width: 64, height: 48, orientation: 6 }))
  const { width, height } = await sharp(turned).metadata()
  assert.deepEqual([width, height], [48, 64])
  assert.deepEqual([await pixel(turned, 24, 8), await pixel(turned, 24, 56)], ['f00', '00f'])
})

test('bytes after the end of an image are dropped', async () => {
  for (const [format, bytes] of [
    ['jpeg', await corpus.jpeg()],
    ['png', await corpus.png()],
  ] as const) {
    const image = await processed(format, Buffer.concat([bytes, sources.zip([{ name: 'hidden.txt', data: 'words' }])]))
    assert.ok(!image.includes('PK\x03\x04'))
    assert.ok(!image.includes('hidden.txt'))
  }
})

test('an image has at most 8000 pixels per side and 40 megapixels', async () => {
  for (const [width, height] of [
    [8000, 1],
    [1, 8000],
  ] as const) {
    await processed('png', corpus.blackPng(width, height))
  }
  for (const [width, height] of [
    [8001, 1],
    [1, 8001],
    [8000, 5001],
    [6401, 6250],
  ] as const) {
    assert.equal(await reason('png', corpus.blackPng(width, height)), 'dimensions', `${width}x${height}`)
  }
  assert.equal(await reason('png', corpus.pngPromising(50_000, 50_000)), 'dimensions')
})

test('texts of a PNG that expand to gigabytes are left out, and the picture stays', async () => {
  const text = deflateSync(Buffer.alloc(50_000_000, 'a'))
  const texts = Array.from({ length: 200 }, (_, index) =>
    index % 2 === 0
      ? corpus.pngChunk('zTXt', Buffer.concat([Buffer.from(`a ${index}\0\0`, 'latin1'), text]))
      : corpus.pngChunk('iTXt', Buffer.concat([Buffer.from(`a ${index}\0\x01\0\0\0`, 'latin1'), text])),
  )
  const gamma = corpus.pngChunk('gAMA', corpus.fractions(1))
  const image = await processed('png', corpus.flatPng([200, 100, 50], [...texts, gamma, ...texts]))
  assert.ok((await shade(image)).every((value, index) => Math.abs(value - ([229, 168, 123][index] ?? 0)) <= 6))
})

test('fragments and corrupted bytes are not images', async () => {
  const [jpeg, png] = [await corpus.jpeg({ noise: true }), await corpus.png({ noise: true })]
  const progressive = await corpus.jpeg({ noise: true, progressive: true })
  for (const part of [0.002, 0.05, 0.5, 0.95]) {
    assert.equal(await reason('jpeg', corpus.cut(jpeg, part)), 'broken', `JPEG cut at ${part}`)
    assert.equal(await reason('png', corpus.cut(png, part)), 'broken', `PNG cut at ${part}`)
  }
  assert.equal(await reason('jpeg', corpus.cut(progressive, 0.6)), 'broken')
  assert.equal(await reason('png', corpus.pngPromising(1000, 1000)), 'broken')
  const changed = Buffer.from(png)
  changed.fill(0, 4000, 4064)
  assert.equal(await reason('png', changed), 'broken')
})

test('a file that only begins like an image is refused, and no other decoder is tried', async () => {
  assert.equal(await reason('png', Buffer.concat([corpus.pngSignature, sources.svg()])), 'broken')
  assert.equal(await reason('jpeg', Buffer.concat([Buffer.from([0xff, 0xd8, 0xff]), sources.zip()])), 'broken')
  assert.equal(await reason('png', await corpus.jpeg()), 'broken')
  assert.equal(await reason('png', sources.svg('<rect width="10" height="10"/>', 'width="10" height="10"')), 'broken')
})

test('an image beyond the budget is compressed more, then scaled down', async () => {
  const sent = await corpus.jpeg({ width: 400, height: 300, noise: true })
  const full = await processed('jpeg', sent)
  const tighter = await processed('jpeg', sent, Math.floor(full.length * 0.8))
  assert.equal((await sharp(tighter).metadata()).width, 400)
  const smaller = await processed('jpeg', sent, Math.floor(full.length * 0.2))
  const { width, height } = await sharp(smaller).metadata()
  assert.ok(width < 300 && smaller.length <= full.length * 0.2)
  assert.ok(Math.abs(width / height - 4 / 3) < 0.05)
  const inspection = await inspect('jpeg', sent, { derivedBytes: 100 })
  assert.ok(inspection.outcome === 'rejected' && inspection.reason === 'limits')
})

test('a progressive image of 40 megapixels is rotated like any other', async () => {
  const bytes = await corpus.jpeg({ width: 8000, height: 5000, progressive: true, orientation: 6 })
  const { width, height } = await sharp(await processed('jpeg', bytes)).metadata()
  assert.deepEqual([width, height], [5000, 8000])
})
