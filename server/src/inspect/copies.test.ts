// The smaller copies of a preview: which there are, how large they are, and when there is no room for them.
// docs/contract/attachments.md#previews.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import sharp from 'sharp'
import * as corpus from '../../test/corpus.ts'
import { inspect } from '../../test/inspection.ts'
import { copySides, type FileFormat, previewWidths } from './formats.ts'
import { type DerivedFile, isComplete } from './inspect.ts'
import { jpegSides } from './jpeg-sides.ts'
import { webCopiesIn, webCopyOf } from './web-copies.ts'

/** What an inspection makes: the sides of each picture by its name, as its bytes have them. */
async function made(format: FileFormat, bytes: Uint8Array, derivedBytes?: number) {
  const inspection = await inspect(format, bytes, derivedBytes === undefined ? {} : { derivedBytes })
  assert.ok(inspection.outcome === 'ready', JSON.stringify(inspection))
  const sides: Record<string, number[]> = {}
  const pictures: Record<string, Buffer> = {}
  for (const name of ['preview', 'preview-480', 'preview-1080'] as const) {
    const file: DerivedFile | undefined = inspection.derived[name]
    const image = await inspection.bytesOf(name)
    assert.equal(file?.bytes ?? 0, image.length, name)
    if (!file) continue
    const { format: becomes, width, height, space, channels, exif, icc, orientation } = await sharp(image).metadata()
    assert.deepEqual(
      [becomes, space, channels, exif, icc, orientation],
      ['jpeg', 'srgb', 3, ...Array(3).fill(undefined)],
    )
    assert.deepEqual(file.sides, { width, height }, name)
    assert.deepEqual(file.sha256, createHash('sha256').update(image).digest())
    sides[name] = [width, height]
    pictures[name] = image
  }
  return { sides, pictures, derived: inspection.derived }
}

const black = (width: number, height: number) => made('png', corpus.blackPng(width, height)).then(({ sides }) => sides)

test('copies are 480 and 1080 pixels wide, and are made only of wider images', async () => {
  for (const [width, height, small, large] of [
    [2000, 500, [480, 120], [1080, 270]],
    [1081, 700, [480, 311], [1080, 699]],
    [1080, 700, [480, 311], undefined],
    [481, 300, [480, 299], undefined],
    [480, 300, undefined, undefined],
    [600, 3000, [480, 2400], undefined],
    [300, 8000, undefined, undefined],
    [8000, 1, [480, 1], [1080, 1]],
    [1, 1, undefined, undefined],
  ] as const) {
    assert.deepEqual(
      await black(width, height),
      {
        preview: [width, height],
        ...(small && { 'preview-480': [...small] }),
        ...(large && { 'preview-1080': [...large] }),
      },
      `${width}x${height}`,
    )
  }
})

const near = (value: number | undefined): string => ((value ?? 0) > 190 ? 'f' : (value ?? 0) < 70 ? '0' : '-')
async function pixel(image: Buffer, across: number, down = 0.5): Promise<string> {
  const { width, height } = await sharp(image).metadata()
  const region = { left: Math.floor(width * across), top: Math.floor(height * down), width: 1, height: 1 }
  return [...(await sharp(image).extract(region).raw().toBuffer())].map(near).join('')
}

test('a copy looks like its preview: CMYK, 16 bits, transparency, rotation', async () => {
  const size = { width: 1200, height: 800 }
  for (const [name, format, bytes, left] of [
    ['plain', 'jpeg', await corpus.jpeg(size), /^f00$/],
    ['of print', 'jpeg', await corpus.cmykJpeg(size), /^f[0-][0-]$/],
    ['deep', 'png', await corpus.png({ ...size, deep: true }), /^f00$/],
    ['palette', 'png', await corpus.png({ ...size, palette: true }), /^f00$/],
    ['transparent', 'png', await corpus.png({ ...size, alpha: true }), /^fff$/],
  ] as const) {
    const { sides, pictures } = await made(format, bytes)
    assert.deepEqual(sides, { preview: [1200, 800], 'preview-480': [480, 320], 'preview-1080': [1080, 720] }, name)
    for (const [picture, image] of Object.entries(pictures)) {
      assert.match(await pixel(image, 0.1), left, `${name}, ${picture}: on the left`)
      assert.match(await pixel(image, 0.9), /^[0-][0-][f-]$/, `${name}, ${picture}: blue on the right`)
    }
  }
  const turned = await made('jpeg', await corpus.jpeg({ ...size, orientation: 6, metadata: 'Ada at home' }))
  assert.deepEqual(turned.sides, { preview: [800, 1200], 'preview-480': [480, 720] })
  const small = turned.pictures['preview-480'] as Buffer
  assert.deepEqual([await pixel(small, 0.5, 0.1), await pixel(small, 0.5, 0.9)], ['f00', '00f'])
  assert.ok(!small.includes('Ada'))
})

