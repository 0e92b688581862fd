// Working sources for tests, sound and hostile ones: layouts, drawings, archives. See corpus.ts for the pictures.
import { crc32, deflateRawSync } from 'node:zlib'
import { unmask } from '../src/inspect/structure.ts'

const bigEndian = (...fields: [bytes: 1 | 2 | 4, value: number][]): Buffer => {
  const bytes = Buffer.alloc(fields.reduce((sum, [length]) => sum + length, 0))
  let at = 0
  for (const [length, value] of fields) at = bytes.writeUIntBE(value, at, length)
  return bytes
}

interface PsdRecipe {
  version?: number
  channels?: number
  width?: number
  height?: number
  depth?: number
  mode?: number
  /** 0 as it is, 1 by runs. */
  compression?: 0 | 1
  /** What the section of layers says of its length. */
  layers?: number
}

/** A Photoshop file with a black picture and no layers. */
export function psd(recipe: PsdRecipe = {}): Buffer {
  const {
    version = 1,
    channels = 3,
    width = 20,
    height = 10,
    depth = 8,
    mode = 3,
    compression = 0,
    layers = 0,
  } = recipe
  const rows = channels * height
  const run = Buffer.from([1 - width, 0])
  const lengths = Buffer.concat(Array.from({ length: rows }, () => bigEndian([2, run.length])))
  const packed = Buffer.concat([lengths, ...Array.from({ length: rows }, () => run)])
  const pixels = compression === 1 ? packed : Buffer.alloc(rows * Math.ceil((width * depth) / 8))
  return Buffer.concat([
    Buffer.from('8BPS'),
    bigEndian([2, version], [2, 0], [4, 0], [2, channels], [4, height], [4, width], [2, depth], [2, mode]),
    bigEndian([4, 0], [4, 0], [4, layers], [2, compression]),
    pixels,
  ])
}

/** An SVG with something in it, and attributes of its root. */
export const svg = (content = '<circle r="5" fill="#f00"/>', attributes = ''): Buffer =>
  Buffer.from(
    '<?xml version="1.0" encoding="UTF-8"?>\n<!-- a drawing -->\n' +
      `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" ${attributes}>${content}</svg>\n`,
  )

/** Entities that unfold to a billion words. */
export const billionLaughs = (): Buffer => {
  const levels = Array.from({ length: 9 }, (_, level) => `<!ENTITY l${level + 1} "${`&l${level};`.repeat(10)}">`)
  return Buffer.from(
    `<?xml version="1.0"?><!DOCTYPE svg [<!ENTITY l0 "ha">${levels.join('')}]>` +
      '<svg xmlns="http://www.w3.org/2000/svg"><text>&l9;</text></svg>',
  )
}

/** The text of an EPS file. */
export const eps = (body = 'newpath 0 0 moveto 10 10 lineto stroke'): Buffer =>
  Buffer.from(`%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 10 10\n%%EndComments\n${body}\nshowpage\n%%EOF\n`)

/** The same within the binary header of DOS, with a preview behind it. */
export function dosEps(text: Buffer = eps(), preview: Buffer = Buffer.from('II*\0preview')): Buffer {
  const header = Buffer.alloc(30)
  header.writeUInt32BE(0xc5d0d3c6, 0)
  header.writeUInt32LE(30, 4)
  header.writeUInt32LE(text.length, 8)
  header.writeUInt32LE(30 + text.length, 20)
  header.writeUInt32LE(preview.length, 24)
  header.writeUInt16LE(0xffff, 28)
  return Buffer.concat([header, text, preview])
}

/** What is in front of a drawing of AutoCAD, and nothing of the drawing: of a release up to 2000, or of a newer one. */
export function dwg(version: 'AC1009' | 'AC1015' | 'AC1021' | 'AC1032' = 'AC1032'): Buffer {
  const bytes = Buffer.alloc(0x1000)
  bytes.write(version, 0, 'latin1')
  if (version === 'AC1015') {
    const records = 3
    bytes.writeUInt32LE(records, 0x15)
    for (let record = 0; record < records; record++) {
      bytes[0x19 + record * 9] = record
      bytes.writeUInt32LE(0x200 + record * 0x100, 0x19 + record * 9 + 1)
      bytes.writeUInt32LE(0x100, 0x19 + record * 9 + 5)
    }
    Buffer.from('95a04e2899821ae55e41e05f9d3a4d00', 'hex').copy(bytes, 0x19 + records * 9 + 2)
  }
  if (version === 'AC1032') {
    const header = Buffer.alloc(0x6c)
    header.write('AcFssFcAJMB', 0, 'latin1')
    header.writeBigUInt64LE(0xf00n, 0x34)
    header.writeBigUInt64LE(0x700n, 0x54)
    unmask(header).copy(bytes, 0x80)
  }
  return bytes
}

