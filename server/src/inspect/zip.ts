// ZIP: kept as it was sent and never unpacked, so that a bomb is only bytes. Looked at is the directory: that there is
// one, that no reader can take another one for it, and that no two entries share their bytes. What readers allow in front
// of the entries and behind the directory is allowed. docs/files.md#what-is-accepted.
// The format is PKWARE's APPNOTE, sections 4.3 and 4.4.
import { type Finding, readAt, ready, rejected, type Work } from './look.ts'

const maxEntries = 500_000

const localHeader = 0x04034b50
const centralHeader = 0x02014b50
const directoryEnd = 0x06054b50
const directoryEnd64 = 0x06064b50
const locator64 = 0x07064b50
const elsewhere16 = 0xffff
const elsewhere32 = 0xffff_ffff

interface Directory {
  entries: number
  start: number
  /** The first byte behind its last entry. */
  end: number
  /** How many bytes precede the place from which the offsets of the entries count. */
  shift: number
}

/** As many of the last bytes as `endsAsZip` wants to see: a directory's end and the longest comment. */
export const zipTailBytes: number = 22 + 0xffff

export function lookAtZip(work: Work): Finding {
  const directory = findDirectory(work)
  if (directory === undefined) return rejected('broken')
  if (directory.entries > maxEntries) return rejected('limits')
  return isDirectorySound(work.original, directory) ? ready() : rejected('broken')
}

/** Whether these last bytes of a file hold the end of a directory. */
export const endsAsZip = (tail: Buffer): boolean => findEnd(tail) !== undefined

/**
 * Where the directory's end begins: at the last signature of it, which all readers take, some of them after others that
 * lie before the end of a comment that fits. Bytes that do not belong to the archive may follow.
 */
function findEnd(tail: Buffer): number | undefined {
  const at = tail.lastIndexOf('PK\x05\x06', tail.length, 'latin1')
  return at >= 0 && at + 22 <= tail.length && at + 22 + tail.readUInt16LE(at + 20) <= tail.length ? at : undefined
}

function findDirectory({ original, originalBytes }: Work): Directory | undefined {
  const tailLength = Math.min(originalBytes, zipTailBytes)
  const tailStart = originalBytes - tailLength
  const tail = readAt(original, tailStart, tailLength)
  const at = findEnd(tail)
  if (at === undefined) return undefined
  const end = tail.subarray(at)
  const disks = [end.readUInt16LE(4), end.readUInt16LE(6)]
  const [entriesHere, entries] = [end.readUInt16LE(8), end.readUInt16LE(10)]
  const [bytes, start] = [end.readUInt32LE(12), end.readUInt32LE(16)]
  const position = tailStart + at
  const large = findDirectory64(original, position)
  if (large !== undefined) {
    // Streams get the wide fields before it is known that the others do; readers take either.
    const agrees = (field: number, wide: number, elsewhere: number): boolean => field === elsewhere || field === wide
    const isOne =
      agrees(entries, large.entries, elsewhere16) &&
      agrees(bytes, large.end - large.start, elsewhere32) &&
      agrees(start, large.start, elsewhere32)
    return isOne ? large : undefined
  }
  // What was put in front without correcting the places moves them all.
  const shift = position - (start + bytes)
  if (disks.some((disk) => disk !== 0) || entriesHere !== entries || shift < 0) return undefined
  return { entries, start: start + shift, end: position, shift }
}

function findDirectory64(file: number, end: number): Directory | undefined {
  const locator = readAt(file, Math.max(0, end - 20), 20)
  if (locator.length < 20 || locator.readUInt32LE(0) !== locator64) return undefined
  const position = size64(locator, 8)
  const record = readAt(file, Math.min(position, end), 56)
  if (record.length < 56 || record.readUInt32LE(0) !== directoryEnd64) return undefined
  if (position + 12 + size64(record, 4) !== end - 20) return undefined
  const [entriesHere, entries] = [size64(record, 24), size64(record, 32)]
  const [bytes, start] = [size64(record, 40), size64(record, 48)]
  const isWhole = record.readUInt32LE(16) === 0 && record.readUInt32LE(20) === 0 && entriesHere === entries
  return isWhole && start + bytes === position ? { entries, start, end: position, shift: 0 } : undefined
}

/** Sizes beyond 2^53 are beyond every file, however inexact they become. */
const size64 = (bytes: Buffer, offset: number): number => Number(bytes.readBigUInt64LE(offset))

