// Pictures of two levels as scanners write them into PDF: JBIG2 (ITU-T T.88), arithmetically coded. A page is either one
// region of pixels, or text: places of symbols that a dictionary beside the page holds.

type Bitmap = (x: number, y: number) => boolean

const uint32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}

/** A segment of a page, or of none; 7.2. */
const segment = (number: number, type: number, page: number, data: Buffer, refersTo: readonly number[] = []): Buffer =>
  Buffer.concat([
    uint32(number),
    Buffer.from([type, refersTo.length << 5, ...refersTo, page]),
    uint32(data.length),
    data,
  ])

const pageFacts = (width: number, height: number): Buffer =>
  Buffer.concat([uint32(width), uint32(height), Buffer.alloc(8), Buffer.from([0, 0, 0])])

const regionFacts = (width: number, height: number): Buffer =>
  Buffer.concat([uint32(width), uint32(height), Buffer.alloc(8), Buffer.from([0])])

/** Of template 0: where the four pixels are that a coder may choose. */
const chosen = Buffer.from([3, -1, -3, -1, 2, -2, -2, -2])

/** A page that is black where `isBlack` says so. */
export function jbig2(width: number, height: number, isBlack: Bitmap): Buffer {
  const coder = createCoder()
  coder.bitmap(width, height, isBlack)
  const region = Buffer.concat([regionFacts(width, height), Buffer.from([0]), chosen, coder.end()])
  return Buffer.concat([segment(0, 48, 1, pageFacts(width, height)), segment(1, 38, 1, region)])
}

/** A page with one symbol, black all over and of a side, at places from left to right; and the dictionary of it. */
export function jbig2Text(
  width: number,
  height: number,
  side: number,
  places: readonly (readonly [x: number, y: number])[],
): { globals: Buffer; page: Buffer } {
  const dictionary = createCoder()
  dictionary.integer('IADH', side)
  dictionary.integer('IADW', side)
  dictionary.bitmap(side, side, () => true)
  dictionary.integer('IADW', undefined)
  // None is kept back, one is given out.
  dictionary.integer('IAEX', 0)
  dictionary.integer('IAEX', 1)
  const symbols = Buffer.concat([Buffer.alloc(2), chosen, uint32(1), uint32(1), dictionary.end()])

  const text = createCoder()
  text.integer('IADT', 0)
  let [strip, first] = [0, 0]
  for (const [x, y] of places) {
    // Each is a line of its own, and the only symbol takes no bits to name.
    text.integer('IADT', y - strip)
    text.integer('IAFS', x - first)
    text.integer('IADS', undefined)
    ;[strip, first] = [y, x]
  }
  const topLeft = 1 << 4
  const region = Buffer.concat([
    regionFacts(width, height),
    Buffer.from([0, topLeft]),
    uint32(places.length),
    text.end(),
  ])
  return {
    globals: segment(0, 0, 0, symbols),
    page: Buffer.concat([segment(1, 48, 1, pageFacts(width, height)), segment(2, 6, 1, region, [0])]),
  }
}

/** Of each state of the coder (T.88, table E.1): its probability, the states that follow, and whether the sense turns. */
const states = `
  5601:1:1:1 3401:2:6:0 1801:3:9:0 0ac1:4:12:0 0521:5:29:0 0221:38:33:0 5601:7:6:1 5401:8:14:0 4801:9:14:0
  3801:10:14:0 3001:11:17:0 2401:12:18:0 1c01:13:20:0 1601:29:21:0 5601:15:14:1 5401:16:14:0 5101:17:15:0
  4801:18:16:0 3801:19:17:0 3401:20:18:0 3001:21:19:0 2801:22:19:0 2401:23:20:0 2201:24:21:0 1c01:25:22:0
  1801:26:23:0 1601:27:24:0 1401:28:25:0 1201:29:26:0 1101:30:27:0 0ac1:31:28:0 09c1:32:29:0 08a1:33:30:0
  0521:34:31:0 0441:35:32:0 02a1:36:33:0 0221:37:34:0 0141:38:35:0 0111:39:36:0 0085:40:37:0 0049:41:38:0
  0025:42:39:0 0015:43:40:0 0009:44:41:0 0005:45:42:0 0001:45:43:0 5601:46:46:0`
  .trim()
  .split(/\s+/)
  .map((row) => row.split(':'))
  .map(([qe = '', mps, lps, turns]) => [Number(`0x${qe}`), Number(mps), Number(lps), Number(turns)] as const)

