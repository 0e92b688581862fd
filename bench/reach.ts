// What a measure is to reach, and whether it does: a run that misses one of them fails.
export interface Reach {
  text: string
  isHeld: boolean
}

/** `value` is the figure itself, which a line shows rounded; what could not be measured reaches nothing. */
export const atLeast = (limit: number, value: number, unit = 'x'): Reach => ({
  text: `at least ${limit}${unit}`,
  isHeld: value >= limit,
})

export const atMost = (limit: number, value: number, unit = 'x'): Reach => ({
  text: `at most ${limit}${unit}`,
  isHeld: value <= limit,
})

/** A baseline that is not there: nothing is compared with nothing. */
export class NoBaseline extends Error {}
