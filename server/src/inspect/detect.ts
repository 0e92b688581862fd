// What a file is, by its first bytes: neither its name nor the declared type is asked.
// docs/contract/attachments.md#formats.
import type { FileFormat } from './formats.ts'

/** As many of the first bytes as `detect` wants to see; of a smaller file all. */
export const detectBytes = 16_384

const jpegStart = Buffer.from([0xff, 0xd8, 0xff])
const pngStart = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
const dosEpsStart = Buffer.from([0xc5, 0xd0, 0xd3, 0xc6])

/** Releases 10 to 2018; the code of the last is still written by newer ones. */
export const dwgVersions: readonly string[] = [
  'AC1006',
  'AC1009',
  'AC1012',
  'AC1014',
  'AC1015',
  'AC1018',
  'AC1021',
  'AC1024',
  'AC1027',
  'AC1032',
]

/**
 * The format of a file that begins with `head`, or undefined if the service does not take it. The signature at the very
 * beginning decides, so a file that is two things counts as the one it begins with.
 */
export function detect(head: Buffer): FileFormat | undefined {
  const at = (text: string, offset = 0): boolean => head.toString('latin1', offset, offset + text.length) === text
  const begins = (bytes: Buffer): boolean => head.subarray(0, bytes.length).equals(bytes)
  if (begins(jpegStart)) return 'jpeg'
  if (begins(pngStart)) return 'png'
  if (isZip(head)) return 'zip'
  if (at('8BPS\x00\x01')) return 'psd'
  if ((at('RIFF') || at('RF64') || at('BW64')) && at('WAVE', 8)) return 'wav'
  if (at('ftyp', 4)) return isMp4(head) ? 'mp4' : undefined
  if (begins(dosEpsStart) || isEps(head)) return 'eps'
  if (dwgVersions.includes(head.toString('latin1', 0, 6)) && head[6] === 0) return 'dwg'
  if (isMp3(head)) return 'mp3'
  if (isSvg(head)) return 'svg'
  return isPdf(head) ? 'pdf' : undefined
}

/** An archive that was meant to have several parts and has one says so in front. */
const isZip = (head: Buffer): boolean =>
  /^(PK\x03\x04|PK\x05\x06|PK(00|\x07\x08)PK\x03\x04)/.test(head.toString('latin1', 0, 8))

