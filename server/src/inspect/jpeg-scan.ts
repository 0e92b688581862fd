// Whether the coded picture of a JPEG is complete: its Huffman codes are walked to their end, without decoding values.
// Decoders go on drawing after an impossible code, and report it too late or not at all. ITU-T T.81, annexes B and F.

import { type Segment, scan, segmentsOf } from './jpeg.ts'
import { isFrame } from './jpeg-sides.ts'

interface Component {
  id: number
  across: number
  down: number
}

interface Frame {
  width: number
  height: number
  components: readonly Component[]
}

/**
 * By the next 16 bits: how many bits a code takes, how many with its value, and by how many coefficients it advances; 0 if
 * there is no such code.
 */
type Codes = Uint32Array

/**
 * By the next {@link windowBits}: the same of all codes in a row that these bits decide, which are two or three in most
 * pictures, and how far those before the last advance. 0 if they decide none.
 */
type Rows = Uint32Array

interface Part {
  component: Component
  dc: Codes
  ac: Codes
  acRows: Rows
}

/** The blocks of one unit that a scan repeats, and how often it repeats it. */
interface Units {
  blocks: readonly Part[]
  columns: number
  rows: number
}

const baseline = 0xc0
const extended = 0xc1
const tables = 0xc4
const restarts = 0xdd
/** Tables of the second class are numbered from here on. */
const acTables = 0x10

/** A picture has four components at most, and needs no more scans. */
const maxScans = 16

/**
 * Whether the scans of a sequential picture hold exactly the blocks that it has; stray bytes behind them are allowed. Damage
 * that leaves as many blocks of possible codes cannot be seen. Decoders read all scans of a progressive picture before
 * they draw, so their own warnings suffice there.
 */
export function areScansWhole(bytes: Buffer): boolean {
  const symbols = new Map<number, Buffer>(standardTables)
  const missing = new Set<Component>()
  let frame: Frame | undefined
  let interval = 0
  let scans = 0
  for (const segment of segmentsOf(bytes)) {
    const body = bytes.subarray(segment.start + 4, segment.parametersEnd)
    if (segment.marker === tables) readTables(body, symbols)
    else if (segment.marker === restarts && body.length >= 2) interval = body.readUInt16BE(0)
    else if (isFrame(segment.marker)) {
      if (segment.marker !== baseline && segment.marker !== extended) return true
      frame = frameOf(body)
      for (const component of frame?.components ?? []) missing.add(component)
    } else if (segment.marker === scan) {
      const parts = frame && partsOf(body, frame, symbols)
      if (frame === undefined || parts === undefined || ++scans > maxScans) return false
      if (!walk(bytes, segment, unitsOf(parts, frame), interval)) return false
      for (const { component } of parts) missing.delete(component)
      if (missing.size === 0) return true
    }
  }
  return false
}

function frameOf(body: Buffer): Frame | undefined {
  const count = body[5] ?? 0
  if (body.length < 6 + count * 3) return undefined
  const components = Array.from({ length: count }, (_, index) => {
    const [id, sides] = body.subarray(6 + index * 3) as unknown as [number, number]
    return { id, across: sides >> 4, down: sides & 15 }
  })
  if (components.some(({ across, down }) => across < 1 || across > 4 || down < 1 || down > 4)) return undefined
  return { height: body.readUInt16BE(1), width: body.readUInt16BE(3), components }
}

/** The tables by their class and number: how many codes there are of each length, and what they stand for. */
function readTables(body: Buffer, symbols: Map<number, Buffer>): void {
  for (let at = 0; at + 17 <= body.length; ) {
    const end = body.subarray(at + 1, at + 17).reduce((sum, count) => sum + count, at + 17)
    symbols.set(body[at] as number, body.subarray(at + 1, end))
    at = end
  }
}

