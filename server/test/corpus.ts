// Pictures and documents for tests, sound and hostile ones, made here when they are needed: nothing of them is kept.
// Working sources are in corpus-sources.ts, videos and sounds in corpus-media.ts.
import { createHash } from 'node:crypto'
import { crc32, deflateSync } from 'node:zlib'
import sharp, { type Sharp } from 'sharp'

interface PictureRecipe {
  width?: number
  height?: number
  /** EXIF's 1 to 8. */
  orientation?: number
  /** Fills EXIF, XMP and ICC; the words are found in the bytes again. */
  metadata?: string
  /** Noise is hard to compress: files of some weight. */
  noise?: boolean
  alpha?: boolean
  greyscale?: boolean
  progressive?: boolean
}

/** Left half red, right half blue: of any size, and a turn is to be seen. */
function picture({ width = 64, height = 48, noise = false, alpha = false }: PictureRecipe): Sharp {
  if (noise) {
    const gaussian = { type: 'gaussian', mean: 128, sigma: 60 } as const
    return sharp({ create: { width, height, channels: 3, background: '#000000', noise: gaussian } })
  }
  const channels = alpha ? 4 : 3
  const half = { width: Math.floor(width / 2) || 1, height, channels, background: '#0000ffff' } as const
  const background = alpha ? '#ff000000' : '#ff0000'
  return sharp({ create: { width, height, channels, background } }).composite([
    { input: { create: half }, gravity: 'east' },
  ])
}

function dressed(image: Sharp, { orientation, metadata, greyscale = false }: PictureRecipe): Sharp {
  let dressed = greyscale ? image.greyscale() : image
  if (metadata !== undefined) {
    const ifd = { ImageDescription: metadata, Artist: metadata }
    dressed = dressed.withExif({ IFD0: ifd, IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '51/1 30/1 3230/100' } })
    dressed = dressed.withXmp(`<x:xmpmeta xmlns:x="adobe:ns:meta/"><note>${metadata}</note></x:xmpmeta>`)
    dressed = dressed.withIccProfile('p3', { attach: true })
  }
  return orientation === undefined ? dressed : dressed.withMetadata({ orientation })
}

/** A JPEG, red on the left and blue on the right unless it is noise. */
export const jpeg = (recipe: PictureRecipe = {}): Promise<Buffer> =>
  dressed(picture(recipe), recipe)
    .jpeg({ quality: 90, progressive: recipe.progressive ?? false, chromaSubsampling: '4:4:4' })
    .toBuffer()

/** A JPEG in the colours of print. */
export const cmykJpeg = (recipe: PictureRecipe = {}): Promise<Buffer> =>
  picture(recipe).toColourspace('cmyk').jpeg().toBuffer()

/** A PNG; with `alpha` the left half is transparent, with `deep` it has 16 bits, with `palette` a table of colours. */
export const png = (recipe: PictureRecipe & { deep?: boolean; palette?: boolean } = {}): Promise<Buffer> => {
  const image = dressed(picture(recipe), recipe)
  const deep = recipe.deep ? image.toColourspace('rgb16') : image
  return deep.png({ palette: recipe.palette ?? false, progressive: recipe.progressive ?? false }).toBuffer()
}

export const pngSignature: Buffer = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

export function pngChunk(type: string, data: Uint8Array = Buffer.alloc(0)): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  return Buffer.concat([uint32(data.length), body, uint32(crc32(body))])
}

const uint32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}

/** A PNG of 8x8 of one colour: of grey, RGB or RGBA by the number of its values, with other chunks in front of it. */
export function flatPng(colour: readonly number[], chunks: readonly Buffer[] = [], bits: 8 | 16 = 8): Buffer {
  const kind = colour.length === 1 ? 0 : colour.length === 3 ? 2 : 6
  const pixel = Buffer.from(colour.flatMap((value) => (bits === 16 ? [value, value] : [value])))
  const row = Buffer.concat([Buffer.alloc(1), ...Array<Buffer>(8).fill(pixel)])
  const rows = deflateSync(Buffer.concat(Array<Buffer>(8).fill(row)))
  const header = Buffer.concat([uint32(8), uint32(8), Buffer.from([bits, kind, 0, 0, 0])])
  return Buffer.concat([pngSignature, pngChunk('IHDR', header), ...chunks, pngChunk('IDAT', rows), pngChunk('IEND')])
}

/** Numbers as the chunks of colours have them. */
export const fractions = (...values: number[]): Buffer =>
  Buffer.concat(values.map((value) => uint32(Math.round(value * 100_000))))