function isDirectorySound(file: number, directory: Directory): boolean {
  // An entry takes 46 bytes of the directory and 30 of its own at least: a count that lies takes no memory here.
  if (directory.entries * 46 > directory.end - directory.start) return false
  const starts = new Float64Array(directory.entries)
  const ends = new Float64Array(directory.entries)
  let position = directory.start
  for (let index = 0; index < directory.entries; index++) {
    const entry = readEntry(file, position, directory)
    if (entry === undefined) return false
    position = entry.next
    starts[index] = entry.dataStart
    ends[index] = entry.dataEnd
  }
  if (position !== directory.end) return false
  // At no place more than one is open, and none is in front that the directory does not know.
  starts.sort()
  ends.sort()
  return (
    ends.every((end, index) => end <= (starts[index + 1] ?? directory.start)) &&
    !holdsEntry(file, starts[0] ?? directory.start)
  )
}

const scanBytes = 1024 * 1024

/**
 * Whether there is a header of an entry, or the file's very beginning is the end of a directory, before a position.
 * Readers that begin at the front would take what comes there for the archive. A program that unpacks itself has the
 * signature among its code: what follows it there is no header. Nor is padding, which the packer of Android lays in front as a
 * header of no name and no data.
 */
function holdsEntry(file: number, before: number): boolean {
  if (before >= 22 && readAt(file, 0, 4).readUInt32LE(0) === directoryEnd) return true
  for (let position = 0; position + 30 <= before; position += scanBytes) {
    const bytes = readAt(file, position, Math.min(scanBytes + 30, before - position))
    for (let at = -1; ; ) {
      at = bytes.indexOf('PK\x03\x04', at + 1, 'latin1')
      if (at < 0 || at + 30 > bytes.length) break
      const [version, flags, method] = [4, 6, 8].map((field) => bytes.readUInt16LE(at + field)) as [
        number,
        number,
        number,
      ]
      const isHeader = (version & 0xff) <= 63 && flags < 0x4000 && (method <= 20 || (method >= 93 && method <= 99))
      if (isHeader && !isPadding(bytes, at, before - position)) return true
    }
  }
  return false
}

/** Whether a header names nothing, counts nothing, and what it passes over ends before a position. Its time is not asked. */
const isPadding = (bytes: Buffer, at: number, before: number): boolean =>
  [...bytes.subarray(at + 6, at + 10), ...bytes.subarray(at + 14, at + 28)].every((byte) => byte === 0) &&
  at + 30 + bytes.readUInt16LE(at + 28) <= before

interface Entry {
  dataStart: number
  dataEnd: number
  next: number
}

/** An entry of the directory and the header in front of its bytes, which must speak of the same. */
function readEntry(file: number, position: number, directory: Directory): Entry | undefined {
  const fixed = readAt(file, position, 46)
  if (fixed.length < 46 || fixed.readUInt32LE(0) !== centralHeader) return undefined
  const nameLength = fixed.readUInt16LE(28)
  const extraLength = fixed.readUInt16LE(30)
  const next = position + 46 + nameLength + extraLength + fixed.readUInt16LE(32)
  if (next > directory.end) return undefined
  const variable = readAt(file, position + 46, nameLength + extraLength)
  const name = variable.subarray(0, nameLength)
  const sizes = [fixed.readUInt32LE(24), fixed.readUInt32LE(20), fixed.readUInt32LE(42)] as [number, number, number]
  if (sizes.includes(elsewhere32) && !readSizes64(variable.subarray(nameLength), sizes)) return undefined
  const [, packed, place] = sizes
  const start = place + directory.shift
  const local = readAt(file, Math.min(start, directory.start), 30 + nameLength)
  if (local.length < 30 + nameLength || local.readUInt32LE(0) !== localHeader) return undefined
  if (local.readUInt16LE(26) !== nameLength || !local.subarray(30).equals(name)) return undefined
  const dataEnd = start + 30 + nameLength + local.readUInt16LE(28) + packed
  return dataEnd <= directory.start ? { dataStart: start, dataEnd, next } : undefined
}

/** Unpacked size, packed size and place, each only where the fixed part has no room for it, and in this order. */
function readSizes64(extra: Buffer, sizes: [number, number, number]): boolean {
  for (let at = 0; at + 4 <= extra.length; ) {
    const length = extra.readUInt16LE(at + 2)
    const field = extra.subarray(at + 4, at + 4 + length)
    at += 4 + length
    if (extra.readUInt16LE(at - 4 - length) !== 1) continue
    let offset = 0
    for (const [index, size] of sizes.entries()) {
      if (size !== elsewhere32) continue
      if (offset + 8 > field.length) return false
      sizes[index] = size64(field, offset)
      offset += 8
    }
    return true
  }
  return false
}