/** The components of a scan with their codes; undefined if one of these does not exist. */
function partsOf(body: Buffer, frame: Frame, symbols: ReadonlyMap<number, Buffer>): Part[] | undefined {
  const count = body[0] ?? 0
  const parts: Part[] = []
  const rows = new Map<number, Rows>()
  if (count < 1 || count > 4 || body.length < 1 + count * 2) return undefined
  for (let at = 1; at < 1 + count * 2; at += 2) {
    const [id, table] = [body.readUInt8(at), body.readUInt8(at + 1)]
    // Some cameras give all components the same ID.
    const component = frame.components.find((one) => one.id === id && parts.every((part) => part.component !== one))
    const dc = makeCodes(symbols.get(table >> 4), true)
    const ac = makeCodes(symbols.get(acTables + (table & 15)), false)
    if (component === undefined || dc === undefined || ac === undefined) return undefined
    const acRows = rows.get(table & 15) ?? makeRows(ac)
    rows.set(table & 15, acRows)
    parts.push({ component, dc, ac, acRows })
  }
  return parts
}

/** Several components take turns; one alone has no more blocks than it takes to cover the picture. */
function unitsOf(parts: readonly Part[], { width, height, components }: Frame): Units {
  const [alone] = parts.length === 1 ? parts : []
  const widest = Math.max(...components.map(({ across }) => across))
  const tallest = Math.max(...components.map(({ down }) => down))
  const columns = Math.ceil((width * (alone?.component.across ?? 1)) / (8 * widest))
  const rows = Math.ceil((height * (alone?.component.down ?? 1)) / (8 * tallest))
  const blocks = parts.flatMap((part) =>
    Array<Part>(alone ? 1 : part.component.across * part.component.down).fill(part),
  )
  return { blocks, columns, rows }
}

const wholeBlock = 128

/** Of a code: its own length, with its value, and the advance. Of a row: all bits, the advance before the last, the whole. */
const fieldBits = 5
const fieldMask = 31
const advanceShift = 2 * fieldBits
const rowShift = 13
const rowMask = 255

const windowBits = 12

/** Undefined if the table does not exist, or has more codes than fit. */
function makeCodes(table: Buffer | undefined, isDc: boolean): Codes | undefined {
  if (table === undefined) return undefined
  const codes = new Uint32Array(0x1_0000)
  let next = 0
  let symbol = 16
  for (let length = 1; length <= 16; length++) {
    const span = 0x1_0000 >> length
    for (let left = table[length - 1] as number; left > 0; left--) {
      const value = table[symbol++]
      if (value === undefined || next + span > codes.length) return undefined
      const [run, size] = [value >> 4, value & 15]
      const advance = isDc ? 1 : size === 0 && run < 15 ? wholeBlock : run + 1
      codes.fill((advance << advanceShift) | (length << fieldBits) | (length + size), next, next + span)
      next += span
    }
  }
  return codes
}

function makeRows(codes: Codes): Rows {
  const rows = new Uint32Array(1 << windowBits)
  for (let window = 0; window < rows.length; window++) {
    let [bits, inner, whole] = [0, 0, 0]
    while (bits < windowBits && whole < wholeBlock) {
      const code = codes[(window << (16 - windowBits + bits)) & 0xffff] as number
      if (code === 0 || bits + ((code >> fieldBits) & fieldMask) > windowBits) break
      bits += code & fieldMask
      inner = whole
      whole += code >> advanceShift
    }
    rows[window] = (whole << rowShift) | (inner << fieldBits) | bits
  }
  return rows
}

/** A block reads less than this beyond the end. */
const margin = 512

function walk(bytes: Buffer, { parametersEnd, end }: Segment, units: Units, interval: number): boolean {
  const coded = Buffer.allocUnsafe(end - parametersEnd + margin)
  let position = parametersEnd
  let left = units.columns * units.rows
  for (let restart = 0; ; restart++) {
    const { length, mark, next } = unstuff(bytes, position, end, coded)
    position = next
    coded.fill(0xff, length, length + margin)
    const wanted = interval === 0 ? left : Math.min(interval, left)
    const used = pass(coded, { from: 0, end: length * 8 }, units.blocks, wanted)
    if (used === undefined) return false
    left -= wanted
    const rest = { from: used, end: length * 8 }
    const isPadding = rest.end - rest.from < 8
    if (left === 0) return position === end && (isPadding || !areUnits(coded, rest, units))
    if (!isPadding || mark !== 0xd0 + (restart & 7)) return false
  }
}