/** What of the rows above and of the own one a pixel is guessed from, from the last bit of the context to the first. */
const neighbours: readonly (readonly [x: number, y: number])[] = [
  ...[-1, -2, -3, -4].map((x) => [x, 0] as const),
  ...[3, 2, 1, 0, -1, -2, -3].map((x) => [x, -1] as const),
  ...[2, 1, 0, -1, -2].map((x) => [x, -2] as const),
]

interface Coder {
  /** A region of pixels, of template 0; 6.2. */
  bitmap(width: number, height: number, isBlack: Bitmap): void
  /** A number by a procedure of annex A; undefined for the end of numbers. */
  integer(procedure: string, value: number | undefined): void
  end(): Buffer
}

/** From how much on a number has so many bits behind so long a prefix of ones. */
const ranges: readonly (readonly [from: number, bits: number])[] = [
  [0, 2],
  [4, 4],
  [20, 6],
  [84, 8],
  [340, 12],
  [4436, 32],
]

/** The encoder of T.88, E.2. */
function createCoder(): Coder {
  const contexts = new Map<string, [state: Uint8Array, sense: Uint8Array]>()
  const out: number[] = [0]
  let [a, c, count] = [0x8000, 0, 12]

  const byteOut = (): void => {
    const last = out.length - 1
    if (out[last] !== 0xff && c >= 0x800_0000) {
      out[last] = (out[last] as number) + 1
      c &= 0x7ff_ffff
    }
    const isStuffed = out[last] === 0xff
    out.push(isStuffed ? c >>> 20 : c >>> 19)
    c &= isStuffed ? 0xf_ffff : 0x7_ffff
    count = isStuffed ? 7 : 8
  }

  const put = (procedure: string, context: number, bit: number): void => {
    const [state, sense] = contexts.get(procedure) ?? [new Uint8Array(65_536), new Uint8Array(65_536)]
    contexts.set(procedure, [state, sense])
    const [qe, mps, lps, turns] = states[state[context] as number] as (typeof states)[number]
    a -= qe
    if (bit === sense[context]) {
      if ((a & 0x8000) !== 0) {
        c += qe
        return
      }
      if (a < qe) a = qe
      else c += qe
      state[context] = mps
    } else {
      if (a < qe) c += qe
      else a = qe
      if (turns) sense[context] = 1 - (sense[context] as number)
      state[context] = lps
    }
    do {
      a <<= 1
      c = (c << 1) >>> 0
      if (--count === 0) byteOut()
    } while ((a & 0x8000) === 0)
  }

  return {
    bitmap(width, height, isBlack) {
      const pixel = (x: number, y: number): number => (x >= 0 && y >= 0 && x < width && isBlack(x, y) ? 1 : 0)
      for (let y = 0; y < height; y++) {
        for (let x = 0; x < width; x++) {
          const context = neighbours.reduce((sum, [dx, dy], bit) => sum | (pixel(x + dx, y + dy) << bit), 0)
          put('GB', context, pixel(x, y))
        }
      }
    },
    integer(procedure, value) {
      const size = Math.abs(value ?? 0)
      const prefix = ranges.findLastIndex(([from]) => size >= from)
      const [from, bits] = ranges[prefix] as (typeof ranges)[number]
      const ones = Array<number>(prefix).fill(1)
      const binary = Array.from({ length: bits }, (_, bit) => ((size - from) >>> (bits - 1 - bit)) & 1)
      const isNegative = value === undefined || value < 0 ? 1 : 0
      let before = 1
      for (const bit of [isNegative, ...ones, ...(prefix < ranges.length - 1 ? [0] : []), ...binary]) {
        put(procedure, before, bit)
        before = before < 256 ? (before << 1) | bit : (((before << 1) | bit) & 511) | 256
      }
    },
    end() {
      const limit = c + a
      c |= 0xffff
      if (c >= limit) c -= 0x8000
      c = (c << count) >>> 0
      byteOut()
      c = (c << count) >>> 0
      byteOut()
      if (out.at(-1) !== 0xff) out.push(0xff)
      return Buffer.from([...out.slice(1), 0xac])
    },
  }
}
