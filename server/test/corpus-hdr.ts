// Pictures of high dynamic range for tests: patches of a known light, as ITU-R BT.2100 encodes them.
import { AV_PIX_FMT_YUV420P10LE } from 'node-av/constants'
import { Frame } from 'node-av/lib'

/** A frame that node-av made of a buffer points into it, and does not keep it from being collected. */
export interface MadeFrame {
  frame: Frame
  bytes: Buffer
}

export type Transfer = 'pq' | 'hlg'
/** Red, green and blue of BT.709, in candelas a square metre. */
export type Light = readonly [red: number, green: number, blue: number]

export const patchWidth = 32
export const patchHeight = 64

/** The patches beside each other, in 10 bits of the narrow range. */
export function patchesFrame(patches: readonly Light[], transfer: Transfer, num: number, den: number): MadeFrame {
  const width = patches.length * patchWidth
  const samples = patches.map((light) => toYuv(signal(toWide(light), transfer)))
  const bytes = Buffer.alloc(width * patchHeight * 3)
  let at = 0
  for (const [plane, share] of [1, 2, 2].entries()) {
    for (let row = 0; row < patchHeight / share; row++) {
      for (const sample of samples) {
        for (let column = 0; column < patchWidth / share; column++)
          at = bytes.writeUInt16LE(sample[plane] as number, at)
      }
    }
  }
  const shape = { width, height: patchHeight, format: AV_PIX_FMT_YUV420P10LE, timeBase: { num: 1, den } }
  return { frame: Frame.fromVideoBuffer(bytes, { ...shape, pts: BigInt(num) }), bytes }
}

/** From BT.709 to BT.2020, as ITU-R BT.2087 says. */
const toWide = ([red, green, blue]: Light): Light => [
  0.6274 * red + 0.3293 * green + 0.0433 * blue,
  0.0691 * red + 0.9195 * green + 0.0114 * blue,
  0.0164 * red + 0.088 * green + 0.8956 * blue,
]

const luminance = ([red, green, blue]: Light): number => 0.2627 * red + 0.678 * green + 0.0593 * blue

function signal(light: Light, transfer: Transfer): Light {
  if (transfer === 'pq') return light.map(perceptual) as unknown as Light
  // Hybrid log-gamma is of the scene: what a display of 1000 candelas makes of it is undone first.
  const gamma = luminance(light) === 0 ? 0 : (luminance(light) / 1000) ** (1 / 1.2 - 1)
  return light.map((value) => hybrid(Math.min(1, (value / 1000) * gamma))) as unknown as Light
}

function perceptual(nits: number): number {
  const power = (nits / 10_000) ** (2610 / 16_384)
  return ((3424 / 4096 + (2413 / 128) * power) / (1 + (2392 / 128) * power)) ** (2523 / 32)
}

const hybrid = (scene: number): number =>
  scene <= 1 / 12 ? Math.sqrt(3 * scene) : 0.17883277 * Math.log(12 * scene - 0.28466892) + 0.55991073

function toYuv(light: Light): readonly [number, number, number] {
  const luma = luminance(light)
  const of = (difference: number, share: number): number => Math.round(512 + (896 * difference) / share)
  return [Math.round(64 + 876 * luma), of(light[2] - luma, 1.8814), of(light[0] - luma, 1.4746)]
}