/** Copies codes up to the next mark or the end, without the zeros that keep a byte from being a mark. */
function unstuff(
  bytes: Buffer,
  from: number,
  end: number,
  coded: Buffer,
): { length: number; mark: number; next: number } {
  let length = 0
  for (let at = from; at < end; at++) {
    const byte = bytes[at] as number
    if (byte !== 0xff) {
      coded[length++] = byte
      continue
    }
    const next = at + 1 < end ? (bytes[at + 1] as number) : 0xff
    // Repeated, it fills the place in front of a mark.
    if (next === 0xff) continue
    at++
    if (next !== 0) return { length, mark: next, next: at + 1 }
    coded[length++] = byte
  }
  return { length, mark: 0, next: end }
}

/** Places of bits. */
interface Range {
  from: number
  end: number
}

/** The place behind so many units, or undefined if one of them is impossible. */
function pass(coded: Buffer, { from, end }: Range, blocks: readonly Part[], units: number): number | undefined {
  let at = from
  for (let unit = 0; unit < units; unit++) {
    for (let block = 0; block < blocks.length; block++) {
      const { dc, ac, acRows } = blocks[block] as Part
      const first = dc[peek(coded, at)] as number
      if (first === 0) return undefined
      at += first & fieldMask
      let coefficient = 1
      while (coefficient < 64) {
        const next = peek(coded, at)
        const row = acRows[next >> (16 - windowBits)] as number
        // The block must not be whole before the last code of a row.
        if (row !== 0 && coefficient + ((row >> fieldBits) & rowMask) < 64) {
          at += row & fieldMask
          coefficient += row >> rowShift
          continue
        }
        const code = ac[next] as number
        if (code === 0) return undefined
        at += code & fieldMask
        coefficient += code >> advanceShift
      }
      if (at > end || (coefficient > 64 && coefficient < wholeBlock)) return undefined
    }
  }
  return at
}

/** The 16 bits from a place on. */
function peek(coded: Buffer, at: number): number {
  const byte = at >> 3
  const three = ((coded[byte] as number) << 16) | ((coded[byte + 1] as number) << 8) | (coded[byte + 2] as number)
  return (three >> (8 - (at & 7))) & 0xffff
}

/**
 * Whether what is left are more units to the very end, not just stray bytes: then damage has swallowed others before. Whole rows
 * of them are a picture that was coded taller than it says: nothing is missing from it.
 */
function areUnits(coded: Buffer, { from, end }: Range, { blocks, columns }: Units): boolean {
  let at: number | undefined = from
  for (let count = 0; at !== undefined; count++, at = pass(coded, { from: at, end }, blocks, 1)) {
    if (end - at < 8) return count % columns !== 0
  }
  return false
}

// Those of annex K.3, which the pictures of webcams leave out.
const standardTables = new Map<number, Buffer>()
for (const table of [
  '0000010501010101010100000000000000000102030405060708090a0b',
  '100002010303020403050504040000017d01020300041105122131410613516107227114328191a1082342b1c11552d1f02433627282' +
    '090a161718191a25262728292a3435363738393a434445464748494a535455565758595a636465666768696a737475767778797a8384' +
    '85868788898a92939495969798999aa2a3a4a5a6a7a8a9aab2b3b4b5b6b7b8b9bac2c3c4c5c6c7c8c9cad2d3d4d5d6d7d8d9dae1e2e3' +
    'e4e5e6e7e8e9eaf1f2f3f4f5f6f7f8f9fa',
  '0100030101010101010101010000000000000102030405060708090a0b',
  '1100020102040403040705040400010277000102031104052131061241510761711322328108144291a1b1c109233352f0156272d10a' +
    '162434e125f11718191a262728292a35363738393a434445464748494a535455565758595a636465666768696a737475767778797a82' +
    '838485868788898a92939495969798999aa2a3a4a5a6a7a8a9aab2b3b4b5b6b7b8b9bac2c3c4c5c6c7c8c9cad2d3d4d5d6d7d8d9dae2' +
    'e3e4e5e6e7e8e9eaf2f3f4f5f6f7f8f9fa',
])
  readTables(Buffer.from(table, 'hex'), standardTables)
