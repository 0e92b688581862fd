// One clock for everything that the service acts on or stores (docs/contract/representation.md#times).
import { randomFillSync } from 'node:crypto'

export interface Clock {
  now(): Date
}

export const systemClock: Clock = { now: () => new Date() }

export const seconds = (count: number): number => count * 1000
export const minutes = (count: number): number => seconds(60 * count)
export const hours = (count: number): number => minutes(60 * count)
export const days = (count: number): number => hours(24 * count)
/** How far the clocks of two nodes may be apart. What is further in the future is from before a clock was set back. */
export const clocksApart: number = minutes(1)
export const after = (moment: Date, milliseconds: number): Date => new Date(moment.getTime() + milliseconds)

export const earlier = (moment: Date, milliseconds: number): Date => new Date(moment.getTime() - milliseconds)

const pool = Buffer.alloc(4096)
let used = pool.length
let lastMillisecond = 0
let counter = 0

const hex = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))

/**
 * UUIDv7 (RFC 9562, method 1): 48 bits of the clock, then a 12-bit counter that keeps the IDs of one process in
 * creation order, then 62 random bits.
 */
export function newId(now: Date): string {
  const millisecond = now.getTime()
  if (used + 10 > pool.length) {
    randomFillSync(pool)
    used = 0
  }
  const r = used
  used += 10
  if (millisecond > lastMillisecond || millisecond < lastMillisecond - 1000) {
    lastMillisecond = millisecond
    counter = pool.readUInt16BE(r + 8) & 0x7ff
  } else if (++counter > 0xfff) {
    lastMillisecond += 1
    counter = 0
  }
  const high = Math.floor(lastMillisecond / 0x10000)
  const low = lastMillisecond & 0xffff
  const byte = (value: number): string => hex[value & 0xff] as string
  return (
    byte(high >>> 24) +
    byte(high >>> 16) +
    byte(high >>> 8) +
    byte(high) +
    '-' +
    byte(low >>> 8) +
    byte(low) +
    '-' +
    byte(0x70 | (counter >>> 8)) +
    byte(counter) +
    '-' +
    byte(0x80 | ((pool[r] as number) & 0x3f)) +
    byte(pool[r + 1] as number) +
    '-' +
    byte(pool[r + 2] as number) +
    byte(pool[r + 3] as number) +
    byte(pool[r + 4] as number) +
    byte(pool[r + 5] as number) +
    byte(pool[r + 6] as number) +
    byte(pool[r + 7] as number)
  )
}

/** Not greater than any ID of a moment: IDs begin with their time. */
export function firstIdOf(moment: Date): string {
  const time = Math.max(0, moment.getTime()).toString(16).padStart(12, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-0000-0000-000000000000`
}