interface ZipEntry {
  name: string
  data?: Buffer | string
  /** Says that it is encrypted. */
  encrypted?: boolean
  /** The bytes of an earlier entry, by its index, instead of own ones. */
  sharedWith?: number
}

interface ZipRecipe {
  comment?: string
  /** Says sizes and places in the wide fields. */
  wide?: boolean
  /** What the end says of the number of entries. */
  count?: number
}

export function zip(entries: readonly ZipEntry[] = [{ name: 'a.txt', data: 'words' }], recipe: ZipRecipe = {}): Buffer {
  const { comment = '', wide = false, count = entries.length } = recipe
  const locals: Buffer[] = []
  const central: Buffer[] = []
  const starts: number[] = []
  let position = 0
  for (const { name, data = '', encrypted = false, sharedWith } of entries) {
    const bytes = Buffer.from(data)
    const packed = deflateRawSync(bytes)
    const fixed = Buffer.alloc(26)
    fixed.writeUInt16LE(wide ? 45 : 20, 0)
    fixed.writeUInt16LE(encrypted ? 1 : 0, 2)
    fixed.writeUInt16LE(8, 4)
    fixed.writeUInt32LE(crc32(bytes), 10)
    fixed.writeUInt32LE(packed.length, 14)
    fixed.writeUInt32LE(bytes.length, 18)
    fixed.writeUInt16LE(Buffer.byteLength(name), 22)
    const start = sharedWith === undefined ? position : (starts[sharedWith] as number)
    starts.push(start)
    if (sharedWith === undefined) {
      const local = Buffer.concat([Buffer.from('PK\x03\x04'), fixed, Buffer.from(name), packed])
      locals.push(local)
      position += local.length
    }
    const extra = Buffer.alloc(wide ? 28 : 0)
    if (wide) {
      extra.writeUInt16LE(1, 0)
      extra.writeUInt16LE(24, 2)
      extra.writeBigUInt64LE(BigInt(bytes.length), 4)
      extra.writeBigUInt64LE(BigInt(packed.length), 12)
      extra.writeBigUInt64LE(BigInt(start), 20)
      fixed.fill(0xff, 14, 22)
      fixed.writeUInt16LE(extra.length, 24)
    }
    const rest = Buffer.alloc(14)
    rest.writeUInt32LE(wide ? 0xffffffff : start, 10)
    central.push(Buffer.from('PK\x01\x02\x14\x00', 'latin1'), fixed, rest, Buffer.from(name), extra)
  }
  const directory = Buffer.concat(central)
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06', 0, 'latin1')
  end.writeUInt16LE(wide ? 0xffff : count, 8)
  end.writeUInt16LE(wide ? 0xffff : count, 10)
  end.writeUInt32LE(wide ? 0xffffffff : directory.length, 12)
  end.writeUInt32LE(wide ? 0xffffffff : position, 16)
  end.writeUInt16LE(Buffer.byteLength(comment), 20)
  const parts = [...locals, directory]
  if (wide) parts.push(wideEnd(count, directory.length, position))
  return Buffer.concat([...parts, end, Buffer.from(comment)])
}

function wideEnd(count: number, bytes: number, start: number): Buffer {
  const record = Buffer.alloc(56 + 20)
  record.write('PK\x06\x06', 0, 'latin1')
  record.writeBigUInt64LE(44n, 4)
  record.writeBigUInt64LE(BigInt(count), 24)
  record.writeBigUInt64LE(BigInt(count), 32)
  record.writeBigUInt64LE(BigInt(bytes), 40)
  record.writeBigUInt64LE(BigInt(start), 48)
  record.write('PK\x06\x07', 56, 'latin1')
  record.writeBigUInt64LE(BigInt(start + bytes), 64)
  record.writeUInt32LE(1, 72)
  return record
}

/** The same ZIP with all places that it says further behind, for as many bytes that are put in front of it. */
export function moved(archive: Buffer, by: number): Buffer {
  const bytes = Buffer.from(archive)
  const add32 = (at: number): void => {
    if (bytes.readUInt32LE(at) !== 0xffffffff) bytes.writeUInt32LE(bytes.readUInt32LE(at) + by, at)
  }
  const add64 = (at: number): unknown => bytes.writeBigUInt64LE(bytes.readBigUInt64LE(at) + BigInt(by), at)
  const each = (signature: string, change: (at: number) => unknown): void => {
    for (let at = -1; ; change(at)) {
      at = bytes.indexOf(signature, at + 1, 'latin1')
      if (at < 0) return
    }
  }
  each('PK\x01\x02', (at) => {
    add32(at + 42)
    if (bytes.readUInt16LE(at + 30) === 28) add64(at + 46 + bytes.readUInt16LE(at + 28) + 20)
  })
  each('PK\x06\x06', (at) => add64(at + 48))
  each('PK\x06\x07', (at) => add64(at + 8))
  each('PK\x05\x06', (at) => add32(at + 16))
  return bytes
}
