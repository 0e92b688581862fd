// Working sources: kept as they were sent and never rendered. Only their outline is looked at, through small buffers:
// whether the parts that the header speaks of lie within the file. docs/contract/attachments.md#formats.
import { decodeXml, dwgVersions } from './detect.ts'
import type { FileFormat } from './formats.ts'
import { type Finding, type Prepare, readAt, ready, rejected, type Work } from './look.ts'
import { lookAtSvg } from './svg.ts'
import { lookAtZip } from './zip.ts'

export const prepare: Prepare = async (format) => {
  // The data of encodings is loaded at their first use.
  for (const mark of ['\xff\xfe', '\xfe\xff', '\xef\xbb\xbf']) decodeXml(Buffer.from(mark, 'latin1'))
  const look = looks[format]
  if (look === undefined) throw new Error(`${format} is no working source`)
  return look
}

const looks: { [format in FileFormat]?: (work: Work) => Finding } = {
  psd: (work) => verdict(isPsd(work)),
  eps: (work) => verdict(isEps(work)),
  dwg: (work) => verdict(isDwg(work)),
  svg: lookAtSvg,
  zip: lookAtZip,
}

const verdict = (isSound: boolean): Finding => (isSound ? ready() : rejected('broken'))

const psdModes: readonly number[] = [0, 1, 2, 3, 4, 7, 8, 9]
const indexed = 2
const uncompressed = 0
const runLength = 1

/** Header (nobody reads its reserved bytes), four sections by their lengths, and as many bytes of picture as the header promises. */
function isPsd({ original, originalBytes }: Work): boolean {
  const header = readAt(original, 0, 26)
  if (header.length < 26) return false
  const channels = header.readUInt16BE(12)
  const height = header.readUInt32BE(14)
  const width = header.readUInt32BE(18)
  const depth = header.readUInt16BE(22)
  const mode = header.readUInt16BE(24)
  if (channels < 1 || channels > 56 || ![1, 8, 16, 32].includes(depth) || !psdModes.includes(mode)) return false
  if (width < 1 || width > 30_000 || height < 1 || height > 30_000) return false

  let position = 26
  for (const section of ['colours', 'resources', 'layers'] as const) {
    const length = readAt(original, position, 4)
    if (length.length < 4) return false
    if (section === 'colours' && mode === indexed && length.readUInt32BE(0) !== 768) return false
    position += 4 + length.readUInt32BE(0)
  }
  const compression = readAt(original, position, 2)
  if (compression.length < 2) return false
  position += 2
  const rows = channels * height
  const left = originalBytes - position
  switch (compression.readUInt16BE(0)) {
    case uncompressed:
      return left >= rows * Math.ceil((width * depth) / 8)
    case runLength: {
      const lengths = readAt(original, position, rows * 2)
      let sum = lengths.length
      for (let row = 0; row + 1 < lengths.length; row += 2) sum += lengths.readUInt16BE(row)
      return lengths.length === rows * 2 && left >= sum
    }
    case 2:
    case 3:
      return left > 0
    default:
      return false
  }
}

const scanBytes = 1024 * 1024

/** The text, or the binary header of DOS with the text and previews where it says. Nothing is interpreted. */
function isEps({ original, originalBytes }: Work): boolean {
  const header = readAt(original, 0, 30)
  if (header[0] !== 0xc5) return isEpsText(original, 0, originalBytes)
  if (header.length < 30) return false
  const parts = [4, 12, 20].map((field) => ({
    start: header.readUInt32LE(field),
    length: header.readUInt32LE(field + 4),
  }))
  const isWithin = ({ start, length }: { start: number; length: number }): boolean =>
    length === 0 || (start >= header.length && start + length <= originalBytes)
  const [text] = parts
  return text !== undefined && parts.every(isWithin) && isEpsText(original, text.start, text.length)
}

/**
 * A bounding box at the beginning and, somewhere behind it, one of the marks that end a document. Photoshop and Pillow
 * write none: theirs end with an operator that gives back what was set aside, or with a mark of Adobe's Distiller. fig2dev
 * has such an operator under its own name, and FreeHand closes the document as one within another.
 */
function isEpsText(file: number, start: number, length: number): boolean {
  const head = readAt(file, start, Math.min(length, 64 * 1024)).toString('latin1')
  if (!/^%!PS-Adobe-\d\.\d EPSF-\d\.\d/.test(head)) return false
  if (!/[\r\n]%%BoundingBox:[ \t]*(?:\(atend\)|-?[\d.]+(?:[ \t]+-?[\d.]+){3}[ \t]*[\r\n])/.test(head)) return false
  const overlap = 16
  for (let position = start; position < start + length; position += scanBytes) {
    const bytes = readAt(file, position, Math.min(scanBytes + overlap, start + length - position))
    if (['%%EOF', '%%Trailer', 'showpage'].some((mark) => bytes.includes(mark))) return true
  }
  const tail = readAt(file, Math.max(start, start + length - 4096), Math.min(length, 4096)).toString('latin1')
  return epsEnd.test(tail)
}

/** Behind the last word there is nothing but what spoolers add: white space, NUL, and the ends of files of old systems. */
const epsEnd =
  /(?:[\s\]}>)](?:end|grestore|grestoreall|restore|cleartomark|pdfmark|quit|\$F2psEnd\s+rs)|[\r\n]%%EndDocument(?::[^\r\n]*)?)[\s\0\x04\x1a]*$/

const dwgSentinel = Buffer.from('95a04e2899821ae55e41e05f9d3a4d00', 'hex')

/** By release: what the header says of the places of the file's parts, as far as it can be read without decoding. */
function isDwg({ original, originalBytes }: Work): boolean {
  const head = readAt(original, 0, 0x100)
  const version = head.toString('latin1', 0, 6)
  if (head.length < 0x100 || !dwgVersions.includes(version)) return false
  if (version <= 'AC1009') return true
  if (version <= 'AC1015') {
    const records = head.readUInt32LE(0x15)
    const end = 0x19 + records * 9
    if (records < 3 || records > 16 || !head.subarray(end + 2, end + 18).equals(dwgSentinel)) return false
    for (let record = 0x19; record < end; record += 9) {
      if (head.readUInt32LE(record + 1) + head.readUInt32LE(record + 5) > originalBytes) return false
    }
    return true
  }
  // 2007 alone protects its header by an error-correcting code.
  if (version === 'AC1021') return originalBytes > 0x480
  const header = unmask(head.subarray(0x80, 0x80 + 0x6c))
  if (header.toString('latin1', 0, 12) !== 'AcFssFcAJMB\0') return false
  const secondHeader = header.readBigUInt64LE(0x34)
  const pageMap = header.readBigUInt64LE(0x54) + 0x100n
  return secondHeader <= originalBytes && pageMap < originalBytes
}

/** Since 2004 the header is masked with the numbers of a fixed generator. */
export function unmask(bytes: Buffer): Buffer {
  let seed = 1
  return Buffer.from(
    bytes.map((byte) => {
      seed = (Math.imul(seed, 0x343fd) + 0x269ec3) | 0
      return byte ^ ((seed >> 16) & 0xff)
    }),
  )
}
