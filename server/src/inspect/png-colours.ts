// What the colours of a PNG mean where it says so by numbers and not by a profile. The decoder knows profiles alone, so
// the picture gets one that says the same. PNG (Third Edition), 11.3.2; ICC.1:2022, 8.3, 8.4 and 10.18.
import { crc32, deflateSync } from 'node:zlib'

interface Colours {
  /** Light as a power of the samples; undefined for the curve of sRGB. */
  exponent: number | undefined
  /** Where white, red, green and blue lie, x and y of each; undefined for greys. */
  points: readonly number[] | undefined
}

const srgbPoints: readonly number[] = [0.3127, 0.329, 0.64, 0.33, 0.3, 0.6, 0.15, 0.06]
/** What writers put in `gAMA` who mean sRGB. */
const srgbExponent = 2.2

/** The PNG with a profile, where it says its colours by `gAMA` or `cHRM` and they are not those of sRGB; else as it is. */
export function withProfile(png: Buffer): Buffer {
  const colours = coloursOf(png)
  const profile = colours && profileOf(colours)
  if (profile === undefined) return png
  const data = Buffer.concat([Buffer.from('colours\0\0', 'latin1'), deflateSync(profile)])
  return Buffer.concat([png.subarray(0, headerEnd), chunk('iCCP', data), png.subarray(headerEnd)])
}

/** Behind the signature and the first chunk, which is the header. */
const headerEnd = 33

const near = (a: number, b: number | undefined): boolean => b !== undefined && Math.abs(a - b) < 0.003

function coloursOf(png: Buffer): Colours | undefined {
  if (png.length < headerEnd) return undefined
  let exponent: number | undefined
  let points = srgbPoints
  for (let at = headerEnd; at + 12 <= png.length; ) {
    const length = png.readUInt32BE(at)
    const type = png.toString('latin1', at + 4, at + 8)
    // Each of these says it better.
    if (['iCCP', 'sRGB', 'cICP'].includes(type)) return undefined
    if (type === 'IDAT' || at + 12 + length > png.length) break
    const value = (index: number): number => png.readUInt32BE(at + 8 + index * 4) / 100_000
    if (type === 'gAMA' && length === 4) exponent = 1 / value(0)
    if (type === 'cHRM' && length === 32) points = srgbPoints.map((_, index) => value(index))
    at += 12 + length
  }
  if (exponent !== undefined && Math.abs(exponent - srgbExponent) < 0.02) exponent = undefined
  if (exponent !== undefined && !(exponent >= 0.1 && exponent <= 10)) return undefined
  const isGrey = (png[25] as number) % 4 === 0
  const isOwn = !isGrey && !srgbPoints.every((value, index) => near(value, points[index]))
  return exponent === undefined && !isOwn ? undefined : { exponent, points: isGrey ? undefined : points }
}

type Triple = [number, number, number]
type Matrix = [Triple, Triple, Triple]

const times = (matrix: Matrix, [a, b, c]: Triple): Triple => matrix.map(([x, y, z]) => x * a + y * b + z * c) as Triple

const product = (a: Matrix, b: Matrix): Matrix => transposed(transposed(b).map((column) => times(a, column)) as Matrix)

const transposed = ([a, b, c]: Matrix): Matrix => [0, 1, 2].map((row) => [a[row], b[row], c[row]]) as Matrix

function inverse([[a, b, c], [d, e, f], [g, h, i]]: Matrix): Matrix {
  const [x, y, z] = [e * i - f * h, f * g - d * i, d * h - e * g]
  const determinant = a * x + b * y + c * z
  const cofactors = [x, c * h - b * i, b * f - c * e, y, a * i - c * g, c * d - a * f, z, b * g - a * h, a * e - b * d]
  const [p, q, r, s, t, u, v, w, last] = cofactors.map((value) => value / determinant) as number[]
  return [
    [p, q, r],
    [s, t, u],
    [v, w, last],
  ] as Matrix
}

/** The white of profiles. */
const d50: Triple = [0.9642, 1, 0.8249]

/** How the eye follows one white to another, after Bradford. */
const cones: Matrix = [
  [0.8951, 0.2664, -0.1614],
  [-0.7502, 1.7135, 0.0367],
  [0.0389, -0.0685, 1.0296],
]

/** What red, green and blue of full strength are under the white of profiles. */
function primariesOf(points: readonly number[]): Matrix {
  const xyz = (index: number): Triple => {
    const [x, y] = points.slice(index * 2, index * 2 + 2) as [number, number]
    return [x / y, 1, (1 - x - y) / y]
  }
  const white = xyz(0)
  const pure = transposed([xyz(1), xyz(2), xyz(3)])
  const strengths = times(inverse(pure), white)
  const [from, to] = [times(cones, white), times(cones, d50)]
  const gains = [0, 1, 2].map((cone) => {
    const gain: Triple = [0, 0, 0]
    gain[cone] = (to[cone] as number) / (from[cone] as number)
    return gain
  }) as Matrix
  const adapted = product(inverse(cones), product(product(gains, cones), pure))
  return transposed(adapted).map((primary, index) =>
    primary.map((value) => value * (strengths[index] as number)),
  ) as Matrix
}

/** A profile of a display; undefined where the numbers describe none. */
function profileOf({ exponent, points }: Colours): Buffer | undefined {
  const curve = tag('para', exponent === undefined ? curveOfSrgb : Buffer.concat([Buffer.alloc(4), fixed(exponent)]))
  const xyz = (triple: Triple): Buffer => tag('XYZ ', Buffer.concat(triple.map(fixed)))
  if (points === undefined)
    return assembled('GRAY', [
      ['wtpt', xyz(d50)],
      ['kTRC', curve],
    ])
  const primaries = primariesOf(points)
  // Beyond these no primary lies, and nothing that is no number.
  if (!primaries.flat().every((value) => Math.abs(value) <= 4)) return undefined
  const colourants = primaries.map((triple, index) => [`${'rgb'[index]}XYZ`, xyz(triple)] as const)
  const curves = [...'rgb'].map((letter) => [`${letter}TRC`, curve] as const)
  return assembled('RGB ', [['wtpt', xyz(d50)], ...colourants, ...curves])
}

const uint32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}

/** A number of 16 bits in front of the point and 16 behind it. */
const fixed = (value: number): Buffer => {
  const bytes = Buffer.alloc(4)
  bytes.writeInt32BE(Math.round(value * 65_536))
  return bytes
}

const curveOfSrgb = Buffer.concat([
  Buffer.from([0, 3, 0, 0]),
  ...[2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045].map(fixed),
])

const tag = (type: string, content: Buffer): Buffer =>
  Buffer.concat([Buffer.from(type, 'latin1'), Buffer.alloc(4), content])

function assembled(space: string, tags: readonly (readonly [name: string, content: Buffer])[]): Buffer {
  const header = Buffer.alloc(128)
  header.writeUInt32BE(0x0430_0000, 8)
  header.write(`mntr${space}XYZ `, 12, 'latin1')
  header.write('acsp', 36, 'latin1')
  Buffer.concat(d50.map(fixed)).copy(header, 68)
  let place = 128 + 4 + tags.length * 12
  const table = tags.map(([name, content]) => {
    const row = Buffer.concat([Buffer.from(name, 'latin1'), uint32(place), uint32(content.length)])
    place += content.length
    return row
  })
  header.writeUInt32BE(place)
  return Buffer.concat([header, uint32(tags.length), ...table, ...tags.map(([, content]) => content)])
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  return Buffer.concat([uint32(data.length), body, uint32(crc32(body))])
}
