// Pictures of a high range (PQ, HLG): a profile that shows them as HDR videos are shown, by the same curve of tones.
// transcode-colours.ts; ITU-R BT.2100; ICC.1:2022, 10.10.
import {
  assembled,
  d50,
  fixed,
  inverse,
  primariesOf,
  product,
  srgbPoints,
  type Triple,
  tag,
  times,
  transposed,
} from './icc.ts'

export type HighRange = 'pq' | 'hlg'

/** Light of a sample, 1 at the white of paper (203 candelas a square metre). */
const lightOf: Readonly<Record<HighRange, (sample: number) => number>> = {
  pq(sample) {
    const power = sample ** (32 / 2523)
    const light = Math.max(power - 107 / 128, 0) / (2413 / 128 - (2392 / 128) * power)
    return (10_000 / 203) * light ** (8192 / 1305)
  },
  hlg(sample) {
    const [a, b, c] = [0.178_832_77, 0.284_668_92, 0.559_910_73]
    const scene = sample <= 0.5 ? sample ** 2 / 3 : (Math.exp((sample - c) / a) + b) / 12
    return hlgPeak * scene ** 1.2
  },
}

/** What the filter of videos takes for the brightest of HLG. */
const hlgPeak = 3.77

/** Mobius: below the knee as it was, and white at 1,000 candelas. */
const knee = 0.3
const peak = 1000 / 203
const [a, b] = [
  (-(knee ** 2) * (peak - 1)) / (knee ** 2 - 2 * knee + peak),
  (knee ** 2 - 2 * knee * peak + peak) / (peak - 1),
]
const toned = (light: number): number =>
  light <= knee ? light : (((b + knee) ** 2 / (b - a)) * (light + a)) / (light + b)

/** Videos are written for screens of the power 2.4, and shown by the curve of sRGB. */
function shown(light: number): number {
  const sample = Math.min(Math.max(light, 0), 1) ** (1 / 2.4)
  return sample <= 0.04045 ? sample / 12.92 : ((sample + 0.055) / 1.055) ** 2.4
}

const uint16s = (values: readonly number[]): Buffer => {
  const bytes = Buffer.alloc(values.length * 2)
  for (const [index, value] of values.entries())
    bytes.writeUInt16BE(Math.min(Math.max(Math.round(value), 0), 65_535), index * 2)
  return bytes
}

const greySteps = 1024

export function highGreyCurve(range: HighRange): Buffer {
  const steps = Array.from({ length: greySteps }, (_, step) => shown(toned(lightOf[range](step / (greySteps - 1)))))
  const count = Buffer.alloc(4)
  count.writeUInt32BE(greySteps)
  return tag('curv', Buffer.concat([count, uint16s(steps.map((light) => light * 65_535))]))
}

/** Points a side of the table of colours, between which the reader interpolates. */
const side = 33

export function highProfile(range: HighRange, points: readonly number[]): Buffer {
  const toXyz = transposed(primariesOf(srgbPoints))
  const toSrgb = product(inverse(toXyz), transposed(primariesOf(points)))
  const lights = Array.from({ length: side }, (_, step) => lightOf[range](step / (side - 1)))
  const table: number[] = []
  for (const red of lights)
    for (const green of lights)
      for (const blue of lights) {
        const brightest = Math.max(red, green, blue, 1e-6)
        const gain = toned(brightest) / brightest
        const light = times(toSrgb, [red * gain, green * gain, blue * gain]).map(shown) as Triple
        table.push(...labOf(times(toXyz, light)))
      }
  const identity = [1, 0, 0, 0, 1, 0, 0, 0, 1].map(fixed)
  const straight = uint16s([0, 65_535, 0, 65_535, 0, 65_535])
  const head = Buffer.from([3, 3, side, 0])
  // The decoder refuses a profile whose length is no multiple of four.
  const padding = Buffer.alloc((side ** 3 * 2) % 4)
  const lut = [head, ...identity, uint16s([2, 2]), straight, uint16s(table), straight, padding]
  return assembled('RGB ', 'Lab ', [['A2B0', tag('mft2', Buffer.concat(lut))]])
}

/** CIELAB as tables of 16 bits hold it. */
function labOf(colour: Triple): Triple {
  const [x, y, z] = colour.map((value, index) => {
    const part = value / (d50[index] as number)
    return part > 216 / 24_389 ? Math.cbrt(part) : ((24_389 / 27) * part + 16) / 116
  }) as Triple
  return [(116 * y - 16) * 652.8, (500 * (x - y) + 128) * 256, (200 * (y - z) + 128) * 256]
}