/** The WebP pictures that lie one behind the other. */
function* webIn(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; ) {
    const end = at + 8 + bytes.readUInt32LE(at + 4)
    yield bytes.subarray(at, end)
    at = end
  }
}

test('copies for browsers look like their preview, say nothing else, and are in the widths of their purpose', async () => {
  const bytes = await corpus.jpeg({ width: 800, height: 1200, orientation: 6, metadata: 'Ada at home' })
  for (const [purpose, widths] of [
    ['portfolio', [480, 1080]],
    ['character', [480, 1080]],
    ['avatar', [96, 192, 480]],
    ['order', []],
  ] as const) {
    const inspection = await inspect('jpeg', bytes, { purpose })
    assert.ok(inspection.outcome === 'ready')
    const { preview, web } = inspection.derived
    assert.deepEqual(preview?.sides, { width: 1200, height: 800 })
    const all = await inspection.bytesOf('web')
    const copies = [...webIn(all)]
    assert.deepEqual(
      web?.copies ?? [],
      copies.map(({ length }, at) => ({
        bytes: length,
        sides: copySides({ width: 1200, height: 800 }, widths[at] ?? 0),
      })),
    )
    assert.equal(copies.length, widths.length)
    assert.ok(!all.includes('Ada'))
    for (const copy of copies) {
      const { format, width, space, channels, exif, icc, hasAlpha } = await sharp(copy).metadata()
      assert.deepEqual([format, space, channels, exif, icc, hasAlpha], ['webp', 'srgb', 3, undefined, undefined, false])
      assert.ok(widths.some((each) => each === width))
      assert.match(await pixel(copy, 0.5, 0.1), /^f[0-]0$/)
      assert.match(await pixel(copy, 0.5, 0.9), /^0[0-]f$/)
    }
  }
})

test('what is no row of lossy pictures is no copies for browsers', async () => {
  const picture = sharp({ create: { width: 97, height: 3, channels: 3, background: '#123456' } })
  const [lossy, lossless] = [await picture.webp().toBuffer(), await picture.webp({ lossless: true }).toBuffer()]
  const more = await picture
    .clone()
    .withExif({ IFD0: { Artist: 'Ada' } })
    .webp()
    .toBuffer()
  assert.deepEqual(webCopyOf(lossy), { bytes: lossy.length, sides: { width: 97, height: 3 } })
  for (const bytes of [lossless, more, lossy.subarray(0, 29), Buffer.alloc(0), await corpus.jpeg()]) {
    assert.equal(webCopyOf(bytes), undefined)
  }
  const open = async (bytes: Buffer) => {
    const size = bytes.length
    const read = (into: Buffer, _: number, length: number, at: number) =>
      Promise.resolve({ bytesRead: bytes.copy(into, 0, at, at + length) })
    return webCopiesIn({ read } as never, size)
  }
  const one = webCopyOf(lossy)
  assert.deepEqual(await open(Buffer.concat([lossy, lossy])), [one, one])
  for (const hostile of [
    lossy.subarray(0, -1),
    Buffer.concat([lossy, Buffer.alloc(1)]),
    Buffer.concat([lossy, lossless]),
    Buffer.concat(Array<Buffer>(5).fill(lossy)),
    more,
  ]) {
    assert.equal(await open(hostile), undefined)
  }
  await fc.assert(
    fc.asyncProperty(fc.nat(lossy.length - 1), fc.nat(255), async (at, value) => {
      const changed = Buffer.from(lossy)
      changed[at] = value
      const found = await open(changed)
      assert.ok(found === undefined || (found.length === 1 && found[0]?.bytes === lossy.length))
    }),
  )
})

test('the first page of a document has copies too', async () => {
  const { sides, pictures } = await made('pdf', corpus.pdf({ width: 612, height: 792 }))
  assert.deepEqual(sides, { preview: [1236, 1600], 'preview-480': [480, 621], 'preview-1080': [1080, 1398] })
  assert.equal(await pixel(pictures['preview-480'] as Buffer, 0.05, 0.95), 'f00')
  assert.deepEqual((await made('pdf', corpus.pdf({ width: 100, height: 200 }))).sides, { preview: [400, 800] })
})

