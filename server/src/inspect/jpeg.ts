// What the segments of a JPEG say before anything of it is decoded, and the same file without what stands between them.
// ITU-T T.81, annex B.
import { isFrame } from './jpeg-sides.ts'

/** The frames that browsers decode: baseline, extended and progressive, all of Huffman codes. */
const decodable: readonly number[] = [0xc0, 0xc1, 0xc2]

export interface Segment {
  marker: number
  /** From its marker on. */
  start: number
  parametersEnd: number
  /** Behind its parameters, and behind the coded picture where it is a scan. */
  end: number
}

export const scan = 0xda
const endOfImage = 0xd9

/** Start of image, restarts and a mark of temporary use: these have no parameters. */
const standsAlone = (marker: number): boolean => marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8)

/**
 * The segments as readers find them: what is no marker in front of one is passed over. Ends at the end of the image, or
 * where a segment reaches beyond the file.
 */
export function* segmentsOf(bytes: Buffer): Generator<Segment> {
  for (let at = 2; ; ) {
    at = bytes.indexOf(0xff, at)
    if (at < 0) return
    while (bytes[at + 1] === 0xff) at++
    const marker = bytes[at + 1]
    if (marker === undefined) return
    if (marker === 0) {
      at += 2
      continue
    }
    if (marker === endOfImage || standsAlone(marker)) {
      yield { marker, start: at, parametersEnd: at + 2, end: at + 2 }
      if (marker === endOfImage) return
      at += 2
      continue
    }
    if (at + 4 > bytes.length) return
    const parametersEnd = at + 2 + bytes.readUInt16BE(at + 2)
    if (parametersEnd > bytes.length || parametersEnd < at + 4) return
    const end = marker === scan ? codedEnd(bytes, parametersEnd) : parametersEnd
    yield { marker, start: at, parametersEnd, end }
    at = end
  }
}

/** Where the coded picture ends: at the first marker that is no restart. */
function codedEnd(bytes: Buffer, from: number): number {
  for (let at = from; at + 1 < bytes.length; at++) {
    if (bytes[at] !== 0xff) continue
    const next = bytes[at + 1] as number
    if (next !== 0 && next !== 0xff && !(next >= 0xd0 && next <= 0xd7)) return at
  }
  return bytes.length
}

/** Whether its frame is of a kind, or of a depth, that no browser decodes. */
export function isOfOtherCodec(bytes: Buffer): boolean {
  for (const { marker, start } of segmentsOf(bytes)) {
    if (marker === scan) return false
    if (isFrame(marker)) return !decodable.includes(marker) || (bytes[start + 4] ?? 8) !== 8
  }
  return false
}

/**
 * The same picture without what decoders warn of and that leaves it whole: bytes between the segments, a revision of
 * JFIF other than the first, and a transform of colours that Adobe's marker names and nobody knows, for which they all
 * take the usual one.
 */
export function tidied(bytes: Buffer): Buffer {
  const parts: Buffer[] = [bytes.subarray(0, 2)]
  let adobe: Buffer | undefined
  let components = 0
  for (const { marker, start, end } of segmentsOf(bytes)) {
    const part = Buffer.from(bytes.subarray(start, end))
    parts.push(part)
    if (marker === 0xe0 && part.length >= 16 && part.toString('latin1', 4, 9) === 'JFIF\0') part[9] = 1
    if (marker === 0xee && part.length >= 16 && part.toString('latin1', 4, 9) === 'Adobe') adobe = part
    if (isFrame(marker)) components = part[9] ?? 0
  }
  if (adobe !== undefined && (adobe[15] as number) > 2) adobe[15] = components === 4 ? 2 : 1
  return Buffer.concat(parts)
}
