// What muxers leave out of the index of an MP4 and players do without: it is filled in before a library reads the index.
import { type Box, boxesIn, find, within } from './media-boxes.ts'

/** Changes the index in place. Its boxes have been checked. */
export function mend(movie: Buffer): void {
  const [moov] = boxesIn(movie, 0, movie.length)
  for (const trak of moov ? within(movie, moov) : []) {
    if (trak.type === 'trak') mendTrack(movie, within(movie, trak))
  }
}

// Where the first description of pictures holds their size; a track's own size, in 1/65536, ends its header.
const sidesAt = 8 + 8 + 24
const colours = Buffer.from('\0\0\0\x12colrnclx', 'latin1')

function mendTrack(bytes: Buffer, boxes: readonly Box[]): void {
  const header = find(boxes, 'tkhd')
  const description = descriptionsOf(bytes, boxes)
  if (header === undefined || description === undefined) return
  const { start, end } = description
  if (start + sidesAt + 4 <= end && bytes.readUInt32BE(start + sidesAt) === 0) {
    bytes.copyWithin(start + sidesAt, header.end - 8, header.end - 6)
    bytes.copyWithin(start + sidesAt + 2, header.end - 4, header.end - 2)
  }
  // Without the byte that says the range of the values: then it is the older box that has no such byte.
  const at = bytes.indexOf(colours, start)
  if (at >= 0 && at < end) bytes.write('nclc', at + 8, 'latin1')
}

/** The descriptions of pictures. */
function descriptionsOf(bytes: Buffer, boxes: readonly Box[]): Box | undefined {
  const media = find(boxes, 'mdia')
  const parts = media ? within(bytes, media) : []
  const handler = find(parts, 'hdlr')
  if (handler === undefined || bytes.toString('latin1', handler.start + 8, handler.start + 12) !== 'vide')
    return undefined
  const information = find(parts, 'minf')
  const tables = information && find(within(bytes, information), 'stbl')
  return tables && find(within(bytes, tables), 'stsd')
}
