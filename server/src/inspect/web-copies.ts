// Copies of a preview as WebP, for browsers, one behind the other in one file: how they are told apart, and how wide each is. Nothing is
// decoded. RFC 9649, section 2; RFC 6386, section 9.1. docs/contract/attachments.md#previews.
import type { FileHandle } from 'node:fs/promises'
import type { Purpose, Sides } from './formats.ts'

/** The widths in which a browser may ask for a preview. */
export const webWidths = [96, 192, 480, 1080, 1920] as const
export type WebWidth = (typeof webWidths)[number]

/** In what widths pages show files for a purpose; those of orders are for few readers, and are not worth it. */
const shown: Readonly<Record<Purpose, readonly WebWidth[]>> = {
  avatar: [96, 192, 480],
  character: [480, 1080],
  portfolio: [480, 1080, 1920],
  order: [],
}

/**
 * How wide a preview must be for the widest copy: of one that is not much wider it saves a third of the bytes, of this one
 * two thirds, for the processor time of all other copies together.
 */
const leastForWidest = 2400

/** The widths of the copies of a preview, the narrowest first: none is wider than the preview itself. */
export const webWidthsOf = (purpose: Purpose, preview: Sides): number[] => {
  const worthIt = shown[purpose].filter((width) => width < 1920 || preview.width >= leastForWidest)
  return [...new Set(worthIt.map((width) => Math.min(width, preview.width)))]
}

export interface WebCopy {
  bytes: number
  sides: Sides
}

/** No purpose has more. */
const mostCopies = 4

/** The header of the file, that of its only chunk, and the head of a key frame. */
const headBytes = 30

/** The copies in a file of `size` bytes; undefined if it is anything else. */
export async function webCopiesIn(file: FileHandle, size: number): Promise<WebCopy[] | undefined> {
  const copies: WebCopy[] = []
  for (let at = 0; at < size; ) {
    const head = Buffer.alloc(headBytes)
    const { bytesRead } = await file.read(head, 0, headBytes, at)
    const copy = bytesRead === headBytes ? webCopyOf(head) : undefined
    if (copy === undefined || copies.length === mostCopies) return undefined
    copies.push(copy)
    at += copy.bytes
    if (at > size) return undefined
  }
  return copies
}

/** What the first bytes of a lossy picture say, with nothing beside its codes; undefined if it is not one. */
export function webCopyOf(head: Buffer): WebCopy | undefined {
  const text = (from: number, to: number): string => head.toString('latin1', from, to)
  if (head.length < headBytes || text(0, 4) !== 'RIFF' || text(8, 16) !== 'WEBPVP8 ') return undefined
  const [inFile, inChunk] = [head.readUInt32LE(4), head.readUInt32LE(16)]
  const isKeyFrame = (head.readUInt8(20) & 1) === 0 && head.readUIntBE(23, 3) === 0x9d012a
  if (!isKeyFrame || inChunk < 10 || inFile !== 12 + inChunk + (inChunk & 1)) return undefined
  const side = (at: number): number => head.readUInt16LE(at) & 0x3fff
  return { bytes: 8 + inFile, sides: { width: side(26), height: side(28) } }
}
