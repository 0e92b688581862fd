// ZIP: kept as it was sent and never unpacked, so that a bomb is only bytes. Looked at is the directory: that there is
// one, that it speaks of this whole file and no other, and that no two entries share their bytes.
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
}

export function lookAtZip(work: Work): Finding {
  const directory = findDirectory(work)
  if (directory === undefined) return rejected('broken')
  if (directory.entries > maxEntries) return rejected('limits')
  return isDirectorySound(work.original, directory) ? ready() : rejected('broken')
}

/** The end of the directory reaches exactly to the end of the file, and only one place can be meant. */
function findDirectory({ original, originalBytes }: Work): Directory | undefined {
  const tailLength = Math.min(originalBytes, 22 + 0xffff)
  const tailStart = originalBytes - tailLength
  const tail = readAt(original, tailStart, tailLength)
  const found: number[] = []
  for (let at = tail.length - 22; at >= 0; at--) {
    if (tail.readUInt32LE(at) === directoryEnd && at + 22 + tail.readUInt16LE(at + 20) === tail.length) found.push(at)
  }
  const [at] = found
  if (at === undefined || found.length > 1) return undefined
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
  if (disks.some((disk) => disk !== 0) || entriesHere !== entries || start + bytes !== position) return undefined
  return { entries, start, end: position }
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
  return isWhole && start + bytes === position ? { entries, start, end: position } : undefined
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
  // Nothing in front of the first entry, and at no place more than one is open.
  starts.sort()
  ends.sort()
  return (
    (starts[0] ?? directory.start) === 0 && ends.every((end, index) => end <= (starts[index + 1] ?? directory.start))
  )
}

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
  if (nameLength === 0 || next > directory.end) return undefined
  const variable = readAt(file, position + 46, nameLength + extraLength)
  const name = variable.subarray(0, nameLength)
  const sizes = [fixed.readUInt32LE(24), fixed.readUInt32LE(20), fixed.readUInt32LE(42)] as [number, number, number]
  if (sizes.includes(elsewhere32) && !readSizes64(variable.subarray(nameLength), sizes)) return undefined
  const [, packed, start] = sizes
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
