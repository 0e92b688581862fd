// The boxes of an MP4 (ISO/IEC 14496-12, 4.2): that each lies within its parent and the file, and which of them matter.
import { readAt } from './look.ts'
import { reject } from './media-reject.ts'

/** A box without its header; positions are those of the buffer it is in. */
export interface Box {
  type: string
  start: number
  end: number
}

/** The index of a file, and where its fragments are. */
export interface TopLevel {
  movie: Buffer
  moviePosition: number
  fragments: readonly { position: number; bytes: number }[]
}

// Two hours at 60 frames a second need 14 MB of tables.
const maxMovieBytes = 32 * 1024 * 1024
const maxFragmentBytes = 8 * 1024 * 1024
const maxTopBoxes = 100_000
const boxType = /^[\x20-\x7e]{4}$/

/** The boxes of a file, from positional reads of their headers and its index only. Throws a Rejection `broken`. */
export function readTopLevel(file: number, fileBytes: number): TopLevel {
  let movie: Buffer | undefined
  let moviePosition = 0
  const fragments: { position: number; bytes: number }[] = []
  let count = 0
  // Readers take no offence at a few bytes behind the last box.
  for (let position = 0; fileBytes - position >= 8; ) {
    if (++count > maxTopBoxes) reject('broken')
    const header = readAt(file, position, 16)
    const type = header.toString('latin1', 4, 8)
    let size = header.readUInt32BE(0)
    if (size === 1) size = header.length === 16 ? Number(header.readBigUInt64BE(8)) : 0
    else if (size === 0) size = fileBytes - position
    if (size < 8 || size > fileBytes - position) {
      // Nor at more of them, unless they are the beginning of a box that ends too early. Of data the samples say whether
      // something is missing.
      if (movie === undefined || (boxType.test(type) && type !== 'mdat')) reject('broken')
      break
    }
    if (type === 'moov') {
      if (movie !== undefined || size > maxMovieBytes) reject('broken')
      movie = readAt(file, position, size)
      moviePosition = position
    } else if (type === 'moof' || type === 'mfra') {
      if (size > maxFragmentBytes) reject('broken')
      if (type === 'moof') fragments.push({ position, bytes: size })
    }
    position += size
  }
  return { movie: movie ?? reject('broken'), moviePosition, fragments }
}

/** The boxes in a part of a buffer, which they fill but for padding too short to be one. */
export function boxesIn(bytes: Buffer, start: number, end: number): Box[] {
  const boxes: Box[] = []
  for (let position = start; end - position >= 8; ) {
    let size = bytes.readUInt32BE(position)
    let header = 8
    if (size === 1 && end - position >= 16) {
      size = Number(bytes.readBigUInt64BE(position + 8))
      header = 16
    } else if (size === 0) {
      // QuickTime ends some lists of boxes with a zero.
      if (bytes.readUInt32BE(position + 4) === 0) break
      size = end - position
    }
    if (size < header || size > end - position) reject('broken')
    const type = bytes.toString('latin1', position + 4, position + 8)
    boxes.push({ type, start: position + header, end: position + size })
    position += size
  }
  return boxes
}

export const within = (bytes: Buffer, box: Box): Box[] => boxesIn(bytes, box.start, box.end)
export const find = (boxes: readonly Box[], type: string): Box | undefined => boxes.find((box) => box.type === type)
export const need = (boxes: readonly Box[], type: string): Box => find(boxes, type) ?? reject('broken')

/** A full box's table: `count` rows of `width` bytes from `start`, all of them within the box. */
export function table(bytes: Buffer, box: Box, skip: number, width: number): { start: number; count: number } {
  const start = box.start + 4 + skip + 4
  if (start > box.end) reject('broken')
  const count = bytes.readUInt32BE(start - 4)
  if (count * width > box.end - start) reject('broken')
  return { start, count }
}