/** Whether it begins as a program may that unpacks the archive behind it: whether it is one its end says. */
export const mayUnpackItself = (head: Buffer): boolean => /^(MZ|\x7fELF|#!)/.test(head.toString('latin1', 0, 4))

/** Mailers and servers leave their own lines in front of the header; readers look for it among the first 1024 bytes. */
const isPdf = (head: Buffer): boolean => /%PDF-\d/.test(head.toString('latin1', 0, 1024))

const isEps = (head: Buffer): boolean => /^%!PS-Adobe-\d\.\d EPSF-\d\.\d/.test(head.toString('latin1', 0, 64))

const mp4Brands = /^(mp4[12]|isom|iso[2-9a-c]|avc1|M4V |M4A |MSNV|dash|ndsc|XAVC)$/
const imageBrands = /^(heic|heix|heim|heis|mif1|msf1|avif|avis|crx )$/

/** The same box family, but without QuickTime's own files and HEIF images. */
function isMp4(head: Buffer): boolean {
  if (head.length < 16) return false
  const major = head.toString('latin1', 8, 12)
  if (imageBrands.test(major)) return false
  if (mp4Brands.test(major)) return true
  const end = Math.min(head.readUInt32BE(0), head.length)
  for (let offset = 16; offset + 4 <= end; offset += 4) {
    if (mp4Brands.test(head.toString('latin1', offset, offset + 4))) return true
  }
  return false
}

/** Tags, zeros and frames: encoders begin with silence of no frame, taggers leave room behind what they wrote. */
function isMp3(head: Buffer): boolean {
  let end = 0
  while (head.toString('latin1', end, end + 3) === 'ID3') {
    const tag = head.subarray(end, end + 10)
    if (tag.length < 10) return end > 0
    const [version, revision, flags] = tag.subarray(3, 6) as unknown as [number, number, number]
    const size = tag.subarray(6)
    if (version < 2 || version > 4 || revision === 0xff || size.some((byte) => byte > 0x7f)) return false
    end += 10 + size.reduce((sum, byte) => sum * 128 + byte, 0) + (flags & 0x10 ? 10 : 0)
  }
  // Covers are large: then the tag alone decides, and the inspection sees the rest.
  if (end > 0 && end + 4 > head.length) return true
  const isTagged = end > 0
  while (head[end] === 0) end++
  if (isMp3Frames(head, end)) return true
  // A tag that says less than it has leaves the rest of it in front of the frames.
  for (; isTagged && end + 4 < head.length; end++) {
    const first = mp3Frame(head, end)
    if (first !== undefined && end + first.length + 4 <= head.length && isMp3Frames(head, end)) {
      return isMp3Frames(head, end + first.length)
    }
  }
  return false
}

/** A frame of layer III, followed by another one of its kind where that is to be seen. */
function isMp3Frames(head: Buffer, offset: number): boolean {
  const first = mp3Frame(head, offset)
  if (first === undefined) return false
  const next = offset + first.length
  if (next + 4 > head.length) return next <= head.length
  return mp3Frame(head, next)?.kind === first.kind
}

const kilobits = {
  mpeg1: [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  mpeg2: [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
} as const

function mp3Frame(head: Buffer, offset: number): { length: number; kind: number } | undefined {
  if (offset + 4 > head.length) return undefined
  const header = head.readUInt32BE(offset)
  const version = (header >>> 19) & 3
  const isLayer3 = ((header >>> 17) & 3) === 1
  if (header >>> 21 !== 0x7ff || version === 1 || !isLayer3) return undefined
  const bitrate = kilobits[version === 3 ? 'mpeg1' : 'mpeg2'][((header >>> 12) & 15) - 1]
  const divisor = version === 3 ? 1 : version === 2 ? 2 : 4
  const sampleRate = [44_100, 48_000, 32_000][(header >>> 10) & 3]
  if (bitrate === undefined || sampleRate === undefined) return undefined
  const padding = (header >>> 9) & 1
  const samplesInBytes = version === 3 ? 144 : 72
  const length = Math.floor((samplesInBytes * bitrate * 1000) / (sampleRate / divisor)) + padding
  return { length, kind: (version << 2) | ((header >>> 10) & 3) }
}

// Each alternative ends at its own mark and none begins like another, so that nothing is tried twice.
const beforeRoot =
  /\s+|<\?[^?]*(?:\?(?!>)[^?]*)*\?>|<!--(?:[^-]|-(?!->))*-->|<!DOCTYPE\s+svg\b(?:[^[>"']|"[^"]*"|'[^']*'|\[(?:[^\]"']|"[^"]*"|'[^']*')*\])*>/y

/** XML whose root element is `svg`; what may come before it is skipped. */
function isSvg(head: Buffer): boolean {
  const text = decodeXml(head)
  if (text === undefined) return false
  beforeRoot.lastIndex = 0
  let end = 0
  while (beforeRoot.test(text)) end = beforeRoot.lastIndex
  return /^<(?:[A-Za-z_][\w.-]{0,64}:)?svg(?=[\s/>])/.test(text.slice(end, end + 128))
}

/** Text in an encoding of XML that its first bytes tell: UTF-8, or UTF-16 with its mark. */
export function decodeXml(bytes: Buffer): string | undefined {
  const [first, second] = bytes
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes)
  const text = bytes.toString('utf8')
  return text.includes('\0') ? undefined : text.replace(/^\uFEFF/, '')
}
