// A bi-level picture as scanners write it into a PDF: JBIG2 (ITU-T T.88), a page with one generic region, arithmetically
// coded in template 0.

const uint = (bytes: number, value: number): Buffer => {
  const made = Buffer.alloc(bytes)
  made.writeUIntBE(value, 0, bytes)
  return made
}

/** Black where `isBlack` says so. */
export function jbig2(width: number, height: number, isBlack: (x: number, y: number) => boolean): Buffer {
  const segment = (number: number, type: number, data: Buffer): Buffer =>
    Buffer.concat([uint(4, number), Buffer.from([type, 0, 1]), uint(4, data.length), data])
  const page = Buffer.concat([uint(4, width), uint(4, height), Buffer.alloc(8), Buffer.from([0, 0, 0])])
  const region = Buffer.concat([uint(4, width), uint(4, height), Buffer.alloc(8), Buffer.from([0])])
  // The four pixels that a coder may choose are where they are by default.
  const template = Buffer.from([0, 3, -1, -3, -1, 2, -2, -2, -2])
  const coded = encode(width, height, isBlack)
  return Buffer.concat([segment(0, 48, page), segment(1, 38, Buffer.concat([region, template, coded]))])
}

/** Of each state of the coder (T.88, table E.1): its probability, the states that follow, and whether the sense turns. */
const states: readonly (readonly [qe: number, mps: number, lps: number, turns: 0 | 1])[] = [
  [0x5601, 1, 1, 1],
  [0x3401, 2, 6, 0],
  [0x1801, 3, 9, 0],
  [0x0ac1, 4, 12, 0],
  [0x0521, 5, 29, 0],
  [0x0221, 38, 33, 0],
  [0x5601, 7, 6, 1],
  [0x5401, 8, 14, 0],
  [0x4801, 9, 14, 0],
  [0x3801, 10, 14, 0],
  [0x3001, 11, 17, 0],
  [0x2401, 12, 18, 0],
  [0x1c01, 13, 20, 0],
  [0x1601, 29, 21, 0],
  [0x5601, 15, 14, 1],
  [0x5401, 16, 14, 0],
  [0x5101, 17, 15, 0],
  [0x4801, 18, 16, 0],
  [0x3801, 19, 17, 0],
  [0x3401, 20, 18, 0],
  [0x3001, 21, 19, 0],
  [0x2801, 22, 19, 0],
  [0x2401, 23, 20, 0],
  [0x2201, 24, 21, 0],
  [0x1c01, 25, 22, 0],
  [0x1801, 26, 23, 0],
  [0x1601, 27, 24, 0],
  [0x1401, 28, 25, 0],
  [0x1201, 29, 26, 0],
  [0x1101, 30, 27, 0],
  [0x0ac1, 31, 28, 0],
  [0x09c1, 32, 29, 0],
  [0x08a1, 33, 30, 0],
  [0x0521, 34, 31, 0],
  [0x0441, 35, 32, 0],
  [0x02a1, 36, 33, 0],
  [0x0221, 37, 34, 0],
  [0x0141, 38, 35, 0],
  [0x0111, 39, 36, 0],
  [0x0085, 40, 37, 0],
  [0x0049, 41, 38, 0],
  [0x0025, 42, 39, 0],
  [0x0015, 43, 40, 0],
  [0x0009, 44, 41, 0],
  [0x0005, 45, 42, 0],
  [0x0001, 45, 43, 0],
  [0x5601, 46, 46, 0],
]

/** What of the rows above and of the own one a pixel is guessed from, from the last bit of the context to the first. */
const neighbours: readonly (readonly [x: number, y: number])[] = [
  ...[-1, -2, -3, -4].map((x) => [x, 0] as const),
  ...[3, 2, 1, 0, -1, -2, -3].map((x) => [x, -1] as const),
  ...[2, 1, 0, -1, -2].map((x) => [x, -2] as const),
]

/** The encoder of T.88, E.2, for the generic region of 6.2. */
function encode(width: number, height: number, isBlack: (x: number, y: number) => boolean): Buffer {
  const index = new Uint8Array(65_536)
  const sense = new Uint8Array(65_536)
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
  const renormalise = (): void => {
    do {
      a <<= 1
      c = (c << 1) >>> 0
      if (--count === 0) byteOut()
    } while ((a & 0x8000) === 0)
  }
  const pixel = (x: number, y: number): number => (x >= 0 && y >= 0 && x < width && isBlack(x, y) ? 1 : 0)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const context = neighbours.reduce((sum, [dx, dy], bit) => sum | (pixel(x + dx, y + dy) << bit), 0)
      const [qe, mps, lps, turns] = states[index[context] as number] as (typeof states)[number]
      a -= qe
      if (pixel(x, y) === sense[context]) {
        if ((a & 0x8000) !== 0) {
          c += qe
          continue
        }
        if (a < qe) a = qe
        else c += qe
        index[context] = mps
      } else {
        if (a < qe) c += qe
        else a = qe
        if (turns) sense[context] = 1 - (sense[context] as number)
        index[context] = lps
      }
      renormalise()
    }
  }
  const limit = c + a
  c |= 0xffff
  if (c >= limit) c -= 0x8000
  c = (c << count) >>> 0
  byteOut()
  c = (c << count) >>> 0
  byteOut()
  if (out.at(-1) !== 0xff) out.push(0xff)
  return Buffer.from([...out.slice(1), 0xac])
}
