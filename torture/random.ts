// Every decision of a run comes from its seed: a stream of numbers for each part that decides, so that none of them
// depends on how the others take turns.
import { createHash } from 'node:crypto'

export interface Random {
  /** A number in [0, 1). */
  next(): number
  /** A whole number from `min` to `max`, both included. */
  integer(min: number, max: number): number
  /** True once in `1 / probability` times. */
  chance(probability: number): boolean
  pick<T>(from: readonly T[]): T
  /** One of the keys, each as often as its weight says. */
  weighted<K extends string>(weights: Partial<Record<K, number>>): K
  shuffled<T>(list: readonly T[]): T[]
  bytes(length: number): Buffer
  /** A UUID of version 4. */
  uuid(): string
}

/** The stream of a named part of a run. */
export function randomOf(seed: number, name: string): Random {
  const digest = createHash('sha256').update(`${seed}/${name}`).digest()
  let [a, b, c, counter] = [digest.readInt32LE(0), digest.readInt32LE(4), digest.readInt32LE(8), digest.readInt32LE(12)]

  // sfc32, by Chris Doty-Humphrey: small, fast, and of 128 bits.
  const word = (): number => {
    const sum = (((a + b) | 0) + counter) | 0
    counter = (counter + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = ((c << 21) | (c >>> 11)) + sum
    return sum >>> 0
  }
  const next = (): number => word() / 2 ** 32
  const integer = (min: number, max: number): number => min + Math.floor(next() * (max - min + 1))
  const bytes = (length: number): Buffer => Buffer.from(Array.from({ length }, () => word() & 255))
  return {
    next,
    integer,
    bytes,
    chance: (probability) => next() < probability,
    pick: (from) => from[integer(0, from.length - 1)] as (typeof from)[number],
    weighted(weights) {
      const entries = Object.entries(weights) as [keyof typeof weights, number][]
      let at = next() * entries.reduce((sum, [, weight]) => sum + weight, 0)
      for (const [key, weight] of entries) {
        at -= weight
        if (at < 0) return key
      }
      return entries[0]?.[0] as keyof typeof weights
    },
    shuffled(list) {
      const result = [...list]
      for (let at = result.length - 1; at > 0; at--) {
        const other = integer(0, at)
        ;[result[at], result[other]] = [result[other] as (typeof result)[number], result[at] as (typeof result)[number]]
      }
      return result
    },
    uuid() {
      const raw = bytes(16)
      raw[6] = ((raw[6] as number) & 0x0f) | 0x40
      raw[8] = ((raw[8] as number) & 0x3f) | 0x80
      return raw.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
    },
  }
}
