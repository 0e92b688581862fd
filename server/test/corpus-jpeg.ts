// JPEGs for tests, coded by hand: baseline pictures of small steps, whole and damaged. ITU-T T.81, annexes B and F.

interface CodedRecipe {
  width?: number
  height?: number
  /** How many blocks of each component stand side by side, and above each other, in a unit. */
  components?: readonly (readonly [across: number, down: number])[]
  /** Gives all components the same ID. */
  sameId?: boolean
  /** A scan for each component. */
  isApart?: boolean
  /** How many units stand between two restarts. */
  interval?: number
  /** The number that each restart has besides the right one. */
  restartsFrom?: number
  /** Fills the last byte of a scan or interval. */
  padding?: 0 | 1
  /** Leaves the Huffman tables out, which are those that decoders know. */
  hasNoTables?: boolean
  /** How many units more or fewer there are than the sides say. */
  more?: number
}

// The first codes of the standard tables, by size of a value; the end of a block is a code of the second.
const dcCodes = ['00', '010', '011'] as const
const acCodes = ['1010', '00', '01'] as const

const segment = (marker: number, ...body: number[]): Buffer =>
  Buffer.from([0xff, marker, (body.length + 2) >> 8, (body.length + 2) & 0xff, ...body])
const word = (value: number): number[] => [value >> 8, value & 0xff]

/** How often there are codes of each length up to 16, and what they mean. */
const codeTable = (number: number, counts: readonly number[], ...symbols: number[]): Buffer =>
  segment(0xc4, number, ...counts, ...Array<number>(16 - counts.length).fill(0), ...symbols)

export function codedJpeg(recipe: CodedRecipe = {}): Buffer {
  const { width = 48, height = 40, components = [[1, 1]], interval = 0, isApart = false, hasNoTables = false } = recipe
  const id = (index: number): number => (recipe.sameId ? 1 : index + 1)
  const frame = components.flatMap(([across, down], index) => [id(index), across * 16 + down, 0])
  const scans = isApart ? components.map((_, index) => [index]) : [[...components.keys()]]
  return Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    segment(0xdb, 0, ...Array<number>(64).fill(8)),
    segment(0xc0, 8, ...word(height), ...word(width), components.length, ...frame),
    ...(hasNoTables ? [] : [codeTable(0, [0, 1, 2], 0, 1, 2), codeTable(0x10, [0, 2, 1, 1], 1, 2, 3, 0)]),
    ...(interval > 0 ? [segment(0xdd, ...word(interval))] : []),
    ...scans.flatMap((scan) => [
      segment(0xda, scan.length, ...scan.flatMap((index) => [id(index), 0]), 0, 63, 0),
      coded(recipe, scan, { width, height, components, interval }),
    ]),
    Buffer.from([0xff, 0xd9]),
  ])
}

type Laid = Required<Pick<CodedRecipe, 'width' | 'height' | 'components' | 'interval'>>

function coded(recipe: CodedRecipe, scan: readonly number[], { width, height, components, interval }: Laid): Buffer {
  const [alone] = scan.length === 1 ? scan.map((index) => components[index] as [number, number]) : []
  const most = (side: 0 | 1): number => Math.max(...components.map((sides) => sides[side]))
  const units =
    Math.ceil((width * (alone?.[0] ?? 1)) / (8 * most(0))) * Math.ceil((height * (alone?.[1] ?? 1)) / (8 * most(1))) +
    (recipe.more ?? 0)
  const blocks = alone
    ? 1
    : scan.reduce((sum, index) => sum + (components[index]?.[0] ?? 0) * (components[index]?.[1] ?? 0), 0)
  const parts: Buffer[] = []
  let bits = ''
  const flush = (): void => {
    const whole = bits.padEnd(Math.ceil(bits.length / 8) * 8, String(recipe.padding ?? 1))
    const bytes = (whole.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2))
    parts.push(Buffer.from(bytes.flatMap((byte) => (byte === 0xff ? [byte, 0] : [byte]))))
    bits = ''
  }
  for (let unit = 0; unit < units; unit++) {
    if (interval > 0 && unit > 0 && unit % interval === 0) {
      flush()
      parts.push(Buffer.from([0xff, 0xd0 + ((unit / interval - 1 + (recipe.restartsFrom ?? 0)) & 7)]))
    }
    for (let block = 0; block < blocks; block++) bits += blockBits(unit * blocks + block)
  }
  flush()
  return Buffer.concat(parts)
}

/** Up to five values, other ones in each block. */
function blockBits(seed: number): string {
  const value = (step: number): number => (Math.imul(seed + 1, 0x9e3779b1) >>> (step * 5)) & 31
  const written = (codes: readonly string[], number: number): string => {
    const size = number % 3
    return size === 0 ? '' : codes[size] + (number >> 2).toString(2).padStart(3, '0').slice(-size)
  }
  const values = [1, 2, 3, 4].map((step) => written(acCodes, value(step))).join('')
  return (written(dcCodes, value(0)) || dcCodes[0]) + values + acCodes[0]
}
