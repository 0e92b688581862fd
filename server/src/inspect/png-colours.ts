// What the colours of a PNG mean where it says so by numbers and not by a profile. The decoder knows profiles alone, so
// the picture gets one that says the same. PNG (Third Edition), 11.3.2; ICC.1:2022, 8.3, 8.4 and 10.18.
import { crc32, deflateSync } from 'node:zlib'
import { assembled, fixed, greyProfile, primariesOf, srgbPoints, tag, uint32, xyz } from './icc.ts'
import { type HighRange, highGreyCurve, highProfile } from './png-high-range.ts'

interface Colours {
  /** Light as a power of the samples; undefined for the curve of sRGB. */
  exponent: number | undefined
  /** Where white, red, green and blue lie, x and y of each; undefined for greys. */
  points: readonly number[] | undefined
}

/** What writers put in `gAMA` who mean sRGB. */
const srgbExponent = 2.2

/** The PNG with a profile, where it says its colours by `cICP`, `gAMA` or `cHRM` and they are not sRGB; else as it is. */
export function withProfile(png: Buffer): Buffer {
  const parts = partsOf(png)
  const signal = signalOf(parts)
  if (signal === undefined) return withOwn(png, coloursOf(png))
  // It counts before all others, and the decoder knows only one of those.
  const ends = [0, ...parts.map(({ end }) => end)]
  const bare = Buffer.concat(ends.map((end, index) => png.subarray(end, parts[index]?.start)))
  const isGrey = isGreyPng(png)
  if (signal.range === undefined)
    return withOwn(bare, { exponent: signal.exponent, points: isGrey ? undefined : signal.points })
  return withChunk(bare, isGrey ? greyProfile(highGreyCurve(signal.range)) : highProfile(signal.range, signal.points))
}

const typesByNumber: ReadonlyMap<number, string> = new Map(
  ['cICP', 'iCCP', 'sRGB', 'gAMA', 'cHRM', 'IDAT'].map((type) => [Buffer.from(type).readUInt32BE(), type]),
)

function withOwn(png: Buffer, colours: Colours | undefined): Buffer {
  const profile = colours && profileOf(colours)
  return profile === undefined ? png : withChunk(png, profile)
}

function withChunk(png: Buffer, profile: Buffer): Buffer {
  const data = Buffer.concat([Buffer.from('colours\0\0', 'latin1'), deflateSync(profile)])
  return Buffer.concat([png.subarray(0, headerEnd), chunk('iCCP', data), png.subarray(headerEnd)])
}

/** Behind the signature and the first chunk, which is the header. */
const headerEnd = 33

const near = (a: number, b: number | undefined): boolean => b !== undefined && Math.abs(a - b) < 0.003

interface Part {
  type: string
  start: number
  end: number
  data: Buffer
}

/** The first of each of the chunks that say colours, in front of the picture: a file may have a million others. */
function partsOf(png: Buffer): Part[] {
  const parts: Part[] = []
  for (let start = headerEnd; start + 12 <= png.length; ) {
    const end = start + 12 + png.readUInt32BE(start)
    const type = typesByNumber.get(png.readUInt32BE(start + 4))
    if (type === 'IDAT' || end > png.length) break
    if (type !== undefined && !parts.some((part) => part.type === type)) {
      parts.push({ type, start, end, data: png.subarray(start + 8, end - 4) })
    }
    start = end
  }
  return parts
}

const isGreyPng = (png: Buffer): boolean => (png[25] as number) % 4 === 0

interface Signal extends Pick<Colours, 'exponent'> {
  points: readonly number[]
  range?: HighRange
}

/** What `cICP` says, as ITU-T H.273 numbers it; undefined if that is not of full range, or not known here. */
function signalOf(parts: readonly Part[]): Signal | undefined {
  const data = parts.find(({ type }) => type === 'cICP')?.data
  if (data?.length !== 4 || data[2] !== 0 || data[3] !== 1) return undefined
  const points = pointsOfPrimaries.get(data[0] as number)
  const transfer = data[1] as number
  if (points === undefined) return undefined
  if (transfer === 16 || transfer === 18) return { points, exponent: undefined, range: transfer === 16 ? 'pq' : 'hlg' }
  return exponents.has(transfer) ? { points, exponent: exponents.get(transfer) } : undefined
}

const d65 = [0.3127, 0.329]
const pointsOfPrimaries: ReadonlyMap<number, readonly number[]> = new Map([
  [1, srgbPoints],
  [5, [...d65, 0.64, 0.33, 0.29, 0.6, 0.15, 0.06]],
  [6, [...d65, 0.63, 0.34, 0.31, 0.595, 0.155, 0.07]],
  [7, [...d65, 0.63, 0.34, 0.31, 0.595, 0.155, 0.07]],
  [9, [...d65, 0.708, 0.292, 0.17, 0.797, 0.131, 0.046]],
  [11, [0.314, 0.351, 0.68, 0.32, 0.265, 0.69, 0.15, 0.06]],
  [12, [...d65, 0.68, 0.32, 0.265, 0.69, 0.15, 0.06]],
])

/** Undefined for the curve of sRGB, which browsers take for those of cameras too. */
const exponents: ReadonlyMap<number, number | undefined> = new Map([
  ...[1, 6, 11, 13, 14, 15].map((transfer) => [transfer, undefined] as const),
  [4, 2.2],
  [5, 2.8],
  [8, 1],
])

function coloursOf(png: Buffer): Colours | undefined {
  if (png.length < headerEnd) return undefined
  let exponent: number | undefined
  let points = srgbPoints
  for (const { type, data } of partsOf(png)) {
    // Each of these says it better.
    if (['iCCP', 'sRGB'].includes(type)) return undefined
    const value = (index: number): number => data.readUInt32BE(index * 4) / 100_000
    if (type === 'gAMA' && data.length === 4) exponent = 1 / value(0)
    if (type === 'cHRM' && data.length === 32) points = srgbPoints.map((_, index) => value(index))
  }
  if (exponent !== undefined && Math.abs(exponent - srgbExponent) < 0.02) exponent = undefined
  if (exponent !== undefined && !(exponent >= 0.1 && exponent <= 10)) return undefined
  const isGrey = isGreyPng(png)
  const isOwn = !isGrey && !srgbPoints.every((value, index) => near(value, points[index]))
  return exponent === undefined && !isOwn ? undefined : { exponent, points: isGrey ? undefined : points }
}

/** A profile of a display; undefined if the numbers describe none. */
function profileOf({ exponent, points }: Colours): Buffer | undefined {
  const curve = tag('para', exponent === undefined ? curveOfSrgb : Buffer.concat([Buffer.alloc(4), fixed(exponent)]))
  if (points === undefined) return exponent === undefined ? undefined : greyProfile(curve)
  const primaries = primariesOf(points)
  // Beyond these no primary lies, and nothing that is no number.
  if (!primaries.flat().every((value) => Math.abs(value) <= 4)) return undefined
  const colourants = primaries.map((triple, index) => [`${'rgb'[index]}XYZ`, xyz(triple)] as const)
  const curves = [...'rgb'].map((letter) => [`${letter}TRC`, curve] as const)
  return assembled('RGB ', 'XYZ ', [...colourants, ...curves])
}

const curveOfSrgb = Buffer.concat([
  Buffer.from([0, 3, 0, 0]),
  ...[2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045].map(fixed),
])

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  return Buffer.concat([uint32(data.length), body, uint32(crc32(body))])
}