export const profileChunk = (profile: Buffer): Buffer =>
  pngChunk('iCCP', Buffer.concat([Buffer.from('profile\0\0', 'latin1'), deflateSync(profile)]))

/** The header of a grey PNG of one bit a pixel. */
const pngHeader = (width: number, height: number): Buffer =>
  pngChunk('IHDR', Buffer.concat([uint32(width), uint32(height), Buffer.from([1, 0, 0, 0, 0])]))

/** A whole black PNG of any size, which takes next to no bytes. */
export function blackPng(width: number, height: number): Buffer {
  const rows = deflateSync(Buffer.alloc((1 + Math.ceil(width / 8)) * height))
  return Buffer.concat([pngSignature, pngHeader(width, height), pngChunk('IDAT', rows), pngChunk('IEND')])
}

/** A PNG that promises a size and brings a few bytes. */
export const pngPromising = (width: number, height: number): Buffer =>
  Buffer.concat([
    pngSignature,
    pngHeader(width, height),
    pngChunk('IDAT', deflateSync(Buffer.alloc(64))),
    pngChunk('IEND'),
  ])

/** An animated PNG, black first and then white. */
export function animatedPng(width = 16, height = 16): Buffer {
  const frame = (index: number): Buffer => {
    const sizes = [index, width, height, 0, 0].map(uint32)
    return pngChunk('fcTL', Buffer.concat([...sizes, Buffer.from([0, 1, 0, 10, 0, 0])]))
  }
  const row = 1 + Math.ceil(width / 8)
  const white = Buffer.alloc(row * height, 0xff)
  for (let y = 0; y < height; y++) white[y * row] = 0
  return Buffer.concat([
    pngSignature,
    pngHeader(width, height),
    pngChunk('acTL', Buffer.concat([uint32(2), uint32(0)])),
    frame(0),
    pngChunk('IDAT', deflateSync(Buffer.alloc(row * height))),
    frame(1),
    pngChunk('fdAT', Buffer.concat([uint32(2), deflateSync(white)])),
    pngChunk('IEND'),
  ])
}

/** The first part of a file. */
export const cut = (bytes: Buffer, part: number): Buffer => bytes.subarray(0, Math.floor(bytes.length * part))

interface PdfRecipe {
  pages?: number
  /** Points, 1/72 inch. */
  width?: number
  height?: number
  /** The operators that draw each page. */
  content?: string
  /** A password that opens it, by the oldest of the schemes. */
  password?: string
  /** Runs at opening in readers that run scripts. */
  script?: string
  /** Goes into the catalogue as it is. */
  catalog?: string
  /** Goes into the page's dictionary as it is. */
  page?: string
}

/** A PDF of a red rectangle a page, with a correct table of its objects. */
export function pdf(recipe: PdfRecipe = {}): Buffer {
  const { pages = 1, width = 200, height = 100, content = '1 0 0 rg 0 0 100 100 re f', password, script } = recipe
  const kids = Array.from({ length: pages }, (_, index) => `${5 + index} 0 R`)
  const open = script === undefined ? '' : `/OpenAction << /S /JavaScript /JS (${script}) >>`
  const objects = [
    `<< /Type /Catalog /Pages 2 0 R ${open} ${recipe.catalog ?? ''} >>`,
    `<< /Type /Pages /Kids [${kids.join(' ')}] /Count ${pages} >>`,
    `<< /Length ${content.length} >>\nstream\n${content}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
    ...kids.map(
      () =>
        `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${width} ${height}] /Contents 3 0 R ` +
        `/Resources << /Font << /F1 4 0 R >> >> ${recipe.page ?? ''} >>`,
    ),
  ]
  if (password !== undefined) objects.push(encryption(password))
  const encrypt = password === undefined ? '' : `/Encrypt ${objects.length} 0 R /ID [<${fileId}> <${fileId}>]`
  return document(objects, encrypt)
}

/** The objects of a PDF, beginning with its root, with a correct table of them. */
function document(objects: readonly string[], more = ''): Buffer {
  let text = '%PDF-1.7\n%\xe2\xe3\xcf\xd3\n'
  const offsets = objects.map((object, index) => {
    const offset = text.length
    text += `${index + 1} 0 obj\n${object}\nendobj\n`
    return `${String(offset).padStart(10, '0')} 00000 n \n`
  })
  const table = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${offsets.join('')}`
  const trailer = `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R ${more} >>`
  return Buffer.from(`${text}${table}${trailer}\nstartxref\n${text.length}\n%%EOF\n`, 'latin1')
}