test('copies yield to the preview: any copy without room is left out, to the byte', async () => {
  const bytes = await corpus.jpeg({ width: 1200, height: 900, noise: true })
  const { preview, 'preview-1080': large, 'preview-480': small } = (await made('jpeg', bytes)).derived
  const [whole, wide, narrow] = [preview?.bytes ?? 0, large?.bytes ?? 0, small?.bytes ?? 0]
  assert.ok(narrow > 0 && wide > narrow && whole > wide)
  const names = async (room: number): Promise<string[]> => Object.keys((await made('jpeg', bytes, room)).sides)
  assert.deepEqual(await names(whole + wide + narrow), ['preview', 'preview-480', 'preview-1080'])
  assert.deepEqual(await names(whole + wide + narrow - 1), ['preview', 'preview-1080'])
  assert.deepEqual(await names(whole + wide - 1), ['preview', 'preview-480'])
  assert.deepEqual(await names(whole + narrow - 1), ['preview'])
  assert.deepEqual(await names(whole), ['preview'])
})

test('the output of a compromised child is rejected as images', () => {
  const file = (width: number, height: number) => ({ bytes: 1, sha256: Buffer.alloc(32), sides: { width, height } })
  const video = { bytes: 1, sha256: Buffer.alloc(32) }
  const web = (...sides: readonly (readonly [number, number])[]) => ({
    ...video,
    copies: sides.map(([width, height]) => ({ bytes: 1, sides: { width, height } })),
  })
  const [image, source] = [
    { format: 'jpeg', purpose: 'portfolio' },
    { format: 'psd', purpose: 'portfolio' },
  ] as const
  const preview = file(1200, 800)
  const sound = { preview, 'preview-480': file(480, 320), 'preview-1080': file(1080, 720) }
  assert.ok(isComplete(image, sound))
  assert.ok(isComplete(image, { preview }))
  for (const copies of [
    [[480, 320]],
    [[1080, 720]],
    [
      [480, 320],
      [1080, 720],
    ],
  ] as const) {
    assert.ok(isComplete(image, { preview, web: web(...copies) }))
  }
  assert.ok(isComplete({ format: 'mp4', purpose: 'portfolio' }, { ...sound, playback: video }))
  assert.ok(isComplete(source, {}))
  for (const [why, task, derived] of [
    ['of other proportions', image, { preview, 'preview-480': file(480, 321) }],
    ['of another width', image, { preview, 'preview-480': file(1080, 720) }],
    ['as wide as the preview', image, { preview: file(480, 320), 'preview-480': file(480, 320) }],
    ['of no preview', image, { 'preview-480': file(480, 320) }],
    ['of a source', source, { 'preview-480': file(480, 320) }],
    ['of a source with a preview', source, sound],
    ['for browsers, of other proportions', image, { preview, web: web([480, 321]) }],
    ['for browsers, of another width', image, { preview, web: web([481, 321]) }],
    ['for browsers, twice', image, { preview, web: web([480, 320], [480, 320]) }],
    ['for browsers, the wide one first', image, { preview, web: web([1080, 720], [480, 320]) }],
    ['for browsers, of another purpose', { ...image, purpose: 'order' }, { preview, web: web([480, 320]) }],
    ['for browsers, of no kind', image, { preview, web: video }],
    ['for browsers, of a source', source, { web: web([480, 320]) }],
    ['a video beside an image', image, { ...sound, playback: video }],
  ] as const) {
    assert.ok(!isComplete(task, derived), why)
  }
})

test("a JPEG's size is read from its first segments; other bytes have no size", async () => {
  const picture = { create: { width: 1234, height: 77, channels: 3 as const, background: '#123456' } }
  for (const options of [{}, { progressive: true }, { mozjpeg: true }]) {
    const bytes = await sharp(picture).jpeg(options).toBuffer()
    assert.deepEqual(jpegSides(bytes), { width: 1234, height: 77 })
    assert.deepEqual(jpegSides(bytes.subarray(0, 4096)), { width: 1234, height: 77 })
    assert.equal(jpegSides(bytes.subarray(0, 20)), undefined)
  }
  for (const bytes of [await corpus.png(), corpus.pdf(), Buffer.alloc(0), Buffer.of(0xff, 0xd8)]) {
    assert.equal(jpegSides(bytes), undefined)
  }
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 500 }), (bytes) => {
      jpegSides(Buffer.concat([Buffer.of(0xff, 0xd8), bytes]))
    }),
  )
})

test("a copy keeps its preview's proportions, and is at least one pixel high", () => {
  const side = fc.integer({ min: 1, max: 8000 })
  fc.assert(
    fc.property(side, side, fc.constantFrom(...previewWidths), (width, height, wanted) => {
      const copy = copySides({ width, height }, wanted)
      assert.equal(copy.width, wanted)
      assert.ok(copy.height >= 1 && Math.abs(copy.height - (height * wanted) / width) <= 1)
    }),
  )
})
