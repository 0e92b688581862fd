// How large a JPEG says that it is, by the segments before its picture: nothing is decoded. ITU-T T.81, annex B.
import type { Sides } from './formats.ts'

/** The size, from the first bytes of a JPEG; undefined if it is not a JPEG or its frame comes later. */
export function jpegSides(head: Buffer): Sides | undefined {
  if (head.length < 2 || head.readUInt16BE(0) !== 0xffd8) return undefined
  for (let at = 2; at + 9 <= head.length; ) {
    const marker = head[at + 1] as number
    if (head[at] !== 0xff || marker === scan) return undefined
    if (isFrame(marker)) return { height: head.readUInt16BE(at + 5), width: head.readUInt16BE(at + 7) }
    at += 2 + head.readUInt16BE(at + 2)
  }
  return undefined
}

const scan = 0xda

/** SOF0 to SOF15, between which the tables of Huffman and arithmetic codes and an extension have their marks. */
export const isFrame = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