/** A PDF of one page that is a picture of two levels, as scanners write it. */
export function scannedPdf(width: number, height: number, data: Buffer, globals?: Buffer): Buffer {
  const parameters = globals ? '/DecodeParms << /JBIG2Globals 6 0 R >>' : ''
  const facts = `/Type /XObject /Subtype /Image /Width ${width} /Height ${height} /BitsPerComponent 1 /ColorSpace /DeviceGray`
  const stream = (facts: string, data: Buffer): string =>
    `<< ${facts} /Length ${data.length} >>\nstream\n${data.toString('latin1')}\nendstream`
  const page = '/MediaBox [0 0 200 100] /Contents 4 0 R /Resources << /XObject << /I 5 0 R >> >>'
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    `<< /Type /Page /Parent 2 0 R ${page} >>`,
    stream('', Buffer.from('200 0 0 100 0 0 cm /I Do')),
    stream(`${facts} ${parameters} /Filter /JBIG2Decode`, data),
    ...(globals ? [stream('', globals)] : []),
  ]
  return document(objects)
}

/** A PDF whose page draws a form that draws another ten times, and so on: a lot of work from a few bytes. */
export function nestedPdf(levels = 10): Buffer {
  const forms = Array.from({ length: levels }, (_, level) => {
    const [next, content] = [level + 6, '/F Do '.repeat(10)]
    const resources = `<< /XObject << /F ${next} 0 R >> >>`
    const facts = `/Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources ${resources} /Length ${content.length}`
    return `${level + 5} 0 obj\n<< ${facts} >>\nstream\n${content}\nendstream\nendobj\n`
  })
  const last = `${levels + 5} 0 obj\n<< /Type /XObject /Subtype /Form /BBox [0 0 9 9] /Length 12 >>\nstream\n0 0 1 1 re f\nendstream\nendobj\n`
  const page = '/Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] /Contents 4 0 R /Resources << /XObject << /F 5 0 R >> >>'
  // Without a table of its objects: readers look for them.
  return Buffer.from(
    '%PDF-1.7\n1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n' +
      '2 0 obj\n<< /Type /Pages /Kids [3 0 R] /Count 1 >>\nendobj\n' +
      `3 0 obj\n<< ${page} >>\nendobj\n4 0 obj\n<< /Length 5 >>\nstream\n/F Do\nendstream\nendobj\n` +
      `${forms.join('')}${last}trailer\n<< /Root 1 0 R >>\n%%EOF\n`,
  )
}

const fileId = '00112233445566778899aabbccddeeff'
const padding = Buffer.from('28bf4e5e4e758a4164004e56fffa01082e2e00b6d0683e802f0ca9fe6453697a', 'hex')

/** The dictionary of the standard security handler, revision 2 (ISO 32000-1, 7.6.3). */
function encryption(password: string): string {
  const padded = Buffer.concat([Buffer.from(password), padding]).subarray(0, 32)
  const md5 = (...parts: Buffer[]): Buffer => createHash('md5').update(Buffer.concat(parts)).digest().subarray(0, 5)
  const owner = rc4(md5(padded), padded)
  const permissions = Buffer.from([0xfc, 0xff, 0xff, 0xff])
  const user = rc4(md5(padded, owner, permissions, Buffer.from(fileId, 'hex')), padding)
  return `<< /Filter /Standard /V 1 /R 2 /P -4 /O <${owner.toString('hex')}> /U <${user.toString('hex')}> >>`
}

function rc4(key: Buffer, data: Buffer): Buffer {
  const state = Uint8Array.from({ length: 256 }, (_, index) => index)
  const at = (index: number): number => state[index & 255] as number
  const swap = (a: number, b: number): void => {
    ;[state[a], state[b]] = [at(b), at(a)]
  }
  for (let i = 0, j = 0; i < 256; i++) {
    j = (j + at(i) + (key[i % key.length] as number)) & 255
    swap(i, j)
  }
  let j = 0
  return Buffer.from(
    data.map((byte, index) => {
      const i = (index + 1) & 255
      j = (j + at(i)) & 255
      swap(i, j)
      return byte ^ at(at(i) + at(j))
    }),
  )
}

/** A GIF that is a script as well: its first bytes are a name that is assigned to. */
export const gifAndScript = (): Buffer =>
  Buffer.concat([Buffer.from('GIF89a/*', 'latin1'), Buffer.alloc(32), Buffer.from('*/=1;alert(1)//;')])
